//! Console lines and event queries that a session answers while it plays.

use super::session::Session;
use galatea_guard::contained;
use galatea_math::names::printable;
use galatea_script::{Answer, Completion, RecordedScriptEvent};

impl Session {
    /// Answers a line between two ticks: a console command or Lua.
    pub fn answer(&mut self, line: &str) -> Answer {
        let stepped = match line.trim() {
            "undo" => Some(self.undo()),
            "redo" => Some(self.redo()),
            _ => None,
        };
        let answer = contained("answering the console", || {
            let answer = match stepped {
                Some(Ok(text)) => Answer::text(text),
                Some(Err(why)) => Answer::wrong(why),
                None if self.is_in_past() => return self.answer_in_past(line),
                None => {
                    self.note_console(line);
                    self.scripts.host.answer(&mut self.stage, line)
                }
            };
            self.scripts.watch(&mut self.stage);
            answer
        });
        answer.unwrap_or_else(|caught| Answer::wrong(caught.notice))
    }

    /// Lists the completions of `line`, which ends at the cursor.
    pub fn complete(&mut self, line: &str) -> Completion {
        self.scripts.host.complete(&mut self.stage, line)
    }

    /// Records events from now on, for [`Session::events_since`].
    pub fn record_events(&mut self) {
        self.scripts.host.record_events();
    }

    /// Returns the recorded events after number `since`, oldest first, and the number of the last event.
    pub fn events_since(&self, since: u64) -> (Vec<RecordedScriptEvent>, u64) {
        (
            self.scripts.host.events_since(since),
            self.scripts.host.n_events(),
        )
    }

    /// Answers these lines on stdout as soon as the script runs. Errors go to stderr.
    pub fn answer_when_loaded(&mut self, lines: &[String]) {
        self.scripts.console_lines.extend_from_slice(lines);
        self.answer_pending();
    }

    pub(super) fn answer_pending(&mut self) {
        if !self.scripts.has_run {
            return;
        }
        for line in std::mem::take(&mut self.scripts.console_lines) {
            let answer = self.answer(&line);
            for text in &answer.printed {
                print_line(text);
            }
            match answer.result {
                Ok(values) => values.iter().for_each(|value| print_line(value)),
                Err(fault) => eprintln!("error: {}", printable(&fault.to_string())),
            }
        }
    }
}

/// Prints a line on stdout. A closed pipe does not stop the session.
fn print_line(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout().lock(), "{}", printable(text));
}
