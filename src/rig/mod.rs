//! What moves bones after the animation: looking, reaching and standing, then springs, jiggle and wind.
//!
//! Callers: `asset` (reads springs from files), `character` and `stage`. Invariants: plain data in, plain data out; no GPU, no Lua, no files,
//! no clock of its own: the same inputs give the same bits.

pub mod aim;
pub mod chain;
pub mod jiggle;
pub mod limit;
mod posed;
pub mod simd;
pub mod spring;
pub mod two_bone;
pub mod wind;

pub use posed::Posed;
