//! Clip files: animations without a character of their own (animation-only glTF, VRMA, BVH, DeepMimic), and how they are
//! bound to a model.
//!
//! Callers: `app::library` when a project names clip files, `inspect --clips`. Invariant: the clips are as authored; the
//! code that assembles the model packs them at the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Quat;

use super::facing::{self, FacingReport, ModelFacing};
use super::gltf::{self, LoadFault, ModelLoadError};
use super::model::Model;
use super::{bvh, deepmimic, missing, near_origin};
use galatea_anim::contacts::{ContactOptions, FootBones, detect, step_markers};
use galatea_anim::humanoid::{self, Humanoid};
use galatea_anim::reparent::{self, Reparent};
use galatea_anim::retarget::{
    Retarget, RetargetError, RetargetMode, RetargetOptions, RetargetReport, Rig,
};
use galatea_anim::{Clip, Marker, MorphTrack, Skeleton, Track, standing_rest};

/// Clips and the skeleton they were made for.
#[derive(Clone, Debug, Default)]
pub struct ClipSource {
    /// File name without directory and extension.
    pub name: String,
    /// All files that were read.
    pub sources: Vec<PathBuf>,
    /// Skeleton from the nodes of the file.
    pub skeleton: Arc<Skeleton>,
    /// Humanoid bones of the skeleton.
    pub humanoid: Humanoid,
    /// Report on how the humanoid bones were matched.
    pub report: humanoid::HumanoidMatch,
    /// Name and morph target names of each part that has morph tracks.
    pub morphs: Vec<(String, Vec<String>)>,
    /// Clips in the file's order.
    pub clips: Vec<Clip>,
    /// Warnings about repairs and skipped data.
    pub warnings: Vec<String>,
    /// Direction that the character of the file faces, and the rotation applied to it.
    pub facing: FacingReport,
    /// Some bones have another parent than in the file.
    pub is_reparented: bool,
}

/// Loads a file for its clips: glTF, GLB, VRM, VRMA, BVH (`.bvh`) or DeepMimic (`.txt`, `.json`).
///
/// # Errors
/// As [`gltf::load`]; for text files the error includes the line.
pub fn load(path: &Path) -> Result<ClipSource, ModelLoadError> {
    load_with(path, &bvh::BvhOptions::default())
}

/// Loads a file like [`load`], with known BVH options.
///
/// # Errors
/// As [`load`].
pub(crate) fn load_with(
    path: &Path,
    options: &bvh::BvhOptions,
) -> Result<ClipSource, ModelLoadError> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let loaded = match extension.to_str() {
        Some("bvh") => read_text(path).and_then(|bytes| {
            let fault = |error: bvh::BvhError| LoadFault::Motion(error.to_string());
            bvh::load_with(&bytes, &name, options).map_err(fault)
        }),
        Some("txt" | "json") => read_text(path).and_then(|bytes| {
            let fault = |error: deepmimic::DeepMimicError| LoadFault::Motion(error.to_string());
            deepmimic::load(&bytes, &name).map_err(fault)
        }),
        _ => {
            let (model, clips) = gltf::load_motion(path)?;
            return Ok(ClipSource::new(&model, clips));
        }
    };
    let sources = vec![path.to_owned()];
    match loaded {
        Ok((skeleton, mut clip, mut warnings)) => {
            let skeleton = near_origin::skeleton(skeleton, &mut |text| warnings.push(text));
            near_origin::clip(&mut clip, &skeleton, &mut |text| warnings.push(text));
            let source = ClipSource::from_capture(&name, skeleton, clip);
            warnings.extend(source.warnings);
            Ok(ClipSource {
                sources,
                warnings,
                ..source
            })
        }
        Err(fault) => Err(ModelLoadError {
            file: path.display().to_string(),
            fault,
            sources,
        }),
    }
}

/// Loads a model or motion file as a model, for viewing. A model from BVH or DeepMimic has no mesh.
///
/// # Errors
/// As [`load`].
pub fn load_model(path: &Path) -> Result<Model, ModelLoadError> {
    load_model_facing(path, ModelFacing::Auto)
}

/// Loads a file like [`load_model`]; `facing` is the character's direction in the file.
///
/// # Errors
/// As [`load`].
pub fn load_model_facing(path: &Path, facing: ModelFacing) -> Result<Model, ModelLoadError> {
    if !is_capture(path) {
        return gltf::load_facing(path, facing);
    }
    let source = load(path)?;
    let skeleton = match source.clips.first() {
        Some(clip) => with_roots_at_start(&source.skeleton, clip),
        None => source.skeleton,
    };
    Ok(Model {
        name: source.name,
        sources: source.sources,
        skeleton,
        clips: source.clips.into_iter().map(Arc::new).collect(),
        warnings: source.warnings,
        ..Model::default()
    })
}

/// Returns true if the file's extension is one for motion capture: BVH or DeepMimic.
pub fn is_capture(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    ["bvh", "txt", "json"].iter().any(|text| extension == *text)
}

/// The skeleton with its roots at their first keyed position. The rest pose of motion capture has its root at the origin, in
/// the floor.
fn with_roots_at_start(skeleton: &Arc<Skeleton>, clip: &Clip) -> Arc<Skeleton> {
    let mut bones = skeleton.bones().to_vec();
    for tracks in &clip.bones {
        let first = tracks
            .translation
            .as_ref()
            .and_then(|track| track.values.first());
        let bone = bones.get_mut(usize::from(tracks.bone));
        if let (Some(first), Some(bone)) = (first, bone.filter(|bone| bone.parent.is_none())) {
            bone.rest.translation = *first;
        }
    }
    Skeleton::new(bones).map_or_else(|_| Arc::clone(skeleton), Arc::new)
}

fn read_text(path: &Path) -> Result<Vec<u8>, LoadFault> {
    super::read(path).map_err(|error| LoadFault::Unreadable(missing::unreadable(path, &error)))
}

/// [`load`] from memory, see [`gltf::load_slice`].
///
/// # Errors
/// As [`gltf::load`].
pub fn load_slice(
    name: &str,
    bytes: &[u8],
    external: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<ClipSource, ModelLoadError> {
    let (model, clips) = gltf::load_motion_slice(name, bytes, external)?;
    Ok(ClipSource::new(&model, clips))
}

/// Clips bound to a model, with a report.
#[derive(Clone, Debug)]
pub struct BoundClips {
    /// Clips for the model's bones and parts, in the order of the source.
    pub clips: Vec<Clip>,
    /// Report on how the bones were matched.
    pub report: RetargetReport,
    /// Parts of clips that do not fit the model, by clip, as sentences for users.
    pub left_out: Vec<String>,
}

impl ClipSource {
    /// Clips of a model loaded with [`gltf::load_motion`].
    fn new(model: &Model, clips: Vec<Clip>) -> Self {
        let (humanoid, report) = model.humanoid();
        let mut warnings = model.warnings.clone();
        if clips.is_empty() {
            warnings.push("the file has no clips".into());
        }
        let morphs = model.parts.iter().map(|part| {
            let mesh = model.meshes.get(part.mesh);
            let names = mesh.map_or(Vec::new(), |mesh| mesh.morph_names.clone());
            (part.name.clone(), names)
        });
        Self {
            name: model.name.clone(),
            sources: model.sources.clone(),
            skeleton: Arc::clone(&model.skeleton),
            humanoid,
            report,
            morphs: morphs.collect(),
            clips,
            warnings,
            facing: model.facing.clone(),
            is_reparented: !model.reparented.is_empty(),
        }
    }

    /// A source of one clip and its skeleton, as in motion capture files.
    pub(crate) fn from_clip(name: &str, skeleton: Skeleton, clip: Clip) -> Self {
        let (humanoid, report) = humanoid::find(&skeleton, None);
        Self {
            name: name.to_owned(),
            skeleton: Arc::new(skeleton),
            humanoid,
            report,
            clips: vec![clip],
            ..Self::default()
        }
    }

    /// [`ClipSource::from_clip`] for motion capture: with a standing rest pose and the floor at height 0.
    fn from_capture(name: &str, skeleton: Skeleton, clip: Clip) -> Self {
        let (humanoid, _) = humanoid::find(&skeleton, None);
        match standing_rest::ground(&skeleton, &humanoid, &clip) {
            Some(grounded) => Self {
                warnings: grounded.notes,
                ..Self::from_clip(name, grounded.skeleton, grounded.clip)
            },
            None => Self::from_clip(name, skeleton, clip),
        }
    }

    /// Binds the clips to a model: bones by name or as a humanoid ([`Retarget`]), morph targets by name. A walk or run
    /// without marks that is retargeted to another body keeps the steps of the original body, because that body's feet touch
    /// the ground exactly.
    ///
    /// # Errors
    /// If the skeletons have too few bones in common.
    pub fn onto(
        &self,
        model: &Model,
        humanoid: &Humanoid,
        options: RetargetOptions,
    ) -> Result<BoundClips, RetargetError> {
        let source = Rig {
            skeleton: &self.skeleton,
            humanoid: &self.humanoid,
        };
        let target = Rig {
            skeleton: &model.skeleton,
            humanoid,
        };
        let (retarget, report) = Retarget::new(source, target, options)?;
        if report.manner == RetargetMode::Names
            && let Some(alike) = self.matched_to(model)
        {
            return alike.onto(model, humanoid, options);
        }
        let mut left_out = Vec::new();
        let clips = self.clips.iter().map(|clip| {
            let morphs = self.morphs_onto(clip, model);
            // This report covers only bones; morph targets are reported by the names that were not found.
            let bare = Clip {
                morphs: Vec::new(),
                ..clip.clone()
            };
            let lost = retarget.left_out(&bare, &self.skeleton);
            left_out.extend(lost.iter().map(|text| format!("{}: {text}", clip.name)));
            let lost = self.lost_morphs(clip, &morphs, model);
            if !lost.is_empty() {
                let lost = lost.join(", ");
                left_out.push(format!("{}: unknown morph target {lost}", clip.name));
            }
            let mut bound = Clip {
                morphs,
                ..retarget.clip(&bare, &self.skeleton, &model.skeleton)
            };
            if report.manner == RetargetMode::Body && clip.markers.is_empty() {
                bound.markers = steps(&self.skeleton, &self.humanoid, clip);
            }
            bound
        });
        Ok(BoundClips {
            clips: clips.collect(),
            report,
            left_out,
        })
    }

    /// The source with its rig made equal to the model's: rotated like the model, with the model's parents. `None` if it is
    /// equal already.
    fn matched_to(&self, model: &Model) -> Option<Self> {
        let degrees = model.facing.turned - self.facing.turned;
        let turns = !self.facing.is_known && degrees != 0.0;
        let is_animated = self.reparents_to(model);
        if !turns && is_animated.is_empty() {
            return None;
        }
        let mut alike = self.clone();
        if turns {
            let rotate = Quat::from_rotation_y(degrees.to_radians());
            let skeleton = Skeleton::clone(&self.skeleton);
            alike.skeleton = Arc::new(facing::turned(skeleton, &mut alike.clips, rotate));
            alike.facing.turned = model.facing.turned;
        }
        if let Some(moved) = reparent::apply(&alike.skeleton, &is_animated) {
            alike.clips = alike.clips.iter().map(|clip| moved.clip(clip)).collect();
            alike.skeleton = Arc::new(moved.skeleton);
            (alike.humanoid, alike.report) = humanoid::find(&alike.skeleton, None);
        } else if !turns {
            return None;
        }
        Some(alike)
    }

    /// Bones with other parents than in the model, if loading reparented bones in one of the two.
    fn reparents_to(&self, model: &Model) -> Vec<Reparent> {
        if !self.is_reparented && model.reparented.is_empty() {
            return Vec::new();
        }
        let bones = self.skeleton.bones();
        let is_animated = (0_u16..).zip(bones).filter_map(|(bone, own)| {
            let other = model.skeleton.find(&own.name)?;
            let parent = model.skeleton.bones()[usize::from(other)].parent?;
            let parent = &model.skeleton.bones()[usize::from(parent)].name;
            let parent = self.skeleton.find(parent)?;
            (own.parent != Some(parent)).then_some(Reparent { bone, parent })
        });
        is_animated.collect()
    }

    /// Names of morph targets that a clip animates and for which the model has no track.
    fn lost_morphs<'a>(&'a self, clip: &Clip, found: &[MorphTrack], model: &Model) -> Vec<&'a str> {
        let has = |name: &String| {
            let parts = found.iter().filter_map(|track| model.parts.get(track.part));
            let mut meshes = parts.filter_map(|part| model.meshes.get(part.mesh));
            meshes.any(|mesh| mesh.morph_names.contains(name))
        };
        let mut lost: Vec<&str> = Vec::new();
        for track in &clip.morphs {
            let Some((_, names)) = self.morphs.get(track.part) else {
                continue;
            };
            for (i, name) in names.iter().enumerate() {
                if is_animated(track, i) && !has(name) && !lost.contains(&name.as_str()) {
                    lost.push(name);
                }
            }
        }
        lost
    }

    /// Binds a clip's morph tracks to the model's parts. A track goes to the part of the same name if it has such targets,
    /// otherwise to every part that has them. Targets that the source lacks keep their rest weight.
    fn morphs_onto(&self, clip: &Clip, model: &Model) -> Vec<MorphTrack> {
        let mut out: Vec<MorphTrack> = Vec::new();
        for track in &clip.morphs {
            let Some((name, names)) = self.morphs.get(track.part) else {
                continue;
            };
            let common = |part: usize| {
                let mesh = model.meshes.get(model.parts.get(part)?.mesh)?;
                let some = mesh.morph_names.iter().any(|name| names.contains(name));
                some.then_some(&mesh.morph_names)
            };
            let all = 0..model.parts.len();
            let parts = all.filter_map(|part| Some((part, common(part)?)));
            let parts: Vec<(usize, &Vec<String>)> = parts.collect();
            let is_named = |part: usize| model.parts[part].name == *name;
            let only_named = parts.iter().any(|(part, _)| is_named(*part));
            for (part, morph_names) in parts {
                let taken = out.iter().any(|track| track.part == part);
                if taken || only_named && !is_named(part) {
                    continue;
                }
                let rest = &model.parts[part].morph_weights;
                out.push(MorphTrack {
                    part,
                    n_targets: morph_names.len(),
                    track: rearrange(track, names, morph_names, rest),
                });
            }
        }
        out.sort_by_key(|track| track.part);
        out
    }
}

/// Footstep marks of a walk or run, measured on the body that the clip was made for. Empty for other clips.
pub fn steps(skeleton: &Skeleton, humanoid: &Humanoid, clip: &Clip) -> Vec<Marker> {
    let feet = FootBones::of(skeleton, humanoid);
    let n_feet = feet.bones.len();
    let gait = detect(skeleton, clip, &feet.bones, &ContactOptions::default());
    let steps = n_feet > 0 && gait.steps(n_feet, skeleton.height());
    let marks = steps.then(|| step_markers(&gait, clip.duration, &feet.sides));
    marks.unwrap_or_default()
}

/// Returns true if a track has a value other than 0 for target `i`.
fn is_animated(track: &MorphTrack, i: usize) -> bool {
    let values = track.track.values.iter().skip(i);
    values
        .step_by(track.n_targets.max(1))
        .any(|value| *value != 0.0)
}

/// Reorders the values of a track from the targets `names` to the targets `order`.
fn rearrange(from: &MorphTrack, names: &[String], order: &[String], rest: &[f32]) -> Track<f32> {
    let index_of = |name: &String| names.iter().position(|known| known == name);
    let indices: Vec<Option<usize>> = order.iter().map(index_of).collect();
    let is_spline = from.track.interpolation == galatea_anim::Interpolation::CubicSpline;
    let keys = from
        .track
        .values
        .chunks_exact(from.n_targets.max(1))
        .enumerate();
    let values = keys.flat_map(|(k, key)| {
        // The first and last of a spline's three values are tangents; their rest value is 0.
        let is_tangent = is_spline && k % 3 != 1;
        indices.iter().enumerate().map(move |(i, index)| {
            let given = index.and_then(|index| key.get(index)).copied();
            let rest = rest.get(i).copied().unwrap_or(0.0);
            given.unwrap_or(if is_tangent { 0.0 } else { rest })
        })
    });
    Track {
        times: from.track.times.clone(),
        values: values.collect(),
        interpolation: from.track.interpolation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Mesh, Part};
    use galatea_anim::humanoid::Role;
    use galatea_anim::{Bone, Interpolation};
    use galatea_math::Trs;

    fn skeleton() -> Skeleton {
        let names = ["root", "body", "face"];
        let bones = names.iter().enumerate().map(|(i, name)| Bone {
            name: (*name).into(),
            parent: (i as u16).checked_sub(1),
            rest: Trs::from_translation(glam::Vec3::Y),
            skinned: false,
        });
        Skeleton::new(bones.collect()).unwrap()
    }

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|name| (*name).to_owned()).collect()
    }

    fn model(parts: &[(&str, &[&str])]) -> Model {
        let part = |i: usize, name: &str, n: usize| Part {
            name: name.into(),
            bone: 2,
            mesh: i,
            skin: None,
            morph_weights: vec![0.25; n],
            ..Part::default()
        };
        let all = parts.iter().enumerate();
        Model {
            skeleton: Arc::new(skeleton()),
            parts: all.map(|(i, p)| part(i, p.0, p.1.len())).collect(),
            meshes: parts
                .iter()
                .map(|p| Mesh {
                    morph_names: names(p.1),
                    ..Mesh::default()
                })
                .collect(),
            ..Model::default()
        }
    }

    fn source(interpolation: Interpolation, values: Vec<f32>) -> ClipSource {
        let clip = Clip {
            name: "talk".into(),
            morphs: vec![MorphTrack {
                part: 0,
                n_targets: 2,
                track: Track {
                    times: vec![0.0],
                    values,
                    interpolation,
                },
            }],
            ..Clip::default()
        };
        ClipSource {
            morphs: vec![("face".into(), names(&["smile", "blink"]))],
            ..ClipSource::from_clip("talk", skeleton(), clip)
        }
    }

    #[test]
    fn morph_tracks_find_their_targets_by_name_and_leave_others_at_rest() {
        let source = source(Interpolation::Linear, vec![0.5, 1.0]);
        let bind = |parts| {
            let model = model(parts);
            let (humanoid, _) = model.humanoid();
            source
                .onto(&model, &humanoid, RetargetOptions::default())
                .unwrap()
        };
        let bound = bind(&[("hair", &["wind"]), ("head", &["blink", "jaw", "smile"])]);
        assert_eq!(bound.report.manner, RetargetMode::Names);
        let tracks = &bound.clips[0].morphs;
        assert_eq!(
            (tracks.len(), tracks[0].part, tracks[0].n_targets),
            (1, 1, 3)
        );
        assert_eq!(tracks[0].track.values, [1.0, 0.25, 0.5]);
        // The part of the same name has precedence over others with such targets.
        let bound = bind(&[("head", &["blink"]), ("face", &["blink"])]);
        let parts: Vec<usize> = bound.clips[0].morphs.iter().map(|m| m.part).collect();
        assert_eq!(parts, [1]);
        let bound = bind(&[("head", &["wink"])]);
        assert_eq!(bound.clips[0].morphs, []);
        assert_eq!(bound.left_out, ["talk: unknown morph target smile, blink"]);
        let bound = bind(&[("head", &["smile"])]);
        assert_eq!(bound.left_out, ["talk: unknown morph target blink"]);
    }

    #[test]
    fn tangents_of_targets_that_the_source_lacks_are_flat() {
        let values = vec![0.1, 0.2, 0.5, 1.0, 0.3, 0.4];
        let source = source(Interpolation::CubicSpline, values);
        let model = model(&[("face", &["jaw", "smile"])]);
        let (humanoid, _) = model.humanoid();
        let bound = source
            .onto(&model, &humanoid, RetargetOptions::default())
            .unwrap();
        let track = &bound.clips[0].morphs[0].track;
        assert_eq!(track.values, [0.0, 0.1, 0.25, 0.5, 0.0, 0.3]);
    }

    /// A leg with its foot as a child of the root, as in an IK rig.
    fn ik_leg() -> Skeleton {
        let bone = |name: &str, parent: Option<u16>, y: f32| Bone {
            name: name.into(),
            parent,
            rest: Trs::from_translation(glam::Vec3::Y * y),
            skinned: true,
        };
        Skeleton::new(vec![
            bone("root", None, 0.0),
            bone("foot", Some(0), 0.1),
            bone("thigh", Some(0), 1.0),
            bone("shin", Some(2), -0.5),
        ])
        .unwrap()
    }

    #[test]
    fn clips_of_a_rig_fit_a_model_in_which_bones_were_moved() {
        let skeleton = ik_leg();
        let is_animated = [Reparent { bone: 1, parent: 3 }];
        let moved = reparent::apply(&skeleton, &is_animated).unwrap();
        let model = Model {
            skeleton: Arc::new(moved.skeleton.clone()),
            reparented: moved.moved.clone(),
            ..Model::default()
        };
        let rotate = |x: f32| glam::Quat::from_rotation_x(x);
        let track = |values: [glam::Quat; 2]| Track {
            times: vec![0.0, 1.0],
            values: values.to_vec(),
            interpolation: Interpolation::Linear,
        };
        let tracks = |bone: u16, end: f32| galatea_anim::BoneTracks {
            rotation: Some(track([rotate(0.0), rotate(end)])),
            ..galatea_anim::BoneTracks::still(bone)
        };
        let clip = Clip {
            name: "kick".into(),
            duration: 1.0,
            bones: vec![tracks(1, 0.3), tracks(2, -0.5), tracks(3, 0.9)],
            ..Clip::default()
        };
        let source = ClipSource::from_clip("kick", skeleton.clone(), clip.clone());
        let (humanoid, _) = model.humanoid();
        let bound = source
            .onto(&model, &humanoid, RetargetOptions::default())
            .unwrap();
        assert_eq!(bound.report.manner, RetargetMode::Names);
        let foot = |skeleton: &Skeleton, clip: &Clip, t: f32| {
            let mut pose = galatea_anim::Pose {
                locals: skeleton.rest().collect(),
                ..Default::default()
            };
            galatea_anim::sample(clip, t, &[], &mut pose);
            let mut matrices = Vec::new();
            galatea_anim::local_to_model(skeleton, &pose.locals, &mut matrices);
            matrices[usize::from(skeleton.find("foot").unwrap())]
        };
        for t in [0.0, 0.37, 1.0] {
            let was = foot(&skeleton, &clip, t);
            let is = foot(&model.skeleton, &bound.clips[0], t);
            assert!(was.abs_diff_eq(is, 2e-3), "{t}: {was:?} {is:?}");
        }
    }

    #[test]
    fn a_file_without_clips_gives_an_error() {
        let json = br#"{"asset": {"version": "2.0"}, "nodes": [{"name": "hips"}]}"#;
        let mut none = |_: &str| Err("no such file".to_owned());
        let source = load_slice("empty.gltf", json, &mut none).unwrap();
        assert_eq!(source.warnings, ["the file has no clips"]);
        assert_eq!(source.humanoid.bone(Role::Hips), Some(0));
        assert!(load_slice("bad.gltf", b"{", &mut none).is_err());
    }
}
