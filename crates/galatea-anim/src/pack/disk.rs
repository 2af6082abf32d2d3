//! Disk format of a packed clip, a half to three quarters of its size in memory.
//!
//! Used by loaders' caches and tools. Layout: `GPC` and a version byte; a 32-bit FNV-1a checksum of the rest; then
//! one range coder stream. Reading and writing use the same functions over a [`Coder`]. Each function takes the value
//! to write and returns the value that was read, so the two directions cannot differ. Invariants: reading never
//! panics. Its memory is at most a few hundred times the input, because buffers grow only with data that was really
//! read. The result can be sampled at any time.

use super::PackedClip;
use super::bits::BitWriter;
use super::cell::{ChannelGroup, ChannelKind, SegmentCell, SegmentGrid};
use super::keys::{bone_tracks, constant, marker, track};
use super::range::{Coder, RangeDecoder, RangeEncoder};
use super::spline::{may_use, n_knots};
use super::stream::{
    CLASSES, Models,
    PackedClipError::{self, Damaged},
    check, count, float, list, text,
};
use crate::{Curve, MorphTrack};
use galatea_math::clamp::ClampTo as _;

const MAGIC: [u8; 4] = *b"GPC\x01";

impl PackedClip {
    /// Serialises the clip; [`PackedClip::from_bytes`] returns an equal clip.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = RangeEncoder::new(Vec::new());
        // The writer has no end and a clip in memory is valid, so this cannot fail.
        let _ = clip(&mut writer, self);
        let body = writer.finish();
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&sum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads the output of [`PackedClip::to_bytes`].
    ///
    /// # Errors
    /// If the bytes have another format or version, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PackedClipError> {
        let Some((head, rest)) = bytes.split_first_chunk::<4>() else {
            return Err(PackedClipError::NotAClip);
        };
        if head[..3] != MAGIC[..3] {
            return Err(PackedClipError::NotAClip);
        }
        if head[3] != MAGIC[3] {
            return Err(PackedClipError::Version(head[3]));
        }
        let (expected_sum, body) = rest.split_first_chunk::<4>().ok_or(Damaged)?;
        if sum(body) != u32::from_le_bytes(*expected_sum) {
            return Err(Damaged);
        }
        read_body(body)
    }
}

/// Reads the stream without checking the checksum.
pub(super) fn read_body(body: &[u8]) -> Result<PackedClip, PackedClipError> {
    clip(&mut RangeDecoder::new(body), &PackedClip::default())
}

fn sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |sum, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

/// Codes the whole clip.
fn clip(coder: &mut impl Coder, clip: &PackedClip) -> Result<PackedClip, PackedClipError> {
    let m = &mut Models::new();
    let mut out = PackedClip {
        name: text(coder, m, &clip.name)?,
        duration: float(coder, m, clip.duration)?,
        ..PackedClip::default()
    };
    out.markers = list(coder, m, clip.markers.len(), |coder, m, i| {
        marker(coder, m, clip.markers.get(i))
    })?;
    out.curves = list(coder, m, clip.curves.len(), |coder, m, i| {
        let curve = clip.curves.get(i);
        Ok(Curve {
            name: text(coder, m, curve.map_or("", |curve| &curve.name))?,
            track: track(coder, m, curve.map(|curve| &curve.track), 1)?,
        })
    })?;
    out.grid = SegmentGrid {
        start: float(coder, m, clip.grid.start)?,
        rate: float(coder, m, clip.grid.rate)?,
        frames: count(coder, m, clip.grid.frames as usize)? as u32,
        per_segment: count(coder, m, clip.grid.per_segment as usize)? as u32,
        spacings: m.bytes.code(coder, u32::from(clip.grid.spacings)) as u8,
    };
    out.constants = list(coder, m, clip.constants.len(), |coder, m, i| {
        constant(coder, m, clip.constants.get(i))
    })?
    .into();
    out.exact = list(coder, m, clip.exact.len(), |coder, m, i| {
        bone_tracks(coder, m, clip.exact.get(i))
    })?
    .into();
    out.exact_morphs = list(coder, m, clip.exact_morphs.len(), |coder, m, i| {
        let morph = clip.exact_morphs.get(i);
        let part = count(coder, m, morph.map_or(0, |morph| morph.part))?;
        let n_targets = count(coder, m, morph.map_or(0, |morph| morph.n_targets))?;
        Ok(MorphTrack {
            part,
            n_targets,
            track: track(coder, m, morph.map(|morph| &morph.track), n_targets)?,
        })
    })?
    .into();
    let mut last = 0;
    out.groups = list(coder, m, clip.groups.len(), |coder, m, i| {
        group(coder, m, clip.groups.get(i), &mut last)
    })?
    .into();
    cells(coder, m, clip, &mut out)?;
    Ok(out)
}

fn group(
    coder: &mut impl Coder,
    m: &mut Models,
    group: Option<&ChannelGroup>,
    last: &mut i32,
) -> Result<ChannelGroup, PackedClipError> {
    let kind = m
        .kinds
        .code(coder, group.map_or(0, |group| group.kind as u32));
    let kind = *ChannelKind::ALL.get(kind as usize).ok_or(Damaged)?;
    let target = group.map_or(0, |group| i32::from(group.target));
    *last += m
        .targets
        .code(coder, target - *last, 0)
        .clamp(-70_000, 70_000);
    let mut out = ChannelGroup {
        target: u16::try_from(*last).map_err(|_| Damaged)?,
        lane: 0,
        kind,
        n_lanes: 3,
        turn: group.map_or([[0; 4]; 2], |group| group.turn),
    };
    if kind == ChannelKind::Weights {
        let lane = count(coder, m, group.map_or(0, |group| usize::from(group.lane)))?;
        let lanes = m
            .kinds
            .code(coder, group.map_or(3, |group| u32::from(group.n_lanes)));
        out.lane = u16::try_from(lane).map_err(|_| Damaged)?;
        out.n_lanes = u8::try_from(lanes).map_err(|_| Damaged)?;
    }
    out.turn = match kind {
        ChannelKind::Rotation => {
            for (turn, model) in out.turn.iter_mut().zip(&mut m.turns) {
                for part in turn {
                    *part = model.code(coder, u32::from(*part as u8)) as u8 as i8;
                }
            }
            out.turn
        }
        ChannelKind::Weights => [[0; 4]; 2],
        _ => [[0, 0, 0, 127]; 2],
    };
    Ok(out)
}

/// Codes cells and numbers of all segments.
fn cells(
    coder: &mut impl Coder,
    m: &mut Models,
    clip: &PackedClip,
    out: &mut PackedClip,
) -> Result<(), PackedClipError> {
    if out.groups.is_empty() {
        return Ok(());
    }
    if out.grid.frames == 0 || out.grid.per_segment == 0 {
        return Err(Damaged);
    }
    let mut bits = BitWriter::default();
    let (mut all_cells, mut starts) = (Vec::new(), Vec::new());
    let mut numbers = Vec::new();
    for segment in 0..out.grid.n_segments() {
        check(coder)?;
        let (_, frames) = out.grid.segment(segment);
        starts.push(u32::try_from(bits.bytes.len()).map_err(|_| Damaged)?);
        let mut offset = clip
            .starts
            .get(segment)
            .map_or(0, |start| *start as usize * 8);
        for _ in 0..out.groups.len() {
            let written = clip.cells.get(all_cells.len()).copied().unwrap_or_default();
            let cell = cell(coder, m, written);
            if !may_use(frames, cell.spacing()) {
                return Err(Damaged);
            }
            all_cells.push(cell);
            let knots = n_knots(frames, cell.spacing());
            let widths = cell.widths();
            numbers.clear();
            if cell.width() > 0 {
                column_numbers(coder, m, clip, cell, knots, offset, &mut numbers)?;
            }
            for three in &numbers {
                for (number, width) in three.iter().zip(widths) {
                    bits.push(*number, width);
                }
            }
            offset += cell.bits(frames);
        }
        bits.align();
    }
    let mut data = bits.bytes;
    data.extend_from_slice(&[0; 8]);
    out.cells = all_cells.into();
    out.starts = starts.into();
    out.data = data.into();
    Ok(())
}

fn cell(coder: &mut impl Coder, m: &mut Models, cell: SegmentCell) -> SegmentCell {
    let mut codes = [0u16; 3];
    for (axis, code) in codes.iter_mut().enumerate() {
        let value = cell.shape >> (4 * axis) & 15;
        *code = m.widths[axis].code(coder, u32::from(value)) as u16;
    }
    let rest = m.shapes.code(coder, u32::from(cell.shape >> 12)) as u16;
    let exponent = m.exponents.code(coder, u32::from(cell.step >> 8)) as u16;
    let high = m.mantissas.code(coder, u32::from(cell.step >> 4 & 15)) as u16;
    let low = coder.even(4, u32::from(cell.step & 15)) as u16;
    // The maximum excludes infinite and NaN steps.
    let step = (exponent << 8 | high << 4 | low).min(0x7EFF);
    let mut out = SegmentCell::new(codes, rest & 3, rest >> 2, step, [0; 3]);
    let unit = super::cell::BASE_UNITS[out.unit()];
    for axis in 0..3 {
        // A range symmetric about zero is most likely.
        let levels = ((1u32 << out.widths()[axis]) - 1) as f32;
        let likely = -(levels * 0.5 / unit).round() as i32;
        let off = m
            .bases
            .code(coder, i32::from(cell.base[axis]).wrapping_sub(likely), 0);
        out.base[axis] = likely.wrapping_add(off).clamp(-32768, 32767) as i16;
    }
    out
}

/// Codes all numbers of a cell, axis by axis, as residuals of the best of three predictions.
fn column_numbers(
    coder: &mut impl Coder,
    m: &mut Models,
    clip: &PackedClip,
    cell: SegmentCell,
    knots: usize,
    offset: usize,
    out: &mut Vec<[u32; 3]>,
) -> Result<(), PackedClipError> {
    let reader = super::cell::CellReader::new(cell);
    let widths = cell.widths();
    let mut written = Vec::new();
    if !clip.data.is_empty() {
        written.extend((0..knots).map(|knot| reader.read(&clip.data, offset, knot)));
    }
    for axis in 0..3 {
        let width = widths[axis];
        if width == 0 {
            continue;
        }
        let top = (1i32 << width) - 1;
        let column: Vec<i32> = written.iter().map(|three| three[axis] as i32).collect();
        let order = m.orders[axis].code(coder, best_order(&column, top)) as usize;
        // Expected size of a residual, in 1/16; the first value comes from the width.
        let mut size = 16i64 << width.saturating_sub(3);
        let (mut one, mut two) = (top / 2, top / 2);
        let mut last = 0i32;
        for knot in 0..knots {
            let predicted = predict(order, knot, one, two, top);
            let class = class(size);
            let sign = match last.signum() {
                0 => 0,
                1 => 1,
                _ => 2,
            };
            let value = column.get(knot).copied().unwrap_or(0);
            let residual = m.residuals[class].code(coder, value.wrapping_sub(predicted), sign);
            let value = predicted.wrapping_add(residual).clamp_to(0, top);
            // The first axis with numbers adds the entries for all axes.
            if out.len() <= knot {
                out.push([0; 3]);
            }
            out[knot][axis] = value as u32;
            size += (i64::from(residual.unsigned_abs().min(1 << 20)) * 16 - size) / 4;
            last = residual;
            (one, two) = (value, one);
            if knot & 63 == 63 {
                check(coder)?;
            }
        }
        check(coder)?;
    }
    Ok(())
}

/// Predicts a number from the previous one (`one`) and the one before (`two`).
fn predict(order: usize, knot: usize, one: i32, two: i32, top: i32) -> i32 {
    match (order, knot) {
        (_, 0) | (0, _) => top / 2,
        (_, 1) | (1, _) => one,
        (2, _) => (one + (one - two)).clamp_to(0, top),
        _ => (one + (one - two) / 2).clamp_to(0, top),
    }
}

/// Prediction order with the smallest total residual.
fn best_order(column: &[i32], top: i32) -> u32 {
    let cost = |order: usize| -> f32 {
        let (mut one, mut two) = (top / 2, top / 2);
        let mut cost = 0.0;
        for (knot, &value) in column.iter().enumerate() {
            let off = value - predict(order, knot, one, two, top);
            cost += (1.0 + off.unsigned_abs() as f32 * 2.0).log2();
            (one, two) = (value, one);
        }
        cost
    };
    let costs = [cost(0), cost(1), cost(2), cost(3)];
    let best = (0..4).min_by(|a, b| costs[*a].total_cmp(&costs[*b]));
    best.unwrap_or(1) as u32
}

/// Class of a size; two classes per power of two.
fn class(size: i64) -> usize {
    let size = size.max(1) as u64;
    let log = 63 - size.leading_zeros();
    let half = if log > 0 { size >> (log - 1) & 1 } else { 0 };
    ((2 * u64::from(log) + half) as usize).min(CLASSES - 1)
}
