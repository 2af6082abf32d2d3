//! Wrinkle maps of a material: normals and colours of skin folded by expressions.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Limit of mask textures per material; each holds four regions.
pub const MAX_MASKS: usize = 8;
/// Limit of wrinkle maps per material.
pub const MAX_MAPS: usize = 8;
/// Limit of regions per material, including those without a mask.
pub const MAX_REGIONS: usize = 4 * MAX_MASKS + 4;

/// Wrinkles of a material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wrinkles {
    /// Effect of weights.
    pub mode: WrinkleMode,
    /// Area of the material's textures that masks and maps cover: minimum and maximum u and v.
    pub area: [Vec2; 2],
    /// Linear textures, each channel the mask of a region: indices into `Model::images`; at most [`MAX_MASKS`].
    pub masks: Vec<usize>,
    /// Wrinkle maps, at most [`MAX_MAPS`].
    pub maps: Vec<WrinkleMap>,
    /// Regions, at most [`MAX_REGIONS`].
    pub regions: Vec<WrinkleRegion>,
}

/// Effect of weights on a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WrinkleMode {
    /// Weights blend in the wrinkle maps.
    #[default]
    Maps,
    /// Weights blend in the material's own normal map, which is flat at weight 0.
    Book,
}

/// Textures of folded skin, with the texture coordinates of the material's normal map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WrinkleMap {
    /// Linear tangent-space normals, an index into `Model::images`.
    pub normal: Option<usize>,
    /// sRGB colour texture.
    pub color: Option<usize>,
    /// Linear texture, G roughness.
    pub roughness: Option<usize>,
    /// The slopes are added to the material's, and colour and roughness multiply; otherwise they replace them.
    pub adds: bool,
    /// Scale of x and y of the normals.
    pub scale: f32,
}

/// Area of skin that folds together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WrinkleRegion {
    /// Name in scripts.
    pub name: String,
    /// Channel of the masks: 0 is R of the first, 4 is R of the second; `None` covers the whole area.
    pub mask: Option<usize>,
    /// Index into [`Wrinkles::maps`]; `None` if it only tints.
    pub map: Option<usize>,
    /// Weight at rest, 0..=1.
    pub rest: f32,
    /// Factor for the colour at weight 1: blood flow.
    pub tint: Vec3,
    /// Drivers; their sum, clamped to 0..=1, is the weight.
    pub drivers: Vec<WrinkleDriver>,
}

/// Driver of a region's weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WrinkleDriver {
    /// Name of a morph target or a facial shape, and a factor.
    Shape(String, f32),
    /// Distance of two points on the skin, given by texture coordinates. The weight is 0 at their rest distance and 1 at
    /// `ratio` times that; `ratio` is above 1 for stretched skin.
    Stretch {
        /// First point.
        from: Vec2,
        /// Second point.
        to: Vec2,
        /// Factor of the rest distance, 0 to 4 but not 1.
        ratio: f32,
    },
    /// Name of a curve in the clips.
    Curve(String),
}

impl Default for Wrinkles {
    fn default() -> Self {
        Self {
            mode: WrinkleMode::Maps,
            area: [Vec2::ZERO, Vec2::ONE],
            masks: Vec::new(),
            maps: Vec::new(),
            regions: Vec::new(),
        }
    }
}

impl Wrinkles {
    /// Calls `f` on all image indices, for counting or renumbering.
    pub fn each_picture(&mut self, mut f: impl FnMut(&mut usize)) {
        self.masks.iter_mut().for_each(&mut f);
        for map in &mut self.maps {
            let own = [&mut map.normal, &mut map.color, &mut map.roughness];
            own.into_iter().flatten().for_each(&mut f);
        }
    }

    /// Removes an unusable image. A region without its mask would cover the whole area, so it is removed too.
    pub(crate) fn remove_image(&mut self, image: usize) {
        for map in &mut self.maps {
            for picture in [&mut map.normal, &mut map.color, &mut map.roughness] {
                *picture = picture.filter(|own| *own != image);
            }
        }
        let lost = |channel: usize| self.masks.get(channel / 4) == Some(&image);
        self.regions.retain(|region| !region.mask.is_some_and(lost));
    }
}
