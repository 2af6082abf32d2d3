//! Effects of `task:use` on props: swinging about a hinge, and staying in a hand.

use glam::{Affine3A, Quat, Vec3};
use mlua::{Lua, Table, Value};

use super::character_ref::{CharacterRef, bone_index, find};
use super::check::object;
use super::facing::turn_to;
use super::grip::{holds, open_from};
use super::ladder::hang;
use super::using::emit_use;
use crate::world::with_world;
use galatea_character::Attachment;
use galatea_math::Trs;

/// Functions for the runtime's own part of tasks, which scripts do not see.
///
/// # Errors
/// Fails if the VM is out of memory.
pub(super) fn natives(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("tell_use", lua.create_function(emit_use)?)?;
    table.raw_set("turn_to", lua.create_function(turn_to)?)?;
    table.raw_set("swing", lua.create_function(swing)?)?;
    table.raw_set("swung", lua.create_function(swung)?)?;
    table.raw_set("hang", lua.create_function(hang)?)?;
    table.raw_set("take", lua.create_function(take)?)?;
    Ok(table)
}

/// Angle from its original position within which a lever counts as returned, degrees.
const BACK: f32 = 1e-4;

/// Angle of a lever of a prop from its original position, degrees.
fn swung(lua: &Lua, (thing, lever): (Value, String)) -> mlua::Result<f32> {
    let Some(CharacterRef(thing)) = object(&thing) else {
        return Ok(0.0);
    };
    with_world(lua, |world| {
        let thing = world.stage.characters.get(thing);
        let mut all = thing
            .into_iter()
            .flat_map(|thing| &thing.interactions.swung);
        let known = all.find(|(name, _)| *name == lever);
        Ok(known.map_or(0.0, |(_, degrees)| *degrees))
    })
}

/// Rotates a prop by `degrees` about an axis through a pivot, both in the prop's own space, and adds the angle to a
/// lever.
fn swing(
    lua: &Lua,
    (thing, lever, pivot, axis, degrees): (Value, String, mlua::Vector, mlua::Vector, f32),
) -> mlua::Result<()> {
    let Some(CharacterRef(thing)) = object(&thing) else {
        return Ok(());
    };
    let vector = |v: mlua::Vector| Vec3::new(v.x(), v.y(), v.z());
    let Some(axis) = vector(axis).try_normalize() else {
        return Ok(());
    };
    with_world(lua, |world| {
        if let Some(thing) = world.stage.characters.get_mut(thing) {
            let placement = thing.placement;
            let turn = Quat::from_axis_angle(axis, degrees.to_radians());
            let at = placement.to_affine().transform_point3(vector(pivot));
            let rotation = placement.rotation();
            let by = rotation * turn * rotation.conjugate();
            let mut turned = placement.turned((by * rotation).normalize());
            turned.position = at + by * (placement.position - at);
            thing.placement = turned;
            let known = thing
                .interactions
                .swung
                .iter()
                .position(|(name, _)| *name == lever);
            let before = known.map_or(0.0, |at| thing.interactions.swung.swap_remove(at).1);
            let now = before + degrees;
            if now.abs() > BACK {
                thing.interactions.swung.push((lever, now));
            }
        }
        Ok(())
    })
}

/// Attaches a prop to a hand, with its current position relative to the hand.
fn take(lua: &Lua, (who, thing, hand): (Value, Value, String)) -> mlua::Result<()> {
    let (Some(CharacterRef(who)), Some(CharacterRef(held))) = (object(&who), object(&thing)) else {
        return Ok(());
    };
    with_world(lua, |world| {
        let own = find(&mut world.stage, who)?;
        let bone = bone_index(own, &hand)?;
        let in_model = own.posed.model_from_bone.get(usize::from(bone)).copied();
        let bone_in_world = own.posed.world[0] * in_model.unwrap_or(Affine3A::IDENTITY);
        find(&mut world.stage, held)?;
        open_from(&mut world.stage, held);
        let thing = find(&mut world.stage, held)?;
        let scale = thing.placement.scale;
        let place = Trs::nearest(bone_in_world.inverse() * thing.posed.world[0]);
        if let Some(solid) = &mut thing.body.prop_body {
            solid.is_attached = false;
        }
        if scale.abs() > 0.0 && place.is_finite() {
            thing.attachment = Some(Attachment {
                holder: who,
                bone,
                offset: place.translation,
                rotation: place.rotation,
                scale: place.scale.y / scale,
            });
            holds(&mut world.stage, who, &hand, held);
        }
        Ok(())
    })
}
