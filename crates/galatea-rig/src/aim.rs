//! Aiming: a bone's own forward line is turned to a target (IK-05, IK-06, IK-07), and an aim is spread over
//! several bones (IK-14).

use std::f32::consts::{FRAC_PI_2, PI};

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec3};

pub use super::goals::{Aim, AimTurn};
use super::{Posed, simd};

/// Bones over which an aim is spread at most.
const MOST_BONES: usize = 16;
/// Passes over the bones at most.
const PASSES: usize = 4;
/// Radians off which are exact enough.
const EXACT: f32 = 2e-4;

/// How far a line may be turned from straight ahead; radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimLimits {
    /// Unit direction from which it is measured.
    pub ahead: Vec3,
    /// Half the angle of a cone about it, 0..=π (IK-07).
    pub cone: f32,
    /// Least (0 or less) and greatest (0 or more) turn about up, to the left by the right hand (AW-20).
    pub yaw: [f32; 2],
    /// Least and greatest angle above the plane across up, -π/2..=π/2.
    pub pitch: [f32; 2],
}

impl AimLimits {
    /// No limit.
    pub fn none(ahead: Vec3) -> Self {
        Self {
            ahead,
            cone: PI,
            yaw: [-PI, PI],
            pitch: [-FRAC_PI_2, FRAC_PI_2],
        }
    }

    /// The direction nearest to another that is allowed; both of length 1. First it is brought into the cone,
    /// then into the ranges.
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
        // The ranges led out of the cone again: straight back to ahead, which both allow.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..24 {
            let share = (low + high) / 2.0;
            if point(yaw * share, pitch * share).dot(ahead) >= limit {
                low = share;
            } else {
                high = share;
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

/// Solves one aim. What is not finite, and a line without direction, give no turn.
pub fn solve_aim(goal: &Aim, limits: Option<&AimLimits>) -> AimTurn {
    let free = simd::aim(goal, PI);
    let Some(limits) = limits else {
        return free;
    };
    let Some(points) = (free.turn * goal.forward).try_normalize() else {
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
    AimTurn {
        turn: (back.turn * free.turn).normalize(),
        off: held.angle_between(points),
    }
}

/// The line that a chain aims: in the space of its last bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimLine {
    /// Where it begins, metres.
    pub offset: Vec3,
    /// Where it points.
    pub forward: Vec3,
}

/// What a chain of bones shall aim at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimGoal {
    /// Through which the line shall run, model space, metres.
    pub target: Vec3,
    /// Which way is up, model space.
    pub up: Vec3,
    /// As [`Aim::keep_up`].
    pub keep_up: bool,
    /// Where the line may point, model space.
    pub limits: Option<AimLimits>,
    /// Share of the turns, 0..=1; 0 leaves the pose alone.
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

/// Spreads an aim over bones, each above the next, with a share of the way each; the last one takes what is
/// left, so that the line of its `sight` runs through the target. Of more than 16 bones the last count.
/// Gives the radians by which the line misses at weight 1; with weight 0, those by which it does now.
pub fn aim_chain(posed: &mut Posed, bones: &[(u16, f32)], sight: &AimLine, goal: &AimGoal) -> f32 {
    let bones = &bones[bones.len().saturating_sub(MOST_BONES)..];
    let Some((last, _)) = bones.last().copied() else {
        return 0.0;
    };
    if !(goal.target.is_finite() && goal.up.is_finite()) {
        return 0.0;
    }
    if goal.weight.is_nan() || goal.weight <= 0.0 {
        return off(posed, last, sight, goal.target);
    }
    let mut before = [Quat::IDENTITY; MOST_BONES];
    for ((bone, _), was) in bones.iter().zip(&mut before) {
        *was = posed.local(*bone).rotation;
    }
    let mut target = goal.target;
    for _ in 0..PASSES {
        for (i, (bone, _)) in bones.iter().enumerate() {
            let left: f32 = bones[i..].iter().map(|(_, share)| share.max(0.0)).sum();
            let share = match left {
                _ if i + 1 == bones.len() => 1.0,
                left if left > 0.0 => bones[i].1.max(0.0) / left,
                _ => 0.0,
            };
            turn_to(posed, *bone, last, sight, goal, target, share);
        }
        let (eye, forward) = line(posed, last, sight);
        let held = match &goal.limits {
            Some(limits) => limits.clamp(forward, goal.up),
            None => forward,
        };
        if held.abs_diff_eq(forward, EXACT) {
            break;
        }
        // Once more from the start, to where the line may point at.
        target = eye + held * eye.distance(goal.target).max(1e-3);
        for ((bone, _), was) in bones.iter().zip(&before) {
            posed.set_rotation(*bone, *was);
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
            let far = from + held * eye.distance(goal.target).max(1.0);
            turn_to(posed, last, last, &pointing, goal, far, 1.0);
        }
    }
    let missed = off(posed, last, sight, goal.target);
    if goal.weight < 1.0 {
        for ((bone, _), was) in bones.iter().zip(&before) {
            let turned = posed.local(*bone).rotation;
            posed.set_rotation(*bone, was.slerp(turned, goal.weight));
        }
    }
    missed
}

/// Where the line of a chain begins and points, model space.
fn line(posed: &Posed, last: u16, sight: &AimLine) -> (Vec3, Vec3) {
    let model = posed.model(last);
    let forward = model.transform_vector3(sight.forward).normalize_or_zero();
    (model.transform_point3(sight.offset), forward)
}

/// Radians by which the line misses a point.
fn off(posed: &Posed, last: u16, sight: &AimLine, target: Vec3) -> f32 {
    let (eye, forward) = line(posed, last, sight);
    match (target - eye).try_normalize() {
        Some(to) if forward != Vec3::ZERO => 2.0 * (to.distance(forward) / 2.0).min(1.0).asin(),
        _ => 0.0,
    }
}

/// Turns a bone by a share of what brings the line through a point. In the space of its parent, where its
/// turn is rigid and lines stay lines, whatever the parents' scales.
fn turn_to(
    posed: &mut Posed,
    bone: u16,
    last: u16,
    sight: &AimLine,
    goal: &AimGoal,
    target: Vec3,
    share: f32,
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
    let by = if share >= 1.0 {
        turn.turn
    } else {
        Quat::IDENTITY.slerp(turn.turn, share)
    };
    posed.turn(bone, by);
}

#[cfg(test)]
mod tests;
