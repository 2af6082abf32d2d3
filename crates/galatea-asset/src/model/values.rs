//! Material values that can differ per instance, changed by a script or a clip.

use galatea_math::clamp::ClampTo as _;
use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::material::{AlphaMode, Material, MaterialKind};
use super::texture::{TextureRef, UvTransform};
use crate::limits::MAX_NUMBER;

/// Values of a material that can change at run time. Ranges are those of [`Material`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialValues {
    /// Kind of surface.
    pub kind: MaterialKind,
    /// Linear base colour and alpha.
    pub base_color: Vec4,
    /// Linear colour that multiplies the base colour, and the shade colour of a toon material; white in every file.
    pub tint: Vec3,
    /// 0..=1.
    pub metallic: f32,
    /// 0..=1, perceptual.
    pub roughness: f32,
    /// Scale of x and y of the normal map.
    pub normal_scale: f32,
    /// 0..=1.
    pub occlusion_strength: f32,
    /// Linear emitted light without its strength; see [`MaterialValues::emissive`].
    pub emissive_factor: Vec3,
    /// Factor for `emissive_factor`, not negative.
    pub emissive_strength: f32,
    /// Alpha cutoff of a masked material; pixels below it are not drawn.
    pub alpha_cutoff: f32,
    /// See [`super::Specular`]; 0..=1.
    pub specular: f32,
    /// Linear colour, not negative.
    pub specular_color: Vec3,
    /// 0, or at least 1.
    pub ior: f32,
    /// See [`super::Clearcoat`]; 0..=1.
    pub clearcoat: f32,
    /// 0..=1, perceptual.
    pub clearcoat_roughness: f32,
    /// See [`super::Sheen`]; linear colour.
    pub sheen: Vec3,
    /// 0..=1, perceptual.
    pub sheen_roughness: f32,
    /// See [`super::Transmission`]; 0..=1.
    pub transmission: f32,
    /// Metres of the mesh's space.
    pub thickness: f32,
    /// Linear colour.
    pub attenuation_color: Vec3,
    /// Metres, above 0; may be infinite.
    pub attenuation_distance: f32,
    /// Transforms of texture coordinates, by [`TextureSlot`].
    pub uv: [UvTransform; 5],
}

/// The values of one material of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceMaterial {
    /// Index into [`super::Model::materials`].
    pub material: u16,
    /// All values, including those equal to the file's.
    pub values: MaterialValues,
}

/// Texture whose coordinates can be transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextureSlot {
    /// Base colour.
    BaseColor,
    /// Metallic and roughness.
    MetallicRoughness,
    /// Normals.
    Normal,
    /// Occlusion.
    Occlusion,
    /// Emission.
    Emissive,
}

impl TextureSlot {
    /// All slots.
    pub const ALL: [Self; 5] = [
        Self::BaseColor,
        Self::MetallicRoughness,
        Self::Normal,
        Self::Occlusion,
        Self::Emissive,
    ];
}

/// One number or colour of [`MaterialValues`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Factor {
    /// `base_color`.
    BaseColor,
    /// `tint`.
    Tint,
    /// `metallic`.
    Metallic,
    /// `roughness`.
    Roughness,
    /// `normal_scale`.
    NormalScale,
    /// `occlusion_strength`.
    OcclusionStrength,
    /// `emissive_factor`.
    EmissiveFactor,
    /// `emissive_strength`.
    EmissiveStrength,
    /// `alpha_cutoff`.
    AlphaCutoff,
    /// `specular`.
    Specular,
    /// `specular_color`.
    SpecularColor,
    /// `ior`.
    Ior,
    /// `clearcoat`.
    Clearcoat,
    /// `clearcoat_roughness`.
    ClearcoatRoughness,
    /// `sheen`.
    Sheen,
    /// `sheen_roughness`.
    SheenRoughness,
    /// `transmission`.
    Transmission,
    /// `thickness`.
    Thickness,
    /// `attenuation_color`.
    AttenuationColor,
    /// `attenuation_distance`.
    AttenuationDistance,
    /// `offset` of a texture.
    UvOffset(TextureSlot),
    /// `rotation` of a texture.
    UvRotation(TextureSlot),
    /// `scale` of a texture.
    UvScale(TextureSlot),
}

impl Factor {
    /// Every factor, in the order of the bits of [`Factor::bits`].
    pub const ALL: [Self; 35] = {
        use TextureSlot::{BaseColor, Emissive, MetallicRoughness, Normal, Occlusion};
        [
            Self::BaseColor,
            Self::Tint,
            Self::Metallic,
            Self::Roughness,
            Self::NormalScale,
            Self::OcclusionStrength,
            Self::EmissiveFactor,
            Self::EmissiveStrength,
            Self::AlphaCutoff,
            Self::Specular,
            Self::SpecularColor,
            Self::Ior,
            Self::Clearcoat,
            Self::ClearcoatRoughness,
            Self::Sheen,
            Self::SheenRoughness,
            Self::Transmission,
            Self::Thickness,
            Self::AttenuationColor,
            Self::AttenuationDistance,
            Self::UvOffset(BaseColor),
            Self::UvRotation(BaseColor),
            Self::UvScale(BaseColor),
            Self::UvOffset(MetallicRoughness),
            Self::UvRotation(MetallicRoughness),
            Self::UvScale(MetallicRoughness),
            Self::UvOffset(Normal),
            Self::UvRotation(Normal),
            Self::UvScale(Normal),
            Self::UvOffset(Occlusion),
            Self::UvRotation(Occlusion),
            Self::UvScale(Occlusion),
            Self::UvOffset(Emissive),
            Self::UvRotation(Emissive),
            Self::UvScale(Emissive),
        ]
    };

    /// Number of the components, 1 to 4.
    pub const fn n_numbers(self) -> usize {
        match self {
            Self::BaseColor => 4,
            Self::Tint
            | Self::EmissiveFactor
            | Self::SpecularColor
            | Self::Sheen
            | Self::AttenuationColor => 3,
            Self::UvOffset(_) | Self::UvScale(_) => 2,
            _ => 1,
        }
    }

    /// Minimum and maximum of each component.
    pub fn range(self) -> (f32, f32) {
        match self {
            Self::Metallic
            | Self::Roughness
            | Self::OcclusionStrength
            | Self::Specular
            | Self::Clearcoat
            | Self::ClearcoatRoughness
            | Self::Sheen
            | Self::SheenRoughness
            | Self::Transmission
            | Self::AttenuationColor => (0.0, 1.0),
            Self::NormalScale | Self::UvOffset(_) | Self::UvRotation(_) | Self::UvScale(_) => {
                (-MAX_NUMBER, MAX_NUMBER)
            }
            Self::AttenuationDistance => (f32::MIN_POSITIVE, f32::INFINITY),
            _ => (0.0, MAX_NUMBER),
        }
    }

    /// Bit mask with one bit for each component; no two factors share a bit.
    pub fn bits(self) -> u64 {
        let before = Self::ALL.iter().take_while(|factor| **factor != self);
        let first: usize = before.map(|factor| factor.n_numbers()).sum();
        ((1 << self.n_numbers()) - 1) << first
    }
}

impl MaterialValues {
    /// Values of a file's material.
    pub fn of(material: &Material) -> Self {
        let uv = |texture: &Option<TextureRef>| {
            texture.map_or(UvTransform::IDENTITY, |texture| texture.uv_transform)
        };
        Self {
            kind: material.kind,
            base_color: material.base_color,
            tint: Vec3::ONE,
            metallic: material.metallic,
            roughness: material.roughness,
            normal_scale: material.normal_scale,
            occlusion_strength: material.occlusion_strength,
            emissive_factor: material.emissive_factor,
            emissive_strength: material.emissive_strength,
            alpha_cutoff: match material.alpha {
                AlphaMode::Mask(cutoff) => cutoff,
                AlphaMode::Opaque | AlphaMode::Blend => 0.5,
            },
            specular: material.specular.factor,
            specular_color: material.specular.color,
            ior: material.ior,
            clearcoat: material.clearcoat.factor,
            clearcoat_roughness: material.clearcoat.roughness,
            sheen: material.sheen.color,
            sheen_roughness: material.sheen.roughness,
            transmission: material.transmission.factor,
            thickness: material.transmission.thickness,
            attenuation_color: material.transmission.attenuation_color,
            attenuation_distance: material.transmission.attenuation_distance,
            uv: [
                uv(&material.base_color_texture),
                uv(&material.metallic_roughness_texture),
                uv(&material.normal_texture),
                uv(&material.occlusion_texture),
                uv(&material.emissive_texture),
            ],
        }
    }

    /// Linear emitted light including the strength.
    pub fn emissive(&self) -> Vec3 {
        self.emissive_factor * self.emissive_strength
    }

    /// Returns the transform of a texture.
    pub fn uv(&self, slot: TextureSlot) -> UvTransform {
        self.uv[slot as usize]
    }

    /// Returns the components of a factor, [`Factor::n_numbers`] of them.
    pub fn numbers(&self, factor: Factor) -> &[f32] {
        let one = std::slice::from_ref;
        match factor {
            Factor::BaseColor => AsRef::<[f32; 4]>::as_ref(&self.base_color),
            Factor::Tint => three(&self.tint),
            Factor::Metallic => one(&self.metallic),
            Factor::Roughness => one(&self.roughness),
            Factor::NormalScale => one(&self.normal_scale),
            Factor::OcclusionStrength => one(&self.occlusion_strength),
            Factor::EmissiveFactor => three(&self.emissive_factor),
            Factor::EmissiveStrength => one(&self.emissive_strength),
            Factor::AlphaCutoff => one(&self.alpha_cutoff),
            Factor::Specular => one(&self.specular),
            Factor::SpecularColor => three(&self.specular_color),
            Factor::Ior => one(&self.ior),
            Factor::Clearcoat => one(&self.clearcoat),
            Factor::ClearcoatRoughness => one(&self.clearcoat_roughness),
            Factor::Sheen => three(&self.sheen),
            Factor::SheenRoughness => one(&self.sheen_roughness),
            Factor::Transmission => one(&self.transmission),
            Factor::Thickness => one(&self.thickness),
            Factor::AttenuationColor => three(&self.attenuation_color),
            Factor::AttenuationDistance => one(&self.attenuation_distance),
            Factor::UvOffset(slot) => two(&self.uv[slot as usize].offset),
            Factor::UvRotation(slot) => one(&self.uv[slot as usize].rotation),
            Factor::UvScale(slot) => two(&self.uv[slot as usize].scale),
        }
    }

    /// Returns the components of a factor for modification.
    pub fn numbers_mut(&mut self, factor: Factor) -> &mut [f32] {
        let one = std::slice::from_mut;
        match factor {
            Factor::BaseColor => AsMut::<[f32; 4]>::as_mut(&mut self.base_color),
            Factor::Tint => three_mut(&mut self.tint),
            Factor::Metallic => one(&mut self.metallic),
            Factor::Roughness => one(&mut self.roughness),
            Factor::NormalScale => one(&mut self.normal_scale),
            Factor::OcclusionStrength => one(&mut self.occlusion_strength),
            Factor::EmissiveFactor => three_mut(&mut self.emissive_factor),
            Factor::EmissiveStrength => one(&mut self.emissive_strength),
            Factor::AlphaCutoff => one(&mut self.alpha_cutoff),
            Factor::Specular => one(&mut self.specular),
            Factor::SpecularColor => three_mut(&mut self.specular_color),
            Factor::Ior => one(&mut self.ior),
            Factor::Clearcoat => one(&mut self.clearcoat),
            Factor::ClearcoatRoughness => one(&mut self.clearcoat_roughness),
            Factor::Sheen => three_mut(&mut self.sheen),
            Factor::SheenRoughness => one(&mut self.sheen_roughness),
            Factor::Transmission => one(&mut self.transmission),
            Factor::Thickness => one(&mut self.thickness),
            Factor::AttenuationColor => three_mut(&mut self.attenuation_color),
            Factor::AttenuationDistance => one(&mut self.attenuation_distance),
            Factor::UvOffset(slot) => two_mut(&mut self.uv[slot as usize].offset),
            Factor::UvRotation(slot) => one(&mut self.uv[slot as usize].rotation),
            Factor::UvScale(slot) => two_mut(&mut self.uv[slot as usize].scale),
        }
    }

    /// Sets one component of a factor, clamped to the factor's range. NaN and an invalid component index are ignored.
    pub fn set(&mut self, factor: Factor, number: usize, value: f32) {
        let (low, high) = factor.range();
        if let (Some(slot), false) = (self.numbers_mut(factor).get_mut(number), value.is_nan()) {
            *slot = value.clamp_to(low, high);
            if factor == Factor::Ior && *slot < 1.0 && *slot > 0.0 {
                *slot = 1.0;
            }
        }
    }

    /// Interpolates to other values by `u`, 0..=1; the kind is that of `to`.
    #[must_use]
    pub fn mix(&self, to: &Self, u: f32) -> Self {
        let mut out = *to;
        for factor in Factor::ALL {
            let numbers = out.numbers_mut(factor).iter_mut();
            for (out, from) in numbers.zip(self.numbers(factor)) {
                // An infinite distance cannot be interpolated.
                if from.is_finite() && out.is_finite() {
                    *out = from + (*out - from) * u;
                }
            }
        }
        out
    }
}

fn three(v: &Vec3) -> &[f32] {
    AsRef::<[f32; 3]>::as_ref(v)
}

fn three_mut(v: &mut Vec3) -> &mut [f32] {
    AsMut::<[f32; 3]>::as_mut(v)
}

fn two(v: &Vec2) -> &[f32] {
    AsRef::<[f32; 2]>::as_ref(v)
}

fn two_mut(v: &mut Vec2) -> &mut [f32] {
    AsMut::<[f32; 2]>::as_mut(v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_unique_bit_and_storage() {
        let mut seen = 0_u64;
        let mut values = MaterialValues::of(&Material::default());
        for factor in Factor::ALL {
            assert_eq!(seen & factor.bits(), 0, "{factor:?}");
            seen |= factor.bits();
            assert_eq!(
                values.numbers(factor).len(),
                factor.n_numbers(),
                "{factor:?}"
            );
            assert_eq!(factor.bits().count_ones() as usize, factor.n_numbers());
            let before = values;
            values.numbers_mut(factor).fill(0.25);
            for other in Factor::ALL.into_iter().filter(|other| *other != factor) {
                assert_eq!(
                    values.numbers(other),
                    before.numbers(other),
                    "{factor:?} {other:?}"
                );
            }
            values = before;
        }
        assert_eq!(seen.count_ones(), 58);
    }

    #[test]
    fn numbers_are_clamped_to_their_range() {
        let mut values = MaterialValues::of(&Material::default());
        values.set(Factor::Roughness, 0, -1.0);
        values.set(Factor::Metallic, 0, f32::NAN);
        values.set(Factor::Ior, 0, 0.5);
        values.set(Factor::BaseColor, 3, 0.5);
        values.set(Factor::Tint, 3, 9.0);
        assert_eq!(values.roughness, 0.0);
        assert_eq!(values.metallic, 1.0);
        assert_eq!(values.ior, 1.0);
        assert_eq!(values.base_color.w, 0.5);
        assert_eq!(values.tint, Vec3::ONE);
    }

    #[test]
    fn values_interpolate_linearly_and_an_infinite_distance_switches_at_once() {
        let from = MaterialValues::of(&Material::default());
        let mut to = from;
        to.roughness = 0.0;
        to.attenuation_distance = 2.0;
        to.kind = MaterialKind::Skin;
        let mixed = from.mix(&to, 0.5);
        assert_eq!(mixed.roughness, 0.5);
        assert_eq!(mixed.attenuation_distance, 2.0);
        assert_eq!(mixed.kind, MaterialKind::Skin);
        assert_eq!(mixed.base_color, from.base_color);
    }
}
