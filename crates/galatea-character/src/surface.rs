//! Material differences of one character from its file: overrides by the script, and values animated by clips.
//!
//! A factor set by the script keeps that value until the script resets it. All other factors have the file's value, or the
//! clip's value where a clip animates them (KHR_animation_pointer), blended like bones.

use serde::{Deserialize, Serialize};

use galatea_asset::Model;
use galatea_asset::model::{Factor, InstanceMaterial, MaterialKind, MaterialValues, TextureSlot};

/// A clip curve that animates a number of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialCurve {
    /// Index into [`galatea_anim::Pose::curves`].
    curve: usize,
    material: u16,
    factor: Factor,
    number: usize,
}

/// Returns the curves that animate materials of a model, sorted by material.
pub fn driven(model: &Model, curves: &[String]) -> Vec<MaterialCurve> {
    let found = curves.iter().enumerate().filter_map(|(curve, name)| {
        let (material, factor, number) = target(name)?;
        (usize::from(material) < model.materials.len()).then_some(MaterialCurve {
            curve,
            material,
            factor,
            number,
        })
    });
    let mut found: Vec<MaterialCurve> = found.collect();
    found.sort_by_key(|driven| driven.material);
    found
}

/// Returns the file's value of the material number that a curve animates. `None` for other curves, and for an infinite
/// distance, which a curve cannot start from.
pub fn at_rest(model: &Model, curve: &str) -> Option<f32> {
    let (material, factor, number) = target(curve)?;
    let material = model.materials.get(usize::from(material))?;
    let values = MaterialValues::of(material);
    let value = values.numbers(factor).get(number).copied();
    value.filter(|value| value.is_finite())
}

/// Parses a pointer (KHR_animation_pointer) with the letter of a component.
fn target(curve: &str) -> Option<(u16, Factor, usize)> {
    let (material, path) = curve.strip_prefix("/materials/")?.split_once('/')?;
    let (path, number) = match path.rsplit_once('.') {
        Some((path, letter)) => {
            let of = |letters: &str| letters.find(letter).filter(|_| letter.len() == 1);
            (path, of("rgba").or_else(|| of("xyzw"))?)
        }
        None => (path, 0),
    };
    let factor = factor(path)?;
    (number < factor.n_numbers()).then_some((material.parse().ok()?, factor, number))
}

fn factor(path: &str) -> Option<Factor> {
    if let Some((picture, field)) = path.split_once("/extensions/KHR_texture_transform/") {
        let slot = match picture {
            "pbrMetallicRoughness/baseColorTexture" => TextureSlot::BaseColor,
            "pbrMetallicRoughness/metallicRoughnessTexture" => TextureSlot::MetallicRoughness,
            "normalTexture" => TextureSlot::Normal,
            "occlusionTexture" => TextureSlot::Occlusion,
            "emissiveTexture" => TextureSlot::Emissive,
            _ => return None,
        };
        return match field {
            "offset" => Some(Factor::UvOffset(slot)),
            "rotation" => Some(Factor::UvRotation(slot)),
            "scale" => Some(Factor::UvScale(slot)),
            _ => None,
        };
    }
    Some(match path.strip_prefix("extensions/KHR_materials_") {
        None => match path {
            "pbrMetallicRoughness/baseColorFactor" => Factor::BaseColor,
            "pbrMetallicRoughness/metallicFactor" => Factor::Metallic,
            "pbrMetallicRoughness/roughnessFactor" => Factor::Roughness,
            "normalTexture/scale" => Factor::NormalScale,
            "occlusionTexture/strength" => Factor::OcclusionStrength,
            "emissiveFactor" => Factor::EmissiveFactor,
            "alphaCutoff" => Factor::AlphaCutoff,
            _ => return None,
        },
        Some(extension) => match extension {
            "emissive_strength/emissiveStrength" => Factor::EmissiveStrength,
            "specular/specularFactor" => Factor::Specular,
            "specular/specularColorFactor" => Factor::SpecularColor,
            "ior/ior" => Factor::Ior,
            "clearcoat/clearcoatFactor" => Factor::Clearcoat,
            "clearcoat/clearcoatRoughnessFactor" => Factor::ClearcoatRoughness,
            "sheen/sheenColorFactor" => Factor::Sheen,
            "sheen/sheenRoughnessFactor" => Factor::SheenRoughness,
            "transmission/transmissionFactor" => Factor::Transmission,
            "volume/thicknessFactor" => Factor::Thickness,
            "volume/attenuationColor" => Factor::AttenuationColor,
            "volume/attenuationDistance" => Factor::AttenuationDistance,
            _ => return None,
        },
    })
}

/// Material overrides by a script for one character, and the resulting values.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MaterialOverrides {
    /// Active variant, an index into [`Model::variants`]; `None` uses the plain materials.
    pub variant: Option<u16>,
    /// Overrides by the script, ascending by material.
    held: Vec<MaterialOverride>,
    fades: Vec<FactorFade>,
    /// Materials that differ from the file's, ascending, in this tick and in the previous one.
    shown: [Vec<InstanceMaterial>; 2],
}

/// A material with overrides by the script.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct MaterialOverride {
    material: u16,
    /// Numbers that are overridden, see [`Factor::bits`].
    bits: u64,
    kind: Option<MaterialKind>,
    /// Values; only the overridden numbers count.
    values: MaterialValues,
}

/// A fade of a material number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct FactorFade {
    material: u16,
    factor: Factor,
    number: usize,
    from: f32,
    to: f32,
    /// Elapsed time and total duration, seconds.
    t: f64,
    duration: f64,
}

impl MaterialOverrides {
    /// Returns a material's values with the script's overrides, without clip animation.
    pub fn values(&self, model: &Model, material: u16) -> MaterialValues {
        let file = model.materials.get(usize::from(material));
        let mut values =
            file.map_or_else(|| MaterialValues::of(&<_>::default()), MaterialValues::of);
        if let Ok(at) = self.find(material) {
            self.held[at].apply(&mut values);
        }
        values
    }

    /// Overrides one number of a material; ends a fade of it.
    pub fn set(&mut self, model: &Model, material: u16, factor: Factor, number: usize, value: f32) {
        self.end_fades(material, bit(factor, number));
        self.set_override(model, material, factor, number, value);
    }

    /// Overrides the kind of a material.
    pub fn set_kind(&mut self, model: &Model, material: u16, kind: MaterialKind) {
        self.override_mut(model, material).kind = Some(kind);
    }

    /// Fades one number of a material to a value over some seconds, and overrides it.
    pub fn fade(
        &mut self,
        model: &Model,
        material: u16,
        (factor, number): (Factor, usize),
        to: f32,
        seconds: f64,
    ) {
        let from = self
            .values(model, material)
            .numbers(factor)
            .get(number)
            .copied();
        let Some(from) = from else { return };
        if seconds <= 0.0 || !from.is_finite() {
            self.set(model, material, factor, number, to);
            return;
        }
        self.set(model, material, factor, number, from);
        self.fades.push(FactorFade {
            material,
            factor,
            number,
            from,
            to,
            t: 0.0,
            duration: seconds,
        });
    }

    /// Removes the overrides of these numbers of a material, and with `kind` that of its kind.
    pub fn reset(&mut self, material: u16, bits: u64, kind: bool) {
        self.end_fades(material, bits);
        let Ok(at) = self.find(material) else { return };
        let held = &mut self.held[at];
        held.bits &= !bits;
        if kind {
            held.kind = None;
        }
        if held.bits == 0 && held.kind.is_none() {
            self.held.remove(at);
        }
    }

    /// Advances the fades by `dt` seconds.
    pub fn advance(&mut self, model: &Model, dt: f64) {
        let mut i = 0;
        while let Some(fade) = self.fades.get_mut(i) {
            fade.t += dt;
            let FactorFade {
                material,
                factor,
                number,
                from,
                to,
                t,
                duration,
            } = *fade;
            let u = (t / duration).min(1.0) as f32;
            let value = if u < 1.0 { from + (to - from) * u } else { to };
            self.set_override(model, material, factor, number, value);
            if u < 1.0 {
                i += 1;
            } else {
                self.fades.remove(i);
            }
        }
    }

    /// Makes the current values the previous ones; [`MaterialOverrides::build`] reuses the older buffer.
    pub(super) fn begin_build(&mut self) {
        self.shown.swap(0, 1);
    }

    /// Lists the materials that differ from the file's. Applies the curves of a pose and `shifts`: the changes of material
    /// numbers by expressions, ascending by material.
    pub(super) fn build(
        &mut self,
        model: &Model,
        driven: &[MaterialCurve],
        curves: &[f32],
        mut shifts: &[(u16, Factor, usize, f32)],
    ) {
        let mut shown = std::mem::take(&mut self.shown[0]);
        shown.clear();
        let (mut held, mut driven) = (self.held.iter().peekable(), driven);
        loop {
            let next = [
                held.peek().map(|held| held.material),
                driven.first().map(|driven| driven.material),
                shifts.first().map(|shift| shift.0),
            ];
            let Some(material) = next.into_iter().flatten().min() else {
                break;
            };
            let Some(file) = model.materials.get(usize::from(material)) else {
                break;
            };
            let file = MaterialValues::of(file);
            let mut values = file;
            let n = driven.iter().take_while(|d| d.material == material).count();
            let (here, rest) = driven.split_at(n);
            driven = rest;
            for one in here {
                let value = curves.get(one.curve).copied();
                // The curve of an infinite attenuation distance rests at 0, see `at_rest`.
                let is_valid = |v: &f32| one.factor != Factor::AttenuationDistance || *v > 0.0;
                if let Some(value) = value.filter(is_valid) {
                    values.set(one.factor, one.number, value);
                }
            }
            let n = shifts.iter().take_while(|s| s.0 == material).count();
            let (here, rest) = shifts.split_at(n);
            shifts = rest;
            for &(_, factor, number, shift) in here {
                if let Some(value) = values.numbers(factor).get(number).copied() {
                    values.set(factor, number, value + shift);
                }
            }
            if let Some(held) = held.next_if(|held| held.material == material) {
                held.apply(&mut values);
            }
            if values != file {
                shown.push(InstanceMaterial { material, values });
            }
        }
        self.shown[0] = shown;
    }

    /// Makes the previous tick equal to the current one.
    pub(super) fn forget_motion(&mut self) {
        let [now, before] = &mut self.shown;
        before.clone_from(now);
    }

    /// Takes the current values of another character as this one's previous values.
    pub fn show_before(&mut self, was: &Self) {
        self.shown[1].clone_from(&was.shown[0]);
    }

    /// Adds the materials that differ from the file's, interpolated by `alpha` (0..=1) from the previous tick to the current
    /// one.
    pub fn snapshot(&self, model: &Model, alpha: f32, out: &mut Vec<InstanceMaterial>) {
        let [now, before] = &self.shown;
        out.extend(now.iter().map(|now| {
            let was = before.binary_search_by_key(&now.material, |was| was.material);
            let was = was.ok().and_then(|at| before.get(at)).map(|was| was.values);
            let was = was.or_else(|| {
                let file = model.materials.get(usize::from(now.material))?;
                Some(MaterialValues::of(file))
            });
            InstanceMaterial {
                material: now.material,
                values: match was {
                    Some(was) if alpha < 1.0 => was.mix(&now.values, alpha),
                    _ => now.values,
                },
            }
        }));
    }

    /// Rebinds overrides and variant by name to another version of the model. Removes overrides of materials that no longer
    /// exist.
    pub(super) fn rebind(&mut self, old: &Model, new: &Model) {
        let same = |material: u16| -> Option<u16> {
            let i = usize::from(material);
            let name = &old.materials.get(i)?.name;
            let is_it = |material: &galatea_asset::model::Material| material.name == *name;
            if new.materials.get(i).is_some_and(is_it) {
                return Some(material);
            }
            u16::try_from(new.materials.iter().position(is_it)?).ok()
        };
        self.held.retain_mut(|held| match same(held.material) {
            Some(material) => {
                held.material = material;
                true
            }
            None => false,
        });
        self.held.sort_by_key(|held| held.material);
        self.held.dedup_by_key(|held| held.material);
        self.fades.retain_mut(|fade| match same(fade.material) {
            Some(material) => {
                fade.material = material;
                true
            }
            None => false,
        });
        self.variant = self.variant.and_then(|variant| {
            let name = old.variants.get(usize::from(variant))?;
            let found = new.variants.iter().position(|other| other == name);
            u16::try_from(found?).ok()
        });
    }

    fn find(&self, material: u16) -> Result<usize, usize> {
        self.held
            .binary_search_by_key(&material, |held| held.material)
    }

    fn override_mut(&mut self, model: &Model, material: u16) -> &mut MaterialOverride {
        let at = match self.find(material) {
            Ok(at) => at,
            Err(at) => {
                let values = self.values(model, material);
                self.held.insert(
                    at,
                    MaterialOverride {
                        material,
                        bits: 0,
                        kind: None,
                        values,
                    },
                );
                at
            }
        };
        &mut self.held[at]
    }

    fn set_override(
        &mut self,
        model: &Model,
        material: u16,
        factor: Factor,
        number: usize,
        value: f32,
    ) {
        let held = self.override_mut(model, material);
        held.values.set(factor, number, value);
        held.bits |= bit(factor, number);
    }

    fn end_fades(&mut self, material: u16, bits: u64) {
        self.fades
            .retain(|fade| fade.material != material || bit(fade.factor, fade.number) & bits == 0);
    }
}

impl MaterialOverride {
    fn apply(&self, values: &mut MaterialValues) {
        if let Some(kind) = self.kind {
            values.kind = kind;
        }
        for factor in Factor::ALL {
            if factor.bits() & self.bits == 0 {
                continue;
            }
            let from = self.values.numbers(factor);
            for (i, to) in values.numbers_mut(factor).iter_mut().enumerate() {
                if let (true, Some(value)) = (bit(factor, i) & self.bits != 0, from.get(i)) {
                    *to = *value;
                }
            }
        }
    }
}

/// Returns the bit of one number.
fn bit(factor: Factor, number: usize) -> u64 {
    let bits = factor.bits();
    bits & (1 << (bits.trailing_zeros() as usize + number).min(63))
}

#[cfg(test)]
mod tests;
