//! What the numbers of a crossing mean, by name: read from what plays while they are true, kept before
//! they come to mean something else.

use super::Mark;

/// Names that were kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrossingNames {
    /// The mark.
    pub mark: Option<Mark>,
    /// Number of the mark where it was taken off its clip.
    pub removed: Option<u64>,
    /// Its clip.
    pub clip: String,
    /// Layer and state of a machine.
    pub place: Option<(String, String)>,
    /// The state before, or the one that follows.
    pub other: Option<String>,
}

/// Names, wherever they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Named<'a> {
    /// The mark; `None` for what is none, and for one that is gone.
    pub mark: Option<&'a Mark>,
    /// Number of the mark where it was taken off its clip.
    pub removed: Option<u64>,
    /// Its clip.
    pub clip: &'a str,
    /// Layer and state of a machine.
    pub place: Option<(&'a str, &'a str)>,
    /// The state before, or the one that follows.
    pub other: Option<&'a str>,
}

impl CrossingNames {
    /// The same, to look at.
    pub fn named(&self) -> Named<'_> {
        let place = self.place.as_ref();
        Named {
            mark: self.mark.as_ref(),
            removed: self.removed,
            clip: &self.clip,
            place: place.map(|(layer, state)| (layer.as_str(), state.as_str())),
            other: self.other.as_deref(),
        }
    }
}

impl Named<'_> {
    /// The same, to keep.
    pub fn kept(self) -> CrossingNames {
        let place = self.place;
        CrossingNames {
            mark: self.mark.cloned(),
            removed: self.removed,
            clip: self.clip.to_owned(),
            place: place.map(|(layer, state)| (layer.to_owned(), state.to_owned())),
            other: self.other.map(str::to_owned),
        }
    }
}
