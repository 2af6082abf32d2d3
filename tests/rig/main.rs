//! Limbs, eyes and whole bodies that follow targets of a script.

mod deformation;
mod limbs;
mod look;
mod recipe_clips;
mod recipe_limits;
mod recipes;
#[path = "../sessions/mod.rs"]
mod sessions;
mod whole_body;
