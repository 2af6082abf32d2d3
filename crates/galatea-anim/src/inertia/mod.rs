//! Inertial transitions: only the new motion plays, and what the old one was doing dies away.
//!
//! At the change, the offset of the pose shown from the new one and the speed of that offset are taken;
//! both then decay by a fifth-order curve (David Bollo, *Inertialization*, GDC 2018). Callers: `machine`,
//! `character`. Invariants: at age 0 the pose is the one shown before, from the end on it is exactly the
//! new one; no pose and no velocity jumps; never NaN; memory is reused.

use std::ops::{Add, Mul, Sub};

use glam::{Quat, Vec3};

use super::Pose;

/// What is known at the moment of the change. All poses are of one model.
#[derive(Clone, Copy, Debug)]
pub struct PoseChange<'a> {
    /// The pose shown at the moment of the change.
    pub before: &'a Pose,
    /// The pose shown `dt` seconds before that.
    pub before_that: &'a Pose,
    /// The new motion at the moment of the change.
    pub target: &'a Pose,
    /// The new motion `dt` seconds before that (its clip sampled earlier). Without it the new motion
    /// counts as standing still, and its own speed comes in with a jump.
    pub target_before: Option<&'a Pose>,
    /// Seconds between the poses of a pair; 0 takes no speeds into account.
    pub dt: f32,
    /// Seconds until the new motion plays alone. Offsets that run towards it at speed end sooner, those
    /// that would swing far out too.
    pub duration: f32,
}

/// Offsets of every bone, morph weight and curve, dying away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inertia {
    bones: Vec<BoneDecay>,
    morphs: Vec<Decay<f32>>,
    curves: Vec<Decay<f32>>,
    /// Seconds of the longest decay.
    seconds: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct BoneDecay {
    translation: Decay<Vec3>,
    /// Rotation vectors (axis times angle) in the parent's space.
    rotation: Decay<Vec3>,
    scale: Decay<Vec3>,
}

/// The pose one step before `at` of a motion that is at `next` one step after it, as if it went on
/// evenly: for [`PoseChange::target_before`] of a motion that was not played before. Poses are of one model.
pub fn extrapolate_back(at: &Pose, next: &Pose, out: &mut Pose) {
    out.copy_from(at);
    for (out, next) in out.locals.iter_mut().zip(&next.locals) {
        out.translation += out.translation - next.translation;
        out.rotation = (out.rotation * next.rotation.inverse() * out.rotation).normalize();
        out.scale += out.scale - next.scale;
    }
    let morphs = out.morphs.iter_mut().zip(&next.morphs);
    let curves = out.curves.iter_mut().zip(&next.curves);
    for (out, next) in morphs.chain(curves) {
        *out += *out - next;
    }
}

/// Farther than their offset plus this, offsets never swing out: metres or factors; radians.
const SWING: f32 = 0.25;
const SWING_ANGLE: f32 = 0.5;

impl Inertia {
    /// Takes the offsets of a change, in place of those still running: what was shown carries them.
    pub fn start(&mut self, change: &PoseChange<'_>) {
        let PoseChange {
            before,
            before_that,
            target,
            target_before,
            dt,
            duration,
        } = *change;
        let pair = OffsetPair {
            per_second: if dt > 0.0 && dt.is_finite() {
                dt.recip()
            } else {
                0.0
            },
            duration: if duration.is_finite() {
                duration.max(0.0)
            } else {
                0.0
            },
        };
        let target_before = target_before.unwrap_or(target);
        self.bones.clear();
        for (i, (shown, new)) in before.locals.iter().zip(&target.locals).enumerate() {
            let shown_earlier = before_that.locals.get(i).unwrap_or(shown);
            let new_earlier = target_before.locals.get(i).unwrap_or(new);
            let turned = rotation_vector(shown.rotation, new.rotation);
            let turned_earlier = rotation_vector(shown_earlier.rotation, new_earlier.rotation);
            self.bones.push(BoneDecay {
                translation: pair.decay(
                    shown.translation - new.translation,
                    shown_earlier.translation - new_earlier.translation,
                    SWING,
                ),
                rotation: pair.decay(turned, nearest_turn(turned_earlier, turned), SWING_ANGLE),
                scale: pair.decay(
                    shown.scale - new.scale,
                    shown_earlier.scale - new_earlier.scale,
                    SWING,
                ),
            });
        }
        let numbers = |of: fn(&Pose) -> &[f32], out: &mut Vec<Decay<f32>>| {
            out.clear();
            for (i, (shown, new)) in of(before).iter().zip(of(target)).enumerate() {
                let shown_earlier = of(before_that).get(i).unwrap_or(shown);
                let new_earlier = of(target_before).get(i).unwrap_or(new);
                out.push(pair.decay(shown - new, shown_earlier - new_earlier, SWING));
            }
        };
        numbers(|pose| &pose.morphs, &mut self.morphs);
        numbers(|pose| &pose.curves, &mut self.curves);
        let bones = self
            .bones
            .iter()
            .flat_map(|b| [b.translation.seconds, b.rotation.seconds, b.scale.seconds]);
        let numbers = self.morphs.iter().chain(&self.curves);
        let numbers = numbers.map(|decay| decay.seconds);
        self.seconds = bones.chain(numbers).fold(0.0, f32::max);
    }

    /// Drops all offsets.
    pub fn stop(&mut self) {
        self.bones.clear();
        self.morphs.clear();
        self.curves.clear();
        self.seconds = 0.0;
    }

    /// Seconds after the change from which nothing is left; never above the change's duration.
    pub fn seconds(&self) -> f32 {
        self.seconds
    }

    /// Lays what is left `age` seconds after the change on the new motion's pose of that time.
    pub fn apply(&self, age: f32, pose: &mut Pose) {
        if age >= self.seconds {
            return;
        }
        for (bone, local) in self.bones.iter().zip(&mut pose.locals) {
            if let Some(offset) = bone.translation.at(age) {
                local.translation += offset;
            }
            if let Some(offset) = bone.rotation.at(age) {
                local.rotation = (Quat::from_scaled_axis(offset) * local.rotation).normalize();
            }
            if let Some(offset) = bone.scale.at(age) {
                local.scale += offset;
            }
        }
        let morphs = self.morphs.iter().zip(&mut pose.morphs);
        let curves = self.curves.iter().zip(&mut pose.curves);
        for (decay, value) in morphs.chain(curves) {
            if let Some(offset) = decay.at(age) {
                *value += offset;
            }
        }
    }
}

/// An offset that dies away: `(1 - u)⁴ (start + slope u)` at the share `u` of its time. That is the
/// quintic with offset and velocity as given at 0, and with offset, velocity, acceleration and jerk
/// nought at the end; it changes sign only if it runs towards 0 faster than five lengths in its time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Decay<T> {
    start: T,
    slope: T,
    /// 0 where there is nothing to decay.
    seconds: f32,
}

impl<T: Offset> Decay<T> {
    #[inline]
    fn at(&self, age: f32) -> Option<T> {
        if age >= self.seconds {
            return None;
        }
        let u = (age / self.seconds).max(0.0);
        let rest = (1.0 - u) * (1.0 - u);
        Some((self.start + self.slope * u) * (rest * rest))
    }
}

/// What the offsets of one change have in common.
#[derive(Clone, Copy)]
struct OffsetPair {
    per_second: f32,
    duration: f32,
}

impl OffsetPair {
    fn decay<T: Offset>(self, offset: T, earlier: T, swing: f32) -> Decay<T> {
        let velocity = (offset - earlier) * self.per_second;
        let (length, speed) = (offset.length(), velocity.length());
        if !(length.is_finite() && speed.is_finite()) || (length == 0.0 && speed == 0.0) {
            return Decay::default();
        }
        let mut seconds = self.duration;
        // Towards the new motion: five lengths at this speed and it would run past it.
        let towards = -offset.dot(velocity);
        if towards > 0.0 {
            seconds = seconds.min(5.0 * length * (length / towards));
        }
        // Away from it or aside: a velocity alone swings out by less than 1/12 of what it would cover.
        if speed > 0.0 {
            seconds = seconds.min(12.0 * (length + swing) / speed);
        }
        if seconds.is_nan() || seconds <= 1e-6 {
            return Decay::default();
        }
        Decay {
            start: offset,
            slope: velocity * seconds + offset * 4.0,
            seconds,
        }
    }
}

/// What decays: vectors and numbers.
trait Offset:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
    fn dot(self, other: Self) -> f32;

    fn length(self) -> f32 {
        self.dot(self).sqrt()
    }
}

impl Offset for Vec3 {
    fn dot(self, other: Self) -> f32 {
        Vec3::dot(self, other)
    }
}

impl Offset for f32 {
    fn dot(self, other: Self) -> f32 {
        self * other
    }
}

/// Axis times angle (0..=π) of the rotation that, after `to`, gives `from`. Zero for what is no rotation.
fn rotation_vector(from: Quat, to: Quat) -> Vec3 {
    let offset = from * to.conjugate();
    let offset = if offset.w < 0.0 { -offset } else { offset };
    let sine = offset.xyz().length();
    if sine == 0.0 || !offset.is_finite() {
        return Vec3::ZERO;
    }
    offset.xyz() * (2.0 * sine.atan2(offset.w) / sine)
}

/// The same rotation as `vector`, written with the turn that is nearest to `to`: beyond half a turn the
/// short way is the other way round.
fn nearest_turn(vector: Vec3, to: Vec3) -> Vec3 {
    let angle = vector.length();
    if angle < 1.0 {
        return vector;
    }
    let other = vector * ((angle - std::f32::consts::TAU) / angle);
    if other.distance_squared(to) < vector.distance_squared(to) {
        other
    } else {
        vector
    }
}

#[cfg(test)]
mod tests;
