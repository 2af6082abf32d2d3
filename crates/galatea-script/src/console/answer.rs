//! Console commands and answers.

use crate::fault::Fault;

/// Maximum number of steps that one watched value may take in a tick.
pub(super) const WATCH_BUDGET: u64 = 100_000;

/// Console commands in addition to Lua code, each with a description.
pub const WORDS: [(&str, &str); 7] = [
    (
        "help",
        "help NAME: what it is; help locals: the scripts' locals",
    ),
    ("watch", "watch EXPRESSION: shows its value all the time"),
    (
        "unwatch",
        "unwatch EXPRESSION: no longer; without one, none",
    ),
    ("why", "why hero: what holds its machine where it is"),
    ("undo", "runs the version of the scripts before"),
    ("redo", "goes forward again after undo"),
    ("clear", "empties the console"),
];

/// Answer to a console line.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Printed lines.
    pub printed: Vec<String>,
    /// Resulting values in Lua notation, or the error.
    pub result: Result<Vec<String>, Fault>,
}

impl Answer {
    /// Creates an answer that only prints text.
    pub fn text(text: String) -> Self {
        Self {
            printed: text.lines().map(str::to_owned).collect(),
            result: Ok(Vec::new()),
        }
    }

    /// Creates an answer with an error that has no position.
    pub fn wrong(text: impl Into<String>) -> Self {
        let fault = Fault {
            text: text.into(),
            ..Fault::default()
        };
        Self {
            printed: Vec::new(),
            result: Err(fault),
        }
    }
}
