//! Messages over the picture: errors, warnings and notes, and watched values.

/// A message on the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Kind, which selects the style.
    pub kind: MessageKind,
    /// Text of one or several lines.
    pub text: String,
    /// Position in a script, `file:line`; empty for none.
    pub location: String,
    /// Source lines around that position, as they were when they ran.
    pub source: Vec<SourceLine>,
    /// Call stack, innermost first, `file:line in name`.
    pub calls: Vec<String>,
    /// Consequence, such as that the previous version continues; may be empty.
    pub note: String,
    /// Number of occurrences, 1 or more.
    pub times: u64,
    /// Opacity, 0..=1.
    pub opacity: f32,
}

impl Message {
    /// A message without a position.
    pub fn new(kind: MessageKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
            location: String::new(),
            source: Vec::new(),
            calls: Vec::new(),
            note: String::new(),
            times: 1,
            opacity: 1.0,
        }
    }

    /// Lines below the text when it is printed: the source with its marker, the calls and the note. Source lines are cut to
    /// `width` characters.
    pub fn details(&self, width: usize) -> Vec<String> {
        let mut out = Vec::new();
        for line in &self.source {
            let (text, mark) = line.cut(width);
            let pointer = if mark.is_some() { '>' } else { ' ' };
            let row = format!("{pointer}{:>4} | {text}", line.number);
            out.push(row.trim_end().to_owned());
            if let Some((from, n)) = mark {
                out.push(format!("      | {}{}", " ".repeat(from), "^".repeat(n)));
            }
        }
        let calls = self.calls.iter();
        out.extend(calls.map(|call| format!("  called from {call}")));
        if !self.note.is_empty() {
            out.push(self.note.clone());
        }
        out
    }
}

/// Kind of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// An error; shown until it is fixed.
    Error,
    /// Something was corrected or skipped.
    Warning,
    /// A note, shown for a moment.
    Info,
}

/// A source line of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLine {
    /// Line number, from 1.
    pub number: u32,
    /// Text with tabs replaced by spaces.
    pub text: String,
    /// The faulty part: characters before it, and its length.
    pub mark: Option<(usize, usize)>,
}

impl SourceLine {
    /// The line and its marker in at most `width` characters (8 or more). `…` replaces cut text, and the marker stays
    /// visible.
    pub fn cut(&self, width: usize) -> (String, Option<(usize, usize)>) {
        let width = width.max(8);
        let n = self.text.chars().count();
        if n <= width {
            return (self.text.clone(), self.mark);
        }
        // A mark in the right half of a long line brings the line's beginning out of sight.
        let (at, length) = self.mark.unwrap_or_default();
        let first = if at + length.min(width / 2) < width {
            0
        } else {
            (at - width / 3).min(n - width)
        };
        let mut cut: Vec<char> = self.text.chars().skip(first).take(width).collect();
        if first > 0 {
            cut[0] = '…';
        }
        if first + width < n {
            cut[width - 1] = '…';
        }
        let mark = self.mark.map(|(at, length)| {
            let from = at.saturating_sub(first).min(width - 1);
            (from, length.min(width - from))
        });
        (cut.into_iter().collect(), mark)
    }
}

/// A value that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchRow {
    /// The expression.
    pub expression: String,
    /// Value, or error message.
    pub value: Result<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_its_mark() {
        let text: String = ('a'..='z').cycle().take(100).collect();
        let line = SourceLine {
            number: 7,
            text: text.clone(),
            mark: Some((90, 4)),
        };
        let (cut, mark) = line.cut(30);
        let (from, n) = mark.expect("the mark stays");
        assert_eq!(cut.chars().count(), 30);
        assert!(cut.starts_with('…'));
        let marked: String = cut.chars().skip(from).take(n).collect();
        assert_eq!(marked, text[90..94]);

        let early = SourceLine {
            mark: Some((2, 3)),
            ..line
        };
        let (cut, mark) = early.cut(30);
        assert_eq!(mark, Some((2, 3)));
        assert!(cut.starts_with("abcde") && cut.ends_with('…'));
    }
}
