//! Sounds, shaders, images and environment maps.

use std::fs;
use std::path::Path;

use galatea::app::{Session, SoundOutput};
use galatea::stage::UiContent;

use super::{SCRIPT, errors, open, project, run, until};

#[test]
fn an_invalid_sound_is_reported_and_the_scene_continues() {
    let script = format!(
        "{SCRIPT}\nlocal old = update\nfunction update(dt) old(dt) if game.ticks % 30 == 0 then sound.play('step') end end"
    );
    let folder = project("sound", &script);
    folder.write("assets/sounds/step.wav", "this is a text");
    let mut session = open(&folder, true, SoundOutput::Capture);
    run(&mut session, 1.2);
    let text = errors(&session).join("\n");
    assert!(text.contains("assets/sounds/step.wav"), "{text}");
    assert!(session.take_sound().iter().all(|s| *s == 0.0));
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sounds/step_wood_1.wav");
    folder.write("assets/sounds/step.wav", fs::read(home).unwrap());
    until(&mut session, "heard", |session| {
        session.take_sound().iter().any(|s| *s != 0.0)
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn steps_are_heard_at_the_sample_where_the_foot_comes_down() {
    let script = "local hero = character 'assets/hero.glb'
        hero.machine = machine { state 'walk' { 'walk' } }
        hero:on('step', function(e) sound.play('step') end)";
    let folder = project("exact", script);
    let mut session = open(&folder, false, SoundOutput::Capture);
    run(&mut session, 2.0);
    let heard = session.take_sound();
    let sound = galatea::audio::Sound::decode(
        "step.wav",
        &fs::read(folder.0.join("assets/sounds/step.wav")).unwrap(),
    )
    .unwrap();
    let first = sound.samples().iter().position(|s| s.abs() > 1e-3).unwrap();
    // Steps at 0.0 (left), 0.5 (right), 1.0, 1.5 s.
    for t in [0.0, 0.5, 1.0, 1.5] {
        let start = (t * 48_000.0) as usize;
        let got = heard[start * 2..]
            .chunks(2)
            .position(|frame| frame[0].abs() > 1e-3)
            .unwrap();
        assert_eq!(got, first, "the step at {t} s");
    }
}

#[test]
fn a_broken_shader_is_reported_with_file_and_line_and_the_old_one_stays() {
    if crate::driver::gpu().is_none() {
        return;
    }
    let folder = project("shader", SCRIPT);
    let mut session = open(&folder, true, SoundOutput::Silent);
    let mut camera = galatea::app::headless::HeadlessCamera::new(&mut session).unwrap();
    run(&mut session, 0.2);
    let time = session.stage.time();
    let before = camera.picture(&mut session, time, (160, 90)).unwrap();
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/ground.wgsl");
    let good = fs::read_to_string(home).unwrap();
    folder.write(
        "shaders/ground.wgsl",
        good.replace(
            "var color = scene.ground_color",
            "var color = scene.ground_colour",
        ),
    );
    until(&mut session, "the fault", |session| {
        let time = session.stage.time();
        camera.picture(session, time, (160, 90)).unwrap();
        !errors(session).is_empty()
    });
    let line = 1 + good
        .lines()
        .position(|line| line.contains("var color = scene.ground_color"))
        .unwrap();
    let text = errors(&session).join("\n");
    assert!(text.contains(&format!("ground.wgsl:{line}")), "{text}");

    folder.write(
        "shaders/ground.wgsl",
        good.replace(
            "var color = floor_color(in.world.xz, pixel)",
            "var color = vec3<f32>(1.0, 0.0, 0.0)",
        ),
    );
    until(&mut session, "mended", |session| {
        let time = session.stage.time();
        camera.picture(session, time, (160, 90)).unwrap();
        errors(session).is_empty()
    });
    let time = session.stage.time();
    let after = camera.picture(&mut session, time, (160, 90)).unwrap();
    let red =
        |p: &galatea::render::Picture| p.rgba.chunks(4).filter(|t| t[0] > 100 && t[1] < 80).count();
    assert!(red(&after) > red(&before) + 1000, "the ground is red now");
}

/// An environment map in one colour, Radiance format.
fn sky(rgb: [u8; 3]) -> Vec<u8> {
    let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n".to_vec();
    for _ in 0..32 {
        bytes.extend([rgb[0], rgb[1], rgb[2], 129]);
    }
    bytes
}

#[test]
fn a_picture_over_the_picture_is_swapped_when_its_file_is_saved() {
    let script = "character 'assets/hero.glb'
        ui.image('assets/logo.png', { position = vector.create(1, 2, 0) })";
    let folder = project("image", script);
    let save = |color: [u8; 3]| {
        let file = folder.0.join("assets/logo.png");
        image::RgbImage::from_pixel(4, 4, image::Rgb(color))
            .save(file)
            .unwrap();
    };
    save([255, 0, 0]);
    let mut session = open(&folder, true, SoundOutput::Silent);
    assert_eq!(errors(&session), [""; 0]);
    let color = |session: &Session| {
        let (_, ui) = session.stage.ui.iter().next().unwrap();
        match &ui.item.content {
            UiContent::Image { image, .. } => image.rgba[..3].to_vec(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(color(&session), [255, 0, 0]);
    save([0, 255, 0]);
    until(&mut session, "the new picture", |session| {
        color(session) == [0, 255, 0]
    });
    folder.write("assets/logo.png", "this is a text");
    until(&mut session, "the broken picture", |session| {
        errors(session).iter().any(|error| {
            error.contains("assets/logo.png: is not a PNG")
                && error.contains("the previous version stays in use")
        })
    });
    assert_eq!(color(&session), [0, 255, 0]);
    save([0, 0, 255]);
    until(&mut session, "the mended picture", |session| {
        color(session) == [0, 0, 255] && errors(session).is_empty()
    });
}

#[test]
fn light_from_all_around_is_swapped_when_its_file_is_saved() {
    let script = "character 'assets/hero.glb'
        light.environment('assets/sky.hdr', { yaw = 90, intensity = 2, background = false, blur = 0.5 })";
    let folder = project("environment", script);
    folder.write("assets/sky.hdr", sky([128, 0, 0]));
    let mut session = open(&folder, true, SoundOutput::Silent);
    assert_eq!(errors(&session), [""; 0]);
    let color = |session: &Session| {
        let used = session.stage.lighting.light.environment.as_ref().unwrap();
        assert_eq!(
            (used.intensity, used.background, used.blur),
            (2.0, false, 0.5)
        );
        assert!((used.yaw - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        used.environment.faces[0].to_array().map(|x| x > 0.5)
    };
    assert_eq!(color(&session), [true, false, false]);
    folder.write("assets/sky.hdr", sky([0, 128, 0]));
    until(&mut session, "the new sky", |session| {
        color(session) == [false, true, false]
    });
    folder.write("assets/sky.hdr", "this is a text");
    until(&mut session, "the broken sky", |session| {
        errors(session).iter().any(|error| {
            error.contains("assets/sky.hdr: the image format is not supported")
                && error.contains("the previous version stays in use")
        })
    });
    assert_eq!(color(&session), [false, true, false]);
    folder.write("assets/sky.hdr", sky([0, 0, 128]));
    until(&mut session, "the mended sky", |session| {
        color(session) == [false, false, true] && errors(session).is_empty()
    });
    // The session waits for a missing file.
    folder.write(
        "scripts/main.lua",
        "character 'assets/hero.glb' light.environment 'assets/skyy.hdr'",
    );
    until(&mut session, "the missing sky", |session| {
        errors(session).iter().any(|error| {
            error.contains(
                "assets/skyy.hdr: there is no such file; did you mean \"assets/sky.hdr\"?",
            )
        })
    });
    folder.write("assets/skyy.hdr", sky([128, 128, 0]));
    until(&mut session, "the sky that came", |session| {
        let used = session.stage.lighting.light.environment.as_ref().unwrap();
        errors(session).is_empty() && used.environment.name == "skyy"
    });
}

/// Two strands in the format of TressFX 2.
const STRANDS: &str = "version 2.0\nnumStrands 2\nis sorted 1\nstrand 0 numVerts 2 texcoord 0 0\n0 1.7 0\n0 1.8 0\n\
    strand 1 numVerts 2 texcoord 0 0\n0.02 1.7 0\n0.02 1.8 0\n";

#[test]
fn files_of_every_kind_are_found_with_and_without_the_folder_of_assets() {
    for at in ["", "assets/"] {
        let script = format!(
            "local hero = character('{at}hero.glb', {{ clips = '{at}hero.glb', name = 'hero' }})
            light.environment '{at}light/sky.hdr'
            ui.image('{at}logo.png', {{}})
            physics.terrain {{ size = vector.create(4, 1, 4), heights = '{at}logo.png', position = vector.create(0, -3, 0) }}
            hero:hair {{ file = '{at}strands.tfx', strands = 2, guides = 2, points = 4 }}
            crowd {{ model = '{at}hero.glb', count = 1 }}
            sound.play '{at}sounds/step.wav'
            sound.play 'step'"
        );
        let folder = project(&format!("kinds-{}", at.len()), &script);
        folder.copy("tests/sky.hdr", "assets/light/sky.hdr");
        folder.copy("tests/logo.png", "assets/logo.png");
        folder.write("assets/strands.tfx", STRANDS);
        let mut session = open(&folder, false, SoundOutput::Capture);
        run(&mut session, 0.2);
        assert_eq!(errors(&session), [""; 0]);
        assert_eq!(session.stage.effects.hair.len(), 1);
    }
}

#[test]
fn a_file_named_without_its_folder_is_waited_for_and_read_again() {
    let script = "local hero = character 'hero.glb'
        hero:hair { file = 'strands.tfx', strands = 2, guides = 2, points = 4, name = 'tuft' }";
    let folder = project("late", script);
    let mut session = open(&folder, true, SoundOutput::Silent);
    until(&mut session, "told", |session| {
        let told = errors(session).join("\n");
        told.contains("strands.tfx: there is no such file")
    });
    folder.write("assets/strands.tfx", STRANDS);
    until(&mut session, "worn", |session| {
        session.stage.effects.hair.len() == 1 && errors(session).is_empty()
    });
    folder.write("assets/strands.tfx", STRANDS.replace("0 1.8 0", "0 one 0"));
    until(&mut session, "the line", |session| {
        errors(session)
            .join("\n")
            .contains("strands.tfx: line 6: a vertex: expected a number")
    });
}

#[test]
fn a_script_that_failed_at_a_missing_sound_runs_again_when_it_is_there() {
    let folder = project("unheard", "local hero = character 'hero.glb'");
    let mut session = open(&folder, true, SoundOutput::Silent);
    until(&mut session, "begun", |session| session.is_loaded());
    let script = "local hero = character 'hero.glb'\nsound.play('bell')\nheard = true";
    folder.write("scripts/main.lua", script);
    until(&mut session, "told", |session| {
        errors(session).join("\n").contains("bell")
    });
    folder.copy("assets/sounds/step_stone_1.wav", "assets/bell.wav");
    until(&mut session, "mended", |session| errors(session).is_empty());
}
