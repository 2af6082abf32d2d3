//! Grabbing: a soft spring between a hand and a point on a body.

use glam::Vec3;
use rapier3d::prelude::{
    GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis, MotorModel,
    RigidBodyBuilder, RigidBodyHandle,
};
use serde::{Deserialize, Serialize};

use super::body_id::BodyId;
use super::ragdoll::RigidFrame;
use super::world::{PhysicsWorld, clamped_pose};

/// Additional solver iterations, so that a whole ragdoll can hang on a hand.
const GRAB_ITERATIONS: usize = 12;
/// Minimum mass of a grabbed body as a fraction of the mass that hangs on it. The solver cannot support a man on a body of
/// three hundred grams.
const MIN_MASS_FRACTION: f32 = 0.1;

/// Handle of a grabbed body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grab {
    anchor: BodyId,
    joint: ImpulseJointHandle,
    /// Additional solver iterations that the body had before.
    rounds: usize,
    /// The mass of the body was increased.
    is_heavier: bool,
}

/// Settings of the spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrabSpring {
    /// Natural frequency, hertz.
    pub frequency: f32,
    /// Mass that hangs on it, kilograms.
    pub mass: f32,
    /// Maximum force along each axis, newtons.
    pub max_force: f32,
}

impl PhysicsWorld {
    /// Grabs a dynamic body at the point `own` in its space; `to` is the position of the hand.
    pub fn grab(&mut self, body: BodyId, own: Vec3, to: Vec3, grip: GrabSpring) -> Option<Grab> {
        let held = self.body(body).filter(|body| body.is_dynamic())?;
        let (owner, rounds) = (held.user_data, held.additional_solver_iterations());
        let more = (grip.mass * MIN_MASS_FRACTION - held.mass()).max(0.0);
        let at = RigidFrame {
            position: to,
            ..RigidFrame::IDENTITY
        };
        let anchor = RigidBodyBuilder::kinematic_position_based()
            .pose(clamped_pose(at))
            .user_data(owner);
        let anchor = self.rapier.insert_body(anchor.build());
        let mass = grip.mass.max(1e-3);
        let omega = std::f32::consts::TAU * grip.frequency.clamp(0.1, 15.0);
        let mut joint = GenericJointBuilder::new(JointAxesMask::empty())
            .local_anchor2(own)
            .build();
        for axis in [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ] {
            joint.set_motor_model(axis, MotorModel::ForceBased);
            joint.set_motor(axis, 0.0, 0.0, mass * omega * omega, 2.0 * mass * omega);
            joint.set_motor_max_force(axis, grip.max_force.max(0.0));
        }
        let joint = self.rapier.insert_impulse_joint(anchor, body.handle, joint);
        let is_heavier = more > 0.0;
        self.set_solver_effort(
            body.handle,
            rounds.max(GRAB_ITERATIONS),
            is_heavier.then_some(more),
        );
        self.wake(body);
        Some(Grab {
            anchor: self.id(anchor),
            joint,
            rounds,
            is_heavier,
        })
    }

    fn set_solver_effort(&mut self, body: RigidBodyHandle, iterations: usize, more: Option<f32>) {
        if let Some(body) = self.rapier.bodies.get_mut(body) {
            body.set_additional_solver_iterations(iterations);
            // The body may have additional mass of its own.
            if let Some(more) = more {
                body.set_additional_mass(more, true);
            }
        }
    }

    /// Moves the hand in the coming step. Returns false if the grabbed body was removed.
    pub fn drag(&mut self, grab: &Grab, to: Vec3) -> bool {
        if !self.has(grab.anchor) {
            return false;
        }
        let Some(joint) = self.rapier.impulse_joints.get_mut(grab.joint, true) else {
            return false;
        };
        let held = joint.body2();
        self.rapier.wake_up(held, true);
        if to.is_finite() {
            let at = RigidFrame {
                position: to,
                ..RigidFrame::IDENTITY
            };
            self.move_to(grab.anchor, at);
        }
        true
    }

    /// Releases the grabbed body.
    pub fn release(&mut self, grab: &Grab) {
        if self.has(grab.anchor) {
            let held = self.rapier.impulse_joints.get(grab.joint);
            if let Some(held) = held.map(|joint| joint.body2()) {
                self.set_solver_effort(held, grab.rounds, grab.is_heavier.then_some(0.0));
            }
            self.rapier.remove_impulse_joint(grab.joint);
            self.remove(grab.anchor);
        }
    }
}
