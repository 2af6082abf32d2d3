//! The studio's access to a session: the facts that it shows, and its actions.

use std::path::PathBuf;

use super::Session;
use crate::past_position::PastMove;
use crate::profile::{Profiler, chrome_trace};
use crate::studio_facts::{StudioAction, StudioFacts, shown_character};
use galatea_asset::write_whole;
use galatea_machine::TransitionExplanation;
use galatea_stage::Handle;
use serde_json::Value;

/// For each layer of a machine, the transitions out of its current state, or the reason why they cannot be explained.
type Explained = Result<Vec<Vec<TransitionExplanation>>, String>;

impl Session {
    /// Returns the facts that the studio shows, with the character `selected` by its name.
    pub fn studio_facts(&mut self, selected: Option<&str>) -> StudioFacts<'_> {
        let selected = selected.and_then(|name| shown_character(&self.stage, name));
        if let Some(profiler) = &mut self.profiler {
            profiler.end_frame(self.scripts.host.memory());
        }
        self.read_values();
        let transitions = selected.map_or_else(|| Ok(Vec::new()), |handle| self.explained(handle));
        let timeline = self.timeline.as_ref();
        StudioFacts {
            stage: &self.stage,
            selected,
            transitions,
            log: timeline.map(|timeline| &timeline.log),
            history: timeline.map(|timeline| &timeline.history),
            recorded: timeline.and_then(|timeline| timeline.range().ok()),
            past: self.past_position(),
            main_script: &self.project.settings.script.main,
            edits: &self.values.edits,
            profiler: self.profiler.as_ref(),
            debugging: None,
        }
    }

    /// Explains the machine of a character in the displayed moment.
    fn explained(&mut self, character: Handle) -> Explained {
        if self.is_halted() {
            return Err("the project is paused after an internal error".to_owned());
        }
        match self.is_in_past() {
            true => self.explained_in_past(character),
            false => (self.scripts.host).explain_machine(&mut self.stage, character),
        }
    }

    /// Performs an action of the studio, except for selecting and opening files.
    ///
    /// # Errors
    /// The reason why it failed, as a message for the user.
    pub fn perform(&mut self, action: &StudioAction) -> Result<(), String> {
        match action {
            StudioAction::Select(_) | StudioAction::OpenSource(_) | StudioAction::Debug(_) => {
                Ok(())
            }
            StudioAction::Run(line) if self.is_in_past() => Err(format!(
                "the past cannot be changed here; continue from this moment first ({line})"
            )),
            StudioAction::Run(line) => match self.answer(line).result {
                Ok(_) => Ok(()),
                Err(fault) => Err(fault.to_string()),
            },
            StudioAction::ShowTick(n_ticks) => {
                if !self.is_in_past() {
                    self.look_back()?;
                }
                self.move_in_past(PastMove::Tick(*n_ticks));
                Ok(())
            }
            StudioAction::MoveInPast(to) => {
                if !self.is_in_past() {
                    self.look_back()?;
                }
                self.move_in_past(*to);
                Ok(())
            }
            StudioAction::PlayPast(direction) => {
                self.play_past(*direction);
                Ok(())
            }
            StudioAction::ContinueFromPast => self.continue_from_past(),
            StudioAction::ReturnToPresent => {
                self.return_to_present();
                Ok(())
            }
            StudioAction::SetLiteral { file, start, text } => self.set_literal(file, *start, text),
            StudioAction::ApplyValues => self.apply_values(),
            StudioAction::DiscardValues => {
                self.discard_values();
                Ok(())
            }
            StudioAction::UndoValues => self.undo_values(false),
            StudioAction::RedoValues => self.undo_values(true),
            StudioAction::ResolveConflict {
                file,
                index,
                keeps_mine,
            } => {
                self.resolve_conflict(file, *index, *keeps_mine);
                Ok(())
            }
            StudioAction::Profile(is_on) => {
                self.profile(*is_on);
                Ok(())
            }
            StudioAction::ExportProfile => self.export_profile(),
            StudioAction::RecordTest(test) => {
                let message = self.record_test(test)?;
                self.diagnostics.notify(message);
                Ok(())
            }
            StudioAction::ExportTimeline { character, range } => {
                let file = self.export_timeline(character, *range)?;
                let text = format!("the timeline was written to {}", file.display());
                self.diagnostics.notify(text);
                Ok(())
            }
        }
    }

    /// Starts the profiler without the frames before, or stops it.
    fn profile(&mut self, is_on: bool) {
        if is_on {
            // The one before must not switch off the new one when it is dropped.
            self.profiler = None;
            self.profiler = Some(Profiler::start());
        } else if let Some(profiler) = &mut self.profiler {
            profiler.stop();
        }
    }

    /// Writes the recorded frames of the profiler to a JSON file.
    fn export_profile(&mut self) -> Result<(), String> {
        let profiler = self.profiler.as_ref().ok_or("nothing was recorded")?;
        let trace = chrome_trace(profiler.frames().iter());
        let file = self.write_document("profile.json", &trace)?;
        let file = file.display();
        self.diagnostics.notify(format!(
            "the profile was written to {file}; open it in ui.perfetto.dev"
        ));
        Ok(())
    }

    /// Writes the record of a character in a range of ticks to a JSON file. Returns its path.
    fn export_timeline(&self, character: &str, range: Option<[u64; 2]>) -> Result<PathBuf, String> {
        let timeline = self.timeline.as_ref();
        let history = timeline.and_then(|timeline| timeline.history.characters.get(character));
        let mut history = history.ok_or("nothing was recorded")?.clone();
        if let Some([first, last]) = range {
            history.keep(first, last);
        }
        let document = serde_json::json!({
            "character": character,
            "seconds_per_tick": self.stage.clock.dt,
            "tracks": history.tracks,
            "moments": history.moments,
        });
        let letters = character.chars();
        let name: String = letters
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        self.write_document(&format!("timeline-{name}.json"), &document)
    }

    /// Writes a file into the folder `out` of the project. Returns its path.
    fn write_document(&self, name: &str, document: &Value) -> Result<PathBuf, String> {
        let text = serde_json::to_string_pretty(document).map_err(|error| error.to_string())?;
        let file = self.project.root.join("out").join(name);
        let written = write_whole(&file, text.as_bytes());
        written.map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        Ok(file)
    }
}
