//! Interface between scripts and the project around them.

use std::sync::Arc;

use super::save_slot::GameStore;
use galatea_asset::model::Image;
use galatea_asset::picture::Relief;
use galatea_asset::{Environment, ModelSource};
use galatea_character::Definition;
use galatea_hair::Groom;
use galatea_speech::exchange::SpeechTimings;
use galatea_speech::plan::Recording;

/// State of a model that a script requested.
pub enum ModelState {
    /// The model is loaded.
    Ready(Arc<Definition>),
    /// The model is still loading in the background. A starting script runs again once it is loaded.
    Pending,
    /// The model cannot be loaded, for this reason.
    Failed(String),
}

/// Error of [`Services::script`] for a missing file.
pub const NO_FILE: &str = "there is no such file";

/// Services that scripts need from the project around them.
pub trait Services {
    /// Resolves a path to a file, relative to the project. The file is searched as given and in the assets folder. A
    /// path without a file is returned unchanged.
    fn located(&self, path: &str) -> String {
        path.to_owned()
    }
    /// A model by its path relative to the project, with clips from other files.
    fn model(&self, source: &ModelSource) -> ModelState;
    /// A model for a running script that cannot be run again. If necessary, this call loads the model and blocks until
    /// it is loaded.
    fn model_now(&self, source: &ModelSource) -> ModelState {
        self.model(source)
    }
    /// Environment light, by the path of its file relative to the project.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the environment cannot be used.
    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        Err(format!("{path}: environment maps are not available here"))
    }
    /// An image that is shown as it is, by the path of its file relative to the project.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the image cannot be used.
    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        Err(format!("{path}: images are not available here"))
    }
    /// A height map of ground, by the path of its image relative to the project.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the height map cannot be used.
    fn height_map(&self, path: &str) -> Result<Arc<Relief>, String> {
        Err(format!("{path}: images are not available here"))
    }
    /// Hair strands, by the path of their file relative to the project.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the strands cannot be used.
    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        Err(format!("{path}: hair files are not available here"))
    }
    /// Path of an image that a script may write, from a plain name that ends in .png.
    ///
    /// # Errors
    /// Fails if the name is not allowed.
    fn picture_path(&self, name: &str) -> Result<String, String> {
        Err(format!("{name}: images cannot be written here"))
    }
    /// Writes an image that a script made. Returns its path, see [`Services::picture_path`].
    ///
    /// # Errors
    /// Fails if the name is not allowed or the file cannot be written.
    fn save_image(&self, name: &str, _picture: &Image) -> Result<String, String> {
        Err(format!("{name}: images cannot be written here"))
    }
    /// Saved games of the project; `None` where games cannot be saved.
    fn saves(&self) -> Option<&dyn GameStore> {
        None
    }
    /// Names of all sounds of the project.
    fn sound_names(&self) -> Vec<String>;
    /// Duration of a sound, seconds; `None` if it cannot be played.
    fn sound_seconds(&self, name: &str) -> Option<f64>;
    /// Samples of a sound; `None` if it cannot be played.
    fn sound_samples(&self, _name: &str) -> Option<Recording> {
        None
    }
    /// Synthesizes speech with a voice of this machine, or with the project's own voice. Returns the name of the
    /// created sound; `None` if there are no voices or none is requested.
    ///
    /// # Errors
    /// Returns the reason if the voice cannot speak.
    fn spoken(
        &self,
        _voice: Option<&str>,
        _text: &str,
        _rate: f32,
    ) -> Result<Option<String>, String> {
        Ok(None)
    }
    /// Speech timings from the file with the same name next to a sound; `None` if there is no such file.
    ///
    /// # Errors
    /// Returns the reason, with the file name, if the file cannot be read.
    fn sound_timings(&self, _name: &str) -> Result<Option<SpeechTimings>, String> {
        Ok(None)
    }
    /// Text of a script, by its path relative to the project.
    ///
    /// # Errors
    /// Returns the reason if the script cannot be read.
    fn script(&self, path: &str) -> Result<String, String>;
    /// Outputs a line that the script printed.
    fn print(&self, line: &str);
}
