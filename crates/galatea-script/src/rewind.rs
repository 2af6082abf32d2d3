//! `time.keep_history` and `time.rewind`: records copies of the game and goes back to one.

use super::fault::Fault;
use super::history::INTERVAL;
use super::host::Host;
use super::load_game::GameNotice;
use super::saved_value::SavedTables;
use super::sources::ScriptSource;
use super::world::RewindRequest;
use galatea_stage::Stage;

impl Host {
    /// Copies the game if the script wants a history and a copy is due.
    pub(super) fn record_history(&mut self, stage: &Stage) {
        let wanted = self.with_world(|world| world.history_wanted);
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
                        self.with_world(|world| world.history_wanted = 0.0);
                        self.push(Fault {
                            text: format!("time.keep_history: {why}; the history ends"),
                            ..Fault::default()
                        });
                    }
                }
            }
        }
        let seconds = self.history.seconds(now);
        self.with_world(|world| world.history_kept = seconds);
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
            Ok(loaded) if loaded.lost.is_empty() => None,
            Ok(loaded) => Some(GameNotice::Failed(format!(
                "time.rewind went back, but\n{}",
                loaded.lost.join("\n")
            ))),
            Err(error) => Some(GameNotice::Failed(format!(
                "time.rewind: {error}; the running game continues"
            ))),
        }
    }
}
