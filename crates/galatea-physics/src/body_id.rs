//! Handles of bodies.

use rapier3d::prelude::RigidBodyHandle;
use serde::{Deserialize, Serialize};

/// Handle of a body in the world that returned it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodyId {
    /// Id of the world: the handle is invalid in other worlds.
    pub(super) epoch: u64,
    pub(super) handle: RigidBodyHandle,
}

impl BodyId {
    /// Handle as two numbers.
    pub fn bits(self) -> [u64; 2] {
        let (index, generation) = self.handle.into_raw_parts();
        [self.epoch, u64::from(index) << 32 | u64::from(generation)]
    }

    /// Handle from the numbers of [`Self::bits`].
    pub fn from_bits([epoch, handle]: [u64; 2]) -> Self {
        let handle = RigidBodyHandle::from_raw_parts((handle >> 32) as u32, handle as u32);
        Self { epoch, handle }
    }
}
