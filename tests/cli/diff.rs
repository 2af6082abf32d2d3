//! `galatea diff`: two versions of a project, or two inputs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::folder;
use crate::program::{can_draw, err, galatea, out};

/// A hero that walks while W is down, and its number of steps.
const SCRIPT: &str = r#"local hero = character("assets/mannequin.glb", { name = "hero" })
hero.machine = machine {
	params = { speed = 0 },
	state "idle" { "idle" },
	state "move" { "walk" },
	transition_to "move" { from = "idle", when = "speed > 0.1" },
	transition_to "idle" { from = "move", when = "speed <= 0.1" },
}
local ball = character("assets/mannequin.glb", { name = "other", position = vec(2, 0, 0) })
function update()
	hero.machine.params.speed = if input.down "w" then 1 else 0
end
camera.frame(hero, { yaw = 20 })
"#;

fn project(name: &str, script: &str) -> PathBuf {
    let dir = folder(name);
    fs::create_dir_all(dir.join("scripts")).unwrap();
    fs::create_dir_all(dir.join("assets")).unwrap();
    fs::write(dir.join("scripts/main.lua"), script).unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    fs::copy(model, dir.join("assets/mannequin.glb")).unwrap();
    dir
}

fn input(dir: &Path, name: &str, lines: &str) -> String {
    let file = dir.join(name);
    fs::write(&file, lines).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn the_same_project_does_not_differ_and_a_changed_one_does_in_words_and_json() {
    let a = project("diff-a", SCRIPT);
    let changed = SCRIPT
        .replace("when = \"speed > 0.1\"", "when = \"speed > 2\"")
        .replace(
            "function update()",
            "function update()\n\tif now() > 1 then hero.position = vec(0.25, 0, 0) end",
        )
        .replace("name = \"other\"", "name = \"somebody\"");
    let b = project("diff-b", &changed);
    let run = input(
        &a,
        "run.jsonl",
        "{\"t\": 0.5, \"down\": \"w\"}\n{\"t\": 2.5, \"up\": \"w\"}\n",
    );
    let [path_a, path_b] = [&a, &b].map(|dir| dir.to_str().unwrap());
    let same = galatea(&["diff", path_a, path_a, "--input", &run]);
    assert!(same.status.success(), "{}", err(&same));
    assert!(
        out(&same).contains("no difference in 3.50 s"),
        "{}",
        out(&same)
    );

    let picture = a.join("diff.png");
    let mut args = vec!["diff", path_a, path_b, "--input", &run];
    let draws = can_draw();
    if draws {
        args.extend(["-o", picture.to_str().unwrap(), "--size", "96x64"]);
    }
    let differs = galatea(&args);
    assert_eq!(differs.status.code(), Some(1), "{}", err(&differs));
    let words = out(&differs);
    for line in [
        "0.02 s  other: exists only in A",
        "0.02 s  somebody: exists only in B",
        "0.52 s  hero: layer body: move in A, idle in B until 2.5",
        "hero: event step (",
        "hero: the positions differ by more than 1.0 cm: at most ",
        "25.0 cm at the end",
        "hero: the poses differ by more than 1.0 cm",
    ] {
        assert!(words.contains(line), "{line}\nin\n{words}");
    }
    if draws {
        assert!(words.contains("picture: "), "{words}");
        let size = image::image_dimensions(&picture).unwrap();
        assert_eq!(size, (2 * 96 + 2, 2 * 64 + 2));
    }

    let json = galatea(&["diff", path_a, path_b, "--input", &run, "--json"]);
    let report: Value = serde_json::from_str(&out(&json)).unwrap();
    let all = report["differences"].as_array().unwrap();
    let state = all.iter().find(|one| one["state"].is_object()).unwrap();
    assert_eq!(state["subject"], "hero");
    assert_eq!(state["state"]["a"], "move");
    assert_eq!(state["state"]["n"], 1);
    let times: Vec<f64> = all
        .iter()
        .map(|one| one["time"].as_f64().unwrap())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    for dir in [a, b] {
        fs::remove_dir_all(dir).unwrap();
    }
}

#[test]
fn two_inputs_of_one_project_are_compared() {
    let dir = project("diff-inputs", SCRIPT);
    let path = dir.to_str().unwrap();
    let early = input(&dir, "early.jsonl", "{\"t\": 0.5, \"down\": \"w\"}\n");
    let late = input(&dir, "late.jsonl", "{\"t\": 0.75, \"down\": \"w\"}\n");
    let compared = galatea(&["diff", &early, &late, "--project", path, "--seconds", "2"]);
    assert_eq!(compared.status.code(), Some(1), "{}", err(&compared));
    let words = out(&compared);
    let line = "0.52 s  hero: layer body: move in A, idle in B until 0.77 s";
    assert!(words.contains(line), "{words}");
    let wide = ["--project", path, "--seconds", "0.4"];
    let same = galatea(&[&["diff", &early, &late][..], &wide].concat());
    assert!(same.status.success(), "{}", out(&same));
    let mixed = galatea(&["diff", &early, path]);
    assert!(
        err(&mixed).contains("two project folders or two input files"),
        "{}",
        err(&mixed)
    );
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn an_error_in_one_version_is_a_difference() {
    let a = project("diff-error-a", SCRIPT);
    let b = project(
        "diff-error-b",
        &SCRIPT.replace("local ball", "local ball = nil.x"),
    );
    let paths = [&a, &b].map(|dir| dir.to_str().unwrap());
    let compared = galatea(&["diff", paths[0], paths[1], "--seconds", "0.5"]);
    assert_eq!(compared.status.code(), Some(1));
    assert!(
        out(&compared).contains("error in B: "),
        "{}",
        out(&compared)
    );
    for dir in [a, b] {
        fs::remove_dir_all(dir).unwrap();
    }
}
