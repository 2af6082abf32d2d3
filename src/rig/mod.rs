//! What moves bones after the animation: looking, reaching and standing, helper bones, then springs, jiggle and wind.
//!
//! Callers: `asset` (reads springs and helpers from files), `character` and `stage`. Invariants: plain data in, plain data out; no GPU, no Lua, no files,
//! no clock of its own: the same inputs give the same bits.

pub mod helper;
pub mod jiggle;
pub mod look_at;
mod posed;
pub mod spring;
pub mod wind;

pub use posed::Posed;
