//! Files of several kinds as one skeleton and a list of clips.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::anim::{BoneTracks, Clip, Skeleton};
use crate::asset::{self, bvh, deepmimic};
use crate::math::names::nearest_hint;

/// The first file's skeleton, and the clips of all files bound to it.
pub struct Source {
    /// Name of the first file.
    pub name: String,
    pub skeleton: Skeleton,
    pub clips: Vec<Clip>,
    /// What was guessed, mended or left out.
    pub warnings: Vec<String>,
}

impl Source {
    /// Reads all files; clips of those after the first are bound by bone names.
    pub fn open(files: &[PathBuf], unit: Option<f64>) -> anyhow::Result<Self> {
        let mut all: Option<Self> = None;
        for file in files {
            let one = load(file, unit).with_context(|| file.display().to_string())?;
            match &mut all {
                None => all = Some(one),
                Some(all) => all.join(one, file),
            }
        }
        let mut all = all.context("no file was given")?;
        let mut taken = std::collections::HashSet::new();
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

    /// Leaves only one clip.
    pub fn keep(&mut self, name: &str) -> anyhow::Result<()> {
        let Some(i) = self.clips.iter().position(|clip| clip.name == name) else {
            let names = self.clips.iter().map(|clip| clip.name.as_str());
            anyhow::bail!("there is no clip {name:?}{}", nearest_hint(name, names));
        };
        self.clips = vec![self.clips.swap_remove(i)];
        Ok(())
    }

    fn join(&mut self, other: Self, file: &Path) {
        self.warnings.extend(other.warnings);
        let map: Vec<Option<u16>> = other
            .skeleton
            .bones()
            .iter()
            .map(|bone| self.skeleton.find(&bone.name))
            .collect();
        let mut missing = std::collections::BTreeSet::new();
        for clip in other.clips {
            let mut bones: Vec<BoneTracks> = Vec::new();
            for tracks in clip.bones.clone() {
                let from = usize::from(tracks.bone);
                match map.get(from).copied().flatten() {
                    Some(bone) => bones.push(BoneTracks { bone, ..tracks }),
                    None => {
                        let bone = other.skeleton.bones().get(from);
                        missing.extend(bone.map(|bone| bone.name.clone()));
                    }
                }
            }
            bones.sort_by_key(|tracks| tracks.bone);
            self.clips.push(Clip { bones, ..clip });
        }
        if !missing.is_empty() {
            let names: Vec<String> = missing.into_iter().collect();
            self.warnings.push(format!(
                "{}: bones that the first file does not have: {}",
                file.display(),
                names.join(", ")
            ));
        }
    }
}

fn load(file: &Path, unit: Option<f64>) -> anyhow::Result<Source> {
    let extension = file.extension().unwrap_or_default().to_ascii_lowercase();
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let (skeleton, clips, warnings) = match extension.to_str() {
        Some("bvh") => {
            let options = bvh::Options {
                metres_per_unit: unit.map(|unit| unit as f32),
                ..bvh::Options::default()
            };
            let (skeleton, clip, warnings) = bvh::load_with(&asset::read(file)?, &name, &options)?;
            (skeleton, vec![clip], warnings)
        }
        Some("txt" | "json") => {
            let (skeleton, clip, warnings) = deepmimic::load(&asset::read(file)?, &name)?;
            (skeleton, vec![clip], warnings)
        }
        Some("glb" | "gltf" | "vrm" | "vrma") => {
            let model = asset::gltf::load(file)?;
            let clips = model.clips.iter().map(|clip| (**clip).clone()).collect();
            let mut warnings = model.warnings.clone();
            if model.clips.iter().any(|clip| !clip.morphs.is_empty()) {
                warnings.push("morph weights are left out: they need the mesh".into());
            }
            if model.clips.iter().any(|clip| !clip.curves.is_empty()) {
                let text = "curves (expressions, gaze, pointers) are left out: they need the model";
                warnings.push(text.into());
            }
            ((*model.skeleton).clone(), clips, warnings)
        }
        _ => {
            anyhow::bail!("clips are read from .bvh, .glb, .gltf, .vrm, .vrma and DeepMimic's .txt")
        }
    };
    Ok(Source {
        name: name.into_owned(),
        skeleton,
        clips,
        warnings,
    })
}
