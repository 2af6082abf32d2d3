//! The run of a script's main part: the scripts that it reads, and the models that it waits for.

use std::path::PathBuf;
use std::sync::Arc;

use super::services::{ModelState, NO_FILE, Services};
use super::sources::Texts;
use galatea_asset::ModelSource;
use galatea_asset::model::Image;
use galatea_character::Definition;

/// Pictures that the main part of a script may write.
const MAX_PICTURES: usize = 100;

/// How scripts and models are read, and what the run in progress has read.
#[derive(Default)]
pub(super) struct Loading {
    /// The main part of a script runs.
    pub is_running: bool,
    /// Models that the main part asked for and could not have, and whether they are still loading.
    waits_for: Vec<(String, bool)>,
    /// Scripts read by the run in progress.
    scripts_read: Vec<PathBuf>,
    /// Pictures that the main part has written, once its version runs.
    pictures: Vec<(String, Image)>,
    /// The version that is gone back to by the run in progress.
    pub version: Option<Texts>,
    /// Scripts hand the locals at their top to the console.
    pub hands_over_locals: bool,
}

impl Loading {
    /// Nothing was read; `hands_over_locals` says whether scripts hand the locals at their top to the console.
    pub fn new(hands_over_locals: bool) -> Self {
        Self {
            hands_over_locals,
            ..Self::default()
        }
    }

    /// Forgets what the run before has read and waited for.
    pub fn clear(&mut self) {
        self.waits_for.clear();
        self.scripts_read.clear();
        self.pictures.clear();
    }

    /// Notes that a picture is to be written if the run succeeds.
    ///
    /// # Errors
    /// When there are too many.
    pub fn add_picture(&mut self, name: &str, picture: Image) -> Result<(), String> {
        self.pictures.retain(|(known, _)| known != name);
        if self.pictures.len() >= MAX_PICTURES {
            return Err(format!(
                "the main part of a script may write {MAX_PICTURES} pictures"
            ));
        }
        self.pictures.push((name.to_owned(), picture));
        Ok(())
    }

    /// The pictures to write.
    pub fn take_pictures(&mut self) -> Vec<(String, Image)> {
        std::mem::take(&mut self.pictures)
    }

    /// The models that the run waits for, and whether each is still loading; and the scripts that it has read.
    pub fn take(&mut self) -> (Vec<(String, bool)>, Vec<PathBuf>) {
        (
            std::mem::take(&mut self.waits_for),
            std::mem::take(&mut self.scripts_read),
        )
    }

    /// Notes that a script was read, by its path relative to the project.
    pub fn add_read(&mut self, path: &str) {
        self.scripts_read.push(PathBuf::from(path));
    }

    /// Text of a script, by its path relative to the project.
    ///
    /// # Errors
    /// Why it cannot be read, in plain words.
    pub fn script(&self, services: &dyn Services, path: &str) -> Result<String, String> {
        match &self.version {
            Some(texts) => match texts.get(path) {
                Some(text) => Ok(text.to_string()),
                None => Err(NO_FILE.into()),
            },
            None => services.script(path),
        }
    }

    /// A model and its clips by the paths of their files relative to the project; scripts may leave out the folder of
    /// assets.
    pub fn located(services: &dyn Services, mut source: ModelSource) -> ModelSource {
        source.path = services.located(&source.path);
        for file in &mut source.clips {
            file.path = services.located(&file.path);
        }
        source
    }

    /// A model of the project by its [located](Self::located) source, once it is there.
    ///
    /// # Errors
    /// Why it is not there.
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

    /// A picture of the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    pub fn image(&mut self, services: &dyn Services, file: &str) -> Result<Arc<Image>, String> {
        let image = services.image(file);
        image.inspect_err(|_| self.wait_for(file.to_owned(), false))
    }

    /// Notes that the main part of a script could not have a model; later it matters no more.
    pub fn wait_for(&mut self, key: String, is_pending: bool) {
        if self.is_running && !self.waits_for.iter().any(|(known, _)| *known == key) {
            self.waits_for.push((key, is_pending));
        }
    }
}
