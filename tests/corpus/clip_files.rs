//! Clips from other files: bound by name or by body, loaded in the background, replaced while they play.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;

use crate::files;
use crate::folder::Folder;

/// A project with the demo's character, and another one that provides clips.
fn project(name: &str, script: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("scripts/main.lua", script);
    for name in ["assets/hero.glb", "assets/moves.glb"] {
        folder.copy("assets/mannequin.glb", name);
    }
    folder
}

fn open(folder: &Folder, watch: bool) -> Session {
    galatea::install();
    let options = SessionOptions {
        sound: SoundOutput::Silent,
        watch,
        quiet: true,
        wait: !watch,
    };
    let mut session = Session::open(Project::open(&folder.0).unwrap(), options).unwrap();
    session.diagnostics.silence();
    session
}

fn until(session: &mut Session, what: &str, mut so: impl FnMut(&mut Session) -> bool) {
    let start = Instant::now();
    while !so(session) {
        let errors: Vec<&str> = session.diagnostics.errors().collect();
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{what}: {errors:?}"
        );
        session.tick();
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn error(session: &Session) -> String {
    session.diagnostics.errors().collect::<Vec<_>>().join("\n")
}

/// A body of 16 joints in centimetres that lifts its left arm within `frames` thirtieths of a second.
fn bvh(frames: usize) -> String {
    let rows: [(&str, usize, [f32; 3]); 16] = [
        ("Hips", 0, [0.0, 95.0, 0.0]),
        ("Spine", 1, [0.0, 15.0, 0.0]),
        ("Neck", 2, [0.0, 38.0, 0.0]),
        ("Head", 3, [0.0, 10.0, 0.0]),
        ("LeftArm", 2, [18.0, 32.0, 0.0]),
        ("LeftForeArm", 3, [28.0, 0.0, 0.0]),
        ("LeftHand", 4, [25.0, 0.0, 0.0]),
        ("RightArm", 2, [-18.0, 32.0, 0.0]),
        ("RightForeArm", 3, [-28.0, 0.0, 0.0]),
        ("RightHand", 4, [-25.0, 0.0, 0.0]),
        ("LeftUpLeg", 1, [9.0, 0.0, 0.0]),
        ("LeftLeg", 2, [0.0, -42.0, 0.0]),
        ("LeftFoot", 3, [0.0, -42.0, 0.0]),
        ("RightUpLeg", 1, [-9.0, 0.0, 0.0]),
        ("RightLeg", 2, [0.0, -42.0, 0.0]),
        ("RightFoot", 3, [0.0, -42.0, 0.0]),
    ];
    let mut text = String::from("HIERARCHY\n");
    let mut depth = 0;
    for (i, (name, at, [x, y, z])) in rows.iter().enumerate() {
        while depth > *at {
            depth -= 1;
            text.push_str("}\n");
        }
        let (kind, channels) = match i {
            0 => (
                "ROOT",
                "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
            ),
            _ => ("JOINT", "3 Zrotation Xrotation Yrotation"),
        };
        let _ = writeln!(
            text,
            "{kind} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels}"
        );
        depth += 1;
        let ends = rows.get(i + 1).is_none_or(|next| next.1 <= *at);
        if ends {
            let _ = writeln!(text, "End Site\n{{\nOFFSET 0 0 8\n}}");
        }
    }
    text.push_str(&"}\n".repeat(depth));
    let _ = writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.0333333");
    for frame in 0..frames {
        let lift = 60.0 * frame as f32 / (frames - 1) as f32;
        let mut row = String::from("0 95 0 0 0 0");
        for (name, ..) in &rows[1..] {
            let _ = write!(row, " {} 0 0", if *name == "LeftArm" { lift } else { 0.0 });
        }
        text.push_str(&row);
        text.push('\n');
    }
    text
}

const LENT: &str = r#"
hero = character("assets/hero.glb", { clips = { { "assets/moves.glb", prefix = "my_" }, "assets/moves.glb", "assets/lift.bvh" } })
hero.machine = machine { state "lift" { "lift", mode = "once" } }
"#;

#[test]
fn clips_of_other_files_join_by_name_or_by_body_and_are_loaded_in_the_background() {
    let folder = project("lent", LENT);
    folder.write("assets/lift.bvh", bvh(31));
    let mut session = open(&folder, true);
    assert!(session.is_loading());
    until(&mut session, "the character comes", |s| {
        !s.stage.characters.is_empty()
    });
    let definition = session
        .stage
        .characters
        .iter()
        .next()
        .unwrap()
        .1
        .definition
        .clone();
    let own: Vec<&str> = definition.clips.names().collect();
    let n = (own.len() - 1) / 3;
    for i in 0..n {
        assert_eq!(own[n + i], format!("my_{}", own[i]));
        assert_eq!(own[2 * n + i], format!("{}_2", own[i]));
    }
    let origin = |name: &str| &*definition.origins[definition.clips.find(name).unwrap()];
    assert_eq!(origin("walk"), "assets/hero.glb");
    assert_eq!(origin("my_walk"), "assets/moves.glb");
    assert_eq!(origin("lift"), "assets/lift.bvh");
    // By name: the same motion, with the same detected steps and travel.
    let [a, b] = ["walk", "my_walk"].map(|name| definition.clips.find(name).unwrap());
    assert_eq!(definition.clips.duration(a), definition.clips.duration(b));
    assert_eq!(
        definition.clips.ground_velocity(a),
        definition.clips.ground_velocity(b)
    );
    assert_eq!(definition.markers[a], definition.markers[b]);
    // By body: her left hand rises as the captured one does.
    let height = |s: &Session| {
        let hero = s.stage.characters.iter().next().unwrap().1;
        let hand = hero.definition.model.skeleton.find("left_hand").unwrap();
        hero.posed.bone_position(hand).y
    };
    let before = height(&session);
    for _ in 0..70 {
        session.tick();
    }
    assert!(
        height(&session) > before + 0.25,
        "{before} {}",
        height(&session)
    );
    assert_eq!(error(&session), "");
}

#[test]
fn the_clip_command_binds_another_body_as_a_character_does_and_says_what_was_not_matched() {
    let folder = project("command", "");
    let with_tail = "JOINT Tail\n{\nOFFSET 0 0 -9\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
                     End Site\n{\nOFFSET 0 0 -9\n}\n}\n}\nMOTION";
    let take = bvh(31).replacen("}\nMOTION", with_tail, 1);
    let take: String = take
        .lines()
        .map(|line| match line.starts_with("0 95 0") {
            true => format!("{line} 0 0 0\n"),
            false => format!("{line}\n"),
        })
        .collect();
    folder.write("lift.bvh", take);
    let run = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_galatea"))
            .args(args)
            .current_dir(&folder.0)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = run(&[
        "clip",
        "assets/hero.glb",
        "lift.bvh",
        "--clip",
        "lift",
        "-o",
        "lift.glb",
    ]);
    assert!(
        text.contains("clips of lift.bvh (1), bound by body"),
        "{text}"
    );
    assert!(
        text.contains("bones of the clips without a match: Tail"),
        "{text}"
    );
    assert!(
        text.contains("bones of the model that keep their rest pose"),
        "{text}"
    );

    // When played, the written clip equals the one bound from the take itself.
    folder.write(
        "scripts/main.lua",
        r#"hero = character("assets/hero.glb", { clips = { "lift.bvh", { "lift.glb", prefix = "written_" } } })"#,
    );
    let session = open(&folder, false);
    assert_eq!(error(&session), "");
    let hero = session.stage.characters.iter().next().unwrap().1;
    let clips = &hero.definition.clips;
    let pose = |name: &str, t: f32| {
        let mut pose = clips.rest().clone();
        clips.sample_one(clips.find(name).unwrap(), t, &mut pose);
        pose.locals
    };
    let (taken, written) = (pose("lift", 0.9), pose("written_lift", 0.9));
    let arm = usize::from(hero.definition.bone("left_upper_arm").unwrap());
    let start = pose("lift", 0.0);
    let raised = taken[arm].rotation.angle_between(start[arm].rotation);
    assert!((0.8..1.1).contains(&raised), "{raised}");
    for (a, b) in taken.iter().zip(&written) {
        assert!(a.rotation.angle_between(b.rotation) < 2e-3, "{a:?} {b:?}");
    }
}

#[test]
fn a_changed_clip_file_is_swapped_while_it_plays_and_own_clips_stay() {
    let script = format!(
        "{LENT} hero:add_clip(clip 'own' {{ duration = 2, bones = {{ hips = {{ position = {{ {{ 0, 0, 1, 0 }} }} }} }} }})"
    );
    let folder = project("swap", &script);
    folder.write("assets/lift.bvh", bvh(31));
    let mut session = open(&folder, true);
    until(&mut session, "the character comes", |s| {
        !s.stage.characters.is_empty()
    });
    let seconds = |s: &Session, name: &str| {
        let clips = &s.stage.characters.iter().next().unwrap().1.definition.clips;
        clips.find(name).map(|clip| clips.duration(clip))
    };
    assert!((seconds(&session, "lift").unwrap() - 1.0).abs() < 1e-3);
    folder.write("assets/lift.bvh", bvh(61));
    until(&mut session, "the new take is there", |s| {
        seconds(s, "lift").is_some_and(|t| (t - 2.0).abs() < 1e-3)
    });
    assert_eq!(seconds(&session, "own"), Some(2.0));
    // A damaged file is reported with its line, and the previous version continues.
    folder.write(
        "assets/lift.bvh",
        bvh(61).replace("OFFSET 0 15 0", "OFFSET 0 up 0"),
    );
    until(&mut session, "the error is reported", |s| {
        error(s).contains("lift.bvh: line ")
    });
    assert!(error(&session).contains("the previous version stays in use"));
    assert!(seconds(&session, "lift").is_some());
    folder.write("assets/lift.bvh", bvh(31));
    until(&mut session, "mended", |s| {
        error(s).is_empty() && seconds(s, "lift").is_some_and(|t| (t - 1.0).abs() < 1e-3)
    });
}

#[test]
fn a_file_that_cannot_be_bound_names_both_files_and_what_is_missing() {
    let folder = project(
        "strangers",
        "character('assets/hero.glb', { clips = 'assets/worm.bvh' })",
    );
    let joint = |name: &str, inner: &str| {
        format!(
            "JOINT {name}\n{{\nOFFSET 0 0 10\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inner}}}\n"
        )
    };
    let worm = joint("w1", &joint("w2", "End Site\n{\nOFFSET 0 0 10\n}\n"));
    let head = worm.replacen("JOINT w1", "ROOT w0", 1);
    folder.write(
        "assets/worm.bvh",
        format!("HIERARCHY\n{head}MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n"),
    );
    let text = error(&open(&folder, false));
    for want in [
        "scripts/main.lua:1",
        "assets/worm.bvh cannot be retargeted to assets/hero.glb",
        "0 bone names",
        "assets/worm.bvh has no hips",
    ] {
        assert!(text.contains(want), "{want}: {text}");
    }
    let folder = project(
        "missing",
        "character('assets/hero.glb', { clips = 'assets/moves.gltf' })",
    );
    let text = error(&open(&folder, false));
    assert!(
        text.contains(
            "assets/moves.gltf: there is no such file; did you mean \"assets/moves.glb\"?"
        ),
        "{text}"
    );
}

/// Real files: an animation pack on the mannequin it was made for, and a CMU take on the same.
#[test]
fn a_pack_and_a_captured_take_join_a_real_character_and_play() {
    let Some(corpus) = files::corpus() else {
        return;
    };
    let kaykit = corpus.join("01_characters/kaykit-char-sketchpunk");
    let folder = project(
        "corpus",
        r#"
            hero = character("assets/manny_med_mod.gltf", { clips = {
                "assets/Med_MovementBasic.glb", { "assets/Med_General.glb", prefix = "general_" },
                { "assets/01_01.bvh", prefix = "cmu_" } } })
            local function row(name)
                local c = hero:clip(name)
                print(name, c.source, c.duration, c.ground_speed, c.root_translation, #c.markers, c.bytes)
            end
            for name in hero:clips() do row(name) end
            hero:play("cmu_01_01", { fade = 0, start_time = 1 })
            hero:add_clip(clip "nod" { space = "model", mode = "loop",
                bones = { head = { rotation = { { 0, 0, 0, 0 }, { 0.5, 40, 0, 0 }, { 1, 0, 0, 0 } } } } })
            hero:play("nod", { fade = 0, mask = "head", additive = "rest" })
            "#,
    );
    for file in [
        kaykit.join("models/mannequin_v2/manny_med_mod.gltf"),
        kaykit.join("models/mannequin_v2/manny_med_mod.bin"),
        kaykit.join("models/mannequin_v2/mannequin_texture.png"),
        kaykit.join("anim/Med_MovementBasic.glb"),
        kaykit.join("anim/Med_General.glb"),
        corpus.join("05_mocap/assimp-bvh-cmu/BVH/01_01.bvh"),
    ] {
        let name = file.file_name().unwrap();
        fs::copy(&file, folder.0.join("assets").join(name)).unwrap();
    }
    let mut session = open(&folder, false);
    assert_eq!(error(&session), "");
    let hero = |s: &Session| {
        s.stage
            .characters
            .iter()
            .next()
            .unwrap()
            .1
            .definition
            .clone()
    };
    let definition = hero(&session);
    let clips = &definition.clips;
    let names: Vec<&str> = clips.names().collect();
    assert!(names.len() > 20, "{names:?}");
    assert!(
        names
            .iter()
            .filter(|name| name.starts_with("general_"))
            .count()
            > 5
    );
    // Walks and runs of the pack have steps and a speed, like those of the model.
    for (name, low, high) in [
        ("Rig_Medium|Walking_A", 0.5, 1.5),
        ("Rig_Medium|Running_A", 2.5, 5.0),
    ] {
        let clip = clips
            .find(name)
            .unwrap_or_else(|| panic!("{name}: {names:?}"));
        let speed = clips.ground_velocity(clip).unwrap().length();
        assert!(speed > low && speed < high, "{name}: {speed}");
        assert!(definition.markers[clip].len() >= 2, "{name}");
    }
    let take = clips.find("cmu_01_01").unwrap();
    assert!(clips.duration(take) > 10.0);
    let bytes = clips.clip(take).unwrap().bytes();
    assert!(bytes < 300_000, "{bytes}");
    let before = session
        .stage
        .characters
        .iter()
        .next()
        .unwrap()
        .1
        .posed
        .model_from_bone
        .clone();
    for _ in 0..120 {
        session.tick();
    }
    let after = &session
        .stage
        .characters
        .iter()
        .next()
        .unwrap()
        .1
        .posed
        .model_from_bone;
    assert!(after.iter().all(|m| m.is_finite()));
    let moved = before
        .iter()
        .zip(after)
        .map(|(a, b)| a.translation.distance(b.translation));
    assert!(moved.fold(0.0, f32::max) > 0.2);
    assert_eq!(error(&session), "");
}
