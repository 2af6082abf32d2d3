//! Packs a file and everything it refers to into one binary file, with clips and marks added. Everything else stays
//! unchanged, including unknown fields: the document is kept as JSON. Only data that glTF forbids is repaired (`repair`).

use std::sync::Arc;

use glam::Quat;
use serde_json::{Value, json};

use super::accessor::GltfSource;
use super::buffers::Buffers;
use super::error::{LoadFault, Warnings};
use super::external::{External, FetchBytes, shorten};
use super::nodes::Tree;
use super::{container, repair};
use crate::glb::{self, Buffer};
use crate::model::Model;
use galatea_anim::{Clip, Marker, Track, reparent};

/// Additions to a file.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// Clips on the bones and parts of the loaded model.
    pub clips: Vec<Arc<Clip>>,
    /// All marks of clips, existing and added ones, by the name of the clip.
    pub markers: Vec<(String, Vec<Marker>)>,
}

/// Writes a file as a single GLB. `model` is the loaded file.
///
/// # Errors
/// As for loading, and if a referenced file cannot be read.
pub fn repack(
    bytes: &[u8],
    files: FetchBytes<'_>,
    model: &Model,
    additions: &Additions,
) -> Result<Vec<u8>, LoadFault> {
    let warnings = Warnings::default();
    let (mut document, bin) = container::raw(bytes, &warnings)?;
    let mut external = External::new(bytes, files);
    let (read, _) = container::open(bytes, &warnings)?;
    let buffers_read = Buffers::fetch(&read, bin.as_deref(), &mut external, &warnings)?;
    let source = GltfSource {
        document: &read,
        buffers: &buffers_read,
        warnings: &warnings,
    };
    let mut buffer = Buffer::default();
    let starts = buffers(
        &mut document,
        bin.as_deref(),
        &mut external,
        &mut buffer.bytes,
    )?;
    buffer.views = taken(&mut document, "bufferViews");
    for view in &mut buffer.views {
        relocated(view, &starts);
        if let Some(extensions) = view.get_mut("extensions").and_then(Value::as_object_mut) {
            extensions
                .values_mut()
                .for_each(|view| relocated(view, &starts));
        }
    }
    images(&mut document, &mut external, &mut buffer)?;
    buffer.accessors = taken(&mut document, "accessors");
    repair::key_times(&mut document, &source, &mut buffer);
    repair::weights(&mut document, &source, &mut buffer);
    if !additions.clips.is_empty() {
        let added = clips(&source, model, &additions.clips, &mut buffer)?;
        let mut all = taken(&mut document, "animations");
        all.extend(added);
        document["animations"] = Value::Array(all);
    }
    markers(&mut document, &additions.markers);
    for (name, list) in [
        ("bufferViews", &mut buffer.views),
        ("accessors", &mut buffer.accessors),
    ] {
        // glTF has no empty lists.
        if !list.is_empty() {
            document[name] = Value::Array(std::mem::take(list));
        }
    }
    if !buffer.bytes.is_empty() {
        let binary = json!({"byteLength": buffer.bytes.len()});
        match document["buffers"]
            .as_array_mut()
            .and_then(|all| all.first_mut())
        {
            Some(first) => *first = binary,
            None => document["buffers"] = json!([binary]),
        }
    }
    if let Some(asset) = document.get_mut("asset").and_then(Value::as_object_mut) {
        asset.insert("generator".into(), json!("galatea convert"));
    }
    Ok(glb::container(&document, &buffer))
}

fn taken(document: &mut Value, name: &str) -> Vec<Value> {
    match document.get_mut(name).map(Value::take) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// Concatenates all buffers. Returns the offset of each in the result, and its new index. Buffers without data, the
/// fallbacks of compressed views, keep an entry.
fn buffers(
    document: &mut Value,
    bin: Option<&[u8]>,
    external: &mut External<'_>,
    whole: &mut Vec<u8>,
) -> Result<Vec<(usize, usize)>, LoadFault> {
    let mut starts = Vec::new();
    let mut combined = vec![json!({})];
    for (i, buffer) in taken(document, "buffers").into_iter().enumerate() {
        let uri = buffer.get("uri").and_then(Value::as_str);
        let found = uri.map(|uri| fetched(uri, external)).transpose()?;
        let own = bin.filter(|_| i == 0 && uri.is_none());
        match found.as_deref().or(own) {
            Some(bytes) => {
                whole.resize(whole.len().next_multiple_of(4), 0);
                starts.push((0, whole.len()));
                whole.extend_from_slice(bytes);
            }
            None => {
                starts.push((combined.len(), 0));
                combined.push(buffer);
            }
        }
    }
    whole.resize(whole.len().next_multiple_of(4), 0);
    if !starts.is_empty() {
        document["buffers"] = Value::Array(combined);
    }
    Ok(starts)
}

fn fetched(uri: &str, external: &mut External<'_>) -> Result<Arc<[u8]>, LoadFault> {
    let uri = uri.to_owned();
    external.fetch(&uri).map_err(|cause| LoadFault::External {
        uri: shorten(&uri),
        cause,
    })
}

/// Updates a view, or the description of a compressed one, to the new location of the buffer's bytes.
fn relocated(view: &mut Value, starts: &[(usize, usize)]) {
    let buffer = view.get("buffer").and_then(Value::as_u64);
    let Some((index, start)) = buffer.and_then(|i| starts.get(i as usize)) else {
        return;
    };
    let offset = view.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
    view["buffer"] = json!(index);
    view["byteOffset"] = json!(offset + *start as u64);
}

fn images(
    document: &mut Value,
    external: &mut External<'_>,
    buffer: &mut Buffer,
) -> Result<(), LoadFault> {
    let mut all = taken(document, "images");
    for image in &mut all {
        let Some(uri) = image.get("uri").and_then(Value::as_str) else {
            continue;
        };
        let bytes = fetched(uri, external)?;
        let kind = match bytes.first() {
            Some(0xff) => "image/jpeg",
            Some(b'R') => "image/webp",
            _ => "image/png",
        };
        let view = buffer.view(&bytes);
        if let Some(image) = image.as_object_mut() {
            image.remove("uri");
            image.insert("mimeType".into(), json!(kind));
            image.insert("bufferView".into(), json!(view));
        }
    }
    if !all.is_empty() {
        document["images"] = Value::Array(all);
    }
    Ok(())
}

/// Converts clips to the file's space: its nodes instead of the model's bones, and its facing direction if it differs from
/// the model's (VRM 0.x faces -Z).
fn clips(
    source: &GltfSource,
    model: &Model,
    added: &[Arc<Clip>],
    buffer: &mut Buffer,
) -> Result<Vec<Value>, LoadFault> {
    let tree = Tree::build(source.document, source.warnings)?;
    let mut node_of = vec![0; tree.skeleton.len()];
    for (node, bone) in tree.bone_of.iter().enumerate() {
        if let Some(slot) = bone.and_then(|bone| node_of.get_mut(usize::from(bone))) {
            *slot = node;
        }
    }
    let rotation_of = |bone: u16| -> Quat {
        let rests = [&tree.skeleton, &*model.skeleton].map(|skeleton| {
            let bone = skeleton.bones().get(usize::from(bone));
            bone.map_or(Quat::IDENTITY, |bone| bone.rest.rotation)
        });
        rests[0] * rests[1].inverse()
    };
    let is_root = |bone: u16| {
        let bone = tree.skeleton.bones().get(usize::from(bone));
        bone.is_some_and(|bone| bone.parent.is_none())
    };
    let node = |bone: u16| node_of.get(usize::from(bone)).copied().unwrap_or_default();
    let part = |part: usize| model.parts.get(part).map(|part| node(part.bone));
    let made = added.iter().map(|clip| {
        let mut clip = Clip::clone(clip);
        for tracks in clip.bones.iter_mut().filter(|tracks| is_root(tracks.bone)) {
            let to_file = rotation_of(tracks.bone);
            each(&mut tracks.translation, |v| to_file * v);
            each(&mut tracks.rotation, |q| to_file * q);
        }
        if !tree.moved.is_empty() {
            reparent::restore(&mut clip, &tree.skeleton, &tree.moved);
        }
        glb::animation(&clip, &node, &part, buffer)
    });
    Ok(made.collect())
}

fn each<T: Copy>(track: &mut Option<Track<T>>, change: impl Fn(T) -> T) {
    let values = track.iter_mut().flat_map(|track| &mut track.values);
    values.for_each(|value| *value = change(*value));
}

fn markers(document: &mut Value, marks: &[(String, Vec<Marker>)]) {
    let animations = document.get_mut("animations").and_then(Value::as_array_mut);
    for animation in animations.into_iter().flatten() {
        let name = animation
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let own = marks
            .iter()
            .find(|(of, marks)| of == name && !marks.is_empty());
        if let Some((_, marks)) = own {
            let marks = glb::markers(marks);
            match animation.get_mut("extras").and_then(Value::as_object_mut) {
                Some(extras) => {
                    extras.remove("marks");
                    extras.insert("markers".into(), marks);
                }
                // Extras that are not an object cannot hold markers.
                None => animation["extras"] = json!({"markers": marks}),
            }
        }
    }
}
