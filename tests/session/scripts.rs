//! Hot reload of scripts, including broken ones.

use std::fs;
use std::path::Path;
use std::time::Duration;

use galatea::app::{Session, SoundOutput};

use super::{SCRIPT, errors, hero, open, project, run, until};

#[test]
fn an_edited_script_reloads_and_the_clip_time_continues() {
    let folder = project("edit", SCRIPT);
    let mut session = open(&folder, true, SoundOutput::Silent);
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
    let ticks = session.stage.clock.n_ticks as f64;
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
    let who = read("scripts/show/galatea.lua");
    let folder = project("demo", &read("scripts/main.lua"));
    for part in [
        "scripts",
        "scripts/show",
        "assets",
        "assets/sounds",
        "assets/lines",
    ] {
        fs::create_dir_all(folder.0.join(part)).unwrap();
        for entry in fs::read_dir(home.join(part)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_file() {
                folder.write(&format!("{part}/{name}"), fs::read(&path).unwrap());
            }
        }
    }
    let mut session = open(&folder, true, SoundOutput::Silent);
    // Any key ends the show.
    session.input(&galatea::stage::InputEvent::Down("enter".into()));
    run(&mut session, 0.2);
    session.input(&galatea::stage::InputEvent::Up("enter".into()));
    run(&mut session, 1.0);
    session.input(&galatea::stage::InputEvent::Down("w".into()));
    run(&mut session, 2.0);
    let place = |session: &Session| {
        let (_, hero) = session.stage.characters.iter().next().unwrap();
        let active = hero.playback.machine.as_ref().unwrap().1.layers[0]
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
    let ticks = session.stage.clock.n_ticks;
    folder.write(
        "scripts/show/galatea.lua",
        who.replace("local WALK, RUN = 1.4, 4.2", "local WALK, RUN = 2.8, 4.2"),
    );
    until(&mut session, "the new pace", |session| speed(session) > 2.6);
    assert!(errors(&session).is_empty());
    let (_, after) = place(&session);
    assert_eq!(after.state, before.state);
    let passed = (session.stage.clock.n_ticks - ticks) as f64 / 60.0;
    assert!(
        (after.age - before.age - passed).abs() < 1e-6,
        "the state's time never jumped"
    );
    assert!(after.cycle > before.cycle, "nor did the steps");
}

#[test]
fn a_broken_reload_is_reported_with_its_line_and_a_good_one_clears_it() {
    let folder = project("broken", SCRIPT);
    let mut session = open(&folder, true, SoundOutput::Silent);
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
    let z = |session: &Session| {
        let (_, hero) = session.stage.characters.iter().next().unwrap();
        hero.placement.position.z
    };
    let before = z(&session);
    run(&mut session, 0.5);
    assert!(z(&session) > before + 0.4);
    folder.write("scripts/main.lua", SCRIPT);
    until(&mut session, "mended", |session| errors(session).is_empty());
}

#[test]
fn a_reload_counts_as_fixed_only_after_running_without_errors() {
    let script =
        |update: &str| format!("character 'assets/hero.glb'\nfunction update()\n{update}\nend\n");
    let folder = project("fixed", &script(""));
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.diagnostics.shows_news = true;
    session.tick();
    let mut save = |text: &str| {
        folder.write("scripts/main.lua", text);
        session.reload();
        session.tick();
        let mut frame = galatea::stage::Frame::default();
        session.frame(1.0, &mut frame);
        run(&mut session, 10.0);
        frame
            .messages
            .into_iter()
            .map(|m| m.text)
            .collect::<Vec<_>>()
    };
    let has = |told: &[String], text: &str| told.iter().any(|line| line.contains(text));

    let told = save("local x = = 1");
    assert_eq!(told.len(), 1, "{told:?}");
    // It compiles now, but its first tick fails.
    let told = save(&script("nosuch()"));
    assert!(
        has(&told, "nosuch") && has(&told, "script reloaded"),
        "{told:?}"
    );
    assert!(!has(&told, "fixed"), "{told:?}");
    let told = save(&script("local y = 1"));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(has(&told, "script fixed, running"), "{told:?}");
    let told = save(&script("local z = 1"));
    assert!(
        has(&told, "script reloaded") && !has(&told, "fixed"),
        "{told:?}"
    );
}

#[test]
fn a_version_that_fails_while_it_ends_leaves_no_error() {
    let script = |ending: &str| {
        format!(
            "local hero = character 'assets/hero.glb'
hero:task(function(a)
    a:on_end(function() {ending} end)
    a:wait(100)
end)
"
        )
    };
    let folder = project("ending", &script("error 'cannot end'"));
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.diagnostics.shows_news = true;
    session.tick();
    assert_eq!(errors(&session), Vec::<String>::new());
    folder.write("scripts/main.lua", script("error 'cannot end either'"));
    session.reload();
    session.tick();
    let mut frame = galatea::stage::Frame::default();
    session.frame(1.0, &mut frame);
    let told: Vec<&str> = frame.messages.iter().map(|m| m.text.as_str()).collect();
    assert!(
        told.iter().any(|text| text
            .starts_with("while the previous version ended: scripts/main.lua:3: cannot end")),
        "{told:?}"
    );
    assert_eq!(errors(&session), Vec::<String>::new());
    // An error at the same line of the new version is not taken for a repetition.
    folder.write(
        "scripts/main.lua",
        "\n\nfunction update() error 'new' end\n",
    );
    session.reload();
    session.tick();
    let found = errors(&session);
    assert!(
        found.iter().any(|text| text.contains("main.lua:3: new")),
        "{found:?}"
    );
}

#[test]
fn a_script_broken_at_the_start_waits_for_a_good_version() {
    let folder = project("start", "character 'assets/heor.glb'");
    let mut session = open(&folder, true, SoundOutput::Silent);
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
fn a_character_created_while_running_exists_at_once() {
    let script = "local hero = character 'assets/hero.glb'
        local n, crate = 0, nil
        function update()
            n += 1
            hero.position = vector.create(n, 0, 0)
            if n == 10 then crate = character 'assets/crate.glb' end
            if n > 10 then crate.yaw = n end
            if n == 12 then pcall(character, 'assets/nowhere.glb') end
        end";
    let folder = project("late", script);
    let good = fs::read(folder.0.join("assets/hero.glb")).unwrap();
    folder.write("assets/crate.glb", &good);
    let mut session = open(&folder, true, SoundOutput::Silent);
    let first = session.stage.clock.n_ticks;
    run(&mut session, 0.5);
    // Background work has finished by then.
    std::thread::sleep(Duration::from_millis(300));
    folder.write("assets/nowhere.glb", &good);
    std::thread::sleep(Duration::from_millis(300));
    run(&mut session, 0.1);
    assert!(errors(&session).is_empty(), "{:?}", errors(&session));
    let n = (session.stage.clock.n_ticks - first) as f32;
    let characters: Vec<_> = session.stage.characters.iter().map(|(_, c)| c).collect();
    assert_eq!(characters.len(), 2);
    assert_eq!(
        characters[0].placement.position.x, n,
        "it was not run again"
    );
    assert_eq!(characters[1].placement.yaw, n);
}

#[test]
fn a_state_of_the_lowest_layer_whose_clip_moves_few_bones_is_warned_of_once() {
    let folder = project(
        "partial",
        r#"
for _ = 1, 2 do
	local hero = character "assets/hero.glb"
	hero:add_clip(clip "nod" { bones = { head = { rotation = { { 0, 0, 0, 0 }, { 1, 20, 0, 0 } } } } })
	hero.machine = machine {
		state "walk" { "walk" },
		state "talk" {
			state "nods" { "nod" },
			state "both" { blend1d { param = "x", { 0, "nod" }, { 1, "walk" } } },
		},
		params = { x = 0 },
		layer "over" { state "nods" { "nod" } },
	}
end
"#,
    );
    let session = open(&folder, false, SoundOutput::Silent);
    assert!(errors(&session).is_empty(), "{:?}", errors(&session));
    let warnings: Vec<&str> = session.diagnostics.warnings().collect();
    let [warning] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    let start =
        "scripts/main.lua:8: state \"talk/nods\" plays only clip \"nod\", which moves 1 of the ";
    assert!(warning.starts_with(start), "{warning}");
    assert!(
        warning.contains("the other bones stay in the rest pose"),
        "{warning}"
    );
}

#[test]
fn a_runaway_script_is_stopped_and_she_walks_on() {
    let script = format!(
        "{SCRIPT}\nlocal old = update\nfunction update(dt) old(dt) if game.ticks == 10 then while true do end end end"
    );
    let folder = project("runaway", &script);
    fs::write(folder.0.join("galatea.toml"), "[script]\nbudget = 100000\n").unwrap();
    let mut session = open(&folder, false, SoundOutput::Silent);
    run(&mut session, 1.0);
    assert!(
        errors(&session)[0].contains("exceeded its budget"),
        "{:?}",
        errors(&session)
    );
    let (_, elapsed, _) = hero(&session);
    assert!((elapsed - 1.0).abs() < 1e-6);
}

#[test]
fn a_reload_reports_its_changes_and_can_be_undone_and_redone() {
    let script = |x: u32| {
        format!(
            "local hero = character 'assets/hero.glb'
            hero.machine = machine {{ state 'idle' {{ 'idle' }}, state 'walk' {{ 'walk' }},
                transition_to 'walk' {{ on = 'go', fade = 0.{x} }} }}
            function update() hero.position = vector.create({x}, 0, 0) end"
        )
    };
    let folder = project("undo", &script(1));
    let mut session = open(&folder, false, SoundOutput::Silent);
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
    assert!(text.contains("1 of 3; the files are unchanged"), "{text}");
    session.redo().unwrap();
    assert_eq!(x(&mut session), 2.0);
    let answer = session.answer("undo");
    assert!(answer.printed[0].contains("1 of 3"), "{answer:?}");
    assert_eq!(x(&mut session), 1.0);
    assert!(session.answer(" redo ").result.is_ok());
    assert_eq!(x(&mut session), 2.0);
    // The next save runs the files again, and the undone versions are dropped.
    folder.write("scripts/main.lua", script(4));
    session.reload();
    assert_eq!(x(&mut session), 4.0);
    session.redo().unwrap_err();
    session.undo().unwrap();
    assert_eq!(x(&mut session), 2.0);
    // After a broken save, undo returns to the version that ran before the current one.
    folder.write("scripts/main.lua", "error('broken')");
    session.reload();
    assert_eq!(x(&mut session), 2.0);
    assert_eq!(errors(&session).len(), 1);
    session.undo().unwrap();
    assert_eq!(x(&mut session), 1.0);
    assert_eq!(errors(&session), [] as [&str; 0]);
}
