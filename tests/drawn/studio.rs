//! The studio as a user sees it: pictures of its panels, and a scripted mouse in them.

use std::process::Command;

use galatea::app::character_history::{MomentKind, TrackKind};
use galatea::app::studio_facts::StudioAction;
use galatea::app::{PlayerProfile, Session};
use galatea::asset::Project;
use galatea::stage::InputEvent;
use galatea::studio::{EditKey, StudioPane, Typed};

use crate::desk::{Desk, MAIN};
use crate::folder::Folder;
use crate::looked_at;
use crate::sessions;

#[test]
fn panels_look_as_they_did() {
    let Some(mut desk) = Desk::new().filter(|_| looked_at::can_compare()) else {
        return;
    };
    desk.tick(110);
    desk.dock.select(Some("hero"));
    for (name, size, scale) in [
        ("studio", (1280, 720), 1.0),
        ("studio_large", (2560, 1440), 2.0),
    ] {
        (desk.size, desk.scale) = (size, scale);
        // The first pictures do the layout.
        desk.picture(&[]);
        desk.picture(&[]);
        let (picture, _) = desk.picture(&[]);
        looked_at::compare(name, &picture).unwrap();
    }
    (desk.size, desk.scale) = ((1280, 720), 1.0);
    for (name, pane) in [
        ("studio_pose", StudioPane::Pose),
        ("studio_face", StudioPane::Face),
        ("studio_meters", StudioPane::Meters),
        ("studio", StudioPane::Machine),
    ] {
        if pane == StudioPane::Machine {
            desk.dock.open(StudioPane::Timeline);
        }
        desk.dock.open(pane);
        desk.picture(&[]);
        desk.picture(&[]);
        let (picture, _) = desk.picture(&[]);
        looked_at::compare(name, &picture).unwrap();
    }
    desk.session.look_back().unwrap();
    desk.session.perform(&StudioAction::ShowTick(45)).unwrap();
    for _ in 0..40 {
        desk.session.tick();
    }
    desk.picture(&[]);
    desk.picture(&[]);
    let (picture, _) = desk.picture(&[]);
    looked_at::compare("studio_past", &picture).unwrap();
    desk.session.return_to_present();
    desk.dock.open(StudioPane::Values);
    let changed = StudioAction::SetLiteral {
        file: "scripts/main.lua".into(),
        start: MAIN.find("4.5").unwrap(),
        text: "3.5".into(),
    };
    desk.picture(&[]);
    desk.session.perform(&changed).unwrap();
    desk.tick(1);
    desk.picture(&[]);
    let (picture, _) = desk.picture(&[]);
    looked_at::compare("studio_values", &picture).unwrap();
}

#[test]
fn a_click_selects_hides_and_pauses_characters() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(5);
    desk.picture(&[]);
    desk.picture(&[]);
    assert_eq!(desk.dock.selected(), None);
    desk.click("row hero");
    assert_eq!(desk.dock.selected(), Some("hero"));
    let hidden = desk.click("Shows or hides it hero");
    let line = "find_character(\"hero\").visible = false";
    assert_eq!(hidden, [StudioAction::Run(line.into())]);
    let handle = desk.session.stage.characters.named("hero").unwrap();
    let hero = desk.session.stage.characters.get(handle).unwrap();
    assert!(hero.appearance.is_hidden);
    desk.click("Pauses it or lets it continue hero");
    let hero = desk.session.stage.characters.get(handle).unwrap();
    assert_eq!(hero.time.scale, 0.0);
    desk.click("button Pause");
    assert!(desk.session.stage.time_control.is_paused());
    desk.click("button Resume");
    assert!(!desk.session.stage.time_control.is_paused());
}

#[test]
fn the_ray_through_the_picture_finds_the_posed_mesh() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(5);
    let session = &mut desk.session;
    assert_eq!(
        session.character_at([0.5, 0.5], 1.5).as_deref(),
        Some("hero")
    );
    assert_eq!(session.character_at([0.02, 0.1], 1.5), None);
    session.answer("find_character('hero').visible = false");
    assert_eq!(session.character_at([0.5, 0.5], 1.5), None);
}

#[test]
fn a_click_on_a_state_enters_it_and_a_parameter_can_be_dragged() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(5);
    desk.dock.select(Some("hero"));
    desk.picture(&[]);
    desk.picture(&[]);
    assert_eq!(desk.state(), "\"stand\"");
    let clicked = desk.click("state air/fall");
    let line =
        "find_character(\"hero\").machine:jump_to(\"air/fall\", { fade = 0.2, layer = \"body\" })";
    assert_eq!(clicked, [StudioAction::Run(line.into())]);
    desk.tick(1);
    assert_eq!(desk.state(), "\"air/fall\"");
    desk.click("param armed");
    let (x, y) = desk.center("param speed");
    desk.picture(&[Typed::Pointer(x, y)]);
    desk.picture(&[Typed::Button(x, y, true)]);
    desk.picture(&[Typed::Pointer(x + 40.0, y)]);
    desk.picture(&[Typed::Pointer(x + 80.0, y)]);
    desk.picture(&[Typed::Button(x + 80.0, y, false)]);
    desk.tick(1);
    let answer = desk
        .session
        .answer("find_character('hero').machine.params.speed > 0.3");
    assert_eq!(answer.result.unwrap(), ["true"]);
    let answer = desk
        .session
        .answer("find_character('hero').machine.params.armed");
    assert_eq!(answer.result.unwrap(), ["true"]);
    desk.click("layer arms");
    desk.picture(&[]);
    let clicked = desk.click("state hail");
    assert_eq!(clicked.len(), 1, "{clicked:?}");
    desk.tick(1);
    let answer = desk
        .session
        .answer("find_character('hero').machine:state('arms')");
    assert_eq!(answer.result.unwrap(), ["\"hail\""]);
}

#[test]
fn a_click_on_a_meter_displays_that_moment_and_the_menu_sets_a_view() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(90);
    desk.dock.select(Some("hero"));
    desk.dock.open(StudioPane::Meters);
    desk.picture(&[]);
    desk.picture(&[]);
    let clicked = desk.click("meter Pop");
    assert!(
        matches!(clicked.as_slice(), [StudioAction::ShowTick(_), ..]),
        "{clicked:?}"
    );
    let past = desk.session.past_position().unwrap();
    assert!((40..=50).contains(&past.n_ticks), "{past:?}");
    desk.click("button Back to the present");
    desk.click("button View");
    let chosen = desk.click("view weights");
    assert_eq!(
        chosen,
        [StudioAction::Run("debug_view(\"weights\")".into())]
    );
    let view = desk.session.stage.picture.view.as_ref().unwrap();
    assert_eq!(view.kind.name(), "weights");
}

#[test]
fn modifiers_are_switched_and_expressions_set() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(100);
    desk.dock.select(Some("hero"));
    desk.dock.open(StudioPane::Pose);
    desk.picture(&[]);
    let switched = desk.click("modifier foot_ik");
    let line = "find_character(\"hero\"):modifier(\"foot_ik\").enabled = false";
    assert_eq!(switched, [StudioAction::Run(line.into())]);
    let answer = desk
        .session
        .answer("find_character('hero'):modifier('foot_ik').enabled");
    assert_eq!(answer.result.unwrap(), ["false"]);
    desk.dock.open(StudioPane::Face);
    desk.picture(&[]);
    desk.picture(&[]);
    let moved = desk.click("control smile");
    assert!(
        matches!(moved.as_slice(), [StudioAction::Run(line)] if line.contains("face:set(\"smile\"")),
        "{moved:?}"
    );
    desk.tick(2);
    let answer = desk
        .session
        .answer("find_character('hero').face:get('smile') > 0.2");
    assert_eq!(answer.result.unwrap(), ["true"]);
}

#[test]
fn a_dragged_value_runs_at_once_and_is_written_when_it_is_applied() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(5);
    desk.dock.open(StudioPane::Values);
    desk.picture(&[]);
    let file = desk.session.project.root.join("scripts/main.lua");
    let saved = || std::fs::read_to_string(&file).unwrap();
    let (x, y) = desk.center("value camera.orbit.distance");
    desk.picture(&[Typed::Pointer(x, y)]);
    desk.picture(&[Typed::Button(x, y, true)]);
    for dx in [10.0, 20.0, 30.0, 40.0] {
        let (_, actions) = desk.picture(&[Typed::Pointer(x + dx, y)]);
        let [StudioAction::SetLiteral { start, .. }] = actions.as_slice() else {
            panic!("{actions:?}");
        };
        assert!(MAIN[*start..].starts_with("4.5"));
        desk.tick(1);
    }
    desk.picture(&[Typed::Button(x + 40.0, y, false)]);
    desk.tick(1);
    let distance = desk.session.stage.camera.set.distance;
    assert!(distance > 5.0, "{distance}");
    assert_eq!(saved(), MAIN);
    let version = desk.session.undo().unwrap();
    assert!(version.contains("values"), "{version}");
    desk.tick(1);
    assert_eq!(desk.session.stage.camera.set.distance, 4.5);

    // Two values in one step.
    for name in ["value camera.orbit.yaw", "value camera.orbit.pitch"] {
        desk.picture(&[]);
        let (x, y) = desk.center(name);
        desk.picture(&[Typed::Pointer(x, y), Typed::Button(x, y, true)]);
        desk.picture(&[Typed::Pointer(x + 30.0, y)]);
        desk.picture(&[Typed::Button(x + 30.0, y, false)]);
    }
    desk.click("button Apply");
    desk.tick(1);
    let written = saved();
    let [before, after] = [MAIN, &written].map(|text| text.lines().collect::<Vec<_>>());
    let differ = (0..before.len()).filter(|i| before[*i] != after[*i]);
    assert_eq!(differ.collect::<Vec<_>>(), [1]);
    assert_eq!(before.len(), after.len());
    assert!(!after[1].contains("yaw = 20") && !after[1].contains("pitch = 6 "));
    desk.click("button Undo");
    desk.tick(1);
    assert_eq!(saved(), MAIN);
    desk.click("button Redo");
    assert_eq!(saved(), written);
}

#[test]
fn texts_colours_switches_and_words_of_a_script_are_edited() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(5);
    desk.dock.open(StudioPane::Values);
    desk.picture(&[]);
    let literal = |actions: &[StudioAction]| match actions {
        [StudioAction::SetLiteral { text, .. }] => text.clone(),
        _ => panic!("{actions:?}"),
    };
    let actions = desk.click("value machine.params.armed");
    assert_eq!(literal(&actions), "true");
    desk.tick(1);
    let armed = "find_character('hero').machine.params.armed";
    assert_eq!(desk.session.answer(armed).result.unwrap(), ["true"]);
    desk.click("value light.point.color");
    // The colour field opens above the button.
    let (x, y) = desk.center("value light.point.color");
    desk.picture(&[]);
    let (x, y) = (x - 40.0, y - 180.0);
    desk.picture(&[Typed::Pointer(x, y)]);
    let (_, chosen) = desk.picture(&[Typed::Button(x, y, true)]);
    desk.picture(&[Typed::Button(x, y, false)]);
    assert!(
        chosen
            .iter()
            .all(|action| matches!(action, StudioAction::SetLiteral { .. }))
            && chosen.len() > 1,
        "{chosen:?}"
    );
    desk.picture(&[
        Typed::Pointer(400.0, 200.0),
        Typed::Button(400.0, 200.0, true),
    ]);
    desk.picture(&[Typed::Button(400.0, 200.0, false)]);
    desk.click("button Texts");
    desk.click("value character.name");
    let all = Typed::Key {
        key: EditKey::A,
        shift: false,
        control: true,
    };
    let (_, typed) = desk.picture(&[all, Typed::Text("heroine".into())]);
    assert_eq!(typed, [], "while it is typed");
    let actions = desk.click("row crate");
    let set = actions
        .iter()
        .filter(|action| !matches!(action, StudioAction::Select(_)));
    assert_eq!(literal(&set.cloned().collect::<Vec<_>>()), "\"heroine\"");
    desk.tick(1);
    assert!(desk.session.stage.characters.named("heroine").is_some());
    desk.click("button Discard");
    desk.tick(1);
    assert!(desk.session.stage.characters.named("hero").is_some());
    assert_eq!(desk.session.stage.characters.iter().count(), 2);
}

#[test]
fn a_click_on_the_timeline_displays_that_moment() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(120);
    desk.dock.select(Some("hero"));
    desk.picture(&[]);
    desk.picture(&[]);
    let (present, y) = desk.center("tick 120");
    let (first, _) = desk.center("tick 1");
    let x = first + (present - first) * 0.5;
    desk.picture(&[Typed::Pointer(x, y)]);
    desk.picture(&[Typed::Button(x, y, true)]);
    desk.picture(&[Typed::Button(x, y, false)]);
    let past = desk.session.past_position().expect("the past is displayed");
    assert!((59..=62).contains(&past.n_ticks), "{past:?}");
    desk.click("button Back to the present");
    assert!(desk.session.past_position().is_none());
    desk.click("button Export");
    let file = desk.session.project.root.join("out/timeline-hero.json");
    let text = std::fs::read_to_string(file).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let first = &document["tracks"][0];
    assert_eq!(
        (&first["kind"], &first["name"]),
        (&"state".into(), &"body".into())
    );
    assert_eq!(first["intervals"][0]["label"], "stand");
}

#[test]
fn a_range_becomes_a_test_that_passes_and_fails_when_the_script_is_broken() {
    let Some(mut desk) = Desk::new() else { return };
    desk.tick(60);
    desk.session.input(&InputEvent::Down("k".into()));
    desk.tick(40);
    desk.session.input(&InputEvent::Up("k".into()));
    // A line of the console is input too.
    desk.session
        .answer("find_character('hero').machine.params.speed = 3");
    desk.tick(100);
    desk.dock.select(Some("hero"));
    desk.picture(&[]);
    desk.click("button Test");
    desk.click("field test name");
    desk.picture(&[Typed::Text("Hero walks".into())]);
    // The arms do not matter for this test.
    desk.click("expect arms");
    let (menu, _) = desk.picture(&[]);
    if looked_at::can_compare() {
        looked_at::compare("studio_test", &menu).unwrap();
    }
    let actions = desk.click("button Write the test");
    assert!(
        matches!(actions.as_slice(), [StudioAction::RecordTest(_)]),
        "{actions:?}"
    );
    let folder = &desk.session.project.root;
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let test = read("tests/hero_walks.lua");
    for line in [
        "test(\"Hero walks\", function(t)",
        "require \"main\"",
        "t:expect_state(hero, \"stand\", \"body\")",
        "t:expect_state(hero, \"move\", \"body\")",
        "t:expect_event_count(hero, \"step\", ",
        "t:expect_metric(hero, \"foot_slide\", ",
    ] {
        assert!(test.contains(line), "{line} is missing in\n{test}");
    }
    assert!(!test.contains("\"arms\""), "{test}");
    let inputs = read("tests/recorded/hero_walks.jsonl");
    assert!(
        inputs.contains("\"down\":\"k\"") && inputs.contains("params.speed = 3"),
        "{inputs}"
    );
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_galatea"));
        let run = command.arg("test").arg(folder).output().unwrap();
        (
            run.status.success(),
            String::from_utf8_lossy(&run.stdout).into_owned(),
        )
    };
    let (passes, report) = run();
    assert!(passes, "{report}\n{test}");
    std::fs::write(
        folder.join("scripts/main.lua"),
        MAIN.replace("speed > 0.2", "speed > 20"),
    )
    .unwrap();
    let (passes, report) = run();
    assert!(
        !passes && report.contains("expected the state \"move\""),
        "{report}"
    );
}

#[test]
fn the_timeline_records_states_words_feet_and_events() {
    let folder = Folder::project("studio", MAIN);
    let project = Project::open(&folder.0).unwrap();
    let player = PlayerProfile::anonymous();
    let mut session = Session::open_for_console(project, sessions::silent(), player).unwrap();
    session.keep_past(60.0);
    for n in 0..220 {
        // Foot IK reports the steps, so those of the clips are suppressed.
        if n == 150 {
            session.answer("find_character('hero').machine.params.speed = 3.6");
        }
        sessions::tick(&mut session);
    }
    let facts = session.studio_facts(Some("hero"));
    let history = &facts.history.unwrap().characters["hero"];
    let track = |kind: TrackKind, name: &str| {
        let mut all = history.tracks.iter();
        let found = all.find(|track| track.kind == kind && track.name == name);
        let intervals = &found.unwrap_or_else(|| panic!("{kind:?} {name}")).intervals;
        let shown = intervals
            .iter()
            .map(|one| (one.label.as_str(), one.from, one.to));
        shown.collect::<Vec<_>>()
    };
    let states = track(TrackKind::State, "body");
    assert_eq!(
        (states[0].0, states[1].0, states.len()),
        ("stand", "move", 2)
    );
    assert_eq!(states[1].1, states[0].2 + 1, "without a gap");
    assert!((30..=33).contains(&states[1].1), "{states:?}");
    assert_eq!(track(TrackKind::Line, "")[0].0, "Hello there.");
    let words: Vec<&str> = track(TrackKind::Word, "")
        .iter()
        .map(|word| word.0)
        .collect();
    assert_eq!(words, ["Hello", "there"]);
    assert!(
        track(TrackKind::Mouth, "")
            .iter()
            .any(|owner| owner.0 == "speech")
    );
    assert!(!track(TrackKind::Foot, "left").is_empty());
    let of = |kind: MomentKind| {
        history
            .moments
            .iter()
            .filter(move |moment| moment.kind == kind)
    };
    assert!(of(MomentKind::Event).any(|event| event.name == "step"));
    let suppressed: Vec<_> = of(MomentKind::Suppressed).collect();
    assert!(
        suppressed
            .iter()
            .any(|event| event.details.contains("suppressed: foot_ik_steps")),
        "{suppressed:?}"
    );
}
