//! Explanations of state machines, for tools.

use super::api::running::explanations;
use super::host::Host;
use galatea_machine::TransitionExplanation;
use galatea_stage::{Handle, Stage};

impl Host {
    /// Explains, for each layer of a character's machine, why the transitions out of its current state happen or not.
    /// Conditions that are functions are called. Empty for a character without a machine.
    ///
    /// # Errors
    /// The error of the script, as text.
    pub fn explain_machine(
        &mut self,
        stage: &mut Stage,
        character: Handle,
    ) -> Result<Vec<Vec<TransitionExplanation>>, String> {
        let has_machine = |stage: &Stage| {
            let character = stage.characters.get(character);
            character.is_some_and(|character| character.playback.machine.is_some())
        };
        if !has_machine(stage) {
            return Ok(Vec::new());
        }
        let lua = self.lua().clone();
        let told = self.with_call_budget(stage, || explanations(&lua, character));
        told.map_err(|error| self.fault(&error).text)
    }
}
