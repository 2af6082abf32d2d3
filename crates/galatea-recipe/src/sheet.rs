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

/// Options of a texture set.
#[derive(Options)]
struct SheetOptions {
    /// Width and height, pixels.
    #[option(default = 1024.0, range = 16.0..=4096.0)]
    size: f32,
    /// Field with more detail than the meshes. The normal map (relief of the surface) is calculated from it.
    sculpt: Option<FieldRef>,
    /// Field that causes ambient occlusion (darker creases), also for `mask.open`.
    shade: Option<FieldRef>,
    /// List of paint layers, the lowest first. `where` is the mask that says where the layer is visible. A layer covers
    /// the colour below, or multiplies it with `multiply = true`. `height` raises the surface, in metres.
    #[option(ty = Type::Table("{ { color: vector?, multiply: boolean?, roughness: number?, metallic: number?, height: number?, where: Mask? } }"))]
    layers: Option<Table>,
    /// How many pixels of the texture parts get, by the name of the part. { head = 2 } gives the head twice as many per
    /// metre as other parts.
    #[option(ty = Type::Table("{ [string]: number }"))]
    detail: Option<Table>,
    /// Wrinkle maps: textures for folded skin. The table is { size = 1024, region, … }. `size` is the width and height
    /// of the maps in pixels; they cover only the area that folds. Each region is a table. `name` is its name and
    /// `where` its mask. `sculpt` is a field with the folded shape. `layers` are paint layers, whose colours are
    /// factors. `tint` is a factor on the colour of folded skin. `map` is the number of its map, 1 by default;
    /// overlapping regions need different maps. `rest` is its weight at rest, 0 by default. Three fields say what folds
    /// the skin: `shapes` = { facial shape = weight }; `stretch` = { { from = position, to = position, ratio = 0.8 } },
    /// where `ratio` is the fraction of the distance at rest that gives full weight; and `curve`, the name of a curve
    /// in clips.
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
                return Err(wrong(format!("sheet: the limit is {MAX_LAYERS} layers")));
            }
        }
    }
    let mut detail = Vec::new();
    if let Some(table) = options.detail {
        for pair in table.pairs::<String, Value>() {
            let (name, value) = pair?;
            let n = number(&value).filter(|n| (0.01..=100.0).contains(n));
            let n = n.ok_or_else(|| {
                wrong(format!(
                    "sheet: detail of {name:?} must be from 0.01 to 100"
                ))
            })?;
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
    doc: "Makes a texture set for one or more parts. The surface of the parts is cut at seams and between charts, laid \
          flat (unwrapped), packed into one texture, and painted in layers.",
    example: "local v = vector.create\nlocal skin = sheet { size = 64, layers = { { color = v(0.7, 0.5, 0.4) }, { color = v(0.5, 0.3, 0.2), where = mask.spots() } } }",
    call: make,
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Sheet",
    doc: "A texture set of parts, made by `sheet`. The option `sheets` of `model` gives it a name.",
    functions: &[],
    properties: &[],
};
