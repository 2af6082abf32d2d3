//! Identity of an interval on a playback, which matches a beginning with its end.
//!
//! Used by the ledger and by `script` (a listener that received a beginning also receives the end).

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use super::CrossingSource;

/// An interval on a playback. The identity does not depend on added marks or on state indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Hash of the playback, the clip's name and the event.
    key: u64,
    /// Bits of the mark's time on the clip, which distinguish several intervals with one key. `None` for an interval
    /// that was open during a hot reload, because it may have moved.
    t: Option<u32>,
}

impl Interval {
    /// Creates the identity of the interval of this event at `t` seconds of a clip.
    pub fn new(source: CrossingSource, clip: &str, event: &str, t: Option<f32>) -> Self {
        let player = match source {
            CrossingSource::Machine { playing, .. } => (0u8, playing),
            CrossingSource::Play(id) => (1, id),
            CrossingSource::Idle => (2, 0),
        };
        let mut hasher = DefaultHasher::new();
        (player, clip, event).hash(&mut hasher);
        Self {
            key: hasher.finish(),
            t: t.map(f32::to_bits),
        }
    }

    /// Returns the identity without its time on the clip.
    pub fn anywhere(self) -> Self {
        Self { t: None, ..self }
    }

    /// Returns true if `self` is the end of the interval that began as `begun`.
    pub fn ends(self, begun: Self) -> bool {
        self.key == begun.key && (begun.t.is_none() || begun.t == self.t)
    }
}
