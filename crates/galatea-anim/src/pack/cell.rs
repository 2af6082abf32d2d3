//! The pieces of a packed clip: grid, groups, cells, and the reading of bits.
//!
//! Callers: the rest of `pack`. Invariant: every reader is total; a cell made of any bits reads
//! numbers, never outside the data.

use glam::{Quat, Vec3A, Vec4};

use super::spline::{Taps, n_knots, taps};

/// The uniform times a clip is sampled on, and how they are cut into segments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SegmentGrid {
    /// Time of the first frame, seconds; before it the first frame holds.
    pub start: f32,
    /// Frames per second; 0 when there is one frame.
    pub rate: f32,
    /// Number of frames.
    pub frames: u32,
    /// Frames per segment; the last may be shorter.
    pub per_segment: u32,
    /// A bit for every spacing code in use.
    pub spacings: u8,
}

impl SegmentGrid {
    /// A time in frames, held at both ends.
    #[inline]
    pub fn position(&self, t: f32) -> f32 {
        let last = self.frames.saturating_sub(1) as f32;
        // A time that is no number gives the first frame.
        ((t - self.start) * self.rate).max(0.0).min(last)
    }

    /// The time of a position in frames.
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

/// What the three numbers of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Vector part of a turned rotation whose scalar part is positive.
    Rotation,
    /// First three parts of a rotation; the next group, of kind `Scalar`, holds the fourth.
    Vector,
    /// Fourth part of the rotation before it.
    Scalar,
    /// Metres.
    Translation,
    /// Factors.
    Scale,
    /// Morph weights of part `target`, from `lane` on.
    Weights,
}

impl ChannelKind {
    /// All kinds, in the order of their codes on disk.
    pub const ALL: [Self; 6] = [
        Self::Rotation,
        Self::Vector,
        Self::Scalar,
        Self::Translation,
        Self::Scale,
        Self::Weights,
    ];

    /// True for what writes a bone's rotation.
    pub fn is_rotation(self) -> bool {
        matches!(self, Self::Rotation | Self::Vector | Self::Scalar)
    }
}

/// Three numbers over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelGroup {
    /// Bone, or part for weights.
    pub target: u16,
    /// First morph target of three.
    pub lane: u16,
    /// What the numbers are.
    pub kind: ChannelKind,
    /// Morph targets in this group, 1..=3; 3 for everything else.
    pub n_lanes: u8,
    /// Rotations before and after the stored one, each four parts in units of 1/127; need not be of
    /// unit length.
    pub turn: [[i8; 4]; 2],
}

impl ChannelGroup {
    /// The rotation before the stored one and the one after it, not normalised.
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

/// Power of two that a cell's base is counted in, by its two-bit code: a quarter of a step, …
pub const BASE_UNITS: [f32; 4] = [0.25, 4.0, 64.0, 1024.0];

/// How one group is stored in one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentCell {
    /// Width codes (4 bits each, x lowest), spacing code (2 bits), unit code (2 bits).
    pub shape: u16,
    /// The upper 16 bits of a positive f32 without its sign: the size of a step.
    pub step: u16,
    /// The value of number 0, in units of the step.
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
    /// Where the numbers of a control point end, in bits: x in the lowest byte, y, z.
    #[inline(always)]
    pub fn layout(self) -> u32 {
        LAYOUTS[usize::from(self.shape & 4095)]
    }

    /// Puts a shape together.
    pub fn new(width_codes: [u16; 3], spacing: u16, unit: u16, step: u16, base: [i16; 3]) -> Self {
        let [x, y, z] = width_codes;
        Self {
            shape: x | y << 4 | z << 8 | spacing << 12 | unit << 14,
            step,
            base,
        }
    }

    /// Bits of the three numbers.
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

    /// The code of the unit of the base.
    pub fn unit(self) -> usize {
        usize::from(self.shape >> 14)
    }

    /// The size of a step.
    #[inline]
    pub fn step_size(self) -> f32 {
        f32::from_bits(u32::from(self.step) << 15)
    }

    /// The value of number 0, in steps.
    #[inline(always)]
    pub fn base_steps(self) -> Vec3A {
        let unit = BASE_UNITS[self.unit()];
        let [x, y, z] = self.base;
        Vec3A::new(f32::from(x), f32::from(y), f32::from(z)) * unit
    }

    /// Bits of the group in a segment of so many frames.
    #[inline(always)]
    pub fn bits(self, frames: usize) -> usize {
        self.width() as usize * n_knots(frames, self.spacing())
    }
}

/// The largest step code not above `step`, a positive number.
pub fn step_code(step: f32) -> u16 {
    let step = step.clamp(1e-30, 1e30);
    (step.to_bits() >> 15) as u16
}

/// The weights of a moment's two frames for every spacing a clip uses.
#[derive(Clone, Copy, Debug)]
pub struct FrameWeights {
    /// First control point, and weights of the frame at or before the time.
    pub taps: [Taps; 4],
    /// Weights of the frame after it, for the same control points.
    pub next: [[f32; 4]; 4],
    /// Frames from the one to the other: 1, or 0 at the end.
    pub ahead: usize,
    /// Control points of a group in this segment.
    pub knots: [usize; 4],
}

impl FrameWeights {
    /// Frame `frame` of a segment of `frames` frames and the one after it (held at the end).
    /// `spacings` has a bit for every spacing code in use.
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

/// 64 bits from a bit offset on, fewer only at the very end of the data.
#[inline(always)]
pub fn bits_at(data: &[u8], offset: usize) -> u64 {
    match data.get(offset / 8..).and_then(|rest| rest.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes) >> (offset % 8),
        None => 0,
    }
}

/// A cell read for fast unpacking.
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

    /// The three numbers of control point `knot` of a group that begins at bit `offset`.
    #[inline(always)]
    pub fn read(&self, data: &[u8], offset: usize, knot: usize) -> [u32; 3] {
        let word = bits_at(data, offset + knot * self.width);
        [
            word as u32 & self.masks[0],
            (word >> self.shifts[0]) as u32 & self.masks[1],
            (word >> self.shifts[1]) as u32 & self.masks[2],
        ]
    }

    /// [`CellReader::read`] as numbers.
    #[inline(always)]
    pub fn steps(&self, data: &[u8], offset: usize, knot: usize) -> Vec3A {
        let [x, y, z] = self.read(data, offset, knot);
        // All below 2^19: the signed conversion is the fast one.
        Vec3A::new(x as i32 as f32, y as i32 as f32, z as i32 as f32)
    }
}

/// The value of a group at a frame: base and weighted control points, times the step.
#[inline]
pub fn combine(cell: SegmentCell, weighted: Vec3A) -> Vec3A {
    (cell.base_steps() + weighted) * cell.step_size()
}

/// The rotation with this vector part and a scalar part that is not negative.
#[inline]
pub fn with_scalar(v: Vec3A) -> Quat {
    let w = (1.0 - v.length_squared()).max(0.0).sqrt();
    Quat::from_vec4(v.extend(w))
}
