//! Files to plain data: models, pictures, light from all around, sounds; where they are found and when they change.
//!
//! Callers: `stage` and `commands` load through here; every other room only reads the data.
//! Invariants: nothing here plays, draws or scripts; bad input gives an error naming file and cause.

use std::io;
use std::path::Path;

pub mod bvh;
pub mod clip_files;
pub mod clips;
pub mod deepmimic;
pub mod environment;
mod fields;
pub mod form;
pub mod gltf;
pub mod handle;
pub mod helper;
mod lods;
pub mod model;
pub mod normals;
pub mod picture;
mod project;
pub mod ragdoll;
pub mod skinning;
pub mod solid;
pub mod terrain;
mod watch;

pub use clip_files::{ClipFile, ModelSource};
pub use environment::{Environment, EnvironmentError};
pub use form::Form;
pub use lods::Lods;
pub use model::Model;
pub use project::{
    CLIP_EXTENSIONS, ENVIRONMENT_EXTENSIONS, MODEL_EXTENSIONS, PICTURE_EXTENSIONS, Project,
    ProjectError, SOUND_EXTENSIONS, ScriptSettings, Settings, WindowSettings,
};
pub use terrain::Terrain;
pub use watch::{QUIET, Watcher};

/// Reads a whole file; the one place where this room touches the disk.
///
/// # Errors
/// When the file cannot be read, or is a folder, a pipe or a device.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(path, 2 << 30)
}

/// Reads a whole file of at most `limit` bytes.
///
/// # Errors
/// As [`read`], or when the file is larger.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let metadata = std::fs::metadata(path)?;
    if metadata.len() > limit {
        let text = format!("{} bytes; at most {limit} are read", metadata.len());
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not an ordinary file",
        ));
    }
    std::fs::read(path)
}
