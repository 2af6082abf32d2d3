//! Parts of a packed clip: grid, groups, cells, and the bit reader.
//!
//! Used by the rest of `pack`. Invariant: readers accept any input; a cell of arbitrary bits gives numbers and never
//! reads outside the data.

use glam::{Quat, Vec3A, Vec4};

use super::spline::{Taps, n_knots, taps};

/// Uniform sample times of a clip, and their division into segments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SegmentGrid {
    /// Time of the first frame, seconds; before it, the first frame holds.
    pub start: f32,
    /// Frames per second; 0 for a single frame.
    pub rate: f32,
    /// Number of frames.
    pub frames: u32,
    /// Frames per segment; the last one can be shorter.
    pub per_segment: u32,
    /// Bit mask of the spacing codes in use.
    pub spacings: u8,
}

impl SegmentGrid {
    /// Converts a time to a position in frames, clamped at both ends.
    #[inline]
    pub fn position(&self, t: f32) -> f32 {
        let last = self.frames.saturating_sub(1) as f32;
        // NaN gives the first frame.
        ((t - self.start) * self.rate).max(0.0).min(last)
    }

    /// Converts a position in frames to a time, seconds.
    pub fn time(&self, position: f32) -> f32 {
        if self.rate > 0.0 {
            self.start + position / self.rate
        } else {
            self.start
        }
    }

    /// Number of segments.
    pub fn n_segments(&self) -> usize {
        self.frames.div_ceil(self.per_segment.max(1)) as usize
    }

    /// First frame and number of frames of a segment.
    pub fn segment(&self, segment: usize) -> (usize, usize) {
        let per = self.per_segment.max(1) as usize;
        let first = segment * per;
        (first, (self.frames as usize).saturating_sub(first).min(per))
    }
}

/// Meaning of the three numbers of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Vector part of a re-oriented rotation with a positive scalar part.
    Rotation,
    /// First three components of a rotation; the next group, of kind `Scalar`, holds the fourth.
    Vector,
    /// Fourth component of the previous rotation.
    Scalar,
    /// Translation, metres.
    Translation,
    /// Scale factors.
    Scale,
    /// Morph weights of part `target`, starting at `lane`.
    Weights,
}

impl ChannelKind {
    /// All kinds in the order of their codes on disk.
    pub const ALL: [Self; 6] = [
        Self::Rotation,
        Self::Vector,
        Self::Scalar,
        Self::Translation,
        Self::Scale,
        Self::Weights,
    ];

    /// Returns true for kinds that write a bone's rotation.
    pub fn is_rotation(self) -> bool {
        matches!(self, Self::Rotation | Self::Vector | Self::Scalar)
    }
}

/// Three numbers over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelGroup {
    /// Bone index, or part index for weights.
    pub target: u16,
    /// First of up to three morph targets.
    pub lane: u16,
    /// Meaning of the numbers.
    pub kind: ChannelKind,
    /// Morph targets in this group, 1..=3; 3 for every other kind.
    pub n_lanes: u8,
    /// Rotations before and after the stored one, as four components in units of 1/127; not necessarily of unit
    /// length.
    pub turn: [[i8; 4]; 2],
}

impl ChannelGroup {
    /// Rotations before and after the stored one, not normalised.
    #[inline]
    pub fn turns(&self) -> (Quat, Quat) {
        let quat = |[x, y, z, w]: [i8; 4]| {
            Quat::from_vec4(Vec4::new(
                f32::from(x),
                f32::from(y),
                f32::from(z),
                f32::from(w),
            ))
        };
        (quat(self.turn[0]), quat(self.turn[1]))
    }
}

/// Bits of one number, by its four-bit code.
pub const WIDTHS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 19];

/// Unit of a cell's base in steps, by its two-bit code.
pub const BASE_UNITS: [f32; 4] = [0.25, 4.0, 64.0, 1024.0];

/// Storage format of one group in one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentCell {
    /// Width codes (4 bits each, x lowest), spacing code (2 bits), unit code (2 bits).
    pub shape: u16,
    /// Upper 16 bits of a positive f32 without its sign bit: the step size.
    pub step: u16,
    /// Value of number 0, in units of `BASE_UNITS` steps.
    pub base: [i16; 3],
}

/// [`SegmentCell::layout`] of every combination of width codes.
static LAYOUTS: [u32; 4096] = {
    let mut layouts = [0; 4096];
    let mut shape = 0;
    while shape < 4096 {
        let x = WIDTHS[shape & 15] as u32;
        let xy = x + WIDTHS[shape >> 4 & 15] as u32;
        let xyz = xy + WIDTHS[shape >> 8] as u32;
        layouts[shape] = x | xy << 8 | xyz << 16;
        shape += 1;
    }
    layouts
};

impl SegmentCell {
    /// Bit offsets of the ends of a control point's numbers: x in the lowest byte, then y, z.
    #[inline(always)]
    pub fn layout(self) -> u32 {
        LAYOUTS[usize::from(self.shape & 4095)]
    }

    /// Packs the codes into a shape.
    pub fn new(width_codes: [u16; 3], spacing: u16, unit: u16, step: u16, base: [i16; 3]) -> Self {
        let [x, y, z] = width_codes;
        Self {
            shape: x | y << 4 | z << 8 | spacing << 12 | unit << 14,
            step,
            base,
        }
    }

    /// Bits of each of the three numbers.
    #[inline(always)]
    pub fn widths(self) -> [u32; 3] {
        [0, 4, 8].map(|at| u32::from(WIDTHS[usize::from(self.shape >> at & 15)]))
    }

    /// Bits of one control point.
    #[inline(always)]
    pub fn width(self) -> u32 {
        self.widths().iter().sum()
    }

    /// Spacing code.
    #[inline]
    pub fn spacing(self) -> usize {
        usize::from(self.shape >> 12 & 3)
    }

    /// Unit code of the base.
    pub fn unit(self) -> usize {
        usize::from(self.shape >> 14)
    }

    /// Step size.
    #[inline]
    pub fn step_size(self) -> f32 {
        f32::from_bits(u32::from(self.step) << 15)
    }

    /// Value of number 0, in steps.
    #[inline(always)]
    pub fn base_steps(self) -> Vec3A {
        let unit = BASE_UNITS[self.unit()];
        let [x, y, z] = self.base;
        Vec3A::new(f32::from(x), f32::from(y), f32::from(z)) * unit
    }

    /// Bits of the group in a segment with this number of frames.
    #[inline(always)]
    pub fn bits(self, frames: usize) -> usize {
        self.width() as usize * n_knots(frames, self.spacing())
    }
}

/// Largest step code that is not above `step`, a positive number.
pub fn step_code(step: f32) -> u16 {
    let step = step.clamp(1e-30, 1e30);
    (step.to_bits() >> 15) as u16
}

/// Spline weights of two neighbouring frames for every spacing that a clip uses.
#[derive(Clone, Copy, Debug)]
pub struct FrameWeights {
    /// First control point and weights of the frame at or before the time.
    pub taps: [Taps; 4],
    /// Weights of the next frame for the same control points.
    pub next: [[f32; 4]; 4],
    /// Frames between the two: 1, or 0 at the end.
    pub ahead: usize,
    /// Control points of a group in this segment, by spacing code.
    pub knots: [usize; 4],
}

impl FrameWeights {
    /// Weights for frame `frame` of a segment of `frames` frames and for the next one (clamped at the end).
    /// `spacings` is the bit mask of the spacing codes in use.
    #[inline]
    pub fn new(frame: usize, frames: usize, spacings: u8) -> Self {
        let ahead = usize::from(frame + 1 < frames);
        let mut moment = Self {
            taps: [Taps::default(); 4],
            next: [[0.0; 4]; 4],
            ahead,
            knots: [0, 1, 2, 3].map(|code| n_knots(frames, code)),
        };
        moment.taps[0].first = frame;
        for code in 1..4 {
            if spacings & 1 << code != 0 {
                moment.taps[code] = taps(frame, frame, frames, code);
                moment.next[code] = taps(frame + ahead, frame, frames, code).weights;
            }
        }
        moment
    }
}

/// 64 bits starting at a bit offset; fewer only at the very end of the data.
#[inline(always)]
pub fn bits_at(data: &[u8], offset: usize) -> u64 {
    match data.get(offset / 8..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes) >> (offset % 8),
        None => 0,
    }
}

/// A cell prepared for fast unpacking.
#[derive(Clone, Copy, Debug)]
pub struct CellReader {
    width: usize,
    shifts: [u32; 2],
    masks: [u32; 3],
}

impl CellReader {
    /// Prepares the reading of a cell's control points.
    #[inline(always)]
    pub fn new(cell: SegmentCell) -> Self {
        let [x, y, z] = cell.widths();
        Self {
            width: (x + y + z) as usize,
            shifts: [x, x + y],
            masks: [x, y, z].map(|width| (1u32 << width) - 1),
        }
    }

    /// Reads the three numbers of control point `knot` of a group that begins at bit `offset`.
    #[inline(always)]
    pub fn read(&self, data: &[u8], offset: usize, knot: usize) -> [u32; 3] {
        let word = bits_at(data, offset + knot * self.width);
        [
            word as u32 & self.masks[0],
            (word >> self.shifts[0]) as u32 & self.masks[1],
            (word >> self.shifts[1]) as u32 & self.masks[2],
        ]
    }

    /// [`CellReader::read`] as floats.
    #[inline(always)]
    pub fn steps(&self, data: &[u8], offset: usize, knot: usize) -> Vec3A {
        let [x, y, z] = self.read(data, offset, knot);
        // All values are below 2^19, so the faster signed conversion is safe.
        Vec3A::new(x as i32 as f32, y as i32 as f32, z as i32 as f32)
    }
}

/// Value of a group at a frame: base plus weighted control points, times the step.
#[inline]
pub fn combine(cell: SegmentCell, weighted: Vec3A) -> Vec3A {
    (cell.base_steps() + weighted) * cell.step_size()
}

/// Rotation with this vector part and a scalar part that is not negative.
#[inline]
pub fn with_scalar(v: Vec3A) -> Quat {
    let w = (1.0 - v.length_squared()).max(0.0).sqrt();
    Quat::from_vec4(v.extend(w))
}
