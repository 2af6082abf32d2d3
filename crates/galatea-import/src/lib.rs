//! Converts model formats other than glTF: DirectX `.x` (text, binary, compressed), FBX and OBJ.
//!
//! [`install`] makes `galatea_asset::gltf` read these files wherever it reads glTF. Each becomes a scene (plain
//! lists in metres, right-handed, +Y up) and then a binary glTF file in memory; `galatea convert` writes the same bytes.
//!
//! # Dependencies
//! Only `galatea-asset` and its dependencies. A player that ships converted models does not need this crate. No file makes
//! it panic or run forever; memory is bounded by a file's size, or for compressed files by their stated size and at most 1
//! GiB.

#[cfg(test)]
mod binary_fbx;
mod clip;
mod dds;
mod fbx;
mod import_budget;
#[cfg(test)]
mod memory_tests;
mod picture;
mod scene;
#[cfg(test)]
mod tests;
mod write;
mod x;

use std::path::Path;

use galatea_asset::PictureBudget;
use galatea_asset::import::{Converted, Format, Importer, ReadFile};

/// Format of a file, by its first bytes, otherwise by its name.
fn format_of(name: &str, bytes: &[u8]) -> Option<Format> {
    let by_name = Format::of_name(name);
    if bytes.starts_with(b"xof ") || by_name == Some(Format::X) {
        Some(Format::X)
    } else if bytes.starts_with(b"Kaydara FBX Binary") {
        Some(Format::Fbx)
    } else {
        by_name
    }
}

/// Makes `galatea_asset::gltf` read these formats too.
pub fn install() {
    galatea_asset::import::install(Importer {
        format: format_of,
        convert: |name, bytes, files, pictures| match format_of(name, bytes) {
            Some(format) => convert(format, name, bytes, files, pictures),
            None => Err("the format cannot be converted".into()),
        },
    });
}

/// Converts a file to binary glTF. `name` is for the scene's name; unreadable images are skipped with a warning.
///
/// # Errors
/// If the file is invalid; the error is a message for users, with the line for a text file.
fn convert(
    format: Format,
    name: &str,
    bytes: &[u8],
    files: ReadFile<'_>,
    pictures: PictureBudget,
) -> Result<Converted, String> {
    let mut scene = match format {
        Format::X => x::read(bytes)?,
        Format::Fbx | Format::Obj => fbx::read(format, bytes, files)?,
    };
    let stem = Path::new(name).file_stem().unwrap_or_default();
    scene.name = stem.to_string_lossy().into_owned();
    // Default clip names of other programs.
    if let [clip] = scene.clips.as_mut_slice()
        && ["", "mixamo.com", "Take 001", "animation"].contains(&clip.name.as_str())
    {
        clip.name.clone_from(&scene.name);
    }
    scene.clips.iter_mut().for_each(|clip| clip.start_at_zero());
    scene.normalise_weights();
    scene.read_pictures(files, pictures);
    let bytes = write::glb(&scene);
    Ok((bytes, scene.warnings))
}
