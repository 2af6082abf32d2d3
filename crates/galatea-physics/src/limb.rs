//! Bodies of ragdolls in the world.

use glam::Vec3;
use rapier3d::prelude::{
    ActiveEvents, ActiveHooks, Collider, ColliderBuilder, MassProperties, RigidBody,
    RigidBodyBuilder, RigidBodyType,
};

use super::body_id::BodyId;
use super::ragdoll::{BodyDefinition, RagdollSettings, RigidFrame};
use super::shape::CollisionShape;
use super::solid::{PhysicsMaterial, Velocity};
use super::tag::Apart;
use super::tag::{Owner, tag};
use super::world::{PhysicsWorld, finite, placed, wear};

/// Steps of the solver, and rounds in each, over those that things get: chains of limbs need them.
const MORE_STEPS: usize = 2;
const MORE_ROUNDS: usize = 2;
/// The least moment of inertia as a share of a limb's greatest. A thin limb's own about its length is so
/// small that links cannot hold it.
const LEAST_INERTIA: f32 = 0.5;
/// Factor on all of them, for the same reason.
const MORE_INERTIA: f32 = 1.5;

impl PhysicsWorld {
    /// Puts a limb into the world: which of its owner's parts it is, and a bit for each of those that it
    /// passes through. `None` for a form that cannot be made.
    #[expect(clippy::too_many_arguments, reason = "all of them are one limb")]
    pub(crate) fn add_limb(
        &mut self,
        owner: Owner,
        (part, apart): (u16, u32),
        asked: &BodyDefinition,
        settings: &RagdollSettings,
        surface: &PhysicsMaterial,
        at: RigidFrame,
        scale: f32,
        velocity: Velocity,
    ) -> Option<BodyId> {
        let (mut body, mut collider) = parts(asked, settings, at, scale)?;
        let velocity = finite(velocity);
        body.set_linvel(velocity.linear, true);
        body.set_angvel(velocity.angular, true);
        body.user_data = u128::from(owner.0);
        collider.set_collision_groups(self.groups(settings.layer));
        // The engine works out the contacts of what it has to ask about anew in each step.
        if apart != 0 {
            collider.set_active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
        }
        collider.set_active_events(ActiveEvents::COLLISION_EVENTS);
        collider.user_data = tag(owner, part, Apart(apart));
        wear(&mut collider, asked.friction, surface.bounce);
        let (handle, _) = self.rapier.insert(body, collider);
        self.is_dirty = true;
        Some(self.id(handle))
    }

    /// True when a body moves freely, `None` when there is none.
    pub fn is_free(&self, id: BodyId) -> Option<bool> {
        self.body(id).map(|body| body.is_dynamic())
    }

    /// Has a body move freely, with a speed to begin with, or go where it is told.
    pub(crate) fn set_free(&mut self, id: BodyId, free: bool, velocity: Velocity) {
        let Some(body) = self.body_mut(id) else {
            return;
        };
        if free {
            let velocity = finite(velocity);
            body.set_body_type(RigidBodyType::Dynamic, true);
            body.set_linvel(velocity.linear, true);
            body.set_angvel(velocity.angular, true);
        } else {
            body.set_body_type(RigidBodyType::KinematicPositionBased, true);
            let here = *body.position();
            body.set_next_kinematic_position(here);
        }
    }
}

/// Steps of the solver over those of things, within each of [`PhysicsWorld::step`]: the more, the smaller a body is. Those steps are
/// finer by the root of its size already; with no more than that, limits of small ragdolls gave way for good.
fn more_steps(scale: f32) -> usize {
    (MORE_STEPS as f32 / scale.clamp(0.01, 1.0)).round() as usize
}

/// A limb's body and its form, nobody's yet. `None` for a form that cannot be made.
pub(super) fn parts(
    asked: &BodyDefinition,
    settings: &RagdollSettings,
    at: RigidFrame,
    scale: f32,
) -> Option<(RigidBody, Collider)> {
    let shape = CollisionShape::from(asked.shape).shared(scale).ok()?;
    let body = RigidBodyBuilder::dynamic()
        .pose(placed(at))
        .linear_damping(settings.damping)
        .angular_damping(settings.spin_damping)
        .gravity_scale(settings.gravity)
        .additional_solver_iterations(more_steps(scale))
        .additional_pgs_iterations(MORE_ROUNDS)
        .build();
    let mass = (asked.mass * scale.powi(3)).max(1e-4);
    let mut own = shape.mass_properties(1.0);
    own.set_mass(mass, true);
    let inertia = own.principal_inertia();
    let least = inertia.max_element() * LEAST_INERTIA;
    let own = MassProperties::with_principal_inertia_frame(
        own.local_com,
        mass,
        inertia.max(Vec3::splat(least)) * MORE_INERTIA,
        own.principal_inertia_local_frame,
    );
    let collider = ColliderBuilder::new(shape).mass_properties(own).build();
    Some((body, collider))
}
