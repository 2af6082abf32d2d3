//! Tiles of a layer and their mip levels.

use serde::{Deserialize, Serialize};

/// Width and height of a tile, texels.
pub const TILE: u32 = 64;
pub(super) const TEXELS: usize = (TILE * TILE) as usize;

/// A tile of a layer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tile {
    /// sRGB colour with alpha, four bytes per texel, row by row.
    #[serde(with = "galatea_persist::bytes")]
    pub color: Vec<u8>,
    /// Slopes along tangent and bitangent (128 is flat), roughness, and weight of the roughness.
    #[serde(with = "galatea_persist::bytes")]
    pub relief: Vec<u8>,
}

impl Tile {
    /// A texel of `relief` without decals.
    pub const FLAT: [u8; 4] = [128, 128, 255, 0];

    /// A tile without decals.
    pub fn empty() -> Self {
        Self {
            color: vec![0; 4 * TEXELS],
            relief: Self::FLAT.repeat(TEXELS),
        }
    }
}

/// Number of mip levels of a tile, down to a single texel.
pub const LEVELS: u32 = TILE.trailing_zeros() + 1;

/// Next mip level of a square image of `side` texels with four bytes each. Means are weighted by alpha, so that transparent
/// texels add no colour; the channels of `sums` are averaged without alpha.
pub fn halved(picture: &[u8], side: usize, sums: usize) -> Vec<u8> {
    let half = side / 2;
    let mut out = Vec::with_capacity(picture.len() / 4);
    for i in 0..half * half {
        let (x, y) = (i % half * 2, i / half * 2);
        let texel = |k: usize| {
            let at = 4 * ((y + k / 2) * side + x + k % 2);
            <[u8; 4]>::try_from(&picture[at..at + 4]).unwrap_or_default()
        };
        let four: [[u8; 4]; 4] = std::array::from_fn(texel);
        let alpha: u32 = four.iter().map(|texel| u32::from(texel[3])).sum();
        for channel in 0..3 {
            let plain: u32 = four.iter().map(|texel| u32::from(texel[channel])).sum();
            let weighted = four
                .iter()
                .map(|texel| u32::from(texel[channel]) * u32::from(texel[3]));
            let mean = if channel < sums || alpha == 0 {
                (plain + 2) / 4
            } else {
                (weighted.sum::<u32>() + alpha / 2) / alpha
            };
            out.push(mean as u8);
        }
        out.push(((alpha + 2) / 4) as u8);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mip_levels_weight_colours_by_alpha_and_average_slopes() {
        // Red next to transparent green: half the alpha, all red.
        let red = [[200, 0, 0, 255], [0, 255, 0, 0]].concat();
        let picture = [red.clone(), red].concat();
        assert_eq!(halved(&picture, 2, 0), [200, 0, 0, 128]);
        // Slopes count even where the roughness has no weight.
        let bent = [[228, 128, 10, 255], [128, 128, 255, 0]].concat();
        let picture = [bent.clone(), bent].concat();
        assert_eq!(halved(&picture, 2, 2), [178, 128, 10, 128]);
        let mut tile = Tile::empty();
        for level in 1..LEVELS {
            let side = (TILE >> (level - 1)) as usize;
            tile.relief = halved(&tile.relief, side, 2);
            tile.color = halved(&tile.color, side, 0);
        }
        assert_eq!(
            (tile.color.as_slice(), tile.relief.as_slice()),
            (&[0; 4][..], &Tile::FLAT[..])
        );
    }
}
