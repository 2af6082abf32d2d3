//! Lua and the whole tick.

use std::sync::Arc;

use super::{Benchmark, Figure, measure};
use crate::asset::ModelSource;
use crate::character::Definition;
use crate::script::{Host, HostOptions, ModelState, ScriptSource, Services};
use crate::stage::{Stage, tick};

pub(super) const ALL: &[(&str, Benchmark)] = &[
    ("lua_call", bench_lua_call),
    ("tick", bench_tick),
    ("acts", bench_acts),
];

struct OneModel(Arc<Definition>, &'static str);

impl Services for OneModel {
    fn model(&self, _: &ModelSource) -> ModelState {
        ModelState::Ready(self.0.clone())
    }

    fn sound_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn script(&self, _: &str) -> Result<String, String> {
        Ok(self.1.to_owned())
    }

    fn print(&self, _: &str) {}
}

fn run_script(definition: &Arc<Definition>, script: &'static str) -> (Host, Stage) {
    let services = Arc::new(OneModel(definition.clone(), script));
    let options = HostOptions {
        call_budget: u64::MAX,
        ..HostOptions::default()
    };
    let mut stage = Stage::default();
    // The scripts below are ours and the VM needs nothing from outside.
    let mut host = Host::new(options, services).expect("the VM is set up");
    host.load(&mut stage, &ScriptSource::default())
        .expect("the benchmark's script loads");
    (host, stage)
}

fn bench_lua_call(definition: &Arc<Definition>) -> Vec<Figure> {
    let script = "local hero = character 'x.glb'
        function update(dt) for i = 1, 100000 do hero.yaw = i end end";
    let (mut host, mut stage) = run_script(definition, script);
    vec![measure(
        "lua_call",
        "hero.yaw = i, from Lua into the stage",
        "ns per call",
        100_000,
        || {
            tick(&mut stage, &mut host);
        },
    )]
}

fn bench_tick(definition: &Arc<Definition>) -> Vec<Figure> {
    let script = "for i = 1, 100 do
            local hero = character 'x.glb'
            hero.machine = machine {
                params = { speed = 1 + i / 50 },
                state 'move' { blend1d { by = 'speed', { 1.4, 'walk' }, { 4.2, 'run' } } },
                state 'idle' { 'idle' },
                to 'idle' { from = 'move', when = function(p) return p.speed < 0 end },
            }
        end";
    let (mut host, mut stage) = run_script(definition, script);
    let n = 10;
    vec![measure(
        "tick",
        "a character with a machine, all stages of the tick",
        "ns per character",
        n * 100,
        || {
            for _ in 0..n {
                tick(&mut stage, &mut host);
            }
        },
    )]
}

/// Ten thousand acts that sleep, and as many that take a turn in every tick, against a tick without any.
fn bench_acts(definition: &Arc<Definition>) -> Vec<Figure> {
    let n = 10_000;
    let tick_of = |name: &str, what: &str, unit, per, script| {
        let (mut host, mut stage) = run_script(definition, script);
        // The first turns are not what is measured.
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
            "the same with 10 000 acts that sleep",
            "ns per tick",
            10,
            "for i = 1, 10000 do act(function(a) a:sleep(1e6) end) end",
        ),
        tick_of(
            "acts_turn",
            "10 000 acts that sleep a tick at a time",
            "ns per turn",
            10 * n,
            "for i = 1, 10000 do act(function(a) while true do a:sleep(0) end end) end",
        ),
    ]
}
