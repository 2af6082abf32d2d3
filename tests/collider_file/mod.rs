//! A small file with nodes of a 2 m cube, and a clip that moves some of them.

use galatea::asset::gltf;
use galatea::asset::model::Model;
use serde_json::{Value, json};

/// Index of a node, animated path, and its keys.
pub type Move<'a> = (usize, &'a str, [Vec<f32>; 5]);

/// A file with nodes, all of them roots unless they are children, further JSON of the document, and a clip `idle` of 4 s if
/// there are moves: (node, path, keys at 0, 1, 2, 3 and 4 s).
pub fn load(nodes: Value, more: Value, moves: &[Move]) -> Model {
    let corners: Vec<f32> = (0..8)
        .flat_map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 }))
        .collect();
    let faces: [[u16; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let indices = faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]);
    let mut bytes: Vec<u8> = corners.iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(indices.flat_map(u16::to_le_bytes));
    let mut views = vec![
        json!({ "buffer": 0, "byteOffset": 0, "byteLength": 96 }),
        json!({ "buffer": 0, "byteOffset": 96, "byteLength": 72 }),
    ];
    let mut accessors = vec![
        json!({ "bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [-1, -1, -1], "max": [1, 1, 1] }),
        json!({ "bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR" }),
    ];
    let mut add = |numbers: &[f32], kind: &str| {
        let width = numbers.len() / 5;
        views.push(
            json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": numbers.len() * 4 }),
        );
        bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        accessors.push(json!({ "bufferView": views.len() - 1, "componentType": 5126, "count": numbers.len() / width, "type": kind }));
        accessors.len() - 1
    };
    let times = add(&[0.0, 1.0, 2.0, 3.0, 4.0], "SCALAR");
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    for (node, path, keys) in moves {
        let kind = if keys[0].len() == 4 { "VEC4" } else { "VEC3" };
        let output = add(&keys.concat(), kind);
        channels
            .push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
        samplers.push(json!({ "input": times, "output": output }));
    }
    let list = nodes.as_array().unwrap();
    let children: Vec<&Value> = list
        .iter()
        .filter_map(|node| node.get("children")?.as_array())
        .flatten()
        .collect();
    let roots: Vec<Value> = (0..list.len()).map(|i| json!(i)).collect();
    let roots: Vec<&Value> = roots.iter().filter(|i| !children.contains(i)).collect();
    let mut file = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{ "uri": "cube.bin", "byteLength": bytes.len() }]
    });
    file["nodes"] = nodes;
    if !moves.is_empty() {
        file["animations"] =
            json!([{ "name": "idle", "samplers": samplers, "channels": channels }]);
    }
    for (name, value) in more.as_object().into_iter().flatten() {
        file[name] = value.clone();
    }
    let text = serde_json::to_vec(&file).unwrap();
    gltf::load_slice("level.gltf", &text, &mut |_| Ok(bytes.clone())).unwrap()
}

/// Positions of a node at each second, along one axis.
pub fn along(at: impl Fn(f32) -> [f32; 3], places: [f32; 5]) -> [Vec<f32>; 5] {
    places.map(|place| at(place).to_vec())
}
