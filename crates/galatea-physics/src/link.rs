//! Links between two bodies in the world: what they allow, the cone of their swing, and motors.
//!
//! The engine limits each axis by itself, which makes a pyramid of a swing. Here a ball has two limits that are
//! right for how it is turned now, and are set again as it turns: one about the axis that leads out of the
//! elliptic cone where it is nearest to the edge, and the twist's about the axis midway between parent and
//! child. They are solved with the ball, so that neither undoes the other. Motors have a joint of their own.
//! Angles are those of swing and twist: `q = swing · twist`, twist about X first.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};
use rapier3d::prelude::{
    GenericJoint, GenericJointBuilder, ImpulseJoint, ImpulseJointHandle, JointAxesMask, JointAxis,
    MotorModel,
};

use super::body_id::BodyId;
use super::cone;
use super::ragdoll::{LinkDefinition, LinkKind, RigidFrame};
use super::world::PhysicsWorld;
use galatea_math::ellipse;

/// Angles between the two frames of a link, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkAngles {
    /// About X.
    pub twist: f32,
    /// The swing's rotation vector about Y and Z.
    pub swing: Vec2,
}

impl LinkAngles {
    /// Of the turn from a link's frame in the parent to its frame in the child.
    pub fn of(turn: Quat) -> Self {
        let q = if turn.w < 0.0 { -turn } else { turn };
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

    /// By how many radians they lie outside of what a link allows.
    pub fn excess(self, kind: LinkKind) -> f32 {
        let outside = |angle: f32, [low, high]: [f32; 2]| (low - angle).max(angle - high).max(0.0);
        match kind {
            LinkKind::TwistCone { swing, twist } => {
                outside(self.twist, twist).max(ellipse::excess(swing, self.swing))
            }
            LinkKind::Hinge { range } => outside(self.twist, range).max(self.swing.length()),
            LinkKind::Fixed => self.twist.abs().max(self.swing.length()),
        }
        .max(0.0)
    }
}

/// The turn from a link's frame in the parent's body to that in the child's.
pub fn turn_of(link: &LinkDefinition, parent: Quat, child: Quat) -> Quat {
    let from = parent * link.parent_from_link.rotation;
    (from.conjugate() * child * link.child_from_link.rotation).normalize()
}

impl LinkDefinition {
    /// By how many radians two bodies turned so are outside of what the link allows.
    pub fn excess(&self, parent: Quat, child: Quat) -> f32 {
        LinkAngles::of(turn_of(self, parent, child)).excess(self.kind)
    }
}

/// A link in the world.
#[derive(Clone, Debug)]
pub struct Link {
    joint: ImpulseJointHandle,
    /// Motors of a ball.
    motor: Option<ImpulseJointHandle>,
    /// How a ball was turned when its limits were set.
    set: Option<Quat>,
    /// Radians beyond its limits that it is still allowed since it began there: of the twist or the
    /// hinge below and above, of the swing.
    slack: [f32; 3],
    /// The motor of a hinge is on.
    driven: bool,
}

/// Radians per second with which a link that began outside of its limits goes back into them.
const RECOVERY: f32 = 2.5;
/// A limit is near from this share of its range on.
const NEAR: f32 = 0.65;
/// Limits are set again when the link has turned by this much, radians, where they are near and where not.
const TURNED: [f32; 2] = [0.02, 0.3];

/// How hard motors pull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive {
    /// Hertz at which the pull would swing; 0 does not pull.
    pub frequency: f32,
    /// Damping as a share of the critical one.
    pub damping: f32,
    /// Newton metres that a motor has.
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
    /// Links two bodies. Lengths of the definition are scaled. Where they are outside of the limits now,
    /// these give way and come back within a moment.
    pub fn link(
        &mut self,
        parent: BodyId,
        child: BodyId,
        link: &LinkDefinition,
        scale: f32,
    ) -> Option<Link> {
        let (at, to) = (self.frame(parent)?, self.frame(child)?);
        let angles = LinkAngles::of(turn_of(link, at.rotation, to.rotation));
        let lin = JointAxesMask::LIN_AXES;
        let mut slack = [0.0; 3];
        let past =
            |angle: f32, [low, high]: [f32; 2]| [low - angle, angle - high].map(|n| n.max(0.0));
        let mut joint = match link.kind {
            LinkKind::TwistCone { swing, twist } => {
                let [below, above] = past(angles.twist, twist);
                slack = [below, above, ellipse::excess(swing, angles.swing)];
                GenericJointBuilder::new(lin)
            }
            LinkKind::Hinge { range } => {
                let [below, above] = past(angles.twist, range);
                slack = [below, above, 0.0];
                GenericJointBuilder::new(lin | JointAxesMask::ANG_Y | JointAxesMask::ANG_Z)
            }
            LinkKind::Fixed => GenericJointBuilder::new(JointAxesMask::all()),
        };
        joint = joint
            .local_frame1(link.parent_from_link.scaled(scale).into())
            .local_frame2(link.child_from_link.scaled(scale).into())
            .contacts_enabled(false);
        if let LinkKind::Hinge { range: [low, high] } = link.kind {
            joint = joint.limits(JointAxis::AngX, [low - slack[0], high + slack[1]]);
        }
        let joint = self
            .rapier
            .insert_impulse_joint(parent.handle, child.handle, joint);
        Some(Link {
            joint,
            motor: None,
            set: None,
            slack,
            driven: false,
        })
    }

    /// Before a step of `dt` seconds: the limits as the link is turned now, and those that come back.
    /// `turning` is how fast it turns, radians per second.
    pub(crate) fn tend_link(
        &mut self,
        link: &mut Link,
        definition: &LinkDefinition,
        turn: Quat,
        turning: f32,
        dt: f32,
    ) {
        let was = link.slack;
        for slack in &mut link.slack {
            *slack = (*slack - RECOVERY * dt).max(0.0);
        }
        let (swing, twist) = match definition.kind {
            LinkKind::TwistCone { swing, twist } => (swing, twist),
            LinkKind::Hinge { range: [low, high] } => {
                if was != link.slack
                    && let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false)
                {
                    let limits = [low - link.slack[0], high + link.slack[1]];
                    joint.data.set_limits(JointAxis::AngX, limits);
                }
                return;
            }
            LinkKind::Fixed => return,
        };
        let angles = LinkAngles::of(turn);
        let swing = swing.map(|half| half + link.slack[2]);
        let [low, high] = [twist[0] - link.slack[0], twist[1] + link.slack[1]];
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let is_near = angles.swing.length() + turning * dt
            > NEAR * ellipse::radius(swing, angles.swing)
            || (angles.twist - middle).abs() + turning * dt > NEAR * half;
        let slack = TURNED[usize::from(!is_near)];
        let has_turned = link
            .set
            .is_none_or(|set| set.dot(turn).abs() < (slack / 2.0).cos());
        if !has_turned && was == link.slack {
            return;
        }
        if let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false) {
            let near = cone::touching(swing, angles.swing);
            // Turned so, both frames are one: angles are those from here on.
            let frames = [near.frame, turn.conjugate() * near.frame];
            let held = turn_frames(&mut joint.data, definition, frames) * linear(joint);
            for i in 0..3 {
                joint.impulses[i] = held[i];
            }
            let share = near.twist_share;
            let twist = [low, high].map(|end| (end - angles.twist) * share);
            let twist = if half < PI - 0.01 { twist } else { [-PI, PI] };
            joint.data.set_limits(JointAxis::AngX, twist);
            let out = near.outwards;
            let out = if cone::is_ball(swing) {
                [-PI, PI]
            } else {
                [out - PI, out]
            };
            joint.data.set_limits(JointAxis::AngY, out);
            link.set = Some(turn);
        }
    }

    /// Has motors turn a link towards a target: the turn from the frame in the parent to that in the
    /// child, and the speed of that turn in the parent's frame, radians per second. `None` lets it hang.
    pub(crate) fn drive_link(
        &mut self,
        link: &mut Link,
        definition: &LinkDefinition,
        target: Option<(Quat, Vec3, Drive)>,
    ) {
        let Some((turn, speed, drive)) = target else {
            self.let_hang(link);
            return;
        };
        let axes: &[JointAxis] = match definition.kind {
            LinkKind::TwistCone { .. } => &[JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ],
            LinkKind::Hinge { .. } => &[JointAxis::AngX],
            LinkKind::Fixed => return,
        };
        if link.motor.is_none() && matches!(definition.kind, LinkKind::TwistCone { .. }) {
            let Some(ball) = self.rapier.impulse_joints.get(link.joint) else {
                return;
            };
            let (parent, child) = (ball.body1(), ball.body2());
            let mut motor = GenericJointBuilder::new(JointAxesMask::empty())
                .local_frame1(ball.data.local_frame1)
                .local_frame2(ball.data.local_frame2)
                .contacts_enabled(false)
                .build();
            turn_frames(&mut motor, definition, [Quat::IDENTITY; 2]);
            link.motor = Some(self.rapier.insert_impulse_joint(parent, child, motor));
        }
        let joint = link.motor.unwrap_or(link.joint);
        if let Some(joint) = self.rapier.impulse_joints.get_mut(joint, false) {
            link.driven = link.motor.is_none();
            drive_turn(&mut joint.data, axes, turn, speed, drive);
        }
    }

    /// Takes the motors off a link.
    fn let_hang(&mut self, link: &mut Link) {
        if let Some(motor) = link.motor.take() {
            self.rapier.remove_impulse_joint(motor);
        } else if std::mem::take(&mut link.driven)
            && let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false)
        {
            joint.data.motor_axes = JointAxesMask::empty();
        }
    }

    /// Removes a link; its bodies stay.
    pub(crate) fn unlink(&mut self, link: Link) {
        for joint in [Some(link.joint), link.motor].into_iter().flatten() {
            self.rapier.remove_impulse_joint(joint);
        }
    }
}

/// Turns the frames of a link's joint within its bodies. Gives the turn of what is known in the first of them
/// from the old to the new.
fn turn_frames(
    joint: &mut GenericJoint,
    link: &LinkDefinition,
    [parent, child]: [Quat; 2],
) -> Quat {
    let was = joint.local_frame1.rotation;
    joint.local_frame1.rotation = (link.parent_from_link.rotation * parent).normalize();
    joint.local_frame2.rotation = (link.child_from_link.rotation * child).normalize();
    joint.local_frame1.rotation.conjugate() * was
}

/// What a ball held with in the last step, along the axes of its first frame.
fn linear(joint: &ImpulseJoint) -> Vec3 {
    let [x, y, z] = [0, 1, 2].map(|i| joint.impulses[i]);
    Vec3::new(x, y, z)
}

/// The engine's motors measure an axis as twice the arc sine of the quaternion's part.
pub(super) fn drive_turn(
    joint: &mut GenericJoint,
    axes: &[JointAxis],
    turn: Quat,
    speed: Vec3,
    drive: Drive,
) {
    let q = if turn.w < 0.0 { -turn } else { turn };
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

/// Pulls a body to a place and a direction in the world.
#[derive(Clone, Debug)]
pub struct Pin {
    anchor: BodyId,
    joint: ImpulseJointHandle,
}

impl PhysicsWorld {
    /// Pins a body, `at` being where it is.
    pub fn pin(&mut self, body: BodyId, at: RigidFrame) -> Option<Pin> {
        let owner = self.body(body)?.user_data;
        let anchor = rapier3d::prelude::RigidBodyBuilder::kinematic_position_based()
            .pose(super::world::placed(at))
            .user_data(owner);
        let anchor = self.rapier.insert_body(anchor.build());
        let joint = GenericJointBuilder::new(JointAxesMask::empty()).build();
        let joint = self.rapier.insert_impulse_joint(anchor, body.handle, joint);
        Some(Pin {
            anchor: self.id(anchor),
            joint,
        })
    }

    /// Moves a pin, and sets how hard it pulls: `force` newtons along each axis.
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

    /// Lets a pinned body go.
    pub(crate) fn unpin(&mut self, pin: Pin) {
        self.rapier.remove_impulse_joint(pin.joint);
        self.remove(pin.anchor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swing_and_twist_come_apart_as_they_were_put_together() {
        for (twist, y, z) in [
            (0.3, 0.5, -0.2),
            (-2.0, 0.0, 1.2),
            (3.0, -1.0, 0.4),
            (0.0, 0.0, 0.0),
        ] {
            let swing = Vec2::new(y, z);
            let q = Quat::from_scaled_axis(Vec3::new(0.0, y, z)) * Quat::from_rotation_x(twist);
            let found = LinkAngles::of(q);
            assert!((found.twist - twist).abs() < 1e-5, "{found:?} {twist}");
            assert!(found.swing.distance(swing) < 1e-5, "{found:?} {swing}");
        }
    }

    #[test]
    fn a_cone_is_an_ellipse_and_not_a_pyramid() {
        let kind = LinkKind::TwistCone {
            swing: [1.0, 0.5],
            twist: [-0.1, 0.1],
        };
        let swing = |y, z| LinkAngles {
            twist: 0.0,
            swing: Vec2::new(y, z),
        };
        assert_eq!(swing(0.99, 0.0).excess(kind), 0.0);
        assert_eq!(swing(0.0, 0.49).excess(kind), 0.0);
        // Inside of the pyramid's corner, outside of the cone.
        assert!(swing(0.9, 0.45).excess(kind) > 0.15);
    }

    /// A rod that sticks out along X from something fixed, with what it may do; its angles after it hung
    /// for some seconds under a gravity.
    fn hang(kind: LinkKind, gravity: Vec3, spin: Vec3) -> LinkAngles {
        use crate::{
            CollisionShape, Motion, Owner, PhysicsMaterial, PlacedShape, SolidSettings, Start,
            Velocity,
        };
        let mut world = PhysicsWorld::new();
        world.set_gravity(gravity);
        let surface = PhysicsMaterial::new("wood", 0.5, 0.0);
        let box_of = |half: Vec3, motion, at: Vec3| SolidSettings {
            pieces: [PlacedShape {
                shape: CollisionShape::Box(half),
                at: RigidFrame {
                    position: at,
                    ..RigidFrame::IDENTITY
                },
            }]
            .into(),
            motion,
            mass: Some(3.0),
            ..SolidSettings::default()
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
            world.add_solid(
                own,
                &options,
                |i| Some(i as u16),
                |_| surface.clone(),
                start,
            )
        };
        let fixed = add(Vec3::splat(0.05), Motion::Static, Vec3::ZERO, Vec3::ZERO).unwrap();
        let rod = Vec3::new(0.2, 0.04, 0.06);
        let rod = add(rod, Motion::Dynamic, Vec3::X * 0.2, spin).unwrap();
        let definition = LinkDefinition {
            parent: 0,
            child: 1,
            parent_from_link: RigidFrame::IDENTITY,
            child_from_link: RigidFrame::IDENTITY,
            kind,
        };
        let mut link = world.link(fixed, rod, &definition, 1.0).unwrap();
        let dt = 1.0 / 60.0;
        for _ in 0..240 {
            let at = world.frame(rod).unwrap();
            let turn = turn_of(&definition, Quat::IDENTITY, at.rotation);
            let turning = world.velocity(rod).unwrap().angular.length();
            world.tend_link(&mut link, &definition, turn, turning, dt as f32);
            world.step(dt, &mut Vec::new());
        }
        LinkAngles::of(world.frame(rod).unwrap().rotation)
    }

    #[test]
    fn what_hangs_in_a_cone_stays_in_it() {
        let cone = |swing, twist: f32| LinkKind::TwistCone {
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
    fn a_twist_is_held_where_the_swing_is_wide() {
        let kind = LinkKind::TwistCone {
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

    /// Wherever gravity pulls, a rod on a ball swings there, as far as to the other side.
    #[test]
    fn a_ball_swings_to_every_side() {
        let kind = LinkKind::TwistCone {
            swing: [PI, PI],
            twist: [-PI, PI],
        };
        let down = [Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|way| {
            let swing = hang(kind, way * 9.81, Vec3::ZERO).swing;
            let turn = Quat::from_scaled_axis(Vec3::new(0.0, swing.x, swing.y));
            (turn * Vec3::X).dot(way)
        });
        assert!(down.iter().all(|one| *one > 0.5), "{down:?}");
        let [a, b, c, d] = down;
        assert!((a - b).abs().max((c - d).abs()) < 0.001, "{down:?}");
    }
}
