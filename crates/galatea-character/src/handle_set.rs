//! The handles by which others hold or swing one prop.

use std::sync::Arc;

use galatea_asset::handle::HandleSpec;

/// Handles of one character besides those of its file, and how far its levers are swung.
#[derive(Clone, Debug, Default)]
pub struct HandleSet {
    /// Handles that the script added.
    pub own: Vec<Arc<HandleSpec>>,
    /// Degrees by which it is swung away from where it was put, by the names of its levers.
    pub swung: Vec<(String, f32)>,
}
