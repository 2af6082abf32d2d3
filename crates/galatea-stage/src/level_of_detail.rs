//! Levels of detail by how large an agent appears in the picture.

use galatea_asset::Lods;

/// Minimum sizes for each level of detail except the coarsest, as fractions of the picture's height.
const MIN_SIZES: [f32; Lods::LEVELS - 1] = [0.25, 0.1, 0.04, 0.018];

/// Level of detail for an apparent size in fractions of the picture's height; 0 is the finest.
pub fn level_of_detail(seen: f32) -> u8 {
    MIN_SIZES.iter().filter(|min| seen < **min).count() as u8
}

/// Maximum apparent size of a level of detail; 1 for the finest.
pub fn max_size_of_level(level: u8) -> f32 {
    let coarser = usize::from(level).checked_sub(1);
    coarser.map_or(1.0, |at| MIN_SIZES[at.min(MIN_SIZES.len() - 1)])
}
