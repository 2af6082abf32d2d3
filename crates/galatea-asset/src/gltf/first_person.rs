//! First-person visibility in VRM files: `VRMC_vrm.firstPerson` of VRM 1.0, `firstPerson` of VRM 0.x.
//!
//! Caller: the parent module. Invariant: everything skipped is reported in a warning.

use gltf::json::Root;
use serde_json::Value;

use super::error::Warnings;
use super::nodes::Tree;
use crate::model::SeenFrom;

/// Values of both formats in lower case.
const WORDS: [(&str, SeenFrom); 4] = [
    ("auto", SeenFrom::Auto),
    ("both", SeenFrom::Both),
    ("firstpersononly", SeenFrom::OwnEyes),
    ("thirdpersononly", SeenFrom::Outside),
];

/// Visibility of each node with an annotated mesh, ascending by node.
pub fn read(document: &Root, tree: &Tree, warnings: &Warnings) -> Vec<(u16, SeenFrom)> {
    let all = document.extensions.as_ref().map(|known| &known.others);
    let of = |name: &str| all?.get(name)?.get("firstPerson")?.get("meshAnnotations");
    let (annotations, index, word) = match (of("VRMC_vrm"), of("VRM")) {
        (Some(annotations), _) => (annotations, "node", "type"),
        (None, Some(annotations)) => (annotations, "mesh", "firstPersonFlag"),
        (None, None) => return Vec::new(),
    };
    let mut found = Vec::new();
    for annotation in annotations.as_array().into_iter().flatten() {
        let annotated = annotation
            .get(word)
            .and_then(Value::as_str)
            .unwrap_or_default();
        let lower = annotated.to_ascii_lowercase();
        let known = WORDS.iter().find(|(known, _)| *known == lower);
        let at = annotation.get(index).and_then(Value::as_u64);
        let (Some((_, seen)), Some(at)) = (known, at.and_then(|at| usize::try_from(at).ok()))
        else {
            warnings.add(format!(
                "first person: the annotation {annotation} is invalid; left out"
            ));
            continue;
        };
        let nodes = document.nodes.iter().enumerate();
        let is_meant = |(i, node): &(usize, &gltf::json::Node)| match index {
            "node" => *i == at,
            _ => node.mesh.is_some_and(|mesh| mesh.value() == at),
        };
        let bones = nodes.filter(is_meant).filter_map(|(i, _)| tree.bone(i));
        found.extend(bones.map(|bone| (bone, *seen)));
    }
    found.sort_by_key(|(bone, _)| *bone);
    found.dedup_by_key(|(bone, _)| *bone);
    found.retain(|(_, seen)| *seen != SeenFrom::Auto);
    found
}
