//! The handles by which others hold or swing one prop.

use std::sync::Arc;

use super::definition::Definition;
use galatea_asset::handle::HandleSpec;

/// Handles of one character besides those of its file, and how far its levers are swung.
#[derive(Clone, Debug, Default)]
pub struct HandleSet {
    /// Handles that the script added.
    pub own: Vec<Arc<HandleSpec>>,
    /// Degrees by which it is swung away from where it was put, by the names of its levers.
    pub swung: Vec<(String, f32)>,
}

impl HandleSet {
    /// A handle by its name: the script's before the file's.
    pub fn find<'a>(&'a self, definition: &'a Definition, name: &str) -> Option<&'a HandleSpec> {
        self.iter(definition).find(|handle| handle.name == name)
    }

    /// All handles: the script's, then the file's.
    pub fn iter<'a>(&'a self, definition: &'a Definition) -> impl Iterator<Item = &'a HandleSpec> {
        let own = self.own.iter().map(|handle| &**handle);
        own.chain(&definition.model.handles)
    }
}
