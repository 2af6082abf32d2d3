//! Converts KHR_materials_pbrSpecularGlossiness to metallic-roughness.
//!
//! A specular colour F0 with a diffuse colour equals, with KHR_materials_specular, a non-metallic material with a specular
//! factor of F0 / 0.04 at an index of refraction of 1.5. Its texture multiplies in the same manner, so it needs no
//! conversion. Only glossiness needs another image: roughness is 1 minus glossiness.

use glam::{Vec3, Vec4};
use serde_json::{Map, Value};

use super::fields::{Extension, numbers};
use super::texture::Used;
use super::{MaterialReader, TextureSource, limited};
use crate::model::{Material, Specular};

/// Reflectance at normal incidence for an index of refraction of 1.5.
const REFLECTION_OF_1_5: f32 = 0.04;

impl MaterialReader<'_> {
    pub(super) fn glossiness(&mut self, material: &mut Material, all: &Map<String, Value>) {
        let Some(extension) = Extension::of(all, "KHR_materials_pbrSpecularGlossiness") else {
            return;
        };
        let diffuse = extension.value("diffuseFactor").and_then(numbers::<4>);
        let glossiness = self.factor(&extension, "glossinessFactor", 1.0, (0.0, 1.0));
        material.base_color = limited(diffuse.map_or(Vec4::ONE, Vec4::from_array));
        material.base_color_texture = self.picture(&extension, "diffuseTexture");
        material.metallic = 0.0;
        let specular = self.color(&extension, "specularFactor", Vec3::ONE, 1.0);
        material.specular = Specular {
            color: specular / REFLECTION_OF_1_5,
            color_texture: self.picture(&extension, "specularGlossinessTexture"),
            ..Specular::default()
        };
        let used = extension.value("specularGlossinessTexture");
        let used = used.and_then(Used::from_json);
        let rough = self.texture_made(used, |source| match source {
            TextureSource::Image(image) => TextureSource::Roughness(image, glossiness.to_bits()),
            other => other,
        });
        material.roughness = match rough {
            Some(_) => 1.0,
            None => 1.0 - glossiness,
        };
        material.metallic_roughness_texture = rough;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{one, read};

    #[test]
    fn specular_and_glossiness_become_reflection_and_roughness() {
        let material = one(json!({"pbrMetallicRoughness": {"metallicFactor": 1},
            "extensions": {"KHR_materials_pbrSpecularGlossiness": {
                "diffuseFactor": [0.1, 0.2, 0.3, 0.5], "specularFactor": [0.04, 0.08, 1],
                "glossinessFactor": 0.75}}}));
        assert_eq!(material.base_color.to_array(), [0.1, 0.2, 0.3, 0.5]);
        assert_eq!(material.metallic, 0.0);
        assert_eq!(material.roughness, 0.25);
        assert_eq!(material.specular.color.to_array(), [1.0, 2.0, 25.0]);
        assert_eq!(material.metallic_roughness_texture, None);
    }

    #[test]
    fn the_glossiness_picture_is_used_for_colour_and_turned_into_roughness() {
        use super::TextureSource;
        let (materials, warnings) = read(json!({
            "images": [{"uri": "a.png"}], "textures": [{"source": 0}],
            "materials": [{"extensions": {"KHR_materials_pbrSpecularGlossiness": {
                "specularGlossinessTexture": {"index": 0}, "glossinessFactor": 0.5}}}]}));
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(
            materials.wanted,
            [
                TextureSource::Image(0),
                TextureSource::Roughness(0, 0.5_f32.to_bits())
            ]
        );
        let material = &materials.list[0];
        assert_eq!(material.specular.color_texture.map(|t| t.image), Some(0));
        assert_eq!(
            material.metallic_roughness_texture.map(|t| t.image),
            Some(1)
        );
        assert_eq!(material.roughness, 1.0);
    }
}
