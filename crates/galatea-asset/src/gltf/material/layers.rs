//! Layers of a material: KHR_materials_specular and _ior, _clearcoat, _sheen, _transmission and _volume.

use glam::Vec3;
use serde_json::{Map, Value};

use super::MaterialReader;
use super::fields::Extension;
use crate::model::{Clearcoat, Material, Sheen, Specular, Transmission};

const SHARE: (f32, f32) = (0.0, 1.0);
const NOT_NEGATIVE: (f32, f32) = (0.0, f32::MAX);

impl MaterialReader<'_> {
    pub(super) fn specular(&mut self, material: &mut Material, all: &Map<String, Value>) {
        if let Some(extension) = Extension::of(all, "KHR_materials_ior") {
            let ior = self.factor(&extension, "ior", 1.5, NOT_NEGATIVE);
            // 0 means a surface that reflects everything; values between 0 and 1 are not physical.
            material.ior = if ior == 0.0 {
                0.0
            } else {
                self.number(ior, 1.5, 1.0, f32::MAX)
            };
        }
        let Some(extension) = Extension::of(all, "KHR_materials_specular") else {
            return;
        };
        material.specular = Specular {
            factor: self.factor(&extension, "specularFactor", 1.0, SHARE),
            texture: self.picture(&extension, "specularTexture"),
            color: self.color(&extension, "specularColorFactor", Vec3::ONE, f32::MAX),
            color_texture: self.picture(&extension, "specularColorTexture"),
        };
    }

    pub(super) fn clearcoat(&mut self, material: &mut Material, all: &Map<String, Value>) {
        let Some(extension) = Extension::of(all, "KHR_materials_clearcoat") else {
            return;
        };
        let normal = extension.value("clearcoatNormalTexture");
        let scale = normal.and_then(|normal| normal.get("scale")?.as_f64());
        material.clearcoat = Clearcoat {
            factor: self.factor(&extension, "clearcoatFactor", 0.0, SHARE),
            texture: self.picture(&extension, "clearcoatTexture"),
            roughness: self.factor(&extension, "clearcoatRoughnessFactor", 0.0, SHARE),
            roughness_texture: self.picture(&extension, "clearcoatRoughnessTexture"),
            normal_texture: self.picture(&extension, "clearcoatNormalTexture"),
            normal_scale: self.number(scale.unwrap_or(1.0) as f32, 1.0, f32::MIN, f32::MAX),
        };
    }

    pub(super) fn sheen(&mut self, material: &mut Material, all: &Map<String, Value>) {
        let Some(extension) = Extension::of(all, "KHR_materials_sheen") else {
            return;
        };
        material.sheen = Sheen {
            color: self.color(&extension, "sheenColorFactor", Vec3::ZERO, 1.0),
            color_texture: self.picture(&extension, "sheenColorTexture"),
            roughness: self.factor(&extension, "sheenRoughnessFactor", 0.0, SHARE),
            roughness_texture: self.picture(&extension, "sheenRoughnessTexture"),
        };
    }

    pub(super) fn transmission(&mut self, material: &mut Material, all: &Map<String, Value>) {
        let out = &mut material.transmission;
        if let Some(extension) = Extension::of(all, "KHR_materials_transmission") {
            out.factor = self.factor(&extension, "transmissionFactor", 0.0, SHARE);
            out.texture = self.picture(&extension, "transmissionTexture");
        }
        if let Some(extension) = Extension::of(all, "KHR_materials_volume") {
            let far = (f32::MIN_POSITIVE, f32::MAX);
            *out = Transmission {
                thickness: self.factor(&extension, "thicknessFactor", 0.0, NOT_NEGATIVE),
                thickness_texture: self.picture(&extension, "thicknessTexture"),
                attenuation_color: self.color(&extension, "attenuationColor", Vec3::ONE, 1.0),
                attenuation_distance: match extension.value("attenuationDistance") {
                    Some(_) => self.factor(&extension, "attenuationDistance", f32::INFINITY, far),
                    None => f32::INFINITY,
                },
                ..std::mem::take(out)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{one, one_with_warnings};
    use super::*;
    use crate::model::MaterialKind;

    #[test]
    fn every_factor_and_picture_of_the_layers_is_read() {
        let picture = |index: u32| json!({"index": index});
        let material = one(
            json!({"pbrMetallicRoughness": {"metallicFactor": 0}, "extensions": {
            "KHR_materials_ior": {"ior": 1.33},
            "KHR_materials_specular": {"specularFactor": 0.5, "specularTexture": picture(0),
                "specularColorFactor": [1, 2, 3], "specularColorTexture": picture(1)},
            "KHR_materials_clearcoat": {"clearcoatFactor": 0.6, "clearcoatTexture": picture(2),
                "clearcoatRoughnessFactor": 0.2, "clearcoatRoughnessTexture": picture(3),
                "clearcoatNormalTexture": {"index": 4, "scale": 0.7}},
            "KHR_materials_sheen": {"sheenColorFactor": [0.1, 0.2, 0.3], "sheenColorTexture": picture(5),
                "sheenRoughnessFactor": 0.4, "sheenRoughnessTexture": picture(6)},
            "KHR_materials_transmission": {"transmissionFactor": 0.9, "transmissionTexture": picture(7)},
            "KHR_materials_volume": {"thicknessFactor": 0.02, "thicknessTexture": picture(8),
                "attenuationColor": [0.9, 0.8, 0.7], "attenuationDistance": 3}}}),
        );
        assert_eq!(material.ior, 1.33);
        assert_eq!(material.specular.factor, 0.5);
        assert_eq!(material.specular.color, Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(material.clearcoat.factor, 0.6);
        assert_eq!(material.clearcoat.roughness, 0.2);
        assert_eq!(material.clearcoat.normal_scale, 0.7);
        assert_eq!(material.sheen.color, Vec3::new(0.1, 0.2, 0.3));
        assert_eq!(material.sheen.roughness, 0.4);
        assert_eq!(material.kind, MaterialKind::Cloth);
        assert_eq!(material.transmission.factor, 0.9);
        assert_eq!(material.transmission.thickness, 0.02);
        assert_eq!(
            material.transmission.attenuation_color,
            Vec3::new(0.9, 0.8, 0.7)
        );
        assert_eq!(material.transmission.attenuation_distance, 3.0);
        let images: Vec<usize> = material.textures().map(|texture| texture.image).collect();
        assert_eq!(images, (0..9).collect::<Vec<_>>());
    }

    #[test]
    fn a_file_without_extensions_has_the_defaults_of_the_formats() {
        let material = one(json!({"extensions": {
            "KHR_materials_transmission": {}, "KHR_materials_volume": {}, "KHR_materials_ior": {},
            "KHR_materials_specular": {}, "KHR_materials_clearcoat": {}, "KHR_materials_sheen": {}}}));
        let plain = Material::default();
        assert_eq!(material.transmission, plain.transmission);
        assert_eq!(material.specular, plain.specular);
        assert_eq!(material.clearcoat, plain.clearcoat);
        assert_eq!(material.sheen, plain.sheen);
        assert_eq!(material.ior, 1.5);
        assert_eq!(material.kind, MaterialKind::Standard);
    }

    #[test]
    fn numbers_out_of_range_or_of_the_wrong_type_are_reported() {
        let (material, warnings) = one_with_warnings(json!({"name": "m", "extensions": {
            "KHR_materials_ior": {"ior": 0.5},
            "KHR_materials_clearcoat": {"clearcoatFactor": 2, "clearcoatTexture": {"texCoord": 1}},
            "KHR_materials_sheen": {"sheenColorFactor": [1, 2], "sheenRoughnessFactor": "x"},
            "KHR_materials_volume": {"attenuationDistance": 0, "thicknessFactor": -1}}}));
        assert_eq!(material.ior, 1.0);
        assert_eq!(material.clearcoat.factor, 1.0);
        assert_eq!(material.sheen, Sheen::default());
        assert_eq!(
            material.transmission.attenuation_distance,
            f32::MIN_POSITIVE
        );
        assert_eq!(material.transmission.thickness, 0.0);
        for part in [
            "the factor 0.5 is out of range",
            "the factor 2 is out of range",
            "KHR_materials_clearcoat: clearcoatTexture is not a texture reference",
            "KHR_materials_sheen: sheenColorFactor is not a list of three numbers",
            "KHR_materials_sheen: sheenRoughnessFactor is not a number",
            "the factor 0 is out of range",
            "the factor -1 is out of range",
        ] {
            let found = warnings.iter().any(|warning| warning.contains(part));
            assert!(found, "{part}: {warnings:#?}");
        }
        assert_eq!(warnings.len(), 7);
    }
}
