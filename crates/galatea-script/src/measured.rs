//! Measurement of how long API functions take, compared with the steps that they count for in the budget.

use cpu_time::ThreadTime;

use super::budget::STEP_NS;
use super::host::Host;
use super::reference::examples;
use super::timing::{self, CallSample};
use galatea_stage::{Script as _, Stage};

/// Time and steps of the fastest call, which is least disturbed by other programs.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCost {
    /// Group and function name.
    pub name: String,
    /// Processor time, nanoseconds.
    pub ns: f64,
    /// Steps that the budget counted.
    pub steps: f64,
}

impl MeasuredCost {
    /// Ratio of the measured time to the nominal duration of the counted steps.
    pub fn ratio(&self) -> f64 {
        self.ns / (self.steps * STEP_NS)
    }
}

/// Number of runs of each example.
const RUNS: usize = 9;
/// Iterations of the plain loop that serves as reference.
const LOOPS: u32 = 20_000;

/// Runs the examples of all functions and measures every API call in them. `load` runs a script and returns its host
/// and stage, or `None` if the script has a fault. The first result is one iteration of a plain loop.
pub fn measure_examples(load: impl Fn(&str) -> Option<(Host, Stage)>) -> Vec<MeasuredCost> {
    let plain = plain_loop(&load);
    timing::start();
    for (_, text) in examples() {
        let inside = format!("function update()\n{text}\nend");
        let Some((mut host, mut stage)) = load(&inside).or_else(|| load(text)) else {
            continue;
        };
        for _ in 0..RUNS {
            host.update(&mut stage, 1.0 / 60.0);
            if !host.take_faults().is_empty() {
                break;
            }
        }
    }
    let all = timing::take()
        .into_iter()
        .map(|((group, name), mut samples)| {
            samples.sort_by(|a, b| a.ns.total_cmp(&b.ns));
            let CallSample { ns, steps } = samples[0];
            MeasuredCost {
                name: format!("{group} {name}"),
                ns,
                steps,
            }
        });
    plain.into_iter().chain(all).collect()
}

fn plain_loop(load: &impl Fn(&str) -> Option<(Host, Stage)>) -> Option<MeasuredCost> {
    let text = format!("function update() for i = 1, {LOOPS} do end end");
    let (mut host, mut stage) = load(&text)?;
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            let began = ThreadTime::now();
            host.update(&mut stage, 1.0 / 60.0);
            began.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Some(MeasuredCost {
        name: "a plain loop".into(),
        ns: times[0] / f64::from(LOOPS),
        steps: host.budget.tick_used() as f64 / f64::from(LOOPS),
    })
}
