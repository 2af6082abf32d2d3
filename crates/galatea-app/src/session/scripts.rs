//! Running the scripts: a save, the version before it, and what is said of both.

use super::Session;
use crate::diagnostics::Diagnostics;
use crate::versions::Versions;
use galatea_script::{Host, LoadError, ScriptSource};
use galatea_stage::Stage;
use galatea_stage::frame::{MessageKind, WatchRow};

/// The script VM and the versions of the scripts.
pub(crate) struct Scripts {
    pub(crate) host: Host,
    /// The script is to run again from its beginning.
    pub(super) is_due: bool,
    /// Models that the script could not have when it was last loaded.
    pub(super) waits_for: Vec<String>,
    versions: Versions,
    /// A version has run.
    pub(crate) has_run: bool,
    /// Changes of a version that replaced a faulty one, not yet reported because it has not run for a tick.
    on_trial: Option<Vec<String>>,
    /// Values of watched expressions after the last tick.
    pub(super) watched: Vec<WatchRow>,
    /// Lines for the console that wait for the script to run.
    pub(crate) to_ask: Vec<String>,
}

impl Scripts {
    pub(super) fn new(host: Host) -> Self {
        Self {
            host,
            is_due: true,
            waits_for: Vec::new(),
            versions: Versions::default(),
            has_run: false,
            on_trial: None,
            watched: Vec::new(),
            to_ask: Vec::new(),
        }
    }

    /// Evaluates the watched expressions.
    pub(crate) fn watch(&mut self, stage: &mut Stage) {
        self.watched = self.host.watched(stage);
    }

    pub(super) fn tell_faults(&mut self, diagnostics: &mut Diagnostics) {
        for fault in self.host.take_faults() {
            diagnostics.set_fault(&format!("script {fault}"), fault, "");
        }
    }
}

impl Session {
    pub(super) fn run_script(&mut self) {
        self.scripts.is_due = false;
        let source = ScriptSource {
            main: self.project.settings.script.main.clone(),
            texts: None,
        };
        let first = !self.scripts.has_run;
        match self.scripts.host.load(&mut self.stage, &source) {
            Ok(loaded) => {
                self.scripts.waits_for = loaded.models;
                self.scripts.versions.add(loaded.texts);
                let had_faults =
                    self.diagnostics.clear("script") || self.scripts.on_trial.is_some();
                self.scripts.has_run = true;
                if had_faults && !first {
                    self.scripts.on_trial = Some(loaded.changes);
                } else if !first {
                    self.tell_changes("script reloaded", &loaded.changes);
                }
                self.tell_warnings();
            }
            Err(LoadError::Pending(models)) => self.scripts.waits_for = models,
            Err(LoadError::Fault { fault, models }) => {
                self.scripts.waits_for = models;
                self.scripts.on_trial = None;
                let note = if first {
                    ""
                } else {
                    "the version before goes on"
                };
                self.diagnostics.set_fault("script", fault, note);
            }
        }
        self.scripts.tell_faults(&mut self.diagnostics);
    }

    /// Tells that a script with faults was replaced, after the new one has run for a tick: only then is it
    /// known whether it is fixed.
    pub(super) fn tell_outcome(&mut self) {
        let Some(changes) = self.scripts.on_trial.take() else {
            return;
        };
        let text = if self.diagnostics.any("script") {
            "script reloaded"
        } else {
            "script fixed, running"
        };
        self.tell_changes(text, &changes);
    }

    /// Goes back to the version of the scripts before the one that runs, and says what that changed. The
    /// files stay as they are; the next save runs them again.
    ///
    /// # Errors
    /// When there is none, or it does not run any more; said on the picture, too.
    pub fn undo(&mut self) -> Result<String, String> {
        self.step(-1, "back to an earlier version")
    }

    /// Goes forward again after [`Session::undo`].
    ///
    /// # Errors
    /// When there is nothing to go forward to, or it does not run any more; said on the picture, too.
    pub fn redo(&mut self) -> Result<String, String> {
        self.step(1, "forward to a later version")
    }

    fn step(&mut self, by: isize, what: &str) -> Result<String, String> {
        let mut told = Err("the project is halted".to_owned());
        self.run("running another version of the script", |session| {
            told = session.run_version(by, what);
        });
        told
    }

    fn run_version(&mut self, by: isize, what: &str) -> Result<String, String> {
        let Some((at, texts)) = self.scripts.versions.beside(by) else {
            let which = if by < 0 { "earlier" } else { "later" };
            let text = format!("there is no {which} version of the script");
            self.diagnostics.tell(&text);
            return Err(text);
        };
        let source = ScriptSource {
            main: self.project.settings.script.main.clone(),
            texts: Some(texts.clone()),
        };
        let number = at + 1;
        match self.scripts.host.load(&mut self.stage, &source) {
            Ok(loaded) => {
                self.scripts.waits_for = loaded.models;
                self.scripts.versions.runs(at);
                self.scripts.on_trial = None;
                self.diagnostics.clear("script");
                let text = format!(
                    "{what} of the script, {number} of {}; the files stay as they are",
                    self.scripts.versions.len()
                );
                let told = self.tell_changes(&text, &loaded.changes);
                self.tell_warnings();
                self.scripts.tell_faults(&mut self.diagnostics);
                Ok(told)
            }
            Err(error) => {
                let why = match error {
                    LoadError::Pending(models) => format!("{} is not loaded", models.join(", ")),
                    LoadError::Fault { fault, .. } => fault.to_string(),
                };
                let text = format!("version {number} of the script does not run any more: {why}");
                self.diagnostics.set("undo", MessageKind::Error, &text);
                Err(text)
            }
        }
    }

    fn tell_changes(&mut self, text: &str, changes: &[String]) -> String {
        self.diagnostics.clear("undo");
        let lines = std::iter::once(text).chain(changes.iter().map(String::as_str));
        let told = lines.collect::<Vec<_>>().join("\n");
        self.diagnostics.tell(&told);
        let t = self.stage.time();
        self.inputs.remark(t, text, &mut self.diagnostics);
        told
    }
}
