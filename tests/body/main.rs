//! Rigid bodies and ragdolls: falling, joints, coming to rest.

mod exact;
mod falls;
mod grabs;
mod hits;
mod laws;
mod level;
mod moving;
mod proof;
mod rest;
mod scenes;
mod slides;
mod things;

#[path = "../solid_file/mod.rs"]
mod solid_file;
