//! Moves the hips over fixed feet: knees bend and heels rise.

use glam::{Affine3A, Quat, Vec3};

use super::{FullBodyRig, Support};
use crate::Posed;
use crate::foot_ik::MAX_LEGS;
use crate::two_bone::{ReachGoal, reach};
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Largest extension of a leg, as a fraction of its length.
const MAX_STRETCH: f32 = 0.999;
/// Distance that the hips stay inside of the support polygon, as a fraction of the leg length.
const MARGIN: f32 = 0.035;
/// Smallest distance between hip and ankle, as a fraction of the leg length: knees do not fold completely.
const MIN_STRETCH: f32 = 0.36;
/// Heights of a seat over the ankle above this fraction of the leg length count as this height.
const MAX_SEAT_HEIGHT: f32 = 0.9;
/// Number of iterations in which a position is brought within reach of all feet.
const ITERATIONS: usize = 8;

/// Feet and hips of a pose before the body moves over them.
#[derive(Clone, Debug)]
pub struct HipStance {
    feet: [Affine3A; MAX_LEGS],
    toes: [Option<Quat>; MAX_LEGS],
    /// Pivots of rising heels: the toe joints, or else the balls.
    pivots: [Vec3; MAX_LEGS],
    /// Support polygon of the feet.
    pub support: Support,
    hips: Vec3,
}

impl HipStance {
    /// Captures the stance of a pose.
    pub fn of(posed: &Posed<'_>, rig: &FullBodyRig) -> Self {
        let mut feet = [Affine3A::IDENTITY; MAX_LEGS];
        let mut toes = [None; MAX_LEGS];
        let mut pivots = [Vec3::ZERO; MAX_LEGS];
        for (i, leg) in rig.legs.legs.iter().take(MAX_LEGS).enumerate() {
            feet[i] = posed.model(leg.limb.end);
            toes[i] = leg.toe.map(|toe| posed.rotation(toe.bone));
            let ball = feet[i].transform_point3(leg.ball);
            pivots[i] = leg.toe.map_or(ball, |toe| posed.position(toe.bone));
        }
        let legs = rig.legs.legs.iter().zip(&feet);
        let ends = legs.flat_map(|(leg, foot)| {
            [leg.heel, leg.ball].map(|position| foot.transform_point3(position))
        });
        Self {
            support: Support::around(ends),
            feet,
            toes,
            pivots,
            hips: posed.position(rig.hips),
        }
    }

    /// Transform of the foot of a leg whose heel has risen by `rises` metres.
    fn foot(&self, i: usize, rises: f32) -> Affine3A {
        let (foot, ball) = (self.feet[i], self.pivots[i]);
        let back = Vec3::from(foot.translation) - ball;
        let level = back.with_y(0.0).length();
        if rises <= 0.0 || level < 1e-4 {
            return foot;
        }
        let axis = Vec3::Y.cross(-back.with_y(0.0) / level);
        let angle = (rises / level).min(0.9).asin();
        let rotation = Quat::from_axis_angle(axis, angle);
        Affine3A::from_translation(ball)
            * Affine3A::from_quat(rotation)
            * Affine3A::from_translation(-ball)
            * foot
    }

    /// Moves the hips by `by` from their position in this stance, limited to the support polygon and to the reach of the
    /// legs. Heels rise by `rises` metres.
    pub fn move_hips(&self, posed: &mut Posed<'_>, rig: &FullBodyRig, by: Vec3, rises: f32) {
        let margin = MARGIN * rig.legs.size;
        let target = self.support.held(self.hips, self.hips + by, margin);
        self.set_hips(posed, rig, target, rises);
    }

    /// Moves the hips to a position, as far as the legs reach.
    fn set_hips(&self, posed: &mut Posed<'_>, rig: &FullBodyRig, target: Vec3, rises: f32) {
        let offset = target - posed.position(rig.hips);
        shift(posed, rig.hips, offset);
        let (mut max_up, mut min_up) = (f32::MAX, f32::MIN);
        for (i, leg) in rig.legs.legs.iter().take(MAX_LEGS).enumerate() {
            let ankle = Vec3::from(self.foot(i, rises).translation);
            let hip = posed.position(leg.limb.upper);
            let level = (ankle - hip).with_y(0.0).length();
            let up = |fraction: f32| {
                let length = fraction * leg.length;
                ankle.y + (length * length - level * level).max(0.0).sqrt() - hip.y
            };
            max_up = max_up.min(up(MAX_STRETCH));
            min_up = min_up.max(up(MIN_STRETCH));
        }
        let offset = 0.0_f32.max(min_up).min(max_up);
        if offset.is_finite() && offset != 0.0 && !rig.legs.legs.is_empty() {
            shift(posed, rig.hips, Vec3::Y * offset);
        }
    }

    /// Nearest horizontal position at which the hips are within reach of all feet.
    fn within_legs(&self, posed: &Posed<'_>, rig: &FullBodyRig, position: Vec3) -> Vec3 {
        let (from, mut position) = (posed.position(rig.hips), position);
        for _ in 0..ITERATIONS {
            for (leg, foot) in rig.legs.legs.iter().zip(&self.feet) {
                let hip = posed.position(leg.limb.upper) - from + position;
                let away = hip - Vec3::from(foot.translation);
                let high = away
                    .y
                    .clamp_to(MIN_STRETCH * leg.length, MAX_SEAT_HEIGHT * leg.length);
                let max_reach = MAX_STRETCH * leg.length;
                let level = (max_reach * max_reach - high * high).max(0.0).sqrt();
                let away = away.with_y(0.0);
                position -= away - away.clamp_length_max(level);
            }
        }
        position
    }

    /// Bends the legs so that the feet keep their positions, with the heels `rises` metres higher.
    pub fn hold_feet(&self, posed: &mut Posed<'_>, rig: &FullBodyRig, rises: f32) {
        for (i, leg) in rig.legs.legs.iter().take(MAX_LEGS).enumerate() {
            let foot = self.foot(i, rises);
            let goal = ReachGoal {
                target: foot.translation.into(),
                rotation: Some(Trs::nearest(foot).rotation),
                ..ReachGoal::default()
            };
            reach(posed, &leg.limb, &goal);
            if let (Some(toe), Some(was)) = (leg.toe, self.toes[i])
                && rises > 0.0
            {
                let back = was * posed.rotation(toe.bone).conjugate();
                posed.turn_in_model(toe.bone, back);
            }
        }
    }
}

/// Moves a bone by a vector in model space, metres.
fn shift(posed: &mut Posed<'_>, bone: u16, by: Vec3) {
    let inwards = posed.parent_model(bone).inverse();
    let mut local = posed.local(bone);
    local.translation += inwards.transform_vector3(by);
    posed.set_local(bone, local);
}

/// Moves the hips of a body to a position in model space while its feet stay: to sit down, kneel or stand up. The trunk
/// leans forward meanwhile, most in the middle of the movement, to stay over the feet as long as possible. A position out of
/// reach is approached as far as the legs allow.
pub fn put_hips(posed: &mut Posed<'_>, rig: &FullBodyRig, to: Vec3, lean: f32, weight: f32) {
    let weight = weight.clamp(0.0, 1.0);
    if !to.is_finite() || weight <= 0.0 {
        return;
    }
    let stance = HipStance::of(posed, rig);
    let from = stance.hips;
    let to = stance.within_legs(posed, rig, to);
    // Down first and back later: a seat is approached from above.
    let late = weight * weight * (3.0 - 2.0 * weight);
    let level = from.lerp(to, late);
    let target = level.with_y(from.y + (to.y - from.y) * weight);
    let axis = rig.model_from_character * Vec3::X;
    let bow = lean * (4.0 * weight * (1.0 - weight)).clamp(0.0, 1.0);
    let n = rig.spine.len().max(1) as f32;
    for bone in &rig.spine {
        posed.turn_in_model(*bone, Quat::from_axis_angle(axis, bow / n));
    }
    stance.set_hips(posed, rig, target, 0.0);
    stance.hold_feet(posed, rig, 0.0);
}
