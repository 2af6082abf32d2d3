//! Words of the console, and its answers.

use crate::fault::Fault;

/// Calls and loop rounds that one watched value may take in a tick.
pub(super) const WATCH_BUDGET: u64 = 100_000;

/// The words of the console beside Lua, and what each does.
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

/// What became of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What it printed, line by line.
    pub printed: Vec<String>,
    /// The values, one each, in the notation of Lua; or what is wrong.
    pub result: Result<Vec<String>, Fault>,
}

impl Answer {
    /// Lines that are printed.
    pub fn text(text: String) -> Self {
        Self {
            printed: text.lines().map(str::to_owned).collect(),
            result: Ok(Vec::new()),
        }
    }

    /// What is wrong, without a place.
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
