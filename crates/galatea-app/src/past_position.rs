//! Position of the displayed past, as data.

/// Position of the displayed past in the recorded time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastPosition {
    /// Seconds between the displayed moment and the present.
    pub seconds_ago: f64,
    /// Seconds between the oldest recorded moment and the present.
    pub duration: f64,
    /// Tick of unscaled time.
    pub n_ticks: u64,
    /// Direction in which the past plays: 1, -1, or 0 while it stands still.
    pub direction: i64,
}

impl PastPosition {
    /// Position between the oldest recorded moment (0) and the present (1).
    pub fn fraction(&self) -> f64 {
        match self.duration > 0.0 {
            true => (1.0 - self.seconds_ago / self.duration).clamp(0.0, 1.0),
            false => 1.0,
        }
    }
}
