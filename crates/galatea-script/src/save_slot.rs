//! Slots of saved games, and the interface of their storage.

use serde::{Deserialize, Serialize};

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
    /// Values that the script gave for menus, encoded.
    pub extra: Vec<u8>,
    /// Reason why it cannot be loaded.
    pub problem: Option<String>,
}

/// Content of a saved game.
pub trait GameContent: Send {
    /// Bytes of the game.
    ///
    /// # Errors
    /// The reason why a part of it cannot be written.
    fn encode(&self) -> Result<Vec<u8>, String>;
}

/// Saved games of a project.
pub trait GameStore {
    /// Saved games, the newest first.
    ///
    /// # Errors
    /// The reason why they cannot be listed.
    fn list(&self) -> Result<Vec<SaveSlot>, String>;
    /// Saves a game, in the background if that takes long.
    ///
    /// # Errors
    /// The reason why it cannot be saved.
    fn write(&self, slot: SaveSlot, game: Box<dyn GameContent>) -> Result<(), String>;
    /// Content of a saved game. If the game is damaged, returns the content of the previous game in the slot, and a
    /// description of the damage.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    fn read(&self, slot: &str) -> Result<(Vec<u8>, Option<String>), String>;
    /// Deletes a saved game. Returns false if the slot is empty.
    ///
    /// # Errors
    /// The reason why it cannot be deleted.
    fn delete(&self, slot: &str) -> Result<bool, String>;
}

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
