//! The body of one character in the physics world: ragdoll, controller, prop, and how it reacts to hits.

use std::sync::Arc;

use super::begun::Begun;
use super::knockback::Knockback;
use super::limbs::Limbs;
use super::rising::Rising;
use super::vitals::Vitals;
use galatea_physics::ragdoll::RagdollDefinition;
use galatea_physics::{Controller, Solid};

/// A character in the physics world.
#[derive(Clone, Debug, Default)]
pub struct CharacterBody {
    /// Bodies that the script gave it in place of those that the model makes.
    pub own_ragdoll: Option<Arc<RagdollDefinition>>,
    /// Its limbs as bodies, while they are.
    pub limbs: Option<Box<Limbs>>,
    /// Controller by which it walks.
    pub controller: Option<Box<Controller>>,
    /// Body of a prop.
    pub solid: Option<Box<Solid>>,
    /// Health, balance and the limits of its reactions to hits.
    pub vitals: Vitals,
    /// Getting up after a fall.
    pub rising: Option<Box<Rising>>,
    /// Push by a hit.
    pub knockback: Knockback,
    /// State in which the main part of the script left this.
    pub(super) begun: Begun,
}
