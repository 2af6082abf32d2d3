//! The program as a user runs it: good calls, and bad ones that end in plain words.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use program::{can_draw, err, galatea, out};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("galatea-cli-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_new_project_checks_tests_and_renders() {
    let dir = folder("new");
    let path = dir.to_str().unwrap();
    let made = galatea(&["new", path]);
    assert!(made.status.success(), "{}", err(&made));
    let again = galatea(&["new", path]);
    assert_eq!(again.status.code(), Some(1), "a full folder is left alone");

    let checked = galatea(&["check", path, "--json"]);
    assert!(
        checked.status.success(),
        "{}{}",
        out(&checked),
        err(&checked)
    );
    let findings: serde_json::Value = serde_json::from_str(&out(&checked)).unwrap();
    assert_eq!(findings["errors"].as_array().unwrap().len(), 0);

    let tested = galatea(&["test", path]);
    assert!(tested.status.success(), "{}{}", out(&tested), err(&tested));
    assert!(
        out(&tested).ends_with("1 passed, 0 failed\n"),
        "{}",
        out(&tested)
    );

    let recording = dir.join("out");
    let recorded = galatea(&[
        "record",
        path,
        "--seconds",
        "1",
        "--no-pictures",
        "-o",
        recording.to_str().unwrap(),
    ]);
    assert!(recorded.status.success(), "{}", err(&recorded));
    let wav = fs::read(recording.join("sound.wav")).unwrap();
    assert_eq!(wav.len(), 44 + 48_000 * 4);

    if can_draw() {
        let shot = dir.join("shot.png");
        let done = galatea(&[
            "shot",
            path,
            "--at",
            "0.5",
            "--size",
            "160x90",
            "-o",
            shot.to_str().unwrap(),
        ]);
        assert!(done.status.success(), "{}", err(&done));
        assert_eq!(&fs::read(&shot).unwrap()[1..4], b"PNG");
    }
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn without_a_display_play_says_so_and_renders_the_reel() {
    if !can_draw() {
        return;
    }
    let dir = folder("reel");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    fs::write(
        dir.join("reel.jsonl"),
        "{\"t\": 0.1, \"down\": \"w\"}\n{\"t\": 0.3, \"up\": \"w\"}\n",
    )
    .unwrap();
    let reel = dir.join("reel");
    let played = galatea(&["play", path, "--reel-to", reel.to_str().unwrap()]);
    assert!(played.status.success(), "{}", err(&played));
    assert!(err(&played).contains("no display"));
    assert_eq!(fs::read_dir(reel.join("frames")).unwrap().count(), 9);
    for file in ["animation.png", "sound.wav"] {
        assert!(out(&played).contains(file));
        assert!(fs::metadata(reel.join(file)).unwrap().len() > 1000);
    }
    // A recording in its place.
    let bug = dir.join("bug.jsonl");
    fs::write(&bug, "{\"t\": 0.1, \"up\": \"w\"}\n").unwrap();
    let reel = reel.to_str().unwrap();
    let played = galatea(&[
        "play",
        path,
        "--input",
        bug.to_str().unwrap(),
        "--reel-to",
        reel,
    ]);
    assert!(played.status.success(), "{}", err(&played));
    let frames = dir.join("reel/frames");
    assert_eq!(fs::read_dir(frames).unwrap().count(), 3);
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn the_head_of_a_recording_is_heeded_and_what_does_not_fit_is_told() {
    let dir = folder("head");
    let path = dir.to_str().unwrap();
    fs::create_dir_all(dir.join("scripts")).unwrap();
    let script = "function update() if input.pressed('jump') then print(now(), chance()) end end";
    fs::write(dir.join("scripts/main.lua"), script).unwrap();
    let bug = dir.join("bug.jsonl");
    let record = |head: &str| {
        let name = format!(
            "{{\"recording\": {{\"galatea\": \"0.0.9\", \"project\": \"head\", \"script\": \"scripts/main.lua\", {head}}}}}"
        );
        let rest = "# a remark\n{\"t\": 0.5, \"down\": \"j\"}\n{\"t\": 0.";
        fs::write(&bug, format!("{name}\n{rest}")).unwrap();
        let mut args = vec![
            "record",
            path,
            "--seconds",
            "1",
            "--no-pictures",
            "-o",
            path,
        ];
        args.extend(["--input", bug.to_str().unwrap()]);
        galatea(&args)
    };
    let line = |seed: u64, key: &str| {
        let done = record(&format!(
            "\"seed\": {seed}, \"ticks_per_second\": 60, \"bindings\": {{\"actions\": {{\"jump\": [\"{key}\"]}}}}"
        ));
        assert!(done.status.success(), "{}", err(&done));
        assert!(err(&done).contains("note: of the recording, Galatea was 0.0.9"));
        let said = out(&done);
        said.lines()
            .find(|line| line.starts_with("0.5\t"))
            .map(str::to_owned)
    };
    let first = line(1, "j");
    assert!(first.is_some() && first == line(1, "j") && first != line(2, "j"));
    assert_eq!(line(1, "k"), None);
    let done = record("\"seed\": 1, \"ticks_per_second\": 30");
    assert_eq!(done.status.code(), Some(1));
    assert!(err(&done).contains("30 ticks a second"), "{}", err(&done));
    let done = record("\"ticks_per_second\": 60");
    assert!(
        err(&done).contains("line 1: missing field `seed`"),
        "{}",
        err(&done)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn two_recordings_of_the_same_input_are_the_same_bytes() {
    let record = |name: &str| {
        let dir = folder(name);
        let path = dir.to_str().unwrap().to_owned();
        let done = galatea(&[
            "record",
            ".",
            "--seconds",
            "6",
            "--no-pictures",
            "--input",
            "reel.jsonl",
            "-o",
            &path,
        ]);
        assert!(done.status.success(), "{}", err(&done));
        let bytes = fs::read(dir.join("sound.wav")).unwrap();
        fs::remove_dir_all(&dir).unwrap();
        bytes
    };
    let (first, second) = (record("same-a"), record("same-b"));
    assert!(first == second);
    assert!(
        first[44..].iter().any(|byte| *byte != 0),
        "something is heard"
    );
}

#[test]
fn inspect_tells_what_a_file_holds_as_text_and_json() {
    let text = out(&galatea(&["inspect", "assets/galatea.glb"]));
    assert!(
        text.contains("25 bones") && text.contains("walk 1.000 s"),
        "{text}"
    );
    let json = out(&galatea(&["inspect", "assets/galatea.glb", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["bones"].as_array().unwrap().len(), 25);
    assert_eq!(report["clips"].as_array().unwrap().len(), 9);
    assert!(
        text.contains("walk 1.000 s, 1.40 m/s, 23 bones"),
        "the speed of the feet: {text}"
    );
    assert!(
        text.contains(", marks: step 0.000 left, step 0.500 right"),
        "{text}"
    );
    let walk = &report["clips"][1];
    assert!(
        (walk["speed"].as_f64().unwrap() - 1.4).abs() < 0.05,
        "{walk}"
    );
    assert_eq!(walk["marks_found"], false);
}

#[test]
fn a_take_is_inspected_like_a_model_and_shown_by_nobody_but_a_character() {
    let dir = folder("take");
    fs::create_dir_all(dir.join("scripts")).unwrap();
    let take = dir.join("walk.bvh").to_str().unwrap().to_owned();
    fs::write(&take, mocap()).unwrap();
    let text = out(&galatea(&["inspect", &take]));
    for words in [
        "it has no mesh to show but motion: give it to a character",
        "walk 2.000 s, 1.42 m/s, travels 2.00 m, 6 bones",
        ", marks (found): step ",
        "LeftFoot < LeftUpLeg",
        "units are taken as centimetres",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = out(&galatea(&["inspect", &take, "--json"]));
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let clip = &report["clips"][0];
    assert!(
        (clip["travel"].as_f64().unwrap() - 2.0).abs() < 0.01,
        "{clip}"
    );
    assert!(clip["turn"].as_f64().unwrap().abs() < 0.1, "{clip}");
    assert_eq!(clip["marks_found"], true);

    let shot = galatea(&["shot", &take, "-o", dir.join("x.png").to_str().unwrap()]);
    assert_eq!(shot.status.code(), Some(1));
    let how = "walk.bvh: it has no mesh to show but motion: give it to a character";
    assert!(err(&shot).contains(how), "{}", err(&shot));
    fs::write(dir.join("scripts/main.lua"), "character 'walk.bvh'").unwrap();
    let checked = galatea(&["check", dir.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(err(&checked).contains("main.lua:1: "), "{}", err(&checked));
    assert!(err(&checked).contains(how), "{}", err(&checked));
    // The same motion in a file of glTF can be shown, but nothing is seen.
    let glb = dir.join("walk.glb").to_str().unwrap().to_owned();
    assert!(galatea(&["clip", &take, "-o", &glb]).status.success());
    fs::write(dir.join("scripts/main.lua"), "character 'walk.glb'").unwrap();
    let checked = galatea(&["check", dir.to_str().unwrap()]);
    assert!(
        err(&checked).contains("walk.glb: it has no mesh"),
        "{}",
        err(&checked)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn check_tells_what_is_wrong_in_code_that_no_run_reaches() {
    let dir = folder("lint");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    let late = "local late = {}\nfunction late.never()\n\tsuond.play(\"x\")\nend\nreturn late\n";
    fs::write(dir.join("scripts/late.lua"), late).unwrap();
    let checked = galatea(&["check", path]);
    assert_eq!(checked.status.code(), Some(1));
    let wanted =
        "error: scripts/late.lua:3:2: there is no global \"suond\"; did you mean \"sound\"?";
    assert!(err(&checked).contains(wanted), "{}", err(&checked));
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn names_that_command_a_terminal_are_printed_as_text() {
    let dir = folder("terminal");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let evil = "a\u{1b}[2Jb";
    let file = serde_json::json!({"asset": {"version": "2.0"}, "nodes": [{"name": evil}]});
    fs::write(at("evil.gltf"), file.to_string()).unwrap();
    let inspected = galatea(&["inspect", &at("evil.gltf")]);
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
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/galatea.glb")).unwrap();
    fs::write(dir.join("truncated.glb"), &truncated[..truncated.len() / 3]).unwrap();
    let file = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let cases: [(&[&str], i32, &str); 16] = [
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
            &["play", ".", "--reel", "--record-input", "x.jsonl"],
            2,
            "cannot be used with",
        ),
        (&["bench", "smaple"], 1, "sample"),
        (&["paly"], 2, "play"),
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

#[test]
fn check_lists_every_fault_of_a_project_at_once() {
    let dir = folder("check");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    fs::write(
        dir.join("scripts/main.lua"),
        "local h = character 'assets/galatea.glb'\nh:play('wlak')\n",
    )
    .unwrap();
    fs::write(dir.join("assets/sounds/bad.wav"), "no").unwrap();
    fs::write(dir.join("assets/broken.glb"), "glTF").unwrap();
    fs::create_dir_all(dir.join("shaders")).unwrap();
    fs::write(dir.join("shaders/sky.wgsl"), "fn fs( {").unwrap();
    fs::write(dir.join("galatea.toml"), "name = \"x\"\n").unwrap();
    let checked = galatea(&["check", path]);
    assert_eq!(checked.status.code(), Some(1));
    let text = err(&checked);
    for words in [
        "main.lua:2: ",
        "\"walk\"",
        "bad.wav",
        "broken.glb",
        "sky.wgsl:1",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    fs::write(dir.join("galatea.toml"), "nmae = \"x\"\n").unwrap();
    let checked = galatea(&["check", path]);
    assert!(
        err(&checked).contains("galatea.toml") && err(&checked).contains("nmae"),
        "{}",
        err(&checked)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn failing_lua_tests_say_which_and_where_and_exit_1() {
    let dir = folder("failing");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    fs::write(dir.join("tests/fails.lua"), "test('one is two', function(t)\n\tt:run(0.1)\n\tt:expect(1 == 2)\nend)\ntest('fine', function(t) t:expect(true) end)\n").unwrap();
    let tested = galatea(&["test", path]);
    assert_eq!(tested.status.code(), Some(1));
    let text = out(&tested);
    assert!(
        text.contains("FAILED  one is two") && text.contains("tests/fails.lua:3"),
        "{text}"
    );
    assert!(text.ends_with("2 passed, 1 failed\n"), "{text}");
    let filtered = galatea(&["test", path, "--filter", "fine", "--report", "junit"]);
    assert!(filtered.status.success());
    assert!(out(&filtered).contains("<testcase classname=\"tests/fails.lua\" name=\"fine\""));
    fs::remove_dir_all(&dir).unwrap();
}

/// Two seconds of a figure that walks at 1 m/s with straight legs, as BVH: 61 frames, cycle 1 s.
fn mocap() -> String {
    let leg = |side: &str, x: &str| {
        format!(
            "JOINT {side}UpLeg {{ OFFSET {x} 0 0 CHANNELS 3 Zrotation Xrotation Yrotation\n\
             JOINT {side}Foot {{ OFFSET 0 -80 0 CHANNELS 3 Zrotation Xrotation Yrotation\n\
             End Site {{ OFFSET 0 -6 12 }} }} }}\n"
        )
    };
    let mut text = format!(
        "HIERARCHY\nROOT Hips {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         {}{}JOINT Head {{ OFFSET 0 75 0 CHANNELS 3 Zrotation Xrotation Yrotation }} }}\n\
         MOTION\nFrames: 61\nFrame Time: 0.0333333\n",
        leg("Left", "10"),
        leg("Right", "-10")
    );
    for i in 0..61 {
        let t = f64::from(i) / 30.0;
        let swing = 18.0 * (t * std::f64::consts::TAU).sin();
        text += &format!(
            "0 87 {} 0 0 0  0 {swing} 0  0 {} 0  0 {} 0  0 {swing} 0  0 0 0\n",
            100.0 * t,
            -swing,
            -swing
        );
    }
    text
}

#[test]
fn mocap_becomes_a_loop_in_a_file_that_loads() {
    let dir = folder("clip");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    fs::write(at("take.bvh"), mocap()).unwrap();
    let (take, walk) = (at("take.bvh"), at("walk.glb"));

    let found = galatea(&["clip", &take, "--find-loop", "--json"]);
    assert!(found.status.success(), "{}", err(&found));
    let report: serde_json::Value = serde_json::from_str(&out(&found)).unwrap();
    let best = &report["clips"][0]["loops"][0];
    let seconds = best["end"].as_f64().unwrap() - best["start"].as_f64().unwrap();
    assert!((seconds - 1.0).abs() < 0.04, "{best}");
    assert!(
        (best["travel"].as_f64().unwrap() - 1.0).abs() < 0.04,
        "{best}"
    );

    let done = galatea(&[
        "clip",
        &take,
        "--loop",
        "0.5",
        "1.5",
        "--resample",
        "30",
        "--reduce",
        "0.02",
        "--marks",
        "--report",
        "-o",
        &walk,
    ]);
    assert!(done.status.success(), "{}", err(&done));
    assert!(out(&done).contains("take: 1.000 s"), "{}", out(&done));
    assert!(err(&done).contains("centimetres"), "{}", err(&done));
    let inspected = galatea(&["inspect", &walk, "--json"]);
    assert!(inspected.status.success(), "{}", err(&inspected));
    let report: serde_json::Value = serde_json::from_str(&out(&inspected)).unwrap();
    assert_eq!(report["clips"][0]["name"], "take");
    assert!((report["clips"][0]["seconds"].as_f64().unwrap() - 1.0).abs() < 1e-3);
    assert_eq!(report["bones"].as_array().unwrap().len(), 6);

    // Two files at once, the second bound to the bones of the first.
    let both = galatea(&["clip", &walk, &take, "--list"]);
    assert!(
        out(&both).starts_with("8 bones, 2 clips"),
        "{}{}",
        out(&both),
        err(&both)
    );
    assert!(
        out(&both).contains("take.bvh (1), bound by names, 8 bones, scale 1.000"),
        "{}",
        out(&both)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn what_is_wrong_with_clips_is_said_in_plain_words() {
    let dir = folder("clip-bad");
    fs::create_dir_all(&dir).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    fs::write(at("take.bvh"), mocap()).unwrap();
    fs::write(at("bad.bvh"), mocap().replace("Xrotation", "Wrotation")).unwrap();
    let walk = mocap();
    let hierarchy = walk.split("MOTION").next().unwrap();
    fs::write(
        at("still.bvh"),
        format!("{hierarchy}MOTION\nFrames: 0\nFrame Time: 0.1\n"),
    )
    .unwrap();
    fs::write(
        at("bare.gltf"),
        r#"{"asset": {"version": "2.0"}, "nodes": [{"name": "a"}]}"#,
    )
    .unwrap();
    fs::write(at("broken.glb"), "glTF").unwrap();
    let (take, bad, none) = (at("take.bvh"), at("bad.bvh"), at("none.bvh"));
    let (still, bare, broken, to) = (
        at("still.bvh"),
        at("bare.gltf"),
        at("broken.glb"),
        at("to.glb"),
    );
    for (args, text) in [
        (vec![&*take], "nothing to do"),
        (
            vec![&*bad, "--list"],
            "line 2: channel 5 of 6 is \"Wrotation\"",
        ),
        (vec![&*none, "--list"], "none.bvh"),
        (
            vec![&*take, "--list", "--clip", "tak"],
            "did you mean \"take\"?",
        ),
        (vec![&*take, "--loop", "1", "--list"], "START before END"),
        (
            vec![&*take, "--loop", "9", "12", "--list"],
            "is over at 2.000 s",
        ),
        (
            vec![&*still, "--loop", "--list"],
            "clip \"still\" has no length, so no loop can be cut out of it",
        ),
        (vec![&*still, "-o", &*to], "clip \"still\" moves no bone"),
        (vec![&*bare, "-o", &*to], "there are no clips"),
        (
            vec![&*take, &*bare, "-o", &*to],
            "bare.gltf cannot be bound to ",
        ),
        (vec![&*broken, "--list"], "broken.glb"),
        (vec!["Cargo.toml", "--list"], "clips are read from"),
    ] {
        let mut all = vec!["clip"];
        all.extend(args);
        let output = galatea(&all);
        assert_eq!(output.status.code(), Some(1), "{all:?}");
        assert!(err(&output).contains(text), "{all:?}: {}", err(&output));
        for file in ["bad.bvh", "none.bvh", "broken.glb", "Cargo.toml"] {
            let n = err(&output).matches(file).count();
            assert!(n <= 1, "{file} {n} times: {}", err(&output));
        }
        assert!(!Path::new(&to).exists(), "{all:?}");
    }
    assert_eq!(galatea(&["clip"]).status.code(), Some(2));
    assert_eq!(
        galatea(&["clip", &take, "--reduce", "x"]).status.code(),
        Some(2)
    );
    fs::remove_dir_all(&dir).unwrap();
}

/// A script that counts the pictures' moments: the floor is redder with every tenth of a second.
const REDDER: &str = "camera.orbit { target = vector.create(0, 0.5, 0), distance = 3, pitch = 40 }
ground.set { grid = 0 }
function update() ground.set { color = vector.create(now(), 0, 0) } end
hero = character \"assets/galatea.glb\"";

fn redder(name: &str) -> PathBuf {
    let dir = folder(name);
    for part in ["scripts", "assets"] {
        fs::create_dir_all(dir.join(part)).unwrap();
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/galatea.glb");
    fs::copy(home, dir.join("assets/galatea.glb")).unwrap();
    fs::write(dir.join("scripts/main.lua"), REDDER).unwrap();
    dir
}

#[test]
fn a_sheet_holds_pictures_of_many_times_or_from_all_around() {
    if !can_draw() {
        return;
    }
    let dir = redder("sheet");
    let (path, file) = (dir.to_str().unwrap(), dir.join("sheet.png"));
    let shot = |more: &[&str]| {
        let args = [
            "shot",
            path,
            "--size",
            "96x64",
            "-o",
            file.to_str().unwrap(),
        ];
        let done = galatea(&[&args[..], more].concat());
        assert!(done.status.success(), "{}", err(&done));
        image::open(&file).unwrap().to_rgba8()
    };
    let times = shot(&["--at", "0.1", "--sheet", "3x2", "--every", "0.2"]);
    assert_eq!(times.dimensions(), (3 * 96 + 4, 2 * 64 + 2));
    assert_eq!(times.get_pixel(97, 10).0[3], 0, "clear between pictures");
    // The ground at a place of each picture, in its order.
    let reds: Vec<u8> = (0..6)
        .map(|i| times.get_pixel(98 * (i % 3) + 88, 66 * (i / 3) + 20).0[0])
        .collect();
    assert!(reds.is_sorted() && reds[0] + 30 < reds[5], "{reds:?}");
    // The times are written at the lower left: white letters on black.
    for i in 0..6 {
        let (left, top) = (98 * (i % 3), 66 * (i / 3));
        let corner = (0..40).flat_map(|x| (46..62).map(move |y| (left + x, top + y)));
        let white = corner.filter(|&(x, y)| times.get_pixel(x, y).0[..3].iter().all(|c| *c > 200));
        assert!(white.count() > 10, "{i}");
    }
    let around = shot(&["--turntable", "4"]);
    assert_eq!(around.dimensions(), (2 * 96 + 2, 2 * 64 + 2));
    let view =
        |i: u32| image::imageops::crop_imm(&around, 98 * (i % 2), 66 * (i / 2), 96, 44).to_image();
    for (a, b) in [(0, 1), (0, 2), (1, 3)] {
        assert_ne!(view(a), view(b), "she is seen from another side");
    }
    let wrong = galatea(&["shot", path, "--sheet", "4", "-o", "x.png"]);
    assert!(err(&wrong).contains("COLUMNSxROWS"), "{}", err(&wrong));
    let large = [
        "shot", path, "--sheet", "64x64", "--size", "1280x720", "-o", "x.png",
    ];
    let large = galatea(&large);
    assert_eq!(large.status.code(), Some(1));
    assert!(
        err(&large).contains("make them smaller with --size"),
        "{}",
        err(&large)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_recording_may_turn_and_be_a_webp_or_no_animation() {
    if !can_draw() {
        return;
    }
    let dir = redder("webp");
    let out = dir.join("out");
    let record = |more: &[&str]| {
        let args = [
            "record",
            dir.to_str().unwrap(),
            "--seconds",
            "0.4",
            "--fps",
            "10",
        ];
        let args = [&args[..], &["--size", "96x64", "-o", out.to_str().unwrap()]].concat();
        let done = galatea(&[&args[..], more].concat());
        assert!(done.status.success(), "{}", err(&done));
    };
    record(&["--animation", "webp", "--turntable"]);
    let bytes = fs::read(out.join("animation.webp")).unwrap();
    let decoder = image::codecs::webp::WebPDecoder::new(std::io::Cursor::new(bytes)).unwrap();
    let frames = image::AnimationDecoder::into_frames(decoder);
    let frames = frames.collect_frames().unwrap();
    assert_eq!(frames.len(), 4);
    for (i, frame) in frames.iter().enumerate() {
        let file = out.join(format!("frames/{i:05}.png"));
        let whole = image::open(file).unwrap().to_rgba8();
        assert!(*frame.buffer() == whole, "{i}");
        assert_eq!(frame.delay().numer_denom_ms(), (100, 1));
    }
    assert!(!out.join("animation.png").exists());
    let turned = frames[2].buffer().clone();
    record(&["--animation", "none"]);
    assert!(!out.join("animation.png").exists());
    let plain = image::open(out.join("frames/00002.png"))
        .unwrap()
        .to_rgba8();
    assert!(plain != turned, "half a turn was seen");
    fs::remove_dir_all(&dir).unwrap();
}

#[cfg(unix)]
#[test]
fn a_video_is_made_by_the_ffmpeg_that_is_there() {
    use std::os::unix::fs::PermissionsExt as _;

    let dir = redder("video");
    let (bin, out) = (dir.join("bin"), dir.join("out"));
    fs::create_dir_all(&bin).unwrap();
    let record = |video: &str| {
        let args = [
            "record",
            dir.to_str().unwrap(),
            "--seconds",
            "0.2",
            "--fps",
            "10",
        ];
        let more = [
            "--size",
            "95x63",
            "-o",
            out.to_str().unwrap(),
            "--video",
            video,
        ];
        program::command(&[&args[..], &more].concat())
            .env("PATH", &bin)
            .output()
            .unwrap()
    };
    let file = dir.join("a.mp4");
    let video = file.to_str().unwrap();
    let missing = record(video);
    assert_eq!(missing.status.code(), Some(1));
    let told = "--video needs ffmpeg, which is not on the PATH";
    assert!(err(&missing).contains(told), "{}", err(&missing));
    assert!(!out.exists(), "it is told before anything is rendered");
    let other = record("a.gif");
    assert!(
        err(&other).contains("a.gif: a video ends in .mp4"),
        "{}",
        err(&other)
    );
    if !can_draw() {
        return;
    }
    // In its place one that writes down how it was called.
    let ffmpeg = bin.join("ffmpeg");
    let stand_in = |script: &str| {
        fs::write(&ffmpeg, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&ffmpeg, fs::Permissions::from_mode(0o755)).unwrap();
    };
    stand_in("for last; do :; done; echo \"$@\" > \"$last\"");
    let done = record(video);
    assert!(done.status.success(), "{}", err(&done));
    let called = fs::read_to_string(&file).unwrap();
    let frames = out.join("frames/%05d.png");
    let inputs = format!(
        "-framerate 10 -i {} -i {}",
        frames.display(),
        out.join("sound.wav").display()
    );
    assert!(called.contains(&inputs), "{called}");
    assert!(
        called.contains("-pix_fmt yuv420p") && called.contains("-y"),
        "{called}"
    );
    assert!(program::out(&done).ends_with(&format!("{video}\n")));
    stand_in("echo 'no such codec' >&2; exit 3");
    let failed = record(video);
    assert_eq!(failed.status.code(), Some(1));
    assert!(
        err(&failed).contains("ffmpeg failed: no such codec"),
        "{}",
        err(&failed)
    );
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn debug_views_are_shot_and_wrong_names_are_told_with_the_right_ones() {
    let dir = folder("views");
    fs::create_dir_all(&dir).unwrap();
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = home.join("assets/galatea.glb");
    let png = dir.join("x.png");
    let shot = |more: &[&str]| {
        let mut args = vec!["shot", model.to_str().unwrap(), "--at", "0.1"];
        args.extend(["--size", "320x180", "-o", png.to_str().unwrap()]);
        args.extend(more);
        galatea(&args)
    };
    let wrongs: [(&[&str], i32, &str); 6] = [
        (
            &["--view", "wierframe"],
            2,
            "did you mean \"wireframe\"? There are skeleton,",
        ),
        (&["--bone", "head"], 2, "--view"),
        (
            &["--view", "uv", "--bone", "head"],
            1,
            "--bone goes with --view weights",
        ),
        (
            &["--view", "uv", "--hairs"],
            1,
            "--hairs goes with --view normals or tangents",
        ),
        (
            &["--view", "weights", "--only", "galate"],
            1,
            "no character \"galate\"; did you mean \"galatea\"?",
        ),
        (
            &["--view", "morphs", "--morph", "smiel"],
            1,
            "no character has a morph \"smiel\"; did you mean \"smile\"?",
        ),
    ];
    for (args, code, text) in wrongs {
        if !can_draw() && code == 1 {
            continue;
        }
        let wrong = shot(args);
        assert_eq!(wrong.status.code(), Some(code), "{args:?}: {}", err(&wrong));
        assert!(err(&wrong).contains(text), "{args:?}: {}", err(&wrong));
    }
    if can_draw() {
        let drawn = |args: &[&str]| {
            let good = shot(args);
            assert!(good.status.success(), "{args:?}: {}", err(&good));
            image::open(&png).unwrap().to_rgba8()
        };
        let with = drawn(&["--view", "weights", "--bone", "head"]);
        let without = drawn(&["--view", "weights", "--bone", "head", "--no-legend"]);
        let differing: Vec<u32> = with
            .enumerate_pixels()
            .filter(|(x, y, pixel)| without.get_pixel(*x, *y) != *pixel)
            .map(|(x, ..)| x)
            .collect();
        // The legend alone, in its corner.
        assert!(differing.len() > 1000, "{}", differing.len());
        assert!(differing.iter().all(|x| *x < 80), "{differing:?}");
    }
    let _ = fs::remove_dir_all(&dir);
}

/// OpenGL cannot run the shaders: there may be an adapter or none, but never a black picture.
#[test]
fn with_opengl_alone_it_is_said_what_is_needed() {
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
    let needed = "a Vulkan, Metal or Direct3D 12 driver is needed";
    assert!(said.contains(needed), "{said}");
    assert!(!shot.exists() && !said.contains("panicked"), "{said}");
    fs::remove_dir_all(&dir).unwrap();
}
