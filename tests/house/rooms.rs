//! The house's rules, read from the sources: who may import whom, who may name which package, how
//! large a file may grow.

use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from the ground up; each may import only from those before it, as far as `MAY` allows.
const ROOMS: [(&str, &[&str]); 23] = [
    ("math", &[]),
    ("anim", &["math"]),
    ("rig", &["math", "anim"]),
    ("speech", &["math"]),
    ("face", &["math", "anim", "rig", "speech"]),
    ("asset", &["math", "anim", "rig", "face"]),
    ("emitter", &["math", "rig", "asset"]),
    ("forge", &["math", "anim", "asset", "emitter"]),
    ("deform", &["math", "anim", "asset"]),
    ("decal", &["math", "asset"]),
    ("body", &["math", "anim", "asset", "deform"]),
    ("hair", &["math", "anim", "rig", "asset", "body"]),
    ("crowd", &["math", "rig"]),
    ("paths", &["math"]),
    ("machine", &["math", "anim", "asset"]),
    (
        "character",
        &[
            "math", "anim", "rig", "speech", "face", "asset", "deform", "decal", "body", "hair",
            "machine",
        ],
    ),
    (
        "stage",
        &[
            "math",
            "anim",
            "rig",
            "speech",
            "face",
            "asset",
            "deform",
            "decal",
            "body",
            "emitter",
            "hair",
            "crowd",
            "paths",
            "machine",
            "character",
        ],
    ),
    ("audio", &["math"]),
    ("render", &["math", "asset", "deform", "decal", "stage"]),
    (
        "script",
        &[
            "math",
            "anim",
            "rig",
            "speech",
            "face",
            "asset",
            "forge",
            "decal",
            "body",
            "emitter",
            "hair",
            "crowd",
            "paths",
            "machine",
            "character",
            "stage",
        ],
    ),
    ("studio", &["render", "stage", "script"]),
    (
        "app",
        &[
            "math",
            "asset",
            "audio",
            "body",
            "hair",
            "character",
            "machine",
            "render",
            "script",
            "speech",
            "stage",
            "studio",
        ],
    ),
    (
        "commands",
        &[
            "math",
            "anim",
            "app",
            "asset",
            "audio",
            "body",
            "character",
            "crowd",
            "paths",
            "face",
            "speech",
            "deform",
            "decal",
            "emitter",
            "hair",
            "forge",
            "machine",
            "render",
            "rig",
            "script",
            "stage",
            "studio",
        ],
    ),
];

/// Packages and the only rooms that may name them.
const PACKAGES: [(&str, &[&str]); 36] = [
    ("etagere", &["forge"]),
    ("mlua", &["script"]),
    ("full_moon", &["script"]),
    ("selene_lib", &["script"]),
    ("realfft", &["speech"]),
    ("quick_xml", &["commands", "speech"]),
    ("ndarray", &["speech", "commands"]),
    ("tiny_skia", &["commands"]),
    ("ab_glyph", &["commands"]),
    ("wgpu", &["render", "studio"]),
    ("naga", &["render"]),
    ("nv_flip", &["render"]),
    ("rapier3d", &["body", "forge"]),
    ("winit", &["app"]),
    ("gilrs", &["app"]),
    ("rodio", &["audio"]),
    ("hound", &["audio"]),
    ("notify", &["asset"]),
    ("egui", &["studio"]),
    ("gltf", &["asset"]),
    ("ruzstd", &["asset"]),
    ("zstd", &["asset", "commands", "speech"]),
    ("crc32fast", &["asset"]),
    ("libsui", &["commands"]),
    ("meshopt", &["asset", "forge"]),
    ("rerecast", &["paths"]),
    ("clap", &["commands", "main.rs"]),
    ("clap_complete", &["commands"]),
    ("clap_mangen", &["commands"]),
    ("ufbx", &["asset"]),
    ("miniz_oxide", &["asset"]),
    ("getrandom", &["app"]),
    ("dirs", &["app", "commands"]),
    ("arboard", &["app"]),
    ("rfd", &["commands"]),
    ("windows_sys", &["main.rs"]),
];

/// The most lines of a file of Rust, tests included.
const MOST_LINES: usize = 620;

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn each_source(mut f: impl FnMut(&str, &Path, &str)) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    assert!(files.len() > 50);
    for file in files {
        let relative = file.strip_prefix(&src).unwrap();
        let room = relative
            .iter()
            .next()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        f(&room, relative, &fs::read_to_string(&file).unwrap());
    }
}

/// The code of a file without its tests, line by line without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let own = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text);
    own.lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.split("//").next().unwrap_or("")))
}

fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = &line[at + word.len()..];
        after.starts_with("::")
            && before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':')
    })
}

#[test]
fn no_file_is_too_long() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests"] {
        sources(&home.join(folder), &mut files);
    }
    let lines = |file: &PathBuf| fs::read_to_string(file).unwrap().lines().count();
    files.retain(|file| lines(file) > MOST_LINES);
    assert!(files.is_empty(), "over {MOST_LINES} lines: {files:?}");
}

#[test]
fn no_file_of_tests_is_left_out() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    sources(&tests, &mut files);
    files.retain(|file| {
        let name = file.file_stem().unwrap().to_string_lossy();
        let parent = file.parent().unwrap();
        let named = |by: PathBuf| {
            let text = fs::read_to_string(by).unwrap_or_default();
            text.lines().any(|line| line == format!("mod {name};"))
        };
        // What lies in the folder of tests itself, and every `main.rs`, is found by cargo.
        let found = parent == tests || name == "main" || name == "mod";
        let own = parent.with_extension("rs");
        !found && !named(parent.join("main.rs")) && !named(parent.join("mod.rs")) && !named(own)
    });
    assert!(files.is_empty(), "nobody's modules: {files:?}");
}

#[test]
fn imports_point_one_way() {
    let mut wrong = Vec::new();
    each_source(|room, file, text| {
        let Some((_, may)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            return;
        };
        for (line_number, line) in code(text) {
            for (other, _) in ROOMS {
                if line.contains(&format!("crate::{other}::"))
                    && other != room
                    && !may.contains(&other)
                {
                    wrong.push(format!(
                        "src/{}:{line_number}: {room} imports {other}",
                        file.display()
                    ));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_is_in_the_map() {
    each_source(|room, _, _| {
        let known = ROOMS.iter().any(|(name, _)| *name == room);
        assert!(
            known || room.ends_with(".rs"),
            "{room} is not in the map of rooms"
        );
    });
}

#[test]
fn packages_are_named_only_in_their_rooms() {
    let mut wrong = Vec::new();
    each_source(|room, file, text| {
        for (line_number, line) in code(text) {
            for (package, rooms) in PACKAGES {
                if names(line, package) && !rooms.contains(&room) {
                    wrong.push(format!(
                        "src/{}:{line_number}: names {package}",
                        file.display()
                    ));
                }
            }
            let files = line.contains("std::fs") || line.contains("use std::fs");
            if files && !["asset", "app", "commands", "audio"].contains(&room) {
                wrong.push(format!(
                    "src/{}:{line_number}: touches files",
                    file.display()
                ));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_unwrapped_or_left_undone() {
    let mut wrong = Vec::new();
    each_source(|_, file, text| {
        let is_test = file
            .iter()
            .any(|part| part == "tests" || part == "tests.rs");
        for (line_number, line) in code(text) {
            for word in [".unwrap()", "todo!", "unimplemented!", "dbg!"] {
                if line.contains(word) && !is_test {
                    wrong.push(format!("src/{}:{line_number}: {word}", file.display()));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
