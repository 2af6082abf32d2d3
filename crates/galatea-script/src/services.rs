//! The interface to the project around the scripts.

use std::sync::Arc;

use galatea_asset::model::Image;
use galatea_asset::picture::Relief;
use galatea_asset::{Environment, ModelSource};
use galatea_character::Definition;
use galatea_hair::Groom;
use galatea_speech::exchange::SpeechTimings;
use galatea_speech::plan::Recording;

/// A model that a script asked for.
pub enum ModelState {
    /// Loaded.
    Ready(Arc<Definition>),
    /// Still loading in the background; a script that begins is run again when it is there.
    Pending,
    /// Cannot be loaded: why, in plain words.
    Failed(String),
}

/// What [`Services::script`] says of a script that is not there.
pub const NO_FILE: &str = "there is no such file";

/// What scripts need from the project around them.
pub trait Services {
    /// The path of a file relative to the project, as it is or in the folder of assets; a path that fits no file stays as
    /// it is.
    fn located(&self, path: &str) -> String {
        path.to_owned()
    }
    /// A model by its path relative to the project, with clips of other files.
    fn model(&self, source: &ModelSource) -> ModelState;
    /// A model for a script that runs and cannot be run again: it is loaded in place where need be,
    /// however long that takes.
    fn model_now(&self, source: &ModelSource) -> ModelState {
        self.model(source)
    }
    /// Light from all around, by the path of its file relative to the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        Err(format!("{path}: no such files are read here"))
    }
    /// A picture to be shown as it is, by the path of its file relative to the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        Err(format!("{path}: no pictures are read here"))
    }
    /// Heights of ground, by the path of their picture relative to the project.
    ///
    /// # Errors
    /// Why it cannot be used, naming the file.
    fn relief(&self, path: &str) -> Result<Arc<Relief>, String> {
        Err(format!("{path}: no pictures are read here"))
    }
    /// Strands of hair, by the path of their file relative to the project.
    ///
    /// # Errors
    /// Why they cannot be used, naming the file.
    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        Err(format!("{path}: no hair is read here"))
    }
    /// The path of a picture that a script may write, by a plain name that ends in .png.
    ///
    /// # Errors
    /// A name that is not allowed.
    fn picture_path(&self, name: &str) -> Result<String, String> {
        Err(format!("{name}: no pictures are written here"))
    }
    /// Writes a picture that a script made; its path, see [`Services::picture_path`].
    ///
    /// # Errors
    /// A name that is not allowed, or a file that cannot be written.
    fn keep_picture(&self, name: &str, _picture: &Image) -> Result<String, String> {
        Err(format!("{name}: no pictures are written here"))
    }
    /// Names of all sounds of the project.
    fn sound_names(&self) -> Vec<String>;
    /// How long a sound is, seconds; `None` for one that cannot be heard.
    fn sound_seconds(&self, name: &str) -> Option<f64>;
    /// The samples of a sound; `None` for one that cannot be heard.
    fn sound_samples(&self, _name: &str) -> Option<Recording> {
        None
    }
    /// Speaks a text by a voice of this machine, or by the project's own; the name of the sound that it makes. `None` where
    /// there are no voices, or none is asked for.
    ///
    /// # Errors
    /// Why the voice cannot speak.
    fn spoken(
        &self,
        _voice: Option<&str>,
        _text: &str,
        _rate: f32,
    ) -> Result<Option<String>, String> {
        Ok(None)
    }
    /// What a file of the same name beside a sound tells of what is spoken in it; `None` without one.
    ///
    /// # Errors
    /// Why it cannot be read, naming the file.
    fn sound_told(&self, _name: &str) -> Result<Option<SpeechTimings>, String> {
        Ok(None)
    }
    /// Text of a script, by its path relative to the project.
    ///
    /// # Errors
    /// Why it cannot be read, in plain words.
    fn script(&self, path: &str) -> Result<String, String>;
    /// A line that the script printed.
    fn print(&self, line: &str);
}
