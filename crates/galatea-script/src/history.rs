//! The last seconds of the game, for `time.rewind`: copies of the game at short intervals.

use std::collections::VecDeque;

use super::fault::Fault;
use super::host::Host;
use super::saved_game::{GameNotice, SavedGame};
use super::saved_value::SavedTables;
use super::sources::ScriptSource;
use galatea_stage::Stage;

/// Time between two copies, ticks: a quarter of a second.
const INTERVAL: u64 = 15;
/// Maximum duration of the history, seconds.
pub(super) const MAX_HISTORY_S: f64 = 120.0;

/// A request of a script to go back.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RewindRequest {
    /// Seconds to go back.
    pub seconds: f64,
    /// Kept tables that keep their present values.
    pub except: Vec<String>,
}

/// Copies of the game, oldest first.
#[derive(Default)]
pub(super) struct History {
    copies: VecDeque<SavedGame>,
}

impl History {
    /// The last copy that is at least `seconds` old, otherwise the oldest one.
    fn copy_before(&self, now: f64, seconds: f64) -> Option<usize> {
        let is_old = |game: &SavedGame| now - game.stage.time() >= seconds - 1e-6;
        let at = self.copies.iter().rposition(is_old);
        at.or_else(|| (!self.copies.is_empty()).then_some(0))
    }

    /// Seconds between now and the oldest copy.
    fn seconds(&self, now: f64) -> f64 {
        let oldest = self.copies.front();
        oldest.map_or(0.0, |game| now - game.stage.time())
    }
}

impl Host {
    /// Copies the game if the script wants a history and a copy is due.
    pub(super) fn record_history(&mut self, stage: &Stage) {
        let [wanted, _] = self.with_world(|world| world.history_seconds);
        let now = stage.time();
        let copies = &mut self.history.copies;
        // After a load the clock may have gone back.
        while copies.back().is_some_and(|game| game.stage.time() > now) {
            copies.pop_back();
        }
        while copies.len() > 1
            && copies
                .get(1)
                .is_some_and(|game| now - game.stage.time() >= wanted)
        {
            copies.pop_front();
        }
        if wanted == 0.0 {
            copies.clear();
        } else {
            let last = copies.back().map(|game| game.stage.clock.n_ticks);
            let n = stage.clock.n_ticks;
            if last.is_none_or(|last| n >= last + INTERVAL) {
                match self.copy_game(stage, SavedTables::default()) {
                    Ok(copy) => self.history.copies.push_back(copy),
                    Err(why) => {
                        self.with_world(|world| world.history_seconds = [0.0; 2]);
                        self.push(Fault {
                            text: format!("time.keep_history: {why}; the history ends"),
                            ..Fault::default()
                        });
                    }
                }
            }
        }
        let seconds = self.history.seconds(now);
        self.with_world(|world| world.history_seconds[1] = seconds);
    }

    /// Goes back in the history.
    pub(super) fn rewind(
        &mut self,
        stage: &mut Stage,
        request: &RewindRequest,
    ) -> Option<GameNotice> {
        let at = self.history.copy_before(stage.time(), request.seconds)?;
        self.history.copies.truncate(at + 1);
        let copy = self.history.copies.back()?.clone();
        let now = stage.time();
        let back = now - copy.stage.time();
        let kept = self.copy_game(stage, SavedTables::default());
        let copy = match kept {
            Ok(kept) => copy.rewound(&kept, back, &request.except),
            Err(why) => return Some(GameNotice::Failed(format!("time.rewind: {why}"))),
        };
        let source = ScriptSource::of(&self.with_program(|program| program.sources.main.clone()));
        match self.load_game(stage, &source, copy) {
            Ok(_) => None,
            Err(error) => Some(GameNotice::Failed(format!(
                "time.rewind: {error}; the running game continues"
            ))),
        }
    }
}
