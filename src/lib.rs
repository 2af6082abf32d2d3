//! Galatea is a character runtime: a glTF character, a page of Lua, and it lives.
//!
//! The rooms in reading order, each importing only from those above it: [`math`], [`anim`],
//! [`asset`], [`deform`], [`forge`], [`stage`].
#![warn(missing_docs)]

pub mod anim;
pub mod asset;
pub mod deform;
pub mod forge;
pub mod math;
pub mod stage;
