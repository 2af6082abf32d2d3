//! How solid things move: pushes, speed and spin.

use glam::Vec3;
use mlua::{Lua, Value};

use super::character::{find, with_character};
use super::check::{Args, Param, Type, lua_vector};
use super::{Function, Property};
use crate::body::Velocity;
use crate::script::world::with_world;

fn push(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let impulse = args.vector(1).unwrap_or(Vec3::ZERO);
    let at = args.vector(2);
    let handle = args.character()?;
    with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        world.stage.push(handle, impulse, at);
        Ok(Value::Nil)
    })
}

fn get_velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(lua_vector(character.velocity().linear))
    })
}

fn set_velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let linear = args.vector(1).unwrap_or(Vec3::ZERO);
    set_speed(lua, &args, |velocity| velocity.linear = linear)
}

fn get_spin(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(lua_vector(character.velocity().angular * 1f32.to_degrees()))
    })
}

fn set_spin(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let angular = args.vector(1).unwrap_or(Vec3::ZERO) * 1f32.to_radians();
    set_speed(lua, &args, |velocity| velocity.angular = angular)
}

fn set_speed(lua: &Lua, args: &Args, change: impl FnOnce(&mut Velocity)) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        let mut velocity = find(&mut world.stage, handle)?.velocity();
        change(&mut velocity);
        world.stage.set_velocity(handle, velocity);
        Ok(Value::Nil)
    })
}

fn get_asleep(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(character.is_asleep()))
    })
}

pub(super) const PUSH: Function = Function {
    name: "push",
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
    doc: "Pushes something that moves freely: newton seconds, at a place in the world or at its centre of mass.",
    example: "local ball = physics.sphere { at = vector.create(0, 1, 2), mass = 5 }\nball:push(vector.create(0, 20, 0))",
    call: push,
};

pub(super) const VELOCITY: Property = Property {
    name: "velocity",
    ty: "vector",
    doc: "How fast it moves, metres per second; of what walks by a controller, or is solid and falls.",
    get: get_velocity,
    set: Some((Type::Vector, set_velocity)),
};

pub(super) const SPIN: Property = Property {
    name: "spin",
    ty: "vector",
    doc: "How fast it turns about the world's axes, degrees per second; of what is solid and falls.",
    get: get_spin,
    set: Some((Type::Vector, set_spin)),
};

pub(super) const ASLEEP: Property = Property {
    name: "asleep",
    ty: "boolean",
    doc: "True while it lies still and is not computed; what touches it wakes it.",
    get: get_asleep,
    set: None,
};
