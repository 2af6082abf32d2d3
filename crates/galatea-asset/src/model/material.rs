//! How the surface of a primitive looks, as a file says it.

use glam::{Vec2, Vec3, Vec4};

use super::texture::TextureRef;
use super::toon::Toon;
use super::wrinkles::Wrinkles;

/// Metallic-roughness material (glTF 2.0 §3.9) with the layers of its ratified extensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name as authored, may be empty.
    pub name: String,
    /// What it is a picture of, and so how it takes light.
    pub kind: MaterialKind,
    /// Linear colour and alpha.
    pub base_color: Vec4,
    /// sRGB picture, multiplies `base_color`.
    pub base_color_texture: Option<TextureRef>,
    /// 0..=1.
    pub metallic: f32,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Linear picture: G roughness, B metallic.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Linear tangent-space normals, +Y up.
    pub normal_texture: Option<TextureRef>,
    /// Scales x and y of the normal picture.
    pub normal_scale: f32,
    /// Linear picture: R, 1 = open.
    pub occlusion_texture: Option<TextureRef>,
    /// 0..=1.
    pub occlusion_strength: f32,
    /// Linear light given off, without its strength; see [`Material::emissive`].
    pub emissive_factor: Vec3,
    /// Factor on `emissive_factor`, not negative (KHR_materials_emissive_strength).
    pub emissive_strength: f32,
    /// sRGB picture, multiplies the emitted light.
    pub emissive_texture: Option<TextureRef>,
    /// How alpha is used.
    pub alpha: AlphaMode,
    /// Back faces are drawn, with their normal turned.
    pub double_sided: bool,
    /// Shown without light (KHR_materials_unlit). Files give it to toon materials too, for those who
    /// know only that.
    pub unlit: bool,
    /// The reflection of what is not metal.
    pub specular: Specular,
    /// Index of refraction: 0, for a surface that reflects all, or at least 1 (KHR_materials_ior).
    pub ior: f32,
    /// A layer of varnish.
    pub clearcoat: Clearcoat,
    /// Light caught by fibres that stand up from the surface.
    pub sheen: Sheen,
    /// Light that goes through.
    pub transmission: Transmission,
    /// Where its iris is painted; of eyes.
    pub iris: Option<Iris>,
    /// What folds its skin.
    pub wrinkles: Option<Box<Wrinkles>>,
    /// What a toon shader draws; `Some` where `kind` is [`MaterialKind::Toon`] and the file says how.
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
    /// How wrinkles lie on a material without a picture of normals, where they have some.
    pub(crate) fn folded_like(&self) -> Option<TextureRef> {
        let maps = &self.wrinkles.as_ref()?.maps;
        let normal = maps.iter().find_map(|map| map.normal)?;
        Some(self.base_color_texture.unwrap_or(TextureRef::of(normal)))
    }

    /// Linear light given off, strength included.
    pub fn emissive(&self) -> Vec3 {
        self.emissive_factor * self.emissive_strength
    }

    /// All its uses of pictures, those of the toon shader too.
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

/// Where the iris of an eye is painted, so that it can be drawn behind the cornea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iris {
    /// Its middle, texture coordinates.
    pub center: Vec2,
    /// Texture coordinates, above 0.
    pub radius: f32,
    /// How far behind the cornea it lies, as a share of its radius, 0..=2.
    pub depth: f32,
}

/// What a material is a picture of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MaterialKind {
    /// Anything without a look of its own.
    #[default]
    Standard,
    /// Light goes a little way under it.
    Skin,
    /// Wet, with a cornea over the iris.
    Eye,
    /// Strands that shine along their length.
    Hair,
    /// Fibres that catch light at the edge.
    Cloth,
    /// Drawn as a cartoon.
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

    /// Its name in scripts and files.
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

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The reflection of what is not metal (KHR_materials_specular).
#[derive(Clone, Debug, PartialEq)]
pub struct Specular {
    /// Its strength, 0..=1.
    pub factor: f32,
    /// Linear picture: A multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// Linear colour of the reflection seen from ahead, not negative; above 1 it is stronger than `ior`
    /// makes it.
    pub color: Vec3,
    /// sRGB picture: RGB multiplies `color`.
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

/// A layer of varnish (KHR_materials_clearcoat).
#[derive(Clone, Debug, PartialEq)]
pub struct Clearcoat {
    /// How much of it there is, 0..=1; 0 is none.
    pub factor: f32,
    /// Linear picture: R multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Linear picture: G multiplies `roughness`.
    pub roughness_texture: Option<TextureRef>,
    /// Linear tangent-space normals of the layer; without it the layer is as smooth as the mesh.
    pub normal_texture: Option<TextureRef>,
    /// Scales x and y of that picture.
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

/// Light caught by fibres (KHR_materials_sheen).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheen {
    /// Linear colour, not negative; black is none.
    pub color: Vec3,
    /// sRGB picture: RGB multiplies `color`.
    pub color_texture: Option<TextureRef>,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Linear picture: A multiplies `roughness`.
    pub roughness_texture: Option<TextureRef>,
}

/// Light that goes through (KHR_materials_transmission, KHR_materials_volume).
#[derive(Clone, Debug, PartialEq)]
pub struct Transmission {
    /// The share of it, 0..=1; 0 is none.
    pub factor: f32,
    /// Linear picture: R multiplies `factor`.
    pub texture: Option<TextureRef>,
    /// Thickness under the surface, metres of the mesh's space; 0 is a thin wall.
    pub thickness: f32,
    /// Linear picture: G multiplies `thickness`.
    pub thickness_texture: Option<TextureRef>,
    /// Linear colour that white light has after `attenuation_distance`.
    pub attenuation_color: Vec3,
    /// Metres, above 0; infinite where nothing is swallowed.
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

/// How a material's alpha is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Ignored.
    Opaque,
    /// Below the cutoff nothing is drawn.
    Mask(f32),
    /// Blended over what is behind.
    Blend,
}
