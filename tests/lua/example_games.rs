//! The examples with saved games and with a rewind are played as a player would.

use galatea::app::Session;
use galatea::stage::{InputEvent, UiContent};

use crate::examples::{hero, open, run};

fn press(session: &mut Session, key: &str) {
    session.input(&InputEvent::Down(key.into()));
    run(session, 1.0 / 60.0, |_| {});
    session.input(&InputEvent::Up(key.into()));
    run(session, 1.0 / 60.0, |_| {});
}

/// Texts that are shown.
fn texts(session: &Session) -> Vec<String> {
    let all = session.stage.ui.iter().filter(|(_, one)| one.item.visible);
    let texts = all.filter_map(|(_, one)| match &one.item.content {
        UiContent::Text(text) => Some(text.text.to_string()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_menu_saves_and_loads_coins_that_were_taken() {
    let mut session = open("saves");
    session.input(&InputEvent::Down("w".into()));
    run(&mut session, 7.0, |_| {});
    session.input(&InputEvent::Up("w".into()));
    let taken = texts(&session)[0].clone();
    assert_ne!(taken, "0 of 12 coins");
    let place = hero(&session).placement.position;
    for key in ["m", "f"] {
        press(&mut session, key);
    }
    session.input(&InputEvent::Down("s".into()));
    run(&mut session, 4.0, |_| {});
    session.input(&InputEvent::Up("s".into()));
    press(&mut session, "m");
    let menu = texts(&session).join("\n");
    assert!(
        menu.contains(&format!("> slot 1: {taken}, 0 min 7 s")),
        "{menu}"
    );
    press(&mut session, "enter");
    run(&mut session, 0.1, |_| {});
    assert_eq!(texts(&session), [taken]);
    let moved = hero(&session).placement.position.distance(place);
    assert!(moved < 0.2, "{moved}");
    press(&mut session, "m");
    press(&mut session, "delete");
    assert!(texts(&session).join("\n").contains("> slot 1: empty"));
}

#[test]
fn the_gate_is_passed_only_by_turning_back_time() {
    let mut session = open("rewind");
    session.input(&InputEvent::Down("w".into()));
    run(&mut session, 8.0, |_| {});
    // The gate is closed before she is there.
    assert_eq!(texts(&session), ["R: turn back time"]);
    press(&mut session, "r");
    assert!(session.stage.time() < 4.0, "{}", session.stage.time());
    run(&mut session, 3.0, |_| {});
    assert_eq!(texts(&session), ["Through the gate, with one rewind"]);
}
