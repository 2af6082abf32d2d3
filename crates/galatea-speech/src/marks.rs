//! Inline marks in a line of text, such as `{smile}`: actions that happen at a word.
//!
//! `{…}` is a mark at the word that follows; `[name]words[/]` is a mark over words. A mark starts with a name, `name=value`
//! or `name:value`, followed by options `key=value`. `x0.7` is its strength, `0.4s` its duration, `chance=0.6` its probability.
//! `{smile}…{/smile}` lasts from one to the other. `\{` and `\[` are the characters themselves.

use std::ops::Range;

/// Maximum number of marks in one line.
pub const MAX_MARKS: usize = 256;
/// Maximum length of one line, bytes.
pub const MAX_LINE_BYTES: usize = 16_384;

/// An inline mark: an action at a word or over several words.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineMark {
    /// Name: "look", "pause", "beat", or an expression.
    pub name: String,
    /// Value after the name, after `=` or `:`.
    pub value: Option<String>,
    /// Byte range in the plain text: start of the mark, and end of the words that it covers.
    pub range: Range<usize>,
    /// The mark covers words: in brackets, or with an end mark.
    pub spans: bool,
    /// The mark was written in brackets.
    pub is_gesture: bool,
    /// Strength, 0..=1.
    pub strength: Option<f32>,
    /// Duration, seconds.
    pub seconds: Option<f32>,
    /// Probability that it happens, 0..=1.
    pub chance: f32,
    /// Delay relative to its word, seconds; may be negative.
    pub delay: f32,
    /// Other options, in order.
    pub fields: Vec<(String, String)>,
    /// Column in the line, in characters from 1.
    pub column: usize,
}

/// A line split into its plain text and its marks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marked {
    /// Plain text, which is spoken and shown as a caption.
    pub text: String,
    /// Marks in order of their start.
    pub marks: Vec<InlineMark>,
}

/// Default duration of a pause mark, seconds.
const PAUSE_S: f32 = 0.5;

impl Marked {
    /// Returns the pauses of a line without a recording: byte position in the text, and duration in seconds.
    pub fn pauses(&self) -> Vec<(usize, f32)> {
        let pauses = self.marks.iter().filter(|mark| mark.name == "pause");
        let pauses = pauses.map(|mark| {
            let value = mark.value.as_ref();
            let value = value.and_then(|value| value.trim_end_matches('s').parse().ok());
            let seconds: f32 = mark.seconds.or(value).unwrap_or(PAUSE_S);
            let seconds = if seconds.is_finite() {
                seconds.clamp(0.0, 60.0)
            } else {
                PAUSE_S
            };
            (mark.range.start, seconds)
        });
        pauses.collect()
    }
}

/// A syntax error in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("character {column}: {what}")]
pub struct MarkError {
    /// Column, from 1.
    pub column: usize,
    /// Message.
    pub what: String,
}

/// Parses the marks of a line.
///
/// # Errors
/// Returns the first syntax error, with its column.
pub fn parse(line: &str) -> Result<Marked, MarkError> {
    let mut parser = MarkParser::default();
    if line.len() > MAX_LINE_BYTES {
        let what = format!(
            "the limit is {MAX_LINE_BYTES} bytes per line, got {}",
            line.len()
        );
        return Err(MarkError { column: 1, what });
    }
    let mut chars = line.chars().enumerate().peekable();
    while let Some((i, c)) = chars.next() {
        let column = i + 1;
        match c {
            '\\' if chars
                .peek()
                .is_some_and(|(_, next)| "{}[]\\".contains(*next)) =>
            {
                if let Some((_, next)) = chars.next() {
                    parser.push(next);
                }
            }
            '{' | '[' => {
                let close = if c == '{' { '}' } else { ']' };
                let mut inside = String::new();
                let mut closed = false;
                for (_, next) in chars.by_ref() {
                    if next == close {
                        closed = true;
                        break;
                    }
                    if next == '{' || next == '[' {
                        break;
                    }
                    inside.push(next);
                }
                if !closed {
                    return Err(MarkError {
                        column,
                        what: format!(
                            "{c:?} is not closed by {close:?}; write \\{c} for the character itself"
                        ),
                    });
                }
                parser.mark(inside.trim(), c == '[', column)?;
            }
            '}' | ']' => {
                return Err(MarkError {
                    column,
                    what: format!("{c:?} closes nothing; write \\{c} for the character itself"),
                });
            }
            c => parser.push(c),
        }
    }
    parser.end()
}

#[derive(Default)]
struct MarkParser {
    text: String,
    marks: Vec<InlineMark>,
    /// Marks without an end so far: index and column.
    open: Vec<(usize, usize)>,
}

impl MarkParser {
    fn push(&mut self, c: char) {
        // Prevents double spaces around a mark between two words.
        if c.is_whitespace() && self.text.ends_with(char::is_whitespace) {
            return;
        }
        if !(c.is_whitespace() && self.text.is_empty()) {
            self.text.push(if c.is_whitespace() { ' ' } else { c });
        }
    }

    fn mark(&mut self, inside: &str, is_gesture: bool, column: usize) -> Result<(), MarkError> {
        let wrong = |what: String| Err(MarkError { column, what });
        if let Some(name) = inside.strip_prefix('/') {
            return self.close(name.trim(), is_gesture, column);
        }
        let mut words = inside.split_whitespace();
        let Some(head) = words.next() else {
            return wrong("a mark has no name".into());
        };
        if self.marks.len() >= MAX_MARKS {
            return wrong(format!("the limit is {MAX_MARKS} marks per line"));
        }
        let (name, value) = match head.split_once(['=', ':']) {
            Some((name, value)) => (name, Some(value)),
            None => (head, None),
        };
        if name.is_empty() || value == Some("") {
            return wrong(format!("{head:?}: expected a name, or name=value"));
        }
        let mut mark = InlineMark {
            name: name.to_owned(),
            value: value.map(str::to_owned),
            range: self.text.len()..self.text.len(),
            spans: is_gesture,
            is_gesture,
            strength: None,
            seconds: None,
            chance: 1.0,
            delay: 0.0,
            fields: Vec::new(),
            column,
        };
        // `{pause=0.5}` and `{pause 0.5}` are equivalent.
        for word in words {
            option(&mut mark, word).map_err(|what| MarkError { column, what })?;
        }
        if is_gesture {
            self.open.push((self.marks.len(), column));
        }
        self.marks.push(mark);
        Ok(())
    }

    /// Closes the last mark in brackets, or the last mark with this name.
    fn close(&mut self, name: &str, is_gesture: bool, column: usize) -> Result<(), MarkError> {
        let at = self.text.trim_end().len();
        if is_gesture {
            let found = self.open.iter().rposition(|(i, _)| {
                let mark = self.marks.get(*i);
                mark.is_some_and(|mark| name.is_empty() || mark.name == name)
            });
            let Some(found) = found else {
                let what = format!("[/{name}] closes no open mark in square brackets");
                return Err(MarkError { column, what });
            };
            let (i, _) = self.open.remove(found);
            if let Some(mark) = self.marks.get_mut(i) {
                mark.range.end = at.max(mark.range.start);
            }
            return Ok(());
        }
        let matches = |mark: &InlineMark| {
            !mark.is_gesture && !mark.spans && (name.is_empty() || mark.name == name)
        };
        match self.marks.iter_mut().rev().find(|mark| matches(mark)) {
            Some(mark) => {
                mark.range.end = at.max(mark.range.start);
                mark.spans = true;
                Ok(())
            }
            None => Err(MarkError {
                column,
                what: format!("{{/{name}}} closes no open mark"),
            }),
        }
    }

    fn end(mut self) -> Result<Marked, MarkError> {
        if let Some((i, column)) = self.open.first() {
            let name = self.marks.get(*i).map_or("", |mark| mark.name.as_str());
            return Err(MarkError {
                column: *column,
                what: format!("[{name}] is not closed; write [/] after its words"),
            });
        }
        let text = self.text.trim_end().to_owned();
        for mark in &mut self.marks {
            mark.range.start = mark.range.start.min(text.len());
            mark.range.end = mark.range.end.min(text.len());
        }
        Ok(Marked {
            text,
            marks: self.marks,
        })
    }
}

fn option(mark: &mut InlineMark, word: &str) -> Result<(), String> {
    let number = |text: &str, what: &str, range: std::ops::RangeInclusive<f32>| {
        let n: Option<f32> = text.parse().ok();
        n.filter(|n| range.contains(n)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            format!("{word:?}: {what} must be a number from {least} to {most}")
        })
    };
    let seconds = 0.0..=600.0;
    if let Some((key, value)) = word.split_once('=') {
        match key {
            "p" | "chance" => mark.chance = number(value, "a chance", 0.0..=1.0)?,
            "strength" => mark.strength = Some(number(value, "a strength", 0.0..=1.0)?),
            "for" => mark.seconds = Some(number(value, "a time", seconds)?),
            "delay" => mark.delay = number(value, "a delay", -60.0..=60.0)?,
            _ if key.is_empty() || value.is_empty() => {
                return Err(format!("{word:?}: expected key=value"));
            }
            _ => mark.fields.push((key.to_owned(), value.to_owned())),
        }
        return Ok(());
    }
    if let Some(rest) = word.strip_prefix('x')
        && rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        mark.strength = Some(number(rest, "a strength", 0.0..=1.0)?);
        return Ok(());
    }
    let (plain, is_time) = match word.strip_suffix('s') {
        Some(rest) if rest.parse::<f32>().is_ok() => (rest, true),
        _ => (word, false),
    };
    if is_time || plain.parse::<f32>().is_ok() {
        mark.seconds = Some(number(plain, "a time in seconds", seconds)?);
        return Ok(());
    }
    Err(format!(
        "{word:?}: expected key=value, a time such as 0.4s, or a strength such as x0.7"
    ))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(marked: &Marked) -> Vec<(String, Option<String>, &str)> {
        let marks = marked.marks.iter();
        let text = |mark: &InlineMark| marked.text.get(mark.range.clone()).unwrap();
        marks
            .map(|m| (m.name.clone(), m.value.clone(), text(m)))
            .collect()
    }

    #[test]
    fn a_line_is_split_into_text_and_marks() {
        let line = "Oh, {brow:up x0.5}it is [beat p=0.8]you[/]. {look=door 1.5s} {smile}Come in{/smile}.{event=bow deep=yes delay=-0.2}";
        let marked = parse(line).unwrap();
        assert_eq!(marked.text, "Oh, it is you. Come in.");
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            names(&marked),
            [
                ("brow".into(), some("up"), ""),
                ("beat".into(), None, "you"),
                ("look".into(), some("door"), ""),
                ("smile".into(), None, "Come in"),
                ("event".into(), some("bow"), ""),
            ]
        );
        let [brow, beat, look, smile, event] = &marked.marks[..] else {
            panic!()
        };
        assert_eq!((brow.strength, brow.range.start), (Some(0.5), 4));
        assert!(beat.is_gesture && beat.spans && (beat.chance - 0.8).abs() < 1e-6);
        assert_eq!((look.seconds, look.range.start), (Some(1.5), 15));
        assert!(smile.spans && !smile.is_gesture);
        assert_eq!(event.fields, [("deep".to_owned(), "yes".to_owned())]);
        assert_eq!(
            (event.delay, event.column),
            (-0.2, line.find("{event").unwrap() + 1)
        );
    }

    #[test]
    fn syntax_errors_are_reported_with_their_column() {
        let wrong = |line: &str| parse(line).unwrap_err().to_string();
        assert_eq!(
            wrong("Oh {smile, you"),
            "character 4: '{' is not closed by '}'; write \\{ for the character itself"
        );
        assert_eq!(
            wrong("a } b"),
            "character 3: '}' closes nothing; write \\} for the character itself"
        );
        assert_eq!(wrong("{}"), "character 1: a mark has no name");
        assert_eq!(
            wrong("a [beat]b"),
            "character 3: [beat] is not closed; write [/] after its words"
        );
        assert_eq!(
            wrong("a [/]"),
            "character 3: [/] closes no open mark in square brackets"
        );
        assert_eq!(
            wrong("a {/smile}"),
            "character 3: {/smile} closes no open mark"
        );
        assert!(wrong("{smile x7}").contains("from 0 to 1"));
        assert!(wrong("{smile much}").contains("expected key=value"));
        assert!(wrong("{smile p=often}").contains("a chance must be a number"));
        assert!(wrong("{look=}").contains("expected a name"));
        assert!(wrong(&"{a}".repeat(300)).contains("256 marks"));
        assert!(wrong(&"a".repeat(20_000)).contains("16384 bytes"));
        assert_eq!(parse("a \\{b\\} \\[c\\]").unwrap().text, "a {b} [c]");
        assert_eq!(parse("").unwrap(), Marked::default());
        assert_eq!(parse("{pause 0.5}").unwrap().marks[0].seconds, Some(0.5));
    }

    proptest! {
        #[test]
        fn any_line_is_parsed_or_rejected(line in "[a-c{}\\[\\]/=:x0-9. \\\\é]{0,60}") {
            if let Ok(marked) = parse(&line) {
                for mark in &marked.marks {
                    prop_assert!(marked.text.get(mark.range.clone()).is_some());
                    prop_assert!(!mark.name.is_empty());
                    prop_assert!((0.0..=1.0).contains(&mark.chance));
                }
                prop_assert!(!marked.text.contains("  "));
            }
        }

        #[test]
        fn any_string_is_parsed_without_panic(line in any::<String>()) {
            let _ = parse(&line);
        }
    }
}
