//! The lines of a script around the place of a fault, from the text that ran.

use super::fault::Fault;
use super::host::Host;
use crate::stage::frame::SourceLine;

/// Lines that are shown.
const LINES: usize = 5;
/// Characters of a line that are kept.
const WIDEST: usize = 400;
/// Blanks of a tab.
const TAB: &str = "    ";

impl Host {
    /// A fault with the source around its place, if the program that runs has it.
    pub(super) fn with_source(&self, mut fault: Fault) -> Fault {
        if let (Some(file), Some(line)) = (&fault.file, fault.line) {
            let text = self.with_world(|world| world.program.texts.get(file).cloned());
            fault.source = text.map_or_else(Vec::new, |text| around(&text, line, &fault.text));
        }
        fault
    }
}

/// The lines around `line`, which is marked where `message` points, as far as that can be told.
pub(super) fn around(text: &str, line: u32, message: &str) -> Vec<SourceLine> {
    let lines: Vec<&str> = text.lines().collect();
    let at = (line as usize).saturating_sub(1);
    if at >= lines.len() {
        return Vec::new();
    }
    let first = at
        .saturating_sub(LINES / 2)
        .min(lines.len().saturating_sub(LINES));
    let shown = lines.iter().enumerate().skip(first).take(LINES);
    shown
        .map(|(i, line)| {
            let text = line.replace('\t', TAB);
            let mark = (i == at).then(|| marked(&text, message));
            let whole = SourceLine {
                number: i as u32 + 1,
                text: text.trim_end().to_owned(),
                mark,
            };
            let (text, mark) = whole.cut(WIDEST);
            SourceLine {
                text,
                mark,
                ..whole
            }
        })
        .collect()
}

/// What a message points to: the name in quotes that it tells, where that stands in the line once; else
/// the first character that is no blank.
fn marked(line: &str, message: &str) -> (usize, usize) {
    let first_line = message.lines().next().unwrap_or_default();
    let named = quoted(first_line).find_map(|name| {
        let found = only_place(line, name)?;
        Some((line[..found].chars().count(), name.chars().count()))
    });
    named.unwrap_or_else(|| (line.chars().take_while(|c| c.is_whitespace()).count(), 1))
}

/// The parts of a message that stand in quotes, in its order.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    ['"', '\'', '`'].into_iter().flat_map(move |quote| {
        let parts = message.split(quote).skip(1).step_by(2);
        parts.filter(|name| !name.is_empty())
    })
}

/// Where a whole word stands, if it does once.
fn only_place(line: &str, name: &str) -> Option<usize> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = line.match_indices(name).filter(|(at, _)| {
        let before = line[..*at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    });
    let (at, _) = found.next()?;
    found.next().is_none().then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "one\ntwo\n\tsound.play('setp', two)\nfour\nfive\nsix\n";

    #[test]
    fn five_lines_stand_around_the_fault_and_at_the_ends_the_first_or_last_five() {
        let numbers = |line| -> Vec<u32> {
            let lines = around(TEXT, line, "");
            lines.iter().map(|line| line.number).collect()
        };
        assert_eq!(numbers(3), [1, 2, 3, 4, 5]);
        assert_eq!(numbers(1), [1, 2, 3, 4, 5]);
        assert_eq!(numbers(6), [2, 3, 4, 5, 6]);
        assert!(around(TEXT, 7, "").is_empty() && around("", 1, "").is_empty());
        assert_eq!(around("only", 1, "").len(), 1);
    }

    #[test]
    fn the_mark_is_under_the_name_that_is_told_or_under_the_first_character() {
        let mark = |message: &str| around(TEXT, 3, message)[2].mark;
        assert_eq!(
            mark("no sound \"setp\"; did you mean \"two\"?"),
            Some((16, 4))
        );
        assert_eq!(mark("something else"), Some((4, 1)));
        // A name that is not there, or only as a part of another, is not pointed at.
        assert_eq!(mark("no sound \"lay\""), Some((4, 1)));
    }
}
