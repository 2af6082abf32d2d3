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

/// The displayed tick, counted from 1.
fn tick_of(session: &Session) -> usize {
    session.past_position().unwrap().n_ticks as usize
}

/// Displays the moment after tick number `n`, or shortly before it: on a busy machine, not every tick is copied. Returns its
/// tick.
fn show(session: &mut Session, n: usize, n_now: usize) -> usize {
    session.move_in_past(PastMove::Fraction((n - 1) as f64 / (n_now - 1) as f64));
    let shown = tick_of(session);
    assert!(shown <= n && shown + 60 > n, "tick {shown} instead of {n}");
    shown
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
    let newest = tick_of(&session);
    assert!(newest > 380, "{newest}");
    assert_eq!(session.stage.checksum(), played[newest - 1]);
    for n in [newest - 1, 350, 300, 200, 100] {
        let shown = show(&mut session, n, newest);
        assert_eq!(session.stage.checksum(), played[shown - 1], "tick {shown}");
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
    let before = tick_of(&session);
    assert!(before < newest);
    for _ in 0..10 {
        session.tick();
    }
    assert_eq!(session.stage.checksum(), played[before - 1]);

    // Keys do not reach the game; the mouse moves the camera, which stays as it is in other moments.
    session.input(&InputEvent::Down("q".into()));
    session.input(&InputEvent::Turn(30.0, 0.0));
    session.move_in_past(PastMove::Seconds(-1.0));
    assert_eq!(session.stage.camera.turned[0], 30.0);

    // It plays backwards and forwards, one tick per tick, and stands still at the end.
    session.move_in_past(PastMove::Newest);
    session.play_past(-1);
    for _ in 0..60 {
        session.tick();
    }
    let shown = tick_of(&session);
    assert!(shown <= newest - 60 && shown + 120 > newest, "{shown}");
    // Only the camera was moved.
    let differences = session.stage.checksum().differences(&played[shown - 1]);
    assert_eq!(differences, ["camera"]);
    session.play_past(1);
    for _ in 0..70 {
        session.tick();
    }
    let position = session.past_position().unwrap();
    assert_eq!((position.n_ticks, position.direction), (newest as u64, 0));

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
    let newest = tick_of(&session);
    let shown = show(&mut session, 240, newest);
    let then = session.stage.checksum();

    folder.write("scripts/main.lua", SCENE.replace("speed = 1", "speed = 2"));
    session.tick();
    assert_eq!(session.stage.checksum(), then);
    session.continue_from_past().unwrap();
    assert!(!session.is_in_past());
    assert_eq!(value(&mut session, "game.n"), shown.to_string());
    assert!((session.stage.time() - shown as f64 / 60.0).abs() < 1e-9);
    checksums(&mut session, 30);
    assert_eq!(value(&mut session, "game.n"), (shown + 60).to_string());

    // The first try is still in the timeline: the unscaled time goes on.
    session.look_back().unwrap();
    let newest = tick_of(&session);
    let first_try = show(&mut session, 290, newest);
    let time = first_try as f64 / 60.0;
    assert!((session.stage.time() - time).abs() < 1e-9);

    // A script with an error changes nothing.
    folder.write("scripts/main.lua", "error 'broken'");
    let why = session.continue_from_past().unwrap_err();
    assert!(why.contains("broken"), "{why}");
    assert!(session.is_in_past() && (session.stage.time() - time).abs() < 1e-9);
    session.return_to_present();
    checksums(&mut session, 10);
    assert_eq!(value(&mut session, "game.n"), (shown + 80).to_string());
}

#[test]
fn a_game_without_a_past_says_why() {
    let folder = project(
        "past-none",
        "physics.box { size = vec(1, 1, 1), position = vec(0, 1, 0) }
        game = keep_on_reload('game', {}) game.act = function() end",
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
