//! Options of emitters: emission, motion and appearance of particles.

use std::ops::{Add, Mul, Range};
use std::sync::Arc;

use glam::{Vec3, Vec4};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use galatea_asset::model::Image;
use galatea_math::srgb::{decoded, encoded};

/// Maximum number of particles per emitter.
pub const MAX_PARTICLES_EACH: usize = 8192;
/// Maximum number of cells in a sprite sheet.
pub const MAX_CELLS: usize = 64;
/// Side of a cell, pixels.
const CELL: u32 = 128;

/// Values over a particle's life at equal intervals, linearly interpolated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LifetimeCurve<T>(Vec<T>);

impl<T: Copy + Add<Output = T> + Mul<f32, Output = T>> LifetimeCurve<T> {
    /// Constant value.
    pub fn steady(value: T) -> Self {
        Self(vec![value])
    }

    /// Values from first to last; `None` if the list is empty.
    pub fn new(values: Vec<T>) -> Option<Self> {
        (!values.is_empty()).then_some(Self(values))
    }

    /// Value at a fraction of the life, 0..=1.
    pub fn at(&self, u: f32) -> T {
        let last = self.0.len() - 1;
        let along = u.clamp(0.0, 1.0) * last as f32;
        let i = (along as usize).min(last);
        let blend = along - i as f32;
        let next = self.0[(i + 1).min(last)];
        self.0[i] * (1.0 - blend) + next * blend
    }
}

/// Emission shape, in the emitter's space; +Y is the emission direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum EmissionShape {
    /// At the origin.
    Point,
    /// Inside a ball of this radius, metres.
    Sphere(f32),
    /// On a disc of this radius perpendicular to +Y, metres.
    Disc(f32),
    /// Inside a box with these half sizes, metres.
    Box(Vec3),
    /// At positions from [`EmitterInput::surface`](super::EmitterInput::surface).
    Surface,
}

/// Behaviour of a particle at a collision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParticleCollision {
    /// No collision test: particles pass through surfaces.
    NoCollision,
    /// The particle is removed.
    Kill,
    /// The particle bounces and keeps these fractions of its speed perpendicular to and along the surface.
    Bounce {
        /// Perpendicular to the surface, 0..=1.
        across: f32,
        /// Along the surface, 0..=1.
        along: f32,
    },
    /// The particle stays flat on the surface.
    Stick {
        /// Time on the surface, seconds.
        seconds: f32,
        /// Size scale on the surface.
        size: f32,
    },
}

/// Selection of the cell to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpriteSelection {
    /// Each particle has a random cell.
    Random,
    /// The cells play once over its life.
    Lifetime,
}

/// A sprite sheet: cells of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpriteSheet {
    /// Squares of 128 × 128 pixels; sRGB, premultiplied by alpha.
    pub cells: Vec<Image>,
}

/// Errors of cutting a sprite sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpriteSheetError {
    /// The image is too small for the grid, or there are too many cells.
    #[error(
        "an image of {0} × {1} pixels cannot be split into {2} × {3} cells; the limit is 64 cells of at least 2 pixels"
    )]
    Cells(u32, u32, u32, u32),
}

impl SpriteSheet {
    /// Cuts an image into columns and rows of cells, in row order from the upper left.
    ///
    /// # Errors
    /// If the image is too small for the grid, or there are too many cells.
    pub fn cut(image: &Image, columns: u32, rows: u32) -> Result<Arc<Self>, SpriteSheetError> {
        let wrong = || SpriteSheetError::Cells(image.width, image.height, columns, rows);
        let is_many = columns.saturating_mul(rows) as usize > MAX_CELLS;
        if columns == 0 || rows == 0 || is_many {
            return Err(wrong());
        }
        let (wide, high) = (image.width / columns, image.height / rows);
        if wide < 2 || high < 2 || image.rgba.len() < 4 * (image.width * image.height) as usize {
            return Err(wrong());
        }
        let cell = |i: u32| {
            let corner = (i % columns * wide, i / columns * high);
            resized(image, corner, (wide, high))
        };
        let cells = (0..columns * rows).map(cell).collect();
        Ok(Arc::new(Self { cells }))
    }

    /// Creates cells from a function: `paint` returns linear colour and alpha at a position from (-1, -1) to (1, 1), y
    /// up.
    pub fn painted(n: u32, paint: impl Fn(u32, glam::Vec2) -> Vec4 + Sync) -> Arc<Self> {
        let cell = |i| {
            let mut rgba = vec![0; (CELL * CELL * 4) as usize];
            let rows = rgba.par_chunks_exact_mut(CELL as usize * 4).enumerate();
            rows.for_each(|(y, row)| {
                for (x, texel) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    let at = glam::Vec2::new(x as f32, y as f32) + 0.5;
                    let at = (at / CELL as f32 * 2.0 - 1.0) * glam::Vec2::new(1.0, -1.0);
                    *texel = stored(paint(i, at));
                }
            });
            Image {
                name: String::new(),
                width: CELL,
                height: CELL,
                rgba,
            }
        };
        let cells = (0..n).map(cell).collect();
        Arc::new(Self { cells })
    }
}

/// Encodes linear colour and alpha in the format of cells.
fn stored(color: Vec4) -> [u8; 4] {
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let a = color.w.clamp(0.0, 1.0);
    let [r, g, b] = (color.truncate() * a).to_array();
    let channel = |linear: f32| byte(encoded(linear.clamp(0.0, 1.0)));
    [channel(r), channel(g), channel(b), byte(a)]
}

/// Resizes a rectangle of an image to a cell. Each pixel is the mean of the covered texels.
fn resized(image: &Image, (left, top): (u32, u32), (wide, high): (u32, u32)) -> Image {
    let texel = |x: u32, y: u32| {
        let at = 4 * ((top + y.min(high - 1)) * image.width + left + x.min(wide - 1)) as usize;
        let [r, g, b, a] = [0, 1, 2, 3].map(|k| f32::from(image.rgba[at + k]) / 255.0);
        (Vec3::new(r, g, b).map(decoded) * a).extend(a)
    };
    let mut rgba = Vec::with_capacity((CELL * CELL * 4) as usize);
    for i in 0..CELL * CELL {
        let (x, y) = ((i % CELL) as f32, (i / CELL) as f32);
        let scale = (wide as f32 / CELL as f32, high as f32 / CELL as f32);
        let mean = area_mean(&texel, (x * scale.0, y * scale.1), scale);
        // `stored` multiplies by alpha, but the mean is already premultiplied.
        let straight = if mean.w > 0.0 {
            mean.truncate() / mean.w
        } else {
            Vec3::ZERO
        };
        rgba.extend(stored(straight.extend(mean.w)));
    }
    Image {
        name: image.name.clone(),
        width: CELL,
        height: CELL,
        rgba,
    }
}

/// Mean over a rectangle: of all covered texels, or bilinear between four texels if it is smaller than a texel.
fn area_mean(
    texel: &impl Fn(u32, u32) -> Vec4,
    (x, y): (f32, f32),
    (wide, high): (f32, f32),
) -> Vec4 {
    if wide <= 1.0 && high <= 1.0 {
        let (x, y) = (x + wide / 2.0 - 0.5, y + high / 2.0 - 0.5);
        let (x, y) = (x.max(0.0), y.max(0.0));
        let (u, v) = (x.fract(), y.fract());
        let (i, k) = (x as u32, y as u32);
        let above = texel(i, k).lerp(texel(i + 1, k), u);
        return above.lerp(texel(i, k + 1).lerp(texel(i + 1, k + 1), u), v);
    }
    let span = |from: f32, size: f32| -> Range<u32> {
        let first = from as u32;
        first..((from + size).ceil() as u32).max(first + 1)
    };
    let (mut sum, mut n) = (Vec4::ZERO, 0.0);
    for k in span(y, high) {
        for i in span(x, wide) {
            sum += texel(i, k);
            n += 1.0;
        }
    }
    sum / n
}

/// Options of an emitter. Ranges are minimum and maximum of uniformly distributed random values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmitterOptions {
    /// Particles per second.
    pub rate: f32,
    /// Number of particles emitted at once at the start.
    pub burst: u32,
    /// Duration of the emission, seconds; `None` is unlimited.
    pub duration: Option<f32>,
    /// Simulated time before the first frame, seconds.
    pub prewarm: f32,
    /// Maximum number of particles at the same time.
    pub max_particles: usize,
    /// Emission shape.
    pub shape: EmissionShape,
    /// Lifetime, seconds.
    pub lifetime: [f32; 2],
    /// Initial speed along the emission direction, m/s.
    pub speed: [f32; 2],
    /// Maximum angle to the emission direction, radians, 0..=π.
    pub spread: f32,
    /// Initial speed away from the centre, m/s.
    pub radial_speed: f32,
    /// Fraction of the emitter's velocity that particles inherit.
    pub inherit_velocity: f32,
    /// Gravity scale; with a negative value particles rise.
    pub gravity_scale: f32,
    /// Drag: rate at which the velocity approaches that of the air, 1/s.
    pub drag: f32,
    /// Wind scale.
    pub wind_scale: f32,
    /// Speed of turbulence in m/s, and the size of its eddies in metres.
    pub turbulence: (f32, f32),
    /// Behaviour at collisions.
    pub collision: ParticleCollision,
    /// Diameter, metres.
    pub size: [f32; 2],
    /// Size scale over the life.
    pub size_over_lifetime: LifetimeCurve<f32>,
    /// Linear colour over the life.
    pub color: LifetimeCurve<Vec3>,
    /// Random variation of the brightness, 0..=1.
    pub brightness_variation: f32,
    /// Opacity over the life, 0..=1.
    pub alpha: LifetimeCurve<f32>,
    /// Emission as a factor of the colour; with 0 the scene lights the particle.
    pub emissive_strength: f32,
    /// True if particles start with a random rotation.
    pub random_rotation: bool,
    /// Angular velocity, rad/s.
    pub angular_velocity: [f32; 2],
    /// Stretch along the motion, as a time in seconds.
    pub stretch: f32,
    /// Fade distance in front of surfaces (soft particles), metres; 0 gives hard intersections.
    pub soft_distance: f32,
    /// Strength of specular reflections, as on drops, 0..=1.
    pub gloss: f32,
    /// Translucency, as of dust, 0..=1; with 0 particles are lit as solid spheres.
    pub translucency: f32,
    /// Sprite sheet.
    #[serde(with = "galatea_persist::shared")]
    pub texture: Arc<SpriteSheet>,
    /// Cells to show.
    pub cells: Range<u16>,
    /// Cells of landed particles.
    pub landed: Range<u16>,
    /// Selection of the cell.
    pub flipbook_mode: SpriteSelection,
}
