//! Wrinkle maps of a texture set: a mask for each region of the skin, and maps of normals and colours of the folds, from
//! paint layers and sculpted shapes.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::field::DistanceField;
use super::layers::{PaintLayer, SurfaceMask, SurfaceSample, slopes};
use super::texels::{Texel, UvTriangle, on_sculpture, spread, texels};
use galatea_asset::model::{Image, MAX_MASKS, WrinkleDriver, WrinkleMap, WrinkleRegion, Wrinkles};

/// Regions of a texture set with wrinkles.
#[derive(Clone, Debug)]
pub struct Creases {
    /// Width and height of the images, pixels; they cover only the area of the regions.
    pub side: u32,
    /// Regions, at most four for each mask of a material.
    pub regions: Vec<Crease>,
}

/// A region of skin that folds together.
#[derive(Clone, Debug)]
pub struct Crease {
    /// Name.
    pub name: String,
    /// Area of the region.
    pub mask: SurfaceMask,
    /// Index of the map with its folds; regions of one map should not overlap.
    pub map: usize,
    /// Layers of the folds: heights, and colour factors.
    pub layers: Vec<PaintLayer>,
    /// Sculpted shape of the folds.
    pub sculpt: Option<DistanceField>,
    /// Factor for the colour when folded.
    pub tint: Vec3,
    /// Weight at rest, 0..=1.
    pub rest: f32,
    /// Drivers of the weight.
    pub drivers: Vec<WrinkleDriver>,
    /// Two points, metres, and the fraction of their distance at full weight.
    pub stretches: Vec<(Vec3, Vec3, f32)>,
}

impl Crease {
    /// Returns true if the region does more than tint.
    fn folds(&self) -> bool {
        self.sculpt.is_some() || !self.layers.is_empty()
    }

    /// The region, with channel `i` of the masks.
    fn region(&self, i: usize, triangles: &[UvTriangle]) -> WrinkleRegion {
        WrinkleRegion {
            name: self.name.clone(),
            mask: Some(i),
            map: self.folds().then_some(self.map),
            rest: self.rest,
            tint: self.tint,
            drivers: drivers(self, triangles),
        }
    }
}

impl Creases {
    /// Number of mask images, with four regions each.
    fn n_masks(&self) -> usize {
        self.regions.len().div_ceil(4)
    }

    fn n_maps(&self) -> usize {
        let folding = self.regions.iter().filter(|own| own.folds());
        folding.map(|own| own.map + 1).max().unwrap_or(0)
    }

    /// Regions of a map with a weight above 0, and their weights.
    fn on(&self, map: usize, weights: &[f32]) -> Vec<(&Crease, f32)> {
        let all = self.regions.iter().zip(weights.iter().copied());
        all.filter(|(own, weight)| own.map == map && *weight > 0.0)
            .collect()
    }

    fn is_colored(&self, map: usize) -> bool {
        let own = self.regions.iter().filter(|own| own.map == map);
        own.flat_map(|own| &own.layers)
            .any(|layer| layer.color.is_some())
    }

    fn is_lifted(&self, map: usize) -> bool {
        let mut own = self.regions.iter().filter(|own| own.map == map);
        let lifts = |own: &Crease| own.layers.iter().any(|layer| layer.height != 0.0);
        own.any(|own| own.sculpt.is_some() || lifts(own))
    }

    /// Weight of each region at a texel, 0..=1.
    fn weights(
        &self,
        sculpt: Option<&DistanceField>,
        texel: &Texel,
        paints: &[(&str, f32)],
    ) -> Vec<f32> {
        let sample = sample(sculpt, texel, paints);
        let regions = self.regions.iter();
        regions.map(|own| own.mask.at(&sample)).collect()
    }

    /// Layers of a pixel: the masks, then the normals of all maps, then their colours.
    fn pixel(
        &self,
        sculpt: Option<&DistanceField>,
        texel: &Texel,
        paints: &[(&str, f32)],
    ) -> Vec<[u8; 4]> {
        let mut out = vec![[0; 4]; self.n_masks()];
        let weights = self.weights(sculpt, texel, paints);
        for (i, weight) in weights.iter().enumerate() {
            out[i / 4][i % 4] = (weight * 255.0).round().clamp(0.0, 255.0) as u8;
        }
        let looks: Vec<([u8; 4], [u8; 4])> = (0..self.n_maps())
            .map(|map| folded(sculpt, &self.on(map, &weights), texel, paints))
            .collect();
        out.extend(looks.iter().map(|look| look.0));
        out.extend(looks.iter().map(|look| look.1));
        out
    }

    /// Layers of a pixel outside all charts.
    fn blank_pixel(&self) -> Vec<[u8; 4]> {
        let (n_masks, n_maps) = (self.n_masks(), self.n_maps());
        let mut out = vec![[0; 4]; n_masks];
        out.resize(n_masks + n_maps, [128, 128, 255, 255]);
        out.resize(n_masks + 2 * n_maps, [255; 4]);
        out
    }

    fn map(&self, map: usize, pictures: &mut CreasePictures) -> WrinkleMap {
        let (n_masks, n_maps) = (self.n_masks(), self.n_maps());
        WrinkleMap {
            normal: self
                .is_lifted(map)
                .then(|| pictures.add(&format!("wrinkles_{}", map + 1), n_masks + map)),
            color: self.is_colored(map).then(|| {
                let layer = n_masks + n_maps + map;
                pictures.add(&format!("wrinkle_colors_{}", map + 1), layer)
            }),
            roughness: None,
            adds: true,
            scale: 1.0,
        }
    }
}

/// Limit of regions per texture set.
pub const MAX_CREASES: usize = 4 * MAX_MASKS;
/// Padding around visible parts of charts, pixels.
const GUTTER: u32 = 6;
/// Mask weight that counts as 0.
const MIN_WEIGHT: f32 = 1.0 / 255.0;
/// Maximum distance of a folded shape from the original, metres.
const MAX_FOLD_DISTANCE: f32 = 0.006;

/// Bakes the wrinkles of the texture set `name` with `side` pixels per side and the detailed shape `sculpt`. Returns images
/// and wrinkles that index them; `None` if no region is on the texture.
pub fn bake<'a>(
    name: &str,
    side: u32,
    sculpt: Option<&DistanceField>,
    creases: &Creases,
    triangles: &[UvTriangle],
    paints: impl Fn(&Texel) -> Vec<(&'a str, f32)> + Sync,
) -> Option<(Vec<Image>, Wrinkles)> {
    let area = area(triangles, side, |texel| {
        let weights = creases.weights(sculpt, texel, &paints(texel));
        weights.iter().any(|weight| *weight > MIN_WEIGHT)
    })?;
    let mut all = texels(&zoomed(triangles, area), creases.side);
    spread(&mut all, creases.side, GUTTER);
    let pixels = all.par_iter().map(|texel| match texel {
        Some(texel) => creases.pixel(sculpt, texel, &paints(texel)),
        None => creases.blank_pixel(),
    });
    let mut pictures = CreasePictures {
        name,
        side: creases.side,
        pixels: pixels.collect(),
        images: Vec::new(),
    };
    let masks = (0..creases.n_masks())
        .map(|j| pictures.add(&format!("wrinkle_masks_{}", j + 1), j))
        .collect();
    let maps = (0..creases.n_maps())
        .map(|map| creases.map(map, &mut pictures))
        .collect();
    let regions = creases.regions.iter().enumerate();
    let wrinkles = Wrinkles {
        area,
        masks,
        maps,
        regions: regions.map(|(i, own)| own.region(i, triangles)).collect(),
        ..Wrinkles::default()
    };
    Some((pictures.images, wrinkles))
}

/// Images made from layers of pixels, one per layer.
struct CreasePictures<'a> {
    name: &'a str,
    side: u32,
    pixels: Vec<Vec<[u8; 4]>>,
    images: Vec<Image>,
}

impl CreasePictures<'_> {
    /// Adds the image of a layer; returns its index.
    fn add(&mut self, what: &str, layer: usize) -> usize {
        self.images.push(Image {
            name: format!("{}_{what}", self.name),
            width: self.side,
            height: self.side,
            rgba: self.pixels.iter().flat_map(|pixel| pixel[layer]).collect(),
        });
        self.images.len() - 1
    }
}

/// Triangles with texture coordinates for a texture that covers only `area`.
fn zoomed(triangles: &[UvTriangle], area: [Vec2; 2]) -> Vec<UvTriangle> {
    let size = area[1] - area[0];
    let zoom = |laid: &UvTriangle| UvTriangle {
        uv: laid.uv.map(|uv| (uv - area[0]) / size),
        ..*laid
    };
    triangles.iter().map(zoom).collect()
}

/// Drivers of a region; points of a stretch driver are converted to texture coordinates.
fn drivers(own: &Crease, triangles: &[UvTriangle]) -> Vec<WrinkleDriver> {
    let laid = |place: Vec3| {
        let corners = triangles.iter().flat_map(|t| t.at.iter().zip(t.uv));
        let far = |at: &Vec3| at.distance_squared(place);
        let nearest = corners.min_by(|a, b| far(a.0).total_cmp(&far(b.0)));
        nearest.map_or(Vec2::ZERO, |(_, uv)| uv)
    };
    let stretches = own
        .stretches
        .iter()
        .map(|(from, to, ratio)| WrinkleDriver::Stretch {
            from: laid(*from),
            to: laid(*to),
            ratio: *ratio,
        });
    own.drivers.iter().cloned().chain(stretches).collect()
}

/// Square area of the texture that contains all pixels with a mask above 0.
fn area(
    triangles: &[UvTriangle],
    side: u32,
    is_needed: impl Fn(&Texel) -> bool + Sync,
) -> Option<[Vec2; 2]> {
    let all = texels(triangles, side);
    let found: Vec<bool> = all
        .par_iter()
        .map(|texel| texel.as_ref().is_some_and(&is_needed))
        .collect();
    let mut bounds: Option<[Vec2; 2]> = None;
    for (i, _) in found.iter().enumerate().filter(|(_, needed)| **needed) {
        let at = Vec2::new((i as u32 % side) as f32, (i as u32 / side) as f32);
        let [low, high] = bounds.unwrap_or([at, at]);
        bounds = Some([low.min(at), high.max(at)]);
    }
    let [low, high] = bounds?;
    let pad = GUTTER as f32;
    let (low, high) = (low - pad, high + pad + 1.0);
    let size = (high - low).max_element().ceil();
    let middle = ((low + high) * 0.5).floor();
    let low = (middle - (size * 0.5).floor()) / side as f32;
    Some([low, low + size / side as f32])
}

/// Surface sample at a texel, without occlusion.
fn sample<'a>(
    sculpt: Option<&DistanceField>,
    texel: &Texel,
    paints: &'a [(&'a str, f32)],
) -> SurfaceSample<'a> {
    let (at, normal) = on_sculpture(sculpt, texel);
    SurfaceSample {
        at,
        normal,
        open: 1.0,
        paints,
    }
}

/// Slopes relative to the original shape, and the colour factor. Overlapping regions are weighted.
fn folded(
    sculpt: Option<&DistanceField>,
    own: &[(&Crease, f32)],
    texel: &Texel,
    paints: &[(&str, f32)],
) -> ([u8; 4], [u8; 4]) {
    let place = sample(sculpt, texel, paints);
    let (at, normal) = (place.at, place.normal);
    let (mut slope, mut color) = (Vec2::ZERO, Vec3::ONE);
    let all: f32 = own.iter().map(|(_, weight)| weight).sum();
    let bitangent = normal.cross(texel.tangent).normalize_or(Vec3::X);
    let tangent = bitangent.cross(normal);
    for (crease, weight) in own {
        let weight = weight / all;
        if let Some(sculpt) = &crease.sculpt {
            let d = sculpt.at(at);
            let out = sculpt.normal(at - normal * d, 0.0006);
            let along = out.dot(normal);
            if d.abs() < MAX_FOLD_DISTANCE && along > 0.3 {
                slope -= Vec2::new(out.dot(tangent), out.dot(bitangent)) * (weight / along);
            }
        }
        if crease.layers.iter().any(|layer| layer.height != 0.0) {
            slope += slopes(&crease.layers, &place, tangent, bitangent) * weight;
        }
        for layer in &crease.layers {
            if let Some(factor) = layer.color {
                color *= Vec3::ONE.lerp(factor, layer.mask.at(&place) * weight);
            }
        }
    }
    let bump = Vec3::new(-slope.x, -slope.y * texel.hand, 1.0).normalize();
    let signed = |x: f32| ((x * 0.5 + 0.5) * 255.0).round().clamp(0.0, 255.0) as u8;
    let [r, g, b] = color.to_array().map(galatea_math::srgb::to_byte);
    (
        [signed(bump.x), signed(bump.y), signed(bump.z), 255],
        [r, g, b, 255],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of 1 m² perpendicular to z, in the middle of a texture.
    fn square() -> [UvTriangle; 2] {
        let at = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        [[0, 1, 2], [0, 2, 3]].map(|corners: [usize; 3]| UvTriangle {
            at: corners.map(|i| at[i].extend(0.0)),
            normal: [Vec3::Z; 3],
            tangent: [Vec3::X; 3],
            hand: 1.0,
            uv: corners.map(|i| at[i] * 0.5 + 0.25),
        })
    }

    fn crease(name: &str, from: f32, to: f32, height: f32) -> Crease {
        let near = |from, to, x: f32| SurfaceMask::Near {
            field: DistanceField::plane(Vec3::X, x),
            from,
            to,
        };
        // 1 below `from`; the height falls along x around `to`.
        Crease {
            name: name.into(),
            mask: near(0.0, 0.01, from),
            map: 0,
            layers: vec![PaintLayer {
                mask: near(-0.1, 0.1, to),
                color: Some(Vec3::new(0.5, 1.0, 1.0)),
                multiply: true,
                roughness: None,
                metallic: None,
                height,
            }],
            sculpt: None,
            tint: Vec3::ONE,
            rest: 0.0,
            drivers: vec![WrinkleDriver::Shape("frown".into(), 1.0)],
            stretches: vec![(Vec3::ZERO, Vec3::new(0.9, 1.2, 0.0), 0.5)],
        }
    }

    #[test]
    fn masks_slopes_and_colours_cover_the_folding_area() {
        let creases = Creases {
            side: 128,
            regions: vec![crease("brow", 0.5, 0.25, 0.1)],
        };
        let (images, wrinkles) =
            bake("skin", 64, None, &creases, &square(), |_| Vec::new()).unwrap();
        let names: Vec<&str> = images.iter().map(|image| image.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "skin_wrinkle_masks_1",
                "skin_wrinkles_1",
                "skin_wrinkle_colors_1"
            ]
        );
        let [low, high] = wrinkles.area;
        // The left half of the square; the area is square, so it is extended in height.
        assert!((high - low - (high - low).x).abs().max_element() < 1e-6);
        assert!(
            low.x < 0.25 && high.x > 0.5 && high.y - low.y < 0.75,
            "{low} {high}"
        );
        let texel = |image: usize, u: f32, v: f32| {
            let p = ((Vec2::new(u, v) - low) / (high - low) * 128.0).as_uvec2();
            let at = (p.y * 128 + p.x) as usize * 4;
            images[image].rgba[at..at + 4].to_vec()
        };
        let uv = |x: f32| x * 0.5 + 0.25;
        assert_eq!(texel(0, uv(0.25), 0.5), [255, 0, 0, 0]);
        assert_eq!(texel(0, uv(0.6), 0.5), [0; 4]);
        // smoothstep falls by 1.5 over its width of 0.2 in the middle: a slope of 0.1 × 1.5 / 0.2 = 0.75.
        let bump = texel(1, uv(0.25), 0.5);
        let want = 0.75 / (1.0_f32 + 0.75 * 0.75).sqrt();
        let got = f32::from(bump[0]) / 127.5 - 1.0;
        assert!(
            (got - want).abs() < 0.02 && bump[1] == 128,
            "{bump:?}, wanted {want}"
        );
        assert_eq!(texel(1, uv(0.45), 0.5)[..2], [128, 128]);
        assert_eq!(texel(2, uv(0.1), 0.5), [188, 255, 255, 255]);
        let [
            WrinkleDriver::Shape(..),
            WrinkleDriver::Stretch { from, to, ratio },
        ] = wrinkles.regions[0].drivers.as_slice()
        else {
            panic!("{:?}", wrinkles.regions[0].drivers);
        };
        assert_eq!(
            (*from, *to, *ratio),
            (Vec2::splat(0.25), Vec2::splat(0.75), 0.5)
        );
    }

    #[test]
    fn a_folded_shape_gives_its_slopes_and_regions_off_the_texture_do_not_fold() {
        // A plane that is tilted by 20 degrees along y.
        let (sin, cos) = 20.0_f32.to_radians().sin_cos();
        let mut own = crease("cheek", 2.0, 0.0, 0.0);
        own.layers.clear();
        own.sculpt = Some(DistanceField::plane(Vec3::new(0.0, sin, cos), 0.5 * sin));
        let creases = Creases {
            side: 64,
            regions: vec![own],
        };
        let (images, wrinkles) =
            bake("skin", 64, None, &creases, &square(), |_| Vec::new()).unwrap();
        assert_eq!((images.len(), wrinkles.maps[0].color), (2, None));
        let [low, high] = wrinkles.area;
        let p = ((Vec2::new(0.5, 0.5) - low) / (high - low) * 64.0).as_uvec2();
        let at = (p.y * 64 + p.x) as usize * 4;
        let got = f32::from(images[1].rgba[at + 1]) / 127.5 - 1.0;
        assert!((got - sin).abs() < 0.02, "{got}, wanted {sin}");
        let away = Creases {
            side: 64,
            regions: vec![crease("away", -5.0, 0.0, 0.1)],
        };
        assert!(bake("skin", 64, None, &away, &square(), |_| Vec::new()).is_none());
    }
}
