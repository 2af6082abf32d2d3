//! Queries of the plan about a model in a frame: completeness, shape of its pieces, distance.

use glam::Vec3;

use super::piece::PartPrimitive;
use super::residency::Resident;
use super::uniforms::GpuMorph;
use galatea_stage::frame::{DrawModel, Frame};

/// Smaller morph weights count as 0.
pub const MIN_WEIGHT: f32 = 1e-5;

/// Key of a piece's deformed shape. Instances with equal keys are deformed once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DeformKey {
    /// Bits of the matrix of a rigid piece.
    Rigid([u32; 12]),
    /// Offsets of its matrices and weights in the frame.
    Posed(u32, u32),
}

/// Shape of a piece of a model in a frame; `None` if its matrix is missing.
pub fn shape_of(
    piece: &PartPrimitive,
    targets: &[GpuMorph],
    model: &DrawModel,
    frame: &Frame,
) -> Option<DeformKey> {
    let first = (model.morph_start + piece.first_weight) as usize;
    let weights = frame.morph_weights.get(first..).unwrap_or_default();
    let mut at_work = targets.iter().zip(weights);
    if piece.n_influences > 0 || at_work.any(|(_, weight)| weight.abs() > MIN_WEIGHT) {
        return Some(DeformKey::Posed(model.palette_start, model.morph_start));
    }
    let matrix = frame
        .palette
        .get((model.palette_start + piece.palette.0) as usize)?;
    Some(DeformKey::Rigid(matrix.to_cols_array().map(f32::to_bits)))
}

/// Returns true if all palette matrices and weights of a model are in the frame.
pub fn is_whole(
    draw: &DrawModel,
    resident: &Resident,
    n_matrices: usize,
    n_weights: usize,
) -> bool {
    let matrices_end = draw.palette_start as usize + resident.palette.len;
    let weights_end = draw.morph_start as usize + resident.n_morph_weights as usize;
    matrices_end <= n_matrices && (weights_end <= n_weights || resident.n_morph_weights == 0)
}

/// Approximate distance of a piece's centre along the view, metres. The main joint moves the centre.
pub fn distance_of(
    piece: &PartPrimitive,
    middle: (Vec3, u16),
    model: &DrawModel,
    frame: &Frame,
) -> f32 {
    let joint = if piece.n_influences == 0 {
        0
    } else {
        let joint = middle.1;
        let bones = piece.bones.as_ref();
        u32::from(bones.map_or(joint, |bones| bones[usize::from(joint)]))
    };
    let matrix = model.palette_start + piece.palette.0 + joint.min(piece.palette.1.max(1) - 1);
    let Some(model_from_mesh) = frame.palette.get(matrix as usize) else {
        return 0.0;
    };
    let in_model = model_from_mesh.transform_point3(middle.0);
    let world = model.world_from_model.transform_point3(in_model);
    along_view(frame, world)
}

/// Distance along the view, metres.
pub fn along_view(frame: &Frame, point: Vec3) -> f32 {
    let forward = (frame.camera.target - frame.camera.eye).normalize_or_zero();
    forward.dot(point - frame.camera.eye)
}
