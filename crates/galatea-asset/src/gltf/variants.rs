//! KHR_materials_variants: variant names of a file, and the material of a primitive in each.

use gltf::json;
use gltf::json::extensions::root;
use serde_json::Value;

use super::error::Warnings;

/// The extension's name.
pub const NAME: &str = "KHR_materials_variants";

/// Limit of variants per file.
const MAX_VARIANTS: usize = 1000;

/// Variants of the file by name. Variants with equal names are merged.
#[derive(Debug, Default)]
pub struct MaterialVariants {
    /// Unique names.
    pub names: Vec<String>,
    /// Index into `names` for each variant of the file.
    indices: Vec<u16>,
}

impl MaterialVariants {
    /// Reads the variants of a file.
    pub fn read(extensions: Option<&root::Root>, warnings: &Warnings) -> Self {
        let list = extensions.and_then(|extensions| extensions.others.get(NAME)?.get("variants"));
        let list = list
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let mut out = Self::default();
        if list.len() > MAX_VARIANTS {
            warnings.add(format!(
                "the file has {} variants; only the first {MAX_VARIANTS} are read",
                list.len()
            ));
        }
        for (i, variant) in list.iter().take(MAX_VARIANTS).enumerate() {
            let name = variant.get("name").and_then(Value::as_str);
            let name = match name {
                Some(name) if !name.is_empty() => name.to_owned(),
                _ => format!("variant_{i}"),
            };
            let known = out.names.iter().position(|known| *known == name);
            let index = known.unwrap_or_else(|| {
                out.names.push(name);
                out.names.len() - 1
            });
            out.indices.push(index as u16);
        }
        out
    }

    /// Materials of a primitive in each variant that changes it, see [`crate::model::Primitive::variants`]. Indices must be
    /// below `n_materials`.
    pub fn of(
        &self,
        primitive: &json::mesh::Primitive,
        n_materials: usize,
        what: &str,
        warnings: &Warnings,
    ) -> Vec<(u16, usize)> {
        let extension = primitive.extensions.as_ref();
        let mappings = extension.and_then(|all| all.others.get(NAME)?.get("mappings")?.as_array());
        let mut out: Vec<(u16, usize)> = Vec::new();
        for mapping in mappings.into_iter().flatten() {
            let material = mapping.get("material").and_then(Value::as_u64);
            let material = material.and_then(|material| usize::try_from(material).ok());
            let Some(material) = material.filter(|material| *material < n_materials) else {
                warnings.add(format!(
                    "{what}: a variant refers to a material that does not exist"
                ));
                continue;
            };
            let variants = mapping.get("variants").and_then(Value::as_array);
            for variant in variants.into_iter().flatten() {
                let variant = variant
                    .as_u64()
                    .and_then(|variant| usize::try_from(variant).ok());
                match variant.and_then(|variant| self.indices.get(variant)) {
                    Some(&index) => {
                        if let Err(at) = out.binary_search_by_key(&index, |pair| pair.0) {
                            out.insert(at, (index, material));
                        }
                    }
                    None => {
                        warnings.add(format!("{what}: refers to a variant that does not exist"))
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(names: &[&str], mappings: Value) -> (MaterialVariants, Vec<(u16, usize)>, Vec<String>) {
        let variants: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
        let root: root::Root =
            serde_json::from_value(json!({NAME: {"variants": variants}})).unwrap();
        let primitive = json!({"attributes": {}, "extensions": {NAME: {"mappings": mappings}}});
        let primitive: json::mesh::Primitive = serde_json::from_value(primitive).unwrap();
        let warnings = Warnings::default();
        let variants = MaterialVariants::read(Some(&root), &warnings);
        let of = variants.of(&primitive, 3, "mesh \"m\"", &warnings);
        (variants, of, warnings.into_list())
    }

    #[test]
    fn each_variant_of_a_primitive_has_its_material() {
        let (variants, of, warnings) = read(
            &["red", "blue", "red"],
            json!([{"material": 2, "variants": [1]}, {"material": 1, "variants": [0, 2]}]),
        );
        assert_eq!(variants.names, ["red", "blue"]);
        assert_eq!(of, [(0, 1), (1, 2)]);
        assert!(warnings.is_empty(), "{warnings:?}");
        let primitive = crate::model::Primitive {
            variants: of,
            ..Default::default()
        };
        let shown = [None, Some(0), Some(1), Some(2)].map(|v| primitive.material_in(v));
        assert_eq!(shown, [0, 1, 2, 0]);
    }

    #[test]
    fn missing_references_are_skipped_with_a_warning() {
        let (variants, of, warnings) = read(
            &["", "blue"],
            json!([{"material": 3, "variants": [1]}, {"variants": [1]},
                   {"material": 0, "variants": [7, 1, "x"]}]),
        );
        assert_eq!(variants.names, ["variant_0", "blue"]);
        assert_eq!(of, [(1, 0)]);
        assert_eq!(
            warnings,
            [
                "mesh \"m\": a variant refers to a material that does not exist",
                "mesh \"m\": refers to a variant that does not exist"
            ]
        );
    }
}
