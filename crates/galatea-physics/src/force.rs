//! Forces that act in a part of the world: pushes, wind, water, pulls towards a point, jump pads.
//!
//! They act on what is awake: what rests in them stays at rest until they change.

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;
use rapier3d::prelude::{Aabb, Collider, RigidBody, RigidBodyHandle};

use super::ragdoll::RigidFrame;
use super::shape::CollisionShape;
use super::world::PhysicsWorld;

/// What a force does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Push {
    /// Newtons on each body (6.04).
    Force(Vec3),
    /// Metres per second squared, whatever the mass.
    Acceleration(Vec3),
    /// Air that moves: drag ½ ρ c A u² along the difference u of both speeds, with 1.2 kg/m³.
    Wind {
        /// Metres per second.
        velocity: Vec3,
        /// The coefficient c of what is in it; about 1 for a box.
        drag: f32,
    },
    /// A liquid up to the top of the region: Archimedes' lift, and drag.
    Water {
        /// Kilograms per cubic metre.
        density: f32,
        /// Metres per second.
        current: Vec3,
        /// Share of the speed through it that a body of the water's density loses per second.
        drag: f32,
    },
    /// Towards a place, falling with the square of the distance (Newton, 6.05).
    Toward {
        /// World space.
        at: Vec3,
        /// Metres per second squared at 1 m.
        strength: f32,
    },
    /// Once for each body that comes in: its speed along this becomes at least this, metres per second.
    Launch(Vec3),
}

/// A force in a part of the world.
#[derive(Clone, Debug)]
pub struct Force {
    /// Where it acts: a box, a sphere or a capsule; everywhere without one.
    pub region: Option<CollisionShape>,
    /// Where its region is.
    pub at: RigidFrame,
    /// What it does.
    pub push: Push,
    /// A bit for each layer that it acts on.
    pub layers: u32,
    /// It acts.
    pub enabled: bool,
    /// It changed: what sleeps in it is woken.
    pub is_new: bool,
    /// Bodies that were in it in the last step, ascending; for launches.
    inside: Vec<RigidBodyHandle>,
}

/// Nearer than this a pull does not grow, metres.
const NEAREST: f32 = 0.25;
/// Of air, kilograms per cubic metre.
const AIR: f32 = 1.2;

impl Force {
    /// A force that acts.
    pub fn new(region: Option<CollisionShape>, at: RigidFrame, push: Push, layers: u32) -> Self {
        Self {
            region,
            at,
            push,
            layers,
            enabled: true,
            is_new: true,
            inside: Vec::new(),
        }
    }

    /// Whether a place in the world is in its region.
    pub fn holds(&self, place: Vec3) -> bool {
        let own = self.at.inverse().point(place);
        match &self.region {
            None => true,
            Some(CollisionShape::Box(half)) => own.abs().cmple(*half).all(),
            Some(CollisionShape::Sphere(radius)) => own.length() <= *radius,
            Some(CollisionShape::Capsule {
                half_length,
                radius,
            }) => {
                let along = own.y.clamp_to(-half_length, *half_length);
                own.distance(Vec3::Y * along) <= *radius
            }
            Some(other) => {
                let [low, high] = other.bounds();
                own.cmpge(low).all() && own.cmple(high).all()
            }
        }
    }

    /// The height of the water in it; the floor's for one without a region.
    fn surface(&self) -> f32 {
        let Some(shape) = &self.region else {
            return self.at.position.y;
        };
        let [low, high] = shape.bounds();
        let corners = (0..8).map(|i| {
            let pick = |axis: usize| {
                if i >> axis & 1 == 1 {
                    high[axis]
                } else {
                    low[axis]
                }
            };
            self.at.point(Vec3::new(pick(0), pick(1), pick(2))).y
        });
        corners.fold(f32::NEG_INFINITY, f32::max)
    }
}

impl PhysicsWorld {
    /// Has a force act for a step of `dt` seconds.
    pub fn apply(&mut self, force: &mut Force, dt: f32) {
        if !force.enabled || dt <= 0.0 {
            return;
        }
        self.stir();
        let gravity = self.rapier.gravity;
        let wakes = std::mem::take(&mut force.is_new);
        let surface = force.surface();
        let mut inside = Vec::new();
        let handles: Vec<RigidBodyHandle> = self.rapier.bodies.iter().map(|(h, _)| h).collect();
        for handle in handles {
            let (bodies, colliders) = (&mut self.rapier.bodies, &self.rapier.colliders);
            let Some(body) = bodies.get_mut(handle).filter(|body| body.is_dynamic()) else {
                continue;
            };
            let own: Vec<_> = body
                .colliders()
                .iter()
                .filter_map(|c| colliders.get(*c))
                .collect();
            let meets = |c: &&Collider| c.collision_groups().memberships.bits() & force.layers != 0;
            if !own.iter().any(meets) {
                continue;
            }
            if let Push::Water {
                density,
                current,
                drag,
            } = force.push
            {
                let cells = cells_in(force, &own, surface);
                if cells.is_empty() || (body.is_sleeping() && !wakes) {
                    continue;
                }
                for cell in &cells {
                    float(body, cell, surface, density, current, drag, gravity, dt);
                }
                continue;
            }
            let centre = body.center_of_mass();
            if !force.holds(centre) {
                continue;
            }
            if matches!(force.push, Push::Launch(_)) {
                inside.push(handle);
                if force
                    .inside
                    .binary_search_by_key(&handle.into_raw_parts(), |h| h.into_raw_parts())
                    .is_ok()
                {
                    continue;
                }
            } else if body.is_sleeping() && !wakes {
                continue;
            }
            let impulse = impulse_on(body, &own, force.push, dt);
            if impulse.is_finite() && impulse != Vec3::ZERO {
                body.apply_impulse(impulse, wakes || matches!(force.push, Push::Launch(_)));
            }
        }
        inside.sort_unstable_by_key(|handle| handle.into_raw_parts());
        force.inside = inside;
    }
}

/// Parts of a body's colliders that are under the surface of the water.
fn cells_in(force: &Force, own: &[&Collider], surface: f32) -> Vec<Octant> {
    let all = own.iter().flat_map(|c| {
        let volume = c.shape().mass_properties(1.0).mass();
        cells(
            c.shape().compute_local_aabb(),
            (*c.position()).into(),
            volume,
        )
    });
    let is_in = |cell: &Octant| {
        // The surface is open: what stands out of it is still in it.
        let below = cell.place.with_y(cell.place.y.min(surface - 1e-3));
        cell.place.y - cell.half_height < surface && force.holds(below)
    };
    all.filter(is_in).collect()
}

/// Impulse of `dt` seconds of a force on a body, kg m/s; zero for water, which acts on each part of a body.
fn impulse_on(body: &RigidBody, own: &[&Collider], push: Push, dt: f32) -> Vec3 {
    let mass = body.mass();
    match push {
        Push::Force(newtons) => newtons * dt,
        Push::Acceleration(by) => by * mass * dt,
        Push::Wind { velocity, drag } => {
            let u = velocity - body.linvel();
            let area: f32 = own
                .iter()
                .map(|c| c.compute_aabb())
                .map(|aabb| across(&aabb, u.normalize_or_zero()))
                .sum();
            let pull = 0.5 * AIR * drag * area * u.length() * dt;
            // It never goes faster than the air.
            u * pull.min(mass)
        }
        Push::Toward { at, strength } => {
            let way = at - body.center_of_mass();
            let far = way.length().max(NEAREST);
            way.normalize_or_zero() * (strength / (far * far) * mass * dt)
        }
        Push::Launch(velocity) => {
            let along = velocity.normalize_or_zero();
            let more = velocity.length() - body.linvel().dot(along);
            along * more.max(0.0) * mass
        }
        Push::Water { .. } => Vec3::ZERO,
    }
}

/// The area of a box as seen along a unit direction, square metres.
fn across(aabb: &Aabb, along: Vec3) -> f32 {
    let size: Vec3 = aabb.extents();
    let faces = Vec3::new(size.y * size.z, size.z * size.x, size.x * size.y);
    faces.dot(along.abs())
}

/// An eighth of a form.
struct Octant {
    place: Vec3,
    half_height: f32,
    volume: f32,
}

fn cells(own: Aabb, at: RigidFrame, volume: f32) -> impl Iterator<Item = Octant> {
    let (middle, half): (Vec3, Vec3) = (own.center(), own.half_extents() * 0.5);
    let up = at.rotation.conjugate() * Vec3::Y;
    let half_height = up.abs().dot(half);
    (0..8).map(move |i| {
        let side = |axis: usize| if i >> axis & 1 == 1 { 1.0 } else { -1.0 };
        Octant {
            place: at.point(middle + half * Vec3::new(side(0), side(1), side(2))),
            half_height,
            volume: volume / 8.0,
        }
    })
}

#[expect(
    clippy::too_many_arguments,
    reason = "what water is, and what is in it"
)]
fn float(
    body: &mut RigidBody,
    cell: &Octant,
    surface: f32,
    density: f32,
    current: Vec3,
    drag: f32,
    gravity: Vec3,
    dt: f32,
) {
    let depth = surface - (cell.place.y - cell.half_height);
    let share = (depth / (2.0 * cell.half_height).max(1e-4)).clamp(0.0, 1.0);
    let displaced = density * cell.volume * share;
    let through = current - body.velocity_at_point(cell.place);
    // Of a light body never more than stops it.
    let slowed = displaced.min(body.mass() * share / 8.0) * (drag * dt).min(1.0);
    let impulse = -gravity * displaced * dt + through * slowed;
    if impulse.is_finite() {
        body.apply_impulse_at_point(impulse, cell.place, true);
    }
}
