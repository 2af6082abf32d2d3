//! Surface properties of a primitive.

use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::texture::TextureRef;
use super::toon::Toon;
use super::wrinkles::Wrinkles;

/// Metallic-roughness material (glTF 2.0 §3.9) with the layers of the ratified extensions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Name as authored, may be empty.
    pub name: String,
    /// Kind of surface, which selects the shading model.
    pub kind: MaterialKind,
    /// Linear base colour and alpha.
    pub base_color: Vec4,
    /// sRGB texture, multiplies `base_color`.
    pub base_color_texture: Option<TextureRef>,
    /// 0..=1.
    pub metallic: f32,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Linear texture: G roughness, B metallic.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Linear tangent-space normals, +Y up.
    pub normal_texture: Option<TextureRef>,
    /// Scale of x and y of the normal map.
    pub normal_scale: f32,
    /// Linear texture: R is ambient occlusion, 1 = not occluded.
    pub occlusion_texture: Option<TextureRef>,
    /// 0..=1.
    pub occlusion_strength: f32,
    /// Linear emitted light without its strength; see [`Material::emissive`].
    pub emissive_factor: Vec3,
    /// Factor for `emissive_factor`, not negative (KHR_materials_emissive_strength).
    pub emissive_strength: f32,
    /// sRGB texture, multiplies the emitted light.
    pub emissive_texture: Option<TextureRef>,
    /// Alpha mode.
    pub alpha: AlphaMode,
    /// Back faces are drawn, with flipped normals.
    pub double_sided: bool,
    /// Drawn without lighting (KHR_materials_unlit). Files set it also on toon materials, as a fallback for programs that do
    /// not support MToon.
    pub unlit: bool,
    /// Specular reflection of non-metals.
    pub specular: Specular,
    /// Index of refraction: 0, for a surface that reflects everything, or at least 1 (KHR_materials_ior).
    pub ior: f32,
    /// Clear coat layer.
    pub clearcoat: Clearcoat,
    /// Sheen of fibres on the surface.
    pub sheen: Sheen,
    /// Transmitted light.
    pub transmission: Transmission,
    /// Position of the iris in the texture, for eyes.
    pub iris: Option<Iris>,
    /// Wrinkle maps.
    pub wrinkles: Option<Box<Wrinkles>>,
    /// Toon shading; `Some` if `kind` is [`MaterialKind::Toon`] and the file has settings for it.
    pub toon: Option<Box<Toon>>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: MaterialKind::Standard,
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive_factor: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            unlit: false,
            specular: Specular::default(),
            ior: 1.5,
            clearcoat: Clearcoat::default(),
            sheen: Sheen::default(),
            transmission: Transmission::default(),
            iris: None,
            wrinkles: None,
            toon: None,
        }
    }
}

impl Material {
    /// Texture reference for wrinkles on a material without a normal map, if it has wrinkles.
    pub(crate) fn wrinkle_texture(&self) -> Option<TextureRef> {
        let maps = &self.wrinkles.as_ref()?.maps;
        let normal = maps.iter().find_map(|map| map.normal)?;
        Some(self.base_color_texture.unwrap_or(TextureRef::of(normal)))
    }

    /// Linear emitted light including the strength.
    pub fn emissive(&self) -> Vec3 {
        self.emissive_factor * self.emissive_strength
    }

    /// All texture references, including those for toon shading.
    pub fn textures(&self) -> impl Iterator<Item = &TextureRef> {
        let toon = self.toon.as_deref().into_iter().flat_map(Toon::textures);
        let own = [
            &self.base_color_texture,
            &self.metallic_roughness_texture,
            &self.normal_texture,
            &self.occlusion_texture,
            &self.emissive_texture,
            &self.specular.texture,
            &self.specular.color_texture,
            &self.clearcoat.texture,
            &self.clearcoat.roughness_texture,
            &self.clearcoat.normal_texture,
            &self.sheen.color_texture,
            &self.sheen.roughness_texture,
            &self.transmission.texture,
            &self.transmission.thickness_texture,
        ];
        own.into_iter().flatten().chain(toon)
    }
}

/// Position of an eye's iris in the texture, so that it can be drawn behind the cornea.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iris {
    /// Centre, in texture coordinates.
    pub center: Vec2,
    /// Radius in texture coordinates, above 0.
    pub radius: f32,
    /// Depth behind the cornea as a fraction of the radius, 0..=2.
    pub depth: f32,
}

/// Kind of surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MaterialKind {
    /// Default shading.
    #[default]
    Standard,
    /// Skin with subsurface scattering.
    Skin,
    /// Wet eye, with a cornea over the iris.
    Eye,
    /// Hair with anisotropic highlights along the strands.
    Hair,
    /// Fibres that reflect light at grazing angles.
    Cloth,
    /// Toon shading.
    Toon,
}

impl MaterialKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Standard,
        Self::Skin,
        Self::Eye,
        Self::Hair,
        Self::Cloth,
        Self::Toon,
    ];

    /// Name in scripts and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Skin => "skin",
            Self::Eye => "eye",
            Self::Hair => "hair",
            Self::Cloth => "cloth",
            Self::Toon => "toon",
        }
    }

    /// Returns the kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Specular reflection of non-metals (KHR_materials_specular).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Specular {
    /// Intensity, 0..=1.
    pub factor: f32,
    /// Linear texture: A multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// Linear colour of the reflection at normal incidence, not negative; above 1 it exceeds the reflection that `ior`
    /// gives.
    pub color: Vec3,
    /// sRGB texture: RGB multiplies `color`.
    pub color_texture: Option<TextureRef>,
}

impl Default for Specular {
    fn default() -> Self {
        Self {
            factor: 1.0,
            texture: None,
            color: Vec3::ONE,
            color_texture: None,
        }
    }
}

/// Clear coat layer (KHR_materials_clearcoat).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clearcoat {
    /// Intensity of the layer, 0..=1; 0 is none.
    pub factor: f32,
    /// Linear texture: R multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Linear texture: G multiplies `roughness`.
    pub roughness_texture: Option<TextureRef>,
    /// Linear tangent-space normals of the layer; without it the layer is as smooth as the mesh.
    pub normal_texture: Option<TextureRef>,
    /// Scale of x and y of that texture.
    pub normal_scale: f32,
}

impl Default for Clearcoat {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        }
    }
}

/// Sheen of fibres (KHR_materials_sheen).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sheen {
    /// Linear colour, not negative; black is none.
    pub color: Vec3,
    /// sRGB texture: RGB multiplies `color`.
    pub color_texture: Option<TextureRef>,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Linear texture: A multiplies `roughness`.
    pub roughness_texture: Option<TextureRef>,
}

/// Transmitted light (KHR_materials_transmission, KHR_materials_volume).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transmission {
    /// Fraction of transmitted light, 0..=1; 0 is none.
    pub factor: f32,
    /// Linear texture: R multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// Thickness under the surface, metres in mesh space; 0 is a thin wall.
    pub thickness: f32,
    /// Linear texture: G multiplies `thickness`.
    pub thickness_texture: Option<TextureRef>,
    /// Linear colour of white light after `attenuation_distance`.
    pub attenuation_color: Vec3,
    /// Distance in metres, above 0; infinite without absorption.
    pub attenuation_distance: f32,
}

impl Default for Transmission {
    fn default() -> Self {
        Self {
            factor: 0.0,
            texture: None,
            thickness: 0.0,
            thickness_texture: None,
            attenuation_color: Vec3::ONE,
            attenuation_distance: f32::INFINITY,
        }
    }
}

/// Alpha mode of a material.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum AlphaMode {
    /// Alpha is ignored.
    Opaque,
    /// Pixels with alpha below the cutoff are not drawn.
    Mask(f32),
    /// Blended over the background.
    Blend,
}
