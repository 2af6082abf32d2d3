//! Actions of a torture run, tick by tick, and the file that lists them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use galatea_asset::vfs;
use galatea_math::data_fault::DataFault;
use galatea_stage::InputEvent;

/// Bytes of the largest file of actions.
const MAX_BYTES: u64 = 64 << 20;

/// An action before a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedAction {
    /// Index of the tick.
    pub tick: u64,
    /// The action.
    #[serde(flatten)]
    pub action: TortureAction,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TortureAction {
    /// Sends an input event.
    Input(InputEvent),
    /// Evaluates a console line.
    Ask(String),
    /// Sends a request of the control port.
    Request(serde_json::Map<String, serde_json::Value>),
    /// Changes a file or folder of the project.
    Change {
        /// Path relative to the project.
        file: String,
        /// The change.
        by: FileChange,
    },
    /// Restores the original content of a file or folder.
    Restore(String),
    /// Runs a number of ticks at once.
    Jump(u64),
    /// Shows a number of frames without a tick.
    Pause(u64),
    /// Delays loading of models by a number of ticks.
    SlowDisk(u64),
    /// Delays the notice of file changes by a number of ticks.
    LoseWatch(u64),
}

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// Saves the file with one more empty line.
    Save,
    /// Replaces the number with this index in a text.
    Number(usize, String),
    /// Replaces some bytes with random ones from this seed.
    Bytes(u64),
    /// Keeps only this fraction of the file.
    Truncate(f64),
    /// Empties the file.
    Empty,
    /// Writes the original content of another file.
    Replace(String),
    /// Deletes the file.
    Delete,
    /// Deletes a folder with all files.
    DeleteFolder,
    /// Renames a folder.
    RenameFolder,
}

/// The actions of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionList {
    /// Number of ticks of the run.
    pub n_ticks: u64,
    /// Actions in order of ticks.
    pub actions: Vec<TimedAction>,
}

/// The first line of a file of actions.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstLine {
    ticks: u64,
}

impl ActionList {
    /// Reads a file: the number of ticks in the first line, then one action per line. Lines with `#` are skipped.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let name = file.display().to_string();
        let text = vfs::read_text(file, MAX_BYTES).with_context(|| name.clone())?;
        let mut list = None;
        for (i, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let fault = |error: serde_json::Error| {
                let fault = DataFault::of_json(&error.to_string()).on_line(i + 1);
                anyhow::Error::msg(fault.in_file(&name))
            };
            match &mut list {
                None => {
                    let first: FirstLine = serde_json::from_str(line).map_err(fault)?;
                    list = Some(Self {
                        n_ticks: first.ticks,
                        actions: Vec::new(),
                    });
                }
                Some(list) => {
                    let action = serde_json::from_str(line).map_err(fault)?;
                    list.actions.push(action);
                }
            }
        }
        let Some(mut list) = list else {
            bail!(
                "{name}: the first line must give the number of ticks, such as {{\"ticks\": 600}}"
            );
        };
        list.actions.sort_by_key(|action| action.tick);
        Ok(list)
    }

    /// Writes the file, with comments before the first line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, file: &Path, remarks: &str) -> anyhow::Result<()> {
        let mut text: String = remarks.lines().map(|line| format!("# {line}\n")).collect();
        let first = FirstLine {
            ticks: self.n_ticks,
        };
        text += &serde_json::to_string(&first)?;
        text.push('\n');
        for action in &self.actions {
            text += &serde_json::to_string(action)?;
            text.push('\n');
        }
        fs::write(file, text).with_context(|| file.display().to_string())
    }
}
