//! Decals stamped into texture layers over a material, in its own texture coordinates. The number of decals does not change
//! the cost of drawing.

use std::sync::Arc;

use glam::{IVec2, Vec2};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::reader::{DecalMaterial, DecalReader, tables};
use super::tile::{TEXELS, TILE};

/// Texels stamped around triangles, so that seams are not visible.
const GUTTER: f32 = 1.2;
/// Maximum number of texels of one stamp.
const MAX_TEXELS: usize = 1 << 20;

/// A triangle to stamp.
#[derive(Clone, Copy, Debug)]
pub struct StampTriangle {
    /// Texture coordinates of the corners, v downwards.
    pub uv: [Vec2; 3],
    /// Positions of the corners on the decal, metres to the right and up from its centre.
    pub on: [Vec2; 3],
    /// Sign of the bitangent.
    pub hand: f32,
}

/// The texels of a decal on a layer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stamp {
    /// Tiles, ascending, each with the end of its texels.
    runs: Vec<(u32, usize)>,
    /// Texels, tile after tile.
    texels: Vec<StampTexel>,
}

/// Content of a stamp at a texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct StampTexel {
    /// Index within the tile, row by row.
    pub at: u16,
    pub color: [u8; 4],
    pub height: [u8; 4],
}

/// A texel of a tile: distance outside of its triangle in texels (infinite for none), position on the decal, and index of
/// the triangle.
#[derive(Clone, Copy)]
struct TexelPosition {
    outside: f32,
    on: Vec2,
    spot: u32,
}

const NOWHERE: TexelPosition = TexelPosition {
    outside: f32::INFINITY,
    on: Vec2::ZERO,
    spot: 0,
};

impl Stamp {
    /// Stamps a decal of `size` metres onto a layer of `side` × `side` texels. `side` is a multiple of [`TILE`].
    pub fn new(look: &DecalMaterial, size: f32, spots: &[StampTriangle], side: u32) -> Self {
        let reader = DecalReader::new(look, size.max(1e-6));
        let n = side / TILE;
        // Tiles are created when a triangle touches them. A texel is read after its nearest triangle is known.
        let mut tiles: Vec<Option<Box<[TexelPosition; TEXELS]>>> = vec![None; (n * n) as usize];
        let mut left = MAX_TEXELS;
        for (number, spot) in (0..).zip(spots) {
            if !spot.on.iter().chain(&spot.uv).all(|p| p.is_finite()) {
                continue;
            }
            each_texel(spot, side, |x, y, outside, on| {
                if left == 0 || !reader.shows(on) {
                    return;
                }
                let slot = &mut tiles[(y / TILE * n + x / TILE) as usize];
                let tile = slot.get_or_insert_with(|| Box::new([NOWHERE; TEXELS]));
                let known = &mut tile[(y % TILE * TILE + x % TILE) as usize];
                if outside < known.outside {
                    left -= usize::from(known.outside == f32::INFINITY);
                    let spot = number;
                    *known = TexelPosition { outside, on, spot };
                }
            });
        }
        let made = (0..).zip(tiles).collect::<Vec<_>>().into_par_iter();
        let made = made.filter_map(|(number, tile)| Some((number, read(&reader, spots, &*tile?))));
        let mut stamp = Self::default();
        for (number, texels) in made.collect::<Vec<_>>() {
            stamp.texels.extend(texels);
            stamp.runs.push((number, stamp.texels.len()));
        }
        stamp
    }

    /// The same stamp with another material that differs only in tint and roughness; `None` if more differs.
    pub fn toned(&self, from: &DecalMaterial, to: &DecalMaterial) -> Option<Self> {
        let is_same = Arc::ptr_eq(&from.color, &to.color)
            && from.height_map == to.height_map
            && (from.opacity, from.depth) == (to.opacity, to.depth)
            && from.roughness.is_some() == to.roughness.is_some()
            && from.tint.min_element() > 0.0;
        if !is_same {
            return None;
        }
        let tables = tables(to.tint / from.tint);
        let rough = to.roughness.map(|rough| (rough * 255.0 + 0.5) as u8);
        let mut toned = self.clone();
        for texel in &mut toned.texels {
            for (byte, table) in texel.color.iter_mut().zip(&*tables) {
                *byte = (table[usize::from(*byte)] + 0.5) as u8;
            }
            texel.height[2] = rough.unwrap_or(texel.height[2]);
        }
        Some(toned)
    }

    /// Covered tiles, ascending, with their texels.
    pub(super) fn by_tile(&self) -> impl Iterator<Item = (u32, &[StampTexel])> {
        let mut first = 0;
        self.runs.iter().map(move |&(tile, end)| {
            let run = &self.texels[std::mem::replace(&mut first, end)..end];
            (tile, run)
        })
    }

    /// Covered tiles, ascending.
    pub fn tiles(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().map(|(tile, _)| *tile)
    }

    /// Returns true if the stamp covers no texel.
    pub fn is_empty(&self) -> bool {
        self.texels.is_empty()
    }

    /// Number of covered texels.
    pub fn len(&self) -> usize {
        self.texels.len()
    }
}

/// Reads the decal at the texels of a tile.
fn read(
    reader: &DecalReader<'_>,
    spots: &[StampTriangle],
    tile: &[TexelPosition; TEXELS],
) -> Vec<StampTexel> {
    let mut last = (u32::MAX, [Vec2::ZERO; 2]);
    let found = (0..).zip(tile).filter(|(_, p)| p.outside.is_finite());
    let read = found.map(|(at, place)| {
        if last.0 != place.spot {
            last = (place.spot, axes(&spots[place.spot as usize]));
        }
        let (color, relief) = reader.read(last.1, place.on);
        StampTexel {
            at,
            color,
            height: relief,
        }
    });
    read.collect()
}

/// Calls `f` with each texel in a triangle and around it: column, row, distance outside in texels, and position on the
/// decal.
fn each_texel(spot: &StampTriangle, side: u32, mut f: impl FnMut(u32, u32, f32, Vec2)) {
    let n = side as f32;
    let [a, b, c] = spot.uv.map(|uv| uv * n - 0.5);
    let area = (b - a).perp_dot(c - a);
    if area.abs() < 1e-9 {
        return;
    }
    let low = (a.min(b).min(c) - GUTTER).floor().as_ivec2();
    let high = (a.max(b).max(c) + GUTTER).ceil().as_ivec2();
    // A triangle larger than the texture has broken texture coordinates.
    if (high - low).max_element() > 2 * side as i32 {
        return;
    }
    let edges = [(a, b), (b, c), (c, a)];
    // Barycentric weights below these are farther outside than the gutter.
    let heights = [(b, c), (c, a), (a, b)].map(|(from, to)| area.abs() / from.distance(to));
    let min_weights = heights.map(|height| -GUTTER / height);
    for y in low.y..=high.y {
        for x in low.x..=high.x {
            let p = Vec2::new(x as f32, y as f32);
            let weights = [
                (b - p).perp_dot(c - p) / area,
                (c - p).perp_dot(a - p) / area,
                (a - p).perp_dot(b - p) / area,
            ];
            if weights
                .iter()
                .zip(min_weights)
                .any(|(weight, min)| *weight < min)
            {
                continue;
            }
            let outside = if weights.iter().all(|w| *w >= 0.0) {
                0.0
            } else {
                let far = edges.map(|(from, to)| {
                    let edge = to - from;
                    let u =
                        ((p - from).dot(edge) / edge.length_squared().max(1e-12)).clamp(0.0, 1.0);
                    p.distance(from + edge * u)
                });
                far.into_iter().fold(f32::INFINITY, f32::min)
            };
            if outside > GUTTER {
                continue;
            }
            let on = spot.on[0] * weights[0] + spot.on[1] * weights[1] + spot.on[2] * weights[2];
            let at = IVec2::new(x, y)
                .rem_euclid(IVec2::splat(side as i32))
                .as_uvec2();
            f(at.x, at.y, outside, on);
        }
    }
}

/// Unit directions of tangent and bitangent on the decal.
fn axes(spot: &StampTriangle) -> [Vec2; 2] {
    let (d1, d2) = (spot.uv[1] - spot.uv[0], spot.uv[2] - spot.uv[0]);
    let (e1, e2) = (spot.on[1] - spot.on[0], spot.on[2] - spot.on[0]);
    let along = (e1 * d2.y - e2 * d1.y) * d1.perp_dot(d2).signum();
    let along = along.normalize_or(Vec2::X);
    [along, along.perp() * spot.hand]
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::super::layer::DecalLayer;
    use super::*;
    use galatea_asset::model::Image;

    fn image(side: u32, texel: impl Fn(f32, f32) -> [u8; 4]) -> Arc<Image> {
        let at = |i: u32| (i as f32 + 0.5) / side as f32;
        let rgba = (0..side * side).flat_map(|i| texel(at(i % side), at(i / side)));
        Arc::new(Image {
            name: String::new(),
            width: side,
            height: side,
            rgba: rgba.collect(),
        })
    }

    fn look(color: Arc<Image>) -> DecalMaterial {
        DecalMaterial {
            color,
            tint: Vec3::ONE,
            opacity: 1.0,
            roughness: None,
            depth: 0.0,
            height_map: None,
        }
    }

    /// A square of 20 cm that covers the whole texture, upright.
    fn square(hand: f32) -> [StampTriangle; 2] {
        let uv = [
            Vec2::new(0.0, 1.0),
            Vec2::ONE,
            Vec2::new(1.0, 0.0),
            Vec2::ZERO,
        ];
        let on = uv.map(|uv| Vec2::new(uv.x - 0.5, 0.5 - uv.y) * 0.2);
        [[0, 1, 2], [0, 2, 3]].map(|k: [usize; 3]| StampTriangle {
            uv: k.map(|i| uv[i]),
            on: k.map(|i| on[i]),
            hand,
        })
    }

    fn color(of: &DecalLayer, x: u32, y: u32) -> [u8; 4] {
        of.texel(x, y)[0]
    }

    fn relief(of: &DecalLayer, x: u32, y: u32) -> [u8; 4] {
        of.texel(x, y)[1]
    }

    #[test]
    fn a_stamp_has_its_position_size_and_orientation() {
        // Left half red, right half green, upper half opaque.
        let picture = image(32, |x, y| {
            let color = if x < 0.5 { [255, 0, 0] } else { [0, 255, 0] };
            [color[0], color[1], color[2], if y < 0.5 { 255 } else { 0 }]
        });
        let stamp = Stamp::new(&look(picture), 0.1, &square(1.0), 64);
        // Half as wide as the texture.
        assert!((1000..=1100).contains(&stamp.len()), "{}", stamp.len());
        let mut layer = DecalLayer::new(64);
        layer.put(&stamp, 1.0, |_| true);
        assert_eq!(color(&layer, 24, 24), [255, 0, 0, 255]);
        assert_eq!(color(&layer, 40, 24), [0, 255, 0, 255]);
        assert_eq!(color(&layer, 40, 40)[3], 0, "the lower half is clear");
        assert_eq!(color(&layer, 12, 24), [0; 4], "beside it nothing is");
        assert_eq!(relief(&layer, 24, 24), [128, 128, 255, 0]);
        layer.clear(0);
        assert_eq!(layer, DecalLayer::new(64));
    }

    #[test]
    fn stamps_blend_by_alpha() {
        let half = |c: [u8; 3], a: u8| image(4, move |_, _| [c[0], c[1], c[2], a]);
        let mut layer = DecalLayer::new(64);
        let put = |layer: &mut DecalLayer, look: &DecalMaterial, weight: f32| {
            layer.put(&Stamp::new(look, 0.4, &square(1.0), 64), weight, |_| true);
        };
        put(&mut layer, &look(half([200, 100, 0], 128)), 1.0);
        put(&mut layer, &look(half([0, 100, 200], 255)), 0.5);
        // 0.5 over 0.502: alpha 0.751, two thirds of the colour from the upper one.
        let got = color(&layer, 30, 30);
        let expected = [66.8_f32, 100.0, 133.2, 191.5];
        let far = got
            .iter()
            .zip(expected)
            .map(|(a, b)| (f32::from(*a) - b).abs());
        assert!(far.fold(0.0, f32::max) < 1.6, "{got:?}");
        let tinted = DecalMaterial {
            tint: Vec3::new(0.0, 1.0, 0.25),
            opacity: 0.25,
            ..look(half([255; 3], 255))
        };
        let mut layer = DecalLayer::new(64);
        put(&mut layer, &tinted, 1.0);
        assert_eq!(color(&layer, 30, 30), [0, 255, 137, 64]);
    }

    #[test]
    fn height_map_becomes_slopes_along_tangent_and_bitangent() {
        // Rises by 1 mm over 10 cm to the right, and as much upwards.
        let ramp = image(64, |x, y| [((x + 1.0 - y) * 127.5) as u8, 0, 0, 255]);
        let bent = DecalMaterial {
            depth: 0.04,
            height_map: Some(ramp),
            roughness: Some(0.2),
            ..look(image(4, |_, _| [0; 4]))
        };
        for (hand, sign) in [(1.0, 1.0), (-1.0, -1.0)] {
            let stamp = Stamp::new(&bent, 0.1, &square(hand), 64);
            let mut layer = DecalLayer::new(64);
            layer.put(&stamp, 1.0, |_| true);
            let [x, y, rough, weight] = relief(&layer, 32, 32);
            // 0.04 m × 0.5 over 0.1 m is a slope of 0.2 in each direction; normals lean away from it.
            let expected = -0.2 / (1.0_f32 + 0.08).sqrt();
            let signed = |b: u8| f32::from(b) / 127.5 - 1.0;
            assert!(
                (signed(x) - expected).abs() < 0.02,
                "{} {expected}",
                signed(x)
            );
            assert!(
                (signed(y) - expected * sign).abs() < 0.02,
                "{} {expected} {hand}",
                signed(y)
            );
            assert_eq!(
                (rough, weight),
                (51, 0),
                "where the colour is clear the material keeps its roughness"
            );
        }
    }

    #[test]
    fn seams_have_a_gutter_and_broken_triangles_are_ignored() {
        let red = look(image(4, |_, _| [255, 0, 0, 255]));
        // The triangle ends at u = 0.5: the next texel is stamped too, later ones are not.
        let spot = StampTriangle {
            uv: [
                Vec2::new(0.25, 0.25),
                Vec2::new(0.5, 0.25),
                Vec2::new(0.5, 0.75),
            ],
            on: [Vec2::ZERO, Vec2::new(0.05, 0.0), Vec2::new(0.05, -0.1)],
            hand: 1.0,
        };
        let mut layer = DecalLayer::new(64);
        layer.put(&Stamp::new(&red, 0.5, &[spot], 64), 1.0, |_| true);
        assert_eq!(color(&layer, 32, 24)[3], 255);
        assert_eq!(color(&layer, 34, 24)[3], 0);
        let nan = StampTriangle {
            on: [Vec2::NAN; 3],
            ..spot
        };
        let flat = StampTriangle {
            uv: [Vec2::ZERO; 3],
            ..spot
        };
        let huge = StampTriangle {
            uv: [Vec2::splat(-9.0), Vec2::new(9.0, 0.0), Vec2::new(0.0, 9.0)],
            ..spot
        };
        assert!(Stamp::new(&red, 0.5, &[nan, flat, huge], 64).is_empty());
        // Coordinates outside of the texture wrap around.
        let around = StampTriangle {
            uv: spot.uv.map(|uv| uv + Vec2::new(1.0, -1.0)),
            ..spot
        };
        assert_eq!(
            Stamp::new(&red, 0.5, &[around], 64),
            Stamp::new(&red, 0.5, &[spot], 64)
        );
    }

    #[test]
    fn a_toned_stamp_equals_one_created_with_that_tone() {
        let speckled = image(16, |x, y| {
            [
                (x * 250.0) as u8,
                (y * 240.0) as u8,
                90,
                (60.0 + 190.0 * x * y) as u8,
            ]
        });
        let fresh = DecalMaterial {
            tint: Vec3::new(1.0, 0.8, 0.6),
            roughness: Some(0.3),
            depth: 0.01,
            ..look(speckled)
        };
        let dry = DecalMaterial {
            tint: fresh.tint * 0.5,
            roughness: Some(0.9),
            ..fresh.clone()
        };
        let layer = DecalLayer::new(128);
        let spots = square(-1.0);
        let made = Stamp::new(&fresh, 0.2, &spots, layer.side());
        let toned = made.toned(&fresh, &dry).unwrap();
        let expected = Stamp::new(&dry, 0.2, &spots, layer.side());
        assert_eq!(toned.len(), expected.len());
        for (a, b) in toned.texels.iter().zip(&expected.texels) {
            assert_eq!((a.at, a.height, a.color[3]), (b.at, b.height, b.color[3]));
            let off = a
                .color
                .iter()
                .zip(b.color)
                .map(|(a, b)| a.abs_diff(b))
                .max();
            assert!(off <= Some(3), "{:?} {:?}", a.color, b.color);
        }
        assert_ne!(made, toned);
        let deeper = DecalMaterial { depth: 0.02, ..dry };
        assert_eq!(
            made.toned(&fresh, &deeper),
            None,
            "a change of shape needs a new stamp"
        );
    }
}
