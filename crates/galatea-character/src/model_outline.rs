//! Names in a model, with which state is carried over to a later version of its file.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::definition_source::DefinitionSource;
use galatea_anim::humanoid::Declared;
use galatea_anim::{Clip, Skeleton};
use galatea_asset::Model;
use galatea_asset::model::{Material, Mesh, Part};
use galatea_persist::shared;

/// Bones, clips, parts and materials of a model, without geometry and keys.
#[derive(Serialize, Deserialize)]
pub(super) struct ModelOutline {
    uid: u64,
    name: String,
    #[serde(with = "shared")]
    skeleton: Arc<Skeleton>,
    declared: Option<Declared>,
    /// Names and durations, seconds.
    clips: Vec<(String, f32)>,
    parts: Vec<Part>,
    /// Names of meshes and of their morph targets.
    meshes: Vec<(String, Vec<String>)>,
    materials: Vec<String>,
}

impl ModelOutline {
    pub fn of(definition: &Definition) -> Self {
        let model = &definition.model;
        Self {
            uid: model.uid,
            name: model.name.clone(),
            skeleton: model.skeleton.clone(),
            declared: model.declared.clone(),
            clips: clips_of(definition),
            parts: model.parts.clone(),
            meshes: (model.meshes.iter())
                .map(|mesh| (mesh.name.clone(), mesh.morph_names.clone()))
                .collect(),
            materials: (model.materials.iter())
                .map(|material| material.name.clone())
                .collect(),
        }
    }

    /// Returns true if the file and its clips have not changed.
    pub fn fits(&self, now: &Definition) -> bool {
        self.uid == now.model.uid && self.clips == clips_of(now)
    }

    /// The definition of a model without geometry. `key` is that of the file.
    pub fn definition(self, key: String) -> Definition {
        let mesh = |(name, morph_names): (String, Vec<String>)| Mesh {
            name,
            morph_names,
            primitives: Vec::new(),
        };
        let clip = |(name, duration): (String, f32)| {
            Arc::new(Clip {
                name,
                duration,
                ..Clip::default()
            })
        };
        let material = |name: String| Material {
            name,
            ..Material::default()
        };
        let whole = |part: Part| Part { skin: None, ..part };
        let model = Model {
            uid: self.uid,
            name: self.name,
            skeleton: self.skeleton,
            declared: self.declared,
            clips: self.clips.into_iter().map(clip).collect(),
            parts: self.parts.into_iter().map(whole).collect(),
            meshes: self.meshes.into_iter().map(mesh).collect(),
            materials: self.materials.into_iter().map(material).collect(),
            ..Model::default()
        };
        Definition::new(Arc::new(model)).with_source(DefinitionSource::Outline(key))
    }
}

/// Clips of the file, without those that scripts added.
fn clips_of(definition: &Definition) -> Vec<(String, f32)> {
    let clips = &definition.clips;
    let n = clips.len() - definition.made().len();
    let all = (0..n).map(|clip| (clips.clip_name(clip).to_owned(), clips.duration(clip)));
    all.collect()
}
