//! Energy limit of a freely falling ragdoll: its energy must not grow.
//!
//! After a hard impact, joints may be beyond their limits or thin limbs in the ground. The engine corrects this in the
//! following ticks and thereby lifts the bodies. The energy that this adds is removed from their motion.

use super::{BodyControl, Ragdoll, RagdollBody};
use crate::body_id::BodyId;
use crate::world::PhysicsWorld;

/// Motors at this weight and below only slow a fall.
const MAX_SLACK_WEIGHT: f32 = 0.1;
/// Rise of the whole ragdoll in a step, metres at human size, above which the energy is corrected.
const MIN_RISE: f32 = 1e-4;
/// Number of steps without a check after contact with other moving bodies.
const PUSHED_STEPS: u8 = 16;

impl Ragdoll {
    /// Records the energy right before a step of the world, after all impulses.
    pub fn weigh(&mut self, world: &PhysicsWorld) {
        self.pushed = self.pushed.saturating_sub(1);
        if self.asleep || self.pushed > 0 || !self.is_slack() {
            self.energy = None;
        } else if self.energy.is_none() || world.is_disturbed() {
            self.energy = Some(world.energy_of(self.ids()));
        }
    }

    /// After a step: removes energy that no external cause explains from the motion.
    pub(super) fn dissipate(&mut self, world: &mut PhysicsWorld) {
        let Some(before) = self.energy else {
            return;
        };
        let [motion, height] = world.energy_of(self.ids());
        self.energy = Some([motion, height]);
        let gained = motion + height - (before[0] + before[1]);
        let weight = self.total_mass() * world.gravity().length();
        if gained <= MIN_RISE * weight * self.size() {
            return;
        }
        if world.is_pushed(|| self.ids()) {
            self.pushed = PUSHED_STEPS;
            return;
        }
        let remaining = (motion - gained).max(0.0) / motion.max(f32::MIN_POSITIVE);
        for body in self.ids() {
            world.slow(body, remaining.sqrt());
        }
        self.energy = Some([motion * remaining, height]);
    }

    /// Returns true if only the ground could hold it up.
    fn is_slack(&self) -> bool {
        let is_slack = |body: &RagdollBody| match body.control {
            BodyControl::Limp => true,
            BodyControl::Powered(weight) => weight <= MAX_SLACK_WEIGHT,
            BodyControl::Animated => false,
        };
        self.is_down() && self.bodies.iter().all(is_slack)
    }

    fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies.iter().filter_map(|body: &RagdollBody| body.id)
    }
}
