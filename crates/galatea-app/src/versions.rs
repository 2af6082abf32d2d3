//! The versions of the scripts that ran, to go back to and forward again.

use galatea_script::Texts;

/// The most versions that are remembered.
const MOST: usize = 64;

/// Versions of the scripts, oldest first, and the one that runs.
#[derive(Debug, Default)]
pub struct Versions {
    all: Vec<Texts>,
    at: usize,
}

impl Versions {
    /// A version has begun to run that is none of those that are remembered; what was gone back from is
    /// forgotten. The same texts again are no new version.
    pub fn add(&mut self, texts: Texts) {
        if self.all.get(self.at) == Some(&texts) {
            return;
        }
        self.all.truncate(self.at + 1);
        self.all.push(texts);
        if self.all.len() > MOST {
            self.all.remove(0);
        }
        self.at = self.all.len() - 1;
    }

    /// The version so many before (negative) or after the one that runs, and where it stands.
    pub fn beside(&self, by: isize) -> Option<(usize, &Texts)> {
        let at = self.at.checked_add_signed(by)?;
        Some((at, self.all.get(at)?))
    }

    /// One of those that are remembered runs now.
    pub fn runs(&mut self, at: usize) {
        self.at = at.min(self.all.len().saturating_sub(1));
    }

    /// How many there are.
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
        assert_eq!(versions.beside(1), None);
        let (at, before) = versions.beside(-1).unwrap();
        assert_eq!((at, before), (1, &text("b")));
        versions.runs(at);
        assert_eq!(versions.beside(1), Some((2, &text("c"))));
        versions.add(text("d"));
        assert_eq!(versions.beside(1), None);
        assert_eq!(versions.beside(-2), Some((0, &text("a"))));
        assert_eq!(versions.beside(-3), None);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut versions = Versions::default();
        for i in 0..200 {
            versions.add(text(&i.to_string()));
        }
        assert_eq!(versions.len(), MOST);
        assert_eq!(versions.beside(-1).unwrap().1, &text("198"));
    }
}
