//! Marks that come and go while a machine plays them, those that ways wait for, and those of layers that
//! show nothing.

use super::*;
use galatea_anim::MarkEdge;

fn step_at(t: f32, foot: &str) -> Mark {
    Mark {
        t,
        event: "step".into(),
        length: 0.0,
        fields: vec![("foot".into(), MarkValue::Text(foot.into()))],
    }
}

/// Adds a mark to a clip and binds the machine again.
fn add(player: &mut Player, clip: usize, mark: Mark) -> Vec<Crossed> {
    Arc::make_mut(&mut player.rig.marks[clip])
        .insert(mark)
        .unwrap();
    let bound = bind(&player.machine.def, &player.rig.set, &player.rig.marks).unwrap();
    let clips = Clips {
        set: &player.rig.set,
        marks: &player.rig.marks,
    };
    let mut told = Vec::new();
    let state = &mut player.state;
    rebind(state, &player.machine, &bound, clips, &mut |crossed| {
        told.push(crossed);
    });
    player.machine = bound;
    told
}

#[test]
fn steps_added_to_a_clip_that_plays_leave_it_where_it_is() {
    let walk = clip("walk", 1.0).marks(&[(0.3, "M", "")]);
    let def = machine(
        params(&[("x", 0.0)]),
        vec![plays("walk", "walk")],
        vec![TransitionDef {
            on: Some("go".into()),
            ..to("walk", &["walk"])
        }],
    );
    let mut player = play(rig(vec![walk]), def);
    // Told marks are numbers; they have their names before others are added.
    let mut told: Vec<(f64, String)> = Vec::new();
    for (n, t) in [0.1, 0.6, 0.8, 0.25].into_iter().enumerate() {
        // Here and there, on a mark too.
        player.run(if n == 2 { 2.1 } else { 3.52 });
        told.extend(player.marks());
        player.log.told.clear();
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
    told.extend(player.marks());
    let of_m: Vec<f64> = told.iter().filter(|t| t.1 == "M").map(|t| t.0).collect();
    assert_eq!(of_m.len(), (total - 0.3).ceil() as usize);
    for (lap, at) in of_m.iter().enumerate() {
        assert!((at - lap as f64 - 0.3).abs() < 1e-6, "{of_m:?}");
    }
}

#[test]
fn clips_that_follow_a_cycle_with_new_steps_tell_nothing_but_cut_ends() {
    let steps = [(0.1, "step", "left"), (0.6, "step", "right")];
    let mut run = clip("run", 0.5).marks(&[(0.05, "step", "left"), (0.3, "step", "right")]);
    run.marks.push(Mark {
        t: 0.0,
        event: "trail".into(),
        length: 0.499,
        fields: Vec::new(),
    });
    let made = rig(vec![clip("walk", 1.0).marks(&steps), run]);
    let states = vec![state("move", line("x", &[(0.0, "walk"), (1.0, "run")]))];
    let mut player = play(made, machine(params(&[("x", 0.1)]), states, vec![]));
    player.run(4.3);
    let place = |player: &Player| player.current().clips[0].head.cycles(1.0);
    let (before, n) = (place(&player), player.log.told.len());
    let told = add(&mut player, 0, step_at(0.35, "left"));
    assert!(told.iter().all(|crossed| crossed.cut), "{told:?}");
    assert_eq!(place(&player), before);
    player.step(DT);
    let after = place(&player) - before;
    assert!(after > 0.0 && after < 0.1, "{after}");
    assert!(player.log.told.len() - n < 8, "no laps are told again");
    // Begins and ends still take turns.
    let mut ends = player.log.told.iter().filter_map(|(_, h)| match h {
        Happening::Mark(crossed) if crossed.clip == 1 => Some(crossed.edge),
        _ => None,
    });
    let n_begun = ends.clone().filter(|edge| *edge == MarkEdge::Begin).count();
    let n_ended = ends.clone().filter(|edge| *edge == MarkEdge::End).count() + told.len();
    assert!(n_begun - n_ended <= 1, "{n_begun} {n_ended}");
    assert!(ends.any(|edge| edge == MarkEdge::Begin));
}

#[test]
fn a_way_waits_for_a_mark_however_many_others_are_passed_with_it() {
    let names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];
    let clips: Vec<Made> = names
        .iter()
        .map(|name| {
            clip(name, 1.0).marks(&[(0.5, if *name == "c8" { "hit" } else { "other" }, "")])
        })
        .collect();
    let mut points: Vec<(f32, &str)> = names.iter().zip(0..).map(|(n, i)| (i as f32, *n)).collect();
    points.rotate_left(3);
    let mut blend = line("x", &points);
    if let MotionDef::Blend(blend) = &mut blend {
        blend.sync = SyncBy::Free;
    }
    let transitions = vec![TransitionDef {
        passing: Some(("hit".into(), Vec::new())),
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
fn a_mark_added_before_the_one_that_was_passed_does_not_hide_it() {
    let made = rig(vec![
        clip("a", 1.0).marks(&[(0.1, "hit", "")]),
        clip("b", 1.0),
    ]);
    let transitions = vec![TransitionDef {
        passing: Some(("hit".into(), Vec::new())),
        ..to("b", &["a"])
    }];
    let states = vec![plays("a", "a"), plays("b", "b")];
    let mut player = play(made, machine(vec![], states, transitions));
    while player.state.layers[0].passed == [false] {
        player.step(DT);
    }
    add(&mut player, 0, step_at(0.05, "left"));
    player.step(DT);
    assert_eq!(player.at(), "b");
}

/// One layer whose weight is the parameter `w`, over a clip with a point at 0.1 and an interval from 0.2
/// to 0.6.
fn weighted() -> Player {
    let mut made = clip("a", 1.0).marks(&[(0.1, "M", "")]);
    made.marks.push(Mark {
        t: 0.2,
        event: "I".into(),
        length: 0.4,
        fields: Vec::new(),
    });
    let mut def = machine(params(&[("w", 0.0)]), vec![plays("a", "a")], vec![]);
    def.layers[0].weight = Scalar::Param("w".into());
    play(rig(vec![made]), def)
}

fn silences(player: &Player) -> Vec<(MarkEdge, bool)> {
    let told = player.log.told.iter();
    told.filter_map(|(_, happening)| match happening {
        Happening::Mark(crossed) => Some((crossed.edge, crossed.silent)),
        _ => None,
    })
    .collect()
}

#[test]
fn a_layer_that_shows_nothing_is_silent_but_for_the_ends_of_what_was_told() {
    use MarkEdge::{Begin, End, Point};
    for (weights, wanted) in [
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
        assert_eq!(silences(&player), wanted, "{weights:?}");
    }
}

#[test]
fn beyond_its_distance_a_layer_is_silent() {
    let mut player = weighted();
    player.set("w", 1.0);
    player.machine.layers[0].beyond = Some(10.0);
    player.state.set_distance(&player.machine, 50.0);
    player.run(0.4);
    assert_eq!(
        silences(&player),
        [(MarkEdge::Point, true), (MarkEdge::Begin, true)]
    );
}

#[test]
fn points_of_a_plane_that_are_the_same_are_found_wherever_they_stand() {
    let point = |x: f32, clip: &str| PointDef {
        place: Some([x, 0.0]),
        content: PointContent::Clip(clip.into()),
        speed: 1.0,
    };
    let blend = MotionDef::Blend(BlendDef {
        space: SpaceDef::Plane("x".into(), "x".into()),
        points: vec![point(1.0, "a"), point(2.0, "a"), point(1.0, "a")],
        sync: SyncBy::Feet,
        match_speed: false,
    });
    let made = rig(vec![clip("a", 1.0)]);
    let def = machine(params(&[("x", 0.0)]), vec![state("s", blend)], vec![]);
    let problems = bind(&def, &made.set, &made.marks).unwrap_err();
    assert!(
        problems[0].text.contains("at the same place"),
        "{problems:?}"
    );
}

#[test]
fn a_layer_of_too_many_states_is_refused() {
    let made = rig(vec![clip("a", 1.0)]);
    let bound = |n: usize| {
        let states = (0..n).map(|i| plays(&format!("s{i}"), "a")).collect();
        bind(&machine(vec![], states, vec![]), &made.set, &made.marks)
    };
    assert!(bound(MOST_STATES).is_ok());
    let problems = bound(MOST_STATES + 1).unwrap_err();
    assert!(problems[0].text.contains("has 513 states"), "{problems:?}");
}
