//! Texture references: image, coordinates and sampling.

use glam::{Mat3, Vec2, Vec3};
use serde::{Deserialize, Serialize};

/// Reference of a material to an image.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextureRef {
    /// Index into `Model::images`.
    pub image: usize,
    /// Index of the texture coordinates, 0 or 1.
    pub uv_set: usize,
    /// Transform of the texture coordinates.
    pub uv_transform: UvTransform,
    /// Wrapping and filtering.
    pub sampler: Sampler,
}

impl TextureRef {
    /// An untransformed image with the first texture coordinates.
    pub fn of(image: usize) -> Self {
        Self {
            image,
            uv_set: 0,
            uv_transform: UvTransform::IDENTITY,
            sampler: Sampler::default(),
        }
    }
}

/// Transform of texture coordinates (KHR_texture_transform): scale, then rotation, then offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UvTransform {
    /// Offset, added last; 1 is the size of the image.
    pub offset: Vec2,
    /// Rotation in radians; counter-clockwise as seen on the surface.
    pub rotation: f32,
    /// Factors on u and v.
    pub scale: Vec2,
}

impl UvTransform {
    /// The identity transform.
    pub const IDENTITY: Self = Self {
        offset: Vec2::ZERO,
        rotation: 0.0,
        scale: Vec2::ONE,
    };

    /// Matrix for (u, v, 1); the identity if an entry would not be finite.
    pub fn matrix(&self) -> Mat3 {
        let (sin, cos) = self.rotation.sin_cos();
        let m = Mat3::from_translation(self.offset)
            * Mat3::from_cols(Vec3::new(cos, -sin, 0.0), Vec3::new(sin, cos, 0.0), Vec3::Z)
            * Mat3::from_diagonal(self.scale.extend(1.0));
        if m.is_finite() { m } else { Mat3::IDENTITY }
    }
}

impl Default for UvTransform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Wrapping and filtering of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sampler {
    /// Wrapping along u.
    pub wrap_u: Wrap,
    /// Wrapping along v.
    pub wrap_v: Wrap,
    /// Linear magnification filter, otherwise nearest.
    pub mag_linear: bool,
    /// Linear minification filter, otherwise nearest.
    pub min_linear: bool,
    /// Mip levels are used, with linear blending between them.
    pub mipmaps: bool,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
            mag_linear: true,
            min_linear: true,
            mipmaps: true,
        }
    }
}

/// Wrapping mode outside an image's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wrap {
    /// Repeats the image.
    Repeat,
    /// Repeats the image, mirrored every second time.
    Mirror,
    /// Repeats the colour of the edge.
    Clamp,
}
