//! Inertial transitions.

use super::*;

fn changing(fade: Fade) -> Player {
    let rig = rig(vec![
        clip("slow", 10.0).pace(0.2),
        clip("far", 10.0).pace(-0.2),
    ]);
    let states = vec![plays("slow", "slow"), plays("far", "far")];
    let transitions = vec![TransitionDef {
        when: when("x > 0"),
        fade,
        ..to("far", &["slow"])
    }];
    play(rig, machine(params(&[("x", 0.0)]), states, transitions))
}

/// Positions of the tip, tick by tick, around a change after one second.
fn tips(fade: Fade) -> Vec<f32> {
    let mut player = changing(fade);
    let mut tips = Vec::new();
    for tick in 0..120 {
        player.set("x", if tick >= 60 { 1.0 } else { 0.0 });
        player.step(DT);
        tips.push(player.tip());
    }
    tips
}

fn inertial(seconds: f32) -> Fade {
    Fade {
        seconds,
        inertial: true,
        ..Fade::default()
    }
}

#[test]
fn inertial_transition_keeps_position_and_velocity_continuous() {
    let tips = tips(inertial(0.4));
    let speeds: Vec<f32> = tips.windows(2).map(|p| (p[1] - p[0]) * 60.0).collect();
    assert!((speeds[50] - 0.2).abs() < 0.01);
    let largest = speeds
        .windows(2)
        .map(|p| (p[1] - p[0]).abs())
        .fold(0.0, f32::max);
    // Reversing the direction and moving 0.2 m back within 0.4 s needs 33 m/s² on Bollo's curve: 0.55 m/s per tick.
    assert!(largest < 0.5, "a jump of {largest} m/s within a tick");
}

#[test]
fn inertial_offset_is_zero_after_the_fade() {
    let tips = tips(inertial(0.4));
    for (tick, tip) in tips.iter().enumerate().skip(60 + 25) {
        let seconds = (tick + 1 - 60) as f32 / 60.0;
        assert!((tip + 0.2 * seconds).abs() < 1e-3, "tick {tick}: {tip}");
    }
    let mut player = changing(inertial(0.4));
    player.run(0.5);
    player.set("x", 1.0);
    player.step(DT);
    assert_eq!(player.state.layers[0].active.len(), 1);
}

#[test]
fn cut_jumps_and_inertial_transition_does_not() {
    let jump = |tips: &[f32]| {
        let speeds: Vec<f32> = tips.windows(2).map(|p| (p[1] - p[0]).abs()).collect();
        speeds.into_iter().fold(0.0, f32::max)
    };
    assert!(jump(&tips(fade(0.0))) > 0.15);
    assert!(jump(&tips(inertial(0.4))) < 0.03);
}

#[test]
fn upper_layer_fades_out_before_the_end_of_a_done_clip() {
    let entered_at = |target: StateDef, seconds: Fade| {
        let transition = TransitionDef {
            at_end: true,
            fade: seconds,
            ..to(&target.name.clone(), &["b"])
        };
        let mut def = machine(vec![], vec![plays("slow", "slow")], vec![]);
        def.layers.push(LayerDef {
            name: "arms".into(),
            weight: Scalar::Fixed(1.0),
            states: StatesDef {
                states: vec![once("b", "short"), target],
                transitions: vec![transition],
            },
            ..LayerDef::default()
        });
        let clips = vec![clip("slow", 10.0), clip("short", 1.0)];
        let mut player = play(rig(clips), def);
        player.run(1.5);
        let entered = player.log.events.iter();
        let mut entered = entered.filter_map(|(now, happening)| match happening {
            Happening::Enter { layer: 1, .. } => Some(*now),
            _ => None,
        });
        entered.next().unwrap()
    };
    let rest = || plays("rest", "");
    let fades = entered_at(rest(), fade(0.4));
    assert!((fades - 0.6).abs() < 0.02, "{fades}");
    assert_eq!(entered_at(rest(), inertial(0.4)), fades);
    let decays = entered_at(plays("other", "slow"), inertial(0.4));
    assert!((decays - 1.0).abs() < 0.02, "{decays}");
}

#[test]
fn outro_plays_to_its_end_before_an_inertial_transition() {
    let left_at = |seconds: Fade| {
        let sit = MotionDef::Phases {
            intro: None,
            looped: "slow".into(),
            outro: Some("out".into()),
        };
        let transition = TransitionDef {
            on: Some("up".into()),
            fade: seconds,
            ..to("far", &["sit"])
        };
        let def = machine(
            vec![],
            vec![state("sit", sit), plays("far", "far")],
            vec![transition],
        );
        let clips = vec![clip("slow", 10.0), clip("out", 1.0), clip("far", 1.0)];
        let mut player = play(rig(clips), def);
        player.state.send("up", 0.0);
        while player.at() != "far" {
            player.step(DT);
            assert!(player.log.now < 5.0);
        }
        player.log.now
    };
    assert!((left_at(fade(0.4)) - 0.6).abs() < 0.05);
    assert!((left_at(inertial(0.4)) - 1.0).abs() < 0.05);
}
