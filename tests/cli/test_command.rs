//! `galatea test` as a user runs it: details of a failed test, reports, threads.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::folder::Folder;
use crate::program::{can_draw, command, err, galatea, out};

/// A project of the template, without tests.
fn project(name: &str) -> Folder {
    let folder = Folder::new(name);
    let made = galatea(&["new", folder.path()]);
    assert!(made.status.success(), "{}", err(&made));
    fs::remove_file(folder.0.join("tests/walk.lua")).unwrap();
    folder
}

fn test(folder: &Folder, args: &[&str]) -> Output {
    let mut all = vec!["test", folder.path()];
    all.extend(args);
    galatea(&all)
}

/// She walks for two seconds, then an assertion fails.
const FAILS: &str = "test('she flies', function(t)
	require 'main'
	print('hello')
	t:press('w')
	t:run(2)
	t:expect(t:first_character().position.y > 1, 'she is on the ground')
end)
";

#[test]
fn a_failing_test_says_that_a_character_lies_on_the_ground() {
    let folder = project("lies");
    folder.write(
        "tests/fall.lua",
        "test('she stands again', function(t)
	require 'main'
	local hero = t:first_character()
	hero:knock_down()
	t:run(1)
	t:expect(hero.position.x > 100, 'she walks')
end)
",
    );
    let text = out(&test(&folder, &[]));
    assert!(
        text.contains("assets/galatea.glb#0 is falling or lies on the ground"),
        "{text}"
    );
}

#[test]
fn a_failing_test_reports_machines_and_recent_markers() {
    let folder = project("scene");
    folder.write("tests/fly.lua", FAILS);
    let tested = test(&folder, &[]);
    assert_eq!(tested.status.code(), Some(1));
    let text = out(&tested);
    assert!(
        text.starts_with("hello\nFAILED  she flies\n        tests/fly.lua:6: she is on the ground"),
        "{text}"
    );
    for words in [
        "\n        at 2.000 s, tick 120\n",
        "\n        assets/galatea.glb#0: layer \"body\" is in \"move\" for 1.867 s\n",
        "assets/galatea.glb#0: speed = 1.4",
        "\n        markers of the last 1 s",
        "\"step\" of walk, body/move\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let marks: Vec<&str> = text.lines().filter(|l| l.contains("\"step\" of")).collect();
    assert!((1..=12).contains(&marks.len()), "{text}");
    for mark in marks {
        let time: f64 = mark.split_whitespace().next().unwrap().parse().unwrap();
        assert!((1.0..=2.0).contains(&time), "{mark}");
    }
}

#[test]
fn a_picture_of_the_stage_is_saved_for_each_test_that_fails() {
    if !can_draw() {
        return;
    }
    let folder = project("pictures");
    folder.write("tests/fly.lua", FAILS);
    folder.write("tests/good.lua", "test('good', function(t) t:run(1) end)");
    let pictures = folder.0.join("out/failed");
    let tested = test(&folder, &["--pictures", pictures.to_str().unwrap()]);
    let file = pictures.join("fly-1-she_flies.png");
    let text = out(&tested);
    assert!(
        text.contains(&format!("picture: {}", file.display())),
        "{text}"
    );
    assert_eq!(fs::read_dir(&pictures).unwrap().count(), 1);
    let picture = image::open(&file).unwrap().to_rgb8();
    let first = *picture.get_pixel(0, 0);
    assert!(picture.pixels().any(|pixel| *pixel != first));
}

#[test]
fn without_a_driver_a_failing_test_reports_the_missing_picture() {
    let folder = project("no-driver");
    folder.write("tests/fly.lua", FAILS);
    let tested = without_driver(&["test", folder.path(), "--pictures", folder.path()]);
    assert!(
        out(&tested).contains("cannot save a picture: "),
        "{}",
        out(&tested)
    );
}

/// Runs the program without a graphics driver.
fn without_driver(args: &[&str]) -> Output {
    let nowhere = Path::new("/nowhere.json");
    command(args)
        .env("VK_DRIVER_FILES", nowhere)
        .env("VK_ICD_FILENAMES", nowhere)
        .env("__EGL_VENDOR_LIBRARY_FILENAMES", nowhere)
        .env("LIBGL_DRIVERS_PATH", "/nowhere")
        .env("WGPU_BACKEND", "vulkan")
        .output()
        .unwrap()
}

/// Files whose tests have different durations, so that later ones finish first.
fn many(folder: &Folder) {
    for i in 0..4 {
        let seconds = 3.0 - 0.5 * f64::from(i);
        folder.write(
            &format!("tests/t{i}.lua"),
            format!(
                "test('walks {i}', function(t)
	require 'main'
	print('file {i}', random_range())
	t:press('w')
	t:run({seconds})
	t:expect(#t:event_times(t:first_character(), 'step') ~= 3, 'three steps')
end)
test('stands {i}', function(t) t:run(0.1) print('second {i}') end)
"
            ),
        );
    }
    folder.write("tests/broken.lua", "test('x', function(t) end\n");
}

#[test]
fn files_that_run_at_once_report_the_same_in_the_same_order_as_one_after_the_other() {
    let folder = project("parallel");
    many(&folder);
    for report in ["text", "json", "junit"] {
        let run = |jobs: &str| {
            let tested = test(&folder, &["--jobs", jobs, "--report", report]);
            assert_eq!(tested.status.code(), Some(1), "{}", err(&tested));
            out(&tested)
        };
        let serial = run("1");
        assert!(serial.contains("tests/broken.lua:2: "), "{serial}");
        assert!(serial.contains("three steps") && serial.contains("second 3"));
        assert_eq!(run("3"), serial);
    }
}

#[test]
fn the_json_report_has_stage_times_and_all_output() {
    let folder = project("json");
    folder.write("tests/fly.lua", FAILS);
    folder.write(
        "tests/good.lua",
        "test('good', function(t) t:run_ticks(3) end)",
    );
    let tested = test(&folder, &["--report", "json"]);
    let report: serde_json::Value = serde_json::from_str(&out(&tested)).unwrap();
    let [fly, good] = &report.as_array().unwrap()[..] else {
        panic!("{report}");
    };
    assert_eq!((&fly["ticks"], &fly["seconds"]), (&120.into(), &2.0.into()));
    assert_eq!(fly["printed"][0], "hello");
    assert!(fly["failure"].as_str().unwrap().contains("on the ground"));
    assert_eq!(fly["scene"][0], "at 2.000 s, tick 120");
    assert_eq!(
        (&good["ticks"], &good["failure"]),
        (&3.into(), &serde_json::Value::Null)
    );
}

#[test]
fn project_recordings_are_replayed_and_missing_ones_reported() {
    let folder = project("replay");
    folder.write(
        "walk.jsonl",
        "{\"t\": 0.5, \"down\": \"w\"}\n{\"t\": 2, \"up\": \"w\"}\n",
    );
    folder.write("bad.jsonl", "{\"t\": 0.5, \"hold\": \"w\"}\n");
    folder.write(
        "tests/replay.lua",
        "test('walks', function(t)
	require 'main'
	t:replay('walk.jsonl')
	t:expect_near(now(), 2)
	t:expect_state(t:first_character(), 'move')
	t:run(1.5)
	t:expect_state(t:first_character(), 'idle')
end)
test('misses', function(t) t:replay('none.jsonl') end)
test('leaves', function(t) t:replay('../walk.jsonl') end)
test('is bad', function(t) t:replay('bad.jsonl') end)
",
    );
    let text = out(&test(&folder, &[]));
    assert!(text.contains("ok      walks\n"), "{text}");
    for words in [
        "tests/replay.lua:9: t:replay: ",
        "none.jsonl: ",
        "../walk.jsonl: leads out of the project",
        "bad.jsonl: line 1",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_script_under_test_reads_and_writes_files_as_in_play() {
    let folder = project("files");
    folder.write(
        "tests/files.lua",
        "test('counts', function(t)
	local field = crowd_stats { size = vector.create(3, 0, 2) }
	t:run(0.5)
	t:expect(field:save_image('field.png') == 'out/field.png')
end)
test('grows', function(t)
	require 'main'
	t:first_character():hair { file = 'assets/none.hair' }
end)
",
    );
    let text = out(&test(&folder, &[]));
    assert!(text.contains("ok      counts\n"), "{text}");
    assert!(folder.0.join("out/field.png").is_file());
    assert!(
        text.contains("assets/none.hair: there is no such file"),
        "{text}"
    );
}

/// A test of her jump; `TIME` is replaced by a time.
const POSE: &str = "test('poses', function(t)
	local hero = t:character('assets/galatea.glb')
	local play = hero:play('jump', { fade = 0, speed = 0, start_time = TIME })
	t:run(0.1)
	local before = camera.position()
	t:expect_image('jump', { camera = { target = vector.create(0, 1, 0), yaw = 60, distance = 4 }, size = { 240, 320 } })
	t:expect(camera.position() == before, 'the camera is put back')
end)
";

#[test]
fn a_picture_is_blessed_compared_and_shown_where_it_differs() {
    if !can_draw() {
        return;
    }
    let folder = project("compare");
    let pose = |time: &str| folder.write("tests/pose.lua", POSE.replace("TIME", time));
    pose("0");
    let text = out(&test(&folder, &[]));
    let missing = "t:expect_image: picture jump: the reference picture tests/pictures/jump.png does not exist; create it with `galatea test --update-images`";
    assert!(text.contains(missing), "{text}");
    assert!(text.contains("tests/pose.lua:6: "), "{text}");

    let blessed = test(&folder, &["--update-images"]);
    assert!(blessed.status.success(), "{}", out(&blessed));
    assert!(out(&blessed).contains("drawn: tests/pictures/jump.png"));
    let kept = folder.0.join("tests/pictures/jump.png");
    let picture = image::open(&kept).unwrap();
    assert_eq!((picture.width(), picture.height()), (240, 320));
    assert!(test(&folder, &[]).status.success());
    assert!(!folder.0.join("out").exists());

    pose("0.5");
    let tested = test(&folder, &[]);
    assert_eq!(tested.status.code(), Some(1));
    let text = out(&tested);
    for words in [
        "the picture differs from tests/pictures/jump.png: FLIP error 0.",
        "the limit is 0.006",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    for file in ["out/jump.got.png", "out/jump.diff.png"] {
        let file = folder.0.join(file);
        assert!(text.contains(&format!("{}\n", file.display())), "{text}");
        assert_eq!(image::open(&file).unwrap().width(), 240);
    }
    let loose = POSE
        .replace("TIME", "0.5")
        .replace("camera = {", "tolerance = 0.9, camera = {");
    folder.write("tests/pose.lua", &loose);
    assert!(
        test(&folder, &[]).status.success(),
        "{}",
        out(&test(&folder, &[]))
    );
    folder.write(
        "tests/pose.lua",
        POSE.replace("TIME", "0").replace("240", "250"),
    );
    let text = out(&test(&folder, &[]));
    assert!(
        text.contains("jump.png is 240x320, but the test draws 250x320"),
        "{text}"
    );
}

#[test]
fn without_a_driver_a_picture_is_skipped_by_name_and_wrong_arguments_still_fail() {
    let folder = project("skipped");
    folder.write("tests/pose.lua", POSE.replace("TIME", "0"));
    let tested = without_driver(&["test", folder.path()]);
    assert!(tested.status.success(), "{}", out(&tested));
    let text = out(&tested);
    assert!(
        text.starts_with("ok      poses\n        skipped: picture jump: "),
        "{text}"
    );
    assert!(
        text.ends_with("1 passed, 0 failed, 1 check skipped\n"),
        "{text}"
    );
    let junit = out(&without_driver(&[
        "test",
        folder.path(),
        "--report",
        "junit",
    ]));
    assert!(
        junit.contains("<skipped message=\"picture jump: "),
        "{junit}"
    );

    folder.write(
        "tests/pose.lua",
        "test('a', function(t) t:expect_image('../a') end)
test('b', function(t) t:expect_image('b', { size = { 1, 2 } }) end)
test('c', function(t) t:expect_image('c', { camera = { yawn = 1 } }) end)
test('d', function(t) t:expect_image('d', { tolerance = -1 }) end)
",
    );
    let text = out(&without_driver(&["test", folder.path()]));
    for words in [
        "t:expect_image: argument \"name\": expected letters, digits",
        "t:expect_image: field \"size\": expected { width, height }",
        "\"yawn\"",
        "t:expect_image: field \"tolerance\": must be 0 or more",
        "0 passed, 4 failed",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_failure_of_random_input_is_reduced_to_the_keys_that_it_needs() {
    let folder = project("shortest");
    folder.write(
        "tests/keys.lua",
        "test('never both', function(t)
	print('once')
	t:random_input(3, { seconds = 20, keys = { 'a', 'b', 'c', 'd', 'e' }, check = function()
		t:expect(not (input.down 'a' and input.down 'b'), 'both are down')
	end })
end)
",
    );
    let tested = test(&folder, &[]);
    let text = out(&tested);
    let said = "the shortest input with which it still fails (2 of ";
    assert!(text.contains(said), "{text}");
    assert_eq!(text.matches("once").count(), 1, "{text}");
    let file = folder.0.join("out/tests/keys-never_both.jsonl");
    assert!(text.contains("keys-never_both.jsonl"), "{text}");
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains("\"down\":\"a\"") && written.contains("\"down\":\"b\""));
    assert!(!written.contains("\"c\""), "{written}");
    // The file makes the same failure, in place of the random input.
    folder.write(
        "tests/keys.lua",
        "test('never both', function(t)
	local both = false
	function update() both = both or input.down 'a' and input.down 'b' end
	t:replay('out/tests/keys-never_both.jsonl')
	t:run(1)
	t:expect(both, 'the file does not press both')
end)
",
    );
    let tested = test(&folder, &[]);
    assert!(tested.status.success(), "{}", out(&tested));
    // A failure that needs no input is not blamed on it.
    folder.write(
        "tests/keys.lua",
        "test('fails', function(t)
	t:random_input(3, { seconds = 5, keys = { 'a' } })
	t:expect(false, 'as always')
end)
",
    );
    let text = out(&test(&folder, &[]));
    assert!(
        text.contains("it fails without any random input, too"),
        "{text}"
    );
}
