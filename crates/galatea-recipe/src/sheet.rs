//! `sheet { … }`: texture sets of parts in recipes.

use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::crease::creases;
use super::field::FieldRef;
use super::layer::layer;
use super::wrong;
use galatea_derive::Options;
use galatea_forge::bake::SheetPaint;
use galatea_script::objects;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, Options, Param, Type, add_object, add_properties, number,
};

/// A texture set object of a recipe.
#[derive(Clone)]
pub(super) struct SheetRef(pub SheetPaint);

objects!(SheetRef: "Sheet");

impl UserData for SheetRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// The textures of parts.
#[derive(Options)]
struct SheetOptions {
    /// Pixels of each side.
    #[option(default = 1024.0, range = 16.0..=4096.0)]
    size: f32,
    /// What is finer than the meshes: the map of normals is taken from it.
    sculpt: Option<FieldRef>,
    /// What shades folds: occlusion, and `mask.open`.
    shade: Option<FieldRef>,
    /// Layers, the lowest first; height in metres that it lifts.
    #[option(ty = Type::Table("{ { color: vector?, multiply: boolean?, roughness: number?, metallic: number?, height: number?, where: Mask? } }"))]
    layers: Option<Table>,
    /// By names of parts, how many times as many pixels as others they have for a metre: { head = 2 }.
    #[option(ty = Type::Table("{ [string]: number }"))]
    detail: Option<Table>,
    /// What folds: { size = 1024 (pixels of its maps, which lie only where it folds), then a list of regions, { name
    /// = name, where = Mask, layers = as of the sheet, the colours being factors, sculpt = Field (the form when it is
    /// folded), tint = factor on its colour when it is folded, map = 1 (regions that lie over each other need
    /// others), rest = 0 (weight at rest), shapes = { shape of the face = how much it folds }, stretch = { { from =
    /// place, to = place, ratio = share of their distance at which it is all folded } }, curve = name of a curve } }.
    #[option(ty = Type::Table("{ [any]: any }"))]
    wrinkles: Option<Value>,
}

/// Limit of layers per texture set.
const MAX_LAYERS: usize = 200;

fn make(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: SheetOptions = args.options(0)?;
    let mut layers = Vec::new();
    if let Some(table) = options.layers {
        for row in table.sequence_values::<Table>() {
            layers.push(layer(&row?, &format!("layer {}", layers.len() + 1))?);
            if layers.len() > MAX_LAYERS {
                return Err(wrong(format!("sheet: more than {MAX_LAYERS} layers")));
            }
        }
    }
    let mut detail = Vec::new();
    if let Some(table) = options.detail {
        for pair in table.pairs::<String, Value>() {
            let (name, value) = pair?;
            let n = number(&value).filter(|n| (0.01..=100.0).contains(n));
            let n =
                n.ok_or_else(|| wrong(format!("sheet: detail of {name:?} must be 0.01 to 100")))?;
            detail.push((name, n as f32));
        }
    }
    let sheet = SheetPaint {
        name: String::new(),
        side: options.size as u32,
        sculpt: options.sculpt.map(|field| field.0),
        shade: options.shade.map(|field| field.0),
        layers,
        paints: Vec::new(),
        detail,
        creases: creases(&options.wrinkles.unwrap_or(Value::Nil))?,
    };
    lua.create_userdata(SheetRef(sheet)).map(Value::UserData)
}

pub(super) const SHEET: Function = Function {
    name: "sheet",
    params: &[Param {
        name: "options",
        ty: Type::Options(SheetOptions::SHAPE),
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
