//! Report of materials and variants.

use glam::Vec3;
use serde::Serialize;

use galatea_asset::model::{AlphaMode, Material, Model, OutlineMode};

#[derive(Debug, Serialize)]
pub struct MaterialReport {
    name: String,
    kind: &'static str,
    /// Layers and modes beyond a plain opaque surface.
    features: Vec<&'static str>,
    textures: usize,
    /// Wrinkle regions.
    wrinkles: Vec<String>,
    /// Primitives that use it when no variant is selected.
    primitives: usize,
}

/// Materials of a model, without the default material if no primitive uses it.
pub fn materials(model: &Model) -> Vec<MaterialReport> {
    let last = model.materials.len().saturating_sub(1);
    let reports = model.materials.iter().enumerate().map(|(i, material)| {
        let primitives = model.primitives().filter(|p| p.material == i).count();
        let report = MaterialReport {
            name: material.name.clone(),
            kind: material.kind.name(),
            features: features(material),
            textures: material.textures().count(),
            wrinkles: material
                .wrinkles
                .as_ref()
                .map_or_else(Vec::new, |wrinkles| {
                    let regions = wrinkles.regions.iter();
                    regions.map(|region| region.name.clone()).collect()
                }),
            primitives,
        };
        (i, report)
    });
    reports
        .filter(|(i, report)| *i != last || report.primitives > 0)
        .map(|(_, report)| report)
        .collect()
}

fn features(material: &Material) -> Vec<&'static str> {
    let toon = material.toon.as_deref();
    let outlined =
        toon.is_some_and(|toon| toon.outline.mode != OutlineMode::None && toon.outline.width > 0.0);
    let specular = &material.specular;
    let all = [
        (matches!(material.alpha, AlphaMode::Mask(_)), "mask"),
        (material.alpha == AlphaMode::Blend, "blend"),
        (material.double_sided, "double-sided"),
        (material.unlit && toon.is_none(), "unlit"),
        (material.normal_texture.is_some(), "normals"),
        (material.emissive() != Vec3::ZERO, "emission"),
        (
            specular.factor != 1.0
                || specular.color != Vec3::ONE
                || specular.texture.is_some()
                || specular.color_texture.is_some(),
            "specular",
        ),
        (material.ior != 1.5, "ior"),
        (material.clearcoat.factor > 0.0, "clearcoat"),
        (material.sheen.color != Vec3::ZERO, "sheen"),
        (material.transmission.factor > 0.0, "transmission"),
        (material.transmission.thickness > 0.0, "volume"),
        (outlined, "outline"),
    ];
    all.into_iter()
        .filter_map(|(has, word)| has.then_some(word))
        .collect()
}

/// The report as lines of text.
pub fn lines(materials: &[MaterialReport], variants: &[String]) -> Vec<String> {
    let mut out = vec![format!("materials ({})", materials.len())];
    for material in materials {
        let name = match material.name.as_str() {
            "" => "(no name)",
            name => name,
        };
        let mut text = format!("  {name}: {}", material.kind);
        for feature in &material.features {
            text.push_str(", ");
            text.push_str(feature);
        }
        let s = if material.textures == 1 { "" } else { "s" };
        match material.textures {
            0 => {}
            n => text.push_str(&format!(", {n} texture{s}")),
        }
        if !material.wrinkles.is_empty() {
            text.push_str(&format!(", wrinkles: {}", material.wrinkles.join(" ")));
        }
        if material.primitives == 0 {
            text.push_str(", not used");
        }
        out.push(text);
    }
    if !variants.is_empty() {
        out.push(format!("variants ({})", variants.len()));
        out.extend(variants.iter().map(|name| format!("  {name}")));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_asset::model::{MaterialKind, Mesh, Primitive, Toon};

    #[test]
    fn kind_features_and_variants_are_listed() {
        let mut skin = Material {
            name: "Skin".into(),
            kind: MaterialKind::Skin,
            alpha: AlphaMode::Blend,
            ior: 1.4,
            ..Material::default()
        };
        skin.clearcoat.factor = 0.3;
        let toon = Material {
            kind: MaterialKind::Toon,
            unlit: true,
            toon: Some(Box::new(Toon::default())),
            ..Material::default()
        };
        let model = Model {
            materials: vec![skin, toon, Material::default()],
            meshes: vec![Mesh {
                primitives: vec![Primitive::default()],
                ..Mesh::default()
            }],
            ..Model::default()
        };
        let lines = lines(&materials(&model), &["red".into(), "blue".into()]);
        assert_eq!(
            lines,
            [
                "materials (2)",
                "  Skin: skin, blend, ior, clearcoat",
                "  (no name): toon, not used",
                "variants (2)",
                "  red",
                "  blue"
            ]
        );
    }
}
