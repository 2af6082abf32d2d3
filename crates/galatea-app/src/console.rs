//! The console over the picture: its keys, its history, and what it says.
//!
//! What is typed is taken in order when a picture is drawn: a line that was written and sent within one
//! picture is asked as it was written.

use super::Session;
use crate::studio::{EditKey, LineKind, Prompt, PromptLine, Typed};
use galatea_script::Answer;

/// Lines that are kept of what was said.
const MOST_LINES: usize = 400;
/// Lines that are kept of what was asked.
const MOST_HISTORY: usize = 200;
/// Names that a completion lists.
const MOST_LISTED: usize = 60;

/// Something that was done with the console.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Typed into the line.
    Typed(Typed),
    /// The line is asked.
    Ask,
    /// The word before the cursor is completed.
    Complete,
    /// The line before this one in the history.
    Older,
    /// The line after this one in the history.
    Newer,
}

/// The console of a window.
#[derive(Default)]
pub struct ConsoleWindow {
    /// It is shown, and keys go to it.
    pub is_open: bool,
    /// What is drawn.
    pub prompt: Prompt,
    done: Vec<Done>,
    history: Vec<String>,
    /// Which line of the history is shown; as many as there are for the one that is written.
    at: usize,
    /// What was written when the history was gone back into.
    draft: String,
}

impl ConsoleWindow {
    /// Something was done; it counts when [`ConsoleWindow::work`] is next called.
    pub fn push(&mut self, done: Done) {
        self.done.push(done);
    }

    /// Does what was done since the last call, in its order. `feed` types into the line.
    pub fn work(&mut self, session: &mut Session, mut feed: impl FnMut(&mut Prompt, &[Typed])) {
        let mut typed = Vec::new();
        for done in std::mem::take(&mut self.done) {
            if let Done::Typed(what) = done {
                typed.push(what);
                continue;
            }
            if !typed.is_empty() {
                feed(&mut self.prompt, &typed);
                typed.clear();
            }
            match done {
                Done::Ask => self.ask(session),
                Done::Complete => self.complete(session),
                Done::Older => self.go(self.at.saturating_sub(1)),
                Done::Newer => self.go((self.at + 1).min(self.history.len())),
                Done::Typed(_) => {}
            }
        }
        if !typed.is_empty() {
            feed(&mut self.prompt, &typed);
        }
    }

    fn ask(&mut self, session: &mut Session) {
        let line = std::mem::take(&mut self.prompt.input);
        let line = line.trim();
        self.prompt.move_to = Some(0);
        self.draft.clear();
        if !line.is_empty() {
            if self.history.last().is_none_or(|last| last != line) {
                self.history.push(line.to_owned());
            }
            let n = self.history.len();
            self.history.drain(..n.saturating_sub(MOST_HISTORY));
        }
        self.at = self.history.len();
        if line.is_empty() {
            return;
        }
        if line == "clear" {
            self.prompt.lines.clear();
            return;
        }
        self.say(LineKind::Asked, line.to_owned());
        let Answer { printed, result } = session.ask(line);
        if !printed.is_empty() {
            self.say(LineKind::Printed, printed.join("\n"));
        }
        match result {
            Ok(values) => {
                for value in values {
                    self.say(LineKind::Value, value);
                }
            }
            Err(fault) => self.say(LineKind::Wrong, fault.to_string()),
        }
    }

    fn say(&mut self, kind: LineKind, text: String) {
        self.prompt.lines.push(PromptLine { kind, text });
        let n = self.prompt.lines.len();
        self.prompt.lines.drain(..n.saturating_sub(MOST_LINES));
    }

    fn complete(&mut self, session: &mut Session) {
        let input = self.prompt.input.clone();
        let at = input
            .char_indices()
            .nth(self.prompt.cursor)
            .map_or(input.len(), |(at, _)| at);
        let (before, after) = input.split_at(at);
        let completion = session.complete(before);
        let begun = &before[completion.from.min(before.len())..];
        let common = completion.common();
        let adds = common.strip_prefix(begun).unwrap_or_default();
        let completed = format!("{before}{adds}");
        let n = completion.names.len();
        if n > 1 && adds.is_empty() {
            let mut names: Vec<String> = completion.names;
            names.truncate(MOST_LISTED);
            if n > MOST_LISTED {
                names.push(format!("… {} more", n - MOST_LISTED));
            }
            self.say(LineKind::Names, names.join("  "));
        }
        self.set(format!("{completed}{after}"), completed.chars().count());
    }

    /// Goes to a line of the history.
    fn go(&mut self, to: usize) {
        if to == self.at {
            return;
        }
        if self.at == self.history.len() {
            self.draft.clone_from(&self.prompt.input);
        }
        self.at = to;
        let line = self.history.get(to).unwrap_or(&self.draft).clone();
        let end = line.chars().count();
        self.set(line, end);
    }

    fn set(&mut self, line: String, cursor: usize) {
        self.prompt.input = line;
        self.prompt.cursor = cursor;
        self.prompt.move_to = Some(cursor);
    }
}

/// A key that edits the line, with what is held beside it.
pub(super) fn edit_key(key: EditKey, shift: bool, control: bool) -> Done {
    Done::Typed(Typed::Key {
        key,
        shift,
        control,
    })
}
