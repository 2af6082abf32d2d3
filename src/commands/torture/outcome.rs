//! Result of a torture run, as its process writes it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// An error found by a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TortureFault {
    /// Kind of the error; errors of one kind count as the same.
    pub kind: String,
    /// Description.
    pub text: String,
    /// Ticks before the error.
    pub tick: u64,
}

/// Result of a run: the last line of its output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// Number of ticks.
    pub n_ticks: u64,
    /// Number of file changes.
    pub n_saves: u64,
    /// Peak memory, bytes.
    pub peak_memory: usize,
    /// The error that ended the run.
    pub fault: Option<TortureFault>,
    /// Path of the crash report, after an internal error.
    pub report: Option<PathBuf>,
}
