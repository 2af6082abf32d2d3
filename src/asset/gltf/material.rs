//! Materials, textures and samplers (glTF 2.0 §3.9, §3.8).

use std::collections::HashMap;

use glam::{Mat3, Vec2, Vec3, Vec4};
use serde::Deserialize;
use serde_json::Value;

use super::document::{self, Document, Sampler as SamplerJson, TextureInfo, TextureTransform};
use super::error::{Warnings, call};
use crate::asset::model::{AlphaMode, Material, Sampler, TextureRef, Wrap};

/// Materials, and the pictures they use in the order of their indices.
#[derive(Debug, Default)]
pub struct Materials {
    /// In the file's order, then the default material.
    pub list: Vec<Material>,
    /// `wanted[i]` is the file's image for `Model::images[i]`; `None` where only a stand-in can be
    /// shown.
    pub wanted: Vec<Option<usize>>,
}

/// Reads all materials. Nothing here is fatal: what is wrong is left out with a warning.
pub fn load(document: &Document, warnings: &Warnings) -> Materials {
    let mut reader = Reader {
        document,
        warnings,
        wanted: Vec::new(),
        index_of: HashMap::new(),
        what: String::new(),
    };
    let materials = document.materials.iter().enumerate();
    let mut list: Vec<Material> = materials.map(|(i, m)| reader.material(i, m)).collect();
    list.push(Material::default());
    Materials {
        list,
        wanted: reader.wanted,
    }
}

/// Where a texture's picture is.
enum Source {
    Image(usize),
    /// There is one, and it cannot be read.
    StandIn,
    /// The file gives none.
    Nothing,
}

struct Reader<'a> {
    document: &'a Document,
    warnings: &'a Warnings,
    wanted: Vec<Option<usize>>,
    index_of: HashMap<Option<usize>, usize>,
    /// How messages call the material being read.
    what: String,
}

impl Reader<'_> {
    fn material(&mut self, index: usize, json: &document::Material) -> Material {
        self.what = call("material", json.name.as_deref(), index);
        let pbr = &json.pbr_metallic_roughness;
        let strength = json
            .extensions
            .get("KHR_materials_emissive_strength")
            .and_then(|extension| extension.get("emissiveStrength")?.as_f64())
            .map_or(1.0, |strength| {
                self.number(Some(strength as f32), 1.0, 0.0, f32::MAX)
            });
        let emissive = Vec3::from_array(json.emissive_factor.unwrap_or_default());
        let texture = |reader: &mut Self, info: &Option<TextureInfo>| {
            info.as_ref().and_then(|info| reader.texture(info))
        };
        let strength_of = |info: &Option<TextureInfo>| info.as_ref().and_then(|i| i.strength);
        let scale_of = |info: &Option<TextureInfo>| info.as_ref().and_then(|i| i.scale);
        Material {
            name: json.name.clone().unwrap_or_default(),
            base_color: finite(Vec4::from_array(pbr.base_color_factor.unwrap_or([1.0; 4]))),
            base_color_texture: texture(self, &pbr.base_color_texture),
            metallic: self.number(pbr.metallic_factor, 1.0, 0.0, 1.0),
            roughness: self.number(pbr.roughness_factor, 1.0, 0.0, 1.0),
            metallic_roughness_texture: texture(self, &pbr.metallic_roughness_texture),
            normal_texture: texture(self, &json.normal_texture),
            normal_scale: self.number(scale_of(&json.normal_texture), 1.0, f32::MIN, f32::MAX),
            occlusion_texture: texture(self, &json.occlusion_texture),
            occlusion_strength: self.number(strength_of(&json.occlusion_texture), 1.0, 0.0, 1.0),
            emissive: finite((emissive * strength).extend(0.0)).truncate(),
            emissive_texture: texture(self, &json.emissive_texture),
            alpha: match json.alpha_mode.as_deref() {
                None | Some("OPAQUE") => AlphaMode::Opaque,
                Some("BLEND") => AlphaMode::Blend,
                Some("MASK") => AlphaMode::Mask(self.number(json.alpha_cutoff, 0.5, 0.0, f32::MAX)),
                Some(other) => {
                    let text = format!("{}: the alpha mode {other:?} is not known", self.what);
                    self.warnings.add(text);
                    AlphaMode::Opaque
                }
            },
            double_sided: json.double_sided,
            unlit: json.extensions.get("KHR_materials_unlit").is_some(),
        }
    }

    /// The number within its range, with a warning when it was not.
    fn number(&self, value: Option<f32>, default: f32, low: f32, high: f32) -> f32 {
        let value = value.unwrap_or(default);
        if value.is_finite() && (low..=high).contains(&value) {
            return value;
        }
        self.warnings
            .add(format!("{}: the factor {value} is out of range", self.what));
        if value.is_nan() {
            default
        } else {
            value.clamp(low, high)
        }
    }

    fn texture(&mut self, info: &TextureInfo) -> Option<TextureRef> {
        let Some(texture) = self.document.textures.get(info.index.0) else {
            self.warnings.add(format!(
                "{}: texture {} does not exist; it is left out",
                self.what, info.index.0
            ));
            return None;
        };
        let transform = info
            .extensions
            .get("KHR_texture_transform")
            .and_then(|json| {
                TextureTransform::deserialize(json)
                    .map_err(|error| {
                        let text = format!("{}: KHR_texture_transform: {error}", self.what);
                        self.warnings.add(text);
                    })
                    .ok()
            });
        let uv_set = transform
            .as_ref()
            .and_then(|transform| transform.tex_coord)
            .unwrap_or(info.tex_coord);
        if uv_set.0 > 1 {
            self.warnings.add(format!(
                "{}: uses texture coordinates {}; only 0 and 1 are read, 0 is used",
                self.what, uv_set.0
            ));
        }
        let sampler = match texture.sampler {
            None => Sampler::default(),
            Some(index) => match self.document.samplers.get(index.0) {
                Some(json) => sampler(json),
                None => {
                    let text = format!("{}: sampler {} does not exist", self.what, index.0);
                    self.warnings.add(text);
                    Sampler::default()
                }
            },
        };
        let source = match self.source_of(texture, info.index.0) {
            Source::Image(image) => Some(image),
            Source::StandIn => None,
            Source::Nothing => return None,
        };
        Some(TextureRef {
            image: self.image(source),
            uv_set: if uv_set.0 == 1 { 1 } else { 0 },
            uv_transform: transform.map_or(Mat3::IDENTITY, |transform| matrix(&transform)),
            sampler,
        })
    }

    /// The image of a texture: WebP first, else the plain one.
    fn source_of(&self, texture: &document::Texture, index: usize) -> Source {
        let webp = texture
            .extensions
            .get("EXT_texture_webp")
            .and_then(|webp| webp.get("source").and_then(Value::as_u64))
            .and_then(|source| usize::try_from(source).ok());
        match webp.or(texture.source.map(|source| source.0)) {
            Some(source) if source < self.document.images.len() => Source::Image(source),
            Some(source) => {
                self.warnings.add(format!(
                    "texture {index}: image {source} does not exist; a magenta picture stands in"
                ));
                Source::StandIn
            }
            None if texture.extensions.get("KHR_texture_basisu").is_some() => {
                self.warnings.add(format!(
                    "texture {index} has only a Basis (KTX2) picture, which Galatea does not read; \
                     a magenta picture stands in: export PNG, JPEG or WebP"
                ));
                Source::StandIn
            }
            None => {
                let text = format!("texture {index} has no picture; it is left out");
                self.warnings.add(text);
                Source::Nothing
            }
        }
    }

    fn image(&mut self, source: Option<usize>) -> usize {
        *self.index_of.entry(source).or_insert_with(|| {
            self.wanted.push(source);
            self.wanted.len() - 1
        })
    }
}

fn finite(v: Vec4) -> Vec4 {
    Vec4::from_array(v.to_array().map(|x| if x.is_finite() { x } else { 0.0 }))
}

/// KHR_texture_transform: scale, then rotate, then move.
fn matrix(transform: &TextureTransform) -> Mat3 {
    let offset = Vec2::from_array(transform.offset.unwrap_or_default());
    let scale = Vec2::from_array(transform.scale.unwrap_or([1.0; 2]));
    let (sin, cos) = transform.rotation.unwrap_or_default().sin_cos();
    let m = Mat3::from_translation(offset)
        * Mat3::from_cols(Vec3::new(cos, -sin, 0.0), Vec3::new(sin, cos, 0.0), Vec3::Z)
        * Mat3::from_diagonal(scale.extend(1.0));
    if m.is_finite() { m } else { Mat3::IDENTITY }
}

fn sampler(json: &SamplerJson) -> Sampler {
    let wrap = |code: Option<document::Whole>| match code.map_or(10_497, |code| code.0) {
        33_071 => Wrap::Clamp,
        33_648 => Wrap::Mirror,
        _ => Wrap::Repeat,
    };
    let min = json.min_filter.map_or(9987, |code| code.0);
    Sampler {
        wrap_u: wrap(json.wrap_s),
        wrap_v: wrap(json.wrap_t),
        mag_linear: json.mag_filter.is_none_or(|code| code.0 != 9728),
        // NEAREST, NEAREST_MIPMAP_NEAREST and NEAREST_MIPMAP_LINEAR.
        min_linear: !matches!(min, 9728 | 9984 | 9986),
        mipmaps: !matches!(min, 9728 | 9729),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> (Materials, Vec<String>) {
        let mut value = value;
        value["asset"] = json!({"version": "2.0"});
        let document: Document = serde_json::from_value(value).unwrap();
        let warnings = Warnings::default();
        let materials = load(&document, &warnings);
        (materials, warnings.into_list())
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
        assert_eq!(material.emissive, Vec3::new(4.0, 2.0, 0.0));
        assert_eq!(material.alpha, AlphaMode::Mask(0.5));
        assert!(material.unlit);
        assert_eq!(materials.wanted, [Some(1)]);
        let texture = material.base_color_texture.unwrap();
        assert_eq!(texture.uv_set, 1);
        assert_eq!(texture.sampler.wrap_u, Wrap::Clamp);
        assert!(!texture.sampler.mag_linear && !texture.sampler.mipmaps);
        // The example of the extension: u = (1, 0) scaled, turned by 90 degrees, moved.
        let uv = texture.uv_transform.transform_point2(Vec2::X);
        assert!(uv.abs_diff_eq(Vec2::new(0.5, -2.0), 1e-5), "{uv}");
    }

    #[test]
    fn what_does_not_exist_is_left_out_with_a_warning() {
        let (materials, warnings) = read(json!({
            "textures": [{}, {"source": 3, "sampler": 2}],
            "materials": [{"normalTexture": {"index": 9}, "emissiveTexture": {"index": 0},
                "occlusionTexture": {"index": 1, "texCoord": 5}, "alphaMode": "X",
                "pbrMetallicRoughness": {"roughnessFactor": 7}}]}));
        assert_eq!(warnings.len(), 7, "{warnings:?}");
        assert_eq!(materials.list[0].normal_texture, None);
        assert_eq!(materials.list[0].roughness, 1.0);
        assert_eq!(materials.wanted, [None]);
    }
}
