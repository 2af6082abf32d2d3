//! What moves bones after the animation: looking, breathing, reaching and standing, then springs, jiggle and wind.
//!
//! Callers: `asset` (reads springs from files), `character` and `stage`. Invariants: plain data in, plain data out; no GPU, no Lua, no files,
//! no clock of its own: the same inputs give the same bits.

pub mod alive;
pub mod carriage;
pub mod chance;
pub mod feet;
pub mod gaze;
pub mod jiggle;
mod posed;
pub mod reach;
pub mod spring;
pub mod trunk;
pub mod two_bone;
pub mod wind;

pub use posed::Posed;
