//! Writing of a Lua test from a range of the recorded past.

use super::Session;
use crate::recorded_test::{RecordedTest, lua_text};
use crate::recording::event_line;
use galatea_asset::write_whole;

impl Session {
    /// Writes a test and the inputs that it replays into the folder `tests` of the project. Returns a message.
    ///
    /// # Errors
    /// The reason why there can be no such test, or why a file cannot be written.
    pub(super) fn record_test(&self, test: &RecordedTest) -> Result<String, String> {
        if self.project.viewed.is_some() {
            return Err(
                "a viewed model has no tests; make a project with `galatea new`".to_owned(),
            );
        }
        let timeline = self.timeline.as_ref();
        let timeline = timeline.ok_or("the past is not recorded; start with `--rewind SECONDS`")?;
        if !timeline.jumps.is_empty() {
            return Err(
                "the game was continued from its past; a test runs from its start".to_owned(),
            );
        }
        let history = timeline.history.characters.get(&test.character);
        let history = history.ok_or("nothing was recorded of this character")?;
        let name = test.file_name();
        if name.is_empty() {
            return Err("the test needs a name of letters or digits".to_owned());
        }
        let dt = self.stage.clock.dt;
        let [_, last] = test.ticks;
        // Input of the last tick was applied before it.
        let end = (last as f64 - 0.5) * dt;
        let inputs = self.inputs.history();
        let events = inputs.and_then(|history| history.since_start(end));
        let events = events.ok_or(
            "the input since the start of the game is not recorded any more, or a saved game was loaded; start again, \
             with a larger `--rewind` if needed",
        )?;
        let mut lines = String::new();
        for event in events {
            lines += &event_line(event.t, &event.event).map_err(|error| error.to_string())?;
        }
        let file = format!("tests/{name}.lua");
        let input_file = format!("tests/recorded/{name}.jsonl");
        let path = |file: &str| self.project.root.join(file);
        if path(&file).exists() {
            return Err(format!("{file} exists already; choose another name"));
        }
        let has_input = !lines.is_empty();
        if has_input {
            let lines = format!("# Inputs of the test {:?}\n{lines}", test.name);
            write_whole(&path(&input_file), lines.as_bytes()).map_err(|error| error.to_string())?;
        }
        let main = &self.project.settings.script.main;
        let inputs = has_input.then_some(input_file.as_str());
        let text = lua_text(test, (main, inputs), (history, &timeline.log), dt);
        write_whole(&path(&file), text.as_bytes()).map_err(|error| error.to_string())?;
        let mut message = format!(
            "{file} was written; `galatea test --filter {:?}` runs it",
            test.name
        );
        let reloads = timeline.history.reloads.iter();
        let earlier = reloads.filter(|(tick, _)| *tick <= last).count();
        if earlier > 0 {
            message += "\nscripts or models were reloaded before the end of the range; the test runs the present ones from \
                        the start, so check what it expects";
        }
        Ok(message)
    }
}
