//! Turns a character on the spot, as long as it stands.

use super::instance::Character;
use super::placement::RootMotion;
use super::turns::{TurnInput, TurnPlayer};

/// Metres per second below which it stands.
const STANDS: f32 = 0.15;

impl Character {
    /// Radians about +Y that it has yet to turn; `None` while it is not turning.
    pub fn turn_to_go(&self) -> Option<f32> {
        let turns = self.locomotion.turns.as_ref()?;
        turns.to_go(self.placement.yaw.to_radians(), self.modifiers.target_yaw())
    }

    /// Turns on by a tick of `dt` seconds. `id` names the clip that this may begin.
    pub fn advance_turn(&mut self, id: u64, dt: f32) {
        if self.locomotion.turns.is_none() {
            return;
        }
        let input = TurnInput {
            yaw: self.placement.yaw.to_radians(),
            stands: self.stands_still(),
            out_of_sight: self
                .modifiers
                .gazes()
                .any(|gaze| gaze.wants_turn().is_some()),
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
        if let Some(turns) = &mut self.locomotion.turns {
            let by = turns.advance(&input, player, id, dt);
            self.placement.yaw += by.to_degrees();
        }
    }

    /// It stands on its own feet and nobody drives it: no seat, no wish, no jump, no way of its clips.
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
        let RootMotion { travel, yaw } = self.locomotion.root_motion;
        if travel.length() > 1e-3 || yaw.abs() > 0.05 {
            return false;
        }
        self.body.controller.as_ref().is_none_or(|controller| {
            let floats = controller.options.gravity <= 0.0;
            let is_slow = controller.velocity.with_y(0.0).length() < STANDS;
            let is_driven = controller.wish.length() > 0.01 || controller.jump.is_some();
            is_slow && !is_driven && (floats || controller.is_grounded())
        })
    }
}
