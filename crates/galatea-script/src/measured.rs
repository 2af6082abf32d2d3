//! Measures how long functions of the API take, compared with the steps that they count as in the budget.

use std::time::Instant;

use super::budget::STEP_NS;
use super::host::Host;
use super::reference::examples;
use galatea_stage::{Script as _, Stage};

/// Time and steps of the example of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCost {
    /// Function with its parameters.
    pub name: String,
    /// Nanoseconds of processor time, the median of the runs.
    pub ns: f64,
    /// Steps that the budget counted.
    pub steps: f64,
}

impl MeasuredCost {
    /// How many times as long it takes as its steps stand for, on the machine of the measurement.
    pub fn ratio(&self) -> f64 {
        self.ns / (self.steps * STEP_NS)
    }
}

/// Runs of each example.
const RUNS: usize = 15;
/// Steps of the plain loop that the others are compared with.
const LOOP: &str = "local x = 0 for i = 1, 20000 do x = x + math.abs(i) end";

/// Runs the examples of all functions. `load` runs a script and returns its host and stage, or `None` if the script has a fault.
/// The first is a plain loop; what cannot run twice is left out.
pub fn measure_examples(load: impl Fn(&str) -> Option<(Host, Stage)>) -> Vec<MeasuredCost> {
    let plain = [("a plain loop".to_owned(), LOOP)];
    let all = plain.into_iter().chain(examples());
    all.filter_map(|(name, text)| measure(name, text, &load))
        .collect()
}

fn measure(
    name: String,
    text: &str,
    load: &impl Fn(&str) -> Option<(Host, Stage)>,
) -> Option<MeasuredCost> {
    let (mut host, mut stage) = load(&format!("function update()\n{text}\nend"))?;
    let mut times = Vec::with_capacity(RUNS);
    let mut steps = 0.0;
    for _ in 0..RUNS {
        let began = Instant::now();
        host.update(&mut stage, 1.0 / 60.0);
        let ns = began.elapsed().as_nanos() as f64;
        if !host.take_faults().is_empty() {
            break;
        }
        times.push(ns);
        steps = host.budget.tick_used() as f64;
    }
    if times.is_empty() {
        return None;
    }
    times.sort_by(f64::total_cmp);
    let ns = times[times.len() / 2];
    Some(MeasuredCost { name, ns, steps })
}
