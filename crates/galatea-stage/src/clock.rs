//! The clock of a stage.

use serde::{Deserialize, Serialize};

/// Ticks of equal length since the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Ticks since the start.
    pub n_ticks: u64,
    /// Seconds per tick.
    pub dt: f64,
}

impl Clock {
    /// A clock at its start, with a number of seconds per tick.
    pub fn new(dt: f64) -> Self {
        Self { n_ticks: 0, dt }
    }

    /// Seconds since the start, at the beginning of the coming tick.
    pub fn time(self) -> f64 {
        self.n_ticks as f64 * self.dt
    }
}
