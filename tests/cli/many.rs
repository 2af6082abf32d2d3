//! Batches over several machines: four shards give the same result as one call.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use galatea::audio::wav_bytes;

use super::{contents, folder, redder};
use crate::program::{can_draw, err, galatea, out};

/// Runs a call once into one folder, and as four shards into another; both must be equal.
fn alike(dir: &Path, args: &[&str], option: &str) -> BTreeMap<String, Vec<u8>> {
    let [one, four] = ["one", "four"].map(|name| dir.join(name));
    let call = |to: &Path, share: &[&str]| {
        let to = [option, to.to_str().unwrap()];
        let made = galatea(&[args, share, &to].concat());
        assert!(
            made.status.success(),
            "{share:?}: {}{}",
            out(&made),
            err(&made)
        );
        out(&made)
    };
    call(&one, &[]);
    for share in ["1/4", "2/4", "3/4", "4/4"] {
        call(&four, &["--shard", share]);
    }
    let (one, four) = (contents(&one), contents(&four));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        four.keys().collect::<Vec<_>>()
    );
    assert!(one == four, "the same names with other contents");
    one
}

/// Short recordings, some with a text, in folders.
fn lines(dir: &Path) {
    for i in 0..6 {
        let file = dir.join(format!("voices/{}/line_{i}.wav", ["anna", "ben"][i % 2]));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let wave = |k: usize| {
            let t = k as f32 / 16_000.0;
            let f = 120.0 + 40.0 * i as f32;
            0.2 * (std::f32::consts::TAU * f * t).sin() * (9.0 * t).sin().powi(2)
        };
        let samples: Vec<f32> = (0..8_000).map(wave).collect();
        fs::write(&file, wav_bytes(16_000, 1, &samples).unwrap()).unwrap();
        if i % 3 == 0 {
            fs::write(file.with_extension("txt"), "Come in.").unwrap();
        }
    }
}

#[test]
fn speech_in_four_shards_equals_one_call_and_is_built_once() {
    let dir = folder("many-lines");
    lines(&dir);
    let voices = dir.join("voices");
    let voices = voices.to_str().unwrap();
    let made = alike(&dir, &["lipsync", voices, "--format", "tsv"], "-o");
    assert_eq!(made.len(), 6);
    assert!(made.contains_key("anna/line_0.tsv") && made.contains_key("ben/line_5.tsv"));
    let again = dir.join("one");
    let call = |more: &[&str]| {
        let args = [
            "lipsync",
            voices,
            "--format",
            "tsv",
            "-o",
            again.to_str().unwrap(),
        ];
        out(&galatea(&[&args, more].concat()))
    };
    assert!(
        call(&[]).starts_with("0 written, 6 up to date"),
        "{}",
        call(&[])
    );
    fs::remove_file(again.join("ben/line_3.tsv")).unwrap();
    assert!(call(&[]).starts_with("1 written, 5 up to date"));
    assert!(call(&["--force"]).starts_with("6 written, 0 up to date"));
    // A recording that cannot be read is reported, and the others are processed.
    fs::write(dir.join("voices/anna/broken.wav"), "nothing").unwrap();
    let faulty = galatea(&["lipsync", voices, "-o", dir.join("more").to_str().unwrap()]);
    assert_eq!(faulty.status.code(), Some(1));
    assert!(
        out(&faulty).starts_with("6 written, 0 up to date, 1 failed"),
        "{}",
        out(&faulty)
    );
    assert!(err(&faulty).contains("broken.wav"), "{}", err(&faulty));

    // The same lines from a list.
    let list = dir.join("list.tsv");
    fs::write(
        &list,
        "voices/anna/line_0.wav\tCome in.\nvoices/ben/line_3.wav\tCome in.\n",
    )
    .unwrap();
    let listed = dir.join("listed");
    let by_list = galatea(&[
        "lipsync",
        "--texts",
        list.to_str().unwrap(),
        "--format",
        "tsv",
        "-o",
        listed.to_str().unwrap(),
    ]);
    assert!(by_list.status.success(), "{}", err(&by_list));
    let listed = contents(&listed);
    assert_eq!(listed["voices/anna/line_0.tsv"], made["anna/line_0.tsv"]);
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn models_and_recipes_in_four_shards_equal_one_call() {
    let dir = folder("many-models");
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["a", "b", "deep/c", "deep/er/d", "e"] {
        let file = dir.join(format!("models/{name}.glb"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::copy(home.join("assets/bird.glb"), file).unwrap();
    }
    let models = dir.join("models");
    let made = alike(&dir, &["convert", models.to_str().unwrap()], "-o");
    assert_eq!(made.len(), 5);
    assert!(made.contains_key("deep/er/d.glb"));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn frames_in_four_shards_equal_one_recording_which_can_resume() {
    if !can_draw() {
        return;
    }
    let dir = redder("many-pictures");
    let path = dir.to_str().unwrap();
    let args = [
        "record",
        path,
        "--seconds",
        "0.6",
        "--fps",
        "10",
        "--size",
        "64x36",
        "--animation",
        "none",
    ];
    let made = alike(&dir, &args, "-o");
    assert_eq!(made.len(), 7, "six pictures and the sound");
    let one = dir.join("one");
    let frame = one.join("frames/00003.png");
    fs::remove_file(&frame).unwrap();
    fs::write(one.join("frames/00001.png"), "kept").unwrap();
    let resumed = galatea(&[&args[..], &["--resume", "-o", one.to_str().unwrap()]].concat());
    assert!(resumed.status.success(), "{}", err(&resumed));
    assert!(out(&resumed).starts_with("1 frames"), "{}", out(&resumed));
    assert_eq!(fs::read(&frame).unwrap(), made["frames/00003.png"]);
    assert_eq!(fs::read(one.join("frames/00001.png")).unwrap(), b"kept");
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn test_files_are_distributed_over_shards() {
    let dir = redder("many-tests");
    fs::create_dir_all(dir.join("tests")).unwrap();
    for i in 0..3 {
        let text = format!("test(\"number {i}\", function(t) t:run_ticks(1) end)");
        fs::write(dir.join(format!("tests/t{i}.lua")), text).unwrap();
    }
    let path = dir.to_str().unwrap();
    let mut seen = Vec::new();
    for share in ["1/4", "2/4", "3/4", "4/4"] {
        let ran = galatea(&["test", path, "--shard", share]);
        assert!(ran.status.success(), "{share}: {}{}", out(&ran), err(&ran));
        let text = out(&ran);
        let names = text.lines().filter_map(|line| line.strip_prefix("ok"));
        seen.extend(names.map(|name| name.trim().to_owned()));
    }
    seen.sort();
    assert_eq!(seen, ["number 0", "number 1", "number 2"]);
    let wrong = galatea(&["test", path, "--shard", "5/4"]);
    assert_eq!(wrong.status.code(), Some(2));
    fs::remove_dir_all(&dir).unwrap();
}
