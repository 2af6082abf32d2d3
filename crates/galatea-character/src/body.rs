//! The body of one character in the physics world: ragdoll, controller, prop, and how it reacts to hits.

use std::sync::Arc;

use super::begun::ScriptBaseline;
use super::definition::Definition;
use super::knockback::Knockback;
use super::limbs::Limbs;
use super::rising::Rising;
use super::vitals::Vitals;
use galatea_physics::ragdoll::RagdollDefinition;
use galatea_physics::{Controller, Solid, Velocity};

/// A character in the physics world.
#[derive(Clone, Debug, Default)]
pub struct CharacterBody {
    /// Ragdoll of the script; `None` takes the one of the model.
    pub own_ragdoll: Option<Arc<RagdollDefinition>>,
    /// Simulated limbs, while there are any.
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
    pub(super) begun: ScriptBaseline,
}

impl CharacterBody {
    /// The bodies that its limbs have, or would have.
    pub fn ragdoll<'a>(&'a self, definition: &'a Definition) -> &'a Arc<RagdollDefinition> {
        let own = self.own_ragdoll.as_ref();
        own.unwrap_or_else(|| definition.ragdoll())
    }

    /// True when it has limbs that could be bodies. A prop of one piece is a body already.
    pub fn has_limbs(&self, definition: &Definition) -> bool {
        let n = self.ragdoll(definition).bodies.len();
        n > 1 || n == 1 && self.solid.is_none()
    }

    /// Velocity in the world, of its controller, its limbs or its prop; 0 without any of them.
    pub fn velocity(&self) -> Velocity {
        if let Some(controller) = self.controller.as_ref().filter(|_| !self.is_down()) {
            return Velocity {
                linear: controller.world_velocity(),
                ..Velocity::default()
            };
        }
        if let Some(limbs) = &self.limbs {
            return limbs.ragdoll.velocity(0);
        }
        let solid = self.solid.as_ref();
        solid.map_or_else(Velocity::default, |solid| solid.velocity)
    }

    /// True while it lies or falls.
    pub fn is_down(&self) -> bool {
        self.limbs.as_ref().is_some_and(|limbs| limbs.is_down())
    }

    /// True while its prop lies still and is not simulated.
    pub fn is_asleep(&self) -> bool {
        self.solid.as_ref().is_some_and(|solid| solid.asleep)
    }

    /// Remembers the state in which the main part of the script leaves it.
    pub(super) fn note_begun(&mut self) {
        self.begun = ScriptBaseline {
            vitals: self.vitals,
            limbs: self
                .limbs
                .as_ref()
                .map(|limbs| (limbs.ragdoll.settings, limbs.rest.clone(), limbs.is_down())),
            velocity: self
                .solid
                .as_ref()
                .map_or_else(Velocity::default, |s| s.velocity),
        };
    }
}
