//! Saved games, as data: the stage and the state of scripts at one moment.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::save_slot::GameContent;
use super::saved_params::SavedParams;
use super::saved_value::SavedTables;
use super::services::{ModelState, Services};
use super::states::WasEntered;
use galatea_asset::{ENVIRONMENT_KIND, ModelSource};
use galatea_character::Definition;
use galatea_persist::{ExternalValue, decode, encode, encode_without_names};
use galatea_stage::{DeclaredObjects, Stage};

/// Start of a version of the scripts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Begun {
    /// The empty stage on which its main part ran.
    pub(super) start: Stage,
    /// Objects of its main part.
    pub(super) declared: DeclaredObjects,
    /// Numbers of conditions and of states with functions that its main part made.
    pub(super) n_functions: [usize; 2],
    /// Hash of its scripts.
    pub(super) scripts: u64,
}

/// The game at one moment, between two ticks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedGame {
    /// The stage. A load continues it to the bit if the scripts and models are the same.
    pub stage: Stage,
    pub(super) begun: Begun,
    pub(super) tables: SavedTables,
    pub(super) params: Vec<SavedParams>,
    pub(super) entered: Vec<WasEntered>,
    pub(super) checkpoints: Vec<Checkpoint>,
    /// Values for `on_load`.
    pub(super) extra: SavedTables,
}

impl GameContent for SavedGame {
    fn encode(&self) -> Result<Vec<u8>, String> {
        encode(self).map_err(|error| error.to_string())
    }
}

impl SavedGame {
    /// The game after a rewind by `seconds`. The kept tables `except` have their values of `now`.
    pub(super) fn rewound(self, now: &Self, seconds: f64, except: &[String]) -> Self {
        let rewound = self.with_rewound(seconds);
        Self {
            tables: rewound.tables.with(&now.tables, except),
            ..rewound
        }
    }

    /// The same game, with `rewound` in the argument of `on_load`: the seconds by which the game goes back.
    pub fn with_rewound(self, seconds: f64) -> Self {
        Self {
            extra: SavedTables::of_number("extra", "rewound", seconds),
            ..self
        }
    }

    /// Bytes of the game that only this version of the program can read: smaller than [`GameContent::encode`], and made faster.
    ///
    /// # Errors
    /// If a part cannot be written.
    pub fn encode_for_this_program(&self) -> Result<Vec<u8>, String> {
        encode_without_names(self).map_err(|error| error.to_string())
    }

    /// Reads a game. `services` loads its models.
    ///
    /// # Errors
    /// Fails if the bytes are damaged, or if a model cannot be loaded or no longer fits.
    pub fn decode(bytes: &[u8], services: Arc<dyn Services>) -> Result<Self, String> {
        let resolver = move |kind: &str, key: &str| -> Result<ExternalValue, String> {
            if kind == ENVIRONMENT_KIND {
                return Ok(services.environment(key)?);
            }
            Ok(model_of(&*services, key)?)
        };
        decode(bytes, resolver).map_err(|error| error.to_string())
    }
}

/// The definition of a file, by its key in a saved game.
pub(super) fn model_of(services: &dyn Services, key: &str) -> Result<Arc<Definition>, String> {
    match services.model_now(&ModelSource::of_json(key)?) {
        ModelState::Ready(definition) => Ok(definition),
        ModelState::Pending => Err("its model is still loading".to_owned()),
        ModelState::Failed(why) => Err(why),
    }
}
