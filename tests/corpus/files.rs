//! The folder of real and broken test files, if it is available.
#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};

/// The folder in `GALATEA_CORPUS`; without it the test prints that it was skipped.
pub fn corpus() -> Option<PathBuf> {
    galatea::install();
    let folder = std::env::var_os("GALATEA_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: GALATEA_CORPUS is not set");
    }
    folder
}

/// All files below a folder with one of these extensions, sorted by name.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path
            .extension()
            .is_some_and(|end| endings.iter().any(|known| end == *known))
        {
            found.push(path);
        }
    }
    found
}
