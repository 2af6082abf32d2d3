//! The projects of `examples/`: each passes its own test, which plays it for 300 ticks or more with its keys, and reports a
//! missing asset.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::program::{err, galatea, out};

fn projects() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let mut all: Vec<PathBuf> = entries
        .filter(|path| path.join("scripts/main.lua").is_file())
        .collect();
    all.sort();
    assert!(all.len() > 30, "{} projects", all.len());
    all
}

/// Runs a function for each project, four at once.
fn each(run: impl Fn(&Path) + Sync) {
    let all = projects();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(project) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(project);
                }
            });
        }
    });
}

#[test]
fn every_program_is_without_faults_and_passes_its_test() {
    each(|project| {
        let path = project.to_str().unwrap();
        let checked = galatea(&["check", path, "--no-transitions"]);
        assert!(
            checked.status.success(),
            "{path}: {}{}",
            out(&checked),
            err(&checked)
        );
        assert!(
            out(&checked).contains("0 errors, 0 warnings"),
            "{path}: {}{}",
            out(&checked),
            err(&checked)
        );
        let tested = galatea(&["test", path]);
        assert!(
            tested.status.success(),
            "{path}: {}{}",
            out(&tested),
            err(&tested)
        );
    });
}

#[test]
fn a_program_whose_model_is_missing_says_so_with_its_line() {
    let root = std::env::temp_dir().join(format!("galatea-broken-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let n = AtomicUsize::new(0);
    each(|project| {
        let name = project.file_name().unwrap();
        let dir = root.join(name);
        fs::create_dir_all(dir.join("scripts")).unwrap();
        // The same scripts without their assets.
        for entry in fs::read_dir(project.join("scripts")).unwrap().flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), dir.join("scripts").join(entry.file_name())).unwrap();
            }
        }
        let script = fs::read_to_string(dir.join("scripts/main.lua")).unwrap();
        let checked = galatea(&["check", dir.to_str().unwrap()]);
        let told = err(&checked);
        // Some projects generate all of their assets.
        if !script.contains("\"assets/") {
            assert!(checked.status.success(), "{}: {told}", name.display());
        } else {
            n.fetch_add(1, Ordering::Relaxed);
            assert_eq!(checked.status.code(), Some(1), "{}: {told}", name.display());
            assert!(
                told.contains(".lua:") && told.contains("there is no such file"),
                "{}: {told}",
                name.display()
            );
        }
        assert!(!told.contains("panicked"), "{}: {told}", name.display());
    });
    assert!(n.into_inner() > 35, "nearly all have models");
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn the_index_shows_every_program_with_its_picture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    for project in projects() {
        let name = project.file_name().unwrap().to_str().unwrap();
        assert!(
            index.contains(&format!("pictures/{name}.png")),
            "{name} has no picture in the index"
        );
        let picture = folder.join(format!("pictures/{name}.png"));
        assert!(picture.is_file(), "{}", picture.display());
    }
}
