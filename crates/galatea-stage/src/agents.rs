//! Crowds and flocks of a stage, and their shared data.

use serde::{Deserialize, Serialize};

use super::crowd_stats::CrowdStats;
use super::flocks::StageFlock;
use super::nav_meshes::StageNavMesh;
use super::scent_fields::StageScentField;
use super::{Arena, Crowding, SmartObject, StageCrowd};

/// Crowds and flocks, navigation meshes, smart objects, scent fields and statistics.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Agents {
    /// Crowds on this stage.
    pub crowds: Arena<StageCrowd>,
    /// Flocks on this stage.
    pub flocks: Arena<StageFlock>,
    /// Navigation meshes.
    pub nav_meshes: Arena<StageNavMesh>,
    /// Smart objects.
    pub objects: Arena<SmartObject>,
    /// Scent fields.
    pub scent_fields: Arena<StageScentField>,
    /// Crowd statistics.
    pub crowd_stats: Arena<CrowdStats>,
    /// Scratch buffers of crowds, and their reports to scripts.
    pub crowding: Crowding,
}

impl Agents {
    /// Empty arenas for a new version of the script; current handles are not reused at once.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            crowds: self.crowds.emptied(),
            flocks: self.flocks.emptied(),
            nav_meshes: self.nav_meshes.emptied(),
            objects: self.objects.emptied(),
            scent_fields: self.scent_fields.emptied(),
            crowd_stats: self.crowd_stats.emptied(),
            crowding: Crowding::default(),
        }
    }
}
