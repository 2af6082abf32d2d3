//! A character's body: position, bones, morph targets, parts and attached objects.

use glam::{EulerRot, Quat, Vec3};
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, bone_index, find, gone, with_character};
use super::check::{Args, Options, Shape, lua_number, lua_vector};
use super::grip::open_from;
use super::group::Function;
use crate::budget::charge;
use crate::leave_states::leave_states;
use crate::task_tree::finish_of;
use crate::world::with_world;
use galatea_character::{Attachment, EndReason};
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_physics::{CollisionShape, FARTHEST, PlacedShape};
use galatea_stage::Handle;

/// Cost of a triangle that the physics engine scales, in steps of the script's budget.
const SCALED_STEPS: u64 = 5;

pub(super) fn bone_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    with_character(lua, &args, |_, character| {
        let bone = bone_index(character, &name)?;
        Ok(lua_vector(character.posed.bone_position(bone)))
    })
}

pub(super) fn morph(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let weight = args.number(2).map(|weight| weight as f32);
    with_character(lua, &args, |_, character| {
        let indices = character.definition.morph_indices(&name);
        if indices.is_empty() {
            let names = character.definition.morph_names();
            let hint = nearest_hint(&name, names.into_iter());
            let model = &character.definition.model.name;
            return Err(mlua::Error::runtime(format!(
                "the model {model:?} has no morph target {name:?}{hint}"
            )));
        }
        character
            .posed
            .morph_overrides
            .retain(|(i, _)| !indices.contains(i));
        if let Some(weight) = weight {
            character
                .posed
                .morph_overrides
                .extend(indices.into_iter().map(|i| (i, weight)));
        }
        Ok(Value::Nil)
    })
}

/// Pose of an attached character in the space of a bone.
#[derive(Options)]
struct AttachOptions {
    /// Position of the attached character in the bone's space.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    offset: Vec3,
    /// Rotation about the bone's y axis, applied last.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
    /// Rotation about the bone's x axis, applied second.
    #[option(default = 0.0, unit = "degrees")]
    pitch: f32,
    /// Rotation about the bone's z axis, applied first.
    #[option(default = 0.0, unit = "degrees")]
    roll: f32,
    /// Factor on the scale of the attached character.
    #[option(default = 1.0, range = MIN_SCALE..=1.0 / MIN_SCALE)]
    scale: f32,
}

pub(super) const ATTACH_SHAPE: &Shape = AttachOptions::SHAPE;

pub(super) fn attach(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let holder = args.character()?;
    let held: CharacterRef = args.object(1).ok_or_else(gone)?;
    let name = args.text(2).unwrap_or_default();
    let options: AttachOptions = args.options(3)?;
    with_world(lua, |world| {
        let mut above = Some(holder);
        while let Some(handle) = above {
            if handle == held.0 {
                let stage = &mut world.stage;
                let thing = find(stage, held.0)?.shown_name().to_owned();
                let by = find(stage, holder)?.shown_name();
                return Err(mlua::Error::runtime(if holder == held.0 {
                    format!("attach: {thing} cannot be attached to itself")
                } else {
                    format!(
                        "attach: {by} is attached to {thing}, so {thing} cannot be attached to {by}"
                    )
                }));
            }
            above = world.stage.characters.holder(handle);
        }
        let bone = bone_index(find(&mut world.stage, holder)?, &name)?;
        let angles = [options.yaw, options.pitch, options.roll];
        let [yaw, pitch, roll] = angles.map(f32::to_radians);
        find(&mut world.stage, held.0)?;
        open_from(&mut world.stage, held.0);
        let thing = find(&mut world.stage, held.0)?;
        if let Some(solid) = &mut thing.body.prop_body {
            solid.is_attached = false;
        }
        thing.attachment = Some(Attachment {
            holder,
            bone,
            offset: options.offset,
            rotation: Quat::from_euler(EulerRot::YXZ, yaw, pitch, roll),
            scale: options.scale,
        });
        Ok(Value::Nil)
    })
}

pub(super) fn detach(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        find(&mut world.stage, handle)?;
        open_from(&mut world.stage, handle);
        world.stage.characters.detach(handle);
        Ok(Value::Nil)
    })
}

pub(super) fn show_part(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let visible = args.bool(2).unwrap_or(true);
    with_character(lua, &args, |_, character| {
        let parts = &character.definition.model.parts;
        let mut found = false;
        for (i, _) in parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.name == name)
        {
            found = true;
            let bit = 1 << (i % 64);
            if visible {
                character.appearance.hidden_parts[i / 64] &= !bit;
            } else {
                character.appearance.hidden_parts[i / 64] |= bit;
            }
        }
        if !found {
            let hint = nearest_hint(&name, parts.iter().map(|part| part.name.as_str()));
            let model = &character.definition.model.name;
            return Err(mlua::Error::runtime(format!(
                "{model} has no part {name:?}{hint}"
            )));
        }
        Ok(Value::Nil)
    })
}

pub(super) fn clips(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let names = with_character(lua, &args, |_, character| {
        let clips = &character.definition.clips;
        Ok(clips
            .iter()
            .map(|clip| (clip.name.clone(), clip.duration))
            .collect::<Vec<_>>())
    })?;
    let table = lua.create_table()?;
    for (name, duration) in names {
        table.raw_set(name, duration)?;
    }
    Ok(Value::Table(table))
}

fn rest_bounds(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let [low, high] = with_character(lua, &args, |_, character| Ok(character.definition.rest_box))?;
    let table = lua.create_table()?;
    table.raw_set("min", lua_vector(low))?;
    table.raw_set("max", lua_vector(high))?;
    Ok(Value::Table(table))
}

/// `hero:rest_bounds()`.
pub(super) const REST_BOUNDS: Function = Function {
    name: "rest_bounds",
    params: &[],
    returns: "{ min: vector, max: vector }",
    doc: "Returns the lowest and highest corner of the box around the model in its rest pose, in model space, metres.",
    example: "local tall = hero:rest_bounds().max.y",
    call: rest_bounds,
};

pub(super) fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| find(&mut world.stage, handle).map(|_| ()))?;
    take_off(lua, handle)?;
    Ok(Value::Nil)
}

/// Removes a character from the stage, with its tasks, listeners and other data of the script.
pub(crate) fn take_off(lua: &Lua, handle: Handle) -> mlua::Result<()> {
    // The `on_end` functions of tasks can still access the character.
    leave_states(lua, handle)?;
    finish_of(lua, handle)?;
    with_world(lua, |world| {
        world.stage.characters.take_off(handle);
        let program = &mut world.program;
        program.machines.params.remove(&handle);
        program.handles.remove(handle);
        program.hit_callbacks.functions.remove(&handle);
        let done = program.listeners.take_off(handle).into_iter();
        let done = done.map(|done| (done, EndReason::Stopped.word()));
        program.calls.done.extend(done);
        Ok(())
    })
}

pub(super) fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, c| Ok(lua_vector(c.placement.position)))
}

pub(super) fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let to = args.vector(1).unwrap_or(Vec3::ZERO);
    if to.abs().max_element() > FARTHEST {
        return Err(mlua::Error::runtime(format!(
            "position: must be within {FARTHEST} m of the origin along each axis, got {to}"
        )));
    }
    with_character(lua, &args, |_, character| {
        character.placement.position = to;
        Ok(Value::Nil)
    })
}

pub(super) fn get_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, c| Ok(lua_number(c.placement.yaw)))
}

pub(super) fn set_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let yaw = args.number(1).unwrap_or(0.0) as f32;
    with_character(lua, &args, |_, character| {
        character.placement.yaw = yaw;
        Ok(Value::Nil)
    })
}

/// Minimum scale. With smaller scales rotations of bones lose their precision.
pub(super) const MIN_SCALE: f64 = 1e-3;

/// Checks a scale.
///
/// # Errors
/// Returns an error if the scale is not between `MIN_SCALE` and its reciprocal, and so also if it is zero or negative.
pub(super) fn scale(scale: f64) -> mlua::Result<f32> {
    if (MIN_SCALE..=1.0 / MIN_SCALE).contains(&scale) {
        Ok(scale as f32)
    } else {
        Err(mlua::Error::runtime(format!(
            "scale must be {MIN_SCALE} to {}, got {scale}",
            1.0 / MIN_SCALE
        )))
    }
}

/// Number of triangles that the physics engine scales with a character.
fn n_triangles(pieces: &[PlacedShape]) -> usize {
    let of_meshes = pieces.iter().map(|piece| match &piece.shape {
        CollisionShape::Mesh { triangles, .. } => triangles.len(),
        _ => 0,
    });
    of_meshes.sum()
}

pub(super) fn get_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, c| Ok(lua_number(c.placement.scale)))
}

pub(super) fn set_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let scale = scale(args.number(1).unwrap_or(1.0))?;
    let n_triangles = with_character(lua, &args, |_, character| {
        character.placement.scale = scale;
        let solid = character.body.prop_body.as_deref();
        Ok(solid.map_or(0, |solid| n_triangles(&solid.options.pieces)))
    })?;
    charge(lua, SCALED_STEPS * n_triangles as u64)?;
    Ok(Value::Nil)
}
