//! Ends a run that hangs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use super::outcome::{RunOutcome, TortureFault};

/// Maximum real time without progress, seconds.
const MAX_IDLE: f64 = 90.0;
/// Interval of the checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Progress of a run.
#[derive(Clone, Debug, Default)]
pub struct TortureProgress(Arc<ProgressCounters>);

#[derive(Debug, Default)]
struct ProgressCounters {
    /// Number of steps that began.
    n_steps: AtomicU64,
    n_ticks: AtomicU64,
    is_over: AtomicBool,
}

impl TortureProgress {
    /// Marks the start of a step after `n_ticks` ticks.
    pub fn begin(&self, n_ticks: u64) {
        self.0.n_ticks.store(n_ticks, Ordering::Relaxed);
        self.0.n_steps.fetch_add(1, Ordering::Relaxed);
    }
}

/// Monitors a run from a separate thread until it is stopped.
pub struct Watchdog(TortureProgress);

impl Watchdog {
    /// Ends the process if a step takes more than `limit` seconds of processor time.
    pub fn start(progress: TortureProgress, limit: f64) -> Self {
        let watched = progress.clone();
        let look = move || look(&watched, limit);
        // Without the thread there is no monitoring; then the parent process ends the run.
        let _ = std::thread::Builder::new()
            .name("watchdog".into())
            .spawn(look);
        Self(progress)
    }

    /// Stops monitoring.
    pub fn stop(&self) {
        self.0.0.is_over.store(true, Ordering::Relaxed);
    }
}

fn look(progress: &TortureProgress, limit: f64) {
    let steps = &progress.0;
    let mut known = 0;
    let mut since = (ProcessTime::now(), Instant::now());
    while !steps.is_over.load(Ordering::Relaxed) {
        std::thread::sleep(CHECK_INTERVAL);
        let n_steps = steps.n_steps.load(Ordering::Relaxed);
        if n_steps != known {
            known = n_steps;
            since = (ProcessTime::now(), Instant::now());
            continue;
        }
        // Opening the project has a longer limit.
        let limit = if n_steps == 0 { MAX_IDLE } else { limit };
        let seconds = since.0.elapsed().as_secs_f64();
        if seconds > limit || since.1.elapsed().as_secs_f64() > MAX_IDLE {
            let tick = steps.n_ticks.load(Ordering::Relaxed);
            let outcome = RunOutcome {
                n_ticks: tick,
                fault: Some(TortureFault {
                    kind: "hang".to_owned(),
                    text: format!("a step took more than {seconds:.1} s of processor time"),
                    tick,
                }),
                ..RunOutcome::default()
            };
            if let Ok(line) = serde_json::to_string(&outcome) {
                println!("{line}");
            }
            std::process::exit(1);
        }
    }
}
