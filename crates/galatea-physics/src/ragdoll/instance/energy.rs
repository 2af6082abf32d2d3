//! The energy of a ragdoll that falls by itself, which must not grow.
//!
//! Where a hard blow leaves links bent beyond their limits, or thin limbs within the ground, the engine sets them
//! right in the ticks that follow, and lifts what hangs on them. What that adds is taken from their motion.

use super::{BodyControl, Ragdoll, RagdollBody};
use crate::body_id::BodyId;
use crate::world::PhysicsWorld;

/// Motors at this weight and below only slow what falls.
const SLACK: f32 = 0.1;
/// Metres that all of it has to be lifted in a step, for a human's size, before it is looked at.
const LEAST: f32 = 1e-4;
/// Steps for which what is in touch with others that move is not looked at again.
const PUSHED: u8 = 16;

impl Ragdoll {
    /// Notes its energy, right before a step of the world: after all that pushes it.
    pub fn weigh(&mut self, world: &PhysicsWorld) {
        self.pushed = self.pushed.saturating_sub(1);
        if self.asleep || self.pushed > 0 || !self.is_slack() {
            self.energy = None;
        } else if self.energy.is_none() || world.is_stirred() {
            self.energy = Some(world.energy_of(self.ids()));
        }
    }

    /// After a step: what it gained without anything that could have given it is taken from its motion.
    pub(super) fn dissipate(&mut self, world: &mut PhysicsWorld) {
        let Some(before) = self.energy else {
            return;
        };
        let [motion, height] = world.energy_of(self.ids());
        self.energy = Some([motion, height]);
        let gained = motion + height - (before[0] + before[1]);
        let weight = self.whole_mass() * world.gravity().length();
        if gained <= LEAST * weight * self.size() {
            return;
        }
        if world.is_pushed(|| self.ids()) {
            self.pushed = PUSHED;
            return;
        }
        let share = (motion - gained).max(0.0) / motion.max(f32::MIN_POSITIVE);
        for body in self.ids() {
            world.slow(body, share.sqrt());
        }
        self.energy = Some([motion * share, height]);
    }

    /// True when nothing but the ground could hold it up.
    fn is_slack(&self) -> bool {
        let is_slack = |body: &RagdollBody| match body.control {
            BodyControl::Limp => true,
            BodyControl::Powered(weight) => weight <= SLACK,
            BodyControl::Animated => false,
        };
        self.is_down() && self.bodies.iter().all(is_slack)
    }

    fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies.iter().filter_map(|body: &RagdollBody| body.id)
    }
}
