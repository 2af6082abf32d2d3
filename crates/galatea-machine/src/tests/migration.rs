//! Hot reload of a machine.

use super::*;

/// Reloads the machine with the same clips; returns the lost intervals.
fn reload(player: &mut Player, def: MachineDef) -> Vec<Crossed> {
    let clips = Clips {
        set: &player.rig.set,
        markers: &player.rig.markers,
    };
    let now = bind(&def, &player.rig.set, &player.rig.markers).unwrap();
    let [old, new] = [&player.machine, &now].map(|machine| Version { machine, clips });
    let mut lost = Vec::new();
    player.state = migrated(&player.state, old, new, &mut |crossed| lost.push(crossed));
    player.machine = now;
    lost
}

#[test]
fn reload_plays_new_clips_at_once_and_continues_the_others() {
    let made = || {
        let steps = [(0.1, "step", "left"), (0.6, "step", "right")];
        rig(vec![
            clip("walk", 1.0).markers(&steps),
            clip("run", 0.8).markers(&steps),
            clip("jog", 0.9).markers(&steps),
            clip("a", 1.0),
            clip("b", 2.0),
        ])
    };
    let version = |points: &[(f32, &str)]| {
        let states = vec![state("move", line("speed", points))];
        machine(params(&[("speed", 2.0)]), states, vec![])
    };
    let mut player = play(made(), version(&[(1.0, "walk"), (3.0, "run")]));
    player.run(1.3);
    let before = player.current().clone();
    // With moved points, the clips continue at their positions.
    reload(&mut player, version(&[(1.0, "walk"), (2.5, "run")]));
    let positions = |active: &Active| -> Vec<f64> {
        let durations = [1.0, 0.8];
        let clips = active.clips.iter().zip(durations);
        clips.map(|(clip, d)| clip.head.cycles(d)).collect()
    };
    assert_eq!(positions(player.current()), positions(&before));
    // An added clip plays, in sync with the others.
    reload(
        &mut player,
        version(&[(1.0, "walk"), (2.0, "jog"), (3.0, "run")]),
    );
    assert_eq!(player.current().cycle, before.cycle);
    let weights: Vec<f32> = player.current().clips.iter().map(|c| c.weight).collect();
    assert_eq!(weights, [0.0, 1.0, 0.0]);
    let walk = player.current().clips[0].head.clip_time(1.0);
    assert!((walk - before.clips[0].head.clip_time(1.0)).abs() < 1e-5);
    // A different clip starts at the same phase.
    let one = |name: &str| machine(vec![], vec![plays("s", name)], vec![]);
    let mut player = play(made(), one("a"));
    player.run(0.25);
    reload(&mut player, one("b"));
    assert!((player.tip() - 0.5).abs() < 1e-3, "{}", player.tip());
}

#[test]
fn reload_restores_pending_events_and_decisions_by_name() {
    let made = || rig(vec![clip("a", 1.0), clip("b", 1.0)]);
    let when_text = |text: &str| TransitionDef {
        when: when(text),
        fade: fade(0.5),
        ..to("b", &["a"])
    };
    let sent = TransitionDef {
        on: Some("go".into()),
        when: when("y > 5"),
        ..to("a", &["b"])
    };
    let names = [("x", 0.0), ("y", 0.0)];
    let old = machine(
        params(&names),
        vec![plays("a", "a"), plays("b", "b")],
        vec![when_text("x > 1"), sent.clone()],
    );
    let mut player = play(made(), old);
    player.run(0.5);
    player.set("x", 2.0);
    player.run(0.25);
    player.state.send("go", 1.0);
    player.state.send("gone", 1.0);
    let before = taken(&player.machine, 0, &player.state);
    assert_eq!(before.len(), 1);
    // States, parameters and transitions in another order.
    let new = machine(
        params(&[("z", 0.0), ("y", 0.0), ("x", 0.0)]),
        vec![plays("b", "b"), plays("c", "a"), plays("a", "a")],
        vec![sent, when_text("x > 1")],
    );
    assert!(reload(&mut player, new.clone()).is_empty());
    assert_eq!(taken(&player.machine, 0, &player.state), before);
    assert!((player.state.time - 0.75).abs() < 1e-9);
    let waiting: Vec<&str> = player.state.sent.iter().map(|s| s.event.as_str()).collect();
    assert_eq!(waiting, ["go"]);
    assert_eq!(player.current().transition, Some(1), "its fade continues");
    player.set("x", 0.0);
    player.set("y", 6.0);
    player.run(0.1);
    assert_eq!(player.at(), "a");
    // A transition with another condition does not count as taken.
    let mut other = new;
    other.layers[0].states.transitions[1] = when_text("x > 3");
    reload(&mut player, other);
    let now = taken(&player.machine, 0, &player.state);
    let ways: Vec<(&str, &str)> = now.iter().map(|w| (&*w.from, &*w.to)).collect();
    assert_eq!(ways, [("b", "a")]);
}

#[test]
fn reload_reports_lost_intervals_of_removed_states_and_changed_clips() {
    let made = || {
        let mut long = clip("a", 1.0);
        long.markers = vec![Marker {
            time: 0.2,
            event: "trail".into(),
            duration: 0.6,
            fields: Vec::new(),
        }];
        rig(vec![long, clip("b", 2.0)])
    };
    let one = |state: &str, name: &str| machine(vec![], vec![plays(state, name)], vec![]);
    for (def, n_lost) in [
        (one("s", "a"), 0),
        (one("s", "b"), 1),
        (one("other", "a"), 1),
    ] {
        let mut player = play(made(), one("s", "a"));
        player.run(0.4);
        let lost = reload(&mut player, def);
        assert_eq!(lost.len(), n_lost);
        for crossed in lost {
            assert_eq!(
                (crossed.clip, crossed.marker, crossed.interrupted),
                (0, 0, true)
            );
            assert_eq!(crossed.phase, galatea_anim::MarkerPhase::End);
        }
    }
}
