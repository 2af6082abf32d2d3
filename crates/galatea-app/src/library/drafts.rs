//! Texts of scripts: the files, and drafts that run instead of them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::Library;
use crate::files::script_text;
use galatea_asset::{Viewed, write_whole};

/// The byte order mark at the start of some files, which is not a part of the text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Texts that run instead of script files, by their paths.
#[derive(Default)]
pub(super) struct ScriptDrafts(Mutex<HashMap<String, String>>);

impl ScriptDrafts {
    pub fn get(&self, path: &str) -> Option<String> {
        // A panic while the lock was held leaves a valid map.
        let drafts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        drafts.get(path).cloned()
    }

    fn set(&self, path: &str, text: Option<String>) {
        let mut drafts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match text {
            Some(text) => drop(drafts.insert(path.to_owned(), text)),
            None => drop(drafts.remove(path)),
        }
    }
}

impl Library {
    /// Sets a text that runs instead of a script file; `None` runs the file again.
    pub fn set_draft(&self, path: &str, text: Option<String>) {
        self.drafts.set(path, text);
    }

    /// Text of a script file, without a byte order mark. If the project views a single model, its script is generated.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn saved_script(&self, path: &str) -> Result<String, String> {
        if let Some(Viewed { script: text, .. }) = &self.project.viewed
            && path == self.project.settings.script.main
        {
            return Ok(text.clone());
        }
        let full = self.project.path(path)?;
        script_text(&full)
    }

    /// Replaces the text of a script file, and keeps its byte order mark.
    ///
    /// # Errors
    /// The reason why it cannot be written. The file is unchanged then.
    pub fn write_script(&self, path: &str, text: &str) -> Result<(), String> {
        let full = self.project.path(path)?;
        let before = std::fs::read(&full).map_err(|error| format!("{path}: {error}"))?;
        let mark = match before.starts_with(BYTE_ORDER_MARK) {
            true => BYTE_ORDER_MARK,
            false => &[],
        };
        let bytes = [mark, text.as_bytes()].concat();
        write_whole(&full, &bytes).map_err(|error| error.to_string())
    }
}
