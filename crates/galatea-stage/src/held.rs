//! What is held by bones and let go: it goes on at the speed of the hand that held it.

use super::{Handle, Stage};
use galatea_character::Placement;
use galatea_physics::{Frame, Velocity};

/// Farther than this in one tick, metres, a held thing was put elsewhere and not moved.
const JUMP: f32 = 2.0;

impl Stage {
    /// Lets go of what is held. Something solid stays as it is turned, and has the speed and the spin of
    /// the last tick.
    pub fn detach(&mut self, handle: Handle) {
        let Some(character) = self.characters.get_mut(handle) else {
            return;
        };
        if character.attachment.take().is_none() {
            return;
        }
        if let Some(solid) = &mut character.solid {
            let at = Frame::of_bone(character.world[0]);
            solid.asleep = false;
            character.placement = Placement {
                position: at.position,
                ..character.placement.turned(at.rotation)
            };
        }
    }
}

/// How fast things are that are held, from where the last two ticks had them.
pub(super) fn carry(stage: &mut Stage) {
    let dt = stage.dt as f32;
    for (_, character) in stage.characters.iter_mut() {
        let Some(solid) = &mut character.solid else {
            continue;
        };
        let is_held = character.attachment.is_some();
        let was_carried = std::mem::replace(&mut solid.carried, is_held);
        if !is_held {
            continue;
        }
        let [now, before] = character.world.map(Frame::of_bone);
        let way = now.point(solid.centre) - before.point(solid.centre);
        solid.velocity =
            if !was_carried || way.length() > JUMP || !now.is_finite() || !before.is_finite() {
                Velocity::default()
            } else {
                let turn = now.rotation * before.rotation.conjugate();
                let turn = if turn.w < 0.0 { -turn } else { turn };
                Velocity {
                    linear: way / dt,
                    angular: turn.to_scaled_axis() / dt,
                }
            };
    }
}
