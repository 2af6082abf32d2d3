//! Tests of complete files, built in memory.

mod bodies;
mod clips;
mod helpers;
mod meshes;
mod motion;
mod robustness;

use serde_json::{Value, json};

use super::load_slice;
use crate::Model;

const F32: u32 = 5126;
const U8: u32 = 5121;
const U16: u32 = 5123;
const I16: u32 = 5122;

/// Builder of a file: accessors are added, the rest of the JSON is passed at the end.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl File {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.views
            .push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    fn accessor<T: bytemuck::NoUninit>(
        &mut self,
        component: u32,
        kind: &str,
        count: usize,
        values: &[T],
    ) -> usize {
        let view = self.view(bytemuck::cast_slice(values));
        self.accessors.push(
            json!({"bufferView": view, "componentType": component, "type": kind, "count": count}),
        );
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        self.accessor(F32, kind, values.len() / width, values)
    }

    /// Positions of a triangle in the xy plane.
    fn triangle(&mut self) -> usize {
        self.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0.])
    }

    fn json(&self, mut rest: Value) -> Value {
        rest["asset"] = json!({"version": "2.0"});
        rest["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        rest["bufferViews"] = json!(self.views);
        rest["accessors"] = json!(self.accessors);
        rest
    }

    fn glb(&self, rest: Value) -> Vec<u8> {
        let json = self.json(rest).to_string();
        let mut out = b"glTF".to_vec();
        let total = 12 + 8 + json.len() + 8 + self.bytes.len();
        for number in [2, total as u32, json.len() as u32, 0x4E4F_534A] {
            out.extend(number.to_le_bytes());
        }
        out.extend(json.as_bytes());
        out.extend((self.bytes.len() as u32).to_le_bytes());
        out.extend(0x004E_4942_u32.to_le_bytes());
        out.extend(&self.bytes);
        out
    }

    fn load(&self, rest: Value) -> Result<Model, String> {
        from_bytes(&self.glb(rest))
    }
}

fn from_bytes(bytes: &[u8]) -> Result<Model, String> {
    let mut none = |name: &str| Err(format!("no file {name}"));
    load_slice("some/test.glb", bytes, &mut none).map_err(|error| error.to_string())
}

fn warned(model: &Model, part: &str) -> bool {
    model.warnings.iter().any(|warning| warning.contains(part))
}

/// A skinned triangle with all vertices on joint 1 of `joints`.
fn skinned(file: &mut File, weights: &[f32]) -> Value {
    let positions = file.triangle();
    let joints = file.accessor(U8, "VEC4", 3, &[1u8, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    let weights = file.floats("VEC4", weights);
    json!({"attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights}})
}

const FULL: [f32; 12] = [1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.];
