//! Recovery from panics of the physics engine: the body at fault is removed, and everything else continues.
//!
//! Sizes, masses and velocities are limited before they enter the world ([`super::shape_error::MAX_SIZE`],
//! [`super::world::FARTHEST`]), so this is the second line of defence. While some body is unusual enough to be a risk, each
//! step begins with a copy of the world to go back to.

use galatea_guard::guarded;
use glam::Vec3;
use rapier3d::parry::query;
use rapier3d::prelude::{
    Aabb, Collider, ColliderHandle, PhysicsWorld as RapierWorld, RigidBodyHandle,
};

use super::engine::{EngineFailure, copy_of};
use super::tag::Owner;
use super::touch::ContactHooks;
use super::world::{FARTHEST, PhysicsWorld};

/// Maximum number of bodies removed one after the other before all are removed.
const MAX_REMOVED: usize = 16;
/// Limits beyond which a body is a risk, metres and metres per second. A body that falls until it sleeps at the maximum
/// distance is none.
const RISKY_POSITION: f32 = 2.0 * FARTHEST;
const RISKY_SIZE: f32 = 1e3;
const RISKY_SPEED: f32 = 1e4;

impl PhysicsWorld {
    /// Failures of the engine since the last call.
    pub fn take_failures(&mut self) -> Vec<EngineFailure> {
        self.failures.take()
    }

    /// Owners of bodies that the world itself removed since the last call; an owner may occur several times.
    pub fn take_removed(&mut self) -> Vec<Owner> {
        std::mem::take(&mut self.removed)
    }

    /// Records the owner of a body that the world itself is about to remove.
    pub(super) fn note_removed(&mut self, body: RigidBodyHandle) -> Owner {
        let body = self.rapier.bodies.get(body);
        let owner = Owner(body.map_or(0, |body| body.user_data) as u64);
        self.removed.push(owner);
        owner
    }

    /// Runs a query. Returns the default value if the engine panics.
    pub(super) fn guarded_query<T: Default>(&self, ask: impl FnOnce() -> T) -> T {
        guarded("a physics query", ask).unwrap_or_else(|_| {
            self.failures.add(EngineFailure::Query);
            T::default()
        })
    }

    /// Steps the engine once. If it panics, removes bodies until it does not.
    pub(super) fn step_engine(&mut self) {
        let copy = self.is_risky().then(|| copy_of(&self.rapier));
        if self.try_step() {
            return;
        }
        match copy {
            Some(copy) => *self.rapier = copy,
            None => self.mark_all_modified(),
        }
        for _ in 0..MAX_REMOVED {
            let Some(body) = self.suspect() else { break };
            let owner = self.note_removed(body);
            let before = copy_of(&self.rapier);
            let removed = guarded("removing a body", || self.rapier.remove_body(body));
            self.is_dirty = true;
            self.failures.add(EngineFailure::Removed(owner));
            if removed.is_ok() && self.try_step() {
                return;
            }
            *self.rapier = before;
            let _ = guarded("removing a body", || self.rapier.remove_body(body));
        }
        self.empty();
    }

    fn try_step(&mut self) -> bool {
        let n_touches = self.touches.count();
        let rules = ContactHooks {
            grounds: &self.grounds,
        };
        let (rapier, touches) = (&mut self.rapier, &self.touches);
        let stepped = guarded("a physics step", || {
            rapier.step_with_events(&rules, touches)
        });
        if stepped.is_err() {
            // The step is tried again, which reports them again.
            self.touches.truncate(n_touches);
        }
        stepped.is_ok()
    }

    /// Returns true while a body could make the engine panic.
    fn is_risky(&self) -> bool {
        let bodies = &self.rapier.bodies;
        let is_ordinary = |v: Vec3, limit: f32| v.abs().cmplt(Vec3::splat(limit)).all();
        let is_far = bodies.iter().any(|(_, body)| {
            !is_ordinary(body.translation(), RISKY_POSITION)
                || !is_ordinary(body.linvel(), RISKY_SPEED)
        });
        is_far || self.has_risky_size()
    }

    fn has_risky_size(&self) -> bool {
        let bodies = self.rapier.bodies.iter();
        let movable = bodies.filter(|(_, body)| !body.is_fixed());
        let mut forms = movable.flat_map(|(_, body)| body.colliders());
        forms.any(|collider| {
            let collider = self.rapier.colliders.get(*collider);
            collider.is_some_and(|collider| size_of(collider) >= RISKY_SIZE)
        })
    }

    /// Body on which the engine most probably failed.
    fn suspect(&self) -> Option<RigidBodyHandle> {
        self.broken()
            .or_else(|| self.broken_pair())
            .or_else(|| self.most_unusual())
    }

    /// A body with NaN or infinite state.
    fn broken(&self) -> Option<RigidBodyHandle> {
        let state = |handle: RigidBodyHandle| self.unusual(handle);
        let mut handles = self.rapier.bodies.iter().map(|(handle, _)| handle);
        handles.find(|handle| !state(*handle).is_finite())
    }

    /// One of two touching bodies, if the engine cannot compute their contact.
    fn broken_pair(&self) -> Option<RigidBodyHandle> {
        let colliders = &self.rapier.colliders;
        for pair in self.rapier.narrow_phase.contact_pairs() {
            let ends = [pair.collider1, pair.collider2];
            let [Some(a), Some(b)] = ends.map(|end| colliders.get(end)) else {
                continue;
            };
            let contact = guarded("a contact", || {
                query::contact(a.position(), a.shape(), b.position(), b.shape(), 0.1).is_ok()
            });
            if contact.is_err() {
                let parents = [a, b].into_iter().filter_map(Collider::parent);
                return parents.max_by(|a, b| self.unusual(*a).total_cmp(&self.unusual(*b)));
            }
        }
        None
    }

    fn most_unusual(&self) -> Option<RigidBodyHandle> {
        let bodies = self.rapier.bodies.iter();
        let movable = bodies.filter(|(_, body)| !body.is_fixed());
        let handles = movable.map(|(handle, _)| handle);
        handles.max_by(|a, b| self.unusual(*a).total_cmp(&self.unusual(*b)))
    }

    /// Largest of the sizes, coordinates and velocities of a body.
    fn unusual(&self, handle: RigidBodyHandle) -> f32 {
        let Some(body) = self.rapier.bodies.get(handle) else {
            return 0.0;
        };
        let forms = body.colliders().iter();
        let size =
            forms.filter_map(|collider: &ColliderHandle| self.rapier.colliders.get(*collider));
        let sizes = size.map(size_of);
        let state = [body.translation(), body.linvel(), body.angvel()];
        let parts = state.iter().map(|v: &Vec3| v.abs().max_element());
        let is_sound = state.iter().all(|v| v.is_finite()) && body.mass().is_finite();
        let largest = sizes.chain(parts).fold(0.0, f32::max);
        if is_sound { largest } else { f32::INFINITY }
    }

    /// Marks all bodies as modified, so that the engine processes them again.
    fn mark_all_modified(&mut self) {
        self.rapier.bodies.iter_mut().for_each(drop);
        self.rapier.colliders.iter_mut().for_each(drop);
    }

    /// Removes all bodies except the floor.
    fn empty(&mut self) {
        let all: Vec<RigidBodyHandle> = self.rapier.bodies.iter().map(|(body, _)| body).collect();
        for body in all {
            self.note_removed(body);
        }
        let floor = self.floor.take();
        let collider = floor.and_then(|(collider, _)| self.rapier.colliders.get(collider).cloned());
        let fresh = RapierWorld {
            gravity: self.rapier.gravity,
            integration_parameters: self.rapier.integration_parameters,
            ..RapierWorld::default()
        };
        *self.rapier = fresh;
        self.grounds.clear();
        self.renew_epoch();
        if let (Some(collider), Some((_, height))) = (collider, floor) {
            self.floor = Some((self.rapier.insert_collider(collider, None), height));
        }
        self.is_dirty = true;
        self.failures.add(EngineFailure::Emptied);
    }
}

/// The longest edge of the box around a shape, metres; infinite if it is not finite.
fn size_of(collider: &Collider) -> f32 {
    let Aabb { mins, maxs } = collider.shape().compute_local_aabb();
    let size = (maxs - mins).abs().max_element();
    if size.is_nan() { f32::INFINITY } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::touch::Touch;
    use rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};

    /// A world with a floor and a box at rest on it.
    fn world() -> (PhysicsWorld, RigidBodyHandle) {
        let mut world = PhysicsWorld::new();
        let stone = crate::PhysicsMaterial::new("stone", 0.6, 0.0);
        world.set_floor(Some((0.0, &stone)));
        let body = RigidBodyBuilder::dynamic().translation(Vec3::Y * 0.5);
        let collider = ColliderBuilder::cuboid(0.5, 0.5, 0.5);
        let body = world.rapier.insert(body.user_data(1), collider).0;
        (world, body)
    }

    #[test]
    fn a_body_that_the_engine_panics_on_is_removed_and_the_others_continue() {
        let (mut world, ordinary) = world();
        let huge = RigidBodyBuilder::dynamic().translation(Vec3::Y * 1.0);
        let capsule = ColliderBuilder::capsule_y(1e20, 1e20);
        world.rapier.insert(huge.user_data(2), capsule);
        let falling = RigidBodyBuilder::dynamic().translation(Vec3::new(50.0, 20.0, 0.0));
        let falling = world
            .rapier
            .insert(falling.user_data(3), ColliderBuilder::ball(0.1))
            .0;
        let mut touches = Vec::new();
        for _ in 0..30 {
            world.step(1.0 / 60.0, &mut touches);
        }
        assert_eq!(world.take_failures(), [EngineFailure::Removed(Owner(2))]);
        let begins = |touch: &&Touch| touch.began && touch.owners.contains(&Owner(1));
        let n_reports = touches.iter().filter(begins).count();
        assert!(
            n_reports <= 1,
            "one contact with the floor, {n_reports} reports"
        );
        assert_eq!(world.n_bodies(), 2);
        let height = |body: RigidBodyHandle| world.rapier.bodies[body].translation().y;
        assert!(
            (height(ordinary) - 0.5).abs() < 0.05,
            "{}",
            height(ordinary)
        );
        assert!(
            (18.0..19.0).contains(&height(falling)),
            "{}",
            height(falling)
        );
    }

    #[test]
    fn an_empty_world_keeps_its_floor() {
        let (mut world, _) = world();
        let id = world.id(world.rapier.bodies.iter().next().unwrap().0);
        world.empty();
        assert!(!world.has(id));
        let ball = RigidBodyBuilder::dynamic().translation(Vec3::Y);
        let ball = world.rapier.insert(ball, ColliderBuilder::ball(0.5)).0;
        let mut touches = Vec::new();
        for _ in 0..120 {
            world.step(1.0 / 60.0, &mut touches);
        }
        let height = world.rapier.bodies[ball].translation().y;
        assert!((height - 0.5).abs() < 0.05, "{height}");
        assert_eq!(world.take_failures(), [EngineFailure::Emptied]);
    }
}
