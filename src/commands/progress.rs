//! Progress display on a terminal.

use std::io::{IsTerminal as _, Write as _};

/// A progress line on a terminal; silent elsewhere.
pub struct Progress {
    what: &'static str,
    of: u64,
    shown: bool,
}

impl Progress {
    /// Starts a progress line for `of` steps.
    pub fn new(what: &'static str, of: u64) -> Self {
        Self {
            what,
            of,
            shown: std::io::stderr().is_terminal(),
        }
    }

    /// Shows that `n` steps are done.
    pub fn at(&self, n: u64) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r{} {n}/{}", self.what, self.of);
        }
    }

    /// Ends the line.
    pub fn done(&self) {
        if self.shown {
            let _ = writeln!(std::io::stderr());
        }
    }
}
