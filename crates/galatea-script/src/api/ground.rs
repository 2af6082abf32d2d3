//! `ground`: the floor, and the surface names of footsteps.

use glam::{Vec2, Vec3};
use mlua::{Lua, Value};

use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::frame::Ground;
use galatea_stage::{Patch, PatchShape};

/// Changes to the floor. An option that is left out keeps its value.
#[derive(Options)]
struct GroundOptions {
    /// Height of the floor.
    #[option(default_doc = "0", unit = "metres")]
    height: Option<f32>,
    /// Colour, as linear RGB.
    color: Option<Vec3>,
    /// Distance between the lines of the grid; 0 is no grid.
    #[option(default_doc = "1", unit = "metres", clamp = 0.0..)]
    grid: Option<f32>,
    /// How much the colour of the floor varies from place to place; 0 is the same colour everywhere.
    #[option(default_doc = "0.3", clamp = 0.0..=1.0)]
    color_variation: Option<f32>,
    /// Name of the surface, see `physics.surface`.
    #[option(default_doc = "stone")]
    surface: Option<String>,
    /// True draws the floor.
    #[option(default = true)]
    visible: bool,
    /// True makes bodies collide with the floor.
    #[option(default_doc = "true")]
    collider: Option<bool>,
}

fn set(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: GroundOptions = args.options(0)?;
    with_world(lua, |world| {
        let floor = &mut world.stage.floor;
        let now = floor.ground.unwrap_or_default();
        let height = options.height.unwrap_or(now.height);
        floor.ground = options.visible.then(|| Ground {
            height,
            color: options.color.unwrap_or(now.color).max(Vec3::ZERO),
            grid: options.grid.unwrap_or(now.grid),
            color_variation: options.color_variation.unwrap_or(now.color_variation),
        });
        if let Some(height) = options.height {
            floor.collision_height = floor.collision_height.map(|_| height);
        }
        if let Some(solid) = options.collider {
            floor.collision_height = solid.then_some(height);
        }
        if let Some(surface) = options.surface {
            floor.surface = surface.into();
        }
        Ok(Value::Nil)
    })
}

/// An area of another surface. Exactly one of radius and size is required.
#[derive(Options)]
struct PatchOptions {
    /// Centre of the area; its height has no effect.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Radius of a round area.
    #[option(unit = "metres", clamp = 0.0..)]
    radius: Option<f32>,
    /// Size of a rectangular area along x and z.
    #[option(unit = "metres")]
    size: Option<Vec3>,
    /// Name of the surface, see `physics.surface`.
    #[option(default_doc = "that of the floor")]
    surface: Option<String>,
    /// Colour, as linear RGB.
    #[option(default_doc = "that of the floor")]
    color: Option<Vec3>,
}

/// Maximum number of patches.
const MAX_PATCHES: usize = 1024;

fn patch(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: PatchOptions = args.options(0)?;
    let shape = match (options.radius, options.size) {
        (Some(radius), None) => PatchShape::Circle(radius),
        (None, Some(size)) => PatchShape::Rectangle(Vec2::new(size.x, size.z).abs() * 0.5),
        _ => {
            return Err(mlua::Error::runtime(
                "ground.patch: give either radius or size",
            ));
        }
    };
    let at = options.position;
    with_world(lua, |world| {
        let floor = &mut world.stage.floor;
        if floor.patches.len() >= MAX_PATCHES {
            return Err(mlua::Error::runtime(format!(
                "ground.patch: the limit is {MAX_PATCHES} patches"
            )));
        }
        let color = floor.ground.unwrap_or_default().color;
        floor.patches.push(Patch {
            centre: Vec2::new(at.x, at.z),
            shape,
            surface: options
                .surface
                .map_or_else(|| floor.surface.clone(), Into::into),
            color: options.color.unwrap_or(color).max(Vec3::ZERO),
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
    doc: "The floor of the scene, and areas on it with other surfaces. Events such as `step` contain the name of the \
          surface at that position.",
    functions: &[
        Function {
            name: "set",
            params: &[Param {
                name: "options",
                ty: Type::Options(GroundOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Sets the floor. Options that you leave out keep their values.",
            example: "ground.set { surface = \"stone\", grid = 0.5 }",
            call: set,
        },
        Function {
            name: "patch",
            params: &[Param {
                name: "options",
                ty: Type::Options(PatchOptions::SHAPE),
                optional: false,
            }],
            returns: "",
            doc: "Adds an area with another surface to the floor. It is a circle if you give a `radius`, or a rectangle \
                  if you give a `size`.",
            example: "ground.patch { position = vec(3, 0, 0), radius = 2, surface = \"grass\" }",
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
            doc: "Returns the name of the floor's surface at a position.",
            example: "print(ground.surface(hero.position))",
            call: surface,
        },
    ],
    properties: &[],
};
