//! Skeletons, clips and poses: sampling, blending and local-to-model, as functions over slices.
//!
//! Callers: `character` (every tick), `machine` (names and durations), `asset` (builds clips).
//! Invariants: knows no GPU, no Lua, no files and no clock; same input gives the same bits.

mod blend;
mod clip;
mod crossings;
mod ledger;
mod ease;
mod frames;
mod local_to_model;
pub mod humanoid;
mod playback;
mod playhead;
mod pose;
pub mod reference;
mod sample;
mod sample_blend;
pub mod simd;
mod skeleton;
pub mod sync;

pub use blend::{blend, blend_at};
pub use clip::{BoneTracks, Clip, Interpolation, Mark, MarkValue, MorphTrack, Track};
pub use crossings::{Crossing, Edge, Heard, MOST_INTERVALS, Marks, TooManyIntervals};
pub use ledger::{Counts, Entry, EntryId, Ledger, Outcome, Reason, Source};
pub use playback::passed_marks;
pub use playhead::{MOST_CROSSINGS, MOST_SPEED, Moved, PlayMode, Playhead, Seek};
pub use ease::Ease;
pub use frames::Frames;
pub use local_to_model::{local_to_model, local_to_model_at};
pub use pose::{Mask, Pose};
pub use sample::sample;
pub use sample_blend::{ClipAt, MOST_PLAYS, sample_blend, sample_blend_at};
pub use skeleton::{Bone, Skeleton, SkeletonError};
