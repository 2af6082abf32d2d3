//! Marks, ends and cuts that a machine reports.

use super::*;

#[test]
fn only_the_fading_state_with_more_weight_has_max_weight() {
    let rig = rig(vec![
        clip("a", 0.2).markers(&[(0.1, "tick_a", "")]),
        clip("b", 0.2).markers(&[(0.1, "tick_b", "")]),
    ]);
    let states = vec![plays("a", "a"), plays("b", "b")];
    let transitions = vec![TransitionDef {
        when: when("x > 0"),
        fade: fade(1.0),
        ..to("b", &["a"])
    }];
    let mut player = play(rig, machine(params(&[("x", 1.0)]), states, transitions));
    player.run(1.0);
    for (at, event) in player.markers() {
        // Half-way through the fade, the new state becomes the heavier one.
        let expected = if at < 0.5 - DT { "tick_a" } else { "tick_b" };
        if (at - 0.5).abs() > 2.0 * DT {
            assert_eq!(event, expected, "at {at}");
        }
    }
    let lighter = player
        .log
        .events
        .iter()
        .filter(|(_, h)| matches!(h, Happening::Marker(crossed) if !crossed.has_max_weight));
    assert!(lighter.count() >= 4, "lighter marks are flagged");
}

#[test]
fn fade_out_ends_an_interval_as_cut() {
    let mut long = clip("a", 1.0);
    long.markers = vec![Marker {
        time: 0.2,
        event: "trail".into(),
        duration: 0.6,
        fields: Vec::new(),
    }];
    let states = vec![plays("a", "a"), plays("b", "b")];
    let transitions = vec![TransitionDef {
        when: when("x > 0"),
        fade: fade(0.1),
        ..to("b", &["a"])
    }];
    let made = rig(vec![long, clip("b", 1.0)]);
    let mut player = play(made, machine(params(&[("x", 0.0)]), states, transitions));
    player.run(0.4);
    player.set("x", 1.0);
    player.run(0.5);
    let edges: Vec<(galatea_anim::MarkerPhase, bool)> = player
        .log
        .events
        .iter()
        .filter_map(|(_, h)| match h {
            Happening::Marker(crossed) => Some((crossed.phase, crossed.interrupted)),
            _ => None,
        })
        .collect();
    use galatea_anim::MarkerPhase::{Begin, End};
    assert_eq!(edges, [(Begin, false), (End, true)]);
}

#[test]
fn clip_played_backwards_ends_at_its_start() {
    let states = vec![StateDef {
        speed: Scalar::Fixed(-1.0),
        ..once("back", "a")
    }];
    let rig = rig(vec![
        clip("a", 0.5).markers(&[(0.0, "first", ""), (0.4, "late", "")]),
    ]);
    let mut player = play(rig, machine(vec![], states, vec![]));
    player.run(1.0);
    let names: Vec<String> = player.markers().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["late", "first"]);
    let ends: Vec<f64> = player
        .log
        .events
        .iter()
        .filter_map(|(now, h)| match h {
            Happening::End { offset, .. } => Some(now + offset),
            _ => None,
        })
        .collect();
    assert_eq!(ends.len(), 1);
    assert!((ends[0] - 0.5).abs() < 1e-6, "{ends:?}");
}

#[test]
fn parameter_change_during_a_transition_skips_no_state() {
    let rig = rig(vec![clip("a", 1.0), clip("b", 1.0), clip("c", 1.0)]);
    let states = vec![plays("a", "a"), plays("b", "b"), plays("c", "c")];
    let transitions = vec![
        TransitionDef {
            when: when("x > 0"),
            ..to("b", &["a"])
        },
        TransitionDef {
            when: when("x > 0"),
            ..to("c", &["b"])
        },
    ];
    let mut player = play(rig, machine(params(&[("x", 0.0)]), states, transitions));
    player.step(DT);
    player.set("x", 1.0);
    player.step(DT);
    player.step(DT);
    assert_eq!(player.entered(), ["b", "c"]);
}
