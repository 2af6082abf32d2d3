//! Pictures of test stages, drawn by one camera for all threads.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::commands::record::write_png;
use galatea_app::headless::HeadlessCamera;
use galatea_app::png::{Compression, png_bytes};
use galatea_asset::{OutputFolder, Project};
use galatea_render::{Gpu, Picture, SAME_PICTURE, difference};
use galatea_script::Compared;
use galatea_stage::Stage;

/// Folder of the reference pictures in a project.
const PICTURES: &str = "tests/pictures";
/// Size of a picture of a failed test, pixels.
const SIZE: (u32, u32) = (960, 540);

/// Draws stages, if there is a graphics driver.
pub struct Pictures {
    project: Project,
    /// Reference pictures are replaced.
    updates: bool,
    /// The camera, created for the first picture, or the error.
    camera: Mutex<Option<Result<HeadlessCamera, NoPicture>>>,
}

/// Reason why there is no picture.
#[derive(Clone, Debug)]
enum NoPicture {
    /// This machine cannot draw.
    NoDriver(String),
    /// The project has an error.
    Faulty(String),
}

/// Result of a comparison.
pub enum Compare {
    Same,
    /// The reference picture was created, at this path.
    Blessed(String),
    /// This machine cannot draw, for this reason.
    Skipped(String),
}

impl Pictures {
    pub fn new(project: Project, updates: bool) -> Self {
        Self {
            project,
            updates,
            camera: Mutex::new(None),
        }
    }

    fn draw(&self, stage: &Stage, size: (u32, u32)) -> Result<Picture, NoPicture> {
        let mut camera = self.camera.lock().unwrap_or_else(PoisonError::into_inner);
        let made = camera.get_or_insert_with(|| {
            let gpu = Gpu::headless().map_err(|error| NoPicture::NoDriver(error.to_string()))?;
            HeadlessCamera::for_project(gpu, &self.project)
                .map_err(|error| NoPicture::Faulty(error.to_string()))
        });
        match made {
            Ok(camera) => camera
                .still(stage, size)
                .map_err(|error| NoPicture::Faulty(format!("{error:#}"))),
            Err(why) => Err(why.clone()),
        }
    }

    /// Draws the stage of a failed test into a folder.
    ///
    /// # Errors
    /// The reason why there is no picture.
    pub fn save(&self, stage: &Stage, folder: &Path, name: &str) -> anyhow::Result<PathBuf> {
        let picture = self.draw(stage, SIZE).map_err(|no_picture| {
            let (NoPicture::NoDriver(why) | NoPicture::Faulty(why)) = no_picture;
            anyhow::Error::msg(why)
        })?;
        let file = folder.join(format!("{name}.png"));
        write_png(&file, &picture)?;
        Ok(file)
    }

    /// Writes a picture to a folder of the project, under a name given by a script.
    fn write(
        &self,
        folder: &'static str,
        name: &str,
        picture: &Picture,
    ) -> anyhow::Result<PathBuf> {
        let bytes = png_bytes(picture, Compression::Balanced)?;
        Ok(OutputFolder::new(&self.project.root, folder).write(name, &bytes)?)
    }

    /// Compares a stage with the reference picture of that name, or creates that picture.
    ///
    /// # Errors
    /// The difference, or the reason why it cannot be compared.
    pub fn compare(&self, stage: &Stage, asked: &Compared) -> anyhow::Result<Compare> {
        let kept = format!("{PICTURES}/{}.png", asked.name);
        let file = self.project.root.join(&kept);
        let now = match self.draw(stage, asked.size) {
            Ok(now) => now,
            Err(NoPicture::NoDriver(why)) => return Ok(Compare::Skipped(why)),
            Err(NoPicture::Faulty(why)) => anyhow::bail!("{why}"),
        };
        if self.updates {
            self.write(PICTURES, &format!("{}.png", asked.name), &now)?;
            return Ok(Compare::Blessed(kept));
        }
        anyhow::ensure!(
            file.is_file(),
            "the reference picture {kept} does not exist; create it with `galatea test --update-images`"
        );
        let then = read(&file)?;
        let Some(unlike) = difference(&then, &now) else {
            anyhow::bail!(
                "{kept} is {}x{}, but the test draws {}x{}; replace it with `galatea test --update-images`",
                then.width,
                then.height,
                now.width,
                now.height
            );
        };
        let within = asked.tolerance.unwrap_or(SAME_PICTURE);
        if unlike.mean <= within {
            return Ok(Compare::Same);
        }
        let got = self.write("out", &format!("{}.got.png", asked.name), &now)?;
        let map = self.write("out", &format!("{}.diff.png", asked.name), &unlike.map)?;
        anyhow::bail!(
            "the picture differs from {kept}: FLIP error {:.4}, the limit is {within}\nnew picture: {}\ndifference: {}",
            unlike.mean,
            got.display(),
            map.display()
        )
    }
}

fn read(file: &Path) -> anyhow::Result<Picture> {
    let image = image::open(file).with_context(|| file.display().to_string())?;
    let image = image.to_rgba8();
    Ok(Picture {
        width: image.width(),
        height: image.height(),
        rgba: image.into_raw(),
    })
}
