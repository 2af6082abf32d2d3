//! Procedural animation on top of a pose: inverse kinematics, gaze, foot placement, springs, jiggle and wind.
//!
//! A [`Posed`] borrows a skeleton's local transforms while modifiers change them, and keeps bone positions up to date.
//! [`two_bone`] places hands and feet, [`chain`] solves longer chains, [`full_body`] reaches with the whole body. [`aim`] and
//! [`gaze`] turn bones and eyes to a target. [`foot_ik`] keeps feet on the ground, [`lean_and_warp`] leans the body, [`idle_motion`]
//! adds breathing. [`helper`] drives twist and helper bones. [`spring`] and [`jiggle`] make hair, tails and flesh swing,
//! also in [`wind`].
//!
//! ```
//! use galatea_rig::two_bone::{TwoBone, solve_two_bone};
//! use glam::Vec3;
//!
//! // A straight arm that hangs down from the shoulder reaches for a door handle. The elbow points backwards.
//! let (shoulder, elbow, hand) = (Vec3::Y * 1.4, Vec3::Y * 1.1, Vec3::Y * 0.8);
//! let goal = TwoBone {
//!     root: shoulder,
//!     mid: elbow,
//!     end: hand,
//!     target: Vec3::new(0.1, 1.0, 0.3),
//!     pole: Vec3::NEG_Z,
//!     ..TwoBone::default()
//! };
//! let turns = solve_two_bone(&goal);
//!
//! // The lower arm turns about the elbow, then the whole arm turns about the shoulder.
//! let bent = elbow + turns.mid * (hand - elbow);
//! let reached = shoulder + turns.root * (bent - shoulder);
//! assert!(reached.distance(goal.target) < 1e-4);
//! assert!(turns.target_error < 1e-4);
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-anim` and `galatea-math`. Plain data in, plain data out; knows no GPU, no Lua, no files and no clock of
//! its own. The same input gives the same bits.

pub mod aim;
pub mod chain;
pub mod expression;
pub mod fingers;
pub mod foot_ik;
pub mod full_body;
pub mod gaze;
mod goals;
pub mod helper;
pub mod idle_motion;
pub mod jiggle;
pub mod lean_and_warp;
pub mod limit;
pub mod look_at;
mod posed;
mod simd;
pub mod spring;
pub mod stand;
pub mod trunk;
pub mod turning;
pub mod two_bone;
pub mod wind;

pub use posed::Posed;
