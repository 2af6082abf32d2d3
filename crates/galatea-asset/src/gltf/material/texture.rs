//! Texture references of materials: textures, samplers (glTF 2.0 §3.8) and KHR_texture_transform.

use glam::Vec2;
use gltf::json::Index;
use gltf::json::extensions::texture::TextureTransform;
use gltf::json::material::{NormalTexture, OcclusionTexture};
use gltf::json::texture::{self, Info, MagFilter, MinFilter, Texture, WrappingMode};
use gltf::json::validation::Checked;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::plain_json;
use super::{MaterialReader, TextureSource};
use crate::limits::is_sound;
use crate::model::{Sampler, TextureRef, UvTransform, Wrap};

/// Unsupported image formats, by extension.
const KINDS: [(&str, &str); 3] = [
    ("KHR_texture_basisu", "Basis (KTX2)"),
    ("EXT_texture_avif", "AVIF"),
    ("MSFT_texture_dds", "DDS"),
];

/// A texture reference of a material.
pub(super) struct Used {
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

impl Used {
    /// Reads a texture info that the crate leaves as JSON; `None` if it names no texture.
    pub(crate) fn from_json(info: &Value) -> Option<Self> {
        let number = |field| u32::try_from(info.get(field)?.as_u64()?).ok();
        let extensions = info.get("extensions").and_then(Value::as_object);
        Some(Self {
            texture: Index::new(number("index")?),
            tex_coord: number("texCoord").unwrap_or(0),
            transform: extensions.and_then(transform_in),
        })
    }
}

impl MaterialReader<'_> {
    /// Resolves a texture reference; `None` if there is none and no placeholder is possible.
    pub(super) fn texture(&mut self, info: Option<impl Into<Used>>) -> Option<TextureRef> {
        self.texture_made(info, |source| source)
    }

    /// Resolves a texture reference to an image that is derived from the named one.
    pub(super) fn texture_made(
        &mut self,
        info: Option<impl Into<Used>>,
        make: impl FnOnce(TextureSource) -> TextureSource,
    ) -> Option<TextureRef> {
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
                "{}: texture coordinate set {uv_set} is not supported, only 0 and 1; 0 is used",
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
        let source = self.source_of(texture, index)?;
        Some(TextureRef {
            image: self.image(make(source)),
            uv_set: if uv_set == 1 { 1 } else { 0 },
            uv_transform: transform.map_or(UvTransform::IDENTITY, |json| uv_transform(&json)),
            sampler,
        })
    }

    /// Image of a texture: WebP if present, otherwise the plain one.
    fn source_of(&self, texture: &Texture, index: Index<Texture>) -> Option<TextureSource> {
        let extension = |name| texture.extensions.as_ref()?.others.get(name);
        let webp = extension("EXT_texture_webp")
            .and_then(|webp| webp.get("source").and_then(Value::as_u64))
            .and_then(|source| usize::try_from(source).ok());
        let plain =
            Some(texture.source.value()).filter(|&source| source != plain_json::NONE as usize);
        match webp.or(plain) {
            Some(source) if source < self.document.images.len() => {
                Some(TextureSource::Image(source))
            }
            Some(source) => {
                self.warnings.add(format!(
                    "texture {index}: image {source} does not exist; a magenta image is used"
                ));
                Some(TextureSource::StandIn)
            }
            None => {
                let kind = KINDS.iter().find(|(name, _)| extension(name).is_some());
                let Some((_, kind)) = kind else {
                    let text = format!("texture {index} has no image; it is left out");
                    self.warnings.add(text);
                    return None;
                };
                self.warnings.add(format!(
                    "texture {index} has only a {kind} image, which Galatea does not support; a magenta image is \
                     used. Export PNG, JPEG or WebP"
                ));
                Some(TextureSource::StandIn)
            }
        }
    }

    fn image(&mut self, source: TextureSource) -> usize {
        *self.index_of.entry(source).or_insert_with(|| {
            self.wanted.push(source);
            self.wanted.len() - 1
        })
    }
}

fn uv_transform(json: &TextureTransform) -> UvTransform {
    let transform = UvTransform {
        offset: Vec2::from_array(json.offset.0),
        rotation: json.rotation.0,
        scale: Vec2::from_array(json.scale.0),
    };
    let numbers = [
        transform.offset,
        transform.scale,
        Vec2::splat(transform.rotation),
    ];
    if numbers.into_iter().all(|v| is_sound(v.x) && is_sound(v.y)) {
        transform
    } else {
        UvTransform::IDENTITY
    }
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
