//! Run of a script's main part: the scripts that it reads and the models that it waits for.

use std::path::PathBuf;
use std::sync::Arc;

use super::saved_params::SavedParams;
use super::services::{ModelState, NO_FILE, Services};
use super::sources::Texts;
use galatea_asset::ModelSource;
use galatea_asset::model::Image;
use galatea_character::Definition;
use galatea_stage::Handle;

/// Maximum number of pictures that the main part of a script may write.
const MAX_PICTURES: usize = 100;

/// Access to scripts and models, with a record of what the current run has read.
#[derive(Default)]
pub(super) struct Loading {
    /// The main part of a script is running.
    pub is_running: bool,
    /// Models that the main part requested and that were not available, each with true if it is still loading.
    waits_for: Vec<(String, bool)>,
    /// Scripts read by the current run.
    scripts_read: Vec<PathBuf>,
    /// Pictures to write once the version of the main part runs.
    pictures: Vec<(String, Image)>,
    /// Texts of the version that the current run restores.
    pub version: Option<Texts>,
    /// Scripts pass their top-level locals to the console.
    pub hands_over_locals: bool,
    /// Parameters of the machines of a saved game, while `on_load` runs.
    pub saved_params: Option<Vec<SavedParams>>,
}

impl Loading {
    /// Creates an empty record. `hands_over_locals` is true if scripts pass their top-level locals to the console.
    pub fn new(hands_over_locals: bool) -> Self {
        Self {
            hands_over_locals,
            ..Self::default()
        }
    }

    /// Saved parameters of a character's machine, while a saved game is loaded.
    pub fn saved_params(&self, character: Handle) -> Option<&SavedParams> {
        let mut all = self.saved_params.iter().flatten();
        all.find(|saved| saved.character == character)
    }

    /// Clears the record of the previous run.
    pub fn clear(&mut self) {
        self.waits_for.clear();
        self.scripts_read.clear();
        self.pictures.clear();
    }

    /// Adds a picture that is written if the run succeeds.
    ///
    /// # Errors
    /// Fails if there are too many pictures.
    pub fn add_picture(&mut self, name: &str, picture: Image) -> Result<(), String> {
        self.pictures.retain(|(known, _)| known != name);
        if self.pictures.len() >= MAX_PICTURES {
            return Err(format!(
                "the main part of a script can write at most {MAX_PICTURES} images"
            ));
        }
        self.pictures.push((name.to_owned(), picture));
        Ok(())
    }

    /// Returns the pictures to write.
    pub fn take_pictures(&mut self) -> Vec<(String, Image)> {
        std::mem::take(&mut self.pictures)
    }

    /// Returns the models that the run waits for, each with true if it is still loading, and the scripts that it has
    /// read.
    pub fn take(&mut self) -> (Vec<(String, bool)>, Vec<PathBuf>) {
        (
            std::mem::take(&mut self.waits_for),
            std::mem::take(&mut self.scripts_read),
        )
    }

    /// Records that a script was read, by its path relative to the project.
    pub fn add_read(&mut self, path: &str) {
        self.scripts_read.push(PathBuf::from(path));
    }

    /// Text of a script, by its path relative to the project.
    ///
    /// # Errors
    /// Returns the reason if the script cannot be read.
    pub fn script(&self, services: &dyn Services, path: &str) -> Result<String, String> {
        match &self.version {
            Some(texts) => match texts.get(path) {
                Some(text) => Ok(text.to_string()),
                None => Err(NO_FILE.into()),
            },
            None => services.script(path),
        }
    }

    /// Resolves the paths of a model and its clip files relative to the project. Scripts may omit the assets folder.
    pub fn located(services: &dyn Services, mut source: ModelSource) -> ModelSource {
        source.path = services.located(&source.path);
        for file in &mut source.clips {
            file.path = services.located(&file.path);
        }
        source
    }

    /// A model of the project by its [located](Self::located) source, if it is loaded.
    ///
    /// # Errors
    /// Returns the reason if the model is not available.
    pub fn definition(
        &mut self,
        services: &dyn Services,
        source: &ModelSource,
    ) -> mlua::Result<Arc<Definition>> {
        let state = if self.is_running {
            services.model(source)
        } else {
            services.model_now(source)
        };
        match state {
            ModelState::Ready(definition) => Ok(definition),
            ModelState::Pending => {
                let key = source.key();
                let still = format!("{key} is still loading");
                self.wait_for(key, true);
                Err(mlua::Error::runtime(still))
            }
            ModelState::Failed(why) => {
                self.wait_for(source.key(), false);
                Err(mlua::Error::runtime(why))
            }
        }
    }

    /// An image of the project.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the image cannot be used.
    pub fn image(&mut self, services: &dyn Services, file: &str) -> Result<Arc<Image>, String> {
        let image = services.image(file);
        image.inspect_err(|_| self.wait_for(file.to_owned(), false))
    }

    /// Records that a model was not available to the main part of a script. Does nothing after the main part has ended.
    pub fn wait_for(&mut self, key: String, is_pending: bool) {
        if self.is_running && !self.waits_for.iter().any(|(known, _)| *known == key) {
            self.waits_for.push((key, is_pending));
        }
    }
}
