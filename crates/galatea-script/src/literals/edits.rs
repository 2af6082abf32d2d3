//! Changes of literals in a script that leave all other bytes unchanged.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Literal;

/// Changed literals of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiteralEdits {
    base: String,
    /// New text of each changed literal, by its position: start and end in bytes.
    edits: BTreeMap<[usize; 2], String>,
}

/// A changed literal in a line that another change of the file has altered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiteralConflict {
    /// Position in the text that the change was made for, bytes.
    pub start: usize,
    /// Line in that text, from 1.
    pub line: u32,
    /// The literal before the change.
    pub before: String,
    /// The literal after the change.
    pub after: String,
}

impl LiteralEdits {
    /// No changes yet of a script.
    pub fn new(base: &str) -> Self {
        Self {
            base: base.to_owned(),
            edits: BTreeMap::new(),
        }
    }

    /// The script without the changes.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Number of changed literals.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Returns true if no literal is changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Replaces a literal of the script without the changes. The original text takes back its change.
    pub fn set(&mut self, literal: &Literal, text: &str) {
        let Range { start, end } = literal.range;
        match self.base.get(start..end) {
            Some(before) if before == text => drop(self.edits.remove(&[start, end])),
            Some(_) => drop(self.edits.insert([start, end], text.to_owned())),
            None => {}
        }
    }

    /// Returns true if a literal of the script is changed.
    pub fn is_changed(&self, literal: &Literal) -> bool {
        let Range { start, end } = literal.range;
        self.edits.contains_key(&[start, end])
    }

    /// The present text of a literal of the script without the changes.
    pub fn literal(&self, literal: &Literal) -> &str {
        let Range { start, end } = literal.range;
        let edit = self.edits.get(&[start, end]).map(String::as_str);
        edit.or_else(|| self.base.get(start..end))
            .unwrap_or_default()
    }

    /// The script with the changes.
    pub fn text(&self) -> String {
        let mut out = String::with_capacity(self.base.len());
        let mut at = 0;
        for ([start, end], text) in &self.edits {
            out.push_str(self.base.get(at..*start).unwrap_or_default());
            out.push_str(text);
            at = *end;
        }
        out.push_str(self.base.get(at..).unwrap_or_default());
        out
    }

    /// The changes that take these changes back, for the script with them.
    pub fn inverse(&self) -> Self {
        let mut edits = BTreeMap::new();
        let mut shift = 0isize;
        for ([start, end], text) in &self.edits {
            let from = start.saturating_add_signed(shift);
            let before = self.base.get(*start..*end).unwrap_or_default();
            edits.insert([from, from + text.len()], before.to_owned());
            shift += text.len() as isize - before.len() as isize;
        }
        Self {
            base: self.text(),
            edits,
        }
    }

    /// The same changes for another version of the script, and the changes in lines that it has altered.
    pub fn rebased(&self, base: &str) -> (Self, Vec<LiteralConflict>) {
        let mut rebased = Self::new(base);
        let mut conflicts = Vec::new();
        let moves = LineMoves::between(&self.base, base);
        for ([start, end], text) in &self.edits {
            let before = self.base.get(*start..*end).unwrap_or_default();
            match moves.moved(*start) {
                Some(from) if base.get(from..from + before.len()) == Some(before) => {
                    rebased
                        .edits
                        .insert([from, from + before.len()], text.clone());
                }
                _ => conflicts.push(LiteralConflict {
                    start: *start,
                    line: self.base[..*start].matches('\n').count() as u32 + 1,
                    before: before.to_owned(),
                    after: text.clone(),
                }),
            }
        }
        (rebased, conflicts)
    }
}

/// Unchanged lines between two texts: those before and after the changes, and those that occur once between them.
struct LineMoves<'a> {
    /// Text of the old version, and its part with the changes, bytes.
    old: (&'a str, Range<usize>),
    new: (&'a str, Range<usize>),
}

impl<'a> LineMoves<'a> {
    fn between(old: &'a str, new: &'a str) -> Self {
        let same = |pair: &(&str, &str)| pair.0 == pair.1;
        let lines = |text: &'a str| text.split_inclusive('\n');
        let length = |(line, _): (&str, &str)| line.len();
        let head: usize = lines(old)
            .zip(lines(new))
            .take_while(same)
            .map(length)
            .sum();
        let (old_rest, new_rest) = (&old[head..], &new[head..]);
        let ends = lines(old_rest).rev().zip(lines(new_rest).rev());
        let tail: usize = ends.take_while(same).map(length).sum();
        Self {
            old: (old, head..old.len() - tail),
            new: (new, head..new.len() - tail),
        }
    }

    /// Position in the new version of a byte in an unchanged line.
    fn moved(&self, at: usize) -> Option<usize> {
        let ((old, old_part), (new, new_part)) = (&self.old, &self.new);
        if at < old_part.start {
            return Some(at);
        }
        if at >= old_part.end {
            return Some(at - old_part.end + new_part.end);
        }
        let start = old[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = old[start..].split_inclusive('\n').next()?;
        let of_line = |text: &str, part: &Range<usize>| {
            let mut position = part.start;
            let mut found = Vec::new();
            for one in text[part.clone()].split_inclusive('\n') {
                if one.trim_end() == line.trim_end() {
                    found.push(position);
                }
                position += one.len();
            }
            found
        };
        match (
            of_line(old, old_part).as_slice(),
            of_line(new, new_part).as_slice(),
        ) {
            ([_], [only]) => Some(only + at - start),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ValueKind, literals_of};
    use super::*;

    fn numbers(text: &str) -> Vec<Literal> {
        let values = literals_of(text).values.into_iter();
        values
            .filter_map(|value| match value.kind {
                ValueKind::Number(literal) => Some(literal),
                _ => None,
            })
            .collect()
    }

    fn changed(text: &str, changes: &[(usize, &str)]) -> LiteralEdits {
        let mut edits = LiteralEdits::new(text);
        for (index, to) in changes {
            edits.set(&numbers(text)[*index], to);
        }
        edits
    }

    #[test]
    fn only_the_bytes_of_changed_literals_differ() {
        let text = "a = 1\r\nb = 2 -- two\r\nc = 3";
        let mut edits = changed(text, &[(1, "25.5"), (2, "0")]);
        assert_eq!(edits.text(), "a = 1\r\nb = 25.5 -- two\r\nc = 0");
        let back = edits.inverse();
        assert_eq!(
            (back.base(), back.text()),
            (edits.text().as_str(), text.to_owned())
        );
        edits.set(&numbers(text)[1], "2");
        edits.set(&numbers(text)[2], "3");
        assert!(edits.is_empty());
        assert_eq!(edits.text(), text);
    }

    #[test]
    fn changes_move_with_their_lines_and_changed_lines_are_conflicts() {
        let edits = changed(
            "a = 1\nb = 2\nc = 3\nd = 4\n",
            &[(0, "10"), (1, "20"), (3, "40")],
        );
        let (moved, conflicts) = edits.rebased("-- new\na = 1\nb = 7\nx = 0\nc = 3\nd = 4\n");
        assert_eq!(
            moved.text(),
            "-- new\na = 10\nb = 7\nx = 0\nc = 3\nd = 40\n"
        );
        let [conflict] = conflicts.as_slice() else {
            panic!("{conflicts:?}");
        };
        assert_eq!(
            (conflict.line, &*conflict.before, &*conflict.after),
            (2, "2", "20")
        );
        // Two equal lines are ambiguous after both were moved.
        let edits = changed("a = 1\na = 1\n", &[(0, "2")]);
        assert_eq!(edits.rebased("b = 0\na = 1\na = 1\nc = 0").1.len(), 1);
    }
}
