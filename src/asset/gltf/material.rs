//! Materials, textures and samplers (glTF 2.0 §3.9, §3.8).

use std::collections::HashMap;

use glam::{Mat3, Vec2, Vec3, Vec4};
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::material::{self as written, NormalTexture, OcclusionTexture};
use gltf::json::texture::{self, Info, MagFilter, MinFilter, Texture, WrappingMode};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::{Warnings, call};
use super::mend;
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
pub fn load(document: &Root, warnings: &Warnings) -> Materials {
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

/// How a material uses a texture.
struct Used {
    texture: Index<Texture>,
    tex_coord: u32,
    transform: Option<TextureTransform>,
}

impl From<&Info> for Used {
    fn from(info: &Info) -> Self {
        let extensions = info.extensions.as_ref();
        Self {
            texture: info.index,
            tex_coord: info.tex_coord,
            transform: extensions.and_then(|extensions| extensions.texture_transform.clone()),
        }
    }
}

impl From<&NormalTexture> for Used {
    fn from(info: &NormalTexture) -> Self {
        let extensions = info.extensions.as_ref();
        Self {
            texture: info.index,
            tex_coord: info.tex_coord,
            transform: extensions.and_then(|extensions| transform_in(&extensions.others)),
        }
    }
}

impl From<&OcclusionTexture> for Used {
    fn from(info: &OcclusionTexture) -> Self {
        let extensions = info.extensions.as_ref();
        Self {
            texture: info.index,
            tex_coord: info.tex_coord,
            transform: extensions.and_then(|extensions| transform_in(&extensions.others)),
        }
    }
}

/// KHR_texture_transform where the crate has no field for it.
fn transform_in(extensions: &Map<String, Value>) -> Option<TextureTransform> {
    TextureTransform::deserialize(extensions.get("KHR_texture_transform")?).ok()
}

struct Reader<'a> {
    document: &'a Root,
    warnings: &'a Warnings,
    wanted: Vec<Option<usize>>,
    index_of: HashMap<Option<usize>, usize>,
    /// How messages call the material being read.
    what: String,
}

impl Reader<'_> {
    fn material(&mut self, index: usize, json: &written::Material) -> Material {
        self.what = call("material", json.name.as_deref(), index);
        let pbr = &json.pbr_metallic_roughness;
        let extensions = json.extensions.as_ref();
        let strength = extensions
            .and_then(|extensions| extensions.emissive_strength.as_ref())
            .map_or(1.0, |extension| {
                self.number(extension.emissive_strength.0, 1.0, 0.0, f32::MAX)
            });
        let emissive = Vec3::from_array(json.emissive_factor.0);
        let normal = json.normal_texture.as_ref();
        let occlusion = json.occlusion_texture.as_ref();
        let normal_scale = normal.map_or(1.0, |normal| normal.scale);
        let occlusion_strength = occlusion.map_or(1.0, |occlusion| occlusion.strength.0);
        Material {
            name: json.name.clone().unwrap_or_default(),
            base_color: finite(Vec4::from_array(pbr.base_color_factor.0)),
            base_color_texture: self.texture(pbr.base_color_texture.as_ref()),
            metallic: self.number(pbr.metallic_factor.0, 1.0, 0.0, 1.0),
            roughness: self.number(pbr.roughness_factor.0, 1.0, 0.0, 1.0),
            metallic_roughness_texture: self.texture(pbr.metallic_roughness_texture.as_ref()),
            normal_texture: self.texture(normal),
            normal_scale: self.number(normal_scale, 1.0, f32::MIN, f32::MAX),
            occlusion_texture: self.texture(occlusion),
            occlusion_strength: self.number(occlusion_strength, 1.0, 0.0, 1.0),
            emissive: finite((emissive * strength).extend(0.0)).truncate(),
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
        }
    }

    /// The number within its range, with a warning when it was not.
    fn number(&self, value: f32, default: f32, low: f32, high: f32) -> f32 {
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

    fn texture(&mut self, info: Option<impl Into<Used>>) -> Option<TextureRef> {
        let info: Used = info?.into();
        let index = info.texture;
        let Some(texture) = self.document.textures.get(index.value()) else {
            self.warnings.add(format!(
                "{}: texture {index} does not exist; it is left out",
                self.what
            ));
            return None;
        };
        let transform = info.transform;
        let uv_set = transform
            .as_ref()
            .and_then(|transform| transform.tex_coord)
            .unwrap_or(info.tex_coord);
        if uv_set > 1 {
            self.warnings.add(format!(
                "{}: uses texture coordinates {uv_set}; only 0 and 1 are read, 0 is used",
                self.what
            ));
        }
        let sampler = match texture.sampler {
            None => Sampler::default(),
            Some(index) => match self.document.samplers.get(index.value()) {
                Some(json) => sampler(json),
                None => {
                    let text = format!("{}: sampler {index} does not exist", self.what);
                    self.warnings.add(text);
                    Sampler::default()
                }
            },
        };
        let source = match self.source_of(texture, index) {
            Source::Image(image) => Some(image),
            Source::StandIn => None,
            Source::Nothing => return None,
        };
        Some(TextureRef {
            image: self.image(source),
            uv_set: if uv_set == 1 { 1 } else { 0 },
            uv_transform: transform.map_or(Mat3::IDENTITY, |transform| matrix(&transform)),
            sampler,
        })
    }

    /// The image of a texture: WebP first, else the plain one.
    fn source_of(&self, texture: &Texture, index: Index<Texture>) -> Source {
        let extension = |name| texture.extensions.as_ref()?.others.get(name);
        let webp = extension("EXT_texture_webp")
            .and_then(|webp| webp.get("source").and_then(Value::as_u64))
            .and_then(|source| usize::try_from(source).ok());
        let plain = Some(texture.source.value()).filter(|&source| source != mend::NONE as usize);
        match webp.or(plain) {
            Some(source) if source < self.document.images.len() => Source::Image(source),
            Some(source) => {
                self.warnings.add(format!(
                    "texture {index}: image {source} does not exist; a magenta picture stands in"
                ));
                Source::StandIn
            }
            None if extension("KHR_texture_basisu").is_some() => {
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
    let offset = Vec2::from_array(transform.offset.0);
    let scale = Vec2::from_array(transform.scale.0);
    let (sin, cos) = transform.rotation.0.sin_cos();
    let m = Mat3::from_translation(offset)
        * Mat3::from_cols(Vec3::new(cos, -sin, 0.0), Vec3::new(sin, cos, 0.0), Vec3::Z)
        * Mat3::from_diagonal(scale.extend(1.0));
    if m.is_finite() { m } else { Mat3::IDENTITY }
}

fn sampler(json: &texture::Sampler) -> Sampler {
    let wrap = |mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    };
    let min = match json.min_filter {
        Some(Checked::Valid(filter)) => filter,
        Some(Checked::Invalid) | None => MinFilter::LinearMipmapLinear,
    };
    Sampler {
        wrap_u: wrap(json.wrap_s),
        wrap_v: wrap(json.wrap_t),
        mag_linear: json.mag_filter != Some(Checked::Valid(MagFilter::Nearest)),
        min_linear: matches!(
            min,
            MinFilter::Linear | MinFilter::LinearMipmapNearest | MinFilter::LinearMipmapLinear
        ),
        mipmaps: !matches!(min, MinFilter::Nearest | MinFilter::Linear),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> (Materials, Vec<String>) {
        let mut value = value;
        value["asset"] = json!({"version": "2.0"});
        let warnings = Warnings::default();
        let text = value.to_string();
        let document = mend::document(mend::Members::split(&text).unwrap(), &warnings).unwrap();
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
