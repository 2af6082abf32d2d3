//! Key bindings: defaults of scripts, changes of the player, and saving.

use std::fs;
use std::io::{self, Write};

use galatea::app::recording::{InputRecording, Recorder};
use galatea::app::{PlayerProfile, Session};
use galatea::asset::Project;
use galatea::stage::{InputEvent, Rng};

use crate::common::{Bench, lua_test};
use crate::folder::Folder;
use crate::sessions;

fn down(key: &str) -> InputEvent {
    InputEvent::Down(key.into())
}

fn project(folder: &Folder) -> Project {
    Project::open(&folder.0).unwrap()
}

fn open(folder: &Folder, player: PlayerProfile) -> Session {
    Session::open_for(project(folder), sessions::silent(), player).unwrap()
}

fn bindings(folder: &Folder) -> Option<String> {
    fs::read_to_string(folder.0.join("bindings.toml")).ok()
}

fn errors(session: &Session) -> Vec<String> {
    session.diagnostics.errors().map(str::to_owned).collect()
}

fn warnings(session: &Session) -> Vec<String> {
    session.diagnostics.warnings().map(str::to_owned).collect()
}

#[test]
fn a_rebinding_screen_receives_the_next_key_and_replaces_the_binding() {
    let told = lua_test(
        "local function list(names) return table.concat(names, ' ') end
        t:expect(list(input.actions()) == 'jump run use wave', list(input.actions()))
        t:expect(list(input.axes()) == 'move_x move_y', list(input.axes()))
        t:expect(input.next_pressed() == nil)
        t:press('j') t:press('k')
        t:expect(input.next_pressed() == 'j', 'of several the first')
        input.rebind('jump', input.next_pressed())
        t:expect(input.pressed('jump'), 'it counts at once')
        t:run_ticks()
        t:expect(input.next_pressed() == nil, 'it is held, not pressed')
        t:expect(list(input.bound 'jump') == 'j')
        t:press('space')
        t:expect(not input.pressed('jump'))
        input.bind('jump', 'x')
        t:expect(list(input.bound 'jump') == 'j', 'the player chose')
        input.rebind_axis('move_x', { positive = { 'l', 'o' }, stick = 'pad_right_x' })
        local x = input.bound_axis 'move_x'
        t:expect(list(x.negative) == '' and list(x.positive) == 'l o' and list(x.stick) == 'pad_right_x')
        t:press('l')
        t:expect(input.axis('move_x') == 1)
        input.reset_bindings 'jump'
        t:expect(list(input.bound 'jump') == 'x' and #input.bound_axis('move_x').negative == 0)
        input.reset_bindings()
        t:expect(list(input.bound_axis('move_x').negative) == 'a left')
        input.rebind('jump', {})
        t:expect(#input.bound 'jump' == 0, 'no key at all')",
    );
    assert_eq!(told, Ok(()));
}

#[test]
fn unknown_input_names_are_reported_with_suggestions() {
    for (script, wanted) in [
        ("input.bind('jump', 'spcae')", "did you mean \"space\"?"),
        ("input.bind('jump', 'wave')", "no key \"wave\""),
        ("input.rebind('jmup', 'j')", "did you mean \"jump\"?"),
        (
            "input.rebind('jump', { 'j', 'pad_suoth' })",
            "did you mean \"pad_south\"?",
        ),
        (
            "input.rebind_axis('mvoe_x', {})",
            "did you mean \"move_x\"?",
        ),
        (
            "input.bind_axis('lean', { stick = 'pad_lfet_x' })",
            "did you mean \"pad_left_x\"?",
        ),
        (
            "input.bind_axis('lean', { positive = 'wheel_pu' })",
            "did you mean \"wheel_up\"?",
        ),
        ("input.bound('jmup')", "did you mean \"jump\"?"),
        ("input.bound_axis('mvoe_y')", "did you mean \"move_y\"?"),
        ("input.reset_bindings('jmup')", "did you mean \"jump\"?"),
        ("input.axis('mouse_xd')", "did you mean \"mouse_dx\"?"),
        (
            "input.bind('jump', table.create(33, 'a'))",
            "can have at most 32 keys",
        ),
    ] {
        let fault = Bench::empty().fault(script);
        assert!(fault.text.contains(wanted), "{script}: {}", fault.text);
        assert_eq!(fault.line, Some(1), "{script}");
    }
}

#[test]
fn a_reload_drops_old_script_bindings_and_keeps_those_of_the_player() {
    let mut bench = Bench::new("input.bind('duck', 'c') input.bind('jump', 'v')");
    bench.stage.apply(&down("c"));
    bench
        .load("input.bind('duck', 'x') input.rebind('duck', 'y') input.rebind('use', 'u')")
        .unwrap();
    bench.load(
        "input.bind('duck', 'z')
        print(input.bound('duck')[1], input.bound('jump')[1], input.bound('use')[1], input.down('c'))
        input.reset_bindings()
        print(input.bound('duck')[1], input.bound('use')[1])
        input.bind('hide', 'h')",
    )
    .unwrap();
    assert_eq!(bench.printed(), ["y\tspace\tu\ttrue", "z\te"]);
    let fault = bench.fault("print(input.bound('hide'))");
    assert!(fault.text.contains("no action \"hide\""), "{fault}");
    // A script that fails changes no keys.
    bench.fault("input.rebind('use', 'k') error 'no'");
    assert_eq!(
        bench.stage.input.bound("use"),
        Some(&["e".to_owned(), "pad_west".into()][..])
    );
    assert!(bench.stage.input.bound("hide").is_some());
}

#[test]
fn player_bindings_are_saved_and_invalid_files_are_reported_and_ignored() {
    let script = "print(input.bound('jump')[1])
        function update()
            local key = input.next_pressed()
            if key == 'backspace' then input.reset_bindings() input.save_bindings()
            elseif key then input.rebind('jump', key) input.save_bindings() end
        end";
    let folder = Folder::new("kept");
    folder.write("scripts/main.lua", script);
    let here = || PlayerProfile::here(&project(&folder));
    let mut session = open(&folder, here());
    session.tick();
    assert_eq!(bindings(&folder), None, "nothing to save");
    session.input(&down("j"));
    session.tick();
    assert!(
        bindings(&folder)
            .unwrap()
            .ends_with("[actions]\njump = [\"j\"]\n")
    );
    // Recordings and tests use the script's own keys and write nothing.
    let mut nobody = open(&folder, PlayerProfile::anonymous());
    assert_eq!(nobody.stage.input.bound("jump").unwrap()[0], "space");
    nobody.input(&down("k"));
    nobody.tick();
    assert!(bindings(&folder).unwrap().contains("\"j\""));
    let mut session = open(&folder, here());
    assert_eq!(session.stage.input.bound("jump").unwrap(), ["j"]);
    session.input(&down("backspace"));
    session.tick();
    assert_eq!(bindings(&folder), None, "nothing is left to keep");

    let file = folder.0.join("bindings.toml");
    fs::write(&file, "[actions]\njump = [\"jj\"]\n").unwrap();
    let mut session = open(&folder, here());
    let told: Vec<&str> = session.diagnostics.warnings().collect();
    assert!(
        told[0].contains("bindings.toml:2:9: unknown key \"jj\""),
        "{told:?}"
    );
    assert_eq!(session.stage.input.bound("jump").unwrap()[0], "space");
    // A folder at the path of the file prevents saving: the error is reported, and the project continues.
    fs::remove_file(&file).unwrap();
    fs::create_dir_all(file.join("full")).unwrap();
    session.input(&down("j"));
    session.tick();
    assert!(
        errors(&session)[0].contains("bindings.toml"),
        "{:?}",
        errors(&session)
    );
    assert_eq!(session.stage.input.bound("jump").unwrap(), ["j"]);
    fs::remove_dir_all(&file).unwrap();
    session.tick();
    session.input(&down("k"));
    session.tick();
    assert_eq!(errors(&session), [""; 0]);
    assert!(bindings(&folder).unwrap().contains("\"k\""));
}

/// A hero steered relative to the camera, with random speed and rebindable keys.
const STEERED: &str = r#"
local hero = character "assets/hero.glb"
hero.machine = machine {
    params = { speed = 0 },
    state "idle" { "idle" },
    state "move" { blend1d { param = "speed", { 1.4, "walk" }, { 4.2, "run" } } },
    transition_to "move" { from = "idle", when = "speed > 0.1" },
    transition_to "idle" { from = "move", when = "speed < 0.1", fade = inertial(0.3) },
}
local pace = math.random()
function update(dt)
    local key = input.next_pressed()
    if input.down("shift") and key then input.rebind("jump", key) end
    if input.pressed("jump") then hero:play("jump", { mask = "upper_body" }) pace = math.random() end
    pace = math.clamp(pace + random_range(-0.1, 0.1), 0, 1)
    local forward = camera.forward()
    local x, y = input.axis("move_x") + 10 * input.axis("mouse_dx"), input.axis("move_y")
    hero.machine.params.speed = math.abs(x) + math.abs(y) * 4 * pace
    hero.position += (forward * y + vector.create(-forward.z, 0, forward.x) * x) * dt
    if input.released("wheel_up") then hero.yaw += 10 end
end
"#;

fn steered(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("scripts/main.lua", STEERED);
    folder.copy("assets/mannequin.glb", "assets/hero.glb");
    folder
}

fn read(folder: &Folder, file: &str) -> InputRecording {
    InputRecording::parse(&fs::read_to_string(folder.0.join(file)).unwrap()).unwrap()
}

/// The complete observable state of a stage, to the bit.
fn bits(session: &Session) -> Vec<u32> {
    let mut bits = vec![
        session.stage.clock.n_ticks as u32,
        session.stage.rng.clone().bits() as u32,
    ];
    let camera = session.stage.camera.camera(1.0);
    bits.extend(camera.eye.to_array().map(f32::to_bits));
    for (_, character) in session.stage.characters.iter() {
        bits.extend(character.posed.world[0].to_cols_array().map(f32::to_bits));
        for bone in &character.posed.pose.locals {
            bits.extend(bone.translation.to_array().map(f32::to_bits));
            bits.extend(bone.rotation.to_array().map(f32::to_bits));
        }
        let (_, state) = character.playback.machine.as_ref().unwrap();
        bits.extend(
            state.layers[0]
                .active
                .iter()
                .map(|active| active.state as u32),
        );
    }
    bits
}

/// A second of random input.
fn somebody(session: &mut Session, rng: &mut Rng, seen: &mut Vec<Vec<u32>>) {
    let keys = [
        "w",
        "a",
        "space",
        "shift",
        "j",
        "pad1_south",
        "wheel_up",
        "pad2_south",
    ];
    let mut value = || (rng.unit() * 2.0 - 1.0) as f32;
    for _ in 0..60 {
        let numbers = [value(), value(), value()];
        let key = keys[((numbers[0] + 1.0) * 3.999) as usize];
        match ((numbers[1] + 1.0) * 8.0) as u32 {
            0..3 => session.input(&down(key)),
            3..6 => session.input(&InputEvent::Up(key.into())),
            6 => session.input(&InputEvent::Axis("pad2_left_y".into(), numbers[2])),
            7 => session.input(&InputEvent::Pointer(numbers[0].abs(), numbers[2].abs())),
            8 => session.input(&InputEvent::Turn(30.0 * numbers[0], numbers[2])),
            9 => session.input(&InputEvent::Pan(0.1 * numbers[0], 0.1 * numbers[2])),
            10 => session.input(&InputEvent::Zoom(0.2 * numbers[0])),
            _ => {}
        }
        session.tick();
        seen.push(bits(session));
    }
}

#[test]
fn every_run_throws_the_same_dice() {
    let throw = || {
        let mut bench = Bench::new("print(math.random(1000000), random_range())");
        bench
            .load("print(math.random(1000000), random_range())")
            .unwrap();
        bench.printed()
    };
    let first = throw();
    assert_eq!(first, throw());
    assert_ne!(first[0], first[1]);
}

#[test]
fn a_recording_played_again_shows_the_same_to_the_bit_also_of_a_player_with_other_keys() {
    let folder = steered("again");
    fs::write(
        folder.0.join("bindings.toml"),
        "[actions]\njump = [\"a\"]\n",
    )
    .unwrap();
    let player = PlayerProfile::here(&project(&folder));
    let file = folder.0.join("bug.jsonl");
    let recorder = Recorder::create(&file, player.header(&project(&folder))).unwrap();
    let mut session = open(&folder, player);
    session.record(recorder);
    let (mut rng, mut seen) = (Rng::new(3), Vec::new());
    for second in 0..20 {
        somebody(&mut session, &mut rng, &mut seen);
        // The file is complete at any time, as after a crash.
        if second == 9 {
            let so_far = read(&folder, "bug.jsonl").events;
            assert!(
                so_far.len() > 200 && so_far.last().unwrap().t > 9.5,
                "{}",
                so_far.len()
            );
        }
    }
    assert_eq!(errors(&session), [""; 0]);
    let moved = session
        .stage
        .characters
        .iter()
        .next()
        .unwrap()
        .1
        .placement
        .position;
    assert!(moved.length() > 0.5, "{moved}");
    fs::remove_file(folder.0.join("bindings.toml")).unwrap();

    let play = |recording: InputRecording| -> (Vec<Vec<u32>>, Vec<String>) {
        let mut again = open(&folder, PlayerProfile::of(&recording));
        again.replay(recording.events);
        let ticks = 0..seen.len();
        let all = ticks.map(|_| {
            // Live keys have no effect during playback.
            again.input(&down("d"));
            again.tick();
            bits(&again)
        });
        let all = all.collect();
        (all, warnings(&again))
    };
    let recording = read(&folder, "bug.jsonl");
    let (again, told) = play(recording.clone());
    assert_eq!(told, [""; 0]);
    // After the last recorded input the live keys work again.
    let last = (recording.events.last().unwrap().t * 60.0).round() as usize;
    let differs = (0..=last).find(|tick| again[*tick] != seen[*tick]);
    assert_eq!(differs, None);
    // The header of the recording counts: without the player's keys the game differs.
    let (other, told) = play(InputRecording {
        header: None,
        ..recording
    });
    assert!((0..=last).any(|tick| other[tick] != seen[tick]));
    assert!(told[0].contains("differs from the recording"), "{told:?}");
}

#[test]
fn a_replay_that_differs_from_its_recording_says_when_and_in_what() {
    let script = "local hero = character(\"hero.glb\")\nfunction update(dt)\n\tif now() > 2.5 then hero.yaw += 10 * dt end\nend\n";
    let folder = Folder::new("differs");
    folder.write("scripts/main.lua", script);
    folder.copy("assets/mannequin.glb", "assets/hero.glb");
    let file = folder.0.join("bug.jsonl");
    let header = PlayerProfile::anonymous().header(&project(&folder));
    let mut session = open(&folder, PlayerProfile::anonymous());
    session.record(Recorder::create(&file, header).unwrap());
    for _ in 0..300 {
        session.tick();
    }
    drop(session);
    let replay = || {
        let recording = read(&folder, "bug.jsonl");
        assert_eq!(recording.events.len(), 5);
        let mut session = open(&folder, PlayerProfile::of(&recording));
        session.replay(recording.events);
        for _ in 0..300 {
            session.tick();
        }
        assert_eq!(errors(&session), [""; 0]);
        warnings(&session)
    };
    assert_eq!(replay(), [""; 0]);
    folder.write("scripts/main.lua", script.replace("10 * dt", "11 * dt"));
    let told = replay();
    assert_eq!(told.len(), 1, "{told:?}");
    let expected = "the replay differs from the recording at 3.00 s (characters); at 2.00 s they were still equal";
    assert!(told[0].starts_with(expected), "{told:?}");
}

#[test]
fn after_a_recording_live_input_continues_without_stuck_keys() {
    let folder = steered("over");
    let mut session = open(&folder, PlayerProfile::anonymous());
    let text = "{\"t\": 0.1, \"down\": \"w\"}\n{\"t\": 0.4, \"axis\": [\"pad1_left_x\", 1]}\n";
    session.replay(InputRecording::parse(text).unwrap().events);
    for tick in 0..30 {
        if tick < 20 {
            session.input(&InputEvent::Up("w".into()));
        }
        session.tick();
    }
    session.input(&InputEvent::Pointer(0.5, 0.5));
    assert!(session.stage.input.down("w"), "as it was recorded");
    session.input(&down("a"));
    let input = &session.stage.input;
    assert!(input.down("a") && !input.down("w"));
    assert_eq!(input.axis("pad_left_x"), Some(0.0));
}

/// A disk with limited space in bytes.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(self.0);
        self.0 -= n;
        match n {
            0 => Err(io::Error::from(io::ErrorKind::StorageFull)),
            n => Ok(n),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_ends_the_recording_and_not_the_game() {
    let folder = steered("full");
    let play = |recorder: Option<Recorder>| {
        let mut session = open(&folder, PlayerProfile::anonymous());
        if let Some(recorder) = recorder {
            session.record(recorder);
        }
        let mut seen = Vec::new();
        somebody(&mut session, &mut Rng::new(9), &mut seen);
        let told = session.diagnostics.warnings().map(str::to_owned).collect();
        (seen, told)
    };
    let header = PlayerProfile::anonymous().header(&project(&folder));
    let recorder = Recorder::to(Disk(600), header.clone()).unwrap();
    let (seen, told): (_, Vec<String>) = play(Some(recorder));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].starts_with("the input recording stopped: "),
        "{told:?}"
    );
    let (want, told) = play(None);
    assert!(seen == want && told.is_empty());
    assert!(
        Recorder::to(Disk(0), header).is_err(),
        "a failed start is reported at once"
    );
}

#[test]
fn console_lines_are_part_of_a_recording_and_changed_files_are_reported() {
    let folder = steered("console");
    let file = folder.0.join("bug.jsonl");
    let header = PlayerProfile::anonymous().header(&project(&folder));
    let header = header.with_files(&project(&folder));
    let mut session = open(&folder, PlayerProfile::anonymous());
    session.record(Recorder::create(&file, header.clone()).unwrap());
    let place = |session: &Session| {
        let mut characters = session.stage.characters.iter();
        characters.next().unwrap().1.placement.position
    };
    let mut seen = Vec::new();
    for tick in 0..40 {
        if tick == 20 {
            let answer = session.answer("characters()[1].position = vec(7, 0, 3)");
            assert!(answer.result.is_ok());
        }
        session.tick();
        seen.push(place(&session));
    }
    let recording = read(&folder, "bug.jsonl");
    assert_eq!(recording.header.as_ref().unwrap().files, header.files);
    let mut again = open(&folder, PlayerProfile::of(&recording));
    again.replay(recording.events);
    for place_then in seen {
        again.tick();
        assert_eq!(place(&again), place_then);
    }
    assert_eq!(warnings(&again), [""; 0]);
    assert_eq!(header.differs(&project(&folder)).unwrap(), None);
    folder.write("scripts/other.lua", "return 1");
    let told = header.differs(&project(&folder)).unwrap().unwrap();
    assert_eq!(told, "changed since the recording: files of the project");
}
