//! Pipeline cache of the driver, saved in the user's cache folder between runs.

use std::fs;
use std::path::{Path, PathBuf};

use galatea_asset::write_whole;
use galatea_render::{Gpu, PipelineCache};

/// Maximum file size. Larger files are ignored and rewritten.
const MAX_BYTES: u64 = 256 << 20;

/// The pipelines of one device. New ones are saved when it is dropped. If several programs use the same file, the last
/// writer's complete file stays.
#[derive(Debug)]
pub struct SavedPipelines {
    cache: PipelineCache,
    file: PathBuf,
    /// Content of the file when it was read.
    known: Option<Vec<u8>>,
}

impl SavedPipelines {
    /// Restores the saved pipelines of a device. Returns `None` if the device has no pipeline cache, or the system has no
    /// cache folder.
    pub fn restore(gpu: &mut Gpu) -> Option<Self> {
        Self::restore_from(gpu, &folder()?)
    }

    fn restore_from(gpu: &mut Gpu, folder: &Path) -> Option<Self> {
        let file = folder
            .join(gpu.pipelines_name()?)
            .with_extension("pipelines");
        let is_read = fs::metadata(&file).is_ok_and(|of| of.len() <= MAX_BYTES);
        let known = is_read.then(|| fs::read(&file).ok()).flatten();
        let cache = gpu.restore_pipelines(known.as_deref())?;
        Some(Self { cache, file, known })
    }
}

impl Drop for SavedPipelines {
    fn drop(&mut self) {
        let Some(bytes) = self.cache.bytes() else {
            return;
        };
        if self.known.as_ref() == Some(&bytes) {
            return;
        }
        // Without the file, the next start compiles the pipelines again, which is not an error.
        match write_whole(&self.file, &bytes) {
            Ok(()) => tracing::debug!("{}: saved {} bytes", self.file.display(), bytes.len()),
            Err(error) => tracing::info!("{}: not saved: {error}", self.file.display()),
        }
    }
}

/// Folder given by `GALATEA_CACHE`, or a folder in the user's cache.
fn folder() -> Option<PathBuf> {
    match std::env::var_os("GALATEA_CACHE") {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => Some(dirs::cache_dir()?.join("galatea")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studio::View;
    use galatea_render::ShaderSource;

    #[test]
    fn a_device_restores_its_pipelines_and_a_damaged_file_is_rewritten() {
        let Ok(gpu) = Gpu::headless() else {
            assert!(std::env::var_os("GALATEA_REQUIRE_ALL").is_none());
            return;
        };
        let Some(name) = gpu.pipelines_name() else {
            println!("SKIPPED: {} keeps no pipelines", gpu.info.name);
            return;
        };
        assert!(!name.contains(['/', '\\']), "{name}");
        let folder = std::env::temp_dir().join(format!("galatea-kept-{}", std::process::id()));
        let folder = folder.join("deep");
        let file = folder.join(name).with_extension("pipelines");
        let run = || {
            let mut gpu = Gpu::headless().unwrap();
            let kept = SavedPipelines::restore_from(&mut gpu, &folder).unwrap();
            let had = kept.known.is_some();
            View::headless(&gpu, &ShaderSource::embedded()).unwrap();
            assert_eq!(gpu.take_error(), None);
            had
        };
        assert!(!run(), "there is no file yet");
        let written = fs::read(&file).unwrap();
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            1,
            "one file is left"
        );
        assert!(run());
        let damaged = &written[..written.len() / 2];
        fs::write(&file, damaged).unwrap();
        assert!(run());
        assert_ne!(fs::read(&file).unwrap(), damaged, "it is whole again");
        fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
}
