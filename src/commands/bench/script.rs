//! Lua and the whole tick.

use std::sync::Arc;

use super::{BenchFigure, Benchmark, measure};
use galatea_asset::ModelSource;
use galatea_character::Definition;
use galatea_script::{
    BareCalls, Host, HostOptions, ModelState, ScriptSource, Services, measure_examples,
};
use galatea_stage::{Script as _, Stage, tick};

pub(super) const ALL: &[(&str, Benchmark)] = &[
    ("lua_call", bench_lua_call),
    ("tick", bench_tick),
    ("acts", bench_tasks),
    ("update", bench_update),
    ("start", bench_start),
    ("costs", bench_costs),
];

/// A project of one model and one script.
pub(super) struct OneModel(pub Arc<Definition>, pub String);

impl Services for OneModel {
    fn sound_seconds(&self, _: &str) -> Option<f64> {
        None
    }

    fn model(&self, _: &ModelSource) -> ModelState {
        ModelState::Ready(self.0.clone())
    }

    fn sound_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn script(&self, _: &str) -> Result<String, String> {
        Ok(self.1.clone())
    }

    fn print(&self, _: &str) {}
}

pub(super) fn run_script(definition: &Arc<Definition>, script: &str) -> (Host, Stage) {
    let services = Arc::new(OneModel(definition.clone(), script.to_owned()));
    let options = HostOptions {
        call_budget: u64::MAX,
        ..HostOptions::default()
    };
    let mut stage = Stage::default();
    // The scripts below are built in, and the VM needs nothing external.
    let mut host = Host::new(options, services).expect("the VM is set up");
    host.load(&mut stage, &ScriptSource::default())
        .expect("the benchmark's script loads");
    (host, stage)
}

/// Calls from a script into the runtime, compared with the binding library alone.
fn bench_lua_call(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let mut figures = Vec::new();
    for (name, what, script, work) in [
        (
            "set",
            "hero.yaw = i",
            "local hero = character 'x.glb'
            function update() for i = 1, 100000 do hero.yaw = i end end",
            "local hero = hero for i = 1, 100000 do hero.yaw = i end",
        ),
        (
            "get",
            "x = hero.yaw",
            "local hero = character 'x.glb'
            function update() local x for i = 1, 100000 do x = hero.yaw end end",
            "local hero, x = hero for i = 1, 100000 do x = hero.yaw end",
        ),
        (
            "call",
            "x = now()",
            "local now = now
            function update() local x for i = 1, 100000 do x = now() end end",
            "local now, x = now for i = 1, 100000 do x = now() end",
        ),
    ] {
        let (mut host, mut stage) = run_script(definition, script);
        let ours = measure(
            &format!("lua_{name}"),
            &format!("{what}, from Lua into the stage"),
            "ns per call",
            100_000,
            || host.update(&mut stage, 1.0 / 60.0),
        );
        // The script is built in.
        let bare = BareCalls::new(work).expect("the text compiles");
        let theirs = measure(
            &format!("lua_{name}_bare"),
            &format!("{what}, with the binding library alone"),
            "ns per call",
            100_000,
            || bare.run().expect("the text runs"),
        );
        let ratio = ours.value / theirs.value;
        figures.extend([ours, theirs]);
        figures.push(BenchFigure::plain(
            &format!("lua_{name}_ratio"),
            "Galatea divided by the binding library alone",
            ratio,
            "times",
        ));
    }
    figures
}

/// Time of the API examples compared with their cost in the script budget.
fn bench_costs(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let load = |text: &str| {
        let text = format!("{COSTS_PRELUDE}{text}");
        let services = Arc::new(OneModel(definition.clone(), text));
        let options = HostOptions {
            call_budget: u64::MAX,
            ..HostOptions::default()
        };
        let mut stage = Stage::default();
        let mut host = Host::new(options, services).expect("the VM is set up");
        let loaded = host.load(&mut stage, &ScriptSource::default());
        loaded.is_ok().then_some((host, stage))
    };
    let mut all = measure_examples(load);
    all.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let rows = all.iter().map(|cost| {
        let what = format!(
            "{}: {:.0} ns for {:.0} steps",
            cost.name, cost.ns, cost.steps
        );
        BenchFigure::plain("cost", &what, cost.ratio(), "times its steps")
    });
    rows.collect()
}

/// Shared setup of the reference examples.
const COSTS_PRELUDE: &str = "local hero = character 'assets/mannequin.glb'
    hero.machine = machine { params = { speed = 0 }, state 'idle' { 'idle' }, state 'jump' { 'jump' }, transition_to 'jump' { on = 'jump' } }
";

/// A thousand characters whose state has an `update` that reads and sets a parameter.
fn bench_update(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let script = "local count = machine {
            params = { speed = 0 },
            state 'idle' { 'idle', on_update = function(me, dt, p)
                p.speed = if p.speed > 4 then 0 else p.speed + dt
            end },
        }
        for i = 1, 1000 do character('x.glb', { name = 'n' .. i }).machine = count end";
    let (mut host, mut stage) = run_script(definition, script);
    let n = 20;
    vec![measure(
        "lua_update",
        "`on_update` of a state, for each of 1000 characters",
        "ns per tick",
        n,
        || {
            for _ in 0..n {
                host.update(&mut stage, 1.0 / 60.0);
            }
        },
    )]
}

/// Creation of a VM with the API, and a hot reload of 2000 lines until the next tick.
fn bench_start(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let services = Arc::new(OneModel(definition.clone(), String::new()));
    let vm = measure("vm_start", "a VM with the API", "ns", 1, || {
        let host = Host::new(HostOptions::default(), services.clone());
        host.expect("the VM is set up");
    });
    let text = long_script(2000);
    let mut stage = Stage::default();
    let services = Arc::new(OneModel(definition.clone(), text.clone()));
    let mut host = Host::new(HostOptions::default(), services).expect("the VM is set up");
    let n_lines = text.lines().count();
    let reload = measure(
        "reload",
        &format!("restart of a project of {n_lines} lines, until the end of its first tick"),
        "ns",
        1,
        || {
            host.load(&mut stage, &ScriptSource::default())
                .expect("the benchmark's script loads");
            tick(&mut stage, &mut host);
        },
    );
    vec![vm, reload]
}

/// A script of `n_lines` lines with typical code: characters, machines, listeners and functions.
fn long_script(n_lines: usize) -> String {
    let mut text = String::new();
    let mut n = 0;
    while text.lines().count() < n_lines {
        n += 1;
        text += &format!(
            "do
            local function pace_{n}(t)
                local sum = 0
                for i = 1, 10 do
                    if i % 2 == 0 then
                        sum += math.sin(t * i) * {n}
                    else
                        sum -= math.cos(t / i)
                    end
                end
                return sum
            end
            local settings_{n} = {{ walk = 1.4, run = 4.2, name = 'n{n}', list = {{ 1, 2, 3, {n} }} }}
            settings_{n}.pace = pace_{n}
            "
        );
        if n % 10 == 0 {
            text += &format!(
                "local hero = character('x.glb', {{ name = 'n{n}' }})
                hero.machine = machine {{
                    params = {{ speed = 0, armed = false }},
                    state 'idle' {{ 'idle', on_enter = function(me) settings_{n}.at = me.position end }},
                    state 'move' {{ blend1d {{ param = 'speed', {{ 1.4, 'walk' }}, {{ 4.2, 'run' }} }} }},
                    transition_to 'move' {{ from = 'idle', when = 'speed > 0.2', fade = 0.2 }},
                    transition_to 'idle' {{ from = 'move', when = function(p) return p.speed < 0.1 end }},
                }}
                hero:on('step', function(e) settings_{n}.foot = e.foot end)
                "
            );
        }
        text += "end\n";
    }
    text
}

fn bench_tick(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let script = "for i = 1, 100 do
            local hero = character 'x.glb'
            hero.machine = machine {
                params = { speed = 1 + i / 50 },
                state 'move' { blend1d { param = 'speed', { 1.4, 'walk' }, { 4.2, 'run' } } },
                state 'idle' { 'idle' },
                transition_to 'idle' { from = 'move', when = function(p) return p.speed < 0 end },
            }
        end";
    let (mut host, mut stage) = run_script(definition, script);
    let n = 10;
    vec![measure(
        "tick",
        "a character with a state machine, whole tick",
        "ns per character",
        n * 100,
        || {
            for _ in 0..n {
                tick(&mut stage, &mut host);
            }
        },
    )]
}

/// Ten thousand sleeping acts, and as many that run in every tick, compared with a tick without acts.
fn bench_tasks(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let n = 10_000;
    let tick_of = |name: &str, what: &str, unit, per, script| {
        let (mut host, mut stage) = run_script(definition, script);
        // The first runs of the acts are not measured.
        tick(&mut stage, &mut host);
        measure(name, what, unit, per, || {
            for _ in 0..10 {
                tick(&mut stage, &mut host);
            }
        })
    };
    vec![
        tick_of(
            "acts_none",
            "a tick of an empty stage",
            "ns per tick",
            10,
            "",
        ),
        tick_of(
            "acts_sleep",
            "the same with 10 000 waiting tasks",
            "ns per tick",
            10,
            "for i = 1, 10000 do task(function(a) a:wait(1e6) end) end",
        ),
        tick_of(
            "acts_turn",
            "10 000 tasks that wait one tick at a time",
            "ns per resume",
            10 * n,
            "for i = 1, 10000 do task(function(a) while true do a:wait(0) end end) end",
        ),
    ]
}
