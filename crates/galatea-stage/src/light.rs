//! Lights of a scene and exposure of its picture, as plain data of a frame.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use galatea_asset::Environment;

/// Maximum number of lights in one picture. Beyond it, the weakest at the camera's target are dropped.
pub const MAX_LIGHTS: usize = 128;

/// Light sources of a scene. Colours are linear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Light {
    /// Unit vector from the scene towards the sun.
    pub sun_direction: Vec3,
    /// Irradiance on a surface that faces the sun; a white sun at noon is about 3.4.
    pub sun_color: Vec3,
    /// Angular diameter of the sun, degrees; wider makes softer shadows. 0.5 is a clear sky, 2 thin haze.
    pub sun_source_angle: f32,
    /// Sky light from straight above.
    pub sky_zenith: Vec3,
    /// Sky light from the horizon.
    pub sky_horizon: Vec3,
    /// Light from below, reflected by the ground.
    pub sky_ground: Vec3,
    /// The floor blends into the background, like a paper backdrop in a studio; otherwise it ends at a horizon.
    pub seamless: bool,
    /// Environment map, used instead of the sky colours.
    pub environment: Option<EnvironmentUse>,
    /// Point and spot lights; see [`MAX_LIGHTS`].
    pub local_lights: Vec<LocalLight>,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            sun_direction: Vec3::new(0.45, 0.75, 0.5).normalize(),
            sun_color: Vec3::new(3.4, 3.03, 2.52),
            sun_source_angle: 1.0,
            sky_zenith: Vec3::new(0.075, 0.18, 0.43),
            sky_horizon: Vec3::new(0.27, 0.38, 0.54),
            sky_ground: Vec3::new(0.24, 0.20, 0.155),
            seamless: false,
            environment: None,
            local_lights: Vec::new(),
        }
    }
}

/// An environment map and its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EnvironmentUse {
    /// The environment map.
    #[serde(with = "galatea_persist::shared")]
    pub environment: Arc<Environment>,
    /// Rotation about +Y, radians.
    pub yaw: f32,
    /// Intensity factor, not negative.
    pub intensity: f32,
    /// Shows the map as background; otherwise the sky colours are shown.
    pub background: bool,
    /// Blur of the background, 0..=1; the light is not affected.
    pub blur: f32,
}

impl PartialEq for EnvironmentUse {
    fn eq(&self, other: &Self) -> bool {
        self.environment.uid == other.environment.uid
            && (self.yaw, self.intensity, self.background, self.blur)
                == (other.yaw, other.intensity, other.background, other.blur)
    }
}

/// A point light with a radius, or a spot light.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalLight {
    /// World space, metres.
    pub position: Vec3,
    /// Linear; illuminance of a surface that faces the light from 1 m.
    pub color: Vec3,
    /// Distance at which the light ends, metres. It falls with the inverse square, eased to 0.
    pub range: f32,
    /// Radius of the light source, metres; it softens shadows and widens highlights.
    pub source_radius: f32,
    /// Restricts the light to a cone.
    pub spot: Option<Spot>,
    /// Casts shadows. If there are too many such lights, the brightest at the camera's target keep their shadows.
    pub casts_shadows: bool,
}

impl Default for LocalLight {
    fn default() -> Self {
        Self {
            position: Vec3::new(0.0, 2.0, 1.0),
            color: Vec3::splat(4.0),
            range: 10.0,
            source_radius: 0.05,
            spot: None,
            casts_shadows: true,
        }
    }
}

/// The cone of a spot light.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// Unit vector of the direction of the light.
    pub direction: Vec3,
    /// Angle from the axis at which the light begins to fall, degrees; less than `outer`.
    pub inner_angle: f32,
    /// Angle from the axis at which the light ends, degrees, at most 85.
    pub outer_angle: f32,
}

/// Post-processing: from light to picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PostProcessing {
    /// Exposure compensation in stops (each doubles the brightness), added to `auto_exposure`.
    pub exposure: f32,
    /// Automatic exposure, like the adaptation of an eye.
    pub auto_exposure: Option<AutoExposure>,
    /// Shading model.
    pub shading: Shading,
    /// Tone mapping of brightness beyond the display's.
    pub tonemap: ToneMap,
    /// Fraction of the light scattered in the lens, 0..=1; 0.04 is a clean lens.
    pub bloom: f32,
    /// Ambient occlusion strength, 0 (none)..=2; 1 is as computed.
    pub ambient_occlusion: f32,
    /// Length of contact shadows, which add detail too fine for the shadow map, metres; 0 draws none.
    pub contact_shadows: f32,
    /// Height fog.
    pub fog: Fog,
    /// Colour grading after tone mapping.
    pub grade: Grade,
}

impl Default for PostProcessing {
    fn default() -> Self {
        Self {
            exposure: 0.0,
            auto_exposure: None,
            shading: Shading::default(),
            tonemap: ToneMap::default(),
            bloom: 0.04,
            ambient_occlusion: 1.0,
            contact_shadows: 0.1,
            fog: Fog::default(),
            grade: Grade::default(),
        }
    }
}

/// Speed and range of the automatic exposure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AutoExposure {
    /// Adaptation speed, about in stops per second.
    pub speed: f32,
    /// Minimum correction, stops.
    pub low: f32,
    /// Maximum correction, stops.
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

/// Shading model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shading {
    /// Physically based, with all lights.
    #[default]
    Physical,
    /// The lighting of *Character Animation with Direct3D* (Granberg 2009), for comparison: the sun alone, diffuse with
    /// a minimum of 0.2, and Blinn's highlight of exponent 85 at 0.4, on encoded colours. No shadows, fog, exposure,
    /// bloom, tone mapping or grading.
    Classic,
}

/// Tone mapping operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToneMap {
    /// Bright colours fade to white as on film (AgX, Sobotka 2022).
    Agx,
    /// Cinematic contrast (a fit of the ACES reference rendering transform, Hill 2016).
    Aces,
    /// Keeps colours up to 0.8 unchanged (Khronos PBR Neutral, 2024).
    #[default]
    Neutral,
    /// Clamps at 1.
    Linear,
}

/// Height fog: grows with distance and thins out with height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fog {
    /// Linear colour.
    pub color: Vec3,
    /// Fraction of the light lost per metre at `base`; 0 is clear air.
    pub density: f32,
    /// Height above `base` at which the density is one third, metres; infinity for uniform fog.
    pub height: f32,
    /// World height of the greatest density, metres.
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

/// Colour grading of the finished picture. The default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// Contrast about middle grey; the default is 1.
    pub contrast: f32,
    /// Saturation: 0 is grey, 1 unchanged.
    pub saturation: f32,
    /// White balance, -1 (cold)..=1 (warm).
    pub temperature: f32,
    /// Tint, -1 (green)..=1 (magenta).
    pub tint: f32,
    /// Colour added to the shadows.
    pub shadow_tint: Vec3,
    /// Colour multiplied into the highlights.
    pub highlight_tint: Vec3,
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
            shadow_tint: Vec3::ZERO,
            highlight_tint: Vec3::ONE,
            vignette: 0.0,
        }
    }
}

/// Quality level of the renderer, from fast to fine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Quality {
    /// For software rendering: one sample per pixel with post-process antialiasing, one coarse shadow map, no ambient
    /// occlusion.
    Low,
    /// Four samples, soft shadows of sun and lights, ambient occlusion at half resolution.
    #[default]
    Medium,
    /// As medium, with finer and more shadow maps and ambient occlusion at full resolution.
    High,
}

impl Quality {
    /// All levels, from fast to fine.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The name that users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// The level with this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|quality| quality.name() == name)
    }
}
