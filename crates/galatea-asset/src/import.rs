//! Interface for converters of other model formats.
//!
//! This crate itself loads only glTF. A program that also opens FBX, `.x` or OBJ installs an [`Importer`]; one that
//! only plays packed projects does not, and stays small.

use std::path::Path;
use std::sync::OnceLock;

use super::picture_budget::PictureBudget;

/// Callback that reads a file referenced by a model; the path is relative to the model's folder.
pub type ReadFile<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// A binary glTF file, and warnings about repaired or skipped data.
pub type Converted = (Vec<u8>, Vec<String>);

/// A model format that an importer converts to glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// DirectX retained mode, `xof 0302` and `0303`.
    X,
    /// Autodesk FBX, binary and text.
    Fbx,
    /// Wavefront OBJ, with the `.mtl` that it names.
    Obj,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::X, Self::Fbx, Self::Obj];

    /// File extension, lower case.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Fbx => "fbx",
            Self::Obj => "obj",
        }
    }

    /// Name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "DirectX .x",
            Self::Fbx => "FBX",
            Self::Obj => "OBJ",
        }
    }

    /// Returns the format of a file name, by its extension.
    pub fn of_name(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?;
        let is_it = |format: &Self| extension.eq_ignore_ascii_case(format.extension());
        Self::ALL.into_iter().find(is_it)
    }
}

/// Extensions of model files.
pub const MODEL_EXTENSIONS: [&str; 6] = [
    "glb",
    "gltf",
    "vrm",
    Format::X.extension(),
    Format::Fbx.extension(),
    Format::Obj.extension(),
];
/// Extensions of clip files.
pub const CLIP_EXTENSIONS: [&str; 9] = [
    "glb",
    "gltf",
    "vrm",
    "vrma",
    Format::X.extension(),
    Format::Fbx.extension(),
    "bvh",
    "txt",
    "json",
];
/// The formats of models and motion, as messages list them.
pub const FORMATS: &str = "glb, gltf, vrm, fbx, obj, x, bvh";

/// A converter of other formats to binary glTF.
#[derive(Clone, Copy, Debug)]
pub struct Importer {
    /// Returns the format of a file, given the file's name and bytes, or `None` if it is not one of the importer's.
    pub format: fn(&str, &[u8]) -> Option<Format>,
    /// Converts such a file.
    pub convert: fn(&str, &[u8], ReadFile<'_>, PictureBudget) -> Result<Converted, String>,
}

static INSTALLED: OnceLock<Importer> = OnceLock::new();

/// Installs the importer of this process. Later calls have no effect.
pub fn install(importer: Importer) {
    // Every caller installs the same one, so the first wins.
    let _ = INSTALLED.set(importer);
}

/// Format of a file that is not glTF, and its converter.
///
/// Binary glTF is recognised by its first bytes under any name: a packed project keeps the names of converted models.
pub(crate) fn importer(name: &str, bytes: &[u8]) -> Option<(Format, Option<Importer>)> {
    if bytes.starts_with(b"glTF") {
        return None;
    }
    if let Some(importer) = INSTALLED.get() {
        let format = (importer.format)(name, bytes)?;
        return Some((format, Some(*importer)));
    }
    Some((Format::of_name(name)?, None))
}
