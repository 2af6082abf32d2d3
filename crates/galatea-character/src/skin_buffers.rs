//! The buffers from which the skin of one character is deformed.

use glam::Affine3A;

/// Palettes and morph weights of the last tick and of the tick before.
#[derive(Clone, Debug, Default)]
pub struct SkinBuffers {
    /// Skinning matrices of the last tick and of the tick before.
    pub palette: [Vec<Affine3A>; 2],
    /// Morph weights of the last tick and of the tick before.
    pub morphs: [Vec<f32>; 2],
}
