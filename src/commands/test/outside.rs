//! Requests of tests to the project around them.

use super::pictures::{Compare, Pictures};
use crate::commands::record::read_inputs;
use galatea_app::recording::{RecordedEvent, TimedEvent};
use galatea_asset::Project;
use galatea_script::{Compared, Outside, ReplayedInput};
use galatea_stage::Stage;

/// The project around a test, with created pictures and skipped checks.
pub struct TestProject<'a> {
    pub project: &'a Project,
    pub pictures: &'a Pictures,
    /// Checks that cannot run here, with the reason.
    pub skipped: Vec<String>,
    /// Reference pictures that were created.
    pub blessed: Vec<String>,
}

impl Outside for TestProject<'_> {
    fn inputs(&mut self, file: &str) -> Result<Vec<(f64, ReplayedInput)>, String> {
        let recording = read_inputs(&self.project.path(&self.project.located(file))?)
            .map_err(|error| format!("{error:#}"))?;
        let events = recording.events.into_iter();
        let inputs = events.filter_map(|TimedEvent { t, event }| {
            let input = match event {
                RecordedEvent::Input(event) => ReplayedInput::Device(event),
                RecordedEvent::Console(line) => ReplayedInput::Line(line),
                RecordedEvent::Microphone(weights) => ReplayedInput::Microphone(weights),
                RecordedEvent::Stopped(_) | RecordedEvent::Checksum(_) => return None,
            };
            Some((t, input))
        });
        Ok(inputs.collect())
    }

    fn picture(&mut self, stage: &Stage, asked: &Compared) -> Result<(), String> {
        match self.pictures.compare(stage, asked) {
            Ok(Compare::Same) => {}
            Ok(Compare::Blessed(file)) => self.blessed.push(file),
            Ok(Compare::Skipped(why)) => {
                self.skipped.push(format!("picture {}: {why}", asked.name))
            }
            Err(error) => return Err(format!("picture {}: {error:#}", asked.name)),
        }
        Ok(())
    }
}
