//! Slots of saved games, as menus show them.

use serde::{Deserialize, Serialize};

use super::saved_value::SavedTables;

/// Maximum length of the name of a slot, characters.
const MAX_NAME: usize = 64;

/// A saved game, without its content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SaveSlot {
    /// Name that the script chose.
    pub slot: String,
    /// Time in the game, seconds.
    pub play_time: f64,
    /// Date and time at which it was saved (UTC), such as `2026-05-31 18:30`.
    pub date: String,
    /// Values that the script gave for menus.
    pub extra: SaveExtra,
    /// Reason why it cannot be loaded.
    pub problem: Option<String>,
}

/// Values that a script gave to `save`.
pub type SaveExtra = SavedTables;

impl SaveSlot {
    /// Checks the name of a slot: 1 to 64 letters, digits, spaces, `-` and `_`, without a space at either end.
    ///
    /// # Errors
    /// The rule that the name breaks.
    pub fn check_name(name: &str) -> Result<(), String> {
        let is_allowed = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let n = name.chars().count();
        if n == 0 || n > MAX_NAME || !name.chars().all(is_allowed) || name.trim() != name {
            return Err(format!(
                "{name:?} cannot be the name of a slot; use 1 to {MAX_NAME} letters, digits, spaces, - and _"
            ));
        }
        Ok(())
    }
}
