//! Clip files: animations without a character of their own (animation-only glTF, VRMA), and how
//! they are bound to a model.
//!
//! Callers: `app::library` when a project names clip files, `inspect --clips`. Invariant: the clips
//! are authored ones; whoever makes a model of them packs them at the end.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::gltf::{self, LoadError};
use super::model::Model;
use crate::anim::humanoid::{self, Humanoid};
use crate::anim::retarget::{Options, Retarget, RetargetError, RetargetReport, Rig};
use crate::anim::{Clip, MorphTrack, Skeleton, Track};

/// Clips and the skeleton they were made for.
#[derive(Clone, Debug, Default)]
pub struct ClipSource {
    /// File name without folders and extension.
    pub name: String,
    /// Every file that was read.
    pub sources: Vec<PathBuf>,
    /// The nodes of the file.
    pub skeleton: Arc<Skeleton>,
    /// Its humanoid bones.
    pub humanoid: Humanoid,
    /// How they were found.
    pub report: humanoid::Report,
    /// For every part that morph tracks speak of, its name and those of its morph targets.
    pub morphs: Vec<(String, Vec<String>)>,
    /// The clips, in the file's order.
    pub clips: Vec<Clip>,
    /// What was mended or left out while loading.
    pub warnings: Vec<String>,
}

/// Loads a glTF, GLB, VRM or VRMA file for its clips.
///
/// # Errors
/// As [`gltf::load`].
pub fn load(path: &Path) -> Result<ClipSource, LoadError> {
    let (model, clips) = gltf::load_motion(path)?;
    Ok(ClipSource::new(&model, clips))
}

/// [`load`] from memory, see [`gltf::load_slice`].
///
/// # Errors
/// As [`gltf::load`].
pub fn load_slice(
    name: &str,
    bytes: &[u8],
    external: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<ClipSource, LoadError> {
    let (model, clips) = gltf::load_motion_slice(name, bytes, external)?;
    Ok(ClipSource::new(&model, clips))
}

/// Clips bound to a model, and what became of them.
#[derive(Clone, Debug)]
pub struct Bound {
    /// For the model's bones and parts, in the order of the source.
    pub clips: Vec<Clip>,
    /// How the skeletons were brought together.
    pub report: RetargetReport,
    /// What of the clips does not reach the model, by clip, in plain words.
    pub left_out: Vec<String>,
}

impl ClipSource {
    /// The clips of a model loaded with [`gltf::load_motion`].
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
        }
    }

    /// A source of one clip that was made for a skeleton, as mocap files are.
    pub fn from_clip(name: &str, skeleton: Skeleton, clip: Clip) -> Self {
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

    /// Binds the clips to a model: bones by name or by body ([`Retarget`]), morph targets by name.
    ///
    /// # Errors
    /// When the skeletons have too little in common.
    pub fn onto(
        &self,
        model: &Model,
        humanoid: &Humanoid,
        options: Options,
    ) -> Result<Bound, RetargetError> {
        let source = Rig {
            skeleton: &self.skeleton,
            humanoid: &self.humanoid,
        };
        let target = Rig {
            skeleton: &model.skeleton,
            humanoid,
        };
        let (retarget, report) = Retarget::new(source, target, options)?;
        let mut left_out = Vec::new();
        let clips = self.clips.iter().map(|clip| {
            let morphs = self.morphs_onto(clip, model);
            // Said of the bones only; of morphs by the names that were not found.
            let bare = Clip {
                morphs: Vec::new(),
                ..clip.clone()
            };
            let lost = retarget.left_out(&bare, &self.skeleton);
            left_out.extend(lost.iter().map(|text| format!("{}: {text}", clip.name)));
            if morphs.is_empty() && !clip.morphs.is_empty() {
                let n = clip.morphs.len();
                left_out.push(format!(
                    "{}: {n} morph tracks find no morph target of their names",
                    clip.name
                ));
            }
            Clip {
                morphs,
                ..retarget.clip(&bare, &self.skeleton, &model.skeleton)
            }
        });
        Ok(Bound {
            clips: clips.collect(),
            report,
            left_out,
        })
    }

    /// A clip's morph tracks on the model's parts: to the part of the same name where it has such
    /// targets, else to every part that has. Targets that the source lacks keep their rest weight.
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

/// The values of a track in the order of other names.
fn rearrange(from: &MorphTrack, names: &[String], wanted: &[String], rest: &[f32]) -> Track<f32> {
    let place = |name: &String| names.iter().position(|known| known == name);
    let places: Vec<Option<usize>> = wanted.iter().map(place).collect();
    let is_spline = from.track.interpolation == crate::anim::Interpolation::CubicSpline;
    let keys = from
        .track
        .values
        .chunks_exact(from.n_targets.max(1))
        .enumerate();
    let values = keys.flat_map(|(k, key)| {
        // Of a spline's three values the first and last are tangents, at rest 0.
        let is_tangent = is_spline && k % 3 != 1;
        places.iter().enumerate().map(move |(i, place)| {
            let given = place.and_then(|place| key.get(place)).copied();
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
