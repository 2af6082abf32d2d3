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

/// Tips tick by tick around a change after one second.
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
fn nothing_jumps_and_no_speed_jumps_at_an_inertial_transition() {
    let tips = tips(inertial(0.4));
    let speeds: Vec<f32> = tips.windows(2).map(|p| (p[1] - p[0]) * 60.0).collect();
    assert!((speeds[50] - 0.2).abs() < 0.01);
    let largest = speeds
        .windows(2)
        .map(|p| (p[1] - p[0]).abs())
        .fold(0.0, f32::max);
    // Turning round and going 0.2 m back within 0.4 s takes 33 m/s² by Bollo's curve, 0.55 m/s a tick.
    assert!(largest < 0.5, "a jump of {largest} m/s within a tick");
}

#[test]
fn only_the_new_state_plays_and_what_was_before_is_gone_after_the_fade() {
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
fn a_plain_cut_jumps_where_an_inertial_one_does_not() {
    let jump = |tips: &[f32]| {
        let speeds: Vec<f32> = tips.windows(2).map(|p| (p[1] - p[0]).abs()).collect();
        speeds.into_iter().fold(0.0, f32::max)
    };
    assert!(jump(&tips(fade(0.0))) > 0.15);
    assert!(jump(&tips(inertial(0.4))) < 0.03);
}
