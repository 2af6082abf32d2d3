//! Joints between two bodies of a ragdoll: limits, the swing cone, and motors.
//!
//! The engine limits each axis separately, which makes the range of a swing a pyramid. Here a ball joint has two limits that
//! are valid for its current rotation and are updated as it rotates. One is about the axis that leads out of the elliptic
//! cone at its nearest edge; the other limits the twist, about the axis midway between parent and child. They are solved
//! together with the ball, so neither undoes the other. Motors have a separate joint. Angles are those of swing and twist:
//! `q = swing · twist`, twist about X first.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};
use rapier3d::prelude::{
    GenericJoint, GenericJointBuilder, ImpulseJoint, ImpulseJointHandle, JointAxesMask, JointAxis,
    MotorModel,
};
use serde::{Deserialize, Serialize};

use super::body_id::BodyId;
use super::cone;
use super::ragdoll::{JointDefinition, JointKind, RigidFrame};
use super::world::PhysicsWorld;
use galatea_math::ellipse;

/// Angles between the two frames of a joint, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointAngles {
    /// Twist about X.
    pub twist: f32,
    /// Rotation vector of the swing, about Y and Z.
    pub swing: Vec2,
}

impl JointAngles {
    /// Angles of the rotation from the joint's frame in the parent to its frame in the child.
    pub fn of(rotation: Quat) -> Self {
        let q = if rotation.w < 0.0 {
            -rotation
        } else {
            rotation
        };
        let twist = 2.0 * f32::atan2(q.x, q.w);
        let twist = if twist > PI { twist - TAU } else { twist };
        let swing = q * Quat::from_rotation_x(-twist);
        let swing = if swing.w < 0.0 { -swing } else { swing };
        let sine = Vec2::new(swing.y, swing.z);
        let angle = 2.0 * f32::atan2(sine.length(), swing.w);
        Self {
            twist,
            swing: sine.normalize_or_zero() * angle,
        }
    }

    /// Angle outside of the joint's limits, radians.
    pub fn excess(self, kind: JointKind) -> f32 {
        let outside = |angle: f32, [low, high]: [f32; 2]| (low - angle).max(angle - high).max(0.0);
        match kind {
            JointKind::TwistCone { swing, twist } => {
                outside(self.twist, twist).max(ellipse::excess(swing, self.swing))
            }
            JointKind::Hinge { range } => outside(self.twist, range).max(self.swing.length()),
            JointKind::Fixed => self.twist.abs().max(self.swing.length()),
        }
        .max(0.0)
    }
}

/// Rotation from a joint's frame in the parent body to that in the child.
pub fn rotation_of(link: &JointDefinition, parent: Quat, child: Quat) -> Quat {
    let from = parent * link.parent_from_joint.rotation;
    (from.conjugate() * child * link.child_from_joint.rotation).normalize()
}

impl JointDefinition {
    /// Angle by which two bodies with these rotations are outside of the joint's limits, radians.
    pub fn excess(&self, parent: Quat, child: Quat) -> f32 {
        JointAngles::of(rotation_of(self, parent, child)).excess(self.kind)
    }
}

/// A joint in the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RagdollJoint {
    joint: ImpulseJointHandle,
    /// Motor joint of a ball joint.
    motor: Option<ImpulseJointHandle>,
    /// Rotation of a ball joint when its limits were last updated.
    set: Option<Quat>,
    /// Angles beyond its limits that the joint is still allowed because it started there, radians: lower and upper of the
    /// twist or hinge, and of the swing.
    slack: [f32; 3],
    /// The motor of a hinge is on.
    driven: bool,
}

/// Angular speed at which a joint that started outside of its limits returns into them, radians per second.
const RECOVERY_SPEED: f32 = 2.5;
/// Fraction of its range above which a joint is near its limit.
const NEAR_LIMIT: f32 = 0.65;
/// Rotation after which limits are updated, radians: near a limit, and elsewhere.
const UPDATE_ANGLE: [f32; 2] = [0.02, 0.3];

/// Strength of motors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Natural frequency, hertz; 0 switches the motor off.
    pub frequency: f32,
    /// Damping ratio.
    pub damping: f32,
    /// Maximum torque, newton metres.
    pub torque: f32,
}

impl Drive {
    /// Stiffness and damping per moment of inertia.
    fn gains(self) -> (f32, f32) {
        let omega = TAU * self.frequency.max(0.0);
        (omega * omega, 2.0 * self.damping.max(0.0) * omega)
    }
}

impl PhysicsWorld {
    /// Joins two bodies; lengths of the definition are scaled. Bodies that are outside of the limits now return into them
    /// gradually.
    pub fn add_joint(
        &mut self,
        parent: BodyId,
        child: BodyId,
        link: &JointDefinition,
        scale: f32,
    ) -> Option<RagdollJoint> {
        let (at, to) = (self.frame(parent)?, self.frame(child)?);
        let angles = JointAngles::of(rotation_of(link, at.rotation, to.rotation));
        let lin = JointAxesMask::LIN_AXES;
        let mut slack = [0.0; 3];
        let past =
            |angle: f32, [low, high]: [f32; 2]| [low - angle, angle - high].map(|n| n.max(0.0));
        let mut joint = match link.kind {
            JointKind::TwistCone { swing, twist } => {
                let [below, above] = past(angles.twist, twist);
                slack = [below, above, ellipse::excess(swing, angles.swing)];
                GenericJointBuilder::new(lin)
            }
            JointKind::Hinge { range } => {
                let [below, above] = past(angles.twist, range);
                slack = [below, above, 0.0];
                GenericJointBuilder::new(lin | JointAxesMask::ANG_Y | JointAxesMask::ANG_Z)
            }
            JointKind::Fixed => GenericJointBuilder::new(JointAxesMask::all()),
        };
        joint = joint
            .local_frame1(link.parent_from_joint.scaled(scale).into())
            .local_frame2(link.child_from_joint.scaled(scale).into())
            .contacts_enabled(false);
        if let JointKind::Hinge { range: [low, high] } = link.kind {
            joint = joint.limits(JointAxis::AngX, [low - slack[0], high + slack[1]]);
        }
        let joint = self
            .rapier
            .insert_impulse_joint(parent.handle, child.handle, joint);
        Some(RagdollJoint {
            joint,
            motor: None,
            set: None,
            slack,
            driven: false,
        })
    }

    /// Updates the limits for the current rotation before a step of `dt` seconds. `turning` is the angular speed, radians
    /// per second.
    pub(crate) fn update_joint(
        &mut self,
        link: &mut RagdollJoint,
        definition: &JointDefinition,
        rotation: Quat,
        turning: f32,
        dt: f32,
    ) {
        let before = link.slack;
        for slack in &mut link.slack {
            *slack = (*slack - RECOVERY_SPEED * dt).max(0.0);
        }
        let (swing, twist) = match definition.kind {
            JointKind::TwistCone { swing, twist } => (swing, twist),
            JointKind::Hinge { range: [low, high] } => {
                if before != link.slack
                    && let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false)
                {
                    let limits = [low - link.slack[0], high + link.slack[1]];
                    joint.data.set_limits(JointAxis::AngX, limits);
                }
                return;
            }
            JointKind::Fixed => return,
        };
        let angles = JointAngles::of(rotation);
        let swing = swing.map(|half| half + link.slack[2]);
        let [low, high] = [twist[0] - link.slack[0], twist[1] + link.slack[1]];
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let is_near = angles.swing.length() + turning * dt
            > NEAR_LIMIT * ellipse::radius(swing, angles.swing)
            || (angles.twist - middle).abs() + turning * dt > NEAR_LIMIT * half;
        let slack = UPDATE_ANGLE[usize::from(!is_near)];
        let has_rotated = link
            .set
            .is_none_or(|set| set.dot(rotation).abs() < (slack / 2.0).cos());
        if !has_rotated && before == link.slack {
            return;
        }
        if let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false) {
            let near = cone::tangent_limit(swing, angles.swing);
            // With these rotations both frames coincide, and angles are relative to here.
            let frames = [near.frame, rotation.conjugate() * near.frame];
            let impulses = rotate_frames(&mut joint.data, definition, frames) * linear(joint);
            for i in 0..3 {
                joint.impulses[i] = impulses[i];
            }
            let scale = near.twist_scale;
            let twist = [low, high].map(|end| (end - angles.twist) * scale);
            let twist = if half < PI - 0.01 { twist } else { [-PI, PI] };
            joint.data.set_limits(JointAxis::AngX, twist);
            let out = near.outwards;
            let out = if cone::is_ball(swing) {
                [-PI, PI]
            } else {
                [out - PI, out]
            };
            joint.data.set_limits(JointAxis::AngY, out);
            link.set = Some(rotation);
        }
    }

    /// Drives a joint by motors towards a target: the rotation from the frame in the parent to that in the child, and its
    /// angular velocity in the parent's frame, radians per second. `None` switches the motors off.
    pub(crate) fn drive_joint(
        &mut self,
        link: &mut RagdollJoint,
        definition: &JointDefinition,
        target: Option<(Quat, Vec3, Drive)>,
    ) {
        let Some((turn, speed, drive)) = target else {
            self.stop_motors(link);
            return;
        };
        let axes: &[JointAxis] = match definition.kind {
            JointKind::TwistCone { .. } => &[JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ],
            JointKind::Hinge { .. } => &[JointAxis::AngX],
            JointKind::Fixed => return,
        };
        if link.motor.is_none() && matches!(definition.kind, JointKind::TwistCone { .. }) {
            let Some(ball) = self.rapier.impulse_joints.get(link.joint) else {
                return;
            };
            let (parent, child) = (ball.body1(), ball.body2());
            let mut motor = GenericJointBuilder::new(JointAxesMask::empty())
                .local_frame1(ball.data.local_frame1)
                .local_frame2(ball.data.local_frame2)
                .contacts_enabled(false)
                .build();
            rotate_frames(&mut motor, definition, [Quat::IDENTITY; 2]);
            link.motor = Some(self.rapier.insert_impulse_joint(parent, child, motor));
        }
        let joint = link.motor.unwrap_or(link.joint);
        if let Some(joint) = self.rapier.impulse_joints.get_mut(joint, false) {
            link.driven = link.motor.is_none();
            drive_turn(&mut joint.data, axes, turn, speed, drive);
        }
    }

    /// Switches the motors of a joint off.
    fn stop_motors(&mut self, link: &mut RagdollJoint) {
        if let Some(motor) = link.motor.take() {
            self.rapier.remove_impulse_joint(motor);
        } else if std::mem::take(&mut link.driven)
            && let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false)
        {
            joint.data.motor_axes = JointAxesMask::empty();
        }
    }

    /// Removes a joint; its bodies stay.
    pub(crate) fn unlink(&mut self, link: RagdollJoint) {
        for joint in [Some(link.joint), link.motor].into_iter().flatten() {
            self.rapier.remove_impulse_joint(joint);
        }
    }
}

/// Rotates the frames of a joint within its bodies. Returns the rotation from the old to the new frame in the first body.
fn rotate_frames(
    joint: &mut GenericJoint,
    link: &JointDefinition,
    [parent, child]: [Quat; 2],
) -> Quat {
    let before = joint.local_frame1.rotation;
    joint.local_frame1.rotation = (link.parent_from_joint.rotation * parent).normalize();
    joint.local_frame2.rotation = (link.child_from_joint.rotation * child).normalize();
    joint.local_frame1.rotation.conjugate() * before
}

/// Impulse of a ball joint in the last step, along the axes of its first frame.
fn linear(joint: &ImpulseJoint) -> Vec3 {
    let [x, y, z] = [0, 1, 2].map(|i| joint.impulses[i]);
    Vec3::new(x, y, z)
}

/// Sets motor targets. The engine's motors measure an axis as twice the arc sine of the quaternion's component.
pub(super) fn drive_turn(
    joint: &mut GenericJoint,
    axes: &[JointAxis],
    rotation: Quat,
    speed: Vec3,
    drive: Drive,
) {
    let q = if rotation.w < 0.0 {
        -rotation
    } else {
        rotation
    };
    let (stiffness, damping) = drive.gains();
    let parts = [q.x, q.y, q.z];
    for &axis in axes {
        let i = axis as usize - JointAxis::AngX as usize;
        let angle = 2.0 * parts[i].clamp(-1.0, 1.0).asin();
        let speed = speed.to_array()[i];
        joint.set_motor_model(axis, MotorModel::AccelerationBased);
        joint.set_motor(axis, angle, speed, stiffness, damping);
        joint.set_motor_max_force(axis, drive.torque.max(0.0));
    }
}

/// Handle of a pin, which pulls a body to a frame in the world.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pin {
    anchor: BodyId,
    joint: ImpulseJointHandle,
}

impl PhysicsWorld {
    /// Pins a body; `at` is its current frame.
    pub fn pin(&mut self, body: BodyId, at: RigidFrame) -> Option<Pin> {
        let owner = self.body(body)?.user_data;
        let anchor = rapier3d::prelude::RigidBodyBuilder::kinematic_position_based()
            .pose(super::world::clamped_pose(at))
            .user_data(owner);
        let anchor = self.rapier.insert_body(anchor.build());
        let joint = GenericJointBuilder::new(JointAxesMask::empty()).build();
        let joint = self.rapier.insert_impulse_joint(anchor, body.handle, joint);
        Some(Pin {
            anchor: self.id(anchor),
            joint,
        })
    }

    /// Moves a pin and sets its strength: `force` in newtons along each axis.
    pub fn pull(&mut self, pin: &Pin, to: RigidFrame, drive: Drive, force: f32) {
        self.move_to(pin.anchor, to);
        let Some(joint) = self.rapier.impulse_joints.get_mut(pin.joint, true) else {
            return;
        };
        let all = [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ];
        drive_turn(&mut joint.data, &all, Quat::IDENTITY, Vec3::ZERO, drive);
        let (stiffness, damping) = drive.gains();
        for axis in [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ] {
            joint
                .data
                .set_motor_model(axis, MotorModel::AccelerationBased);
            joint.data.set_motor(axis, 0.0, 0.0, stiffness, damping);
            joint.data.set_motor_max_force(axis, force.max(0.0));
        }
    }

    /// Releases a pinned body.
    pub(crate) fn unpin(&mut self, pin: Pin) {
        self.rapier.remove_impulse_joint(pin.joint);
        self.remove(pin.anchor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swing_and_twist_decompose_as_they_were_composed() {
        for (twist, y, z) in [
            (0.3, 0.5, -0.2),
            (-2.0, 0.0, 1.2),
            (3.0, -1.0, 0.4),
            (0.0, 0.0, 0.0),
        ] {
            let swing = Vec2::new(y, z);
            let q = Quat::from_scaled_axis(Vec3::new(0.0, y, z)) * Quat::from_rotation_x(twist);
            let found = JointAngles::of(q);
            assert!((found.twist - twist).abs() < 1e-5, "{found:?} {twist}");
            assert!(found.swing.distance(swing) < 1e-5, "{found:?} {swing}");
        }
    }

    #[test]
    fn a_cone_is_an_ellipse_and_not_a_pyramid() {
        let kind = JointKind::TwistCone {
            swing: [1.0, 0.5],
            twist: [-0.1, 0.1],
        };
        let swing = |y, z| JointAngles {
            twist: 0.0,
            swing: Vec2::new(y, z),
        };
        assert_eq!(swing(0.99, 0.0).excess(kind), 0.0);
        assert_eq!(swing(0.0, 0.49).excess(kind), 0.0);
        // Inside of the pyramid's corner, outside of the cone.
        assert!(swing(0.9, 0.45).excess(kind) > 0.15);
    }

    /// Angles of a rod that sticks out along X from a fixed body, after it has hung for some seconds under the given
    /// gravity.
    fn hang(kind: JointKind, gravity: Vec3, spin: Vec3) -> JointAngles {
        use crate::{
            BodyType, CollisionShape, Owner, PhysicsMaterial, PlacedShape, PropBodySettings, Start,
            Velocity,
        };
        let mut world = PhysicsWorld::new();
        world.set_gravity(gravity);
        let surface = PhysicsMaterial::new("wood", 0.5, 0.0);
        let box_of = |half: Vec3, motion, at: Vec3| PropBodySettings {
            pieces: [PlacedShape {
                shape: CollisionShape::Box(half),
                at: RigidFrame {
                    position: at,
                    ..RigidFrame::IDENTITY
                },
            }]
            .into(),
            body_type: motion,
            mass: Some(3.0),
            ..PropBodySettings::default()
        };
        let mut add = |half, motion, at, spin| {
            let options = box_of(half, motion, at);
            let velocity = Velocity {
                linear: Vec3::ZERO,
                angular: spin,
            };
            let own = Owner(1);
            let start = Start {
                at: RigidFrame::IDENTITY,
                scale: 1.0,
                velocity,
            };
            world.add_prop_body(
                own,
                &options,
                |i| Some(i as u16),
                |_| surface.clone(),
                start,
            )
        };
        let fixed = add(Vec3::splat(0.05), BodyType::Static, Vec3::ZERO, Vec3::ZERO).unwrap();
        let rod = Vec3::new(0.2, 0.04, 0.06);
        let rod = add(rod, BodyType::Dynamic, Vec3::X * 0.2, spin).unwrap();
        let definition = JointDefinition {
            parent: 0,
            child: 1,
            parent_from_joint: RigidFrame::IDENTITY,
            child_from_joint: RigidFrame::IDENTITY,
            kind,
        };
        let mut link = world.add_joint(fixed, rod, &definition, 1.0).unwrap();
        let dt = 1.0 / 60.0;
        for _ in 0..240 {
            let at = world.frame(rod).unwrap();
            let rotation = rotation_of(&definition, Quat::IDENTITY, at.rotation);
            let turning = world.velocity(rod).unwrap().angular.length();
            world.update_joint(&mut link, &definition, rotation, turning, dt as f32);
            world.step(dt, &mut Vec::new());
        }
        JointAngles::of(world.frame(rod).unwrap().rotation)
    }

    #[test]
    fn a_rod_hanging_in_a_cone_stays_in_it() {
        let cone = |swing, twist: f32| JointKind::TwistCone {
            swing,
            twist: [-twist, twist],
        };
        for (swing, direction) in [
            ([0.35, 0.35], Vec3::NEG_Y),
            ([0.6, 0.17], Vec3::NEG_Y),
            ([0.6, 0.17], Vec3::Z),
            ([0.6, 0.17], Vec3::new(0.0, -1.0, 1.0)),
            ([1.8, 1.5], Vec3::new(-0.7, -1.0, 0.2)),
        ] {
            let kind = cone(swing, 0.3);
            let found = hang(kind, direction * 9.81, Vec3::ZERO);
            let over = found.excess(kind).to_degrees();
            println!("{swing:?} {direction} {found:?} over {over}");
            assert!(over < 1.5, "{swing:?} {direction}: {over} degrees over");
        }
    }

    #[test]
    fn a_twist_is_limited_where_the_swing_is_wide() {
        let kind = JointKind::TwistCone {
            swing: [1.8, 1.8],
            twist: [-0.4, 0.4],
        };
        for spin in [
            Vec3::new(9.0, 4.0, 4.0),
            Vec3::new(-12.0, 0.0, -5.0),
            Vec3::new(6.0, -6.0, 6.0),
        ] {
            let found = hang(kind, Vec3::NEG_Y * 9.81, spin);
            let over = found.excess(kind).to_degrees();
            println!("{spin} {found:?} over {over}");
            assert!(over < 3.0, "{spin}: {over} degrees over");
        }
    }

    /// Wherever gravity pulls, a rod on a ball joint swings there, up to the opposite side.
    #[test]
    fn a_ball_swings_to_every_side() {
        let kind = JointKind::TwistCone {
            swing: [PI, PI],
            twist: [-PI, PI],
        };
        let down = [Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|offset| {
            let swing = hang(kind, offset * 9.81, Vec3::ZERO).swing;
            let rotation = Quat::from_scaled_axis(Vec3::new(0.0, swing.x, swing.y));
            (rotation * Vec3::X).dot(offset)
        });
        assert!(down.iter().all(|one| *one > 0.5), "{down:?}");
        let [a, b, c, d] = down;
        assert!((a - b).abs().max((c - d).abs()) < 0.001, "{down:?}");
    }
}
