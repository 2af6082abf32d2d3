//! Clips from other files for a model: names the files and adds their clips to the model.
//!
//! Callers: `script` names the files, `app::library` loads them. Invariant: a clip file that cannot be used leaves the
//! model unchanged; the error names both files and the missing bones.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

use super::bvh;
use super::clips::{self, BoundClips, ClipSource};
use super::facing::ModelFacing;
use super::gltf::ModelLoadError;
use super::model::Model;
use super::skinning::SkinningOptions;
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::retarget::{RetargetMode, RetargetOptions, Sampling};
use galatea_anim::tools::densest_rate;

/// Extensions of files that contain motion and never a mesh.
const TAKE_EXTENSIONS: [&str; 4] = ["bvh", "vrma", "txt", "json"];

/// Returns true if the file's extension is one for motion without a mesh.
pub fn is_take(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    TAKE_EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// Message for a motion file that is used where a model is expected.
pub fn how_to_use(path: &str) -> String {
    let mut text = format!(
        "the file contains motion but no mesh; add it to a character: character(\"hero.glb\", {{ clips = {{ {path:?} \
         }} }})"
    );
    if is_take(Path::new(path)) {
        text.push_str(&format!(", or convert it: galatea clip {path} -o OUT.glb"));
    }
    text
}

/// A file of clips for a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClipFile {
    /// Path relative to the project.
    pub path: String,
    /// Prefix for the names of the file's clips.
    pub prefix: String,
    /// Metres per unit of a BVH file; guessed if `None`.
    pub unit: Option<f32>,
    /// Method to match bones; `None` chooses it by the bones that both skeletons have.
    pub manner: Option<RetargetMode>,
}

/// A model file and the files with additional clips for it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelSource {
    /// Path of the model, relative to the project.
    pub path: String,
    /// Files of additional clips, in the order in which they are added.
    pub clips: Vec<ClipFile>,
    /// Skinning options that override the file's.
    pub skinning: SkinningOptions,
    /// Direction that the character faces in its file.
    pub facing: ModelFacing,
}

impl ModelSource {
    /// A model with only its own clips.
    pub fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::default()
        }
    }

    /// The source as JSON, for saved games.
    pub fn to_json(&self) -> String {
        // Plain numbers and texts can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads [`ModelSource::to_json`].
    ///
    /// # Errors
    /// The reason why the text is no source.
    pub fn of_json(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Unique, readable key of the source: the file, its skinning options, then `+` and each clip file with its
    /// options.
    pub fn key(&self) -> String {
        let mut key = self.path.clone();
        key.push_str(&self.skinning.key());
        if self.facing != ModelFacing::Auto {
            key.push_str(&format!(" facing {}", self.facing.word()));
        }
        for file in &self.clips {
            key.push_str(" + ");
            key.push_str(&file.path);
            let prefix = (!file.prefix.is_empty()).then(|| format!("prefix {:?}", file.prefix));
            let unit = file.unit.map(|unit| format!("unit {unit}"));
            let manner = file.manner.map(|manner| match manner {
                RetargetMode::Names => "by name".to_owned(),
                RetargetMode::Body => "by body".to_owned(),
            });
            let options: Vec<String> = [prefix, unit, manner].into_iter().flatten().collect();
            if !options.is_empty() {
                key.push_str(&format!(" ({})", options.join(", ")));
            }
        }
        key
    }
}

/// Reads a clip file; `full` is its path on disk.
///
/// # Errors
/// As [`clips::load`].
pub fn load(file: &ClipFile, full: &Path) -> Result<ClipSource, ModelLoadError> {
    let options = bvh::BvhOptions {
        metres_per_unit: file.unit,
        ..bvh::BvhOptions::default()
    };
    clips::load_with(full, &options)
}

/// Limit of warnings that one clip file adds to a model.
const MAX_LINES: usize = 6;

/// Adds clips of other files to a model.
pub struct Joining<'a> {
    model: &'a mut Model,
    /// Path of the model, for messages.
    path: &'a str,
    /// Humanoid bones of the model, found when the first file is added.
    humanoid: Option<Humanoid>,
}

impl<'a> Joining<'a> {
    /// Starts without additional clips; `path` is the model's file, for messages.
    pub fn new(model: &'a mut Model, path: &'a str) -> Self {
        Self {
            model,
            path,
            humanoid: None,
        }
    }

    /// Adds the clips of a file to the model and returns the number of clips added. Names are made unique. Parts of
    /// clips that do not fit the model are reported in its warnings. The file becomes one of the model's sources.
    ///
    /// # Errors
    /// If the skeletons have too few bones in common; the error names both files and the missing bones.
    pub fn join(&mut self, file: &ClipFile, source: &ClipSource) -> Result<usize, String> {
        let humanoid = match &self.humanoid {
            Some(humanoid) => humanoid,
            None => self.humanoid.insert(self.model.humanoid().0),
        };
        join(self.model, self.path, humanoid, file, source)?;
        Ok(self.model.clips.len())
    }
}

/// Binds the clips of a file to a model's bones and parts.
///
/// # Errors
/// If the skeletons have too few bones in common; the error names both files and the missing bones.
pub fn bind(
    model: &Model,
    model_file: &str,
    humanoid: &Humanoid,
    file: &ClipFile,
    source: &ClipSource,
) -> Result<BoundClips, String> {
    let options = RetargetOptions {
        manner: file.manner,
        sampling: even_keys(file, source),
    };
    source.onto(model, humanoid, options).map_err(|error| {
        let mut text = format!(
            "{} cannot be retargeted to {model_file}: {error}",
            file.path
        );
        for (name, humanoid) in [
            (file.path.as_str(), &source.humanoid),
            (model_file, humanoid),
        ] {
            let roles = humanoid.missing().filter(|role| role.is_required());
            let roles: Vec<&str> = roles.map(Role::name).collect();
            if !roles.is_empty() {
                text.push_str(&format!("; {name} has no {}", roles.join(", ")));
            }
        }
        text
    })
}

fn join(
    model: &mut Model,
    model_file: &str,
    humanoid: &Humanoid,
    file: &ClipFile,
    source: &ClipSource,
) -> Result<(), String> {
    let bound = bind(model, model_file, humanoid, file, source)?;
    for mut clip in bound.clips {
        let unprefixed = format!("{}{}", file.prefix, clip.name);
        clip.name = unprefixed.clone();
        let mut n = 1;
        while model.clips.iter().any(|known| known.name == clip.name) {
            n += 1;
            clip.name = format!("{unprefixed}_{n}");
        }
        model.clips.push(Arc::new(clip));
    }
    let lost = grouped(&bound.left_out);
    let lines = source
        .warnings
        .iter()
        .chain(&bound.report.notes)
        .chain(&lost);
    let lines: Vec<&String> = lines.collect();
    for line in lines.iter().take(MAX_LINES) {
        model.warnings.push(format!("{}: {line}", file.path));
    }
    if let Some(more) = lines.len().checked_sub(MAX_LINES).filter(|n| *n > 0) {
        model
            .warnings
            .push(format!("{}: and {more} more warnings", file.path));
    }
    model.sources.extend(source.sources.iter().cloned());
    Ok(())
}

/// Sampling for packing: motion capture has a key per frame, and keeping to these frames packs small.
fn even_keys(file: &ClipFile, source: &ClipSource) -> Sampling {
    let extension = Path::new(&file.path).extension().unwrap_or_default();
    let is_capture = ["bvh", "txt", "json"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known));
    let rates = source.clips.iter().map(densest_rate);
    let rate = rates.fold(0.0, f32::max);
    if is_capture && (10.0..=250.0).contains(&rate) {
        Sampling::Uniform(rate)
    } else {
        Sampling::Keys
    }
}

/// Combines lines `clip: text` with equal text to `text (clip and n more)`.
fn grouped(lines: &[String]) -> Vec<String> {
    let mut groups: Vec<(&str, &str, usize)> = Vec::new();
    for line in lines {
        let (clip, text) = line.split_once(": ").unwrap_or(("", line));
        match groups.iter_mut().find(|group| group.0 == text) {
            Some(group) => group.2 += 1,
            None => groups.push((text, clip, 0)),
        }
    }
    let line = |(text, clip, more): (&str, &str, usize)| match more {
        0 => format!("{clip}: {text}"),
        n => format!("{clip} and {n} more: {text}"),
    };
    groups.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_source_depends_on_its_clip_files_and_their_options() {
        let mut source = ModelSource::new("hero.glb");
        assert_eq!(source.key(), "hero.glb");
        let file = |path: &str| ClipFile {
            path: path.into(),
            ..ClipFile::default()
        };
        source.clips = vec![
            file("walk.glb"),
            ClipFile {
                prefix: "cmu_".into(),
                unit: Some(0.01),
                manner: Some(RetargetMode::Body),
                ..file("dance.bvh")
            },
        ];
        assert_eq!(
            source.key(),
            "hero.glb + walk.glb + dance.bvh (prefix \"cmu_\", unit 0.01, by body)"
        );
    }

    #[test]
    fn losses_common_to_many_clips_are_reported_once() {
        let lines = ["a: x: 1", "b: x: 1", "c: y", "d: x: 1"].map(String::from);
        assert_eq!(grouped(&lines), ["a and 2 more: x: 1", "c: y"]);
    }
}
