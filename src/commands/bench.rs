//! `galatea bench`: our own figures, in this process, on this machine.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use crate::anim::{Pose, local_to_model, sample};
use crate::character::Definition;
use crate::deform::{Deformed, build_palette, deform};
use crate::forge::character::galatea;
use crate::script::{Host, HostOptions, ModelState, ScriptSource, Services};
use crate::stage::{Stage, tick};
use std::sync::Arc;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Run only benchmarks whose name holds this
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Figure {
    name: &'static str,
    what: &'static str,
    /// Nanoseconds per unit, median of the rounds.
    ns: f64,
    /// Of what one unit is.
    per: &'static str,
    fastest: f64,
    slowest: f64,
}

/// Rounds per benchmark; the median of them is quoted.
const ROUNDS: usize = 15;

type Benchmark = fn(&Arc<Definition>) -> Figure;

pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) {
        eprintln!("note: this is a development build; measure with `cargo run --release -- bench`");
    }
    let definition = Arc::new(Definition::new(Arc::new(galatea())));
    let all: [(&str, Benchmark); 5] = [
        ("sample", bench_sample),
        ("palette", bench_palette),
        ("skin_cpu", bench_skin),
        ("lua_call", bench_lua_call),
        ("tick", bench_tick),
    ];
    let wanted = |name: &str| {
        args.name
            .as_ref()
            .is_none_or(|filter| name.contains(filter.as_str()))
    };
    let figures: Vec<Figure> = all
        .iter()
        .filter(|(name, _)| wanted(name))
        .map(|(_, bench)| bench(&definition))
        .collect();
    if figures.is_empty() {
        let names = all.iter().map(|(name, _)| *name);
        let wrong = args.name.as_deref().unwrap_or_default();
        anyhow::bail!(
            "no benchmark {wrong:?}{}",
            crate::math::names::nearest_hint(wrong, names)
        );
    }
    if args.json {
        say!("{}", serde_json::to_string_pretty(&figures)?);
        return Ok(ExitCode::SUCCESS);
    }
    say!(
        "{:10} {:>10} {:>10} {:>10}  per",
        "name",
        "median ns",
        "fastest",
        "slowest"
    );
    for f in &figures {
        say!(
            "{:10} {:10.1} {:10.1} {:10.1}  {}: {}",
            f.name,
            f.ns,
            f.fastest,
            f.slowest,
            f.per,
            f.what
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Times `work`, which does `units` units, in rounds.
fn measure(
    name: &'static str,
    what: &'static str,
    per: &'static str,
    units: usize,
    mut work: impl FnMut(),
) -> Figure {
    work();
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e9 / units as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    Figure {
        name,
        what,
        per,
        ns: rounds[ROUNDS / 2],
        fastest: rounds[0],
        slowest: rounds[ROUNDS - 1],
    }
}

fn bench_sample(definition: &Arc<Definition>) -> Figure {
    let model = &definition.model;
    let clips: Vec<_> = ["walk", "run"]
        .iter()
        .filter_map(|name| model.clip(name))
        .collect();
    let (mut a, mut b) = (definition.rest.clone(), Pose::default());
    let mut matrices = Vec::new();
    let n = 1000;
    measure(
        "sample",
        "two clips sampled, blended, local to model",
        "bone",
        n * model.skeleton.len(),
        || {
            for i in 0..n {
                let t = i as f32 * 0.001;
                sample(&model.clips[clips[0]], t, &definition.morph_start, &mut a);
                b.copy_from(&definition.rest);
                sample(
                    &model.clips[clips[1]],
                    t * 0.7,
                    &definition.morph_start,
                    &mut b,
                );
                crate::anim::blend(&mut a, &b, 0.4, None);
                local_to_model(&model.skeleton, &a.locals, &mut matrices);
            }
            std::hint::black_box(&matrices);
        },
    )
}

fn posed(definition: &Definition) -> Vec<glam::Affine3A> {
    let model = &definition.model;
    let mut pose = definition.rest.clone();
    if let Some(walk) = model.clip("walk") {
        sample(&model.clips[walk], 0.3, &definition.morph_start, &mut pose);
    }
    let mut matrices = Vec::new();
    local_to_model(&model.skeleton, &pose.locals, &mut matrices);
    matrices
}

fn bench_palette(definition: &Arc<Definition>) -> Figure {
    let matrices = posed(definition);
    let mut palette = Vec::new();
    let n = 10_000;
    measure(
        "palette",
        "model-from-bone times inverse bind",
        "bone",
        n * definition.layout.len,
        || {
            for _ in 0..n {
                palette.clear();
                build_palette(&definition.model, &matrices, &mut palette);
            }
            std::hint::black_box(&palette);
        },
    )
}

fn bench_skin(definition: &Arc<Definition>) -> Figure {
    let model = &definition.model;
    let (matrices, mut palette) = (posed(definition), Vec::new());
    build_palette(model, &matrices, &mut palette);
    let mut out = Deformed::default();
    let n = 20;
    measure(
        "skin_cpu",
        "4 influences, position and normal",
        "vertex",
        n * model.n_vertices(),
        || {
            for _ in 0..n {
                for (part, start) in model.parts.iter().zip(&definition.layout.part_start) {
                    for primitive in &model.meshes[part.mesh].primitives {
                        deform(primitive, &[], &palette[*start as usize..], &mut out);
                        std::hint::black_box(&out);
                    }
                }
            }
        },
    )
}

struct OneModel(Arc<Definition>, &'static str);

impl Services for OneModel {
    fn model(&self, _: &str) -> ModelState {
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

fn bench_lua_call(definition: &Arc<Definition>) -> Figure {
    let script = "local hero = character 'x.glb'
        function update(dt) for i = 1, 100000 do hero.yaw = i end end";
    let (mut host, mut stage) = run_script(definition, script);
    measure(
        "lua_call",
        "hero.yaw = i, from Lua into the stage",
        "call",
        100_000,
        || {
            tick(&mut stage, &mut host);
        },
    )
}

fn bench_tick(definition: &Arc<Definition>) -> Figure {
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
    measure(
        "tick",
        "a character with a machine, all stages of the tick",
        "character",
        n * 100,
        || {
            for _ in 0..n {
                tick(&mut stage, &mut host);
            }
        },
    )
}
