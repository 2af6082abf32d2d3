//! Pause, slow motion and characters with a time of their own: the simulation gives the same bits at any speed.

use galatea::character::TimeBase;
use galatea::stage::{Frame, StageChecksum};

use crate::common::{Bench, HERO};

/// A walking hero, falling boxes and a task.
const SCENE: &str = "
    hero:play('walk', { mode = 'loop', fade = 0 })
    for i = 1, 5 do
        physics.box { size = vec(0.3, 0.3, 0.3), mass = 2, position = vec(i * 0.1, 1 + i * 0.4, 0) }
    end
    hero:task(function(a)
        while true do
            a:wait(0.13)
            hero.yaw += random_range(-5, 5)
        end
    end)
";

/// Checksums of the stage after every simulated tick, in some unscaled ticks.
fn run(before: &str, unscaled_ticks: usize) -> Vec<StageChecksum> {
    let mut bench = Bench::new(&format!("{HERO}{SCENE}{before}"));
    let mut sums = Vec::new();
    let mut simulated = bench.stage.clock.n_ticks;
    for _ in 0..unscaled_ticks {
        bench.ticks(1);
        if bench.stage.clock.n_ticks > simulated {
            simulated = bench.stage.clock.n_ticks;
            sums.push(bench.stage.checksum());
        }
    }
    sums
}

#[test]
fn slow_motion_and_pauses_give_the_same_bits() {
    let usual = run("", 60);
    assert_eq!(run("time.scale(0.25)", 237), usual);
    let hit_stop = "after(0.3, function() time.freeze(0.1) end)";
    let wanted = run("after(0.3, function() end)", 60);
    assert_eq!(run(hit_stop, 66), wanted);
    let paused = "after(0.3, function()
        time.pause()
        after(0.5, function() time.resume() end, { unscaled = true })
    end)";
    let frozen = run(paused, 90);
    assert_eq!(frozen, wanted[..frozen.len()]);
    assert!(frozen.len() >= 59, "{}", frozen.len());
}

#[test]
fn pictures_in_slow_motion_show_positions_between_ticks() {
    let mut bench = Bench::new(&format!(
        "{HERO}time.scale(0.2) function update() hero.position += vec(0.1, 0, 0) end"
    ));
    let mut frame = Frame::default();
    let mut places = Vec::new();
    for _ in 0..60 {
        bench.ticks(1);
        bench.stage.snapshot(1.0, &mut frame);
        places.push(frame.models[0].world_from_model.translation.x);
    }
    for pair in places[10..].windows(2) {
        assert!((pair[1] - pair[0] - 0.02).abs() < 1e-4, "{pair:?}");
    }
}

#[test]
fn a_paused_stage_draws_the_same_picture() {
    let mut bench = Bench::new(&format!("{HERO}{SCENE}"));
    bench.ticks(30);
    bench.stage.time_control.set_paused(true);
    bench.ticks(1);
    let mut frames = [Frame::default(), Frame::default()];
    for (frame, alpha) in frames.iter_mut().zip([0.2, 0.9]) {
        bench.stage.snapshot(alpha, frame);
        bench.ticks(20);
    }
    assert_eq!(frames[0].palette, frames[1].palette);
    assert_eq!(frames[0].time, frames[1].time);
}

#[test]
fn what_a_character_holds_follows_its_time() {
    let mut bench = Bench::new(&format!(
        "{HERO}local sword = physics.box {{ size = vec(0.1, 0.1, 0.5) }}
        sword:collider(false)
        hero:attach(sword, 'root')
        hero.unscaled = true
        time.pause()"
    ));
    bench.ticks(2);
    let bases = bench.stage.characters.iter();
    let bases: Vec<TimeBase> = bases.map(|(_, character)| character.time.base).collect();
    assert_eq!(bases, [TimeBase::Unscaled; 2]);
}

#[test]
fn a_character_in_unscaled_time_moves_evenly_while_the_rest_is_slow() {
    let mut bench = Bench::new(&format!(
        "{HERO}hero:controller {{ }}
        hero.unscaled = true
        time.scale(0.1)
        function update_unscaled() hero:move(vec(0, 0, 1.5)) end"
    ));
    bench.ticks(30);
    let mut frame = Frame::default();
    let mut places = Vec::new();
    for _ in 0..30 {
        bench.ticks(1);
        bench.stage.snapshot(1.0, &mut frame);
        places.push(frame.models[0].world_from_model.translation.z);
    }
    for pair in places.windows(2) {
        let speed = (pair[1] - pair[0]) * 60.0;
        assert!((speed - 1.5).abs() < 0.05, "{speed} m/s");
    }
}

#[test]
fn a_reload_ends_a_pause() {
    let mut bench = Bench::new(&format!("{HERO}time.scale(0.5) time.pause()"));
    bench.ticks(3);
    assert!(bench.stage.time_control.is_paused());
    let at = bench.stage.time_control.n_ticks;
    bench.load(HERO).expect("it loads");
    let control = &bench.stage.time_control;
    assert!(!control.is_paused() && control.scale() == 1.0 && control.n_ticks == at);
}
