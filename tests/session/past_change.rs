//! Changing the past of a running project: the recorded input is replayed from the displayed moment with the changed script,
//! the differences are listed, and the run before can be restored.

use galatea::app::{PastMove, Session, SoundOutput};
use galatea::stage::frame::Frame;
use galatea::stage::{InputEvent, StageChecksum};

use super::{errors, open, project};

const SCENE: &str = r#"
hero = character("assets/hero.glb", { name = "hero" })
hero.machine = machine {
	params = { moving = false },
	state "stand" { "idle" },
	state "go" { "walk" },
	transition_to "go" { from = "stand", when = function(p) return p.moving end },
	transition_to "stand" { from = "go", when = "not moving" },
}
ball = physics.sphere { radius = 0.2, mass = 4, position = vec(2, 30, 1), name = "ball" }
game = keep_on_reload("game", { jumps = 0 })
speed = 1
function update(dt)
	hero.machine.params.moving = input.down "w"
	if input.down "w" then
		hero.yaw += random_range(-2, 2)
		hero.position += vec(0, 0, speed * dt)
	end
	if input.pressed "x" then
		game.jumps += 1
		save "checkpoint"
	end
end
"#;

/// Runs ticks, and returns the checksum after each.
fn run(session: &mut Session, n: usize) -> Vec<StageChecksum> {
    let one = |_| {
        session.tick();
        session.stage.checksum()
    };
    (0..n).map(one).collect()
}

fn value(session: &mut Session, line: &str) -> String {
    session.answer(line).result.unwrap().join(" ")
}

/// Plays 400 ticks with some input. Returns the checksums.
fn play(session: &mut Session) -> Vec<StageChecksum> {
    session.keep_past(60.0);
    let mut played = run(session, 150);
    session.input(&InputEvent::Down("w".into()));
    played.extend(run(session, 100));
    session.input(&InputEvent::Down("x".into()));
    played.extend(run(session, 20));
    session.input(&InputEvent::Up("x".into()));
    session.input(&InputEvent::Up("w".into()));
    played.extend(run(session, 130));
    played
}

/// Displays a moment near tick `n` of 400.
fn look_at(session: &mut Session, n: usize) -> usize {
    session.look_back().unwrap();
    session.move_in_past(PastMove::Fraction((n - 1) as f64 / 399.0));
    session.past_position().unwrap().n_ticks as usize
}

/// Ticks until no replay is in progress.
fn finish_replay(session: &mut Session) {
    session.tick();
    while session.past_position().unwrap().replayed.is_some() {
        session.tick();
    }
}

#[test]
fn an_unchanged_script_replays_to_the_bit() {
    let folder = project("rerun-same", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    let played = play(&mut session);
    // Keys are held at the displayed moment.
    let from = look_at(&mut session, 200);
    assert!((150..=200).contains(&from), "{from}");
    session.reload();
    finish_replay(&mut session);
    let change = session.past_change().unwrap();
    assert!(!change.report.differs(), "{:?}", change.report);
    for n in [250, 300, 399, 400] {
        session.move_in_past(PastMove::Fraction((n - 1) as f64 / 399.0));
        let shown = session.past_position().unwrap().n_ticks as usize;
        assert!(shown > from);
        let differences = session.stage.checksum().differences(&played[shown - 1]);
        assert!(differences.is_empty(), "tick {shown}: {differences:?}");
    }
    session.return_to_present();
    assert_eq!(session.stage.checksum(), played[399]);
    assert_eq!(value(&mut session, "game.jumps"), "1");
    assert_eq!(errors(&session), [""; 0]);
}

#[test]
fn a_change_is_replayed_listed_outlined_and_undone() {
    let folder = project("rerun-changed", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    let mut other = open(&folder, false, SoundOutput::Silent);
    let mut played = play(&mut session);
    play(&mut other);
    let z = |session: &mut Session| value(session, "hero.position.z").parse::<f64>().unwrap();
    let before = z(&mut session);
    let from = look_at(&mut session, 200);
    let then = session.stage.checksum();

    // A script with an error changes nothing.
    let save = |session: &mut Session, text: &str| {
        folder.write("scripts/main.lua", text);
        session.files_changed(&[folder.0.join("scripts/main.lua")]);
    };
    save(&mut session, "error 'broken'");
    session.tick();
    assert!(
        errors(&session)[0].contains("broken"),
        "{:?}",
        errors(&session)
    );
    assert!(session.past_change().is_none());
    assert_eq!(session.stage.checksum(), then);

    save(&mut session, &SCENE.replace("speed = 1", "speed = 3"));
    finish_replay(&mut session);
    assert_eq!(errors(&session), [""; 0]);
    let change = session.past_change().unwrap();
    let report = &change.report;
    let lines: Vec<String> = report
        .differences
        .iter()
        .map(|one| {
            format!(
                "{}: {}",
                one.subject,
                report.words(&one.kind, ["before", "now"])
            )
        })
        .collect();
    let moved = lines
        .iter()
        .find(|line| line.starts_with("hero: the positions differ"));
    assert!(moved.is_some(), "{lines:?}");
    assert!(
        !lines.iter().any(|line| line.starts_with("ball")),
        "{lines:?}"
    );
    assert!((change.seconds[0] - from as f64 / 60.0).abs() < 1e-9);

    // The replay plays from where it began, with outlines of the run before where they differ.
    let position = session.past_position().unwrap();
    assert_eq!((position.n_ticks as usize, position.direction), (from, 1));
    let mut frame = Frame::default();
    session.frame(1.0, &mut frame);
    assert!(frame.lines.is_empty(), "nothing differs yet");
    session.move_in_past(PastMove::Newest);
    session.frame(1.0, &mut frame);
    assert!(frame.lines.len() > 10, "{}", frame.lines.len());
    let now = z(&mut session);
    let ticks_held = (270 - from) as f64;
    let expected = before + 2.0 * ticks_held / 60.0;
    assert!((now - expected).abs() < 0.1, "{before} {now} {expected}");

    // Ctrl+Z restores the run before, which continues to the bit.
    assert!(session.undo().unwrap().contains("the run before"));
    assert!(session.past_change().is_none());
    session.return_to_present();
    assert_eq!(session.stage.checksum(), played[399]);
    played.extend(run(&mut session, 60));
    for (i, wanted) in run(&mut other, 60).iter().enumerate() {
        let got = &played[400 + i];
        assert_eq!(got, wanted, "{i}: {:?}", got.differences(wanted));
    }

    // Once more, and the new run is the game.
    look_at(&mut session, 300);
    session.reload();
    finish_replay(&mut session);
    session.return_to_present();
    assert!(!session.is_in_past());
    run(&mut session, 30);
    assert!((session.stage.unscaled_time() - 490.0 / 60.0).abs() < 1e-9);
    assert_eq!(errors(&session), [""; 0]);
}

#[test]
fn a_replay_writes_no_saved_game() {
    let folder = project("rerun-save", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    play(&mut session);
    session.answer("delete_save 'checkpoint'");
    look_at(&mut session, 200);
    session.reload();
    finish_replay(&mut session);
    session.return_to_present();
    assert_eq!(value(&mut session, "#saves()"), "0");
    session.input(&InputEvent::Down("x".into()));
    run(&mut session, 2);
    assert_eq!(value(&mut session, "#saves()"), "1");
}

#[test]
fn the_console_reads_variables_and_parameters_of_the_displayed_moment() {
    let folder = project("rerun-console", SCENE);
    let mut session = open(&folder, false, SoundOutput::Silent);
    play(&mut session);
    session.answer("watch game.jumps");
    assert_eq!(value(&mut session, "hero.machine.params.moving"), "false");
    look_at(&mut session, 200);
    assert_eq!(value(&mut session, "hero.machine.params.moving"), "true");
    assert_eq!(value(&mut session, "game.jumps"), "0");
    let mut frame = Frame::default();
    session.frame(1.0, &mut frame);
    assert_eq!(frame.watches[0].value, Ok("0".into()));
    let why = session.answer("why hero").printed.join("\n");
    assert!(why.contains("go"), "{why}");
    // What a line sets is gone in the next moment, and in the game.
    session.answer("game.jumps = 7");
    assert_eq!(value(&mut session, "game.jumps"), "7");
    session.move_in_past(PastMove::Newest);
    assert_eq!(value(&mut session, "game.jumps"), "1");
    session.frame(1.0, &mut frame);
    assert_eq!(frame.watches[0].value, Ok("1".into()));
    session.return_to_present();
    assert_eq!(value(&mut session, "game.jumps"), "1");
    assert_eq!(errors(&session), [""; 0]);
}
