//! Checkpoints of tasks, as data.

use serde::{Deserialize, Serialize};

use galatea_stage::Handle;

/// Checkpoint of a task. A task with the same character and the same text of its function continues from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub character: Option<Handle>,
    /// Source text of the function with which the task began.
    pub function: String,
    pub name: String,
}
