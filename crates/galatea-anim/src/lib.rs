//! Skeletal animation: skeletons, clips, compression, sampling, blending, root motion and retargeting.
//!
//! A [`Skeleton`] is a list of [`Bone`]s, parents before children. A [`Clip`] holds keyframe tracks for its bones, and
//! [`Marker`]s: named times that become events. [`pack()`] compresses a clip to a [`PackedClip`] within an error bound
//! that it measures in model space. A [`ClipSet`] holds all clips of one model and blends them into a [`Pose`]. A
//! [`Playhead`] is the playback position on a clip; it reports each mark that it crosses exactly once.
//! [`local_to_model`] turns a pose into bone matrices. [`blend_space`] and [`sync`] blend locomotion clips in step,
//! [`retarget`] plays the clips of one body on another.
//!
//! ```
//! use galatea_anim::{
//!     Bone, BoneTracks, Clip, Interpolation, PackOptions, Skeleton, Track, local_to_model, pack,
//! };
//! use galatea_math::Trs;
//! use glam::{Quat, Vec3};
//! use std::f32::consts::FRAC_PI_2;
//!
//! // An arm that points up: two bones, each one metre long.
//! let bone = |name: &str, parent, y| Bone {
//!     name: name.into(),
//!     parent,
//!     rest: Trs::from_translation(Vec3::Y * y),
//!     skinned: true,
//! };
//! let skeleton = Skeleton::new(vec![bone("upper", None, 0.0), bone("lower", Some(0), 1.0)])?;
//!
//! // A clip that swings it down to the side within one second.
//! let swing = Track {
//!     times: vec![0.0, 1.0],
//!     values: vec![Quat::IDENTITY, Quat::from_rotation_z(-FRAC_PI_2)],
//!     interpolation: Interpolation::Linear,
//! };
//! let tracks = BoneTracks { bone: 0, translation: None, rotation: Some(swing), scale: None };
//! let clip = Clip { name: "swing".into(), duration: 1.0, bones: vec![tracks], ..Clip::default() };
//!
//! // Compress the clip, sample it at its end, and find the elbow in model space.
//! let (packed, _report) = pack(&skeleton, &clip, &PackOptions::default());
//! let mut pose: Vec<Trs> = skeleton.rest().collect();
//! packed.sample(1.0, &mut pose);
//! let mut model_from_bone = Vec::new();
//! local_to_model(&skeleton, &pose, &mut model_from_bone);
//! let elbow = Vec3::from(model_from_bone[1].translation);
//! assert!(elbow.distance(Vec3::X) < 1e-3, "{elbow}");
//! # Ok::<(), galatea_anim::SkeletonError>(())
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-math` only. Does not use the GPU, Lua, files or the clock: the same input gives the same bits.
//! Immutable data (skeletons, clips) is shared; state (playheads, ledgers) is plain data that belongs to the caller.

mod additive;
mod arc;
mod blend;
pub mod blend_space;
mod clip;
mod clip_set;
pub mod contacts;
mod crossings;
mod ease;
mod event_log;
pub mod facing;
mod frame_slot;
mod frames;
pub mod humanoid;
pub mod inertia;
mod interval;
mod local_to_model;
mod mask;
pub mod metrics;
mod mirror;
pub mod motion_warp;
mod names;
pub mod pack;
mod playhead;
mod pose;
pub mod reference;
pub mod reparent;
pub mod retarget;
pub mod root_motion;
mod sample;
mod sample_blend;
pub mod simd;
mod skeleton;
mod stance;
pub mod standing_rest;
mod suppressed_intervals;
pub mod sync;
#[cfg(test)]
mod tests;
pub mod tools;
mod walk;

pub use additive::{Delta, add};
pub use blend::{blend, blend_at};
pub use clip::{BoneTracks, Clip, Curve, Interpolation, Marker, MarkerValue, MorphTrack, Track};
pub use clip_set::{ClipMotion, ClipPlay, ClipSet, OneClip, TrackMask};
pub use crossings::{Crossing, MAX_INTERVALS, MarkerPhase, Markers, TooManyIntervals};
pub use ease::Ease;
pub use event_log::{
    CrossingSource, EntryId, EventLog, EventLogEntry, Outcome, OutcomeCounts, Reason,
};
pub use frame_slot::{FrameSlot, keep_within};
pub use frames::{FrameGrid, Frames};
pub use inertia::Inertia;
pub use interval::Interval;
pub use local_to_model::{local_to_model, local_to_model_at};
pub use mask::BodyPart;
pub use mirror::{MirrorMap, mirror_pose};
pub use names::{CrossingNames, Named};
pub use pack::{PackOptions, PackReport, PackedClip, pack};
pub use playhead::{MAX_CROSSINGS, MAX_SPEED, PlayMode, Playhead, PlayheadStep, Seek};
pub use pose::{Mask, Pose};
pub use retarget::Retarget;
pub use root_motion::{RootDelta, RootTrack};
pub use sample::sample;
pub use sample_blend::{ClipAt, MAX_PLAYS, sample_blend, sample_blend_at};
pub use skeleton::{Bone, Skeleton, SkeletonError};
pub use suppressed_intervals::SuppressedIntervals;
pub use sync::{SyncHow, SyncInput, SyncSpeedRule, SyncTrack, advance as advance_cycle, match_pos};
