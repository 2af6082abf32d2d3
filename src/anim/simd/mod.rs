//! Whole-pose loops in vector registers, at the width the CPU has.
//!
//! Callers: `sample_blend`, `blend` and `local_to_model` of this room. `plain` is the same work in
//! plain Rust: what other CPUs run, and what the fast forms are tested against. All unsafe code of
//! the room is in this folder.
//!
//! Invariants: the same executable on the same CPU gives the same bits on every run and in every
//! thread. No estimate instructions are used (their bits differ between makers of CPUs), so two
//! CPUs at one [`Level`] agree bit for bit, and AVX2 agrees with AVX-512. Levels with and without
//! fused multiply-add differ in the last bits, far inside the error gate.

mod floats;
#[cfg(target_arch = "x86_64")]
mod kernels;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod plain;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use glam::Affine3A;

use super::Skeleton;
use crate::math::Trs;

/// Which instructions the loops use, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Plain Rust, the reference.
    Scalar,
    /// Four floats at a time; every x86-64.
    Sse2,
    /// Eight floats, fused multiply-add.
    Avx2,
    /// The same with the 32 registers of AVX-512VL. Sixteen floats at a time were measured and are
    /// not faster where the CPU halves such operations (Zen 4), and leave more lanes empty in the
    /// last group of a pose.
    Avx512,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The name that `GALATEA_SIMD` understands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The strongest level this CPU can run.
    pub fn best() -> Self {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(detect)
    }

    /// The level in use: the strongest the CPU can run, or a weaker one that the environment
    /// variable `GALATEA_SIMD` names (`scalar`, `sse2`, `avx2`, `avx512`; anything else is
    /// ignored). Read once per process.
    pub fn current() -> Self {
        static CURRENT: OnceLock<Level> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let wanted = std::env::var("GALATEA_SIMD").unwrap_or_default();
            Self::ALL
                .into_iter()
                .find(|level| level.name() == wanted)
                .map_or(Self::best(), |level| level.min(Self::best()))
        })
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let wide = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq");
    match (avx2, wide) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Sse2,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Scalar
}

/// Rotations of sixteen bones, component by component: 16 x, 16 y, 16 z, 16 w.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [f32; Block::FLOATS]);

impl Block {
    /// Bones per block.
    pub(super) const BONES: usize = 16;
    /// Numbers per block.
    pub(super) const FLOATS: usize = 64;
}

/// What one clip gives to the rotations: two neighbouring frames and the weight of each, which
/// holds the clip's share as well as the time between the frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    /// Two frames, each as many blocks as the bones need.
    pub(super) frames: &'a [Block],
    /// Weight of the first frame.
    pub(super) from: f32,
    /// Weight of the second.
    pub(super) to: f32,
}

/// The kernels write transforms by offsets.
#[cfg(target_arch = "x86_64")]
const _: () = {
    use std::mem::{offset_of, size_of};
    assert!(offset_of!(Trs, rotation) == 0 && offset_of!(Trs, translation) == 16);
    assert!(offset_of!(Trs, scale) == 28 && size_of::<Trs>() == 48);
    assert!(offset_of!(Affine3A, matrix3) == 0 && offset_of!(Affine3A, translation) == 48);
    assert!(size_of::<Affine3A>() == 64 && align_of::<Affine3A>() == 16);
};

/// Runs the form of a kernel that belongs to a level.
macro_rules! dispatch {
    ($level:expr, $plain:ident, $sse2:ident, $avx2:ident, $avx512:ident, ($($arg:expr),*)) => {
        match $level.min(Level::best()) {
            Level::Scalar => plain::$plain($($arg),*),
            // SAFETY: `best` has found the instructions; the lengths were brought into line above.
            #[cfg(target_arch = "x86_64")]
            Level::Sse2 => unsafe { kernels::$sse2($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { kernels::$avx2($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { kernels::$avx512($($arg),*) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => plain::$plain($($arg),*),
        }
    };
}

pub(crate) use floats::Floats;
pub(super) use plain::rotation_in;

/// Writes the normalised weighted sum of the rows as the rotations of `out`, where every row is
/// turned into the hemisphere of the first before it is added, and translations and scales from
/// `rest`. Nothing happens without rows.
///
/// # Panics
/// When `rest` has another length than `out`, or a row does not hold two frames of that many bones.
pub(super) fn rotations(level: Level, rows: &[Row], rest: &[Trs], out: &mut [Trs]) {
    assert!(rest.len() == out.len());
    let blocks = 2 * out.len().div_ceil(Block::BONES);
    assert!(rows.iter().all(|row| row.frames.len() >= blocks));
    dispatch!(
        level,
        rotations,
        rotations_sse2,
        rotations_avx2,
        rotations_avx512,
        (rows, rest, out)
    );
}

/// Moves `pose` towards `other` by `weight` times the mask's weight of each bone (clamped to
/// 0..=1); rotations on the short arc, normalised. Bones that one of the slices lacks stay.
pub(super) fn mix(
    level: Level,
    pose: &mut [Trs],
    other: &[Trs],
    weight: f32,
    mask: Option<&[f32]>,
) {
    let n = pose
        .len()
        .min(other.len())
        .min(mask.map_or(usize::MAX, <[f32]>::len));
    let (pose, other, mask) = (&mut pose[..n], &other[..n], mask.map(|mask| &mask[..n]));
    let weight = weight.clamp(0.0, 1.0);
    dispatch!(
        level,
        mix,
        mix_sse2,
        mix_avx2,
        mix_avx512,
        (pose, other, weight, mask)
    );
}

/// Model-from-bone matrices.
///
/// # Panics
/// When the slices are not as long as the skeleton.
pub(super) fn to_model(level: Level, skeleton: &Skeleton, locals: &[Trs], out: &mut [Affine3A]) {
    assert!(locals.len() == skeleton.len() && out.len() == skeleton.len());
    let walk = skeleton.walk();
    dispatch!(
        level,
        to_model,
        to_model_sse2,
        to_model_avx2,
        to_model_avx512,
        (walk, locals, out)
    );
}
