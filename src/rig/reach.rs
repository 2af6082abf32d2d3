//! A limb of a pose reaches a goal: two bones, with whatever bones lie between them, in the space that the upper
//! one hangs in, so that any scale above them is exact.

use glam::{Affine3A, Quat, Vec3};

use super::Posed;
use super::two_bone::{TwoBone, solve_two_bone};
use crate::anim::Skeleton;
use crate::math::Trs;
use crate::math::damp::part;

/// Two bones and what hangs on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// Upper arm, thigh.
    pub upper: u16,
    /// Lower arm, shin; below the upper one, twist bones may lie between.
    pub lower: u16,
    /// Hand, foot; below the lower one.
    pub end: u16,
    /// Unit axis in the upper bone's space about which the lower one closes the limb.
    pub hinge: Vec3,
    /// Least and greatest inner angle at the middle, radians.
    pub range: [f32; 2],
    /// Where the upper bone points at rest, in its parent's space, and how far it may swing from there, radians
    /// (IK-15).
    pub cone: Option<(Vec3, f32)>,
}

/// What the end of a limb goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReachGoal {
    /// Model space.
    pub target: Vec3,
    /// How the end is to be turned, model space; it goes along with its limb without.
    pub rotation: Option<Quat>,
    /// Where the middle points, model space.
    pub pole: Option<Vec3>,
    /// See [`TwoBone::soft`].
    pub soft: f32,
    /// 0..=1 (IK-11): the share of each turn.
    pub weight: f32,
}

/// Sine of the bend at rest from which on it says how the limb bends.
const BENT: f32 = 0.05;
/// Inner angle, radians, below which a limb would be folded flat.
const LEAST: f32 = 0.12;

impl Limb {
    /// A limb of the bones upper, lower and end, at rest. `forward`: where the middle points, for a limb that is
    /// straight at rest. `None` when it has no length or its bones do not hang on each other.
    pub fn of(
        skeleton: &Skeleton,
        model_from_bone: &[Affine3A],
        [upper, lower, end]: [u16; 3],
        forward: Option<Vec3>,
    ) -> Option<Self> {
        let is_below = |bone: u16, above: u16| {
            let parent = |bone: &u16| skeleton.parents().get(usize::from(*bone)).copied();
            std::iter::successors(Some(bone), parent).any(|b| b == above) && bone != above
        };
        if !is_below(lower, upper) || !is_below(end, lower) {
            return None;
        }
        let matrix = |bone: u16| model_from_bone.get(usize::from(bone)).copied();
        let place = |bone: u16| Some(Vec3::from(matrix(bone)?.translation));
        let (a, b, c) = (place(upper)?, place(lower)?, place(end)?);
        let area = (b - a).length() * (c - b).length();
        if area <= 1e-12 {
            return None;
        }
        let bent = (b - a).cross(c - b);
        let told = forward.map(|forward| forward.cross(c - a));
        let is_bent = bent.length() > BENT * area;
        let axis = match told.and_then(Vec3::try_normalize) {
            Some(told) if !is_bent => told,
            _ => bent
                .try_normalize()
                .or_else(|| told?.try_normalize())
                .unwrap_or_else(|| (b - a).any_orthogonal_vector().normalize_or(Vec3::X)),
        };
        let back = matrix(upper)?.inverse();
        let hinge = back.transform_vector3(axis).try_normalize()?;
        hinge.is_finite().then_some(Self {
            upper,
            lower,
            end,
            hinge,
            range: [LEAST, std::f32::consts::PI],
            cone: None,
        })
    }
}

/// A limb in the space that its upper bone hangs in.
struct Seen {
    /// Space from the upper bone.
    upper: Affine3A,
    root: Vec3,
    mid: Vec3,
    end: Vec3,
    /// How the space that the lower bone hangs in is turned.
    above_lower: Quat,
}

impl Seen {
    fn of(posed: &Posed<'_>, limb: &Limb) -> Option<Self> {
        let upper = posed.local(limb.upper).to_affine();
        let above_lower = match posed.parent(limb.lower)? {
            parent if parent == limb.upper => upper,
            parent => upper * posed.below(limb.upper, parent)?,
        };
        let lower = above_lower * posed.local(limb.lower).to_affine();
        Some(Self {
            root: upper.translation.into(),
            mid: lower.translation.into(),
            end: (lower * posed.below(limb.lower, limb.end)?)
                .translation
                .into(),
            above_lower: Trs::nearest(above_lower).rotation,
            upper,
        })
    }
}

/// Brings the end of a limb to a goal. Gives the metres, model space, by which it is missed at full weight. What
/// is not finite, or has no length, leaves the pose as it is.
pub fn reach(posed: &mut Posed<'_>, limb: &Limb, goal: &ReachGoal) -> f32 {
    let weight = goal.weight.clamp(0.0, 1.0);
    let space = posed.parent_model(limb.upper);
    let back = space.inverse();
    let target = back.transform_point3(goal.target);
    if weight <= 0.0 || !target.is_finite() {
        return 0.0;
    }
    let before = [limb.upper, limb.lower, limb.end].map(|bone| posed.local(bone).rotation);
    let end_in_model = posed.rotation(limb.end);
    let pole = goal.pole.map(|pole| back.transform_vector3(pole));
    let mut missed = f32::MAX;
    // Bones that are scaled unevenly bend what hangs on them otherwise than by a turn: what is missed is less
    // each time, as the turns are smaller.
    for _ in 0..6 {
        let Some(seen) = Seen::of(posed, limb) else {
            return 0.0;
        };
        let size = seen.root.distance(seen.mid) + seen.mid.distance(seen.end);
        turn_to(posed, limb, &seen, target, pole, goal.soft);
        let Some(now) = Seen::of(posed, limb) else {
            return 0.0;
        };
        let off = target.distance(now.end);
        let is_better = off < 0.9 * missed;
        missed = off;
        if missed < 1e-5 * size || !is_better {
            break;
        }
    }
    let reached = [limb.upper, limb.lower].map(|bone| posed.local(bone).rotation);
    if weight < 1.0 {
        for ((bone, was), now) in [limb.upper, limb.lower]
            .into_iter()
            .zip(before)
            .zip(reached)
        {
            posed.set_rotation(bone, was * part(was.conjugate() * now, weight));
        }
    }
    if let Some(wanted) = goal.rotation {
        let parent = posed.parent_rotation(limb.end);
        let turned = end_in_model * part(end_in_model.conjugate() * wanted, weight);
        posed.set_rotation(limb.end, parent.conjugate() * turned);
    }
    let scale = Vec3::from(space.matrix3.y_axis).length();
    missed * scale
}

/// Turns upper and lower bone so that the end comes to a place in the space of [`Seen`].
fn turn_to(
    posed: &mut Posed<'_>,
    limb: &Limb,
    seen: &Seen,
    target: Vec3,
    pole: Option<Vec3>,
    soft: f32,
) {
    let hinge = seen.upper.transform_vector3(limb.hinge);
    let turns = solve_two_bone(&TwoBone {
        root: seen.root,
        mid: seen.mid,
        end: seen.end,
        target,
        pole: pole.unwrap_or(Vec3::ZERO),
        hinge: hinge.normalize_or_zero(),
        least: limb.range[0],
        most: limb.range[1],
        soft,
    });
    let (mut root, mut mid) = (turns.root, turns.mid);
    if let Some((rest, most)) = limb.cone {
        (root, mid) = within_cone(seen, root, mid, target, hinge, rest, most);
    }
    let own = seen.above_lower;
    posed.turn(limb.lower, own.conjugate() * mid * own);
    posed.turn(limb.upper, root);
}

/// Brings the upper bone back into its cone, and bends the lower one so that the end is as near to the target as
/// it can be from there.
fn within_cone(
    seen: &Seen,
    root: Quat,
    mid: Quat,
    target: Vec3,
    hinge: Vec3,
    rest: Vec3,
    most: f32,
) -> (Quat, Quat) {
    let upper = seen.mid - seen.root;
    let (Some(now), Some(rest)) = ((root * upper).try_normalize(), rest.try_normalize()) else {
        return (root, mid);
    };
    let angle = now.angle_between(rest);
    if angle <= most {
        return (root, mid);
    }
    let axis = now.cross(rest).try_normalize();
    let axis = axis.unwrap_or_else(|| now.any_orthonormal_vector());
    let root = Quat::from_axis_angle(axis, angle - most) * root;
    // The target as the turned upper bone sees it.
    let aim = root.conjugate() * (target - seen.root) - upper;
    let lower = seen.end - seen.mid;
    let Some(axis) = hinge.try_normalize() else {
        return (root, mid);
    };
    let (from, to) = (
        lower.reject_from_normalized(axis),
        aim.reject_from_normalized(axis),
    );
    if from.length() < 1e-9 || to.length() < 1e-9 {
        return (root, mid);
    }
    let angle = f32::atan2(axis.dot(from.cross(to)), from.dot(to));
    (root, Quat::from_axis_angle(axis, angle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::local_to_model;
    use crate::rig::posed::tests::skeleton;

    /// A trunk, an upper arm, a twist bone in it, a lower arm, a hand, a finger.
    fn arm() -> Skeleton {
        skeleton(&[
            (None, Vec3::Y),
            (Some(0), Vec3::new(0.2, 0.4, 0.0)),
            (Some(1), Vec3::X * 0.15),
            (Some(2), Vec3::X * 0.15),
            (Some(3), Vec3::new(0.25, 0.0, 0.02)),
            (Some(4), Vec3::X * 0.1),
        ])
    }

    fn limb(skeleton: &Skeleton) -> Limb {
        let locals: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(skeleton, &locals, &mut model);
        Limb::of(skeleton, &model, [1, 3, 4], Some(Vec3::NEG_Z)).unwrap()
    }

    /// How far the hand is from where it should be after a forward pass.
    fn off(goal: ReachGoal, change: impl Fn(&mut [Trs])) -> (f32, f32, Vec<Trs>) {
        let skeleton = arm();
        let limb = limb(&skeleton);
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        change(&mut locals);
        let mut model = Vec::new();
        local_to_model(&skeleton, &locals, &mut model);
        let mut posed = Posed::new(&skeleton, &mut locals, &model);
        let missed = reach(&mut posed, &limb, &goal);
        local_to_model(&skeleton, &locals, &mut model);
        let off = Vec3::from(model[4].translation).distance(goal.target);
        (off, missed, locals)
    }

    const GOAL: ReachGoal = ReachGoal {
        target: Vec3::new(0.4, 1.2, 0.25),
        rotation: None,
        pole: None,
        soft: 0.0,
        weight: 1.0,
    };

    #[test]
    fn a_hand_is_where_it_reaches_whatever_its_parents_are_scaled_by() {
        for scale in [
            Vec3::ONE,
            Vec3::splat(2.5),
            Vec3::new(1.0, 0.6, 1.7),
            Vec3::new(-1.0, 1.0, 1.0),
        ] {
            let (off, missed, _) = off(
                ReachGoal {
                    target: Vec3::new(0.4, 1.2, 0.25) * scale.abs().max_element() * scale.signum(),
                    ..GOAL
                },
                |locals| locals[0].scale = scale,
            );
            if scale.max_element() < 1.5 || scale.min_element() == scale.max_element() {
                assert!(off < 1e-4, "{scale}: {off}");
            }
            assert!(
                (off - missed).abs() < 0.8 * off.max(1e-3),
                "{scale} {off} {missed}"
            );
        }
    }

    #[test]
    fn bones_of_a_limb_that_are_scaled_unevenly_still_reach() {
        let (off, ..) = off(GOAL, |locals| {
            locals[1].scale = Vec3::new(1.1, 0.9, 1.2);
            locals[3].scale = Vec3::new(0.9, 1.1, 1.0);
        });
        assert!(off < 1e-3, "{off}");
    }

    #[test]
    fn the_end_is_turned_as_it_is_told_and_half_a_weight_is_half_the_turn() {
        let rotation = Quat::from_rotation_y(0.7);
        let skeleton = arm();
        let goal = ReachGoal {
            rotation: Some(rotation),
            ..GOAL
        };
        let (_, _, locals) = off(goal, |_| ());
        let mut model = Vec::new();
        local_to_model(&skeleton, &locals, &mut model);
        let hand = Trs::nearest(model[4]).rotation;
        assert!(hand.angle_between(rotation) < 1e-3);
        let (_, _, none) = off(
            ReachGoal {
                weight: 0.0,
                ..goal
            },
            |_| (),
        );
        assert_eq!(none, skeleton.rest().collect::<Vec<_>>());
        let (_, _, half) = off(
            ReachGoal {
                weight: 0.5,
                ..goal
            },
            |_| (),
        );
        for bone in [1, 3] {
            let whole = locals[bone].rotation.angle_between(none[bone].rotation);
            let part = half[bone].rotation.angle_between(none[bone].rotation);
            assert!(
                (part - 0.5 * whole).abs() < 0.03 * whole.max(0.1),
                "{whole} {part}"
            );
        }
    }

    #[test]
    fn a_shoulder_stays_within_its_cone() {
        let skeleton = arm();
        let mut own = limb(&skeleton);
        own.cone = Some((Vec3::X, 0.5));
        for target in [
            Vec3::new(-0.5, 1.3, 0.2),
            Vec3::new(0.3, 0.2, 0.1),
            Vec3::Y * 3.0,
        ] {
            let mut locals: Vec<Trs> = skeleton.rest().collect();
            let mut model = Vec::new();
            local_to_model(&skeleton, &locals, &mut model);
            let mut posed = Posed::new(&skeleton, &mut locals, &model);
            reach(&mut posed, &own, &ReachGoal { target, ..GOAL });
            let upper = (posed.position(3) - posed.position(1)).normalize();
            assert!(upper.angle_between(Vec3::X) < 0.501, "{target}");
        }
    }

    #[test]
    fn a_limb_of_no_length_or_of_loose_bones_is_none() {
        let skeleton = skeleton(&[(None, Vec3::Y), (Some(0), Vec3::ZERO), (Some(0), Vec3::X)]);
        let model: Vec<Affine3A> = skeleton.rest().map(Trs::to_affine).collect();
        assert!(Limb::of(&skeleton, &model, [0, 1, 2], None).is_none());
        assert!(Limb::of(&skeleton, &model, [0, 2, 1], None).is_none());
    }
}
