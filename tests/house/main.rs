//! Repository checks: dependencies of crates, agreement of pages and code, Lua in the guide, example projects.

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
mod words;
mod workspace;
