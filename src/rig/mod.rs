//! What moves bones after the animation: springs, jiggle and wind, later looking, reaching and standing.
//!
//! Callers: `asset` (reads springs from files), `character` and `stage`. Invariants: plain data in, plain data out; no GPU, no Lua, no files,
//! no clock of its own: the same inputs give the same bits.

pub mod jiggle;
pub mod spring;
pub mod wind;
