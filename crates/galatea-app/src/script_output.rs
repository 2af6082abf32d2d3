//! Output of scripts: `print` and answers of console commands.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stream to which scripts print.
pub(super) struct ScriptOutput {
    is_stderr: bool,
    is_muted: AtomicBool,
    /// The same for a while.
    is_held: AtomicBool,
}

impl ScriptOutput {
    /// Prints to stdout, or to stderr if stdout holds a report.
    pub fn new(is_stderr: bool) -> Self {
        Self {
            is_stderr,
            is_muted: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
        }
    }

    /// Discards the output from now on.
    pub fn mute(&self) {
        self.is_muted.store(true, Ordering::Relaxed);
    }

    /// While `held`, output is discarded.
    pub fn hold(&self, held: bool) {
        self.is_held.store(held, Ordering::Relaxed);
    }

    /// Prints a line. A closed pipe is not an error of the script.
    pub fn print(&self, line: &str) {
        if self.is_muted.load(Ordering::Relaxed) || self.is_held.load(Ordering::Relaxed) {
            return;
        }
        let _ = if self.is_stderr {
            writeln!(std::io::stderr().lock(), "{line}")
        } else {
            writeln!(std::io::stdout().lock(), "{line}")
        };
    }
}
