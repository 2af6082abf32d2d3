//! Galatea is a character runtime: a glTF character, a page of Lua, and it lives.
//!
//! The rooms in reading order; each imports only from those above it: [`math`], [`anim`],
//! [`rig`], [`speech`], [`face`], [`asset`], [`forge`], [`deform`], [`decal`], [`body`], [`hair`], [`crowd`], [`machine`], [`character`], [`stage`], [`audio`], [`render`],
//! [`script`], [`studio`], [`app`], [`commands`].
#![warn(missing_docs)]

pub mod anim;
pub mod app;
pub mod asset;
pub mod audio;
pub mod body;
pub mod character;
pub mod commands;
pub mod crowd;
pub mod decal;
pub mod deform;
pub mod emitter;
pub mod face;
pub mod forge;
pub mod hair;
pub mod machine;
pub mod math;
pub mod paths;
pub mod render;
pub mod rig;
pub mod script;
pub mod speech;
pub mod stage;
pub mod studio;
