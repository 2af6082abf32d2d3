//! What the plan asks of a model in a frame: whether it is whole, which shape its pieces have, how far they are.

use glam::Vec3;

use super::piece::PartPrimitive;
use super::residency::Resident;
use super::uniforms::GpuMorph;
use galatea_stage::frame::{DrawModel, Frame};

/// Morph weights nearer to 0 are left out.
pub const SMALLEST_WEIGHT: f32 = 1e-5;

/// What gives a piece its shape: who has the same needs to be deformed once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DeformKey {
    /// Bits of the matrix of a rigid piece.
    Rigid([u32; 12]),
    /// Where its matrices and weights are in the frame.
    Posed(u32, u32),
}

/// The shape of a piece of a model in a frame; `None` where there is none.
pub fn shape_of(
    piece: &PartPrimitive,
    targets: &[GpuMorph],
    model: &DrawModel,
    frame: &Frame,
) -> Option<DeformKey> {
    let first = (model.morph_start + piece.first_weight) as usize;
    let weights = frame.morph_weights.get(first..).unwrap_or_default();
    let mut at_work = targets.iter().zip(weights);
    if piece.n_influences > 0 || at_work.any(|(_, weight)| weight.abs() > SMALLEST_WEIGHT) {
        return Some(DeformKey::Posed(model.palette_start, model.morph_start));
    }
    let matrix = frame
        .palette
        .get((model.palette_start + piece.palette.0) as usize)?;
    Some(DeformKey::Rigid(matrix.to_cols_array().map(f32::to_bits)))
}

/// Whether the palette and the weights of a model are all in the frame.
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

/// How far along the view the middle of a piece stands, roughly: moved by its main joint.
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

/// Metres along the view.
pub fn along_view(frame: &Frame, point: Vec3) -> f32 {
    let forward = (frame.camera.target - frame.camera.eye).normalize_or_zero();
    forward.dot(point - frame.camera.eye)
}
