//! Actions of a torture run, tick by tick, and the file that lists them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use galatea_asset::vfs;
use galatea_stage::InputEvent;

/// Bytes of the largest file of actions.
const LARGEST: u64 = 64 << 20;

/// Something that is done before a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedAction {
    /// Number of the tick.
    pub tick: u64,
    /// An action.
    #[serde(flatten)]
    pub action: TortureAction,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TortureAction {
    /// An input device changes.
    Input(InputEvent),
    /// A line for the console.
    Ask(String),
    /// A request of the control port.
    Request(serde_json::Map<String, serde_json::Value>),
    /// A file or folder of the project changes.
    Change {
        /// Path relative to the project.
        file: String,
        /// The change.
        by: FileChange,
    },
    /// A file or folder gets its original content.
    Restore(String),
    /// So many ticks run at once.
    Jump(u64),
    /// So many pictures are shown without a tick.
    Pause(u64),
    /// Models that load come so many ticks late.
    SlowDisk(u64),
    /// Changes of files are noticed so many ticks late.
    LoseWatch(u64),
}

/// A change of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// A save with one more empty line.
    Save,
    /// Another number instead of the number with this index in a text.
    Number(usize, String),
    /// Some random bytes, from this seed.
    Bytes(u64),
    /// Only the first bytes remain, this share of them.
    Truncate(f64),
    /// No bytes remain.
    Empty,
    /// The original content of another file.
    Replace(String),
    /// Removal of the file.
    Delete,
    /// Removal of a folder with all files.
    DeleteFolder,
    /// Another name for a folder.
    RenameFolder,
}

/// The actions of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActionList {
    /// Ticks of the run.
    pub n_ticks: u64,
    /// Actions, in order of ticks.
    pub actions: Vec<TimedAction>,
}

/// The first line of a file of actions.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FirstLine {
    ticks: u64,
}

impl ActionList {
    /// Reads a file: the number of ticks in the first line, then one action per line. Lines with `#` are passed over.
    ///
    /// # Errors
    /// The first faulty line.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let name = file.display().to_string();
        let text = vfs::read_text(file, LARGEST).with_context(|| name.clone())?;
        let mut list = None;
        for (i, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let place = || format!("{name}, line {}", i + 1);
            match &mut list {
                None => {
                    let first: FirstLine = serde_json::from_str(line).with_context(place)?;
                    list = Some(Self {
                        n_ticks: first.ticks,
                        actions: Vec::new(),
                    });
                }
                Some(list) => {
                    let action = serde_json::from_str(line).with_context(place)?;
                    list.actions.push(action);
                }
            }
        }
        let Some(mut list) = list else {
            bail!("{name}: the first line must be the number of ticks, {{\"ticks\": 600}}");
        };
        list.actions.sort_by_key(|action| action.tick);
        Ok(list)
    }

    /// Writes the file, with remarks before the first line.
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
