//! A stage as bytes, from which a saved game continues.

use galatea_persist::{ExternalValue, PersistError, decode, encode};

use super::Stage;

#[cfg(test)]
mod tests;

impl Stage {
    /// Writes the whole state. Models of files are written as keys; see
    /// [`DefinitionSource`](galatea_character::DefinitionSource).
    ///
    /// # Errors
    /// Fails if a character's model has clips but neither a file nor a script made it.
    pub fn encode(&self) -> Result<Vec<u8>, PersistError> {
        encode(self)
    }

    /// Reads a stage that [`Stage::encode`] wrote. `resolver` finds values that are not written by kind and key: for the kind
    /// [`MODEL_KIND`](galatea_character::MODEL_KIND), it returns an `Arc<Definition>` of the file. It is called once per key.
    ///
    /// # Errors
    /// Fails if the bytes are damaged or the resolver fails.
    pub fn decode(
        bytes: &[u8],
        resolver: impl Fn(&str, &str) -> Result<ExternalValue, String> + 'static,
    ) -> Result<Self, PersistError> {
        decode(bytes, resolver)
    }
}
