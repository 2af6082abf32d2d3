//! The complete Lua API: characters, objects, sounds and input, correct and wrong use, and hot reloads.

mod clips;
#[path = "../common/mod.rs"]
mod common;
mod console;
mod conversation;
mod crowd;
mod crowd_life;
mod events;
mod example_games;
mod examples;
#[path = "../folder/mod.rs"]
mod folder;
mod hair;
mod hostile;
mod input;
mod literals;
mod lua_api;
mod lua_tests;
mod markers;
mod metrics;
mod navmesh;
mod particles;
mod playback;
mod reload;
mod remedies;
mod renamed;
mod sandbox;
mod script;
#[path = "../sessions/mod.rs"]
mod sessions;
mod settling;
mod sounds;
mod springs;
mod state_scripts;
mod tasks;
mod time;
mod versions;

use std::sync::{Arc, OnceLock};

use galatea::character::Definition;
use galatea::forge::mannequin;

/// The mannequin, which takes seconds to build and is built once.
fn mannequin() -> Arc<Definition> {
    static MADE: OnceLock<Arc<Definition>> = OnceLock::new();
    MADE.get_or_init(|| Arc::new(Definition::new(Arc::new(mannequin::mannequin()))))
        .clone()
}
