//! Pictures checked by eye: golden pictures of scenes, of the user interface and of the studio, and the gallery.

mod console_box;
mod desk;
#[path = "../driver/mod.rs"]
mod driver;
#[path = "../folder/mod.rs"]
mod folder;
mod gallery;
mod golden;
#[path = "../looked_at/mod.rs"]
mod looked_at;
mod panels;
#[path = "../program/mod.rs"]
mod program;
#[path = "../sessions/mod.rs"]
mod sessions;
mod studio;
mod studio_debugger;
mod studio_profile;
mod ui;

use galatea::app::Session;
use galatea::asset::Project;

use folder::Folder;

fn open(folder: &Folder) -> Session {
    Session::open(Project::open(&folder.0).unwrap(), sessions::silent()).unwrap()
}
