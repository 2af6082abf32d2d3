//! History of the script versions that ran, for undo and redo.

use galatea_script::Texts;

/// Maximum number of stored versions.
const MAX_VERSIONS: usize = 64;

/// Versions of the scripts, oldest first, and the index of the running one.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    all: Vec<Texts>,
    at: usize,
}

impl Versions {
    /// Adds a new running version, and drops the versions after the previous one. Unchanged texts add no version.
    pub fn add(&mut self, texts: Texts) {
        if self.all.get(self.at) == Some(&texts) {
            return;
        }
        self.all.truncate(self.at + 1);
        self.all.push(texts);
        if self.all.len() > MAX_VERSIONS {
            self.all.remove(0);
        }
        self.at = self.all.len() - 1;
    }

    /// Returns the version `by` steps before (negative) or after the running one, with its index.
    pub fn relative(&self, by: isize) -> Option<(usize, &Texts)> {
        let at = self.at.checked_add_signed(by)?;
        Some((at, self.all.get(at)?))
    }

    /// Sets the running version by its index.
    pub fn set_running(&mut self, at: usize) {
        self.at = at.min(self.all.len().saturating_sub(1));
    }

    /// Number of stored versions.
    pub fn len(&self) -> usize {
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: &str) -> Texts {
        Texts::from([("scripts/main.lua".to_owned(), word.into())])
    }

    #[test]
    fn going_back_and_saving_forgets_what_came_after() {
        let mut versions = Versions::default();
        for word in ["a", "b", "b", "c"] {
            versions.add(text(word));
        }
        assert_eq!(versions.len(), 3);
        assert_eq!(versions.relative(1), None);
        let (at, before) = versions.relative(-1).unwrap();
        assert_eq!((at, before), (1, &text("b")));
        versions.set_running(at);
        assert_eq!(versions.relative(1), Some((2, &text("c"))));
        versions.add(text("d"));
        assert_eq!(versions.relative(1), None);
        assert_eq!(versions.relative(-2), Some((0, &text("a"))));
        assert_eq!(versions.relative(-3), None);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut versions = Versions::default();
        for i in 0..200 {
            versions.add(text(&i.to_string()));
        }
        assert_eq!(versions.len(), MAX_VERSIONS);
        assert_eq!(versions.relative(-1).unwrap().1, &text("198"));
    }
}
