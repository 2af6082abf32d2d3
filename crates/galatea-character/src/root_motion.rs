//! Applies the root motion of a character, bent by a warp where one is on.

use super::definition::Definition;
use super::locomotion::Locomotion;
use super::placement::{Placement, RootMotion};
use super::playback::Playback;
use super::warp::{WarpEnd, WarpInput};
use galatea_anim::RootDelta;
use galatea_physics::Controller;

/// The parts of a character that its root motion reads and moves.
pub struct RootMotionTarget<'a> {
    /// The definition of the character.
    pub definition: &'a Definition,
    /// Its machine, which a warp plays ahead.
    pub playback: &'a Playback,
    /// Moved by the step, unless it has a controller.
    pub placement: &'a mut Placement,
    /// Takes the travel of the step.
    pub controller: Option<&'a mut Controller>,
}

impl Locomotion {
    /// Bends the step that the machine made in a tick of `dt` seconds as the warp asks, and returns how
    /// that ended the warp, if it did.
    fn bend(
        &mut self,
        mover: &RootMotionTarget<'_>,
        own: RootDelta,
        dt: f64,
    ) -> (RootDelta, Option<WarpEnd>) {
        let Some(warp) = &mut self.warp else {
            return (own, None);
        };
        let input = WarpInput {
            machine: mover.playback.machine(),
            clips: mover.playback.clips(mover.definition),
            placement: *mover.placement,
        };
        let (step, end) = warp.bend(input, own, dt);
        if end.is_some() {
            self.warp = None;
        }
        (step, end)
    }

    /// Takes the step `own` that a machine made in a tick of `dt` seconds: bends it by the warp, keeps it as the
    /// last root motion, and applies it if [`Locomotion::apply_root_motion`] is set. Returns how the warp ended, if
    /// it did.
    pub fn take_travel(
        &mut self,
        mover: RootMotionTarget<'_>,
        own: RootDelta,
        dt: f64,
    ) -> Option<WarpEnd> {
        let (step, end) = self.bend(&mover, own, dt);
        let placement = mover.placement;
        let there = placement.stepped(step);
        self.root_motion = RootMotion {
            travel: there.position - placement.position,
            yaw: there.yaw - placement.yaw,
        };
        if !self.apply_root_motion {
            return end;
        }
        if let Some(controller) = mover.controller {
            controller.travel += self.root_motion.travel;
            placement.yaw = there.yaw;
        } else {
            *placement = there;
        }
        end
    }
}
