//! Scripts: texts, and calls of every function and property of the API, at the top level, in `update`, in acts and in
//! listeners.

use std::sync::{Arc, OnceLock};

use galatea::character::Definition;
use galatea::script::{GROUPS, HostOptions};
use galatea::stage::Frame;

use crate::common::{Bench, post};
use crate::hostile::{TOOLS, calls, examples};
use crate::mutate::InputFormat;
use crate::random::FuzzRng;
use crate::target::Target;

pub const TARGETS: &[Target] = &[
    Target::new("script", InputFormat::Text, 40)
        .seeds(seeds)
        .run(run),
    Target::new("script-api", InputFormat::Made(script), 40).run(run),
    Target::new("console", InputFormat::Text, 60)
        .seeds(seeds)
        .run(run_console),
];

/// Loads a script twice, so that the second version continues from the first, and runs ticks in between.
fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut bench = bench();
    for _ in 0..2 {
        // Errors are expected from hostile scripts.
        let _ = bench.load(&text);
        bench.run(0.1);
        bench.host.take_faults();
        bench.memory.printed.lock().unwrap().clear();
    }
    bench.stage.snapshot(0.5, &mut Frame::default());
}

fn run_console(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut bench = bench();
    let _ = bench.load("hero = character 'post.glb'");
    for line in text.lines().take(20) {
        bench.host.answer(&mut bench.stage, line);
        bench.host.complete(&mut bench.stage, line);
    }
    bench.run(0.05);
}

fn bench() -> Bench {
    static DEFINITION: OnceLock<Arc<Definition>> = OnceLock::new();
    let definition = DEFINITION.get_or_init(|| Arc::new(Definition::new(Arc::new(post()))));
    let options = HostOptions {
        call_budget: 200_000,
        ..HostOptions::default()
    };
    Bench::with_definition(options, definition.clone())
}

const PRELUDE: &str = "local hero = character 'post.glb'
hero.machine = machine { params = { speed = 0 }, state 'idle' { 'idle' }, state 'jump' { 'jump' }, transition_to 'jump' { on = 'jump' } }
";

fn seeds() -> Vec<Vec<u8>> {
    let texts = GROUPS.iter().flat_map(|group| group.functions);
    let texts = texts.map(|function| format!("{PRELUDE}{}", function.example).into_bytes());
    texts.collect()
}

fn script(rng: &mut FuzzRng) -> String {
    let examples = examples(rng, GROUPS, 8);
    let mut part = |n: usize| {
        let n = 1 + rng.below(n);
        calls(rng, GROUPS, n)
    };
    let (top, update, act, listener) = (part(20), part(8), part(8), part(6));
    format!(
        "{TOOLS}{PRELUDE}K(hero)\n{examples}{top}
function update(dt)\n{update}end
task(function(act)\n{act}pcall(function() act:wait(0.01) end)\n{act}end)
pcall(function() hero:on('*', function(e)\n{listener}end) end)
"
    )
}
