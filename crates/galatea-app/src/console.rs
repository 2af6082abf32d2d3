//! The console overlay: its keys, its history and its output.
//!
//! Key presses are queued and processed in order when a frame is drawn. A line that was typed and submitted within one frame
//! runs as it was typed.

use super::Session;
use crate::studio::{EditKey, LineKind, Prompt, PromptLine, Typed};
use galatea_script::Answer;

/// Maximum number of output lines.
const MAX_LINES: usize = 400;
/// Maximum number of lines in the history.
const MAX_HISTORY: usize = 200;
/// Maximum number of names listed by a completion.
const MAX_LISTED: usize = 60;

/// A console action.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Text or an edit key for the line.
    Typed(Typed),
    /// Submits the line.
    Submit,
    /// Completes the word before the cursor.
    Complete,
    /// Shows the previous line of the history.
    Older,
    /// Shows the next line of the history.
    Newer,
}

/// The console of a window.
#[derive(Default)]
pub struct ConsoleWindow {
    /// The console is visible and receives the keys.
    pub is_open: bool,
    /// State to draw.
    pub prompt: Prompt,
    done: Vec<Done>,
    history: Vec<String>,
    /// Index of the shown history line; the history's length for the line being written.
    at: usize,
    /// Unfinished line, saved while the history is shown.
    draft: String,
}

impl ConsoleWindow {
    /// Queues an action for the next [`ConsoleWindow::work`].
    pub fn push(&mut self, done: Done) {
        self.done.push(done);
    }

    /// Processes the queued actions in order. `feed` types into the line.
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
                Done::Submit => self.submit(session),
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

    fn submit(&mut self, session: &mut Session) {
        let line = std::mem::take(&mut self.prompt.input);
        let line = line.trim();
        self.prompt.move_to = Some(0);
        self.draft.clear();
        if !line.is_empty() {
            if self.history.last().is_none_or(|last| last != line) {
                self.history.push(line.to_owned());
            }
            let n = self.history.len();
            self.history.drain(..n.saturating_sub(MAX_HISTORY));
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
        let Answer { printed, result } = session.answer(line);
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
        self.prompt.lines.drain(..n.saturating_sub(MAX_LINES));
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
            names.truncate(MAX_LISTED);
            if n > MAX_LISTED {
                names.push(format!("… {} more", n - MAX_LISTED));
            }
            self.say(LineKind::Names, names.join("  "));
        }
        self.set(format!("{completed}{after}"), completed.chars().count());
    }

    /// Shows a line of the history.
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

/// Action of an edit key, with its modifiers.
pub(super) fn edit_key(key: EditKey, shift: bool, control: bool) -> Done {
    Done::Typed(Typed::Key {
        key,
        shift,
        control,
    })
}
