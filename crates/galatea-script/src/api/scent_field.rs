//! `scent_field { … }`: scent that agents of crowds leave on the ground, which fades and which others follow.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Options, Param, Type, lua_number};
use super::group::{Function, Group, Kind, Property};
use super::heat;
use crate::budget::charge;
use crate::objects;
use crate::world::with_world;
use galatea_crowd::ScentField;
use galatea_derive::Options;
use galatea_math::lines::flat;
use galatea_stage::Handle;
use galatea_stage::scent_fields::{MAX_SCENT_CELLS, MAX_SCENT_FIELDS};

const COST: u64 = 200;
const COST_OF_PICTURE: u64 = 20_000;
/// Accepted range of the half-life, seconds.
const HALF_LIVES: (f64, f64) = (0.01, 1e6);
/// Accepted range of the diffusion, fraction per second.
const DIFFUSION_RANGE: (f64, f64) = (0.0, 1.0);

/// A handle to a scent field.
#[derive(Clone, Copy)]
pub(super) struct ScentFieldRef(pub Handle);

impl UserData for ScentFieldRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

objects!(ScentFieldRef: "ScentField");

/// The area and the fading of a scent field.
#[derive(Options)]
struct ScentFieldOptions {
    /// Centre of the field.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Size of the field along x and z.
    #[option(
        default = Vec3::new(40.0, 0.0, 40.0),
        default_doc = "(40, 0, 40)",
        unit = "metres"
    )]
    size: Vec3,
    /// Width of a cell of the grid.
    #[option(default = 0.25, unit = "metres", range = 0.05..=10.0)]
    cell_size: f32,
    /// Time in which half of the scent disappears.
    #[option(default = 30.0, unit = "seconds", range = HALF_LIVES.0..=HALF_LIVES.1)]
    half_life: f32,
    /// Fraction of the scent in each cell that moves to the neighbouring cells.
    #[option(default = 0.05, unit = "per second", range = DIFFUSION_RANGE.0..=DIFFUSION_RANGE.1)]
    diffusion: f32,
    /// Name by which a hot reload finds the field again.
    #[option(default_doc = "none: found by the order of creation")]
    name: Option<String>,
}

fn scent_field(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let options: ScentFieldOptions = args.options(0)?;
    let cell = options.cell_size;
    let (middle, size) = (flat(options.position), flat(options.size).abs());
    let made = ScentField::new(middle, size, cell, MAX_SCENT_CELLS);
    let mut made = made.ok_or_else(|| {
        wrong(format!(
            "size: must cover 1 to {MAX_SCENT_CELLS} cells of {cell} m"
        ))
    })?;
    made.half_life = options.half_life;
    made.diffusion = options.diffusion;
    let handle = with_world(lua, |world| {
        let handle =
            world
                .stage
                .agents
                .add_scent_field(&mut world.stage.ids, options.name.as_deref(), made);
        handle.ok_or_else(|| {
            wrong(format!(
                "scent_field: the limit is {MAX_SCENT_FIELDS} fields"
            ))
        })
    })?;
    lua.create_userdata(ScentFieldRef(handle))
        .map(Value::UserData)
}

fn with_own<T>(lua: &Lua, args: &Args, work: impl FnOnce(&mut ScentField) -> T) -> mlua::Result<T> {
    let own: Option<ScentFieldRef> = args.object(0);
    let ScentFieldRef(handle) = own.ok_or_else(|| wrong("expected a ScentField"))?;
    with_world(lua, |world| {
        let own = world.stage.agents.scent_fields.get_mut(handle);
        own.map(|own| work(&mut own.field))
            .ok_or_else(|| wrong("this scent field was removed"))
    })
}

fn add(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).unwrap_or_default();
    let amount = args.number(2).unwrap_or(1.0) as f32;
    with_own(lua, &args, |trail| trail.add(flat(at), amount))?;
    Ok(Value::Nil)
}

fn sample(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).unwrap_or_default();
    with_own(lua, &args, |trail| lua_number(trail.strength(flat(at))))
}

fn clear(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    with_own(lua, &args, ScentField::clear)?;
    Ok(Value::Nil)
}

fn save_image(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_PICTURE)?;
    let file = args.text(1).unwrap_or_default();
    let drawn = with_own(lua, &args, |trail| {
        let (size, cells) = trail.cells();
        let most = cells
            .iter()
            .fold(f32::MIN_POSITIVE, |most, cell| most.max(*cell));
        // The square root keeps faint scent visible next to strong scent.
        heat::map(size, cells.iter().map(|cell| (cell / most).sqrt()))
    })?;
    let written = with_world(lua, |world| world.save_image(&file, drawn).map_err(wrong))?;
    lua.create_string(written).map(Value::String)
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<ScentFieldRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(ScentFieldRef(handle)) = own {
            world.stage.agents.scent_fields.remove(handle);
        }
        Ok(Value::Nil)
    })
}

fn get_half_life(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |trail| lua_number(trail.half_life))
}

fn set_half_life(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let seconds = within(&args, "half_life", HALF_LIVES)?;
    with_own(lua, &args, |trail| trail.half_life = seconds)?;
    Ok(Value::Nil)
}

fn get_diffusion(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |trail| lua_number(trail.diffusion))
}

fn set_diffusion(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let share = within(&args, "diffusion", DIFFUSION_RANGE)?;
    with_own(lua, &args, |trail| trail.diffusion = share)?;
    Ok(Value::Nil)
}

fn within(args: &Args, name: &str, (low, high): (f64, f64)) -> mlua::Result<f32> {
    let value = args.number(1).unwrap_or_default();
    if (low..=high).contains(&value) {
        Ok(value as f32)
    } else {
        Err(wrong(format!(
            "{name}: must be {low} to {high}, got {value}"
        )))
    }
}

/// `scent_field { … }`.
pub(super) const SCENT_FIELD: Function = Function {
    name: "scent_field",
    params: &[Param {
        name: "options",
        ty: Type::Options(ScentFieldOptions::SHAPE),
        optional: false,
    }],
    returns: "ScentField",
    doc: "Creates a grid of scent on the ground, like the scent trails of ants. The scent fades with time. In states with \
          `leave_scent`, agents of crowds leave scent where they walk. In states with `follow_scent`, they turn towards the \
          stronger scent.",
    example: "local scent = scent_field { size = vec(30, 0, 30), half_life = 20 }\nlocal ants = crowd {\n\tmodel = \"assets/galatea.glb\", count = 60, start = \"search\",\n\tstates = {\n\t\tsearch = { wander_turn_rate = 40, follow_scent = scent, detect = vec(8, 0, 8), on = { found = \"home\" } },\n\t\thome = { goal = vec(0, 0, 0), leave_scent = scent, on = { arrived = \"search\" } },\n\t},\n}",
    call: scent_field,
};

/// Object that `scent_field` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "ScentField",
    doc: "A scent field: amounts of scent in the cells of an area of the ground, created by `scent_field { … }`. A hot \
          reload keeps the scent.",
    functions: &[
        Function {
            name: "add",
            params: &[
                Param {
                    name: "place",
                    ty: Type::Vector,
                    optional: false,
                },
                Param {
                    name: "amount",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "",
            doc: "Adds scent at a position. `amount` is 1 by default; a negative amount removes scent. Outside the \
                  field the call has no effect.",
            example: "scent_field({}):add(vec(1, 0, 2), 5)",
            call: add,
        },
        Function {
            name: "sample",
            params: &[Param {
                name: "place",
                ty: Type::Vector,
                optional: false,
            }],
            returns: "number",
            doc: "Returns the amount of scent in the cell at a position.",
            example: "print(scent_field({}):sample(vec(0, 0, 0)))",
            call: sample,
        },
        Function {
            name: "clear",
            params: &[],
            returns: "",
            doc: "Removes all scent from the field.",
            example: "scent_field({}):clear()",
            call: clear,
        },
        Function {
            name: "save_image",
            params: &[Param {
                name: "file",
                ty: Type::Text,
                optional: false,
            }],
            returns: "string",
            doc: "Writes a map of the scent to a PNG file in the project's folder `out`, and returns the path of the \
                  file. Black is no scent, pale yellow is the greatest amount in the field. A quarter of that amount is \
                  half as bright. In the image, +X points right and +Z points down.",
            example: "local scent = scent_field {}\nfunction update()\n\tif input.pressed(\"space\") then print(scent:save_image(\"scent.png\")) end\nend",
            call: save_image,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the field with its scent.",
            example: "scent_field({}):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "half_life",
            ty: "number",
            doc: "Time in which half of the scent disappears, seconds.",
            get: get_half_life,
            set: Some((Type::Number, set_half_life)),
        },
        Property {
            name: "diffusion",
            ty: "number",
            doc: "Fraction of the scent in each cell that moves to the neighbouring cells in a second, 0 to 1.",
            get: get_diffusion,
            set: Some((Type::Number, set_diffusion)),
        },
    ],
};
