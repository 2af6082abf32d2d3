//! Properties that hold for random inputs: results do not depend on step lengths, and weights sum to one.

use proptest::prelude::*;

use super::*;

fn wild() -> Player {
    let made = rig(vec![
        clip("walk", 1.1).markers(&[
            (0.0, "step", "left"),
            (0.6, "step", "right"),
            (0.3, "swish", ""),
        ]),
        clip("run", 0.7).markers(&[(0.1, "step", "right"), (0.45, "step", "left")]),
        clip("jump", 0.9).markers(&[(0.2, "take_off", ""), (0.9, "land", "")]),
    ]);
    let states = vec![
        state("move", line("speed", &[(0.0, "walk"), (1.0, "run")])),
        once("jump", "jump"),
        state(
            "list",
            MotionDef::List(ListDef {
                clips: vec![("walk".into(), 1.0), ("jump".into(), 1.0)],
                random: false,
                repeat: false,
                fade: 0.1,
            }),
        ),
    ];
    let transitions = vec![
        TransitionDef {
            on: Some("jump".into()),
            fade: fade(0.15),
            ..to("jump", &[])
        },
        TransitionDef {
            at_end: true,
            fade: fade(0.2),
            ..to("move", &["jump"])
        },
        TransitionDef {
            on: Some("list".into()),
            fade: fade(0.3),
            ..to("list", &["move"])
        },
        TransitionDef {
            min_time: 2.0,
            ..to("move", &["list"])
        },
    ];
    play(
        made,
        machine(params(&[("speed", 0.3)]), states, transitions),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn weights_sum_to_one_and_poses_are_finite(
        steps in prop::collection::vec((0.0f64..0.2, 0.0f32..1.0, 0u8..20), 1..80),
    ) {
        let mut player = wild();
        for (dt, speed, event) in steps {
            player.set("speed", speed);
            match event {
                0 | 1 => player.state.send("jump", 0.0),
                2 => player.state.send("list", 0.1),
                _ => {}
            }
            player.step(dt);
            let active = &player.state.layers[0].active;
            let shown: f32 = active.iter().map(|one| one.weight).sum();
            prop_assert!((shown - 1.0).abs() < 1e-5, "{shown}");
            for one in active {
                let sum: f32 = one.clips.iter().map(|clip| clip.weight).sum();
                prop_assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            }
            prop_assert!(player.tip().is_finite());
        }
    }

    #[test]
    fn reported_steps_do_not_depend_on_the_step_length(
        cuts in prop::collection::vec(0.001f64..0.3, 1..60),
        speed in 0.0f32..1.0,
    ) {
        let total: f64 = cuts.iter().sum();
        let mut cut = wild();
        cut.set("speed", speed);
        for dt in &cuts {
            cut.step(*dt);
        }
        let mut whole = wild();
        whole.set("speed", speed);
        whole.step(total);
        let sorted = |player: &Player| {
            let mut marks = player.markers();
            marks.sort_by(|a, b| a.0.total_cmp(&b.0));
            marks
        };
        let (cut, whole) = (sorted(&cut), sorted(&whole));
        prop_assert_eq!(cut.len(), whole.len());
        for (a, b) in cut.iter().zip(&whole) {
            prop_assert_eq!(&a.1, &b.1);
        }
    }

    #[test]
    fn pose_does_not_depend_on_the_step_length(
        cuts in prop::collection::vec(0.0001f64..0.4, 1..60),
        speed in -2.0f32..2.0,
    ) {
        // A ping-pong clip never jumps, so rounding cannot move the pose to the other end of the clip.
        let made = || {
            let back_and_forth = StateDef {
                mode: PlayMode::PingPong,
                speed: Scalar::Fixed(speed),
                ..plays("there", "walk")
            };
            play(rig(vec![clip("walk", 1.1)]), machine(vec![], vec![back_and_forth], vec![]))
        };
        let (mut cut, mut whole) = (made(), made());
        for dt in &cuts {
            cut.step(*dt);
        }
        whole.step(cuts.iter().sum());
        let (cut, whole) = (cut.pose().locals[1], whole.pose().locals[1]);
        prop_assert!(cut.translation.abs_diff_eq(whole.translation, 1e-5), "{cut:?} {whole:?}");
        prop_assert!(cut.rotation.abs_diff_eq(whole.rotation, 1e-5), "{cut:?} {whole:?}");
    }
}
