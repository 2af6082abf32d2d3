//! Finds the morph targets for gaze and blinking, and measures how far they rotate the eyes.

use glam::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

use super::loaded_model::LoadedModel;
use galatea_asset::model::{MaterialKind, Primitive};
use galatea_face::{key, shape_names};
use galatea_rig::gaze::RangeMap;
use galatea_rig::look_at::LookBind;

/// Indices into a pose's morph weights, by function.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LookMorphs {
    /// Targets that look left, right, up, down; each with its weight at full deflection.
    pub looks: [Vec<(usize, f32)>; 4],
    /// The gaze targets come from the file's expressions (VRM); otherwise they were found by name.
    pub from_file: bool,
    /// Angles by which the gaze targets rotate the eyeballs, radians; `None` if that cannot be measured.
    pub ends: [Option<f32>; 4],
    /// Targets that close both eyelids, or one target per eyelid.
    pub blink: Vec<usize>,
    /// The targets for looking up and down already move the eyelids as intended.
    pub have_lids: bool,
}

/// Names of gaze targets: those of this project, ARKit and VRM.
const LEFT: [&str; 3] = ["lookLeft", "eyeLookOutLeft", "eyeLookInRight"];
const RIGHT: [&str; 3] = ["lookRight", "eyeLookInLeft", "eyeLookOutRight"];
const UP: [&str; 3] = ["lookUp", "eyeLookUpLeft", "eyeLookUpRight"];
const DOWN: [&str; 3] = ["lookDown", "eyeLookDownLeft", "eyeLookDownRight"];
/// Names for both eyelids together, and for each eyelid.
const BLINK: &[&str] = &["blink", "eyesClosed"];
const EACH_LID: &[&str] = &["eyeBlinkLeft", "eyeBlinkRight", "blinkLeft", "blinkRight"];

impl LookMorphs {
    /// Finds the targets by the file's expressions, else by name.
    pub(super) fn of(loaded: &LoadedModel) -> Self {
        let own = shape_names(&loaded.target_names(), &loaded.target_parts());
        let own: Vec<String> = own.into_iter().map(key).collect();
        let all = |names: &[&str]| -> Vec<usize> {
            let indices = |name: &&str| {
                let folded = key(name);
                let found = own
                    .iter()
                    .enumerate()
                    .filter(move |(_, own)| **own == folded);
                found.map(|(i, _)| i)
            };
            names.iter().flat_map(indices).collect()
        };
        let file = loaded.model.look_at.as_ref();
        let bound = |binds: &Vec<LookBind>| -> Vec<(usize, f32)> {
            let indices = |bind: &LookBind| {
                let found = loaded.morph_index_on(bind.bone, bind.target);
                found.map(|i| (i, bind.weight))
            };
            binds.iter().filter_map(indices).collect()
        };
        let mut looks = file.map_or_else(Default::default, |look| look.looks.each_ref().map(bound));
        let from_file = has_sides(&looks);
        if !from_file {
            looks = [LEFT, RIGHT, UP, DOWN].map(|names| {
                let found = all(&names);
                found.into_iter().map(|i| (i, 1.0)).collect()
            });
        }
        let both = all(BLINK);
        // ARKit's targets for looking down move the eyelids too. Expressions of a file handle the eyelids themselves.
        let is_arkit = |&(i, _): &(usize, f32)| own[i].starts_with("eyelookdown");
        Self {
            have_lids: from_file || looks[3].iter().any(is_arkit),
            ends: looks.each_ref().map(|look| mean_angle(loaded, look)),
            looks,
            from_file,
            blink: if both.is_empty() { all(EACH_LID) } else { both },
        }
    }

    /// Returns true if there are targets for looking sideways.
    pub fn has_sideways(&self) -> bool {
        has_sides(&self.looks)
    }

    /// Returns range maps for sideways, up and down that match the measured eyeball rotation. `None` if the file has its own
    /// or the rotation is unknown.
    pub(super) fn maps(&self) -> [Option<RangeMap>; 3] {
        if self.from_file {
            return [None; 3];
        }
        let [left, right, up, down] = self.ends;
        let side = left.zip(right).map(|(left, right)| 0.5 * (left + right));
        [side, up, down].map(|mean_angle| mean_angle.map(|input| RangeMap { input, output: 1.0 }))
    }
}

fn has_sides([left, right, ..]: &[Vec<(usize, f32)>; 4]) -> bool {
    !(left.is_empty() && right.is_empty())
}

/// Returns the mean angle by which targets rotate the eyeballs that they move, radians.
fn mean_angle(loaded: &LoadedModel, look: &[(usize, f32)]) -> Option<f32> {
    let model = &loaded.model;
    let mut angles = Vec::new();
    for &(index, weight) in look {
        let part = loaded.morph_start.partition_point(|start| *start <= index);
        let part = part.checked_sub(1)?;
        let target = index - loaded.morph_start.get(part)?;
        let mesh = model.meshes.get(model.parts.get(part)?.mesh)?;
        let is_eye = |primitive: &&Primitive| {
            let material = model.materials.get(primitive.material);
            material.is_some_and(|material| material.kind == MaterialKind::Eye)
        };
        let eyes = mesh.primitives.iter().filter(is_eye);
        angles.extend(eyes.filter_map(|eye| rotation_angle(eye, target, weight)));
    }
    let mean = angles.iter().sum::<f32>() / angles.len() as f32;
    // A smaller angle is no gaze target, and eyes cannot rotate farther than the upper limit.
    (mean > 0.02 && mean < 1.0).then_some(mean)
}

/// Returns the angle by which a target rotates the vertices that it moves, radians; `None` if they do not move rigidly.
fn rotation_angle(primitive: &Primitive, target: usize, weight: f32) -> Option<f32> {
    let offsets = &primitive.targets.get(target)?.positions;
    let mut used = primitive.indices.clone();
    used.sort_unstable();
    used.dedup();
    let pairs: Vec<(Vec3, Vec3)> = used
        .into_iter()
        .filter_map(|i| {
            let i = i as usize;
            Some((*primitive.positions.get(i)?, *offsets.get(i)? * weight))
        })
        .filter(|(_, offset)| *offset != Vec3::ZERO)
        .collect();
    if pairs.len() < 8 {
        return None;
    }
    let n = pairs.len() as f32;
    let middle = pairs.iter().map(|(at, _)| *at).sum::<Vec3>() / n;
    let shift = pairs.iter().map(|(_, by)| *by).sum::<Vec3>() / n;
    // Least squares fit of offset = shift + axis × arm; the axis length is the sine of the angle.
    let (mut inertia, mut moment, mut all) = (Mat3::ZERO, Vec3::ZERO, 0.0);
    for (at, by) in &pairs {
        let (arm, by) = (*at - middle, *by - shift);
        let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        inertia += Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer;
        moment += arm.cross(by);
        all += by.length_squared();
    }
    let axis = inertia.inverse() * moment;
    let off = |(at, by): &(Vec3, Vec3)| (*by - shift - axis.cross(*at - middle)).length_squared();
    let rest = pairs.iter().map(off).sum::<f32>();
    let angle = axis.length().min(1.0).asin();
    // The fit of a pure rotation leaves a residual of the versed sine.
    let versed = 2.0 * (0.5 * angle).sin().powi(2) / angle.sin().max(1e-6);
    let is_rotation = rest <= all * (0.05 + versed * versed);
    (is_rotation && angle.is_finite()).then_some(angle)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::definition::Definition;
    use galatea_anim::{Bone, Skeleton};
    use galatea_asset::Model;
    use galatea_asset::model::{Mesh, Part};

    fn morphs(names: &[&str]) -> Arc<LookMorphs> {
        let bone = Bone {
            name: "head".into(),
            parent: None,
            rest: galatea_math::Trs::default(),
            skinned: false,
        };
        let model = Model {
            skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
            meshes: vec![Mesh {
                morph_names: names.iter().map(|name| (*name).to_owned()).collect(),
                ..Mesh::default()
            }],
            parts: vec![Part {
                morph_weights: vec![0.0; names.len()],
                ..Part::default()
            }],
            ..Model::default()
        };
        Definition::new(Arc::new(model)).look_morphs()
    }

    #[test]
    fn gaze_and_blink_targets_are_found_in_other_spellings_and_with_a_prefix() {
        for names in [
            [
                "eyeLookOut_L",
                "eye_look_in_left",
                "EyeBlink.Left",
                "eyeBlink_R",
            ],
            [
                "m.ca_eyeLookOut_L",
                "m.ca_eyeLookIn_L",
                "m.ca_eyeBlink_L",
                "m.ca_eyeBlink_R",
            ],
        ] {
            let found = morphs(&names);
            assert_eq!(found.looks[0], [(0, 1.0)], "{names:?}");
            assert_eq!(found.looks[1], [(1, 1.0)], "{names:?}");
            assert_eq!(found.blink, [2, 3], "{names:?}");
            assert!(found.has_sideways() && !found.have_lids);
        }
        assert!(morphs(&["look_down", "eyeLookDown_L"]).have_lids);
        assert_eq!(morphs(&["Blink_L", "Blink"]).blink, [1]);
    }
}
