//! Skeletons, clips and poses: sampling, blending and local-to-model, as functions over slices.
//!
//! Callers: `character` (every tick), `machine` (names and durations), `asset` (builds clips).
//! Invariants: knows no GPU, no Lua, no files and no clock; same input gives the same bits.

mod additive;
mod blend;
pub mod blend_space;
mod clip;
mod clip_set;
pub mod contacts;
mod crossings;
mod ease;
mod frame_slot;
mod frames;
pub mod humanoid;
mod hushed;
pub mod inertia;
mod interval;
mod ledger;
mod local_to_model;
mod mask;
pub mod meters;
mod mirror;
mod names;
pub mod pack;
mod playhead;
mod pose;
pub mod reference;
pub mod retarget;
pub mod root_motion;
mod sample;
mod sample_blend;
pub mod simd;
mod skeleton;
pub mod sync;
#[cfg(test)]
mod tests;
pub mod tools;
mod walk;
pub mod warp;

pub use additive::{Delta, add};
pub use blend::{blend, blend_at};
pub use clip::{BoneTracks, Clip, Curve, Interpolation, Mark, MarkValue, MorphTrack, Track};
pub use clip_set::{ClipMotion, ClipPlay, ClipSet, OneClip, Touches};
pub use crossings::{Crossing, Edge, MOST_INTERVALS, Marks, TooManyIntervals};
pub use ease::Ease;
pub use frame_slot::{FrameSlot, keep_within};
pub use frames::{FrameGrid, Frames};
pub use hushed::Hushed;
pub use inertia::Inertia;
pub use interval::Interval;
pub use ledger::{Counts, Entry, EntryId, Ledger, Outcome, Reason, Source};
pub use local_to_model::{local_to_model, local_to_model_at};
pub use mask::Part;
pub use mirror::{MirrorMap, mirror_pose};
pub use names::{Named, Names};
pub use pack::{PackOptions, PackReport, PackedClip, pack};
pub use playhead::{MOST_CROSSINGS, MOST_SPEED, Moved, PlayMode, Playhead, Seek};
pub use pose::{Mask, Pose};
pub use retarget::Retarget;
pub use root_motion::{RootDelta, RootTrack};
pub use sample::sample;
pub use sample_blend::{ClipAt, MOST_PLAYS, sample_blend, sample_blend_at};
pub use skeleton::{Bone, Skeleton, SkeletonError};
pub use sync::{Pace, SyncHow, SyncInput, SyncTrack, advance as advance_cycle, match_pos};
