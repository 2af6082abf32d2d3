//! What is asked of a session while it plays: lines for the console, from wherever they come.

use super::session::Session;
use galatea_guard::contained;
use galatea_math::names::printable;
use galatea_script::{Answer, Completion, Heard};

impl Session {
    /// Answers a line between two ticks: a word of the console or Lua.
    pub fn ask(&mut self, line: &str) -> Answer {
        let stepped = match line.trim() {
            "undo" => Some(self.undo()),
            "redo" => Some(self.redo()),
            _ => None,
        };
        let answer = contained("answering the console", || {
            let answer = match stepped {
                Some(Ok(text)) => Answer::text(text),
                Some(Err(why)) => Answer::wrong(why),
                None => self.scripts.host.answer(&mut self.stage, line),
            };
            self.scripts.watch(&mut self.stage);
            answer
        });
        answer.unwrap_or_else(|caught| Answer::wrong(caught.notice))
    }

    /// The words that can stand at the end of `line`, which ends at the cursor.
    pub fn complete(&mut self, line: &str) -> Completion {
        self.scripts.host.complete(&mut self.stage, line)
    }

    /// Keeps events from now on, for [`Session::events_since`].
    pub fn keep_events(&mut self) {
        self.scripts.host.keep_events();
    }

    /// Events after number `since`, oldest first, as far as they are kept; and the number of the last.
    pub fn events_since(&self, since: u64) -> (Vec<Heard>, u64) {
        (
            self.scripts.host.events_since(since),
            self.scripts.host.n_events(),
        )
    }

    /// Answers these lines on stdout, what is wrong on stderr, as soon as the script runs.
    pub fn ask_when_loaded(&mut self, lines: &[String]) {
        self.scripts.to_ask.extend_from_slice(lines);
        self.ask_those_that_wait();
    }

    pub(super) fn ask_those_that_wait(&mut self) {
        if !self.scripts.has_run {
            return;
        }
        for line in std::mem::take(&mut self.scripts.to_ask) {
            let answer = self.ask(&line);
            for text in &answer.printed {
                say(text);
            }
            match answer.result {
                Ok(values) => values.iter().for_each(|value| say(value)),
                Err(fault) => eprintln!("error: {}", printable(&fault.to_string())),
            }
        }
    }
}

/// A line on stdout; a closed pipe is no reason to stop playing.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stdout().lock(), "{}", printable(text));
}
