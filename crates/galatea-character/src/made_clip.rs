//! Clips made by a script, and binding them to a model.
//!
//! A [`MadeClip`] refers to bones and morph targets by name only, so that one clip works for several models and survives a
//! reload of a model. Scripts create it; [`Definition`] binds it.
//!
//! [`Definition`]: super::Definition

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::{
    BoneTracks, Clip, Curve, Interpolation, Marker, MorphTrack, PlayMode, Track, local_to_model,
};
use galatea_asset::Model;
use galatea_math::Trs;
use galatea_math::names::nearest_hint;

/// Reference frame of a bone's keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeySpace {
    /// Relative to the bone's parent: keys are the bone's local transform (as in glTF).
    #[default]
    Parent,
    /// Relative to the rest pose: rotations about the bone's own axes, translations along its parent's axes.
    Rest,
    /// Relative to the rest pose, with rotations about and translations along the model's axes (+X left, +Y up, +Z forward),
    /// so that the same keys work for different skeletons.
    Model,
}

/// Keys of one bone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MadeBone {
    /// Name of the bone, or its humanoid role (`left_hand`).
    pub name: String,
    /// Reference frame of the keys.
    pub space: KeySpace,
    /// Translation keys, metres.
    pub translation: Option<Track<Vec3>>,
    /// Rotation keys, unit quaternions (spline tangents are not unit).
    pub rotation: Option<Track<Quat>>,
    /// Scale keys, factors.
    pub scale: Option<Track<Vec3>>,
}

/// A clip made by a script. Immutable.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MadeClip {
    /// Name of the clip.
    pub name: String,
    /// Duration, seconds.
    pub duration: f32,
    /// Default play mode.
    pub mode: Option<PlayMode>,
    /// Bones, each at most once.
    pub bones: Vec<MadeBone>,
    /// Morph targets by name, each at most once; one number per key (three for splines).
    pub morphs: Vec<(String, Track<f32>)>,
    /// Free curves, each name at most once.
    pub curves: Vec<Curve>,
    /// Marks, ascending in time.
    pub markers: Vec<Marker>,
}

/// Sample rate for splines of morph targets that share a part, keys per second.
const MORPH_RATE: f32 = 60.0;

impl MadeClip {
    /// Binds the clip to a model's bones and parts.
    ///
    /// # BindErrors
    /// Returns a message about each of the first bones and morph targets that the model lacks, with the most similar
    /// name, and the number of the others.
    pub fn bind(&self, model: &Model, humanoid: &Humanoid) -> Result<Clip, Vec<String>> {
        let mut errors = BindErrors::default();
        let skeleton = &model.skeleton;
        let (mut matrices, locals) = (Vec::new(), skeleton.rest().collect::<Vec<_>>());
        local_to_model(skeleton, &locals, &mut matrices);
        let mut bones: BTreeMap<u16, BoneTracks> = BTreeMap::new();
        for made in &self.bones {
            let role = Role::from_name(&made.name).and_then(|role| humanoid.bone(role));
            let Some(bone) = skeleton.find(&made.name).or(role) else {
                errors.add(|| {
                    let names = skeleton.bones().iter().map(|bone| bone.name.as_str());
                    let hint = nearest_hint(&made.name, names);
                    format!(
                        "the model {:?} has no bone {:?}{hint}",
                        model.name, made.name
                    )
                });
                continue;
            };
            let entry = &skeleton.bones()[usize::from(bone)];
            let parent = entry.parent.and_then(|p| matrices.get(usize::from(p)));
            let at = BoneRestTransform {
                local: entry.rest,
                model_from_parent: parent.copied().unwrap_or(Affine3A::IDENTITY),
            };
            if bones.insert(bone, at.tracks(bone, made)).is_some() {
                let name = &entry.name;
                errors.add(|| format!("bone {name:?} has keys twice: by its name and by its role"));
            }
        }
        let morphs = self.morph_tracks(model, &mut errors);
        errors.into_result()?;
        Ok(Clip {
            name: self.name.clone(),
            duration: self.duration,
            bones: bones.into_values().collect(),
            morphs,
            markers: self.markers.clone(),
            curves: self.curves.clone(),
        })
    }

    /// Returns true when the clip has keys for the morph target of this name.
    pub fn moves_morph(&self, name: &str) -> bool {
        self.morphs.iter().any(|(own, _)| own == name)
    }

    fn morph_tracks(&self, model: &Model, errors: &mut BindErrors) -> Vec<MorphTrack> {
        let names_of = |mesh: usize| model.meshes.get(mesh).map(|mesh| &mesh.morph_names);
        let known: BTreeSet<&str> = model
            .parts
            .iter()
            .filter_map(|part| names_of(part.mesh))
            .flatten()
            .map(String::as_str)
            .collect();
        let own: HashMap<&str, &Track<f32>> = self
            .morphs
            .iter()
            .map(|(name, track)| (name.as_str(), track))
            .collect();
        for (name, _) in &self.morphs {
            if !known.contains(name.as_str()) {
                errors.add(|| {
                    let hint = nearest_hint(name, known.iter().copied());
                    format!(
                        "the model {:?} has no morph target {name:?}{hint}",
                        model.name
                    )
                });
            }
        }
        let parts = model.parts.iter().enumerate();
        let tracks = parts.filter_map(|(i, part)| {
            let names = names_of(part.mesh)?;
            let rest = &part.morph_weights;
            let own: Vec<Option<&Track<f32>>> = (0..rest.len())
                .map(|k| own.get(names.get(k)?.as_str()).copied())
                .collect();
            let track = combined(&own, rest, self.duration)?;
            Some(MorphTrack {
                part: i,
                n_targets: rest.len(),
                track,
            })
        });
        tracks.collect()
    }
}

/// Messages about a clip that does not fit a model: the first ones, and the number of the others.
#[derive(Default)]
struct BindErrors {
    first: Vec<String>,
    n_others: usize,
}

/// Maximum number of messages about one clip.
const MAX_ERRORS: usize = 8;

impl BindErrors {
    fn add(&mut self, message: impl FnOnce() -> String) {
        if self.first.len() < MAX_ERRORS {
            self.first.push(message());
        } else {
            self.n_others += 1;
        }
    }

    fn into_result(mut self) -> Result<(), Vec<String>> {
        if self.n_others > 0 {
            let last = format!("and {} more like these", self.n_others);
            self.first.push(last);
        }
        match self.first.is_empty() {
            true => Ok(()),
            false => Err(self.first),
        }
    }
}

/// Combines the tracks of several numbers into one, with a key wherever any of them has one. Numbers without a track stay at
/// their rest value. Returns `None` without any track.
fn combined(own: &[Option<&Track<f32>>], rest: &[f32], duration: f32) -> Option<Track<f32>> {
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

/// Rest transform of a bone.
struct BoneRestTransform {
    local: Trs,
    model_from_parent: Affine3A,
}

impl BoneRestTransform {
    /// Converts keys to local transforms. All conversions are linear, so they apply to spline tangents as well.
    fn tracks(&self, bone: u16, made: &MadeBone) -> BoneTracks {
        let rest = &self.local;
        let parent = self.model_from_parent.matrix3;
        let (_, rotation, _) = self.model_from_parent.to_scale_rotation_translation();
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
            KeySpace::Model => rotation.inverse() * q * rotation * rest.rotation,
        };
        let size = |_: bool, v: Vec3| match made.space {
            KeySpace::Parent => v,
            KeySpace::Rest | KeySpace::Model => rest.scale * v,
        };
        BoneTracks {
            bone,
            translation: made
                .translation
                .as_ref()
                .map(|track| map_track(track, shift)),
            rotation: made.rotation.as_ref().map(|track| map_track(track, rotate)),
            scale: made.scale.as_ref().map(|track| map_track(track, size)),
        }
    }
}

/// Returns a track with every value converted; the first argument of `change` is true for a spline's tangent.
fn map_track<T: Copy>(track: &Track<T>, change: impl Fn(bool, T) -> T) -> Track<T> {
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

    /// Builds a root rotated by 90 degrees about x, with a bone rotated by 90 degrees about z on it.
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

    /// Returns the model-space matrix of the neck, at rest and with the clip.
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
    fn keys_in_model_space_rotate_and_translate_along_the_models_axes_on_any_rig() {
        let [rest, posed] = necks(&bound(KeySpace::Model).unwrap());
        let moved = Vec3::from(posed.translation - rest.translation);
        assert!(moved.abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6), "{moved}");
        let rotated = Quat::from_mat3a(&posed.matrix3) * Quat::from_mat3a(&rest.matrix3).inverse();
        assert!(rotated.abs_diff_eq(Quat::from_rotation_y(0.3), 1e-6));
    }

    #[test]
    fn rest_keys_rotate_about_the_bones_axes_and_parent_keys_stay_unchanged() {
        let clip = bound(KeySpace::Rest).unwrap();
        let rotation = clip.bones[0].rotation.as_ref().unwrap().values[0];
        let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
        assert!(rotation.abs_diff_eq(quarter * Quat::from_rotation_y(0.3), 1e-6));
        let translation = clip.bones[0].translation.as_ref().unwrap().values[0];
        assert_eq!(translation, Vec3::new(0.0, 1.5, 0.0));
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
        let out = combined(&[Some(&a), None, Some(&b)], &[0.0, 0.75, 0.0], 1.0).unwrap();
        assert_eq!(out.times, [0.0, 0.5, 1.0]);
        let expected = [0.0, 0.75, 0.25, 0.5, 0.75, 0.25, 1.0, 0.75, 0.25];
        assert_eq!(out.values, expected);
        assert_eq!(combined(&[None], &[0.5], 1.0), None);
    }

    #[test]
    fn all_missing_names_are_reported_with_the_most_similar_name() {
        let bone = |name: &str| MadeBone {
            name: name.into(),
            ..MadeBone::default()
        };
        let made = MadeClip {
            bones: vec![bone("nek"), bone("tail")],
            ..MadeClip::default()
        };
        let model = model();
        let errors = made.bind(&model, &model.humanoid().0).unwrap_err();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert!(errors[0].contains("no bone \"nek\"") && errors[0].contains("neck"));
    }

    #[test]
    fn of_very_many_missing_names_the_first_are_reported_and_the_others_counted() {
        let (model, value) = (
            model(),
            Track {
                times: vec![0.0],
                values: vec![1.0],
                interpolation: Interpolation::Linear,
            },
        );
        let made = MadeClip {
            bones: (0..3000)
                .map(|i| MadeBone {
                    name: format!("wing {i}"),
                    ..MadeBone::default()
                })
                .collect(),
            morphs: (0..3000)
                .map(|i| (format!("frown {i}"), value.clone()))
                .collect(),
            ..MadeClip::default()
        };
        let errors = made.bind(&model, &model.humanoid().0).unwrap_err();
        assert_eq!(errors.len(), MAX_ERRORS + 1);
        assert_eq!(errors[MAX_ERRORS], "and 5992 more like these");
    }
}
