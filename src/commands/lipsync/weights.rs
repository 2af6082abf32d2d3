//! Mouth animation as glTF: a mesh of one triangle with fifteen morph targets with Oculus names, and a clip of their
//! weights. Blender and three.js can transfer the clip to any head with targets of these names.

use base64::Engine as _;
use serde_json::{Value, json};

use galatea_speech::mouth::Mouth;
use galatea_speech::track::SpeechTrack;
use galatea_speech::viseme::{N_VISEMES, VISEMES};

/// Keys per second.
const RATE: f32 = 60.0;
const FLOAT: u32 = 5126;

/// A `.gltf` file with embedded data.
pub fn text(track: &SpeechTrack, mouth: &Mouth) -> Vec<u8> {
    let (mut document, bytes) = document(track, mouth);
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    document["buffers"][0]["uri"] = json!(format!("data:application/octet-stream;base64,{data}"));
    let mut text = document.to_string().into_bytes();
    text.push(b'\n');
    text
}

/// A `.glb` file.
pub fn binary(track: &SpeechTrack, mouth: &Mouth) -> Vec<u8> {
    let (document, mut bytes) = document(track, mouth);
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let whole = 12 + 8 + text.len() + 8 + bytes.len();
    let mut out = b"glTF".to_vec();
    let number = |n: usize, out: &mut Vec<u8>| out.extend((n as u32).to_le_bytes());
    number(2, &mut out);
    number(whole, &mut out);
    number(text.len(), &mut out);
    out.extend(b"JSON");
    out.extend(text);
    number(bytes.len(), &mut out);
    out.extend(b"BIN\0");
    out.extend(bytes);
    out
}

fn document(track: &SpeechTrack, mouth: &Mouth) -> (Value, Vec<u8>) {
    let n = (track.duration * RATE).ceil() as usize + 1;
    let times: Vec<f32> = (0..n).map(|i| i as f32 / RATE).collect();
    let weights: Vec<f32> = times.iter().flat_map(|t| mouth.sample(*t)).collect();
    let corners = [0.0_f32, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.01, 0.0];
    let nothing = [0.0_f32; 9];
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    for list in [&corners[..], &nothing, &times, &weights] {
        views.push(json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": 4 * list.len() }));
        list.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    let last = times.last().copied().unwrap_or(0.0);
    let accessors = json!([
        { "bufferView": 0, "componentType": FLOAT, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0.01, 0.01, 0] },
        { "bufferView": 1, "componentType": FLOAT, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] },
        { "bufferView": 2, "componentType": FLOAT, "count": n, "type": "SCALAR", "min": [0], "max": [last] },
        { "bufferView": 3, "componentType": FLOAT, "count": n * N_VISEMES, "type": "SCALAR" },
    ]);
    let names: Vec<String> = VISEMES
        .iter()
        .map(|viseme| format!("viseme_{}", viseme.name()))
        .collect();
    let targets = vec![json!({ "POSITION": 1 }); N_VISEMES];
    let document = json!({
        "asset": { "version": "2.0", "generator": "galatea lipsync" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "mouth", "mesh": 0 }],
        "meshes": [{
            "name": "mouth",
            "primitives": [{ "attributes": { "POSITION": 0 }, "targets": targets }],
            "weights": vec![0.0; N_VISEMES],
            "extras": { "targetNames": names },
        }],
        "animations": [{
            "name": "speech",
            "samplers": [{ "input": 2, "output": 3, "interpolation": "LINEAR" }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "weights" } }],
        }],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{ "byteLength": bytes.len() }],
    });
    (document, bytes)
}
