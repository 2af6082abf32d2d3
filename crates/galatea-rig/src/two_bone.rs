//! Two-bone IK for arms and legs.
//!
//! Analytic, without stretching. The law of cosines gives the middle angle in terms of half angles, which keeps precision
//! for nearly straight and nearly folded limbs. Targets too near or too far are approached as closely as possible.

use std::f32::consts::PI;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use serde::{Deserialize, Serialize};

pub use super::goals::{MIN_ANGLE, TwoBone, TwoBoneSolution};
use super::{Posed, simd};
use galatea_anim::Skeleton;
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Number of target corrections for limbs whose bones are scaled unevenly.
const CORRECTIONS: usize = 3;
/// Error that needs no correction, as a fraction of the limb's length.
const TOLERANCE: f32 = 2e-5;
/// Sine of a rest bend that defines the hinge by itself.
const CLEAR_BEND: f32 = 0.14;
/// Sine of a rest bend below which the rest pose does not define a hinge.
const NO_BEND: f32 = 0.01;

/// Solves one limb. Non-finite input gives identity rotations. The result is continuous in the target, except through the
/// root, through the direction of the pole, and, without a pole, opposite to the current end.
pub fn solve_two_bone(goal: &TwoBone) -> TwoBoneSolution {
    simd::two_bone(goal)
}

/// Limits how far an upper bone may rotate away from a direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cone {
    /// Unit direction from root to middle in the space of the upper bone's parent.
    pub axis: Vec3,
    /// Half angle of the cone, radians.
    pub half: f32,
}

/// A limb of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limb {
    /// Bone that rotates at the root: upper arm or thigh.
    pub upper: u16,
    /// Bone that bends: lower arm or shin. There may be bones in between.
    pub lower: u16,
    /// Bone whose origin reaches: hand or foot.
    pub end: u16,
    /// Hinge axis as in [`TwoBone::hinge`], in the space of the lower bone's parent.
    pub hinge: Vec3,
    /// Minimum inner angle at the middle joint, radians.
    pub min_angle: f32,
    /// Maximum inner angle at the middle joint, radians.
    pub max_angle: f32,
    /// Limit of the upper bone's direction.
    pub cone: Option<Cone>,
}

impl Limb {
    /// Builds a limb from three bones, each a descendant of the previous one. The hinge comes from the bend at rest; where
    /// that is straight, the middle joint shall point to `bends`, model space: forwards for knees, backwards and down for
    /// elbows. `None` if the bones are not descendants of each other.
    pub fn of(skeleton: &Skeleton, upper: u16, lower: u16, end: u16, bends: Vec3) -> Option<Self> {
        let bones = skeleton.bones();
        let exists = |bone: u16| usize::from(bone) < bones.len();
        let parent_of = |bone: u16| bones.get(usize::from(bone)).and_then(|bone| bone.parent);
        let is_below = |bone: u16, above: u16| {
            let mut up = std::iter::successors(parent_of(bone), |bone| parent_of(*bone));
            up.find(|bone| *bone == above)
        };
        if ![upper, lower, end].into_iter().all(exists) {
            return None;
        }
        let parent = is_below(lower, upper).and(parent_of(lower))?;
        is_below(end, lower)?;
        let model = |bone: u16| {
            let up = std::iter::successors(Some(bone), |bone| bones[usize::from(*bone)].parent);
            up.fold(Affine3A::IDENTITY, |below, bone| {
                bones[usize::from(bone)].rest.to_affine() * below
            })
        };
        let [root, mid, tip] = [upper, lower, end].map(|bone| Vec3::from(model(bone).translation));
        let (above, below) = (
            (root - mid).normalize_or_zero(),
            (tip - mid).normalize_or_zero(),
        );
        let bend = below.cross(above);
        let hinge_from_bends = (-bends.reject_from(above.normalize_or(Vec3::Y))).cross(above);
        let hinge = if bend.length() > CLEAR_BEND
            || (bend.length() > NO_BEND && bend.dot(hinge_from_bends) >= 0.0)
        {
            bend
        } else {
            hinge_from_bends
        };
        let inwards = model(parent).matrix3.inverse();
        let hinge = axis_in(inwards, hinge.normalize_or(above.any_orthonormal_vector()));
        Some(Self {
            upper,
            lower,
            end,
            hinge,
            min_angle: MIN_ANGLE,
            max_angle: PI,
            cone: None,
        })
    }
}

/// Goal of a limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachGoal {
    /// Target position of `offset` of the end bone, model space, metres.
    pub target: Vec3,
    /// Point of the end bone that reaches, in its space; by default its origin.
    pub offset: Vec3,
    /// Target rotation of the end bone, model space.
    pub rotation: Option<Quat>,
    /// Direction to which the middle joint shall point, model space.
    pub pole: Option<Vec3>,
    /// Soft IK zone as in [`TwoBone::softness`].
    pub softness: f32,
    /// Fraction of the rotations, 0..=1; 0 does not change the pose.
    pub weight: f32,
}

impl Default for ReachGoal {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            offset: Vec3::ZERO,
            rotation: None,
            pole: None,
            softness: 0.0,
            weight: 1.0,
        }
    }
}

/// Transforms a rotation axis to another space; a mirrored space reverses the rotation.
pub(super) fn axis_in(to: Mat3A, axis: Vec3) -> Vec3 {
    let turned = Vec3::from(to * Vec3A::from(axis)).normalize_or_zero();
    turned * to.determinant().signum()
}

/// Transforms the rotation `by` to the space into which `to` leads.
pub(super) fn turn_in(to: Mat3A, by: Quat) -> Quat {
    let sine = by.xyz().length();
    let axis = axis_in(to, by.xyz());
    let rotation = Quat::from_vec4((axis * sine).extend(by.w));
    if rotation.is_finite() && rotation.length_squared() > 0.5 {
        rotation.normalize()
    } else {
        Quat::IDENTITY
    }
}

/// Rotation in the parent's space that gives a bone this rotation in model space.
pub(super) fn rotation_below(parent: Affine3A, rotation: Quat) -> Quat {
    let parent = Trs::near(parent);
    let q = parent.rotation.conjugate() * rotation;
    if parent.scale.x < 0.0 {
        // The nearest transform has the mirror in x.
        return Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
    }
    q
}

/// Moves a space to another origin.
fn offset_by(mut space: Affine3A, origin: Vec3) -> Affine3A {
    if origin != Vec3::ZERO {
        space.translation = space.transform_point3a(origin.into());
    }
    space
}

/// A limb in the space of its upper bone's parent.
struct Bones {
    upper: Trs,
    /// Matrix from the lower bone's parent to the upper bone.
    between: Affine3A,
    lower: Trs,
    /// Matrix from the end bone to the lower one.
    tip: Affine3A,
}

impl Bones {
    /// Current rotations of upper and lower bone.
    fn rest(&self) -> (Quat, Quat) {
        (self.upper.rotation, self.lower.rotation)
    }

    /// Positions of middle and end, after the matrix of the lower bone's parent.
    fn positions(&self, upper: Quat, lower: Quat) -> (Affine3A, Vec3, Vec3) {
        let rotation = upper;
        let parent = Trs {
            rotation,
            ..self.upper
        }
        .to_affine()
            * self.between;
        let rotation = lower;
        let bent = Trs {
            rotation,
            ..self.lower
        };
        let mid = parent.transform_point3(bent.translation);
        let end = parent * bent.to_affine() * self.tip;
        (parent, mid, end.translation.into())
    }
}

/// Rotations of upper and lower bone after a solution; `outer` leads from the lower bone's parent to the common space.
fn turned((upper, lower): (Quat, Quat), outer: Affine3A, turns: &TwoBoneSolution) -> (Quat, Quat) {
    let mid = turn_in(outer.matrix3.inverse(), turns.mid);
    ((turns.root * upper).normalize(), (mid * lower).normalize())
}

/// Solves a limb of a pose and returns the remaining distance at weight 1, model space, metres.
///
/// The solver works in the space of the upper bone's parent, so scales above the limb have no effect. For limbs with
/// unevenly scaled bones it makes a few corrections.
pub fn reach(posed: &mut Posed, limb: &Limb, goal: &ReachGoal) -> f32 {
    let Some(begun) = LimbReach::of(posed, limb, goal) else {
        return 0.0;
    };
    let turns = solve_two_bone(&begun.problem);
    begun.end(posed, limb, goal, &turns).0
}

/// Solves several limbs of a pose, none of which is a descendant of another, in SIMD lanes: for example the legs of a body.
/// `reached` receives the index of each goal and the model-from-bone matrix of its end.
pub fn reach_together<'a>(
    posed: &mut Posed,
    goals: impl IntoIterator<Item = (&'a Limb, ReachGoal)>,
    mut reached: impl FnMut(usize, Affine3A),
) {
    let mut first = 0;
    let mut goals = goals.into_iter().fuse();
    let mut begun: [_; simd::GOALS] = std::array::from_fn(|_| None);
    loop {
        let mut solving = simd::Few::default();
        let mut n = 0;
        for (slot, (limb, goal)) in begun.iter_mut().zip(goals.by_ref()) {
            let one = slot.insert((limb, goal, LimbReach::of(posed, limb, &goal)));
            if let Some(begun) = &one.2 {
                solving.put(n, &begun.problem);
            }
            n += 1;
        }
        if n == 0 {
            return;
        }
        let turns = solving.solve();
        for (lane, one) in begun[..n].iter().enumerate() {
            let Some((limb, goal, one)) = one else {
                continue;
            };
            let (_, end) = match one {
                Some(one) => one.end(posed, limb, goal, &turns.get(lane)),
                None => (0.0, None),
            };
            reached(first + lane, end.unwrap_or_else(|| posed.model(limb.end)));
        }
        first += n;
    }
}

/// A limb of a pose, ready to be solved.
struct LimbReach {
    /// Matrix to model space from the space of the upper bone's parent, which all other fields use.
    space: Affine3A,
    bones: Bones,
    outer: Affine3A,
    problem: TwoBone,
}

impl LimbReach {
    /// Prepares a limb; `None` if it cannot be solved.
    fn of(posed: &Posed, limb: &Limb, goal: &ReachGoal) -> Option<Self> {
        let parent = posed.parent(limb.lower)?;
        // The end is rotated last. With a target rotation, the offset point defines where the origin must be.
        let (aside, target) = match goal.rotation.filter(|q| q.is_finite()) {
            _ if goal.offset == Vec3::ZERO => (Vec3::ZERO, goal.target),
            Some(rotation) => {
                let scale = Trs::near(posed.model(limb.end)).scale;
                (Vec3::ZERO, goal.target - rotation * (goal.offset * scale))
            }
            None => (goal.offset, goal.target),
        };
        let bones = Bones {
            upper: posed.local(limb.upper),
            between: posed.below(limb.upper, parent)?,
            lower: posed.local(limb.lower),
            tip: offset_by(posed.below(limb.lower, limb.end)?, aside),
        };
        let space = posed.parent_model(limb.upper);
        let inwards = space.inverse();
        let (outer, mid, end) = bones.positions(bones.upper.rotation, bones.lower.rotation);
        let pole = goal.pole.unwrap_or_default();
        let problem = TwoBone {
            root: bones.upper.translation,
            mid,
            end,
            target: inwards.transform_point3(target),
            pole: inwards.transform_vector3(pole),
            hinge: axis_in(outer.matrix3, limb.hinge),
            min_angle: limb.min_angle,
            max_angle: limb.max_angle,
            softness: goal.softness,
        };
        let is_finite =
            inwards.is_finite() && problem.target.is_finite() && problem.pole.is_finite();
        is_finite.then_some(Self {
            space,
            bones,
            outer,
            problem,
        })
    }

    /// Applies a solution to the bones. Returns the remaining distance, metres, and the model-from-bone matrix of the end if
    /// known.
    fn end(
        &self,
        posed: &mut Posed,
        limb: &Limb,
        goal: &ReachGoal,
        turns: &TwoBoneSolution,
    ) -> (f32, Option<Affine3A>) {
        let Self {
            space,
            bones,
            outer,
            problem,
        } = self;
        let target = problem.target;
        let exact =
            TOLERANCE * (problem.mid.distance(problem.root) + problem.mid.distance(problem.end));
        let solved = within_cone(problem, turns, bones.rest(), *outer, limb.cone);
        let (mut inner, _, mut end) = bones.positions(solved.0, solved.1);
        let mut best = (end.distance(target), solved);
        // Uneven scales make the middle bend too far or too little; another requested distance compensates for it.
        if best.0 > exact && (best.0 - turns.target_error).abs() > exact {
            let ideal =
                turns.root * (problem.mid + turns.mid * (problem.end - problem.mid) - problem.root);
            best = corrected(problem, bones, ideal, limb.cone, best, exact);
            (inner, _, end) = bones.positions(best.1.0, best.1.1);
        }
        let (missed, (upper, lower)) = best;
        let missed = scale_along(*space, target, end, missed);
        // NaN counts as zero weight.
        if goal.weight.is_nan() || goal.weight <= 0.0 {
            return (missed, None);
        }
        let mut model = None;
        let reached = |q: Quat, to: Quat| {
            if goal.weight >= 1.0 {
                to
            } else {
                q.slerp(to, goal.weight)
            }
        };
        posed.set_rotation(limb.upper, upper);
        posed.set_rotation(limb.lower, lower);
        if let Some(rotation) = goal.rotation.filter(|q| q.is_finite()) {
            let previous = posed.local(limb.end).rotation;
            let hangs_on_lower = posed.parent(limb.end) == Some(limb.lower);
            let parent = if hangs_on_lower {
                let rotation = lower;
                *space
                    * inner
                    * Trs {
                        rotation,
                        ..bones.lower
                    }
                    .to_affine()
            } else {
                posed.parent_model(limb.end)
            };
            let target_rotation = rotation_below(parent, rotation.normalize());
            posed.set_rotation(limb.end, reached(previous, target_rotation));
            if hangs_on_lower && goal.weight >= 1.0 {
                model = Some(parent * posed.local(limb.end).to_affine());
            }
        }
        if goal.weight < 1.0 {
            posed.set_rotation(limb.upper, reached(bones.upper.rotation, upper));
            posed.set_rotation(limb.lower, reached(bones.lower.rotation, lower));
        }
        (missed, model)
    }
}

/// Searches for the distance to request so that the end is as far from the root as `ideal`; the root rotation then aims it
/// exactly.
fn corrected(
    problem: &TwoBone,
    bones: &Bones,
    ideal: Vec3,
    cone: Option<Cone>,
    mut best: (f32, (Quat, Quat)),
    exact: f32,
) -> (f32, (Quat, Quat)) {
    let (outer, ..) = bones.positions(bones.upper.rotation, bones.lower.rotation);
    let target_distance = ideal.length();
    let direction = ideal.normalize_or_zero();
    let mut requested = target_distance;
    let mut before: Option<(f32, f32)> = None;
    for _ in 0..=CORRECTIONS {
        let bent = solve_two_bone(&TwoBone {
            target: problem.root + direction * requested,
            softness: 0.0,
            ..*problem
        });
        let mid = TwoBoneSolution {
            root: Quat::IDENTITY,
            ..bent
        };
        let now = turned(bones.rest(), outer, &mid);
        let (bent_outer, mid, end) = bones.positions(now.0, now.1);
        let reached_distance = end.distance(problem.root);
        let turn = TwoBone {
            mid,
            end,
            target: problem.root + direction * reached_distance,
            softness: 0.0,
            ..*problem
        };
        let turns = solve_two_bone(&turn);
        let found = within_cone(&turn, &turns, now, bent_outer, cone);
        let missed = bones.positions(found.0, found.1).2.distance(problem.target);
        if missed < best.0 {
            best = (missed, found);
        }
        let error = target_distance - reached_distance;
        if error.abs() <= exact {
            break;
        }
        let slope = before.map_or(1.0, |(requested_before, reached_before)| {
            let slope = (requested - requested_before) / (reached_distance - reached_before);
            if (0.2..5.0).contains(&slope) {
                slope
            } else {
                1.0
            }
        });
        before = Some((requested, reached_distance));
        requested += error * slope;
    }
    best
}

/// A distance between two points in model space.
fn scale_along(space: Affine3A, a: Vec3, b: Vec3, otherwise: f32) -> f32 {
    let distance = space.transform_vector3(b - a).length();
    if distance.is_finite() {
        distance
    } else {
        otherwise
    }
}

/// Rotations of upper and lower bone with the upper one inside of its cone. It first tries another swivel about the line to
/// the target, which costs no reach; otherwise the lower bone points at the target from the edge of the cone.
fn within_cone(
    problem: &TwoBone,
    turns: &TwoBoneSolution,
    now: (Quat, Quat),
    outer: Affine3A,
    cone: Option<Cone>,
) -> (Quat, Quat) {
    let solved = turned(now, outer, turns);
    let Some(cone) = cone else {
        return solved;
    };
    let (mid, axis) = (problem.mid - problem.root, cone.axis.normalize_or_zero());
    let limit = cone.half.clamp(0.0, PI).cos();
    let points = (turns.root * mid).normalize_or_zero();
    if axis == Vec3::ZERO || points == Vec3::ZERO || points.dot(axis) >= limit {
        return solved;
    }
    let line = (problem.target - problem.root).normalize_or(points);
    let (along, side) = (line * points.dot(line), points.reject_from_normalized(line));
    // points·axis = base + swing · cos(φ - φ₀) while the limb swivels by φ.
    let normal = line.cross(side);
    let (base, cosine, sine) = (along.dot(axis), side.dot(axis), normal.dot(axis));
    let swing = cosine.hypot(sine);
    if limit <= base + swing && swing > 1e-6 {
        let nearest = sine.atan2(cosine);
        let free = ((limit - base) / swing).clamp(-1.0, 1.0).acos();
        let swivel = if nearest > 0.0 {
            nearest - free
        } else {
            nearest + free
        };
        let root = Quat::from_axis_angle(line, swivel) * turns.root;
        return turned(now, outer, &TwoBoneSolution { root, ..*turns });
    }
    let aside = points
        .reject_from_normalized(axis)
        .normalize_or(axis.any_orthonormal_vector());
    let edge = axis * limit + aside * (1.0 - limit * limit).max(0.0).sqrt();
    let root = Quat::from_rotation_arc(points, edge) * turns.root;
    point_lower(problem, now, outer, root)
}

/// With the upper bone's direction fixed by the rotation `root`, brings the end as near to the target as the middle joint
/// allows.
fn point_lower(problem: &TwoBone, now: (Quat, Quat), outer: Affine3A, root: Quat) -> (Quat, Quat) {
    let mid = problem.root + root * (problem.mid - problem.root);
    let upper = (problem.root - mid).normalize_or_zero();
    let to = (problem.target - mid).normalize_or(-upper);
    let [min, max] = [problem.min_angle, problem.max_angle].map(|angle| angle.clamp(0.0, PI));
    let angle = upper.angle_between(to).clamp_to(min.min(max), max);
    // The middle joint bends as far as its limits allow towards a target at this distance and angle.
    let length = problem.end.distance(problem.mid);
    let side = to.reject_from_normalized(upper);
    let side = side.normalize_or(upper.any_orthonormal_vector());
    let end = mid + (upper * angle.cos() + side * angle.sin()) * length;
    let turns = solve_two_bone(&TwoBone {
        target: end,
        pole: mid - problem.root,
        softness: 0.0,
        ..*problem
    });
    turned(now, outer, &turns)
}

#[cfg(test)]
mod tests;
