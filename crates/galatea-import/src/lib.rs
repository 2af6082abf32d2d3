//! Converts models of other formats than glTF: DirectX `.x` (text, binary, compressed), FBX and OBJ.
//!
//! [`install`] makes `galatea_asset::gltf` read these files wherever it reads glTF. Each becomes a scene (plain
//! lists in metres, right-handed, +Y up) and then a binary glTF file in memory; `galatea convert` writes the same bytes.
//!
//! # Dependencies
//! Only `galatea-asset` and what it uses. A player that ships converted models does without this crate.
//! No file makes it panic or run forever; memory is bounded by a file's size, or for compressed files by their stated
//! size and at most 1 GiB.

mod dds;
mod fbx;
mod scene;
#[cfg(test)]
mod tests;
mod write;
mod x;

use std::path::Path;

use galatea_asset::import::{Converted, Files, Importer};

/// Bytes of the largest file that a compressed one may hold.
const LARGEST: usize = 1 << 30;

/// A format that is turned into glTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// DirectX retained mode, `xof 0302` and `0303`.
    X,
    /// Autodesk FBX, binary and text.
    Fbx,
    /// Wavefront OBJ, with the `.mtl` that it names.
    Obj,
}

impl Format {
    /// That of a file, by its first bytes, or by its name where those say nothing.
    fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let extension = Path::new(name).extension().unwrap_or_default();
        let is = |text: &str| extension.eq_ignore_ascii_case(text);
        if bytes.starts_with(b"xof ") || is("x") {
            Some(Self::X)
        } else if bytes.starts_with(b"Kaydara FBX Binary") || is("fbx") {
            Some(Self::Fbx)
        } else {
            is("obj").then_some(Self::Obj)
        }
    }

    /// As it is called.
    const fn name(self) -> &'static str {
        match self {
            Self::X => "DirectX .x",
            Self::Fbx => "FBX",
            Self::Obj => "OBJ",
        }
    }
}

/// Makes `galatea_asset::gltf` read these formats too.
pub fn install() {
    galatea_asset::import::install(Importer {
        format: |name, bytes| Format::of(name, bytes).map(Format::name),
        convert: |name, bytes, files| match Format::of(name, bytes) {
            Some(format) => convert(format, name, bytes, files),
            None => Err("not a format that is converted".into()),
        },
    });
}

/// Turns a file into binary glTF. `name` is for the scene's name; pictures that cannot be read are left out and told.
///
/// # Errors
/// What is wrong with the file, in plain words, with the line where there is one.
fn convert(
    format: Format,
    name: &str,
    bytes: &[u8],
    files: Files<'_>,
) -> Result<Converted, String> {
    let mut scene = match format {
        Format::X => x::read(bytes)?,
        Format::Fbx | Format::Obj => fbx::read(format, bytes, files)?,
    };
    let stem = Path::new(name).file_stem().unwrap_or_default();
    scene.name = stem.to_string_lossy().into_owned();
    // What programs call a clip that nobody gave a name.
    if let [clip] = scene.clips.as_mut_slice()
        && ["", "mixamo.com", "Take 001", "animation"].contains(&clip.name.as_str())
    {
        clip.name.clone_from(&scene.name);
    }
    scene.read_pictures(files);
    let bytes = write::glb(&scene);
    Ok((bytes, scene.warnings))
}
