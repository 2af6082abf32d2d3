//! Speech: which sounds are spoken when, and which mouth shapes show them.
//!
//! Called by the stage (lines that characters speak) and by `galatea lipsync`. Invariant: no files, no sound card,
//! no Lua and no clock; samples and text in, tracks out.

pub mod acoustic;
pub mod amplitude;
pub mod exchange;
pub mod lag;
pub mod line;
pub mod loudness;
pub mod marks;
pub mod mouth;
pub mod phone;
pub mod placed;
pub mod plan;
pub mod text;
pub mod track;
pub mod viseme;
