//! Console commands and answers.

use crate::fault::Fault;

/// Maximum number of steps that one watched value may take in a tick.
pub(super) const WATCH_BUDGET: u64 = 100_000;

/// Console commands in addition to Lua code, each with a description.
pub const WORDS: [(&str, &str); 7] = [
    (
        "help",
        "help NAME: describes it; help locals: lists the locals of the scripts",
    ),
    ("watch", "watch EXPRESSION: keeps showing its value"),
    (
        "unwatch",
        "unwatch EXPRESSION: stops showing it; unwatch: stops all",
    ),
    (
        "why",
        "why hero: explains why its machine takes no transition",
    ),
    ("undo", "runs the previous version of the scripts"),
    ("redo", "runs the next version again after undo"),
    ("clear", "clears the console"),
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
