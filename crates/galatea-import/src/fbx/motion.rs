//! Takes of FBX files, baked to keys.

use std::collections::{BTreeMap, HashMap};

use glam::{Quat, Vec3};
use ufbx::{BakeOpts, BakedAnim, BakedElement};

use super::{NodeIndices, channels, fault, finite, quat, trs, v3};
use crate::clip::{SceneClip, SceneTrack};
use crate::import_budget::ImportBudget;
use crate::scene::Scene;

/// Keys per second of baked curves.
const RATE: f64 = 30.0;

/// Memory per key of a track, bytes.
const KEY_BYTES: usize = 24;

/// Source of the takes, and limits.
pub struct FbxTakes<'a> {
    pub file: &'a ufbx::Scene,
    pub node_indices: &'a NodeIndices,
    pub budget: &'a ImportBudget,
    /// Memory limit of a baked take, bytes.
    pub limit: usize,
}

impl FbxTakes<'_> {
    /// Reads all takes.
    pub fn read(&self, scene: &mut Scene) -> Result<(), String> {
        self.file
            .anim_stacks
            .iter()
            .try_for_each(|stack| self.take(stack, scene))
    }

    fn take(&self, stack: &ufbx::AnimStack, scene: &mut Scene) -> Result<(), String> {
        let mut opts = BakeOpts {
            trim_start_time: true,
            resample_rate: RATE,
            key_reduction_enabled: true,
            key_reduction_rotation: true,
            ..BakeOpts::default()
        };
        opts.temp_allocator.memory_limit = self.limit;
        opts.result_allocator.memory_limit = self.limit;
        let baked = ufbx::bake_anim(self.file, &stack.anim, opts)
            .map_err(|error| fault::description(&error))?;
        let name = stack.element.name.to_string();
        let name = name.rsplit('|').next().unwrap_or_default().to_owned();
        let mut clip = SceneClip {
            name,
            tracks: self.tracks(&baked)?,
            weights: self.weights(&baked)?,
        };
        // Hidden meshes were removed.
        let is_there = |node: usize| scene.nodes[node].mesh.is_some();
        clip.weights.retain(|(node, _, _)| is_there(*node));
        // The take begins after its first keys, often a T-pose: time 0 is the start of the take.
        if stack.time_begin > 0.0 && clip.end() > 0.0 {
            clip.cut_before_zero();
        }
        if !clip.tracks.is_empty() || !clip.weights.is_empty() {
            scene.clips.push(clip);
        }
        Ok(())
    }

    fn tracks(&self, baked: &BakedAnim) -> Result<Vec<SceneTrack>, String> {
        let vectors = |keys: &[ufbx::BakedVec3], constant: bool, rest: Vec3| -> Vec<(f32, Vec3)> {
            let keys: Vec<(f32, Vec3)> = keys
                .iter()
                .map(|k| (k.time as f32, finite(v3(k.value), rest)))
                .collect();
            let moves = !constant
                || keys
                    .first()
                    .is_some_and(|(_, v)| !v.abs_diff_eq(rest, 1e-6));
            if moves { keys } else { Vec::new() }
        };
        let mut tracks = Vec::new();
        for node in baked.nodes.iter() {
            let (Some(node_index), Some(own)) = (
                self.node_indices.get(&node.element_id),
                self.file.nodes.get(node.typed_id as usize),
            ) else {
                continue;
            };
            let n_keys =
                node.translation_keys.len() + node.rotation_keys.len() + node.scale_keys.len();
            self.budget.take(n_keys * KEY_BYTES)?;
            let rest = trs(&own.local_transform);
            let rotations = node
                .rotation_keys
                .iter()
                .map(|k| (k.time as f32, quat(k.value)));
            let rotations: Vec<(f32, Quat)> = rotations.collect();
            let turns = !node.constant_rotation
                || rotations
                    .first()
                    .is_some_and(|(_, q)| q.dot(rest.rotation).abs() < 0.999_999);
            let track = SceneTrack {
                node: *node_index,
                translations: vectors(
                    &node.translation_keys,
                    node.constant_translation,
                    rest.translation,
                ),
                rotations: if turns { rotations } else { Vec::new() },
                scales: vectors(&node.scale_keys, node.constant_scale, rest.scale),
            };
            let is_empty = track.translations.is_empty()
                && track.rotations.is_empty()
                && track.scales.is_empty();
            if !is_empty {
                tracks.push(track);
            }
        }
        Ok(tracks)
    }

    /// Weights of the blend shapes of meshes, at all times at which one of them has a key.
    fn weights(&self, baked: &BakedAnim) -> Result<Vec<NodeWeights>, String> {
        let elements: HashMap<u32, &BakedElement> =
            baked.elements.iter().map(|e| (e.element_id, e)).collect();
        let percent = |channel: u32| {
            let element = elements.get(&channel)?;
            let prop = element
                .props
                .iter()
                .find(|prop| &*prop.name == "DeformPercent")?;
            let keys = prop.keys.iter().map(|k| (k.time, k.value.x / 100.0));
            let keys: FbxKeys = keys.collect();
            (!keys.is_empty()).then_some(keys)
        };
        let mut found = Vec::new();
        for node in self.file.nodes.iter() {
            let (Some(mesh), Some(node_index)) =
                (&node.mesh, self.node_indices.get(&node.element.element_id))
            else {
                continue;
            };
            let rows: Vec<(f64, Option<FbxKeys>)> = channels(mesh)
                .map(|(channel, _)| (channel.weight, percent(channel.element.element_id)))
                .collect();
            if rows.iter().all(|(_, keys)| keys.is_none()) {
                continue;
            }
            let keys = rows.iter().flat_map(|(_, keys)| keys.iter().flatten());
            let n_keys: usize = rows.iter().flat_map(|(_, keys)| keys).map(Vec::len).sum();
            self.budget.take(n_keys * KEY_BYTES)?;
            // Times in whole microseconds, so that equal times are merged.
            let times: BTreeMap<i64, f64> =
                keys.map(|(t, _)| ((t * 1e6).round() as i64, *t)).collect();
            self.budget
                .take(times.len() * rows.len() * size_of::<f32>())?;
            let at = |keys: &Option<FbxKeys>, rest: f64, t: f64| {
                keys.as_ref().map_or(rest, |keys| sampled(keys, t)) as f32
            };
            let all = times.values();
            let values = all.flat_map(|t| rows.iter().map(|(rest, keys)| at(keys, *rest, *t)));
            let values: Vec<f32> = values.collect();
            found.push((
                *node_index,
                times.values().map(|t| *t as f32).collect(),
                values,
            ));
        }
        Ok(found)
    }
}

/// Node, key times, and the weights of all blend shapes at each key.
type NodeWeights = (usize, Vec<f32>, Vec<f32>);
/// Times and values.
type FbxKeys = Vec<(f64, f64)>;

fn sampled(keys: &[(f64, f64)], t: f64) -> f64 {
    let after = keys.partition_point(|(at, _)| *at <= t);
    match (after.checked_sub(1).map(|i| keys[i]), keys.get(after)) {
        (Some((from, a)), Some((to, b))) if *to > from => a + (b - a) * (t - from) / (to - from),
        (Some((_, a)), _) => a,
        (None, Some((_, b))) => *b,
        (None, None) => 0.0,
    }
}
