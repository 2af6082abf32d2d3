//! A project that is edited while it plays: scripts, models, sounds and shaders reload, and what is
//! broken says so and harms nothing.

mod files;
mod heights;
mod models;
mod scripts;
mod speech;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use galatea::app::{Session, SessionOptions, Sound};
use galatea::asset::Project;
use galatea::stage::Handle;

/// A project in a folder of its own, with the demo's character and one sound.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, script: &str) -> Self {
        let root =
            std::env::temp_dir().join(format!("galatea-session-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for folder in ["scripts", "assets/sounds", "shaders"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        fs::copy(home.join("mannequin.glb"), root.join("assets/hero.glb")).unwrap();
        fs::copy(
            home.join("sounds/step_stone_1.wav"),
            root.join("assets/sounds/step.wav"),
        )
        .unwrap();
        let folder = Self(root);
        folder.write("scripts/main.lua", script);
        folder
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(file), text).unwrap();
    }

    fn open(&self, watch: bool, sound: Sound) -> Session {
        let project = Project::open(&self.0).unwrap();
        let mut session = Session::open(
            project,
            SessionOptions {
                sound,
                watch,
                quiet: true,
                wait: !watch,
            },
        )
        .unwrap();
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
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Ticks in real time until something is so; the deadline is generous, the condition is what counts.
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
    let (machine, state) = hero.machine.as_ref().unwrap();
    let active = state.layers[0].active.last().unwrap();
    let name = machine.state_name(0, active.state).to_owned();
    (handle, active.state_age, name)
}

const SCRIPT: &str = r#"
local hero = character "assets/hero.glb"
hero.machine = machine { state "walk" { "walk" }, state "idle" { "idle" } }
local game = keep("game", { ticks = 0 })
function update(dt) game.ticks += 1 hero.position += vector.create(0, 0, dt) end
"#;
