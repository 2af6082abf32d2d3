//! Turns a standing character in place.

use super::instance::Character;
use super::placement::RootMotion;
use super::turns::{TurnInput, TurnPlayer};

/// Maximum horizontal speed of a standing character, metres per second.
const MAX_STANDING_SPEED: f32 = 0.15;

impl Character {
    /// Returns the remaining angle of the current turn about +Y, radians; `None` while it is not turning.
    pub fn turn_to_go(&self) -> Option<f32> {
        let turns = self.locomotion.turning_in_place.as_ref()?;
        turns.to_go(self.placement.yaw.to_radians(), self.modifiers.target_yaw())
    }

    /// Advances the turn by `dt` seconds. `id` is the id for a clip that the turn may start.
    pub fn advance_turn(&mut self, id: u64, dt: f32) {
        if self.locomotion.turning_in_place.is_none() {
            return;
        }
        let input = TurnInput {
            yaw: self.placement.yaw.to_radians(),
            is_standing: self.stands_still(),
            out_of_sight: self
                .modifiers
                .gazes()
                .any(|gaze| gaze.required_turn().is_some()),
            target_yaw: self.modifiers.target_yaw(),
        };
        let player = TurnPlayer {
            clips: &self.definition.clips,
            machine: self
                .playback
                .machine
                .as_ref()
                .map(|(machine, state)| (&**machine, state)),
            actions: &mut self.playback.actions,
        };
        if let Some(turns) = &mut self.locomotion.turning_in_place {
            let by = turns.advance(&input, player, id, dt);
            self.placement.yaw += by.to_degrees();
        }
    }

    /// Returns true if the character stands freely: not down, sitting, attached, driven by its controller, jumping, or moved
    /// by root motion.
    pub(super) fn stands_still(&self) -> bool {
        let is_down = self
            .body
            .limbs
            .as_ref()
            .is_some_and(|limbs| limbs.is_down());
        let sits = self.modifiers.sits();
        if is_down || sits || self.body.rising.is_some() || self.attachment.is_some() {
            return false;
        }
        let RootMotion {
            translation: travel,
            yaw,
        } = self.locomotion.root_motion;
        if travel.length() > 1e-3 || yaw.abs() > 0.05 {
            return false;
        }
        self.body.controller.as_ref().is_none_or(|controller| {
            let floats = controller.options.gravity <= 0.0;
            let is_slow = controller.velocity.with_y(0.0).length() < MAX_STANDING_SPEED;
            let is_driven =
                controller.desired_velocity.length() > 0.01 || controller.jump.is_some();
            is_slow && !is_driven && (floats || controller.is_grounded())
        })
    }
}
