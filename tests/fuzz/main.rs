//! Fuzzing: hostile input for every reader. The tests include a short run of each target; `./x fuzz` runs longer. See
//! CONTRIBUTING.md.

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
mod saves;
mod script_api;
mod sounds;
mod speech;
mod target;
mod texts;
mod worker;

#[global_allocator]
static MEMORY: memory::LimitedMemory = memory::LimitedMemory;
