//! Levels of detail by how large an agent appears in the picture.

use galatea_asset::Lods;

/// Least fractions of the picture's height on each level of detail but the coarsest.
const DETAILS: [f32; Lods::LEVELS - 1] = [0.25, 0.1, 0.04, 0.018];

/// The level of detail of somebody who is so large a share of the picture's height; 0 is the finest.
pub fn level_of_detail(seen: f32) -> u8 {
    DETAILS.iter().filter(|least| seen < **least).count() as u8
}

/// The most of the picture's height that somebody of a level of detail has; 1 on the finest.
pub fn most_of_level(level: u8) -> f32 {
    let coarser = usize::from(level).checked_sub(1);
    coarser.map_or(1.0, |at| DETAILS[at.min(DETAILS.len() - 1)])
}
