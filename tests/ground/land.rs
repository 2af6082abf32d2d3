//! A model to walk on: level paving, a grass slope, paving, and a step up to boards.

use std::fs;
use std::path::Path;

use glam::Vec3;
use serde_json::{Value, json};

/// Height of the slope over 3 m of z, metres: 14 degrees.
const SLOPE: f32 = 0.75;
/// Height of the step, metres.
pub const STEP: f32 = 0.17;
/// Start and end of the slope, and position of the step, metres along z.
pub const EDGES: [f32; 3] = [0.0, 3.0, 5.0];

/// Triangles of a material.
type Part = (&'static str, Vec<[Vec3; 3]>);

fn parts() -> [Part; 3] {
    let height = |z: f32| SLOPE * (z / EDGES[1]).clamp(0.0, 1.0);
    let mut parts = ["Paving", "Lawn", "Boards"].map(|name| (name, Vec::new()));
    const CELL: f32 = 0.25;
    for (column, row) in (0..24).flat_map(|x| (0..52).map(move |z| (x, z))) {
        let corner = |x: i32, z: i32| {
            let (x, z) = (x as f32 * CELL - 3.0, z as f32 * CELL - 5.0);
            Vec3::new(x, height(z), z)
        };
        let [mut a, mut b, mut c, mut d] =
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| corner(column + x, row + z));
        let middle = (a.z + d.z) / 2.0;
        let part = if middle > EDGES[2] {
            for corner in [&mut a, &mut b, &mut c, &mut d] {
                corner.y += STEP;
            }
            2
        } else {
            usize::from(middle > EDGES[0] && middle < EDGES[1])
        };
        parts[part].1.extend([[a, c, b], [c, d, b]]);
        if row == 39 {
            let [e, f] = [c, d].map(|corner| corner + Vec3::Y * STEP);
            parts[0].1.extend([[c, e, d], [e, f, d]]);
        }
    }
    parts
}

/// Writes it as a .gltf file with a separate data file.
pub fn write(folder: &Path) {
    let mut bytes = Vec::new();
    let (mut views, mut accessors) = (Vec::<Value>::new(), Vec::<Value>::new());
    let (mut primitives, mut materials) = (Vec::<Value>::new(), Vec::<Value>::new());
    for (name, triangles) in parts() {
        let corners: Vec<Vec3> = triangles.into_iter().flatten().collect();
        let low = corners.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = corners.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        views.push(
            json!({ "buffer": 0, "byteOffset": bytes.len(), "byteLength": corners.len() * 12 }),
        );
        let numbers = corners.iter().flat_map(|corner| corner.to_array());
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        accessors.push(json!({
            "bufferView": views.len() - 1, "componentType": 5126, "count": corners.len(), "type": "VEC3",
            "min": low.to_array(), "max": high.to_array()
        }));
        primitives.push(json!({
            "attributes": { "POSITION": accessors.len() - 1 }, "material": materials.len()
        }));
        materials.push(json!({ "name": name }));
    }
    let file = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }],
        "nodes": [{ "name": "land", "mesh": 0 }], "meshes": [{ "primitives": primitives }],
        "materials": materials, "accessors": accessors, "bufferViews": views,
        "buffers": [{ "uri": "land.bin", "byteLength": bytes.len() }]
    });
    fs::write(folder.join("land.bin"), bytes).unwrap();
    fs::write(folder.join("land.gltf"), file.to_string()).unwrap();
}
