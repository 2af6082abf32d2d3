//! The console while the past is displayed: a VM of its own loads the displayed moment and evaluates lines. They read the
//! variables of that moment, and nothing that they do changes the game.

use super::Session;
use galatea_machine::TransitionExplanation;
use galatea_script::{Answer, Host, LoadError, SavedGame, ScriptSource};
use galatea_stage::{Handle, Stage};

/// A game that was loaded at the displayed moment.
pub(super) struct PastConsole {
    host: Host,
    stage: Stage,
}

impl Session {
    /// Answers a line for the displayed moment.
    pub(crate) fn answer_in_past(&mut self, line: &str) -> Answer {
        // Watched expressions are those of the game.
        let command = line.split_whitespace().next();
        if let Some("watch" | "unwatch") = command {
            let answer = self.scripts.host.answer(&mut self.stage, line);
            if let Some(past) = &mut self.past {
                past.console = None;
            }
            self.watch_in_past();
            return answer;
        }
        match self.past_console() {
            Ok(console) => console.host.answer(&mut console.stage, line),
            Err(why) => Answer::wrong(format!("this moment cannot be evaluated: {why}")),
        }
    }

    /// Evaluates the watched expressions for the displayed moment. While the past plays, their last values stay.
    pub(super) fn watch_in_past(&mut self) {
        let plays = self.past.as_ref().is_some_and(|past| past.direction != 0);
        if plays || !self.scripts.host.watches() {
            return;
        }
        // A moment that cannot be loaded keeps the last values; the console says why.
        if let Ok(console) = self.past_console() {
            let rows = console.host.watched(&mut console.stage);
            self.scripts.watched = rows;
        }
    }

    /// Explains, for each layer of a character's machine, the transitions at the displayed moment, once it has stood still for
    /// a moment: a VM loads it first.
    pub(super) fn explained_in_past(
        &mut self,
        character: Handle,
    ) -> Result<Vec<Vec<TransitionExplanation>>, String> {
        if !self.is_past_still() {
            return Err("Conditions are explained while the past stands still.".to_owned());
        }
        let console = self.past_console()?;
        (console.host).explain_machine(&mut console.stage, character)
    }

    fn past_console(&mut self) -> Result<&mut PastConsole, String> {
        let has_console = |session: &Self| {
            let past = session.past.as_ref();
            past.is_some_and(|past| past.console.is_some())
        };
        if !has_console(self) {
            let console = self.load_console()?;
            if let Some(past) = &mut self.past {
                past.console = Some(console);
            }
        }
        let past = self.past.as_mut();
        let console = past.and_then(|past| past.console.as_mut());
        console.ok_or_else(|| "the past is not displayed".to_owned())
    }

    fn load_console(&mut self) -> Result<PastConsole, String> {
        let past = self.past.as_ref().ok_or("the past is not displayed")?;
        let game = SavedGame::clone(&past.game).with_rewound(0.0);
        let saved = game.stage.clone();
        let source = ScriptSource {
            main: self.project.settings.script.main.clone(),
            texts: self.scripts.running_texts(),
        };
        let mut host = self.new_host().map_err(|fault| fault.to_string())?;
        let mut stage = saved.clone();
        let library = &self.files.library;
        library.hold_writes(true);
        library.hold_prints(true);
        let loaded = host.load_game(&mut stage, &source, game);
        library.hold_prints(false);
        library.hold_writes(false);
        loaded.map_err(|error: LoadError| error.to_string())?;
        stage.time_control = saved.time_control;
        for row in self.scripts.host.watched_expressions() {
            host.answer(&mut stage, &format!("watch {row}"));
        }
        Ok(PastConsole { host, stage })
    }
}
