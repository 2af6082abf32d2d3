//! How primitives are cut into pieces that the deform pass takes.

use galatea_asset::model::Primitive;
use galatea_asset::skinning::SkinningMode;
use galatea_deform::partition_skin;

/// How a piece is cut out of its primitive.
pub struct PrimitiveCut {
    pub mode: SkinningMode,
    pub bones: Option<Vec<u16>>,
    pub vertices: Option<Vec<u32>>,
    pub lost: (usize, f32),
}

impl PrimitiveCut {
    /// All of it.
    pub fn none(mode: SkinningMode) -> Self {
        Self {
            mode,
            bones: None,
            vertices: None,
            lost: (0, 0.0),
        }
    }
}

/// The most influences that the deform pass reads.
const MOST_INFLUENCES: usize = 8;

/// A primitive in pieces of at most `most` bones.
pub fn cut(primitive: &Primitive, most: u16) -> Vec<(PrimitiveCut, Primitive)> {
    let partition = partition_skin(primitive, usize::from(most), MOST_INFLUENCES);
    if partition.n_reduced > 0 {
        tracing::info!(
            "small palettes of {most}: {} of {} vertices lost influences, at most {:.0} %",
            partition.n_reduced,
            primitive.positions.len(),
            partition.largest_loss * 100.0
        );
    }
    let subsets = partition.subsets.iter().map(|subset| {
        let cut = PrimitiveCut {
            mode: SkinningMode::SmallPalette(most),
            bones: Some(subset.bones.clone()),
            vertices: Some(subset.vertices.clone()),
            lost: (partition.n_reduced, partition.largest_loss),
        };
        (cut, partition.piece(primitive, subset))
    });
    subsets.collect()
}

/// The same with tangents along x.
pub fn with_tangents(primitive: &Primitive) -> Box<Primitive> {
    let mut own = primitive.clone();
    own.tangents = vec![glam::Vec4::X; own.positions.len()];
    Box::new(own)
}
