//! What moves bones after the animation: springs, later looking, reaching and standing.
//!
//! Callers: `character` and `stage`. Invariants: plain data in, plain data out; no GPU, no Lua, no files,
//! no clock of its own: the same inputs give the same bits.
