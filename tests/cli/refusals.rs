//! Invalid calls, unknown names, and machines without required features.

use std::fs;
use std::path::Path;

use super::folder;
use crate::program::{self, err, galatea, out};

#[test]
fn names_that_command_a_terminal_are_printed_as_text() {
    let dir = folder("terminal");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let evil = "a\u{1b}[2Jb";
    let file = serde_json::json!({"asset": {"version": "2.0"}, "nodes": [{"name": evil}]});
    fs::write(at("evil.gltf"), file.to_string()).unwrap();
    let inspected = galatea(&["inspect", "--verbose", &at("evil.gltf")]);
    assert!(
        out(&inspected).contains("a\\u001b[2Jb < (none)"),
        "{}",
        out(&inspected)
    );
    let missing = galatea(&["inspect", &at("no\u{1b}[31m.glb")]);
    assert!(
        err(&missing).contains("no\\u001b[31m.glb"),
        "{}",
        err(&missing)
    );
    let listed = galatea(&["clip", &at("evil.gltf"), "--list", "--clip", evil]);
    for text in [out(&inspected), err(&missing), err(&listed)] {
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn bad_calls_end_with_the_cause_in_plain_words_and_their_exit_code() {
    let dir = folder("bad");
    fs::create_dir_all(dir.join("scripts")).unwrap();
    let path = dir.to_str().unwrap();
    fs::write(dir.join("empty.glb"), "").unwrap();
    fs::write(dir.join("text.glb"), "not a model").unwrap();
    let truncated =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb")).unwrap();
    fs::write(dir.join("truncated.glb"), &truncated[..truncated.len() / 3]).unwrap();
    let file = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let cases: [(&[&str], i32, &str); 21] = [
        (&["inspect", "nowhere.glb"], 1, "nowhere.glb"),
        (&["inspect", &file("empty.glb")], 1, "empty.glb"),
        (&["inspect", &file("text.glb")], 1, "text.glb"),
        (&["inspect", &file("truncated.glb")], 1, "truncated.glb"),
        (&["inspect", path], 1, "bad"),
        (&["play", "nowhere"], 1, "no such folder"),
        (
            &["play", "nowhere.bvh"],
            1,
            "nowhere.bvh: there is no such file",
        ),
        (
            &["play", "missing.lua"],
            1,
            "missing.lua: there is no such file",
        ),
        (
            &["play", "mian.lua"],
            1,
            "did you mean \"scripts/main.lua\"?",
        ),
        (&["check", path], 1, "scripts/main.lua"),
        (
            &["shot", ".", "--size", "0x10", "-o", "x.png"],
            2,
            "WIDTHxHEIGHT",
        ),
        (&["shot", ".", "--at", "nan", "-o", "x.png"], 2, "seconds"),
        (
            &["record", ".", "--input", "nowhere.jsonl", "-o", "x"],
            1,
            "nowhere.jsonl",
        ),
        (
            &["play", ".", "--input", "nowhere.jsonl"],
            1,
            "nowhere.jsonl",
        ),
        (&["play", ".", "--record-input", "x.jsonl"], 1, "no display"),
        (
            &["play", ".", "--render", "--record-input", "x.jsonl"],
            2,
            "cannot be used with",
        ),
        (
            &["record", ".", "--input", "galatea.toml", "-o", "x"],
            1,
            "this is not recorded input",
        ),
        (
            &["record", ".", "--seconds", "-1", "-o", "x"],
            2,
            "--seconds cannot be \"-1\": expected seconds from 0 to 86400",
        ),
        (
            &["record", ".", "--fps", "241", "-o", "x"],
            2,
            "expected a whole number from 1 to 240 (frames per second)",
        ),
        (&["bench", "smaple"], 1, "sample"),
        (&["paly"], 2, "did you mean \"play\"?"),
    ];
    for (args, code, words) in cases {
        let output = galatea(args);
        let text = err(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: {text}");
        assert!(!text.contains("panicked"), "{args:?}: {text}");
    }
    fs::remove_dir_all(&dir).unwrap();
}

/// OpenGL cannot run the shaders: an adapter may exist or not, but the picture must never be black.
#[test]
fn with_only_opengl_the_requirements_are_reported() {
    let dir = folder("opengl");
    fs::create_dir_all(&dir).unwrap();
    let shot = dir.join("shot.png");
    let home = env!("CARGO_MANIFEST_DIR");
    let done = program::command(&["shot", home, "--at", "0", "-o", shot.to_str().unwrap()])
        .env("WGPU_BACKEND", "gl")
        .output()
        .unwrap();
    let said = err(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    let needed = "install a Vulkan, Metal or Direct3D 12 driver";
    assert!(said.contains(needed), "{said}");
    assert!(!shot.exists() && !said.contains("panicked"), "{said}");
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn errors_of_a_viewed_model_do_not_mention_the_viewer_script() {
    let dir = folder("one_model");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    fs::write(at("bad.glb"), "no model").unwrap();
    let good = format!("{}/assets/mannequin.glb", env!("CARGO_MANIFEST_DIR"));
    let picture = at("out.png");
    let cases: [(&[&str], &str); 3] = [
        (
            &["shot", &at("bda.glb")],
            "there is no such file; did you mean \"bad.glb\"?",
        ),
        (&["shot", &at("bad.glb")], "not a GLB or glTF file"),
        (
            &["shot", &good, "--clip", "wlak"],
            "has no clip \"wlak\"; did you mean \"walk\"?",
        ),
    ];
    for (arguments, words) in cases {
        let output = galatea(&[arguments, &["-o", &picture]].concat());
        let text = err(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(words), "{text}");
        for own in ["(viewer)", "viewer.lua", "local FILE", "hero:play"] {
            assert!(!text.contains(own), "{own}: {text}");
        }
    }
    fs::remove_dir_all(&dir).unwrap();
}
