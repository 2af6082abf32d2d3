//! The house in order: which crate may use which, what pages say of the code, the Lua in the guide, the programs of the book.

mod architecture;
mod clamps;
mod cycles;
#[path = "../driver/mod.rs"]
mod driver;
mod guide;
mod helpers;
mod limits;
mod names;
mod pages;
#[path = "../program/mod.rs"]
mod program;
mod programs;
mod workspace;
