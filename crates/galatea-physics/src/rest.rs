//! What rests in the world, and what may.

use rapier3d::prelude::{RigidBody, RigidBodyActivation};

use super::body_id::BodyId;
use super::world::PhysicsWorld;

impl PhysicsWorld {
    /// True while it rests and is not computed.
    pub fn is_asleep(&self, id: BodyId) -> bool {
        self.body(id).is_some_and(RigidBody::is_sleeping)
    }

    /// Sets the share of its speed that a body loses per second, without waking it.
    pub(crate) fn set_damping(&mut self, id: BodyId, linear: f32, angular: f32) {
        // The engine makes ready anew all that is joined when a body may have changed.
        let differs = |body: &RigidBody| {
            !body.is_sleeping()
                && (body.linear_damping() != linear || body.angular_damping() != angular)
        };
        if self.body(id).is_some_and(differs)
            && let Some(body) = self.still_mut(id)
        {
            body.set_linear_damping(linear);
            body.set_angular_damping(angular);
        }
    }

    /// Puts a body to rest, which must touch nothing that moves: the engine holds it up only while all that hangs
    /// together sleeps.
    pub fn sleep(&mut self, id: BodyId) {
        if let Some(body) = self.still_mut(id) {
            body.sleep();
        }
    }

    /// Whether a body may be put to rest however it moves, from now on, as soon as all that it touches may be. Else
    /// the engine's own limits hold.
    pub(crate) fn let_sleep(&mut self, id: BodyId, may: bool) {
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
        if let Some(body) = self.still_mut(id) {
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
