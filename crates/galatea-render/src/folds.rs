//! Wrinkles of a material in GPU memory: masks, maps and colours in one texture array, and the blend weights derived from
//! the material's weights.

use bytemuck::Zeroable;
use image::imageops::{FilterType, resize};
use image::{ImageBuffer, Rgba, RgbaImage};

use super::uniforms::{self, flag};
use galatea_asset::model::{Image, MAX_MAPS, WrinkleMap, WrinkleMode, Wrinkles};

/// Maximum texture side, in pixels.
const MAX_SIDE: u32 = 2048;

/// Wrinkle regions of a material and the effect of their weights.
pub struct Folds {
    regions: Vec<Fold>,
    /// Values that do not depend on the weights.
    plain: uniforms::GpuWrinkles,
    /// Bits of [`uniforms::GpuMaterial::flags`].
    pub flags: u32,
}

struct Fold {
    mask: Option<usize>,
    map: Option<usize>,
    tint: glam::Vec3,
}

impl Folds {
    /// Prepares a material's regions. Its shader reads the textures of [`layers`].
    pub fn new(wrinkles: &Wrinkles, images: &[Image]) -> Self {
        let color_layers = color_layers(wrinkles, images);
        let mut plain = uniforms::GpuWrinkles::zeroed();
        for (k, map) in wrinkles.maps.iter().enumerate() {
            let has_roughness = map.roughness.is_some_and(|i| i < images.len());
            let color = color_layers[k].map_or(-1.0, |layer| layer as f32);
            let number = |is_so: bool| f32::from(u8::from(is_so));
            plain.maps[k] = [map.scale, number(map.adds), color, number(has_roughness)];
        }
        let [low, high] = wrinkles.area;
        let size = (high - low).recip();
        plain.area = [low.x, low.y, size.x, size.y];
        let is_whole = wrinkles.area == Wrinkles::default().area;
        plain.whole[2][3] = f32::from(u8::from(is_whole));
        let mut flags = flag::WRINKLES;
        flags |= match wrinkles.mode {
            WrinkleMode::Maps => 0,
            WrinkleMode::Book => flag::CLASSIC,
        };
        flags |= (wrinkles.masks.len() as u32) << flag::MASKS_FROM;
        flags |= (wrinkles.maps.len() as u32) << flag::MAPS_FROM;
        let regions = wrinkles.regions.iter().map(|region| Fold {
            mask: region.mask,
            // A book has one map: the material's own.
            map: match wrinkles.mode {
                WrinkleMode::Maps => region.map,
                WrinkleMode::Book => Some(0),
            },
            tint: region.tint,
        });
        Self {
            regions: regions.collect(),
            plain,
            flags,
        }
    }

    /// Number of regions. Each has a weight.
    pub fn n_regions(&self) -> usize {
        self.regions.len()
    }

    /// Computes the shader data for the weights of the regions; missing weights count as 0.
    pub fn with(&self, weights: &[f32]) -> uniforms::GpuWrinkles {
        let mut out = self.plain;
        for (region, &weight) in self.regions.iter().zip(weights) {
            let shift = (region.tint - 1.0) * weight;
            if let Some(map) = region.map {
                match region.mask {
                    Some(c) => out.weights[c / 4 * MAX_MAPS + map][c % 4] += weight,
                    None => out.whole[map / 4][map % 4] += weight,
                }
            }
            for (i, shift) in shift.to_array().into_iter().enumerate() {
                match region.mask {
                    Some(c) => out.tints[c / 4 * 3 + i][c % 4] += shift,
                    None => out.whole[2][i] += shift,
                }
            }
        }
        out
    }
}

/// Returns for each map the index of its colour texture in the array.
fn color_layers(wrinkles: &Wrinkles, images: &[Image]) -> Vec<Option<usize>> {
    let mut next = wrinkles.masks.len() + wrinkles.maps.len();
    let has_color = |map: &WrinkleMap| map.color.is_some_and(|i| is_picture(images, i));
    let mut index = |map| {
        has_color(map).then(|| {
            next += 1;
            next - 1
        })
    };
    wrinkles.maps.iter().map(&mut index).collect()
}

/// Returns true if an image has texels.
fn is_picture(images: &[Image], i: usize) -> bool {
    images
        .get(i)
        .is_some_and(|image| image.rgba.len() == image.width as usize * image.height as usize * 4)
}

/// Returns the textures of the array, all of one size: masks, maps, then colours.
pub fn layers(wrinkles: &Wrinkles, images: &[Image]) -> Vec<Image> {
    let of_map = |map: &WrinkleMap| [map.normal, map.color, map.roughness];
    let used = wrinkles.maps.iter().flat_map(of_map).flatten();
    let used = used.chain(wrinkles.masks.iter().copied());
    let sizes = used
        .filter_map(|i| images.get(i))
        .map(|i| (i.width, i.height));
    let size = sizes.fold((1, 1), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let size = (size.0.min(MAX_SIDE), size.1.min(MAX_SIDE));
    let whole = |i: usize| {
        let image = images.get(i).filter(|_| is_picture(images, i))?;
        let all = RgbaImage::from_raw(image.width, image.height, image.rgba.clone())?;
        let is_it = (image.width, image.height) == size;
        Some(if is_it || image.width == 0 || image.height == 0 {
            all
        } else {
            resize(&all, size.0, size.1, FilterType::Triangle)
        })
    };
    let named = |name: &str, picture: RgbaImage| Image {
        name: name.into(),
        width: picture.width(),
        height: picture.height(),
        rgba: picture.into_raw(),
    };
    let flat = |texel: [u8; 4]| ImageBuffer::from_pixel(size.0, size.1, Rgba(texel));
    let mut all: Vec<Image> = wrinkles
        .masks
        .iter()
        .map(|i| named("wrinkle masks", whole(*i).unwrap_or_else(|| flat([0; 4]))))
        .collect();
    for map in &wrinkles.maps {
        let normal = map.normal.and_then(whole);
        let mut picture = normal.unwrap_or_else(|| flat([128, 128, 255, 255]));
        let roughness = map.roughness.and_then(whole);
        for (at, texel) in picture.pixels_mut().enumerate() {
            let rough = roughness.as_ref().map(|r| r.as_raw()[4 * at + 1]);
            texel.0[2] = rough.unwrap_or(255);
        }
        all.push(named("wrinkles", picture));
    }
    let colors = wrinkles
        .maps
        .iter()
        .filter_map(|map| map.color.and_then(whole));
    all.extend(colors.map(|picture| named("wrinkle colours", picture)));
    if all.is_empty() {
        all.push(named("no wrinkles", flat([0; 4])));
    }
    all
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;
    use galatea_asset::model::WrinkleRegion;

    fn image(width: u32, texel: [u8; 4]) -> Image {
        Image {
            name: String::new(),
            width,
            height: width,
            rgba: texel.repeat((width * width) as usize),
        }
    }

    fn region(mask: Option<usize>, map: Option<usize>, tint: Vec3) -> WrinkleRegion {
        WrinkleRegion {
            name: "a".into(),
            mask,
            map,
            rest: 0.0,
            tint,
            drivers: Vec::new(),
        }
    }

    #[test]
    fn weights_are_added_at_the_mask_and_map_of_their_region() {
        let wrinkles = Wrinkles {
            masks: vec![0, 0],
            maps: vec![WrinkleMap::default(); 6],
            regions: vec![
                region(Some(6), Some(5), Vec3::ONE),
                region(Some(6), Some(5), Vec3::new(1.5, 1.0, 0.5)),
                region(None, Some(5), Vec3::splat(0.5)),
            ],
            area: [Vec2::new(0.5, 0.25), Vec2::ONE],
            ..Wrinkles::default()
        };
        let images = [image(4, [9; 4])];
        let (folds, layers) = (Folds::new(&wrinkles, &images), layers(&wrinkles, &images));
        assert_eq!(layers.len(), 8);
        let bits = flag::WRINKLES | 2 << flag::MASKS_FROM | 6 << flag::MAPS_FROM;
        assert_eq!(folds.flags, bits);
        let got = folds.with(&[0.25, 0.5, 1.0]);
        assert_eq!(got.weights[MAX_MAPS + 5], [0.0, 0.0, 0.75, 0.0]);
        assert_eq!(got.tints[3], [0.0, 0.0, 0.25, 0.0]);
        assert_eq!(got.tints[5], [0.0, 0.0, -0.25, 0.0]);
        assert_eq!(
            (got.whole[1], got.whole[2]),
            ([0.0, 1.0, 0.0, 0.0], [-0.5, -0.5, -0.5, 0.0])
        );
        assert_eq!(got.area, [0.5, 0.25, 2.0, 4.0 / 3.0]);
    }

    #[test]
    fn textures_take_the_largest_size_and_roughness_is_stored_with_slopes() {
        let wrinkles = Wrinkles {
            masks: vec![0],
            maps: vec![
                WrinkleMap {
                    normal: Some(1),
                    roughness: Some(2),
                    ..WrinkleMap::default()
                },
                WrinkleMap {
                    color: Some(0),
                    ..WrinkleMap::default()
                },
            ],
            ..Wrinkles::default()
        };
        let images = [
            image(2, [10, 20, 30, 40]),
            image(8, [200, 100, 50, 255]),
            image(1, [1, 77, 3, 4]),
        ];
        let (folds, layers) = (Folds::new(&wrinkles, &images), layers(&wrinkles, &images));
        assert!(
            layers
                .iter()
                .all(|layer| (layer.width, layer.height) == (8, 8))
        );
        let first = |i: usize| layers[i].rgba[..4].to_vec();
        assert_eq!(first(0), [10, 20, 30, 40]);
        assert_eq!(first(1), [200, 100, 77, 255]);
        assert_eq!(first(2), [128, 128, 255, 255]);
        assert_eq!(first(3), [10, 20, 30, 40]);
        assert_eq!(
            (folds.plain.maps[0][2], folds.plain.maps[1][2]),
            (-1.0, 3.0)
        );
    }
}
