//! The glTF JSON as written, before any check: what the loader reads, and nothing else.
//!
//! An own description instead of the `gltf` crate's: that one refuses legal files (a channel
//! without a target node, as KHR_animation_pointer has), hides extension data it does not know, and
//! its accessors panic on indices out of range. Indices here are plain numbers; whoever follows one
//! checks it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use serde_json::Value;

/// A whole number that is not negative; `3.0` is accepted, as JSON writers may put it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Whole(pub usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Whole;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number that is not negative")
            }
            fn visit_u64<E: de::Error>(self, v: u64) -> Result<Whole, E> {
                usize::try_from(v)
                    .map(Whole)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(v), &self))
            }
            fn visit_f64<E: de::Error>(self, v: f64) -> Result<Whole, E> {
                // 2^53: above it a float does not name one whole number.
                if v >= 0.0 && v.fract() == 0.0 && v < 9_007_199_254_740_992.0 {
                    Ok(Whole(v as usize))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(v), &self))
                }
            }
        }
        deserializer.deserialize_u64(Any)
    }
}

/// Attribute names to accessor indices.
pub type Attributes = BTreeMap<String, Whole>;

/// The root object (glTF 2.0 §5.17), without `asset`, which `container` reads first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub scene: Option<Whole>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub materials: Vec<Material>,
    #[serde(default)]
    pub textures: Vec<Texture>,
    #[serde(default)]
    pub images: Vec<Image>,
    #[serde(default)]
    pub samplers: Vec<Sampler>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_used: Vec<String>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Scene {
    #[serde(default)]
    pub nodes: Vec<Whole>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Node {
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<Whole>,
    pub mesh: Option<Whole>,
    pub skin: Option<Whole>,
    pub matrix: Option<[f32; 16]>,
    pub translation: Option<[f32; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub weights: Option<Vec<f32>>,
}

#[derive(Debug, Deserialize)]
pub struct Mesh {
    pub name: Option<String>,
    #[serde(default)]
    pub primitives: Vec<Primitive>,
    pub weights: Option<Vec<f32>>,
    #[serde(default)]
    pub extras: Value,
}

#[derive(Debug, Deserialize)]
pub struct Primitive {
    #[serde(default)]
    pub attributes: Attributes,
    pub indices: Option<Whole>,
    pub material: Option<Whole>,
    pub mode: Option<Whole>,
    #[serde(default)]
    pub targets: Vec<Attributes>,
    #[serde(default)]
    pub extras: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub name: Option<String>,
    pub inverse_bind_matrices: Option<Whole>,
    #[serde(default)]
    pub joints: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
pub struct Animation {
    pub name: Option<String>,
    #[serde(default)]
    pub channels: Vec<Channel>,
    #[serde(default)]
    pub samplers: Vec<AnimationSampler>,
    #[serde(default)]
    pub extras: Value,
}

#[derive(Debug, Deserialize)]
pub struct Channel {
    pub sampler: Whole,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub struct Target {
    pub node: Option<Whole>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub struct AnimationSampler {
    pub input: Whole,
    pub output: Whole,
    pub interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    pub name: Option<String>,
    #[serde(default)]
    pub pbr_metallic_roughness: Pbr,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[f32; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    #[serde(default)]
    pub double_sided: bool,
    #[serde(default)]
    pub extensions: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pbr {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
    pub metallic_roughness_texture: Option<TextureInfo>,
}

/// A texture's use; `scale` belongs to normal textures, `strength` to occlusion textures.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureInfo {
    pub index: Whole,
    #[serde(default)]
    pub tex_coord: Whole,
    pub scale: Option<f32>,
    pub strength: Option<f32>,
    #[serde(default)]
    pub extensions: Value,
}

/// KHR_texture_transform.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<Whole>,
}

#[derive(Debug, Deserialize)]
pub struct Texture {
    pub sampler: Option<Whole>,
    pub source: Option<Whole>,
    #[serde(default)]
    pub extensions: Value,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub buffer_view: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sampler {
    pub mag_filter: Option<Whole>,
    pub min_filter: Option<Whole>,
    pub wrap_s: Option<Whole>,
    pub wrap_t: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<Whole>,
    #[serde(default)]
    pub byte_offset: Whole,
    pub component_type: Whole,
    #[serde(default)]
    pub normalized: bool,
    pub count: Whole,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: Whole,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: Whole,
    #[serde(default)]
    pub byte_offset: Whole,
    pub component_type: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: Whole,
    #[serde(default)]
    pub byte_offset: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: Whole,
    #[serde(default)]
    pub byte_offset: Whole,
    pub byte_length: Whole,
    pub byte_stride: Option<Whole>,
    #[serde(default)]
    pub extensions: Value,
}

/// EXT_meshopt_compression and KHR_meshopt_compression on a buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshoptView {
    pub buffer: Whole,
    #[serde(default)]
    pub byte_offset: Whole,
    pub byte_length: Whole,
    pub byte_stride: Whole,
    pub count: Whole,
    pub mode: String,
    pub filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: Whole,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_be_written_as_floats_but_not_negative_or_broken() {
        assert_eq!(serde_json::from_str::<Whole>("3.0").unwrap(), Whole(3));
        assert_eq!(serde_json::from_str::<Whole>("7").unwrap(), Whole(7));
        for bad in ["-1", "1.5", "1e300", "\"1\"", "null"] {
            assert!(serde_json::from_str::<Whole>(bad).is_err(), "{bad}");
        }
    }
}
