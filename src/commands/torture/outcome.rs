//! The result of a torture run, as its process writes it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Something that must not happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TortureFault {
    /// Kind of fault; two faults of one kind count as the same.
    pub kind: String,
    /// Description for people.
    pub text: String,
    /// Ticks that were run before.
    pub tick: u64,
}

/// Result of a run: the last line that it writes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunOutcome {
    /// Ticks that were run.
    pub n_ticks: u64,
    /// Changes of files.
    pub n_saves: u64,
    /// Most memory that was used, bytes.
    pub peak_memory: usize,
    /// The first fault, which ends a run.
    pub fault: Option<TortureFault>,
    /// The crash report, after an internal error.
    pub report: Option<PathBuf>,
}
