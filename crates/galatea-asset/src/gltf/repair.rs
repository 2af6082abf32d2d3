//! Repairs data that glTF forbids and the loader tolerates, so that the written file is valid: key times before 0 and
//! weights that do not sum to 1.
//!
//! Caller: `repack`.

use std::collections::BTreeMap;

use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;
use gltf::json::{Accessor, Index, mesh};
use serde_json::{Value, json};

use super::accessor::{GltfSource, Integers};
use super::animation;
use super::influences::{MAX_SETS, SUM_TOLERANCE};
use crate::glb::Buffer;

/// Shifts animations that begin before time 0 so that they begin at 0, with their marks. `document` is the file's JSON,
/// `source` the same file parsed; new accessors go into `buffer`.
pub fn key_times(document: &mut Value, source: &GltfSource, buffer: &mut Buffer) {
    for (i, animation) in source.document.animations.iter().enumerate() {
        let start = animation::start(source, animation);
        let Some(written) = document["animations"].get_mut(i).filter(|_| start < 0.0) else {
            continue;
        };
        let mut moved: BTreeMap<u64, usize> = BTreeMap::new();
        let samplers = written.get_mut("samplers").and_then(Value::as_array_mut);
        for sampler in samplers.into_iter().flatten() {
            let Some(input) = sampler.get("input").and_then(Value::as_u64) else {
                continue;
            };
            let index = u32::try_from(input).map(Index::new);
            let times = index.map(|index| source.floats::<1>(index, Integers::AsMarked));
            let Ok(Ok(times)) = times else { continue };
            let accessor = *moved.entry(input).or_insert_with(|| {
                let times = times.into_iter().flatten().map(|time| time - start);
                let times: Vec<f32> = times.collect();
                let accessor = buffer.floats(&times, "SCALAR", 1, None);
                let least = times.iter().copied().fold(f32::INFINITY, f32::min);
                let most = times.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                buffer.limit(accessor, json!([least]), json!([most]));
                accessor
            });
            sampler["input"] = json!(accessor);
        }
        for (list, field) in [("markers", "time"), ("marks", "t")] {
            let marks = written.pointer_mut(&format!("/extras/{list}"));
            for mark in marks.and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(t) = mark.get(field).and_then(Value::as_f64) {
                    mark[field] = json!(t - f64::from(start));
                }
            }
        }
    }
}

/// Normalises the weights of each vertex in primitives where the sums differ from 1. A vertex without weights stays
/// unchanged.
pub fn weights(document: &mut Value, source: &GltfSource, buffer: &mut Buffer) {
    for (m, mesh) in source.document.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let path = format!("/meshes/{m}/primitives/{p}/attributes");
            let Some(attributes) = document.pointer_mut(&path) else {
                continue;
            };
            for (set, weights) in scaled(source, primitive).into_iter().flatten().enumerate() {
                let accessor = buffer.floats(weights.as_flattened(), "VEC4", 4, Some(34962));
                attributes[format!("WEIGHTS_{set}")] = json!(accessor);
            }
        }
    }
}

/// All sets of weights of a primitive, normalised; `None` if they are valid or unreadable.
fn scaled(source: &GltfSource, primitive: &mesh::Primitive) -> Option<Vec<Vec<[f32; 4]>>> {
    let sets = (0..MAX_SETS).map_while(|set| {
        let found = primitive
            .attributes
            .get(&Checked::Valid(Semantic::Weights(set)));
        found.copied()
    });
    let read = |accessor: Index<Accessor>| source.floats::<4>(accessor, Integers::Normalised).ok();
    let mut sets: Vec<Vec<[f32; 4]>> = sets.map(read).collect::<Option<_>>()?;
    let n = sets.iter().map(Vec::len).min()?;
    let mut is_off = false;
    for i in 0..n {
        let slots = || sets.iter().flat_map(|set| set[i]);
        if slots().any(|weight| !(weight.is_finite() && weight >= 0.0)) {
            return None;
        }
        let sum: f32 = slots().sum();
        if sum > 0.0 && sum.is_finite() {
            is_off |= (sum - 1.0).abs() > SUM_TOLERANCE;
            let slots = sets.iter_mut().flat_map(|set| &mut set[i]);
            slots.for_each(|weight| *weight /= sum);
        }
    }
    is_off.then_some(sets)
}
