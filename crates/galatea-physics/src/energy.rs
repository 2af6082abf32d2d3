//! Energy of dynamic bodies.

use rapier3d::prelude::{RigidBody, RigidBodyHandle};

use super::body_id::BodyId;
use super::world::PhysicsWorld;

impl PhysicsWorld {
    /// Kinetic and potential energy of all dynamic bodies, joules; heights are relative to the origin.
    pub fn energy(&self) -> f32 {
        let [motion, height] = self.sum(self.moving_bodies());
        motion + height
    }

    /// Kinetic energy of all dynamic bodies, joules.
    pub fn energy_of_motion(&self) -> f32 {
        self.sum(self.moving_bodies())[0]
    }

    /// Kinetic and potential energy of some bodies, joules.
    pub(crate) fn energy_of(&self, bodies: impl Iterator<Item = BodyId>) -> [f32; 2] {
        self.sum(bodies.filter_map(|id| self.body(id)))
    }

    /// Returns true if any of these bodies touches, or is joined to, another body that can move.
    pub(super) fn is_pushed<I: Iterator<Item = BodyId>>(&self, bodies: impl Fn() -> I) -> bool {
        let is_other = |handle: RigidBodyHandle| {
            let is_fixed = self
                .rapier
                .bodies
                .get(handle)
                .is_none_or(RigidBody::is_fixed);
            !is_fixed && bodies().all(|own| own.handle != handle)
        };
        bodies().any(|id| {
            let mut tied = self.rapier.impulse_joints.attached_joints(id.handle);
            let is_tied = tied.any(|(a, b, _, _)| is_other(a) || is_other(b));
            let touches = |collider| {
                let mut pairs = self.rapier.narrow_phase.contact_pairs_with(collider);
                pairs.any(|pair| {
                    let ends = [pair.collider1, pair.collider2];
                    let mut bodies = ends
                        .iter()
                        .filter_map(|end| self.rapier.colliders.get(*end)?.parent());
                    pair.has_any_active_contact() && bodies.any(is_other)
                })
            };
            let colliders = self.body(id).map_or(&[][..], RigidBody::colliders);
            is_tied || colliders.iter().any(|collider| touches(*collider))
        })
    }

    /// Scales the velocity of a body without waking it.
    pub(super) fn slow(&mut self, id: BodyId, factor: f32) {
        if let Some(body) = self.unmoved_mut(id) {
            let (linear, angular) = (body.linvel(), body.angvel());
            body.set_linvel(linear * factor, false);
            body.set_angvel(angular * factor, false);
        }
    }

    fn moving_bodies(&self) -> impl Iterator<Item = &RigidBody> {
        let bodies = self.rapier.bodies.iter().map(|(_, body)| body);
        bodies.filter(|body| body.is_dynamic() && body.is_enabled())
    }

    fn sum<'a>(&self, bodies: impl Iterator<Item = &'a RigidBody>) -> [f32; 2] {
        bodies.fold([0.0; 2], |[motion, height], body| {
            let fall = self.rapier.gravity * body.gravity_scale();
            let below = body.mass() * fall.dot(body.center_of_mass());
            [motion + body.kinetic_energy(), height - below]
        })
    }
}
