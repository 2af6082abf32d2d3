//! BVH motion capture files (Biovision hierarchy): text in, skeleton and clip out.
//!
//! Callers: `asset::clips`, `commands` (the `clip` command). The format: a tree of joints with offsets and channel lists,
//! then one row of numbers per frame. A joint's rotation is the product of the channels' rotations in the order in which the
//! file lists them (Meredith and Maddock, "Motion Capture File Formats Explained", 2001).
//!
//! Invariants: no input causes a panic or an endless loop; memory is bounded by the length of the text. The result has
//! finite numbers, unit rotations, ascending key times and unique bone names.

mod hierarchy;
mod motion;
mod space;
#[cfg(test)]
mod tests;
mod text;

use galatea_anim::{BoneTracks, Clip, Skeleton, SkeletonError};

/// Seconds per frame if the file gives no usable frame time.
const DEFAULT_FRAME_TIME: f64 = 1.0 / 30.0;
/// Limit of a plausible value. A larger number is damage: no unit makes a body of that size.
const MAX_VALUE: f32 = 1e7;

/// Options for facts that a BVH file does not state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BvhOptions {
    /// Metres per unit of the file; `None` guesses it from the size of the skeleton.
    pub metres_per_unit: Option<f32>,
    /// Up axis; `None` guesses it from the feet and the head, and otherwise uses +Y.
    pub up: Option<Up>,
}

/// Up axis of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// +Y, as in glTF.
    Y,
    /// +Z, as in Blender, 3ds Max and Unreal; the character looks along -Y.
    Z,
}

/// Error: the text is not a readable BVH file.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("line {line}: {cause}")]
pub struct BvhError {
    /// Line number, counted from 1.
    pub line: usize,
    /// Cause, as a sentence for users.
    pub cause: String,
}

/// Skeleton and clip of a file, with warnings about repairs and guesses.
pub type LoadedMotion = (Skeleton, Clip, Vec<String>);

/// Reads a file; `name` becomes the name of the clip. Guesses units and the up axis, see [`BvhOptions`].
///
/// The rest pose consists of the offsets without rotation. End sites become bones named after their parent
/// with `_end`; they have no tracks.
///
/// # Errors
/// If the text is not a BVH file, has several roots, or is damaged beyond repair.
pub fn load(bytes: &[u8], name: &str) -> Result<LoadedMotion, BvhError> {
    load_with(bytes, name, &BvhOptions::default())
}

/// Reads a file like [`load`], with known options.
///
/// # Errors
/// As [`load`].
pub fn load_with(bytes: &[u8], name: &str, options: &BvhOptions) -> Result<LoadedMotion, BvhError> {
    let text = String::from_utf8_lossy(bytes);
    let mut tokens = text::BvhTokens::new(&text);
    let mut warnings = Vec::new();
    let joints = hierarchy::read(&mut tokens, &mut warnings)?;
    let frames = motion::read(&mut tokens, &joints, &mut warnings)?;
    let mut tracks = motion::tracks(&joints, &frames, &mut warnings);
    let mut bones = hierarchy::bones(&joints);
    space::to_metres(&mut bones, &mut tracks, options, &mut warnings);
    let skeleton = Skeleton::new(bones).map_err(|error| {
        let SkeletonError::TooMany(_) = error else {
            return tokens.fault("the joint hierarchy is not a tree");
        };
        tokens.fault(&error.to_string())
    })?;
    let clip = Clip {
        name: name.to_owned(),
        duration: frames.duration(),
        bones: tracks
            .into_iter()
            .filter(|tracks: &BoneTracks| tracks.translation.is_some() || tracks.rotation.is_some())
            .collect(),
        ..Clip::default()
    };
    Ok((skeleton, clip, warnings))
}
