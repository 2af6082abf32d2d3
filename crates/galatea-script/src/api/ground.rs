//! `ground`: the floor, and what footsteps hear.

use glam::{Vec2, Vec3};
use mlua::{Lua, Value};

use super::check::{Args, Field, Param, Type};
use super::{Function, Group, Kind};
use crate::world::with_world;
use galatea_stage::frame::Ground;
use galatea_stage::{Patch, PatchShape};

const SET_FIELDS: &[Field] = &[
    Field::new("height", Type::Number, "metres; 0"),
    Field::new("color", Type::Vector, "linear colour"),
    Field::new(
        "grid",
        Type::Number,
        "metres between grid lines; 0 for none",
    ),
    Field::new(
        "uneven",
        Type::Number,
        "how much its colour varies from place to place, 0 to 1; 0.3",
    ),
    Field::new("surface", Type::Text, "what it is made of; stone"),
    Field::new("visible", Type::Bool, "whether it is drawn; true"),
    Field::new("solid", Type::Bool, "whether things stand on it; true"),
];

fn set(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let floor = &mut world.stage.floor;
        let now = floor.ground.unwrap_or_default();
        let visible = fields.bool("visible").unwrap_or(true);
        floor.ground = visible.then(|| Ground {
            height: fields.number("height").map_or(now.height, |n| n as f32),
            color: fields.vector("color").unwrap_or(now.color).max(Vec3::ZERO),
            grid: fields
                .number("grid")
                .map_or(now.grid, |n| n.max(0.0) as f32),
            uneven: fields
                .number("uneven")
                .map_or(now.uneven, |n| n.clamp(0.0, 1.0) as f32),
        });
        if let Some(height) = fields.number("height") {
            floor.solid = floor.solid.map(|_| height as f32);
        }
        if let Some(solid) = fields.bool("solid") {
            floor.solid = solid.then(|| fields.number("height").map_or(now.height, |n| n as f32));
        }
        if let Some(surface) = fields.text("surface") {
            floor.surface = surface.into();
        }
        Ok(Value::Nil)
    })
}

const PATCH_FIELDS: &[Field] = &[
    Field::new("at", Type::Vector, "its middle; the height does not matter"),
    Field::new("radius", Type::Number, "metres, for a round patch"),
    Field::new(
        "size",
        Type::Vector,
        "metres along x and z, for a rectangle",
    ),
    Field::new("surface", Type::Text, "what it is made of"),
    Field::new("color", Type::Vector, "linear colour"),
];

/// Patches that there may be.
const MOST_PATCHES: usize = 1024;

fn patch(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let shape = match (fields.number("radius"), fields.vector("size")) {
        (Some(radius), None) => PatchShape::Circle(radius.max(0.0) as f32),
        (None, Some(size)) => PatchShape::Rectangle(Vec2::new(size.x, size.z).abs() * 0.5),
        _ => {
            return Err(mlua::Error::runtime(
                "ground.patch: give radius or size, one of them",
            ));
        }
    };
    let at = fields.vector("at").unwrap_or(Vec3::ZERO);
    with_world(lua, |world| {
        let floor = &mut world.stage.floor;
        if floor.patches.len() >= MOST_PATCHES {
            return Err(mlua::Error::runtime(format!(
                "ground.patch: there may be {MOST_PATCHES}"
            )));
        }
        let color = floor.ground.unwrap_or_default().color;
        floor.patches.push(Patch {
            centre: Vec2::new(at.x, at.z),
            shape,
            surface: fields
                .text("surface")
                .map_or_else(|| floor.surface.clone(), Into::into),
            color: fields.vector("color").unwrap_or(color).max(Vec3::ZERO),
        });
        Ok(Value::Nil)
    })
}

fn surface(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(0).unwrap_or(Vec3::ZERO);
    let name = with_world(lua, |world| Ok(world.stage.floor.surface_at(at).clone()))?;
    Ok(Value::String(lua.create_string(&*name)?))
}

/// The module `ground`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "ground",
    doc: "The floor. Events at a foot carry the name of the surface under it.",
    functions: &[
        Function {
            name: "set",
            params: &[Param {
                name: "options",
                ty: Type::Fields(SET_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Sets the floor; what is left out stays.",
            example: "ground.set { surface = \"stone\", grid = 0.5 }",
            call: set,
        },
        Function {
            name: "patch",
            params: &[Param {
                name: "options",
                ty: Type::Fields(PATCH_FIELDS),
                optional: false,
            }],
            returns: "",
            doc: "Lays an area of another surface over the floor.",
            example: "ground.patch { at = vector.create(3, 0, 0), radius = 2, surface = \"grass\" }",
            call: patch,
        },
        Function {
            name: "surface",
            params: &[Param {
                name: "at",
                ty: Type::Vector,
                optional: false,
            }],
            returns: "string",
            doc: "Name of the surface at a place.",
            example: "print(ground.surface(hero.position))",
            call: surface,
        },
    ],
    properties: &[],
};
