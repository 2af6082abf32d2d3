//! Author and licence of a file: `meta` of VRM 0.x and 1.0, `copyright` of glTF.

use gltf::json::Root;
use serde_json::Value;

use crate::model::meta::{Meta, NAMES};

pub fn read(document: &Root) -> Meta {
    let others = document.extensions.as_ref().map(|all| &all.others);
    let meta = ["VRMC_vrm", "VRM"]
        .iter()
        .find_map(|name| others?.get(*name)?.get("meta"));
    let mut found: Meta = Vec::new();
    for (name, called) in NAMES {
        let text = match name {
            "copyright" => document.asset.copyright.clone(),
            "generator" => document.asset.generator.clone(),
            name => meta.and_then(|meta| text(meta.get(name)?)),
        };
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            found.push((called, text));
        }
    }
    found
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(allowed) => Some(if *allowed { "yes" } else { "no" }.to_owned()),
        Value::Array(list) => {
            let all: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            Some(all.join(", "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::gltf::load_slice;

    fn meta(extensions: &str) -> Vec<(&'static str, String)> {
        let json = format!(
            r#"{{"asset": {{"version": "2.0", "copyright": "CC0"}}, "nodes": [{{}}], {extensions}}}"#
        );
        let mut none = |_: &str| Err(String::new());
        load_slice("a.vrm", json.as_bytes(), &mut none)
            .unwrap()
            .meta
    }

    #[test]
    fn author_and_licence_of_both_versions_are_read() {
        let owned = |pairs: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
            pairs
                .iter()
                .map(|(name, text)| (*name, (*text).to_owned()))
                .collect()
        };
        let one = meta(
            r#""extensions": {"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {}}, "meta":
               {"name": "Ada", "authors": ["A", "B"], "licenseUrl": "https://vrm.dev/licenses/1.0/",
                "allowExcessivelyViolentUsage": false}}}, "extensionsUsed": ["VRMC_vrm"]"#,
        );
        let expected = [
            ("name", "Ada"),
            ("author", "A, B"),
            ("licence", "https://vrm.dev/licenses/1.0/"),
            ("violent use", "no"),
            ("copyright", "CC0"),
        ];
        assert_eq!(one, owned(&expected));
        let zero = meta(
            r#""extensions": {"VRM": {"meta": {"title": "Eve", "author": "C", "violentUssageName": "Disallow",
               "contactInformation": " "}}}, "extensionsUsed": ["VRM"]"#,
        );
        let expected = [
            ("name", "Eve"),
            ("author", "C"),
            ("violent use", "Disallow"),
            ("copyright", "CC0"),
        ];
        assert_eq!(zero, owned(&expected));
    }
}
