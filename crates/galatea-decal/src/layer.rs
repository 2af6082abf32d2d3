//! Pictures that lie over a material of one character, in tiles.

use std::sync::Arc;

use super::stamp::{Stamp, Texel};

/// Texels of each side of a tile.
pub const TILE: u32 = 64;
pub(super) const TEXELS: usize = (TILE * TILE) as usize;

/// The pictures over one material of one character, square, in tiles that are shared until they change.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    side: u32,
    tiles: Vec<Option<Arc<Tile>>>,
}

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

impl Layer {
    /// Without marks, at least so many texels on each side.
    pub fn new(side: u32) -> Self {
        let n = side.clamp(1, 4096).div_ceil(TILE);
        Self {
            side: n * TILE,
            tiles: vec![None; (n * n) as usize],
        }
    }

    /// Texels of each side, a multiple of [`TILE`].
    pub fn side(&self) -> u32 {
        self.side
    }

    /// Tiles row by row; those without marks are not there.
    pub fn tiles(&self) -> &[Option<Arc<Tile>>] {
        &self.tiles
    }

    /// Takes all marks off a tile.
    pub fn clear(&mut self, tile: u32) {
        if let Some(slot) = self.tiles.get_mut(tile as usize) {
            *slot = None;
        }
    }

    /// Lays a mark over what is there, `share` (0..=1) of it, on those of its tiles that are wanted.
    pub fn put(&mut self, stamp: &Stamp, share: f32, wanted: impl Fn(u32) -> bool) {
        for (tile, run) in stamp.by_tile() {
            let Some(slot) = self.tiles.get_mut(tile as usize).filter(|_| wanted(tile)) else {
                continue;
            };
            let tile = Arc::make_mut(slot.get_or_insert_with(|| Arc::new(Tile::empty())));
            for Texel { at, color, relief } in run {
                let at = 4 * usize::from(*at);
                over(&mut tile.color[at..at + 4], color, share);
                bend(&mut tile.relief[at..at + 4], relief, share);
            }
        }
    }

    /// Colour and relief of a texel.
    pub fn texel(&self, x: u32, y: u32) -> [[u8; 4]; 2] {
        let number = (y / TILE * (self.side / TILE) + x / TILE) as usize;
        let Some(Some(tile)) = self.tiles.get(number) else {
            return [[0; 4], Tile::FLAT];
        };
        let at = 4 * (y % TILE * TILE + x % TILE) as usize;
        [&tile.color, &tile.relief].map(|of| std::array::from_fn(|k| of[at + k]))
    }
}

/// Slopes are added, so that one dent lies in another; roughness covers what is under it.
fn bend(under: &mut [u8], top: &[u8; 4], share: f32) {
    let slopes = [under[0], under[1]];
    over(under, top, share);
    for (k, below) in slopes.into_iter().enumerate() {
        let sum = f32::from(below) + (f32::from(top[k]) - 128.0) * share;
        under[k] = (sum + 0.5).clamp(0.0, 255.0) as u8;
    }
}

/// `top` over `under`, both with straight alpha.
fn over(under: &mut [u8], top: &[u8; 4], share: f32) {
    let a = f32::from(top[3]) / 255.0 * share;
    let below = f32::from(under[3]) / 255.0;
    let sum = a + below * (1.0 - a);
    for k in 0..3 {
        let (t, u) = (f32::from(top[k]), f32::from(under[k]));
        // What is clear takes the colour too: filters read beside edges.
        let mixed = if sum > 0.0 {
            (t * a + u * below * (1.0 - a)) / sum
        } else {
            t
        };
        under[k] = (mixed + 0.5) as u8;
    }
    under[3] = (sum * 255.0 + 0.5) as u8;
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
