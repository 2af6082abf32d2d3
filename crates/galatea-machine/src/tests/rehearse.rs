//! Transitions taken by hand.

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
            done: true,
            fade: fade(0.25),
            ..to("a", &["sit"])
        },
    ];
    let states = vec![plays("a", "a"), state("sit", sit)];
    play(rig, machine(params(&[("speed", 0.0)]), states, transitions))
}

fn forced(player: &mut Player, way: usize) -> bool {
    let clips = Clips {
        set: &player.rig.set,
        marks: &player.rig.marks,
    };
    force(
        &player.machine,
        0,
        way,
        clips,
        &mut player.state,
        &mut player.log,
    )
}

#[test]
fn a_forced_transition_asks_nothing_plays_no_way_out_and_keeps_its_fade() {
    let mut player = phases();
    player.run(0.5);
    assert!(forced(&mut player, 0));
    assert_eq!((player.at(), player.current().fade), ("sit", 0.2));
    player.run(0.7);
    assert!(forced(&mut player, 1));
    assert_eq!((player.at(), player.current().fade), ("a", 0.25));
    assert_eq!(player.entered(), ["sit", "a"]);
    assert!(!forced(&mut player, 2), "there is no third");
}

#[test]
fn ways_are_listed_with_states_places_and_when_they_can_be_taken() {
    let player = phases();
    let clips = Clips {
        set: &player.rig.set,
        marks: &player.rig.marks,
    };
    let ways = ways_of(&player.machine, clips);
    let told: Vec<_> = ways
        .iter()
        .map(|way| (way.from, way.to, way.exit.clone()))
        .collect();
    assert_eq!(told, [(0, 1, Exit::After(0.0)), (1, 0, Exit::Done)]);
}

#[test]
fn played_on_by_hand_a_machine_takes_no_transition_and_a_state_can_be_entered_without_a_fade() {
    let mut player = phases();
    player.set("speed", 2.0);
    let clips = Clips {
        set: &player.rig.set,
        marks: &player.rig.marks,
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
