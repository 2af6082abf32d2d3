//! History of the script versions that ran, for undo and redo.

use galatea_script::Texts;

/// Maximum number of stored versions.
const MAX_VERSIONS: usize = 64;

/// Versions of the scripts, oldest first, and the index of the running one.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    all: Vec<Texts>,
    at: usize,
    /// The running version is a draft: the scripts with changes that are not written into the files yet.
    has_draft: bool,
}

impl Versions {
    /// Adds a new running version, and drops the versions after the previous one. Unchanged texts add no version, and a
    /// draft is replaced.
    pub fn add(&mut self, texts: Texts, is_draft: bool) {
        if std::mem::take(&mut self.has_draft) {
            self.all.truncate(self.at);
            self.at = self.at.saturating_sub(1);
        }
        if self.all.get(self.at) == Some(&texts) {
            return;
        }
        self.all.truncate(self.at + 1);
        self.all.push(texts);
        if self.all.len() > MAX_VERSIONS {
            self.all.remove(0);
        }
        self.at = self.all.len() - 1;
        self.has_draft = is_draft;
    }

    /// Makes a draft a version like the others, because it was written into the files.
    pub fn keep_draft(&mut self) {
        self.has_draft = false;
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
            versions.add(text(word), false);
        }
        assert_eq!(versions.len(), 3);
        assert_eq!(versions.relative(1), None);
        let (at, before) = versions.relative(-1).unwrap();
        assert_eq!((at, before), (1, &text("b")));
        versions.set_running(at);
        assert_eq!(versions.relative(1), Some((2, &text("c"))));
        versions.add(text("d"), false);
        assert_eq!(versions.relative(1), None);
        assert_eq!(versions.relative(-2), Some((0, &text("a"))));
        assert_eq!(versions.relative(-3), None);
    }

    #[test]
    fn drafts_replace_each_other() {
        let mut versions = Versions::default();
        versions.add(text("a"), false);
        for word in ["b", "c", "d"] {
            versions.add(text(word), true);
        }
        assert_eq!(versions.relative(-1), Some((0, &text("a"))));
        let mut discarded = versions.clone();
        discarded.add(text("a"), false);
        assert_eq!(discarded.relative(0), Some((0, &text("a"))));
        assert_eq!((discarded.len(), discarded.relative(-1)), (1, None));
        versions.keep_draft();
        versions.add(text("e"), true);
        assert_eq!(versions.relative(-1), Some((1, &text("d"))));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut versions = Versions::default();
        for i in 0..200 {
            versions.add(text(&i.to_string()), false);
        }
        assert_eq!(versions.len(), MAX_VERSIONS);
        assert_eq!(versions.relative(-1).unwrap().1, &text("198"));
    }
}
