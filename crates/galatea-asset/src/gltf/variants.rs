//! KHR_materials_variants: names of the file, and which material a primitive has in each.

use gltf::json;
use gltf::json::extensions::root;
use serde_json::Value;

use super::error::Warnings;

/// The extension's name.
pub const NAME: &str = "KHR_materials_variants";

/// Variants that are read; more than any shop shows.
const MOST: usize = 1000;

/// The file's variants, by name, and where one of each index stands: files may name two alike, which are
/// then one.
#[derive(Debug, Default)]
pub struct MaterialVariants {
    /// Each name once.
    pub names: Vec<String>,
    /// Index into `names` for each variant of the file.
    places: Vec<u16>,
}

impl MaterialVariants {
    /// Reads the names.
    pub fn read(extensions: Option<&root::Root>, warnings: &Warnings) -> Self {
        let list = extensions.and_then(|extensions| extensions.others.get(NAME)?.get("variants"));
        let list = list
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        let mut out = Self::default();
        if list.len() > MOST {
            warnings.add(format!(
                "{} variants; the first {MOST} are read",
                list.len()
            ));
        }
        for (i, variant) in list.iter().take(MOST).enumerate() {
            let name = variant.get("name").and_then(Value::as_str);
            let name = match name {
                Some(name) if !name.is_empty() => name.to_owned(),
                _ => format!("variant_{i}"),
            };
            let known = out.names.iter().position(|known| *known == name);
            let place = known.unwrap_or_else(|| {
                out.names.push(name);
                out.names.len() - 1
            });
            out.places.push(place as u16);
        }
        out
    }

    /// The materials of a primitive in each variant that names one, see
    /// [`crate::model::Primitive::variants`]. `n_materials` are there.
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
                    "{what}: a variant names a material that does not exist"
                ));
                continue;
            };
            let variants = mapping.get("variants").and_then(Value::as_array);
            for variant in variants.into_iter().flatten() {
                let variant = variant
                    .as_u64()
                    .and_then(|variant| usize::try_from(variant).ok());
                match variant.and_then(|variant| self.places.get(variant)) {
                    Some(&place) => {
                        if let Err(at) = out.binary_search_by_key(&place, |pair| pair.0) {
                            out.insert(at, (place, material));
                        }
                    }
                    None => warnings.add(format!("{what}: names a variant that does not exist")),
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
    fn what_does_not_exist_is_left_out_with_a_warning() {
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
                "mesh \"m\": a variant names a material that does not exist",
                "mesh \"m\": names a variant that does not exist"
            ]
        );
    }
}
