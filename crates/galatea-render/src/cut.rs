//! Partition of primitives into pieces that fit the deform pass.

use galatea_asset::model::Primitive;
use galatea_asset::skinning::SkinningMode;
use galatea_deform::partition_skin;

/// Relation of a piece to its primitive.
pub struct PrimitiveCut {
    pub mode: SkinningMode,
    pub bones: Option<Vec<u16>>,
    pub vertices: Option<Vec<u32>>,
    pub lost: (usize, f32),
}

impl PrimitiveCut {
    /// The whole primitive, uncut.
    pub fn none(mode: SkinningMode) -> Self {
        Self {
            mode,
            bones: None,
            vertices: None,
            lost: (0, 0.0),
        }
    }
}

/// Maximum number of influences per vertex that the deform pass reads.
const MAX_INFLUENCES: usize = 8;

/// Splits a primitive into pieces of at most `max_bones` bones.
pub fn cut(primitive: &Primitive, max_bones: u16) -> Vec<(PrimitiveCut, Primitive)> {
    let partition = partition_skin(primitive, usize::from(max_bones), MAX_INFLUENCES);
    if partition.n_reduced > 0 {
        tracing::info!(
            "small palettes of {max_bones}: {} of {} vertices lost influences, at most {:.0} %",
            partition.n_reduced,
            primitive.positions.len(),
            partition.largest_loss * 100.0
        );
    }
    let subsets = partition.subsets.iter().map(|subset| {
        let cut = PrimitiveCut {
            mode: SkinningMode::SmallPalette(max_bones),
            bones: Some(subset.bones.clone()),
            vertices: Some(subset.vertices.clone()),
            lost: (partition.n_reduced, partition.largest_loss),
        };
        (cut, partition.piece(primitive, subset))
    });
    subsets.collect()
}

/// Returns a copy of the primitive with tangents along x.
pub fn with_tangents(primitive: &Primitive) -> Box<Primitive> {
    let mut own = primitive.clone();
    own.tangents = vec![glam::Vec4::X; own.positions.len()];
    Box::new(own)
}
