//! One simulation step of eight chains in SIMD lanes, generic over all register widths.
//!
//! Used by `mod.rs` in this folder. The requirements of `math::simd` apply.

use serde::{Deserialize, Serialize};

use galatea_math::simd::Floats;
use galatea_math::simd::vectors::{
    Lanes, V3, V4, add, along, back, choose, cross, dot, load3, product, scaled, store3, store4,
    sub, turned, unit_or, unit4,
};

use crate::groom::MAX_POINTS;

/// Maximum number of points per chain.
pub(super) const MAX_LEVELS: usize = MAX_POINTS;
/// Maximum number of colliders: the bits of a word.
pub(super) const MAX_COLLIDERS: usize = u64::BITS as usize;
/// Chains per group.
pub(super) const LANES: usize = 8;

/// Margin around the bounding box of a group, for the collider search before the length constraints, metres.
const REACH: f32 = 0.02;
/// Iterations of length constraints and collisions per step.
const PASSES: usize = 2;
/// Maximum relative change of a segment's length after collision handling.
const MAX_STRETCH: f32 = 0.01;

/// The points of eight chains at one level; world axes relative to a moving origin, metres.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, align(32))]
pub(super) struct ChainLanes {
    /// Positions.
    pub at: [Lanes; 3],
    /// Positions one step earlier.
    pub before: [Lanes; 3],
    /// Rotations of the frames.
    pub rotation: [Lanes; 4],
    /// Rest offsets from the points above, in their frames. Their length is the rest length.
    pub local: [Lanes; 3],
    /// Rest positions, in the space of the carrier of the roots.
    pub goal: [Lanes; 3],
    /// Length of `local`.
    pub length: Lanes,
    /// Depth inside of colliders in the rest pose, which is allowed to remain, metres.
    pub sunk: Lanes,
}

/// Constants of all chains at one level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LevelConstants {
    /// Bending stiffness between the segment above the point and the previous one, in point masses per squared step.
    pub bend: f32,
    /// Stiffness of the spring towards the position on the carrier, same unit.
    pub hold: f32,
    /// Total stiffness of the segment above the point.
    pub along: f32,
    /// Inverse pivot of the point in the elimination.
    pub by: f32,
    /// Factor of the point below in the back substitution.
    pub below: f32,
}

impl LevelConstants {
    /// Eliminates the tridiagonal system of the shape, which is the same for all chains: each point's mass, its hold, and
    /// its two segments. `bend` and `hold` must be set.
    pub fn eliminate(levels: &mut [Self]) {
        let n = levels.len();
        for k in 1..n {
            levels[k].along = levels[k].bend + levels.get(k + 1).map_or(0.0, |next| next.bend);
        }
        let mut above = 0.0;
        for k in 1..n {
            let next = levels.get(k + 1).map_or(0.0, |next| next.along);
            let level = &mut levels[k];
            // The root is fixed and not part of the system.
            let pivot = 1.0 + level.hold + level.along + next - level.along * above;
            level.by = 1.0 / pivot;
            level.below = next * level.by;
            above = level.below;
        }
    }
}

/// Environment of the chains in one step, relative to the same origin.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ChainStep {
    /// Columns of the carrier's matrix, and its translation.
    pub world_from_rest: [[f32; 3]; 4],
    /// Rotation of the carrier.
    pub rotation: [f32; 4],
    /// Motion of the carrier since the last step: columns of the change minus the identity, and a translation.
    pub change: [[f32; 3]; 4],
    /// Displacement by gravity in a step, metres.
    pub fall: [f32; 3],
    /// Displacement of the air in a step, metres.
    pub wind: [f32; 3],
    /// Range of the active colliders.
    pub colliders: (u32, u32),
}

/// Values that are constant during a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainConstants {
    /// Scale of lengths.
    pub size: f32,
    /// Fraction of the carrier's motion that points follow at once.
    pub follow: f32,
    /// Fraction of the motion relative to the carrier that is lost per step.
    pub damping: f32,
    /// Fraction of the motion relative to the air that is lost per step.
    pub air: f32,
    /// Distance to colliders, metres.
    pub thickness: f32,
    /// Fraction of the tangential motion that is lost on a collider.
    pub friction: f32,
    /// Maximum displacement per step relative to the carrier along an axis, metres.
    pub max_displacement: f32,
    /// Shift of the origin since the last step.
    pub shift: [f32; 3],
}

/// A collider for points.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ChainCollider {
    pub shape_kind: ColliderKind,
    /// Displacement of its centre, and change of the vector from `a` to `b`, since the last step.
    pub moved: [[f32; 3]; 2],
    /// Minimum and maximum corner of its bounding box.
    pub bounds: [[f32; 3]; 2],
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum ColliderKind {
    /// Sphere or capsule: all points within `radius` of a segment.
    Round {
        a: [f32; 3],
        ab: [f32; 3],
        /// Inverse squared length of `ab`, 0 for a sphere.
        by: f32,
        radius: f32,
    },
    Box {
        center: [f32; 3],
        axes: [[f32; 3]; 3],
        half: [f32; 3],
    },
    Plane {
        normal: [f32; 3],
        height: f32,
    },
}

/// Input of all kernels in addition to the nodes.
#[derive(Clone, Copy)]
pub(super) struct KernelContext<'a> {
    pub settings: &'a ChainConstants,
    /// Constants from root to tip; as many as a group has nodes.
    pub levels: &'a [LevelConstants],
    pub moments: &'a [ChainStep],
    pub colliders: &'a [ChainCollider],
}

/// The lanes of a group that are processed together.
#[derive(Clone, Copy)]
struct LaneRange<L: Floats> {
    token: L::Token,
    zero: L,
    lane: usize,
}

impl<L: Floats> LaneRange<L> {
    #[inline(always)]
    fn load(self, row: &Lanes) -> L {
        L::load(self.token, &row[self.lane..])
    }

    #[inline(always)]
    fn load3(self, rows: &[Lanes; 3]) -> V3<L> {
        load3(self.token, rows, self.lane)
    }
}

/// Scratch buffers of one register of chains, by level.
struct ChainScratch<L> {
    /// First the target segments, later the unit directions of the segments.
    segments: [V3<L>; MAX_LEVELS],
    /// Coefficients of the elimination for the length constraints.
    over: [L; MAX_LEVELS],
    rest: [L; MAX_LEVELS],
}

#[inline(always)]
fn all3<L: Floats>(like: L, v: [f32; 3]) -> V3<L> {
    [like.like(v[0]), like.like(v[1]), like.like(v[2])]
}

#[inline(always)]
fn all4<L: Floats>(like: L, v: [f32; 4]) -> V4<L> {
    [
        like.like(v[0]),
        like.like(v[1]),
        like.like(v[2]),
        like.like(v[3]),
    ]
}

/// Product of a vector and the columns of a matrix.
#[inline(always)]
fn times<L: Floats>(columns: &[[f32; 3]; 4], v: V3<L>) -> V3<L> {
    let x = all3(v[0], columns[0]);
    let y = all3(v[0], columns[1]);
    let z = all3(v[0], columns[2]);
    along(x, v[0], along(y, v[1], scaled(z, v[2])))
}

/// Transforms a point by a matrix.
#[inline(always)]
fn moved_by<L: Floats>(columns: &[[f32; 3]; 4], p: V3<L>) -> V3<L> {
    add(times(columns, p), all3(p[0], columns[3]))
}

/// Advances groups of nodes, `around.levels` each, through all steps.
#[inline(always)]
pub(super) fn advance<L: Floats>(
    token: L::Token,
    nodes: &mut [ChainLanes],
    around: KernelContext<'_>,
) {
    let n = around.levels.len();
    let zero = L::splat(token, 0.0);
    let mut scratch = ChainScratch {
        segments: [[zero; 3]; MAX_LEVELS],
        over: [zero; MAX_LEVELS],
        rest: [zero; MAX_LEVELS],
    };
    for group in nodes.chunks_exact_mut(n) {
        for lane in (0..LANES).step_by(L::N) {
            let slot = LaneRange { token, zero, lane };
            shift(group, slot, all3(zero, around.settings.shift));
            for step_data in around.moments {
                predict(group, slot, step_data, around.settings);
                bend(group, slot, (step_data, around), &mut scratch);
                let bounds = shape(group, slot, (step_data, around.levels), &scratch);
                let (first, end) = step_data.colliders;
                let solids = &around.colliders[first as usize..end as usize];
                for _ in 0..PASSES {
                    lengthen(group, slot, around.settings, &mut scratch);
                    if !collide(group, slot, (solids, bounds), around.settings) {
                        break;
                    }
                }
            }
            if let Some(step_data) = around.moments.last() {
                update_frames(group, slot, step_data);
            }
        }
    }
}

/// Moves nodes to another origin.
#[inline(always)]
fn shift<L: Floats>(group: &mut [ChainLanes], slot: LaneRange<L>, by: V3<L>) {
    for node in group {
        store3(add(slot.load3(&node.at), by), &mut node.at, slot.lane);
        store3(
            add(slot.load3(&node.before), by),
            &mut node.before,
            slot.lane,
        );
    }
}

/// Predicts positions from velocity, gravity and air. The root is set to its position on the carrier.
#[inline(always)]
fn predict<L: Floats>(
    group: &mut [ChainLanes],
    slot: LaneRange<L>,
    step_data: &ChainStep,
    settings: &ChainConstants,
) {
    let zero = slot.zero;
    let (fall, wind) = (all3(zero, step_data.fall), all3(zero, step_data.wind));
    let follow = zero.like(settings.follow);
    let alone = zero.like(1.0 - settings.follow);
    let remaining = zero.like(1.0 - settings.damping);
    let air = zero.like(settings.air);
    let (most, least) = (
        zero.like(settings.max_displacement),
        zero.like(-settings.max_displacement),
    );
    for (k, node) in group.iter_mut().enumerate() {
        let (at, before): (V3<L>, V3<L>) = (slot.load3(&node.at), slot.load3(&node.before));
        if k == 0 {
            let root: V3<L> = moved_by(&step_data.world_from_rest, slot.load3(&node.goal));
            store3(at, &mut node.before, slot.lane);
            store3(root, &mut node.at, slot.lane);
            continue;
        }
        // Displacement of a point that is fixed to the carrier. The fraction `follow` of it does not count as velocity of
        // the point.
        let carried = moved_by(&step_data.change, at);
        let from: V3<L> = along(carried, follow, at);
        let against = sub(sub(at, before), along(carried, alone, [zero; 3]));
        let against = [
            against[0].min(most).max(least),
            against[1].min(most).max(least),
            against[2].min(most).max(least),
        ];
        let step = along(against, remaining, carried);
        let step = along(sub(wind, step), air, step);
        let now = add(add(at, step), fall);
        store3(from, &mut node.before, slot.lane);
        store3(now, &mut node.at, slot.lane);
    }
}

/// Computes the target vector of each segment that restores the rest angles. Each pair of adjacent segments contributes to
/// both targets, rotated halfway between their frames.
#[inline(always)]
fn bend<L: Floats>(
    group: &[ChainLanes],
    slot: LaneRange<L>,
    (step_data, around): (&ChainStep, KernelContext<'_>),
    scratch: &mut ChainScratch<L>,
) {
    let zero = slot.zero;
    let mut frame_above = all4(zero, step_data.rotation);
    let mut above: V3<L> = slot.load3(&group[0].at);
    let mut local_above: V3<L> = [zero; 3];
    for (k, (node, constants)) in group.iter().zip(around.levels).enumerate().skip(1) {
        let (at, local) = (slot.load3(&node.at), slot.load3(&node.local));
        let weight = zero.like(constants.bend * around.settings.size);
        let segment = turned(frame_above, local);
        let frame = align_frame(frame_above, segment, sub(at, above));
        if k == 1 {
            // The root's frame is fixed to the carrier.
            scratch.segments[1] = scaled(segment, weight);
        } else {
            let half = unit4([
                frame[0].add(frame_above[0]),
                frame[1].add(frame_above[1]),
                frame[2].add(frame_above[2]),
                frame[3].add(frame_above[3]),
            ]);
            scratch.segments[k] = scaled(turned(half, local), weight);
            scratch.segments[k - 1] =
                along(turned(half, local_above), weight, scratch.segments[k - 1]);
        }
        (above, frame_above, local_above) = (at, frame, local);
    }
}

/// Moves points to the equilibrium of their masses, segments and holds: one implicit step of springs, as in projective
/// dynamics (Bouaziz et al. 2014). Returns their bounding box.
#[inline(always)]
fn shape<L: Floats>(
    group: &mut [ChainLanes],
    slot: LaneRange<L>,
    (step_data, levels): (&ChainStep, &[LevelConstants]),
    scratch: &ChainScratch<L>,
) -> [[f32; 3]; 2] {
    let zero = slot.zero;
    let n = group.len();
    let root: V3<L> = slot.load3(&group[0].at);
    let mut above = root;
    for k in 1..n {
        let (node, constants) = (&mut group[k], &levels[k]);
        let (at, goal) = (slot.load3(&node.at), slot.load3(&node.goal));
        let goal = moved_by(&step_data.world_from_rest, goal);
        let mut sum = along(
            goal,
            zero.like(constants.hold),
            add(at, scratch.segments[k]),
        );
        if k + 1 < n {
            sum = sub(sum, scratch.segments[k + 1]);
        }
        sum = along(above, zero.like(constants.along), sum);
        above = scaled(sum, zero.like(constants.by));
        store3(above, &mut node.at, slot.lane);
    }
    let (mut low, mut high) = (root, root);
    let mut below: V3<L> = [zero; 3];
    for k in (1..n).rev() {
        let node = &mut group[k];
        let at = slot.load3(&node.at);
        let at = along(below, zero.like(levels[k].below), at);
        store3(at, &mut node.at, slot.lane);
        low = [low[0].min(at[0]), low[1].min(at[1]), low[2].min(at[2])];
        high = [high[0].max(at[0]), high[1].max(at[1]), high[2].max(at[2])];
        below = at;
    }
    [lowest(low), highest(high)]
}

/// Rotates a frame by the shortest rotation from `from` to `to`.
#[inline(always)]
fn align_frame<L: Floats>(frame: V4<L>, from: V3<L>, to: V3<L>) -> V4<L> {
    let one = frame[0].like(1.0);
    let (a, b) = (dot(from, from), dot(to, to));
    let both = a.mul(b).sqrt();
    let sum = both.add(dot(from, to));
    // A rotation by 180° has no unique axis, and a segment without length has no direction.
    let is_plain = sum.sub(both.mul(one.like(1e-3))).sub(one.like(1e-20));
    let [x, y, z] = cross(from, to);
    let arc = unit4([x, y, z, is_plain.choose(sum, one)]);
    choose(is_plain, product(arc, frame), frame)
}

/// Restores the lengths of all segments of each chain at once. The linearised constraints of a chain form a tridiagonal
/// system, which is solved directly; the root is fixed.
#[inline(always)]
fn lengthen<L: Floats>(
    group: &mut [ChainLanes],
    slot: LaneRange<L>,
    settings: &ChainConstants,
    scratch: &mut ChainScratch<L>,
) {
    let zero = slot.zero;
    let (one, two) = (zero.like(1.0), zero.like(2.0));
    let size = zero.like(settings.size);
    let mut above: V3<L> = slot.load3(&group[0].at);
    let mut direction_above: V3<L> = [zero; 3];
    // Of the previous constraint: inverse pivot, and the value of its unknown without the next one.
    let (mut by_above, mut rest_above) = (zero, zero);
    for (k, node) in group.iter().enumerate().skip(1) {
        let (at, length) = (slot.load3(&node.at), slot.load(&node.length));
        let segment = sub(at, above);
        let now = dot(segment, segment).max(zero.like(1e-16)).sqrt();
        let direction = scaled(segment, one.div(now));
        let beyond = length.neg_mul_add(size, now);
        let between = zero.sub(dot(direction_above, direction));
        let over = between.mul(by_above);
        let pivot = between.neg_mul_add(over, if k == 1 { one } else { two });
        let by = one.div(pivot.max(zero.like(1e-3)));
        let rest = between.neg_mul_add(rest_above, zero.sub(beyond)).mul(by);
        scratch.segments[k] = direction;
        scratch.over[k - 1] = over;
        scratch.rest[k] = rest;
        (above, direction_above, by_above, rest_above) = (at, direction, by, rest);
    }
    let mut pull_below: V3<L> = [zero; 3];
    let mut unknown = zero;
    for (k, node) in group.iter_mut().enumerate().skip(1).rev() {
        // The last constraint has no successor, so its factor stays 0.
        unknown = scratch.over[k].neg_mul_add(unknown, scratch.rest[k]);
        let pull = scaled(scratch.segments[k], unknown);
        let at = add(slot.load3(&node.at), sub(pull, pull_below));
        store3(at, &mut node.at, slot.lane);
        pull_below = pull;
    }
}

/// Pushes points out of colliders, then back until no segment is stretched. Returns false if no collider was near.
#[inline(always)]
fn collide<L: Floats>(
    group: &mut [ChainLanes],
    slot: LaneRange<L>,
    (solids, [low, high]): (&[ChainCollider], [[f32; 3]; 2]),
    settings: &ChainConstants,
) -> bool {
    let zero = slot.zero;
    let margin = settings.thickness + REACH * settings.size;
    let is_near = |solid: &ChainCollider| {
        (0..3).all(|i| {
            solid.bounds[0][i] <= high[i] + margin && solid.bounds[1][i] >= low[i] - margin
        })
    };
    let mut near = 0_u64;
    for (i, solid) in solids.iter().enumerate().take(MAX_COLLIDERS) {
        near |= u64::from(is_near(solid)) << i;
    }
    let size = zero.like(settings.size);
    let friction = zero.like(settings.friction);
    let mut above: V3<L> = slot.load3(&group[0].at);
    for node in group.iter_mut().skip(1) {
        let mut at = slot.load3(&node.at);
        if near != 0 {
            let mut before = slot.load3(&node.before);
            let sunk = slot.load(&node.sunk);
            let skin = sunk.neg_mul_add(size, zero.like(settings.thickness));
            let mut left = near;
            while left != 0 {
                let solid = &solids[left.trailing_zeros() as usize];
                left &= left - 1;
                let (out, depth, along_it) = push(solid, at, skin);
                at = choose(depth, add(at, out), at);
                let slide = sub(sub(at, before), along_it);
                before = choose(depth, along(slide, friction, before), before);
            }
            store3(before, &mut node.before, slot.lane);
        }
        let segment = sub(at, above);
        let length = slot.load(&node.length).mul(size);
        let now = dot(segment, segment).max(zero.like(1e-16)).sqrt();
        let most = length.mul(zero.like(1.0 + MAX_STRETCH));
        at = along(segment, now.min(most).div(now), above);
        store3(at, &mut node.at, slot.lane);
        above = at;
    }
    near != 0
}

/// Direction out of a collider, depth of the points inside it (0 or less: outside), and its displacement there.
#[inline(always)]
fn push<L: Floats>(solid: &ChainCollider, at: V3<L>, skin: L) -> (V3<L>, L, V3<L>) {
    let zero = skin.like(0.0);
    let one = skin.like(1.0);
    let moved = all3(zero, solid.moved[0]);
    match &solid.shape_kind {
        ColliderKind::Round { a, ab, by, radius } => {
            let from_a = sub(at, all3(zero, *a));
            let ab = all3(zero, *ab);
            let fraction = dot(from_a, ab).mul(zero.like(*by)).max(zero).min(one);
            let away = back(ab, fraction, from_a);
            let distance2 = dot(away, away);
            let reach = skin.add(zero.like(*radius));
            let distance = distance2.max(zero.like(1e-16)).sqrt();
            let depth = reach.sub(distance);
            let unit = unit_or(away, 1e-14, [zero, one, zero]);
            let moved = along(all3(zero, solid.moved[1]), fraction, moved);
            (scaled(unit, depth), depth, moved)
        }
        ColliderKind::Plane { normal, height } => {
            let normal = all3(zero, *normal);
            let depth = zero.like(*height).add(skin).sub(dot(at, normal));
            (scaled(normal, depth), depth, moved)
        }
        ColliderKind::Box { center, axes, half } => {
            let from = sub(at, all3(zero, *center));
            let mut depth = zero.like(f32::MAX);
            let mut out = [zero; 3];
            let mut i = 0;
            while i < 3 {
                let axis = all3(zero, axes[i]);
                let along_it = dot(from, axis);
                let over = zero
                    .like(half[i])
                    .add(skin)
                    .sub(along_it.max(zero.sub(along_it)));
                let nearer = depth.sub(over);
                out = choose(nearer, scaled(axis, over.flip(along_it)), out);
                depth = depth.min(over);
                i += 1;
            }
            (out, depth, moved)
        }
    }
}

/// Updates the rotations of the frames from the positions.
#[inline(always)]
fn update_frames<L: Floats>(group: &mut [ChainLanes], slot: LaneRange<L>, step_data: &ChainStep) {
    let zero = slot.zero;
    let mut frame = all4(zero, step_data.rotation);
    let mut above: V3<L> = [zero; 3];
    for (k, node) in group.iter_mut().enumerate() {
        let at = slot.load3(&node.at);
        if k > 0 {
            let segment = turned(frame, slot.load3(&node.local));
            frame = align_frame(frame, segment, sub(at, above));
        }
        store4(frame, &mut node.rotation, slot.lane);
        above = at;
    }
}

/// Minimum of each component.
#[inline(always)]
fn lowest<L: Floats>(v: V3<L>) -> [f32; 3] {
    let mut out = [f32::MAX; 3];
    let mut i = 0;
    while i < 3 {
        let row = lanes(v[i]);
        out[i] = row[..L::N].iter().copied().fold(f32::MAX, f32::min);
        i += 1;
    }
    out
}

/// Maximum of each component.
#[inline(always)]
fn highest<L: Floats>(v: V3<L>) -> [f32; 3] {
    let zero = v[0].like(0.0);
    let least = lowest([zero.sub(v[0]), zero.sub(v[1]), zero.sub(v[2])]);
    [-least[0], -least[1], -least[2]]
}

#[inline(always)]
fn lanes<L: Floats>(x: L) -> Lanes {
    let mut row = [0.0; LANES];
    x.store(&mut row);
    row
}

/// [`advance`] with one chain at a time, for every CPU.
pub(super) fn advance_plain(nodes: &mut [ChainLanes], around: KernelContext<'_>) {
    advance::<f32>((), nodes, around);
}

#[cfg(test)]
mod tests;
