//! Hips that move over feet that stay: knees bend, heels rise.

use glam::{Affine3A, Quat, Vec3};

use super::{Support, WholeRig};
use crate::Posed;
use crate::feet::MOST_LEGS;
use crate::two_bone::{ReachGoal, reach};
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Share of a leg's length to which it is stretched at most.
const STRETCHED: f32 = 0.999;
/// Share of a leg by which hips stay inside of what the feet stand on.
const MARGIN: f32 = 0.035;
/// Share of a leg that stays between hip and ankle: nobody folds a knee altogether.
const FOLDED: f32 = 0.36;
/// Share of a leg from ankle to hip above which a seat counts as no higher.
const UPRIGHT: f32 = 0.9;
/// Times that a place is brought near all feet.
const ROUNDS: usize = 8;

/// Where feet and hips are in a pose before the body moves over them.
#[derive(Clone, Debug)]
pub struct HipStance {
    feet: [Affine3A; MOST_LEGS],
    toes: [Option<Quat>; MOST_LEGS],
    /// About what heels rise: the joint of the toes, else the ball.
    pivots: [Vec3; MOST_LEGS],
    /// What the feet stand on.
    pub support: Support,
    hips: Vec3,
}

impl HipStance {
    /// The stance of a pose.
    pub fn of(posed: &Posed<'_>, rig: &WholeRig) -> Self {
        let mut feet = [Affine3A::IDENTITY; MOST_LEGS];
        let mut toes = [None; MOST_LEGS];
        let mut pivots = [Vec3::ZERO; MOST_LEGS];
        for (i, leg) in rig.legs.legs.iter().take(MOST_LEGS).enumerate() {
            feet[i] = posed.model(leg.limb.end);
            toes[i] = leg.toe.map(|toe| posed.rotation(toe.bone));
            let ball = feet[i].transform_point3(leg.ball);
            pivots[i] = leg.toe.map_or(ball, |toe| posed.position(toe.bone));
        }
        let legs = rig.legs.legs.iter().zip(&feet);
        let ends = legs
            .flat_map(|(leg, foot)| [leg.heel, leg.ball].map(|place| foot.transform_point3(place)));
        Self {
            support: Support::around(ends),
            feet,
            toes,
            pivots,
            hips: posed.position(rig.hips),
        }
    }

    /// The foot of a leg whose heel has risen by so many metres.
    fn foot(&self, i: usize, rises: f32) -> Affine3A {
        let (foot, ball) = (self.feet[i], self.pivots[i]);
        let back = Vec3::from(foot.translation) - ball;
        let level = back.with_y(0.0).length();
        if rises <= 0.0 || level < 1e-4 {
            return foot;
        }
        let axis = Vec3::Y.cross(-back.with_y(0.0) / level);
        let angle = (rises / level).min(0.9).asin();
        let turn = Quat::from_axis_angle(axis, angle);
        Affine3A::from_translation(ball)
            * Affine3A::from_quat(turn)
            * Affine3A::from_translation(-ball)
            * foot
    }

    /// Moves the hips from where they are in this stance by so much, but over the feet and no farther than the
    /// legs go. Heels rise by `rises` metres.
    pub fn move_hips(&self, posed: &mut Posed<'_>, rig: &WholeRig, by: Vec3, rises: f32) {
        let margin = MARGIN * rig.legs.size;
        let wish = self.support.held(self.hips, self.hips + by, margin);
        self.set_hips(posed, rig, wish, rises);
    }

    /// Puts the hips to a place as far as the legs go.
    fn set_hips(&self, posed: &mut Posed<'_>, rig: &WholeRig, wish: Vec3, rises: f32) {
        let way = wish - posed.position(rig.hips);
        shift(posed, rig.hips, way);
        let (mut most, mut least) = (f32::MAX, f32::MIN);
        for (i, leg) in rig.legs.legs.iter().take(MOST_LEGS).enumerate() {
            let ankle = Vec3::from(self.foot(i, rises).translation);
            let hip = posed.position(leg.limb.upper);
            let level = (ankle - hip).with_y(0.0).length();
            let up = |share: f32| {
                let length = share * leg.length;
                ankle.y + (length * length - level * level).max(0.0).sqrt() - hip.y
            };
            most = most.min(up(STRETCHED));
            least = least.max(up(FOLDED));
        }
        let offset = 0.0_f32.max(least).min(most);
        if offset.is_finite() && offset != 0.0 && !rig.legs.legs.is_empty() {
            shift(posed, rig.hips, Vec3::Y * offset);
        }
    }

    /// The place nearest to this, to the side of it, at which the hips are within reach of all feet.
    fn within_legs(&self, posed: &Posed<'_>, rig: &WholeRig, place: Vec3) -> Vec3 {
        let (from, mut place) = (posed.position(rig.hips), place);
        for _ in 0..ROUNDS {
            for (leg, foot) in rig.legs.legs.iter().zip(&self.feet) {
                let hip = posed.position(leg.limb.upper) - from + place;
                let off = hip - Vec3::from(foot.translation);
                let high = off.y.clamp_to(FOLDED * leg.length, UPRIGHT * leg.length);
                let far = STRETCHED * leg.length;
                let level = (far * far - high * high).max(0.0).sqrt();
                let off = off.with_y(0.0);
                place -= off - off.clamp_length_max(level);
            }
        }
        place
    }

    /// Has the legs go to where the feet were, heels `rises` metres higher.
    pub fn hold_feet(&self, posed: &mut Posed<'_>, rig: &WholeRig, rises: f32) {
        for (i, leg) in rig.legs.legs.iter().take(MOST_LEGS).enumerate() {
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

/// Moves a bone by so many metres of model space.
fn shift(posed: &mut Posed<'_>, bone: u16, by: Vec3) {
    let inwards = posed.parent_model(bone).inverse();
    let mut local = posed.local(bone);
    local.translation += inwards.transform_vector3(by);
    posed.set_local(bone, local);
}

/// Brings the hips of a body to a place, model space, while its feet stay: it sits, kneels, stands up. The trunk
/// leans forward on the way, most in the middle of it: who sits down keeps over the feet as long as that goes.
/// What is too far from the feet is come as near to as the legs go.
pub fn put_hips(posed: &mut Posed<'_>, rig: &WholeRig, to: Vec3, lean: f32, weight: f32) {
    let weight = weight.clamp(0.0, 1.0);
    if !to.is_finite() || weight <= 0.0 {
        return;
    }
    let stance = HipStance::of(posed, rig);
    let from = stance.hips;
    let to = stance.within_legs(posed, rig, to);
    // Down first, back later: a seat is sat on from above.
    let late = weight * weight * (3.0 - 2.0 * weight);
    let level = from.lerp(to, late);
    let wish = level.with_y(from.y + (to.y - from.y) * weight);
    let axis = rig.model_from_character * Vec3::X;
    let bow = lean * (4.0 * weight * (1.0 - weight)).clamp(0.0, 1.0);
    let n = rig.spine.len().max(1) as f32;
    for bone in &rig.spine {
        posed.turn_in_model(*bone, Quat::from_axis_angle(axis, bow / n));
    }
    stance.set_hips(posed, rig, wish, 0.0);
    stance.hold_feet(posed, rig, 0.0);
}
