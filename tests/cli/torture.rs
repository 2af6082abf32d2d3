//! `galatea torture` on test projects: a correct one passes, an inserted error is found and its input is shrunk.

use std::fs;

use crate::folder::Folder;
use crate::program::{err, galatea, out};

/// Wide limits, because tests are not optimised.
const LIMITS: [&str; 4] = ["--tick-limit", "3", "--hang-limit", "20"];

/// A walking character and a crate that is pushed by keys.
const SOUND: &str = r#"
local hero = character "assets/mannequin.glb"
hero.machine = machine { state "walk" { "walk" } }
local v = vector.create
local crate = physics.box { position = v(1, 2, 0), size = v(0.4, 0.4, 0.4), mass = 8 }
function update(dt)
	if input.pressed "space" then crate:apply_impulse(v(0, 20, 0)) end
	hero.position += v(0, 0, dt)
end
"#;

/// A script with an error that two keys in this order trigger.
const FAULTY: &str = r#"
local hero = character "assets/mannequin.glb"
local is_armed = false
function update()
	if input.pressed "k" then is_armed = true end
	if is_armed and input.pressed "l" then error("both keys") end
end
"#;

fn torture(folder: &Folder, more: &[&str]) -> std::process::Output {
    let output = folder.0.join("found");
    let mut args = vec!["torture", folder.path(), "-o", output.to_str().unwrap()];
    args.extend(LIMITS);
    args.extend(more);
    galatea(&args)
}

#[test]
fn a_sound_project_survives_and_its_files_are_not_touched() {
    let folder = Folder::project("torture", SOUND);
    let before = crate::contents(&folder.0);
    let output = torture(&folder, &["--ticks", "400", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let told = out(&output);
    assert!(
        told.contains(" saves, ") && told.contains(", 0 errors"),
        "{told}"
    );
    assert_eq!(crate::contents(&folder.0), before);
}

#[test]
fn a_planted_fault_is_found_and_few_actions_are_left_that_bring_it_about() {
    let folder = Folder::project("torture-fault", FAULTY);
    let mut text = String::from("{\"ticks\": 400}\n");
    for (tick, name) in [(100, "k"), (140, "j"), (200, "l")] {
        text += &format!("{{\"tick\": {tick}, \"input\": {{\"down\": \"{name}\"}}}}\n");
    }
    let actions = folder.0.join("actions.jsonl");
    fs::write(&actions, text).unwrap();
    let replay = |file: &std::path::Path| {
        let output = torture(&folder, &["--actions", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{}", out(&output));
        assert!(err(&output).contains("both keys"), "{}", err(&output));
        assert!(out(&output).contains(", 1 errors"), "{}", out(&output));
    };
    replay(&actions);

    let output = torture(&folder, &["--ticks", "900", "--shrink", "60"]);
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    let found = fs::read_dir(folder.0.join("found"))
        .unwrap()
        .flatten()
        .next();
    let found = found.unwrap().path();
    let list = fs::read_to_string(&found).unwrap();
    let actions: Vec<&str> = list
        .lines()
        .filter(|line| line.contains("\"tick\""))
        .collect();
    assert!(actions.len() <= 3, "{actions:#?}");
    replay(&found);
}
