//! The physics engine's state as a whole: a copy of it, and its failures.

use std::sync::{Mutex, PoisonError};

use rapier3d::prelude::PhysicsWorld as RapierWorld;
use serde::{Deserialize, Deserializer, Serialize};

use super::tag::Owner;

/// Maximum number of failures that are stored until the caller takes them.
const MAX_FAILURES: usize = 64;

/// A failure of the physics engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineFailure {
    /// The engine cannot work with a body of this owner, which was removed.
    Removed(Owner),
    /// All bodies were removed, because the one at fault was not found.
    Emptied,
    /// Too many bodies overlapped: the newest of them were removed.
    Crowded,
    /// Bodies overlapped too many triangles of a mesh: those over most of them were removed.
    TooFine,
    /// A controller of this owner does not move: its capsule overlaps too many triangles of a mesh.
    Held(Owner),
    /// A query failed and returned no result.
    Query,
}

/// Failures since they were last taken.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Failures(Mutex<Vec<EngineFailure>>);

impl Failures {
    pub fn add(&self, failure: EngineFailure) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !list.contains(&failure) && list.len() < MAX_FAILURES {
            list.push(failure);
        }
    }

    pub fn take(&mut self) -> Vec<EngineFailure> {
        let list = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(list)
    }
}

/// A copy of everything that a step changes.
pub(super) fn copy_of(world: &RapierWorld) -> RapierWorld {
    RapierWorld {
        gravity: world.gravity,
        integration_parameters: world.integration_parameters,
        islands: world.islands.clone(),
        broad_phase: world.broad_phase.clone(),
        narrow_phase: world.narrow_phase.clone(),
        bodies: world.bodies.clone(),
        colliders: world.colliders.clone(),
        impulse_joints: world.impulse_joints.clone(),
        multibody_joints: world.multibody_joints.clone(),
        ..RapierWorld::default()
    }
}

/// Reads the state of a saved world.
pub(super) fn read_engine<'de, D: Deserializer<'de>>(d: D) -> Result<Box<RapierWorld>, D::Error> {
    let mut world = Box::<RapierWorld>::deserialize(d)?;
    // The engine does not write which joints were added since its last step. Mutable access lets it link the bodies of all
    // joints in its next step, which changes nothing for joints that are linked.
    world.impulse_joints.iter_mut().for_each(drop);
    Ok(world)
}
