//! Pictures of the stages of tests, drawn by one camera for all threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::app::headless::Camera;
use crate::asset::Project;
use crate::commands::record::write_png;
use crate::render::Picture;
use crate::stage::Stage;

/// Draws stages, if there is a graphics driver.
pub struct Pictures {
    project: Project,
    /// Made for the first picture; why there is none where that failed.
    camera: Mutex<Option<Result<Camera, String>>>,
}

impl Pictures {
    pub fn new(project: Project) -> Self {
        Self {
            project,
            camera: Mutex::new(None),
        }
    }

    /// A stage as its last tick left it.
    ///
    /// # Errors
    /// Why nothing can be drawn here.
    pub fn draw(&self, stage: &Stage, size: (u32, u32)) -> Result<Picture, String> {
        let mut camera = self.camera.lock().unwrap_or_else(PoisonError::into_inner);
        let camera = camera.get_or_insert_with(|| {
            Camera::for_project(&self.project).map_err(|error| format!("{error:#}"))
        });
        match camera {
            Ok(camera) => camera
                .still(stage, size)
                .map_err(|error| format!("{error:#}")),
            Err(why) => Err(why.clone()),
        }
    }

    /// Draws the stage of a test that failed into a folder.
    ///
    /// # Errors
    /// Why there is no picture.
    pub fn save(&self, stage: &Stage, folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
        let picture = self.draw(stage, SIZE).map_err(anyhow::Error::msg)?;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let file = folder.join(format!("{name}.png"));
        write_png(&file, &picture)?;
        Ok(file)
    }
}

/// Pixels of a picture of a failing test.
const SIZE: (u32, u32) = (960, 540);
