//! Progress display on a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// A progress line on a terminal, with the remaining time; silent elsewhere.
pub struct Progress {
    what: &'static str,
    of: u64,
    shown: bool,
    began: Instant,
}

impl Progress {
    /// Starts a progress line for `of` steps.
    pub fn new(what: &'static str, of: u64) -> Self {
        Self {
            what,
            of,
            shown: std::io::stderr().is_terminal(),
            began: Instant::now(),
        }
    }

    /// Shows that `n` steps are done.
    pub fn at(&self, n: u64) {
        if self.shown {
            let left = remaining(self.began.elapsed(), n, self.of);
            // The spaces overwrite a longer text.
            let _ = write!(
                std::io::stderr(),
                "\r{} {n}/{}{left:<16}",
                self.what,
                self.of
            );
        }
    }

    /// Ends the line.
    pub fn done(&self) {
        if self.shown {
            let _ = writeln!(std::io::stderr());
        }
    }
}

/// Describes the time that `of - n` steps will take if `n` steps took `elapsed`; empty before the first and after the last
/// step.
fn remaining(elapsed: Duration, n: u64, of: u64) -> String {
    if n == 0 || n >= of {
        return String::new();
    }
    let seconds = (elapsed.as_secs_f64() * (of - n) as f64 / n as f64).ceil() as u64;
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!(", {seconds} s left"),
        (minutes, seconds) => format!(", {minutes}:{seconds:02} min left"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remaining_time_follows_from_the_steps_so_far() {
        let after = |seconds, n| remaining(Duration::from_secs(seconds), n, 100);
        assert_eq!(after(10, 0), "");
        assert_eq!(after(10, 20), ", 40 s left");
        assert_eq!(after(30, 10), ", 4:30 min left");
        assert_eq!(after(70, 100), "");
    }
}
