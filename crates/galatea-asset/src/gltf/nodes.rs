//! The node tree as a flat skeleton, parents before children.

use std::collections::{HashMap, HashSet};

use glam::{Mat4, Quat, Vec3};
use gltf::json::scene::UnitQuaternion;
use gltf::json::{Index, Node, Root};

use super::error::{LoadFault, Warnings, call};
use super::vrm_names::declares_body;
use crate::limits::{self, MAX_NUMBER, is_sound_vector};
use crate::near_origin;
use galatea_anim::reparent::{self, ReparentedBone};
use galatea_anim::{Bone, Clip, Skeleton};
use galatea_math::Trs;

/// The skeleton, and the bone of each node.
#[derive(Debug)]
pub struct Tree {
    pub skeleton: Skeleton,
    /// Bone of each node; `None` for unused nodes outside the scene.
    pub bone_of: Vec<Option<u16>>,
    /// Nodes of the shown scene in bone order; their meshes are drawn.
    pub shown: Vec<usize>,
    /// Bones with another parent than in the file, see [`reparent`].
    pub moved: Vec<ReparentedBone>,
}

impl Tree {
    /// Flattens the default scene (otherwise the first, otherwise all nodes), and the nodes outside it that are joints or
    /// animated, with their ancestors.
    pub fn build(document: &Root, warnings: &Warnings) -> Result<Self, LoadFault> {
        let nodes = &document.nodes;
        let parents = find_parents(nodes)?;
        let order = depth_first(nodes, &parents)?;

        // Parents come before children in `order`, so one pass forward spreads "shown" down and one
        // pass backward spreads "needed" up.
        let mut shown = scene_roots(document, &parents)?;
        for &node in &order {
            if parents[node].is_some_and(|parent| shown[parent]) {
                shown[node] = true;
            }
        }
        let mut needed = shown.clone();
        for node in joints_and_animated_nodes(document) {
            if let Some(flag) = needed.get_mut(node) {
                *flag = true;
            }
        }
        for &node in order.iter().rev() {
            if let Some(parent) = parents[node]
                && needed[node]
            {
                needed[parent] = true;
            }
        }

        let node_of: Vec<usize> = order.into_iter().filter(|&node| needed[node]).collect();
        if node_of.len() > usize::from(u16::MAX) {
            return Err(LoadFault::Nodes(format!(
                "the file has {} nodes; the limit is 65 535",
                node_of.len()
            )));
        }
        let mut bone_of = vec![None; nodes.len()];
        for (bone, &node) in node_of.iter().enumerate() {
            bone_of[node] = Some(bone as u16);
        }
        let joints: HashSet<usize> = document
            .skins
            .iter()
            .flat_map(|skin| skin.joints.iter().map(Index::value))
            .collect();
        let names = unique_names(
            node_of
                .iter()
                .map(|&node| match nodes[node].name.as_deref() {
                    Some(name) if !name.is_empty() => name.to_owned(),
                    _ => format!("node_{node}"),
                }),
        );
        let mut bones: Vec<Bone> = node_of
            .iter()
            .zip(names)
            .map(|(&node, name)| Bone {
                rest: rest_of(&nodes[node], &name, warnings),
                parent: parents[node].and_then(|parent| bone_of[parent]),
                skinned: joints.contains(&node),
                name,
            })
            .collect();
        near_origin::bones(&mut bones, &mut |text| warnings.add(text));
        let skeleton = Skeleton::new(bones).map_err(|error| LoadFault::Nodes(error.to_string()))?;
        let (skeleton, node_of, moved) = if declares_body(document) {
            (skeleton, node_of, Vec::new())
        } else {
            with_body_together(skeleton, node_of)
        };
        for (bone, &node) in node_of.iter().enumerate() {
            bone_of[node] = Some(bone as u16);
        }
        let shown = node_of.into_iter().filter(|&node| shown[node]).collect();
        Ok(Self {
            skeleton,
            bone_of,
            shown,
            moved,
        })
    }

    /// Adapts a clip to the bones that have another parent than in the file.
    pub fn rebase(&self, clip: &mut Clip) {
        if !self.moved.is_empty() {
            reparent::rebase(clip, &self.skeleton, &self.moved);
        }
    }

    /// The bone of a node, if the node exists and is in the skeleton.
    pub fn bone(&self, node: usize) -> Option<u16> {
        self.bone_of.get(node).copied().flatten()
    }
}

/// The skeleton with legs, feet and spine reparented to the bones that they move with, and its nodes in the new order.
fn with_body_together(
    skeleton: Skeleton,
    nodes: Vec<usize>,
) -> (Skeleton, Vec<usize>, Vec<ReparentedBone>) {
    let moves = reparent::find(&skeleton);
    let Some(new) = reparent::apply(&skeleton, &moves) else {
        return (skeleton, nodes, Vec::new());
    };
    let nodes = new.old_index.iter().map(|old| nodes[usize::from(*old)]);
    (new.skeleton, nodes.collect(), new.moved)
}

fn name_of(nodes: &[Node], index: usize) -> String {
    let name = nodes.get(index).and_then(|node| node.name.as_deref());
    call("node", name, index)
}

fn children(node: &Node) -> impl DoubleEndedIterator<Item = usize> {
    let children = node.children.iter().flatten();
    children.map(Index::value)
}

fn find_parents(nodes: &[Node]) -> Result<Vec<Option<usize>>, LoadFault> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for child in children(node) {
            let Some(slot) = parents.get_mut(child) else {
                return Err(LoadFault::Nodes(format!(
                    "{} has the child {child}, which does not exist",
                    name_of(nodes, i)
                )));
            };
            match *slot {
                Some(other) if other != i => {
                    return Err(LoadFault::Nodes(format!(
                        "{} is a child of both {} and {}",
                        name_of(nodes, child),
                        name_of(nodes, other),
                        name_of(nodes, i)
                    )));
                }
                _ => *slot = Some(i),
            }
        }
    }
    Ok(parents)
}

/// All nodes, each after its parent and directly followed by its own subtree.
fn depth_first(nodes: &[Node], parents: &[Option<usize>]) -> Result<Vec<usize>, LoadFault> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut seen = vec![false; nodes.len()];
    let mut stack = Vec::new();
    for root in (0..nodes.len()).filter(|&node| parents[node].is_none()) {
        stack.push(root);
        while let Some(node) = stack.pop() {
            // A child may be listed twice by one parent.
            if !std::mem::replace(&mut seen[node], true) {
                order.push(node);
                stack.extend(children(&nodes[node]).rev());
            }
        }
    }
    match seen.iter().position(|&seen| !seen) {
        None => Ok(order),
        Some(in_cycle) => Err(LoadFault::Nodes(format!(
            "the nodes {} form a cycle of parents",
            cycle_above(nodes, parents, in_cycle)
        ))),
    }
}

/// Names of the nodes on the cycle above `start`.
fn cycle_above(nodes: &[Node], parents: &[Option<usize>], start: usize) -> String {
    let mut at = start;
    for _ in 0..nodes.len() {
        at = parents[at].unwrap_or(at);
    }
    let first = at;
    let mut names = vec![name_of(nodes, first)];
    loop {
        at = parents[at].unwrap_or(first);
        if at == first {
            return names.join(", ");
        }
        if names.len() == 8 {
            names.push("…".into());
            return names.join(", ");
        }
        names.push(name_of(nodes, at));
    }
}

/// Marks the nodes listed in the scene.
fn scene_roots(document: &Root, parents: &[Option<usize>]) -> Result<Vec<bool>, LoadFault> {
    let index = document.scene.map_or(0, |scene| scene.value());
    let Some(scene) = document.scenes.get(index) else {
        if document.scene.is_some() {
            return Err(LoadFault::Nodes(format!("scene {index} does not exist")));
        }
        return Ok(parents.iter().map(Option::is_none).collect());
    };
    let mut marked = vec![false; parents.len()];
    for node in &scene.nodes {
        *marked.get_mut(node.value()).ok_or_else(|| {
            LoadFault::Nodes(format!(
                "scene {index} lists node {node}, which does not exist"
            ))
        })? = true;
    }
    Ok(marked)
}

/// Joints and animated nodes, wherever they are.
fn joints_and_animated_nodes(document: &Root) -> impl Iterator<Item = usize> + '_ {
    let joints = document.skins.iter().flat_map(|skin| &skin.joints);
    let animated = document
        .animations
        .iter()
        .flat_map(|animation| &animation.channels)
        .map(|channel| &channel.target.node);
    joints.chain(animated).map(Index::value)
}

/// Makes names unique: the first keeps its name, later ones become `name.1`, `name.2`, ….
pub fn unique_names(names: impl Iterator<Item = String>) -> Vec<String> {
    let names: Vec<String> = names.collect();
    let mut taken: HashSet<String> = names.iter().cloned().collect();
    let mut uses: HashMap<String, usize> = HashMap::new();
    names
        .into_iter()
        .map(|name| {
            let n = uses.entry(name.clone()).or_default();
            if *n == 0 {
                *n = 1;
                return name;
            }
            loop {
                let candidate = format!("{name}.{n}");
                *n += 1;
                if taken.insert(candidate.clone()) {
                    return candidate;
                }
            }
        })
        .collect()
}

/// Returns true if a transform has only finite numbers within the limits.
fn is_valid(trs: Trs) -> bool {
    trs.is_finite() && is_sound_vector(trs.translation) && is_sound_vector(trs.scale)
}

/// Returns the transform of a node; damaged values are replaced.
pub fn rest_of(node: &Node, name: &str, warnings: &Warnings) -> Trs {
    let trs = written_rest(node, name, warnings);
    Trs {
        scale: limits::scale(trs.scale),
        ..trs
    }
}

fn written_rest(node: &Node, name: &str, warnings: &Warnings) -> Trs {
    if let Some(matrix) = &node.matrix {
        let (trs, exact) = Trs::from_matrix(Mat4::from_cols_array(matrix));
        if !is_valid(trs) {
            warnings.add(format!(
                "node {name:?}: the matrix has values that are NaN or beyond {MAX_NUMBER:e}; the identity is used"
            ));
            return Trs::IDENTITY;
        }
        if !exact {
            warnings.add(format!(
                "node {name:?}: the matrix has shear; the nearest translation, rotation and scale are used"
            ));
        }
        return trs;
    }
    let UnitQuaternion(rotation) = node.rotation.unwrap_or_default();
    let rotation = Quat::from_array(rotation);
    let mut trs = Trs {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation: unit(rotation).unwrap_or_else(|| {
            warnings.add(format!(
                "node {name:?}: the rotation has length 0; the identity is used"
            ));
            Quat::IDENTITY
        }),
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    };
    if !is_valid(trs) {
        warnings.add(format!(
            "node {name:?}: the translation or scale is NaN or beyond {MAX_NUMBER:e}; the default is used"
        ));
        trs.translation = Vec3::ZERO;
        trs.scale = Vec3::ONE;
    }
    trs
}

/// Normalises a quaternion; `None` if it is zero or not finite. A unit quaternion stays bit-identical, so that repeated
/// loading and saving does not change it.
pub fn unit(q: Quat) -> Option<Quat> {
    let length = q.length_squared();
    if (length - 1.0).abs() <= 1e-6 {
        Some(q)
    } else if length.is_finite() && length > 1e-12 {
        Some(q * length.sqrt().recip())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::mend;
    use super::*;

    fn build(value: serde_json::Value) -> Result<(Tree, Vec<String>), String> {
        let mut value = value;
        value["asset"] = json!({"version": "2.0"});
        let warnings = Warnings::default();
        let text = value.to_string();
        let document = mend::document(mend::Members::split(&text).unwrap(), &warnings).unwrap();
        let tree = Tree::build(&document, &warnings).map_err(|fault| fault.to_string())?;
        Ok((tree, warnings.into_list()))
    }

    fn names(tree: &Tree) -> Vec<&str> {
        let bones = tree.skeleton.bones();
        bones.iter().map(|bone| bone.name.as_str()).collect()
    }

    #[test]
    fn children_follow_their_parents_whatever_the_files_order() {
        let (tree, _) = build(json!({"scenes": [{"nodes": [2]}], "nodes": [
            {"name": "hand"}, {"name": "arm", "children": [0]},
            {"name": "hips", "children": [1, 3]}, {"name": "leg"}, {"name": "elsewhere"}]}))
        .unwrap();
        assert_eq!(names(&tree), ["hips", "arm", "hand", "leg"]);
        assert_eq!(tree.skeleton.bones()[3].parent, Some(0));
        assert_eq!(tree.bone(4), None);
        assert_eq!(tree.bone(99), None);
    }

    #[test]
    fn joints_outside_the_scene_come_with_their_ancestors_and_are_not_shown() {
        let (tree, _) = build(json!({"scene": 0, "scenes": [{"nodes": [0]}], "nodes": [
            {"name": "body"}, {"name": "root", "children": [2, 3]}, {"name": "joint"},
            {"name": "other"}], "skins": [{"joints": [2]}]}))
        .unwrap();
        assert_eq!(names(&tree), ["body", "root", "joint"]);
        assert_eq!(tree.shown, [0]);
        assert!(tree.skeleton.bones()[2].skinned);
        assert!(!tree.skeleton.bones()[1].skinned);
    }

    #[test]
    fn cycles_and_two_parents_are_rejected_by_name() {
        let error = build(json!({"nodes": [
            {"name": "a", "children": [1]}, {"name": "b", "children": [0]}]}))
        .unwrap_err();
        assert!(
            error.contains("\"a\"") && error.contains("\"b\""),
            "{error}"
        );
        let error = build(json!({"nodes": [
            {"children": [2]}, {"children": [2]}, {"name": "child"}]}))
        .unwrap_err();
        assert!(
            error.contains("\"child\" is a child of both node 0 and node 1"),
            "{error}"
        );
        assert!(build(json!({"nodes": [{"children": [0]}]})).is_err());
        assert!(build(json!({"nodes": [{"children": [7]}]})).is_err());
        assert!(build(json!({"scenes": [{"nodes": [1]}], "nodes": [{}]})).is_err());
    }

    #[test]
    fn a_very_deep_tree_is_rejected_without_overflowing_the_stack() {
        let nodes: Vec<_> = (0..100_000)
            .map(|i| {
                if i < 99_999 {
                    json!({"children": [i + 1]})
                } else {
                    json!({})
                }
            })
            .collect();
        let error = build(json!({"nodes": nodes})).unwrap_err();
        assert!(error.contains("100000 nodes"), "{error}");
    }

    #[test]
    fn names_are_made_unique_and_unnamed_nodes_numbered() {
        let (tree, _) = build(json!({"nodes": [
            {"name": "a"}, {"name": "a"}, {"name": "a.1"}, {}, {"name": ""}, {"name": "a"}]}))
        .unwrap();
        assert_eq!(names(&tree), ["a", "a.2", "a.1", "node_3", "node_4", "a.3"]);
    }

    #[test]
    fn broken_transforms_become_harmless_with_a_warning() {
        let (tree, warnings) = build(json!({"nodes": [
            {"name": "zero", "rotation": [0, 0, 0, 0]},
            {"name": "huge", "translation": [1e300, 0, 0]},
            {"name": "sheared", "matrix": [1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]},
            {"name": "long", "rotation": [0, 0, 0, 2]},
            {"name": "far", "scale": [1, 1, 3e38]}]}))
        .unwrap();
        assert!(tree.skeleton.rest().all(is_valid));
        assert_eq!(tree.skeleton.bones()[4].rest.scale, Vec3::ONE);
        assert_eq!(tree.skeleton.bones()[3].rest.rotation, Quat::IDENTITY);
        assert_eq!(warnings.len(), 4, "{warnings:?}");
    }
}
