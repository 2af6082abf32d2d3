//! One step of eight chains side by side, once for all register widths.
//!
//! Callers: `mod.rs` of this folder. Invariants: those of `math::simd`.

use galatea_math::simd::Floats;
use galatea_math::simd::vectors::{
    Lanes, V3, V4, add, along, back, choose, cross, dot, load3, product, scaled, store3, store4,
    sub, turned, unit_or, unit4,
};

use crate::groom::MOST_POINTS;

/// Points of a chain at most.
pub(super) const MOST_LEVELS: usize = MOST_POINTS;
/// Solids that are looked at: as many as a word has bits.
pub(super) const MOST_SOLIDS: usize = u64::BITS as usize;
/// Chains of a group.
pub(super) const LANES: usize = 8;

/// Metres by which solids may be outside of the box around a group before it was brought to its lengths.
const REACH: f32 = 0.02;
/// Times that lengths and solids are seen to in a step.
const PASSES: usize = 2;
/// How much longer or shorter a segment may be, as a share of its length at rest, after it was brought out of solids.
const MOST_STRETCH: f32 = 0.01;

/// The points of eight chains at one level; world axes about a moving origin, metres.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct ChainLanes {
    /// Where they are.
    pub at: [Lanes; 3],
    /// Where they were a step before.
    pub before: [Lanes; 3],
    /// How their frames are turned.
    pub turn: [Lanes; 4],
    /// From the points above, in their frames, at rest; as long as the way between them.
    pub local: [Lanes; 3],
    /// At rest, in the space of what carries the roots.
    pub goal: [Lanes; 3],
    /// Length of `local`.
    pub length: Lanes,
    /// Metres at rest that they may be inside of what they collide with.
    pub sunk: Lanes,
}

/// What all chains have in common at one level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LevelShares {
    /// How strongly the angle between the segment above the points and the one before that is kept, in masses of a
    /// point per squared step.
    pub bend: f32,
    /// How strongly points are drawn to where the carrier has them, the same unit.
    pub hold: f32,
    /// Sum of what is asked of the segment above the points.
    pub along: f32,
    /// One over the pivot of the points in the elimination of the shape's system.
    pub by: f32,
    /// Share of the points below that is added going back.
    pub below: f32,
}

impl LevelShares {
    /// Eliminates the system of the shape, which is the same for all chains: each point's mass, its hold, and the
    /// segments on both sides of it. `bend` and `hold` are there.
    pub fn eliminate(levels: &mut [Self]) {
        let n = levels.len();
        for k in 1..n {
            levels[k].along = levels[k].bend + levels.get(k + 1).map_or(0.0, |next| next.bend);
        }
        let mut above = 0.0;
        for k in 1..n {
            let next = levels.get(k + 1).map_or(0.0, |next| next.along);
            let level = &mut levels[k];
            // The root is given: nothing of it is eliminated.
            let pivot = 1.0 + level.hold + level.along + next - level.along * above;
            level.by = 1.0 / pivot;
            level.below = next * level.by;
            above = level.below;
        }
    }
}

/// What is around the chains in one step; about the same origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainStep {
    /// Columns of the matrix that carries the roots, and its translation.
    pub carrier: [[f32; 3]; 4],
    /// Its turn alone.
    pub turn: [f32; 4],
    /// How it moved since the step before: columns of the change, less the identity, and a translation.
    pub change: [[f32; 3]; 4],
    /// Way of a step that gravity adds, metres.
    pub fall: [f32; 3],
    /// Way of the air in a step, metres.
    pub wind: [f32; 3],
    /// Range of the solids that are there.
    pub solids: (u32, u32),
}

/// What does not change from step to step.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainConstants {
    /// Factor on lengths.
    pub size: f32,
    /// Share of the carrier's motion that points go along with at once.
    pub follow: f32,
    /// Share of the motion against the carrier that is lost in a step.
    pub damping: f32,
    /// Share of the motion against the air that is lost.
    pub air: f32,
    /// Distance kept from solids, metres.
    pub thickness: f32,
    /// Share of the motion along a solid that is lost on it.
    pub friction: f32,
    /// The longest way of a step against the carrier along an axis, metres.
    pub most_way: f32,
    /// What the origin moved by since the chains were last stepped.
    pub shift: [f32; 3],
}

/// What points stay outside of.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainCollider {
    pub form: ColliderKind,
    /// How its middle, and the vector from `a` to `b`, moved since the step before.
    pub moved: [[f32; 3]; 2],
    /// Lowest and highest corner of the box around it.
    pub bounds: [[f32; 3]; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ColliderKind {
    /// All points as near to a segment.
    Round {
        a: [f32; 3],
        ab: [f32; 3],
        /// One over the squared length of `ab`, 0 of a ball.
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

/// What all kernels need beside the nodes.
#[derive(Clone, Copy)]
pub(super) struct KernelContext<'a> {
    pub settings: &'a ChainConstants,
    /// From root to tip; as many as a group has nodes.
    pub levels: &'a [LevelShares],
    pub moments: &'a [ChainStep],
    pub solids: &'a [ChainCollider],
}

/// Which chains of a group are moved together.
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

/// What one register of chains keeps from one pass to the next, by level.
struct ChainScratch<L> {
    /// What segments should be, and as unit vectors what they are.
    ways: [V3<L>; MOST_LEVELS],
    /// Numbers of the elimination of lengths.
    over: [L; MOST_LEVELS],
    rest: [L; MOST_LEVELS],
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

/// A vector times the columns of a matrix.
#[inline(always)]
fn times<L: Floats>(columns: &[[f32; 3]; 4], v: V3<L>) -> V3<L> {
    let x = all3(v[0], columns[0]);
    let y = all3(v[0], columns[1]);
    let z = all3(v[0], columns[2]);
    along(x, v[0], along(y, v[1], scaled(z, v[2])))
}

/// A point times a matrix.
#[inline(always)]
fn moved_by<L: Floats>(columns: &[[f32; 3]; 4], p: V3<L>) -> V3<L> {
    add(times(columns, p), all3(p[0], columns[3]))
}

/// Moves groups of nodes, `around.levels` each, on by all moments.
#[inline(always)]
pub(super) fn advance<L: Floats>(
    token: L::Token,
    nodes: &mut [ChainLanes],
    around: KernelContext<'_>,
) {
    let n = around.levels.len();
    let zero = L::splat(token, 0.0);
    let mut scratch = ChainScratch {
        ways: [[zero; 3]; MOST_LEVELS],
        over: [zero; MOST_LEVELS],
        rest: [zero; MOST_LEVELS],
    };
    for group in nodes.chunks_exact_mut(n) {
        for lane in (0..LANES).step_by(L::N) {
            let slot = LaneRange { token, zero, lane };
            shift(group, slot, all3(zero, around.settings.shift));
            for moment in around.moments {
                predict(group, slot, moment, around.settings);
                bend(group, slot, (moment, around), &mut scratch);
                let bounds = shape(group, slot, (moment, around.levels), &scratch);
                let (first, end) = moment.solids;
                let solids = &around.solids[first as usize..end as usize];
                for _ in 0..PASSES {
                    lengthen(group, slot, around.settings, &mut scratch);
                    if !collide(group, slot, (solids, bounds), around.settings) {
                        break;
                    }
                }
            }
            if let Some(moment) = around.moments.last() {
                turn(group, slot, moment);
            }
        }
    }
}

/// Nodes about another origin.
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

/// Moves points on by their speed and by gravity and air; the root is where the carrier has it.
#[inline(always)]
fn predict<L: Floats>(
    group: &mut [ChainLanes],
    slot: LaneRange<L>,
    moment: &ChainStep,
    settings: &ChainConstants,
) {
    let zero = slot.zero;
    let (fall, wind) = (all3(zero, moment.fall), all3(zero, moment.wind));
    let follow = zero.like(settings.follow);
    let alone = zero.like(1.0 - settings.follow);
    let kept = zero.like(1.0 - settings.damping);
    let air = zero.like(settings.air);
    let (most, least) = (zero.like(settings.most_way), zero.like(-settings.most_way));
    for (k, node) in group.iter_mut().enumerate() {
        let (at, before): (V3<L>, V3<L>) = (slot.load3(&node.at), slot.load3(&node.before));
        if k == 0 {
            let root: V3<L> = moved_by(&moment.carrier, slot.load3(&node.goal));
            store3(at, &mut node.before, slot.lane);
            store3(root, &mut node.at, slot.lane);
            continue;
        }
        // The way that it would make if it stood still on the carrier; a share of that is not kept as its own.
        let carried = moved_by(&moment.change, at);
        let from: V3<L> = along(carried, follow, at);
        let against = sub(sub(at, before), along(carried, alone, [zero; 3]));
        let against = [
            against[0].min(most).max(least),
            against[1].min(most).max(least),
            against[2].min(most).max(least),
        ];
        let way = along(against, kept, carried);
        let way = along(sub(wind, way), air, way);
        let now = add(add(at, way), fall);
        store3(from, &mut node.before, slot.lane);
        store3(now, &mut node.at, slot.lane);
    }
}

/// What each segment should be for the angles between segments to be as at rest: each pair of segments asks for
/// both of its own, turned halfway between their frames.
#[inline(always)]
fn bend<L: Floats>(
    group: &[ChainLanes],
    slot: LaneRange<L>,
    (moment, around): (&ChainStep, KernelContext<'_>),
    scratch: &mut ChainScratch<L>,
) {
    let zero = slot.zero;
    let mut frame_above = all4(zero, moment.turn);
    let mut above: V3<L> = slot.load3(&group[0].at);
    let mut local_above: V3<L> = [zero; 3];
    for (k, (node, shares)) in group.iter().zip(around.levels).enumerate().skip(1) {
        let (at, local) = (slot.load3(&node.at), slot.load3(&node.local));
        let weight = zero.like(shares.bend * around.settings.size);
        let segment = turned(frame_above, local);
        let frame = follow_turn(frame_above, segment, sub(at, above));
        if k == 1 {
            // The root's frame is the carrier's and gives no way.
            scratch.ways[1] = scaled(segment, weight);
        } else {
            let half = unit4([
                frame[0].add(frame_above[0]),
                frame[1].add(frame_above[1]),
                frame[2].add(frame_above[2]),
                frame[3].add(frame_above[3]),
            ]);
            scratch.ways[k] = scaled(turned(half, local), weight);
            scratch.ways[k - 1] = along(turned(half, local_above), weight, scratch.ways[k - 1]);
        }
        (above, frame_above, local_above) = (at, frame, local);
    }
}

/// Brings points to where their masses, their segments and their holds agree best: one implicit step of springs, as
/// of projective dynamics (Bouaziz et al. 2014). The box around them.
#[inline(always)]
fn shape<L: Floats>(
    group: &mut [ChainLanes],
    slot: LaneRange<L>,
    (moment, levels): (&ChainStep, &[LevelShares]),
    scratch: &ChainScratch<L>,
) -> [[f32; 3]; 2] {
    let zero = slot.zero;
    let n = group.len();
    let root: V3<L> = slot.load3(&group[0].at);
    let mut above = root;
    for k in 1..n {
        let (node, shares) = (&mut group[k], &levels[k]);
        let (at, goal) = (slot.load3(&node.at), slot.load3(&node.goal));
        let goal = moved_by(&moment.carrier, goal);
        let mut sum = along(goal, zero.like(shares.hold), add(at, scratch.ways[k]));
        if k + 1 < n {
            sum = sub(sum, scratch.ways[k + 1]);
        }
        sum = along(above, zero.like(shares.along), sum);
        above = scaled(sum, zero.like(shares.by));
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

/// A frame turned the shortest way so that `from` points as `to`.
#[inline(always)]
fn follow_turn<L: Floats>(frame: V4<L>, from: V3<L>, to: V3<L>) -> V4<L> {
    let one = frame[0].like(1.0);
    let (a, b) = (dot(from, from), dot(to, to));
    let both = a.mul(b).sqrt();
    let sum = both.add(dot(from, to));
    // Half a turn back has no shortest way, and a segment without length none at all.
    let is_plain = sum.sub(both.mul(one.like(1e-3))).sub(one.like(1e-20));
    let [x, y, z] = cross(from, to);
    let arc = unit4([x, y, z, is_plain.choose(sum, one)]);
    choose(is_plain, product(arc, frame), frame)
}

/// Brings the segments of each chain to their lengths, all at once: the linearised constraints of a chain make a
/// tridiagonal system, which is solved without iterating; the root is held.
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
    let mut way_above: V3<L> = [zero; 3];
    // Of the constraint before: one over its pivot, and what its unknown is without the next one.
    let (mut by_above, mut rest_above) = (zero, zero);
    for (k, node) in group.iter().enumerate().skip(1) {
        let (at, length) = (slot.load3(&node.at), slot.load(&node.length));
        let segment = sub(at, above);
        let now = dot(segment, segment).max(zero.like(1e-16)).sqrt();
        let way = scaled(segment, one.div(now));
        let beyond = length.neg_mul_add(size, now);
        let between = zero.sub(dot(way_above, way));
        let over = between.mul(by_above);
        let pivot = between.neg_mul_add(over, if k == 1 { one } else { two });
        let by = one.div(pivot.max(zero.like(1e-3)));
        let rest = between.neg_mul_add(rest_above, zero.sub(beyond)).mul(by);
        scratch.ways[k] = way;
        scratch.over[k - 1] = over;
        scratch.rest[k] = rest;
        (above, way_above, by_above, rest_above) = (at, way, by, rest);
    }
    let mut pull_below: V3<L> = [zero; 3];
    let mut unknown = zero;
    for (k, node) in group.iter_mut().enumerate().skip(1).rev() {
        // The last has none below it: its share stays 0.
        unknown = scratch.over[k].neg_mul_add(unknown, scratch.rest[k]);
        let pull = scaled(scratch.ways[k], unknown);
        let at = add(slot.load3(&node.at), sub(pull, pull_below));
        store3(at, &mut node.at, slot.lane);
        pull_below = pull;
    }
}

/// Brings points out of solids, and back to where their segments are not stretched. False when none was near.
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
    for (i, solid) in solids.iter().enumerate().take(MOST_SOLIDS) {
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
                let way = sub(sub(at, before), along_it);
                before = choose(depth, along(way, friction, before), before);
            }
            store3(before, &mut node.before, slot.lane);
        }
        let segment = sub(at, above);
        let length = slot.load(&node.length).mul(size);
        let now = dot(segment, segment).max(zero.like(1e-16)).sqrt();
        let most = length.mul(zero.like(1.0 + MOST_STRETCH));
        at = along(segment, now.min(most).div(now), above);
        store3(at, &mut node.at, slot.lane);
        above = at;
    }
    near != 0
}

/// The way out of a solid, how deep points are in it (0 or less: not at all), and how it moves there.
#[inline(always)]
fn push<L: Floats>(solid: &ChainCollider, at: V3<L>, skin: L) -> (V3<L>, L, V3<L>) {
    let zero = skin.like(0.0);
    let one = skin.like(1.0);
    let moved = all3(zero, solid.moved[0]);
    match &solid.form {
        ColliderKind::Round { a, ab, by, radius } => {
            let from_a = sub(at, all3(zero, *a));
            let ab = all3(zero, *ab);
            let share = dot(from_a, ab).mul(zero.like(*by)).max(zero).min(one);
            let away = back(ab, share, from_a);
            let distance2 = dot(away, away);
            let reach = skin.add(zero.like(*radius));
            let distance = distance2.max(zero.like(1e-16)).sqrt();
            let depth = reach.sub(distance);
            let unit = unit_or(away, 1e-14, [zero, one, zero]);
            let moved = along(all3(zero, solid.moved[1]), share, moved);
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

/// How the frames of points are turned, from where they are.
#[inline(always)]
fn turn<L: Floats>(group: &mut [ChainLanes], slot: LaneRange<L>, moment: &ChainStep) {
    let zero = slot.zero;
    let mut frame = all4(zero, moment.turn);
    let mut above: V3<L> = [zero; 3];
    for (k, node) in group.iter_mut().enumerate() {
        let at = slot.load3(&node.at);
        if k > 0 {
            let segment = turned(frame, slot.load3(&node.local));
            frame = follow_turn(frame, segment, sub(at, above));
        }
        store4(frame, &mut node.turn, slot.lane);
        above = at;
    }
}

/// The least number of each component.
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

/// The greatest.
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

/// [`advance`] one chain after another, on every CPU.
pub(super) fn advance_plain(nodes: &mut [ChainLanes], around: KernelContext<'_>) {
    advance::<f32>((), nodes, around);
}

#[cfg(test)]
mod tests;
