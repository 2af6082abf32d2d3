//! Toon shading: values and textures of MToon (VRMC_materials_mtoon 1.0).

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::texture::TextureRef;

/// Two-tone shading with a border, rim light and outline. Base colour, normals and emitted light come from the material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Toon {
    /// Linear colour of surfaces facing away from the light.
    pub shade_color: Vec3,
    /// sRGB texture, multiplies `shade_color`.
    pub shade_texture: Option<TextureRef>,
    /// Moves the border between light and shade, -1..=1; above 0 more is lit.
    pub shading_shift: f32,
    /// Linear texture: R times `shading_shift_scale` is added to `shading_shift`.
    pub shading_shift_texture: Option<TextureRef>,
    /// Factor for that texture.
    pub shading_shift_scale: f32,
    /// Hardness of the border, 0..=1: light rises from none to full while the cosine to the light plus the shift rises from
    /// `toony - 1` to `1 - toony`.
    pub shading_toony: f32,
    /// Equalisation of ambient light over all directions, 0..=1.
    pub gi_equalization: f32,
    /// Linear colour, multiplies `matcap_texture`.
    pub matcap_color: Vec3,
    /// sRGB texture looked up by the view-space normal; added. `None` adds nothing.
    pub matcap_texture: Option<TextureRef>,
    /// Linear colour of the rim light, added; black is none.
    pub rim_color: Vec3,
    /// sRGB texture, multiplies rim and matcap.
    pub rim_texture: Option<TextureRef>,
    /// Influence of the light's colour on rim and matcap, 0..=1.
    pub rim_lighting_mix: f32,
    /// Exponent of the rim, not negative; a higher value makes it thinner.
    pub rim_fresnel_power: f32,
    /// Added before the exponent; widens the rim.
    pub rim_lift: f32,
    /// Outline.
    pub outline: Outline,
    /// Animation of texture coordinates.
    pub uv_animation: UvAnimation,
    /// Blended material that writes depth.
    pub transparent_with_z_write: bool,
    /// Render order among blended materials, -9..=9; higher is drawn later.
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
    /// All texture references.
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

/// Outline of a toon material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Unit of the width.
    pub mode: OutlineMode,
    /// Width, not negative; see `mode`.
    pub width: f32,
    /// Linear texture: G multiplies `width`.
    pub width_texture: Option<TextureRef>,
    /// Linear colour.
    pub color: Vec3,
    /// Influence of light on the colour, 0..=1.
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

/// Unit of an outline's width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutlineMode {
    /// No outline.
    #[default]
    None,
    /// Metres.
    World,
    /// Fractions of the screen height.
    Screen,
}

/// Animation of a toon material's texture coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UvAnimation {
    /// Linear texture: B multiplies the movement.
    pub mask_texture: Option<TextureRef>,
    /// Scroll speed in images per second along u and v.
    pub scroll: Vec2,
    /// Rotation in radians per second about the image's centre.
    pub rotation: f32,
}
