//! Whole-pose loops with SIMD instructions, at the width of the CPU.
//!
//! Used by `sample_blend`, `blend` and `local_to_model`. `plain` is the same computation in plain Rust, for other
//! CPUs and as the reference in tests.
//!
//! Invariants: those of `math::simd`.

mod kernels;
mod plain;
#[cfg(test)]
mod tests;

use glam::Affine3A;

use super::Skeleton;
use crate::arc::ArcBend;
use galatea_math::Trs;
use galatea_math::simd::{Level, dispatch};

/// Rotations of sixteen bones by component: 16 x, 16 y, 16 z, 16 w.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct RotationBlock(pub(super) [f32; RotationBlock::FLOATS]);

impl RotationBlock {
    /// Bones per block.
    pub(super) const BONES: usize = 16;
    /// Floats per block.
    pub(super) const FLOATS: usize = 64;
}

/// Contribution of one clip to the rotations: two neighbouring frames with their weights. A weight is the clip's
/// normalised weight times the fraction of the time between the frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlendRow<'a> {
    /// Two frames, each with as many blocks as the bones need.
    pub(super) frames: &'a [RotationBlock],
    /// Weight of the first frame.
    pub(super) from: f32,
    /// Weight of the second frame.
    pub(super) to: f32,
    /// Weight that is moved from the first to the second frame for constant angular speed.
    pub(super) bend: ArcBend,
}

pub(super) use plain::rotation_in;

/// Writes the normalised weighted sum of the rows as the rotations of `out`, and translations and scales from `rest`.
/// Every row is negated into the hemisphere of the first where necessary. Does nothing without rows.
///
/// # Panics
/// If `rest` and `out` differ in length, or a row does not hold two frames of that many bones.
pub(super) fn rotations(level: Level, rows: &[BlendRow], rest: &[Trs], out: &mut [Trs]) {
    assert!(rest.len() == out.len());
    let blocks = 2 * out.len().div_ceil(RotationBlock::BONES);
    assert!(rows.iter().all(|row| row.frames.len() >= blocks));
    dispatch!(
        level,
        plain::rotations,
        kernels::rotations,
        (rows, rest, out)
    );
}

/// Blends `pose` towards `other` by `weight` times the mask's weight of each bone (clamped to 0..=1); rotations on
/// the short arc, normalised. Bones beyond the end of one of the slices stay unchanged.
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
    dispatch!(level, plain::mix, kernels::mix, (pose, other, weight, mask));
}

/// Computes the model-from-bone matrices.
///
/// # Panics
/// If the slices do not have the length of the skeleton.
pub(super) fn to_model(level: Level, skeleton: &Skeleton, locals: &[Trs], out: &mut [Affine3A]) {
    assert!(locals.len() == skeleton.len() && out.len() == skeleton.len());
    dispatch!(
        level,
        plain::to_model,
        kernels::to_model,
        (skeleton, locals, out)
    );
}
