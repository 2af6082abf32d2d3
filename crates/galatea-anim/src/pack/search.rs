//! Search for the fewest bits of a segment within the error bound.
//!
//! Used by the encoder, once per segment. Bones are stored parents first. Each stored rotation and translation aims
//! at the authored position of the bone in model space, relative to the *decoded* parent, so a bone corrects the
//! errors of its parents. After every round, each bone has the maximum error of the points it moves, and gets a
//! coarser or finer step for the next round. Invariant: the error of a returned result was measured at every frame to
//! be within the limit.

use glam::{Affine3A, Mat3A, Quat, Vec3A};

use super::cell::{
    BASE_UNITS, ChannelGroup, ChannelKind, SegmentCell, WIDTHS, combine, step_code, with_scalar,
};
use super::channels::{BoneChannels, ChannelEncoding, ErrorBounds};
use super::spline::{FitPlan, evaluate, may_use};
use super::turn::unit;
use crate::Skeleton;

/// Data of a clip that all its segments share.
pub struct SearchTask<'a> {
    pub skeleton: &'a Skeleton,
    pub channels: &'a [BoneChannels],
    pub groups: &'a [ChannelGroup],
    /// Indices of each bone's groups.
    pub groups_of: Vec<Vec<usize>>,
    pub limits: &'a [ErrorBounds],
    /// Distance from each bone at which the error is measured, metres.
    pub distances: Vec<f32>,
    /// Distance from each bone to the farthest point whose error no other bone can correct, metres.
    pub levers: Vec<f32>,
    /// Fraction of the bound for each bone, from the number of stored bones above and below it.
    pub fractions: Vec<f32>,
    /// Per bone: maps an error of its origin to the small rotation that compensates it best, as a rotation vector.
    /// Both are in the bone's frame.
    pub aims: Vec<Mat3A>,
    /// False if some scale is not uniform: rotations then aim at the authored local ones.
    pub closed: bool,
}

/// One quantised group of a segment.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    pub cell: SegmentCell,
    pub numbers: Vec<[u32; 3]>,
}

/// Buffers of a search, reused between segments.
#[derive(Default)]
pub struct SearchScratch {
    plans: Vec<(usize, usize, FitPlan)>,
    values: Vec<Vec3A>,
    decoded: Vec<Vec3A>,
    vectors: Vec<Vec3A>,
    knots: Vec<Vec3A>,
    trial: Stored,
    raw: BonePositions,
    packed: BonePositions,
    rotations: Vec<Quat>,
    translations: Vec<Vec3A>,
    scales: Vec<Vec3A>,
    own: Vec<f32>,
    below: Vec<f32>,
    factors: Vec<f32>,
    stored: Vec<Stored>,
}

/// Model-space positions of all bones over a segment, bone after bone.
#[derive(Default)]
struct BonePositions {
    rotations: Vec<Quat>,
    origins: Vec<Vec3A>,
    sizes: Vec<f32>,
    matrices: Vec<Affine3A>,
}

/// Rounds of a search, and additional rounds if none was within the bound.
const ROUNDS: usize = 6;
const SEARCHING: usize = 3;
const RESCUE_ROUNDS: usize = 14;

impl SearchTask<'_> {
    /// Finds cells and numbers for frames `first .. first + n` with an error of at most `limit` times the bound at
    /// every frame. `None` if even the finest steps are not enough.
    pub fn solve(
        &self,
        first: usize,
        n: usize,
        limit: f32,
        scratch: &mut SearchScratch,
    ) -> Option<Vec<Stored>> {
        let bones = self.channels.len();
        self.raw_chain(first, n, &mut scratch.raw);
        scratch.factors.clear();
        scratch.factors.resize(bones, 1.0);
        scratch.stored.resize(self.groups.len(), Stored::default());
        let mut best: Option<(usize, Vec<Stored>)> = None;
        for round in 0..ROUNDS + RESCUE_ROUNDS {
            let worst = self.round(first, n, scratch);
            if worst <= limit {
                let bits = scratch.stored.iter().map(|one| one.cell.bits(n)).sum();
                if best.as_ref().is_none_or(|(least, _)| bits < *least) {
                    best = Some((bits, scratch.stored.clone()));
                }
            }
            if round + 1 >= ROUNDS && best.is_some() || round > SEARCHING && worst <= limit {
                break;
            }
            self.gather(&mut scratch.below, &scratch.own);
            for (factor, error) in scratch.factors.iter_mut().zip(&scratch.below) {
                let fraction = error.max(1e-6) / limit;
                *factor *= if round < SEARCHING {
                    (0.93 / fraction).powf(0.9).clamp(0.4, 2.0)
                } else if fraction > 1.0 {
                    // Bones within the bound stay unchanged, so that the search ends.
                    (0.93 / fraction).max(0.4)
                } else {
                    1.0
                };
                *factor = factor.min(100.0);
            }
        }
        best.map(|(_, stored)| stored)
    }

    /// Maximum error of the points that each bone moves, as a fraction of the bound.
    fn gather(&self, below: &mut Vec<f32>, own: &[f32]) {
        below.clear();
        below.extend_from_slice(own);
        for (i, bone) in self.skeleton.bones().iter().enumerate().rev() {
            let free = self.closed
                && self.channels[i].translation.encoding == ChannelEncoding::Packed
                && self.channels[i].rotation.encoding == ChannelEncoding::Packed;
            if let Some(parent) = bone.parent
                && !free
            {
                let parent = usize::from(parent);
                below[parent] = below[parent].max(below[i]);
            }
        }
    }

    fn raw_chain(&self, first: usize, n: usize, chain: &mut BonePositions) {
        let bones = self.channels.len();
        chain.prepare(bones * n, self.closed);
        for (b, bone) in self.skeleton.bones().iter().enumerate() {
            let channels = &self.channels[b];
            let parent = bone.parent.map(|parent| usize::from(parent) * n);
            for f in 0..n {
                chain.set(
                    b * n + f,
                    parent.map(|at| at + f),
                    self.closed,
                    channels.rotation.at(first + f),
                    channels.translation.at(first + f).into(),
                    channels.scale.at(first + f).into(),
                );
            }
        }
    }

    /// Stores every group once and measures; returns the maximum error as a fraction of the bound.
    fn round(&self, first: usize, n: usize, s: &mut SearchScratch) -> f32 {
        let bones = self.channels.len();
        s.packed.prepare(bones * n, self.closed);
        s.own.clear();
        s.own.resize(bones, 0.0);
        let mut worst = 0.0f32;
        for (b, bone) in self.skeleton.bones().iter().enumerate() {
            let parent = bone.parent.map(|parent| usize::from(parent) * n);
            self.store_bone(b, first, n, parent, s);
            let mut max_squared = 0.0f32;
            for f in 0..n {
                let at = b * n + f;
                s.packed.set(
                    at,
                    parent.map(|at| at + f),
                    self.closed,
                    s.rotations[f],
                    s.translations[f],
                    s.scales[f],
                );
                max_squared =
                    max_squared.max(s.raw.error(&s.packed, at, self.distances[b], self.closed));
            }
            s.own[b] = max_squared.sqrt() / self.limits[b].bound;
            worst = worst.max(s.own[b]);
        }
        worst
    }

    /// Fills `rotations`, `translations`, `scales` with the decoder's output for a bone.
    fn store_bone(
        &self,
        b: usize,
        first: usize,
        n: usize,
        parent: Option<usize>,
        s: &mut SearchScratch,
    ) {
        self.aim(b, first, n, parent, s);
        let budget = s.factors[b] * self.fractions[b] * self.limits[b].bound;
        for &g in &self.groups_of[b] {
            let group = &self.groups[g];
            match group.kind {
                ChannelKind::Rotation => {
                    s.store_rotations(g, n, budget / (2.0 * self.levers[b]), group.turns());
                }
                ChannelKind::Vector => {
                    s.store_vectors(g, n, budget / (2.0 * self.levers[b]));
                }
                ChannelKind::Scalar => {
                    s.store_scalars(g, n, budget / (2.0 * self.levers[b]));
                }
                ChannelKind::Translation => {
                    std::mem::swap(&mut s.values, &mut s.translations);
                    s.store(g, n, budget * 0.5);
                    s.translations.clone_from(&s.decoded);
                }
                ChannelKind::Scale => {
                    std::mem::swap(&mut s.values, &mut s.scales);
                    s.store(g, n, budget * 0.5 / self.limits[b].reach);
                    s.scales.clone_from(&s.decoded);
                }
                ChannelKind::Weights => {}
            }
        }
    }

    /// Fills `rotations`, `translations`, `scales` with the transforms that bring a bone to its authored position from
    /// its decoded parent.
    fn aim(&self, b: usize, first: usize, n: usize, parent: Option<usize>, s: &mut SearchScratch) {
        let channels = &self.channels[b];
        s.rotations.clear();
        s.translations.clear();
        s.scales.clear();
        for f in 0..n {
            s.scales.push(channels.scale.at(first + f).into());
            let mut rotation = channels.rotation.at(first + f);
            let mut translation: Vec3A = channels.translation.at(first + f).into();
            if self.closed
                && let Some(parent) = parent.map(|parent| parent + f)
            {
                let at = b * n + f;
                let undo = s.packed.rotations[parent].conjugate();
                let size = s.packed.sizes[parent];
                if channels.translation.encoding == ChannelEncoding::Packed {
                    let offset = s.raw.origins[at] - s.packed.origins[parent];
                    translation = undo * offset / size;
                }
                if channels.rotation.encoding == ChannelEncoding::Packed {
                    rotation = undo * s.raw.rotations[at];
                    if channels.translation.encoding != ChannelEncoding::Packed {
                        let origin = s.packed.origins[parent]
                            + s.packed.rotations[parent] * (translation * size);
                        let off = s.raw.rotations[at].conjugate() * (origin - s.raw.origins[at]);
                        let turn = self.aims[b] * (off / size);
                        let half = Quat::from_vec4((turn * 0.5).extend(1.0));
                        rotation = unit(rotation * half);
                    }
                }
            }
            s.rotations.push(rotation);
            s.translations.push(translation);
        }
    }
}

impl BonePositions {
    fn prepare(&mut self, n: usize, closed: bool) {
        if closed {
            self.rotations.resize(n, Quat::IDENTITY);
            self.origins.resize(n, Vec3A::ZERO);
            self.sizes.resize(n, 1.0);
        } else {
            self.matrices.resize(n, Affine3A::IDENTITY);
        }
    }

    #[inline]
    fn set(
        &mut self,
        at: usize,
        parent: Option<usize>,
        closed: bool,
        rotation: Quat,
        translation: Vec3A,
        scale: Vec3A,
    ) {
        if !closed {
            let local = Affine3A::from_scale_rotation_translation(
                scale.into(),
                rotation,
                translation.into(),
            );
            self.matrices[at] = match parent {
                Some(parent) => self.matrices[parent] * local,
                None => local,
            };
            return;
        }
        match parent {
            Some(parent) => {
                let (q, size) = (self.rotations[parent], self.sizes[parent]);
                // Without normalisation, long chains drift from unit length.
                self.rotations[at] = unit(q * rotation);
                self.origins[at] = self.origins[parent] + q * (translation * size);
                self.sizes[at] = size * scale.x;
            }
            None => {
                self.rotations[at] = rotation;
                self.origins[at] = translation;
                self.sizes[at] = scale.x;
            }
        }
    }

    /// Squared maximum distance between the three points of a bone in two chains.
    #[inline]
    fn error(&self, other: &BonePositions, at: usize, distance: f32, closed: bool) -> f32 {
        let (off, x, y, z) = if closed {
            let off = other.origins[at] - self.origins[at];
            // Difference of two rotation matrices, from unit quaternions.
            let (a, b) = (axes(self.rotations[at]), axes(other.rotations[at]));
            let (sa, sb) = (self.sizes[at] * distance, other.sizes[at] * distance);
            (
                off,
                b[0] * sb - a[0] * sa,
                b[1] * sb - a[1] * sa,
                b[2] * sb - a[2] * sa,
            )
        } else {
            let (a, b) = (&self.matrices[at], &other.matrices[at]);
            let m = b.matrix3 - a.matrix3;
            (
                b.translation - a.translation,
                m.x_axis * distance,
                m.y_axis * distance,
                m.z_axis * distance,
            )
        };
        (off + x)
            .length_squared()
            .max((off + y).length_squared())
            .max((off + z).length_squared())
    }
}

/// Columns of a rotation's matrix.
#[inline]
fn axes(q: Quat) -> [Vec3A; 3] {
    let m = glam::Mat3A::from_quat(q);
    [m.x_axis, m.y_axis, m.z_axis]
}

impl SearchScratch {
    /// Stores rotations as vectors, between the two fixed rotations of their group.
    fn store_rotations(&mut self, g: usize, n: usize, tolerance: f32, turns: (Quat, Quat)) {
        let (before, after) = (unit(turns.0), unit(turns.1));
        let (undo, redo) = (before.conjugate(), after.conjugate());
        self.values.clear();
        for rotation in &self.rotations {
            let turned = undo * *rotation * redo;
            let v = Vec3A::new(turned.x, turned.y, turned.z);
            self.values.push(if turned.w < 0.0 { -v } else { v });
        }
        self.store(g, n, tolerance);
        for (rotation, v) in self.rotations.iter_mut().zip(&self.decoded) {
            *rotation = unit(before * with_scalar(*v) * after);
        }
    }

    /// Stores x, y and z of rotations with four components, each in the hemisphere of the previous one.
    fn store_vectors(&mut self, g: usize, n: usize, tolerance: f32) {
        self.values.clear();
        let mut last = self.rotations.first().copied().unwrap_or(Quat::IDENTITY);
        for rotation in &mut self.rotations {
            if rotation.dot(last) < 0.0 {
                *rotation = -*rotation;
            }
            last = *rotation;
            self.values.push(Vec3A::new(last.x, last.y, last.z));
        }
        self.store(g, n, tolerance);
        self.vectors.clone_from(&self.decoded);
    }

    /// Stores w of rotations; their x, y and z are in `vectors`.
    fn store_scalars(&mut self, g: usize, n: usize, tolerance: f32) {
        self.values.clear();
        self.values
            .extend(self.rotations.iter().map(|q| Vec3A::new(q.w, 0.0, 0.0)));
        self.store(g, n, tolerance);
        let parts = self.vectors.iter().zip(&self.decoded);
        for (rotation, (v, w)) in self.rotations.iter_mut().zip(parts) {
            *rotation = unit(Quat::from_vec4(v.extend(w.x)));
        }
    }

    /// Stores `values` in group `g` at the cheapest spacing whose error is about `tolerance`, and writes the
    /// decoder's output to `decoded`.
    fn store(&mut self, g: usize, n: usize, tolerance: f32) {
        let tolerance = tolerance.max(1e-9);
        let mut target = std::mem::take(&mut self.stored[g]);
        quantise(&self.values, tolerance * FRAME_STEP, 0, &mut target);
        let mut fewest_bits = target.cell.bits(n);
        for code in 1..4 {
            if fewest_bits == 0 || !may_use(n, code) {
                break;
            }
            let at = self.plan(n, code);
            let plan = &self.plans[at].2;
            plan.solve(&self.values, &mut self.knots);
            let mut residual = 0.0f32;
            for (tap, value) in plan.taps().iter().zip(&self.values) {
                let off = evaluate(&self.knots, tap) - *value;
                residual = residual.max(off.length_squared());
            }
            let residual = residual.sqrt();
            if residual > tolerance * MAX_RESIDUAL {
                break;
            }
            let step = (tolerance - residual * RESIDUAL_COST) * KNOT_STEP;
            quantise(&self.knots, step, code as u16, &mut self.trial);
            let bits = self.trial.cell.bits(n);
            if bits < fewest_bits {
                fewest_bits = bits;
                std::mem::swap(&mut target, &mut self.trial);
            }
        }
        self.decode(&target, n);
        self.stored[g] = target;
    }

    fn plan(&mut self, n: usize, code: usize) -> usize {
        let known = self
            .plans
            .iter()
            .position(|(frames, of, _)| (*frames, *of) == (n, code));
        known.unwrap_or_else(|| {
            self.plans.push((n, code, FitPlan::new(n, code)));
            self.plans.len() - 1
        })
    }

    /// Computes the decoder's output at every frame.
    fn decode(&mut self, stored: &Stored, n: usize) {
        let cell = stored.cell;
        let code = cell.spacing();
        self.decoded.clear();
        if code == 0 {
            let numbers = stored.numbers.iter();
            self.decoded
                .extend(numbers.map(|u| combine(cell, steps(*u))));
            return;
        }
        let at = self.plan(n, code);
        for tap in self.plans[at].2.taps() {
            let mut sum = Vec3A::ZERO;
            for (knot, weight) in tap.weights.iter().enumerate() {
                sum += steps(stored.numbers[tap.first + knot]) * *weight;
            }
            self.decoded.push(combine(cell, sum));
        }
    }
}

/// Steps per tolerance for frames and for control points; maximum fraction of the tolerance that a spline's residual
/// can use before quantisation, and its cost. The values were found by measurement.
const FRAME_STEP: f32 = 1.0;
const KNOT_STEP: f32 = 1.25;
const MAX_RESIDUAL: f32 = 0.7;
const RESIDUAL_COST: f32 = 0.8;

#[inline]
fn steps([x, y, z]: [u32; 3]) -> Vec3A {
    Vec3A::new(x as i32 as f32, y as i32 as f32, z as i32 as f32)
}

/// Quantises vectors to steps of at most `step`, with the fewest bits per axis. The step is made as small as those
/// bits allow, and the numbers are centred on the range.
pub fn quantise(values: &[Vec3A], step: f32, spacing: u16, out: &mut Stored) {
    let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
    for value in values {
        min = min.min(*value);
        max = max.max(*value);
    }
    let range = (max - min).max(Vec3A::ZERO);
    let far = min.abs().max(max.abs()).max_element();
    // The base is counted in a unit large enough for its range; a unit above a quarter of a step needs extra range.
    let (mut unit, mut spare) = (0, 0.0);
    while unit < 3 && far / (step * BASE_UNITS[unit]) > 16000.0 {
        unit += 1;
        spare = step * BASE_UNITS[unit];
    }
    let range = range + Vec3A::splat(spare);
    let codes = range.to_array().map(|range| {
        let levels_needed = range / step;
        let fits = |width: &u8| (1u32 << width) as f32 >= levels_needed;
        WIDTHS.iter().position(fits).unwrap_or(15) as u16
    });
    let mut needed = 1e-30f32;
    for (range, code) in range.to_array().into_iter().zip(codes) {
        needed = needed.max(range / (1u32 << WIDTHS[usize::from(code)]) as f32);
    }
    // A step much smaller than requested would exceed the range of the base's unit.
    needed = needed.max(step * 0.5);
    // The next larger code, so that the step is never too small for the range.
    let coded = step_code(needed) + 1;
    let size = f32::from_bits(u32::from(coded) << 15);
    let levels = codes.map(|code| ((1u32 << WIDTHS[usize::from(code)]) - 1) as f32);
    let top = Vec3A::from_array(levels);
    let centre = (min + max) * 0.5 / size;
    let lowest = centre - top * 0.5;
    let base = (lowest / BASE_UNITS[unit])
        .to_array()
        .map(|x| x.round().clamp(-32768.0, 32767.0) as i16);
    out.cell = SegmentCell::new(codes, spacing, unit as u16, coded, base);
    let base = out.cell.base_steps();
    let inverse = 1.0 / size;
    out.numbers.clear();
    for value in values {
        let u = (*value * inverse - base + 0.5).clamp(Vec3A::ZERO, top + 0.4);
        let [x, y, z] = u.to_array();
        out.numbers
            .push([x as i32 as u32, y as i32 as u32, z as i32 as u32]);
    }
}
