//! Pictures that were looked at: the golden ones of scenes, of the user interface and of the studio, and the gallery.

mod console_box;
mod gallery;
mod golden;
#[path = "../looked_at/mod.rs"]
mod looked_at;
mod panels;
#[path = "../program/mod.rs"]
mod program;
#[path = "../sessions/mod.rs"]
mod sessions;
mod ui;
