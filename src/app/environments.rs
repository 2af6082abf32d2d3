//! Light from all around, of a project: loaded when it is first asked for, and again when it is saved.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::asset::Environment;

/// What is loaded, by path relative to the project.
#[derive(Debug, Default)]
pub struct Environments(Mutex<HashMap<String, Entry>>);

#[derive(Debug)]
struct Entry {
    file: PathBuf,
    /// The last good version.
    good: Option<Arc<Environment>>,
}

/// What became of a file that was saved.
#[derive(Debug)]
pub struct Saved {
    /// Its path relative to the project.
    pub path: String,
    /// The version before; `None` where there was no good one.
    pub before: Option<Arc<Environment>>,
    /// The new version, or why there is none.
    pub now: Result<Arc<Environment>, String>,
}

impl Environments {
    fn entries(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        // A panic while the lock was held leaves a map that is still a map.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last good version of a file; it is loaded when there is none.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn get(&self, path: &str, file: &Path) -> Result<Arc<Environment>, String> {
        let known = self
            .entries()
            .get(path)
            .and_then(|entry| entry.good.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let loaded = load(path, file);
        let entry = Entry {
            file: file.to_owned(),
            good: loaded.clone().ok(),
        };
        self.entries().insert(path.to_owned(), entry);
        loaded
    }

    /// Loads again what a changed file holds. A version that is no good leaves the one before.
    pub fn reload(&self, is_it: impl Fn(&Path) -> bool) -> Option<Saved> {
        let found = self.entries().iter().find_map(|(path, entry)| {
            is_it(&entry.file).then(|| (path.clone(), entry.file.clone(), entry.good.clone()))
        });
        let (path, file, before) = found?;
        let now = load(&path, &file);
        if let (Ok(now), Some(entry)) = (&now, self.entries().get_mut(&path)) {
            entry.good = Some(now.clone());
        }
        Some(Saved { path, before, now })
    }
}

fn load(path: &str, file: &Path) -> Result<Arc<Environment>, String> {
    match Environment::load(file) {
        Ok(environment) => Ok(Arc::new(environment)),
        Err(error) => Err(format!("{path}: {}", error.cause)),
    }
}
