//! A project that is edited while it plays: scripts, models, sounds and shaders reload, and what is
//! broken says so and harms nothing.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use galatea::app::{Session, SessionOptions, Sound};
use galatea::asset::Project;
use galatea::stage::{Handle, UiContent};

/// A project in a folder of its own, with the demo's character and one sound.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, script: &str) -> Self {
        let root =
            std::env::temp_dir().join(format!("galatea-session-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for folder in ["scripts", "assets/sounds", "shaders"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        fs::copy(home.join("galatea.glb"), root.join("assets/hero.glb")).unwrap();
        fs::copy(
            home.join("sounds/step_stone_1.wav"),
            root.join("assets/sounds/step.wav"),
        )
        .unwrap();
        let folder = Self(root);
        folder.write("scripts/main.lua", script);
        folder
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(file), text).unwrap();
    }

    fn open(&self, watch: bool, sound: Sound) -> Session {
        let project = Project::open(&self.0).unwrap();
        let mut session = Session::open(
            project,
            SessionOptions {
                sound,
                watch,
                quiet: true,
                wait: !watch,
            },
        )
        .unwrap();
        session.diagnostics.silence();
        let start = Instant::now();
        while session.stage.characters.is_empty() && start.elapsed() < Duration::from_secs(20) {
            session.apply_reloads();
            if session.diagnostics.errors().next().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        session
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Ticks in real time until something is so; the deadline is generous, the condition is what counts.
fn until(session: &mut Session, what: &str, mut so: impl FnMut(&mut Session) -> bool) {
    let start = Instant::now();
    while !so(session) {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{what}: {:?}",
            errors(session)
        );
        session.tick();
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn errors(session: &Session) -> Vec<String> {
    session.diagnostics.errors().map(str::to_owned).collect()
}

fn run(session: &mut Session, seconds: f64) {
    for _ in 0..(seconds * 60.0).round() as u32 {
        session.tick();
    }
}

fn hero(session: &Session) -> (Handle, f64, String) {
    let (handle, hero) = session.stage.characters.iter().next().unwrap();
    let (machine, state) = hero.machine.as_ref().unwrap();
    let active = state.layers[0].active.last().unwrap();
    let name = machine.state_name(0, active.state).to_owned();
    (handle, active.state_age, name)
}

const SCRIPT: &str = r#"
local hero = character "assets/hero.glb"
hero.machine = machine { state "walk" { "walk" }, state "idle" { "idle" } }
local game = keep("game", { ticks = 0 })
function update(dt) game.ticks += 1 hero.position += vector.create(0, 0, dt) end
"#;

#[test]
fn an_edited_script_takes_over_while_it_plays_and_the_clip_time_goes_on() {
    let folder = Folder::new("edit", SCRIPT);
    let mut session = folder.open(true, Sound::Silent);
    run(&mut session, 1.0);
    let (handle, before, _) = hero(&session);
    folder.write(
        "scripts/main.lua",
        SCRIPT.replace("0, 0, dt)", "0, 0, 10 * dt)"),
    );
    let z = |session: &Session| {
        session
            .stage
            .characters
            .get(handle)
            .unwrap()
            .placement
            .position
            .z
    };
    until(&mut session, "the new speed", |session| {
        let was = z(session);
        session.tick();
        z(session) - was > 0.1
    });
    let ticks = session.stage.n_ticks as f64;
    let (now_handle, after, state) = hero(&session);
    assert_eq!((now_handle, state.as_str()), (handle, "walk"));
    assert!(after > before);
    assert!(
        (after - ticks / 60.0).abs() < 1e-6,
        "the clip never jumped: {after} of {}",
        ticks / 60.0
    );
}

#[test]
fn the_demo_is_edited_while_she_walks_and_she_walks_on_faster() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(home.join(file)).unwrap();
    let main = read("scripts/main.lua");
    let folder = Folder::new("demo", &main);
    folder.write("scripts/stroll.lua", read("scripts/stroll.lua"));
    folder.write(
        "assets/galatea.glb",
        fs::read(home.join("assets/galatea.glb")).unwrap(),
    );
    for entry in fs::read_dir(home.join("assets/sounds")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(
            &path,
            folder
                .0
                .join("assets/sounds")
                .join(path.file_name().unwrap()),
        )
        .unwrap();
    }
    let mut session = folder.open(true, Sound::Silent);
    session.input(&galatea::stage::InputEvent::Down("w".into()));
    run(&mut session, 2.0);
    let place = |session: &Session| {
        let (_, hero) = session.stage.characters.iter().next().unwrap();
        let active = hero.machine.as_ref().unwrap().1.layers[0]
            .active
            .last()
            .unwrap()
            .clone();
        (hero.placement.position, active)
    };
    let speed = |session: &mut Session| {
        let (was, _) = place(session);
        run(session, 0.25);
        place(session).0.distance(was) / 0.25
    };
    assert!((speed(&mut session) - 1.4).abs() < 0.05);
    let (_, before) = place(&session);
    let ticks = session.stage.n_ticks;
    folder.write(
        "scripts/main.lua",
        main.replace("local WALK, RUN = 1.4, 4.2", "local WALK, RUN = 2.8, 4.2"),
    );
    until(&mut session, "the new pace", |session| speed(session) > 2.6);
    assert!(errors(&session).is_empty());
    let (_, after) = place(&session);
    assert_eq!(after.state, before.state);
    let passed = (session.stage.n_ticks - ticks) as f64 / 60.0;
    assert!(
        (after.age - before.age - passed).abs() < 1e-6,
        "the state's time never jumped"
    );
    assert!(after.cycle > before.cycle, "nor did the steps");
}

#[test]
fn a_broken_save_is_told_with_its_line_and_a_good_one_clears_it() {
    let folder = Folder::new("broken", SCRIPT);
    let mut session = folder.open(true, Sound::Silent);
    run(&mut session, 0.2);
    folder.write(
        "scripts/main.lua",
        "local hero = character 'assets/hero.glb'\nlocal x = = 1\n",
    );
    until(&mut session, "the error", |session| {
        !errors(session).is_empty()
    });
    let text = errors(&session).join("\n");
    assert!(text.starts_with("scripts/main.lua:2:"), "{text}");
    let z = session
        .stage
        .characters
        .iter()
        .next()
        .unwrap()
        .1
        .placement
        .position
        .z;
    run(&mut session, 0.5);
    assert!(
        session
            .stage
            .characters
            .iter()
            .next()
            .unwrap()
            .1
            .placement
            .position
            .z
            > z + 0.4
    );
    folder.write("scripts/main.lua", SCRIPT);
    until(&mut session, "mended", |session| errors(session).is_empty());
}

#[test]
fn a_script_that_is_broken_from_the_start_waits_for_a_good_save() {
    let folder = Folder::new("start", "character 'assets/heor.glb'");
    let mut session = folder.open(true, Sound::Silent);
    until(&mut session, "the error", |session| {
        !errors(session).is_empty()
    });
    let text = errors(&session).join("\n");
    assert!(
        text.contains("scripts/main.lua:1") && text.contains("assets/hero.glb"),
        "{text}"
    );
    folder.write("scripts/main.lua", SCRIPT);
    until(&mut session, "running", |session| {
        session.stage.characters.len() == 1
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn a_model_is_swapped_in_place_and_a_damaged_one_leaves_the_old() {
    let folder = Folder::new("model", SCRIPT);
    let mut session = folder.open(true, Sound::Silent);
    run(&mut session, 0.5);
    let (handle, before, _) = hero(&session);
    let uid = |session: &Session| {
        session
            .stage
            .characters
            .get(handle)
            .unwrap()
            .definition
            .model
            .uid
    };
    let was = uid(&session);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();

    folder.write("assets/hero.glb", &good[..good.len() / 2]);
    until(&mut session, "the error", |session| {
        !errors(session).is_empty()
    });
    assert!(
        errors(&session)[0].contains("hero.glb"),
        "{:?}",
        errors(&session)
    );
    assert_eq!(uid(&session), was);

    // The same model with another name inside is another file.
    let mut changed = good.clone();
    let at = changed.windows(6).position(|w| w == b"\"wave\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"grin");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "the new model", |session| uid(session) != was);
    assert!(errors(&session).is_empty());
    let (_, after, state) = hero(&session);
    assert!(after > before && state == "walk");
    let clips = &session
        .stage
        .characters
        .get(handle)
        .unwrap()
        .definition
        .clips;
    assert!(clips.find("grin").is_some());

    // A model without a clip that the machine needs is not taken.
    let at = changed.windows(6).position(|w| w == b"\"walk\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"wolk");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "the refusal", |session| {
        !errors(session).is_empty()
    });
    assert!(
        errors(&session)[0].contains("\"walk\""),
        "{:?}",
        errors(&session)
    );
    run(&mut session, 0.2);
}

#[test]
fn a_character_made_while_the_scene_plays_is_there_at_once_and_the_script_goes_on() {
    let script = "local hero = character 'assets/hero.glb'
        local n, crate = 0, nil
        function update()
            n += 1
            hero.position = vector.create(n, 0, 0)
            if n == 10 then crate = character 'assets/crate.glb' end
            if n > 10 then crate.yaw = n end
            if n == 12 then pcall(character, 'assets/nowhere.glb') end
        end";
    let folder = Folder::new("late", script);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    folder.write("assets/crate.glb", &good);
    let mut session = folder.open(true, Sound::Silent);
    let first = session.stage.n_ticks;
    run(&mut session, 0.5);
    // Whatever would have come from the background has come.
    std::thread::sleep(Duration::from_millis(300));
    folder.write("assets/nowhere.glb", &good);
    std::thread::sleep(Duration::from_millis(300));
    run(&mut session, 0.1);
    assert!(errors(&session).is_empty(), "{:?}", errors(&session));
    let n = (session.stage.n_ticks - first) as f32;
    let characters: Vec<_> = session.stage.characters.iter().map(|(_, c)| c).collect();
    assert_eq!(characters.len(), 2);
    assert_eq!(
        characters[0].placement.position.x, n,
        "it was not run again"
    );
    assert_eq!(characters[1].placement.yaw, n);
}

#[test]
fn a_model_that_is_mended_is_what_a_failed_script_waited_for() {
    let folder = Folder::new("mended", "character 'assets/crate.glb'");
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    folder.write("assets/crate.glb", &good[..good.len() / 2]);
    let mut session = folder.open(true, Sound::Silent);
    until(&mut session, "the error", |session| {
        !errors(session).is_empty()
    });
    folder.write("assets/crate.glb", &good);
    until(&mut session, "running", |session| {
        session.stage.characters.len() == 1
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn intervals_and_plays_of_a_saved_model_end_cut_with_the_reason_reloaded() {
    let script = "local hero = character 'assets/hero.glb'
        hero.machine = machine { state 'walk' { 'walk' } }
        hero:mark('wave', 0.05, 'hold', { length = 1 })
        hero:ledger()
        local told = keep('told', { n = 0 })
        hero:play('wave', {
            on = { hold = function(e) if e.cut then told.n += 1 end end },
            done = function(why) if why == 'reloaded' and told.n == 1 then hero.yaw = 45 end end,
        })";
    let folder = Folder::new("cut", script);
    let mut session = folder.open(true, Sound::Silent);
    run(&mut session, 0.2);
    let mut changed = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    let at = changed.windows(6).position(|w| w == b"\"wave\"").unwrap();
    changed[at + 1..at + 5].copy_from_slice(b"grin");
    folder.write("assets/hero.glb", &changed);
    let has_it = |session: &Session| {
        let hero = session.stage.characters.iter().next().unwrap().1;
        hero.definition.clips.find("grin").is_some()
    };
    let start = Instant::now();
    while !has_it(&session) && start.elapsed() < Duration::from_secs(20) {
        session.apply_reloads();
        std::thread::sleep(Duration::from_millis(5));
    }
    session.tick();
    let hero = session.stage.characters.iter().next().unwrap().1;
    let reloaded = galatea::anim::Reason::Reloaded;
    assert_eq!(hero.ledger.counts().of(reloaded), 1);
    assert!(hero.actions.is_empty());
    assert_eq!(hero.placement.yaw, 45.0, "done came after the cut");
}

#[test]
fn a_held_thing_stays_in_the_hand_of_a_reloaded_model_or_is_let_go() {
    let script = "local hero = character 'assets/hero.glb'
        local lamp = character 'assets/galatea.glb' { scale = 0.1 }
        hero:attach(lamp, 'right_hand')";
    let folder = Folder::new("held", script);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    folder.write("assets/galatea.glb", &good);
    let mut session = folder.open(true, Sound::Silent);
    until(&mut session, "both", |session| {
        session.stage.characters.len() == 2
    });
    let held = |session: &Session| {
        let (_, lamp) = session.stage.characters.iter().nth(1).unwrap();
        let (_, hero) = session.stage.characters.iter().next().unwrap();
        let bones = hero.definition.model.skeleton.bones();
        lamp.attachment
            .map(|a| bones[usize::from(a.bone)].name.clone())
    };
    assert_eq!(held(&session).as_deref(), Some("right_hand"));
    // Without its right hand the model lets go.
    let mut changed = good.clone();
    let at = changed
        .windows(12)
        .position(|w| w == b"\"right_hand\"")
        .unwrap();
    changed[at + 1..at + 11].copy_from_slice(b"right_hook");
    folder.write("assets/hero.glb", &changed);
    until(&mut session, "letting go", |session| {
        held(session).is_none()
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn a_texture_beside_the_model_is_swapped_when_it_is_painted_over() {
    let folder = Folder::new("texture", "character 'assets/leaf.gltf'");
    let paint = |color: [u8; 3]| {
        let picture = image::RgbImage::from_pixel(4, 4, image::Rgb(color));
        picture.save(folder.0.join("assets/leaf.png")).unwrap();
    };
    paint([200, 30, 30]);
    let floats: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    folder.write("assets/leaf.bin", bytes);
    folder.write(
        "assets/leaf.gltf",
        r#"{ "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "textures": [{ "source": 0 }], "images": [{ "uri": "leaf.png" }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }], "buffers": [{ "uri": "leaf.bin", "byteLength": 36 }] }"#,
    );
    let mut session = folder.open(true, Sound::Silent);
    let texel = |session: &Session| {
        let (_, leaf) = session.stage.characters.iter().next().unwrap();
        leaf.definition.model.images[0].rgba[..3].to_vec()
    };
    assert_eq!(texel(&session), [200, 30, 30]);
    paint([20, 220, 60]);
    until(&mut session, "the new paint", |session| {
        texel(session) == [20, 220, 60]
    });
    folder.write("assets/leaf.png", "this is a text");
    until(&mut session, "the stand-in", |session| {
        session.diagnostics.warnings().next().is_some()
    });
    paint([1, 2, 3]);
    until(&mut session, "painted again", |session| {
        texel(session) == [1, 2, 3]
    });
    assert!(errors(&session).is_empty());
}

#[test]
fn a_state_of_the_lowest_layer_whose_clip_moves_few_bones_is_warned_of_once() {
    let folder = Folder::new(
        "partial",
        r#"
for _ = 1, 2 do
	local hero = character "assets/hero.glb"
	hero:add_clip(clip "nod" { bones = { head = { rotation = { { 0, 0, 0, 0 }, { 1, 20, 0, 0 } } } } })
	hero.machine = machine {
		state "walk" { "walk" },
		state "talk" {
			state "nods" { "nod" },
			state "both" { blend1d { by = "x", { 0, "nod" }, { 1, "walk" } } },
		},
		params = { x = 0 },
		layer "over" { state "nods" { "nod" } },
	}
end
"#,
    );
    let session = folder.open(false, Sound::Silent);
    assert!(errors(&session).is_empty(), "{:?}", errors(&session));
    let warnings: Vec<&str> = session.diagnostics.warnings().collect();
    let [warning] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    let start =
        "scripts/main.lua:8: state \"talk/nods\" plays \"nod\" alone, which moves 1 of the ";
    assert!(warning.starts_with(start), "{warning}");
    assert!(
        warning.contains("the others stand in the rest pose"),
        "{warning}"
    );
}

#[test]
fn a_sound_that_is_not_one_is_told_and_the_scene_goes_on() {
    let script = format!(
        "{SCRIPT}\nlocal old = update\nfunction update(dt) old(dt) if game.ticks % 30 == 0 then sound.play('step') end end"
    );
    let folder = Folder::new("sound", &script);
    folder.write("assets/sounds/step.wav", "this is a text");
    let mut session = folder.open(true, Sound::Capture);
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
    let folder = Folder::new("exact", script);
    let mut session = folder.open(false, Sound::Capture);
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
fn a_runaway_script_is_stopped_and_she_walks_on() {
    let script = format!(
        "{SCRIPT}\nlocal old = update\nfunction update(dt) old(dt) if game.ticks == 10 then while true do end end end"
    );
    let folder = Folder::new("runaway", &script);
    fs::write(folder.0.join("galatea.toml"), "[script]\nbudget = 100000\n").unwrap();
    let mut session = folder.open(false, Sound::Silent);
    run(&mut session, 1.0);
    assert!(
        errors(&session)[0].contains("ran longer"),
        "{:?}",
        errors(&session)
    );
    let (_, elapsed, _) = hero(&session);
    assert!((elapsed - 1.0).abs() < 1e-6);
}

#[test]
fn a_faulty_shader_is_told_with_file_and_line_and_the_old_one_goes_on() {
    let folder = Folder::new("shader", SCRIPT);
    let mut session = folder.open(true, Sound::Silent);
    let Ok(mut camera) = galatea::app::headless::Camera::new(&mut session) else {
        assert!(
            std::env::var_os("GALATEA_REQUIRE_ALL").is_none(),
            "a graphics driver is required"
        );
        eprintln!("skipped: no graphics driver");
        return;
    };
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

#[test]
fn a_save_is_told_with_what_changed_and_can_be_undone_and_done_again() {
    let script = |x: u32| {
        format!(
            "local hero = character 'assets/hero.glb'
            hero.machine = machine {{ state 'idle' {{ 'idle' }}, state 'walk' {{ 'walk' }},
                to 'walk' {{ on = 'go', fade = 0.{x} }} }}
            function update() hero.position = vector.create({x}, 0, 0) end"
        )
    };
    let folder = Folder::new("undo", &script(1));
    let mut session = folder.open(false, Sound::Silent);
    session.diagnostics.shows_news = true;
    let x = |session: &mut Session| {
        session.tick();
        let mut characters = session.stage.characters.iter();
        characters.next().unwrap().1.placement.position.x
    };
    let told = |session: &mut Session| {
        let mut frame = galatea::stage::Frame::default();
        session.frame(1.0, &mut frame);
        frame.messages.last().unwrap().text.clone()
    };
    assert_eq!(x(&mut session), 1.0);
    session.undo().expect_err("there is nothing before");
    assert!(told(&mut session).contains("no earlier version"));
    for n in [2, 3] {
        folder.write("scripts/main.lua", script(n));
        session.reload();
        assert_eq!(x(&mut session), n as f32);
    }
    let text = told(&mut session);
    assert!(
        text.contains("script reloaded")
            && text.contains("scripts/main.lua: lines 3 to 4")
            && text.contains("1 transition changed"),
        "{text}"
    );
    session.undo().unwrap();
    assert_eq!(x(&mut session), 2.0);
    session.undo().unwrap();
    assert_eq!(x(&mut session), 1.0);
    let text = told(&mut session);
    assert!(
        text.contains("1 of 3; the files stay as they are"),
        "{text}"
    );
    session.redo().unwrap();
    assert_eq!(x(&mut session), 2.0);
    let answer = session.ask("undo");
    assert!(answer.printed[0].contains("1 of 3"), "{answer:?}");
    assert_eq!(x(&mut session), 1.0);
    assert!(session.ask(" redo ").result.is_ok());
    assert_eq!(x(&mut session), 2.0);
    // The next save runs the files again, and what was gone back from is forgotten.
    folder.write("scripts/main.lua", script(4));
    session.reload();
    assert_eq!(x(&mut session), 4.0);
    session.redo().unwrap_err();
    session.undo().unwrap();
    assert_eq!(x(&mut session), 2.0);
    // From a broken save the version before the one that runs.
    folder.write("scripts/main.lua", "error('broken')");
    session.reload();
    assert_eq!(x(&mut session), 2.0);
    assert_eq!(errors(&session).len(), 1);
    session.undo().unwrap();
    assert_eq!(x(&mut session), 1.0);
    assert_eq!(errors(&session), [] as [&str; 0]);
}

/// A picture of all around in one colour, Radiance.
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
        ui.image('assets/logo.png', { at = vector.create(1, 2, 0) })";
    let folder = Folder::new("image", script);
    let save = |color: [u8; 3]| {
        let file = folder.0.join("assets/logo.png");
        image::RgbImage::from_pixel(4, 4, image::Rgb(color))
            .save(file)
            .unwrap();
    };
    save([255, 0, 0]);
    let mut session = folder.open(true, Sound::Silent);
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
            error.contains("assets/logo.png: is neither PNG")
                && error.contains("the version before goes on")
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
        light.environment('assets/sky.hdr', { yaw = 90, strength = 2, background = false, blur = 0.5 })";
    let folder = Folder::new("environment", script);
    folder.write("assets/sky.hdr", sky([128, 0, 0]));
    let mut session = folder.open(true, Sound::Silent);
    assert_eq!(errors(&session), [""; 0]);
    let color = |session: &Session| {
        let used = session.stage.light.environment.as_ref().unwrap();
        assert_eq!(
            (used.strength, used.background, used.blur),
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
            error.contains("assets/sky.hdr: is neither Radiance")
                && error.contains("the version before goes on")
        })
    });
    assert_eq!(color(&session), [false, true, false]);
    folder.write("assets/sky.hdr", sky([0, 0, 128]));
    until(&mut session, "the mended sky", |session| {
        color(session) == [false, false, true] && errors(session).is_empty()
    });
    // A file that is not there yet is waited for.
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
        let used = session.stage.light.environment.as_ref().unwrap();
        errors(session).is_empty() && used.environment.name == "skyy"
    });
}

/// A triangle with two materials, of which variants choose.
const TRIANGLE: &str = r#"{ "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "mesh": 0 }],
    "extensions": { "KHR_materials_variants": { "variants": [{ "name": "red" }, { "name": "blue" }] } },
    "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0, "extensions": {
        "KHR_materials_variants": { "mappings": [{ "material": 1, "variants": [1] }] } } }] }],
    "materials": [{ "name": "A" }, { "name": "B" }],
    "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0] }],
    "bufferViews": [{ "buffer": 0, "byteLength": 36 }], "buffers": [{ "uri": "leaf.bin", "byteLength": 36 }] }"#;

#[test]
fn a_variant_and_values_of_materials_reach_the_frame_and_outlive_a_save_of_the_model() {
    let script = "local leaf = character('assets/leaf.gltf', {
            variant = 'blue', materials = { B = { kind = 'skin', roughness = 0.5 } } })
        assert(leaf.variant == 'blue' and #leaf:variants() == 2)";
    let folder = Folder::new("variant", script);
    let floats: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    folder.write("assets/leaf.bin", bytes);
    folder.write("assets/leaf.gltf", TRIANGLE);
    let mut session = folder.open(true, Sound::Silent);
    assert_eq!(errors(&session), [""; 0]);
    let shown = |session: &mut Session| {
        let mut frame = galatea::stage::Frame::default();
        session.frame(1.0, &mut frame);
        let leaf = &frame.models[0];
        let primitive = &leaf.model.meshes[0].primitives[0];
        let material = primitive.material_in(leaf.variant);
        let changed: Vec<_> = frame
            .materials_of(leaf)
            .iter()
            .map(|one| (one.material, one.values.kind.name(), one.values.roughness))
            .collect();
        (leaf.model.materials[material].name.clone(), changed)
    };
    session.tick();
    let (name, changed) = shown(&mut session);
    assert_eq!((name.as_str(), changed), ("B", vec![(1, "skin", 0.5)]));
    // The same names at other places.
    let text = TRIANGLE
        .replace(r#"{ "name": "red" }, "#, "")
        .replace(
            r#"{ "name": "A" }, { "name": "B" }"#,
            r#"{ "name": "B" }, { "name": "A" }"#,
        )
        .replace(
            r#""material": 1, "variants": [1]"#,
            r#""material": 1, "variants": [0]"#,
        );
    folder.write("assets/leaf.gltf", text);
    until(&mut session, "the other order", |session| {
        let (name, changed) = shown(session);
        (name.as_str(), changed) == ("A", vec![(0, "skin", 0.5)])
    });
}
