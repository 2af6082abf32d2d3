//! Names of a crossing's indices. They are read from the playback while the indices are valid, and stored before the
//! indices change.

use serde::{Deserialize, Serialize};

use super::Marker;

/// Stored names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CrossingNames {
    /// The mark.
    pub marker: Option<Marker>,
    /// Number of the mark, if it was removed from its clip.
    pub removed: Option<u64>,
    /// Clip name.
    pub clip: String,
    /// Layer and state of a machine.
    pub state: Option<(String, String)>,
    /// Previous or next state.
    pub other: Option<String>,
}

/// Borrowed names, see [`CrossingNames`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Named<'a> {
    /// The mark; `None` if there is no mark or it was removed.
    pub marker: Option<&'a Marker>,
    /// Number of the mark, if it was removed from its clip.
    pub removed: Option<u64>,
    /// Clip name.
    pub clip: &'a str,
    /// Layer and state of a machine.
    pub state: Option<(&'a str, &'a str)>,
    /// Previous or next state.
    pub other: Option<&'a str>,
}

impl CrossingNames {
    /// Borrows the names.
    pub fn named(&self) -> Named<'_> {
        let place = self.state.as_ref();
        Named {
            marker: self.marker.as_ref(),
            removed: self.removed,
            clip: &self.clip,
            state: place.map(|(layer, state)| (layer.as_str(), state.as_str())),
            other: self.other.as_deref(),
        }
    }
}

impl Named<'_> {
    /// Copies the names for storage.
    pub fn kept(self) -> CrossingNames {
        let place = self.state;
        CrossingNames {
            marker: self.marker.cloned(),
            removed: self.removed,
            clip: self.clip.to_owned(),
            state: place.map(|(layer, state)| (layer.to_owned(), state.to_owned())),
            other: self.other.map(str::to_owned),
        }
    }
}
