//! Skeletons, clips and poses: sampling, blending and local-to-model, as functions over slices.
//!
//! Callers: `character` (every tick), `machine` (names and durations), `asset` (builds clips).
//! Invariants: knows no GPU, no Lua, no files and no clock; same input gives the same bits.

mod clip;
mod crossings;
mod ledger;
mod playback;
mod playhead;
mod pose;
mod sample;
mod skeleton;

pub use clip::{BoneTracks, Clip, Interpolation, Mark, MarkValue, MorphTrack, Track};
pub use crossings::{Crossing, Edge, MOST_INTERVALS, Marks, TooManyIntervals};
pub use ledger::{Counts, Entry, EntryId, Ledger, Outcome, Reason, Source};
pub use playback::passed_marks;
pub use playhead::{MOST_CROSSINGS, MOST_SPEED, Moved, PlayMode, Playhead, Seek};
pub use pose::{Mask, Pose, blend, local_to_model};
pub use sample::sample;
pub use skeleton::{Bone, Skeleton, SkeletonError};
