//! The work of the runtime for a script counts as steps, or has a limit.

use crate::common::Bench;

/// Error texts of the tick in which `update` runs the script, and the value of the global `n` after it.
fn in_a_tick(script: &str) -> (Vec<String>, u64) {
    let mut bench = Bench::new(&format!(
        "n = 0
        local done = false
        function update()
            if done then return end
            done = true
            {script}
        end"
    ));
    bench.run(1.0 / 60.0);
    let faults = bench.host.take_faults();
    let n = bench.host.answer(&mut bench.stage, "n").result.unwrap();
    let texts = faults.iter().map(ToString::to_string).collect();
    (texts, n[0].parse().unwrap())
}

#[test]
fn events_of_very_many_markers_use_up_the_steps_of_a_tick() {
    let mut bench = Bench::new(
        "n = 0
        for _ = 1, 20 do
            local hero = character 'post.glb'
            for i = 1, 1000 do hero:add_marker('walk', i / 2000, 'm') end
            hero:on('m', function() n += 1 end)
            hero:play('walk', { speed = 1000, mode = 'loop' })
        end",
    );
    bench.run(0.1);
    let before = bench.host.answer(&mut bench.stage, "n").result.unwrap();
    bench.run(1.0 / 60.0);
    let after = bench.host.answer(&mut bench.stage, "n").result.unwrap();
    let [before, after] = [before, after].map(|n| n[0].parse::<u64>().unwrap());
    let n = after - before;
    assert!((10_000..40_000).contains(&n), "{n} calls in a tick");
    let faults = bench.host.take_faults();
    assert!(
        faults
            .iter()
            .any(|fault| fault.text.contains("some functions were not called")),
        "{faults:?}"
    );
}

#[test]
fn a_jump_counts_the_events_that_it_emits() {
    let (faults, n) = in_a_tick(
        "local hero = character 'post.glb'
        for i = 1, 100 do hero:add_marker('walk', i / 200, 'm') end
        local play = hero:play('walk', { mode = 'loop' })
        while true do
            n += 1
            play:seek(0, { emit_markers = true })
            play:seek(0.9, { emit_markers = true })
        end",
    );
    assert!(
        faults[0].contains("exceeded its budget of 5000000 steps"),
        "{faults:?}"
    );
    assert!((100..900).contains(&n), "{n} jumps");
}

#[test]
fn stairs_count_their_steps() {
    let (faults, n) = in_a_tick("for _ = 1, 300 do physics.stairs { steps = 256 } n += 1 end");
    assert!(
        faults[0].contains("exceeded its budget of 5000000 steps"),
        "{faults:?}"
    );
    assert!((50..150).contains(&n), "{n} stairs");
}

#[test]
fn a_machine_has_a_maximum_number_of_parameters() {
    let script = |n: usize| {
        format!(
            "local p = {{}} for i = 1, {n} do p['p' .. i] = i end
            (character 'post.glb').machine = machine {{ params = p, state 'a' {{ 'walk' }} }}"
        )
    };
    assert_eq!(in_a_tick(&script(1024)).0, Vec::<String>::new());
    let (faults, _) = in_a_tick(&script(1025));
    assert!(
        faults[0].contains("the limit is 1024 parameters"),
        "{faults:?}"
    );
}

#[test]
fn a_clip_with_very_many_unknown_bones_names_the_first_and_counts_the_others() {
    let (faults, _) = in_a_tick(
        "local b = {}
        for i = 1, 4000 do b['wing' .. i] = { rotation = { { 0, 0, 0, 0 } } } end
        character('post.glb'):add_clip(clip 'x' { bones = b })",
    );
    assert!(faults[0].contains("and 3992 more like these"), "{faults:?}");
    assert!(faults[0].lines().count() < 20, "{}", faults[0]);
}

#[test]
fn an_error_with_a_very_long_text_keeps_its_position() {
    let (faults, _) = in_a_tick("error(string.rep('x', 2e7))");
    assert!(faults[0].contains("main.lua:6"), "{}", &faults[0][..200]);
    assert!(faults[0].contains("xxxx") && faults[0].len() < 10_000);
}
