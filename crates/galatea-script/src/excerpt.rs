//! Source lines around the position of a fault, from the text that ran.

use super::compiled::is_compiled;
use super::fault::{Excerpt, Fault};
use super::host::Host;
use super::vm_messages::explained;
use galatea_stage::frame::SourceLine;

/// Number of lines shown.
const LINES: usize = 5;
/// Maximum number of characters shown of a line.
const WIDEST: usize = 400;
/// Spaces that replace a tab.
const TAB: &str = "    ";

impl Host {
    /// Adds the source lines around its position to a fault, if the running program has them.
    pub(super) fn with_source(&self, mut fault: Fault) -> Fault {
        if let (Some(file), Some(line)) = (&fault.file, fault.line) {
            let text = self.with_program(|program| program.sources.texts.get(file).cloned());
            let text = text.filter(|text| !is_compiled(text));
            if let Some(text) = text {
                let code = text.lines().nth((line as usize).saturating_sub(1));
                if let Some(plain) = explained(&fault.text, code.unwrap_or_default()) {
                    fault.text = plain;
                }
                fault.excerpt = Some(Box::new(Excerpt(around(&text, line, &fault.text))));
            }
        }
        fault
    }
}

/// Source lines around `line`. In a call that spans several lines, they are around the line of the field that `message`
/// names. The part of the line that the message refers to is marked if it can be found.
pub(super) fn around(text: &str, line: u32, message: &str) -> Vec<SourceLine> {
    let lines: Vec<&str> = text.lines().collect();
    let at = (line as usize).saturating_sub(1);
    if lines.is_empty() || at > lines.len() {
        return Vec::new();
    }
    // A message about the end of the file refers to the line behind the last one.
    let at = at.min(lines.len() - 1);
    let at = field_line(&lines, at, message).unwrap_or(at);
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

/// Maximum number of lines of a call that are searched for a field.
const MAX_CALL: usize = 200;

/// Line of the field that a message names, if it is below the first line of the call.
fn field_line(lines: &[&str], at: usize, message: &str) -> Option<usize> {
    let name = named_field(message)?;
    let mut depth = 0;
    for (i, line) in lines.iter().enumerate().skip(at).take(MAX_CALL) {
        let code = line.split("--").next().unwrap_or_default();
        let is_given = |place: usize| {
            let rest = code[place + name.len()..].trim_start();
            rest.starts_with('=') && !rest.starts_with("==")
        };
        if only_position(code, name).is_some_and(is_given) {
            return (i > at).then_some(i);
        }
        depth += opened(code);
        if depth <= 0 {
            return None;
        }
    }
    None
}

/// Field that a message names: the innermost of `field "step": …`, or `step: …`.
fn named_field(message: &str) -> Option<&str> {
    let first_line = message.lines().next()?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if let Some((_, rest)) = first_line.rsplit_once("field \"") {
        let (name, _) = rest.split_once('"')?;
        return (!name.is_empty()).then_some(name);
    }
    let (name, _) = first_line.split_once(": ")?;
    (!name.is_empty() && name.chars().all(word)).then_some(name)
}

/// Number of opening brackets minus closing brackets in a line of code, without those in strings.
fn opened(code: &str) -> i32 {
    let mut depth = 0;
    let mut within = None;
    for c in code.chars() {
        match (within, c) {
            (Some(quote), c) if quote == c => within = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => within = Some(c),
            (None, '(' | '{') => depth += 1,
            (None, ')' | '}') => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// Part of the line that a message refers to: the quoted name in the message if it occurs exactly once in the line,
/// else the first character that is not a space.
fn marked(line: &str, message: &str) -> (usize, usize) {
    let first_line = message.lines().next().unwrap_or_default();
    let field = named_field(message).into_iter();
    let named = quoted(first_line).chain(field).find_map(|name| {
        let found = only_position(line, name)?;
        Some((line[..found].chars().count(), name.chars().count()))
    });
    named.unwrap_or_else(|| (line.chars().take_while(|c| c.is_whitespace()).count(), 1))
}

/// Quoted parts of a message, in order.
fn quoted(message: &str) -> impl Iterator<Item = &str> {
    ['"', '\'', '`'].into_iter().flat_map(move |quote| {
        let parts = message.split(quote).skip(1).step_by(2);
        parts.filter(|name| !name.is_empty())
    })
}

/// Position of a whole word that occurs exactly once in the line.
fn only_position(line: &str, name: &str) -> Option<usize> {
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
        assert_eq!(numbers(7), [2, 3, 4, 5, 6]);
        assert!(around(TEXT, 8, "").is_empty() && around("", 1, "").is_empty());
        assert_eq!(around("only", 1, "").len(), 1);
    }

    #[test]
    fn the_caret_is_on_the_line_of_the_named_field() {
        let text = "hero:hit {\n\tbone = \"head (1)\",\n\t-- damage = 1\n\timpulse = v(1, 2),\n\tdamage = 'lots',\n}\npower = 2\n";
        let marks = |line, message: &str| -> Vec<(u32, usize, usize)> {
            let lines = around(text, line, message);
            let marks = lines.iter().filter_map(|line| {
                let (from, n) = line.mark?;
                Some((line.number, from, n))
            });
            marks.collect()
        };
        let told = "character:hit: field \"damage\": expected a number";
        assert_eq!(marks(1, told), [(5, 4, 6)]);
        assert_eq!(marks(1, "damage: must be 0 to 1, got 2"), [(5, 4, 6)]);
        assert_eq!(marks(1, "unknown field \"bone\""), [(2, 4, 4)]);
        // The call ends earlier, or it has no such field.
        assert_eq!(marks(1, "power: must be 0 to 1"), [(1, 0, 1)]);
        assert_eq!(marks(7, "power: must be 0 to 1"), [(7, 0, 5)]);
    }

    #[test]
    fn the_caret_is_under_the_quoted_name_or_under_the_first_character() {
        let mark = |message: &str| around(TEXT, 3, message)[2].mark;
        assert_eq!(
            mark("no sound \"setp\"; did you mean \"two\"?"),
            Some((16, 4))
        );
        assert_eq!(mark("something else"), Some((4, 1)));
        // A name that is missing, or that is only a part of another word, is not marked.
        assert_eq!(mark("no sound \"lay\""), Some((4, 1)));
    }
}
