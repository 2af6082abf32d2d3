//! Aim constraint: rotates a bone's forward line towards a target, and spreads an aim over several bones.

use std::f32::consts::{FRAC_PI_2, PI};

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

pub use super::goals::{Aim, AimSolution};
use super::{Posed, simd};

/// Maximum number of bones over which an aim is spread.
const MAX_BONES: usize = 16;
/// Maximum number of passes over the bones.
const PASSES: usize = 4;
/// Error that counts as exact, radians.
const TOLERANCE: f32 = 2e-4;

/// Limits of an aim relative to straight ahead, radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimLimits {
    /// Unit reference direction.
    pub ahead: Vec3,
    /// Half angle of the cone around it, 0..=π.
    pub cone: f32,
    /// Minimum (0 or less) and maximum (0 or more) yaw about up, positive to the left (right-handed).
    pub yaw: [f32; 2],
    /// Minimum and maximum angle above the plane perpendicular to up, -π/2..=π/2.
    pub pitch: [f32; 2],
}

impl AimLimits {
    /// Limits that allow every direction.
    pub fn none(ahead: Vec3) -> Self {
        Self {
            ahead,
            cone: PI,
            yaw: [-PI, PI],
            pitch: [-FRAC_PI_2, FRAC_PI_2],
        }
    }

    /// Nearest allowed direction; both of length 1. It is clamped to the cone first, then to the ranges.
    pub fn clamp(&self, direction: Vec3, up: Vec3) -> Vec3 {
        let up = up.normalize_or(Vec3::Y);
        let ahead = self.ahead.normalize_or(Vec3::Z);
        let Some(level) = ahead.reject_from_normalized(up).try_normalize() else {
            return self.in_cone(direction, ahead, up);
        };
        let left = up.cross(level);
        let centre = ahead.dot(up).clamp(-1.0, 1.0).asin();
        let angles = |v: Vec3| {
            let pitch = v.dot(up).clamp(-1.0, 1.0).asin();
            (v.dot(left).atan2(v.dot(level)), pitch - centre)
        };
        let point = |yaw: f32, pitch: f32| {
            let (sine, cosine) = (pitch + centre).clamp_to(-FRAC_PI_2, FRAC_PI_2).sin_cos();
            (level * yaw.cos() + left * yaw.sin()) * cosine + up * sine
        };
        let held = self.in_cone(direction, ahead, up);
        let (yaw, pitch) = angles(held);
        let range = |[low, high]: [f32; 2]| [low.min(0.0), high.max(0.0)];
        let ([left, right], [down, top]) = (range(self.yaw), range(self.pitch));
        let clamped = (yaw.clamp_to(left, right), pitch.clamp_to(down, top));
        if clamped == (yaw, pitch) {
            return held;
        }
        let (yaw, pitch) = clamped;
        let limit = self.cone.clamp(0.0, PI).cos() - 1e-6;
        if point(yaw, pitch).dot(ahead) >= limit {
            return point(yaw, pitch);
        }
        // The ranges have moved it out of the cone again: bisect towards `ahead`, which both allow.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..24 {
            let fraction = (low + high) / 2.0;
            if point(yaw * fraction, pitch * fraction).dot(ahead) >= limit {
                low = fraction;
            } else {
                high = fraction;
            }
        }
        point(yaw * low, pitch * low)
    }

    fn in_cone(&self, direction: Vec3, ahead: Vec3, up: Vec3) -> Vec3 {
        let cone = self.cone.clamp(0.0, PI);
        if direction.dot(ahead) >= cone.cos() {
            return direction;
        }
        let aside = direction
            .reject_from_normalized(ahead)
            .try_normalize()
            .or_else(|| up.cross(ahead).try_normalize())
            .unwrap_or_else(|| ahead.any_orthonormal_vector());
        ahead * cone.cos() + aside * cone.sin()
    }
}

/// Solves a single aim. Non-finite input, or a line without direction, gives the identity.
pub fn solve_aim(goal: &Aim, limits: Option<&AimLimits>) -> AimSolution {
    let free = simd::aim(goal, PI);
    let Some(limits) = limits else {
        return free;
    };
    let Some(points) = (free.rotation * goal.forward).try_normalize() else {
        return free;
    };
    let held = limits.clamp(points, goal.up);
    if held == points || !held.is_finite() {
        return free;
    }
    let back = simd::aim(
        &Aim {
            forward: points,
            offset: Vec3::ZERO,
            target: goal.pivot + held,
            ..*goal
        },
        PI,
    );
    AimSolution {
        rotation: (back.rotation * free.rotation).normalize(),
        angle: held.angle_between(points),
    }
}

/// Aim line of a chain, in the space of its last bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AimLine {
    /// Start of the line, metres.
    pub offset: Vec3,
    /// Direction of the line.
    pub forward: Vec3,
}

/// Goal of an aim chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimGoal {
    /// Point through which the line shall pass, model space, metres.
    pub target: Vec3,
    /// Up direction, model space.
    pub up: Vec3,
    /// Avoids roll, as [`Aim::keep_up`] does.
    pub keep_up: bool,
    /// Limits of the line's direction, model space.
    pub limits: Option<AimLimits>,
    /// Fraction of the rotations, 0..=1; 0 does not change the pose.
    pub weight: f32,
}

impl Default for AimGoal {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            up: Vec3::Y,
            keep_up: false,
            limits: None,
            weight: 1.0,
        }
    }
}

/// Spreads an aim over bones, parents first, each with a fraction of the rotation. The last bone takes the rest, so that the
/// line of its `sight` passes through the target. Of more than 16 bones only the last 16 are used. Returns the error in
/// radians at weight 1; with weight 0, the current error.
pub fn aim_chain(posed: &mut Posed, bones: &[(u16, f32)], sight: &AimLine, goal: &AimGoal) -> f32 {
    let bones = &bones[bones.len().saturating_sub(MAX_BONES)..];
    let Some((last, _)) = bones.last().copied() else {
        return 0.0;
    };
    if !(goal.target.is_finite() && goal.up.is_finite()) {
        return 0.0;
    }
    if goal.weight.is_nan() || goal.weight <= 0.0 {
        return error_angle(posed, last, sight, goal.target);
    }
    let mut before = [Quat::IDENTITY; MAX_BONES];
    for ((bone, _), before) in bones.iter().zip(&mut before) {
        *before = posed.local(*bone).rotation;
    }
    let mut target = goal.target;
    for _ in 0..PASSES {
        for (i, (bone, _)) in bones.iter().enumerate() {
            let left: f32 = bones[i..]
                .iter()
                .map(|(_, fraction)| fraction.max(0.0))
                .sum();
            let fraction = match left {
                _ if i + 1 == bones.len() => 1.0,
                left if left > 0.0 => bones[i].1.max(0.0) / left,
                _ => 0.0,
            };
            rotate_towards(posed, *bone, last, sight, goal, target, fraction);
        }
        let (eye, forward) = line(posed, last, sight);
        let held = match &goal.limits {
            Some(limits) => limits.clamp(forward, goal.up),
            None => forward,
        };
        if held.abs_diff_eq(forward, TOLERANCE) {
            break;
        }
        // Repeat from the start, towards the nearest allowed direction.
        target = eye + held * eye.distance(goal.target).max(1e-3);
        for ((bone, _), before) in bones.iter().zip(&before) {
            posed.set_rotation(*bone, *before);
        }
    }
    if let Some(limits) = &goal.limits {
        let (eye, forward) = line(posed, last, sight);
        let held = limits.clamp(forward, goal.up);
        if held != forward {
            let pointing = AimLine {
                offset: Vec3::ZERO,
                ..*sight
            };
            let from = posed.position(last);
            let distant = from + held * eye.distance(goal.target).max(1.0);
            rotate_towards(posed, last, last, &pointing, goal, distant, 1.0);
        }
    }
    let missed = error_angle(posed, last, sight, goal.target);
    if goal.weight < 1.0 {
        for ((bone, _), before) in bones.iter().zip(&before) {
            let turned = posed.local(*bone).rotation;
            posed.set_rotation(*bone, before.slerp(turned, goal.weight));
        }
    }
    missed
}

/// Start and direction of a chain's line, model space.
fn line(posed: &Posed, last: u16, sight: &AimLine) -> (Vec3, Vec3) {
    let model = posed.model(last);
    let forward = model.transform_vector3(sight.forward).normalize_or_zero();
    (model.transform_point3(sight.offset), forward)
}

/// Angle between the line and a point, radians.
fn error_angle(posed: &Posed, last: u16, sight: &AimLine, target: Vec3) -> f32 {
    let (eye, forward) = line(posed, last, sight);
    match (target - eye).try_normalize() {
        Some(to) if forward != Vec3::ZERO => 2.0 * (to.distance(forward) / 2.0).min(1.0).asin(),
        _ => 0.0,
    }
}

/// Rotates a bone by a fraction of the rotation that brings the line through a point. It works in the parent's space, where
/// the rotation is rigid and lines stay straight whatever the parents' scales are.
fn rotate_towards(
    posed: &mut Posed,
    bone: u16,
    last: u16,
    sight: &AimLine,
    goal: &AimGoal,
    target: Vec3,
    fraction: f32,
) {
    let inwards = posed.parent_model(bone).inverse();
    let (eye, forward) = line(posed, last, sight);
    let pivot = posed.local(bone).translation;
    let turn = simd::aim(
        &Aim {
            pivot,
            forward: inwards.transform_vector3(forward),
            offset: inwards.transform_point3(eye) - pivot,
            target: inwards.transform_point3(target),
            up: inwards.transform_vector3(goal.up),
            keep_up: goal.keep_up,
        },
        PI,
    );
    let by = if fraction >= 1.0 {
        turn.rotation
    } else {
        Quat::IDENTITY.slerp(turn.rotation, fraction)
    };
    posed.turn(bone, by);
}

#[cfg(test)]
mod tests;
