//! Marks that are added while a machine plays them, marks that transitions wait for, and marks of invisible layers.

use super::*;
use galatea_anim::MarkerPhase;

fn step_at(t: f32, foot: &str) -> Marker {
    Marker {
        time: t,
        event: "step".into(),
        duration: 0.0,
        fields: vec![("foot".into(), MarkerValue::Text(foot.into()))],
    }
}

/// Adds a mark to a clip and binds the machine again.
fn add(player: &mut Player, clip: usize, mark: Marker) -> Vec<Crossed> {
    Arc::make_mut(&mut player.rig.markers[clip])
        .insert(mark)
        .unwrap();
    let bound = bind(&player.machine.def, &player.rig.set, &player.rig.markers).unwrap();
    let clips = Clips {
        set: &player.rig.set,
        markers: &player.rig.markers,
    };
    let mut events = Vec::new();
    let state = &mut player.state;
    rebind(state, &player.machine, &bound, clips, &mut |crossed| {
        events.push(crossed);
    });
    player.machine = bound;
    events
}

#[test]
fn added_steps_keep_the_position_of_a_playing_clip() {
    let walk = clip("walk", 1.0).markers(&[(0.3, "M", "")]);
    let def = machine(
        params(&[("x", 0.0)]),
        vec![plays("walk", "walk")],
        vec![TransitionDef {
            on: Some("go".into()),
            ..to("walk", &["walk"])
        }],
    );
    let mut player = play(rig(vec![walk]), def);
    // Crossings store mark indices; resolve them to names before marks are added.
    let mut events: Vec<(f64, String)> = Vec::new();
    for (n, t) in [0.1, 0.6, 0.8, 0.25].into_iter().enumerate() {
        // Different times, one of them on a mark.
        player.run(if n == 2 { 2.1 } else { 3.52 });
        events.extend(player.markers());
        player.log.events.clear();
        let before = player.state.clone();
        player.state.send("go", 9.0);
        assert_eq!(add(&mut player, 0, step_at(t, "left")), []);
        let (was, now) = (&before.layers[0], &player.state.layers[0]);
        assert_eq!(was.active[0].clips, now.active[0].clips, "{t}");
        assert_eq!(was.decisions, now.decisions);
        assert_eq!(
            (player.state.time, player.state.sent.len()),
            (before.time, 1)
        );
        player.state.sent.clear();
        let laps = |player: &Player| player.current().clips[0].head.cycles(1.0);
        let before = laps(&player);
        player.step(DT);
        assert!((laps(&player) - before - DT).abs() < 1e-9, "{t}");
    }
    player.run(2.0);
    let total = player.log.now;
    events.extend(player.markers());
    let of_m: Vec<f64> = events.iter().filter(|t| t.1 == "M").map(|t| t.0).collect();
    assert_eq!(of_m.len(), (total - 0.3).ceil() as usize);
    for (lap, at) in of_m.iter().enumerate() {
        assert!((at - lap as f64 - 0.3).abs() < 1e-6, "{of_m:?}");
    }
}

#[test]
fn clips_moved_to_a_new_cycle_report_only_cut_ends() {
    let steps = [(0.1, "step", "left"), (0.6, "step", "right")];
    let mut run = clip("run", 0.5).markers(&[(0.05, "step", "left"), (0.3, "step", "right")]);
    run.markers.push(Marker {
        time: 0.0,
        event: "trail".into(),
        duration: 0.499,
        fields: Vec::new(),
    });
    let made = rig(vec![clip("walk", 1.0).markers(&steps), run]);
    let states = vec![state("move", line("x", &[(0.0, "walk"), (1.0, "run")]))];
    let mut player = play(made, machine(params(&[("x", 0.1)]), states, vec![]));
    player.run(4.3);
    let cycles = |player: &Player| player.current().clips[0].head.cycles(1.0);
    let (before, n) = (cycles(&player), player.log.events.len());
    let events = add(&mut player, 0, step_at(0.35, "left"));
    assert!(
        events.iter().all(|crossed| crossed.interrupted),
        "{events:?}"
    );
    assert_eq!(cycles(&player), before);
    player.step(DT);
    let after = cycles(&player) - before;
    assert!(after > 0.0 && after < 0.1, "{after}");
    assert!(
        player.log.events.len() - n < 8,
        "no loops are reported again"
    );
    // Begins and ends still alternate.
    let mut ends = player.log.events.iter().filter_map(|(_, h)| match h {
        Happening::Marker(crossed) if crossed.clip == 1 => Some(crossed.phase),
        _ => None,
    });
    let n_begun = ends
        .clone()
        .filter(|edge| *edge == MarkerPhase::Begin)
        .count();
    let n_ended = ends
        .clone()
        .filter(|edge| *edge == MarkerPhase::End)
        .count()
        + events.len();
    assert!(n_begun - n_ended <= 1, "{n_begun} {n_ended}");
    assert!(ends.any(|edge| edge == MarkerPhase::Begin));
}

#[test]
fn transition_finds_its_marker_among_many_others() {
    let names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
    let clips: Vec<Made> = names
        .iter()
        .map(|name| {
            clip(name, 1.0).markers(&[(0.5, if *name == "c8" { "hit" } else { "other" }, "")])
        })
        .collect();
    let mut points: Vec<(f32, &str)> = names.iter().zip(0..).map(|(n, i)| (i as f32, *n)).collect();
    points.rotate_left(3);
    let mut blend = line("x", &points);
    if let MotionDef::Blend(blend) = &mut blend {
        blend.sync = SyncBy::Free;
    }
    let transitions = vec![TransitionDef {
        marker: Some(("hit".into(), Vec::new())),
        ..to("b", &["a"])
    }];
    let states = vec![state("a", blend), plays("b", "c0")];
    let mut player = play(
        rig(clips),
        machine(params(&[("x", 8.0)]), states, transitions),
    );
    player.run(0.6);
    assert_eq!(player.at(), "b");
}

#[test]
fn added_marker_does_not_hide_a_crossed_marker() {
    let made = rig(vec![
        clip("a", 1.0).markers(&[(0.1, "hit", "")]),
        clip("b", 1.0),
    ]);
    let transitions = vec![TransitionDef {
        marker: Some(("hit".into(), Vec::new())),
        ..to("b", &["a"])
    }];
    let states = vec![plays("a", "a"), plays("b", "b")];
    let mut player = play(made, machine(vec![], states, transitions));
    while player.state.layers[0].crossed_markers == [false] {
        player.step(DT);
    }
    add(&mut player, 0, step_at(0.05, "left"));
    player.step(DT);
    assert_eq!(player.at(), "b");
}

/// A layer with the weight parameter `w`, over a clip with a point mark at 0.1 and an interval from 0.2 to 0.6.
fn weighted() -> Player {
    let mut made = clip("a", 1.0).markers(&[(0.1, "M", "")]);
    made.markers.push(Marker {
        time: 0.2,
        event: "I".into(),
        duration: 0.4,
        fields: Vec::new(),
    });
    let mut def = machine(params(&[("w", 0.0)]), vec![plays("a", "a")], vec![]);
    def.layers[0].weight = Scalar::Param("w".into());
    play(rig(vec![made]), def)
}

fn silences(player: &Player) -> Vec<(MarkerPhase, bool)> {
    let events = player.log.events.iter();
    events
        .filter_map(|(_, happening)| match happening {
            Happening::Marker(crossed) => Some((crossed.phase, crossed.silent)),
            _ => None,
        })
        .collect()
}

#[test]
fn invisible_layer_reports_only_ends_of_reported_intervals() {
    use MarkerPhase::{Begin, End, Point};
    for (weights, expected) in [
        ([0.0, 0.0], [(Point, true), (Begin, true), (End, true)]),
        ([0.0, 1.0], [(Point, true), (Begin, true), (End, true)]),
        ([1.0, 0.0], [(Point, false), (Begin, false), (End, false)]),
        ([1.0, 0.3], [(Point, false), (Begin, false), (End, false)]),
    ] {
        let mut player = weighted();
        player.set("w", weights[0]);
        player.run(0.4);
        player.set("w", weights[1]);
        player.run(0.4);
        assert_eq!(silences(&player), expected, "{weights:?}");
    }
}

#[test]
fn layer_is_silent_beyond_its_distance() {
    let mut player = weighted();
    player.set("w", 1.0);
    player.machine.layers[0].beyond = Some(10.0);
    player.state.set_distance(&player.machine, 50.0);
    player.run(0.4);
    assert_eq!(
        silences(&player),
        [(MarkerPhase::Point, true), (MarkerPhase::Begin, true)]
    );
}

#[test]
fn duplicate_points_of_a_plane_are_an_error() {
    let point = |x: f32, clip: &str| PointDef {
        position: Some([x, 0.0]),
        content: PointContent::Clip(clip.into()),
        speed: 1.0,
    };
    let blend = MotionDef::Blend(BlendDef {
        space: SpaceDef::Plane("x".into(), "x".into()),
        points: vec![point(1.0, "a"), point(2.0, "a"), point(1.0, "a")],
        sync: SyncBy::FootSteps,
        match_speed: false,
    });
    let made = rig(vec![clip("a", 1.0)]);
    let def = machine(params(&[("x", 0.0)]), vec![state("s", blend)], vec![]);
    let problems = bind(&def, &made.set, &made.markers).unwrap_err();
    assert!(
        problems[0].text.contains("have the same position"),
        "{problems:?}"
    );
}

#[test]
fn layer_with_too_many_states_is_an_error() {
    let made = rig(vec![clip("a", 1.0)]);
    let bound = |n: usize| {
        let states = (0..n).map(|i| plays(&format!("s{i}"), "a")).collect();
        bind(&machine(vec![], states, vec![]), &made.set, &made.markers)
    };
    assert!(bound(MAX_STATES).is_ok());
    let problems = bound(MAX_STATES + 1).unwrap_err();
    assert!(problems[0].text.contains("has 513 states"), "{problems:?}");
}
