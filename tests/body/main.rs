//! Rigid bodies and ragdolls: falling, joints, coming to rest.

mod exact;
mod falls;
mod grabs;
mod hits;
mod laws;
mod level;
mod moving;
mod proof;
mod props;
mod rest;
mod scenes;
mod slides;

#[path = "../collider_file/mod.rs"]
mod collider_file;
