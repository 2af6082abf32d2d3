//! The morph targets with which a face looks and blinks: which they are, and how far they turn its eyes.

use glam::{Mat3, Vec3};

use super::loaded_model::LoadedModel;
use galatea_asset::model::{MaterialKind, Primitive};
use galatea_face::{key, shape_names};
use galatea_rig::gaze::RangeMap;
use galatea_rig::look_at::LookBind;

/// Indices into the morph weights of a pose, by what they show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookMorphs {
    /// Left, right, up, down; with the weight of each at the end.
    pub looks: [Vec<(usize, f32)>; 4],
    /// Those of looking are what the file calls so (VRM); else they are found by their names.
    pub from_file: bool,
    /// Radians by which those of looking turn eyeballs; `None` where that cannot be seen.
    pub ends: [Option<f32>; 4],
    /// Both lids at once, or each.
    pub blink: Vec<usize>,
    /// Those of looking up and down move the lids too, or leave them.
    pub have_lids: bool,
}

/// Names of looks: the project's own, those of ARKit, and those of VRM.
const LEFT: [&str; 3] = ["lookLeft", "eyeLookOutLeft", "eyeLookInRight"];
const RIGHT: [&str; 3] = ["lookRight", "eyeLookInLeft", "eyeLookOutRight"];
const UP: [&str; 3] = ["lookUp", "eyeLookUpLeft", "eyeLookUpRight"];
const DOWN: [&str; 3] = ["lookDown", "eyeLookDownLeft", "eyeLookDownRight"];
/// Names of both lids, and of each.
const BLINK: &[&str] = &["blink", "eyesClosed"];
const EACH_LID: &[&str] = &["eyeBlinkLeft", "eyeBlinkRight", "blinkLeft", "blinkRight"];

impl LookMorphs {
    /// Those of the file's expressions, else those of the names.
    pub(super) fn of(loaded: &LoadedModel) -> Self {
        let own = shape_names(&loaded.target_names(), &loaded.target_parts());
        let own: Vec<String> = own.into_iter().map(key).collect();
        let all = |names: &[&str]| -> Vec<usize> {
            let places = |name: &&str| {
                let wanted = key(name);
                let found = own
                    .iter()
                    .enumerate()
                    .filter(move |(_, own)| **own == wanted);
                found.map(|(i, _)| i)
            };
            names.iter().flat_map(places).collect()
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
        // ARKit's are of the lids as well. What a file's expressions do with lids is theirs.
        let is_arkit = |&(i, _): &(usize, f32)| own[i].starts_with("eyelookdown");
        Self {
            have_lids: from_file || looks[3].iter().any(is_arkit),
            ends: looks.each_ref().map(|look| end(loaded, look)),
            looks,
            from_file,
            blink: if both.is_empty() { all(EACH_LID) } else { both },
        }
    }

    /// Some of them look to the sides.
    pub fn look(&self) -> bool {
        has_sides(&self.looks)
    }

    /// Maps to the sides, up and down to angles that eyeballs show; `None` where the file has its own or that is
    /// not known.
    pub(super) fn maps(&self) -> [Option<RangeMap>; 3] {
        if self.from_file {
            return [None; 3];
        }
        let [left, right, up, down] = self.ends;
        let side = left.zip(right).map(|(left, right)| 0.5 * (left + right));
        [side, up, down].map(|end| end.map(|input| RangeMap { input, output: 1.0 }))
    }
}

fn has_sides([left, right, ..]: &[Vec<(usize, f32)>; 4]) -> bool {
    !(left.is_empty() && right.is_empty())
}

/// The mean angle by which targets turn the eyeballs that they move, radians.
fn end(loaded: &LoadedModel, look: &[(usize, f32)]) -> Option<f32> {
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
        angles.extend(eyes.filter_map(|eye| turned(eye, target, weight)));
    }
    let mean = angles.iter().sum::<f32>() / angles.len() as f32;
    // Less is no look, and eyes turn no farther.
    (mean > 0.02 && mean < 1.0).then_some(mean)
}

/// The angle by which a target turns the vertices that it moves, radians; `None` when they do not move as one.
fn turned(primitive: &Primitive, target: usize, weight: f32) -> Option<f32> {
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
    // Least squares of offset = shift + axis × arm; the axis is as long as the sine of the angle.
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
    // What is left of a pure turn is its versed sine.
    let versed = 2.0 * (0.5 * angle).sin().powi(2) / angle.sin().max(1e-6);
    let is_turn = rest <= all * (0.05 + versed * versed);
    (is_turn && angle.is_finite()).then_some(angle)
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
    fn looks_and_blinks_are_found_in_other_spellings_and_behind_a_prefix() {
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
            assert!(found.look() && !found.have_lids);
        }
        assert!(morphs(&["look_down", "eyeLookDown_L"]).have_lids);
        assert_eq!(morphs(&["Blink_L", "Blink"]).blink, [1]);
    }
}
