//! Files of several kinds as one skeleton and a list of clips.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use super::super::binding::BindingReport;
use galatea_anim::humanoid::Humanoid;
use galatea_anim::{Clip, Skeleton};
use galatea_asset::clips::{self, ClipSource};
use galatea_asset::{CLIP_EXTENSIONS, ClipFile, Model, clip_files};
use galatea_math::names::nearest_hint;

/// The first file's skeleton, and the clips of all files bound to it.
pub struct MotionFiles {
    /// Name of the first file.
    pub name: String,
    pub skeleton: Arc<Skeleton>,
    pub humanoid: Humanoid,
    pub clips: Vec<Clip>,
    /// The first file is motion capture, whose takes start at any position.
    pub is_capture: bool,
    /// Binding of the other files.
    pub packs: Vec<BindingReport>,
    /// Warnings about guessed, corrected or skipped data.
    pub warnings: Vec<String>,
}

impl MotionFiles {
    /// Reads all files; clips of the other files are bound as in a character's clip files.
    pub fn open(files: &[PathBuf], unit: Option<f64>) -> anyhow::Result<Self> {
        let mut files = files.iter();
        let first = files.next().context("no input file given")?;
        let own = load(&clip_file(first, unit), first)?;
        let mut all = Self {
            name: first
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            skeleton: own.skeleton.clone(),
            humanoid: own.humanoid.clone(),
            warnings: own.warnings.clone(),
            clips: Vec::new(),
            is_capture: clips::is_capture(first),
            packs: Vec::new(),
        };
        all.take(own.clips);
        // Without parts, morph weights cannot be kept.
        let model = Model {
            skeleton: all.skeleton.clone(),
            ..Model::default()
        };
        let model_file = first.display().to_string();
        for path in files {
            let file = clip_file(path, unit);
            let mut source = load(&file, path)?;
            all.take_morphs(&mut source.clips);
            let bound = clip_files::bind(&model, &model_file, &all.humanoid, &file, &source);
            let mut bound = bound.map_err(anyhow::Error::msg)?;
            all.take(std::mem::take(&mut bound.clips));
            all.packs
                .push(BindingReport::bound(&file.path, &source, bound));
        }
        let mut taken = HashSet::new();
        for clip in &mut all.clips {
            let own = clip.name.clone();
            let mut n = 1;
            while !taken.insert(clip.name.clone()) {
                n += 1;
                clip.name = format!("{own}_{n}");
            }
        }
        Ok(all)
    }

    /// Keeps only the clip with this name.
    pub fn keep(&mut self, name: &str) -> anyhow::Result<()> {
        let Some(i) = self.clips.iter().position(|clip| clip.name == name) else {
            let names = self.clips.iter().map(|clip| clip.name.as_str());
            anyhow::bail!("there is no clip {name:?}{}", nearest_hint(name, names));
        };
        self.clips = vec![self.clips.swap_remove(i)];
        Ok(())
    }

    /// Adds clips without data that cannot be written, and warns about that data.
    fn take(&mut self, mut clips: Vec<Clip>) {
        self.take_morphs(&mut clips);
        if clips.iter().any(|clip| !clip.curves.is_empty()) {
            self.warn(
                "curves (expressions, gaze, pointers) cannot be written: they need the model",
            );
        }
        self.clips.append(&mut clips);
    }

    fn take_morphs(&mut self, clips: &mut [Clip]) {
        if clips.iter().any(|clip| !clip.morphs.is_empty()) {
            self.warn("morph weights cannot be written: they need the mesh");
        }
        clips.iter_mut().for_each(|clip| clip.morphs.clear());
    }

    fn warn(&mut self, text: &str) {
        if !self.warnings.iter().any(|known| known == text) {
            self.warnings.push(text.to_owned());
        }
    }
}

fn clip_file(path: &Path, unit: Option<f64>) -> ClipFile {
    ClipFile {
        path: path.display().to_string(),
        unit: unit.map(|unit| unit as f32),
        ..ClipFile::default()
    }
}

fn load(file: &ClipFile, path: &Path) -> anyhow::Result<ClipSource> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let is_known = CLIP_EXTENSIONS.iter().any(|known| extension == *known);
    anyhow::ensure!(
        is_known,
        "{}: unsupported format; clips are read from .bvh, .glb, .gltf, .vrm, .vrma, .x, .fbx and DeepMimic's .txt",
        file.path
    );
    Ok(clip_files::load(file, path)?)
}
