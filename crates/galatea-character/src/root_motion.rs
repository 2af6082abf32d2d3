//! Applies the root motion of a character, bent by a warp where one is on.

use super::instance::Character;
use super::placement::RootMotion;
use super::warp::{WarpEnd, WarpInput};
use galatea_anim::RootDelta;
use galatea_machine::Clips;

impl Character {
    /// Bends the step that the machine made in a tick of `dt` seconds as the warp asks, and tells when
    /// that ended the warp.
    fn bend(&mut self, own: RootDelta, dt: f64) -> (RootDelta, Option<WarpEnd>) {
        let Some(warp) = &mut self.locomotion.warp else {
            return (own, None);
        };
        let input = WarpInput {
            machine: self
                .playback
                .machine
                .as_ref()
                .map(|(machine, state)| (&**machine, state)),
            clips: Clips {
                set: &self.definition.clips,
                marks: &self.playback.marks,
            },
            placement: self.placement,
        };
        let (step, end) = warp.bend(input, own, dt);
        if end.is_some() {
            self.locomotion.warp = None;
        }
        (step, end)
    }

    /// Takes the step that a machine made in a tick: bent by a warp, told as the last root motion, and
    /// gone, or given to who walks, unless somebody else applies it. Gives back how a warp ended, if it did.
    pub fn take_travel(&mut self, own: RootDelta, dt: f64) -> Option<WarpEnd> {
        let (step, end) = self.bend(own, dt);
        let there = self.placement.stepped(step);
        self.locomotion.root_motion = RootMotion {
            travel: there.position - self.placement.position,
            yaw: there.yaw - self.placement.yaw,
        };
        if !self.locomotion.apply_root_motion {
            return end;
        }
        if let Some(controller) = &mut self.body.controller {
            controller.travel += self.locomotion.root_motion.travel;
            self.placement.yaw = there.yaw;
        } else {
            self.placement = there;
        }
        end
    }
}
