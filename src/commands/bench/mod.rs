//! `galatea bench`: measures performance in this process, on this machine.
//!
//! One file per subject, with a list of names and functions. A function returns the figures that it measured: medians
//! of rounds, sizes, errors.

mod characters;
mod clips;
mod decals;
mod deform;
mod faces;
mod frame;
mod hair;
mod helpers;
mod ik;
mod kd_tree;
mod machine;
mod particles;
mod past;
mod person;
mod pose;
mod ragdoll;
mod script;
mod skinning;
mod speech;
mod springs;
mod steering;
mod stopwatch;
mod time;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use galatea_character::Definition;
use galatea_forge::mannequin::mannequin;
use galatea_machine::Predicate;
use galatea_stage::{Event, Handle, Script, Stage};

use self::stopwatch::Stopwatch;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Run only benchmarks with this text in their name
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Files to measure instead of the built-in character, with `characters`, `clips`, `decals`, `skinning`, `frame`,
    /// `crowd` and `past`: .glb, .gltf, .vrm; clips also .vrma, .bvh; frame and past also a project folder
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Measure the processor time of all threads, not the time by the clock; use it on a busy machine
    #[arg(long)]
    cpu: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// One row of the report.
#[derive(Debug, Serialize)]
struct BenchFigure {
    name: String,
    what: String,
    /// File that was measured, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Median of the rounds, or the plain value for figures that are not times.
    value: f64,
    unit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fastest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest: Option<f64>,
}

impl BenchFigure {
    /// A figure that is not a time.
    fn plain(name: &str, what: &str, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            what: what.to_owned(),
            file: None,
            value,
            unit,
            fastest: None,
            slowest: None,
        }
    }
}

/// Rounds per benchmark; the report has the median.
const ROUNDS: usize = 15;

/// Measures a subject on the built-in character; no figure if that lacks something.
type Benchmark = fn(&Arc<Definition>) -> Vec<BenchFigure>;

/// Measures files, or the built-in character if there are none.
type OfFiles = fn(&[PathBuf]) -> anyhow::Result<Vec<BenchFigure>>;

/// Subjects measured on the built-in character.
const SUBJECTS: [&[(&str, Benchmark)]; 14] = [
    pose::ALL,
    deform::ALL,
    machine::ALL,
    script::ALL,
    springs::ALL,
    hair::ALL,
    particles::ALL,
    steering::ALL,
    ragdoll::ALL,
    ik::ALL,
    helpers::ALL,
    speech::ALL,
    faces::ALL,
    time::ALL,
];

/// Benchmarks that take files.
const OF_FILES: [(&str, OfFiles); 7] = [
    (characters::NAME, characters::bench),
    (clips::NAME, clips::bench),
    (decals::NAME, decals::bench),
    (skinning::NAME, skinning::bench),
    (frame::NAME, frame::bench),
    (frame::CROWD_NAME, frame::bench_crowd),
    (past::NAME, past::bench),
];

pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    if cfg!(debug_assertions) {
        eprintln!("note: this is a debug build; measure with `cargo run --release -- bench`");
    }
    if args.cpu {
        stopwatch::measure_cpu();
    }
    let figures = figures(args)?;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&figures)?);
    } else {
        print_table(&figures)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the benchmarks whose names match the arguments.
fn figures(args: &BenchArgs) -> anyhow::Result<Vec<BenchFigure>> {
    let all = SUBJECTS.concat();
    let is_chosen = |name: &str| {
        args.name
            .as_ref()
            .is_none_or(|filter| name.contains(filter.as_str()))
    };
    let chosen: Vec<_> = all.iter().filter(|(name, _)| is_chosen(name)).collect();
    let of_files: Vec<_> = OF_FILES
        .iter()
        .filter(|(name, _)| is_chosen(name))
        .collect();
    if chosen.is_empty() && of_files.is_empty() {
        let names = all.iter().map(|(name, _)| *name);
        let names = names.chain(OF_FILES.map(|(name, _)| name));
        let wrong = args.name.as_deref().unwrap_or_default();
        anyhow::bail!(
            "no benchmark {wrong:?}{}",
            galatea_math::names::nearest_hint(wrong, names)
        );
    }
    if of_files.is_empty() && !args.files.is_empty() {
        let names = OF_FILES.map(|(name, _)| format!("{name:?}"));
        anyhow::bail!("only the benchmarks {} take files", names.join(", "));
    }
    let mut figures = Vec::new();
    if !chosen.is_empty() {
        // Creating it takes seconds.
        let definition = Arc::new(Definition::new(Arc::new(mannequin())));
        for (name, bench) in chosen {
            let rows = bench(&definition);
            if rows.is_empty() {
                eprintln!("warning: benchmark {name:?} could not be set up and was skipped");
            }
            figures.extend(rows);
        }
    }
    for (_, bench) in of_files {
        figures.extend(bench(&args.files)?);
    }
    Ok(figures)
}

fn print_table(figures: &[BenchFigure]) -> anyhow::Result<()> {
    say!(
        "{:24} {:>10} {:>10} {:>10}  unit",
        "name",
        "median",
        "fastest",
        "slowest"
    );
    let number = |v: Option<f64>| v.map_or_else(String::new, |v| format!("{v:.1}"));
    for f in figures {
        say!(
            "{:24} {:>10} {:>10} {:>10}  {}: {}",
            f.name,
            // Errors are small and need more digits than times.
            if f.value < 0.1 {
                format!("{:.5}", f.value)
            } else {
                format!("{:.2}", f.value)
            },
            number(f.fastest),
            number(f.slowest),
            f.unit,
            f.file
                .iter()
                .fold(f.what.clone(), |what, file| format!("{file}: {what}"))
        );
    }
    Ok(())
}

/// A script that does nothing.
struct NoScript;

impl Script for NoScript {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

/// Times `work`, which processes `units` units, in rounds; `unit` is the unit of the result, such as "ns per bone".
fn measure(
    name: &str,
    what: &str,
    unit: &'static str,
    units: usize,
    mut work: impl FnMut(),
) -> BenchFigure {
    work();
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Stopwatch::start();
            work();
            start.elapsed().as_secs_f64() * 1e9 / units as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    BenchFigure {
        fastest: Some(rounds[0]),
        slowest: Some(rounds[ROUNDS - 1]),
        ..BenchFigure::plain(name, what, rounds[ROUNDS / 2], unit)
    }
}
