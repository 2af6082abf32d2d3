//! Links between two bodies in the world: what they allow, the cone of their swing, and motors.
//!
//! The engine limits each axis by itself, which makes a pyramid of a swing. The cone is a constraint of its
//! own, with the ellipse's radius in the direction of the swing as it is, and is there only while the swing
//! is near it. Angles are those of swing and twist: `q = swing · twist`, twist about X first.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec2, Vec3};
use rapier3d::prelude::{
    GenericJoint, GenericJointBuilder, ImpulseJointHandle, JointAxesMask, JointAxis, MotorModel,
};

use super::ragdoll::{Frame, LinkDefinition, LinkKind};
use super::world::{BodyId, World};

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
                let radius = radius(swing, self.swing);
                outside(self.twist, twist).max(self.swing.length() - radius)
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

/// The ellipse's radius in a direction.
fn radius([about_y, about_z]: [f32; 2], direction: Vec2) -> f32 {
    let along = direction.normalize_or(Vec2::X);
    let (a, b) = (about_y.max(1e-3), about_z.max(1e-3));
    (Vec2::new(along.x / a, along.y / b).length()).recip()
}

/// A link in the world.
#[derive(Clone, Debug)]
pub struct Link {
    joint: ImpulseJointHandle,
    /// The limit of the swing.
    cone: Option<Cone>,
    /// Radians beyond its limits that it is still allowed since it began there: of the twist or the
    /// hinge below and above, of the swing.
    slack: [f32; 3],
    /// Motors are on.
    driven: bool,
}

#[derive(Clone, Copy, Debug)]
struct Cone {
    joint: ImpulseJointHandle,
    on: bool,
    radius: f32,
}

/// Radians per second with which a link that began outside of its limits goes back into them.
const RECOVERY: f32 = 2.5;
/// The cone is there from this share of its radius on.
const NEAR: f32 = 0.75;
/// Its radius is set again when it is off by this much.
const STEP: f32 = 0.01;

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

impl World {
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
                let swung = angles.swing.length() - radius(swing, angles.swing);
                slack = [below, above, swung.max(0.0)];
                GenericJointBuilder::new(lin)
            }
            LinkKind::Hinge { range } => {
                let [below, above] = past(angles.twist, range);
                slack = [below, above, 0.0];
                GenericJointBuilder::new(lin | JointAxesMask::ANG_Y | JointAxesMask::ANG_Z)
            }
            LinkKind::Fixed => GenericJointBuilder::new(JointAxesMask::all()),
        }
        .contacts_enabled(false)
        .build();
        let frames = |joint: &mut GenericJoint| {
            joint.set_local_frame1(link.parent_from_link.scaled(scale).into());
            joint.set_local_frame2(link.child_from_link.scaled(scale).into());
        };
        frames(&mut joint);
        if let Some([low, high]) = about_x(link.kind) {
            joint.set_limits(JointAxis::AngX, [low - slack[0], high + slack[1]]);
        }
        let joint = self
            .rapier
            .insert_impulse_joint(parent.handle, child.handle, joint);
        let cone = match link.kind {
            LinkKind::TwistCone { swing, .. } => {
                let radius = radius(swing, angles.swing) + slack[2];
                let swings = JointAxesMask::ANG_Y | JointAxesMask::ANG_Z;
                let mut cone = GenericJointBuilder::new(JointAxesMask::empty())
                    .coupled_axes(swings)
                    .contacts_enabled(false)
                    .build();
                frames(&mut cone);
                limit_swing(&mut cone, radius);
                let on = angles.swing.length() > NEAR * radius;
                cone.set_enabled(on);
                let joint = self
                    .rapier
                    .insert_impulse_joint(parent.handle, child.handle, cone);
                Some(Cone { joint, on, radius })
            }
            _ => None,
        };
        Some(Link {
            joint,
            cone,
            slack,
            driven: false,
        })
    }

    /// Before a step of `dt` seconds: the cone as the swing is now, limits that come back. `turning` is how
    /// fast the swing grows at most, radians per second.
    pub fn tend_link(
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
        if let (true, Some([low, high])) = (was[..2] != link.slack[..2], about_x(definition.kind))
            && let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false)
        {
            let limits = [low - link.slack[0], high + link.slack[1]];
            joint.data.set_limits(JointAxis::AngX, limits);
        }
        let (Some(cone), LinkKind::TwistCone { swing, .. }) = (&mut link.cone, definition.kind)
        else {
            return;
        };
        let angles = LinkAngles::of(turn);
        let wanted = radius(swing, angles.swing) + link.slack[2];
        let on = angles.swing.length() + turning * dt > NEAR * wanted;
        if on == cone.on && (!on || (wanted - cone.radius).abs() < STEP) {
            return;
        }
        if let Some(joint) = self.rapier.impulse_joints.get_mut(cone.joint, false) {
            limit_swing(&mut joint.data, wanted);
            joint.data.set_enabled(on);
            (cone.on, cone.radius) = (on, wanted);
        }
    }

    /// Has motors turn a link towards a target: the turn from the frame in the parent to that in the
    /// child, and the speed of that turn in the parent's frame, radians per second. `None` lets it hang.
    pub fn drive_link(
        &mut self,
        link: &mut Link,
        kind: LinkKind,
        target: Option<(Quat, Vec3, Drive)>,
    ) {
        if target.is_none() && !link.driven {
            return;
        }
        let axes: &[JointAxis] = match kind {
            LinkKind::TwistCone { .. } => &[JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ],
            LinkKind::Hinge { .. } => &[JointAxis::AngX],
            LinkKind::Fixed => &[],
        };
        let Some(joint) = self.rapier.impulse_joints.get_mut(link.joint, false) else {
            return;
        };
        link.driven = target.is_some();
        let Some((turn, speed, drive)) = target else {
            joint.data.motor_axes = JointAxesMask::empty();
            return;
        };
        drive_turn(&mut joint.data, axes, turn, speed, drive);
    }

    /// Removes a link; its bodies stay.
    pub fn unlink(&mut self, link: Link) {
        self.rapier.remove_impulse_joint(link.joint);
        if let Some(cone) = link.cone {
            self.rapier.remove_impulse_joint(cone.joint);
        }
    }
}

/// What a link allows about X.
fn about_x(kind: LinkKind) -> Option<[f32; 2]> {
    match kind {
        LinkKind::TwistCone { twist, .. } => Some(twist),
        LinkKind::Hinge { range } => Some(range),
        LinkKind::Fixed => None,
    }
}

fn limit_swing(joint: &mut GenericJoint, radius: f32) {
    // Of coupled axes the limits of the first count.
    let limits = [-1.0, radius.clamp(1e-3, PI - 1e-3)];
    joint.set_limits(JointAxis::AngY, limits);
    joint.set_limits(JointAxis::AngZ, limits);
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

impl World {
    /// Pins a body, `at` being where it is.
    pub fn pin(&mut self, body: BodyId, at: Frame) -> Option<Pin> {
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
    pub fn pull(&mut self, pin: &Pin, to: Frame, drive: Drive, force: f32) {
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
    pub fn unpin(&mut self, pin: Pin) {
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
        assert!(swing(0.9, 0.45).excess(kind) > 0.2);
    }
}
