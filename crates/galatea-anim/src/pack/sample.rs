//! Sampling of a packed clip: direct decoding without state and without unpacking other times.
//!
//! Used by the tick. Invariants: accepts any time and any buffer, allocates nothing, and has the same cost in any
//! order of times.

use glam::{Quat, Vec3, Vec3A, Vec4};

use super::cell::{
    CellReader, ChannelGroup, ChannelKind, FrameWeights, SegmentCell, bits_at, with_scalar,
};
use super::turn::unit;
use super::{BoneChannel, PackedClip};
use crate::arc::{ArcBend, arc};
use crate::sample::{sample_bone, sample_weights};
use galatea_math::Trs;

/// A position between two frames: the segment of each, and the fraction between them.
struct SegmentPosition {
    /// Segment of the frame at or before the time, with the weights in it.
    segment: usize,
    moment: FrameWeights,
    /// Weights of the next frame, if it begins the next segment.
    beyond: Option<FrameWeights>,
    u: f32,
}

/// Number of groups unpacked together with SIMD instructions.
pub(super) const LANES: usize = 8;

/// Up to eight groups at two frames, stored by component.
struct FrameBlock {
    /// Values at the previous and at the next frame.
    here: [[f32; LANES]; 3],
    next: [[f32; LANES]; 3],
}

/// Input of a block's computation, by lane.
struct LaneWords {
    here: [u64; LANES],
    next: [u64; LANES],
    /// See [`SegmentCell::layout`].
    layout: [u32; LANES],
    /// Shape and step; x and y of the base; z of the base. Packed for few stores and split in parallel.
    head: [u32; LANES],
    base_xy: [i32; LANES],
    base_z: [i32; LANES],
}

impl LaneWords {
    const EMPTY: Self = Self {
        here: [0; LANES],
        next: [0; LANES],
        layout: [0; LANES],
        head: [0; LANES],
        base_xy: [0; LANES],
        base_z: [0; LANES],
    };
}

impl FrameBlock {
    const EMPTY: Self = Self {
        here: [[0.0; LANES]; 3],
        next: [[0.0; LANES]; 3],
    };

    /// Reads the groups of `cells`, at most one per lane, and moves `offset` past them. Lanes without a group contain
    /// undefined numbers.
    #[inline(always)]
    fn read(
        &mut self,
        words: &mut LaneWords,
        data: &[u8],
        cells: &[SegmentCell],
        offset: &mut usize,
        moment: &FrameWeights,
    ) {
        let cells = &cells[..cells.len().min(LANES)];
        let mut splines = 0u32;
        let first = *offset;
        for (lane, cell) in cells.iter().enumerate() {
            let layout = cell.layout();
            let width = (layout >> 16) as usize;
            words.layout[lane] = layout;
            let [x, y, z] = cell.base;
            words.head[lane] = u32::from(cell.shape) | u32::from(cell.step) << 16;
            words.base_xy[lane] = i32::from(x) & 0xFFFF | i32::from(y) << 16;
            words.base_z[lane] = i32::from(z);
            let code = cell.spacing();
            let at = *offset + moment.taps[0].first * width;
            words.here[lane] = bits_at(data, at);
            words.next[lane] = bits_at(data, at + moment.ahead * width);
            splines |= u32::from(code != 0) << lane;
            *offset += width * moment.knots[code];
        }
        numbers(&words.here, &words.layout, &mut self.here);
        numbers(&words.next, &words.layout, &mut self.next);
        if splines != 0 {
            self.splines(data, cells, first, moment);
        }
        for lane in 0..LANES {
            let head = words.head[lane];
            let step = f32::from_bits(head >> 16 << 15);
            // 0.25 steps times sixteen to the power of the unit code.
            let unit = f32::from_bits((125 + 4 * (head >> 14 & 3)) << 23);
            let xy = words.base_xy[lane];
            let base = [xy << 16 >> 16, xy >> 16, words.base_z[lane]];
            for axis in 0..3 {
                let base = base[axis] as f32 * unit;
                self.here[axis][lane] = (base + self.here[axis][lane]) * step;
                self.next[axis][lane] = (base + self.next[axis][lane]) * step;
            }
        }
    }

    /// Computes the lanes with splines from their weighted control points.
    fn splines(
        &mut self,
        data: &[u8],
        cells: &[SegmentCell],
        mut offset: usize,
        moment: &FrameWeights,
    ) {
        for (lane, cell) in cells.iter().enumerate().take(LANES) {
            let code = cell.spacing();
            if code != 0 {
                let reader = CellReader::new(*cell);
                let (mut a, mut b) = (Vec3A::ZERO, Vec3A::ZERO);
                for knot in 0..4 {
                    let at = moment.taps[code].first + knot;
                    let steps = reader.steps(data, offset, at);
                    a += steps * moment.taps[code].weights[knot];
                    b += steps * moment.next[code][knot];
                }
                let (a, b) = (a.to_array(), b.to_array());
                for axis in 0..3 {
                    self.here[axis][lane] = a[axis];
                    self.next[axis][lane] = b[axis];
                }
            }
            offset += cell.width() as usize * moment.knots[code];
        }
    }

    #[inline(always)]
    fn here(&self, lane: usize) -> Vec3A {
        Vec3A::new(self.here[0][lane], self.here[1][lane], self.here[2][lane])
    }

    #[inline(always)]
    fn next(&self, lane: usize) -> Vec3A {
        Vec3A::new(self.next[0][lane], self.next[1][lane], self.next[2][lane])
    }

    /// Interpolates the rotations of all lanes at `u`, as x, y, z, w, not of unit length.
    #[inline(always)]
    fn arcs(&self, u: f32) -> [[f32; LANES]; 4] {
        let mut out = [[0.0; LANES]; 4];
        let (mut wa, mut wb, mut dot) = ([0.0f32; LANES], [0.0f32; LANES], [0.0f32; LANES]);
        let (a, b) = (&self.here, &self.next);
        for i in 0..LANES {
            let aa = a[0][i] * a[0][i] + a[1][i] * a[1][i] + a[2][i] * a[2][i];
            let bb = b[0][i] * b[0][i] + b[1][i] * b[1][i] + b[2][i] * b[2][i];
            wa[i] = (1.0 - aa).max(0.0).sqrt();
            wb[i] = (1.0 - bb).max(0.0).sqrt();
            dot[i] = a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i] + wa[i] * wb[i];
        }
        let bend = ArcBend::new(u);
        for i in 0..LANES {
            let v = u + bend.at(dot[i]);
            for axis in 0..3 {
                out[axis][i] = a[axis][i] + (b[axis][i] - a[axis][i]) * v;
            }
            out[3][i] = wa[i] + (wb[i] - wa[i]) * v;
        }
        out
    }
}

/// The four signed bytes of every lane.
#[inline(always)]
fn parts(bytes: &[i32; LANES]) -> [[f32; LANES]; 4] {
    let mut out = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let four = bytes[lane];
        out[0][lane] = (four << 24 >> 24) as f32;
        out[1][lane] = (four << 16 >> 24) as f32;
        out[2][lane] = (four << 8 >> 24) as f32;
        out[3][lane] = (four >> 24) as f32;
    }
    out
}

/// Products of rotations, by lane.
#[inline(always)]
fn products(a: &[[f32; LANES]; 4], b: &[[f32; LANES]; 4]) -> [[f32; LANES]; 4] {
    let mut out = [[0.0; LANES]; 4];
    for i in 0..LANES {
        let [ax, ay, az, aw] = [a[0][i], a[1][i], a[2][i], a[3][i]];
        let [bx, by, bz, bw] = [b[0][i], b[1][i], b[2][i], b[3][i]];
        out[0][i] = aw * bx + ax * bw + ay * bz - az * by;
        out[1][i] = aw * by - ax * bz + ay * bw + az * bx;
        out[2][i] = aw * bz + ax * by - ay * bx + az * bw;
        out[3][i] = aw * bw - ax * bx - ay * by - az * bz;
    }
    out
}

/// Normalises the rotations; finite also for zero length.
#[inline(always)]
fn units(a: &[[f32; LANES]; 4]) -> [[f32; LANES]; 4] {
    let mut out = *a;
    for i in 0..LANES {
        let square = a[0][i] * a[0][i] + a[1][i] * a[1][i] + a[2][i] * a[2][i] + a[3][i] * a[3][i];
        let scale = 1.0 / square.max(1e-20).sqrt();
        for part in &mut out {
            part[i] *= scale;
        }
    }
    out
}

/// Extracts the three numbers of every word.
#[inline(always)]
fn numbers(words: &[u64; LANES], layout: &[u32; LANES], out: &mut [[f32; LANES]; 3]) {
    for lane in 0..LANES {
        let (x, xy, xyz) = (
            layout[lane] & 63,
            layout[lane] >> 8 & 63,
            layout[lane] >> 16,
        );
        let word = words[lane];
        let number = |from: u32, width: u32| {
            let mask = (1u32 << (width & 31)) - 1;
            // All values are below 2^19, so the faster signed conversion is safe.
            ((word >> from) as u32 & mask) as i32 as f32
        };
        out[0][lane] = number(0, x);
        out[1][lane] = number(x, xy.wrapping_sub(x));
        out[2][lane] = number(xy, xyz.wrapping_sub(xy));
    }
}

impl PackedClip {
    /// Samples the clip at `t` seconds. Other channels keep their values. Channels that the clip keeps at rest are
    /// not written, so start from the rest pose.
    ///
    /// Times are clamped to the first and last key. Channels of bones beyond the end of `locals` are skipped.
    pub fn sample(&self, t: f32, locals: &mut [Trs]) {
        for constant in &self.constants {
            let Some(local) = locals.get_mut(usize::from(constant.bone)) else {
                continue;
            };
            let value = Vec3::from_array(constant.value);
            match constant.channel {
                BoneChannel::Translation => local.translation = value,
                BoneChannel::Scale => local.scale = value,
                BoneChannel::Rotation => local.rotation = with_scalar(value.into()),
            }
        }
        self.sample_groups(t, locals);
        for tracks in &self.exact {
            let Some(local) = locals.get_mut(usize::from(tracks.bone)) else {
                continue;
            };
            sample_bone(tracks, t, local);
        }
    }

    /// Samples the packed channels. Both widths use the same operations, and therefore give the same bits.
    fn sample_groups(&self, t: f32, locals: &mut [Trs]) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            fn wide(clip: &PackedClip, t: f32, locals: &mut [Trs]) {
                clip.sample_blocks(t, locals);
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
            {
                // SAFETY: the processor supports the features the function was compiled for.
                unsafe { wide(self, t, locals) };
                return;
            }
        }
        self.sample_blocks(t, locals);
    }

    #[inline(always)]
    pub(super) fn sample_blocks(&self, t: f32, locals: &mut [Trs]) {
        let mut vectors = [(Vec3A::ZERO, Vec3A::ZERO); LANES];
        self.each_block(t, ChannelKind::Scale, |groups, block, u| {
            let Some(first) = groups.first() else { return };
            match first.kind {
                ChannelKind::Rotation => {
                    let arcs = block.arcs(u);
                    let mut turns = [[0i32; LANES]; 2];
                    for (lane, group) in groups.iter().enumerate().take(LANES) {
                        for (turn, bytes) in turns.iter_mut().zip(group.turn) {
                            turn[lane] = i32::from_le_bytes(bytes.map(|part| part as u8));
                        }
                    }
                    let [before, after] = [parts(&turns[0]), parts(&turns[1])];
                    let turned = units(&products(&products(&before, &arcs), &after));
                    for (lane, group) in groups.iter().enumerate().take(LANES) {
                        if let Some(local) = locals.get_mut(usize::from(group.target)) {
                            local.rotation = Quat::from_xyzw(
                                turned[0][lane],
                                turned[1][lane],
                                turned[2][lane],
                                turned[3][lane],
                            );
                        }
                    }
                }
                ChannelKind::Vector => {
                    for (lane, vector) in vectors.iter_mut().enumerate() {
                        *vector = (block.here(lane), block.next(lane));
                    }
                }
                // Scalars follow their vectors in blocks with the same lanes.
                ChannelKind::Scalar => {
                    for (lane, group) in groups.iter().enumerate() {
                        if let Some(local) = locals.get_mut(usize::from(group.target)) {
                            let (here, next) = vectors[lane];
                            let (w, next_w) = (block.here[0][lane], block.next[0][lane]);
                            local.rotation = four(here, w, next, next_w, u);
                        }
                    }
                }
                ChannelKind::Translation | ChannelKind::Scale => {
                    for (lane, group) in groups.iter().enumerate() {
                        if let Some(local) = locals.get_mut(usize::from(group.target)) {
                            let value = block.here(lane).lerp(block.next(lane), u).into();
                            match group.kind {
                                ChannelKind::Translation => local.translation = value,
                                _ => local.scale = value,
                            }
                        }
                    }
                }
                ChannelKind::Weights => {}
            }
        });
    }

    /// Value of a curve at `t` seconds; `None` if the clip has no curve of this name.
    pub fn curve(&self, name: &str, t: f32) -> Option<f32> {
        let curve = self.curves.iter().find(|curve| curve.name == name)?;
        let mut value = [0.0];
        sample_weights(&curve.track, 1, t, &mut value);
        Some(value[0])
    }

    /// Writes the clip's morph weights at `t` seconds. `morph_start` gives the index of each part's first weight in
    /// `weights`. Parts and targets that do not exist are skipped.
    pub fn sample_morphs(&self, t: f32, morph_start: &[usize], weights: &mut [f32]) {
        // Groups of weights are last.
        if self
            .groups
            .last()
            .is_some_and(|group| group.kind == ChannelKind::Weights)
        {
            self.each_block(t, ChannelKind::Weights, |groups, block, u| {
                for (lane, group) in groups.iter().enumerate() {
                    let start = morph_start.get(usize::from(group.target));
                    let (ChannelKind::Weights, Some(&start)) = (group.kind, start) else {
                        continue;
                    };
                    let value = block.here(lane).lerp(block.next(lane), u).to_array();
                    let lanes = usize::from(group.n_lanes).min(3);
                    let start = start.saturating_add(usize::from(group.lane));
                    if let Some(out) = weights.get_mut(start..start.saturating_add(lanes)) {
                        out.copy_from_slice(&value[..lanes]);
                    }
                }
            });
        }
        for morph in &self.exact_morphs {
            let Some(&start) = morph_start.get(morph.part) else {
                continue;
            };
            let end = start.saturating_add(morph.n_targets);
            if let Some(out) = weights.get_mut(start..end) {
                sample_weights(&morph.track, morph.n_targets, t, out);
            }
        }
    }

    /// Calls `write(groups, their values, fraction)` for all groups at `t` seconds, up to the last group of kind
    /// `until`. Each call has groups of one kind, at most as many as there are lanes.
    #[inline(always)]
    fn each_block(
        &self,
        t: f32,
        until: ChannelKind,
        mut write: impl FnMut(&[ChannelGroup], &FrameBlock, f32),
    ) {
        if self.groups.is_empty() {
            return;
        }
        let position = self.position(t);
        let n = self.groups.len();
        let cells_of = |segment: usize| {
            let cells = self.cells.get(segment * n..(segment + 1) * n);
            let start = self.starts.get(segment).copied().unwrap_or(0);
            (cells.unwrap_or(&[]), start as usize * 8)
        };
        let (cells, mut offset) = cells_of(position.segment);
        let (others, mut other_offset) = match position.beyond {
            Some(_) => cells_of(position.segment + 1),
            None => (cells, offset),
        };
        if cells.len() != n || others.len() != n {
            return;
        }
        let (mut words, mut block, mut other) =
            (LaneWords::EMPTY, FrameBlock::EMPTY, FrameBlock::EMPTY);
        let data = &*self.data;
        let mut at = 0;
        while at < n && self.groups[at].kind as u8 <= until as u8 {
            let kind = self.groups[at].kind;
            let mut to = (at + LANES).min(n);
            while self.groups[to - 1].kind != kind {
                to -= 1;
            }
            block.read(
                &mut words,
                data,
                &cells[at..to],
                &mut offset,
                &position.moment,
            );
            if let Some(moment) = &position.beyond {
                other.read(&mut words, data, &others[at..to], &mut other_offset, moment);
                block.next = other.here;
            }
            write(&self.groups[at..to], &block, position.u);
            at = to;
        }
    }

    fn position(&self, t: f32) -> SegmentPosition {
        let position = self.grid.position(t);
        let frame = position as usize;
        let per = self.grid.per_segment.max(1) as usize;
        let segment = frame / per;
        let (first, frames) = self.grid.segment(segment);
        let local = frame - first;
        let u = position - frame as f32;
        let at_end = local + 1 >= frames && segment + 1 < self.grid.n_segments();
        SegmentPosition {
            segment,
            moment: FrameWeights::new(local, frames, self.grid.spacings),
            beyond: at_end.then(|| {
                let (_, frames) = self.grid.segment(segment + 1);
                FrameWeights::new(0, frames, self.grid.spacings)
            }),
            u,
        }
    }
}

/// Interpolates two rotations that are stored with four components.
pub fn four(v: Vec3A, w: f32, next_v: Vec3A, next_w: f32, u: f32) -> Quat {
    let a = unit(Quat::from_vec4(Vec4::from((v, w))));
    let b = unit(Quat::from_vec4(Vec4::from((next_v, next_w))));
    unit(arc(a, b, u))
}
