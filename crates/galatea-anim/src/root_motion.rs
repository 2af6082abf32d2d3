//! Root motion: the displacement of a clip's character, removed from the pose and provided as steps.
//!
//! Used by `character` and `stage` (every tick: [`RootTrack::delta`], [`RootTrack::remove_from`]) and by tools and
//! loaders (extraction). Invariants: all computations are in model space, so parents of the root bone can be rotated
//! and scaled. Steps over any split of a time add up to the step over the whole, also over several loops. Nothing
//! allocates after extraction.

use serde::{Deserialize, Serialize};

mod delta;
mod extract;
#[cfg(test)]
mod tests;

pub use delta::RootDelta;
pub use extract::{RootOptions, find_moving_root, find_root_bone};
pub(crate) use extract::{twist_y, wrap};

use glam::{Affine3A, DVec3, Quat, Vec3};

use self::delta::Rigid;
use super::{PlayMode, Skeleton};
use galatea_math::Trs;

/// Minimum net travel of a clip that is not in place, as a fraction of the body's height.
const MIN_ROOT_TRAVEL: f32 = 0.08;
/// Minimum net rotation of such a clip, radians (20°).
const MIN_TURN: f32 = 0.35;

/// Root motion of one clip: at uniform times, the displacement of the character's origin since the clip's start, in
/// model space. Identity at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootTrack {
    /// Bone from which the motion was extracted.
    pub bone: u16,
    /// Seconds.
    duration: f32,
    /// At least one.
    samples: Vec<RootDelta>,
}

impl RootTrack {
    /// Creates a track from samples at uniform times, the first at 0 and the last at `duration` seconds. An empty
    /// list stays in place.
    pub fn new(bone: u16, duration: f32, mut samples: Vec<RootDelta>) -> Self {
        if samples.is_empty() {
            samples.push(RootDelta::IDENTITY);
        }
        Self {
            bone,
            duration: if duration > 0.0 { duration } else { 0.0 },
            samples,
        }
    }

    /// Creates motion at a constant velocity in metres per second. It serves in-place clips, with the velocity
    /// measured from the planted feet.
    pub fn even(bone: u16, duration: f32, velocity: Vec3) -> Self {
        let end = RootDelta {
            translation: velocity * duration,
            yaw: 0.0,
        };
        Self::new(bone, duration, vec![RootDelta::IDENTITY, end])
    }

    /// Duration of the clip, seconds.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Samples at uniform times, at least one.
    pub fn samples(&self) -> &[RootDelta] {
        &self.samples
    }

    /// Displacement of the character `t` seconds into the clip (clamped to it).
    pub fn at(&self, t: f32) -> RootDelta {
        self.rigid(f64::from(t)).into()
    }

    /// Motion of the whole clip, which one loop adds.
    pub fn lap(&self) -> RootDelta {
        self.at(self.duration)
    }

    /// Returns true if the motion ends elsewhere than it began. Such a clip counts as travelling rather than in place
    /// unless a script decides: more than 8 % of the body's `height` (metres) or 20° of rotation.
    pub fn has_root_motion(&self, height: f32) -> bool {
        let lap = self.lap();
        lap.translation.length() > MIN_ROOT_TRAVEL * height || lap.yaw.abs() > MIN_TURN
    }

    /// Maximum distance from the start of the motion, metres.
    pub fn reach(&self) -> f32 {
        let far = self
            .samples
            .iter()
            .map(|at| at.translation.with_y(0.0).length());
        far.fold(0.0, f32::max)
    }

    /// Returns true if any sample moves or rotates.
    pub fn moves(&self) -> bool {
        let moves = |at: &RootDelta| at.translation.length() > 1e-6 || at.yaw.abs() > 1e-6;
        self.samples.iter().any(moves)
    }

    /// Returns the step from `t0` to `t1` seconds of playback (see [`PlayMode::clip_time`]; any number of loops, `t1`
    /// can be smaller than `t0`). It is relative to the character's frame at `t0`: the new placement is the old one
    /// times this step. Loops continue where the last one ended; ping-pong walks back.
    ///
    /// Exact over splits: `delta(a, b)` then `delta(b, c)` is `delta(a, c)`. Non-finite times give no motion.
    pub fn delta(&self, t0: f64, t1: f64, mode: PlayMode) -> RootDelta {
        let d = f64::from(self.duration);
        if d <= 0.0 || !t0.is_finite() || !t1.is_finite() {
            return RootDelta::IDENTITY;
        }
        if mode != PlayMode::Loop {
            let [from, to] =
                [t0, t1].map(|t| self.rigid(f64::from(mode.clip_time(t, self.duration))));
            return from.inverse().then(to).into();
        }
        let (lap0, lap1) = ((t0 / d).floor(), (t1 / d).floor());
        // Loops common to both ends cancel out, so precision does not decrease with time.
        let from = self.rigid(t0 - lap0 * d);
        let to = self.rigid(t1 - lap1 * d);
        let laps = self.rigid(d).power(lap1 - lap0);
        from.inverse().then(laps).then(to).into()
    }

    /// Removes the motion from a pose sampled at `t` seconds: the root bone returns to its position at the clip's
    /// start. `locals` holds one local transform per bone.
    ///
    /// A root bone under a parent with uneven scale keeps its own rotation, without the shear of an exact result.
    pub fn remove_from(&self, skeleton: &Skeleton, locals: &mut [Trs], t: f32) {
        self.move_root(skeleton, locals, self.rigid(f64::from(t)).inverse());
    }

    /// Adds the motion to a pose from which [`RootTrack::remove_from`] removed it.
    pub fn add_to(&self, skeleton: &Skeleton, locals: &mut [Trs], t: f32) {
        self.move_root(skeleton, locals, self.rigid(f64::from(t)));
    }

    fn move_root(&self, skeleton: &Skeleton, locals: &mut [Trs], by: Rigid) {
        let bone = usize::from(self.bone);
        let Some(own) = locals.get(bone).copied() else {
            return;
        };
        let (parent, parent_turn) = parent_of(skeleton, locals, bone);
        let back = parent.inverse();
        if !back.is_finite() {
            return;
        }
        let position = by.point(parent.transform_point3(own.translation));
        let turn = parent_turn.inverse() * by.rotation() * parent_turn;
        locals[bone].translation = back.transform_point3(position);
        locals[bone].rotation = (turn * own.rotation).normalize();
    }

    /// Interpolates between the samples in double precision.
    fn rigid(&self, t: f64) -> Rigid {
        let last = self.samples.len() - 1;
        let d = f64::from(self.duration);
        if last == 0 || d <= 0.0 {
            return Rigid::IDENTITY;
        }
        let position = (t / d).clamp(0.0, 1.0) * last as f64;
        let i = (position as usize).min(last - 1);
        let u = position - i as f64;
        let (a, b) = (&self.samples[i], &self.samples[i + 1]);
        let lerp = |a: f64, b: f64| a + (b - a) * u;
        let (at, to) = (a.translation.as_dvec3(), b.translation.as_dvec3());
        Rigid {
            translation: DVec3::new(lerp(at.x, to.x), lerp(at.y, to.y), lerp(at.z, to.z)),
            yaw: lerp(f64::from(a.yaw), f64::from(b.yaw)),
        }
    }
}

/// Model-from-parent matrix of a bone, and its rotation without scale.
fn parent_of(skeleton: &Skeleton, locals: &[Trs], bone: usize) -> (Affine3A, Quat) {
    let mut model = Affine3A::IDENTITY;
    let mut turn = Quat::IDENTITY;
    let bones = skeleton.bones();
    let mut next = bones.get(bone).and_then(|bone| bone.parent);
    while let Some(parent) = next {
        let parent = usize::from(parent);
        let Some(local) = locals.get(parent) else {
            break;
        };
        model = local.to_affine() * model;
        turn = local.rotation * turn;
        next = bones[parent].parent;
    }
    (model, turn)
}
