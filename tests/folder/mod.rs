//! Temporary folders for tests.
#![allow(dead_code, reason = "each test file uses a part")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed after the test. It is next to the test executables, so that these can be linked.
pub struct Folder(pub PathBuf);

impl Folder {
    /// Creates an empty folder.
    pub fn new(name: &str) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let n = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("{name}-{}-{n}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        // Removes a folder left by an earlier process with the same id.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// A project of one script, with the simple mannequin as `assets/mannequin.glb`.
    pub fn project(name: &str, script: &str) -> Self {
        let folder = Self::new(name);
        folder.write("scripts/main.lua", script);
        folder.copy("assets/mannequin.glb", "assets/mannequin.glb");
        folder
    }

    /// Writes a file; the path is relative to the folder.
    pub fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.place(file), bytes).unwrap();
    }

    /// Copies a file of the repository into the folder.
    pub fn copy(&self, from: &str, to: &str) {
        let home = Path::new(env!("CARGO_MANIFEST_DIR"));
        fs::copy(home.join(from), self.place(to)).unwrap();
    }

    /// Path as an argument of a command.
    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn place(&self, file: &str) -> PathBuf {
        let file = self.0.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
