//! Watchdog of scripts: stops a script that takes too much processor time in a tick although it has steps left.
//!
//! The watchdog reads the wall clock, which is cheap. It reads processor time only if the wall clock exceeds the limit,
//! so a busy machine alone does not stop a script.

use std::cell::Cell;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// Steps between two readings of the clock.
const LOOK_EVERY: u64 = 256;

/// Measures the time of scripts in a tick.
#[derive(Default)]
pub(super) struct ScriptWatchdog {
    /// Maximum processor time of a tick; `None` never stops a script.
    limit: Cell<Option<Duration>>,
    began: Cell<Option<ThreadTime>>,
    /// Wall time of the finished calls of this tick.
    spent: Cell<Duration>,
    /// Start of the current call.
    entered: Cell<Option<Instant>>,
    unseen: Cell<u64>,
}

impl ScriptWatchdog {
    /// Begins a tick in which scripts may take `limit_s` seconds of processor time.
    pub fn begin(&self, limit_s: Option<f64>) {
        self.limit.set(limit_s.map(Duration::from_secs_f64));
        self.restart();
    }

    /// Begins the processor time of the tick again.
    pub fn restart(&self) {
        self.spent.set(Duration::ZERO);
        self.began.set(self.limit.get().map(|_| ThreadTime::now()));
    }

    /// Limit of a tick, seconds.
    pub fn limit_s(&self) -> f64 {
        let limit = self.limit.get();
        limit.map_or(f64::INFINITY, |limit| limit.as_secs_f64())
    }

    /// Begins a call.
    pub fn enter(&self) {
        self.entered.set(self.limit.get().map(|_| Instant::now()));
    }

    /// Ends a call.
    pub fn leave(&self) {
        let entered = self.entered.take();
        let spent = entered.map_or(Duration::ZERO, |entered| entered.elapsed());
        self.spent.set(self.spent.get() + spent);
    }

    /// Returns true if the scripts of this tick have used up their processor time. `steps` are the steps since the last
    /// call.
    pub fn is_due(&self, steps: u64) -> bool {
        let unseen = self.unseen.get().saturating_add(steps);
        if unseen < LOOK_EVERY {
            self.unseen.set(unseen);
            return false;
        }
        self.unseen.set(0);
        let (Some(limit), Some(entered)) = (self.limit.get(), self.entered.get()) else {
            return false;
        };
        if self.spent.get() + entered.elapsed() <= limit {
            return false;
        }
        let began = self.began.get();
        if began.is_none_or(|began| began.elapsed() <= limit) {
            return false;
        }
        self.restart();
        self.entered.set(Some(Instant::now()));
        true
    }
}
