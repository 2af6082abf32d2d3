//! Values of scripts that the studio changes: they run at once, are written when they are applied, and never overwrite what
//! was changed in the file meanwhile.

use std::fs;

use galatea::app::studio_facts::StudioAction;
use galatea::app::{Session, SoundOutput};
use galatea::script::literals::ValueKind;

use super::{errors, open, project, until};
use crate::folder::Folder;

const MAIN: &str = "scripts/main.lua";
const SCENE: &str = r#"
local hero = character("assets/hero.glb", { name = "hero" })
hero.yaw = 10
local game = keep_on_reload("game", { loads = 0 })
game.loads += 1
limits = { speed = 2 }
camera.orbit { distance = 4, pitch = 5 }
"#;

/// Sets a value by its label, as the panel does.
fn set(session: &mut Session, label: &str, text: &str) {
    let facts = session.studio_facts(None);
    let script = &facts.edits.files[MAIN];
    let mut values = script.literals.values.iter();
    let value = values.find(|value| value.label == label);
    let value = value.unwrap_or_else(|| panic!("{label} is not listed"));
    let start = value.kind.literals()[0].range.start;
    act(
        session,
        StudioAction::SetLiteral {
            file: MAIN.into(),
            start,
            text: text.into(),
        },
    );
    session.tick();
}

fn act(session: &mut Session, action: StudioAction) {
    session.perform(&action).unwrap();
}

fn answer(session: &mut Session, line: &str) -> String {
    session.answer(line).result.unwrap().join(" ")
}

fn saved(folder: &Folder) -> String {
    fs::read_to_string(folder.0.join(MAIN)).unwrap()
}

fn save(session: &mut Session, folder: &Folder, text: &str) {
    folder.write(MAIN, text);
    session.files_changed(&[folder.0.join(MAIN)]);
    session.tick();
}

fn conflicts(session: &mut Session) -> Vec<[String; 3]> {
    let facts = session.studio_facts(None);
    let conflicts = facts.edits.files[MAIN].conflicts.iter();
    conflicts
        .map(|one| [&one.label, &one.before, &one.after].map(String::clone))
        .collect()
}

#[test]
fn a_change_runs_at_once_and_the_version_before_it_is_one_step_back() {
    let folder = project("values", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    for speed in ["3", "4", "5"] {
        set(&mut session, "limits.speed", speed);
        assert_eq!(answer(&mut session, "limits.speed"), speed);
    }
    set(&mut session, "camera.orbit.distance", "6.5");
    assert_eq!(session.stage.camera.set.distance, 6.5);
    assert_eq!(saved(&folder), SCENE);
    act(&mut session, StudioAction::ApplyValues);
    session.tick();
    let written = saved(&folder);
    let wanted = SCENE
        .replace("speed = 2", "speed = 5")
        .replace("distance = 4", "distance = 6.5");
    assert_eq!(written, wanted);
    // Nothing ran again, and the version without the changes is the one before.
    assert_eq!(answer(&mut session, "find_character('hero').yaw"), "10");
    session.undo().unwrap();
    assert_eq!(answer(&mut session, "limits.speed"), "2");
    assert_eq!(session.stage.camera.set.distance, 4.0);
    assert_eq!(saved(&folder), written);
}

#[test]
fn changes_in_other_lines_are_kept_and_in_the_same_line_both_are_shown() {
    let folder = project("values-conflict", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    set(&mut session, "limits.speed", "3");
    set(&mut session, "camera.orbit.pitch", "7");
    let edited = SCENE.replace("pitch = 5", "pitch = 9") + "-- more\n";
    save(&mut session, &folder, &edited);
    // The file wins until the user decides.
    assert_eq!(session.stage.camera.set.pitch, 9.0);
    assert_eq!(answer(&mut session, "limits.speed"), "3");
    let conflict = ["camera.orbit.pitch", "5", "7"].map(str::to_owned);
    assert_eq!(conflicts(&mut session), [conflict]);
    act(&mut session, StudioAction::ApplyValues);
    assert_eq!(saved(&folder), edited.replace("speed = 2", "speed = 3"));
    assert_eq!(conflicts(&mut session).len(), 1);
    act(
        &mut session,
        StudioAction::ResolveConflict {
            file: MAIN.into(),
            index: 0,
            keeps_mine: true,
        },
    );
    session.tick();
    assert_eq!(session.stage.camera.set.pitch, 7.0);
    act(&mut session, StudioAction::ApplyValues);
    assert!(saved(&folder).contains("pitch = 7") && saved(&folder).ends_with("-- more\n"));
}

#[test]
fn a_file_that_was_changed_after_the_last_look_is_not_overwritten() {
    let folder = project("values-late", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    set(&mut session, "limits.speed", "3");
    set(&mut session, "camera.orbit.pitch", "7");
    // No tick and no event tells the session.
    let edited = SCENE.replace("speed = 2", "speed = 20");
    folder.write(MAIN, &edited);
    act(&mut session, StudioAction::ApplyValues);
    assert_eq!(saved(&folder), edited.replace("pitch = 5", "pitch = 7"));
    session.tick();
    assert_eq!(answer(&mut session, "limits.speed"), "20");
    // The same holds for undo.
    folder.write(MAIN, saved(&folder).replace("pitch = 7", "pitch = 70"));
    let error = session.perform(&StudioAction::UndoValues).unwrap_err();
    assert!(
        error.contains("scripts/main.lua:7: 7 was changed"),
        "{error}"
    );
    assert!(saved(&folder).contains("pitch = 70"));
}

#[test]
fn what_cannot_be_written_can_be_undone_later() {
    let folder = project("values-read-only", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    set(&mut session, "limits.speed", "3");
    act(&mut session, StudioAction::ApplyValues);
    let file = folder.0.join(MAIN);
    let writable = fs::metadata(&file).unwrap().permissions();
    let mut read_only = writable.clone();
    read_only.set_readonly(true);
    fs::set_permissions(&file, read_only).unwrap();
    let error = session.perform(&StudioAction::UndoValues).unwrap_err();
    assert!(error.contains("main.lua"), "{error}");
    assert!(session.perform(&StudioAction::RedoValues).is_err());
    fs::set_permissions(&file, writable).unwrap();
    act(&mut session, StudioAction::UndoValues);
    assert_eq!(saved(&folder), SCENE);
}

#[test]
fn all_other_bytes_stay_as_they_are() {
    let folder = project("values-bytes", SCENE);
    let text = format!("\u{feff}{}", SCENE.replace('\n', "\r\n"));
    folder.write(MAIN, &text);
    let mut session = open(&folder, false, SoundOutput::Silent);
    set(&mut session, "hero.yaw", "-30");
    act(&mut session, StudioAction::ApplyValues);
    assert_eq!(saved(&folder), text.replace("yaw = 10", "yaw = -30"));
    act(&mut session, StudioAction::UndoValues);
    assert_eq!(saved(&folder), text);
    act(&mut session, StudioAction::RedoValues);
    assert_eq!(saved(&folder), text.replace("yaw = 10", "yaw = -30"));
    assert!(session.perform(&StudioAction::RedoValues).is_err());
}

#[test]
fn a_value_that_is_wrong_leaves_the_version_before_running() {
    let folder = project("values-wrong", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    set(&mut session, "camera.orbit.distance", "\"far\"");
    assert_eq!(errors(&session).len(), 1, "{:?}", errors(&session));
    assert_eq!(session.stage.characters.iter().count(), 1);
    act(&mut session, StudioAction::DiscardValues);
    session.tick();
    assert_eq!(errors(&session), [""; 0]);
    let facts = session.studio_facts(None);
    let values = &facts.edits.files[MAIN].literals.values;
    assert!(
        values
            .iter()
            .all(|value| !matches!(value.kind, ValueKind::Computed(_)))
    );
}

#[test]
fn a_written_file_is_not_loaded_again_but_a_saved_one_is() {
    let folder = project("values-watched", SCENE);
    let mut session = open(&folder, true, SoundOutput::Silent);
    until(&mut session, "the script runs", |session| {
        session.is_loaded()
    });
    set(&mut session, "limits.speed", "3");
    act(&mut session, StudioAction::ApplyValues);
    for _ in 0..150 {
        session.tick();
        std::thread::sleep(std::time::Duration::from_millis(4));
    }
    assert_eq!(answer(&mut session, "keep_on_reload('game').loads"), "2");
    folder.write(MAIN, saved(&folder) + "\n");
    until(&mut session, "the saved script runs", |session| {
        answer(session, "keep_on_reload('game').loads") == "3"
    });
}

#[test]
fn a_value_that_is_changed_in_the_past_changes_what_came_after() {
    let script =
        format!("{SCENE}function update(dt) hero.position += vec(0, 0, limits.speed * dt) end\n")
            .replace("local hero", "hero");
    let folder = project("values-past", &script);
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.keep_past(60.0);
    for _ in 0..120 {
        session.tick();
    }
    session.look_back().unwrap();
    act(&mut session, StudioAction::ShowTick(60));
    set(&mut session, "limits.speed", "4");
    until(&mut session, "the past was replayed", |session| {
        session.past_change().is_some()
    });
    session.return_to_present();
    let (_, hero) = session.stage.characters.iter().next().unwrap();
    let z = hero.placement.position.z;
    assert!((z - 6.0).abs() < 0.1, "{z}");
    let facts = session.studio_facts(None);
    let reloads = &facts.history.unwrap().reloads;
    assert!(
        reloads
            .iter()
            .any(|(tick, what)| *tick == 60 && what == "changed past"),
        "{reloads:?}"
    );
    assert_eq!(saved(&folder), script);
}
