//! A model with clips of other files: which files, and how their clips join the model's own.
//!
//! Callers: `script` names them, `app::library` loads them. Invariant: a clip file that cannot be
//! used leaves no model half done; the error names both files and what is missing.

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

/// Extensions of files that hold motion and never a mesh.
const TAKE_EXTENSIONS: [&str; 4] = ["bvh", "vrma", "txt", "json"];

/// Whether a file's name is that of motion without a mesh.
pub fn is_take(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    TAKE_EXTENSIONS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// What to say of a file of motion without a mesh where a model is wanted.
pub fn how_to_use(path: &str) -> String {
    let mut text = format!(
        "it has no mesh to show but motion: give it to a character, \
         character(\"hero.glb\", {{ clips = {{ {path:?} }} }})"
    );
    if is_take(Path::new(path)) {
        text.push_str(&format!(
            ", or make a clip file of it, galatea clip {path} -o OUT.glb"
        ));
    }
    text
}

/// A file of clips for a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClipFile {
    /// Relative to the project.
    pub path: String,
    /// Put before the name of each of its clips.
    pub prefix: String,
    /// Metres in one unit of a BVH file; guessed when `None`.
    pub unit: Option<f32>,
    /// How its bones are matched; chosen by what the skeletons have in common when `None`.
    pub manner: Option<RetargetMode>,
}

/// A model file and the files that lend it clips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelSource {
    /// The model, relative to the project.
    pub path: String,
    /// Clips of other files, in the order in which they join.
    pub clips: Vec<ClipFile>,
    /// How its meshes are deformed, where the file is not to decide.
    pub skinning: SkinningOptions,
    /// Which way it looks in its file.
    pub facing: ModelFacing,
}

impl ModelSource {
    /// A model with its own clips alone.
    pub fn new(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..Self::default()
        }
    }

    /// Text that tells sources apart and can be read: the file, what was asked of its
    /// skinning, then `+` and each clip file with its options.
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

/// Reads a clip file from `full`, its place on the disk.
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

/// Most lines that one clip file adds to the model's warnings.
const MOST_LINES: usize = 6;

/// A model while clips of other files join its own.
pub struct Joining<'a> {
    model: &'a mut Model,
    /// For messages.
    path: &'a str,
    /// Found when the first file joins.
    humanoid: Option<Humanoid>,
}

impl<'a> Joining<'a> {
    /// Nothing has joined yet; `path` is the model's file, for messages.
    pub fn new(model: &'a mut Model, path: &'a str) -> Self {
        Self {
            model,
            path,
            humanoid: None,
        }
    }

    /// Adds the clips of a file to the model's and tells how many there are then. Their names are made
    /// unique; what does not reach the model is told in its warnings; the file becomes one of its
    /// sources.
    ///
    /// # Errors
    /// When the skeletons have too little in common: both files, and what each lacks.
    pub fn join(&mut self, file: &ClipFile, source: &ClipSource) -> Result<usize, String> {
        let humanoid = match &self.humanoid {
            Some(humanoid) => humanoid,
            None => self.humanoid.insert(self.model.humanoid().0),
        };
        join(self.model, self.path, humanoid, file, source)?;
        Ok(self.model.clips.len())
    }
}

/// The clips of a file for a model's bones and parts.
///
/// # Errors
/// When the skeletons have too little in common: both files, and what each lacks.
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
        let mut text = format!("{} cannot be bound to {model_file}: {error}", file.path);
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
        let wanted = format!("{}{}", file.prefix, clip.name);
        clip.name = wanted.clone();
        let mut n = 1;
        while model.clips.iter().any(|known| known.name == clip.name) {
            n += 1;
            clip.name = format!("{wanted}_{n}");
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
    for line in lines.iter().take(MOST_LINES) {
        model.warnings.push(format!("{}: {line}", file.path));
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|n| *n > 0) {
        model
            .warnings
            .push(format!("{}: and {more} more", file.path));
    }
    model.sources.extend(source.sources.iter().cloned());
    Ok(())
}

/// Captured takes have a key per frame; keeping to these frames makes them small when they are packed.
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

/// Lines `clip: text` with one text together, as `text (clip and n more)`.
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
    fn the_key_of_a_source_tells_its_clip_files_and_their_options_apart() {
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
    fn what_many_clips_lose_alike_is_said_once() {
        let lines = ["a: x: 1", "b: x: 1", "c: y", "d: x: 1"].map(String::from);
        assert_eq!(grouped(&lines), ["a and 2 more: x: 1", "c: y"]);
    }
}
