//! Recordings of input and of pictures, and videos.

use std::fs;

use super::{folder, redder};
use crate::program::{self, can_draw, err, galatea, out};

#[test]
fn without_a_display_play_reports_it_and_renders_to_files() {
    if !can_draw() {
        return;
    }
    let dir = folder("reel");
    let path = dir.to_str().unwrap();
    assert!(galatea(&["new", path]).status.success());
    fs::write(
        dir.join("autoplay.jsonl"),
        "{\"t\": 0.1, \"down\": \"w\"}\n{\"t\": 0.3, \"up\": \"w\"}\n",
    )
    .unwrap();
    let reel = dir.join("reel");
    let play = |more: &[&str]| {
        let args = ["play", path, "--render-to", reel.to_str().unwrap()];
        let played = galatea(&[&args, more].concat());
        assert!(played.status.success(), "{}", err(&played));
        played
    };
    let size = |file: &str| image::image_dimensions(reel.join(file)).unwrap();
    let played = play(&["--eval", "print('hello'), 6 * 7"]);
    assert!(err(&played).contains("no display"));
    assert_eq!(fs::read_dir(reel.join("frames")).unwrap().count(), 7);
    for file in ["sheet.png", "animation.png", "sound.wav"] {
        assert!(out(&played).contains(file));
        assert!(fs::metadata(reel.join(file)).unwrap().len() > 1000);
    }
    // The project runs twice, for the sheet and for the film, but prints once.
    assert_eq!(out(&played).matches("hello").count(), 1, "{}", out(&played));
    assert_eq!(out(&played).matches("42").count(), 1, "{}", out(&played));
    assert_eq!(size("sheet.png"), (4 * 640 + 3 * 2, 3 * 360 + 2 * 2));
    assert_eq!(size("frames/00006.png"), (640, 360));
    play(&["--full"]);
    assert_eq!(size("frames/00006.png"), (960, 540));
    // A recording instead of the reel.
    let bug = dir.join("bug.jsonl");
    fs::write(&bug, "{\"t\": 0.1, \"up\": \"w\"}\n").unwrap();
    let reel = reel.to_str().unwrap();
    let played = galatea(&[
        "play",
        path,
        "--input",
        bug.to_str().unwrap(),
        "--render-to",
        reel,
    ]);
    assert!(played.status.success(), "{}", err(&played));
    let frames = dir.join("reel/frames");
    assert_eq!(fs::read_dir(frames).unwrap().count(), 2);
    // The name that the file had in earlier versions.
    fs::remove_file(dir.join("autoplay.jsonl")).unwrap();
    fs::rename(&bug, dir.join("reel.jsonl")).unwrap();
    let played = galatea(&["play", path, "--render-to", reel]);
    let note = "note: reel.jsonl is now named autoplay.jsonl; rename the file";
    assert!(err(&played).contains(note), "{}", err(&played));
    assert_eq!(fs::read_dir(dir.join("reel/frames")).unwrap().count(), 2);
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn the_header_of_a_recording_is_used_and_differences_are_reported() {
    let dir = folder("head");
    let path = dir.to_str().unwrap();
    fs::create_dir_all(dir.join("scripts")).unwrap();
    let script =
        "function update() if input.pressed('jump') then print(now(), random_range()) end end";
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
        assert!(err(&done).contains("note: changed since the recording: Galatea was 0.0.9"));
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
    assert!(err(&done).contains("30 ticks per second"), "{}", err(&done));
    let done = record("\"ticks_per_second\": 60");
    assert!(
        err(&done).contains("line 1, column ") && err(&done).contains("field \"seed\" is missing"),
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
            "autoplay.jsonl",
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
fn a_recording_may_turn_and_have_no_animation() {
    if !can_draw() {
        return;
    }
    let dir = redder("turned");
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
    record(&["--turntable"]);
    let picture = || {
        image::open(out.join("frames/00002.png"))
            .unwrap()
            .to_rgba8()
    };
    let bytes = fs::read(out.join("animation.png")).unwrap();
    let decoder = image::codecs::png::PngDecoder::new(std::io::Cursor::new(bytes)).unwrap();
    let frames = image::AnimationDecoder::into_frames(decoder.apng().unwrap());
    let frames = frames.collect_frames().unwrap();
    assert_eq!(frames.len(), 4);
    let turned = picture();
    assert!(*frames[2].buffer() == turned);
    assert_eq!(frames[2].delay().numer_denom_ms(), (100, 1));
    fs::remove_file(out.join("animation.png")).unwrap();
    record(&["--animation", "none"]);
    assert!(!out.join("animation.png").exists());
    assert!(picture() != turned, "half a turn was seen");
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
    assert!(!out.exists(), "the error comes before rendering");
    let other = record("a.gif");
    assert!(
        err(&other).contains("a.gif: unsupported video format; expected one of .mp4"),
        "{}",
        err(&other)
    );
    if !can_draw() {
        return;
    }
    // A stand-in that logs its arguments.
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
