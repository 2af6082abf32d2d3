//! A model as one binary glTF file (glTF 2.0 §4.4): a JSON chunk and one buffer.

mod surface;

use std::collections::BTreeMap;

use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};

use crate::{
    anim::{Clip, Interpolation, MarkValue, Skeleton, Track},
    asset::{
        Model,
        model::{Mesh, Part, Primitive},
    },
};

const FLOAT: u32 = 5126;
const U32: u32 = 5125;
const U16: u32 = 5123;
const U8: u32 = 5121;
/// Morph offsets that are shorter, metres, are not written.
const SMALLEST_OFFSET: f32 = 2e-5;

/// The buffer and the tables that point into it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Appends bytes as a view; returns its index.
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len(),
        }));
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    /// Appends one accessor in its own view; returns its index.
    fn put(
        &mut self,
        bytes: &[u8],
        kind: u32,
        form: &str,
        count: usize,
        target: Option<u32>,
    ) -> usize {
        let view = self.view(bytes);
        if let Some(target) = target {
            self.views[view]["target"] = json!(target);
        }
        self.accessors.push(json!({
            "bufferView": view, "componentType": kind, "type": form, "count": count,
        }));
        self.accessors.len() - 1
    }

    /// Appends offsets of which most are zero: only the others are stored (§3.6.2.3).
    fn offsets(&mut self, values: &[Vec3]) -> usize {
        let low = values.iter().copied().reduce(Vec3::min).unwrap_or_default();
        let high = values.iter().copied().reduce(Vec3::max).unwrap_or_default();
        let moved = |v: &Vec3| v.abs().max_element() > SMALLEST_OFFSET;
        let mut places: Vec<u32> = (0..values.len() as u32)
            .filter(|i| moved(&values[*i as usize]))
            .collect();
        // Some readers want a view also where all are zero.
        if places.is_empty() {
            places.push(0);
        }
        let flat: Vec<f32> = places
            .iter()
            .flat_map(|i| values[*i as usize].to_array())
            .collect();
        let short: Option<Vec<u16>> = places.iter().map(|i| u16::try_from(*i).ok()).collect();
        let indices = match short {
            Some(short) => {
                json!({"bufferView": self.view(bytemuck::cast_slice(&short)), "componentType": U16})
            }
            None => {
                json!({"bufferView": self.view(bytemuck::cast_slice(&places)), "componentType": U32})
            }
        };
        let accessor = json!({
            "componentType": FLOAT, "type": "VEC3", "count": values.len(),
            "min": low.to_array(), "max": high.to_array(),
            "sparse": {
                "count": places.len(),
                "indices": indices,
                "values": {"bufferView": self.view(bytemuck::cast_slice(&flat))},
            },
        });
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: &[f32], form: &str, width: usize, target: Option<u32>) -> usize {
        self.put(
            bytemuck::cast_slice(values),
            FLOAT,
            form,
            values.len() / width,
            target,
        )
    }

    fn vectors(&mut self, values: &[Vec3], bounds: bool, target: Option<u32>) -> usize {
        let flat: Vec<f32> = values.iter().flat_map(|v| v.to_array()).collect();
        let accessor = self.floats(&flat, "VEC3", 3, target);
        if bounds {
            let low = values.iter().copied().reduce(Vec3::min).unwrap_or_default();
            let high = values.iter().copied().reduce(Vec3::max).unwrap_or_default();
            self.accessors[accessor]["min"] = json!(low.to_array());
            self.accessors[accessor]["max"] = json!(high.to_array());
        }
        accessor
    }
}

/// Extras of nodes, by their names.
pub type Extras = BTreeMap<String, Value>;

/// Writes skeleton, skins, meshes with colours and targets, materials with their pictures, clips and
/// their marks. Equal models give equal bytes.
pub fn write(model: &Model) -> Vec<u8> {
    write_with(model, &Extras::new())
}

/// As [`write`], with extras.
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
        .map(|c| clip(c, &model.parts, &mut buffer))
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

/// Writes a skeleton and clips without meshes; skinned bones are the joints of one skin, so that other
/// programs take them for bones. Clips without a key on a bone are left out, and so are morph tracks,
/// which need a mesh. Equal clips give equal bytes.
pub fn write_clips(name: &str, skeleton: &Skeleton, clips: &[Clip]) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let moves = |c: &&Clip| {
        let mut tracks = c.bones.iter();
        tracks.any(|t| t.translation.is_some() || t.rotation.is_some() || t.scale.is_some())
    };
    let clips: Vec<Value> = clips
        .iter()
        .filter(moves)
        .map(|c| clip(c, &[], &mut buffer))
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

/// The JSON chunk and, unless it is empty, the buffer.
fn container(document: &Value, buffer: &Buffer) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut chunks = vec![(b"JSON", &text)];
    if !buffer.bytes.is_empty() {
        chunks.push((b"BIN\0", &buffer.bytes));
    }
    let total = 12
        + chunks
            .iter()
            .map(|(_, chunk)| 8 + chunk.len())
            .sum::<usize>();
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(b"glTF");
    out.extend_from_slice(&2_u32.to_le_bytes());
    out.extend_from_slice(&(total as u32).to_le_bytes());
    for (kind, chunk) in chunks {
        out.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(chunk);
    }
    out
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
            weights.chunks_exact_mut(4).for_each(whole);
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

/// Makes four rounded weights sum to 1 again (§3.7.3.1): the largest takes what is over or missing.
fn whole(weights: &mut [u16]) {
    let sum: i32 = weights.iter().map(|w| i32::from(*w)).sum();
    if let Some(largest) = weights.iter_mut().max() {
        *largest = (i32::from(*largest) + 65535 - sum).clamp(0, 65535) as u16;
    }
}

fn clip(clip: &Clip, parts: &[Part], buffer: &mut Buffer) -> Value {
    let mut samplers = Vec::new();
    let mut channels = Vec::new();
    // Tracks of one clip mostly share their times; equal ones are written once.
    let mut times: Vec<(Vec<f32>, usize)> = Vec::new();
    let mut channel =
        |buffer: &mut Buffer, bone: u16, path: &str, input: &[f32], output: usize, i| {
            let input = match times.iter().find(|(t, _)| t == input) {
                Some((_, accessor)) => *accessor,
                None => {
                    let accessor = buffer.floats(input, "SCALAR", 1, None);
                    buffer.accessors[accessor]["min"] = json!([input[0]]);
                    buffer.accessors[accessor]["max"] = json!([input[input.len() - 1]]);
                    times.push((input.to_vec(), accessor));
                    accessor
                }
            };
            samplers
                .push(json!({"input": input, "output": output, "interpolation": interpolation(i)}));
            channels.push(json!({
                "sampler": samplers.len() - 1, "target": {"node": bone, "path": path},
            }));
        };
    let vector =
        |buffer: &mut Buffer, track: &Track<Vec3>| buffer.vectors(&track.values, false, None);
    for tracks in &clip.bones {
        if let Some(track) = &tracks.translation {
            let output = vector(buffer, track);
            channel(
                buffer,
                tracks.bone,
                "translation",
                &track.times,
                output,
                track.interpolation,
            );
        }
        if let Some(track) = &tracks.rotation {
            let flat: Vec<f32> = track.values.iter().flat_map(|q| q.to_array()).collect();
            let output = buffer.floats(&flat, "VEC4", 4, None);
            channel(
                buffer,
                tracks.bone,
                "rotation",
                &track.times,
                output,
                track.interpolation,
            );
        }
        if let Some(track) = &tracks.scale {
            let output = vector(buffer, track);
            channel(
                buffer,
                tracks.bone,
                "scale",
                &track.times,
                output,
                track.interpolation,
            );
        }
    }
    for morph in &clip.morphs {
        let Some(part) = parts.get(morph.part) else {
            continue;
        };
        let track = &morph.track;
        let output = buffer.floats(&track.values, "SCALAR", 1, None);
        let way = track.interpolation;
        channel(buffer, part.bone, "weights", &track.times, output, way);
    }
    let marks: Vec<Value> = clip
        .marks
        .iter()
        .map(|mark| {
            let mut value = json!({"t": mark.t, "event": mark.event});
            if mark.length > 0.0 {
                value["length"] = json!(mark.length);
            }
            for (name, field) in &mark.fields {
                value[name] = match field {
                    MarkValue::Number(n) => json!(n),
                    MarkValue::Text(text) => json!(text),
                    MarkValue::Bool(b) => json!(b),
                };
            }
            value
        })
        .collect();
    let mut value = json!({"name": clip.name, "samplers": samplers, "channels": channels});
    if !marks.is_empty() {
        value["extras"] = json!({"marks": marks});
    }
    value
}

fn interpolation(kind: Interpolation) -> &'static str {
    match kind {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::gltf::load_slice;
    use crate::forge::tests::shared;

    fn read_back(name: &str, model: &Model) -> Model {
        let mut none = |file: &str| Err(format!("{file} is not within"));
        load_slice(name, &write(model), &mut none).expect("it loads")
    }

    #[test]
    fn the_file_is_valid_gltf_with_skin_targets_clips_and_marks() {
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
        assert_eq!(extras["marks"][1]["foot"], "right");
        assert_eq!(extras["marks"][1]["event"], "step");
    }

    #[test]
    fn what_is_written_of_materials_targets_and_variants_is_read_back() {
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
                assert!(worst < 2.0 * SMALLEST_OFFSET, "{worst} m");
            }
        }
    }

    #[test]
    fn layers_of_things_are_read_back() {
        for (name, made) in crate::forge::things::tests::made() {
            let read = read_back(name, made);
            assert!(read.warnings.is_empty(), "{name}: {:?}", read.warnings);
            for (made, read) in made.materials.iter().zip(&read.materials) {
                assert_eq!(made, read, "{name}");
            }
        }
    }
}
