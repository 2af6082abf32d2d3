//! Samples the images of a decal: tinted colour, roughness, slopes of the relief.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::tile::Tile;
use galatea_asset::model::Image;
use galatea_math::clamp::ClampTo as _;
use galatea_math::srgb;

/// Appearance of a decal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecalMaterial {
    /// Colour image, sRGB with alpha; its edge must be transparent.
    #[serde(with = "galatea_persist::shared")]
    pub color: Arc<Image>,
    /// Linear colour factor.
    pub tint: glam::Vec3,
    /// Opacity of the whole decal, 0..=1.
    pub opacity: f32,
    /// Perceptual roughness where the colour is opaque, 0..=1; `None` keeps the material's.
    pub roughness: Option<f32>,
    /// Height from black to white of `relief`, metres; negative values press in.
    pub depth: f32,
    /// Height image (in R); `None` uses the alpha of the colour.
    #[serde(with = "galatea_persist::shared")]
    pub height_map: Option<Arc<Image>>,
}

/// Lookup tables of red, green and blue under a tint.
pub(super) fn tables(tint: Vec3) -> Box<[[f32; 256]; 3]> {
    let of = |tint: f32, byte: usize| {
        let light = srgb::decoded(byte as f32 / 255.0) * tint;
        srgb::encoded(light.clamp(0.0, 1.0)) * 255.0
    };
    let table = |k: usize| std::array::from_fn(|byte| of(tint[k], byte));
    Box::new([table(0), table(1), table(2)])
}

/// Samples the images of a decal.
pub(super) struct DecalReader<'a> {
    material: &'a DecalMaterial,
    size: f32,
    /// Lookup tables of red, green and blue; `None` for a white tint.
    tinted: Option<Box<[[f32; 256]; 3]>>,
}

impl<'a> DecalReader<'a> {
    pub fn new(look: &'a DecalMaterial, size: f32) -> Self {
        let is_white = look.tint == Vec3::ONE;
        Self {
            material: look,
            size,
            tinted: (!is_white).then(|| tables(look.tint)),
        }
    }

    /// A colour channel, 0..=1, as a byte under the tint.
    fn channel(&self, k: usize, value: f32) -> u8 {
        let at = value * 255.0;
        let shown = match &self.tinted {
            Some(tables) => {
                let low = (at as usize).min(254);
                let (a, b) = (tables[k][low], tables[k][low + 1]);
                a + (b - a) * (at - low as f32)
            }
            None => at,
        };
        (shown + 0.5) as u8
    }

    /// Image coordinates 0..=1 for a position on the decal.
    fn at(&self, on: Vec2) -> Vec2 {
        Vec2::new(on.x, -on.y) / self.size + 0.5
    }

    /// Returns true if a position is inside of the decal's edge.
    pub fn shows(&self, on: Vec2) -> bool {
        let at = self.at(on);
        at.min_element() >= 0.0 && at.max_element() <= 1.0
    }

    /// Colour and relief at a position on the decal. `axes` are tangent and bitangent of the triangle.
    pub fn read(&self, [along, across]: [Vec2; 2], on: Vec2) -> ([u8; 4], [u8; 4]) {
        let at = self.at(on);
        let texel = sampled(&self.material.color, at);
        let mut color = [0; 4];
        for (k, byte) in color.iter_mut().enumerate().take(3) {
            *byte = self.channel(k, texel[k]);
        }
        let alpha = texel[3] * self.material.opacity;
        color[3] = (alpha * 255.0 + 0.5) as u8;
        let rough = self.material.roughness;
        let bends = self.material.depth != 0.0;
        if rough.is_none() && !bends {
            return (color, Tile::FLAT);
        }
        let slope = if bends { self.slope(at) } else { Vec2::ZERO };
        let bump = Vec2::new(-slope.dot(along), -slope.dot(across)) * self.material.opacity;
        let length = (1.0 + bump.length_squared()).sqrt();
        let signed = |x: f32| (x / length * 127.0 + 128.5) as u8;
        let weight = if rough.is_some() { alpha } else { 0.0 };
        let relief = [
            signed(bump.x),
            signed(bump.y),
            (rough.unwrap_or(1.0) * 255.0 + 0.5) as u8,
            (weight * 255.0 + 0.5) as u8,
        ];
        (color, relief)
    }

    /// Slope of the relief to the right and up.
    fn slope(&self, at: Vec2) -> Vec2 {
        let (image, channel) = match &self.material.height_map {
            Some(relief) => (relief, 0),
            None => (&self.material.color, 3),
        };
        let step = 1.0 / image.width.max(image.height).max(1) as f32;
        let by = self.material.depth / (2.0 * step * self.size);
        differences(image, channel, at) * by
    }
}

/// Central differences of a channel to the right and up, interpolated between texels.
fn differences(image: &Image, channel: usize, at: Vec2) -> Vec2 {
    let (w, h) = (image.width as i32, image.height as i32);
    if w < 1 || h < 1 || image.rgba.len() < 4 * (w * h) as usize {
        return Vec2::ZERO;
    }
    let p = at * Vec2::new(w as f32, h as f32) - 0.5;
    let base = p.floor();
    let f = p - base;
    let xs: [usize; 4] =
        std::array::from_fn(|k| (base.x as i32 - 1 + k as i32).clamp_to(0, w - 1) as usize);
    let ys: [usize; 4] =
        std::array::from_fn(|k| (base.y as i32 - 1 + k as i32).clamp_to(0, h - 1) as usize);
    let height =
        |x: usize, y: usize| f32::from(image.rgba[4 * (ys[y] * w as usize + xs[x]) + channel]);
    // Differences along rows and columns, interpolated across them.
    let right = |y: usize| {
        let (first, second) = (height(2, y) - height(0, y), height(3, y) - height(1, y));
        first + (second - first) * f.x
    };
    let down = |x: usize| {
        let (first, second) = (height(x, 2) - height(x, 0), height(x, 3) - height(x, 1));
        first + (second - first) * f.y
    };
    let mixed = |first: f32, second: f32, f: f32| first + (second - first) * f;
    Vec2::new(
        mixed(right(1), right(2), f.y),
        -mixed(down(1), down(2), f.x),
    ) / 255.0
}

/// Bilinear sample, 0..=1 per channel; zeros for an image without texels.
fn sampled(image: &Image, at: Vec2) -> [f32; 4] {
    let (w, h) = (image.width as i32, image.height as i32);
    if w < 1 || h < 1 || image.rgba.len() < 4 * (w * h) as usize {
        return [0.0; 4];
    }
    let p = at * Vec2::new(w as f32, h as f32) - 0.5;
    let base = p.floor();
    let f = p - base;
    let texel = |dx: i32, dy: i32| {
        let x = (base.x as i32 + dx).clamp_to(0, w - 1);
        let y = (base.y as i32 + dy).clamp_to(0, h - 1);
        let at = (y * w + x) as usize * 4;
        Vec4::from([0, 1, 2, 3].map(|k| f32::from(image.rgba[at + k])))
    };
    let (top, bottom) = (
        texel(0, 0).lerp(texel(1, 0), f.x),
        texel(0, 1).lerp(texel(1, 1), f.x),
    );
    (top.lerp(bottom, f.y) / 255.0).to_array()
}
