//! Two bones reach for a point: arms and legs (IK-08, IK-09, IK-11, IK-15).
//!
//! Exact and without stretch: the law of cosines gives the middle's angle, in half angles, so that nothing is
//! lost near straight and near folded limbs; what is too near or too far is reached for as far as it goes.

use std::f32::consts::PI;

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

pub use super::goals::{LEAST_ANGLE, TwoBone, TwoBoneTurns};
use super::{Posed, simd};
use galatea_anim::Skeleton;
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Corrections of the target in a limb whose bones are scaled unevenly.
const CORRECTIONS: usize = 3;
/// What need not be corrected, as a share of the limb's length.
const EXACT: f32 = 2e-5;
/// Sine of a bend at rest that tells the hinge by itself.
const CLEAR_BEND: f32 = 0.14;
/// Sine of a bend at rest that tells nothing.
const NO_BEND: f32 = 0.01;

/// Solves one limb. What is not finite gives turns of nothing. The result follows the target without jumps,
/// except through the root, through the direction of the pole and, without a pole, opposite of where the end is.
pub fn solve_two_bone(goal: &TwoBone) -> TwoBoneTurns {
    simd::two_bone(goal)
}

/// How far an upper bone may be turned away from a direction (IK-15).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Unit direction from root to middle in the space of the upper bone's parent.
    pub axis: Vec3,
    /// Half the angle at its tip, radians.
    pub half: f32,
}

/// A limb of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// The bone that turns at the root: upper arm, thigh.
    pub upper: u16,
    /// The bone that bends: lower arm, shin. Bones may stand between.
    pub lower: u16,
    /// The bone whose origin reaches: hand, foot.
    pub end: u16,
    /// As [`TwoBone::hinge`], in the space of the lower bone's parent.
    pub hinge: Vec3,
    /// Least inner angle at the middle, radians.
    pub least: f32,
    /// Greatest inner angle at the middle, radians.
    pub most: f32,
    /// Where the upper bone may point.
    pub cone: Option<Cone>,
}

impl Limb {
    /// The limb of three bones below each other. The hinge is that of the bend at rest; where that is straight,
    /// the middle shall point to `bends`, model space: forwards for knees, backwards and down for elbows.
    /// `None` for bones that do not hang below each other.
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
        let told = (-bends.reject_from(above.normalize_or(Vec3::Y))).cross(above);
        let hinge =
            if bend.length() > CLEAR_BEND || (bend.length() > NO_BEND && bend.dot(told) >= 0.0) {
                bend
            } else {
                told
            };
        let inwards = model(parent).matrix3.inverse();
        let hinge = axis_in(inwards, hinge.normalize_or(above.any_orthonormal_vector()));
        Some(Self {
            upper,
            lower,
            end,
            hinge,
            least: LEAST_ANGLE,
            most: PI,
            cone: None,
        })
    }
}

/// What a limb shall reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachGoal {
    /// Where `offset` of the end bone shall be, model space, metres.
    pub target: Vec3,
    /// The place of the end bone that reaches, in its space; its origin.
    pub offset: Vec3,
    /// How the end bone shall be turned, model space.
    pub rotation: Option<Quat>,
    /// To which side the middle shall point, model space.
    pub pole: Option<Vec3>,
    /// As [`TwoBone::soft`].
    pub soft: f32,
    /// Share of the turns, 0..=1; 0 leaves the pose alone (IK-11).
    pub weight: f32,
}

impl Default for ReachGoal {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            offset: Vec3::ZERO,
            rotation: None,
            pole: None,
            soft: 0.0,
            weight: 1.0,
        }
    }
}

/// An axis in another space: under a mirror a turn runs the other way round.
pub(super) fn axis_in(to: Mat3A, axis: Vec3) -> Vec3 {
    let turned = Vec3::from(to * Vec3A::from(axis)).normalize_or_zero();
    turned * to.determinant().signum()
}

/// The turn `by` in the space into which `to` leads.
pub(super) fn turn_in(to: Mat3A, by: Quat) -> Quat {
    let sine = by.xyz().length();
    let axis = axis_in(to, by.xyz());
    let turn = Quat::from_vec4((axis * sine).extend(by.w));
    if turn.is_finite() && turn.length_squared() > 0.5 {
        turn.normalize()
    } else {
        Quat::IDENTITY
    }
}

/// The rotation in a parent's space that gives a bone this rotation in model space.
pub(super) fn rotation_below(parent: Affine3A, rotation: Quat) -> Quat {
    let parent = Trs::near(parent);
    let q = parent.rotation.conjugate() * rotation;
    if parent.scale.x < 0.0 {
        // The nearest transform has the mirror in x.
        return Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
    }
    q
}

/// A space about another origin.
fn offset_by(mut space: Affine3A, origin: Vec3) -> Affine3A {
    if origin != Vec3::ZERO {
        space.translation = space.transform_point3a(origin.into());
    }
    space
}

/// A limb in the space of its upper bone's parent.
struct Bones {
    upper: Trs,
    /// From the lower bone's parent to the upper bone.
    between: Affine3A,
    lower: Trs,
    /// From the end bone to the lower one.
    tip: Affine3A,
}

impl Bones {
    /// The rotations of upper and lower bone as they were.
    fn rest(&self) -> (Quat, Quat) {
        (self.upper.rotation, self.lower.rotation)
    }

    /// Middle and end.
    fn places(&self, upper: Quat, lower: Quat) -> (Affine3A, Vec3, Vec3) {
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

/// The rotations of upper and lower bone after a solution; `outer` leads from the lower bone's parent outwards.
fn turned((upper, lower): (Quat, Quat), outer: Affine3A, turns: &TwoBoneTurns) -> (Quat, Quat) {
    let mid = turn_in(outer.matrix3.inverse(), turns.mid);
    ((turns.root * upper).normalize(), (mid * lower).normalize())
}

/// Has a limb of a pose reach, and gives the metres in model space that it misses at weight 1.
///
/// It works in the space of the upper bone's parent: scales above the limb cost nothing. Bones of the limb that
/// are scaled unevenly are reached with by a few corrections.
pub fn reach(posed: &mut Posed, limb: &Limb, goal: &ReachGoal) -> f32 {
    let Some(begun) = LimbReach::of(posed, limb, goal) else {
        return 0.0;
    };
    let turns = solve_two_bone(&begun.problem);
    begun.end(posed, limb, goal, &turns).0
}

/// Has limbs of a pose reach of which none hangs below another, solved side by side: the legs of a body. `reached` is told
/// the number of each goal and where its end is then, model-from-bone.
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

/// A limb of a pose that is about to reach.
struct LimbReach {
    /// Model space from that of the upper bone's parent, in which all else is.
    space: Affine3A,
    bones: Bones,
    outer: Affine3A,
    problem: TwoBone,
}

impl LimbReach {
    /// `None` where nothing can be reached.
    fn of(posed: &Posed, limb: &Limb, goal: &ReachGoal) -> Option<Self> {
        let parent = posed.parent(limb.lower)?;
        // The end is turned last: a place of it that is to be turned somehow has its origin where that turn wants it.
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
        let (outer, mid, end) = bones.places(bones.upper.rotation, bones.lower.rotation);
        let pole = goal.pole.unwrap_or_default();
        let problem = TwoBone {
            root: bones.upper.translation,
            mid,
            end,
            target: inwards.transform_point3(target),
            pole: inwards.transform_vector3(pole),
            hinge: axis_in(outer.matrix3, limb.hinge),
            least: limb.least,
            most: limb.most,
            soft: goal.soft,
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

    /// Turns the bones as it was solved; metres missed, and the model-from-bone matrix of the end where that is known.
    fn end(
        &self,
        posed: &mut Posed,
        limb: &Limb,
        goal: &ReachGoal,
        turns: &TwoBoneTurns,
    ) -> (f32, Option<Affine3A>) {
        let Self {
            space,
            bones,
            outer,
            problem,
        } = self;
        let target = problem.target;
        let exact =
            EXACT * (problem.mid.distance(problem.root) + problem.mid.distance(problem.end));
        let solved = within_cone(problem, turns, bones.rest(), *outer, limb.cone);
        let (mut inner, _, mut end) = bones.places(solved.0, solved.1);
        let mut best = (end.distance(target), solved);
        // Uneven scales make the middle turn too far or too little: asked for another distance, it comes right.
        if best.0 > exact && (best.0 - turns.missed).abs() > exact {
            let ideal =
                turns.root * (problem.mid + turns.mid * (problem.end - problem.mid) - problem.root);
            best = corrected(problem, bones, ideal, limb.cone, best, exact);
            (inner, _, end) = bones.places(best.1.0, best.1.1);
        }
        let (missed, (upper, lower)) = best;
        let missed = scale_along(*space, target, end, missed);
        // Not a number is no weight.
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
            let was = posed.local(limb.end).rotation;
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
            let wanted = rotation_below(parent, rotation.normalize());
            posed.set_rotation(limb.end, reached(was, wanted));
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

/// Looks for the distance to ask for so that the end comes as far from the root as `ideal` is; the root then
/// turns it there exactly.
fn corrected(
    problem: &TwoBone,
    bones: &Bones,
    ideal: Vec3,
    cone: Option<Cone>,
    mut best: (f32, (Quat, Quat)),
    exact: f32,
) -> (f32, (Quat, Quat)) {
    let (outer, ..) = bones.places(bones.upper.rotation, bones.lower.rotation);
    let wanted = ideal.length();
    let way = ideal.normalize_or_zero();
    let mut asked = wanted;
    let mut before: Option<(f32, f32)> = None;
    for _ in 0..=CORRECTIONS {
        let bent = solve_two_bone(&TwoBone {
            target: problem.root + way * asked,
            soft: 0.0,
            ..*problem
        });
        let mid = TwoBoneTurns {
            root: Quat::IDENTITY,
            ..bent
        };
        let now = turned(bones.rest(), outer, &mid);
        let (bent_outer, mid, end) = bones.places(now.0, now.1);
        let came = end.distance(problem.root);
        let turn = TwoBone {
            mid,
            end,
            target: problem.root + way * came,
            soft: 0.0,
            ..*problem
        };
        let turns = solve_two_bone(&turn);
        let found = within_cone(&turn, &turns, now, bent_outer, cone);
        let missed = bones.places(found.0, found.1).2.distance(problem.target);
        if missed < best.0 {
            best = (missed, found);
        }
        let error = wanted - came;
        if error.abs() <= exact {
            break;
        }
        let slope = before.map_or(1.0, |(asked_before, came_before)| {
            let slope = (asked - asked_before) / (came - came_before);
            if (0.2..5.0).contains(&slope) {
                slope
            } else {
                1.0
            }
        });
        before = Some((asked, came));
        asked += error * slope;
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

/// The rotations of upper and lower bone, the upper one within its cone: first another swivel about the line
/// to the target is looked for, which costs no reach; else the lower bone points at the target from the edge.
fn within_cone(
    problem: &TwoBone,
    turns: &TwoBoneTurns,
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
    let other = line.cross(side);
    let (base, cosine, sine) = (along.dot(axis), side.dot(axis), other.dot(axis));
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
        return turned(now, outer, &TwoBoneTurns { root, ..*turns });
    }
    let aside = points
        .reject_from_normalized(axis)
        .normalize_or(axis.any_orthonormal_vector());
    let edge = axis * limit + aside * (1.0 - limit * limit).max(0.0).sqrt();
    let root = Quat::from_rotation_arc(points, edge) * turns.root;
    point_lower(problem, now, outer, root)
}

/// With the upper bone's direction given by the turn `root`, brings the end as near to the target as the
/// middle's angle allows.
fn point_lower(problem: &TwoBone, now: (Quat, Quat), outer: Affine3A, root: Quat) -> (Quat, Quat) {
    let mid = problem.root + root * (problem.mid - problem.root);
    let upper = (problem.root - mid).normalize_or_zero();
    let to = (problem.target - mid).normalize_or(-upper);
    let [least, most] = [problem.least, problem.most].map(|angle| angle.clamp(0.0, PI));
    let angle = upper.angle_between(to).clamp_to(least.min(most), most);
    // A target that far from the middle, seen under that angle, has the middle bent as far as that.
    let length = problem.end.distance(problem.mid);
    let side = to.reject_from_normalized(upper);
    let side = side.normalize_or(upper.any_orthonormal_vector());
    let end = mid + (upper * angle.cos() + side * angle.sin()) * length;
    let turns = solve_two_bone(&TwoBone {
        target: end,
        pole: mid - problem.root,
        soft: 0.0,
        ..*problem
    });
    turned(now, outer, &turns)
}

#[cfg(test)]
mod tests;
