//! Ropes, cloth, hair and particles. They are simulated after the characters.

use serde::{Deserialize, Serialize};

use super::{Arena, StageEmitter, StageFabric, StageHair};
use galatea_rig::wind::Wind;

/// Ropes, cloth, hair and particles, and the wind that moves them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// The wind; it also acts on springs of characters.
    pub wind: Wind,
    /// Ropes and cloth.
    pub fabrics: Arena<StageFabric>,
    /// Hair that characters wear.
    pub hair: Arena<StageHair>,
    /// Emitters of particles.
    pub emitters: Arena<StageEmitter>,
}

impl Effects {
    /// Empty arenas for a new version of the script; current handles are not reused at once.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            wind: Wind::default(),
            fabrics: self.fabrics.emptied(),
            hair: self.hair.emptied(),
            emitters: self.emitters.emptied(),
        }
    }
}
