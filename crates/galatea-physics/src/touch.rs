//! Contact events, and collision filtering between bodies of one owner.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use rapier3d::prelude::{
    Collider, ColliderHandle, ColliderSet, CollisionEvent, ContactModificationContext, ContactPair,
    EventHandler, PairFilterContext, PhysicsHooks, Real, RigidBody, RigidBodyHandle, RigidBodySet,
    SoftBodySet, SoftBodyTearEvent, SolverFlags,
};
use serde::{Deserialize, Serialize};

use super::cells::CellFriction;
use super::tag::{CAPSULE, HOLLOW, Owner, STICKING, has_flag, owner_of};

/// Contact event: two bodies began or ceased to touch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// Both owners.
    pub owners: [Owner; 2],
    /// Part indices of the bodies.
    pub parts: [u16; 2],
    /// True if the contact began, false if it ended.
    pub began: bool,
    /// One of them is a sensor.
    pub sensor: bool,
    /// Position of the contact, world space; for sensors and ended contacts, the midpoint between both.
    pub position: Vec3,
    /// Unit normal from the first to the second.
    pub normal: Vec3,
    /// Approach speed at the contact, metres per second; 0 for ended contacts.
    pub speed: f32,
    /// Reduced mass of both bodies, kilograms; 0 if neither is dynamic.
    pub mass: f32,
}

/// Contact events since they were last taken.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Touches(Mutex<Vec<Touch>>);

impl Touches {
    /// Keeps only the events for which `keeps` returns true.
    pub fn retain(&mut self, keeps: impl FnMut(&Touch) -> bool) {
        self.list().retain(keeps);
    }

    /// Moves all events to the end of `out`.
    pub fn take(&mut self, out: &mut Vec<Touch>) {
        out.append(self.list());
    }

    /// Number of events.
    pub fn count(&mut self) -> usize {
        self.list().len()
    }

    /// Keeps only the first `n` events.
    pub fn truncate(&mut self, n: usize) {
        self.list().truncate(n);
    }

    fn list(&mut self) -> &mut Vec<Touch> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventHandler for Touches {
    fn handle_collision_event(
        &self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        pair: Option<&ContactPair>,
    ) {
        let handles = [event.collider1(), event.collider2()];
        let [Some(a), Some(b)] = handles.map(|handle| colliders.get(handle)) else {
            return;
        };
        let ((a_owner, a_part), (b_owner, b_part)) = (owner_of(a), owner_of(b));
        if a_owner == b_owner {
            return;
        }
        let mut touch = Touch {
            owners: [a_owner, b_owner],
            parts: [a_part, b_part],
            began: event.started(),
            sensor: event.sensor(),
            position: (a.translation() + b.translation()) * 0.5,
            normal: Vec3::Y,
            speed: 0.0,
            mass: 0.0,
        };
        if let Some((manifold, contact)) = pair.and_then(ContactPair::find_deepest_contact) {
            // The first collider of the pair may be the second of the event.
            let is_first = pair.is_some_and(|pair| pair.collider1 == handles[0]);
            let sign = if is_first { 1.0 } else { -1.0 };
            touch.normal = manifold.data.normal * sign;
            let first = if is_first { a } else { b };
            touch.position = first.position().transform_point(contact.local_p1);
        }
        if touch.began {
            let body =
                |collider: &Collider| collider.parent().and_then(|parent| bodies.get(parent));
            let at = |body: Option<&RigidBody>| {
                body.map_or(Vec3::ZERO, |body| body.velocity_at_point(touch.position))
            };
            let (body_a, body_b) = (body(a), body(b));
            touch.speed = (at(body_a) - at(body_b)).dot(touch.normal).max(0.0);
            let inverse = |body: Option<&RigidBody>| {
                let free = body.filter(|body| body.is_dynamic() && body.mass() > 0.0);
                free.map_or(0.0, |body| 1.0 / body.mass())
            };
            let sum = inverse(body_a) + inverse(body_b);
            touch.mass = if sum > 0.0 { 1.0 / sum } else { 0.0 };
        }
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(touch);
    }

    fn handle_contact_force_event(
        &self,
        _: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        _: &ContactPair,
        _: Real,
    ) {
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

/// Callbacks of the engine during a step.
pub(super) struct ContactHooks<'w> {
    /// Colliders with cells of different friction or restitution.
    pub grounds: &'w HashMap<ColliderHandle, CellFriction>,
}

/// Relative speed towards a hollow capsule above which a dynamic body flies through it, metres per second. Slower bodies are
/// pushed aside.
pub(super) const MIN_FLYING_SPEED: f32 = 2.0;

/// Returns true if a dynamic body flies at a capsule: it moves by itself, and they approach faster than
/// [`MIN_FLYING_SPEED`].
pub(super) fn flies_at(capsule: &RigidBody, body: &RigidBody) -> bool {
    let towards = (capsule.translation() - body.translation())
        .with_y(0.0)
        .normalize_or_zero();
    let own = body.linvel().dot(towards);
    let falls = -body.linvel().y;
    body.is_dynamic()
        && (own.max(falls) > MIN_FLYING_SPEED)
        && own.max(falls) > capsule.linvel().length()
}

/// Returns true if one is a hollow capsule and the other a dynamic body that flies at it.
fn flies_into_hollow(context: &PairFilterContext, a: &Collider, b: &Collider) -> bool {
    let body =
        |handle: Option<RigidBodyHandle>| handle.and_then(|handle| context.bodies.get(handle));
    let (body_a, body_b) = (body(context.rigid_body1), body(context.rigid_body2));
    let (Some(body_a), Some(body_b)) = (body_a, body_b) else {
        return false;
    };
    has_flag(a, HOLLOW) && flies_at(body_a, body_b)
        || has_flag(b, HOLLOW) && flies_at(body_b, body_a)
}

/// Bodies of one owner collide only if neither excludes the other. Bodies of two owners always collide, except arrows with
/// capsules of controllers. Ground of several materials has the friction of each.
impl PhysicsHooks for ContactHooks<'_> {
    fn filter_contact_pair(&self, context: &PairFilterContext) -> Option<SolverFlags> {
        let a = context.colliders.get(context.collider1)?;
        let b = context.colliders.get(context.collider2)?;
        let ((a_owner, a_part), (b_owner, b_part)) = (owner_of(a), owner_of(b));
        let passes = |from: u128, part: u16| (from >> 96) as u32 >> part.min(31) & 1 == 1;
        let is = |first, second| has_flag(a, first) && has_flag(b, second);
        if is(STICKING, CAPSULE) || is(CAPSULE, STICKING) {
            return None;
        }
        if flies_into_hollow(context, a, b) {
            return None;
        }
        let apart =
            a_owner == b_owner && (passes(a.user_data, b_part) || passes(b.user_data, a_part));
        (!apart).then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let handles = [context.collider1, context.collider2];
        let [Some(a), Some(b)] = handles.map(|handle| context.colliders.get(handle)) else {
            return;
        };
        let plain = [a, b].map(|form| [form.friction(), form.restitution()]);
        let Some(contact) = context.rigid_mut() else {
            return;
        };
        let triangles = [contact.manifold.subshape1, contact.manifold.subshape2];
        let [a, b] = [0, 1].map(|i| {
            let worn = self.grounds.get(&handles[i]);
            worn.and_then(|worn| worn.of_triangle(triangles[i]))
                .unwrap_or(plain[i])
        });
        // Same rules as the engine's combine rules for whole colliders.
        *contact.friction = a[0] * b[0];
        *contact.restitution = a[1].max(b[1]);
    }
}
