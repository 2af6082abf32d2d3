//! State of the console between two lines.

use mlua::{Function, Table};

/// What the console keeps from line to line.
#[derive(Default)]
pub(crate) struct Console {
    pub env: Option<Table>,
    pub watches: Vec<Watch>,
}

/// An expression that is watched.
pub(crate) struct Watch {
    pub expression: String,
    pub function: Function,
    /// It took too long and is not asked again.
    pub stopped: Option<String>,
}
