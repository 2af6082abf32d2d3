//! Where a converter of other model formats is plugged in.
//!
//! Loading glTF is this crate's own work. A program that also opens FBX, `.x` or OBJ installs an [`Importer`]; one that
//! only plays packed projects does not, and stays small.

use std::path::Path;
use std::sync::OnceLock;

/// Reads a file that a model refers to, by its path relative to the model's folder.
pub type Files<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, String>;

/// A binary glTF file, and warnings about what was repaired or left out.
pub type Converted = (Vec<u8>, Vec<String>);

/// A converter of other formats to binary glTF.
#[derive(Clone, Copy, Debug)]
pub struct Importer {
    /// Returns the name of the format of a file, given the file's name and bytes, or `None` if it is not one of the
    /// importer's formats.
    pub format: fn(&str, &[u8]) -> Option<&'static str>,
    /// Converts such a file.
    pub convert: fn(&str, &[u8], Files<'_>) -> Result<Converted, String>,
}

static INSTALLED: OnceLock<Importer> = OnceLock::new();

/// Extensions of models that need an importer.
const EXTENSIONS: [(&str, &str); 3] = [("fbx", "FBX"), ("obj", "OBJ"), ("x", "DirectX .x")];

/// Installs the importer of this process. Later calls have no effect.
pub fn install(importer: Importer) {
    // Every caller installs the same one, so the first wins.
    let _ = INSTALLED.set(importer);
}

/// The format of a file that is not glTF, and what converts it.
///
/// Binary glTF is recognised by its first bytes under any name: a packed project keeps the names of converted models.
pub(crate) fn importer(name: &str, bytes: &[u8]) -> Option<(&'static str, Option<Importer>)> {
    if bytes.starts_with(b"glTF") {
        return None;
    }
    if let Some(importer) = INSTALLED.get() {
        let format = (importer.format)(name, bytes)?;
        return Some((format, Some(*importer)));
    }
    let extension = Path::new(name).extension()?.to_str()?.to_lowercase();
    let known = EXTENSIONS.iter().find(|(known, _)| *known == extension);
    known.map(|(_, format)| (*format, None))
}
