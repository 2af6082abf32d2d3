//! Pose changes by a hot reload fade out without a jump.

use galatea::stage::tick;

use crate::common::{Bench, HERO};

/// Position of the post's top, tick by tick.
fn tops(bench: &mut Bench, ticks: usize) -> Vec<glam::Vec3> {
    let first = bench.stage.characters.iter().next();
    let handle = first.expect("a character").0;
    let one = |bench: &mut Bench| {
        tick(&mut bench.stage, &mut bench.host);
        let character = bench.stage.characters.get(handle).expect("it is there");
        let upper = character.posed.model_from_bone[1];
        upper.transform_point3(glam::Vec3::Y)
    };
    (0..ticks).map(|_| one(bench)).collect()
}

fn machine_of(states: &str) -> String {
    format!("{HERO}hero.machine = machine {{ {states} }}")
}

#[test]
fn pose_changes_of_a_reload_fade_within_a_quarter_second() {
    let both = "state 'wave' { 'jump', mode = 'once' }, state 'idle' { 'idle' }";
    let run = machine_of("state 'run' { 'run' }, state 'idle' { 'idle' }");
    // A removed state, a state with another clip, a removed machine, actions on top.
    let idle = machine_of("state 'idle' { 'idle' }");
    let renamed = machine_of("state 'run' { 'idle' }, state 'idle' { 'idle' }");
    let bare = HERO.to_owned();
    for (old, new) in [
        (run.clone(), idle.clone()),
        (machine_of(both), idle.clone()),
        (run.clone(), renamed),
        (run.clone(), bare),
    ] {
        let mut bench = Bench::new(&old);
        // `run` swings the top by 6.4 m/s at most.
        let before = tops(&mut bench, 22);
        bench.load(&new).expect("it loads");
        let after = tops(&mut bench, 40);
        let mut shown = before[20..].to_vec();
        shown.extend(&after);
        let steps: Vec<glam::Vec3> = shown.windows(2).map(|p| p[1] - p[0]).collect();
        let last = steps[0];
        assert!(last.length() > 0.02, "it moves when it is saved: {last}");
        // No jump: no step is longer than the last one before the reload, and the first one continues it.
        let longest = steps.iter().map(|step| step.length()).fold(0.0, f32::max);
        assert!(
            longest < 1.15 * last.length(),
            "{longest} after {last} in {new}"
        );
        assert!(steps[1].angle_between(last) < 0.3, "{steps:?} in {new}");
        // After a quarter of a second it is where it would be without a reload.
        let mut fresh = Bench::new(&new);
        let want = tops(&mut fresh, 180);
        let settled = &after[16..];
        let same = |from: usize| {
            let pairs = settled.iter().zip(&want[from..]);
            pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
        };
        let nearest = (0..150).map(same).fold(f32::INFINITY, f32::min);
        assert!(nearest < 1e-3, "{nearest} in {new}");
    }
}

#[test]
fn a_reload_without_pose_changes_moves_nothing() {
    let text = machine_of("state 'run' { 'run' }");
    let mut saved = Bench::new(&text);
    let mut left = Bench::new(&text);
    assert_eq!(tops(&mut saved, 20), tops(&mut left, 20));
    saved.load(&format!("{text} -- saved")).expect("it loads");
    assert_eq!(tops(&mut saved, 30), tops(&mut left, 30));
}
