//! A small world of particles: forces, Verlet integration, constraints, in this order (6.21).

use std::ops::Range;

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;

use super::ParticleObstacle;
use super::layers::{LayerContacts, keep_apart};

/// Steps in one tick at most.
const MOST_STEPS: usize = 32;

/// Greatest compression of a rod that one step takes back, as a fraction of its length.
const CRUSHED: f32 = 0.25;

/// A point with mass (6.24).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// World space, metres.
    pub position: Vec3,
    /// The way of the last step, metres: current less old position (6.25). Kept by itself, as far from the
    /// origin the difference of two places is too coarse.
    pub way: Vec3,
    /// 1/kg; 0 is held where it is put.
    pub inverse_mass: f32,
    /// Share of its speed that it keeps when it hits something, 0..=1 (6.26).
    pub bounce: f32,
    /// Coefficient of friction on what it touches, 0 or more.
    pub friction: f32,
}

impl Particle {
    /// One at rest. A mass of 0 or less is held where it is put.
    pub fn new(position: Vec3, mass: f32) -> Self {
        Self {
            position,
            way: Vec3::ZERO,
            inverse_mass: if mass > 0.0 { 1.0 / mass } else { 0.0 },
            bounce: 0.0,
            friction: 0.0,
        }
    }
}

/// Two particles that are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParticleLink {
    /// Index of one.
    pub a: u32,
    /// Index of the other.
    pub b: u32,
    /// Distance at rest, metres.
    pub rest: f32,
    /// By what.
    pub kind: ParticleLinkKind,
}

/// What joins two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParticleLinkKind {
    /// A rod, the "infinite spring" of 6.29; compliance in metres per newton makes it give way, 0 is
    /// rigid.
    Rod {
        /// m/N.
        compliance: f32,
    },
    /// A thread: as a rod when pulled, nothing when pushed.
    Thread,
    /// Hooke's spring (6.28).
    Spring {
        /// N/m.
        stiffness: f32,
        /// N·s/m.
        damping: f32,
    },
}

/// What is around the particles for a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParticleScene<'a> {
    /// Obstacles as they were at the end of the tick before; others than in `now` are at once there.
    pub before: &'a [ParticleObstacle],
    /// As they are at the end of this one.
    pub now: &'a [ParticleObstacle],
    /// Where held particles are at the end of this tick.
    pub pins: &'a [(u32, Vec3)],
    /// Acceleration of each particle besides gravity, m/s²; empty is none.
    pub pushes: &'a [Vec3],
    /// Where particles are drawn to, with a share per second; empty is nowhere.
    pub goals: &'a [(Vec3, f32)],
}

/// An obstacle that some particles can reach in a tick.
#[derive(Clone, Debug)]
pub(super) struct NearObstacle {
    before: ParticleObstacle,
    now: ParticleObstacle,
    /// Which, as a range of `reached`.
    particles: Range<usize>,
}

/// Particles, their links, and how they move.
#[derive(Clone, Debug)]
pub struct ParticleWorld {
    /// The particles.
    pub particles: Vec<Particle>,
    /// The links.
    pub links: Vec<ParticleLink>,
    /// m/s² (6.06).
    pub gravity: Vec3,
    /// Seconds of a step; ticks are cut into steps of about this length, all equal.
    pub step: f32,
    /// Passes over the links in each step.
    pub passes: usize,
    /// Share of the speed that is lost to the air in a second, 1/s.
    pub drag: f32,
    /// Distance that is kept from obstacles, metres.
    pub thickness: f32,
    /// No particle is faster, m/s.
    pub top_speed: f32,
    /// Deceleration of each particle against their mean motion, m/s².
    pub settling: f32,
    pub(super) last_step: f32,
    pub(super) starts: Vec<Vec3>,
    pub(super) near: Vec<NearObstacle>,
    pub(super) reached: Vec<u32>,
    /// Parts of cloth that are close to each other in this tick.
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
    /// Adds a particle; its index.
    pub fn add(&mut self, particle: Particle) -> u32 {
        self.particles.push(particle);
        self.particles.len() as u32 - 1
    }

    /// Joins two particles at the distance they have. Links to particles that do not exist are ignored
    /// when the world moves.
    pub fn join(&mut self, a: u32, b: u32, kind: ParticleLinkKind) {
        let at = |i: u32| self.particles.get(i as usize).map(|p| p.position);
        if let (Some(from), Some(to)) = (at(a), at(b)) {
            let rest = from.distance(to);
            self.links.push(ParticleLink { a, b, rest, kind });
        }
    }

    /// Moves all by a rigid transform, their speeds turned with it.
    pub fn teleport(&mut self, by: glam::Affine3A) {
        for particle in &mut self.particles {
            particle.position = by.transform_point3(particle.position);
            particle.way = by.transform_vector3(particle.way);
        }
    }

    /// Takes the speed from all particles.
    pub fn stop(&mut self) {
        for particle in &mut self.particles {
            particle.way = Vec3::ZERO;
        }
    }

    /// Energy of motion and height, joules; held particles have none.
    pub fn energy(&self) -> f32 {
        let h = if self.last_step > 0.0 {
            self.last_step
        } else {
            self.step
        };
        let free = self.particles.iter().filter(|p| p.inverse_mass > 0.0);
        free.map(|p| {
            // The speed is that of the middle of the step.
            let speed = p.way / h;
            let middle = p.position - p.way * 0.5;
            (0.5 * speed.length_squared() - self.gravity.dot(middle)) / p.inverse_mass
        })
        .sum()
    }

    /// Moves the world on by a tick of `dt` seconds; more than a tenth is let go. Returns the number of steps.
    pub fn advance(&mut self, dt: f32, scene: &ParticleScene) -> usize {
        if !(dt > 0.0 && dt.is_finite()) || self.particles.is_empty() {
            return 0;
        }
        let dt = dt.min(0.1);
        let n = ((dt / self.step).round() as usize).clamp(1, MOST_STEPS);
        let h = dt / n as f32;
        if self.last_step > 0.0 && (self.last_step - h).abs() > 1e-9 {
            // Verlet keeps speed as a distance per step (6.25).
            for p in &mut self.particles {
                p.way *= h / self.last_step;
            }
        }
        self.last_step = h;
        self.look_around(dt, scene);
        let pinned = scene
            .pins
            .iter()
            .map(|(i, _)| self.particles.get(*i as usize));
        self.starts.clear();
        self.starts
            .extend(pinned.map(|p| p.map_or(Vec3::ZERO, |p| p.position)));
        for i in 1..=n {
            let (from, to) = ((i - 1) as f32 / n as f32, i as f32 / n as f32);
            self.place_pins(scene, to);
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

    /// Takes speed from all particles alike, compared with their mean motion.
    fn settle(&mut self, h: f32) {
        let loss = self.settling * h * h;
        if loss <= 0.0 {
            return;
        }
        let sum: Vec3 = self.particles.iter().map(|p| p.way).sum();
        let mean = sum / self.particles.len() as f32;
        for p in &mut self.particles {
            let own = p.way - mean;
            let speed = own.length();
            p.way = mean + own * (1.0 - loss / speed.max(loss));
        }
    }

    /// Moves particles out of the obstacles around them, where these are at the end of the tick.
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

    /// Obstacles that the particles can reach in this tick.
    fn look_around(&mut self, dt: f32, scene: &ParticleScene) {
        let (mut low, mut high, mut fastest) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0_f32);
        for p in &self.particles {
            low = low.min(p.position);
            high = high.max(p.position);
            fastest = fastest.max(p.way.length_squared());
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

    fn place_pins(&mut self, scene: &ParticleScene, u: f32) {
        for ((i, to), from) in scene.pins.iter().zip(&self.starts) {
            if let Some(p) = self.particles.get_mut(*i as usize)
                && to.is_finite()
            {
                p.position = from.lerp(*to, u);
                p.way = Vec3::ZERO;
            }
        }
    }

    /// Forces of Hooke's springs, as changes of the way of a step.
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
            let speed = (b.way - a.way).dot(n) / h;
            // A spring too stiff for the step, or damped more than to a stop, would gain energy.
            let stiffness = stiffness.clamp_to(0.0, 0.25 / (h * h * sum));
            let damping = damping.clamp_to(0.0, 0.25 / (h * sum));
            let force = n * (stiffness * (length - link.rest) + damping * speed);
            let (w_a, w_b) = (a.inverse_mass, b.inverse_mass);
            let kick = force * (h * h);
            if let Some(p) = self.particles.get_mut(link.a as usize) {
                p.way += kick * w_a;
            }
            if let Some(p) = self.particles.get_mut(link.b as usize) {
                p.way -= kick * w_b;
            }
        }
    }

    /// new = 2·cur − old + a·dt² (6.25), with drag and a top speed.
    fn integrate(&mut self, h: f32, scene: &ParticleScene) {
        let keep = (-self.drag.max(0.0) * h).exp();
        let farthest = self.top_speed * h;
        for (i, p) in self.particles.iter_mut().enumerate() {
            if p.inverse_mass <= 0.0 {
                p.way = Vec3::ZERO;
                continue;
            }
            let push = scene.pushes.get(i).copied().unwrap_or(Vec3::ZERO);
            let mut moved = p.way * keep + (self.gravity + push) * (h * h);
            if !moved.is_finite() || !p.position.is_finite() {
                let back = scene.pins.first().map_or(Vec3::ZERO, |(_, at)| *at);
                p.position = if p.position.is_finite() {
                    p.position
                } else {
                    back
                };
                moved = Vec3::ZERO;
            }
            if let Some((goal, share)) = scene.goals.get(i) {
                // Without speed of its own, so that it does not swing about the goal.
                p.position += (*goal - p.position) * (1.0 - (-share * h).exp());
            }
            p.way = moved.clamp_length_max(farthest);
            p.position += p.way;
        }
    }

    /// Rods and threads: both ends are moved to the rest length, by their masses (6.29; XPBD where they
    /// give way). At no distance there is no direction, and nothing moves.
    fn satisfy_links(&mut self, h: f32) {
        for link in &self.links {
            let give = match link.kind {
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
            // A rod that is crushed to a fraction of its length would be thrown apart in a single step,
            // along a direction that means nothing any more.
            let over = over.max(-CRUSHED * link.rest);
            let correction = delta * (over / (length * (w_a + w_b + give)));
            if let Some(p) = self.particles.get_mut(link.a as usize) {
                p.position += correction * w_a;
                p.way += correction * w_a;
            }
            if let Some(p) = self.particles.get_mut(link.b as usize) {
                p.position -= correction * w_b;
                p.way -= correction * w_b;
            }
        }
    }

    /// Collision response (6.27): V = VN + VT, pos − old = VT − VN·bounce, relative to the obstacle, and
    /// friction on VT.
    fn keep_outside(&mut self, from: f32, to: f32) {
        for near in &self.near {
            let was = near.before.between(&near.now, from);
            let is = near.before.between(&near.now, to);
            let is_still = was == is;
            for i in &self.reached[near.particles.clone()] {
                let Some(p) = self.particles.get_mut(*i as usize) else {
                    continue;
                };
                let (distance, normal) = is.distance(p.position);
                let depth = self.thickness - distance;
                if depth <= 0.0 {
                    continue;
                }
                let carried = if is_still {
                    Vec3::ZERO
                } else {
                    was.carries(&is, p.position - p.way)
                };
                let speed = p.way - carried;
                let into = normal * speed.dot(normal).min(0.0);
                let along = speed - normal * speed.dot(normal);
                let slide = along.length();
                let held = p.friction * into.length().max(depth);
                let along = if slide > held {
                    along * (1.0 - held / slide)
                } else {
                    Vec3::ZERO
                };
                // What moved along the surface during the step is taken back as far as friction holds.
                let back = speed - normal * speed.dot(normal) - along;
                p.position += normal * depth - back;
                p.way = along - into * p.bounce + carried;
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
