//! Particle simulation: forces, Verlet integration and constraints, in this order.

use std::ops::Range;

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::ParticleObstacle;
use super::layers::{LayerContacts, keep_apart};

/// Maximum number of steps in one tick.
const MAX_STEPS: usize = 32;

/// Largest compression of a rod that one step corrects, as a fraction of its length.
const MAX_COMPRESSION: f32 = 0.25;

/// A particle: a point with mass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Particle {
    /// Position, world space, metres.
    pub position: Vec3,
    /// Displacement of the last step, metres: current minus old position. Stored separately, because far from the origin the
    /// difference of two positions is too coarse.
    pub displacement: Vec3,
    /// Inverse mass, 1/kg; 0 for a pinned particle.
    pub inverse_mass: f32,
    /// Restitution: fraction of the speed after a collision, 0..=1.
    pub restitution: f32,
    /// Friction coefficient, 0 or more.
    pub friction: f32,
}

impl Particle {
    /// Particle at rest. With a mass of 0 or less it is pinned.
    pub fn new(position: Vec3, mass: f32) -> Self {
        Self {
            position,
            displacement: Vec3::ZERO,
            inverse_mass: if mass > 0.0 { 1.0 / mass } else { 0.0 },
            restitution: 0.0,
            friction: 0.0,
        }
    }
}

/// A constraint between two particles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParticleLink {
    /// Index of the first particle.
    pub a: u32,
    /// Index of the second particle.
    pub b: u32,
    /// Rest length, metres.
    pub rest: f32,
    /// Type of the constraint.
    pub kind: ParticleLinkKind,
}

/// Type of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParticleLinkKind {
    /// Rod: keeps its length. A compliance above 0 makes it elastic.
    Rod {
        /// Compliance, m/N; 0 is rigid.
        compliance: f32,
    },
    /// Thread: limits the length, but does not resist compression.
    Thread,
    /// Hooke's spring.
    Spring {
        /// Stiffness, N/m.
        stiffness: f32,
        /// Damping, N·s/m.
        damping: f32,
    },
}

/// Surroundings of the particles in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParticleScene<'a> {
    /// Obstacles at the end of the last tick; an obstacle of another type than in `now` jumps to its new state.
    pub before: &'a [ParticleObstacle],
    /// Obstacles at the end of this tick.
    pub now: &'a [ParticleObstacle],
    /// Positions of pinned particles at the end of this tick.
    pub pins: &'a [(u32, Vec3)],
    /// Acceleration of each particle in addition to gravity, m/s²; may be empty.
    pub pushes: &'a [Vec3],
    /// Position that each particle is pulled towards, with a rate per second; may be empty.
    pub goals: &'a [(Vec3, f32)],
}

/// An obstacle that some particles can reach in a tick.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct NearObstacle {
    before: ParticleObstacle,
    now: ParticleObstacle,
    /// Indices of these particles, as a range of `reached`.
    particles: Range<usize>,
}

/// Particles with their constraints.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ParticleWorld {
    /// Particles.
    pub particles: Vec<Particle>,
    /// Constraints.
    pub links: Vec<ParticleLink>,
    /// Gravity, m/s².
    pub gravity: Vec3,
    /// Target duration of a step, seconds; a tick is divided into equal steps of about this length.
    pub step: f32,
    /// Iterations over the constraints per step.
    pub passes: usize,
    /// Air drag: fraction of the velocity lost per second.
    pub drag: f32,
    /// Minimum distance from obstacles, metres.
    pub thickness: f32,
    /// Maximum speed of a particle, m/s.
    pub top_speed: f32,
    /// Deceleration of each particle relative to the mean motion, m/s².
    pub settling: f32,
    pub(super) last_step: f32,
    pub(super) starts: Vec<Vec3>,
    pub(super) near: Vec<NearObstacle>,
    pub(super) reached: Vec<u32>,
    /// Contacts between parts of the cloth in this tick.
    pub(super) contacts: LayerContacts,
}

impl Default for ParticleWorld {
    fn default() -> Self {
        Self {
            particles: Vec::new(),
            links: Vec::new(),
            gravity: Vec3::new(0.0, -9.8, 0.0),
            step: 1.0 / 480.0,
            passes: 1,
            drag: 0.0,
            thickness: 0.0,
            top_speed: 200.0,
            settling: 0.0,
            last_step: 0.0,
            starts: Vec::new(),
            near: Vec::new(),
            reached: Vec::new(),
            contacts: LayerContacts::default(),
        }
    }
}

impl ParticleWorld {
    /// Adds a particle and returns its index.
    pub fn add(&mut self, particle: Particle) -> u32 {
        self.particles.push(particle);
        self.particles.len() as u32 - 1
    }

    /// Adds a constraint between two particles at their current distance. Constraints with missing particles are ignored.
    pub fn join(&mut self, a: u32, b: u32, kind: ParticleLinkKind) {
        let at = |i: u32| self.particles.get(i as usize).map(|p| p.position);
        if let (Some(from), Some(to)) = (at(a), at(b)) {
            let rest = from.distance(to);
            self.links.push(ParticleLink { a, b, rest, kind });
        }
    }

    /// Moves all particles by a rigid transform; velocities are rotated.
    pub fn teleport(&mut self, by: glam::Affine3A) {
        for particle in &mut self.particles {
            particle.position = by.transform_point3(particle.position);
            particle.displacement = by.transform_vector3(particle.displacement);
        }
    }

    /// Sets all velocities to zero.
    pub fn stop(&mut self) {
        for particle in &mut self.particles {
            particle.displacement = Vec3::ZERO;
        }
    }

    /// Kinetic and potential energy, joules; pinned particles have none.
    pub fn energy(&self) -> f32 {
        let h = if self.last_step > 0.0 {
            self.last_step
        } else {
            self.step
        };
        let free = self.particles.iter().filter(|p| p.inverse_mass > 0.0);
        free.map(|p| {
            // The velocity belongs to the middle of the step.
            let speed = p.displacement / h;
            let middle = p.position - p.displacement * 0.5;
            (0.5 * speed.length_squared() - self.gravity.dot(middle)) / p.inverse_mass
        })
        .sum()
    }

    /// Advances by a tick of `dt` seconds; time above a tenth of a second is dropped. Returns the number of steps.
    pub fn advance(&mut self, dt: f32, scene: &ParticleScene) -> usize {
        if !(dt > 0.0 && dt.is_finite()) || self.particles.is_empty() {
            return 0;
        }
        let dt = dt.min(0.1);
        let n = ((dt / self.step).round() as usize).clamp(1, MAX_STEPS);
        let h = dt / n as f32;
        if self.last_step > 0.0 && (self.last_step - h).abs() > 1e-9 {
            // Verlet integration stores velocity as a distance per step.
            for p in &mut self.particles {
                p.displacement *= h / self.last_step;
            }
        }
        self.last_step = h;
        self.collect_near(dt, scene);
        let pinned = scene
            .pins
            .iter()
            .map(|(i, _)| self.particles.get(*i as usize));
        self.starts.clear();
        self.starts
            .extend(pinned.map(|p| p.map_or(Vec3::ZERO, |p| p.position)));
        for i in 1..=n {
            let (from, to) = ((i - 1) as f32 / n as f32, i as f32 / n as f32);
            self.move_pins(scene, to);
            self.add_springs(h);
            self.settle(h);
            self.integrate(h, scene);
            for _ in 0..self.passes.max(1) {
                self.satisfy_links(h);
            }
            keep_apart(&mut self.particles, &self.contacts);
            self.keep_outside(from, to);
        }
        n
    }

    /// Slows all particles relative to their mean motion.
    fn settle(&mut self, h: f32) {
        let loss = self.settling * h * h;
        if loss <= 0.0 {
            return;
        }
        let sum: Vec3 = self.particles.iter().map(|p| p.displacement).sum();
        let mean = sum / self.particles.len() as f32;
        for p in &mut self.particles {
            let own = p.displacement - mean;
            let speed = own.length();
            p.displacement = mean + own * (1.0 - loss / speed.max(loss));
        }
    }

    /// Moves particles out of obstacles, at their positions at the end of the tick.
    pub(super) fn push_outside(&mut self) {
        for near in &self.near {
            for i in &self.reached[near.particles.clone()] {
                if let Some(p) = self.particles.get_mut(*i as usize) {
                    let (distance, normal) = near.now.distance(p.position);
                    p.position += normal * (self.thickness - distance).max(0.0);
                }
            }
        }
    }

    /// Collects the obstacles that the particles can reach in this tick.
    fn collect_near(&mut self, dt: f32, scene: &ParticleScene) {
        let (mut low, mut high, mut fastest) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0_f32);
        for p in &self.particles {
            low = low.min(p.position);
            high = high.max(p.position);
            fastest = fastest.max(p.displacement.length_squared());
        }
        for (_, pin) in scene.pins {
            low = low.min(*pin);
            high = high.max(*pin);
        }
        let fastest = fastest.sqrt() / self.last_step * dt;
        let reach = self.thickness + 0.1 + fastest + self.gravity.length() * dt * dt;
        self.near.clear();
        self.reached.clear();
        for (i, now) in scene.now.iter().enumerate() {
            let before = scene.before.get(i).unwrap_or(now);
            let ([low_a, high_a], [low_b, high_b]) = (before.bounds(), now.bounds());
            let apart =
                low_a.min(low_b).cmpgt(high + reach) | high_a.max(high_b).cmplt(low - reach);
            if apart.any() {
                continue;
            }
            let first = self.reached.len();
            let in_reach = |p: &Particle| {
                let near = |shape: &ParticleObstacle| shape.distance(p.position).0 < reach;
                p.inverse_mass > 0.0 && (near(before) || near(now))
            };
            let found = self.particles.iter().zip(0..).filter(|(p, _)| in_reach(p));
            self.reached.extend(found.map(|(_, i)| i));
            if self.reached.len() > first {
                self.near.push(NearObstacle {
                    before: *before,
                    now: *now,
                    particles: first..self.reached.len(),
                });
            }
        }
    }

    fn move_pins(&mut self, scene: &ParticleScene, u: f32) {
        for ((i, to), from) in scene.pins.iter().zip(&self.starts) {
            if let Some(p) = self.particles.get_mut(*i as usize)
                && to.is_finite()
            {
                p.position = from.lerp(*to, u);
                p.displacement = Vec3::ZERO;
            }
        }
    }

    /// Adds the forces of Hooke's springs to the displacements of a step.
    fn add_springs(&mut self, h: f32) {
        for link in &self.links {
            let ParticleLinkKind::Spring { stiffness, damping } = link.kind else {
                continue;
            };
            let Some((a, b)) = pair(&self.particles, link) else {
                continue;
            };
            let sum = a.inverse_mass + b.inverse_mass;
            let delta = b.position - a.position;
            let length = delta.length();
            if sum <= 0.0 || length <= 1e-9 {
                continue;
            }
            let n = delta / length;
            let speed = (b.displacement - a.displacement).dot(n) / h;
            // A spring that is too stiff or too strongly damped for the step would add energy.
            let stiffness = stiffness.clamp_to(0.0, 0.25 / (h * h * sum));
            let damping = damping.clamp_to(0.0, 0.25 / (h * sum));
            let force = n * (stiffness * (length - link.rest) + damping * speed);
            let (w_a, w_b) = (a.inverse_mass, b.inverse_mass);
            let impulse = force * (h * h);
            if let Some(p) = self.particles.get_mut(link.a as usize) {
                p.displacement += impulse * w_a;
            }
            if let Some(p) = self.particles.get_mut(link.b as usize) {
                p.displacement -= impulse * w_b;
            }
        }
    }

    /// Verlet integration, new = 2·cur − old + a·dt², with drag and a speed limit.
    fn integrate(&mut self, h: f32, scene: &ParticleScene) {
        let remaining = (-self.drag.max(0.0) * h).exp();
        let farthest = self.top_speed * h;
        for (i, p) in self.particles.iter_mut().enumerate() {
            if p.inverse_mass <= 0.0 {
                p.displacement = Vec3::ZERO;
                continue;
            }
            let push = scene.pushes.get(i).copied().unwrap_or(Vec3::ZERO);
            let mut moved = p.displacement * remaining + (self.gravity + push) * (h * h);
            if !moved.is_finite() || !p.position.is_finite() {
                let back = scene.pins.first().map_or(Vec3::ZERO, |(_, at)| *at);
                p.position = if p.position.is_finite() {
                    p.position
                } else {
                    back
                };
                moved = Vec3::ZERO;
            }
            if let Some((goal, rate)) = scene.goals.get(i) {
                // The pull adds no velocity, so particles do not oscillate about the goal.
                p.position += (*goal - p.position) * (1.0 - (-rate * h).exp());
            }
            p.displacement = moved.clamp_length_max(farthest);
            p.position += p.displacement;
        }
    }

    /// Solves rods and threads: both ends move to the rest length, by their inverse masses (XPBD for elastic ones). At zero
    /// distance the direction is undefined, and nothing moves.
    fn satisfy_links(&mut self, h: f32) {
        for link in &self.links {
            let compliance = match link.kind {
                ParticleLinkKind::Rod { compliance } => compliance.max(0.0) / (h * h),
                ParticleLinkKind::Thread => 0.0,
                ParticleLinkKind::Spring { .. } => continue,
            };
            let Some((a, b)) = pair(&self.particles, link) else {
                continue;
            };
            let (w_a, w_b) = (a.inverse_mass, b.inverse_mass);
            let delta = b.position - a.position;
            let length = delta.length();
            let over = length - link.rest;
            if w_a + w_b <= 0.0
                || length <= 1e-9
                || (over <= 0.0 && link.kind == ParticleLinkKind::Thread)
            {
                continue;
            }
            // A strongly compressed rod would be thrown apart in a single step, along an arbitrary direction.
            let over = over.max(-MAX_COMPRESSION * link.rest);
            let correction = delta * (over / (length * (w_a + w_b + compliance)));
            if let Some(p) = self.particles.get_mut(link.a as usize) {
                p.position += correction * w_a;
                p.displacement += correction * w_a;
            }
            if let Some(p) = self.particles.get_mut(link.b as usize) {
                p.position -= correction * w_b;
                p.displacement -= correction * w_b;
            }
        }
    }

    /// Collision response: V = VN + VT, pos − old = VT − VN·restitution, relative to the obstacle, with friction on VT.
    fn keep_outside(&mut self, from: f32, to: f32) {
        for near in &self.near {
            let before = near.before.between(&near.now, from);
            let now = near.before.between(&near.now, to);
            let is_still = before == now;
            for i in &self.reached[near.particles.clone()] {
                let Some(p) = self.particles.get_mut(*i as usize) else {
                    continue;
                };
                let (distance, normal) = now.distance(p.position);
                let depth = self.thickness - distance;
                if depth <= 0.0 {
                    continue;
                }
                let obstacle_motion = if is_still {
                    Vec3::ZERO
                } else {
                    before.surface_displacement(&now, p.position - p.displacement)
                };
                let speed = p.displacement - obstacle_motion;
                let into = normal * speed.dot(normal).min(0.0);
                let along = speed - normal * speed.dot(normal);
                let slide = along.length();
                let max_slide = p.friction * into.length().max(depth);
                let along = if slide > max_slide {
                    along * (1.0 - max_slide / slide)
                } else {
                    Vec3::ZERO
                };
                // Undoes the motion along the surface during the step, as far as friction holds.
                let back = speed - normal * speed.dot(normal) - along;
                p.position += normal * depth - back;
                p.displacement = along - into * p.restitution + obstacle_motion;
            }
        }
    }
}

#[inline]
fn pair<'a>(
    particles: &'a [Particle],
    link: &ParticleLink,
) -> Option<(&'a Particle, &'a Particle)> {
    Some((
        particles.get(link.a as usize)?,
        particles.get(link.b as usize)?,
    ))
}
