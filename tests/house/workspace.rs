//! Rules of the workspace, checked from its sources: allowed packages per crate, file access, and sizes of files and
//! functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Packages with the only crates that may depend on them.
pub const PACKAGES: [(&str, &[&str]); 54] = [
    ("arboard", &["galatea-app"]),
    ("cap-fs-ext", &["galatea-asset"]),
    ("cap-std", &["galatea-asset"]),
    ("cap-tempfile", &["galatea-asset"]),
    ("clap", &["galatea"]),
    ("clap_complete", &["galatea"]),
    ("clap_mangen", &["galatea"]),
    ("corosensei", &["galatea-app"]),
    ("crc32fast", &["galatea-asset"]),
    ("dirs", &["galatea", "galatea-app", "galatea-player"]),
    ("ebur128", &["galatea-speech"]),
    ("egui", &["galatea-app"]),
    ("egui-wgpu", &["galatea-app"]),
    ("egui-winit", &["galatea-app"]),
    ("egui_tiles", &["galatea-app"]),
    ("etagere", &["galatea-forge"]),
    ("fearless_simd", &["galatea-math"]),
    ("fontdb", &["galatea-app"]),
    ("full_moon", &["galatea-lint"]),
    ("getrandom", &["galatea-app"]),
    ("gilrs", &["galatea-app"]),
    ("gltf", &["galatea-asset"]),
    ("hound", &["galatea-audio"]),
    ("libsui", &["galatea", "galatea-player"]),
    ("meshopt", &["galatea-asset", "galatea-forge"]),
    ("miniz_oxide", &["galatea-import"]),
    ("mlua", &["galatea-recipe", "galatea-script"]),
    ("naga", &["galatea-render"]),
    ("ndarray", &["galatea", "galatea-speech"]),
    ("notify", &["galatea-asset"]),
    ("nv-flip", &["galatea-render"]),
    ("parry3d", &["galatea-forge"]),
    ("proc-macro2", &["galatea-derive"]),
    ("quick-xml", &["galatea", "galatea-speech"]),
    ("quote", &["galatea-derive"]),
    ("rapier3d", &["galatea-physics"]),
    ("realfft", &["galatea-speech"]),
    ("rerecast", &["galatea-navmesh"]),
    ("rfd", &["galatea-player"]),
    ("rmp-serde", &["galatea-persist"]),
    ("rodio", &["galatea-audio"]),
    ("rubato", &["galatea-speech"]),
    ("ruzstd", &["galatea-asset"]),
    ("selene-lib", &["galatea-lint"]),
    ("skrifa", &["galatea-app"]),
    ("syn", &["galatea-derive"]),
    ("tempfile", &["galatea-asset"]),
    ("tiny-skia", &["galatea"]),
    ("ufbx", &["galatea-import"]),
    ("unicode-script", &["galatea-speech"]),
    ("wgpu", &["galatea-app", "galatea-render"]),
    ("windows-sys", &["galatea-player"]),
    ("winit", &["galatea-app"]),
    (
        "zstd",
        &[
            "galatea",
            "galatea-asset",
            "galatea-player",
            "galatea-speech",
        ],
    ),
];

/// Crates whose code may open files.
const FILES: [&str; 4] = ["galatea", "galatea-app", "galatea-asset", "galatea-player"];

/// Maximum number of lines of a Rust file, including tests.
const MAX_LINES: usize = 620;
/// Maximum number of lines of a function.
const MAX_FUNCTION_LINES: usize = 80;
/// Functions that may be longer: the order of a frame should be readable in one piece.
const LONG_FUNCTIONS: [&str; 1] = ["crates/galatea-stage/src/tick.rs: tick"];

pub fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

pub fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every crate of the workspace with its folder.
pub fn crates() -> BTreeMap<String, PathBuf> {
    let mut crates = BTreeMap::from([("galatea".to_owned(), home().to_owned())]);
    for entry in fs::read_dir(home().join("crates")).unwrap().flatten() {
        crates.insert(entry.file_name().into_string().unwrap(), entry.path());
    }
    crates
}

/// Packages that a crate depends on, on any system, without dev-dependencies.
pub fn dependencies(folder: &Path) -> BTreeSet<String> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let target = manifest.get("target").and_then(|all| all.as_table());
    let tables = target.into_iter().flat_map(|all| all.values());
    let tables = tables.filter_map(|one| one.as_table()).chain([&manifest]);
    tables
        .filter_map(|table| table.get("dependencies")?.as_table())
        .flat_map(|all| all.keys().cloned())
        .collect()
}

/// Calls `f` with crate, path in the repository and text of every source file.
pub fn each_source(mut f: impl FnMut(&str, &Path, &str)) {
    for (name, folder) in crates() {
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        assert!(!files.is_empty(), "{name}");
        for file in files {
            let relative = file.strip_prefix(home()).unwrap();
            f(&name, relative, &fs::read_to_string(&file).unwrap());
        }
    }
}

/// The code of a file without its tests, line by line without comments.
pub fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let own = text
        .split("\n#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text);
    own.lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.split("//").next().unwrap_or("")))
}

/// Returns true for a file that contains only tests.
pub fn is_test(file: &Path) -> bool {
    file.iter()
        .any(|part| part == "tests" || part == "tests.rs")
}

#[test]
fn no_file_is_too_long() {
    let mut files = Vec::new();
    for folder in ["src", "tests", "crates"] {
        sources(&home().join(folder), &mut files);
    }
    let lines = |file: &PathBuf| fs::read_to_string(file).unwrap().lines().count();
    files.retain(|file| lines(file) > MAX_LINES);
    assert!(files.is_empty(), "over {MAX_LINES} lines: {files:?}");
}

/// Name of the function that starts on a line, and the line's indentation.
fn function_start(line: &str) -> Option<(&str, &str)> {
    let start = line.trim_start();
    let indentation = &line[..line.len() - start.len()];
    let mut words = start.split(' ').skip_while(|word| {
        ["async", "const", "extern", "\"C\"", "unsafe"].contains(word) || word.starts_with("pub")
    });
    let is_function = words.next() == Some("fn");
    let name = words.next()?.split(['(', '<']).next()?;
    is_function.then_some((name, indentation))
}

#[test]
fn no_function_is_too_long() {
    let mut wrong = Vec::new();
    let mut n = 0;
    each_source(|_, file, text| {
        if is_test(file) {
            return;
        }
        let lines: Vec<(usize, &str)> = code(text).collect();
        for (i, (number, line)) in lines.iter().enumerate() {
            let Some((name, indentation)) = function_start(line) else {
                continue;
            };
            n += 1;
            // A function of a trait may have no body.
            let mut signature = lines[i..].iter().map(|(_, line)| line.trim_end());
            let last = signature.find(|line| line.ends_with(['{', '}', ';']));
            if !last.is_some_and(|line| line.ends_with('{')) {
                continue;
            }
            // With rustfmt indentation, the first line with a lone brace at the level of the start ends the function.
            let end = format!("{indentation}}}");
            let rest = lines[i..].iter();
            let length = 1 + rest.take_while(|(_, line)| line.trim_end() != end).count();
            let is_known = LONG_FUNCTIONS.contains(&&*format!("{}: {name}", file.display()));
            if length > MAX_FUNCTION_LINES && !is_known {
                wrong.push(format!(
                    "{}:{number}: {name}, {length} lines",
                    file.display()
                ));
            }
        }
    });
    assert!(n > 5000, "{n} functions");
    assert!(
        wrong.is_empty(),
        "over {MAX_FUNCTION_LINES} lines: {wrong:#?}"
    );
}

#[test]
fn no_file_of_tests_is_left_out() {
    let tests = home().join("tests");
    let mut files = Vec::new();
    sources(&tests, &mut files);
    files.retain(|file| {
        let name = file.file_stem().unwrap().to_string_lossy();
        let parent = file.parent().unwrap();
        let named = |by: PathBuf| {
            let text = fs::read_to_string(by).unwrap_or_default();
            text.lines().any(|line| line == format!("mod {name};"))
        };
        // Cargo finds the files in the tests folder itself, and every `main.rs`.
        let found = parent == tests || name == "main" || name == "mod";
        let own = parent.with_extension("rs");
        !found && !named(parent.join("main.rs")) && !named(parent.join("mod.rs")) && !named(own)
    });
    assert!(files.is_empty(), "nobody's modules: {files:?}");
}

#[test]
fn packages_are_used_only_by_their_crates() {
    let mut wrong = Vec::new();
    for (name, folder) in crates() {
        let used = dependencies(&folder);
        for (package, crates) in PACKAGES {
            if used.contains(package) && !crates.contains(&name.as_str()) {
                wrong.push(format!("{name} depends on {package}"));
            }
            if crates.contains(&name.as_str()) && !used.contains(package) {
                wrong.push(format!("{name} no longer depends on {package}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_opened_only_by_their_crates() {
    let mut wrong = Vec::new();
    each_source(|name, file, text| {
        for (line_number, line) in code(text) {
            if line.contains("std::fs") && !FILES.contains(&name) {
                wrong.push(format!("{}:{line_number}: touches files", file.display()));
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The module that writes all files, and modules that write differently for a reason.
const WRITERS: [&str; 7] = [
    "crates/galatea-asset/src/output.rs",
    // Line by line, so that a crash loses nothing.
    "crates/galatea-app/src/recording.rs",
    // A file that only its owner may read, from its creation on.
    "crates/galatea-app/src/control/mod.rs",
    // Damages files of a copy on purpose.
    "src/commands/torture/folder.rs",
    "src/commands/torture/actions.rs",
    "src/commands/torture/mod.rs",
    // Written while the program may be crashing.
    "crates/galatea-app/src/crash/report.rs",
];

#[test]
fn files_are_written_by_one_module() {
    let mut wrong = Vec::new();
    each_source(|_, file, text| {
        let is_writer = WRITERS.iter().any(|writer| file == Path::new(writer));
        if is_test(file) || is_writer {
            return;
        }
        for (line_number, line) in code(text) {
            let line = line.replace("NewFile::create", "");
            for call in [
                "fs::write(",
                "File::create",
                "OpenOptions",
                "fs::rename(",
                "fs::copy(",
                "generate_to(",
            ] {
                if line.contains(call) {
                    let place = format!("{}:{line_number}: {call}", file.display());
                    wrong.push(format!(
                        "{place}: use galatea_asset::write_whole or NewFile"
                    ));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_is_unwrapped_or_left_undone() {
    let mut wrong = Vec::new();
    each_source(|_, file, text| {
        for (line_number, line) in code(text) {
            for word in [".unwrap()", "todo!", "unimplemented!", "dbg!"] {
                if line.contains(word) && !is_test(file) {
                    wrong.push(format!("{}:{line_number}: {word}", file.display()));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
