//! What moves bones after the animation: breathing, standing, looking, reaching, helper bones, then springs, jiggle
//! and wind.
//!
//! Callers: `asset` (reads springs and helpers from files), `character` and `stage`. Invariants: plain data in, plain data out; no GPU, no Lua, no files,
//! no clock of its own: the same inputs give the same bits.

pub mod aim;
pub mod alive;
pub mod carriage;
pub mod chain;
pub mod feet;
pub mod fingers;
pub mod gaze;
mod goals;
pub mod helper;
pub mod jiggle;
pub mod limit;
pub mod look_at;
pub mod loose;
mod posed;
pub mod simd;
pub mod spring;
pub mod stand;
pub mod trunk;
pub mod turning;
pub mod two_bone;
pub mod whole;
pub mod wind;

pub use posed::Posed;
