//! Rotation and visibility of characters, and transforms of their bones in world space.

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, Value};

use super::character_ref::{bone_index, with_character};
use super::check::{Args, Param, Type, lua_vector};
use super::group::{Function, Property};

/// Angles (pitch, yaw, roll) of a rotation, degrees.
fn angles(rotation: Quat) -> Vec3 {
    let (yaw, pitch, roll) = rotation.to_euler(EulerRot::YXZ);
    Vec3::new(pitch, yaw, roll).map(f32::to_degrees)
}

fn get_rotation(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        let rotation = match character.attachment {
            Some(_) => character.posed.world[0].to_scale_rotation_translation().1,
            None => character.placement.rotation(),
        };
        Ok(lua_vector(angles(rotation)))
    })
}

fn set_rotation(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let given = args.vector(1).unwrap_or(Vec3::ZERO);
    with_character(lua, &args, |_, character| {
        let (pitch, roll) = (given.x.to_radians(), given.z.to_radians());
        character.placement.yaw = given.y;
        character.placement.tilt = Quat::from_euler(EulerRot::YXZ, 0.0, pitch, roll);
        Ok(Value::Nil)
    })
}

fn get_visible(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(!character.appearance.is_hidden))
    })
}

fn set_visible(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let visible = args.bool(1).unwrap_or(true);
    with_character(lua, &args, |_, character| {
        character.appearance.is_hidden = !visible;
        Ok(Value::Nil)
    })
}

fn bone_transform(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let (position, rotation) = with_character(lua, &args, |_, character| {
        let bone = bone_index(character, &name)?;
        Ok((
            character.posed.bone_position(bone),
            character.posed.bone_rotation(bone),
        ))
    })?;
    let table = lua.create_table()?;
    table.raw_set("position", lua_vector(position))?;
    table.raw_set("rotation", lua_vector(angles(rotation)))?;
    table.raw_set("right", lua_vector(rotation * Vec3::NEG_X))?;
    table.raw_set("up", lua_vector(rotation * Vec3::Y))?;
    table.raw_set("forward", lua_vector(rotation * Vec3::Z))?;
    Ok(Value::Table(table))
}

/// `hero.rotation`.
pub(super) const ROTATION: Property = Property {
    name: "rotation",
    ty: "vector",
    doc: "Rotation in the world, degrees: x is the pitch, y the yaw, z the roll. Roll is applied first, then pitch, then \
          yaw. For characters that stand upright, `yaw` is enough. While the character is attached to a bone, setting the \
          rotation has no effect.",
    get: get_rotation,
    set: Some((Type::Vector, set_rotation)),
};

/// `hero.visible`.
pub(super) const VISIBLE: Property = Property {
    name: "visible",
    ty: "boolean",
    doc: "False hides the character with everything attached to it, its hair and its shadow. It still moves, collides \
          and emits events.",
    get: get_visible,
    set: Some((Type::Bool, set_visible)),
};

/// `hero:bone_transform(name)`.
pub(super) const BONE_TRANSFORM: Function = Function {
    name: "bone_transform",
    params: &[Param {
        name: "name",
        ty: Type::Text,
        optional: false,
    }],
    returns: "{ position: vector, rotation: vector, right: vector, up: vector, forward: vector }",
    doc: "Returns the transform of a bone in the world: its position in metres, its rotation in degrees (x is the pitch, y \
          the yaw, z the roll), and the directions of its axes. `forward` is its +Z, `up` its +Y, `right` its -X.",
    example: "local hand = hero:bone_transform(\"right_hand\")\nprint(hand.position, hand.forward)",
    call: bone_transform,
};
