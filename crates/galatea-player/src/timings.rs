//! Timings of the phases of a start, for `--timings`: spans of the target [`PHASE`] with their time, processor time and
//! memory. An event of this target prints the finished ones.

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use galatea_math::phases::PHASE;
use memory_stats::memory_stats;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Maximum number of phases that are kept.
const MAX_PHASES: usize = 1000;

static PHASES: Mutex<Vec<Phase>> = Mutex::new(Vec::new());

/// A finished phase.
struct Phase {
    name: String,
    depth: usize,
    began: Duration,
    elapsed: Duration,
    cpu: Duration,
    /// Growth of the memory of the process, bytes.
    memory: i64,
}

/// A running phase, stored in the extensions of the span.
struct RunningPhase {
    name: String,
    began: Duration,
    at: Instant,
    cpu: ProcessTime,
    memory: i64,
}

/// Records the phases.
struct PhaseLayer {
    start: Instant,
}

/// A layer that records the phases from now on.
pub(crate) fn layer<S>() -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let start = Instant::now();
    PhaseLayer { start }.with_filter(filter_fn(|about: &Metadata<'_>| about.target() == PHASE))
}

impl<S> Layer<S> for PhaseLayer
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut name = PhaseName(attributes.metadata().name().to_owned());
        attributes.record(&mut name);
        span.extensions_mut().insert(RunningPhase {
            name: name.0,
            began: self.start.elapsed(),
            at: Instant::now(),
            cpu: ProcessTime::now(),
            memory: resident(),
        });
    }

    fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
        if let Some(report) = take_report() {
            eprintln!("{report}");
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(span) = context.span(&id) else {
            return;
        };
        let depth = span.scope().count() - 1;
        let Some(phase) = span.extensions_mut().remove::<RunningPhase>() else {
            return;
        };
        let mut phases = PHASES.lock().unwrap_or_else(PoisonError::into_inner);
        if phases.len() < MAX_PHASES {
            phases.push(Phase {
                name: phase.name,
                depth,
                began: phase.began,
                elapsed: phase.at.elapsed(),
                cpu: phase.cpu.elapsed(),
                memory: resident() - phase.memory,
            });
        }
    }
}

/// Name of a phase: the name of the span and its fields.
struct PhaseName(String);

impl Visit for PhaseName {
    fn record_debug(&mut self, _: &Field, value: &dyn std::fmt::Debug) {
        let _ = write!(self.0, " {value:?}");
    }
}

/// Resident memory of the process, bytes; 0 if it is unknown.
fn resident() -> i64 {
    memory_stats().map_or(0, |stats| stats.physical_mem as i64)
}

/// Removes all finished phases and returns them as a table, in the order of their starts. `None` if there are none.
fn take_report() -> Option<String> {
    let mut phases = std::mem::take(&mut *PHASES.lock().unwrap_or_else(PoisonError::into_inner));
    if phases.is_empty() {
        return None;
    }
    phases.sort_by_key(|phase| (phase.began, phase.depth));
    let mut text = String::from("      at       time  processor    memory  phase\n");
    for phase in &phases {
        let [at, time, cpu] =
            [phase.began, phase.elapsed, phase.cpu].map(|t| t.as_secs_f64() * 1e3);
        let _ = writeln!(
            text,
            "{at:>5.0} ms  {time:>6.0} ms  {cpu:>6.0} ms  {:>+5.0} MB  {:indent$}{}",
            phase.memory as f64 / 1e6,
            "",
            phase.name,
            indent = 2 * phase.depth,
        );
    }
    let _ = write!(
        text,
        "memory of the process: {:.0} MB; the figures of a phase include those indented below it and the work of other threads",
        resident() as f64 / 1e6
    );
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::layer::SubscriberExt as _;

    #[test]
    fn phases_are_listed_in_order_with_their_files_and_others_are_not() {
        let subscriber = tracing_subscriber::registry().with(layer());
        tracing::subscriber::with_default(subscriber, || {
            let _outer =
                tracing::info_span!(target: PHASE, "load model", file = %"ann.glb").entered();
            let _other = tracing::info_span!("something else").entered();
            let inner = tracing::info_span!(target: PHASE, "decode pictures").entered();
            let _wasted: f64 = (1..200_000).map(f64::from).map(f64::sqrt).sum();
            drop(inner);
        });
        let report = take_report().expect("two phases are over");
        let lines: Vec<&str> = report.lines().collect();
        assert!(lines[1].ends_with("MB  load model ann.glb"), "{report}");
        assert!(lines[2].ends_with("MB    decode pictures"), "{report}");
        assert!(lines[3].starts_with("memory of the process"), "{report}");
        assert_eq!(lines.len(), 4, "{report}");
        assert_eq!(take_report(), None);
    }
}
