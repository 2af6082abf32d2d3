//! Whole-pose loops in vector registers, at the width the CPU has.
//!
//! Callers: `sample_blend`, `blend` and `local_to_model` of this room. `plain` is the same work in
//! plain Rust: what other CPUs run, and what the fast forms are tested against.
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

/// Rotations of sixteen bones, component by component: 16 x, 16 y, 16 z, 16 w.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct RotationBlock(pub(super) [f32; RotationBlock::FLOATS]);

impl RotationBlock {
    /// Bones per block.
    pub(super) const BONES: usize = 16;
    /// Numbers per block.
    pub(super) const FLOATS: usize = 64;
}

/// Contribution of one clip to the rotations: two neighbouring frames and the weight of each, which
/// is the clip's share times the fraction of the time between the frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlendRow<'a> {
    /// Two frames, each as many blocks as the bones need.
    pub(super) frames: &'a [RotationBlock],
    /// Weight of the first frame.
    pub(super) from: f32,
    /// Weight of the second.
    pub(super) to: f32,
    /// Weight that moves from the first to the second so that rotations follow their arc evenly.
    pub(super) bend: ArcBend,
}

pub(super) use plain::rotation_in;

/// Writes the normalised weighted sum of the rows as the rotations of `out`, where every row is
/// turned into the hemisphere of the first before it is added, and translations and scales from
/// `rest`. Nothing happens without rows.
///
/// # Panics
/// When `rest` has another length than `out`, or a row does not hold two frames of that many bones.
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
    dispatch!(level, plain::mix, kernels::mix, (pose, other, weight, mask));
}

/// Model-from-bone matrices.
///
/// # Panics
/// When the slices are not as long as the skeleton.
pub(super) fn to_model(level: Level, skeleton: &Skeleton, locals: &[Trs], out: &mut [Affine3A]) {
    assert!(locals.len() == skeleton.len() && out.len() == skeleton.len());
    dispatch!(
        level,
        plain::to_model,
        kernels::to_model,
        (skeleton, locals, out)
    );
}
