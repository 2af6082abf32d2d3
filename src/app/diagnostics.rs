//! What is wrong now: shown on the picture and said on stderr until it is mended.

use std::collections::BTreeMap;

use crate::stage::frame::{Message, MessageKind};

/// Messages by what they are about. A message about the same thing replaces the one before; none is
/// said twice on stderr while it stands.
#[derive(Debug, Default)]
pub struct Diagnostics {
    standing: BTreeMap<String, (MessageKind, String)>,
    passing: Vec<(f64, String)>,
    quiet: bool,
}

/// Seconds for which news stay on the picture.
const PASSING_SECONDS: f64 = 2.5;

impl Diagnostics {
    /// Says nothing on stderr; for callers that report by themselves.
    pub fn silence(&mut self) {
        self.quiet = true;
    }

    /// Something about `subject` is wrong, until it is cleared.
    pub fn set(&mut self, subject: &str, kind: MessageKind, text: &str) {
        let before = self
            .standing
            .insert(subject.to_owned(), (kind, text.to_owned()));
        if before.is_none_or(|(_, was)| was != text) && !self.quiet {
            let word = match kind {
                MessageKind::Error => "error",
                MessageKind::Warning => "warning",
                MessageKind::Info => "note",
            };
            eprintln!("{word}: {text}");
        }
    }

    /// What was wrong about `subject` is mended; all subjects that begin so.
    pub fn clear(&mut self, subject: &str) -> bool {
        let before = self.standing.len();
        self.standing.retain(|known, _| !known.starts_with(subject));
        self.standing.len() < before
    }

    /// Shown for a moment.
    pub fn tell(&mut self, now: f64, text: impl Into<String>) {
        let text = text.into();
        if !self.quiet {
            eprintln!("{text}");
        }
        self.passing.push((now + PASSING_SECONDS, text));
    }

    /// Messages for a picture.
    pub fn show(&mut self, now: f64, out: &mut Vec<Message>) {
        self.passing.retain(|(until, _)| *until > now);
        out.extend(self.standing.values().map(|(kind, text)| Message {
            kind: *kind,
            text: text.clone(),
        }));
        out.extend(self.passing.iter().map(|(_, text)| Message {
            kind: MessageKind::Info,
            text: text.clone(),
        }));
    }

    /// Errors that stand now.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        self.of_kind(MessageKind::Error)
    }

    /// Warnings that stand now.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.of_kind(MessageKind::Warning)
    }

    fn of_kind(&self, kind: MessageKind) -> impl Iterator<Item = &str> {
        self.standing
            .values()
            .filter(move |(k, _)| *k == kind)
            .map(|(_, text)| text.as_str())
    }
}
