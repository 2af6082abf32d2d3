//! Models attached to bones. When released, they keep the velocity of the hand that held them.

use super::{Arena, Characters, Handle};
use galatea_character::{Character, Placement};
use galatea_physics::{RigidFrame, Velocity};

/// Longest movement of an attached model in one tick, metres. A longer one is a teleport and gives no velocity.
const JUMP: f32 = 2.0;

impl Characters {
    /// Releases an attached character. A solid one keeps its orientation, and the linear and angular velocity of the last
    /// tick.
    pub fn detach(&mut self, handle: Handle) {
        let Some(character) = self.get_mut(handle) else {
            return;
        };
        if character.attachment.take().is_none() {
            return;
        }
        // A character that stands by itself stays upright.
        let stands = character.playback.machine.is_some() || character.body.controller.is_some();
        if let Some(solid) = &mut character.body.prop_body {
            solid.is_sleeping = false;
        } else if stands {
            return;
        }
        let at = RigidFrame::of_bone(character.posed.world[0]);
        character.placement = Placement {
            position: at.position,
            ..character.placement.turned(at.rotation)
        };
    }
}

/// Places every attached model at the bone of its holder, holders first.
pub(super) fn place_attachments(characters: &mut Characters) {
    let all = characters.iter();
    let is_held = all.filter(|(_, character)| character.attachment.is_some());
    let mut held: Vec<Handle> = is_held.map(|(handle, _)| handle).collect();
    // Holders are placed before their attached models. The attach function refuses cycles.
    let n_held = held.len();
    held.sort_by_cached_key(|&handle| {
        let above = |handle: &Handle| characters.holder(*handle);
        std::iter::successors(Some(handle), above)
            .take(n_held + 1)
            .count()
    });
    for handle in held {
        place_attached(characters, handle);
    }
}

fn place_attached(characters: &mut Characters, handle: Handle) {
    let Some((attachment, own_scale)) = characters
        .get(handle)
        .and_then(|c| Some((c.attachment?, c.placement.scale)))
    else {
        return;
    };
    let Some(holder) = characters.get(attachment.holder) else {
        return;
    };
    let Some(bone) = holder
        .posed
        .model_from_bone
        .get(usize::from(attachment.bone))
    else {
        return;
    };
    let world = holder.posed.world[0] * *bone * attachment.to_affine(own_scale);
    if let Some(character) = characters.get_mut(handle) {
        character.posed.world[0] = world;
        character.placement = Placement {
            position: world.translation.into(),
            ..character.placement
        };
    }
}

/// Computes the velocities of attached solids from their positions in the last two ticks.
pub(super) fn update_attached_velocities(characters: &mut Arena<Character>, dt: f32) {
    for (_, character) in characters.iter_mut() {
        let Some(solid) = &mut character.body.prop_body else {
            continue;
        };
        let is_held = character.attachment.is_some();
        let was_carried = std::mem::replace(&mut solid.is_attached, is_held);
        if !is_held {
            continue;
        }
        let [now, before] = character.posed.world.map(RigidFrame::of_bone);
        let movement = now.point(solid.centre) - before.point(solid.centre);
        solid.velocity = if !was_carried
            || movement.length() > JUMP
            || !now.is_finite()
            || !before.is_finite()
        {
            Velocity::default()
        } else {
            let rotation = now.rotation * before.rotation.conjugate();
            let rotation = if rotation.w < 0.0 {
                -rotation
            } else {
                rotation
            };
            Velocity {
                linear: movement / dt,
                angular: rotation.to_scaled_axis() / dt,
            }
        };
    }
}
