//! Script costs are counted, and endless loops of events are stopped.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use galatea::character::Definition;
use galatea::script::{HostOptions, MeasuredCost, measure_examples};

use crate::common::Bench;

/// Error texts of a script after some seconds.
fn faults(script: &str, seconds: f64) -> (Vec<String>, Bench) {
    let mut bench = Bench::new(script);
    let mut texts = Vec::new();
    for _ in 0..(seconds * 60.0) as usize {
        bench.run(1.0 / 60.0);
        texts.extend(bench.host.take_faults().iter().map(ToString::to_string));
    }
    (texts, bench)
}

#[test]
fn a_task_that_starts_itself_endlessly_is_stopped_at_its_line() {
    let (texts, mut bench) = faults(
        "local n = 0\nfunction count() return n end\nlocal function f()\nn += 1\ntask(f) end\ntask(f)",
        0.2,
    );
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("main.lua:5"), "{texts:?}");
    assert!(
        texts[0].contains("started each other 1000 times"),
        "{texts:?}"
    );
    let before = bench
        .host
        .answer(&mut bench.stage, "count()")
        .result
        .unwrap();
    bench.run(0.2);
    let after = bench
        .host
        .answer(&mut bench.stage, "count()")
        .result
        .unwrap();
    assert_eq!(before, after, "it began no more");
}

#[test]
fn a_task_whose_branches_end_at_once_is_stopped_too() {
    let (texts, _) = faults(
        "task(function(a) while true do a:all { function() end } end end)
        n = 0
        function update() n += 1 end",
        0.2,
    );
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("within one tick"), "{texts:?}");
}

#[test]
fn tasks_that_double_in_every_tick_are_ended_and_the_rest_runs() {
    let (texts, mut bench) = faults(
        "ticks = 0
        task(function(a) while true do ticks += 1 a:wait(0) end end)
        local function f(a) a:wait(0) task(f) task(f) end
        task(f)",
        1.0,
    );
    let has = |part: &str| texts.iter().any(|text| text.contains(part));
    assert!(has("exceeded the budget of this tick"), "{texts:?}");
    assert!(has("these tasks were started in them"), "{texts:?}");
    let ticks = |bench: &mut Bench| -> u32 {
        let answer = bench.host.answer(&mut bench.stage, "ticks");
        answer.result.unwrap()[0].parse().unwrap()
    };
    let before = ticks(&mut bench);
    bench.run(0.2);
    assert!(ticks(&mut bench) > before, "the first act still runs");
}

#[test]
fn many_functions_share_the_steps_of_a_tick() {
    let (texts, _) = faults(
        "local hero = character 'post.glb'
        hero:play('walk', { mode = 'loop' })
        called = 0
        for i = 1, 60 do hero:on('step', function() called += 1 for i = 1, 3e6 do end end) end",
        0.3,
    );
    let shared = texts.iter().filter(|text| text.contains("for one tick"));
    assert!(shared.count() >= 1, "{texts:?}");
    let own = texts
        .iter()
        .filter(|text| text.contains("stopped: exceeded its budget"));
    assert_eq!(own.count(), 0, "none alone took too much: {texts:?}");
}

#[test]
fn unknown_names_cost_as_much_as_their_message() {
    let (texts, mut bench) = faults(
        "local hero = character 'post.glb'
        n = 0
        function update() while true do n += 1 pcall(function() return hero.nonsense end) end end",
        0.1,
    );
    assert_eq!(texts.len(), 1, "{texts:?}");
    let answer = bench.host.answer(&mut bench.stage, "n");
    let n: u32 = answer.result.unwrap()[0].parse().unwrap();
    assert!((1000..20_000).contains(&n), "{n} look-ups");
}

#[test]
fn functions_of_the_libraries_count_by_the_elements_that_they_move() {
    for (prepare, call) in [
        (
            "local t = table.create(1000000, 1)",
            "table.insert(t, 1, 2)",
        ),
        ("local t = table.create(1000000, 1)", "table.remove(t, 1)"),
        ("local t = table.create(100000, 'a')", "table.concat(t)"),
        ("local t = table.create(1000000, 1)", "table.clone(t)"),
        ("local b = buffer.create(10000000)", "buffer.tostring(b)"),
        ("local b = buffer.create(10000000)", "buffer.fill(b, 0, 1)"),
        (
            "local b = buffer.create(10000000)",
            "buffer.copy(b, 0, b, 1, 9000000)",
        ),
    ] {
        let (texts, mut bench) = faults(
            &format!("{prepare}\nn = 0\nfunction update() while true do n += 1 {call} end end"),
            0.05,
        );
        assert_eq!(texts.len(), 1, "{call}: {texts:?}");
        let answer = bench.host.answer(&mut bench.stage, "n");
        let n: u32 = answer.result.unwrap()[0].parse().unwrap();
        assert!((3..3000).contains(&n), "{call}: {n} times");
    }
}

#[test]
fn numbers_beyond_the_world_are_refused_where_they_enter() {
    for script in [
        "physics.shape_cast(vector.zero, vector.one, { radius = 1e20 })",
        "rope { radius = 1e20, from = vector.zero, to = vector.one }",
        "character('post.glb').position = vector.create(1e20, 0, 0)",
        "character('post.glb', { position = vector.create(0, 1e10, 0) })",
        "camera.frame(character('post.glb'), { yaw = 1e30 })",
    ] {
        let fault = Bench::empty().fault(script);
        let is_refused = fault.text.contains("out of range") || fault.text.contains("must be");
        assert!(is_refused, "{script}: {fault}");
    }
}

#[test]
fn every_function_counts_as_at_least_a_third_of_what_it_takes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let model = galatea::asset::gltf::load(&file).unwrap();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let prelude = "local hero = character 'assets/mannequin.glb'
        hero.machine = machine { params = { speed = 0 }, state 'idle' { 'idle' }, state 'jump' { 'jump' }, transition_to 'jump' { on = 'jump' } }\n";
    let load = |text: &str| {
        let options = HostOptions {
            call_budget: 1 << 40,
            ..HostOptions::default()
        };
        let mut bench = Bench::with_definition(options, definition.clone());
        let loaded = bench.load(&format!("{prelude}{text}"));
        loaded.is_ok().then_some((bench.host, bench.stage))
    };
    // Other tests disturb a measurement, but rarely the same function again and again.
    let too_cheap = || -> BTreeSet<String> {
        let all = measure_examples(load);
        assert!(all.len() > 250, "{} examples ran", all.len());
        // The reference of this machine and build, from the same run.
        let plain = all[0].ratio();
        // Shorter calls are dominated by the overhead of a development build.
        let is_too_cheap = |cost: &&MeasuredCost| cost.ns > 6000.0 && cost.ratio() > 3.0 * plain;
        let costs = all[1..].iter().filter(is_too_cheap);
        costs.map(|cost| cost.name.clone()).collect()
    };
    let mut always = too_cheap();
    for _ in 0..4 {
        if always.is_empty() {
            break;
        }
        always = always.intersection(&too_cheap()).cloned().collect();
    }
    assert!(always.is_empty(), "{always:?}");
}
