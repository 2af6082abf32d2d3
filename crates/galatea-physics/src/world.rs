//! The world of rigid bodies and its simulation step.
//!
//! Every body has an owner, an id chosen by the user of the world. Units are metres, kilograms and radians. Non-finite
//! values are replaced or ignored.

use std::collections::HashMap;
use std::fmt;

use galatea_guard::guarded;
use glam::Vec3;
use rapier3d::prelude::{
    CoefficientCombineRule, Collider, ColliderBuilder, ColliderHandle, Group, InteractionGroups,
    InteractionTestMode, PhysicsWorld as RapierWorld, Pose, RigidBody, RigidBodyHandle,
    SharedShape, Vector,
};
use serde::{Deserialize, Serialize};

use super::body_id::BodyId;
use super::cells::CellFriction;
use super::engine::{EngineFailure, Failures, copy_of, read_engine};
use super::epoch::{self, new_epoch};
use super::prop_body::{PhysicsMaterial, Velocity};
use super::ragdoll::RigidFrame;
use super::tag::IgnoredParts;
use super::tag::{Owner, owner_of, tag};
use super::touch::{ContactHooks, Touch, Touches};

/// Number of collision layers.
pub const N_LAYERS: usize = 32;

/// A world of rigid bodies.
#[derive(Serialize, Deserialize)]
pub struct PhysicsWorld {
    /// Boxed because it is kilobytes large: the stage around it is moved twice per script call.
    #[serde(deserialize_with = "read_engine")]
    pub(super) rapier: Box<RapierWorld>,
    #[serde(deserialize_with = "epoch::deserialize")]
    epoch: u64,
    pub(super) floor: Option<(ColliderHandle, f32)>,
    /// Per layer, a bit mask of the layers that it collides with.
    layers: [u32; N_LAYERS],
    /// Kinematic bodies with their start and target poses for the coming step.
    moving: Vec<(RigidBodyHandle, Pose, Pose)>,
    /// Colliders with cells of different friction or restitution.
    pub(super) grounds: HashMap<ColliderHandle, CellFriction>,
    pub(super) touches: Touches,
    pub(super) failures: Failures,
    /// Owners of bodies that the world itself removed, until the caller takes them.
    pub(super) removed: Vec<Owner>,
    /// Number of triangles that the capsules of controllers have overlapped since the last step.
    pub(super) n_capsule_triangles: usize,
    /// Size of the smallest active ragdoll relative to a human; infinite without one.
    smallest: f32,
    /// A body was pushed or teleported since the last step.
    is_disturbed: bool,
    /// Bodies were added, removed or teleported since the last step, and queries do not include it yet.
    pub(super) is_dirty: bool,
    /// Bodies were added or teleported since the last step, and queries include it.
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
            is_disturbed: self.is_disturbed,
            is_dirty: self.is_dirty,
        }
    }
}

impl Default for PhysicsWorld {
    fn default() -> Self {
        Self::new()
    }
}

/// Longest substep, seconds: longer ticks are split into equal substeps.
pub const MAX_STEP: f64 = 1.0 / 60.0 + 1e-6;
/// Size relative to a human above which ragdolls need no shorter substeps.
const MIN_UNREFINED_SIZE: f64 = 0.6;
/// Size relative to a human below which ragdolls get no more accurate.
pub(super) const MIN_REFINED_SIZE: f32 = 0.1;
/// Distance of relative motion after which contacts are recomputed, metres: the maximum, and the value per ragdoll size
/// relative to a human. Contacts of thin limbs are wrong sooner than those of boxes.
const CONTACT_RECYCLE_DISTANCE: [f32; 2] = [0.05, 0.01];
/// Distance below which two bodies count as touching, metres.
const CONTACT_DISTANCE: f32 = 0.005;
/// Prediction distance of continuous collision detection, metres.
pub(super) const CCD_PREDICTION: f32 = 8.0;
/// Maximum distance of a body from the origin, metres: a body there is put to sleep.
pub const FARTHEST: f32 = 1e5;
/// Maximum velocity that a body can be given, metres or radians per second along each axis.
const MAX_SPEED: f32 = 1e6;

impl PhysicsWorld {
    /// Empty world with the Earth's gravity.
    pub fn new() -> Self {
        let mut rapier = Box::<RapierWorld>::default();
        // Warm starting keeps chains of limbs together.
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
            is_disturbed: true,
            is_dirty: true,
        }
    }

    /// Invalidates all body ids.
    pub(super) fn renew_epoch(&mut self) {
        self.epoch = new_epoch();
    }

    /// Number of bodies.
    pub fn n_bodies(&self) -> usize {
        self.rapier.bodies.len()
    }

    /// Number of shapes of all bodies.
    pub fn n_shapes(&self) -> usize {
        self.rapier.colliders.len()
    }

    /// Returns true if the world contains at most the floor.
    pub fn is_empty(&self) -> bool {
        self.rapier.bodies.is_empty()
    }

    /// Sets the gravity, m/s².
    pub fn set_gravity(&mut self, gravity: Vec3) {
        if gravity.is_finite() && gravity != self.rapier.gravity {
            self.rapier.gravity = gravity;
            self.disturb();
            self.rapier.wake_up_all(true);
        }
    }

    /// Records that a body may be pushed or teleported.
    pub(super) fn disturb(&mut self) {
        self.is_disturbed = true;
    }

    /// Returns true if a body may have been pushed or teleported since the last step.
    pub(super) fn is_disturbed(&self) -> bool {
        self.is_disturbed
    }

    /// Gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.rapier.gravity
    }

    /// Sets the collision matrix: per layer, a bit mask of the layers that it collides with. Two bodies collide if each has
    /// the bit of the other's layer.
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

    /// Sets height and material of the infinite floor, or removes it.
    pub fn set_floor(&mut self, floor: Option<(f32, &PhysicsMaterial)>) {
        let height = floor.map(|(height, _)| height);
        if self.floor.map(|(_, height)| height) == height {
            if let (Some((collider, _)), Some((_, surface))) = (self.floor, floor)
                && let Some(collider) = self.rapier.colliders.get_mut(collider)
            {
                set_surface(collider, surface.friction, surface.restitution);
            }
            return;
        }
        if let Some((collider, _)) = self.floor.take() {
            self.rapier.remove_collider(collider);
        }
        if let Some((height, surface)) = floor.filter(|(height, _)| height.is_finite()) {
            let mut plane = ColliderBuilder::new(SharedShape::halfspace(Vector::Y))
                .translation(Vec3::Y * height)
                .user_data(tag(Owner::FLOOR_OWNER, 0, IgnoredParts::NONE))
                .collision_groups(self.groups(0))
                .build();
            set_surface(&mut plane, surface.friction, surface.restitution);
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

    /// Mutable body that will be pushed or teleported.
    pub(super) fn body_mut(&mut self, id: BodyId) -> Option<&mut RigidBody> {
        self.disturb();
        self.unmoved_mut(id)
    }

    /// Mutable body; the caller changes neither velocity nor position.
    pub(super) fn unmoved_mut(&mut self, id: BodyId) -> Option<&mut RigidBody> {
        (id.epoch == self.epoch)
            .then(|| self.rapier.bodies.get_mut(id.handle))
            .flatten()
    }

    /// Returns true while the body is in this world.
    pub fn has(&self, id: BodyId) -> bool {
        self.body(id).is_some()
    }

    /// Removes a body.
    pub fn remove(&mut self, id: BodyId) {
        if self.has(id) {
            self.rapier.remove_body(id.handle);
            self.is_dirty = true;
        }
    }

    /// Removes the bodies of owners that no longer exist.
    pub fn retain(&mut self, exists: impl Fn(Owner) -> bool) {
        let mut gone = Vec::new();
        for (handle, body) in self.rapier.bodies.iter() {
            if !exists(Owner(body.user_data as u64)) {
                gone.push(handle);
            }
        }
        for handle in gone {
            self.rapier.remove_body(handle);
            self.is_dirty = true;
        }
    }

    /// Frame of a body, world space.
    pub fn frame(&self, id: BodyId) -> Option<RigidFrame> {
        self.body(id).map(|body| (*body.position()).into())
    }

    /// Teleports a body without a velocity.
    pub fn put(&mut self, id: BodyId, at: RigidFrame) {
        if let Some(body) = self.body_mut(id) {
            let pose = clamped_pose(at);
            body.set_position(pose, true);
            if body.is_kinematic() {
                body.set_next_kinematic_position(pose);
            }
            self.is_dirty = true;
        }
    }

    /// Moves a kinematic body to a frame in the coming step; it pushes bodies in its path.
    pub fn move_to(&mut self, id: BodyId, to: RigidFrame) {
        if let Some(body) = self.body(id).filter(|body| body.is_kinematic()) {
            let (from, to) = (*body.position(), clamped_pose(to));
            if from != to {
                self.moving.push((id.handle, from, to));
            }
        }
    }

    /// Velocity of a body.
    pub fn velocity(&self, id: BodyId) -> Option<Velocity> {
        self.body(id).map(|body| Velocity {
            linear: body.linvel(),
            angular: body.angvel(),
        })
    }

    /// Frame and velocity of a body, and true if it sleeps.
    pub fn state(&self, id: BodyId) -> Option<(RigidFrame, Velocity, bool)> {
        self.body(id).map(|body| {
            let velocity = Velocity {
                linear: body.linvel(),
                angular: body.angvel(),
            };
            ((*body.position()).into(), velocity, body.is_sleeping())
        })
    }

    /// Sets the velocity of a body.
    pub fn set_velocity(&mut self, id: BodyId, velocity: Velocity) {
        if let Some(body) = self.body_mut(id) {
            let velocity = finite(velocity);
            body.set_linvel(velocity.linear, true);
            body.set_angvel(velocity.angular, true);
        }
    }

    /// Applies an impulse, newton seconds, at a world position or at the centre of mass.
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

    /// Applies a torque impulse, newton metre seconds, about the world axes.
    pub fn twist(&mut self, id: BodyId, impulse: Vec3) {
        if let Some(body) = self.body_mut(id).filter(|body| body.is_dynamic())
            && impulse.is_finite()
        {
            body.apply_torque_impulse(impulse, true);
        }
    }

    /// Mass, kilograms; 0 for bodies that are not dynamic.
    pub fn mass(&self, id: BodyId) -> f32 {
        self.body(id).map_or(0.0, RigidBody::mass)
    }

    /// Centre of mass, world space.
    pub fn centre_of_mass(&self, id: BodyId) -> Option<Vec3> {
        self.body(id).map(RigidBody::center_of_mass)
    }

    /// Calls `visit` with every contact: both owners, position, and unit normal from the first to the second, world space.
    pub fn each_contact(&self, mut visit: impl FnMut([Owner; 2], Vec3, Vec3)) {
        for pair in self.rapier.narrow_phase.contact_pairs() {
            let ends = [pair.collider1, pair.collider2].map(|end| self.rapier.colliders.get(end));
            let [Some(first), Some(second)] = ends else {
                continue;
            };
            let owners = [owner_of(first).0, owner_of(second).0];
            for manifold in pair.manifolds() {
                let points = manifold.points.iter();
                for point in points.filter(|point| point.dist < CONTACT_DISTANCE) {
                    let position = first.position().transform_point(point.local_p1);
                    visit(owners, position, manifold.data.normal);
                }
            }
        }
    }

    /// Requests substeps short enough for ragdolls of this size, relative to a human. Under the same gravity small bodies
    /// fall faster relative to their size, by its square root (Froude).
    pub fn refine(&mut self, size: f32) {
        self.smallest = self.smallest.min(size.max(MIN_REFINED_SIZE));
    }

    /// Steps the world by `dt` seconds, in substeps of at most `MAX_STEP`. Appends contacts that began or ended to
    /// `touches`.
    pub fn step(&mut self, dt: f64, touches: &mut Vec<Touch>) {
        if dt <= 0.0 || !dt.is_finite() {
            return;
        }
        let size = std::mem::replace(&mut self.smallest, f32::INFINITY);
        let finer = (f64::from(size) / MIN_UNREFINED_SIZE).sqrt().min(1.0);
        let parameters = &mut self.rapier.integration_parameters;
        let [max_distance, per_size] = CONTACT_RECYCLE_DISTANCE;
        parameters.normalized_contact_recycle_distance = max_distance.min(per_size * size);
        let n = (dt / (MAX_STEP * finer)).ceil().clamp(1.0, 64.0);
        let refinement = (n / (dt / MAX_STEP).ceil().clamp(1.0, 64.0)).round() as usize;
        self.rapier.integration_parameters.dt = (dt / n) as f32;
        if self.is_dirty {
            let colliders = &self.rapier.colliders;
            self.grounds
                .retain(|collider, _| colliders.contains(*collider));
        }
        self.thin_out(refinement);
        self.remove_heavy(n as usize);
        self.limit_iterations(n as usize);
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
        self.is_disturbed = false;
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

    /// Finds the contacts of bodies added to the world and puts the given bodies to sleep, as if they had all been there
    /// before. The next step reports only those contacts for which `reports` returns true.
    pub fn resume(&mut self, asleep: &[BodyId], reports: impl FnMut(&Touch) -> bool) {
        self.thin_out(1);
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
        // Collision detection marks the changes as processed, but new bodies are in no island yet: mark all bodies as
        // modified for the coming step.
        self.rapier.bodies.iter_mut().for_each(drop);
        self.touches.retain(reports);
        for body in asleep {
            self.sleep(*body);
        }
    }

    /// Updates the query structures for bodies that were added, removed or teleported since the last step.
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
        // Collision detection would mark bodies as processed before any island contains them, and those never move.
        bodies.propagate_modified_body_positions_to_colliders(colliders);
        for (handle, collider) in colliders.iter() {
            let bounds = collider.compute_aabb();
            broad_phase.set_aabb(integration_parameters, handle, bounds);
        }
    }
}

/// Sets the combine rules: friction of two surfaces is the geometric mean, restitution the maximum.
pub(super) fn set_surface(collider: &mut Collider, friction: f32, bounce: f32) {
    let [friction, bounce] = combined_surface(friction, bounce);
    collider.set_friction(friction);
    collider.set_friction_combine_rule(CoefficientCombineRule::Multiply);
    collider.set_restitution(bounce);
    collider.set_restitution_combine_rule(CoefficientCombineRule::Max);
}

/// Values that the engine combines: the square root of the friction, multiplied, and the restitution, of which the maximum
/// is used.
pub(super) fn combined_surface(friction: f32, bounce: f32) -> [f32; 2] {
    let friction = if friction.is_finite() { friction } else { 0.5 };
    let bounce = if bounce.is_finite() { bounce } else { 0.0 };
    [friction.max(0.0).sqrt(), bounce.clamp(0.0, 1.0)]
}

pub(super) fn clamped_pose(at: RigidFrame) -> Pose {
    let limit = Vec3::splat(FARTHEST);
    let position = if at.position.is_finite() {
        at.position.clamp(-limit, limit)
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
    let max = Vec3::splat(MAX_SPEED);
    let clamped = |v: Vec3| {
        if v.is_finite() {
            v.clamp(-max, max)
        } else {
            Vec3::ZERO
        }
    };
    Velocity {
        linear: clamped(velocity.linear),
        angular: clamped(velocity.angular),
    }
}
