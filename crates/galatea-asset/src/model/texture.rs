//! How a material uses an image: which part of it, and how it is sampled.

use glam::{Mat3, Vec2, Vec3};

/// A use of an image by a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Index into `Model::images`.
    pub image: usize,
    /// 0 or 1: which texture coordinates.
    pub uv_set: usize,
    /// Where on the picture they lie.
    pub uv_transform: UvTransform,
    /// How the picture is repeated and filtered.
    pub sampler: Sampler,
}

impl TextureRef {
    /// A picture as it is, by the first texture coordinates.
    pub fn of(image: usize) -> Self {
        Self {
            image,
            uv_set: 0,
            uv_transform: UvTransform::IDENTITY,
            sampler: Sampler::default(),
        }
    }
}

/// Moves texture coordinates (KHR_texture_transform): scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// Added last; 1 is the whole picture.
    pub offset: Vec2,
    /// Radians; turns the picture counter-clockwise as it is seen.
    pub rotation: f32,
    /// Factors on u and v.
    pub scale: Vec2,
}

impl UvTransform {
    /// Moves nothing.
    pub const IDENTITY: Self = Self {
        offset: Vec2::ZERO,
        rotation: 0.0,
        scale: Vec2::ONE,
    };

    /// The matrix for (u, v, 1); identity where a number of it would not be finite.
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

/// How a picture is repeated and filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Along u.
    pub wrap_u: Wrap,
    /// Along v.
    pub wrap_v: Wrap,
    /// Linear when magnified, else nearest.
    pub mag_linear: bool,
    /// Linear when minified, else nearest.
    pub min_linear: bool,
    /// Mip levels are used; they are blended linearly.
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

/// What lies outside a picture's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The picture again.
    Repeat,
    /// The picture mirrored.
    Mirror,
    /// The edge's colour.
    Clamp,
}
