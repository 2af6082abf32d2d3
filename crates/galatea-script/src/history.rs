//! The last seconds of the game, for `time.rewind`: copies of the game at short intervals.

use std::collections::VecDeque;

use super::saved_game::SavedGame;

/// Time between two copies, ticks: a quarter of a second.
pub(super) const INTERVAL: u64 = 15;
/// Maximum duration of the history, seconds.
pub(super) const MAX_HISTORY_S: f64 = 120.0;

/// Copies of the game, oldest first.
#[derive(Default)]
pub(super) struct History {
    pub copies: VecDeque<SavedGame>,
}

impl History {
    /// The last copy that is at least `seconds` old, otherwise the oldest one.
    pub fn copy_before(&self, now: f64, seconds: f64) -> Option<usize> {
        let is_old = |game: &SavedGame| now - game.stage.time() >= seconds - 1e-6;
        let at = self.copies.iter().rposition(is_old);
        at.or_else(|| (!self.copies.is_empty()).then_some(0))
    }

    /// Seconds between now and the oldest copy.
    pub fn seconds(&self, now: f64) -> f64 {
        let oldest = self.copies.front();
        oldest.map_or(0.0, |game| now - game.stage.time())
    }
}
