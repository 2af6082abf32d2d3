//! Current errors and warnings, shown on screen and on stderr until they are resolved.

use std::collections::BTreeMap;

use crate::crash;
use galatea_math::names::printable;
use galatea_script::Fault;
use galatea_stage::frame::{Message, MessageKind};

/// Current messages, keyed by their subject. A message replaces an older one with the same subject. While it is active it is
/// printed on stderr only once.
#[derive(Debug, Default)]
pub struct Diagnostics {
    active: BTreeMap<String, ActiveProblem>,
    /// Number of messages set so far; it sorts them by age.
    n_set: u64,
    notices: Vec<PassingNotice>,
    /// Notices since the last frame.
    fresh: Vec<String>,
    printed: PrintedMessages,
    /// A notice about hidden problems was issued.
    is_full: bool,
    /// Notices and warnings are shown on screen for a moment; errors are always shown.
    pub shows_news: bool,
}

/// Messages that are printed on stderr.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum PrintedMessages {
    #[default]
    All,
    Errors,
    None,
}

/// A problem that is active until it is cleared.
#[derive(Debug)]
struct ActiveProblem {
    /// Position, text and call stack, as printed.
    printed: String,
    message: Message,
    fault: Option<Fault>,
    /// Number of the message, in the order of setting.
    order: u64,
}

/// A notice that disappears after a while.
#[derive(Debug)]
struct PassingNotice {
    text: String,
    /// Start and end, seconds of unscaled time.
    from: f64,
    until: f64,
}

impl PassingNotice {
    /// Opacity at a time, 0 to 1.
    fn opacity(&self, now: f64) -> f32 {
        let coming = (now - self.from) / FADE_IN_SECONDS;
        let going = (self.until - now) / FADE_OUT_SECONDS;
        coming.min(going).clamp(0.0, 1.0) as f32
    }
}

/// Time that a notice stays on screen: for the first line, and for each further line.
const NOTICE_SECONDS: f64 = 2.5;
const SECONDS_PER_LINE: f64 = 0.7;
/// Fade-in and fade-out times of notices.
const FADE_IN_SECONDS: f64 = 0.12;
const FADE_OUT_SECONDS: f64 = 0.6;
/// Maximum number of problems shown. Above it the older ones stay, and errors have priority over warnings.
const MAX_PROBLEMS: usize = 200;
/// Maximum length of a source line on stderr, characters.
const MAX_LINE_CHARS: usize = 100;

impl Diagnostics {
    /// Turns off output on stderr, for callers that print the messages themselves.
    pub fn silence(&mut self) {
        self.printed = PrintedMessages::None;
    }

    /// Prints only errors on stderr from now on.
    pub(crate) fn print_only_errors(&mut self) {
        self.printed = PrintedMessages::Errors;
    }

    /// Sets a message about `subject`, until it is cleared.
    pub fn set(&mut self, subject: &str, kind: MessageKind, text: &str) {
        self.activate(subject, text.to_owned(), Message::new(kind, text), None);
    }

    /// Sets a script error about `subject`, until it is cleared. `note` explains the consequence, or is empty.
    pub fn set_fault(&mut self, subject: &str, fault: Fault, note: &str) {
        let mut printed = fault.to_string();
        if !note.is_empty() {
            printed = format!("{printed}\n{note}");
        }
        let message = Message {
            location: fault.location(),
            source: fault.source().to_vec(),
            calls: fault.calls().map(str::to_owned).collect(),
            note: note.to_owned(),
            ..Message::new(MessageKind::Error, fault.text.clone())
        };
        self.activate(subject, printed, message, Some(fault));
    }

    fn activate(&mut self, subject: &str, printed: String, message: Message, fault: Option<Fault>) {
        let is_known = self.active.contains_key(subject);
        if !is_known && self.active.len() >= MAX_PROBLEMS && !self.makes_room(message.kind) {
            return;
        }
        let before = self.active.get(subject);
        let is_new = before.is_none_or(|before| before.printed != printed);
        if is_new {
            crash::note(&printed);
        }
        let is_printed = match self.printed {
            PrintedMessages::All => true,
            PrintedMessages::Errors => message.kind == MessageKind::Error,
            PrintedMessages::None => false,
        };
        if is_new && is_printed {
            let word = match message.kind {
                MessageKind::Error => "error",
                MessageKind::Warning => "warning",
                MessageKind::Info => "note",
            };
            if message.source.is_empty() {
                eprintln!("{word}: {}", printable(&printed));
            } else {
                let head = format!("{word}: {}: {}", message.location, message.text);
                let mut lines = vec![head];
                lines.extend(message.details(MAX_LINE_CHARS));
                eprintln!("{}", printable(&lines.join("\n")));
            }
            if message.kind == MessageKind::Warning {
                let first = printed.lines().next().unwrap_or_default();
                self.fresh.push(format!("warning: {first} …"));
            }
        }
        let order = match before {
            Some(before) if !is_new => before.order,
            _ => {
                self.n_set += 1;
                self.n_set
            }
        };
        let active = ActiveProblem {
            printed,
            message,
            fault,
            order,
        };
        self.active.insert(subject.to_owned(), active);
    }

    /// Makes room for an error by removing the newest warning. Reports once that some problems are hidden.
    fn makes_room(&mut self, kind: MessageKind) -> bool {
        if !self.is_full {
            self.is_full = true;
            self.notify(format!(
                "there are more than {MAX_PROBLEMS} problems; fix some of them to see the others"
            ));
        }
        if kind != MessageKind::Error {
            return false;
        }
        let warnings = self.active.iter();
        let newest = warnings
            .filter(|(_, one)| one.message.kind == MessageKind::Warning)
            .max_by_key(|(_, one)| one.order);
        let newest = newest.map(|(subject, _)| subject.clone());
        newest.is_some_and(|subject| self.active.remove(&subject).is_some())
    }

    /// Clears all messages whose subject starts with `subject`.
    pub fn clear(&mut self, subject: &str) -> bool {
        let before = self.active.len();
        self.active.retain(|known, _| !known.starts_with(subject));
        self.is_full &= self.active.len() > MAX_PROBLEMS / 2;
        self.active.len() < before
    }

    /// Returns true if there is a message about exactly this subject.
    pub fn stands(&self, subject: &str) -> bool {
        self.active.contains_key(subject)
    }

    /// Returns true if there is a message whose subject starts with `subject`.
    pub fn any(&self, subject: &str) -> bool {
        self.active.keys().any(|known| known.starts_with(subject))
    }

    /// Prints a notice once and shows it for a moment.
    pub fn notify(&mut self, text: impl Into<String>) {
        let text = text.into();
        crash::note(&text);
        if self.printed == PrintedMessages::All {
            eprintln!("{}", printable(&text));
        }
        self.fresh.push(text);
    }

    /// Updates how often each active script error has occurred.
    pub fn count(&mut self, times: impl Fn(&Fault) -> u64) {
        for active in self.active.values_mut() {
            if let Some(fault) = &active.fault {
                active.message.times = times(fault);
            }
        }
    }

    /// Collects the messages for a frame at an unscaled time in seconds; errors with the newest first.
    pub fn show(&mut self, now: f64, out: &mut Vec<Message>) {
        let fresh = self.fresh.drain(..).map(|text| {
            let further = text.lines().count().saturating_sub(1) as f64;
            PassingNotice {
                from: now,
                until: now + NOTICE_SECONDS + SECONDS_PER_LINE * further,
                text,
            }
        });
        self.notices.extend(fresh);
        self.notices.retain(|news| news.until > now);
        out.extend(self.messages().into_iter().cloned());
        if self.shows_news {
            out.extend(self.notices.iter().map(|news| Message {
                opacity: news.opacity(now),
                ..Message::new(MessageKind::Info, news.text.clone())
            }));
        }
    }

    /// Current errors.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        self.of_kind(MessageKind::Error)
    }

    /// Current warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        self.of_kind(MessageKind::Warning)
    }

    /// Current errors, newest first, with the number of occurrences when they were last counted.
    pub fn messages(&self) -> Vec<&Message> {
        let mut active: Vec<&ActiveProblem> = self.active.values().collect();
        active.retain(|active| active.message.kind == MessageKind::Error);
        active.sort_by_key(|active| std::cmp::Reverse(active.order));
        active.iter().map(|active| &active.message).collect()
    }

    fn of_kind(&self, kind: MessageKind) -> impl Iterator<Item = &str> {
        self.active
            .values()
            .filter(move |active| active.message.kind == kind)
            .map(|active| active.printed.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shown_despite_many_warnings() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.silence();
        for i in 0..MAX_PROBLEMS + 5 {
            diagnostics.set(&format!("a {i}"), MessageKind::Warning, "odd");
        }
        assert_eq!(diagnostics.warnings().count(), MAX_PROBLEMS);
        let printed = diagnostics
            .fresh
            .iter()
            .filter(|line| line.contains("more than 200 problems"));
        assert_eq!(printed.count(), 1);
        diagnostics.set("script", MessageKind::Error, "wrong");
        assert_eq!(diagnostics.errors().collect::<Vec<_>>(), ["wrong"]);
        assert_eq!(diagnostics.warnings().count(), MAX_PROBLEMS - 1);
    }
}
