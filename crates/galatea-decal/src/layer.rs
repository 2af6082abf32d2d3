//! Texture layers over a material of one character, in tiles.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::stamp::{Stamp, StampTexel};
use super::tile::{TILE, Tile};

/// Textures over one material of one character, square, in tiles with copy-on-write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecalLayer {
    side: u32,
    #[serde(with = "galatea_persist::shared")]
    tiles: Vec<Option<Arc<Tile>>>,
}

impl DecalLayer {
    /// An empty layer with at least `side` texels on each side.
    pub fn new(side: u32) -> Self {
        let n = side.clamp(1, 4096).div_ceil(TILE);
        Self {
            side: n * TILE,
            tiles: vec![None; (n * n) as usize],
        }
    }

    /// Width and height in texels, a multiple of [`TILE`].
    pub fn side(&self) -> u32 {
        self.side
    }

    /// Tiles row by row; `None` without decals.
    pub fn tiles(&self) -> &[Option<Arc<Tile>>] {
        &self.tiles
    }

    /// Removes all decals from a tile.
    pub fn clear(&mut self, tile: u32) {
        if let Some(slot) = self.tiles.get_mut(tile as usize) {
            *slot = None;
        }
    }

    /// Draws a stamp over the layer with opacity `share`, 0..=1, on the tiles for which `wanted` returns true.
    pub fn put(&mut self, stamp: &Stamp, share: f32, wanted: impl Fn(u32) -> bool) {
        for (tile, run) in stamp.by_tile() {
            let Some(slot) = self.tiles.get_mut(tile as usize).filter(|_| wanted(tile)) else {
                continue;
            };
            let tile = Arc::make_mut(slot.get_or_insert_with(|| Arc::new(Tile::empty())));
            for StampTexel {
                at,
                color,
                height: relief,
            } in run
            {
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

/// Adds slopes, so that a dent can be inside of another; blends roughness over the value below.
fn bend(under: &mut [u8], top: &[u8; 4], share: f32) {
    let slopes = [under[0], under[1]];
    over(under, top, share);
    for (k, below) in slopes.into_iter().enumerate() {
        let sum = f32::from(below) + (f32::from(top[k]) - 128.0) * share;
        under[k] = (sum + 0.5).clamp(0.0, 255.0) as u8;
    }
}

/// Alpha blending of `top` over `under`, both with straight alpha.
fn over(under: &mut [u8], top: &[u8; 4], share: f32) {
    let a = f32::from(top[3]) / 255.0 * share;
    let below = f32::from(under[3]) / 255.0;
    let sum = a + below * (1.0 - a);
    for k in 0..3 {
        let (t, u) = (f32::from(top[k]), f32::from(under[k]));
        // Transparent texels get the colour too, because filters read across edges.
        let mixed = if sum > 0.0 {
            (t * a + u * below * (1.0 - a)) / sum
        } else {
            t
        };
        under[k] = (mixed + 0.5) as u8;
    }
    under[3] = (sum * 255.0 + 0.5) as u8;
}
