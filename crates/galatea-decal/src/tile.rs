//! Tiles of a layer, and the mip levels of their pictures.

/// Texels of each side of a tile.
pub const TILE: u32 = 64;
pub(super) const TEXELS: usize = (TILE * TILE) as usize;

/// A part of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// sRGB colour and how much of it there is, four bytes for each texel, row by row.
    pub color: Vec<u8>,
    /// Slopes along tangent and bitangent (128 is flat), roughness, how much of the roughness there is.
    pub relief: Vec<u8>,
}

impl Tile {
    /// A texel of `relief` without marks.
    pub const FLAT: [u8; 4] = [128, 128, 255, 0];

    /// Without marks.
    pub fn empty() -> Self {
        Self {
            color: vec![0; 4 * TEXELS],
            relief: Self::FLAT.repeat(TEXELS),
        }
    }
}

/// Levels of a tile's pictures: itself, then each half as large as the one before, to a single texel.
pub const LEVELS: u32 = TILE.trailing_zeros() + 1;

/// Half of a square picture of `side` texels (four bytes each): the mean of each four by their alpha, so that what is
/// clear gives no colour. `sums` are channels whose mean does not ask for alpha.
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
    fn halves_keep_colours_by_their_alpha_and_slopes_by_their_mean() {
        // Red beside what is clear and green: half of it, all red.
        let red = [[200, 0, 0, 255], [0, 255, 0, 0]].concat();
        let picture = [red.clone(), red].concat();
        assert_eq!(halved(&picture, 2, 0), [200, 0, 0, 128]);
        // Slopes count where nothing makes it rough, too.
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
