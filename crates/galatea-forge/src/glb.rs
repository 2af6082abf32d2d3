//! Writes a model as one binary glTF file (glTF 2.0 §4.4): a JSON chunk and one buffer.

mod surface;

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};

use galatea_anim::{Clip, Skeleton};
use galatea_asset::{
    Model,
    glb::{Buffer, U8, U16, U32, animation, container},
    model::{Mesh, Primitive},
};

/// Extras of nodes by name.
pub type Extras = BTreeMap<String, Value>;

/// Writes skeleton, skins, meshes with colours and targets, materials with their images, clips and their marks. Equal models
/// give equal bytes.
pub fn write(model: &Model) -> Vec<u8> {
    write_with(model, &Extras::new())
}

/// Writes like [`write()`], with extras.
pub fn write_with(model: &Model, extras: &Extras) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let meshes: Vec<Value> = model.meshes.iter().map(|m| mesh(m, &mut buffer)).collect();
    let skins: Vec<Value> = model
        .skins
        .iter()
        .map(|skin| {
            let flat: Vec<f32> = skin
                .inverse_bind
                .iter()
                .flat_map(Mat4::to_cols_array)
                .collect();
            let matrices = buffer.floats(&flat, "MAT4", 16, None);
            let mut value = json!({"joints": skin.joints, "inverseBindMatrices": matrices});
            if !skin.name.is_empty() {
                value["name"] = json!(skin.name);
            }
            value
        })
        .collect();
    let clips: Vec<Value> = model
        .clips
        .iter()
        .map(|clip| {
            let part = |part: usize| model.parts.get(part).map(|part| part.bone.into());
            animation(clip, &usize::from, &part, &mut buffer)
        })
        .collect();
    let surfaces = surface::Surfaces::of(model, &mut buffer);
    let mut document = json!({
        "asset": {"version": "2.0", "generator": "galatea forge"},
        "scene": 0,
        "scenes": [{"name": model.name, "nodes": roots(&model.skeleton)}],
        "nodes": nodes(model, extras),
        "meshes": meshes,
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
        "buffers": [{"byteLength": buffer.bytes.len()}],
    });
    for (name, list) in [("skins", skins), ("animations", clips)] {
        if !list.is_empty() {
            document[name] = Value::Array(list);
        }
    }
    surfaces.into_document(&mut document);
    if !model.variants.is_empty() {
        let names: Vec<Value> = model.variants.iter().map(|n| json!({"name": n})).collect();
        document["extensions"] = json!({"KHR_materials_variants": {"variants": names}});
        match &mut document["extensionsUsed"] {
            Value::Array(used) => used.push(json!("KHR_materials_variants")),
            none => *none = json!(["KHR_materials_variants"]),
        }
    }
    container(&document, &buffer)
}

/// Writes a skeleton and clips without meshes. Skinned bones are the joints of one skin, so that other programs recognise
/// them as bones. Clips without a key on a bone are skipped, and so are morph tracks, which need a mesh. Equal clips give
/// equal bytes.
pub fn write_clips(name: &str, skeleton: &Skeleton, clips: &[Clip]) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let moves = |c: &&Clip| {
        let mut tracks = c.bones.iter();
        tracks.any(|t| t.translation.is_some() || t.rotation.is_some() || t.scale.is_some())
    };
    let clips: Vec<Value> = clips
        .iter()
        .filter(moves)
        .map(|clip| animation(clip, &usize::from, &|_| None, &mut buffer))
        .collect();
    let bones = skeleton.bones().iter().enumerate();
    let joints: Vec<usize> = bones.filter(|(_, b)| b.skinned).map(|(i, _)| i).collect();
    let mut document = json!({
        "asset": {"version": "2.0", "generator": "galatea clip"},
        "scene": 0,
        "scenes": [{"name": name, "nodes": roots(skeleton)}],
        "nodes": bone_nodes(skeleton),
    });
    // glTF has no empty lists.
    if !joints.is_empty() {
        document["skins"] = json!([{"joints": joints}]);
    }
    if !clips.is_empty() {
        document["animations"] = Value::Array(clips);
        document["bufferViews"] = json!(buffer.views);
        document["accessors"] = json!(buffer.accessors);
        document["buffers"] = json!([{"byteLength": buffer.bytes.len()}]);
    }
    container(&document, &buffer)
}

fn roots(skeleton: &Skeleton) -> Vec<usize> {
    (0..skeleton.len())
        .filter(|i| skeleton.bones()[*i].parent.is_none())
        .collect()
}

fn bone_nodes(skeleton: &Skeleton) -> Vec<Value> {
    let bones = skeleton.bones();
    let mut children = vec![Vec::new(); bones.len()];
    for (i, bone) in bones.iter().enumerate() {
        if let Some(parent) = bone.parent {
            children[usize::from(parent)].push(i);
        }
    }
    bones
        .iter()
        .zip(children)
        .map(|(bone, children)| {
            let mut node = json!({"name": bone.name});
            if bone.rest.translation != Vec3::ZERO {
                node["translation"] = json!(bone.rest.translation.to_array());
            }
            if bone.rest.rotation != Quat::IDENTITY {
                node["rotation"] = json!(bone.rest.rotation.to_array());
            }
            if bone.rest.scale != Vec3::ONE {
                node["scale"] = json!(bone.rest.scale.to_array());
            }
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        })
        .collect()
}

fn nodes(model: &Model, extras: &Extras) -> Vec<Value> {
    let mut nodes = bone_nodes(&model.skeleton);
    for (node, bone) in nodes.iter_mut().zip(model.skeleton.bones()) {
        if let Some(own) = extras.get(&bone.name) {
            node["extras"] = own.clone();
        }
    }
    for part in &model.parts {
        let node = &mut nodes[usize::from(part.bone)];
        node["mesh"] = json!(part.mesh);
        if let Some(skin) = part.skin {
            node["skin"] = json!(skin);
        }
    }
    nodes
}

fn mesh(mesh: &Mesh, buffer: &mut Buffer) -> Value {
    let primitives: Vec<Value> = mesh
        .primitives
        .iter()
        .map(|p| primitive(p, buffer))
        .collect();
    let mut value = json!({"name": mesh.name, "primitives": primitives});
    if !mesh.morph_names.is_empty() {
        value["extras"] = json!({"targetNames": mesh.morph_names});
        value["weights"] = json!(vec![0.0; mesh.morph_names.len()]);
    }
    value
}

fn primitive(primitive: &Primitive, buffer: &mut Buffer) -> Value {
    const ARRAY: Option<u32> = Some(34962);
    let n = primitive.positions.len();
    let mut attributes = json!({
        "POSITION": buffer.vectors(&primitive.positions, true, ARRAY),
        "NORMAL": buffer.vectors(&primitive.normals, false, ARRAY),
    });
    if !primitive.colors.is_empty() {
        let bytes: Vec<u8> = primitive
            .colors
            .iter()
            .flat_map(|c| c.to_array())
            .map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8)
            .collect();
        let accessor = buffer.put(&bytes, U8, "VEC4", n, ARRAY);
        buffer.accessors[accessor]["normalized"] = json!(true);
        attributes["COLOR_0"] = json!(accessor);
    }
    if surface::has_uv(&primitive.uv0) {
        let flat: Vec<f32> = primitive.uv0.iter().flat_map(|v| v.to_array()).collect();
        attributes["TEXCOORD_0"] = json!(buffer.floats(&flat, "VEC2", 2, ARRAY));
        if !primitive.tangents.is_empty() {
            let flat = surface::flat(&primitive.tangents);
            attributes["TANGENT"] = json!(buffer.floats(&flat, "VEC4", 4, ARRAY));
        }
    }
    let influences = &primitive.influences;
    for set in 0..influences.per_vertex / 4 {
        let pick = |v: usize, k: usize| v * influences.per_vertex + set * 4 + k;
        let order = (0..n).flat_map(|v| (0..4).map(move |k| (v, k)));
        let joints: Vec<u8> = order
            .clone()
            .map(|(v, k)| influences.joints[pick(v, k)] as u8)
            .collect();
        let mut weights: Vec<u16> = order
            .map(|(v, k)| (influences.weights[pick(v, k)] * 65535.0).round() as u16)
            .collect();
        if influences.per_vertex == 4 {
            weights.chunks_exact_mut(4).for_each(normalise_rounded);
        }
        attributes[format!("JOINTS_{set}")] = json!(buffer.put(&joints, U8, "VEC4", n, ARRAY));
        let weights = buffer.put(bytemuck::cast_slice(&weights), U16, "VEC4", n, ARRAY);
        buffer.accessors[weights]["normalized"] = json!(true);
        attributes[format!("WEIGHTS_{set}")] = json!(weights);
    }
    let count = primitive.indices.len();
    let elements = Some(34963);
    let indices = if n <= usize::from(u16::MAX) {
        let short: Vec<u16> = primitive.indices.iter().map(|i| *i as u16).collect();
        buffer.put(bytemuck::cast_slice(&short), U16, "SCALAR", count, elements)
    } else {
        let long = bytemuck::cast_slice(&primitive.indices);
        buffer.put(long, U32, "SCALAR", count, elements)
    };
    let mut value = json!({
        "attributes": attributes, "indices": indices, "material": primitive.material,
    });
    if !primitive.variants.is_empty() {
        let mappings: Vec<Value> = primitive
            .variants
            .iter()
            .map(|(variant, material)| json!({"material": material, "variants": [variant]}))
            .collect();
        value["extensions"] = json!({"KHR_materials_variants": {"mappings": mappings}});
    }
    if !primitive.targets.is_empty() {
        value["targets"] = primitive
            .targets
            .iter()
            .map(|t| {
                let mut target = json!({"POSITION": buffer.offsets(&t.positions)});
                if t.normals.iter().any(|turned| *turned != Vec3::ZERO) {
                    target["NORMAL"] = json!(buffer.offsets(&t.normals));
                }
                target
            })
            .collect();
    }
    value
}

/// Corrects four rounded weights to sum to 1 (§3.7.3.1) by changing the largest one.
fn normalise_rounded(weights: &mut [u16]) {
    let sum: i32 = weights.iter().map(|w| i32::from(*w)).sum();
    if let Some(largest) = weights.iter_mut().max() {
        *largest = (i32::from(*largest) + 65535 - sum).clamp(0, 65535) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::shared;
    use galatea_asset::glb::MIN_OFFSET;
    use galatea_asset::gltf::load_slice;

    fn read_back(name: &str, model: &Model) -> Model {
        let mut none = |file: &str| Err(format!("{file} is not within"));
        load_slice(name, &write(model), &mut none).expect("it loads")
    }

    #[test]
    fn the_file_is_valid_gltf_with_skin_targets_clips_and_markers() {
        let bytes = write(shared());
        let file = gltf::Gltf::from_slice(&bytes).expect("valid glTF");
        assert_eq!(file.skins().next().unwrap().joints().count(), 25);
        let mesh = file.meshes().next().unwrap();
        assert!(mesh.primitives().all(|p| p.morph_targets().count() == 23));
        let names: Vec<_> = file.animations().filter_map(|a| a.name()).collect();
        let made = ["idle", "walk", "run", "jump", "wave"];
        assert_eq!(names[..5], made);
        let later = ["crouch_down", "crouch", "crouch_up", "flinch"];
        assert_eq!(names[5..], later);
        let walk = file.animations().nth(1).unwrap();
        let extras: Value = serde_json::from_str(walk.extras().as_ref().unwrap().get()).unwrap();
        assert_eq!(extras["markers"][1]["foot"], "right");
        assert_eq!(extras["markers"][1]["event"], "step");
    }

    #[test]
    fn materials_targets_and_variants_are_read_back() {
        let made = shared();
        let read = read_back("galatea", made);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let n = made.materials.len();
        for (made, read) in made.materials.iter().zip(&read.materials[..n]) {
            assert_eq!(made, read, "{}", made.name);
        }
        assert_eq!(read.images.len(), 3);
        assert_eq!(read.images[2].rgba, made.images[2].rgba);
        assert_eq!(read.variants, ["toon"]);
        let pairs = made.primitives().zip(read.primitives());
        for (made, read) in pairs {
            assert_eq!(made.variants, read.variants);
            for (made, read) in made.targets.iter().zip(&read.targets) {
                let far = made.positions.iter().zip(&read.positions);
                let worst = far.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(worst < 2.0 * MIN_OFFSET, "{worst} m");
            }
        }
    }

    #[test]
    fn layers_of_materials_are_read_back() {
        for (name, made) in crate::gallery_props::tests::made() {
            let read = read_back(name, made);
            assert!(read.warnings.is_empty(), "{name}: {:?}", read.warnings);
            for (made, read) in made.materials.iter().zip(&read.materials) {
                assert_eq!(made, read, "{name}");
            }
        }
    }
}
