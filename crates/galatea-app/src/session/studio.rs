//! What the studio shows of a session, and what it does to it.

use super::Session;
use crate::past_position::PastMove;
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_machine::TransitionExplanation;
use galatea_stage::Handle;

/// For each layer of a machine, the transitions out of its current state, or the reason why they cannot be explained.
type Explained = Result<Vec<Vec<TransitionExplanation>>, String>;

impl Session {
    /// Returns what the studio shows, with the character `selected` by its name.
    pub fn studio_facts(&mut self, selected: Option<&str>) -> StudioFacts<'_> {
        let selected = selected.and_then(|name| {
            let mut all = self.stage.characters.iter();
            all.find_map(|(handle, character)| (character.shown_name() == name).then_some(handle))
        });
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

    /// Does what the user did in the studio, except for selecting and opening files.
    ///
    /// # Errors
    /// The reason why it failed, as a message for the user.
    pub fn perform(&mut self, action: &StudioAction) -> Result<(), String> {
        match action {
            StudioAction::Select(_) | StudioAction::OpenSource(_) => Ok(()),
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
        }
    }
}
