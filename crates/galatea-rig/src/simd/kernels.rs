//! Two-bone IK and aim for one register of goals, generic over the register width. Aims use it with one float.
//!
//! Callers: `mod.rs` of this folder. No angle is computed: rotations are made from sines and cosines of half angles, which
//! follow from lengths without loss of precision for nearly straight and nearly folded limbs.

use super::{GOALS, TwoBoneGroup, TwoBoneSolutionGroup};
use galatea_math::simd::Floats;
use galatea_math::simd::vectors::{
    MIN_LENGTH, V3, V4, across, add, along, any_across, back, choose, cross, dot, frame_turn,
    load3, negated, product, scaled, side_or, store4, sub, turned, unit_or, unit4,
};

/// Weight of the hinge in the side of a bend: it equals that of a bend with this sine.
const HINGE_WEIGHT: f32 = 0.02;
/// Inverse of the squared sine of a bend above which the hinge has no weight.
const HINGE_FADE: f32 = 100.0;

/// A register of two-bone goals.
pub(super) struct TwoBoneGoal<L> {
    pub root: V3<L>,
    pub mid: V3<L>,
    pub end: V3<L>,
    pub target: V3<L>,
    pub pole: V3<L>,
    pub hinge: V3<L>,
    /// Squared sine of half the minimum inner angle.
    pub min_angle: L,
    /// Squared sine of half the maximum inner angle.
    pub max_angle: L,
    pub softness: L,
}

/// Bend plane of a limb, as unit vectors from its middle joint.
struct BendPlane<L> {
    /// Direction to the root.
    upper: V3<L>,
    /// Direction to the end.
    lower: V3<L>,
    /// Direction perpendicular to `upper`, towards the end.
    side: V3<L>,
}

/// Sine and cosine of half the inner angle at the middle joint.
struct Opening<L> {
    sine_squared: L,
    sine: L,
    cosine: L,
}

/// Rotations of root and middle, and the remaining distance, metres.
#[inline(always)]
pub(super) fn two_bone<L: Floats>(goal: &TwoBoneGoal<L>) -> (V4<L>, V4<L>, L) {
    let zero = goal.softness.like(0.0);
    let one = zero.like(1.0);
    let two = zero.like(2.0);
    let upper = sub(goal.root, goal.mid);
    let lower = sub(goal.end, goal.mid);
    let to = sub(goal.target, goal.root);
    let (a, b) = (dot(upper, upper).sqrt(), dot(lower, lower).sqrt());
    let plane = bend_plane(upper, lower, goal.hinge);

    let opened = sub(plane.upper, plane.lower);
    let s0_squared = dot(opened, opened).mul(zero.like(0.25));
    let normal = cross(plane.upper, plane.lower);
    let sine0 = dot(normal, normal).sqrt();
    let (target, missed) = target_opening(goal, [a, b], dot(to, to).sqrt());
    let mid = mid_turn(&plane, normal, s0_squared.sqrt(), &target);

    let difference = a.sub(b);
    let b2 = b.mul(two);
    let bent = line_to_end(
        &plane,
        b2.mul_add(target.sine_squared, difference),
        b2.mul(target.sine).mul(target.cosine),
    );
    let now = line_to_end(&plane, b2.mul_add(s0_squared, difference), b.mul(sine0));
    let root = frame_turn(bent, line_to_target(to, goal.pole, now));

    // Non-finite values give the identity, and so does a limb without length.
    let mut sum = add(goal.hinge, goal.pole);
    sum = add(sum, add(to, add(upper, lower)));
    let sum = sum[0].add(sum[1]).add(sum[2]).add(missed);
    let sum = sum.add(root[0]).add(root[1]).add(root[2]).add(root[3]);
    let sum = sum.add(mid[0]).add(mid[1]).add(mid[2]).add(mid[3]);
    let is_finite = sum.mul(zero).add(one);
    let is_long = a.add(b).sub(zero.like(MIN_LENGTH));
    let still = [zero, zero, zero, one];
    (
        choose(is_finite, choose(is_long, root, still), still),
        choose(is_finite, choose(is_long, mid, still), still),
        is_finite.choose(missed, zero),
    )
}

/// Bend plane of a limb with the vectors `upper` to the root and `lower` to the end, from the middle joint.
#[inline(always)]
fn bend_plane<L: Floats>(upper: V3<L>, lower: V3<L>, hinge: V3<L>) -> BendPlane<L> {
    let zero = upper[0].like(0.0);
    let one = zero.like(1.0);
    // A bone without length counts as straight.
    let up = [zero, one, zero];
    let least2 = MIN_LENGTH * MIN_LENGTH;
    let v = unit_or(lower, least2, up);
    let u = unit_or(upper, least2, negated(v));
    let v = unit_or(lower, least2, negated(u));
    let bent = across(v, u);
    let by_hinge = cross(u, hinge);
    let fading = zero.like(HINGE_FADE).neg_mul_add(dot(bent, bent), one);
    let weight = fading.max(zero).mul(zero.like(HINGE_WEIGHT));
    let w = along(by_hinge, weight, bent);
    BendPlane {
        upper: u,
        lower: v,
        side: side_or(w, 1e-8, u, any_across(u)),
    }
}

/// Opening that brings the end of bones of lengths `a` and `b` to a distance `d` from the root, within the goal's limits,
/// and the remaining distance, metres.
#[inline(always)]
fn target_opening<L: Floats>(goal: &TwoBoneGoal<L>, [a, b]: [L; 2], d: L) -> (Opening<L>, L) {
    let zero = goal.softness.like(0.0);
    let one = zero.like(1.0);
    let difference = a.sub(b);
    let square = difference.mul(difference);
    let product4 = zero.like(4.0).mul(a).mul(b);
    let far = product4.mul_add(goal.max_angle, square).sqrt();
    let zone = goal.softness.mul(far);
    let begins = far.sub(zone);
    let tiny = zero.like(1e-12);
    let over = d.sub(begins).div(zone.max(tiny));
    let slowed = over.div(over.mul_add(over, one).sqrt());
    let target = over.choose(zone.mul_add(slowed, begins), d);
    let s_squared = target
        .sub(difference)
        .mul(target.add(difference))
        .div(product4.max(tiny));
    let s_squared = product4.sub(tiny).choose(s_squared, goal.max_angle);
    let s_squared = s_squared.min(goal.max_angle).max(goal.min_angle);
    let reached = product4.mul_add(s_squared, square).sqrt();
    let missed = d.sub(reached);
    let opening = Opening {
        sine_squared: s_squared,
        sine: s_squared.sqrt(),
        cosine: one.sub(s_squared).max(zero).sqrt(),
    };
    (opening, missed.max(zero.sub(missed)))
}

/// Rotation of the middle joint: opens the limb about its current axis, or closes it about the target one. `normal` is
/// `upper` cross `lower`, `s0` the sine of half the current inner angle.
#[inline(always)]
fn mid_turn<L: Floats>(plane: &BendPlane<L>, normal: V3<L>, s0: L, target: &Opening<L>) -> V4<L> {
    let zero = s0.like(0.0);
    let one = zero.like(1.0);
    let (half, two) = (zero.like(0.5), zero.like(2.0));
    let (s, k) = (target.sine, target.cosine);
    let closing = cross(plane.side, plane.upper);
    let straighten = scaled(normal, half.div(s0.max(zero.like(1e-4))));
    let folded = s0.sub(zero.like(1e-4));
    let [x, y, z] = choose(folded, straighten, negated(closing));
    let open = [x, y, z, s0];
    let [x, y, z] = scaled(closing, k);
    let turn = unit4(product([x, y, z, s], open));
    // Corrects the remaining rounding error.
    let cosine = two.neg_mul_add(target.sine_squared, one);
    let lower_to = along(plane.upper, cosine, scaled(plane.side, two.mul(s).mul(k)));
    let lower_at = turned(turn, plane.lower);
    let [x, y, z] = cross(lower_at, lower_to);
    let rest = [x, y, z, one.add(dot(lower_at, lower_to))];
    unit4(product(rest, turn))
}

/// Line from root to end and its side towards the middle joint. The end is `x` metres from the root back along the upper
/// bone, and `y` metres to the side in the plane.
#[inline(always)]
fn line_to_end<L: Floats>(plane: &BendPlane<L>, x: L, y: L) -> [V3<L>; 2] {
    let zero = x.like(0.0);
    let one = zero.like(1.0);
    let (u, w) = (plane.upper, plane.side);
    let squared = x.mul_add(x, y.mul(y));
    let test = squared.sub(zero.like(1e-18));
    let by = one.div(test.choose(squared, one).sqrt());
    let (x, y) = (test.choose(x.mul(by), zero), test.choose(y.mul(by), one));
    [back(u, x, scaled(w, y)), negated(along(u, y, scaled(w, x)))]
}

/// Line from root to target and its side towards the pole. Without a pole, the side of the current line moves along the
/// shortest arc between both lines.
#[inline(always)]
fn line_to_target<L: Floats>(to: V3<L>, pole: V3<L>, [end0, side0]: [V3<L>; 2]) -> [V3<L>; 2] {
    let zero = to[0].like(0.0);
    let one = zero.like(1.0);
    let t = unit_or(to, MIN_LENGTH * MIN_LENGTH, end0);
    let facing = one.add(dot(end0, t));
    let lean = dot(side0, t).div(facing.max(zero.like(1e-6)));
    let side_on_arc = back(add(end0, t), lean, side0);
    let side_on_arc = side_or(
        side_on_arc,
        1e-2,
        t,
        side_or(negated(side0), 1e-2, t, any_across(t)),
    );
    let nothing = [zero, zero, zero];
    let pole = unit_or(pole, 1e-24, nothing);
    [t, side_or(pole, 1e-6, t, side_on_arc)]
}

/// A register of aim goals.
pub(super) struct AimGoals<L> {
    pub pivot: V3<L>,
    pub forward: V3<L>,
    pub offset: V3<L>,
    pub target: V3<L>,
    pub up: V3<L>,
    /// Cosine and sine of the largest rotation.
    pub cone: [L; 2],
    /// Above 0, up stays up.
    pub upright: L,
}

/// Rotation, and length of the chord between the resulting direction and the target direction.
#[inline(always)]
pub(super) fn aim<L: Floats>(goal: &AimGoals<L>) -> (V4<L>, L) {
    let zero = goal.upright.like(0.0);
    let one = zero.like(1.0);
    let least2 = MIN_LENGTH * MIN_LENGTH;
    let nothing = [zero, zero, zero];
    let to = sub(goal.target, goal.pivot);
    let squared = dot(to, to);
    let forward = unit_or(goal.forward, 1e-24, nothing);
    // The point of the line at the target's distance from the pivot, which is rotated onto the target.
    let ahead = dot(goal.offset, forward);
    let offset_squared = dot(goal.offset, goal.offset);
    let under = ahead.mul_add(ahead, squared).sub(offset_squared);
    let distance = under.max(zero).sqrt().sub(ahead).max(zero);
    let from = unit_or(along(forward, distance, goal.offset), least2, forward);
    let t = unit_or(to, least2, from);

    let cosine = dot(from, t);
    let aside = across(t, from);
    let sine = dot(aside, aside).sqrt();
    // Straight ahead and exactly behind, rotate about up.
    let about_up = side_or(cross(goal.up, from), 1e-8, from, any_across(from));
    let aside = side_or(aside, 1e-10, from, about_up);
    let beyond = goal.cone[0].sub(cosine);
    let cosine = beyond.choose(goal.cone[0], cosine);
    let sine = beyond.choose(goal.cone[1], sine);
    let t_held = along(from, cosine, scaled(aside, sine));

    // Shortest arc, from half angles; the larger of both is exact.
    let half = zero.like(0.5);
    let large = half.mul_add(cosine.max(zero.sub(cosine)), half).sqrt();
    let small = half.mul(sine).div(large);
    let (s, w) = (cosine.choose(small, large), cosine.choose(large, small));
    let [x, y, z] = scaled(cross(from, aside), s);
    let arc = [x, y, z, w];
    // Frame with its up in the plane of up; where the line points up, the arc is used instead.
    let held = unit_or(t_held, 0.0, from);
    let (up_from, up_to) = (across(goal.up, from), across(goal.up, held));
    let up_squared = dot(up_from, up_from);
    let upright = up_squared.min(dot(up_to, up_to));
    let upright = upright.sub(zero.like(1e-6)).min(goal.upright);
    let level = frame_turn(
        [from, side_or(up_from, 1e-7, from, aside)],
        [held, side_or(up_to, 1e-7, held, aside)],
    );
    let turn = choose(upright, level, arc);

    let missing = sub(held, t);
    let missed = dot(missing, missing).sqrt();
    let mut sum = add(add(goal.forward, goal.offset), add(goal.up, to));
    sum = add(sum, [turn[0], turn[1], turn[2]]);
    let sum = sum[0].add(sum[1]).add(sum[2]).add(turn[3]).add(missed);
    // Lengths with non-finite squares give the identity too.
    let line_squared = dot(goal.forward, goal.forward);
    let squares = squared
        .add(offset_squared)
        .add(up_squared)
        .add(line_squared);
    let is_finite = sum.add(squares).mul(zero).add(one);
    let is_line = line_squared.sub(zero.like(1e-24));
    let still = [zero, zero, zero, one];
    (
        choose(is_finite, choose(is_line, turn, still), still),
        is_finite.choose(missed, zero),
    )
}

/// Solves [`two_bone`] for all goals of groups.
#[inline(always)]
pub(super) fn two_bones<L: Floats>(
    token: L::Token,
    goals: &[TwoBoneGroup],
    out: &mut [TwoBoneSolutionGroup],
) {
    for (group, turns) in goals.iter().zip(out) {
        let mut at = 0;
        while at + L::N <= GOALS {
            let (root, mid, missed) = two_bone::<L>(&TwoBoneGoal {
                root: load3(token, &group.root, at),
                mid: load3(token, &group.mid, at),
                end: load3(token, &group.end, at),
                target: load3(token, &group.target, at),
                pole: load3(token, &group.pole, at),
                hinge: load3(token, &group.hinge, at),
                min_angle: L::load(token, &group.min_angle[at..]),
                max_angle: L::load(token, &group.max_angle[at..]),
                softness: L::load(token, &group.softness[at..]),
            });
            store4(root, &mut turns.root, at);
            store4(mid, &mut turns.mid, at);
            missed.store(&mut turns.target_error[at..]);
            at += L::N;
        }
    }
}

/// Solves [`two_bones`] one goal at a time, on every CPU.
pub(super) fn two_bones_plain(goals: &[TwoBoneGroup], out: &mut [TwoBoneSolutionGroup]) {
    two_bones::<f32>((), goals, out);
}
