//! Definitions in saved games. Models of files are loaded again, and primitive shapes are made again from their sizes. Other
//! models are written.

use std::sync::Arc;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::definition::Definition;
use super::definition_source::{DefinitionSource, MODEL_KIND};
use super::made_clip::MadeClip;
use super::model_outline::ModelOutline;
use galatea_asset::{Model, PrimitiveMesh};
use galatea_persist::external;
use galatea_persist::shared::{self, SharedPart};

/// A definition in a saved game.
#[derive(Serialize, Deserialize)]
struct SavedDefinition {
    source: SavedSource,
    #[serde(with = "shared")]
    made: Vec<Arc<MadeClip>>,
}

#[derive(Serialize, Deserialize)]
enum SavedSource {
    Generated(#[serde(with = "shared")] Arc<Model>),
    File(String, ModelOutline),
    Primitive(PrimitiveMesh),
}

impl SavedDefinition {
    fn of(definition: &Definition) -> Result<Self, String> {
        let n_clips = definition.clips.len() - definition.made().len();
        let source = match definition.source() {
            DefinitionSource::Generated if n_clips > 0 => {
                let name = &definition.model.name;
                return Err(format!(
                    "the model {name:?} has clips and no file, so it cannot be saved"
                ));
            }
            DefinitionSource::Generated => SavedSource::Generated(definition.model.clone()),
            DefinitionSource::File(key) | DefinitionSource::Outline(key) => {
                SavedSource::File(key.clone(), ModelOutline::of(definition))
            }
            DefinitionSource::Primitive(form) => SavedSource::Primitive(form.clone()),
        };
        Ok(Self {
            source,
            made: definition.made().to_vec(),
        })
    }

    fn definition(self) -> Result<Arc<Definition>, String> {
        let base = match self.source {
            SavedSource::Generated(model) => Arc::new(Definition::new(model)),
            SavedSource::File(key, outline) => match external::<Definition>(MODEL_KIND, &key) {
                Ok(now) if outline.fits(&now) => now,
                // The file has changed, or it is gone.
                Ok(_) | Err(_) => Arc::new(outline.definition(key)),
            },
            SavedSource::Primitive(form) => Arc::new(Definition::of_primitive(&form)),
        };
        base.with_made(&self.made).map_err(|all| all.join("; "))
    }
}

impl SharedPart for Definition {
    fn write_part<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedDefinition::of(self).map_err(S::Error::custom)?;
        saved.serialize(serializer)
    }

    fn read_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error> {
        let saved = SavedDefinition::deserialize(deserializer)?;
        saved.definition().map_err(D::Error::custom)
    }
}

impl Definition {
    /// Creates the shared data of a primitive shape.
    pub fn of_primitive(form: &PrimitiveMesh) -> Self {
        let source = DefinitionSource::Primitive(form.clone());
        Self::new(Arc::new(form.model())).with_source(source)
    }
}
