//! Applies the root motion of a character, adjusted by motion warping if active.

use super::definition::Definition;
use super::locomotion::Locomotion;
use super::motion_warp::{MotionWarpEnd, MotionWarpInput};
use super::placement::{Placement, RootMotion};
use super::playback::Playback;
use galatea_anim::RootDelta;
use galatea_physics::Controller;

/// The parts of a character that root motion reads and changes.
pub struct RootMotionTarget<'a> {
    /// The definition of the character.
    pub definition: &'a Definition,
    /// Playback with the machine, which the warp simulates ahead.
    pub playback: &'a Playback,
    /// Placement that the step moves, unless there is a controller.
    pub placement: &'a mut Placement,
    /// Controller that receives the translation of the step.
    pub controller: Option<&'a mut Controller>,
}

impl Locomotion {
    /// Adjusts the machine's step of a tick of `dt` seconds by the warp. Also returns how the warp ended, if it did.
    fn bend(
        &mut self,
        mover: &RootMotionTarget<'_>,
        own: RootDelta,
        dt: f64,
    ) -> (RootDelta, Option<MotionWarpEnd>) {
        let Some(warp) = &mut self.motion_warp else {
            return (own, None);
        };
        let input = MotionWarpInput {
            machine: mover.playback.machine(),
            clips: mover.playback.clips(mover.definition),
            placement: *mover.placement,
        };
        let (step, end) = warp.bend(input, own, dt);
        if end.is_some() {
            self.motion_warp = None;
        }
        (step, end)
    }

    /// Processes the step `own` that the machine made in a tick of `dt` seconds: adjusts it by the warp, stores it as the
    /// last root motion, and applies it if [`Locomotion::apply_root_motion`] is set. Returns how the warp ended, if it did.
    pub fn take_travel(
        &mut self,
        mover: RootMotionTarget<'_>,
        own: RootDelta,
        dt: f64,
    ) -> Option<MotionWarpEnd> {
        let (step, end) = self.bend(&mover, own, dt);
        let placement = mover.placement;
        let moved = placement.stepped(step);
        self.root_motion = RootMotion {
            translation: moved.position - placement.position,
            yaw: moved.yaw - placement.yaw,
        };
        if !self.apply_root_motion {
            return end;
        }
        if let Some(controller) = mover.controller {
            controller.root_translation += self.root_motion.translation;
            placement.yaw = moved.yaw;
        } else {
            *placement = moved;
        }
        end
    }
}
