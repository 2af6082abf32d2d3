//! Names of bodies.

use rapier3d::prelude::RigidBodyHandle;

/// Names a body in the world that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyId {
    /// Number of the world, so that a body of another world is not found.
    pub(super) epoch: u64,
    pub(super) handle: RigidBodyHandle,
}

impl BodyId {
    /// As two numbers.
    pub fn bits(self) -> [u64; 2] {
        let (index, generation) = self.handle.into_raw_parts();
        [self.epoch, u64::from(index) << 32 | u64::from(generation)]
    }

    /// From the numbers that [`Self::bits`] gave.
    pub fn from_bits([epoch, handle]: [u64; 2]) -> Self {
        let handle = RigidBodyHandle::from_raw_parts((handle >> 32) as u32, handle as u32);
        Self { epoch, handle }
    }
}
