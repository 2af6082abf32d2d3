//! Running the scripts: reloads, undo, and their messages.

use super::Session;
use crate::diagnostics::Diagnostics;
use crate::versions::Versions;
use galatea_script::{Host, LoadError, Loaded, ScriptSource, Texts};
use galatea_stage::Stage;
use galatea_stage::frame::{MessageKind, WatchRow};

/// The script VM and the versions of the scripts.
pub(crate) struct Scripts {
    pub(crate) host: Host,
    /// The script must run again from its beginning.
    pub(super) is_due: bool,
    /// True if it runs again only because the studio has changed a value; this is not reported.
    is_quiet: bool,
    /// Models that the script could not get when it was last loaded.
    pub(super) waits_for: Vec<String>,
    versions: Versions,
    /// A version has run.
    pub(crate) has_run: bool,
    /// Changes of a version that replaced a faulty one. They are reported after it has run for a tick.
    on_trial: Option<Vec<String>>,
    /// Values of watched expressions after the last tick.
    pub(super) watched: Vec<WatchRow>,
    /// Console lines that wait for the script to run.
    pub(crate) console_lines: Vec<String>,
}

impl Scripts {
    pub(super) fn new(host: Host) -> Self {
        Self {
            host,
            is_due: true,
            is_quiet: false,
            waits_for: Vec::new(),
            versions: Versions::default(),
            has_run: false,
            on_trial: None,
            watched: Vec::new(),
            console_lines: Vec::new(),
        }
    }

    /// The scripts after a game was loaded in another VM; `is_draft` if they have changes that are not written yet.
    pub(super) fn with_host(&self, host: Host, loaded: Loaded, is_draft: bool) -> Self {
        let mut versions = self.versions.clone();
        versions.add(loaded.texts, is_draft);
        Self {
            host,
            is_due: false,
            is_quiet: false,
            waits_for: loaded.models,
            versions,
            has_run: true,
            on_trial: None,
            watched: Vec::new(),
            console_lines: Vec::new(),
        }
    }

    /// Runs the scripts again from their files.
    pub(super) fn load_saved(&mut self) {
        self.is_due = true;
        self.is_quiet = false;
    }

    /// Runs the scripts again with other changes of the studio.
    pub(super) fn load_draft(&mut self) {
        self.is_quiet |= !self.is_due;
        self.is_due = true;
    }

    /// Makes the running draft a version for undo, because it was written into the files.
    pub(super) fn keep_draft(&mut self) {
        self.versions.keep_draft();
    }

    /// Texts of the running version.
    pub(super) fn running_texts(&self) -> Option<Texts> {
        self.versions.relative(0).map(|(_, texts)| texts.clone())
    }

    /// Evaluates the watched expressions.
    pub(crate) fn watch(&mut self, stage: &mut Stage) {
        self.watched = self.host.watched(stage);
    }

    pub(super) fn report_faults(&mut self, diagnostics: &mut Diagnostics) {
        for fault in self.host.take_faults() {
            // The version that could fix it runs already.
            if fault.is_from_ended_version {
                diagnostics.notify(format!("while the previous version ended: {fault}"));
                continue;
            }
            diagnostics.set_fault(&format!("script {fault}"), fault, "");
        }
    }
}

impl Session {
    pub(super) fn run_script(&mut self) {
        self.scripts.is_due = false;
        let is_quiet = std::mem::take(&mut self.scripts.is_quiet);
        let is_draft = self.rebase_values();
        let source = ScriptSource {
            main: self.project.settings.script.main.clone(),
            texts: None,
        };
        let first = !self.scripts.has_run;
        match self.scripts.host.load(&mut self.stage, &source) {
            Ok(loaded) => {
                self.scripts.waits_for = loaded.models;
                self.scripts.versions.add(loaded.texts, is_draft);
                let had_faults =
                    self.diagnostics.clear("script") || self.scripts.on_trial.is_some();
                self.scripts.has_run = true;
                if is_quiet {
                    self.scripts.on_trial = None;
                    self.note_reload("values");
                } else if had_faults && !first {
                    self.scripts.on_trial = Some(loaded.changes);
                } else if !first {
                    self.report_changes("script reloaded", &loaded.changes);
                }
                self.report_warnings();
            }
            Err(LoadError::Pending(models)) => self.scripts.waits_for = models,
            Err(LoadError::Fault { fault, models }) => {
                self.scripts.waits_for = models;
                self.scripts.on_trial = None;
                let note = if first {
                    ""
                } else {
                    "the previous version keeps running"
                };
                self.diagnostics.set_fault("script", fault, note);
            }
        }
        self.scripts.report_faults(&mut self.diagnostics);
    }

    /// Reports that a faulty script was replaced. Only after the new one has run for a tick is it known whether the error is
    /// fixed.
    pub(super) fn report_outcome(&mut self) {
        let Some(changes) = self.scripts.on_trial.take() else {
            return;
        };
        let text = if self.diagnostics.any("script") {
            "script reloaded"
        } else {
            "script fixed, running"
        };
        self.report_changes(text, &changes);
    }

    /// Runs the previous version of the scripts and describes the changes. If the studio has changed values that are not
    /// written yet, takes these back instead; after a change of the past, restores the run before it. The files stay
    /// unchanged; the next save runs them again.
    ///
    /// # Errors
    /// If there is no previous version, or it does not run any more. The error is also shown on screen.
    pub fn undo(&mut self) -> Result<String, String> {
        if self.discard_values() {
            return Ok("the values that were not applied are as in the files again".to_owned());
        }
        if self.restore_replaced_run() {
            return Ok("the run before the change is back; the files are unchanged".to_owned());
        }
        self.step(-1, "back to an earlier version")
    }

    /// Runs the next version again after [`Session::undo`].
    ///
    /// # Errors
    /// If there is no next version, or it does not run any more. The error is also shown on screen.
    pub fn redo(&mut self) -> Result<String, String> {
        self.step(1, "forward to a later version")
    }

    fn step(&mut self, by: isize, what: &str) -> Result<String, String> {
        let mut message = Err("the project is paused after an internal error".to_owned());
        self.at_present(|session| {
            session.run("running another version of the script", |session| {
                message = session.run_version(by, what);
            });
        });
        message
    }

    fn run_version(&mut self, by: isize, what: &str) -> Result<String, String> {
        let Some((at, texts)) = self.scripts.versions.relative(by) else {
            let which = if by < 0 { "earlier" } else { "later" };
            let text = format!("there is no {which} version of the script");
            self.diagnostics.notify(&text);
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
                self.scripts.versions.set_running(at);
                self.scripts.on_trial = None;
                self.diagnostics.clear("script");
                let text = format!(
                    "{what} of the script, {number} of {}; the files are unchanged",
                    self.scripts.versions.len()
                );
                let message = self.report_changes(&text, &loaded.changes);
                self.report_warnings();
                self.scripts.report_faults(&mut self.diagnostics);
                Ok(message)
            }
            Err(error) => {
                let why = match error {
                    LoadError::Pending(models) => format!("{} is not loaded", models.join(", ")),
                    LoadError::Fault { fault, .. } => fault.to_string(),
                };
                let text = format!("version {number} of the script no longer runs: {why}");
                self.diagnostics.set("undo", MessageKind::Error, &text);
                Err(text)
            }
        }
    }

    fn report_changes(&mut self, text: &str, changes: &[String]) -> String {
        self.diagnostics.clear("undo");
        let lines = std::iter::once(text).chain(changes.iter().map(String::as_str));
        let message = lines.collect::<Vec<_>>().join("\n");
        self.diagnostics.notify(&message);
        let t = self.stage.unscaled_time();
        self.inputs.remark(t, text, &mut self.diagnostics);
        self.note_reload("script");
        message
    }

    fn note_reload(&mut self, what: &str) {
        if let Some(timeline) = &mut self.timeline {
            let n_ticks = self.stage.time_control.n_ticks;
            timeline.history.note_reload(n_ticks, what);
        }
    }
}
