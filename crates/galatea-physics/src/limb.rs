//! Bodies of ragdolls in the world.

use glam::Vec3;
use rapier3d::prelude::{
    ActiveEvents, ActiveHooks, Collider, ColliderBuilder, MassProperties, RigidBody,
    RigidBodyBuilder, RigidBodyType,
};

use super::body_id::BodyId;
use super::prop_body::{PhysicsMaterial, Velocity};
use super::ragdoll::{BodyDefinition, RagdollQuality, RagdollSettings, RigidFrame};
use super::shape::CollisionShape;
use super::tag::IgnoredParts;
use super::tag::{Owner, tag};
use super::world::{MIN_REFINED_SIZE, PhysicsWorld, clamped_pose, finite, set_surface};

/// Additional solver steps and iterations per step compared with other bodies; chains of limbs need them.
const EXTRA_STEPS: usize = 2;
const EXTRA_ITERATIONS: usize = 2;
/// Minimum moment of inertia as a fraction of a limb's largest one. The moment of a thin limb about its length is too small
/// for stable joints.
const MIN_INERTIA: f32 = 0.5;
/// Factor of all moments of inertia, for the same reason.
const INERTIA_FACTOR: f32 = 1.5;

impl PhysicsWorld {
    /// Adds a limb: `part` is its index in the ragdoll, `apart` a bit mask of the parts that it does not collide with.
    /// `None` for an invalid shape.
    #[expect(clippy::too_many_arguments, reason = "all of them are one limb")]
    pub(crate) fn add_limb(
        &mut self,
        owner: Owner,
        (part, apart): (u16, u32),
        definition: &BodyDefinition,
        settings: &RagdollSettings,
        surface: &PhysicsMaterial,
        at: RigidFrame,
        scale: f32,
        velocity: Velocity,
    ) -> Option<BodyId> {
        let (mut body, mut collider) = parts(definition, settings, at, scale)?;
        let velocity = finite(velocity);
        body.set_linvel(velocity.linear, true);
        body.set_angvel(velocity.angular, true);
        body.user_data = u128::from(owner.0);
        collider.set_collision_groups(self.groups(settings.layer));
        // The engine recomputes contacts with hooks in each step.
        if apart != 0 {
            collider.set_active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
        }
        collider.set_active_events(ActiveEvents::COLLISION_EVENTS);
        collider.user_data = tag(owner, part, IgnoredParts(apart));
        set_surface(&mut collider, definition.friction, surface.restitution);
        let (handle, _) = self.rapier.insert(body, collider);
        self.is_dirty = true;
        Some(self.id(handle))
    }

    /// Returns true if a body is dynamic; `None` if it does not exist.
    pub fn is_free(&self, id: BodyId) -> Option<bool> {
        self.body(id).map(|body| body.is_dynamic())
    }

    /// Changes the effort of the solver for a limb, unless something that holds it has raised the effort.
    pub(crate) fn set_quality(
        &mut self,
        id: BodyId,
        from: RagdollQuality,
        to: RagdollQuality,
        scale: f32,
    ) {
        let (before, [steps, iterations]) = (effort(from, scale), effort(to, scale));
        if let Some(body) = self.unmoved_mut(id)
            && before
                == [
                    body.additional_solver_iterations(),
                    body.additional_pgs_iterations(),
                ]
        {
            body.set_additional_solver_iterations(steps);
            body.set_additional_pgs_iterations(iterations);
        }
    }

    /// Makes a body dynamic with an initial velocity, or kinematic.
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
            let pose = *body.position();
            body.set_next_kinematic_position(pose);
        }
    }
}

/// Additional solver steps within each step of [`PhysicsWorld::step`]: more for smaller bodies. The substeps are already
/// shorter by the square root of the size, but with that alone joint limits of small ragdolls stayed violated.
fn extra_steps(scale: f32) -> usize {
    (EXTRA_STEPS as f32 / scale.clamp(MIN_REFINED_SIZE, 1.0)).round() as usize
}

/// Additional solver steps, and additional iterations in each, compared with other bodies. Without additional iterations
/// too, joints of piles violate their limits by more than 100°.
fn effort(quality: RagdollQuality, scale: f32) -> [usize; 2] {
    match quality {
        RagdollQuality::Fast => [
            extra_steps(scale).saturating_sub(EXTRA_STEPS),
            EXTRA_ITERATIONS,
        ],
        RagdollQuality::Exact => [extra_steps(scale), EXTRA_ITERATIONS],
    }
}

/// Body and collider of a limb, without an owner. `None` for an invalid shape.
pub(super) fn parts(
    definition: &BodyDefinition,
    settings: &RagdollSettings,
    at: RigidFrame,
    scale: f32,
) -> Option<(RigidBody, Collider)> {
    let shape = CollisionShape::from(definition.shape).shared(scale).ok()?;
    let [steps, iterations] = effort(settings.quality, scale);
    let body = RigidBodyBuilder::dynamic()
        .pose(clamped_pose(at))
        .linear_damping(settings.damping)
        .angular_damping(settings.angular_damping)
        .gravity_scale(settings.gravity_scale)
        .additional_solver_iterations(steps)
        .additional_pgs_iterations(iterations)
        .build();
    let mass = (definition.mass * scale.powi(3)).max(1e-4);
    let mut own = shape.mass_properties(1.0);
    own.set_mass(mass, true);
    let inertia = own.principal_inertia();
    let min = inertia.max_element() * MIN_INERTIA;
    let own = MassProperties::with_principal_inertia_frame(
        own.local_com,
        mass,
        inertia.max(Vec3::splat(min)) * INERTIA_FACTOR,
        own.principal_inertia_local_frame,
    );
    let collider = ColliderBuilder::new(shape).mass_properties(own).build();
    Some((body, collider))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Affine3A;

    use super::*;
    use crate::ragdoll::{BodyControl, BodyShape, Ragdoll, RagdollDefinition};

    #[test]
    fn quality_changes_the_iterations_of_new_and_of_existing_limbs() {
        let definition = RagdollDefinition {
            bodies: vec![BodyDefinition {
                bone: 0,
                bone_from_body: RigidFrame::IDENTITY,
                shape: BodyShape::Sphere { radius: 0.1 },
                mass: 5.0,
                friction: 0.7,
            }],
            ..RagdollDefinition::default()
        };
        let definition = Arc::new(definition);
        let surface = PhysicsMaterial::new("stone", 0.7, 0.0);
        let mut world = PhysicsWorld::new();
        for scale in [1.0, 0.25] {
            let mut ragdoll = Ragdoll::new(definition.clone(), RagdollSettings::default());
            ragdoll.set_all(BodyControl::Limp);
            ragdoll.aim(Affine3A::IDENTITY, &[Affine3A::IDENTITY], scale);
            let mut iterations = |quality| {
                ragdoll.settings.quality = quality;
                ragdoll.before_step(&mut world, Owner(1), &surface, 1.0 / 60.0);
                let body = world.body(ragdoll.body(0).unwrap()).unwrap();
                [
                    body.additional_solver_iterations(),
                    body.additional_pgs_iterations(),
                ]
            };
            let exact = effort(RagdollQuality::Exact, scale);
            let fast = effort(RagdollQuality::Fast, scale);
            assert_eq!(fast, [exact[0] - EXTRA_STEPS, exact[1]]);
            assert_eq!(iterations(RagdollQuality::Exact), exact);
            assert_eq!(iterations(RagdollQuality::Fast), fast);
            assert_eq!(iterations(RagdollQuality::Exact), exact);
        }
    }
}
