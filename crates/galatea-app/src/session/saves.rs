//! Saved games in a session: messages about them.

use super::Session;
use galatea_script::GameNotice;
use galatea_stage::frame::MessageKind;

/// Subject of messages about saved games.
const SUBJECT: &str = "saved game";

impl Session {
    /// Reports the games that were saved and loaded in the last tick.
    pub(super) fn report_games(&mut self, notices: Vec<GameNotice>) {
        for notice in notices {
            match notice {
                GameNotice::Loaded { slot, lost } => {
                    self.diagnostics.clear(SUBJECT);
                    self.inputs.note_loaded();
                    self.scripts.waits_for.clear();
                    self.report_warnings();
                    if !lost.is_empty() {
                        let text =
                            format!("the game {slot:?} was loaded, but\n{}", lost.join("\n"));
                        self.diagnostics.set(SUBJECT, MessageKind::Warning, &text);
                    }
                }
                GameNotice::Failed(why) => {
                    self.diagnostics.set(SUBJECT, MessageKind::Error, &why);
                }
            }
        }
        for why in self.files.library.saves.take_failures() {
            self.diagnostics.set(SUBJECT, MessageKind::Error, &why);
        }
    }
}
