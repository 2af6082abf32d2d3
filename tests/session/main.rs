//! A project that is edited while it plays: scripts, models, sounds and shaders reload; errors are reported and do no
//! damage.

mod crash;
mod debugging;
#[path = "../driver/mod.rs"]
mod driver;
mod edited_saves;
mod files;
#[path = "../folder/mod.rs"]
mod folder;
mod heights;
mod models;
mod past;
mod past_change;
mod planted_faults;
mod saves;
mod scripts;
mod speech;
mod values;

use std::fs;
use std::time::{Duration, Instant};

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;
use galatea::stage::Handle;

use crate::folder::Folder;

/// A project with the demo's character and one sound.
fn project(name: &str, script: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("scripts/main.lua", script);
    folder.copy("assets/mannequin.glb", "assets/hero.glb");
    folder.copy("assets/sounds/step_stone_1.wav", "assets/sounds/step.wav");
    fs::create_dir_all(folder.0.join("shaders")).unwrap();
    folder
}

fn open(folder: &Folder, watch: bool, sound: SoundOutput) -> Session {
    galatea::install();
    let options = SessionOptions {
        sound,
        watch,
        quiet: true,
        wait: !watch,
    };
    let mut session = Session::open(Project::open(&folder.0).unwrap(), options).unwrap();
    session.diagnostics.silence();
    let start = Instant::now();
    while session.stage.characters.is_empty() && start.elapsed() < Duration::from_secs(20) {
        session.apply_reloads();
        if session.diagnostics.errors().next().is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    session
}

/// Runs ticks in real time until a condition holds, with a generous deadline.
fn until(session: &mut Session, what: &str, mut so: impl FnMut(&mut Session) -> bool) {
    let start = Instant::now();
    while !so(session) {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{what}: {:?}",
            errors(session)
        );
        session.tick();
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn errors(session: &Session) -> Vec<String> {
    session.diagnostics.errors().map(str::to_owned).collect()
}

fn run(session: &mut Session, seconds: f64) {
    for _ in 0..(seconds * 60.0).round() as u32 {
        session.tick();
    }
}

fn hero(session: &Session) -> (Handle, f64, String) {
    let (handle, hero) = session.stage.characters.iter().next().unwrap();
    let (machine, state) = hero.playback.machine.as_ref().unwrap();
    let active = state.layers[0].active.last().unwrap();
    let name = machine.state_name(0, active.state).to_owned();
    (handle, active.state_age, name)
}

const SCRIPT: &str = r#"
local hero = character "assets/hero.glb"
hero.machine = machine { state "walk" { "walk" }, state "idle" { "idle" } }
local game = keep_on_reload("game", { ticks = 0 })
function update(dt) game.ticks += 1 hero.position += vector.create(0, 0, dt) end
"#;
