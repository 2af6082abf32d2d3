//! What a toon shader draws: the numbers and pictures of MToon (VRMC_materials_mtoon 1.0).

use glam::{Vec2, Vec3};

use super::texture::TextureRef;

/// Two colours with a border between them, a rim, an outline. Base colour, normals and emitted light
/// are the material's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Toon {
    /// Linear colour of what is turned away from the light.
    pub shade_color: Vec3,
    /// sRGB picture, multiplies `shade_color`.
    pub shade_texture: Option<TextureRef>,
    /// Moves the border between light and shade, -1..=1; above 0 more is lit.
    pub shading_shift: f32,
    /// Linear picture: R times `shading_shift_scale` is added to `shading_shift`.
    pub shading_shift_texture: Option<TextureRef>,
    /// Factor on that picture.
    pub shading_shift_scale: f32,
    /// How hard the border is, 0..=1: light goes from none to all while the cosine to the light plus the
    /// shift goes from `toony - 1` to `1 - toony`.
    pub shading_toony: f32,
    /// How much of the light from all around is made even, 0..=1.
    pub gi_equalization: f32,
    /// Linear colour, multiplies `matcap_texture`.
    pub matcap_color: Vec3,
    /// sRGB picture laid over the normal as it is seen; added. Without it nothing is added.
    pub matcap_texture: Option<TextureRef>,
    /// Linear colour of the rim, added; black is none.
    pub rim_color: Vec3,
    /// sRGB picture, multiplies rim and matcap.
    pub rim_texture: Option<TextureRef>,
    /// How much the light colours rim and matcap, 0..=1.
    pub rim_lighting_mix: f32,
    /// Exponent of the rim, not negative; higher is thinner.
    pub rim_fresnel_power: f32,
    /// Added before the exponent; widens the rim.
    pub rim_lift: f32,
    /// The line around it.
    pub outline: Outline,
    /// How the pictures move by themselves.
    pub uv_animation: UvAnimation,
    /// A blended material that hides what is behind it.
    pub transparent_with_z_write: bool,
    /// Order among blended materials, -9..=9; higher is drawn later.
    pub render_queue_offset: i8,
}

impl Default for Toon {
    fn default() -> Self {
        Self {
            shade_color: Vec3::ONE,
            shade_texture: None,
            shading_shift: 0.0,
            shading_shift_texture: None,
            shading_shift_scale: 1.0,
            shading_toony: 0.9,
            gi_equalization: 0.9,
            matcap_color: Vec3::ONE,
            matcap_texture: None,
            rim_color: Vec3::ZERO,
            rim_texture: None,
            rim_lighting_mix: 1.0,
            rim_fresnel_power: 5.0,
            rim_lift: 0.0,
            outline: Outline::default(),
            uv_animation: UvAnimation::default(),
            transparent_with_z_write: false,
            render_queue_offset: 0,
        }
    }
}

impl Toon {
    /// All its uses of pictures.
    pub fn textures(&self) -> impl Iterator<Item = &TextureRef> {
        let all = [
            &self.shade_texture,
            &self.shading_shift_texture,
            &self.matcap_texture,
            &self.rim_texture,
            &self.outline.width_texture,
            &self.uv_animation.mask_texture,
        ];
        all.into_iter().flatten()
    }
}

/// The line around a toon.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// What its width counts.
    pub mode: OutlineMode,
    /// Not negative; see `mode`.
    pub width: f32,
    /// Linear picture: G multiplies `width`.
    pub width_texture: Option<TextureRef>,
    /// Linear colour.
    pub color: Vec3,
    /// How much light colours it, 0..=1.
    pub lighting_mix: f32,
}

impl Default for Outline {
    fn default() -> Self {
        Self {
            mode: OutlineMode::None,
            width: 0.0,
            width_texture: None,
            color: Vec3::ZERO,
            lighting_mix: 1.0,
        }
    }
}

/// What an outline's width counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutlineMode {
    /// There is none.
    #[default]
    None,
    /// Metres.
    World,
    /// Shares of the picture's height.
    Screen,
}

/// How a toon's pictures move by themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvAnimation {
    /// Linear picture: B multiplies the movement.
    pub mask_texture: Option<TextureRef>,
    /// Pictures per second along u and v.
    pub scroll: Vec2,
    /// Radians per second about the picture's middle.
    pub rotation: f32,
}
