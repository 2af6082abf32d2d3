//! Materials: glTF's own (2.0 §3.9), its extensions for material layers, MToon of VRM, and the material kind (skin, hair,
//! …).

mod fields;
mod glossiness;
mod kind;
mod layers;
mod texture;
mod toon;
mod wrinkles;

use std::collections::HashMap;

use galatea_math::clamp::ClampTo as _;
use glam::{Vec3, Vec4};
use gltf::json::Root;
use gltf::json::material as written;
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use super::error::{Warnings, call};
use crate::limits::{MAX_NUMBER, is_sound};
use crate::model::{AlphaMode, Material, MaterialKind};

pub use wrinkles::BESIDE;

/// Returns true for a material extension that is not supported. A file that requires one still loads; its materials are
/// drawn without it.
pub fn is_not_drawn(extension: &str) -> bool {
    extension.contains("_materials_")
}

/// Materials, and the sources of the images that they use, in the order of image indices.
#[derive(Debug, Default)]
pub struct Materials {
    /// Materials in the file's order, then the default material.
    pub list: Vec<Material>,
    /// `wanted[i]` is the source of `Model::images[i]`.
    pub wanted: Vec<TextureSource>,
    /// File names of images outside the model file, next to it.
    pub files: Vec<String>,
}

/// Source of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureSource {
    /// Image of the file with this index.
    Image(usize),
    /// Image with roughness in G, computed from glossiness in A of an image of the file: 1 − glossiness × factor. The factor
    /// is stored as bits.
    Roughness(usize, u32),
    /// External image file, see [`Materials::files`].
    File(usize),
    /// Unsupported image; a placeholder is shown.
    StandIn,
}

/// Reads all materials. Nothing here is fatal: invalid values are skipped with a warning.
pub fn load(document: &Root, warnings: &Warnings) -> Materials {
    let mut reader = MaterialReader {
        document,
        warnings,
        wanted: Vec::new(),
        index_of: HashMap::new(),
        what: String::new(),
    };
    let materials = document.materials.iter().enumerate();
    let mut list: Vec<Material> = materials.map(|(i, m)| reader.material(i, m)).collect();
    reader.toons_of_vrm_0(&mut list);
    for (material, json) in list.iter_mut().zip(&document.materials) {
        reader.what = format!("material {:?}", material.name);
        reader.kind(material, json);
        material.wrinkles = reader.wrinkles_in_extras(json);
    }
    list.push(Material::default());
    Materials {
        list,
        wanted: reader.wanted,
        files: Vec::new(),
    }
}

struct MaterialReader<'a> {
    document: &'a Root,
    warnings: &'a Warnings,
    wanted: Vec<TextureSource>,
    index_of: HashMap<TextureSource, usize>,
    /// Name of the current material in messages.
    what: String,
}

impl MaterialReader<'_> {
    fn material(&mut self, index: usize, json: &written::Material) -> Material {
        self.what = call("material", json.name.as_deref(), index);
        let pbr = &json.pbr_metallic_roughness;
        let extensions = json.extensions.as_ref();
        let strength = extensions
            .and_then(|extensions| extensions.emissive_strength.as_ref())
            .map_or(1.0, |extension| {
                self.number(extension.emissive_strength.0, 1.0, 0.0, f32::MAX)
            });
        let normal = json.normal_texture.as_ref();
        let occlusion = json.occlusion_texture.as_ref();
        let normal_scale = normal.map_or(1.0, |normal| normal.scale);
        let occlusion_strength = occlusion.map_or(1.0, |occlusion| occlusion.strength.0);
        let mut material = Material {
            name: json.name.clone().unwrap_or_default(),
            base_color: limited(Vec4::from_array(pbr.base_color_factor.0)),
            base_color_texture: self.texture(pbr.base_color_texture.as_ref()),
            metallic: self.number(pbr.metallic_factor.0, 1.0, 0.0, 1.0),
            roughness: self.number(pbr.roughness_factor.0, 1.0, 0.0, 1.0),
            metallic_roughness_texture: self.texture(pbr.metallic_roughness_texture.as_ref()),
            normal_texture: self.texture(normal),
            normal_scale: self.number(normal_scale, 1.0, f32::MIN, f32::MAX),
            occlusion_texture: self.texture(occlusion),
            occlusion_strength: self.number(occlusion_strength, 1.0, 0.0, 1.0),
            emissive_factor: limited(Vec3::from_array(json.emissive_factor.0).extend(0.0))
                .truncate(),
            emissive_strength: strength,
            emissive_texture: self.texture(json.emissive_texture.as_ref()),
            alpha: match json.alpha_mode {
                Checked::Valid(written::AlphaMode::Blend) => AlphaMode::Blend,
                Checked::Valid(written::AlphaMode::Mask) => {
                    let cutoff = json.alpha_cutoff.unwrap_or_default();
                    AlphaMode::Mask(self.number(cutoff.0, 0.5, 0.0, f32::MAX))
                }
                Checked::Valid(written::AlphaMode::Opaque) | Checked::Invalid => AlphaMode::Opaque,
            },
            double_sided: json.double_sided,
            unlit: extensions.is_some_and(|extensions| extensions.unlit.is_some()),
            ..Material::default()
        };
        if !material.emissive().is_finite() {
            self.warnings.add(format!(
                "{}: the emissive strength is too large; 1 is used",
                self.what
            ));
            material.emissive_strength = 1.0;
        }
        if let Some(extensions) = extensions {
            self.extensions(&mut material, &extensions.others);
        }
        material
    }

    /// Reads extensions that the crate has no field for.
    fn extensions(&mut self, material: &mut Material, all: &Map<String, Value>) {
        self.glossiness(material, all);
        self.specular(material, all);
        self.clearcoat(material, all);
        self.sheen(material, all);
        self.transmission(material, all);
        self.toon_of_vrm_1(material, all);
    }

    fn kind(&self, material: &mut Material, json: &written::Material) {
        material.kind = if material.toon.is_some() {
            MaterialKind::Toon
        } else {
            self.kind_in_extras(json)
                .unwrap_or_else(|| kind::guess(material))
        };
        material.iris = self.iris_in_extras(json);
    }

    /// Clamps a number to its range, with a warning if it was outside.
    fn number(&self, value: f32, default: f32, low: f32, high: f32) -> f32 {
        let (low, high) = (low.max(-MAX_NUMBER), high.min(MAX_NUMBER));
        if (low..=high).contains(&value) {
            return value;
        }
        self.warnings.add(format!(
            "{}: the factor {value} is out of range; the nearest valid value is used",
            self.what
        ));
        if value.is_nan() {
            default
        } else {
            value.clamp_to(low, high)
        }
    }
}

fn limited(v: Vec4) -> Vec4 {
    Vec4::from_array(v.to_array().map(|x| if is_sound(x) { x } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use serde_json::json;

    use super::super::mend;
    use super::*;
    use crate::model::Wrap;

    pub fn read(value: Value) -> (Materials, Vec<String>) {
        let mut value = value;
        value["asset"] = json!({"version": "2.0"});
        let warnings = Warnings::default();
        let text = value.to_string();
        let document = mend::document(mend::Members::split(&text).unwrap(), &warnings).unwrap();
        let materials = load(&document, &warnings);
        (materials, warnings.into_list())
    }

    /// The material of a file with ten images, and its warnings.
    pub fn one_with_warnings(material: Value) -> (Material, Vec<String>) {
        let numbers = 0..10;
        let images: Vec<_> = numbers.clone().map(|_| json!({"uri": "a.png"})).collect();
        let textures: Vec<_> = numbers.map(|i| json!({"source": i})).collect();
        let (mut materials, warnings) =
            read(json!({"images": images, "textures": textures, "materials": [material]}));
        (materials.list.swap_remove(0), warnings)
    }

    pub fn one(material: Value) -> Material {
        let (material, warnings) = one_with_warnings(material);
        assert!(warnings.is_empty(), "{warnings:?}");
        material
    }

    #[test]
    fn a_file_without_materials_has_the_default_one() {
        let (materials, warnings) = read(json!({}));
        assert_eq!(materials.list, [Material::default()]);
        assert!(warnings.is_empty());
    }

    #[test]
    fn extensions_for_emission_transform_and_webp_are_read() {
        let (materials, warnings) = read(json!({
            "images": [{"uri": "a.png"}, {"uri": "a.webp"}],
            "samplers": [{"wrapS": 33071, "magFilter": 9728, "minFilter": 9729}],
            "textures": [{"sampler": 0, "source": 0,
                          "extensions": {"EXT_texture_webp": {"source": 1}}}],
            "materials": [{"emissiveFactor": [1, 0.5, 0], "alphaMode": "MASK",
                "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4},
                               "KHR_materials_unlit": {}},
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions": {
                    "KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 2],
                                              "rotation": 1.5707964, "texCoord": 1}}}}}]}));
        assert!(warnings.is_empty(), "{warnings:?}");
        let material = &materials.list[0];
        assert_eq!(material.emissive(), Vec3::new(4.0, 2.0, 0.0));
        assert_eq!(material.alpha, AlphaMode::Mask(0.5));
        assert!(material.unlit);
        assert_eq!(materials.wanted, [TextureSource::Image(1)]);
        let texture = material.base_color_texture.unwrap();
        assert_eq!(texture.uv_set, 1);
        assert_eq!(texture.sampler.wrap_u, Wrap::Clamp);
        assert!(!texture.sampler.mag_linear && !texture.sampler.mipmaps);
        // Example from the extension: u = (1, 0) scaled, rotated by 90 degrees, moved.
        let uv = texture.uv_transform.matrix().transform_point2(Vec2::X);
        assert!(uv.abs_diff_eq(Vec2::new(0.5, -2.0), 1e-5), "{uv}");
    }

    #[test]
    fn missing_references_are_skipped_with_a_warning() {
        let (materials, warnings) = read(json!({
            "textures": [{}, {"source": 3, "sampler": 2}],
            "materials": [{"normalTexture": {"index": 9}, "emissiveTexture": {"index": 0},
                "occlusionTexture": {"index": 1, "texCoord": 5}, "alphaMode": "X",
                "pbrMetallicRoughness": {"roughnessFactor": 7}}]}));
        assert_eq!(warnings.len(), 7, "{warnings:?}");
        assert_eq!(materials.list[0].normal_texture, None);
        assert_eq!(materials.list[0].roughness, 1.0);
        assert_eq!(materials.wanted, [TextureSource::StandIn]);
    }
}
