//! Fuzzing: hostile input for every reader. A short run of each target is part of the tests; `./x fuzz` runs on.
//! CONTRIBUTING.md describes it.

#[path = "../../crates/galatea-import/src/binary_fbx.rs"]
mod binary_fbx;
mod binary_x;
#[path = "../common/mod.rs"]
mod common;
#[path = "../folder/mod.rs"]
mod folder;
#[path = "../sessions/mod.rs"]
mod sessions;

mod archives;
mod campaign;
mod control;
mod hostile;
mod memory;
mod models;
mod mutate;
mod pictures;
mod random;
mod recipes;
mod script_api;
mod sounds;
mod speech;
mod target;
mod texts;
mod worker;

#[global_allocator]
static MEMORY: memory::LimitedMemory = memory::LimitedMemory;
