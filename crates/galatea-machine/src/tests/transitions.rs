//! Choice of transitions, their timing and their targets.

use super::*;

fn two() -> Rig {
    rig(vec![clip("a", 1.0), clip("b", 2.0), clip("c", 0.5)])
}

fn abc(transitions: Vec<TransitionDef>) -> Player {
    let states = vec![plays("a", "a"), plays("b", "b"), plays("c", "c")];
    play(
        two(),
        machine(params(&[("speed", 0.0), ("x", 0.0)]), states, transitions),
    )
}

#[test]
fn text_condition_reads_the_parameters() {
    let mut player = abc(vec![TransitionDef {
        when: when("speed > 0.1"),
        fade: fade(0.2),
        ..to("b", &["a"])
    }]);
    player.run(0.5);
    assert_eq!(player.at(), "a");
    player.set("speed", 0.5);
    player.step(DT);
    assert_eq!(player.at(), "b");
    assert_eq!(player.entered(), ["b"]);
}

#[test]
fn higher_priority_wins_over_order() {
    let transitions = vec![
        TransitionDef {
            when: when("speed > 0"),
            ..to("b", &["a"])
        },
        TransitionDef {
            when: when("speed > 0"),
            priority: 1,
            ..to("c", &["a"])
        },
    ];
    let mut player = abc(transitions);
    player.set("speed", 1.0);
    player.step(DT);
    assert_eq!(player.at(), "c");
}

#[test]
fn any_excludes_the_target_unless_it_has_an_event_or_is_named() {
    let entered = |transition: TransitionDef| {
        let mut player = abc(vec![TransitionDef {
            fade: fade(0.2),
            ..transition
        }]);
        player.set("speed", 1.0);
        for _ in 0..4 {
            player.state.send("hit", 0.0);
            player.step(DT);
        }
        player.entered().len()
    };
    let holds = || when("speed > 0");
    for from in [&[][..], &["*"]] {
        let transition = TransitionDef {
            when: holds(),
            ..to("b", from)
        };
        assert_eq!(entered(transition), 1, "{from:?}");
        let transition = TransitionDef {
            on: Some("hit".into()),
            ..to("b", from)
        };
        assert_eq!(entered(transition), 4, "{from:?}");
    }
    for from in [&["*", "b"][..], &["b", "*"], &["a", "b"]] {
        let transition = TransitionDef {
            when: holds(),
            ..to("b", from)
        };
        assert_eq!(entered(transition), 4, "{from:?}");
    }
}

#[test]
fn nested_machine_as_source_means_its_states_without_the_target() {
    let entered = |from: &[&str]| {
        let inner = StatesDef {
            states: vec![plays("x", "a"), plays("y", "b")],
            transitions: Vec::new(),
        };
        let group = StateDef {
            name: "g".into(),
            content: Content::Nested(inner),
            ..StateDef::default()
        };
        let transition = TransitionDef {
            when: when("speed > 0"),
            ..to("g/y", from)
        };
        let def = machine(params(&[("speed", 1.0)]), vec![group], vec![transition]);
        let mut player = play(two(), def);
        player.run(4.0 * DT);
        player.entered().len()
    };
    assert_eq!(entered(&["g"]), 1);
    assert_eq!(entered(&["g", "g/y"]), 4);
}

#[test]
fn uninterruptible_fade_blocks_other_transitions() {
    let rule = |interrupt, priority| {
        let mut player = abc(vec![
            TransitionDef {
                when: when("speed > 0"),
                fade: fade(0.5),
                interrupt,
                ..to("b", &["a"])
            },
            TransitionDef {
                when: when("x > 0"),
                priority,
                ..to("c", &["b"])
            },
        ]);
        player.set("speed", 1.0);
        player.step(DT);
        player.set("x", 1.0);
        player.run(0.2);
        let during = player.at().to_owned();
        player.run(0.5);
        (during, player.at().to_owned())
    };
    let (c, b) = ("c".to_owned(), "b".to_owned());
    assert_eq!(rule(Interrupt::Always, 0), (c.clone(), c.clone()));
    assert_eq!(rule(Interrupt::Higher, 0), (b.clone(), c.clone()));
    assert_eq!(rule(Interrupt::Higher, 1), (c.clone(), c.clone()));
    assert_eq!(rule(Interrupt::Never, 1), (b, c));
}

#[test]
fn exit_time_is_passed_once_per_loop() {
    let mut player = abc(vec![TransitionDef {
        exit_time: Some(0.75),
        ..to("b", &["a"])
    }]);
    player.run(0.7);
    assert_eq!(player.at(), "a");
    player.run(0.1);
    assert_eq!(player.at(), "b");
    // If it is entered after the exit time, it waits for the next loop.
    let mut late = abc(vec![
        TransitionDef {
            on: Some("go".into()),
            entry: ClipStart::Fraction(0.9),
            ..to("a", &["a"])
        },
        TransitionDef {
            exit_time: Some(0.75),
            ..to("b", &["a"])
        },
    ]);
    late.state.send("go", 0.0);
    late.run(0.5);
    assert_eq!(late.at(), "a");
    late.run(0.5);
    assert_eq!(late.at(), "b");
}

#[test]
fn done_waits_for_the_clip_end_minus_the_fade() {
    let states = vec![
        StateDef {
            speed: Scalar::Fixed(2.0),
            ..once("a", "b")
        },
        plays("b", "a"),
    ];
    // Two seconds at double speed are one second. A cross-fade begins a quarter second earlier, so that both clips
    // play; an inertial fade begins at the end.
    for (inertial, at) in [(false, 0.75), (true, 1.0)] {
        let transitions = vec![TransitionDef {
            at_end: true,
            fade: Fade {
                inertial,
                ..fade(0.25)
            },
            ..to("b", &["a"])
        }];
        let mut player = play(two(), machine(vec![], states.clone(), transitions));
        player.run(at - 0.03);
        assert_eq!(player.at(), "a");
        player.run(0.06);
        assert_eq!(player.at(), "b");
    }
}

#[test]
fn marker_condition_checks_the_fields() {
    let walking = || {
        rig(vec![
            clip("walk", 1.0).markers(&[(0.25, "step", "left"), (0.75, "step", "right")]),
            clip("stop", 1.0),
        ])
    };
    let at = |foot: &str| {
        let transitions = vec![TransitionDef {
            marker: Some((
                "step".into(),
                vec![("foot".into(), MarkerValue::Text(foot.into()))],
            )),
            ..to("stop", &["walk"])
        }];
        let states = vec![plays("walk", "walk"), plays("stop", "stop")];
        let mut player = play(walking(), machine(vec![], states, transitions));
        let mut seconds = 0.0;
        while player.at() == "walk" && seconds < 3.0 {
            player.step(DT);
            seconds += DT;
        }
        seconds
    };
    assert!((at("left") - 0.25).abs() <= 2.5 * DT, "{}", at("left"));
    assert!((at("right") - 0.75).abs() <= 2.5 * DT, "{}", at("right"));
}

#[test]
fn event_stays_valid_for_its_time() {
    let made = || {
        abc(vec![TransitionDef {
            on: Some("jump".into()),
            min_time: 0.3,
            ..to("b", &["a"])
        }])
    };
    let mut player = made();
    player.run(0.1);
    player.state.send("jump", 0.0);
    player.run(0.5);
    assert_eq!(player.at(), "a", "an event is valid for one tick");
    let mut player = made();
    player.run(0.2);
    player.state.send("jump", 0.2);
    player.run(0.15);
    assert_eq!(player.at(), "b");
    let mut player = made();
    player.state.send("jump", 0.2);
    player.run(0.5);
    assert_eq!(player.at(), "a", "the event expired before");
}

#[test]
fn transition_sets_the_start_of_the_target_clip() {
    let begin = |entry: ClipStart| {
        let rig = rig(vec![
            clip("a", 1.0),
            clip("b", 2.0).markers(&[(0.5, "hit", ""), (1.25, "hit", "")]),
        ]);
        let transitions = vec![TransitionDef {
            when: when("x > 0"),
            entry,
            ..to("b", &["a"])
        }];
        let states = vec![plays("a", "a"), plays("b", "b")];
        let mut player = play(rig, machine(params(&[("x", 0.0)]), states, transitions));
        player.run(0.4);
        player.set("x", 1.0);
        player.step(DT);
        let t = player.current().clips[0].head.clip_time(2.0);
        f64::from(t) - DT
    };
    let near = |entry: ClipStart, expected: f64| {
        let got = begin(entry.clone());
        assert!(
            (got - expected).abs() < 1e-5,
            "{entry:?}: {got}, want {expected}"
        );
    };
    near(ClipStart::Auto, 0.0);
    near(ClipStart::Start, 0.0);
    near(ClipStart::Time(0.3), 0.3);
    near(ClipStart::Fraction(0.25), 0.5);
    near(ClipStart::Phase, 0.8);
    let hit = |index| ClipStart::Marker {
        event: "hit".into(),
        fields: Vec::new(),
        index,
    };
    near(hit(0), 0.5);
    near(hit(1), 1.25);
}

#[test]
fn cross_fade_follows_its_easing_and_duration() {
    let mut player = abc(vec![TransitionDef {
        when: when("x > 0"),
        fade: Fade {
            seconds: 0.5,
            ease: galatea_anim::Ease::Linear,
            inertial: false,
        },
        ..to("b", &["a"])
    }]);
    player.run(0.5);
    player.set("x", 1.0);
    player.run(0.25);
    // Half a second and a quarter of clip a, a quarter of clip b.
    assert!(
        (player.tip() - (0.75 + 0.25) / 2.0).abs() < 1e-3,
        "{}",
        player.tip()
    );
    player.run(0.25);
    assert!((player.tip() - 0.5).abs() < 1e-3);
    assert_eq!(player.state.layers[0].active.len(), 1);
}

fn nested() -> Player {
    let air = StatesDef {
        states: vec![plays("rise", "a"), plays("fall", "b")],
        transitions: vec![TransitionDef {
            when: when("x > 0"),
            ..to("fall", &["rise"])
        }],
    };
    let states = vec![
        plays("ground", "c"),
        StateDef {
            name: "air".into(),
            content: Content::Nested(air),
            ..StateDef::default()
        },
    ];
    let transitions = vec![
        TransitionDef {
            when: when("speed > 0"),
            ..to("air", &["ground"])
        },
        TransitionDef {
            when: when("speed < 0"),
            ..to("ground", &["air"])
        },
    ];
    play(
        two(),
        machine(params(&[("speed", 0.0), ("x", 0.0)]), states, transitions),
    )
}

#[test]
fn state_can_contain_a_machine() {
    let mut player = nested();
    player.set("speed", 1.0);
    player.step(DT);
    assert_eq!(player.at(), "air/rise");
    assert_eq!(player.entered(), ["air", "air/rise"]);
    player.set("x", 1.0);
    player.step(DT);
    assert_eq!(player.at(), "air/fall");
    // A transition from the outer state applies to every inner state.
    player.set("speed", -1.0);
    player.step(DT);
    assert_eq!(player.at(), "ground");
    let exited: Vec<&str> = player
        .log
        .events
        .iter()
        .filter_map(|(_, h)| match h {
            Happening::Exit { layer, state, .. } => Some(player.machine.state_name(*layer, *state)),
            _ => None,
        })
        .collect();
    assert_eq!(exited, ["ground", "air/rise", "air/fall", "air"]);
}

#[test]
fn nested_machine_with_history_resumes_its_last_state() {
    for history in [false, true] {
        let mut player = nested();
        player.machine.layers[0].groups[0].history = history;
        player.set("speed", 1.0);
        player.step(DT);
        player.set("x", 1.0);
        player.step(DT);
        player.set("speed", -1.0);
        player.step(DT);
        player.set("x", 0.0);
        player.set("speed", 1.0);
        player.step(DT);
        assert_eq!(player.at(), if history { "air/fall" } else { "air/rise" });
    }
}

#[test]
fn travel_takes_the_shortest_route_and_respects_times() {
    let states = vec![
        plays("crouch", "a"),
        once("stand_up", "a"),
        plays("walk", "b"),
        plays("run", "c"),
        plays("hidden", "c"),
    ];
    let transitions = vec![
        TransitionDef {
            when: when("x > 99"),
            ..to("stand_up", &["crouch"])
        },
        TransitionDef {
            at_end: true,
            ..to("walk", &["stand_up"])
        },
        TransitionDef {
            when: when("x > 99"),
            ..to("run", &["walk"])
        },
        TransitionDef {
            when: when("x > 99"),
            allow_travel: false,
            ..to("run", &["crouch"])
        },
        // This state has no further transitions.
        TransitionDef {
            when: when("x > 99"),
            priority: 1,
            ..to("hidden", &["walk"])
        },
    ];
    let mut player = play(two(), machine(params(&[("x", 0.0)]), states, transitions));
    player.step(DT);
    let from = player.current().state;
    let (goal, path) = route(&player.machine, 0, from, "run").unwrap();
    assert_eq!(path, [1, 2, 3]);
    player.state.layers[0].goal = Some(goal);
    player.run(0.5);
    assert_eq!(player.at(), "stand_up", "its clip plays to the end");
    player.run(1.0);
    assert_eq!(player.at(), "run");
    assert_eq!(player.state.layers[0].goal, None);
    let error = route(&player.machine, 0, 0, "crouch").map(|_| ());
    assert_eq!(error, Ok(()), "it is already at the goal");
    let error = route(&player.machine, 0, 3, "crouch").unwrap_err();
    let text = error.to_string();
    assert!(text.contains("reachable from there: nothing"), "{text}");
    let text = route(&player.machine, 0, 0, "rnu").unwrap_err().to_string();
    assert!(text.contains("run"), "{text}");
}

#[test]
fn event_ends_a_travel() {
    let transitions = vec![
        TransitionDef {
            when: when("x > 99"),
            min_time: 1.0,
            ..to("b", &["a"])
        },
        TransitionDef {
            on: Some("hit".into()),
            ..to("c", &["a"])
        },
    ];
    let mut player = abc(transitions);
    player.step(DT);
    let (goal, _) = route(&player.machine, 0, 0, "b").unwrap();
    player.state.layers[0].goal = Some(goal);
    player.run(0.2);
    player.state.send("hit", 0.0);
    player.run(2.0);
    assert_eq!(player.at(), "c");
    assert_eq!(player.state.layers[0].goal, None, "c has no route to b");
}

#[test]
fn root_motion_is_weighted_by_state() {
    let mut walk = clip("walk", 1.0);
    walk.root_speed = Some(1.5);
    let states = vec![
        StateDef {
            root_motion: true,
            ..plays("walk", "walk")
        },
        plays("stand", "stand"),
    ];
    let transitions = vec![TransitionDef {
        when: when("x > 0"),
        fade: Fade {
            seconds: 1.0,
            ease: galatea_anim::Ease::Linear,
            inertial: false,
        },
        ..to("stand", &["walk"])
    }];
    let made = rig(vec![walk, clip("stand", 1.0)]);
    let mut player = play(made, machine(params(&[("x", 0.0)]), states, transitions));
    let mut travelled = 0.0;
    for _ in 0..150 {
        player.step(DT);
        travelled += player.state.root_translation.translation.z;
    }
    assert!((travelled - 2.5 * 1.5).abs() < 1e-3, "{travelled}");
    player.set("x", 1.0);
    for _ in 0..60 {
        player.step(DT);
        travelled += player.state.root_translation.translation.z;
    }
    // During a linear fade-out, it moves half as far.
    assert!((travelled - (2.5 + 0.5) * 1.5).abs() < 0.03, "{travelled}");
}

#[test]
fn fade_between_clip_and_rest_pose_is_continuous() {
    for number in [0, 1] {
        for inertial in [false, true] {
            let fade = Fade {
                seconds: 0.4,
                inertial,
                ..Fade::default()
            };
            let change = |target: &str, from: &str, when_text: &str| TransitionDef {
                when: when(when_text),
                fade,
                ..to(target, &[from])
            };
            let over = StatesDef {
                states: vec![plays("b", "b"), plays("none", "")],
                transitions: vec![change("none", "b", "x > 0"), change("b", "none", "x < 0")],
            };
            let mut def = machine(params(&[("x", 0.0)]), vec![plays("c", "c")], vec![]);
            if number == 0 {
                def.layers[0].states = over;
            } else {
                def.layers.push(LayerDef {
                    name: "over".into(),
                    states: over,
                    ..LayerDef::default()
                });
            }
            let made = rig(vec![clip("b", 20.0), clip("c", 20.0).pace(0.01)]);
            let mut player = play(made, def);
            let (mut last, mut largest) = (0.0, 0.0_f32);
            for tick in 0..360 {
                player.set(
                    "x",
                    if (120..240).contains(&tick) {
                        1.0
                    } else {
                        -1.0
                    },
                );
                player.step(DT);
                let tip = player.tip();
                largest = largest.max((tip - last).abs());
                last = tip;
                if tick == 200 {
                    assert!(
                        tip.abs() < 0.1,
                        "layer {number}: at rest the tip is at {tip}"
                    );
                }
            }
            // Two metres in 0.4 s, at most about twice as fast as the average.
            assert!(
                largest < 0.25,
                "layer {number}, inertial {inertial}: {largest} m"
            );
        }
    }
}

#[test]
fn jump_enters_a_state_without_a_transition() {
    let mut player = abc(vec![to("b", &["c"])]);
    player.step(DT);
    player.state.layers[0].jump = Some(StateJump {
        state: 1,
        fade: 0.2,
    });
    player.step(DT);
    assert_eq!(player.at(), "b");
    assert_eq!(player.entered(), ["b"]);
    assert_eq!(player.state.layers[0].active.len(), 2, "it fades");
    player.run(0.3);
    assert_eq!(player.state.layers[0].active.len(), 1);
    let ways = taken(&player.machine, 0, &player.state);
    assert_eq!(ways.len(), 1);
    assert_eq!((&*ways[0].from, &*ways[0].to), ("a", "b"));
    assert_eq!(ways[0].reason, "jump_to was called");
    // A state that does not exist changes nothing.
    player.state.layers[0].jump = Some(StateJump {
        state: 9,
        fade: 0.0,
    });
    player.step(DT);
    assert_eq!(player.at(), "b");
}
