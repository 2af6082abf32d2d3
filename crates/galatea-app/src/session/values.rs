//! Changes of values in the scripts by the studio. A change runs at once, as a draft; applying it writes the file.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{Session, short};
use crate::script_edits::{EditStep, EditedScript, ScriptEdits};
use galatea_script::literals::LiteralEdits;

/// Time in which the file watcher reports a file that the studio has written.
const REPORTED_WITHIN: Duration = Duration::from_secs(3);

/// Values of the scripts in a session.
#[derive(Default)]
pub(super) struct SessionValues {
    pub edits: ScriptEdits,
    /// Files that the studio has written, and when.
    written: BTreeMap<String, Instant>,
}

impl Session {
    /// Reads the values of the running scripts if their files may have changed.
    pub(super) fn read_values(&mut self) {
        if std::mem::replace(&mut self.values.edits.is_fresh, true) {
            return;
        }
        let main = self.project.settings.script.main.clone();
        let running = self.scripts.running_texts();
        let mut paths: Vec<String> = running
            .into_iter()
            .flatten()
            .map(|(path, _)| path)
            .collect();
        if paths.is_empty() {
            paths.push(main.clone());
        }
        if self.project.viewed.is_some() {
            // It is generated for each run.
            paths.retain(|path| *path != main);
        }
        let files = &mut self.values.edits.files;
        files.retain(|path, file| {
            paths.contains(path) || !file.edits.is_empty() || !file.conflicts.is_empty()
        });
        for path in paths {
            if let Ok(text) = self.files.library.saved_script(&path) {
                self.values.edits.update(&path, &text);
            }
        }
    }

    /// Moves changes that are not written yet to the present versions of their files. Returns true if there are any.
    pub(super) fn rebase_values(&mut self) -> bool {
        let edits = &mut self.values.edits;
        edits.is_fresh = false;
        let library = &self.files.library;
        let mut conflicting = Vec::new();
        let mut n = 0;
        for (path, file) in &mut edits.files {
            // A file that cannot be read now is perhaps being replaced by an editor.
            if !file.edits.is_empty()
                && let Ok(text) = library.saved_script(path)
            {
                let n_before = file.conflicts.len();
                file.rebase(&text);
                library.set_draft(path, draft(&file.edits));
                if file.conflicts.len() > n_before {
                    conflicting.push(path.clone());
                }
            }
            n += file.edits.len();
        }
        for path in conflicting {
            self.diagnostics.notify(format!(
                "{path} was changed in the same line as in the studio; the panel Values shows both"
            ));
        }
        n > 0
    }

    /// Replaces a literal, given by the position of its first byte in the file. The scripts run with the change, and the
    /// file is unchanged.
    pub(super) fn set_literal(
        &mut self,
        path: &str,
        start: usize,
        text: &str,
    ) -> Result<(), String> {
        let file = self.values.edits.files.get_mut(path);
        let file = file.ok_or_else(|| format!("{path} is not a script of this project"))?;
        let literal = file.literal_at(start).cloned();
        let literal = literal.ok_or_else(|| format!("{path} has changed meanwhile"))?;
        file.edits.set(&literal, text);
        self.files.library.set_draft(path, draft(&file.edits));
        self.scripts.load_draft();
        Ok(())
    }

    /// Takes back all changes that are not written yet. Returns false if there are none.
    pub(super) fn discard_values(&mut self) -> bool {
        let mut has_changes = false;
        for (path, file) in &mut self.values.edits.files {
            has_changes |= !file.edits.is_empty();
            file.conflicts.clear();
            file.edits = LiteralEdits::new(file.edits.base());
            self.files.library.set_draft(path, None);
        }
        if has_changes {
            self.scripts.load_draft();
        }
        has_changes
    }

    /// Writes all changes into the files, as one step for [`Session::undo_values`]. Changes in lines that were changed
    /// meanwhile are not written; they become conflicts.
    ///
    /// # Errors
    /// The reasons why files cannot be written. Their changes are kept.
    pub(super) fn apply_values(&mut self) -> Result<(), String> {
        self.rebase_values();
        let step = self.values.edits.files.iter();
        let step = step.filter(|(_, file)| !file.edits.is_empty());
        let step = step.map(|(path, file)| (path.clone(), file.edits.clone()));
        let (written, errors) = self.write_values(step.collect());
        if !written.is_empty() {
            self.values.edits.undo.push(written);
            self.values.edits.redo.clear();
        }
        match errors.is_empty() {
            true => Ok(()),
            false => Err(errors.join("\n")),
        }
    }

    /// Takes back, in the files, what was last applied; or with `redo`, what was last taken back. Literals in lines that
    /// were changed since are left as they are.
    ///
    /// # Errors
    /// If there is nothing to undo, or a part of it could not be undone, with the reason. What could not be read or written
    /// can be undone again later.
    pub(super) fn undo_values(&mut self, redo: bool) -> Result<(), String> {
        let ScriptEdits {
            undo, redo: redone, ..
        } = &mut self.values.edits;
        let (from, what) = match redo {
            true => (redone, "redo"),
            false => (undo, "undo"),
        };
        let step = from
            .pop()
            .ok_or_else(|| format!("there is nothing to {what}"))?;
        let mut errors = Vec::new();
        let mut rebased = EditStep::new();
        let mut remaining = EditStep::new();
        for (path, edits) in step {
            match self.files.library.saved_script(&path) {
                Ok(text) => {
                    let (edits, conflicts) = edits.rebased(&text);
                    errors.extend(conflicts.iter().map(|conflict| {
                        let (line, before) = (conflict.line, &conflict.before);
                        format!(
                            "{path}:{line}: {before} was changed meanwhile and is left as it is"
                        )
                    }));
                    rebased.insert(path, edits);
                }
                Err(why) => {
                    errors.push(format!("{path}: {why}"));
                    remaining.insert(path, edits);
                }
            }
        }
        let (written, faults) = self.write_values(rebased.clone());
        errors.extend(faults);
        let is_unwritten = |(path, edits): &(String, LiteralEdits)| {
            !edits.is_empty() && !written.contains_key(path)
        };
        remaining.extend(rebased.into_iter().filter(is_unwritten));
        let ScriptEdits {
            undo, redo: redone, ..
        } = &mut self.values.edits;
        let (from, to) = match redo {
            true => (redone, undo),
            false => (undo, redone),
        };
        from.extend((!remaining.is_empty()).then_some(remaining));
        to.extend((!written.is_empty()).then_some(written));
        match errors.is_empty() {
            true => Ok(()),
            false => Err(errors.join("\n")),
        }
    }

    /// Writes changes of scripts. Returns the changes that take them back, and errors.
    fn write_values(&mut self, step: EditStep) -> (EditStep, Vec<String>) {
        let mut inverse = EditStep::new();
        let mut errors = Vec::new();
        let running = self.scripts.running_texts().unwrap_or_default();
        for (path, edits) in step {
            if edits.is_empty() {
                continue;
            }
            let text = edits.text();
            if let Err(why) = self.files.library.write_script(&path, &text) {
                errors.push(why);
                continue;
            }
            self.values.written.insert(path.clone(), Instant::now());
            let n = edits.len();
            let what = if n == 1 { "value" } else { "values" };
            self.diagnostics
                .notify(format!("{n} {what} written into {path}"));
            let file = self.values.edits.files.entry(path.clone());
            let file = file.or_insert_with(|| EditedScript::new(&text));
            if file.edits == edits {
                let conflicts = std::mem::take(&mut file.conflicts);
                *file = EditedScript::new(&text);
                file.conflicts = conflicts;
            } else {
                file.rebase(&text);
            }
            self.files.library.set_draft(&path, draft(&file.edits));
            let runs = running.get(&path);
            if runs.is_none_or(|running| **running != *file.edits.text()) {
                self.scripts.load_saved();
            }
            inverse.insert(path, edits.inverse());
        }
        if self.values.edits.n_changed() == 0 {
            self.scripts.keep_draft();
        }
        (inverse, errors)
    }

    /// Ends a conflict: with `keeps_mine`, the change of the studio is made again, otherwise the file stays as it is.
    pub(super) fn resolve_conflict(&mut self, path: &str, index: usize, keeps_mine: bool) {
        let Some(file) = self.values.edits.files.get_mut(path) else {
            return;
        };
        file.resolve(index, keeps_mine);
        if keeps_mine {
            self.files.library.set_draft(path, draft(&file.edits));
            self.scripts.load_draft();
        }
    }

    /// Reports the changes that are lost because the session ends.
    pub fn report_lost_values(&mut self) {
        for (path, file) in &self.values.edits.files {
            for change in file.changes() {
                let text = format!("not applied in the studio, and lost: {path}:{change}");
                self.diagnostics.notify(text);
            }
        }
    }

    /// Returns true if a changed file is one that the studio has just written, and it runs already.
    pub(super) fn runs_already(&mut self, changed: &Path) -> bool {
        let name = short(&self.project, changed);
        let mut written = self.values.written.iter();
        let Some((path, at)) = written.find(|(path, _)| Path::new(path) == Path::new(&name)) else {
            return false;
        };
        let text = self.files.library.saved_script(path).ok();
        let running = self.scripts.running_texts();
        let is_same =
            running.is_some_and(|texts| texts.get(path).map(|text| &**text) == text.as_deref());
        is_same && !self.script_failed() && at.elapsed() < REPORTED_WITHIN
    }
}

/// The text that runs instead of a file; `None` if nothing is changed.
fn draft(edits: &LiteralEdits) -> Option<String> {
    (!edits.is_empty()).then(|| edits.text())
}
