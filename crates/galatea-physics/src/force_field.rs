//! Force fields that act in a region: constant forces, wind, water, attraction, jump pads.
//!
//! A field acts on awake bodies; sleeping bodies stay asleep until it changes.

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;
use rapier3d::prelude::{Aabb, Collider, RigidBody, RigidBodyHandle};
use serde::{Deserialize, Serialize};

use super::ragdoll::RigidFrame;
use super::shape::CollisionShape;
use super::world::PhysicsWorld;

/// Type of a force field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ForceFieldKind {
    /// Force on each body, newtons.
    Force(Vec3),
    /// Acceleration, metres per second squared, independent of mass.
    Acceleration(Vec3),
    /// Wind: drag ½ ρ c A u² for the relative velocity u, with an air density of 1.2 kg/m³.
    Wind {
        /// Air velocity, metres per second.
        velocity: Vec3,
        /// Drag coefficient c of bodies in it; about 1 for a box.
        drag: f32,
    },
    /// Liquid up to the top of the region: buoyancy (Archimedes) and drag.
    Water {
        /// Density, kilograms per cubic metre.
        density: f32,
        /// Velocity of the current, metres per second.
        current: Vec3,
        /// Fraction of the relative velocity that a body of the liquid's density loses per second.
        drag: f32,
    },
    /// Attraction towards a point, falling with the square of the distance (Newton).
    Attractor {
        /// Position of the point, world space.
        at: Vec3,
        /// Acceleration at 1 m, metres per second squared.
        strength: f32,
    },
    /// Jump pad, once per body that enters: raises its velocity along this vector to at least the vector's length, metres
    /// per second.
    Launch(Vec3),
}

/// A force field.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForceField {
    /// Region: a box, a sphere or a capsule; without one it acts everywhere.
    pub region: Option<CollisionShape>,
    /// Frame of the region.
    pub frame: RigidFrame,
    /// Type of the field.
    pub kind: ForceFieldKind,
    /// Bit mask of the layers that it acts on.
    pub layers: u32,
    /// The field is on.
    pub enabled: bool,
    /// The field has changed: sleeping bodies in it are woken.
    pub is_new: bool,
    /// Bodies that were inside in the last step, ascending; for jump pads.
    inside: Vec<RigidBodyHandle>,
}

/// Distance below which an attraction does not grow, metres.
const MIN_ATTRACTION_DISTANCE: f32 = 0.25;
/// Density of air, kilograms per cubic metre.
const AIR_DENSITY: f32 = 1.2;

impl ForceField {
    /// Field that is on.
    pub fn new(
        region: Option<CollisionShape>,
        at: RigidFrame,
        push: ForceFieldKind,
        layers: u32,
    ) -> Self {
        Self {
            region,
            frame: at,
            kind: push,
            layers,
            enabled: true,
            is_new: true,
            inside: Vec::new(),
        }
    }

    /// Returns true if a world position is in the region.
    pub fn holds(&self, position: Vec3) -> bool {
        let own = self.frame.inverse().point(position);
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

    /// Height of the water surface; 0 without a region.
    fn surface(&self) -> f32 {
        let Some(shape) = &self.region else {
            return self.frame.position.y;
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
            self.frame.point(Vec3::new(pick(0), pick(1), pick(2))).y
        });
        corners.fold(f32::NEG_INFINITY, f32::max)
    }
}

impl PhysicsWorld {
    /// Applies a field for a step of `dt` seconds.
    pub fn apply(&mut self, force: &mut ForceField, dt: f32) {
        if !force.enabled || dt <= 0.0 {
            return;
        }
        self.disturb();
        let gravity = self.rapier.gravity;
        let wake = std::mem::take(&mut force.is_new);
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
            let is_on_layer =
                |c: &&Collider| c.collision_groups().memberships.bits() & force.layers != 0;
            if !own.iter().any(is_on_layer) {
                continue;
            }
            if let ForceFieldKind::Water {
                density,
                current,
                drag,
            } = force.kind
            {
                let cells = cells_in(force, &own, surface);
                if cells.is_empty() || (body.is_sleeping() && !wake) {
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
            if matches!(force.kind, ForceFieldKind::Launch(_)) {
                inside.push(handle);
                if force
                    .inside
                    .binary_search_by_key(&handle.into_raw_parts(), |h| h.into_raw_parts())
                    .is_ok()
                {
                    continue;
                }
            } else if body.is_sleeping() && !wake {
                continue;
            }
            let impulse = impulse_on(body, &own, force.kind, dt);
            if impulse.is_finite() && impulse != Vec3::ZERO {
                body.apply_impulse(
                    impulse,
                    wake || matches!(force.kind, ForceFieldKind::Launch(_)),
                );
            }
        }
        inside.sort_unstable_by_key(|handle| handle.into_raw_parts());
        force.inside = inside;
    }
}

/// Parts of a body's colliders that are below the water surface.
fn cells_in(force: &ForceField, own: &[&Collider], surface: f32) -> Vec<Octant> {
    let all = own.iter().flat_map(|c| {
        let volume = c.shape().mass_properties(1.0).mass();
        cells(
            c.shape().compute_local_aabb(),
            (*c.position()).into(),
            volume,
        )
    });
    let is_in = |cell: &Octant| {
        // The surface has no thickness: parts above it still belong to the water column.
        let below = cell.position.with_y(cell.position.y.min(surface - 1e-3));
        cell.position.y - cell.half_height < surface && force.holds(below)
    };
    all.filter(is_in).collect()
}

/// Impulse of `dt` seconds of a field on a body, kg m/s; zero for water, which acts on each part of a body.
fn impulse_on(body: &RigidBody, own: &[&Collider], push: ForceFieldKind, dt: f32) -> Vec3 {
    let mass = body.mass();
    match push {
        ForceFieldKind::Force(newtons) => newtons * dt,
        ForceFieldKind::Acceleration(by) => by * mass * dt,
        ForceFieldKind::Wind { velocity, drag } => {
            let u = velocity - body.linvel();
            let area: f32 = own
                .iter()
                .map(|c| c.compute_aabb())
                .map(|aabb| across(&aabb, u.normalize_or_zero()))
                .sum();
            let pull = 0.5 * AIR_DENSITY * drag * area * u.length() * dt;
            // The body never gets faster than the air.
            u * pull.min(mass)
        }
        ForceFieldKind::Attractor { at, strength } => {
            let offset = at - body.center_of_mass();
            let far = offset.length().max(MIN_ATTRACTION_DISTANCE);
            offset.normalize_or_zero() * (strength / (far * far) * mass * dt)
        }
        ForceFieldKind::Launch(velocity) => {
            let along = velocity.normalize_or_zero();
            let more = velocity.length() - body.linvel().dot(along);
            along * more.max(0.0) * mass
        }
        ForceFieldKind::Water { .. } => Vec3::ZERO,
    }
}

/// Area of a box as seen along a unit direction, square metres.
fn across(aabb: &Aabb, along: Vec3) -> f32 {
    let size: Vec3 = aabb.extents();
    let faces = Vec3::new(size.y * size.z, size.z * size.x, size.x * size.y);
    faces.dot(along.abs())
}

/// An eighth of a collider's box.
struct Octant {
    position: Vec3,
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
            position: at.point(middle + half * Vec3::new(side(0), side(1), side(2))),
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
    let depth = surface - (cell.position.y - cell.half_height);
    let submerged = (depth / (2.0 * cell.half_height).max(1e-4)).clamp(0.0, 1.0);
    let displaced = density * cell.volume * submerged;
    let through = current - body.velocity_at_point(cell.position);
    // Drag on a light body stops it at most.
    let slowed = displaced.min(body.mass() * submerged / 8.0) * (drag * dt).min(1.0);
    let impulse = -gravity * displaced * dt + through * slowed;
    if impulse.is_finite() {
        body.apply_impulse_at_point(impulse, cell.position, true);
    }
}
