//! Inertialisation: only the new motion plays, and the offset of the old motion decays.
//!
//! At the transition, the offset of the shown pose from the new one and the velocity of that offset are measured.
//! Both then decay on a fifth-order curve (David Bollo, *Inertialization*, GDC 2018). Used by `machine` and
//! `character`. Invariants: at age 0 the pose is the one shown before; from the end on, it is exactly the new one. No
//! pose and no velocity jumps. No NaN. Buffers are reused.

use std::ops::{Add, Mul, Sub};

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Pose;

/// Input of an inertial transition. All poses belong to one model.
#[derive(Clone, Copy, Debug)]
pub struct PoseChange<'a> {
    /// Pose shown at the transition.
    pub before: &'a Pose,
    /// Pose shown `dt` seconds earlier.
    pub before_that: &'a Pose,
    /// New motion at the transition.
    pub target: &'a Pose,
    /// New motion `dt` seconds earlier (its clip sampled earlier). Without it, the new motion counts as stationary,
    /// and its velocity starts with a jump.
    pub target_before: Option<&'a Pose>,
    /// Seconds between the poses of a pair; 0 ignores velocities.
    pub dt: f32,
    /// Seconds until only the new motion plays. Offsets that move fast towards it end sooner; so do offsets that
    /// would swing out far.
    pub duration: f32,
}

/// Decaying offsets of every bone, morph weight and curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inertia {
    bones: Vec<BoneDecay>,
    morphs: Vec<Decay<f32>>,
    curves: Vec<Decay<f32>>,
    /// Duration of the longest decay, seconds.
    seconds: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct BoneDecay {
    translation: Decay<Vec3>,
    /// Rotation vectors (axis times angle) in the parent's space.
    rotation: Decay<Vec3>,
    scale: Decay<Vec3>,
}

/// Extrapolates the pose one step before `at`, from `at` and the pose `next` one step later, at constant velocity.
/// Serves as [`PoseChange::target_before`] for a motion that did not play before. All poses belong to one model.
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

/// Maximum swing of an offset beyond its start: metres or scale factors; radians.
const MAX_SWING: f32 = 0.25;
const MAX_SWING_ANGLE: f32 = 0.5;

impl Inertia {
    /// Starts the offsets of a transition and replaces running ones, which the shown pose already contains.
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
                    MAX_SWING,
                ),
                rotation: pair.decay(
                    turned,
                    nearest_rotation(turned_earlier, turned),
                    MAX_SWING_ANGLE,
                ),
                scale: pair.decay(
                    shown.scale - new.scale,
                    shown_earlier.scale - new_earlier.scale,
                    MAX_SWING,
                ),
            });
        }
        let numbers = |of: fn(&Pose) -> &[f32], out: &mut Vec<Decay<f32>>| {
            out.clear();
            for (i, (shown, new)) in of(before).iter().zip(of(target)).enumerate() {
                let shown_earlier = of(before_that).get(i).unwrap_or(shown);
                let new_earlier = of(target_before).get(i).unwrap_or(new);
                out.push(pair.decay(shown - new, shown_earlier - new_earlier, MAX_SWING));
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

    /// Seconds after the transition at which all offsets have decayed; at most the transition's duration.
    pub fn seconds(&self) -> f32 {
        self.seconds
    }

    /// Adds the offsets that remain `age` seconds after the transition to the pose of the new motion.
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

/// Decay of an offset: `(1 - u)⁴ (start + slope u)` at the fraction `u` of its duration. This is the quintic with the
/// given offset and velocity at 0, and with zero offset, velocity, acceleration and jerk at the end. It changes sign
/// only if it moves towards 0 faster than five times its length per duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Decay<T> {
    start: T,
    slope: T,
    /// 0 if there is nothing to decay.
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

/// Common data of all offsets of a transition.
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
        // Towards the new motion: beyond five lengths at this speed, it would overshoot.
        let towards = -offset.dot(velocity);
        if towards > 0.0 {
            seconds = seconds.min(5.0 * length * (length / towards));
        }
        // Away or sideways: a velocity alone swings out by less than 1/12 of the distance it would cover.
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

/// Values that can decay: vectors and numbers.
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

/// Axis times angle (0..=π) of the rotation from `to` to `from`. Zero if the input is not a rotation.
fn rotation_vector(from: Quat, to: Quat) -> Vec3 {
    let offset = from * to.conjugate();
    let offset = if offset.w < 0.0 { -offset } else { offset };
    let sine = offset.xyz().length();
    if sine == 0.0 || !offset.is_finite() {
        return Vec3::ZERO;
    }
    offset.xyz() * (2.0 * sine.atan2(offset.w) / sine)
}

/// The same rotation as `vector`, as the rotation vector nearest to `to`. Beyond half a revolution, the shorter one
/// has the opposite direction.
fn nearest_rotation(vector: Vec3, to: Vec3) -> Vec3 {
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
