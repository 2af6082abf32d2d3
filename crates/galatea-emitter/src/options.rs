//! What emitters are told: how many particles, from where, how they move, how they look over their lives.

use std::ops::{Add, Mul, Range};
use std::sync::Arc;

use glam::{Vec3, Vec4};

use galatea_asset::model::Image;
use galatea_math::srgb::{decoded, encoded};

/// Particles of one emitter at most.
pub const MOST_OF_ONE: usize = 8192;
/// Cells of a picture at most.
pub const MOST_CELLS: usize = 64;
/// Pixels of a cell's side.
const CELL: u32 = 128;

/// Values over a life, evenly spread from its beginning to its end, mixed between.
#[derive(Clone, Debug, PartialEq)]
pub struct LifetimeCurve<T>(Vec<T>);

impl<T: Copy + Add<Output = T> + Mul<f32, Output = T>> LifetimeCurve<T> {
    /// The same from beginning to end.
    pub fn steady(value: T) -> Self {
        Self(vec![value])
    }

    /// Values from first to last; `None` without any.
    pub fn new(values: Vec<T>) -> Option<Self> {
        (!values.is_empty()).then_some(Self(values))
    }

    /// The value at a share of the life, 0..=1.
    pub fn at(&self, u: f32) -> T {
        let last = self.0.len() - 1;
        let along = u.clamp(0.0, 1.0) * last as f32;
        let i = (along as usize).min(last);
        let share = along - i as f32;
        let next = self.0[(i + 1).min(last)];
        self.0[i] * (1.0 - share) + next * share
    }
}

/// Where particles begin, in the emitter's space: +Y is the way they go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EmissionShape {
    /// In its middle.
    Point,
    /// Inside a ball of a radius, metres.
    Ball(f32),
    /// On a disc across its way, metres.
    Disc(f32),
    /// Inside a box of half sizes, metres.
    Box(Vec3),
    /// Where [`EmitterInput::surface`](super::EmitterInput::surface) says.
    Surface,
}

/// What becomes of a particle that meets something solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lands {
    /// It is not asked: it goes through.
    Through,
    /// Removal of the file.
    Ends,
    /// It bounces: shares of its speed across and along the surface that are left.
    Bounces {
        /// 0..=1.
        across: f32,
        /// 0..=1.
        along: f32,
    },
    /// It lies there flat.
    Stays {
        /// Seconds.
        seconds: f32,
        /// Factor on its size.
        size: f32,
    },
}

/// Which cell of a picture is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpriteSelection {
    /// Each particle has one by chance.
    Chance,
    /// One after the other over its life.
    Life,
}

/// What particles look like: cells of one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct SpriteSheet {
    /// Squares of 128 × 128 pixels; sRGB, premultiplied by alpha.
    pub cells: Vec<Image>,
}

/// Why a picture has no cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// It is too small for so many columns and rows, or they are too many.
    #[error(
        "a picture of {0} × {1} pixels has no {2} × {3} cells (at most 64, of at least 2 pixels)"
    )]
    Cells(u32, u32, u32, u32),
}

impl SpriteSheet {
    /// Cuts a picture into columns and rows of cells, which are told from the upper left on, row by row.
    ///
    /// # Errors
    /// When it has not that many.
    pub fn cut(image: &Image, columns: u32, rows: u32) -> Result<Arc<Self>, PictureError> {
        let wrong = || PictureError::Cells(image.width, image.height, columns, rows);
        let is_many = columns.saturating_mul(rows) as usize > MOST_CELLS;
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

    /// Paints cells: `paint` gives linear colour and alpha of a place from (-1, -1) to (1, 1), y up.
    pub fn painted(n: u32, paint: impl Fn(u32, glam::Vec2) -> Vec4) -> Arc<Self> {
        let cell = |i| {
            let pixels = (0..CELL * CELL).flat_map(|k| {
                let at = glam::Vec2::new((k % CELL) as f32, (k / CELL) as f32) + 0.5;
                let at = (at / CELL as f32 * 2.0 - 1.0) * glam::Vec2::new(1.0, -1.0);
                stored(paint(i, at))
            });
            Image {
                name: String::new(),
                width: CELL,
                height: CELL,
                rgba: pixels.collect(),
            }
        };
        let cells = (0..n).map(cell).collect();
        Arc::new(Self { cells })
    }
}

/// Linear colour and alpha, as cells hold them.
fn stored(color: Vec4) -> [u8; 4] {
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let a = color.w.clamp(0.0, 1.0);
    let [r, g, b] = (color.truncate() * a).to_array();
    let shown = |linear: f32| byte(encoded(linear.clamp(0.0, 1.0)));
    [shown(r), shown(g), shown(b), byte(a)]
}

/// A rectangle of a picture as a cell: the mean of the pixels under each of its own.
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
        // `stored` multiplies by alpha, which the mean already is.
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

/// The mean over a place: of all texels under it, or between the four around where it is smaller than one.
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

/// All that an emitter is told. Ranges are low and high; chance is even between.
#[derive(Clone, Debug, PartialEq)]
pub struct EmitterOptions {
    /// Particles per second.
    pub rate: f32,
    /// Particles at once when it begins.
    pub burst: u32,
    /// Seconds that it gives off particles; `None` goes on.
    pub seconds: Option<f32>,
    /// Seconds that it went on for before it is first seen.
    pub warm: f32,
    /// Particles that there are at once, at most.
    pub most: usize,
    /// Where they begin.
    pub shape: EmissionShape,
    /// Seconds that each is there.
    pub life: [f32; 2],
    /// Metres per second along its way.
    pub speed: [f32; 2],
    /// Angle from its way that they go off by at most, radians, 0..=π.
    pub spread: f32,
    /// Metres per second away from its middle.
    pub outward: f32,
    /// Share of its own velocity that they have.
    pub inherit: f32,
    /// Factor on the weight of things; below 0 rises.
    pub gravity: f32,
    /// Share of the difference to the air's velocity lost, per second.
    pub drag: f32,
    /// Factor on the wind that it feels.
    pub wind: f32,
    /// Metres per second of eddies in the air, and metres across one.
    pub swirl: (f32, f32),
    /// What becomes of one that meets something.
    pub lands: Lands,
    /// Metres across.
    pub size: [f32; 2],
    /// Factor on the size over a life.
    pub grow: LifetimeCurve<f32>,
    /// Linear colour over a life.
    pub color: LifetimeCurve<Vec3>,
    /// How much they differ in brightness, 0..=1.
    pub vary: f32,
    /// How much of what is behind they cover over a life, 0..=1.
    pub alpha: LifetimeCurve<f32>,
    /// Light that they give themselves, as a factor on the colour; 0 are lit.
    pub glow: f32,
    /// Turned by chance when they begin.
    pub turned: bool,
    /// Radians per second that they turn by.
    pub spin: [f32; 2],
    /// Seconds of their way that they are drawn out over.
    pub stretch: f32,
    /// Metres before a surface over which they fade; 0 is cut off.
    pub soft: f32,
    /// How much they shine as drops do, 0..=1.
    pub gloss: f32,
    /// Light goes through them to the other side, as through dust, 0..=1; else they are lit as balls.
    pub thin: f32,
    /// What they look like.
    pub picture: Arc<SpriteSheet>,
    /// Cells that are shown.
    pub cells: Range<u16>,
    /// Those of one that lies somewhere.
    pub landed: Range<u16>,
    /// Which of them.
    pub play: SpriteSelection,
}
