//! Mistakes that scripts make, and the place in the studio that shows the cause. The page "Finding out why" lists them.

use galatea::app::character_history::{MomentKind, TrackKind};
use galatea::app::profile::sum_of_functions;
use galatea::app::recorded_test::peaks_in;
use galatea::app::studio_facts::StudioAction;
use galatea::app::{Session, SoundOutput};

use super::{open, project};

const HERO: &str = r#"
local hero = character("assets/hero.glb", { name = "hero" })
hero.machine = machine {
	params = { speed = 0, armed = false },
	state "stand" { "idle" },
	state "move" { blend1d { param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 4, "run" } } },
	transition_to "move" { from = "stand", when = "speed > 0.2 and not armed" },
	transition_to "stand" { from = "move", when = "speed < 0.2" },
}
"#;

/// Plays a mistake for a number of ticks.
fn play(name: &str, lines: &str, n_ticks: u32) -> Session {
    let folder = project(name, &format!("{HERO}{lines}"));
    let mut session = open(&folder, false, SoundOutput::Silent);
    session.keep_past(60.0);
    for _ in 0..n_ticks {
        session.tick();
    }
    session
}

#[test]
fn a_condition_that_is_never_true_names_its_false_part() {
    let lines =
        "hero.machine.params.armed = true function update() hero.machine.params.speed = 1 end";
    let mut session = play("fault-condition", lines, 30);
    let facts = session.studio_facts(Some("hero"));
    let layers = facts.transitions.unwrap();
    let [to_move] = layers[0].as_slice() else {
        panic!("{layers:?}");
    };
    assert!(!to_move.open);
    let expected = "not armed is false (armed = true)";
    assert!(to_move.reason.contains(expected), "{}", to_move.reason);
    let line = HERO
        .lines()
        .position(|line| line.contains("when = \"speed > 0.2"));
    assert_eq!(to_move.at.line as usize, line.unwrap() + 1);
}

#[test]
fn a_marker_that_no_listener_gets_has_its_rule() {
    let lines = "hero:foot_ik() hero:on('step', function() end) hero.machine.params.speed = 1.2";
    let mut session = play("fault-suppressed", lines, 180);
    let facts = session.studio_facts(Some("hero"));
    let moments = &facts.history.unwrap().characters["hero"].moments;
    let suppressed = moments
        .iter()
        .filter(|one| one.kind == MomentKind::Suppressed);
    let steps: Vec<&str> = suppressed
        .filter(|one| one.name == "step")
        .map(|one| one.details.as_str())
        .collect();
    assert!(
        steps
            .iter()
            .any(|details| details.contains("suppressed: foot_ik_steps")),
        "{steps:?}"
    );
}

#[test]
fn sliding_feet_are_over_the_line_of_the_meter() {
    let walk = "hero.machine.params.speed = 1.4 function update(dt) hero.position += vec(0, 0, SPEED * dt) end";
    let peak = |name: &str, speed: &str| {
        let mut session = play(name, &walk.replace("SPEED", speed), 240);
        let facts = session.studio_facts(Some("hero"));
        peaks_in(facts.log.unwrap(), "hero", [120, 240])[0]
    };
    let (name, wrong) = peak("fault-slide", "4");
    let (_, right) = peak("fault-slide-none", "1.4");
    assert_eq!(name, "foot_slide");
    // The line of the panel is at 1 mm per tick.
    assert!(wrong > 0.001 && right < wrong / 3.0, "{wrong}, {right}");
}

#[test]
fn a_mouth_that_does_not_follow_speech_has_its_owner() {
    let lines = "hero.face:set('smile', 0) hero:say 'Hello there, can you hear me?'";
    let mut session = play("fault-mouth", lines, 120);
    let facts = session.studio_facts(Some("hero"));
    let history = &facts.history.unwrap().characters["hero"];
    let mouth = history
        .tracks
        .iter()
        .find(|track| track.kind == TrackKind::Mouth);
    let owners: Vec<&str> = mouth
        .unwrap()
        .intervals
        .iter()
        .map(|one| &*one.label)
        .collect();
    assert_eq!(owners, ["script"]);
    assert!(
        history
            .tracks
            .iter()
            .any(|track| track.kind == TrackKind::Line)
    );
}

#[test]
fn a_leaking_listener_is_called_more_with_each_event() {
    let lines = "
hero.machine.params.speed = 1.4
function heard() end
function update()
	hero:on('step', heard)
end";
    let mut session = play("fault-listener", lines, 60);
    session.perform(&StudioAction::Profile(true)).unwrap();
    let mut longest = |n_ticks: u32| {
        let frames = (0..n_ticks).map(|_| {
            session.tick();
            let facts = session.studio_facts(None);
            let last = facts.profiler.unwrap().frames().back();
            let functions = sum_of_functions(last.into_iter());
            let heard = functions
                .iter()
                .find(|(function, _)| function.name == "heard");
            heard.map_or(0, |(function, _)| function.n_steps)
        });
        frames.max().unwrap()
    };
    let first = longest(90);
    longest(60);
    let later = longest(90);
    assert!(first > 0 && later > first + 100, "{first}, {later}");
}

#[test]
fn a_blend_far_beyond_its_clips_shows_the_parameter() {
    // Centimetres instead of metres.
    let lines = "hero.machine.params.speed = 140";
    let mut session = play("fault-blend", lines, 60);
    let facts = session.studio_facts(Some("hero"));
    let (_, hero) = facts.selected_character().unwrap();
    let (machine, state) = hero.playback.machine.as_ref().unwrap();
    let active = state.current(0).unwrap();
    assert_eq!(machine.state_name(0, active.state), "move");
    // What the panel draws: the position is far beyond the last point, which has all the weight.
    let view = galatea::machine::blend_view(machine, 0, active, state).unwrap();
    let last = view.points.last().unwrap();
    assert_eq!((view.position.x, last.position.x), (140.0, 4.0));
    assert_eq!(last.weight, 1.0);
}
