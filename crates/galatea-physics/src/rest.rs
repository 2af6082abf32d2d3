//! Sleeping of bodies.

use rapier3d::prelude::{RigidBody, RigidBodyActivation};

use super::body_id::BodyId;
use super::world::PhysicsWorld;

impl PhysicsWorld {
    /// Returns true while the body sleeps and is not simulated.
    pub fn is_asleep(&self, id: BodyId) -> bool {
        self.body(id).is_some_and(RigidBody::is_sleeping)
    }

    /// Sets the damping of a body, fraction of the velocity lost per second, without waking it.
    pub(crate) fn set_damping(&mut self, id: BodyId, linear: f32, angular: f32) {
        // The engine prepares the whole island again when a body may have changed.
        let differs = |body: &RigidBody| {
            !body.is_sleeping()
                && (body.linear_damping() != linear || body.angular_damping() != angular)
        };
        if self.body(id).is_some_and(differs)
            && let Some(body) = self.unmoved_mut(id)
        {
            body.set_linear_damping(linear);
            body.set_angular_damping(angular);
        }
    }

    /// Puts a body to sleep. It must not touch moving bodies: the engine supports it only while its whole island sleeps.
    pub fn sleep(&mut self, id: BodyId) {
        if let Some(body) = self.unmoved_mut(id) {
            body.sleep();
        }
    }

    /// Allows a body to fall asleep however it moves, as soon as all bodies that it touches may; otherwise the engine's own
    /// thresholds apply.
    pub(crate) fn allow_sleep(&mut self, id: BodyId, may: bool) {
        let limit = if may {
            f32::MAX
        } else {
            RigidBodyActivation::default_normalized_linear_threshold()
        };
        let is_set = |body: &RigidBody| {
            let has = body.activation();
            let may_now = has.sleeping || has.is_eligible_for_sleep();
            has.normalized_linear_threshold == limit && (may_now || !may)
        };
        if self.body(id).is_none_or(is_set) {
            return;
        }
        if let Some(body) = self.unmoved_mut(id) {
            let activation = body.activation_mut();
            activation.normalized_linear_threshold = limit;
            let seconds = if may {
                activation.time_until_sleep
            } else {
                0.0
            };
            activation.time_since_can_sleep = seconds;
        }
    }

    /// Wakes a body.
    pub fn wake(&mut self, id: BodyId) {
        if self.has(id) {
            self.rapier.wake_up(id.handle, true);
        }
    }
}
