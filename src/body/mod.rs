//! Bodies: what a character is when it is pushed, hit or falls, and the world it does that in.
//!
//! Callers: `character` (which ragdoll belongs to a model) and `stage` (the world, its step, and what
//! bodies do to poses). Invariants: the only room that knows the physics engine; no Lua, no files, no
//! clock of its own; the same inputs give the same bits.

pub mod outline;
pub mod particles;
pub mod ragdoll;
