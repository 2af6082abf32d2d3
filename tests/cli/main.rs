//! The program as a user runs it, with valid and invalid calls.

mod bake;
mod bundle;
mod bundle_systems;
#[cfg(target_os = "linux")]
mod captions;
mod clip;
#[path = "../common/mod.rs"]
mod common;
mod control;
mod convert;
mod debugger;
mod diff;
#[path = "../driver/mod.rs"]
mod driver;
mod dropped;
#[path = "../folder/mod.rs"]
mod folder;
mod help;
mod inspect;
mod lipsync;
mod machine;
mod many;
mod outside;
#[path = "../program/mod.rs"]
mod program;
mod projects;
mod recordings;
mod refusals;
mod shot;
#[cfg(target_os = "linux")]
#[path = "../../crates/galatea-app/src/studio/fonts/small_font.rs"]
mod small_font;
#[path = "../takes/mod.rs"]
mod takes;
mod test_command;
mod torture;
mod window;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("galatea-cli-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A script that shows the time in pictures: the floor gets redder with every tenth of a second.
const REDDER: &str = "camera.orbit { target = vector.create(0, 0.5, 0), distance = 3, pitch = 40 }
ground.set { grid = 0 }
function update() ground.set { color = vector.create(now(), 0, 0) } end
hero = character \"assets/mannequin.glb\"";

fn redder(name: &str) -> PathBuf {
    let dir = folder(name);
    for part in ["scripts", "assets"] {
        fs::create_dir_all(dir.join(part)).unwrap();
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    fs::copy(home, dir.join("assets/mannequin.glb")).unwrap();
    fs::write(dir.join("scripts/main.lua"), REDDER).unwrap();
    dir
}

/// All files below a folder.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}
