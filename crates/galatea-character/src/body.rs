//! The physics body of one character: ragdoll, controller, prop, and its reactions to hits.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::knockback::Knockback;
use super::limbs::Limbs;
use super::rising::Rising;
use super::script_baseline::ScriptBaseline;
use super::vitals::Vitals;
use galatea_physics::ragdoll::{RagdollDefinition, RagdollQuality, RagdollSettings};
use galatea_physics::{Controller, PropBody, Velocity};

/// The physics state of a character.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CharacterBody {
    /// Ragdoll defined by the script; `None` uses the model's ragdoll.
    #[serde(with = "galatea_persist::shared")]
    pub own_ragdoll: Option<Arc<RagdollDefinition>>,
    /// Simulated limbs, if any.
    pub limbs: Option<Box<Limbs>>,
    /// Character controller that moves it.
    pub controller: Option<Box<Controller>>,
    /// Rigid body of a prop.
    pub prop_body: Option<Box<PropBody>>,
    /// Health, balance and the limits of the reactions to hits.
    pub vitals: Vitals,
    /// State of getting up after a fall.
    pub rising: Option<Box<Rising>>,
    /// Knockback from a hit.
    pub knockback: Knockback,
    /// State at the end of the script's main part.
    pub(super) baseline: ScriptBaseline,
}

impl CharacterBody {
    /// Returns the ragdoll definition of the limbs, whether or not they are simulated now.
    pub fn ragdoll<'a>(&'a self, definition: &'a Definition) -> &'a Arc<RagdollDefinition> {
        let own = self.own_ragdoll.as_ref();
        own.unwrap_or_else(|| definition.ragdoll())
    }

    /// Returns new limbs that all follow the animation.
    pub fn new_limbs(&self, definition: &Definition) -> Box<Limbs> {
        let settings = RagdollSettings {
            quality: self.vitals.ragdoll_quality,
            ..RagdollSettings::default()
        };
        Box::new(Limbs::new(self.ragdoll(definition).clone(), settings))
    }

    /// Sets the effort of the solver for the ragdoll, now and for later falls.
    pub fn set_ragdoll_quality(&mut self, quality: RagdollQuality) {
        self.vitals.ragdoll_quality = quality;
        if let Some(limbs) = &mut self.limbs {
            limbs.ragdoll.settings.quality = quality;
        }
    }

    /// Returns true when it has limbs that can be simulated. A prop with only one body counts as having none.
    pub fn has_limbs(&self, definition: &Definition) -> bool {
        let n = self.ragdoll(definition).bodies.len();
        n > 1 || n == 1 && self.prop_body.is_none()
    }

    /// Returns the world-space velocity of the controller, limbs or prop; zero if it has none of them.
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
        let solid = self.prop_body.as_ref();
        solid.map_or_else(Velocity::default, |solid| solid.velocity)
    }

    /// Returns true while the character is lying down or falling.
    pub fn is_down(&self) -> bool {
        self.limbs.as_ref().is_some_and(|limbs| limbs.is_down())
    }

    /// Returns true while its prop is asleep and not simulated.
    pub fn is_asleep(&self) -> bool {
        self.prop_body
            .as_ref()
            .is_some_and(|solid| solid.is_sleeping)
    }

    /// Records the state at the end of the script's main part.
    pub(super) fn record_baseline(&mut self) {
        self.baseline = ScriptBaseline {
            vitals: self.vitals,
            limbs: self
                .limbs
                .as_ref()
                .map(|limbs| (limbs.ragdoll.settings, limbs.rest.clone(), limbs.is_down())),
            velocity: self
                .prop_body
                .as_ref()
                .map_or_else(Velocity::default, |s| s.velocity),
        };
    }
}
