//! Values in the scripts that the studio shows, and their changes that are not written into the files yet.

use std::collections::BTreeMap;

use galatea_script::literals::{
    Literal, LiteralEdits, LiteralFacts, ScriptLiterals, facts_of, literals_of, number_literal,
    number_of_literal,
};

/// Values in the scripts of a project, and their changes that are not written yet.
#[derive(Default)]
pub struct ScriptEdits {
    /// The scripts, by their paths relative to the project.
    pub files: BTreeMap<String, EditedScript>,
    /// Changes that take back each application, oldest first.
    pub(crate) undo: Vec<EditStep>,
    /// Changes that do it again.
    pub(crate) redo: Vec<EditStep>,
    /// The files have not changed since they were read.
    pub(crate) is_fresh: bool,
}

/// Changes of scripts, by their paths.
pub(crate) type EditStep = BTreeMap<String, LiteralEdits>;

impl ScriptEdits {
    /// Number of changed literals.
    pub fn n_changed(&self) -> usize {
        self.files.values().map(|file| file.edits.len()).sum()
    }

    /// Returns true if there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Returns true if there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Updates a script after its file was read; `None` if it is no longer part of the project.
    pub(crate) fn update(&mut self, path: &str, text: &str) {
        match self.files.get_mut(path) {
            Some(file) => file.rebase(text),
            None => drop(self.files.insert(path.to_owned(), EditedScript::new(text))),
        }
    }
}

/// A script with its values, and their changes.
pub struct EditedScript {
    /// Values of the script as it is in its file.
    pub literals: ScriptLiterals,
    /// Meaning, limits and words of each value, as far as they are known.
    pub facts: Vec<Option<LiteralFacts>>,
    /// Changes that are not written yet.
    pub edits: LiteralEdits,
    /// Changes that were made here while the same line was changed in the file.
    pub conflicts: Vec<ValueConflict>,
}

/// A change that was made in the studio while the same line was changed in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueConflict {
    /// Name of the value.
    pub label: String,
    /// The literal before both changes.
    pub before: String,
    /// The literal after the change in the studio.
    pub after: String,
    /// Which of the values with this name, from 0.
    n: usize,
    /// Which literal of the value, from 0.
    part: usize,
}

impl ValueConflict {
    fn is_about_same(&self, other: &Self) -> bool {
        (&self.label, self.n, self.part) == (&other.label, other.n, other.part)
    }
}

impl EditedScript {
    /// A script without changes.
    pub fn new(text: &str) -> Self {
        let literals = literals_of(text);
        Self {
            facts: literals.values.iter().map(facts_of).collect(),
            literals,
            edits: LiteralEdits::new(text),
            conflicts: Vec::new(),
        }
    }

    /// The literal that begins at a byte of the file.
    pub fn literal_at(&self, start: usize) -> Option<&Literal> {
        let values = self.literals.values.iter();
        let mut literals = values.flat_map(|value| value.kind.literals());
        literals.find(|literal| literal.range.start == start)
    }

    /// The changes in words: line, name, literal before and after.
    pub(crate) fn changes(&self) -> Vec<String> {
        let values = self.literals.values.iter();
        let literals = values.flat_map(|value| {
            let literals = value.kind.literals().iter();
            literals.map(move |literal| (value, literal))
        });
        let changed = literals.filter(|(_, literal)| self.edits.is_changed(literal));
        let in_words = changed.map(|(value, literal)| {
            let before = self.edits.base().get(literal.range.clone());
            let (before, now) = (before.unwrap_or_default(), self.edits.literal(literal));
            format!(
                "{}: {}: {before}, changed to {now}",
                value.line, value.label
            )
        });
        in_words.collect()
    }

    /// Moves the changes to another version of the file. Those in lines that it has changed become conflicts.
    pub(crate) fn rebase(&mut self, text: &str) {
        if self.edits.base() == text {
            return;
        }
        let (edits, conflicts) = self.edits.rebased(text);
        let named = conflicts.into_iter().map(|conflict| {
            let (label, n, part) = self.name_of(conflict.start);
            ValueConflict {
                label,
                before: conflict.before,
                after: conflict.after,
                n,
                part,
            }
        });
        let named: Vec<ValueConflict> = named.collect();
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.retain(|known| !named.iter().any(|new| new.is_about_same(known)));
        conflicts.extend(named);
        *self = Self {
            edits,
            ..Self::new(text)
        };
        // A change that was also made in the file is no conflict.
        conflicts.retain(|conflict| self.in_file(conflict) != Some(conflict.after.as_str()));
        self.conflicts = conflicts;
    }

    /// Name of the value with the literal at a position, and which of the values with this name and of its literals it is.
    fn name_of(&self, start: usize) -> (String, usize, usize) {
        let mut n_before: BTreeMap<&str, usize> = BTreeMap::new();
        for value in &self.literals.values {
            let literals = value.kind.literals();
            let n = n_before.entry(&value.label).or_default();
            let part = literals.iter().position(|one| one.range.start == start);
            if let Some(part) = part {
                return (value.label.clone(), *n, part);
            }
            *n += 1;
        }
        (String::new(), 0, 0)
    }

    fn literal_of(&self, conflict: &ValueConflict) -> Option<&Literal> {
        let values = self.literals.values.iter();
        let mut same = values.filter(|value| value.label == conflict.label);
        same.nth(conflict.n)?.kind.literals().get(conflict.part)
    }

    /// The literal of a conflict as it is now in the file; `None` if the file has no such value any more.
    pub fn in_file(&self, conflict: &ValueConflict) -> Option<&str> {
        let range = self.literal_of(conflict)?.range.clone();
        self.edits.base().get(range)
    }

    /// Ends a conflict. With `keeps_mine`, the change of the studio is made again, otherwise the file stays as it is.
    pub(crate) fn resolve(&mut self, index: usize, keeps_mine: bool) {
        if index >= self.conflicts.len() {
            return;
        }
        let conflict = self.conflicts.remove(index);
        let Some(literal) = self.literal_of(&conflict).filter(|_| keeps_mine) else {
            return;
        };
        let literal = literal.clone();
        let after = &conflict.after;
        let text = match (number_of_literal(after), self.in_file(&conflict)) {
            (Some(number), Some(before)) => {
                number_literal(before, number, literal.needs_parentheses)
            }
            _ => after.clone(),
        };
        self.edits.set(&literal, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, n: usize, to: &str) -> EditedScript {
        let mut script = EditedScript::new(text);
        let value = &script.literals.values[n];
        let literal = value.kind.literals()[0].clone();
        script.edits.set(&literal, to);
        script
    }

    #[test]
    fn a_line_that_was_changed_meanwhile_is_a_conflict_and_either_change_can_win() {
        let text = "speed = 1\nlight.sun { intensity = 2 }\n";
        let after = "-- new\nspeed = 1\nlight.sun { intensity = 5, yaw = 3 }\n";
        for (keeps_mine, result) in [(true, after.replace('5', "4")), (false, after.to_owned())] {
            let mut script = changed(text, 1, "4");
            script.rebase(after);
            assert!(script.edits.is_empty());
            let [conflict] = script.conflicts.as_slice() else {
                panic!("{:?}", script.conflicts);
            };
            assert_eq!(conflict.label, "light.sun.intensity");
            assert_eq!((&*conflict.before, &*conflict.after), ("2", "4"));
            assert_eq!(script.in_file(conflict), Some("5"));
            script.resolve(0, keeps_mine);
            assert!(script.conflicts.is_empty());
            assert_eq!(script.edits.text(), result);
        }
    }

    #[test]
    fn the_same_change_in_the_file_is_no_conflict() {
        let mut script = changed("speed = 1\n", 0, "2");
        script.rebase("speed = 2 -- faster\n");
        assert!(script.conflicts.is_empty() && script.edits.is_empty());
    }

    #[test]
    fn changes_are_listed_with_line_and_name() {
        let script = changed("-- one\nlight.sun { intensity = 2 }\n", 0, "4");
        assert_eq!(
            script.changes(),
            ["2: light.sun.intensity: 2, changed to 4"]
        );
    }

    #[test]
    fn a_value_that_was_deleted_meanwhile_cannot_be_kept() {
        let mut script = changed("speed = 1\nsize = 2\n", 0, "7");
        script.rebase("size = 2\n");
        assert_eq!(script.in_file(&script.conflicts[0]), None);
        script.resolve(0, true);
        assert_eq!(script.edits.text(), "size = 2\n");
    }
}
