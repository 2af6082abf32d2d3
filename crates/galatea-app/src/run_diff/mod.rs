//! Differences of two runs of a project: states, events, positions, foot slide and errors.
//!
//! A [`RunLog`] records what happens in a run. [`compare_logs`] compares two logs; `galatea diff` adds poses, which it
//! compares while both runs are played. A [`DiffReport`] holds the result.

mod differences;
mod of_logs;
mod report;
mod run_log;

pub use differences::{Distance, event_differences, slide_difference, state_differences};
pub use of_logs::{add_final_poses, compare_logs};
pub use report::{
    Apart, DiffReport, DifferenceKind, EventDifference, RunDifference, SlideDifference,
    StateDifference,
};
pub use run_log::{
    LogMeters, PEAKS, PerTick, RunLog, SeenEvent, SeenStates, bone_distance, characters, peak,
};
