//! Ragdoll instance: its bodies in the world, how each is controlled, and the resulting bone poses.

mod energy;
mod pose;
mod step;

use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::{RagdollDefinition, RigidFrame};
use crate::body_id::BodyId;
use crate::joint::{Pin, RagdollJoint};
use crate::prop_body::Velocity;
use crate::world::PhysicsWorld;
use galatea_anim::Skeleton;

/// Control mode of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum BodyControl {
    /// Kinematic: follows the animation and pushes other bodies.
    #[default]
    Animated,
    /// Limp: moves freely on its joints.
    Limp,
    /// Powered: motors pull it to the animated pose with this fraction of their strength, 0..=1.
    Powered(f32),
}

impl BodyControl {
    /// Returns true if the body is dynamic.
    pub fn is_free(self) -> bool {
        self != Self::Animated
    }
}

/// Effort of the solver for a ragdoll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RagdollQuality {
    /// As few solver steps as for other bodies. Joints give way a little under load.
    Fast,
    /// Additional solver steps, with which joints hold.
    #[default]
    Exact,
}

/// Settings of a whole ragdoll.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RagdollSettings {
    /// Natural frequency of a motor at full strength, hertz.
    pub motor_frequency: f32,
    /// Damping ratio of a motor.
    pub motor_damping: f32,
    /// Torque of a motor, newton metres per kilogram of the mass that it carries.
    pub max_torque: f32,
    /// Angular damping: fraction of the angular velocity that a body loses per second.
    pub angular_damping: f32,
    /// Linear damping: fraction of the velocity that a body loses per second.
    pub damping: f32,
    /// Strength, 0..=1, with which powered hips are held at their animated position.
    pub pin: f32,
    /// Collision layer of the bodies.
    pub layer: u8,
    /// Gravity scale.
    pub gravity_scale: f32,
    /// Effort of the solver.
    pub quality: RagdollQuality,
}

impl Default for RagdollSettings {
    fn default() -> Self {
        Self {
            motor_frequency: 16.0,
            motor_damping: 1.0,
            max_torque: 12.0,
            angular_damping: 0.8,
            damping: 0.05,
            pin: 1.0,
            layer: 3,
            gravity_scale: 1.0,
            quality: RagdollQuality::Exact,
        }
    }
}

/// State of one body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct RagdollBody {
    id: Option<BodyId>,
    control: BodyControl,
    /// Frame, world space.
    frame: Option<RigidFrame>,
    velocity: Velocity,
    /// Animated frame now and in the last tick.
    target: Option<RigidFrame>,
    target_before: Option<RigidFrame>,
    /// Mass of the body and its descendants at scale 1, kilograms.
    carried_mass: f32,
    /// Moment of inertia about the joint with all descendants, relative to its own; 1 or more.
    lever: f32,
    /// The body has a parent, but no children.
    is_end: bool,
    /// Bit mask of the parts of this ragdoll that it must not collide with.
    ignored_parts: u32,
}

/// A ragdoll of one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ragdoll {
    /// Definition.
    #[serde(with = "galatea_persist::shared")]
    pub definition: Arc<RagdollDefinition>,
    /// Settings.
    pub settings: RagdollSettings,
    scale: f32,
    bodies: Vec<RagdollBody>,
    /// Joints in the world, one per link of the definition.
    joints: Vec<Option<RagdollJoint>>,
    pin: Option<Pin>,
    /// The whole ragdoll sleeps.
    pub asleep: bool,
    /// Control modes were changed since the last step.
    changed: bool,
    /// Quality of the bodies in the world.
    quality: RagdollQuality,
    /// Targets were not updated in the last tick.
    stale: bool,
    /// Kinetic and potential energy after the last step, joules, while only the ground may add to it.
    energy: Option<[f32; 2]>,
    /// Number of steps until the energy is checked again, after contact with other moving bodies.
    pushed: u8,
}

/// Mass of a human, kilograms.
const HUMAN_MASS: f32 = 75.0;
/// Factor of angular damping for hands, feet and heads after the ragdoll has landed.
const END_DAMPING: f32 = 5.0;

impl Ragdoll {
    /// Ragdoll that is not in the world yet; all bodies follow the animation.
    pub fn new(definition: Arc<RagdollDefinition>, settings: RagdollSettings) -> Self {
        let body = |i| RagdollBody {
            carried_mass: carried_mass(&definition, i),
            lever: lever(&definition, i),
            is_end: is_end(&definition, i),
            ignored_parts: ignored_parts(&definition, i),
            ..RagdollBody::default()
        };
        Self {
            bodies: (0..definition.bodies.len()).map(body).collect(),
            joints: vec![None; definition.joints.len()],
            definition,
            settings,
            scale: 1.0,
            pin: None,
            asleep: false,
            changed: true,
            quality: settings.quality,
            stale: false,
            energy: None,
            pushed: 0,
        }
    }

    /// Returns true until it is aimed for the first time.
    pub fn is_new(&self) -> bool {
        self.bodies.iter().all(|body| body.target.is_none())
    }

    /// Returns true if some body is in the world.
    pub fn is_in_world(&self) -> bool {
        self.bodies.iter().any(|body| body.id.is_some())
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns true if it has no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Index of the body of a bone: its own, or that of the nearest ancestor with one.
    pub fn body_of(&self, skeleton: &Skeleton, bone: u16) -> Option<usize> {
        let mut bone = Some(bone);
        while let Some(at) = bone {
            let found = self.definition.bodies.binary_search_by_key(&at, |b| b.bone);
            if let Ok(found) = found {
                return Some(found);
            }
            bone = skeleton.bones().get(usize::from(at))?.parent;
        }
        (!self.is_empty()).then_some(0)
    }

    /// Mass of a body, kilograms.
    pub fn mass(&self, body: usize) -> f32 {
        let definition = self.definition.bodies.get(body);
        definition.map_or(0.0, |definition| definition.mass) * self.scale.powi(3)
    }

    /// Parent of a body.
    fn above(&self, body: usize) -> Option<usize> {
        let mut links = self.definition.joints.iter();
        let link = links.find(|link| usize::from(link.child) == body)?;
        Some(usize::from(link.parent))
    }

    /// Returns true if a body is `other` or a descendant of it.
    pub fn is_descendant(&self, body: usize, other: usize) -> bool {
        let chain = std::iter::successors(Some(body), |body| self.above(*body));
        chain.take(self.len() + 1).any(|body| body == other)
    }

    /// Number of joints between two bodies.
    pub fn steps_between(&self, a: usize, b: usize) -> usize {
        let up =
            |from| std::iter::successors(Some(from), |body| self.above(*body)).take(self.len() + 1);
        for (i, body) in up(a).enumerate() {
            if let Some(k) = up(b).position(|other| other == body) {
                return i + k;
            }
        }
        self.len()
    }

    /// Control mode of a body.
    pub fn control(&self, body: usize) -> BodyControl {
        self.bodies
            .get(body)
            .map_or(BodyControl::Animated, |body| body.control)
    }

    /// Sets the control mode of a body, from the next step on.
    pub fn set_control(&mut self, body: usize, control: BodyControl) {
        if let Some(body) = self.bodies.get_mut(body) {
            self.changed |= body.control != control;
            body.control = control;
        }
    }

    /// Sets the control mode of all bodies.
    pub fn set_all(&mut self, control: BodyControl) {
        for body in 0..self.bodies.len() {
            self.set_control(body, control);
        }
    }

    /// Returns true if some body is dynamic.
    pub fn is_free(&self) -> bool {
        self.bodies.iter().any(|body| body.control.is_free())
    }

    /// Returns true if the root body is free to fall: neither the animation nor a motor holds it.
    pub fn is_down(&self) -> bool {
        self.bodies
            .first()
            .is_some_and(|body| body.control == BodyControl::Limp)
    }

    /// Frame of a body, world space.
    pub fn frame(&self, body: usize) -> Option<RigidFrame> {
        self.bodies.get(body)?.frame
    }

    /// Animated frame of a body, world space.
    pub fn target(&self, body: usize) -> Option<RigidFrame> {
        self.bodies.get(body)?.target
    }

    /// Velocity of a body.
    pub fn velocity(&self, body: usize) -> Velocity {
        self.bodies
            .get(body)
            .map_or_else(Velocity::default, |body| body.velocity)
    }

    /// Handle of a body in the world.
    pub fn body(&self, body: usize) -> Option<BodyId> {
        self.bodies.get(body)?.id
    }

    /// Centre of mass, world space, and total mass, kilograms.
    pub fn centre_of_mass(&self) -> (Vec3, f32) {
        let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
        for (body, definition) in self.bodies.iter().zip(&self.definition.bodies) {
            if let Some(frame) = body.frame {
                sum += frame.position * definition.mass;
                mass += definition.mass;
            }
        }
        if mass > 0.0 {
            (sum / mass, mass * self.scale.powi(3))
        } else {
            (Vec3::ZERO, 0.0)
        }
    }

    /// Copy with its free bodies moved back to where they were `dt` seconds ago.
    #[must_use]
    pub fn rewound(&self, dt: f32) -> Self {
        let mut rewound = self.clone();
        for body in &mut rewound.bodies {
            if let Some(frame) = &mut body.frame {
                frame.position -= body.velocity.linear * dt;
                let rotation = Quat::from_scaled_axis(-body.velocity.angular * dt);
                frame.rotation = (rotation * frame.rotation).normalize();
            }
        }
        rewound
    }

    /// Scale of the last aim.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Size relative to a human, by the cube root of the mass.
    pub fn size(&self) -> f32 {
        let mass = self.bodies.first().map_or(0.0, |body| body.carried_mass);
        (mass / HUMAN_MASS).cbrt() * self.scale
    }

    /// Total mass, kilograms.
    fn total_mass(&self) -> f32 {
        HUMAN_MASS * self.size().powi(3)
    }

    /// Speed of the fastest end of a dynamic body, metres per second.
    pub fn fastest(&self) -> f32 {
        let free = self.bodies.iter().zip(&self.definition.bodies);
        free.filter(|(body, _)| body.control.is_free())
            .map(|(body, definition)| {
                let reach = definition.shape.reach() * self.scale;
                body.velocity.linear.length() + body.velocity.angular.length() * reach
            })
            .fold(0.0, f32::max)
    }

    /// Damps a ragdoll that is nearly still, the more the nearer `u` is to 1. With `has_landed`, hands, feet and heads get
    /// more angular damping: without it they would swing like pendulums for seconds, unlike joints with tissue around them.
    pub fn calm(&mut self, world: &mut PhysicsWorld, u: f32, has_landed: bool) {
        self.apply_damping(world, u, has_landed, false);
    }

    /// Allows it to sleep: it does so in the next step in which all bodies that it touches may sleep too.
    pub fn rest(&mut self, world: &mut PhysicsWorld) {
        self.apply_damping(world, 1.0, true, true);
    }

    fn apply_damping(
        &mut self,
        world: &mut PhysicsWorld,
        u: f32,
        has_landed: bool,
        may_sleep: bool,
    ) {
        // In coarse steps, because the engine prepares the island again after a change.
        let u = (u * 4.0).round() / 4.0;
        let (linear, angular) = (self.settings.damping, self.settings.angular_damping);
        for body in &self.bodies {
            let more = if has_landed && body.is_end {
                END_DAMPING
            } else {
                1.0
            };
            if let (Some(id), true) = (body.id, body.control.is_free()) {
                world.set_damping(id, linear + 4.0 * u, angular * more + 10.0 * u);
                world.allow_sleep(id, may_sleep);
            }
        }
    }

    /// Largest violation of the joint limits, radians.
    pub fn violation(&self) -> f32 {
        let links = self.definition.joints.iter();
        let excess = links.filter_map(|link| {
            let frames = [link.parent, link.child].map(|body| self.frame(usize::from(body)));
            let [Some(a), Some(b)] = frames else {
                return None;
            };
            Some(link.excess(a.rotation, b.rotation))
        });
        excess.fold(0.0, f32::max)
    }

    /// Largest distance between the two ends of a joint, metres.
    pub fn gap(&self) -> f32 {
        let links = self.definition.joints.iter();
        let gaps = links.filter_map(|link| {
            let a = self.frame(usize::from(link.parent))?;
            let b = self.frame(usize::from(link.child))?;
            let [from, to] = [(a, link.parent_from_joint), (b, link.child_from_joint)]
                .map(|(frame, at)| frame.point(at.position * self.scale));
            Some(from.distance(to))
        });
        gaps.fold(0.0, f32::max)
    }

    /// Removes all bodies from the world; their frames stay known.
    pub fn remove_from_world(&mut self, world: &mut PhysicsWorld) {
        for link in self.joints.iter_mut().filter_map(Option::take) {
            world.unlink(link);
        }
        if let Some(pin) = self.pin.take() {
            world.unpin(pin);
        }
        for body in &mut self.bodies {
            if let Some(id) = body.id.take() {
                world.remove(id);
            }
        }
    }

    /// Forgets its world, which no longer exists: it continues from its last frames in another one.
    pub fn forget_world(&mut self) {
        self.joints.iter_mut().for_each(|link| *link = None);
        self.pin = None;
        self.changed = true;
        for body in &mut self.bodies {
            body.id = None;
        }
    }

    /// Starts a body that was not in a world yet at its aimed frame with a velocity.
    pub fn begin(&mut self, body: usize, velocity: Velocity) {
        if let Some(body) = self.bodies.get_mut(body) {
            body.frame = body.target;
            body.target_before = body.target;
            body.velocity = velocity;
        }
    }

    /// Moves all bodies by an offset, without a velocity.
    pub fn translate(&mut self, world: &mut PhysicsWorld, offset: Vec3) {
        for body in &mut self.bodies {
            let frames = [&mut body.frame, &mut body.target, &mut body.target_before];
            for frame in frames.into_iter().flatten() {
                frame.position += offset;
            }
            if let (Some(id), Some(frame)) = (body.id, body.frame) {
                world.put(id, frame);
            }
        }
    }

    /// Applies an impulse, newton seconds, distributed over the bodies by mass.
    pub fn push_all(&mut self, world: &mut PhysicsWorld, impulse: Vec3) {
        let all: f32 = self.definition.bodies.iter().map(|body| body.mass).sum();
        for (body, definition) in self.bodies.iter().zip(&self.definition.bodies) {
            if let Some(id) = body.id {
                world.push(id, impulse * (definition.mass / all.max(1e-6)), None);
            }
        }
    }

    /// Body nearest to a position.
    pub fn nearest(&self, at: Vec3) -> Option<usize> {
        let frames = self.bodies.iter().enumerate();
        frames
            .filter_map(|(i, body)| Some((i, body.frame?.position.distance_squared(at))))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(i, _)| i)
    }

    /// Applies an impulse, newton seconds, to a body, at a world position or at its centre of mass.
    pub fn push(&mut self, world: &mut PhysicsWorld, body: usize, impulse: Vec3, at: Option<Vec3>) {
        if let Some(id) = self.body(body) {
            world.push(id, impulse, at);
        }
    }
}

/// End bodies lighter than this fraction of the total mass do not collide with the rest: no joint could hold them while
/// pressed between trunk and floor.
const LIGHT_FRACTION: f32 = 0.02;

/// Bit mask of the parts that a body must not collide with. Joints already exclude their two ends, and of each
/// other pair only one body gets the bit, because bodies with bits have more expensive contacts.
fn ignored_parts(definition: &RagdollDefinition, body: usize) -> u32 {
    let all: f32 = definition.bodies.iter().map(|body| body.mass).sum();
    let is_light = |body: usize| {
        let mut links = definition.joints.iter();
        let mass = definition.bodies.get(body).map_or(0.0, |body| body.mass);
        mass < LIGHT_FRACTION * all && !links.any(|link| usize::from(link.parent) == body)
    };
    if is_light(body) {
        return u32::MAX;
    }
    let is_linked = |a: u16, b: u16| {
        let mut links = definition.joints.iter();
        links.any(|link| [(a, b), (b, a)].contains(&(link.parent, link.child)))
    };
    let mut bits = 0;
    for &(a, b) in &definition.ignored_pairs {
        let (other, own) = (a.min(b), a.max(b));
        if usize::from(own) == body && !is_linked(a, b) && !is_light(usize::from(other)) {
            bits |= 1 << other.min(31);
        }
    }
    bits
}

/// Mass of a body and its descendants.
fn carried_mass(definition: &RagdollDefinition, body: usize) -> f32 {
    let own = definition.bodies.get(body).map_or(0.0, |body| body.mass);
    let below = definition.joints.iter();
    own + below
        .filter(|link| usize::from(link.parent) == body && usize::from(link.child) > body)
        .map(|link| carried_mass(definition, usize::from(link.child)))
        .sum::<f32>()
}

/// Maximum factor on a motor's gains for the descendants it moves.
const MAX_LEVER: f32 = 40.0;

/// Returns true if the body has a parent, but no children.
fn is_end(definition: &RagdollDefinition, body: usize) -> bool {
    let mut links = definition.joints.iter();
    let hangs = links.any(|link| usize::from(link.child) == body);
    let mut links = definition.joints.iter();
    hangs && !links.any(|link| usize::from(link.parent) == body)
}

/// Moment of inertia about a body's joint, of it and its descendants in the middle of all ranges, relative to its own: the
/// engine's motors ignore descendants.
fn lever(definition: &RagdollDefinition, body: usize) -> f32 {
    let Some(own) = definition.bodies.get(body) else {
        return 1.0;
    };
    let half = own.shape.half_extents();
    let alone = own.mass * (half * half).max_element().max(1e-6) / 3.0;
    let mut above = definition.joints.iter();
    let joint = above.find(|link| usize::from(link.child) == body);
    let joint = joint.map_or(Vec3::ZERO, |link| link.child_from_joint.position);
    let all = alone + moment(definition, body, RigidFrame::IDENTITY, joint);
    (all / alone).clamp(1.0, MAX_LEVER)
}

/// Sum of mass times squared distance from a point, of a body at frame `at` and its descendants.
fn moment(definition: &RagdollDefinition, body: usize, at: RigidFrame, from: Vec3) -> f32 {
    let mass = definition.bodies.get(body).map_or(0.0, |body| body.mass);
    let below = definition.joints.iter();
    let below =
        below.filter(|link| usize::from(link.parent) == body && usize::from(link.child) > body);
    mass * at.position.distance_squared(from)
        + below
            .map(|link| {
                let child = at
                    .then(link.parent_from_joint)
                    .then(link.child_from_joint.inverse());
                moment(definition, usize::from(link.child), child, from)
            })
            .sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::super::{BodyDefinition, BodyShape, JointDefinition, JointKind};
    use super::*;

    #[test]
    fn one_of_a_pair_excludes_the_other_unless_they_are_joined() {
        let body = |mass| BodyDefinition {
            bone: 0,
            bone_from_body: RigidFrame::IDENTITY,
            shape: BodyShape::Sphere { radius: 0.1 },
            mass,
            friction: 0.7,
        };
        let link = |parent, child| JointDefinition {
            parent,
            child,
            parent_from_joint: RigidFrame::IDENTITY,
            child_from_joint: RigidFrame::IDENTITY,
            kind: JointKind::Fixed,
        };
        let definition = RagdollDefinition {
            bodies: [10.0, 5.0, 5.0, 0.1].map(body).to_vec(),
            joints: vec![link(0, 1), link(0, 2), link(2, 3)],
            ignored_pairs: vec![(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)],
            ..RagdollDefinition::default()
        };
        let known = [0, 1, 2, 3].map(|body| ignored_parts(&definition, body));
        assert_eq!(known, [0, 0, 0b10, u32::MAX]);
    }
}
