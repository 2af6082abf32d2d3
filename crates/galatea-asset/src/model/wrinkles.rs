//! Wrinkle maps of a material: what its skin looks like where expressions fold it (rows WM-01 to WM-04).

use glam::{Vec2, Vec3};

/// Mask pictures of one material; each holds four regions.
pub const MOST_MASKS: usize = 8;
/// Wrinkle maps of one material.
pub const MOST_MAPS: usize = 8;
/// Regions of one material that lie everywhere.
pub const MOST_REGIONS: usize = 4 * MOST_MASKS + 4;

/// The wrinkles of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrinkles {
    /// What weights do.
    pub mode: WrinkleMode,
    /// The part of the material's pictures on which masks and maps lie: lowest u and v, highest u and v.
    pub area: [Vec2; 2],
    /// Linear pictures, each channel the mask of a region: indices into `Model::images`; at most [`MOST_MASKS`].
    pub masks: Vec<usize>,
    /// At most [`MOST_MAPS`].
    pub maps: Vec<WrinkleMap>,
    /// At most [`MOST_REGIONS`].
    pub regions: Vec<WrinkleRegion>,
}

/// What weights do with a material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WrinkleMode {
    /// They bring in the wrinkle maps.
    #[default]
    Maps,
    /// They bring out the material's own normal picture, which is flat where there is no weight (WM-03).
    Book,
}

/// Pictures of folded skin, by the texture coordinates of the material's normal picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrinkleMap {
    /// Linear tangent-space normals, an index into `Model::images`.
    pub normal: Option<usize>,
    /// sRGB colour.
    pub color: Option<usize>,
    /// Linear, G roughness.
    pub roughness: Option<usize>,
    /// Its slopes are added to those of the material, and colour and roughness multiply; else they take
    /// their place.
    pub adds: bool,
    /// Scales x and y of the normals.
    pub scale: f32,
}

/// A part of the skin that folds as one.
#[derive(Clone, Debug, PartialEq)]
pub struct WrinkleRegion {
    /// What scripts call it.
    pub name: String,
    /// Channel of the masks, 0 R of the first, 4 R of the second; `None` where it lies everywhere.
    pub mask: Option<usize>,
    /// Index into [`Wrinkles::maps`]; `None` where it only tints.
    pub map: Option<usize>,
    /// Weight at rest, 0..=1.
    pub rest: f32,
    /// Factor on the colour at weight 1: blood that comes or goes.
    pub tint: Vec3,
    /// What is summed to its weight, which is then clamped to 0..=1.
    pub drivers: Vec<WrinkleDriver>,
}

/// What gives a region its weight.
#[derive(Clone, Debug, PartialEq)]
pub enum WrinkleDriver {
    /// A morph target or a shape of the face by its name, times a factor.
    Shape(String, f32),
    /// How near two places of the skin come to each other (AW-10), given by texture coordinates: weight 0 at their
    /// distance at rest, 1 at `ratio` of it, which is above 1 for skin that is stretched.
    Stretch {
        /// One place.
        from: Vec2,
        /// The other.
        to: Vec2,
        /// Of the distance at rest, 0 to 4 but not 1.
        ratio: f32,
    },
    /// A curve of the clips.
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
    /// All its pictures, to be counted or numbered anew.
    pub fn each_picture(&mut self, mut f: impl FnMut(&mut usize)) {
        self.masks.iter_mut().for_each(&mut f);
        for map in &mut self.maps {
            let own = [&mut map.normal, &mut map.color, &mut map.roughness];
            own.into_iter().flatten().for_each(&mut f);
        }
    }

    /// Lets go of a picture that cannot be used. A region without its mask would lie everywhere, so it goes too.
    pub(crate) fn take_out(&mut self, image: usize) {
        for map in &mut self.maps {
            for picture in [&mut map.normal, &mut map.color, &mut map.roughness] {
                *picture = picture.filter(|own| *own != image);
            }
        }
        let lost = |channel: usize| self.masks.get(channel / 4) == Some(&image);
        self.regions.retain(|region| !region.mask.is_some_and(lost));
    }
}
