//! `mask`: masks for paint in recipes.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::field::FieldRef;
use super::{gate, opt, param, wrong};
use galatea_derive::Options;
use galatea_forge::layers::SurfaceMask;
use galatea_script::toolkit::{
    Args, Function, Group, Kind, OptionValue, Options, Type, add_object, add_properties, describe,
    number, vector,
};

/// A mask object of a recipe.
#[derive(Clone)]
pub(super) struct MaskRef(pub SurfaceMask);

impl UserData for MaskRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn value(lua: &Lua, mask: SurfaceMask) -> mlua::Result<Value> {
    gate::check_mask(mask.depth(), mask.n_nodes())?;
    lua.create_userdata(MaskRef(mask)).map(Value::UserData)
}

fn own(args: &Args, i: usize) -> mlua::Result<Box<SurfaceMask>> {
    let found = args.object::<MaskRef>(i).map(|mask| Box::new(mask.0));
    found.ok_or_else(|| wrong("expected a Mask"))
}

/// Two different thresholds.
fn ends(from: Option<f64>, to: Option<f64>, usual: [f32; 2]) -> mlua::Result<[f32; 2]> {
    let from = from.map_or(usual[0], |n| n as f32);
    different(from, to.map_or(usual[1], |n| n as f32))
}

fn different(from: f32, to: f32) -> mlua::Result<[f32; 2]> {
    if from == to {
        return Err(wrong(format!("from and to must differ, both are {from}")));
    }
    Ok([from, to])
}

fn near(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let field = args
        .object::<FieldRef>(0)
        .ok_or_else(|| wrong("near: expected a Field"))?;
    let [from, to] = ends(args.number(1), args.number(2), [0.0, 0.002])?;
    value(
        lua,
        SurfaceMask::Near {
            field: field.0,
            from,
            to,
        },
    )
}

/// A size given as one number or as one for each axis.
struct AxisSize(Vec3);

impl OptionValue for AxisSize {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Vector]);

    fn from_value(value: Value) -> Result<Self, String> {
        let size = vector(&value).or_else(|| number(&value).map(|n| Vec3::splat(n as f32)));
        match size {
            Some(size) if size.min_element() > 0.0 => Ok(Self(size)),
            _ => Err(format!("must be above 0, got {}", describe(&value))),
        }
    }
}

/// Options of a noise mask.
#[derive(Options)]
struct NoiseOptions {
    /// Size of the largest blotches: a number, or a vector with the size along each axis.
    #[option(default = AxisSize(Vec3::splat(0.02)), default_doc = "0.02", unit = "metres")]
    size: AxisSize,
    /// Number of sizes of blotches that are mixed (octaves). Each has half the size of the previous one.
    #[option(default = 3.0, range = 1.0..=12.0)]
    octaves: f32,
    /// Random seed.
    #[option(default = 1)]
    seed: u32,
    /// Value of the noise, which is from -1 to 1, at which the mask is 0.
    #[option(default = -0.3)]
    from: f32,
    /// Value of the noise at which the mask is 1. Between `from` and `to`, the mask changes gradually.
    #[option(default = 0.3)]
    to: f32,
}

/// Options of a mask of spots.
#[derive(Options)]
struct SpotsOptions {
    /// Size of a cell, which contains one spot: a number, or a vector with the size along each axis.
    #[option(default = AxisSize(Vec3::splat(0.02)), default_doc = "0.02", unit = "metres")]
    size: AxisSize,
    /// Random seed.
    #[option(default = 1)]
    seed: u32,
    /// Distance from the centre of a spot up to which the mask is 1, as a fraction of the cell.
    #[option(default = 0.1)]
    from: f32,
    /// Distance from the centre of a spot from which the mask is 0, as a fraction of the cell.
    #[option(default = 0.3)]
    to: f32,
}

fn noise(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: NoiseOptions = args.options(0)?;
    let [from, to] = different(options.from, options.to)?;
    value(
        lua,
        SurfaceMask::Noise {
            size: options.size.0,
            octaves: options.octaves as u32,
            seed: options.seed,
            from,
            to,
        },
    )
}

fn spots(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: SpotsOptions = args.options(0)?;
    let [from, to] = different(options.from, options.to)?;
    value(
        lua,
        SurfaceMask::Spots {
            size: options.size.0,
            seed: options.seed,
            from,
            to,
        },
    )
}

fn facing(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let along = args.vector(0).unwrap_or_default().try_normalize();
    let along = along.ok_or_else(|| wrong("facing: expected a direction"))?;
    let [from, to] = ends(args.number(1), args.number(2), [0.0, 1.0])?;
    value(lua, SurfaceMask::Facing { along, from, to })
}

fn open(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let [from, to] = ends(args.number(0), args.number(1), [0.0, 1.0])?;
    value(lua, SurfaceMask::Open { from, to })
}

fn paint(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(
        lua,
        SurfaceMask::Paint(args.text(0).unwrap_or_default().into()),
    )
}

fn times(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, SurfaceMask::Times(own(&args, 0)?, own(&args, 1)?))
}

fn most(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, SurfaceMask::Max(own(&args, 0)?, own(&args, 1)?))
}

fn inverted(lua: &Lua, args: Args) -> mlua::Result<Value> {
    value(lua, SurfaceMask::Not(own(&args, 0)?))
}

fn share(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let share = args.number(1).unwrap_or(1.0);
    if !(0.0..=1.0).contains(&share) {
        return Err(wrong(format!("share must be from 0 to 1, got {share}")));
    }
    value(lua, SurfaceMask::Scale(own(&args, 0)?, share as f32))
}

const MASK: Type = Type::Object("Mask");

pub(super) static MODULE: Group = Group {
    kind: Kind::Module,
    name: "mask",
    doc: "Masks say where a paint layer is visible. A mask is a weight from 0 to 1 at every position of a surface.",
    functions: &[
        Function {
            name: "near",
            params: &[
                param("field", Type::Object("Field")),
                opt("from", Type::Number),
                opt("to", Type::Number),
            ],
            returns: "Mask",
            doc: "Makes a mask from the distance to a field. The mask is 1 where the distance is at most `from` metres \
                  (default 0), and 0 where it is at least `to` metres (default 0.002). Negative distances are inside \
                  the field.",
            example: "local cheek = mask.near(field.ball(vector.create(0.04, 1.55, 0.08), 0.02), -0.01, 0.015)",
            call: near,
        },
        Function {
            name: "noise",
            params: &[opt("options", Type::Options(NoiseOptions::SHAPE))],
            returns: "Mask",
            doc: "Makes a mask from random noise with large and small blotches (fractal noise).",
            example: "local blotches = mask.noise { size = 0.03, seed = 4 }",
            call: noise,
        },
        Function {
            name: "spots",
            params: &[opt("options", Type::Options(SpotsOptions::SHAPE))],
            returns: "Mask",
            doc: "Makes a mask of randomly scattered spots, such as freckles, pores or pebbles.",
            example: "local freckles = mask.spots { size = 0.006, from = 0.05, to = 0.2 }",
            call: spots,
        },
        Function {
            name: "facing",
            params: &[
                param("along", Type::Vector),
                opt("from", Type::Number),
                opt("to", Type::Number),
            ],
            returns: "Mask",
            doc: "Makes a mask from the direction that the surface faces. It compares this direction with the vector \
                  `along`, by the cosine of the angle between them: 1 is the same direction, 0 a right angle. The mask \
                  is 0 where the cosine is at most `from` (default 0), and 1 where it is at least `to` (default 1).",
            example: "local snow = mask.facing(vector.create(0, 1, 0), 0.4, 0.7)",
            call: facing,
        },
        Function {
            name: "open",
            params: &[opt("from", Type::Number), opt("to", Type::Number)],
            returns: "Mask",
            doc: "Makes a mask from how open the surface is, which is calculated with the option `shade` of the sheet: \
                  0 in deep folds, 1 on free surfaces. The mask is 0 where this value is at most `from` (default 0), \
                  and 1 where it is at least `to` (default 1). With `from` greater than `to`, as in the example, the \
                  mask is 1 in folds.",
            example: "local dust = mask.open(0.8, 0.3)",
            call: open,
        },
        Function {
            name: "paint",
            params: &[param("material", Type::Text)],
            returns: "Mask",
            doc: "Makes a mask that is 1 on the faces with this material, as set by `cage:paint`, and 0 elsewhere.",
            example: "local lips = mask.paint \"lips\"",
            call: paint,
        },
    ],
    properties: &[],
};

pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Mask",
    doc: "A mask, which says where a paint layer is visible. Its methods return a new mask.",
    functions: &[
        Function {
            name: "times",
            params: &[param("other", MASK)],
            returns: "Mask",
            doc: "Returns the product of both masks: visible where both are visible.",
            example: "local both = mask.noise():times(mask.facing(vector.create(0, 0, 1)))",
            call: times,
        },
        Function {
            name: "most",
            params: &[param("other", MASK)],
            returns: "Mask",
            doc: "Returns the greater value of both masks: visible where one of them is visible.",
            example: "local either = mask.noise():most(mask.spots())",
            call: most,
        },
        Function {
            name: "inverted",
            params: &[],
            returns: "Mask",
            doc: "Returns the opposite mask: 1 minus its value.",
            example: "local rest = mask.paint(\"lips\"):inverted()",
            call: inverted,
        },
        Function {
            name: "share",
            params: &[param("share", Type::Number)],
            returns: "Mask",
            doc: "Returns the mask multiplied by a number, 0 to 1, which makes the layer weaker.",
            example: "local faint = mask.spots():share(0.3)",
            call: share,
        },
    ],
    properties: &[],
};
