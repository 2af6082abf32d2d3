//! Skeletons, clips and poses: sampling, blending and local-to-model, as functions over slices.
//!
//! Callers: `character` (every tick), `machine` (names and durations), `asset` (builds clips).
//! Invariants: knows no GPU, no Lua, no files and no clock; same input gives the same bits.

mod blend;
mod clip;
mod frame_slot;
mod frames;
mod local_to_model;
mod playback;
mod pose;
pub mod reference;
mod sample;
mod sample_blend;
pub mod simd;
mod skeleton;
#[cfg(test)]
mod tests;
mod walk;

pub use blend::{blend, blend_at};
pub use clip::{BoneTracks, Clip, Interpolation, Mark, MarkValue, MorphTrack, Track};
pub use frame_slot::{FrameSlot, keep_within};
pub use frames::{FrameGrid, Frames};
pub use local_to_model::{local_to_model, local_to_model_at};
pub use playback::{MOST_SPEED, PlayMode, passed_marks};
pub use pose::{Mask, Pose};
pub use sample::sample;
pub use sample_blend::{ClipAt, MOST_PLAYS, sample_blend, sample_blend_at};
pub use skeleton::{Bone, Skeleton, SkeletonError};
