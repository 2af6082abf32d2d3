//! Ragdoll settings of nodes: `extras.ragdoll` (docs/body.md).
//!
//! Caller: the parent module. Invariant: everything skipped is reported with node and field.

use gltf::json::Root;

use super::error::Warnings;
use super::nodes::Tree;
use super::plain_json;
use crate::ragdoll::RagdollBodySpec;

/// Ragdoll settings of all nodes that are bones, ascending by bone.
pub fn load(document: &Root, tree: &Tree, warnings: &Warnings) -> Vec<(u16, RagdollBodySpec)> {
    let mut wishes = Vec::new();
    for (i, node) in document.nodes.iter().enumerate() {
        let extras = plain_json::extras(&node.extras);
        let (Some(value), Some(bone)) = (extras.get("ragdoll"), tree.bone(i)) else {
            continue;
        };
        let bones = tree.skeleton.bones();
        let name = bones.get(usize::from(bone)).map_or("", |bone| &bone.name);
        let mut warn =
            |text: String| warnings.add(format!("node {name:?}, extras.ragdoll: {text}"));
        wishes.push((bone, RagdollBodySpec::read(value, &mut warn)));
    }
    wishes.sort_by_key(|(bone, _)| *bone);
    wishes
}
