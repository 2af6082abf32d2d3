//! Writes a [`Scene`] as binary glTF.

use std::collections::{BTreeMap, HashMap};

use glam::{Mat4, Quat, Vec3, Vec4};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::clip::SceneClip;
use super::scene::{Scene, SceneMesh};
use galatea_asset::glb::{Buffer, U16, U32, container};

const ARRAY: Option<u32> = Some(34962);
const ELEMENTS: Option<u32> = Some(34963);

/// Member of the document.
#[derive(Serialize)]
#[serde(untagged)]
enum DocumentMember {
    Value(Value),
    /// Elements as text: as values they would take ten times the memory.
    List(Vec<Box<RawValue>>),
}

fn text(value: &Value) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(value).ok()
}

pub fn glb(scene: &Scene) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let mut skins = Vec::new();
    // Indices of mesh and skin in the file, by mesh index in the scene; meshes without triangles are skipped.
    let mut mesh_indices: BTreeMap<usize, (usize, Option<usize>)> = BTreeMap::new();
    let mut meshes = Vec::new();
    for (i, mesh) in scene.meshes.iter().enumerate() {
        let Some(value) = mesh_value(mesh, &mut buffer) else {
            continue;
        };
        meshes.extend(text(&value));
        let skin = mesh.skin.as_ref().map(|skin| {
            let flat = skin.inverse_bind.iter().flat_map(Mat4::to_cols_array);
            let matrices = buffer.floats(&flat.collect::<Vec<f32>>(), "MAT4", 16, None);
            let value = json!({"joints": skin.joints, "inverseBindMatrices": matrices});
            skins.extend(text(&value));
            skins.len() - 1
        });
        mesh_indices.insert(i, (meshes.len() - 1, skin));
        buffer.settle();
    }
    let clips = scene.clips.iter().filter_map(|clip| {
        let value = clip_value(clip, &mut buffer);
        buffer.settle();
        text(&value?)
    });
    let clips: Vec<Box<RawValue>> = clips.collect();
    let images = scene
        .pictures
        .iter()
        .filter(|picture| !picture.bytes.is_empty());
    let images: Vec<Box<RawValue>> = images
        .filter_map(|picture| {
            let kind = match picture.bytes.first() {
                Some(0xff) => "image/jpeg",
                Some(b'R') => "image/webp",
                _ => "image/png",
            };
            let view = buffer.view(&picture.bytes);
            text(&json!({"name": picture.path, "mimeType": kind, "bufferView": view}))
        })
        .collect();
    let textures = 0..images.len();
    let textures = textures.filter_map(|i| text(&json!({"source": i})));
    let textures: Vec<Box<RawValue>> = textures.collect();
    let mut shown = json!({"name": scene.name});
    let roots = (0..scene.nodes.len()).filter(|i| scene.nodes[*i].parent.is_none());
    let roots: Vec<usize> = roots.collect();
    if !roots.is_empty() {
        shown["nodes"] = json!(roots);
    }
    let lists = buffer.take_lists();
    let lists = [
        ("nodes", nodes(scene, &mesh_indices)),
        ("meshes", meshes),
        ("skins", skins),
        ("materials", materials(scene)),
        ("textures", textures),
        ("images", images),
        ("animations", clips),
        ("bufferViews", lists.views),
        ("accessors", lists.accessors),
    ];
    // glTF has no empty lists.
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists = lists.map(|(name, list)| (name, DocumentMember::List(list)));
    let mut document: BTreeMap<&str, DocumentMember> = lists.collect();
    let values = [
        ("asset", json!({"version": "2.0"})),
        ("scene", json!(0)),
        ("scenes", json!([shown])),
    ];
    document.extend(values.map(|(name, value)| (name, DocumentMember::Value(value))));
    if !buffer.bytes.is_empty() {
        let buffers = json!([{"byteLength": buffer.bytes.len()}]);
        document.insert("buffers", DocumentMember::Value(buffers));
    }
    container(&document, &buffer)
}

fn nodes(
    scene: &Scene,
    mesh_indices: &BTreeMap<usize, (usize, Option<usize>)>,
) -> Vec<Box<RawValue>> {
    let mut children = vec![Vec::new(); scene.nodes.len()];
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(i);
        }
    }
    let all = scene.nodes.iter().zip(children);
    all.filter_map(|(node, children)| {
        let mut value = json!({"name": node.name});
        let local = node.local;
        if local.translation != Vec3::ZERO {
            value["translation"] = json!(local.translation.to_array());
        }
        if local.rotation != Quat::IDENTITY {
            value["rotation"] = json!(local.rotation.to_array());
        }
        if local.scale != Vec3::ONE {
            value["scale"] = json!(local.scale.to_array());
        }
        if let Some((mesh, skin)) = node.mesh.and_then(|mesh| mesh_indices.get(&mesh)) {
            value["mesh"] = json!(mesh);
            if let Some(skin) = skin {
                value["skin"] = json!(skin);
            }
        }
        if !children.is_empty() {
            value["children"] = json!(children);
        }
        text(&value)
    })
    .collect()
}

fn materials(scene: &Scene) -> Vec<Box<RawValue>> {
    // Only existing images are written.
    let mut texture = vec![None; scene.pictures.len()];
    let there = scene
        .pictures
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.bytes.is_empty());
    for (n, (i, _)) in there.enumerate() {
        texture[i] = Some(n);
    }
    let texture = |picture: Option<usize>| picture.and_then(|i| *texture.get(i)?);
    let made = scene.materials.iter().filter_map(|material| {
        let color = texture(material.color_picture);
        let factor = match material.picture_replaces_color && color.is_some() {
            true => Vec3::ONE.extend(material.color.w),
            false => material.color,
        };
        let mut surface = json!({
            "baseColorFactor": factor.to_array(),
            "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
        });
        if let Some(index) = color {
            surface["baseColorTexture"] = json!({"index": index});
        }
        let mut value = json!({"name": material.name, "pbrMetallicRoughness": surface});
        if let Some(index) = texture(material.normal_picture) {
            value["normalTexture"] = json!({"index": index});
        }
        if material.emissive != Vec3::ZERO {
            value["emissiveFactor"] = json!(material.emissive.to_array());
            if let Some(index) = texture(material.emissive_picture) {
                value["emissiveTexture"] = json!({"index": index});
            }
        }
        let cut = material
            .color_picture
            .is_some_and(|i| scene.pictures[i].has_alpha);
        if material.color.w < 0.99 {
            value["alphaMode"] = json!("BLEND");
        } else if cut && color.is_some() {
            value["alphaMode"] = json!("MASK");
        }
        if material.double_sided {
            value["doubleSided"] = json!(true);
        }
        text(&value)
    });
    made.collect()
}

fn mesh_value(mesh: &SceneMesh, buffer: &mut Buffer) -> Option<Value> {
    let groups: Vec<_> = mesh
        .groups
        .iter()
        .filter(|(_, indices)| !indices.is_empty())
        .collect();
    let n = mesh.positions.len();
    if groups.is_empty() || n == 0 {
        return None;
    }
    let mut attributes = json!({"POSITION": buffer.vectors(&mesh.positions, true, ARRAY)});
    if mesh.normals.len() == n {
        attributes["NORMAL"] = json!(buffer.vectors(&mesh.normals, false, ARRAY));
    }
    if mesh.uvs.len() == n {
        let flat: Vec<f32> = mesh.uvs.iter().flat_map(|uv| uv.to_array()).collect();
        attributes["TEXCOORD_0"] = json!(buffer.floats(&flat, "VEC2", 2, ARRAY));
    }
    if mesh.colors.len() == n {
        let flat: Vec<f32> = mesh.colors.iter().flat_map(Vec4::to_array).collect();
        attributes["COLOR_0"] = json!(buffer.floats(&flat, "VEC4", 4, ARRAY));
    }
    if let Some(skin) = &mesh.skin {
        let max_influences = skin
            .influences
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or_default();
        for set in 0..max_influences.div_ceil(4).max(1) {
            let slot = |v: usize, k: usize| skin.influences[v].get(set * 4 + k).copied();
            let all = (0..n).flat_map(|v| (0..4).map(move |k| (v, k)));
            let (joints, weights): (Vec<u16>, Vec<f32>) =
                all.map(|(v, k)| slot(v, k).unwrap_or_default()).unzip();
            let joints = buffer.put(bytemuck::cast_slice(&joints), U16, "VEC4", n, ARRAY);
            attributes[format!("JOINTS_{set}")] = json!(joints);
            let weights = buffer.floats(&weights, "VEC4", 4, ARRAY);
            attributes[format!("WEIGHTS_{set}")] = json!(weights);
        }
    }
    let targets = mesh.morphs.iter();
    let targets: Vec<Value> = targets
        .map(|(_, offsets)| json!({"POSITION": buffer.offsets(offsets)}))
        .collect();
    let primitives: Vec<Value> = groups
        .into_iter()
        .map(|(material, indices)| {
            let count = indices.len();
            let indices = match n <= usize::from(u16::MAX) {
                true => {
                    let short: Vec<u16> = indices.iter().map(|i| *i as u16).collect();
                    buffer.put(bytemuck::cast_slice(&short), U16, "SCALAR", count, ELEMENTS)
                }
                false => buffer.put(
                    bytemuck::cast_slice(indices),
                    U32,
                    "SCALAR",
                    count,
                    ELEMENTS,
                ),
            };
            let mut value =
                json!({"attributes": attributes, "indices": indices, "material": material});
            if !targets.is_empty() {
                value["targets"] = json!(targets);
            }
            value
        })
        .collect();
    let mut value = json!({"name": mesh.name, "primitives": primitives});
    if !mesh.morphs.is_empty() {
        let names: Vec<&String> = mesh.morphs.iter().map(|(name, _)| name).collect();
        value["extras"] = json!({"targetNames": names});
        let mut weights = mesh.morph_weights.clone();
        weights.resize(names.len(), 0.0);
        value["weights"] = json!(weights);
    }
    Some(value)
}

fn clip_value(clip: &SceneClip, buffer: &mut Buffer) -> Option<Value> {
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    // Tracks of a clip mostly share their times, so equal ones are written once.
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut channel = |buffer: &mut Buffer, node: usize, path: &str, times: Vec<f32>, output| {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        let input = *known.entry(bits).or_insert_with(|| {
            let accessor = buffer.floats(&times, "SCALAR", 1, None);
            buffer.limit(accessor, json!([times.first()]), json!([times.last()]));
            accessor
        });
        samplers.push(json!({"input": input, "output": output}));
        channels.push(json!({
            "sampler": samplers.len() - 1, "target": {"node": node, "path": path},
        }));
    };
    for track in &clip.tracks {
        let vectors = [
            ("translation", &track.translations),
            ("scale", &track.scales),
        ];
        for (path, keys) in vectors.into_iter().filter(|(_, keys)| !keys.is_empty()) {
            let (times, values): (Vec<f32>, Vec<Vec3>) = keys.iter().copied().unzip();
            let output = buffer.vectors(&values, false, None);
            channel(buffer, track.node, path, times, output);
        }
        if !track.rotations.is_empty() {
            let times = track.rotations.iter().map(|(t, _)| *t).collect();
            let flat = track.rotations.iter().flat_map(|(_, q)| q.to_array());
            let output = buffer.floats(&flat.collect::<Vec<f32>>(), "VEC4", 4, None);
            channel(buffer, track.node, "rotation", times, output);
        }
    }
    for (node, times, weights) in clip
        .weights
        .iter()
        .filter(|(_, times, _)| !times.is_empty())
    {
        let output = buffer.floats(weights, "SCALAR", 1, None);
        channel(buffer, *node, "weights", times.clone(), output);
    }
    let is_there = !channels.is_empty();
    is_there.then(|| json!({"name": clip.name, "samplers": samplers, "channels": channels}))
}
