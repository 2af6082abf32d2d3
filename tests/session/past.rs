//! Displaying the past of a running project: each moment is exact, the present is not changed by it, and the game can
//! continue from a displayed moment with a changed script.

use galatea::app::{PastMove, Session, SoundOutput};
use galatea::stage::{InputEvent, StageChecksum};

use super::{errors, open, project};

const SCENE: &str = r#"
hero = character("assets/hero.glb", { name = "hero" })
hero.machine = machine { state "stand" { "idle" } }
ball = physics.sphere { radius = 0.2, mass = 4, position = vec(0, 30, 1), name = "ball" }
game = keep_on_reload("game", { n = 0 })
speed = 1
function update()
	game.n += speed
	hero.yaw += random_range(-2, 2)
	if input.pressed "x" then hero:hit { bone = "chest", impulse = vec(0, 0, -220) } end
end
"#;

/// Runs ticks, and returns the checksum after each.
fn checksums(session: &mut Session, n: usize) -> Vec<StageChecksum> {
    let one = |_| {
        session.tick();
        session.stage.checksum()
    };
    (0..n).map(one).collect()
}

fn value(session: &mut Session, line: &str) -> String {
    session.answer(line).result.unwrap().join(" ")
}

/// Displays the moment after tick number `n`, counted from 1.
fn show(session: &mut Session, n: u64, n_now: u64) {
    session.move_in_past(PastMove::Newest);
    session.move_in_past(PastMove::Seconds(-((n_now - n) as f64) / 60.0));
}

#[test]
fn the_displayed_past_is_exact_and_does_not_change_the_present() {
    let folder = project("past-exact", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    let mut other = open(&folder, false, SoundOutput::Silent);
    session.keep_past(60.0);
    let hit = InputEvent::Down("x".into());
    let mut played = checksums(&mut session, 200);
    session.input(&hit);
    played.extend(checksums(&mut session, 200));

    session.look_back().unwrap();
    assert!(session.is_in_past());
    assert_eq!(session.stage.checksum(), played[399]);
    // Every recent tick, and a compressed moment or the one before it.
    for n in [399, 350, 300] {
        show(&mut session, n, 400);
        assert_eq!(session.stage.checksum(), played[n as usize - 1], "tick {n}");
    }
    session.move_in_past(PastMove::Oldest);
    let position = session.past_position().unwrap();
    assert_eq!(position.n_ticks, 1);
    assert!(
        (position.seconds_ago - 399.0 / 60.0).abs() < 1e-9,
        "{position:?}"
    );
    assert_eq!(session.stage.checksum(), played[0]);
    // The console answers for the displayed tick. Ticks pass without effect.
    let height = |session: &mut Session| value(session, "ball.position.y").parse::<f64>().unwrap();
    let first = height(&mut session);
    session.move_in_past(PastMove::Newest);
    assert!(height(&mut session) < first - 1.0);
    session.move_in_past(PastMove::Copies(-1));
    assert_eq!(session.stage.checksum(), played[398]);
    for _ in 0..10 {
        session.tick();
    }
    assert_eq!(session.stage.checksum(), played[398]);

    // Keys do not reach the game; the mouse moves the camera, which stays as it is in other moments.
    session.input(&InputEvent::Down("q".into()));
    session.input(&InputEvent::Turn(30.0, 0.0));
    session.move_in_past(PastMove::Seconds(-1.0));
    assert_eq!(session.stage.camera.turned[0], 30.0);

    // It plays backwards and forwards, one tick per tick, and stands still at the end.
    session.move_in_past(PastMove::Newest);
    session.play_past(-1);
    for _ in 0..20 {
        session.tick();
    }
    assert_eq!(session.past_position().unwrap().n_ticks, 380);
    session.play_past(1);
    for _ in 0..30 {
        session.tick();
    }
    let position = session.past_position().unwrap();
    assert_eq!((position.n_ticks, position.direction), (400, 0));

    session.return_to_present();
    assert!(!session.is_in_past());
    played.extend(checksums(&mut session, 100));
    let mut uninterrupted = checksums(&mut other, 200);
    other.input(&hit);
    uninterrupted.extend(checksums(&mut other, 300));
    for (i, (wanted, got)) in uninterrupted.iter().zip(&played).enumerate() {
        assert_eq!(got, wanted, "{i}: {:?}", got.differences(wanted));
    }
    assert_eq!(errors(&session), [""; 0]);
}

#[test]
fn the_game_continues_from_a_displayed_moment_with_a_changed_script() {
    let folder = project("past-continue", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.keep_past(60.0);
    checksums(&mut session, 300);
    assert_eq!(value(&mut session, "game.n"), "300");
    session.look_back().unwrap();
    show(&mut session, 240, 300);
    let then = session.stage.checksum();

    // The present is reloaded while the past is displayed.
    folder.write("scripts/main.lua", SCENE.replace("speed = 1", "speed = 2"));
    session.files_changed(&[folder.0.join("scripts/main.lua")]);
    session.tick();
    assert_eq!(session.stage.checksum(), then);
    session.continue_from_past().unwrap();
    assert!(!session.is_in_past());
    assert_eq!(value(&mut session, "game.n"), "240");
    assert!((session.stage.time() - 4.0).abs() < 1e-9);
    checksums(&mut session, 10);
    assert_eq!(value(&mut session, "game.n"), "260");

    // The first try is still in the timeline: the unscaled time goes on.
    session.look_back().unwrap();
    show(&mut session, 300, 310);
    assert!((session.stage.time() - 5.0).abs() < 1e-9);

    // A script with an error changes nothing.
    folder.write("scripts/main.lua", "error 'broken'");
    let why = session.continue_from_past().unwrap_err();
    assert!(why.contains("broken"), "{why}");
    assert!(session.is_in_past() && (session.stage.time() - 5.0).abs() < 1e-9);
    session.return_to_present();
    checksums(&mut session, 10);
    assert_eq!(value(&mut session, "game.n"), "280");
}

#[test]
fn a_game_without_a_past_says_why() {
    let folder = project(
        "past-none",
        "game = keep_on_reload('game', {}) game.act = function() end",
    );
    let mut session = open(&folder, false, SoundOutput::Silent);
    let why = session.look_back().unwrap_err();
    assert!(why.contains("--rewind"), "{why}");
    session.keep_past(60.0);
    session.tick();
    let why = session.look_back().unwrap_err();
    assert!(why.contains("game.act is a function"), "{why}");
    assert!(!session.is_in_past());
    assert_eq!(errors(&session), [""; 0]);
    // Once the value is gone, the past is recorded again.
    session.answer("game.act = nil");
    session.tick();
    session.look_back().unwrap();
}
