//! Lists of clips; intro, loop and outro.

use super::*;

fn clips() -> Rig {
    rig(vec![
        clip("in", 0.5),
        clip("around", 1.0),
        clip("out", 0.5),
        clip("stand", 1.0),
    ])
}

fn list(random: bool, repeat: bool) -> MotionDef {
    MotionDef::List(ListDef {
        clips: vec![
            ("in".into(), 1.0),
            ("around".into(), 3.0),
            ("out".into(), 1.0),
        ],
        random,
        repeat,
        fade: 0.1,
    })
}

fn items(player: &mut Player, seconds: f64) -> Vec<u32> {
    let mut items = vec![];
    for _ in 0..(seconds / DT) as usize {
        player.step(DT);
        let item = player.current().item;
        if items.last() != Some(&item) {
            items.push(item);
        }
    }
    items
}

#[test]
fn sequence_plays_in_order_and_repeats() {
    let mut player = play(
        clips(),
        machine(vec![], vec![state("s", list(false, false))], vec![]),
    );
    assert_eq!(items(&mut player, 3.3), [0, 1, 2, 0, 1, 2]);
    assert!(player.entered().is_empty(), "the state was never left");
}

#[test]
fn sequence_played_once_ends_after_its_last_clip() {
    let states = vec![
        StateDef {
            mode: PlayMode::Once,
            ..state("s", list(false, false))
        },
        plays("stand", "stand"),
    ];
    let transitions = vec![TransitionDef {
        at_end: true,
        ..to("stand", &["s"])
    }];
    let mut player = play(clips(), machine(vec![], states, transitions));
    player.run(1.7);
    assert_eq!((player.at(), player.current().item), ("s", 2));
    player.run(0.3);
    assert_eq!(player.at(), "stand");
    let ends = player.log.events.iter();
    let ends = ends
        .filter(|(_, h)| matches!(h, Happening::End { .. }))
        .count();
    assert_eq!(ends, 1);
}

#[test]
fn clips_of_a_backwards_sequence_begin_at_their_end() {
    let states = vec![
        StateDef {
            mode: PlayMode::Once,
            speed: Scalar::Fixed(-1.0),
            ..state("s", list(false, false))
        },
        plays("stand", "stand"),
    ];
    let transitions = vec![TransitionDef {
        at_end: true,
        ..to("stand", &["s"])
    }];
    let mut player = play(clips(), machine(vec![], states, transitions));
    player.run(1.7);
    assert_eq!((player.at(), player.current().item), ("s", 2));
    player.run(0.3);
    assert_eq!(player.at(), "stand");
}

#[test]
fn random_list_follows_its_weights_without_repeats() {
    let mut player = play(
        clips(),
        machine(vec![], vec![state("s", list(true, false))], vec![]),
    );
    let items = items(&mut player, 30.0);
    assert!(items.len() > 20);
    assert!(items.windows(2).all(|pair| pair[0] != pair[1]), "{items:?}");
    let counted = |item| items.iter().filter(|i| **i == item).count();
    assert!(
        counted(1) > counted(0) && counted(1) > counted(2),
        "{items:?}"
    );
}

fn tying() -> Player {
    let states = vec![
        plays("stand", "stand"),
        state(
            "tie",
            MotionDef::Phases {
                intro: Some("in".into()),
                looped: "around".into(),
                outro: Some("out".into()),
            },
        ),
    ];
    let transitions = vec![
        TransitionDef {
            when: when("x > 0"),
            ..to("tie", &["stand"])
        },
        TransitionDef {
            when: when("x <= 0"),
            fade: fade(0.1),
            ..to("stand", &["tie"])
        },
        TransitionDef {
            on: Some("flee".into()),
            skip_outro: true,
            ..to("stand", &["tie"])
        },
    ];
    play(clips(), machine(params(&[("x", 0.0)]), states, transitions))
}

#[test]
fn intro_loop_and_outro_play_in_order_before_the_exit() {
    let mut player = tying();
    player.set("x", 1.0);
    assert_eq!(items(&mut player, 3.0), [0, 1]);
    assert_eq!(player.at(), "tie");
    player.set("x", 0.0);
    player.step(DT);
    assert_eq!((player.at(), player.current().item), ("tie", 2));
    player.run(0.35);
    assert_eq!(player.at(), "tie", "the outro takes half a second");
    player.run(0.15);
    assert_eq!(player.at(), "stand");
    assert_eq!(player.entered(), ["tie", "stand"]);
}

#[test]
fn exit_during_the_intro_skips_the_loop() {
    let mut player = tying();
    player.set("x", 1.0);
    player.run(0.2);
    player.set("x", 0.0);
    assert_eq!(items(&mut player, 0.7), [0, 2]);
    player.run(0.3);
    assert_eq!(player.at(), "stand");
}

#[test]
fn transition_can_skip_the_outro() {
    let mut player = tying();
    player.set("x", 1.0);
    player.run(1.0);
    player.state.send("flee", 0.0);
    player.step(DT);
    assert_eq!(player.at(), "stand");
}

#[test]
fn loop_starts_without_losing_time() {
    let mut player = tying();
    player.set("x", 1.0);
    player.run(0.5 + 0.4);
    let t = player.current().clips[0].head.clip_time(1.0);
    assert!((f64::from(t) - 0.4).abs() < DT + 1e-6, "{t}");
}
