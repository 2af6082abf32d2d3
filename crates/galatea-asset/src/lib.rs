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
pub mod glb;
pub mod gltf;
pub mod handle;
pub mod helper;
pub mod import;
mod lods;
pub mod model;
pub mod normals;
pub mod pack;
pub mod picture;
mod project;
pub mod ragdoll;
pub mod skinning;
pub mod solid;
pub mod terrain;
pub mod vfs;
mod watch;

pub use clip_files::{ClipFile, ModelSource};
pub use environment::{Environment, EnvironmentError};
pub use form::Form;
pub use lods::Lods;
pub use model::Model;
pub use project::{
    CLIP_EXTENSIONS, ENVIRONMENT_EXTENSIONS, MODEL_EXTENSIONS, PICTURE_EXTENSIONS, Project,
    ProjectError, SCRIPT_EXTENSIONS, SOUND_EXTENSIONS, ScriptSettings, Settings, Viewed,
    WindowSettings,
};
pub use terrain::Terrain;
pub use vfs::read_at_most;
pub use watch::{QUIET, Watcher};

/// Reads a whole file.
///
/// # Errors
/// See [`read_at_most`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(path, 2 << 30)
}
