//! Running the scripts: a save, the version before it, and what is said of both.

use super::Session;
use crate::script::{LoadError, ScriptSource};
use crate::stage::frame::MessageKind;

impl Session {
    pub(super) fn run_script(&mut self) {
        self.wants_script = false;
        let source = ScriptSource {
            main: self.project.settings.script.main.clone(),
            texts: None,
        };
        let first = !self.has_run;
        match self.host.load(&mut self.stage, &source) {
            Ok(loaded) => {
                self.waits_for = loaded.models;
                self.versions.add(loaded.texts);
                let mended = self.diagnostics.clear("script");
                self.has_run = true;
                if !first {
                    let text = if mended {
                        "script mended, running"
                    } else {
                        "script reloaded"
                    };
                    self.tell_changes(text, &loaded.changes);
                }
                self.tell_warnings();
            }
            Err(LoadError::Pending(models)) => self.waits_for = models,
            Err(LoadError::Fault { fault, models }) => {
                self.waits_for = models;
                let note = if first {
                    ""
                } else {
                    "the version before goes on"
                };
                self.diagnostics.set_fault("script", fault, note);
            }
        }
        self.tell_faults();
    }

    /// Goes back to the version of the scripts before the one that runs. The files stay as they are; the
    /// next save runs them again. False when there is none, or it does not run any more.
    pub fn undo(&mut self) -> bool {
        self.run_version(-1, "back to an earlier version")
    }

    /// Goes forward again after [`Session::undo`]. False when there is nothing to go forward to.
    pub fn redo(&mut self) -> bool {
        self.run_version(1, "forward to a later version")
    }

    fn run_version(&mut self, by: isize, what: &str) -> bool {
        let Some((at, texts)) = self.versions.beside(by) else {
            let which = if by < 0 { "earlier" } else { "later" };
            self.diagnostics
                .tell(format!("there is no {which} version of the script"));
            return false;
        };
        let source = ScriptSource {
            main: self.project.settings.script.main.clone(),
            texts: Some(texts.clone()),
        };
        let number = at + 1;
        match self.host.load(&mut self.stage, &source) {
            Ok(loaded) => {
                self.waits_for = loaded.models;
                self.versions.runs(at);
                self.diagnostics.clear("script");
                let text = format!(
                    "{what} of the script, {number} of {}; the files stay as they are",
                    self.versions.len()
                );
                self.tell_changes(&text, &loaded.changes);
                self.tell_warnings();
                self.tell_faults();
                true
            }
            Err(error) => {
                let why = match error {
                    LoadError::Pending(models) => format!("{} is not loaded", models.join(", ")),
                    LoadError::Fault { fault, .. } => fault.to_string(),
                };
                let text = format!("version {number} of the script does not run any more: {why}");
                self.diagnostics.set("undo", MessageKind::Error, &text);
                false
            }
        }
    }

    fn tell_changes(&mut self, text: &str, changes: &[String]) {
        self.diagnostics.clear("undo");
        let lines = std::iter::once(text).chain(changes.iter().map(String::as_str));
        self.diagnostics.tell(lines.collect::<Vec<_>>().join("\n"));
        let t = self.stage.time();
        self.write_down(|recorder| recorder.remark(t, text));
    }
}
