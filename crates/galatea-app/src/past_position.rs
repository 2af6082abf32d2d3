//! The displayed past, as data.

use crate::run_diff::DiffReport;

/// Position of the displayed past in the recorded time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastPosition {
    /// Seconds between the displayed moment and the present.
    pub seconds_ago: f64,
    /// Seconds between the oldest recorded moment and the present.
    pub duration: f64,
    /// Tick of unscaled time.
    pub n_ticks: u64,
    /// Unscaled time, seconds.
    pub time: f64,
    /// Direction in which the past plays: 1, -1, or 0 while it stands still.
    pub direction: i64,
    /// Progress of a replay, from 0 to 1.
    pub replayed: Option<f32>,
}

impl PastPosition {
    /// Position between the oldest recorded moment (0) and the present (1).
    pub fn fraction(&self) -> f64 {
        self.fraction_at(self.time)
    }

    /// The same for a moment at `time`, seconds of unscaled time.
    pub fn fraction_at(&self, time: f64) -> f64 {
        let ago = self.seconds_ago + (self.time - time);
        match self.duration > 0.0 {
            true => (1.0 - ago / self.duration).clamp(0.0, 1.0),
            false => 1.0,
        }
    }
}

/// A movement in the past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PastMove {
    /// By this number of copies; there is one per tick in the last two seconds, and four per second before.
    Copies(i64),
    /// By seconds.
    Seconds(f64),
    /// To this position between the oldest copy (0) and the present (1).
    Fraction(f64),
    /// To a tick of unscaled time.
    Tick(u64),
    /// To the oldest copy.
    Oldest,
    /// To the newest copy.
    Newest,
}

/// A change of the past: what differs since then.
#[derive(Debug)]
pub struct PastChange {
    /// The differences. A is the run before the change.
    pub report: DiffReport,
    /// First and last moment that were played again, seconds of unscaled time.
    pub seconds: [f64; 2],
}
