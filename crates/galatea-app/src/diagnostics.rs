//! What is wrong now: shown on the picture and said on stderr until it is mended.

use std::collections::BTreeMap;

use crate::crash;
use galatea_math::names::printable;
use galatea_script::Fault;
use galatea_stage::frame::{Message, MessageKind};

/// Messages by what they are about. A message about the same thing replaces the one before; none is
/// said twice on stderr while it stands.
#[derive(Debug, Default)]
pub struct Diagnostics {
    standing: BTreeMap<String, ActiveProblem>,
    /// What was set so far, so that the newest stands first.
    n_set: u64,
    passing: Vec<PassingNotice>,
    /// Said since the last picture.
    fresh: Vec<String>,
    quiet: bool,
    /// A notice about problems that are not shown was issued.
    is_full: bool,
    /// News and warnings are shown on the picture for a moment; errors always are.
    pub shows_news: bool,
}

/// Something that is wrong until it is cleared.
#[derive(Debug)]
struct ActiveProblem {
    /// Place, text and calls in one, as reports tell it.
    told: String,
    message: Message,
    fault: Option<Fault>,
    /// Its number among all that were set.
    order: u64,
}

/// News that pass.
#[derive(Debug)]
struct PassingNotice {
    text: String,
    /// Seconds of stage time.
    from: f64,
    until: f64,
}

impl PassingNotice {
    /// How much of it shows, 0 to 1.
    fn opacity(&self, now: f64) -> f32 {
        let coming = (now - self.from) / COMING_SECONDS;
        let going = (self.until - now) / GOING_SECONDS;
        coming.min(going).clamp(0.0, 1.0) as f32
    }
}

/// Seconds for which a line of news stays on the picture, and for which each further line of it does.
const PASSING_SECONDS: f64 = 2.5;
const SECONDS_PER_LINE: f64 = 0.7;
/// Seconds in which news appear, and in which they fade.
const COMING_SECONDS: f64 = 0.12;
const GOING_SECONDS: f64 = 0.6;
/// Problems that are shown at once; of more, the first ones stay, and errors rather than warnings.
const MAX_PROBLEMS: usize = 200;
/// Characters of a line of source on stderr.
const WIDEST_LINE: usize = 100;

impl Diagnostics {
    /// Says nothing on stderr; for callers that report by themselves.
    pub fn silence(&mut self) {
        self.quiet = true;
    }

    /// Something about `subject` is wrong, until it is cleared.
    pub fn set(&mut self, subject: &str, kind: MessageKind, text: &str) {
        self.stand(subject, text.to_owned(), Message::new(kind, text), None);
    }

    /// A script's fault about `subject` stands until it is cleared; `note` says what becomes of it, if
    /// anything.
    pub fn set_fault(&mut self, subject: &str, fault: Fault, note: &str) {
        let mut told = fault.to_string();
        if !note.is_empty() {
            told = format!("{told}\n{note}");
        }
        let message = Message {
            place: fault.place(),
            source: fault.source().to_vec(),
            calls: fault.calls().map(str::to_owned).collect(),
            note: note.to_owned(),
            ..Message::new(MessageKind::Error, fault.text.clone())
        };
        self.stand(subject, told, message, Some(fault));
    }

    fn stand(&mut self, subject: &str, told: String, message: Message, fault: Option<Fault>) {
        let is_known = self.standing.contains_key(subject);
        if !is_known && self.standing.len() >= MAX_PROBLEMS && !self.makes_room(message.kind) {
            return;
        }
        let before = self.standing.get(subject);
        let is_new = before.is_none_or(|before| before.told != told);
        if is_new {
            crash::note(&told);
        }
        if is_new && !self.quiet {
            let word = match message.kind {
                MessageKind::Error => "error",
                MessageKind::Warning => "warning",
                MessageKind::Info => "note",
            };
            if message.source.is_empty() {
                eprintln!("{word}: {}", printable(&told));
            } else {
                let head = format!("{word}: {}: {}", message.place, message.text);
                let mut lines = vec![head];
                lines.extend(message.details(WIDEST_LINE));
                eprintln!("{}", printable(&lines.join("\n")));
            }
            if message.kind == MessageKind::Warning {
                let first = told.lines().next().unwrap_or_default();
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
        let standing = ActiveProblem {
            told,
            message,
            fault,
            order,
        };
        self.standing.insert(subject.to_owned(), standing);
    }

    /// Makes room for an error where a warning stands, the newest of them. Says once that some problems are not shown.
    fn makes_room(&mut self, kind: MessageKind) -> bool {
        if !self.is_full {
            self.is_full = true;
            self.tell(format!(
                "there are more than {MAX_PROBLEMS} problems; further ones are shown when some of these are solved"
            ));
        }
        if kind != MessageKind::Error {
            return false;
        }
        let warnings = self.standing.iter();
        let newest = warnings
            .filter(|(_, one)| one.message.kind == MessageKind::Warning)
            .max_by_key(|(_, one)| one.order);
        let newest = newest.map(|(subject, _)| subject.clone());
        newest.is_some_and(|subject| self.standing.remove(&subject).is_some())
    }

    /// What was wrong about `subject` is mended; all subjects that begin so.
    pub fn clear(&mut self, subject: &str) -> bool {
        let before = self.standing.len();
        self.standing.retain(|known, _| !known.starts_with(subject));
        self.is_full &= self.standing.len() > MAX_PROBLEMS / 2;
        self.standing.len() < before
    }

    /// True while something is wrong about exactly this.
    pub fn stands(&self, subject: &str) -> bool {
        self.standing.contains_key(subject)
    }

    /// True while something is wrong about a subject that begins so.
    pub fn any(&self, subject: &str) -> bool {
        self.standing.keys().any(|known| known.starts_with(subject))
    }

    /// Said once, shown for a moment.
    pub fn tell(&mut self, text: impl Into<String>) {
        let text = text.into();
        crash::note(&text);
        if !self.quiet {
            eprintln!("{}", printable(&text));
        }
        self.fresh.push(text);
    }

    /// Asks how often each fault that stands has happened.
    pub fn count(&mut self, times: impl Fn(&Fault) -> u64) {
        for standing in self.standing.values_mut() {
            if let Some(fault) = &standing.fault {
                standing.message.times = times(fault);
            }
        }
    }

    /// Messages for a picture at this stage time, seconds; errors with the newest first.
    pub fn show(&mut self, now: f64, out: &mut Vec<Message>) {
        let fresh = self.fresh.drain(..).map(|text| {
            let further = text.lines().count().saturating_sub(1) as f64;
            PassingNotice {
                from: now,
                until: now + PASSING_SECONDS + SECONDS_PER_LINE * further,
                text,
            }
        });
        self.passing.extend(fresh);
        self.passing.retain(|news| news.until > now);
        out.extend(self.messages().into_iter().cloned());
        if self.shows_news {
            out.extend(self.passing.iter().map(|news| Message {
                opacity: news.opacity(now),
                ..Message::new(MessageKind::Info, news.text.clone())
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

    /// Errors that stand now, the newest first, with how often each has happened as it was last counted.
    pub fn messages(&self) -> Vec<&Message> {
        let mut standing: Vec<&ActiveProblem> = self.standing.values().collect();
        standing.retain(|standing| standing.message.kind == MessageKind::Error);
        standing.sort_by_key(|standing| std::cmp::Reverse(standing.order));
        standing.iter().map(|standing| &standing.message).collect()
    }

    fn of_kind(&self, kind: MessageKind) -> impl Iterator<Item = &str> {
        self.standing
            .values()
            .filter(move |standing| standing.message.kind == kind)
            .map(|standing| standing.told.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shown_however_many_warnings_stand() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.silence();
        for i in 0..MAX_PROBLEMS + 5 {
            diagnostics.set(&format!("a {i}"), MessageKind::Warning, "odd");
        }
        assert_eq!(diagnostics.warnings().count(), MAX_PROBLEMS);
        let told = diagnostics
            .fresh
            .iter()
            .filter(|line| line.contains("more than 200 problems"));
        assert_eq!(told.count(), 1);
        diagnostics.set("script", MessageKind::Error, "wrong");
        assert_eq!(diagnostics.errors().collect::<Vec<_>>(), ["wrong"]);
        assert_eq!(diagnostics.warnings().count(), MAX_PROBLEMS - 1);
    }
}
