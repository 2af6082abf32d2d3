//! What lights a scene and how its picture is exposed: plain data of a frame.

use std::sync::Arc;

use glam::Vec3;

use galatea_asset::Environment;

/// The most lamps that light one picture; further ones, the weakest at the camera's target, are
/// left out.
pub const MOST_LAMPS: usize = 128;

/// What lights the scene. Colours are linear.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Unit vector from the scene towards the sun.
    pub sun_direction: Vec3,
    /// Sunlight on a surface facing the sun; white 1 at noon is about 3.4.
    pub sun_color: Vec3,
    /// Width of the sun, degrees: how fast shadows grow soft. 0.5 is a clear sky, 2 thin haze.
    pub sun_width: f32,
    /// Light from straight above.
    pub sky_zenith: Vec3,
    /// Light from the horizon.
    pub sky_horizon: Vec3,
    /// Light from below, reflected by the ground.
    pub sky_ground: Vec3,
    /// The floor runs up into what stands behind, as paper in a studio does; else it ends far away, at
    /// a horizon.
    pub seamless: bool,
    /// A picture of the light from all around, in place of the sky's colours.
    pub environment: Option<EnvironmentUse>,
    /// Lamps; see [`MOST_LAMPS`].
    pub lamps: Vec<Lamp>,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            sun_direction: Vec3::new(0.45, 0.75, 0.5).normalize(),
            sun_color: Vec3::new(3.4, 3.03, 2.52),
            sun_width: 1.0,
            sky_zenith: Vec3::new(0.075, 0.18, 0.43),
            sky_horizon: Vec3::new(0.27, 0.38, 0.54),
            sky_ground: Vec3::new(0.24, 0.20, 0.155),
            seamless: false,
            environment: None,
            lamps: Vec::new(),
        }
    }
}

/// A picture of the light from all around, and how it is used.
#[derive(Clone, Debug)]
pub struct EnvironmentUse {
    /// The picture.
    pub environment: Arc<Environment>,
    /// Radians about +Y by which it is turned: what lies towards `d` in it is seen towards `d` turned by
    /// that.
    pub yaw: f32,
    /// Factor on its light, not negative.
    pub strength: f32,
    /// It is seen behind the scene, too; else the sky's colours are.
    pub background: bool,
    /// How blurred it is seen there, 0..=1; its light is not changed.
    pub blur: f32,
}

impl PartialEq for EnvironmentUse {
    fn eq(&self, other: &Self) -> bool {
        self.environment.uid == other.environment.uid
            && (self.yaw, self.strength, self.background, self.blur)
                == (other.yaw, other.strength, other.background, other.blur)
    }
}

/// A light at a place: a ball, or a spot that shines one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// World space, metres.
    pub position: Vec3,
    /// Linear; light on a surface that faces it from 1 m.
    pub color: Vec3,
    /// Metres at which its light has ended (it falls with the square of the distance, eased to 0).
    pub range: f32,
    /// Radius of what glows, metres: softness of shadows and size of highlights.
    pub radius: f32,
    /// Only within a cone.
    pub spot: Option<Spot>,
    /// Things throw shadows from it. When there is not room for all, the brightest at the camera's
    /// target keep theirs.
    pub casts: bool,
}

impl Default for Lamp {
    fn default() -> Self {
        Self {
            position: Vec3::new(0.0, 2.0, 1.0),
            color: Vec3::splat(4.0),
            range: 10.0,
            radius: 0.05,
            spot: None,
            casts: true,
        }
    }
}

/// The cone of a [`Lamp`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Unit vector along which it shines.
    pub direction: Vec3,
    /// Degrees from the middle to where its light begins to fall, below `outer`.
    pub inner: f32,
    /// Degrees from the middle to where it has ended, up to 85.
    pub outer: f32,
}

/// How light becomes a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PostProcessing {
    /// Stops: each is twice as bright. On top of `auto_exposure`.
    pub exposure: f32,
    /// The picture finds its own brightness, as an eye does.
    pub auto_exposure: Option<AutoExposure>,
    /// How surfaces take light.
    pub shading: Shading,
    /// How brightness beyond the screen's is shown.
    pub tone: ToneMap,
    /// Share of the light that is scattered in the lens, 0..=1; 0.04 is a clean lens.
    pub bloom: f32,
    /// Darkening of corners and creases, 0 (none)..=2; 1 is as measured.
    pub occlusion: f32,
    /// Length of the fine shadows that the shadow map is too coarse for, metres; 0 draws none.
    pub contact_shadows: f32,
    /// Haze.
    pub fog: Fog,
    /// Colours, after the tone map.
    pub grade: Grade,
}

impl Default for PostProcessing {
    fn default() -> Self {
        Self {
            exposure: 0.0,
            auto_exposure: None,
            shading: Shading::default(),
            tone: ToneMap::default(),
            bloom: 0.04,
            occlusion: 1.0,
            contact_shadows: 0.1,
            fog: Fog::default(),
            grade: Grade::default(),
        }
    }
}

/// How fast and how far the picture's brightness adapts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoExposure {
    /// Stops per second, about.
    pub speed: f32,
    /// Least correction, stops.
    pub low: f32,
    /// Greatest correction, stops.
    pub high: f32,
}

impl Default for AutoExposure {
    fn default() -> Self {
        Self {
            speed: 2.0,
            low: -4.0,
            high: 4.0,
        }
    }
}

/// How surfaces take light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// As their materials say, by all light.
    #[default]
    Physical,
    /// As in the book (rows 12.01 to 12.16): the sun alone, diffuse with a floor of 0.2 and Blinn's highlight of
    /// exponent 85 at 0.4, on encoded colours; no shadows, haze, exposure, bloom, tone map or grade.
    Book,
}

/// How brightness beyond the screen's is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToneMap {
    /// Bright colours fade to white as on film (AgX, Sobotka 2022).
    Agx,
    /// Contrast of the cinema (a fit of the ACES reference rendering transform, Hill 2016).
    Aces,
    /// Colours stay as painted up to 0.8 (Khronos PBR Neutral, 2024).
    #[default]
    Neutral,
    /// Cut off at 1.
    Plain,
}

/// Haze that grows with distance and thins out with height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Linear colour.
    pub color: Vec3,
    /// Share of the light lost in a metre at `base`; 0 is clear air.
    pub density: f32,
    /// Metres above `base` at which it is a third as dense; infinity is even.
    pub height: f32,
    /// World height where it is densest, metres.
    pub base: f32,
}

impl Default for Fog {
    fn default() -> Self {
        Self {
            color: Vec3::new(0.5, 0.55, 0.62),
            density: 0.0,
            height: f32::INFINITY,
            base: 0.0,
        }
    }
}

/// Colours of the finished picture. The default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grade {
    /// About middle grey; 1.
    pub contrast: f32,
    /// 0 is grey, 1 as it is.
    pub saturation: f32,
    /// -1 (cold)..=1 (warm).
    pub temperature: f32,
    /// -1 (green)..=1 (magenta).
    pub tint: f32,
    /// Colour of what is dark, added.
    pub shadows: Vec3,
    /// Colour of what is bright, multiplied.
    pub highlights: Vec3,
    /// Darkening towards the corners, 0..=1.
    pub vignette: f32,
}

impl Default for Grade {
    fn default() -> Self {
        Self {
            contrast: 1.0,
            saturation: 1.0,
            temperature: 0.0,
            tint: 0.0,
            shadows: Vec3::ZERO,
            highlights: Vec3::ONE,
            vignette: 0.0,
        }
    }
}

/// How good a picture is, from fast to fine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// For machines that draw with their processor: one sample per pixel, its edges smoothed
    /// afterwards, one coarse shadow map, no ambient occlusion.
    Low,
    /// Four samples, soft shadows of sun and lamps, ambient occlusion at half the size.
    #[default]
    Medium,
    /// As medium, with finer and more shadow maps and ambient occlusion at full size.
    High,
}

impl Quality {
    /// All, from fast to fine.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The name by which users know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The quality of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quality| quality.name() == name)
    }
}
