//! Meshes and their instances in the scene.

use std::collections::{BTreeSet, HashMap};

use gltf::json;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;
use serde_json::Value;

use super::accessor::GltfSource;
use super::error::{LoadFault, call};
use super::nodes::{Tree, unique_names};
use super::plain_json;
use super::primitive::{self, MaterialSet, PrimitiveUse};
use crate::limits::MAX_WEIGHT;
use crate::model::{Mesh, Part, Skin};
use crate::skinning::{Skinning, SkinningMode};

/// Mesh and skin. A mesh may be used with skins of different numbers of joints; its influences are checked for each. `None`
/// is a rigid use.
type MeshKey = (usize, Option<usize>);

/// Meshes, parts in skeleton order, and for each mesh of the document the index of the first use.
pub type LoadedMeshes = (Vec<Mesh>, Vec<Part>, Vec<Option<usize>>);

/// Loads every mesh for every skin it is used with, and the parts.
pub fn load(
    source: &GltfSource,
    tree: &Tree,
    skins: &[Skin],
    material_set: MaterialSet,
) -> Result<LoadedMeshes, LoadFault> {
    let mut placed = Vec::new();
    let mut uses: BTreeSet<MeshKey> = BTreeSet::new();
    for &node in &tree.shown {
        if let Some(place) = place(source, skins, node)? {
            uses.insert(place.key);
            placed.push((node, place));
        }
    }
    for mesh in 0..source.document.meshes.len() {
        if uses
            .range((mesh, None)..=(mesh, Some(usize::MAX)))
            .next()
            .is_none()
        {
            uses.insert((mesh, None));
        }
    }

    let mut meshes = Vec::with_capacity(uses.len());
    let mut index_of: HashMap<MeshKey, usize> = HashMap::new();
    let mut places = vec![None; source.document.meshes.len()];
    for key in uses {
        index_of.insert(key, meshes.len());
        if let Some(place) = places.get_mut(key.0) {
            place.get_or_insert(meshes.len());
        }
        meshes.push(load_mesh(source, key, material_set)?);
    }

    let mut parts = Vec::with_capacity(placed.len());
    for (node, place) in placed {
        let (Some(&mesh), Some(bone)) = (index_of.get(&place.key), tree.bone(node)) else {
            continue;
        };
        let n = meshes[mesh].morph_names.len();
        let name = tree.skeleton.bones()[usize::from(bone)].name.clone();
        let authored = source.document.nodes[node].weights.as_ref();
        let authored = authored.or(source.document.meshes[place.key.0].weights.as_ref());
        let mut morph_weights = authored.cloned().unwrap_or_default();
        if !morph_weights.is_empty() && morph_weights.len() != n {
            source.warnings.add(format!(
                "node {name:?} has {} morph weights for {n} targets",
                morph_weights.len()
            ));
        }
        let budget = &source.buffers.budget;
        budget
            .charge(n, size_of::<f32>())
            .map_err(|cause| LoadFault::data(format!("node {name:?}, morph weights"), cause))?;
        morph_weights.resize(n, 0.0);
        let broken = morph_weights.iter_mut();
        let broken: Vec<&mut f32> = broken
            .filter(|w| w.is_nan() || w.abs() > MAX_WEIGHT)
            .collect();
        if !broken.is_empty() {
            source.warnings.add(format!(
                "node {name:?}: {} morph weights are beyond {MAX_WEIGHT:e}; 0 is used",
                broken.len()
            ));
        }
        broken.into_iter().for_each(|weight| *weight = 0.0);
        parts.push(Part {
            is_fine: false,
            name,
            bone,
            mesh,
            skin: place.skin,
            morph_weights,
            skinning: skinning(source, node, place.key.0),
            skinning_mode: SkinningMode::Auto,
        });
    }
    Ok((meshes, parts, places))
}

/// Skinning method from the extras of the node, otherwise of the mesh.
fn skinning(source: &GltfSource, node: usize, mesh: usize) -> Skinning {
    let authored = &source.document.nodes[node];
    let shape = &source.document.meshes[mesh];
    let places = [
        (&authored.extras, "node", &authored.name, node),
        (&shape.extras, "mesh", &shape.name, mesh),
    ];
    for (extras, kind, name, index) in places {
        match Skinning::from_extras(&plain_json::extras(extras)) {
            Ok(Some(skinning)) => return skinning,
            Ok(None) => {}
            Err(why) => source.warnings.add(format!(
                "{}, extras: {why}; linear skinning is used",
                call(kind, name.as_deref(), index)
            )),
        }
    }
    Skinning::Linear
}

struct MeshUse {
    key: MeshKey,
    skin: Option<usize>,
}

fn place(source: &GltfSource, skins: &[Skin], node: usize) -> Result<Option<MeshUse>, LoadFault> {
    let authored = &source.document.nodes[node];
    let Some(mesh) = authored.mesh else {
        return Ok(None);
    };
    let what = || call("node", authored.name.as_deref(), node);
    if mesh.value() >= source.document.meshes.len() {
        let cause = format!("mesh {mesh} does not exist");
        return Err(LoadFault::data(what(), cause));
    }
    let skin = match authored.skin {
        None => None,
        Some(skin) => {
            let joints = skins.get(skin.value()).map(|skin| skin.joints.len());
            match joints {
                None => {
                    let cause = format!("skin {skin} does not exist");
                    return Err(LoadFault::data(what(), cause));
                }
                Some(0) => None,
                Some(joints) => Some((skin.value(), joints)),
            }
        }
    };
    let mesh_json = &source.document.meshes[mesh.value()];
    let joints = Checked::Valid(Semantic::Joints(0));
    let primitives = &mesh_json.primitives;
    if skin.is_none()
        && primitives
            .iter()
            .any(|p| p.attributes.contains_key(&joints))
    {
        source.warnings.add(format!(
            "{} has joints and weights, but its node has no skin; it is drawn rigid",
            call("mesh", mesh_json.name.as_deref(), mesh.value())
        ));
    }
    Ok(Some(MeshUse {
        key: (mesh.value(), skin.map(|(_, joints)| joints)),
        skin: skin.map(|(skin, _)| skin),
    }))
}

fn load_mesh(
    source: &GltfSource,
    (index, joint_count): MeshKey,
    material_set: MaterialSet,
) -> Result<Mesh, LoadFault> {
    let mesh = &source.document.meshes[index];
    let called = call("mesh", mesh.name.as_deref(), index);
    let n_targets = mesh
        .primitives
        .iter()
        .map(|p| p.targets.as_ref().map_or(0, Vec::len))
        .max()
        .unwrap_or(0);
    let mut primitives = Vec::with_capacity(mesh.primitives.len());
    for (i, authored) in mesh.primitives.iter().enumerate() {
        let what = if mesh.primitives.len() == 1 {
            called.clone()
        } else {
            format!("{called}, primitive {i}")
        };
        let context = PrimitiveUse {
            joint_count,
            n_targets,
            material_set,
            what: &what,
        };
        primitives.extend(primitive::load(source, authored, &context)?);
    }
    let morph_names = morph_names(mesh, n_targets);
    let letters: usize = morph_names.iter().map(String::len).sum();
    let budget = &source.buffers.budget;
    budget
        .charge(letters, 1)
        .map_err(|cause| LoadFault::data(format!("{called}, morph target names"), cause))?;
    Ok(Mesh {
        name: mesh.name.clone().unwrap_or_default(),
        primitives,
        morph_names,
    })
}

/// Names from the mesh's `extras.targetNames`, or the primitive's, where VRM exporters write them.
fn morph_names(mesh: &json::Mesh, n: usize) -> Vec<String> {
    let lists = std::iter::once(&mesh.extras).chain(mesh.primitives.iter().map(|p| &p.extras));
    let named = lists
        .filter_map(
            |extras| match plain_json::extras(extras).get_mut("targetNames")?.take() {
                Value::Array(names) => Some(names),
                _ => None,
            },
        )
        .find(|names| !names.is_empty());
    let name = |i: usize| {
        let name = named.as_ref().and_then(|names| names.get(i)?.as_str());
        match name {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("target_{i}"),
        }
    };
    unique_names((0..n).map(name))
}
