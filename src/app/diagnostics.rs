//! What is wrong now: shown on the picture and said on stderr until it is mended.

use std::collections::BTreeMap;

use crate::math::names::printable;
use crate::stage::frame::{Message, MessageKind};

/// Messages by what they are about. A message about the same thing replaces the one before; none is
/// said twice on stderr while it stands.
#[derive(Debug, Default)]
pub struct Diagnostics {
    standing: BTreeMap<String, (MessageKind, String)>,
    /// Until when, and what.
    passing: Vec<(f64, String)>,
    /// Said since the last picture.
    fresh: Vec<String>,
    quiet: bool,
    /// News and warnings are shown on the picture for a moment; errors always are.
    pub shows_news: bool,
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
            eprintln!("{word}: {}", printable(text));
            if kind == MessageKind::Warning {
                let first = text.lines().next().unwrap_or_default();
                self.fresh.push(format!("warning: {first} …"));
            }
        }
    }

    /// What was wrong about `subject` is mended; all subjects that begin so.
    pub fn clear(&mut self, subject: &str) -> bool {
        let before = self.standing.len();
        self.standing.retain(|known, _| !known.starts_with(subject));
        self.standing.len() < before
    }

    /// Said once, shown for a moment.
    pub fn tell(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.quiet {
            eprintln!("{}", printable(&text));
        }
        self.fresh.push(text);
    }

    /// Messages for a picture at this stage time, seconds.
    pub fn show(&mut self, now: f64, out: &mut Vec<Message>) {
        let fresh = self.fresh.drain(..);
        self.passing
            .extend(fresh.map(|text| (now + PASSING_SECONDS, text)));
        self.passing.retain(|(until, _)| *until > now);
        out.extend(self.errors().map(|text| Message {
            kind: MessageKind::Error,
            text: text.to_owned(),
        }));
        if self.shows_news {
            out.extend(self.passing.iter().map(|(_, text)| Message {
                kind: MessageKind::Info,
                text: text.clone(),
            }));
        }
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
