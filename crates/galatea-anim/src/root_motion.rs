//! Root motion: how a clip moves its character, taken out of the pose and handed out as steps.
//!
//! Callers: `character` and `stage` (every tick: [`RootTrack::delta`], [`RootTrack::remove_from`]),
//! tools and loaders (extraction). Invariants: everything happens in model space, so parents of the
//! root bone may be turned and scaled; steps over any split of a time add up to the step over the
//! whole, over laps too; nothing allocates after extraction.

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

/// Net travel of a clip that is not in place, as a fraction of the body's height.
const MIN_TRAVEL: f32 = 0.08;
/// Net turn of such a clip, radians (20°).
const MIN_TURN: f32 = 0.35;

/// The way of one clip's root: at even times, where the character's origin has moved to since the
/// clip's start, in model space. Identity at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct RootTrack {
    /// The bone the motion was taken from.
    pub bone: u16,
    /// Seconds.
    duration: f32,
    /// At least one.
    samples: Vec<RootDelta>,
}

impl RootTrack {
    /// A track from samples at even times, the first at 0 and the last at `duration` seconds; an
    /// empty list stays in place.
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

    /// Even motion at `velocity` metres per second: what a clip without a way over the ground needs
    /// (5.55), its velocity taken from the planted feet.
    pub fn even(bone: u16, duration: f32, velocity: Vec3) -> Self {
        let end = RootDelta {
            translation: velocity * duration,
            yaw: 0.0,
        };
        Self::new(bone, duration, vec![RootDelta::IDENTITY, end])
    }

    /// Seconds of the clip.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// The samples at even times, at least one.
    pub fn samples(&self) -> &[RootDelta] {
        &self.samples
    }

    /// How far the character has moved `t` seconds into the clip (clamped to it).
    pub fn at(&self, t: f32) -> RootDelta {
        self.rigid(f64::from(t)).into()
    }

    /// The whole clip's motion: what one lap of a loop adds.
    pub fn lap(&self) -> RootDelta {
        self.at(self.duration)
    }

    /// True if the motion ends elsewhere than it began, which makes the clip count as travelling rather than in
    /// place where no script decides: more than 8 % of the body's `height` (metres) or 20° of turn.
    pub fn travels(&self, height: f32) -> bool {
        let lap = self.lap();
        lap.translation.length() > MIN_TRAVEL * height || lap.yaw.abs() > MIN_TURN
    }

    /// Largest distance over the ground from where the motion begins, metres.
    pub fn reach(&self) -> f32 {
        let far = self
            .samples
            .iter()
            .map(|at| at.translation.with_y(0.0).length());
        far.fold(0.0, f32::max)
    }

    /// True if any sample moves or turns.
    pub fn moves(&self) -> bool {
        let moves = |at: &RootDelta| at.translation.length() > 1e-6 || at.yaw.abs() > 1e-6;
        self.samples.iter().any(moves)
    }

    /// The step from `t0` to `t1` seconds of playing (see [`PlayMode::clip_time`]; any number of laps,
    /// `t1` may be smaller than `t0`), in the frame the character has at `t0`: its new placement is the
    /// old one times this. Loops carry on where the last lap ended; ping-pong walks back.
    ///
    /// Exact over splits: `delta(a, b)` then `delta(b, c)` is `delta(a, c)`. Times that are no numbers
    /// give no motion.
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
        // Laps common to both ends cancel: precision does not fade as time goes on.
        let from = self.rigid(t0 - lap0 * d);
        let to = self.rigid(t1 - lap1 * d);
        let laps = self.rigid(d).power(lap1 - lap0);
        from.inverse().then(laps).then(to).into()
    }

    /// Takes the motion out of a pose sampled at `t` seconds: the root bone is put back to where it
    /// stood at the clip's start. `locals` holds one local transform per bone.
    ///
    /// A root bone under a parent with uneven scale keeps its own turn without the shear that would be
    /// exact.
    pub fn remove_from(&self, skeleton: &Skeleton, locals: &mut [Trs], t: f32) {
        self.move_root(skeleton, locals, self.rigid(f64::from(t)).inverse());
    }

    /// Puts the motion back into a pose that [`RootTrack::remove_from`] was applied to.
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
        let place = by.point(parent.transform_point3(own.translation));
        let turn = parent_turn.inverse() * by.rotation() * parent_turn;
        locals[bone].translation = back.transform_point3(place);
        locals[bone].rotation = (turn * own.rotation).normalize();
    }

    /// Interpolated between the samples, in double precision.
    fn rigid(&self, t: f64) -> Rigid {
        let last = self.samples.len() - 1;
        let d = f64::from(self.duration);
        if last == 0 || d <= 0.0 {
            return Rigid::IDENTITY;
        }
        let place = (t / d).clamp(0.0, 1.0) * last as f64;
        let i = (place as usize).min(last - 1);
        let u = place - i as f64;
        let (a, b) = (&self.samples[i], &self.samples[i + 1]);
        let lerp = |a: f64, b: f64| a + (b - a) * u;
        let (at, to) = (a.translation.as_dvec3(), b.translation.as_dvec3());
        Rigid {
            translation: DVec3::new(lerp(at.x, to.x), lerp(at.y, to.y), lerp(at.z, to.z)),
            yaw: lerp(f64::from(a.yaw), f64::from(b.yaw)),
        }
    }
}

/// Model-from-parent of a bone, and its rotation without scale.
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
