//! MToon: VRMC_materials_mtoon of VRM 1.0, and the `materialProperties` of VRM 0.x for the same shader, converted to 1.0.
//!
//! In 0.x, colours are sRGB, and outline widths are in centimetres or in hundredths of half the screen height. v grows
//! upwards. Rotations are in turns per second. Light rises from none to full while its cosine rises from the shift s to s +
//! (1 - s)(1 - toony).

use std::collections::BTreeSet;
use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use serde_json::{Map, Value, json};

use super::MaterialReader;
use super::fields::{Extension, numbers};
use crate::limits::is_sound;
use crate::model::{
    AlphaMode, Material, Outline, OutlineMode, TextureRef, Toon, UvAnimation, UvTransform,
};
use galatea_math::srgb::decoded;

const SHARE: (f32, f32) = (0.0, 1.0);
const NOT_NEGATIVE: (f32, f32) = (0.0, f32::MAX);
const ANY: (f32, f32) = (f32::MIN, f32::MAX);

/// `_BlendMode` of 0.x for blending.
const BLENDED: f32 = 2.0;
const BLENDED_WITH_Z: f32 = 3.0;

impl MaterialReader<'_> {
    pub(super) fn toon_of_vrm_1(&mut self, material: &mut Material, all: &Map<String, Value>) {
        let Some(x) = Extension::of(all, "VRMC_materials_mtoon") else {
            return;
        };
        let share = |reader: &Self, field, default| reader.factor(&x, field, default, SHARE);
        let scale = x.value("shadingShiftTexture");
        let scale = scale.and_then(|info| info.get("scale")?.as_f64());
        let outline = Outline {
            mode: match x.value("outlineWidthMode").and_then(Value::as_str) {
                Some("worldCoordinates") => OutlineMode::World,
                Some("screenCoordinates") => OutlineMode::Screen,
                _ => OutlineMode::None,
            },
            width: self.factor(&x, "outlineWidthFactor", 0.0, NOT_NEGATIVE),
            width_texture: self.picture(&x, "outlineWidthMultiplyTexture"),
            color: self.color(&x, "outlineColorFactor", Vec3::ZERO, f32::MAX),
            lighting_mix: share(self, "outlineLightingMixFactor", 1.0),
        };
        let uv_animation = UvAnimation {
            mask_texture: self.picture(&x, "uvAnimationMaskTexture"),
            scroll: Vec2::new(
                self.factor(&x, "uvAnimationScrollXSpeedFactor", 0.0, ANY),
                self.factor(&x, "uvAnimationScrollYSpeedFactor", 0.0, ANY),
            ),
            rotation: self.factor(&x, "uvAnimationRotationSpeedFactor", 0.0, ANY),
        };
        material.toon = Some(Box::new(Toon {
            shade_color: self.color(&x, "shadeColorFactor", Vec3::ONE, f32::MAX),
            shade_texture: self.picture(&x, "shadeMultiplyTexture"),
            shading_shift: self.factor(&x, "shadingShiftFactor", 0.0, (-1.0, 1.0)),
            shading_shift_texture: self.picture(&x, "shadingShiftTexture"),
            shading_shift_scale: self.number(scale.unwrap_or(1.0) as f32, 1.0, ANY.0, ANY.1),
            shading_toony: share(self, "shadingToonyFactor", 0.9),
            gi_equalization: share(self, "giEqualizationFactor", 0.9),
            matcap_color: self.color(&x, "matcapFactor", Vec3::ONE, f32::MAX),
            matcap_texture: self.picture(&x, "matcapTexture"),
            rim_color: self.color(&x, "parametricRimColorFactor", Vec3::ZERO, f32::MAX),
            rim_texture: self.picture(&x, "rimMultiplyTexture"),
            rim_lighting_mix: share(self, "rimLightingMixFactor", 1.0),
            rim_fresnel_power: self.factor(
                &x,
                "parametricRimFresnelPowerFactor",
                5.0,
                NOT_NEGATIVE,
            ),
            rim_lift: self.factor(&x, "parametricRimLiftFactor", 0.0, ANY),
            outline,
            uv_animation,
            transparent_with_z_write: x.flag("transparentWithZWrite"),
            render_queue_offset: self.factor(&x, "renderQueueOffsetNumber", 0.0, (-9.0, 9.0)) as i8,
        }));
    }

    /// Applies `materialProperties` to the materials of a VRM 0.x file; both lists have the same order.
    pub(super) fn toons_of_vrm_0(&mut self, materials: &mut [Material]) {
        let Some(root) = &self.document.extensions else {
            return;
        };
        let list = root
            .others
            .get("VRM")
            .and_then(|vrm| vrm.get("materialProperties"));
        let list = list
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let all: Vec<Properties> = list.iter().map(Properties).collect();
        let queues = Queues::of(&all);
        for (material, properties) in materials.iter_mut().zip(&all) {
            if properties.0.get("shader").and_then(Value::as_str) == Some("VRM/MToon") {
                self.what = format!("material {:?}", material.name);
                self.toon_of_vrm_0(material, properties, &queues);
            }
        }
    }

    fn toon_of_vrm_0(&mut self, material: &mut Material, p: &Properties, queues: &Queues) {
        let mut toon = self.toon_numbers_of_vrm_0(p, queues);
        self.base_of_vrm_0(material, p);
        let main = self.picture_of_vrm_0(p, "_MainTex");
        material.base_color_texture = main.or(material.base_color_texture);
        toon.shade_texture = self.picture_of_vrm_0(p, "_ShadeTexture");
        toon.rim_texture = self.picture_of_vrm_0(p, "_RimTexture");
        toon.matcap_texture = self
            .picture_of_vrm_0(p, "_SphereAdd")
            .map(|texture| TextureRef {
                uv_transform: UvTransform::IDENTITY,
                ..texture
            });
        toon.outline.width_texture = self.picture_of_vrm_0(p, "_OutlineWidthTexture");
        toon.uv_animation.mask_texture = self.picture_of_vrm_0(p, "_UvAnimMaskTexture");
        material.toon = Some(Box::new(toon));
    }

    fn number_of_vrm_0(
        &self,
        p: &Properties,
        field: &str,
        default: f32,
        (low, high): (f32, f32),
    ) -> f32 {
        self.number(p.float(field).unwrap_or(default), default, low, high)
    }

    /// Base colour, alpha and culling.
    fn base_of_vrm_0(&self, material: &mut Material, p: &Properties) {
        if let Some(rgba) = p.vector("_Color").and_then(numbers::<4>) {
            let rgb = Vec3::from_array([rgba[0], rgba[1], rgba[2]].map(decoded));
            material.base_color = super::limited(rgb.extend(rgba[3]));
        }
        match p.float("_BlendMode") {
            Some(0.0) => material.alpha = AlphaMode::Opaque,
            Some(1.0) => {
                let cutoff = self.number_of_vrm_0(p, "_Cutoff", 0.5, SHARE);
                material.alpha = AlphaMode::Mask(cutoff);
            }
            Some(BLENDED | BLENDED_WITH_Z) => material.alpha = AlphaMode::Blend,
            _ => {}
        }
        if let Some(cull) = p.float("_CullMode") {
            material.double_sided = cull == 0.0;
        }
    }

    /// Colours and numbers of toon shading, without textures.
    fn toon_numbers_of_vrm_0(&self, p: &Properties, queues: &Queues) -> Toon {
        let number = |field, default, range| self.number_of_vrm_0(p, field, default, range);
        let color = |field, default: Vec3| {
            let written = p.vector(field).and_then(numbers::<3>);
            let linear = written.map_or(default, |rgb| Vec3::from_array(rgb.map(decoded)));
            Vec3::from_array(
                linear
                    .to_array()
                    .map(|x| self.number(x, 0.0, 0.0, f32::MAX)),
            )
        };
        let shift = number("_ShadeShift", 0.0, (-1.0, 1.0));
        let toony = number("_ShadeToony", 0.9, SHARE);
        let half_border = 0.5 * (1.0 - shift) * (1.0 - toony);
        let (mode, unit) = match number("_OutlineWidthMode", 0.0, (0.0, 2.0)) as u8 {
            1 => (OutlineMode::World, 0.01),
            2 => (OutlineMode::Screen, 0.005),
            _ => (OutlineMode::None, 0.01),
        };
        let takes_light = number("_OutlineColorMode", 0.0, SHARE) >= 1.0;
        Toon {
            shade_color: color("_ShadeColor", Vec3::new(0.97, 0.81, 0.86)),
            shading_shift: (-shift - half_border).clamp(-1.0, 1.0),
            shading_toony: (1.0 - half_border).clamp(0.0, 1.0),
            gi_equalization: 1.0 - number("_IndirectLightIntensity", 0.1, SHARE),
            rim_color: color("_RimColor", Vec3::ZERO),
            rim_lighting_mix: number("_RimLightingMix", 0.0, SHARE),
            rim_fresnel_power: number("_RimFresnelPower", 1.0, NOT_NEGATIVE),
            rim_lift: number("_RimLift", 0.0, ANY),
            outline: Outline {
                mode,
                width: number("_OutlineWidth", 0.0, NOT_NEGATIVE) * unit,
                width_texture: None,
                color: color("_OutlineColor", Vec3::ZERO),
                lighting_mix: if takes_light {
                    number("_OutlineLightingMix", 1.0, SHARE)
                } else {
                    0.0
                },
            },
            uv_animation: UvAnimation {
                mask_texture: None,
                scroll: Vec2::new(
                    number("_UvAnimScrollX", 0.0, ANY),
                    -number("_UvAnimScrollY", 0.0, ANY),
                ),
                rotation: number("_UvAnimRotation", 0.0, (-1e6, 1e6)) * TAU,
            },
            transparent_with_z_write: p.float("_BlendMode") == Some(BLENDED_WITH_Z),
            render_queue_offset: queues.offset(p),
            ..Toon::default()
        }
    }

    /// A texture reference with the transform of `_MainTex`, which applies to all textures.
    fn picture_of_vrm_0(&mut self, properties: &Properties, field: &str) -> Option<TextureRef> {
        let index = properties
            .0
            .get("textureProperties")?
            .get(field)?
            .as_u64()?;
        let mut texture =
            self.texture(super::texture::Used::from_json(&json!({"index": index})))?;
        if let Some(placed) = properties.vector("_MainTex").and_then(numbers::<4>)
            && placed.iter().all(|number| is_sound(*number))
        {
            let [x, y, width, height] = placed;
            texture.uv_transform = UvTransform {
                offset: Vec2::new(x, 1.0 - height - y),
                rotation: 0.0,
                scale: Vec2::new(width, height),
            };
        }
        Some(texture)
    }
}

/// One element of `materialProperties`.
struct Properties<'a>(&'a Value);

impl<'a> Properties<'a> {
    fn float(&self, field: &str) -> Option<f32> {
        let number = self.0.get("floatProperties")?.get(field)?.as_f64()?;
        Some(number as f32)
    }

    fn vector(&self, field: &str) -> Option<&'a Value> {
        self.0.get("vectorProperties")?.get(field)
    }

    /// Position in Unity's render queue, for blended materials.
    fn queue(&self) -> Option<i64> {
        let is_blended = matches!(self.float("_BlendMode"), Some(BLENDED | BLENDED_WITH_Z));
        is_blended
            .then(|| self.0.get("renderQueue")?.as_i64())
            .flatten()
    }
}

/// Render queue positions of the blended materials. Version 1.0 counts them from 0, upwards with depth writing and downwards
/// without.
struct Queues {
    plain: BTreeSet<i64>,
    with_z: BTreeSet<i64>,
}

impl Queues {
    fn of(all: &[Properties]) -> Self {
        let of = |mode| {
            let some = all.iter().filter(|p| p.float("_BlendMode") == Some(mode));
            some.filter_map(Properties::queue).collect()
        };
        Self {
            plain: of(BLENDED),
            with_z: of(BLENDED_WITH_Z),
        }
    }

    fn offset(&self, properties: &Properties) -> i8 {
        let Some(queue) = properties.queue() else {
            return 0;
        };
        let offset = if properties.float("_BlendMode") == Some(BLENDED_WITH_Z) {
            self.with_z.range(..queue).count() as i64
        } else {
            -(self.plain.range(queue..).count() as i64 - 1)
        };
        offset.clamp(-9, 9) as i8
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{one, one_with_warnings, read};
    use super::*;
    use crate::model::MaterialKind;

    #[test]
    fn mtoon_of_vrm_1_is_read_with_its_defaults() {
        let plain = one(json!({"extensions": {"VRMC_materials_mtoon": {"specVersion": "1.0"}}}));
        assert_eq!(plain.kind, MaterialKind::Toon);
        assert_eq!(plain.toon.as_deref(), Some(&Toon::default()));
        let material = one(json!({"extensions": {"VRMC_materials_mtoon": {
            "transparentWithZWrite": true, "renderQueueOffsetNumber": -3,
            "shadeColorFactor": [0.1, 0.2, 0.3], "shadeMultiplyTexture": {"index": 0},
            "shadingShiftFactor": -0.25, "shadingShiftTexture": {"index": 1, "scale": 0.5},
            "shadingToonyFactor": 0.8, "giEqualizationFactor": 0.7,
            "matcapFactor": [0.4, 0.5, 0.6], "matcapTexture": {"index": 2},
            "parametricRimColorFactor": [0.7, 0.8, 0.9], "rimMultiplyTexture": {"index": 3},
            "rimLightingMixFactor": 0.6, "parametricRimFresnelPowerFactor": 2,
            "parametricRimLiftFactor": 0.1, "outlineWidthMode": "screenCoordinates",
            "outlineWidthFactor": 0.004, "outlineWidthMultiplyTexture": {"index": 4},
            "outlineColorFactor": [0.3, 0.2, 0.1], "outlineLightingMixFactor": 0.5,
            "uvAnimationMaskTexture": {"index": 5}, "uvAnimationScrollXSpeedFactor": 1,
            "uvAnimationScrollYSpeedFactor": -2, "uvAnimationRotationSpeedFactor": 3}}}));
        let toon = material.toon.as_deref().unwrap();
        let images = |texture: &Option<TextureRef>| texture.map(|texture| texture.image);
        let names = [
            images(&toon.shade_texture),
            images(&toon.shading_shift_texture),
            images(&toon.matcap_texture),
            images(&toon.rim_texture),
            images(&toon.outline.width_texture),
            images(&toon.uv_animation.mask_texture),
        ];
        // In the order of reading.
        assert_eq!(names, [2, 3, 4, 5, 0, 1].map(Some));
        let numbers = [
            toon.shading_shift,
            toon.shading_shift_scale,
            toon.shading_toony,
            toon.gi_equalization,
            toon.rim_lighting_mix,
            toon.rim_fresnel_power,
            toon.rim_lift,
            toon.outline.width,
            toon.outline.lighting_mix,
            toon.uv_animation.rotation,
        ];
        assert_eq!(
            numbers,
            [-0.25, 0.5, 0.8, 0.7, 0.6, 2.0, 0.1, 0.004, 0.5, 3.0]
        );
        assert_eq!(toon.outline.mode, OutlineMode::Screen);
        assert_eq!(toon.uv_animation.scroll, Vec2::new(1.0, -2.0));
        assert_eq!(toon.shade_color, Vec3::new(0.1, 0.2, 0.3));
        assert_eq!(toon.matcap_color, Vec3::new(0.4, 0.5, 0.6));
        assert_eq!(toon.rim_color, Vec3::new(0.7, 0.8, 0.9));
        assert_eq!(toon.outline.color, Vec3::new(0.3, 0.2, 0.1));
        assert!(toon.transparent_with_z_write);
        assert_eq!(toon.render_queue_offset, -3);
    }

    fn vrm_0(properties: Value) -> Vec<Material> {
        let materials = vec![json!({"alphaMode": "OPAQUE"}); properties.as_array().unwrap().len()];
        let (materials, warnings) = read(json!({
            "images": [{"uri": "a.png"}], "textures": [{"source": 0}], "materials": materials,
            "extensions": {"VRM": {"materialProperties": properties}}}));
        assert!(warnings.is_empty(), "{warnings:?}");
        materials.list
    }

    #[test]
    fn mtoon_of_vrm_0_is_converted_to_vrm_1() {
        let list = vrm_0(json!([{"shader": "VRM/MToon",
            "floatProperties": {"_ShadeShift": -0.5, "_ShadeToony": 0.8, "_IndirectLightIntensity": 0.25,
                "_RimLightingMix": 1, "_RimFresnelPower": 3, "_RimLift": 0.2, "_OutlineWidth": 0.5,
                "_OutlineWidthMode": 2, "_OutlineColorMode": 1, "_OutlineLightingMix": 0.75,
                "_UvAnimScrollY": 1, "_UvAnimRotation": 0.5, "_BlendMode": 1, "_Cutoff": 0.3, "_CullMode": 0},
            "vectorProperties": {"_Color": [1, 0.5, 0, 0.5], "_ShadeColor": [0.5, 0.5, 0.5, 1],
                "_MainTex": [0.25, 0.5, 0.5, 0.25]},
            "textureProperties": {"_MainTex": 0, "_SphereAdd": 0}}, {"shader": "VRM_USE_GLTFSHADER"}]));
        let material = &list[0];
        let toon = material.toon.as_deref().unwrap();
        // The shade border is that of 0.x: light begins at -0.5 and is full at -0.5 + 1.5 · 0.2.
        let begins = toon.shading_toony - 1.0 - toon.shading_shift;
        let whole = 1.0 - toon.shading_toony - toon.shading_shift;
        assert!(
            (begins + 0.5).abs() < 1e-6 && (whole + 0.2).abs() < 1e-6,
            "{begins} {whole}"
        );
        assert_eq!(toon.gi_equalization, 0.75);
        assert!((toon.shade_color.x - 0.21404).abs() < 1e-5);
        assert!((material.base_color.y - 0.21404).abs() < 1e-5);
        assert_eq!(material.base_color.w, 0.5);
        assert_eq!(toon.outline.mode, OutlineMode::Screen);
        assert_eq!(toon.outline.width, 0.0025);
        assert_eq!(toon.outline.lighting_mix, 0.75);
        assert_eq!(toon.uv_animation.scroll, Vec2::new(0.0, -1.0));
        assert_eq!(toon.uv_animation.rotation, 0.5 * TAU);
        assert_eq!(material.alpha, AlphaMode::Mask(0.3));
        assert!(material.double_sided);
        let placed = material.base_color_texture.unwrap().uv_transform;
        assert_eq!(placed.offset, Vec2::new(0.25, 0.25));
        assert_eq!(placed.scale, Vec2::new(0.5, 0.25));
        assert_eq!(
            toon.matcap_texture.unwrap().uv_transform,
            UvTransform::IDENTITY
        );
        assert_eq!(list[1].toon, None);
    }

    #[test]
    fn blended_materials_of_vrm_0_keep_their_order() {
        let one = |mode: u32, queue: i64| {
            json!({"shader": "VRM/MToon", "renderQueue": queue,
                   "floatProperties": {"_BlendMode": mode}})
        };
        let list = vrm_0(json!([
            one(2, 3000),
            one(2, 2998),
            one(3, 2502),
            one(3, 2501),
            one(0, 2000)
        ]));
        let offsets: Vec<i8> = list
            .iter()
            .filter_map(|material| Some(material.toon.as_ref()?.render_queue_offset))
            .collect();
        assert_eq!(offsets, [0, -1, 1, 0, 0]);
        let with_z = |i: usize| list[i].toon.as_ref().unwrap().transparent_with_z_write;
        assert!(!with_z(0) && with_z(2));
        assert_eq!(list[2].alpha, AlphaMode::Blend);
    }

    #[test]
    fn invalid_mtoon_values_are_skipped_with_a_warning() {
        let (material, warnings) = one_with_warnings(json!({"name": "m", "extensions": {
            "VRMC_materials_mtoon": {"shadeColorFactor": 3, "outlineWidthFactor": -1,
                "renderQueueOffsetNumber": 40, "matcapTexture": {"index": 99}}}}));
        let toon = material.toon.unwrap();
        assert_eq!(toon.shade_color, Vec3::ONE);
        assert_eq!(toon.outline.width, 0.0);
        assert_eq!(toon.render_queue_offset, 9);
        assert_eq!(toon.matcap_texture, None);
        assert_eq!(warnings.len(), 4, "{warnings:?}");
    }
}
