//! A hand in the world: a soft spring that holds a body by a place on it and drags it along.

use glam::Vec3;
use rapier3d::prelude::{
    GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis, MotorModel,
    RigidBodyBuilder, RigidBodyHandle,
};

use super::body_id::BodyId;
use super::ragdoll::RigidFrame;
use super::world::{PhysicsWorld, placed};

/// Rounds of the solver more, so that a whole body can hang on a hand.
const FIRM: usize = 12;
/// The least that a held body weighs as a share of what hangs on it. The solver cannot hang a man on three
/// hundred grams.
const LEAST_SHARE: f32 = 0.1;

/// A hold on a body.
#[derive(Clone, Debug)]
pub struct Grab {
    anchor: BodyId,
    joint: ImpulseJointHandle,
    /// Rounds of the solver that the body had over those of others.
    rounds: usize,
    /// It was made heavier.
    is_heavier: bool,
}

/// How a hand pulls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrabSpring {
    /// Hertz of its spring.
    pub frequency: f32,
    /// Kilograms that hang on it.
    pub mass: f32,
    /// Most newtons along each axis.
    pub force: f32,
}

impl PhysicsWorld {
    /// Holds a body that moves freely by a place in its own space; `to` is where the hand is.
    pub fn grab(&mut self, body: BodyId, own: Vec3, to: Vec3, grip: GrabSpring) -> Option<Grab> {
        let held = self.body(body).filter(|body| body.is_dynamic())?;
        let (owner, rounds) = (held.user_data, held.additional_solver_iterations());
        let more = (grip.mass * LEAST_SHARE - held.mass()).max(0.0);
        let at = RigidFrame {
            position: to,
            ..RigidFrame::IDENTITY
        };
        let anchor = RigidBodyBuilder::kinematic_position_based()
            .pose(placed(at))
            .user_data(owner);
        let anchor = self.rapier.insert_body(anchor.build());
        let mass = grip.mass.max(1e-3);
        let turn = std::f32::consts::TAU * grip.frequency.clamp(0.1, 15.0);
        let mut joint = GenericJointBuilder::new(JointAxesMask::empty())
            .local_anchor2(own)
            .build();
        for axis in [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ] {
            joint.set_motor_model(axis, MotorModel::ForceBased);
            joint.set_motor(axis, 0.0, 0.0, mass * turn * turn, 2.0 * mass * turn);
            joint.set_motor_max_force(axis, grip.force.max(0.0));
        }
        let joint = self.rapier.insert_impulse_joint(anchor, body.handle, joint);
        let is_heavier = more > 0.0;
        self.hold_firmly(body.handle, rounds.max(FIRM), is_heavier.then_some(more));
        self.wake(body);
        Some(Grab {
            anchor: self.id(anchor),
            joint,
            rounds,
            is_heavier,
        })
    }

    fn hold_firmly(&mut self, body: RigidBodyHandle, iterations: usize, more: Option<f32>) {
        if let Some(body) = self.rapier.bodies.get_mut(body) {
            body.set_additional_solver_iterations(iterations);
            // Things may have some of their own.
            if let Some(more) = more {
                body.set_additional_mass(more, true);
            }
        }
    }

    /// Moves a hand in the coming step; false when what it held is gone.
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

    /// Lets go of what a hand holds.
    pub fn release(&mut self, grab: &Grab) {
        if self.has(grab.anchor) {
            let held = self.rapier.impulse_joints.get(grab.joint);
            if let Some(held) = held.map(|joint| joint.body2()) {
                self.hold_firmly(held, grab.rounds, grab.is_heavier.then_some(0.0));
            }
            self.rapier.remove_impulse_joint(grab.joint);
            self.remove(grab.anchor);
        }
    }
}
