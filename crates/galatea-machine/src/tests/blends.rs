//! Blend spaces and synchronisation.

use proptest::prelude::*;

use super::*;

const WALK: [(f32, &str, &str); 2] = [(0.1, "step", "left"), (0.7, "step", "right")];
const RUN: [(f32, &str, &str); 2] = [(0.2, "step", "right"), (0.5, "step", "left")];

fn gaits() -> Rig {
    rig(vec![
        clip("walk", 1.2).markers(&WALK),
        clip("run", 0.6).markers(&RUN),
        clip("stand", 1.0),
        clip("limp", 1.0),
    ])
}

fn moving(speed: f32) -> Player {
    let states = vec![state("move", line("speed", &[(1.0, "walk"), (3.0, "run")]))];
    play(
        gaits(),
        machine(params(&[("speed", speed)]), states, vec![]),
    )
}

#[test]
fn blend_parameter_sets_the_ratio_of_weights() {
    let mut player = moving(1.5);
    player.step(0.0);
    let weights: Vec<f32> = player.current().clips.iter().map(|c| c.weight).collect();
    assert_eq!(weights, [0.75, 0.25]);
}

#[test]
fn synchronised_clips_step_with_the_same_foot_at_the_same_time() {
    let mut player = moving(2.0);
    player.run(5.0);
    let mut steps = [Vec::new(), Vec::new()];
    for (now, happening) in &player.log.events {
        if let Happening::Marker(crossed) = happening {
            let foot = player.rig.markers[crossed.clip][crossed.marker].fields[0]
                .1
                .clone();
            steps[crossed.clip].push((now + crossed.offset, foot));
        }
    }
    assert!(steps[0].len() > 8);
    assert_eq!(steps[0].len(), steps[1].len());
    for (a, b) in steps[0].iter().zip(&steps[1]) {
        assert!((a.0 - b.0).abs() < 1e-9, "{a:?} {b:?}");
        assert_eq!(a.1, b.1);
    }
}

#[test]
fn blend_cycle_lasts_the_mean_of_its_clips() {
    let mut player = moving(2.0);
    player.run(9.0);
    // The mean of 1.2 s and 0.6 s: a cycle of 0.9 s with two steps.
    let steps = player.markers();
    assert_eq!(steps.len(), 20);
    let cycle = steps[14].0 - steps[12].0;
    assert!((cycle - 0.9).abs() < 1e-6, "{cycle}");
}

#[test]
fn each_step_is_reported_once_while_the_weights_oscillate() {
    let mut player = moving(1.0);
    for tick in 0..3600 {
        let swing = (f64::from(tick) * 0.37).sin() as f32;
        player.set("speed", 2.0 + 1.5 * swing);
        player.step(DT);
    }
    let cycle = player.current().cycle;
    let steps = player.markers();
    // One for each whole number the cycle crossed, including the start if it is a whole number.
    let first = SyncTrackOf::start(&player);
    let expected = (cycle.ceil() - first.ceil()) as usize;
    assert_eq!(steps.len(), expected);
    let feet: Vec<String> = player
        .log
        .events
        .iter()
        .filter_map(|(_, h)| match h {
            Happening::Marker(c) if c.has_max_weight => Some(format!(
                "{:?}",
                player.rig.markers[c.clip][c.marker].fields[0].1
            )),
            _ => None,
        })
        .collect();
    assert!(
        feet.windows(2).all(|pair| pair[0] != pair[1]),
        "the same foot stepped twice in a row"
    );
}

/// Start of the first state's shared cycle.
struct SyncTrackOf;

impl SyncTrackOf {
    fn start(player: &Player) -> f64 {
        let fresh = MachineState::new(&player.machine);
        let mut log = Log::default();
        let clips = Clips {
            set: &player.rig.set,
            markers: &player.rig.markers,
        };
        let mut state = fresh;
        advance(&player.machine, clips, &mut state, 0.0, &mut log);
        state.layers[0].active[0].cycle
    }
}

#[test]
fn transitions_between_gaits_keep_the_phase() {
    let states = vec![
        plays("walk", "walk"),
        plays("run", "run"),
        plays("stand", "stand"),
    ];
    let transitions = vec![
        TransitionDef {
            when: when("x > 0"),
            fade: fade(0.4),
            ..to("run", &["walk"])
        },
        TransitionDef {
            when: when("x < 0"),
            ..to("stand", &["walk"])
        },
    ];
    for wait in [0.05, 0.33, 0.71, 1.04, 2.9] {
        let def = machine(params(&[("x", 0.0)]), states.clone(), transitions.clone());
        let mut player = play(gaits(), def);
        player.run(wait);
        player.set("x", 1.0);
        for _ in 0..20 {
            player.step(DT);
            let active = &player.state.layers[0].active;
            if active.len() < 2 {
                break;
            }
            let foot = |clip: usize, head: &galatea_anim::Playhead, marks: &[(f32, &str, &str)]| {
                // Phase between two steps, and the foot of the first.
                let d = player.rig.set.duration(clip);
                let t = head.clip_time(d);
                let [a, b] = [marks[0].0, marks[1].0];
                if t >= a && t < b {
                    (marks[0].2.to_owned(), (t - a) / (b - a))
                } else {
                    let since = if t >= b { t - b } else { t + d - b };
                    (marks[1].2.to_owned(), since / (d - b + a))
                }
            };
            let walk = foot(0, &active[0].clips[0].head, &WALK);
            let run = foot(1, &active[1].clips[0].head, &RUN);
            assert_eq!(walk.0, run.0, "after {wait} s");
            assert!((walk.1 - run.1).abs() < 1e-3, "{walk:?} {run:?}");
        }
    }
}

#[test]
fn blends_can_be_nested() {
    let inner = match line("hurt", &[(0.0, "walk"), (1.0, "limp")]) {
        MotionDef::Blend(blend) => blend,
        _ => unreachable!(),
    };
    let outer = BlendDef {
        space: SpaceDef::Line("speed".into()),
        points: vec![
            PointDef {
                position: Some([0.0, 0.0]),
                content: PointContent::Clip("stand".into()),
                speed: 1.0,
            },
            PointDef {
                position: Some([1.0, 0.0]),
                content: PointContent::Blend(inner),
                speed: 1.0,
            },
        ],
        sync: SyncBy::Free,
        match_speed: false,
    };
    let states = vec![state("move", MotionDef::Blend(outer))];
    let def = machine(params(&[("speed", 0.5), ("hurt", 0.25)]), states, vec![]);
    let mut player = play(gaits(), def);
    player.step(0.0);
    let clips = &player.current().clips;
    let weights: Vec<f32> = clips.iter().map(|clip| clip.weight).collect();
    assert_eq!(weights, [0.5, 0.375, 0.125]);
}

#[test]
fn parameter_driven_time_crosses_markers_in_both_directions() {
    let door = rig(vec![clip("open", 2.0).markers(&[(1.0, "creak", "")])]);
    let states = vec![StateDef {
        time_param: Some("u".into()),
        ..plays("door", "open")
    }];
    let mut player = play(door, machine(params(&[("u", 0.0)]), states, vec![]));
    for (u, creaks) in [(0.25, 0), (0.75, 1), (0.75, 1), (0.25, 2), (1.0, 3)] {
        player.set("u", u);
        player.step(DT);
        assert!((player.tip() - 2.0 * u).abs() < 1e-3);
        assert_eq!(player.markers().len(), creaks, "at {u}");
    }
}

#[test]
fn match_speed_scales_clips_to_their_ground_speed() {
    let mut made = gaits();
    made.set = {
        let motion = ClipMotion {
            ground_velocity: Some(Vec3::new(0.0, 0.0, 1.5)),
            ..ClipMotion::default()
        };
        let entries: Vec<_> = (0..made.set.len())
            .map(|i| (made.set.clip(i).unwrap().clone(), motion.clone()))
            .collect();
        ClipSet::new(
            "model",
            made.set.skeleton().clone(),
            Humanoid::default(),
            MirrorMap::new(made.set.skeleton(), None, &[]),
            made.set.rest().clone(),
            Vec::new(),
            entries,
        )
    };
    let motion = MotionDef::Blend(BlendDef {
        space: SpaceDef::Line("speed".into()),
        points: vec![PointDef {
            position: None,
            content: PointContent::Clip("limp".into()),
            speed: 1.0,
        }],
        sync: SyncBy::Free,
        match_speed: true,
    });
    let states = vec![state("move", motion)];
    let mut player = play(made, machine(params(&[("speed", 1.8)]), states, vec![]));
    player.run(0.5);
    let t = player.current().clips[0].head.clip_time(1.0);
    assert!((t - 0.6).abs() < 1e-5, "{t}");
    // The factor has an upper limit, because a gait looks wrong when it is too fast.
    player.set("speed", 90.0);
    player.step(DT);
    assert!((player.current().clips[0].rate - 2.0).abs() < 1e-4);
}

#[test]
fn layers_override_add_and_skip_by_weight_and_distance() {
    let mut def = machine(
        params(&[("armed", 1.0)]),
        vec![plays("stand", "stand")],
        vec![],
    );
    def.layers.push(LayerDef {
        name: "recoil".into(),
        mode: LayerMode::AddFromFirst,
        weight: Scalar::Param("armed".into()),
        states: StatesDef {
            states: vec![plays("kick", "limp")],
            transitions: vec![],
        },
        ..LayerDef::default()
    });
    let mut player = play(gaits(), def);
    player.run(0.5);
    assert!(
        (player.tip() - 1.0).abs() < 1e-3,
        "both half a second: {}",
        player.tip()
    );
    player.set("armed", 0.5);
    assert!((player.tip() - 0.75).abs() < 1e-3);
    player.set("armed", 1.0);
    player.state.layers[1].nearness = 0.0;
    assert!((player.tip() - 0.5).abs() < 1e-3);
    let mut def = player.machine.def.clone();
    def.layers[1].mode = LayerMode::Override;
    def.layers[1].mask.entries = vec![("arm".into(), 1.0)];
    let mut masked = play(gaits(), def);
    masked.run(0.25);
    assert!(
        (masked.tip() - 0.25).abs() < 1e-3,
        "the mask excludes the tip"
    );
}

/// Freely blended mix of two clips that move their tips to opposite sides.
fn mixed(points: [(&'static str, f32); 2], x: f32) -> Player {
    let MotionDef::Blend(mut blend) = line("x", &[(0.0, points[0].0), (1.0, points[1].0)]) else {
        unreachable!()
    };
    blend.sync = SyncBy::Free;
    for (point, (_, speed)) in blend.points.iter_mut().zip(points) {
        point.speed = speed;
    }
    let made = rig(vec![
        clip("there", 10.0),
        clip("back", 9.0).pace(-0.5),
        clip("far", 8.0).pace(2.0),
    ]);
    let states = vec![state("mix", MotionDef::Blend(blend))];
    let mut def = machine(params(&[("x", x), ("over", 0.0)]), states, vec![]);
    def.layers.push(LayerDef {
        name: "over".into(),
        weight: Scalar::Param("over".into()),
        states: StatesDef {
            states: vec![plays("far", "far")],
            transitions: vec![],
        },
        ..LayerDef::default()
    });
    play(made, def)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn blend_of_two_clips_is_their_weighted_mean_at_any_speed(
        w in 0.0f32..0.999,
        speeds in (0.0f32..2.0, 0.0f32..2.0),
    ) {
        let mut player = mixed([("there", speeds.0), ("back", speeds.1)], 1.0 - w);
        player.run(2.5);
        let expected = w * 2.5 * speeds.0 - (1.0 - w) * 0.5 * 2.5 * speeds.1;
        prop_assert!((player.tip() - expected).abs() < 5e-4, "{} {expected}", player.tip());
        // Both points can use the same clip.
        let mut player = mixed([("there", speeds.0), ("there", speeds.1)], 1.0 - w);
        player.run(2.5);
        let expected = 2.5 * (w * speeds.0 + (1.0 - w) * speeds.1);
        prop_assert!((player.tip() - expected).abs() < 5e-4, "{} {expected}", player.tip());
    }
}

#[test]
fn clips_of_a_layer_are_blended_before_the_next_layer() {
    let mut player = mixed([("there", 1.0), ("back", 1.0)], 0.25);
    player.run(2.0);
    let below = 0.75 * 2.0 - 0.25;
    for (over, expected) in [(0.0, below), (0.25, 0.75 * below + 0.25 * 4.0), (1.0, 4.0)] {
        player.set("over", over);
        assert!(
            (player.tip() - expected).abs() < 5e-4,
            "{over}: {}",
            player.tip()
        );
    }
}

#[test]
fn same_clip_plays_in_two_layers_at_two_speeds() {
    let mut def = machine(vec![], vec![plays("once", "stand")], vec![]);
    def.layers.push(LayerDef {
        name: "twice".into(),
        states: StatesDef {
            states: vec![StateDef {
                speed: Scalar::Fixed(2.0),
                ..plays("twice", "stand")
            }],
            transitions: vec![],
        },
        ..LayerDef::default()
    });
    let mut player = play(gaits(), def);
    for _ in 0..100 {
        player.step(DT);
        let [once, twice] = [0, 1].map(|layer| {
            player.state.current(layer).unwrap().clips[0]
                .head
                .cycles(1.0)
        });
        assert!(once > 0.0);
        assert!((twice - 2.0 * once).abs() < 1e-12, "{once} {twice}");
    }
}
