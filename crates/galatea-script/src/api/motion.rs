//! Motion of rigid bodies: impulses, velocity and angular velocity.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character_ref::{find, with_character};
use super::check::{Args, Param, Type, lua_vector};
use super::group::{Function, Property};
use crate::world::with_world;
use galatea_character::Character;
use galatea_physics::{BodyType, NodeBody, PropBody, Velocity};

/// Options that give a prop a dynamic body.
const FREE: &str = "thing:collider { mass = 5 }, or set body_type = \"dynamic\"";

/// Returns an error if the prop has no dynamic body.
fn check_free(character: &Character, what: &str, solid: &PropBody) -> mlua::Result<()> {
    let name = character.shown_name();
    let why = match solid.options.body_type {
        BodyType::Dynamic | BodyType::KinematicVelocity => return Ok(()),
        BodyType::Static => format!("{name} is static; make it dynamic: use {FREE}"),
        BodyType::Kinematic => {
            format!("{name} is kinematic; set its position in each tick instead")
        }
    };
    Err(wrong(format!("{what}: {why}")))
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Returns an error for a push that would have no effect.
fn check_push(character: &Character, at: Option<Vec3>) -> mlua::Result<()> {
    let name = character.shown_name();
    match &character.body.prop_body {
        _ if character.body.limbs.is_some() => Ok(()),
        Some(solid) if solid.options.nodes.iter().any(NodeBody::is_free) => match at {
            Some(_) => Ok(()),
            None => check_free(character, "apply_impulse", solid).map_err(|_| {
                wrong(format!(
                    "apply_impulse: several parts of {name} are dynamic; give a position as the second argument"
                ))
            }),
        },
        Some(solid) => check_free(character, "apply_impulse", solid),
        None => Err(wrong(format!(
            "apply_impulse: {name} has no dynamic body; use {FREE}. For a hit, use hero:hit {{ impulse = … }}"
        ))),
    }
}

/// Returns an error for a velocity that would have no effect.
fn check_speed(character: &Character, what: &str, walks: bool) -> mlua::Result<()> {
    let name = character.shown_name();
    match &character.body.prop_body {
        _ if walks && character.body.controller.is_some() => Ok(()),
        Some(solid) => check_free(character, what, solid),
        None if character.body.limbs.is_some() => Err(wrong(format!(
            "{what}: {name} is a ragdoll; use hero:apply_impulse(impulse)"
        ))),
        None if walks => Err(wrong(format!(
            "{what}: {name} has no controller and no dynamic body; use hero:controller {{}}, or {FREE}"
        ))),
        None => Err(wrong(format!(
            "{what}: {name} has no dynamic body; use {FREE}"
        ))),
    }
}

fn apply_impulse(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let impulse = args.vector(1).unwrap_or(Vec3::ZERO);
    let at = args.vector(2);
    let handle = args.character()?;
    with_world(lua, |world| {
        check_push(find(&mut world.stage, handle)?, at)?;
        world.stage.bodies().push(handle, impulse, at);
        Ok(Value::Nil)
    })
}

fn get_velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(lua_vector(character.body.velocity().linear))
    })
}

fn set_velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let linear = args.vector(1).unwrap_or(Vec3::ZERO);
    set_speed(lua, &args, ("velocity", true), |velocity| {
        velocity.linear = linear;
    })
}

fn get_angular_velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(lua_vector(
            character.body.velocity().angular * 1f32.to_degrees(),
        ))
    })
}

fn set_angular_velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let angular = args.vector(1).unwrap_or(Vec3::ZERO) * 1f32.to_radians();
    set_speed(lua, &args, ("angular_velocity", false), |velocity| {
        velocity.angular = angular;
    })
}

/// Sets a linear or angular velocity; `walks` is true if it also applies to characters with a controller.
fn set_speed(
    lua: &Lua,
    args: &Args,
    (what, walks): (&str, bool),
    change: impl FnOnce(&mut Velocity),
) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        check_speed(character, what, walks)?;
        let mut velocity = character.body.velocity();
        change(&mut velocity);
        world.stage.bodies().set_velocity(handle, velocity);
        Ok(Value::Nil)
    })
}

fn get_is_sleeping(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(character.body.is_asleep()))
    })
}

pub(super) const APPLY_IMPULSE: Function = Function {
    name: "apply_impulse",
    params: &[
        Param {
            name: "impulse",
            ty: Type::Vector,
            optional: false,
        },
        Param {
            name: "at",
            ty: Type::Vector,
            optional: true,
        },
    ],
    returns: "",
    doc: "Pushes a dynamic body by an impulse (a sudden push), in newton seconds. The push acts at the world position `at`, \
          by default at the centre of mass. It is an error if the character or prop has no dynamic body.",
    example: "local ball = physics.sphere { position = vec(0, 1, 2), mass = 5 }\nball:apply_impulse(vec(0, 20, 0))",
    call: apply_impulse,
};

pub(super) const VELOCITY: Property = Property {
    name: "velocity",
    ty: "vector",
    doc: "Velocity, metres per second. You can set it for characters with a controller and for dynamic bodies. For others it \
          is read-only.",
    get: get_velocity,
    set: Some((Type::Vector, set_velocity)),
};

pub(super) const ANGULAR_VELOCITY: Property = Property {
    name: "angular_velocity",
    ty: "vector",
    doc: "Angular velocity about the world axes, degrees per second. You can set it for dynamic bodies. For others it is \
          read-only.",
    get: get_angular_velocity,
    set: Some((Type::Vector, set_angular_velocity)),
};

pub(super) const IS_SLEEPING: Property = Property {
    name: "is_sleeping",
    ty: "boolean",
    doc: "True while the rigid body rests and is not simulated. A touch wakes it.",
    get: get_is_sleeping,
    set: None,
};
