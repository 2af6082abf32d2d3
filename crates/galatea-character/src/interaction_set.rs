//! Handles by which characters grip a prop, and its levers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use galatea_asset::interaction::InteractionSpec;

/// Handles that a script added to one character, and the angles of its levers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InteractionSet {
    /// Handles that the script added.
    #[serde(with = "galatea_persist::shared")]
    pub own: Vec<Arc<InteractionSpec>>,
    /// Angle of each lever relative to its initial position, degrees, by lever name.
    pub swung: Vec<(String, f32)>,
}

impl InteractionSet {
    /// Finds a handle by name; the script's handles have priority over the file's.
    pub fn find<'a>(
        &'a self,
        definition: &'a Definition,
        name: &str,
    ) -> Option<&'a InteractionSpec> {
        self.iter(definition).find(|handle| handle.name == name)
    }

    /// Returns all handles: the script's, then the file's.
    pub fn iter<'a>(
        &'a self,
        definition: &'a Definition,
    ) -> impl Iterator<Item = &'a InteractionSpec> {
        let own = self.own.iter().map(|handle| &**handle);
        own.chain(&definition.model.interactions)
    }
}
