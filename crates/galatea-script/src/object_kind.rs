//! References to objects on the stage, as data.

use serde::{Deserialize, Serialize};

use galatea_stage::Handle;

/// A reference to an object on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedObject {
    pub kind: ObjectKind,
    pub handle: Handle,
}

/// Kind of an object that a kept table may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ObjectKind {
    Character,
    Machine,
    Face,
    Light,
    UiElement,
    Particles,
    Crowd,
    SmartObject,
    Flock,
    Navmesh,
    ScentField,
    CrowdStats,
}

impl ObjectKind {
    /// A reload of a changed script gives these objects the same handle again.
    pub fn has_stable_handle(self) -> bool {
        matches!(self, Self::Character | Self::Machine | Self::Face)
    }
}
