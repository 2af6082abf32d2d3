//! The physics engine alone with bodies and joints of ragdolls, as a baseline for benchmarks.

use glam::Vec3;
use rapier3d::prelude::{
    ColliderBuilder, GenericJointBuilder, JointAxesMask, JointAxis, PhysicsWorld, RigidBodyHandle,
    SharedShape, Vector,
};

use super::ragdoll::{JointDefinition, JointKind, RagdollDefinition, RagdollSettings, RigidFrame};
use super::world::set_surface;

/// Ragdolls on a floor without code of this crate: joints are the engine's own with a limit per axis, nothing is reported,
/// and only linked bodies are filtered.
pub struct BareRagdolls {
    rapier: PhysicsWorld,
    joints: Vec<([RigidBodyHandle; 2], JointDefinition)>,
}

impl std::fmt::Debug for BareRagdolls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bare")
            .field("n_bodies", &self.rapier.bodies.len())
            .finish_non_exhaustive()
    }
}

impl BareRagdolls {
    /// World with a floor at height 0 and the given friction.
    pub fn new(friction: f32) -> Self {
        let mut rapier = PhysicsWorld::default();
        rapier.integration_parameters.warmstart_joints = true;
        rapier.gravity = Vec3::NEG_Y * 9.81;
        let mut plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Y)).build();
        set_surface(&mut plane, friction, 0.0);
        rapier.insert_collider(plane, None);
        Self {
            rapier,
            joints: Vec::new(),
        }
    }

    /// Adds a ragdoll with its bodies at the given frames.
    pub fn add(
        &mut self,
        definition: &RagdollDefinition,
        settings: &RagdollSettings,
        at: &[RigidFrame],
    ) {
        let bodies: Vec<_> = definition
            .bodies
            .iter()
            .zip(at)
            .filter_map(|(requested, at)| {
                let (body, mut collider) = super::limb::parts(requested, settings, *at, 1.0)?;
                set_surface(&mut collider, requested.friction, 0.0);
                Some(self.rapier.insert(body, collider).0)
            })
            .collect();
        for link in &definition.joints {
            let ends = [link.parent, link.child].map(|end| bodies.get(usize::from(end)).copied());
            let [Some(parent), Some(child)] = ends else {
                continue;
            };
            let lin = JointAxesMask::LIN_AXES;
            let joint = match link.kind {
                JointKind::TwistCone { swing, twist } => GenericJointBuilder::new(lin)
                    .limits(JointAxis::AngX, twist)
                    .limits(JointAxis::AngY, [-swing[0], swing[0]])
                    .limits(JointAxis::AngZ, [-swing[1], swing[1]]),
                JointKind::Hinge { range } => {
                    GenericJointBuilder::new(lin | JointAxesMask::ANG_Y | JointAxesMask::ANG_Z)
                        .limits(JointAxis::AngX, range)
                }
                JointKind::Fixed => GenericJointBuilder::new(JointAxesMask::all()),
            };
            let joint = joint
                .local_frame1(link.parent_from_joint.into())
                .local_frame2(link.child_from_joint.into())
                .contacts_enabled(false);
            self.rapier.insert_impulse_joint(parent, child, joint);
            self.joints.push(([parent, child], link.clone()));
        }
    }

    /// Advances by `dt` seconds.
    pub fn step(&mut self, dt: f32) {
        self.rapier.integration_parameters.dt = dt;
        self.rapier.step();
    }

    /// Calls `visit` with the distance between both ends of every joint, metres, and its excess over its limits, radians.
    pub fn each_joint(&self, mut visit: impl FnMut(f32, f32)) {
        for (ends, link) in &self.joints {
            let ends = ends.map(|end| self.rapier.bodies.get(end));
            let [Some(a), Some(b)] = ends else {
                continue;
            };
            let [a, b] = [a, b].map(|body| RigidFrame::from(*body.position()));
            let from = a.point(link.parent_from_joint.position);
            let gap = from.distance(b.point(link.child_from_joint.position));
            visit(gap, link.excess(a.rotation, b.rotation));
        }
    }
}
