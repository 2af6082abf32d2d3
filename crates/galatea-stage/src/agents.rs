//! Crowds and flocks of a stage, and their shared data.

use super::flocks::StageFlock;
use super::paths::StagePaths;
use super::surveys::Survey;
use super::trails::StageTrail;
use super::{Arena, Crowding, SmartObject, StageCrowd};

/// Crowds and flocks, navigation meshes, smart objects, scent fields and statistics.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    /// Crowds on this stage.
    pub crowds: Arena<StageCrowd>,
    /// Flocks on this stage.
    pub flocks: Arena<StageFlock>,
    /// Navigation meshes.
    pub paths: Arena<StagePaths>,
    /// Smart objects.
    pub objects: Arena<SmartObject>,
    /// Scent fields.
    pub trails: Arena<StageTrail>,
    /// Crowd statistics.
    pub surveys: Arena<Survey>,
    /// Scratch buffers of crowds, and their reports to scripts.
    pub crowding: Crowding,
}

impl Agents {
    /// Empty arenas for a new version of the script; current handles are not reused at once.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            crowds: self.crowds.emptied(),
            flocks: self.flocks.emptied(),
            paths: self.paths.emptied(),
            objects: self.objects.emptied(),
            trails: self.trails.emptied(),
            surveys: self.surveys.emptied(),
            crowding: Crowding::default(),
        }
    }
}
