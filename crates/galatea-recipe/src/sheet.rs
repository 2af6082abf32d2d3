//! `sheet { … }`: the textures of parts, in recipes.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::crease::{self, creases};
use super::field::FieldRef;
use super::layer::layer;
use super::wrong;
use galatea_forge::bake::Sheet;
use galatea_script::toolkit::{
    Args, Field as Choice, Function, Group, Kind, Param, Type, add_object, add_properties, number,
    object,
};

/// A sheet in a recipe.
#[derive(Clone)]
pub(super) struct SheetRef(pub Sheet);

impl UserData for SheetRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

const FIELDS: &[Choice] = &[
    Choice::new(
        "size",
        Type::Number,
        "pixels of each side, 16 to 4096; 1024",
    ),
    Choice::new(
        "sculpt",
        Type::Object("Field"),
        "what is finer than the meshes: the map of normals is taken from it",
    ),
    Choice::new(
        "shade",
        Type::Object("Field"),
        "what shades folds: occlusion, and `mask.open`",
    ),
    Choice::new(
        "layers",
        Type::Table("{ [any]: any }"),
        "a list, the lowest first, of { color = linear colour, multiply = false, roughness, metallic, height = metres that it lifts, where = Mask }",
    ),
    Choice::new(
        "detail",
        Type::Table("{ [any]: any }"),
        "by names of parts, how many times as many pixels as others they have for a metre: { head = 2 }",
    ),
    Choice::new("wrinkles", Type::Table("{ [any]: any }"), crease::DOC),
];

/// Layers of one sheet.
const MOST: usize = 200;

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let field = |name: &str| object::<FieldRef>(&fields.value(name)).map(|field| field.0);
    let mut layers = Vec::new();
    if let Some(table) = fields.value("layers").as_table() {
        for row in table.sequence_values::<Table>() {
            layers.push(layer(&row?, &format!("layer {}", layers.len() + 1))?);
            if layers.len() > MOST {
                return Err(wrong(format!("sheet: more than {MOST} layers")));
            }
        }
    }
    let mut detail = Vec::new();
    if let Some(table) = fields.value("detail").as_table() {
        for pair in table.pairs::<String, Value>() {
            let (name, value) = pair?;
            let n = number(&value).filter(|n| (0.01..=100.0).contains(n));
            let n =
                n.ok_or_else(|| wrong(format!("sheet: detail of {name:?} must be 0.01 to 100")))?;
            detail.push((name, n as f32));
        }
    }
    let sheet = Sheet {
        name: String::new(),
        side: fields.within("size", 16.0, 4096.0)?.unwrap_or(1024.0) as u32,
        sculpt: field("sculpt"),
        shade: field("shade"),
        layers,
        paints: Vec::new(),
        detail,
        creases: creases(&fields.value("wrinkles"))?,
    };
    lua.create_userdata(SheetRef(sheet)).map(Value::UserData)
}

pub(super) const SHEET: Function = Function {
    name: "sheet",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: true,
    }],
    returns: "Sheet",
    doc: "Textures for parts: they are cut at seams and where charts differ, laid flat side by side, and painted in layers.",
    example: "local v = vector.create\nlocal skin = sheet { size = 64, layers = { { color = v(0.7, 0.5, 0.4) }, { color = v(0.5, 0.3, 0.2), where = mask.spots() } } }",
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Sheet",
    doc: "Textures of parts; `model` takes it by a name.",
    functions: &[],
    properties: &[],
};
