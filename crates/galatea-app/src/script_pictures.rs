//! Images written by scripts.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::png::{OUT, check_picture_name, linear_png};
use galatea_asset::OutputFolder;
use galatea_asset::model::Image;

/// Maximum total size of images that scripts may write in one run, bytes.
const MAX_WRITTEN: u64 = 1 << 30;

/// Output folder for images of scripts, with the amount written.
pub struct ScriptPictures {
    out: OutputFolder,
    /// Images are checked but not written.
    is_dry: AtomicBool,
    /// The same for a while.
    is_held: AtomicBool,
    n_written: AtomicU64,
}

impl ScriptPictures {
    /// Images are written to the folder `out` of `home`.
    pub fn new(home: &Path) -> Self {
        Self {
            out: OutputFolder::new(home, OUT),
            is_dry: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
            n_written: AtomicU64::new(0),
        }
    }

    /// Stops writing from now on; images are still checked.
    pub fn write_nothing(&self) {
        self.is_dry.store(true, Ordering::Relaxed);
    }

    /// While `held`, images are not written; they are still checked.
    pub fn hold(&self, held: bool) {
        self.is_held.store(held, Ordering::Relaxed);
    }

    /// Path of an image, relative to the project.
    ///
    /// # Errors
    /// If the name is not allowed.
    pub fn path(&self, name: &str) -> Result<String, String> {
        check_picture_name(&self.out, name).map(|_| format!("{OUT}/{name}"))
    }

    /// Writes an image and returns its path, see [`ScriptPictures::path`].
    ///
    /// # Errors
    /// If the name is not allowed, the limit of bytes per run is reached, or the file cannot be written.
    pub fn write(&self, name: &str, picture: &Image) -> Result<String, String> {
        let path = self.path(name)?;
        let bytes = linear_png(picture).map_err(|problem| format!("{path}: {problem}"))?;
        if self.is_dry.load(Ordering::Relaxed) || self.is_held.load(Ordering::Relaxed) {
            return Ok(path);
        }
        let n_bytes = bytes.len() as u64;
        if self.n_written.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes > MAX_WRITTEN {
            return Err(format!(
                "{path}: scripts may write {} MB of pictures per run; restart to write more",
                MAX_WRITTEN >> 20
            ));
        }
        let written = self.out.write(name, &bytes);
        written.map_err(|problem| problem.to_string())?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dry_run_checks_pictures_and_writes_none_and_a_run_may_not_fill_the_disk() {
        let root = std::env::temp_dir().join(format!("galatea-pictures-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        let picture = Image {
            name: String::new(),
            width: 1,
            height: 1,
            rgba: vec![255; 4],
        };
        let pictures = ScriptPictures::new(&root);
        pictures
            .n_written
            .store(MAX_WRITTEN - 10, Ordering::Relaxed);
        let error = pictures.write("a.png", &picture).unwrap_err();
        assert!(error.contains("1024 MB"), "{error}");
        let dry = ScriptPictures::new(&root);
        dry.write_nothing();
        assert_eq!(dry.write("a.png", &picture), Ok("out/a.png".to_owned()));
        assert!(dry.write("../a.png", &picture).is_err());
        assert_eq!(std::fs::read_dir(&root).unwrap().count(), 0);
        let usual = ScriptPictures::new(&root);
        assert_eq!(usual.write("a.png", &picture), Ok("out/a.png".to_owned()));
        assert!(root.join("out/a.png").is_file());
        std::fs::remove_dir_all(root).unwrap();
    }
}
