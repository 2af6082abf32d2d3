//! Which interval on which playing of its clip: what a beginning and its end are matched by.
//!
//! Callers: the ledger, `script` (listeners hear the ends of what they heard begin).

use std::hash::{DefaultHasher, Hash, Hasher};

use super::CrossingSource;

/// An interval on what plays its clip, whatever marks are added beside it and however states are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Stands for what plays the clip, the clip's name and the event.
    key: u64,
    /// The bits of the mark's seconds on the clip, which tell apart several of one key; `None` for one
    /// that was open when script or model were saved: it may have moved.
    t: Option<u32>,
}

impl Interval {
    /// The interval of this event at `t` seconds of a clip.
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

    /// The same wherever it is on its clip.
    pub fn anywhere(self) -> Self {
        Self { t: None, ..self }
    }

    /// True when the end of `self` is the end of what began as `begun`.
    pub fn ends(self, begun: Self) -> bool {
        self.key == begun.key && (begun.t.is_none() || begun.t == self.t)
    }
}
