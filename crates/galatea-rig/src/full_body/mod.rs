//! Full-body IK for reaching: where an arm is too short, hips and spine rotate and lean, knees bend and heels rise, while
//! the feet stay in place. The hips stay over the support polygon of the feet.
//!
//! Caller: `character`, before the arms themselves reach. Model space is metres, +Y up. A single number, the effort from 0
//! to 1, blends from the current pose to the furthest reach of the body. The solver uses the smallest effort that brings the
//! shoulder near enough, so the body follows smoothly as a target moves away.

mod hips;
mod support;

use std::sync::Arc;

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::Posed;
use super::foot_ik::LegRig;
use super::two_bone::Limb;

pub use hips::{HipStance, put_hips};
pub use support::Support;

/// Fraction of the arm length beyond which the body helps: the arm stays slightly bent.
const ARM_REACH: f32 = 0.93;
/// Further distance, as a fraction of the arm length, over which the effort may rise to 1.
const FADE_IN: f32 = 0.06;
/// Number of steps in which the smallest effort is searched, and of iterations within a step.
const STEPS: u32 = 4;
const TRIES: u32 = 12;
/// Accuracy of the search, metres.
const TOLERANCE: f32 = 1e-6;
/// Largest rotation of the trunk towards the target, and rotation that moves the reaching shoulder forward, radians.
const MAX_TURN: f32 = 1.1;
const SHOULDER_FORWARD: f32 = 0.35;
/// Lean towards a target level with the shoulder, a low one, and a high one, radians.
const LEANS: [f32; 3] = [0.8, 1.8, 0.05];
/// Tilt of the trunk that raises a shoulder, and largest rotation of the collarbone, radians.
const TILT: f32 = 0.28;
const COLLAR: f32 = 0.45;
/// Fraction of the lean that the other arm undoes.
const OTHER_ARM_BACK: f32 = 0.75;
/// Effort that a character can hold comfortably.
const COMFORT: f32 = 0.5;
/// Maximum number of bones of hips, spine and collarbone.
const MAX_BONES: usize = 12;
/// Largest lowering of the body and largest rise of the heels, as fractions of the leg length.
const MAX_LOWERING: f32 = 0.57;
const MAX_HEEL_RISE: f32 = 0.1;
/// Fraction of rotation and lean that the hips take; the spine takes the rest.
const HIPS_FRACTION: f32 = 0.4;

/// Bones for full-body reaching.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FullBodyRig {
    /// Hips bone.
    pub hips: u16,
    /// Bones from the lowest one of the spine to the chest; at least one.
    pub spine: Vec<u16>,
    /// Bones of neck and head, from below.
    pub neck: Vec<u16>,
    /// Upper arm bones, left and right.
    pub arms: [Option<u16>; 2],
    /// Legs of the body.
    #[serde(with = "galatea_persist::shared")]
    pub legs: Arc<LegRig>,
    /// Rotation from the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
}

/// A reaching arm.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Arm {
    /// Upper arm, lower arm and hand.
    pub limb: Limb,
    /// Collarbone, if there is one.
    pub collar: Option<u16>,
    /// 1 for the left arm, -1 for the right arm.
    pub side: f32,
}

/// Distance that remains to the target, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// Remaining distance at full effort.
    pub lacks: f32,
    /// Remaining distance at the effort that a character can hold comfortably.
    pub short: f32,
}

/// Movements of the body at full effort; all of them scale with the effort.
#[derive(Clone, Copy, Debug)]
struct BodyEffort {
    /// Rotation about +Y, radians.
    turn: f32,
    /// Lean towards `to`, radians.
    lean: f32,
    /// Part of the lean that the neck undoes, radians.
    back: f32,
    /// Tilt of the trunk to the other side, radians.
    tilt: f32,
    /// Lowering of the hips, metres, and their horizontal displacement.
    down: f32,
    shift: Vec3,
    /// Rise of the heels, metres.
    rise: f32,
    /// Horizontal direction to the target, length 1 or less, model space.
    to: Vec3,
    ahead: Vec3,
}

/// Smoothstep from 0 to 1, with zero slope at both ends.
fn smooth(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

impl FullBodyRig {
    /// Brings the shoulder of an arm near enough to a target, as far as the body can.
    pub fn reach(&self, posed: &mut Posed<'_>, arm: &Arm, target: Vec3, weight: f32) -> Reached {
        let length = arm_length(posed, arm);
        let near = ARM_REACH * length;
        let missing = target.distance(posed.position(arm.limb.upper)) - near;
        if !target.is_finite() || !missing.is_finite() || missing <= 0.0 || length < 1e-4 {
            return Reached::default();
        }
        let stance = HipStance::of(posed, self);
        let full = self.full_effort(posed, arm, target, length);
        let mut away = |effort: f32| {
            let before = self.bones(arm).map(|bone| (bone, posed.local(bone)));
            let mut saved = [(0, galatea_math::Trs::default()); MAX_BONES];
            let mut n = 0;
            for (slot, bone) in saved.iter_mut().zip(before) {
                *slot = bone;
                n += 1;
            }
            self.pose(posed, arm, &stance, &full, target, effort);
            let shoulder = posed.position(arm.limb.upper);
            for (bone, local) in &saved[..n] {
                posed.set_local(*bone, *local);
            }
            target.distance(shoulder) - near
        };
        let short = away(COMFORT);
        let (effort, rest) = min_effort(&mut away, missing);
        let effort = effort.min(missing / (FADE_IN * length)).min(1.0);
        let shown = effort * weight.clamp(0.0, 1.0);
        if shown > 0.0 {
            let heel_rise = self.pose(posed, arm, &stance, &full, target, shown);
            stance.hold_feet(posed, self, heel_rise);
            self.keep_upright(posed, arm, &full, shown);
        }
        Reached {
            lacks: (rest - (length - near)).max(0.0),
            short: short.max(0.0),
        }
    }

    fn full_effort(&self, posed: &Posed<'_>, arm: &Arm, target: Vec3, length: f32) -> BodyEffort {
        let size = self.legs.size.max(1e-3);
        let to_character = self.model_from_character.conjugate();
        let from_hips = to_character * (target - posed.position(self.hips));
        let level = Vec2::new(from_hips.x, from_hips.z);
        let u = level / (level.length_squared() + (0.15 * size).powi(2)).sqrt();
        let over = (target.y - posed.position(arm.limb.upper).y) / length;
        let low = smooth((-over - 0.6) / 1.4);
        let high = smooth((over - 0.35) / 0.6);
        let forward = u.y.max(0.0);
        // The body turns towards a target across the body; one on the arm's own side is nearer without that.
        let turn_fraction = if arm.side * u.x > 0.0 {
            0.25 + 0.5 * low
        } else {
            1.0
        };
        let turn =
            (MAX_TURN * turn_fraction * u.x - SHOULDER_FORWARD * arm.side * forward) * (1.0 - high);
        let [middle, bent, straight] = LEANS;
        let lean = middle + (bent - middle) * low + (straight - middle) * high;
        let side = if u.y > 0.0 { 0.3 * u.y } else { 0.4 * u.y };
        let lean = lean * (0.7 + side);
        let to = self.model_from_character * Vec3::new(u.x, 0.0, u.y);
        let ahead = self.model_from_character * Vec3::Z;
        // When bending down, the hips move back; when reaching out, they move along.
        let back = ahead * (0.16 * size * lean.sin() * u.length());
        BodyEffort {
            turn,
            lean,
            back: lean * (0.8 - 0.65 * low),
            tilt: TILT * high * arm.side,
            down: MAX_LOWERING * size * low,
            shift: to * (0.12 * size * (1.0 - low) * (1.0 - high)) - back * low,
            rise: MAX_HEEL_RISE * size * high,
            to,
            ahead,
        }
    }

    /// Poses hips, spine and collarbone. Returns the rise of the heels, metres.
    fn pose(
        &self,
        posed: &mut Posed<'_>,
        arm: &Arm,
        stance: &HipStance,
        full: &BodyEffort,
        target: Vec3,
        effort: f32,
    ) -> f32 {
        let part = |fraction: f32| {
            let axis = Vec3::Y.cross(full.to);
            let lean = Quat::from_scaled_axis(axis * (full.lean * effort * fraction));
            Quat::from_rotation_y(full.turn * effort * fraction) * lean
        };
        posed.turn_in_model(self.hips, part(HIPS_FRACTION));
        let n = self.spine.len().max(1) as f32;
        let tilt = Quat::from_axis_angle(full.ahead, full.tilt * effort / n);
        for bone in self.spine.iter().take(MAX_BONES - 2) {
            posed.turn_in_model(*bone, tilt * part((1.0 - HIPS_FRACTION) / n));
        }
        let heel_rise = full.rise * effort;
        let moved = full.shift * effort + Vec3::Y * (heel_rise - full.down * effort);
        stance.move_hips(posed, self, moved, heel_rise);
        if let Some(collar) = arm.collar {
            let root = posed.position(collar);
            let from = (posed.position(arm.limb.upper) - root).normalize_or_zero();
            let to = (target - root).normalize_or_zero();
            let rotation = Quat::from_rotation_arc(from, to).to_scaled_axis();
            if from != Vec3::ZERO && to != Vec3::ZERO && rotation.is_finite() {
                // A target behind does not pull at the shoulder.
                let pull = (0.5 + 0.5 * from.dot(to)).clamp(0.0, 1.0);
                let rotation = rotation.clamp_length_max(COLLAR) * (effort * pull);
                posed.turn_in_model(collar, Quat::from_scaled_axis(rotation));
            }
        }
        heel_rise
    }

    /// The neck undoes part of the lean, so that the head faces the target; the other arm hangs down.
    fn keep_upright(&self, posed: &mut Posed<'_>, arm: &Arm, full: &BodyEffort, effort: f32) {
        let n = self.neck.len().max(1) as f32;
        let axis = Vec3::Y.cross(full.to);
        let back = |angle: f32| Quat::from_scaled_axis(axis * (-angle * effort));
        for bone in &self.neck {
            posed.turn_in_model(*bone, back(full.back / n));
        }
        for arm_bone in self.arms.into_iter().flatten() {
            if arm_bone != arm.limb.upper {
                posed.turn_in_model(arm_bone, back(OTHER_ARM_BACK * full.lean));
            }
        }
    }

    /// Bones above the shoulder that the effort moves.
    fn bones(&self, arm: &Arm) -> impl Iterator<Item = u16> {
        let spine = self.spine.iter().copied().take(MAX_BONES - 2);
        spine.chain([self.hips]).chain(arm.collar)
    }
}

/// Distance from shoulder to hand of a stretched arm, metres.
pub fn arm_length(posed: &Posed<'_>, arm: &Arm) -> f32 {
    let [root, mid, end] =
        [arm.limb.upper, arm.limb.lower, arm.limb.end].map(|bone| posed.position(bone));
    root.distance(mid) + mid.distance(end)
}

/// Searches for the smallest effort that leaves no distance, or full effort, and returns it with the remaining distance.
/// `lacks` is the distance at zero effort.
fn min_effort(away: &mut impl FnMut(f32) -> f32, lacks: f32) -> (f32, f32) {
    let (mut low, mut last) = (0.0, lacks);
    for step in 1..=STEPS {
        let high = step as f32 / STEPS as f32;
        let now = away(high);
        if now <= 0.0 {
            let (mut a, mut b, mut fa, mut fb) = (low, high, last, now);
            // Regula falsi, Illinois variant: the value at an end point that is kept is halved, otherwise it would be kept
            // too long.
            for _ in 0..TRIES {
                let mid = (a + (b - a) * (fa / (fa - fb).max(1e-9))).clamp_to(a, b);
                let f = away(mid);
                if f.abs() < TOLERANCE {
                    return (mid, 0.0);
                }
                if f > 0.0 {
                    (a, fa, fb) = (mid, f, fb * 0.5);
                } else {
                    (b, fb, fa) = (mid, f, fa * 0.5);
                }
            }
            return (b, 0.0);
        }
        (low, last) = (high, now);
    }
    (1.0, last)
}
