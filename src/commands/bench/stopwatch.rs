//! Time of a measurement: by the clock, or the processor time of all threads of the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

static MEASURES_CPU: AtomicBool = AtomicBool::new(false);

/// Lets all later measurements take processor time. Other programs on the machine change it little.
pub fn measure_cpu() {
    MEASURES_CPU.store(true, Ordering::Relaxed);
}

/// Start of a measurement.
pub enum Stopwatch {
    Clock(Instant),
    Cpu(ProcessTime),
}

impl Stopwatch {
    pub fn start() -> Self {
        match MEASURES_CPU.load(Ordering::Relaxed) {
            true => Self::Cpu(ProcessTime::now()),
            false => Self::Clock(Instant::now()),
        }
    }

    pub fn elapsed(&self) -> Duration {
        match self {
            Self::Clock(start) => start.elapsed(),
            Self::Cpu(start) => start.elapsed(),
        }
    }
}
