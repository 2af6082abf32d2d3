//! BVH motion capture files (Biovision hierarchy): text in, skeleton and clip out.
//!
//! Callers: `commands` (the `clip` command) and whoever brings mocap in. The format: a tree of joints
//! with offsets and channel lists, then one row of numbers per frame; a joint's rotation is the
//! product of its channels' turns in the order in which the file lists them (Meredith and Maddock,
//! "Motion Capture File Formats Explained", 2001).
//!
//! Invariants: no text makes it panic or run forever; memory is bounded by the text's length; what
//! comes out has finite numbers, unit rotations, ascending key times and unique bone names.

mod hierarchy;
mod motion;
mod space;
#[cfg(test)]
mod tests;
mod text;

use galatea_anim::{BoneTracks, Clip, Skeleton, SkeletonError};

/// Seconds per frame where a file gives none that can be used.
const USUAL_FRAME_TIME: f64 = 1.0 / 30.0;
/// Numbers larger than this are damage, not measures; no unit makes a person of them.
const LARGEST: f32 = 1e7;

/// What a file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BvhOptions {
    /// Metres in one of the file's units; `None` guesses from the skeleton's size.
    pub metres_per_unit: Option<f32>,
    /// The axis that points up; `None` guesses from feet and head, else +Y.
    pub up: Option<Up>,
}

/// An axis that may point up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// As here.
    Y,
    /// As in Blender, 3ds Max and Unreal; such a character looks along -Y.
    Z,
}

/// Why a text is not a BVH file that can be read.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("line {line}: {cause}")]
pub struct BvhError {
    /// Counted from 1.
    pub line: usize,
    /// In plain words.
    pub cause: String,
}

/// What a file held, and what was mended or guessed.
pub type LoadedMotion = (Skeleton, Clip, Vec<String>);

/// Reads a file; the clip is called `name`. Units and the up axis are guessed, see [`BvhOptions`].
///
/// The rest pose is the offsets without rotation. End sites become bones named after their parent
/// with `_end`; they have no tracks.
///
/// # Errors
/// When the text is no BVH file, has several roots, or is damaged where it cannot be mended.
pub fn load(bytes: &[u8], name: &str) -> Result<LoadedMotion, BvhError> {
    load_with(bytes, name, &BvhOptions::default())
}

/// [`load`], with what is known about the file.
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
            return tokens.fault("the hierarchy is no tree");
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
