//! `physics.force_field`: forces, wind, water, attraction and jump pads in regions of the world.

use glam::{Quat, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, OneOrMany, OptionValue, Options, Param, Type, lua_vector};
use super::group::{Function, Group, Kind, Property};
use super::surfaces::layers;
use crate::words;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_physics::{CollisionShape, ForceField, ForceFieldKind, RigidFrame};

/// Handle to a force field.
#[derive(Clone, Copy)]
struct ForceFieldRef(u64);

impl UserData for ForceFieldRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Maximum number of force fields.
const MAX_FIELDS: usize = 256;

/// Shape of a region.
enum Region {
    Everywhere,
    Box,
    Sphere,
    Capsule,
}

words!(Region {
    "everywhere" => Self::Everywhere,
    "box" => Self::Box,
    "sphere" => Self::Sphere,
    "capsule" => Self::Capsule,
});

/// Density of a liquid, kilograms per cubic metre; `None` without a liquid.
struct Liquid(Option<f32>);

impl OptionValue for Liquid {
    const TYPE: Type = Type::OneOf(&[Type::Bool, Type::Number]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Boolean(is_water) => Ok(Self(is_water.then_some(1000.0))),
            density => f32::from_value(density).map(|density| Self(Some(density.max(0.0)))),
        }
    }
}

/// A force and its region. Exactly one of force, acceleration, wind, water, attractor and launch_velocity is required.
#[derive(Options)]
struct ForceFieldOptions {
    /// Shape of the region.
    #[option(
        default_doc = "\"box\" with a `size`, \"sphere\" with a `radius`, otherwise \"everywhere\""
    )]
    shape: Option<Region>,
    /// Centre of the region in the world.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// For a box: lengths of its edges, each more than 0; required.
    #[option(unit = "metres")]
    size: Option<Vec3>,
    /// For a sphere or a capsule: radius.
    #[option(default_doc = "1", unit = "metres", above = 0.0)]
    radius: Option<f32>,
    /// For a capsule: height from end to end.
    #[option(default = 2.0, unit = "metres", above = 0.0)]
    height: f32,
    /// Rotation of the region around the Y axis.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
    /// Force on each body.
    #[option(unit = "newtons")]
    force: Option<Vec3>,
    /// Acceleration of each body, independent of its mass.
    #[option(unit = "metres per second squared")]
    acceleration: Option<Vec3>,
    /// Velocity of the air. It pushes bodies; large bodies are pushed more strongly than small ones.
    #[option(unit = "metres per second")]
    wind: Option<Vec3>,
    /// Density of a liquid that fills the region; true means 1000, the density of water. If `shape` is "everywhere",
    /// the liquid fills everything below the height of `position`.
    #[option(unit = "kilograms per cubic metre")]
    water: Option<Liquid>,
    /// With `water`: velocity of the liquid, which carries bodies along.
    #[option(
        default = Vec3::ZERO,
        default_doc = "(0, 0, 0)",
        unit = "metres per second"
    )]
    current: Vec3,
    /// Drag. With `wind` it is the drag coefficient of the bodies: how strongly the wind grips them. With `water` it is
    /// how strongly bodies slow down; at 1 they lose about 63 % of their speed in a second.
    #[option(default_doc = "1 with `wind`, 2 with `water`", clamp = 0.0..)]
    drag: Option<f32>,
    /// Position that attracts bodies. The acceleration of a body is `attraction` divided by the square of its distance.
    /// With a negative `attraction`, the position repels bodies.
    #[option(unit = "metres")]
    attractor: Option<Vec3>,
    /// Acceleration of a body towards the `attractor` at a distance of 1 m.
    #[option(default = 10.0, unit = "metres per second squared")]
    attraction: f32,
    /// Velocity that a body gets once when it enters the region, as on a jump pad. A body that is already faster in
    /// this direction keeps its speed.
    #[option(unit = "metres per second")]
    launch_velocity: Option<Vec3>,
    /// Collision layers on which the field acts.
    #[option(default_doc = "all")]
    layers: Option<OneOrMany<String>>,
    /// True if the field is active.
    #[option(default = true)]
    enabled: bool,
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Reads the effect of the field; the options must give exactly one.
fn push(options: &ForceFieldOptions) -> mlua::Result<ForceFieldKind> {
    let density = options.water.as_ref().and_then(|water| water.0);
    let all = [
        options.force.map(ForceFieldKind::Force),
        options.acceleration.map(ForceFieldKind::Acceleration),
        options.wind.map(|velocity| ForceFieldKind::Wind {
            velocity,
            drag: options.drag.unwrap_or(1.0),
        }),
        density.map(|density| ForceFieldKind::Water {
            density,
            current: options.current,
            drag: options.drag.unwrap_or(2.0),
        }),
        options.attractor.map(|at| ForceFieldKind::Attractor {
            at,
            strength: options.attraction,
        }),
        options.launch_velocity.map(ForceFieldKind::Launch),
    ];
    let mut given = all.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(wrong(
            "physics.force_field: give exactly one of force, acceleration, wind, water, attractor and \
             launch_velocity",
        )),
    }
}

/// Reads the region of the field; `None` for everywhere.
fn region(options: &ForceFieldOptions) -> mlua::Result<Option<CollisionShape>> {
    let radius = options.radius.unwrap_or(1.0);
    let region = options.shape.as_ref().unwrap_or(match options {
        ForceFieldOptions { size: Some(_), .. } => &Region::Box,
        ForceFieldOptions {
            radius: Some(_), ..
        } => &Region::Sphere,
        _ => &Region::Everywhere,
    });
    Ok(match region {
        Region::Box => {
            let size = options.size;
            let size = size.ok_or_else(|| wrong("size: a box needs a size, in metres"))?;
            if size.min_element() <= 0.0 {
                return Err(wrong(format!(
                    "size: must be more than 0 along each axis, got {size}"
                )));
            }
            Some(CollisionShape::Box(size / 2.0))
        }
        Region::Sphere => Some(CollisionShape::Sphere(radius)),
        Region::Capsule => Some(CollisionShape::Capsule {
            half_length: (options.height / 2.0 - radius).max(0.0),
            radius,
        }),
        Region::Everywhere => None,
    })
}

fn force_field(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: ForceFieldOptions = args.options(0)?;
    let (push, region) = (push(&options)?, region(&options)?);
    let at = RigidFrame {
        position: options.position,
        rotation: Quat::from_rotation_y(options.yaw.to_radians()),
    };
    let id = with_world(lua, |world| {
        let stage = &mut world.stage;
        if stage.physics.forces.len() >= MAX_FIELDS {
            return Err(wrong(format!(
                "physics.force_field: the limit is {MAX_FIELDS} force fields"
            )));
        }
        let layers = layers(stage, options.layers.as_ref())?;
        let mut force = ForceField::new(region, at, push, layers);
        force.enabled = options.enabled;
        let id = stage.ids.new_id();
        stage.physics.forces.push((id, force));
        Ok(id)
    })?;
    Ok(Value::UserData(lua.create_userdata(ForceFieldRef(id))?))
}

fn with_force<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut ForceField) -> T,
) -> mlua::Result<T> {
    let gone = || wrong("this force field was removed");
    let ForceFieldRef(id) = args.object(0).ok_or_else(gone)?;
    with_world(lua, |world| {
        let mut forces = world.stage.physics.forces.iter_mut();
        let found = forces.find(|(known, _)| *known == id);
        Ok(work(&mut found.ok_or_else(gone)?.1))
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let force: Option<ForceFieldRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(ForceFieldRef(id)) = force {
            world.stage.physics.forces.retain(|(known, _)| *known != id);
        }
        Ok(Value::Nil)
    })
}

fn get_enabled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_force(lua, &args, |force| Value::Boolean(force.enabled))
}

fn set_enabled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let enabled = args.bool(1).unwrap_or(true);
    with_force(lua, &args, |force| {
        force.is_new |= enabled && !force.enabled;
        force.enabled = enabled;
        Value::Nil
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_force(lua, &args, |force| lua_vector(force.frame.position))
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let position = args.vector(1).unwrap_or(Vec3::ZERO);
    with_force(lua, &args, |force| {
        force.is_new |= position != force.frame.position;
        force.frame.position = position;
        if let ForceFieldKind::Attractor { at, .. } = &mut force.kind {
            *at = position;
        }
        Value::Nil
    })
}

/// `physics.force_field`.
pub(super) const FORCE_FIELD: Function = Function {
    name: "force_field",
    params: &[Param {
        name: "options",
        ty: Type::Options(ForceFieldOptions::SHAPE),
        optional: false,
    }],
    returns: "ForceField",
    doc: "Creates a force field: a region, or the whole scene, in which a force acts on dynamic bodies and ragdolls. \
          Set exactly one of the options `force`, `acceleration`, `wind`, `water`, `attractor` and `launch_velocity`. \
          When you create or change the field, it wakes up sleeping bodies.",
    example: "physics.force_field { water = true, position = vec(0, -1, 6), size = vec(8, 2, 8) }\nphysics.force_field { launch_velocity = vec(0, 7, 0), position = vec(3, 0.2, 0), size = vec(1, 0.4, 1) }",
    call: force_field,
};

/// Methods and properties of a force field.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "ForceField",
    doc: "A force field, created by `physics.force_field`.",
    functions: &[Function {
        name: "remove",
        params: &[],
        returns: "",
        doc: "Removes the force field.",
        example: "local breeze = physics.force_field { wind = vec(6, 0, 0) }\nbreeze:remove()",
        call: remove,
    }],
    properties: &[
        Property {
            name: "enabled",
            ty: "boolean",
            doc: "True while the field is active. Set it to switch the field on and off.",
            get: get_enabled,
            set: Some((Type::Bool, set_enabled)),
        },
        Property {
            name: "position",
            ty: "vector",
            doc: "Centre of the region in the world, metres. When you change it, an `attractor` moves by the same \
                  distance.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
    ],
};
