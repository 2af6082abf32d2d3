//! State of the console between lines.

use mlua::{Function, Table};

/// State that the console stores from line to line.
#[derive(Default)]
pub(crate) struct Console {
    pub env: Option<Table>,
    pub watches: Vec<Watch>,
}

/// A watched expression.
pub(crate) struct Watch {
    pub expression: String,
    pub function: Function,
    /// Error of an expression that took too long and is not evaluated again.
    pub stopped: Option<String>,
}
