//! Reading a saved world.

use rapier3d::prelude::PhysicsWorld as RapierWorld;
use serde::{Deserialize, Deserializer};

use super::world::reserve_epoch;

/// Reads the engine's state.
pub(super) fn rapier<'de, D: Deserializer<'de>>(d: D) -> Result<Box<RapierWorld>, D::Error> {
    let mut world = Box::<RapierWorld>::deserialize(d)?;
    // The engine does not write which joints were added since its last step. Mutable access lets it link the bodies of all
    // joints in its next step, which changes nothing for joints that are linked.
    world.impulse_joints.iter_mut().for_each(drop);
    Ok(world)
}

/// Reads the epoch of a world. Worlds that are made later get other epochs.
pub(super) fn epoch<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    let epoch = u64::deserialize(d)?;
    reserve_epoch(epoch);
    Ok(epoch)
}
