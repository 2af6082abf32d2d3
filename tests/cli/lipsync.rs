//! Speech recordings converted to files and pictures.

use std::fs;
use std::path::{Path, PathBuf};

use galatea::audio::wav_bytes;
use serde_json::Value;

use super::folder;
use crate::program::{err, galatea, out};

/// A second of sound that swells and fades twice.
pub fn recording(dir: &Path) -> PathBuf {
    fs::create_dir_all(dir).unwrap();
    let wave = |i: usize| {
        let t = i as f32 / 16_000.0;
        let buzz: f32 = (1..24)
            .map(|k| (800.0 * k as f32 * t).sin() / k as f32)
            .sum();
        0.15 * buzz * (std::f32::consts::TAU * t).sin().powi(2)
    };
    let samples: Vec<f32> = (0..16_000).flat_map(|i| [wave(i); 2]).collect();
    let file = dir.join("line.wav");
    fs::write(&file, wav_bytes(16_000, 2, &samples).unwrap()).unwrap();
    file
}

fn called(args: &[&str]) -> std::process::Output {
    galatea(&[&["lipsync"], args].concat())
}

#[test]
fn a_recording_becomes_every_kind_of_file_and_these_are_read_again() {
    let dir = folder("lipsync");
    let line = recording(&dir);
    let line = line.to_str().unwrap();
    for name in [
        "line.json",
        "line.tsv",
        "line.TextGrid",
        "line.glb",
        "line.gltf",
    ] {
        let file = dir.join("out").join(name);
        fs::create_dir_all(dir.join("out")).unwrap();
        let file = file.to_str().unwrap();
        let made = called(&[line, "--text", "{smile}Oh, my.", "-o", file]);
        assert!(made.status.success(), "{name}: {}", err(&made));
        assert!(out(&made).contains("2 words"), "{}", out(&made));
        let again = called(&[line, "--from", file, "--json"]);
        assert!(again.status.success(), "{name}: {}", err(&again));
        let json: Value = serde_json::from_str(&out(&again)).unwrap();
        assert_eq!(json["duration"], 1.0, "{name}");
        let lips = json["visemes"].as_array().unwrap();
        assert!(
            lips.iter().any(|cue| cue["viseme"] == "PP"),
            "{name}: {lips:?}"
        );
    }
    // The weights as glTF: a mesh with fifteen shapes and a clip.
    let told = galatea(&["inspect", dir.join("out/line.glb").to_str().unwrap()]);
    assert!(told.status.success(), "{}", err(&told));
    assert!(out(&told).contains("speech"), "{}", out(&told));
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn the_picture_size_fits_its_content_and_mouth_shapes_are_printed() {
    let dir = folder("lipsync-picture");
    let line = recording(&dir);
    let picture = dir.join("line.png");
    let made = called(&[
        line.to_str().unwrap(),
        "--text",
        "Oh, my.",
        "--picture",
        picture.to_str().unwrap(),
    ]);
    assert!(made.status.success(), "{}", err(&made));
    let (width, height) = image::image_dimensions(&picture).unwrap();
    assert!(width > 280 && height > 300, "{width} x {height}");
    let pixels = image::open(&picture).unwrap().to_rgb8();
    let coloured = pixels.pixels().filter(|p| p.0[0].abs_diff(p.0[2]) > 40);
    assert!(coloured.count() > 500, "curves and labels are drawn");
    let printed = called(&[line.to_str().unwrap()]);
    assert!(
        out(&printed).starts_with("start\tend\tviseme\tamount\n0.000"),
        "{}",
        out(&printed)
    );
    let alone = called(&["--text", "Come in.", "--json"]);
    let json: Value = serde_json::from_str(&out(&alone)).unwrap();
    assert_eq!(json["words"][0]["word"], "Come");
    let spanish = called(&["--text", "Buenos días.", "--language", "es", "--json"]);
    let json: Value = serde_json::from_str(&out(&spanish)).unwrap();
    assert_eq!(json["phones"][1]["phone"], "B");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn errors_name_the_file() {
    let dir = folder("lipsync-wrong");
    let line = recording(&dir);
    let line = line.to_str().unwrap();
    let fails = |args: &[&str], what: &str| {
        let run = called(args);
        assert!(!run.status.success(), "{args:?}");
        assert!(err(&run).contains(what), "{args:?}: {}", err(&run));
    };
    fails(&["nothing.wav"], "nothing.wav");
    fails(&[], "AUDIO");
    fails(&[line, "-o", "line.abc"], ".TextGrid");
    fails(&[line, "--text", "{smile"], "character 1");
    fails(&[line, "--text", "Hello.", "--language", "esp"], "esp");
    let late = dir.join("late.tsv");
    fs::write(&late, "0\tX\n5000\tA\n9000\tX\n").unwrap();
    fails(
        &[line, "--from", late.to_str().unwrap()],
        "check that the times are seconds",
    );
    fs::write(&late, "hello").unwrap();
    fails(
        &[line, "--from", late.to_str().unwrap()],
        "late.tsv: the file has no speech timing",
    );
    fs::write(dir.join("text.wav"), "hello").unwrap();
    fails(&[dir.join("text.wav").to_str().unwrap()], "text.wav");
    fs::remove_dir_all(dir).unwrap();
}
