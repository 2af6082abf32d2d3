//! Humanoid bones of VRM files (VRM 0.x, VRM 1.0 `VRMC_vrm`), and the nodes for expressions and gaze in VRM animations
//! (VRMC_vrm_animation 1.0).

use glam::{EulerRot, Quat};
use gltf::json::extensions::root;
use serde_json::{Map, Value};

use super::nodes::Tree;
use super::vrm_names::{VRM_0, VRM_1, VRMA};
use super::{rigid_bodies, springs, variants};
use crate::facing::{self, FacingReport};
use galatea_anim::humanoid::{Declared, Role};
use galatea_anim::{Clip, Curve, Interpolation, Skeleton, Track};

/// Filters the file's extensions to those that this module reads.
pub fn extensions(all: Option<Value>) -> Option<root::Root> {
    let Some(Value::Object(all)) = all else {
        return None;
    };
    let known = |name: &String| {
        let physics = [rigid_bodies::NAME, rigid_bodies::SHAPES];
        [VRM_0, VRM_1, VRMA, springs::NAME, variants::NAME].contains(&name.as_str())
            || physics.contains(&name.as_str())
    };
    let others: Map<String, Value> = all.into_iter().filter(|(name, _)| known(name)).collect();
    (!others.is_empty()).then_some(root::Root { others })
}

/// Describes which part of one of these extensions is supported.
pub fn supported_part(extension: &str) -> Option<&'static str> {
    match extension {
        VRM_0 => {
            Some("the humanoid bones, expressions, springs, look-at ranges and MToon materials")
        }
        VRM_1 => Some("the humanoid bones, expressions and look-at ranges"),
        _ => None,
    }
}

/// VRM data of a file.
#[derive(Debug, Default)]
pub struct Vrm {
    /// Humanoid bones; `None` if the file declares none.
    pub declared: Option<Declared>,
    /// Names of expressions, each with the bone whose translation holds its weight.
    expressions: Vec<(String, u16)>,
    /// Bone whose rotation holds the gaze.
    look_at: Option<u16>,
}

impl Vrm {
    /// Reads the extensions filtered by [`extensions`]. Invalid data is ignored.
    pub fn read(extensions: Option<&root::Root>, tree: &Tree) -> Self {
        let Some(root::Root { others }) = extensions else {
            return Self::default();
        };
        let node = |value: &Value| {
            let node = value.get("node")?.as_u64()?;
            tree.bone(usize::try_from(node).ok()?)
        };
        let listed = |extension: &Value| -> Vec<(Role, u16)> {
            let bones = extension.pointer("/humanoid/humanBones");
            let bones = bones.and_then(Value::as_object).into_iter().flatten();
            bones
                .filter_map(|(name, value)| Some((Role::from_name(name)?, node(value)?)))
                .collect()
        };
        let mut vrm = Self::default();
        let mut bones = Vec::new();
        let mut looks = Quat::IDENTITY;
        if let Some(extension) = others.get(VRM_1).or(others.get(VRMA)) {
            bones = listed(extension);
        } else if let Some(extension) = others.get(VRM_0) {
            // VRM 0.x characters face -Z; the format names each bone in a field.
            looks = Quat::from_rotation_y(std::f32::consts::PI);
            let list = extension.pointer("/humanoid/humanBones");
            let list = list.and_then(Value::as_array).into_iter().flatten();
            bones = list
                .filter_map(|value| {
                    let name = value.get("bone")?.as_str()?;
                    Some((role_of_0(name)?, node(value)?))
                })
                .collect();
        }
        if !bones.is_empty() {
            vrm.declared = Some(Declared {
                bones,
                model_from_character: looks,
            });
        }
        if let Some(extension) = others.get(VRMA) {
            for kind in ["preset", "custom"] {
                let list = extension.get("expressions").and_then(|all| all.get(kind));
                let list = list.and_then(Value::as_object).into_iter().flatten();
                let list = list.filter_map(|(name, value)| Some((name.clone(), node(value)?)));
                vrm.expressions.extend(list);
            }
            vrm.look_at = extension.get("lookAt").and_then(node);
        }
        vrm
    }

    /// Rotates a VRM 0.x character, which faces -Z in its file, to face +Z: its root bones and their tracks in clips.
    pub(crate) fn face_ahead(
        &mut self,
        skeleton: Skeleton,
        clips: &mut [Clip],
    ) -> (Skeleton, FacingReport) {
        let mut report = FacingReport::default();
        let Some(declared) = &mut self.declared else {
            return (skeleton, report);
        };
        let turn = declared.model_from_character.inverse();
        let (axis, angle) = turn.to_axis_angle();
        (report.turned, report.is_known) = ((axis.y * angle).to_degrees(), true);
        declared.model_from_character = Quat::IDENTITY;
        (facing::turned(skeleton, clips, turn), report)
    }

    /// Converts the tracks of nodes for expressions and gaze to curves: `expression.NAME` from the x of the translation;
    /// `look_at.yaw` and `look_at.pitch`, radians, from the rotation (about Y, then X).
    pub fn curves(&self, clip: &mut Clip) {
        let mut curves: Vec<Curve> = Vec::new();
        clip.bones.retain_mut(|tracks| {
            let expression = self.expressions.iter().find(|e| e.1 == tracks.bone);
            if let (Some((name, _)), Some(track)) = (expression, &tracks.translation) {
                curves.push(Curve {
                    name: format!("expression.{name}"),
                    track: Track {
                        times: track.times.clone(),
                        values: track.values.iter().map(|v| v.x).collect(),
                        interpolation: track.interpolation,
                    },
                });
            }
            let gaze = self.look_at == Some(tracks.bone);
            if let (true, Some(track)) = (gaze, &tracks.rotation) {
                curves.extend(gaze_curves(track));
            }
            expression.is_none() && !gaze
        });
        curves.sort_by(|a, b| a.name.cmp(&b.name));
        clip.curves.extend(curves);
    }
}

fn gaze_curves(track: &Track<Quat>) -> [Curve; 2] {
    let is_spline = track.interpolation == Interpolation::CubicSpline;
    let (first, step) = if is_spline { (1, 3) } else { (0, 1) };
    let keys = track.values.iter().skip(first).step_by(step);
    let angles: Vec<(f32, f32)> = keys
        .map(|q| {
            let (yaw, pitch, _) = q.to_euler(EulerRot::YXZ);
            (yaw, pitch)
        })
        .collect();
    let curve = |name: &str, values: Vec<f32>| Curve {
        name: name.into(),
        track: Track {
            times: track.times.clone(),
            values,
            // Tangents cannot be converted to angles; only the keys are used.
            interpolation: match track.interpolation {
                Interpolation::Step => Interpolation::Step,
                _ => Interpolation::Linear,
            },
        },
    };
    [
        curve("look_at.yaw", angles.iter().map(|a| a.0).collect()),
        curve("look_at.pitch", angles.iter().map(|a| a.1).collect()),
    ]
}

/// Role of a VRM 0.x bone name. VRM 0.x names the thumb bones like those of the other fingers.
fn role_of_0(name: &str) -> Option<Role> {
    let renamed = match name {
        "leftThumbProximal" => "leftThumbMetacarpal",
        "leftThumbIntermediate" => "leftThumbProximal",
        "rightThumbProximal" => "rightThumbMetacarpal",
        "rightThumbIntermediate" => "rightThumbProximal",
        other => other,
    };
    Role::from_name(renamed)
}
