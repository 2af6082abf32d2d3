//! Manual control of transitions.

use super::*;

fn phases() -> Player {
    let rig = rig(vec![
        clip("a", 1.0),
        clip("in", 0.5),
        clip("on", 1.0),
        clip("out", 0.5),
    ]);
    let sit = MotionDef::Phases {
        intro: Some("in".into()),
        looped: "on".into(),
        outro: Some("out".into()),
    };
    let transitions = vec![
        TransitionDef {
            when: when("speed > 1"),
            fade: fade(0.2),
            ..to("sit", &["a"])
        },
        TransitionDef {
            at_end: true,
            fade: fade(0.25),
            ..to("a", &["sit"])
        },
    ];
    let states = vec![plays("a", "a"), state("sit", sit)];
    play(rig, machine(params(&[("speed", 0.0)]), states, transitions))
}

fn forced(player: &mut Player, index: usize) -> bool {
    let clips = Clips {
        set: &player.rig.set,
        markers: &player.rig.markers,
    };
    force(
        &player.machine,
        0,
        index,
        clips,
        &mut player.state,
        &mut player.log,
    )
}

#[test]
fn forced_transition_skips_conditions_and_outro_but_fades() {
    let mut player = phases();
    player.run(0.5);
    assert!(forced(&mut player, 0));
    assert_eq!((player.at(), player.current().fade), ("sit", 0.2));
    player.run(0.7);
    assert!(forced(&mut player, 1));
    assert_eq!((player.at(), player.current().fade), ("a", 0.25));
    assert_eq!(player.entered(), ["sit", "a"]);
    assert!(!forced(&mut player, 2), "there is no third transition");
}

#[test]
fn transitions_are_listed_with_states_and_exit_times() {
    let player = phases();
    let clips = Clips {
        set: &player.rig.set,
        markers: &player.rig.markers,
    };
    let ways = transitions_of(&player.machine, clips);
    let listed: Vec<_> = ways
        .iter()
        .map(|index| (index.from, index.to, index.exit.clone()))
        .collect();
    assert_eq!(listed, [(0, 1, Exit::After(0.0)), (1, 0, Exit::Done)]);
}

#[test]
fn play_on_takes_no_transition_and_enter_state_has_no_fade() {
    let mut player = phases();
    player.set("speed", 2.0);
    let clips = Clips {
        set: &player.rig.set,
        markers: &player.rig.markers,
    };
    let (state, log) = (&mut player.state, &mut player.log);
    for _ in 0..30 {
        play_on(&player.machine, clips, state, DT, log);
    }
    assert_eq!(state.current(0).unwrap().state, 0);
    let now = course(&player.machine, 0, clips, state);
    assert!((now.phase - 0.5).abs() < 1e-3 && now.left == f64::INFINITY);
    enter_state(&player.machine, 0, 1, clips, state);
    play_on(&player.machine, clips, state, DT, log);
    let mut shown = Vec::new();
    showing(&player.machine, &player.rig.set, state, |one| {
        shown.push((one.clip, one.weight));
    });
    assert_eq!(shown, [(1, 1.0)]);
    assert!(is_steady(state));
}
