//! The whole body reaches: where an arm is too short, hips and spine turn and lean, knees bend, heels rise, and
//! the feet stay where they are. Hips over feet: they stay over what the feet stand on.
//!
//! Caller: `character`, before the arms themselves reach. Model space: metres, +Y up. One number, the effort from
//! 0 to 1, leads from the pose as it is to as far as the body goes; the least that brings the shoulder near enough
//! is taken, so that the body comes along gently as a target goes away.

mod hips;
mod support;

use std::sync::Arc;

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec2, Vec3};

use super::Posed;
use super::feet::LegRig;
use super::two_bone::Limb;

pub use hips::{HipStance, put_hips};
pub use support::Support;

/// Share of an arm's length at which the body helps: the arm stays a little bent.
const NEAR: f32 = 0.93;
/// Share of an arm's length beyond that in which the whole effort may come in.
const COMES_IN: f32 = 0.06;
/// Steps in which the least effort is looked for, and tries within one.
const STEPS: u32 = 4;
const TRIES: u32 = 12;
/// Metres to which it is found.
const EXACT: f32 = 1e-6;
/// Radians: how far the trunk turns, and by how much the shoulder that reaches goes ahead.
const TURN: f32 = 1.1;
const AHEAD: f32 = 0.35;
/// Radians by which it leans to what is level with the shoulder, low, and high.
const LEANS: [f32; 3] = [0.8, 1.8, 0.05];
/// Radians by which the trunk tilts to raise a shoulder, and the collarbone turns.
const TILT: f32 = 0.28;
const COLLAR: f32 = 0.45;
/// Share of the lean that the other arm does not go along with.
const HANGS: f32 = 0.75;
/// The effort that one stands with for long.
const COMFORT: f32 = 0.5;
/// Bones of hips, spine and collarbone.
const MOST_BONES: usize = 12;
/// As shares of a leg: how far the body goes down, and heels rise.
const DOWN: f32 = 0.57;
const RISE: f32 = 0.1;
/// Share of turn and lean that the hips take; the spine has the rest.
const HIPS: f32 = 0.4;

/// The bones of a body that reaches as a whole.
#[derive(Clone, Debug)]
pub struct WholeRig {
    /// The hips.
    pub hips: u16,
    /// From the lowest bone of the spine to the chest; at least one.
    pub spine: Vec<u16>,
    /// Neck and head, from below.
    pub neck: Vec<u16>,
    /// Upper arms, left and right.
    pub arms: [Option<u16>; 2],
    /// Its legs.
    pub legs: Arc<LegRig>,
    /// Takes the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
}

/// An arm of such a body.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// Upper arm, lower arm, hand.
    pub limb: Limb,
    /// The collarbone.
    pub collar: Option<u16>,
    /// 1 left, -1 right.
    pub side: f32,
}

/// What is missing of a reach, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    /// With all of the effort.
    pub lacks: f32,
    /// With the effort that one stands with for long.
    pub short: f32,
}

/// What an effort does; all of it grows with the effort.
#[derive(Clone, Copy, Debug)]
struct BodyEffort {
    /// Radians about +Y.
    turn: f32,
    /// Radians, towards `to`.
    lean: f32,
    /// Radians that the neck turns back of the lean.
    back: f32,
    /// Radians by which the trunk tilts to the other side.
    tilt: f32,
    /// Metres down, and the same level.
    down: f32,
    shift: Vec3,
    /// Metres by which heels rise.
    rise: f32,
    /// Unit or shorter, model space, level.
    to: Vec3,
    ahead: Vec3,
}

/// From 0 to 1, level at both ends.
fn smooth(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

impl WholeRig {
    /// Brings the shoulder of an arm near enough to a target, as far as the body goes.
    pub fn reach(&self, posed: &mut Posed<'_>, arm: &Arm, target: Vec3, weight: f32) -> Reached {
        let length = arm_length(posed, arm);
        let near = NEAR * length;
        let lacks = target.distance(posed.position(arm.limb.upper)) - near;
        if !target.is_finite() || !lacks.is_finite() || lacks <= 0.0 || length < 1e-4 {
            return Reached::default();
        }
        let stance = HipStance::of(posed, self);
        let way = self.way(posed, arm, target, length);
        let mut away = |effort: f32| {
            let before = self.bones(arm).map(|bone| (bone, posed.local(bone)));
            let mut saved = [(0, galatea_math::Trs::default()); MOST_BONES];
            let mut n = 0;
            for (slot, bone) in saved.iter_mut().zip(before) {
                *slot = bone;
                n += 1;
            }
            self.pose(posed, arm, &stance, &way, target, effort);
            let shoulder = posed.position(arm.limb.upper);
            for (bone, local) in &saved[..n] {
                posed.set_local(*bone, *local);
            }
            target.distance(shoulder) - near
        };
        let short = away(COMFORT);
        let (effort, rest) = least_effort(&mut away, lacks);
        let effort = effort.min(lacks / (COMES_IN * length)).min(1.0);
        let shown = effort * weight.clamp(0.0, 1.0);
        if shown > 0.0 {
            let rises = self.pose(posed, arm, &stance, &way, target, shown);
            stance.hold_feet(posed, self, rises);
            self.keep_upright(posed, arm, &way, shown);
        }
        Reached {
            lacks: (rest - (length - near)).max(0.0),
            short: short.max(0.0),
        }
    }

    fn way(&self, posed: &Posed<'_>, arm: &Arm, target: Vec3, length: f32) -> BodyEffort {
        let size = self.legs.size.max(1e-3);
        let to_character = self.model_from_character.conjugate();
        let from_hips = to_character * (target - posed.position(self.hips));
        let level = Vec2::new(from_hips.x, from_hips.z);
        let u = level / (level.length_squared() + (0.15 * size).powi(2)).sqrt();
        let over = (target.y - posed.position(arm.limb.upper).y) / length;
        let low = smooth((-over - 0.6) / 1.4);
        let high = smooth((over - 0.35) / 0.6);
        let forward = u.y.max(0.0);
        // Towards what is across the body; what is on the arm's own side is nearer without.
        let own = if arm.side * u.x > 0.0 {
            0.25 + 0.5 * low
        } else {
            1.0
        };
        let turn = (TURN * own * u.x - AHEAD * arm.side * forward) * (1.0 - high);
        let [middle, bent, straight] = LEANS;
        let lean = middle + (bent - middle) * low + (straight - middle) * high;
        let side = if u.y > 0.0 { 0.3 * u.y } else { 0.4 * u.y };
        let lean = lean * (0.7 + side);
        let to = self.model_from_character * Vec3::new(u.x, 0.0, u.y);
        let ahead = self.model_from_character * Vec3::Z;
        // Who bends down has the seat go back, who reaches out goes along.
        let back = ahead * (0.16 * size * lean.sin() * u.length());
        BodyEffort {
            turn,
            lean,
            back: lean * (0.8 - 0.65 * low),
            tilt: TILT * high * arm.side,
            down: DOWN * size * low,
            shift: to * (0.12 * size * (1.0 - low) * (1.0 - high)) - back * low,
            rise: RISE * size * high,
            to,
            ahead,
        }
    }

    /// Poses hips, spine and collarbone. Gives how far heels rise, metres.
    fn pose(
        &self,
        posed: &mut Posed<'_>,
        arm: &Arm,
        stance: &HipStance,
        way: &BodyEffort,
        target: Vec3,
        effort: f32,
    ) -> f32 {
        let part = |share: f32| {
            let axis = Vec3::Y.cross(way.to);
            let lean = Quat::from_scaled_axis(axis * (way.lean * effort * share));
            Quat::from_rotation_y(way.turn * effort * share) * lean
        };
        posed.turn_in_model(self.hips, part(HIPS));
        let n = self.spine.len().max(1) as f32;
        let tilt = Quat::from_axis_angle(way.ahead, way.tilt * effort / n);
        for bone in self.spine.iter().take(MOST_BONES - 2) {
            posed.turn_in_model(*bone, tilt * part((1.0 - HIPS) / n));
        }
        let rises = way.rise * effort;
        let moved = way.shift * effort + Vec3::Y * (rises - way.down * effort);
        stance.move_hips(posed, self, moved, rises);
        if let Some(collar) = arm.collar {
            let root = posed.position(collar);
            let from = (posed.position(arm.limb.upper) - root).normalize_or_zero();
            let to = (target - root).normalize_or_zero();
            let turn = Quat::from_rotation_arc(from, to).to_scaled_axis();
            if from != Vec3::ZERO && to != Vec3::ZERO && turn.is_finite() {
                // What is behind pulls at no shoulder.
                let pulls = (0.5 + 0.5 * from.dot(to)).clamp(0.0, 1.0);
                let turn = turn.clamp_length_max(COLLAR) * (effort * pulls);
                posed.turn_in_model(collar, Quat::from_scaled_axis(turn));
            }
        }
        rises
    }

    /// The neck turns back what the trunk leans, so that it sees where it reaches; the other arm hangs.
    fn keep_upright(&self, posed: &mut Posed<'_>, arm: &Arm, way: &BodyEffort, effort: f32) {
        let n = self.neck.len().max(1) as f32;
        let axis = Vec3::Y.cross(way.to);
        let back = |angle: f32| Quat::from_scaled_axis(axis * (-angle * effort));
        for bone in &self.neck {
            posed.turn_in_model(*bone, back(way.back / n));
        }
        for other in self.arms.into_iter().flatten() {
            if other != arm.limb.upper {
                posed.turn_in_model(other, back(HANGS * way.lean));
            }
        }
    }

    /// The bones that an effort moves above the shoulder.
    fn bones(&self, arm: &Arm) -> impl Iterator<Item = u16> {
        let spine = self.spine.iter().copied().take(MOST_BONES - 2);
        spine.chain([self.hips]).chain(arm.collar)
    }
}

/// From shoulder to hand when stretched, metres.
pub fn arm_length(posed: &Posed<'_>, arm: &Arm) -> f32 {
    let [root, mid, end] =
        [arm.limb.upper, arm.limb.lower, arm.limb.end].map(|bone| posed.position(bone));
    root.distance(mid) + mid.distance(end)
}

/// The least effort that leaves nothing missing, and what is missing then; else all of it. `lacks`: at none.
fn least_effort(away: &mut impl FnMut(f32) -> f32, lacks: f32) -> (f32, f32) {
    let (mut low, mut last) = (0.0, lacks);
    for step in 1..=STEPS {
        let high = step as f32 / STEPS as f32;
        let now = away(high);
        if now <= 0.0 {
            let (mut a, mut b, mut fa, mut fb) = (low, high, last, now);
            // The straight line between both sides; a side that stays counts half, or it would stay for long.
            for _ in 0..TRIES {
                let mid = (a + (b - a) * (fa / (fa - fb).max(1e-9))).clamp_to(a, b);
                let f = away(mid);
                if f.abs() < EXACT {
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
