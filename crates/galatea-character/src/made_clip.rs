//! Clips made by a script, and how they come to a model.
//!
//! A [`MadeClip`] knows bones and morph targets by name only, so that one clip serves several models
//! and outlives the reload of a model. Callers: `script` (makes them), [`Definition`] (binds them).
//!
//! [`Definition`]: super::Definition

use std::collections::BTreeMap;

use glam::{Affine3A, Quat, Vec3};

use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::{
    BoneTracks, Clip, Curve, Interpolation, Mark, MorphTrack, PlayMode, Track, local_to_model,
};
use galatea_asset::Model;
use galatea_math::Trs;
use galatea_math::names::nearest_hint;

/// What the keys of a bone are counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeySpace {
    /// The bone's parent: keys are the bone's local transform (as in glTF).
    #[default]
    Parent,
    /// The bone at rest: turns about its own axes, shifts along its parent's.
    Rest,
    /// The bone at rest, but with turns about and shifts along the model's axes (+X left, +Y up,
    /// +Z ahead), so that the same keys do for differently built skeletons.
    Model,
}

/// The keys of one bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MadeBone {
    /// The bone, or the role of a humanoid's bone (`left_hand`).
    pub name: String,
    /// What the keys are counted from.
    pub space: KeySpace,
    /// Metres.
    pub translation: Option<Track<Vec3>>,
    /// Unit quaternions (tangents of splines are not unit).
    pub rotation: Option<Track<Quat>>,
    /// Factors.
    pub scale: Option<Track<Vec3>>,
}

/// A clip made by a script. Immutable.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MadeClip {
    /// Its name.
    pub name: String,
    /// Seconds.
    pub duration: f32,
    /// What `play` does at its end unless told otherwise.
    pub mode: Option<PlayMode>,
    /// Bones, each once.
    pub bones: Vec<MadeBone>,
    /// Morph targets by name, each once; one number per key (three for splines).
    pub morphs: Vec<(String, Track<f32>)>,
    /// Free number curves, each name once.
    pub curves: Vec<Curve>,
    /// Marks, ascending in time.
    pub marks: Vec<Mark>,
}

/// Keys per second of splines of morph targets that share a part.
const MORPH_RATE: f32 = 60.0;

impl MadeClip {
    /// The clip for a model's bones and parts.
    ///
    /// # Errors
    /// One text for every bone and morph target that the model lacks, with the nearest right name.
    pub fn bind(&self, model: &Model, humanoid: &Humanoid) -> Result<Clip, Vec<String>> {
        let mut wrong = Vec::new();
        let skeleton = &model.skeleton;
        let (mut matrices, locals) = (Vec::new(), skeleton.rest().collect::<Vec<_>>());
        local_to_model(skeleton, &locals, &mut matrices);
        let mut bones: BTreeMap<u16, BoneTracks> = BTreeMap::new();
        for made in &self.bones {
            let role = Role::from_name(&made.name).and_then(|role| humanoid.bone(role));
            let Some(bone) = skeleton.find(&made.name).or(role) else {
                let names = skeleton.bones().iter().map(|bone| bone.name.as_str());
                let hint = nearest_hint(&made.name, names);
                wrong.push(format!("{} has no bone {:?}{hint}", model.name, made.name));
                continue;
            };
            let entry = &skeleton.bones()[usize::from(bone)];
            let parent = entry.parent.and_then(|p| matrices.get(usize::from(p)));
            let at = RestPlace {
                local: entry.rest,
                model_from_parent: parent.copied().unwrap_or(Affine3A::IDENTITY),
            };
            if bones.insert(bone, at.tracks(bone, made)).is_some() {
                let name = &entry.name;
                wrong.push(format!(
                    "the bone {name:?} is given twice, by name and by role"
                ));
            }
        }
        let morphs = self.morph_tracks(model, &mut wrong);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(Clip {
            name: self.name.clone(),
            duration: self.duration,
            bones: bones.into_values().collect(),
            morphs,
            marks: self.marks.clone(),
            curves: self.curves.clone(),
        })
    }

    /// True when the clip has keys for a morph target of this name.
    pub fn moves_morph(&self, name: &str) -> bool {
        self.morphs.iter().any(|(own, _)| own == name)
    }

    fn morph_tracks(&self, model: &Model, wrong: &mut Vec<String>) -> Vec<MorphTrack> {
        let names_of = |mesh: usize| model.meshes.get(mesh).map(|mesh| &mesh.morph_names);
        for (name, _) in &self.morphs {
            let all = model.parts.iter().filter_map(|part| names_of(part.mesh));
            let mut all = all.flatten().map(String::as_str);
            if !all.clone().any(|known| known == name) {
                let hint = nearest_hint(name, &mut all);
                wrong.push(format!("{} has no morph target {name:?}{hint}", model.name));
            }
        }
        let parts = model.parts.iter().enumerate();
        let tracks = parts.filter_map(|(i, part)| {
            let names = names_of(part.mesh)?;
            let rest = &part.morph_weights;
            let own: Vec<Option<&Track<f32>>> = (0..rest.len())
                .map(|k| {
                    let name = names.get(k)?;
                    let found = self.morphs.iter().find(|(own, _)| own == name);
                    found.map(|(_, track)| track)
                })
                .collect();
            let track = together(&own, rest, self.duration)?;
            Some(MorphTrack {
                part: i,
                n_targets: rest.len(),
                track,
            })
        });
        tracks.collect()
    }
}

/// Several numbers' tracks as one, with a key wherever one of them has one; those without a track
/// stay at rest. `None` without any track.
fn together(own: &[Option<&Track<f32>>], rest: &[f32], duration: f32) -> Option<Track<f32>> {
    let tracks: Vec<&Track<f32>> = own.iter().copied().flatten().collect();
    let first = tracks.first()?;
    let is = |kind: Interpolation| tracks.iter().all(|track| track.interpolation == kind);
    let same_times = tracks.iter().all(|track| track.times == first.times);
    if is(Interpolation::CubicSpline) && same_times {
        let values = (0..first.values.len()).flat_map(|k| {
            own.iter().zip(rest).map(move |(track, rest)| {
                let still = if k % 3 == 1 { *rest } else { 0.0 };
                track
                    .and_then(|track| track.values.get(k))
                    .map_or(still, |v| *v)
            })
        });
        return Some(Track {
            times: first.times.clone(),
            values: values.collect(),
            interpolation: Interpolation::CubicSpline,
        });
    }
    let mut times: Vec<f32> = tracks
        .iter()
        .flat_map(|track| track.times.clone())
        .collect();
    let spline = |track: &&&Track<f32>| track.interpolation == Interpolation::CubicSpline;
    if tracks.iter().any(|track| spline(&track)) {
        let n = (duration * MORPH_RATE).ceil() as usize;
        times.extend((0..=n).map(|i| (i as f32 / MORPH_RATE).min(duration)));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    let numbers: Vec<Option<Curve>> = own
        .iter()
        .map(|track| {
            Some(Curve {
                name: String::new(),
                track: Track::clone((*track)?),
            })
        })
        .collect();
    let values = times.iter().flat_map(|t| {
        let pairs = numbers.iter().zip(rest);
        pairs.map(|(curve, rest)| curve.as_ref().map_or(*rest, |curve| curve.at(*t)))
    });
    let values = values.collect();
    let interpolation = if is(Interpolation::Step) {
        Interpolation::Step
    } else {
        Interpolation::Linear
    };
    Some(Track {
        times,
        values,
        interpolation,
    })
}

/// Where a bone is at rest.
struct RestPlace {
    local: Trs,
    model_from_parent: Affine3A,
}

impl RestPlace {
    /// Keys as the bone's local transforms. Every change is linear, so tangents take the same way.
    fn tracks(&self, bone: u16, made: &MadeBone) -> BoneTracks {
        let rest = &self.local;
        let parent = self.model_from_parent.matrix3;
        let (_, turn, _) = self.model_from_parent.to_scale_rotation_translation();
        let to_parent = parent.inverse();
        let shift = |is_tangent: bool, v: Vec3| {
            let from = if is_tangent {
                Vec3::ZERO
            } else {
                rest.translation
            };
            match made.space {
                KeySpace::Parent => v,
                KeySpace::Rest => from + v,
                KeySpace::Model => from + to_parent * v,
            }
        };
        let rotate = |_: bool, q: Quat| match made.space {
            KeySpace::Parent => q,
            KeySpace::Rest => rest.rotation * q,
            KeySpace::Model => turn.inverse() * q * turn * rest.rotation,
        };
        let size = |_: bool, v: Vec3| match made.space {
            KeySpace::Parent => v,
            KeySpace::Rest | KeySpace::Model => rest.scale * v,
        };
        BoneTracks {
            bone,
            translation: made.translation.as_ref().map(|track| each(track, shift)),
            rotation: made.rotation.as_ref().map(|track| each(track, rotate)),
            scale: made.scale.as_ref().map(|track| each(track, size)),
        }
    }
}

/// A track with every value changed; `change` hears whether it is a spline's tangent.
fn each<T: Copy>(track: &Track<T>, change: impl Fn(bool, T) -> T) -> Track<T> {
    let is_spline = track.interpolation == Interpolation::CubicSpline;
    let values = track.values.iter().enumerate();
    let values = values.map(|(k, value)| change(is_spline && k % 3 != 1, *value));
    Track {
        times: track.times.clone(),
        values: values.collect(),
        interpolation: track.interpolation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_anim::{Bone, Skeleton};
    use std::sync::Arc;

    /// A root turned a quarter about x, on it a bone turned a quarter about z.
    fn model() -> Model {
        let bone = |name: &str, parent, rotation| Bone {
            name: name.into(),
            parent,
            rest: Trs {
                translation: Vec3::Y,
                rotation,
                scale: Vec3::ONE,
            },
            skinned: true,
        };
        let quarter = std::f32::consts::FRAC_PI_2;
        let skeleton = Skeleton::new(vec![
            bone("root", None, Quat::from_rotation_x(quarter)),
            bone("neck", Some(0), Quat::from_rotation_z(quarter)),
        ]);
        Model {
            name: "rig".into(),
            skeleton: Arc::new(skeleton.unwrap()),
            ..Model::default()
        }
    }

    fn bound(space: KeySpace) -> Result<Clip, Vec<String>> {
        let one = |v: Vec3| Track {
            times: vec![0.0],
            values: vec![v],
            interpolation: Interpolation::Linear,
        };
        let made = MadeClip {
            name: "nod".into(),
            bones: vec![MadeBone {
                name: "neck".into(),
                space,
                translation: Some(one(Vec3::new(0.0, 0.5, 0.0))),
                rotation: Some(Track {
                    times: vec![0.0],
                    values: vec![Quat::from_rotation_y(0.3)],
                    interpolation: Interpolation::Linear,
                }),
                scale: None,
            }],
            ..MadeClip::default()
        };
        let model = model();
        made.bind(&model, &model.humanoid().0)
    }

    /// Model-space matrix of the neck, at rest and with the clip.
    fn necks(clip: &Clip) -> [Affine3A; 2] {
        let model = model();
        let rest: Vec<Trs> = model.skeleton.rest().collect();
        let mut posed = rest.clone();
        posed[1].rotation = clip.bones[0].rotation.as_ref().unwrap().values[0];
        posed[1].translation = clip.bones[0].translation.as_ref().unwrap().values[0];
        [rest, posed].map(|locals| {
            let mut out = Vec::new();
            local_to_model(&model.skeleton, &locals, &mut out);
            out[1]
        })
    }

    #[test]
    fn keys_in_model_space_turn_about_and_shift_along_the_models_axes_on_any_rig() {
        let [rest, posed] = necks(&bound(KeySpace::Model).unwrap());
        let moved = Vec3::from(posed.translation - rest.translation);
        assert!(moved.abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6), "{moved}");
        let turned = Quat::from_mat3a(&posed.matrix3) * Quat::from_mat3a(&rest.matrix3).inverse();
        assert!(turned.abs_diff_eq(Quat::from_rotation_y(0.3), 1e-6));
    }

    #[test]
    fn keys_from_rest_turn_about_the_bones_own_axes_and_keys_in_the_parent_are_taken_as_they_are() {
        let clip = bound(KeySpace::Rest).unwrap();
        let rotation = clip.bones[0].rotation.as_ref().unwrap().values[0];
        let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        assert!(rotation.abs_diff_eq(quarter * Quat::from_rotation_y(0.3), 1e-6));
        let place = clip.bones[0].translation.as_ref().unwrap().values[0];
        assert_eq!(place, Vec3::new(0.0, 1.5, 0.0));
        let clip = bound(KeySpace::Parent).unwrap();
        let rotation = clip.bones[0].rotation.as_ref().unwrap().values[0];
        assert_eq!(rotation, Quat::from_rotation_y(0.3));
    }

    #[test]
    fn morph_targets_of_one_part_keep_their_own_key_times() {
        let track = |times: &[f32], values: &[f32]| Track {
            times: times.to_vec(),
            values: values.to_vec(),
            interpolation: Interpolation::Linear,
        };
        let (a, b) = (track(&[0.0, 1.0], &[0.0, 1.0]), track(&[0.5], &[0.25]));
        let out = together(&[Some(&a), None, Some(&b)], &[0.0, 0.75, 0.0], 1.0).unwrap();
        assert_eq!(out.times, [0.0, 0.5, 1.0]);
        let want = [0.0, 0.75, 0.25, 0.5, 0.75, 0.25, 1.0, 0.75, 0.25];
        assert_eq!(out.values, want);
        assert_eq!(together(&[None], &[0.5], 1.0), None);
    }

    #[test]
    fn missing_names_are_told_all_at_once_with_the_nearest() {
        let bone = |name: &str| MadeBone {
            name: name.into(),
            ..MadeBone::default()
        };
        let made = MadeClip {
            bones: vec![bone("nek"), bone("tail")],
            ..MadeClip::default()
        };
        let model = model();
        let wrong = made.bind(&model, &model.humanoid().0).unwrap_err();
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].contains("no bone \"nek\"") && wrong[0].contains("neck"));
    }
}
