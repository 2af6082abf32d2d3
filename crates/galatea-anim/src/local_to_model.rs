//! Conversion of a pose's local transforms to model-space matrices.

use glam::Affine3A;

use super::Skeleton;
use super::simd;
use galatea_math::Trs;
use galatea_math::simd::Level;

/// Computes the model-from-bone matrix of every bone of a pose. Overwrites `out` and reuses its buffer.
pub fn local_to_model(skeleton: &Skeleton, locals: &[Trs], out: &mut Vec<Affine3A>) {
    local_to_model_at(Level::current(), skeleton, locals, out);
}

/// [`local_to_model`] with the instructions of a given SIMD level, for tests and benchmarks.
pub fn local_to_model_at(
    level: Level,
    skeleton: &Skeleton,
    locals: &[Trs],
    out: &mut Vec<Affine3A>,
) {
    if locals.len() != skeleton.len() {
        // The pose belongs to another model: only the bones that both have are converted.
        out.clear();
        for (local, parent) in locals.iter().zip(skeleton.parents()) {
            let parent_from_bone = local.to_affine();
            let parent = out.get(usize::from(*parent));
            out.push(parent.map_or(parent_from_bone, |parent| *parent * parent_from_bone));
        }
        return;
    }
    out.resize(skeleton.len(), Affine3A::IDENTITY);
    simd::to_model(level, skeleton, locals, out);
}
