//! Cache of single project files: environment maps, images, height maps and hair. They are loaded on first use and reloaded
//! when saved.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use galatea_asset::model::Image;
use galatea_asset::picture::{self, Relief};
use galatea_asset::{Environment, ModelSource, read_at_most, vfs};
use galatea_guard::contained;
use galatea_hair::{Groom, StrandFormat};

/// File extensions of hair.
pub const HAIR_EXTENSIONS: [&str; 4] = ["hair", "tfx", "glb", "gltf"];
/// Maximum number of clip files of a model that a function of a script loads during the game.
const MAX_CLIP_FILES: usize = 32;
/// Maximum size of a hair file, bytes.
const MAX_HAIR_BYTES: u64 = 256 << 20;

/// Content of a file.
pub trait OfFile: Sized {
    /// Loads the content.
    ///
    /// # Errors
    /// The reason why the file cannot be used, as text for the user.
    fn load(file: &Path) -> Result<Self, String>;

    /// Notes the path of the file in its project, if the content keeps it.
    #[must_use]
    fn at(self, _path: &str) -> Self {
        self
    }
}

impl OfFile for Environment {
    fn load(file: &Path) -> Result<Self, String> {
        Environment::load(file).map_err(|error| error.cause)
    }

    fn at(self, path: &str) -> Self {
        Self {
            path: Some(path.to_owned()),
            ..self
        }
    }
}

impl OfFile for Image {
    fn load(file: &Path) -> Result<Self, String> {
        picture::load(file)
    }
}

impl OfFile for Relief {
    fn load(file: &Path) -> Result<Self, String> {
        Relief::load(file)
    }
}

impl OfFile for Groom {
    fn load(file: &Path) -> Result<Self, String> {
        let extension = file.extension().unwrap_or_default().to_string_lossy();
        if ["glb", "gltf"].contains(&extension.to_ascii_lowercase().as_str()) {
            let lines = galatea_asset::gltf::load_lines(file).map_err(|error| error.to_string())?;
            return Self::new(lines).map_err(|error| error.to_string());
        }
        let bytes = read_at_most(file, MAX_HAIR_BYTES).map_err(|error| error.to_string())?;
        let format = StrandFormat::of(&extension, &bytes).ok_or_else(|| {
            let known = HAIR_EXTENSIONS.join(", ");
            format!("unsupported hair file; expected one of {known}")
        })?;
        format.read(&bytes).map_err(|error| error.to_string())
    }
}

/// Loaded files, by path relative to the project.
#[derive(Debug)]
pub struct FileCache<T>(Mutex<HashMap<String, CachedFile<T>>>);

impl<T> Default for FileCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

#[derive(Debug)]
struct CachedFile<T> {
    file: PathBuf,
    /// The last valid version.
    good: Option<Arc<T>>,
}

/// Result of reloading a saved file.
#[derive(Debug)]
pub struct Saved<T> {
    /// Path relative to the project.
    pub path: String,
    /// The old version; `None` if there was no valid one.
    pub before: Option<Arc<T>>,
    /// The new version, or the error.
    pub now: Result<Arc<T>, String>,
}

impl<T: OfFile> FileCache<T> {
    fn entries(&self) -> MutexGuard<'_, HashMap<String, CachedFile<T>>> {
        // A panic while the lock was held leaves a valid map.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the last valid version of a file, and loads the file if there is none.
    ///
    /// # Errors
    /// The reason why the file cannot be used.
    pub fn get(&self, path: &str, file: &Path) -> Result<Arc<T>, String> {
        let known = self
            .entries()
            .get(path)
            .and_then(|entry| entry.good.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let loaded = load(path, file);
        let entry = CachedFile {
            file: file.to_owned(),
            good: loaded.clone().ok(),
        };
        self.entries().insert(path.to_owned(), entry);
        loaded
    }

    /// Reloads a changed file. If the new version is invalid, the old one stays.
    pub fn reload(&self, is_it: impl Fn(&Path) -> bool) -> Option<Saved<T>> {
        let found = self.entries().iter().find_map(|(path, entry)| {
            is_it(&entry.file).then(|| (path.clone(), entry.file.clone(), entry.good.clone()))
        });
        let (path, file, before) = found?;
        let now = load::<T>(&path, &file);
        if let (Ok(now), Some(entry)) = (&now, self.entries().get_mut(&path)) {
            entry.good = Some(now.clone());
        }
        Some(Saved { path, before, now })
    }
}

/// Returns an error if a model that a function of a script loads during the game has too many clip files.
pub fn check_clip_files(source: &ModelSource) -> Result<(), String> {
    let n = source.clips.len();
    if n <= MAX_CLIP_FILES {
        return Ok(());
    }
    Err(format!(
        "{}: clips: {n} files would hold up the game; the limit for a model that is not yet loaded is {MAX_CLIP_FILES}; \
         use the same model and clips in the main part of the script, which loads them before the game starts",
        source.path
    ))
}

fn load<T: OfFile>(path: &str, file: &Path) -> Result<Arc<T>, String> {
    let loaded = contained(format!("loading {path}"), || T::load(file));
    match loaded.unwrap_or_else(|caught| Err(caught.notice)) {
        Ok(loaded) => Ok(Arc::new(loaded.at(path))),
        Err(cause) => Err(format!("{path}: {cause}")),
    }
}

/// Reads a script. Text is UTF-8, without a byte order mark; compiled scripts are read only from a bundle.
pub(super) fn script_text(full: &Path) -> Result<String, String> {
    let bytes = read_at_most(full, vfs::MAX_TEXT).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound if vfs::other_case(full).is_none() => {
            galatea_script::NO_FILE.to_owned()
        }
        _ => error.to_string(),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        format!("not valid UTF-8 text (line {})", line + 1)
    })?;
    if galatea_script::is_compiled(&text) && !vfs::is_shipped(full) {
        return Err(
            "compiled scripts are only allowed in executables made by `galatea bundle`".into(),
        );
    }
    Ok(text
        .strip_prefix('\u{feff}')
        .map_or_else(|| text.clone(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A file type whose reader panics after the first time.
    #[derive(Debug)]
    struct Faulty;

    static HAS_FAULT: AtomicBool = AtomicBool::new(false);

    impl OfFile for Faulty {
        fn load(_: &Path) -> Result<Self, String> {
            assert!(!HAS_FAULT.load(Ordering::Relaxed), "asked for by a test");
            Ok(Self)
        }
    }

    #[test]
    fn a_reader_that_panics_gives_an_error_and_the_version_before_stays() {
        let cache = FileCache::<Faulty>::default();
        let (name, file) = ("assets/sky.hdr", Path::new("sky.hdr"));
        let first = cache.get(name, file).unwrap();
        HAS_FAULT.store(true, Ordering::Relaxed);
        let saved = cache.reload(|_| true).unwrap();
        assert!(saved.now.unwrap_err().starts_with(name));
        assert!(Arc::ptr_eq(&cache.get(name, file).unwrap(), &first));
    }
}
