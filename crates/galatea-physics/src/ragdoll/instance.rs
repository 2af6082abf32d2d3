//! A ragdoll in the world: its bodies, what moves each of them, and what they tell the bones.

mod energy;
mod pose;
mod step;

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::{RagdollDefinition, RigidFrame};
use crate::body_id::BodyId;
use crate::link::{Link, Pin};
use crate::solid::Velocity;
use crate::world::PhysicsWorld;
use galatea_anim::Skeleton;

/// What moves a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BodyControl {
    /// It is where the animation has it, and pushes what is there.
    #[default]
    Animated,
    /// It hangs from its links and falls.
    Limp,
    /// Motors pull it to the animation's pose with this share of their strength, 0..=1.
    Powered(f32),
}

impl BodyControl {
    /// True when it moves freely.
    pub fn is_free(self) -> bool {
        self != Self::Animated
    }
}

/// Numbers that hold for all of a ragdoll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RagdollSettings {
    /// Hertz of a motor at full strength.
    pub frequency: f32,
    /// Damping of a motor as a share of the critical one.
    pub motor_damping: f32,
    /// Newton metres of a motor per kilogram of what hangs on it.
    pub strength: f32,
    /// Share of its turning that a body loses per second.
    pub spin_damping: f32,
    /// Share of its speed that a body loses per second.
    pub damping: f32,
    /// How far the hips are held where the animation has them while they are powered, 0..=1.
    pub pin: f32,
    /// Layer of its bodies.
    pub layer: u8,
    /// Factor on gravity.
    pub gravity: f32,
}

impl Default for RagdollSettings {
    fn default() -> Self {
        Self {
            frequency: 16.0,
            motor_damping: 1.0,
            strength: 12.0,
            spin_damping: 0.8,
            damping: 0.05,
            pin: 1.0,
            layer: 3,
            gravity: 1.0,
        }
    }
}

/// One of its bodies.
#[derive(Clone, Debug, Default)]
struct RagdollBody {
    id: Option<BodyId>,
    control: BodyControl,
    /// Where it is, world space.
    frame: Option<RigidFrame>,
    velocity: Velocity,
    /// Where the animation has it now, and had it a tick ago.
    target: Option<RigidFrame>,
    target_before: Option<RigidFrame>,
    /// Kilograms of it and of all that hangs on it, at scale 1.
    hanging: f32,
    /// How much harder all that hangs on its link is to turn than itself, 1 or more.
    lever: f32,
    /// Nothing hangs on it, and it hangs on something.
    is_end: bool,
    /// Parts of its own that it has to be told to pass through, a bit each.
    apart: u32,
}

/// A ragdoll of one character.
#[derive(Clone, Debug)]
pub struct Ragdoll {
    /// What it is made of.
    pub definition: Arc<RagdollDefinition>,
    /// What holds for all of it.
    pub settings: RagdollSettings,
    scale: f32,
    bodies: Vec<RagdollBody>,
    /// One per link of the definition.
    links: Vec<Option<Link>>,
    pin: Option<Pin>,
    /// All of it is at rest.
    pub asleep: bool,
    /// What moves its bodies was set since the last step.
    changed: bool,
    /// It was not aimed in the last tick.
    stale: bool,
    /// Joules of its motion and of its height as they were last, while nothing but the ground may add to them.
    energy: Option<[f32; 2]>,
    /// Steps until its energy is looked at again, after it was in touch with others that move.
    pushed: u8,
}

/// Kilograms of a human.
const HUMAN: f32 = 75.0;
/// Hands, feet and heads that have landed lose so many times the turning that others lose.
const END: f32 = 5.0;

impl Ragdoll {
    /// A ragdoll that is not in the world yet; everything is where the animation has it.
    pub fn new(definition: Arc<RagdollDefinition>, settings: RagdollSettings) -> Self {
        let body = |i| RagdollBody {
            hanging: hanging_mass(&definition, i),
            lever: lever(&definition, i),
            is_end: is_end(&definition, i),
            apart: apart(&definition, i),
            ..RagdollBody::default()
        };
        Self {
            bodies: (0..definition.bodies.len()).map(body).collect(),
            links: vec![None; definition.links.len()],
            definition,
            settings,
            scale: 1.0,
            pin: None,
            asleep: false,
            changed: true,
            stale: false,
            energy: None,
            pushed: 0,
        }
    }

    /// True until it was aimed for the first time.
    pub fn is_new(&self) -> bool {
        self.bodies.iter().all(|body| body.target.is_none())
    }

    /// True when some of its bodies are in the world.
    pub fn is_in_world(&self) -> bool {
        self.bodies.iter().any(|body| body.id.is_some())
    }

    /// How many bodies it has.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// True for one without bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Index of the body that carries a bone: its own, or that of its nearest ancestor with one.
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
        let asked = self.definition.bodies.get(body);
        asked.map_or(0.0, |asked| asked.mass) * self.scale.powi(3)
    }

    /// The body that a body is linked to above it.
    fn above(&self, body: usize) -> Option<usize> {
        let mut links = self.definition.links.iter();
        let link = links.find(|link| usize::from(link.child) == body)?;
        Some(usize::from(link.parent))
    }

    /// True when a body is `other`, or hangs on it.
    pub fn hangs_on(&self, body: usize, other: usize) -> bool {
        let chain = std::iter::successors(Some(body), |body| self.above(*body));
        chain.take(self.len() + 1).any(|body| body == other)
    }

    /// How many links lie between two bodies.
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

    /// What moves a body.
    pub fn control(&self, body: usize) -> BodyControl {
        self.bodies
            .get(body)
            .map_or(BodyControl::Animated, |body| body.control)
    }

    /// Sets what moves a body, from the coming step on.
    pub fn set_control(&mut self, body: usize, control: BodyControl) {
        if let Some(body) = self.bodies.get_mut(body) {
            self.changed |= body.control != control;
            body.control = control;
        }
    }

    /// Sets what moves all bodies.
    pub fn set_all(&mut self, control: BodyControl) {
        for body in 0..self.bodies.len() {
            self.set_control(body, control);
        }
    }

    /// True when some body moves freely.
    pub fn is_free(&self) -> bool {
        self.bodies.iter().any(|body| body.control.is_free())
    }

    /// True when the body from which all hang is free to fall: it and no motor holds it.
    pub fn is_down(&self) -> bool {
        self.bodies
            .first()
            .is_some_and(|body| body.control == BodyControl::Limp)
    }

    /// Where a body is, world space.
    pub fn frame(&self, body: usize) -> Option<RigidFrame> {
        self.bodies.get(body)?.frame
    }

    /// Where the animation has a body, world space.
    pub fn target(&self, body: usize) -> Option<RigidFrame> {
        self.bodies.get(body)?.target
    }

    /// How fast a body is.
    pub fn velocity(&self, body: usize) -> Velocity {
        self.bodies
            .get(body)
            .map_or_else(Velocity::default, |body| body.velocity)
    }

    /// A body in the world.
    pub fn body(&self, body: usize) -> Option<BodyId> {
        self.bodies.get(body)?.id
    }

    /// Its centre of mass, world space, and its mass in kilograms.
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

    /// This, where its free bodies were `dt` seconds ago.
    #[must_use]
    pub fn rewound(&self, dt: f32) -> Self {
        let mut was = self.clone();
        for body in &mut was.bodies {
            if let Some(frame) = &mut body.frame {
                frame.position -= body.velocity.linear * dt;
                let turn = Quat::from_scaled_axis(-body.velocity.angular * dt);
                frame.rotation = (turn * frame.rotation).normalize();
            }
        }
        was
    }

    /// The scale at which it was aimed.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// How large it is, a human being 1: by the cube root of its mass.
    pub fn size(&self) -> f32 {
        let mass = self.bodies.first().map_or(0.0, |body| body.hanging);
        (mass / HUMAN).cbrt() * self.scale
    }

    /// Kilograms of all of it.
    fn whole_mass(&self) -> f32 {
        HUMAN * self.size().powi(3)
    }

    /// Metres per second of the fastest end of a free body.
    pub fn fastest(&self) -> f32 {
        let free = self.bodies.iter().zip(&self.definition.bodies);
        free.filter(|(body, _)| body.control.is_free())
            .map(|(body, asked)| {
                let reach = asked.shape.reach() * self.scale;
                body.velocity.linear.length() + body.velocity.angular.length() * reach
            })
            .fold(0.0, f32::max)
    }

    /// Takes speed from what lies nearly still, the more the nearer `u` is to 1. `has_landed`: its ends, which would
    /// swing for seconds like pendulums, lose their turning sooner, as joints do that have tissue around them.
    pub fn calm(&mut self, world: &mut PhysicsWorld, u: f32, has_landed: bool) {
        self.quiet(world, u, has_landed, false);
    }

    /// Lets it be put to rest where it is: it sleeps from the next step on in which all that it touches may sleep
    /// too.
    pub fn rest(&mut self, world: &mut PhysicsWorld) {
        self.quiet(world, 1.0, true, true);
    }

    fn quiet(&mut self, world: &mut PhysicsWorld, u: f32, has_landed: bool, may_sleep: bool) {
        // In few steps, since the engine makes ready anew what was changed.
        let u = (u * 4.0).round() / 4.0;
        let (linear, angular) = (self.settings.damping, self.settings.spin_damping);
        for body in &self.bodies {
            let more = if has_landed && body.is_end { END } else { 1.0 };
            if let (Some(id), true) = (body.id, body.control.is_free()) {
                world.set_damping(id, linear + 4.0 * u, angular * more + 10.0 * u);
                world.let_sleep(id, may_sleep);
            }
        }
    }

    /// The largest excess over what its links allow, radians.
    pub fn violation(&self) -> f32 {
        let links = self.definition.links.iter();
        let excess = links.filter_map(|link| {
            let frames = [link.parent, link.child].map(|body| self.frame(usize::from(body)));
            let [Some(a), Some(b)] = frames else {
                return None;
            };
            Some(link.excess(a.rotation, b.rotation))
        });
        excess.fold(0.0, f32::max)
    }

    /// The largest distance of the two ends of a link, metres.
    pub fn gap(&self) -> f32 {
        let links = self.definition.links.iter();
        let gaps = links.filter_map(|link| {
            let a = self.frame(usize::from(link.parent))?;
            let b = self.frame(usize::from(link.child))?;
            let [from, to] = [(a, link.parent_from_link), (b, link.child_from_link)]
                .map(|(frame, at)| frame.point(at.position * self.scale));
            Some(from.distance(to))
        });
        gaps.fold(0.0, f32::max)
    }

    /// Takes everything out of the world; where it was stays known.
    pub fn leave(&mut self, world: &mut PhysicsWorld) {
        for link in self.links.iter_mut().filter_map(Option::take) {
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

    /// Forgets the world that it was in, which is gone: it goes on from where it was in another.
    pub fn forget_world(&mut self) {
        self.links.iter_mut().for_each(|link| *link = None);
        self.pin = None;
        self.changed = true;
        for body in &mut self.bodies {
            body.id = None;
        }
    }

    /// Has a body that was not in a world yet begin where it is aimed at, at a speed.
    pub fn begin(&mut self, body: usize, velocity: Velocity) {
        if let Some(body) = self.bodies.get_mut(body) {
            body.frame = body.target;
            body.target_before = body.target;
            body.velocity = velocity;
        }
    }

    /// Moves all of it by an offset at once, as if it had always been there.
    pub fn carry(&mut self, world: &mut PhysicsWorld, offset: Vec3) {
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

    /// Pushes each of its bodies by its share of the mass: newton seconds.
    pub fn push_all(&mut self, world: &mut PhysicsWorld, impulse: Vec3) {
        let all: f32 = self.definition.bodies.iter().map(|body| body.mass).sum();
        for (body, asked) in self.bodies.iter().zip(&self.definition.bodies) {
            if let Some(id) = body.id {
                world.push(id, impulse * (asked.mass / all.max(1e-6)), None);
            }
        }
    }

    /// The body whose middle is nearest to a place.
    pub fn nearest(&self, at: Vec3) -> Option<usize> {
        let frames = self.bodies.iter().enumerate();
        frames
            .filter_map(|(i, body)| Some((i, body.frame?.position.distance_squared(at))))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(i, _)| i)
    }

    /// Pushes a body: newton seconds, at a world position or at its middle.
    pub fn push(&mut self, world: &mut PhysicsWorld, body: usize, impulse: Vec3, at: Option<Vec3>) {
        if let Some(id) = self.body(body) {
            world.push(id, impulse, at);
        }
    }
}

/// Ends lighter than this share of the whole pass through the rest of it: pressed between the trunk and the
/// floor no link could hold them.
const LIGHT: f32 = 0.02;

/// Parts of its own that a body has to be told to pass through, a bit each. Links do so for their two ends, and
/// of two bodies one knows it: each that knows some costs more to touch.
fn apart(definition: &RagdollDefinition, body: usize) -> u32 {
    let all: f32 = definition.bodies.iter().map(|body| body.mass).sum();
    let is_light = |body: usize| {
        let mut links = definition.links.iter();
        let mass = definition.bodies.get(body).map_or(0.0, |body| body.mass);
        mass < LIGHT * all && !links.any(|link| usize::from(link.parent) == body)
    };
    if is_light(body) {
        return u32::MAX;
    }
    let is_linked = |a: u16, b: u16| {
        let mut links = definition.links.iter();
        links.any(|link| [(a, b), (b, a)].contains(&(link.parent, link.child)))
    };
    let mut bits = 0;
    for &(a, b) in &definition.apart {
        let (other, own) = (a.min(b), a.max(b));
        if usize::from(own) == body && !is_linked(a, b) && !is_light(usize::from(other)) {
            bits |= 1 << other.min(31);
        }
    }
    bits
}

/// Mass of a body and of all that hangs on it.
fn hanging_mass(definition: &RagdollDefinition, body: usize) -> f32 {
    let own = definition.bodies.get(body).map_or(0.0, |body| body.mass);
    let below = definition.links.iter();
    own + below
        .filter(|link| usize::from(link.parent) == body && usize::from(link.child) > body)
        .map(|link| hanging_mass(definition, usize::from(link.child)))
        .sum::<f32>()
}

/// Largest factor on a motor's gains for what hangs on it.
const MOST_LEVER: f32 = 40.0;

/// Nothing hangs on it, and it hangs on something.
fn is_end(definition: &RagdollDefinition, body: usize) -> bool {
    let mut links = definition.links.iter();
    let hangs = links.any(|link| usize::from(link.child) == body);
    let mut links = definition.links.iter();
    hangs && !links.any(|link| usize::from(link.parent) == body)
}

/// The moment of inertia, about a body's link, of it and all that hangs on it in the middle of all ranges, over
/// its own: the engine's motors pull as if nothing hung on it.
fn lever(definition: &RagdollDefinition, body: usize) -> f32 {
    let Some(own) = definition.bodies.get(body) else {
        return 1.0;
    };
    let half = own.shape.half_extents();
    let alone = own.mass * (half * half).max_element().max(1e-6) / 3.0;
    let mut above = definition.links.iter();
    let joint = above.find(|link| usize::from(link.child) == body);
    let joint = joint.map_or(Vec3::ZERO, |link| link.child_from_link.position);
    let all = alone + moment(definition, body, RigidFrame::IDENTITY, joint);
    (all / alone).clamp(1.0, MOST_LEVER)
}

/// Sum of mass by squared distance from a point of a body, standing at `at`, and all that hangs on it.
fn moment(definition: &RagdollDefinition, body: usize, at: RigidFrame, from: Vec3) -> f32 {
    let mass = definition.bodies.get(body).map_or(0.0, |body| body.mass);
    let below = definition.links.iter();
    let below =
        below.filter(|link| usize::from(link.parent) == body && usize::from(link.child) > body);
    mass * at.position.distance_squared(from)
        + below
            .map(|link| {
                let child = at
                    .then(link.parent_from_link)
                    .then(link.child_from_link.inverse());
                moment(definition, usize::from(link.child), child, from)
            })
            .sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::super::{BodyDefinition, BodyShape, LinkDefinition, LinkKind};
    use super::*;

    #[test]
    fn one_of_a_pair_knows_that_it_passes_through_the_other_unless_they_are_linked() {
        let body = |mass| BodyDefinition {
            bone: 0,
            bone_from_body: RigidFrame::IDENTITY,
            shape: BodyShape::Sphere { radius: 0.1 },
            mass,
            friction: 0.7,
        };
        let link = |parent, child| LinkDefinition {
            parent,
            child,
            parent_from_link: RigidFrame::IDENTITY,
            child_from_link: RigidFrame::IDENTITY,
            kind: LinkKind::Fixed,
        };
        let definition = RagdollDefinition {
            bodies: [10.0, 5.0, 5.0, 0.1].map(body).to_vec(),
            links: vec![link(0, 1), link(0, 2), link(2, 3)],
            apart: vec![(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)],
            ..RagdollDefinition::default()
        };
        let known = [0, 1, 2, 3].map(|body| apart(&definition, body));
        assert_eq!(known, [0, 0, 0b10, u32::MAX]);
    }
}
