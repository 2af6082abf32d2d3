//! The world of rigid bodies: what is in it, and its step.
//!
//! Everything in it has an owner, a number that its user chose. Lengths are metres, masses kilograms,
//! angles radians. What is not finite is not taken in.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use galatea_guard::guarded;
use glam::Vec3;
use rapier3d::prelude::{
    CoefficientCombineRule, Collider, ColliderBuilder, ColliderHandle, Group, InteractionGroups,
    InteractionTestMode, PhysicsWorld as RapierWorld, Pose, RigidBody, RigidBodyHandle,
    SharedShape, Vector,
};

use super::body_id::BodyId;
use super::cells::CellFriction;
use super::engine::{EngineFailure, Failures, copy_of};
use super::ragdoll::RigidFrame;
use super::solid::{PhysicsMaterial, Velocity};
use super::tag::Apart;
use super::tag::{Owner, owner_of, tag};
use super::touch::{ContactHooks, Touch, Touches};

/// Layers that there are.
pub const N_LAYERS: usize = 32;

/// A world of rigid bodies.
pub struct PhysicsWorld {
    /// Kilobytes of it; who calls scripts moves the stage around it twice for each call.
    pub(super) rapier: Box<RapierWorld>,
    epoch: u64,
    pub(super) floor: Option<(ColliderHandle, f32)>,
    /// For each layer the layers that it meets, a bit each.
    layers: [u32; N_LAYERS],
    /// Bodies that go where they are told: from where to where in the coming step.
    moving: Vec<(RigidBodyHandle, Pose, Pose)>,
    /// Forms whose cells differ in what they do to what touches them.
    pub(super) grounds: HashMap<ColliderHandle, CellFriction>,
    pub(super) touches: Touches,
    pub(super) failures: Failures,
    /// Owners of bodies that the world itself removed, since they were last taken.
    pub(super) removed: Vec<Owner>,
    /// Triangles that capsules of controllers overlapped since the last step.
    pub(super) n_capsule_triangles: usize,
    /// Size of the smallest ragdoll that moves, a human's being 1; infinite without.
    smallest: f32,
    /// Something was pushed, or put elsewhere, since the last step.
    is_stirred: bool,
    /// Bodies came, went or were put elsewhere since the last step, and queries do not see it yet.
    pub(super) is_dirty: bool,
    /// Bodies came or were put elsewhere since the last step, and queries see it.
    pub(super) has_changed: bool,
}

impl fmt::Debug for PhysicsWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("n_bodies", &self.n_bodies())
            .finish_non_exhaustive()
    }
}

impl Clone for PhysicsWorld {
    fn clone(&self) -> Self {
        Self {
            rapier: Box::new(copy_of(&self.rapier)),
            epoch: self.epoch,
            floor: self.floor,
            layers: self.layers,
            moving: self.moving.clone(),
            grounds: self.grounds.clone(),
            n_capsule_triangles: 0,
            smallest: self.smallest,
            touches: Touches::default(),
            removed: Vec::new(),
            has_changed: true,
            failures: Failures::default(),
            is_stirred: self.is_stirred,
            is_dirty: self.is_dirty,
        }
    }
}

impl Default for PhysicsWorld {
    fn default() -> Self {
        Self::new()
    }
}

/// Longest step, seconds: longer ticks are cut into equal steps.
pub const LONGEST_STEP: f64 = 1.0 / 60.0 + 1e-6;
/// Chains of limbs from this size on, a human's being 1, need no shorter steps.
const LEAST_WHOLE: f64 = 0.6;
/// Contacts are looked for again when two things have moved by this much, metres: at most, and for the size
/// of a ragdoll, a human's being 1. Those of thin limbs are off sooner than those of boxes.
const RECYCLED: [f32; 2] = [0.05, 0.01];
/// Nearer than this, metres, two things count as touching.
const TOUCHING: f32 = 0.005;
/// Metres ahead that a bullet looks for what it could hit.
pub(super) const FORESIGHT: f32 = 8.0;
/// Farthest from the origin that a body may be, metres: behind that it is put to rest.
pub const FARTHEST: f32 = 1e5;
/// Greatest velocity that a body can be given, metres or radians per second along each axis.
const MAX_SPEED: f32 = 1e6;

impl PhysicsWorld {
    /// An empty world with the Earth's gravity.
    pub fn new() -> Self {
        let mut rapier = Box::<RapierWorld>::default();
        // Chains of limbs hold together by what they held with a step ago.
        rapier.integration_parameters.warmstart_joints = true;
        Self {
            rapier,
            epoch: new_epoch(),
            floor: None,
            layers: [u32::MAX; N_LAYERS],
            moving: Vec::new(),
            grounds: HashMap::new(),
            n_capsule_triangles: 0,
            smallest: f32::INFINITY,
            touches: Touches::default(),
            removed: Vec::new(),
            has_changed: true,
            failures: Failures::default(),
            is_stirred: true,
            is_dirty: true,
        }
    }

    /// Makes all ids of bodies invalid.
    pub(super) fn renew_epoch(&mut self) {
        self.epoch = new_epoch();
    }

    /// How many bodies there are.
    pub fn n_bodies(&self) -> usize {
        self.rapier.bodies.len()
    }

    /// True when there is nothing that could move or be met, but for the floor.
    pub fn is_empty(&self) -> bool {
        self.rapier.bodies.is_empty()
    }

    /// Sets the acceleration of everything, m/s².
    pub fn set_gravity(&mut self, gravity: Vec3) {
        if gravity.is_finite() && gravity != self.rapier.gravity {
            self.rapier.gravity = gravity;
            self.stir();
            self.rapier.wake_up_all(true);
        }
    }

    /// Notes that something may be pushed, or put elsewhere.
    pub(super) fn stir(&mut self) {
        self.is_stirred = true;
    }

    /// True when something may have been pushed, or put elsewhere, since the last step.
    pub(super) fn is_stirred(&self) -> bool {
        self.is_stirred
    }

    /// The acceleration of everything, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.rapier.gravity
    }

    /// Sets which layers meet which: for each a bit for every layer that it meets. Two things meet when
    /// each meets the other's layer.
    pub fn set_layers(&mut self, layers: [u32; N_LAYERS]) {
        if layers == self.layers {
            return;
        }
        self.layers = layers;
        let mut colliders = std::mem::take(&mut self.rapier.colliders);
        for (_, collider) in colliders.iter_mut() {
            let own = collider.collision_groups().memberships.bits();
            collider.set_collision_groups(self.groups(own.trailing_zeros() as u8));
        }
        self.rapier.colliders = colliders;
        self.rapier.wake_up_all(true);
        self.is_dirty = true;
    }

    /// Sets the endless floor: its height and what it is made of, or none.
    pub fn set_floor(&mut self, floor: Option<(f32, &PhysicsMaterial)>) {
        let height = floor.map(|(height, _)| height);
        if self.floor.map(|(_, height)| height) == height {
            if let (Some((collider, _)), Some((_, surface))) = (self.floor, floor)
                && let Some(collider) = self.rapier.colliders.get_mut(collider)
            {
                wear(collider, surface.friction, surface.bounce);
            }
            return;
        }
        if let Some((collider, _)) = self.floor.take() {
            self.rapier.remove_collider(collider);
        }
        if let Some((height, surface)) = floor.filter(|(height, _)| height.is_finite()) {
            let mut plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Y))
                .translation(Vec3::Y * height)
                .user_data(tag(Owner::NOBODY, 0, Apart::NONE))
                .collision_groups(self.groups(0))
                .build();
            wear(&mut plane, surface.friction, surface.bounce);
            let collider = self.rapier.insert_collider(plane, None);
            self.floor = Some((collider, height));
        }
        self.rapier.wake_up_all(true);
        self.is_dirty = true;
    }

    pub(super) fn groups(&self, layer: u8) -> InteractionGroups {
        let layer = usize::from(layer).min(N_LAYERS - 1);
        InteractionGroups::new(
            Group::from_bits_retain(1 << layer),
            Group::from_bits_retain(self.layers[layer]),
            InteractionTestMode::And,
        )
    }

    pub(super) fn id(&self, handle: RigidBodyHandle) -> BodyId {
        BodyId {
            epoch: self.epoch,
            handle,
        }
    }

    pub(super) fn body(&self, id: BodyId) -> Option<&RigidBody> {
        (id.epoch == self.epoch)
            .then(|| self.rapier.bodies.get(id.handle))
            .flatten()
    }

    /// A body to be pushed or put elsewhere.
    pub(super) fn body_mut(&mut self, id: BodyId) -> Option<&mut RigidBody> {
        self.stir();
        self.still_mut(id)
    }

    /// A body whose motion and place will stay what they are.
    pub(super) fn still_mut(&mut self, id: BodyId) -> Option<&mut RigidBody> {
        (id.epoch == self.epoch)
            .then(|| self.rapier.bodies.get_mut(id.handle))
            .flatten()
    }

    /// True while the body is in this world.
    pub fn has(&self, id: BodyId) -> bool {
        self.body(id).is_some()
    }

    /// Takes a body out.
    pub fn remove(&mut self, id: BodyId) {
        if self.has(id) {
            self.rapier.remove_body(id.handle);
            self.is_dirty = true;
        }
    }

    /// Takes out the bodies whose owners are not there any more.
    pub fn retain(&mut self, is_there: impl Fn(Owner) -> bool) {
        let mut gone = Vec::new();
        for (handle, body) in self.rapier.bodies.iter() {
            if !is_there(Owner(body.user_data as u64)) {
                gone.push(handle);
            }
        }
        for handle in gone {
            self.rapier.remove_body(handle);
            self.is_dirty = true;
        }
    }

    /// Where a body is.
    pub fn frame(&self, id: BodyId) -> Option<RigidFrame> {
        self.body(id).map(|body| (*body.position()).into())
    }

    /// Puts a body elsewhere at once, as if it had always been there.
    pub fn put(&mut self, id: BodyId, at: RigidFrame) {
        if let Some(body) = self.body_mut(id) {
            let pose = placed(at);
            body.set_position(pose, true);
            if body.is_kinematic() {
                body.set_next_kinematic_position(pose);
            }
            self.is_dirty = true;
        }
    }

    /// Has a body that is moved go somewhere in the coming step, pushing what is in its way.
    pub fn move_to(&mut self, id: BodyId, to: RigidFrame) {
        if let Some(body) = self.body(id).filter(|body| body.is_kinematic()) {
            let (from, to) = (*body.position(), placed(to));
            if from != to {
                self.moving.push((id.handle, from, to));
            }
        }
    }

    /// How fast a body is.
    pub fn velocity(&self, id: BodyId) -> Option<Velocity> {
        self.body(id).map(|body| Velocity {
            linear: body.linvel(),
            angular: body.angvel(),
        })
    }

    /// Where a body is, how fast it is, and whether it rests.
    pub fn state(&self, id: BodyId) -> Option<(RigidFrame, Velocity, bool)> {
        self.body(id).map(|body| {
            let velocity = Velocity {
                linear: body.linvel(),
                angular: body.angvel(),
            };
            ((*body.position()).into(), velocity, body.is_sleeping())
        })
    }

    /// Sets how fast a body is.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Velocity) {
        if let Some(body) = self.body_mut(id) {
            let velocity = finite(velocity);
            body.set_linvel(velocity.linear, true);
            body.set_angvel(velocity.angular, true);
        }
    }

    /// Pushes a body: newton seconds, at a world position or at its centre of mass.
    pub fn push(&mut self, id: BodyId, impulse: Vec3, at: Option<Vec3>) {
        if let Some(body) = self.body_mut(id).filter(|body| body.is_dynamic())
            && impulse.is_finite()
        {
            match at.filter(|at| at.is_finite()) {
                Some(at) => body.apply_impulse_at_point(impulse, at, true),
                None => body.apply_impulse(impulse, true),
            }
        }
    }

    /// Turns a body: newton metre seconds about the world's axes.
    pub fn twist(&mut self, id: BodyId, impulse: Vec3) {
        if let Some(body) = self.body_mut(id).filter(|body| body.is_dynamic())
            && impulse.is_finite()
        {
            body.apply_torque_impulse(impulse, true);
        }
    }

    /// Its mass, kilograms; what does not move has none.
    pub fn mass(&self, id: BodyId) -> f32 {
        self.body(id).map_or(0.0, RigidBody::mass)
    }

    /// Where its centre of mass is.
    pub fn centre_of_mass(&self, id: BodyId) -> Option<Vec3> {
        self.body(id).map(RigidBody::center_of_mass)
    }

    /// Tells every contact: whose things touch, where, and the unit normal from the first to the second;
    /// world space.
    pub fn each_contact(&self, mut tell: impl FnMut([Owner; 2], Vec3, Vec3)) {
        for pair in self.rapier.narrow_phase.contact_pairs() {
            let ends = [pair.collider1, pair.collider2].map(|end| self.rapier.colliders.get(end));
            let [Some(first), Some(second)] = ends else {
                continue;
            };
            let owners = [owner_of(first).0, owner_of(second).0];
            for manifold in pair.manifolds() {
                let points = manifold.points.iter();
                for point in points.filter(|point| point.dist < TOUCHING) {
                    let place = first.position().transform_point(point.local_p1);
                    tell(owners, place, manifold.data.normal);
                }
            }
        }
    }

    /// Has the coming step be cut finely enough for chains of limbs of this size, a human's being 1: under the
    /// same gravity the small fall faster for their size, by the root of it (Froude).
    pub fn refine(&mut self, size: f32) {
        self.smallest = self.smallest.min(size.max(0.01));
    }

    /// Steps the world by `dt` seconds, in substeps of at most `LONGEST_STEP`. Adds contacts that began or ended
    /// to `touches`.
    pub fn step(&mut self, dt: f64, touches: &mut Vec<Touch>) {
        if dt <= 0.0 || !dt.is_finite() {
            return;
        }
        let size = std::mem::replace(&mut self.smallest, f32::INFINITY);
        let finer = (f64::from(size) / LEAST_WHOLE).sqrt().min(1.0);
        let parameters = &mut self.rapier.integration_parameters;
        let [most, of_size] = RECYCLED;
        parameters.normalized_contact_recycle_distance = most.min(of_size * size);
        let n = (dt / (LONGEST_STEP * finer)).ceil().clamp(1.0, 64.0);
        self.rapier.integration_parameters.dt = (dt / n) as f32;
        if self.is_dirty {
            let forms = &self.rapier.colliders;
            self.grounds.retain(|form, _| forms.contains(*form));
        }
        self.thin_out();
        self.remove_heavy(n as usize);
        self.n_capsule_triangles = 0;
        let moving = std::mem::take(&mut self.moving);
        for i in 1..=n as u32 {
            let u = i as f32 / n as f32;
            for (handle, from, to) in &moving {
                if let Some(body) = self.rapier.bodies.get_mut(*handle) {
                    let to = RigidFrame::from(*from).lerp((*to).into(), u);
                    body.set_next_kinematic_position(to.into());
                }
            }
            self.step_engine();
        }
        self.moving = moving;
        self.moving.clear();
        self.touches.take(touches);
        self.is_stirred = false;
        self.is_dirty = false;
        self.has_changed = false;
    }

    /// Target poses of kinematic bodies in the coming step.
    pub(super) fn targets(&self) -> HashMap<RigidBodyHandle, Pose> {
        let moving = self.moving.iter();
        moving.map(|(body, _, to)| (*body, *to)).collect()
    }

    pub(super) fn n_targets(&self) -> usize {
        self.moving.len()
    }

    /// Has what came into the world touch what it touches there, which is told with the next step only where
    /// `tells` says so, and puts these bodies to rest: as if all of it had been there before.
    pub fn resume(&mut self, asleep: &[BodyId], tells: impl FnMut(&Touch) -> bool) {
        self.thin_out();
        self.remove_heavy(1);
        self.is_dirty = false;
        let rules = ContactHooks {
            grounds: &self.grounds,
        };
        let (rapier, touches) = (&mut self.rapier, &self.touches);
        if guarded("collision detection", || {
            rapier.detect_collisions(&rules, touches);
        })
        .is_err()
        {
            self.failures.add(EngineFailure::Query);
        }
        // What changed counts as known now, but no island has new bodies yet: the coming step is to look
        // at all of them.
        self.rapier.bodies.iter_mut().for_each(drop);
        self.touches.retain(tells);
        for body in asleep {
            self.sleep(*body);
        }
    }

    /// Has queries see what came, went or was put elsewhere since the last step.
    pub fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_dirty) {
            return;
        }
        self.has_changed = true;
        let RapierWorld {
            bodies,
            colliders,
            broad_phase,
            integration_parameters,
            ..
        } = &mut *self.rapier;
        // Not by detecting collisions: that counts bodies as known which no island has, and those never move.
        bodies.propagate_modified_body_positions_to_colliders(colliders);
        for (handle, collider) in colliders.iter() {
            let bounds = collider.compute_aabb();
            broad_phase.set_aabb(integration_parameters, handle, bounds);
        }
    }
}

fn new_epoch() -> u64 {
    static EPOCH: AtomicU64 = AtomicU64::new(0);
    EPOCH.fetch_add(1, Ordering::Relaxed)
}

/// Friction of two surfaces is the geometric mean, bounce that of the one that bounces more.
pub(super) fn wear(collider: &mut Collider, friction: f32, bounce: f32) {
    let [friction, bounce] = worn(friction, bounce);
    collider.set_friction(friction);
    collider.set_friction_combine_rule(CoefficientCombineRule::Multiply);
    collider.set_restitution(bounce);
    collider.set_restitution_combine_rule(CoefficientCombineRule::Max);
}

/// What is multiplied for friction, and of which the greater counts for bounce.
pub(super) fn worn(friction: f32, bounce: f32) -> [f32; 2] {
    let friction = if friction.is_finite() { friction } else { 0.5 };
    let bounce = if bounce.is_finite() { bounce } else { 0.0 };
    [friction.max(0.0).sqrt(), bounce.clamp(0.0, 1.0)]
}

pub(super) fn placed(at: RigidFrame) -> Pose {
    let far = Vec3::splat(FARTHEST);
    let position = if at.position.is_finite() {
        at.position.clamp(-far, far)
    } else {
        Vec3::ZERO
    };
    let rotation = at.rotation;
    let length = rotation.length_squared();
    let rotation = if length.is_finite() && length > 1e-6 {
        rotation.normalize()
    } else {
        glam::Quat::IDENTITY
    };
    Pose::from_parts(position, rotation)
}

pub(super) fn finite(velocity: Velocity) -> Velocity {
    let most = Vec3::splat(MAX_SPEED);
    let kept = |v: Vec3| {
        if v.is_finite() {
            v.clamp(-most, most)
        } else {
            Vec3::ZERO
        }
    };
    Velocity {
        linear: kept(velocity.linear),
        angular: kept(velocity.angular),
    }
}
