//! What tests ask of the project around them.

use crate::asset::Project;
use crate::commands::record::read_inputs;
use crate::script::Outside;
use crate::stage::InputEvent;

/// The project around a test.
pub struct Around<'a> {
    pub project: &'a Project,
}

impl Outside for Around<'_> {
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, InputEvent)>, String> {
        let inputs =
            read_inputs(&self.project.path(file)?).map_err(|error| format!("{error:#}"))?;
        Ok(inputs
            .into_iter()
            .map(|input| (input.t, input.event))
            .collect())
    }
}
