//! Asset loading: glTF, VRM, FBX, OBJ, BVH, images, environment maps, project folders, file watching and packed projects.
//!
//! [`gltf::load`] reads one file into a [`Model`]: skeleton, meshes, materials and clips as plain data. [`clips`] loads animation files
//! and binds them to a model. [`environment`] reads HDR light maps, [`picture`] reads images and height maps. [`PrimitiveMesh`] makes simple
//! models in code: boxes, spheres, stairs. A [`Project`] is a folder with a main script and assets; [`vfs`] also finds its files
//! when they are packed into an executable. A [`Watcher`] reports changed files for hot reload.
//!
//! ```
//! use galatea_asset::{PrimitiveMesh, gltf};
//! use glam::Vec3;
//!
//! // The smallest glTF file with two bones. Buffers would be fetched by the closure.
//! let file = br#"{
//!     "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
//!     "nodes": [{"name": "hips", "children": [1]}, {"name": "spine", "translation": [0, 0.2, 0]}]
//! }"#;
//! let model = gltf::load_slice("hero", file, &mut |path| Err(format!("{path}: not found")))?;
//! let spine = model.skeleton.find("spine").unwrap();
//! assert_eq!(model.skeleton.bones()[usize::from(spine)].rest.translation, Vec3::Y * 0.2);
//!
//! // A damaged file gives an error that names the file.
//! let error = gltf::load_slice("broken", b"{", &mut |_| unreachable!()).unwrap_err();
//! assert!(error.to_string().contains("broken"));
//!
//! // A crate without a file.
//! let crate_model = PrimitiveMesh::Box(Vec3::splat(0.5)).model();
//! assert_eq!(crate_model.meshes[0].primitives.len(), 1);
//! # Ok::<(), gltf::ModelLoadError>(())
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-anim`, `galatea-rig` and `galatea-math`, whose types a model contains. The crates of the
//! simulation only read the data. Nothing in this crate plays, draws or runs scripts. Loading returns a value with warnings,
//! or an error that names the file and the cause. A loaded model is valid: indices are in range, numbers are finite, bones
//! come after their parents and weights sum to 1. No file makes a loader panic.

use std::io;
use std::path::Path;

pub mod bvh;
pub mod clip_files;
pub mod clips;
pub mod collider;
pub mod deepmimic;
mod delta;
pub mod environment;
mod facing;
mod fields;
mod fingerprint;
pub mod glb;
pub mod gltf;
pub mod helper;
pub mod import;
pub mod interaction;
pub mod limits;
mod lods;
mod missing;
pub mod model;
mod model_key;
mod name_words;
mod near_origin;
pub mod normals;
mod output;
pub mod pack;
pub mod picture;
mod picture_budget;
pub mod primitive_mesh;
mod project;
pub mod ragdoll;
mod renamed;
mod save_file;
pub mod skinning;
mod terrain;
mod toml_fault;
pub mod vfs;
mod watch;

pub use clip_files::{ClipFile, ModelSource};
pub use delta::{compress_after, decompress_after};
pub use environment::{ENVIRONMENT_KIND, Environment, EnvironmentError};
pub use facing::{FacingReport, ModelFacing};
pub use fingerprint::Fingerprint;
pub use import::{CLIP_EXTENSIONS, MODEL_EXTENSIONS};
pub use lods::Lods;
pub use missing::{missing_file, nearest_file, unreadable};
pub use model::Model;
pub use model_key::ModelKey;
pub use name_words::name_words;
pub use output::{NewFile, OutputFolder, write_program, write_whole};
pub use picture_budget::{DEFAULT_IMAGE_MEMORY_MB, EncodedSize, PictureAllowance, PictureBudget};
pub use primitive_mesh::PrimitiveMesh;
pub use project::{
    ENVIRONMENT_EXTENSIONS, PICTURE_EXTENSIONS, Project, ProjectError, SCRIPT_EXTENSIONS,
    SOUND_EXTENSIONS, ScriptSettings, Settings, VIEWER, Viewed, WindowSettings,
};
pub use save_file::{FoundSave, SAVE_VERSION, SaveFile, SaveFolder};
pub use terrain::Terrain;
pub use toml_fault::toml_fault;
pub use vfs::read_at_most;
pub use watch::{QUIET, Watcher};

/// Reads a whole file.
///
/// # Errors
/// See [`read_at_most`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(path, 2 << 30)
}
