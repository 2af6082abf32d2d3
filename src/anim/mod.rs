//! Skeletons, clips and poses: sampling, blending and local-to-model, as functions over slices.
//!
//! Callers: `character` (every tick), `machine` (names and durations), `asset` (builds clips).
//! Invariants: knows no GPU, no Lua, no files and no clock; same input gives the same bits.

mod clip;
pub mod contacts;
pub mod meters;
mod playback;
mod pose;
pub mod root_motion;
mod sample;
mod skeleton;
pub mod tools;
pub mod warp;

pub use clip::{BoneTracks, Clip, Interpolation, Mark, MarkValue, MorphTrack, Track};
pub use playback::{MOST_SPEED, PlayMode, passed_marks};
pub use pose::{Mask, Pose, blend, local_to_model};
pub use sample::sample;
pub use skeleton::{Bone, Skeleton, SkeletonError};
