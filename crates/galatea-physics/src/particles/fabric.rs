//! Ropes and cloth as lanes of particles. A rope is one lane; cloth has several adjacent lanes, joined to each other; the
//! last lane of a skirt is joined to its first.

use std::f32::consts::PI;

use glam::{Affine3A, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::calm::Calm;
use super::layers::ClothLayers;
use super::limit::StrainLimit;
use super::{
    Particle, ParticleLink, ParticleLinkKind, ParticleObstacle, ParticleScene, ParticleWorld,
};

/// Settings of a rope or a piece of cloth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FabricOptions {
    /// The last lane is joined to the first.
    pub closed: bool,
    /// Elasticity, 0 (none) to 1 (rubber).
    pub stretch: f32,
    /// Bending stiffness, 0 (silk) to 1 (felt).
    pub stiffness: f32,
    /// Air drag: fraction of the velocity lost per second.
    pub drag: f32,
    /// Friction coefficient on bodies.
    pub friction: f32,
    /// Fraction of the wind that it receives, 0 or more.
    pub wind_scale: f32,
    /// Minimum distance from bodies, metres: half the thickness of cloth, the radius of a rope.
    pub collision_margin: f32,
    /// Gravity scale.
    pub gravity_scale: f32,
    /// Strength of the pull towards its initial shape, or to the animated bones, 0..=1.
    pub pose_stiffness: f32,
    /// Mass of the last particle of each lane relative to the others; 1 for equal masses.
    pub end_mass: f32,
}

impl Default for FabricOptions {
    fn default() -> Self {
        Self {
            closed: false,
            stretch: 0.0,
            stiffness: 0.2,
            drag: 0.6,
            friction: 0.4,
            wind_scale: 1.0,
            collision_margin: 0.015,
            gravity_scale: 1.0,
            pose_stiffness: 0.0,
            end_mass: 1.0,
        }
    }
}

/// Mass of a particle, kilograms; only ratios matter, such as that to `end_weight`.
const MASS: f32 = 0.01;
/// Acceleration of cloth per squared m/s of perpendicular wind: half of the air density, a drag coefficient of 1.2, 0.3
/// kg/m² of cloth.
const WIND_FACTOR: f32 = 2.4;
/// Depth of creases of cloth that is placed flat, as a fraction of its size.
const CREASE: f32 = 0.002;
/// Wind factor of a rope, which is heavier for its width.
const ROPE_WIND_FACTOR: f32 = 0.25;

/// Stretch above which a fabric counts as rubber: only its threads limit its length.
const RUBBER_STRETCH: f32 = 0.3;

/// Compliance of threads, m/N.
fn compliance(stretch: f32) -> f32 {
    stretch.clamp(0.0, 1.0).powi(2) * 0.02
}

/// Type of the constraints between a particle and the next ones in its lane and in the next lane.
fn thread_kind(stretch: f32) -> ParticleLinkKind {
    ParticleLinkKind::Rod {
        compliance: compliance(stretch),
    }
}

/// State of a rope or a piece of cloth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fabric {
    /// Particles and constraints.
    pub world: ParticleWorld,
    /// Settings.
    pub options: FabricOptions,
    /// Particle indices of each lane, from its first particle on.
    pub lanes: Vec<Vec<u32>>,
    /// Initial positions.
    rest: Vec<Vec3>,
    /// Positions of pinned particles in this tick.
    pub pins: Vec<(u32, Vec3)>,
    /// Positions that the particles are pulled towards.
    pub goals: Vec<Vec3>,
    tethers: usize,
    limit: StrainLimit,
    layers: ClothLayers,
    calm: Calm,
    pushes: Vec<Vec3>,
    pulls: Vec<(Vec3, f32)>,
    obstacles: Vec<ParticleObstacle>,
}

impl Fabric {
    /// Builds a fabric from lanes of world positions, metres; lanes may differ in length. Nothing is pinned.
    pub fn new(lanes: &[Vec<Vec3>], options: FabricOptions) -> Self {
        let mut world = ParticleWorld {
            drag: options.drag.max(0.0),
            thickness: options.collision_margin.max(0.0),
            gravity: Vec3::new(0.0, -9.8 * options.gravity_scale, 0.0),
            ..ParticleWorld::default()
        };
        let mut numbers = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let last = lane.len().saturating_sub(1);
            let add = |(i, position): (usize, &Vec3)| {
                let heavy = if i == last {
                    options.end_mass.clamp(0.1, 100.0)
                } else {
                    1.0
                };
                world.add(Particle {
                    friction: options.friction.max(0.0),
                    ..Particle::new(*position, MASS * heavy)
                })
            };
            numbers.push(lane.iter().enumerate().map(add).collect::<Vec<u32>>());
        }
        let rest: Vec<Vec3> = world.particles.iter().map(|p| p.position).collect();
        let mut fabric = Self {
            world,
            options,
            lanes: numbers,
            goals: rest.clone(),
            rest,
            pins: Vec::new(),
            tethers: 0,
            limit: StrainLimit::default(),
            layers: ClothLayers::default(),
            calm: Calm::default(),
            pushes: Vec::new(),
            pulls: Vec::new(),
            obstacles: Vec::new(),
        };
        fabric.layers = ClothLayers::new(&fabric.lanes, &fabric.rest);
        fabric.add_constraints();
        fabric
    }

    /// Particle of a lane and row, if there is one; in a closed fabric the lane after the last is the first.
    fn at(&self, lane: usize, row: usize) -> Option<u32> {
        let n = self.lanes.len();
        let lane = if self.options.closed && n > 2 {
            lane % n
        } else {
            lane
        };
        self.lanes.get(lane)?.get(row).copied()
    }

    /// Adds constraints between neighbours, along diagonals, and over two particles against bending.
    fn add_constraints(&mut self) {
        let hold = thread_kind(self.options.stretch);
        let shear = ParticleLinkKind::Rod {
            compliance: compliance(self.options.stretch) + 2e-4,
        };
        let stiff = self.options.stiffness.clamp(0.0, 1.0);
        let bend = ParticleLinkKind::Rod {
            compliance: 0.4 * (0.0015_f32).powf(stiff),
        };
        let rows = self.lanes.iter().map(Vec::len).max().unwrap_or(0);
        let n = self.lanes.len();
        // Rows from the pinned end on: constraints that are solved first carry the rest.
        for row in 0..rows {
            for lane in 0..n {
                let Some(here) = self.at(lane, row) else {
                    continue;
                };
                let (below, beside) = (self.at(lane, row + 1), self.at(lane + 1, row));
                self.link(Some(here), below, hold);
                self.link(Some(here), beside, hold);
                if below.is_some() {
                    self.link(Some(here), self.at(lane + 1, row + 1), shear);
                    self.link(beside, below, shear);
                }
                self.link(Some(here), self.at(lane, row + 2), bend);
                if n > 4 || !self.options.closed {
                    self.link(Some(here), self.at(lane + 2, row), bend);
                }
            }
        }
        self.tethers = self.world.links.len();
        self.limit_strain(Vec::new());
    }

    /// Limits the length of the threads, given the distance of each particle from its nearest pin; empty without pins.
    /// Rubber may stretch.
    fn limit_strain(&mut self, depths: Vec<f32>) {
        let stretch = self.options.stretch.clamp(0.0, 1.0);
        let is_thread = |link: &&ParticleLink| link.kind == thread_kind(stretch);
        let threads = if stretch > RUBBER_STRETCH {
            Vec::new()
        } else {
            let links = self.world.links.iter().take(self.tethers);
            links.filter(is_thread).copied().collect()
        };
        self.limit = StrainLimit::new(threads, depths, stretch);
    }

    fn link(&mut self, a: Option<u32>, b: Option<u32>, kind: ParticleLinkKind) {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            self.world.join(a, b, kind);
        }
    }

    /// Pins the given particles and releases all others. Threads to the nearest pinned particle limit the hanging length
    /// (Kim, Chentanez, Müller, "Long Range Attachments", SCA 2012).
    pub fn hold(&mut self, particles: &[u32]) {
        for (lane, i) in self
            .lanes
            .iter()
            .flat_map(|lane| lane.iter().map(move |i| (lane, *i)))
        {
            if let Some(p) = self.world.particles.get_mut(i as usize) {
                let heavy = if lane.last() == Some(&i) {
                    self.options.end_mass.clamp(0.1, 100.0)
                } else {
                    1.0
                };
                p.inverse_mass = if particles.contains(&i) {
                    0.0
                } else {
                    1.0 / (MASS * heavy)
                };
            }
        }
        self.world.links.truncate(self.tethers);
        if self.options.stretch > RUBBER_STRETCH {
            return;
        }
        let slack = 1.0 + self.options.stretch;
        let nearest = self.nearest(particles);
        for (i, (length, anchor)) in nearest.iter().enumerate() {
            if let Some(anchor) = anchor.filter(|a| *a as usize != i) {
                self.world.links.push(ParticleLink {
                    a: anchor,
                    b: i as u32,
                    rest: length * slack,
                    kind: ParticleLinkKind::Thread,
                });
            }
        }
        self.limit_strain(nearest.into_iter().map(|(depth, _)| depth).collect());
    }

    /// For each particle, the nearest of the given ones and the distance along the threads, metres.
    fn nearest(&self, particles: &[u32]) -> Vec<(f32, Option<u32>)> {
        let n = self.world.particles.len();
        let mut nearest: Vec<(f32, Option<u32>)> = vec![(f32::INFINITY, None); n];
        for &i in particles {
            if let Some(slot) = nearest.get_mut(i as usize) {
                *slot = (0.0, Some(i));
            }
        }
        let straight = &self.world.links[..self.tethers];
        for _ in 0..n {
            let mut changed = false;
            for link in straight {
                for (a, b) in [(link.a, link.b), (link.b, link.a)] {
                    let (Some(&(far, anchor)), Some(slot)) =
                        (nearest.get(a as usize), nearest.get(b as usize))
                    else {
                        continue;
                    };
                    if anchor.is_some() && far + link.rest < slot.0 - 1e-6 {
                        nearest[b as usize] = (far + link.rest, anchor);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        nearest
    }

    /// Distance between two particles along the threads at rest, metres; infinite if no threads join them.
    pub fn length_between(&self, [from, to]: [u32; 2]) -> f32 {
        let distances = self.nearest(&[from]);
        distances.get(to as usize).map_or(f32::INFINITY, |d| d.0)
    }

    /// Resets all particles to their initial positions, moved by a transform, at rest.
    pub fn reset(&mut self, by: Affine3A) {
        for (p, rest) in self.world.particles.iter_mut().zip(&self.rest) {
            p.position = by.transform_point3(*rest);
            p.displacement = Vec3::ZERO;
        }
        self.obstacles.clear();
        self.calm.disturb();
    }

    /// Moves particles to positions, at rest; the others stay.
    pub fn set_positions(&mut self, positions: impl Iterator<Item = (u32, Vec3)>) {
        for (i, position) in positions {
            if let Some(p) = self.world.particles.get_mut(i as usize) {
                (p.position, p.displacement) = (position, Vec3::ZERO);
            }
        }
        self.obstacles.clear();
        self.calm.disturb();
    }

    /// Displaces a flat piece of cloth slightly out of its plane, in long waves. Exactly flat cloth that is compressed along
    /// its plane has no direction in which to fold, because all forces are in that plane.
    pub fn crease(&mut self) {
        let n = self.lanes.len();
        if n < 2 {
            return;
        }
        let depth = self.reach() * CREASE;
        for lane in 0..n {
            let rows = self.lanes[lane].len();
            for row in 0..rows {
                let Some((i, across, along)) = self.neighbours(lane, row) else {
                    continue;
                };
                let normal = across.cross(along).normalize_or_zero();
                let u = lane as f32 / (n - 1) as f32;
                let v = row as f32 / rows.saturating_sub(1).max(1) as f32;
                // Frequencies without a common divisor leave no line of symmetry.
                let wave = (2.3 * PI * u + 0.7).sin() * (1.7 * PI * v + 0.4).cos()
                    + 0.5 * (5.1 * PI * (u + 0.6 * v) + 2.1).sin();
                if let Some(p) = self.world.particles.get_mut(i as usize)
                    && p.inverse_mass > 0.0
                {
                    p.position += normal * (wave * depth);
                }
            }
        }
    }

    /// Moves all particles by a rigid transform, for a teleport of the character.
    pub fn teleport(&mut self, by: Affine3A) {
        self.world.teleport(by);
        self.obstacles.clear();
        self.calm.disturb();
    }

    /// Continues from the state of a fabric with the same number of particles.
    pub fn continue_from(&mut self, previous: &Self) {
        if previous.world.particles.len() == self.world.particles.len() {
            for (p, old) in self
                .world
                .particles
                .iter_mut()
                .zip(&previous.world.particles)
            {
                (p.position, p.displacement) = (old.position, old.displacement);
            }
        }
    }

    /// Advances by `dt` seconds, with the obstacles at the end of the tick. `wind` returns the air velocity at a position,
    /// m/s.
    pub fn advance(
        &mut self,
        dt: f32,
        obstacles: &[ParticleObstacle],
        wind: &dyn Fn(Vec3) -> Vec3,
    ) {
        if dt <= 0.0 {
            return;
        }
        let is_loose = self.pins.is_empty() && self.lanes.len() > 1;
        if is_loose {
            let air = |position: Vec3| wind(position) * self.options.wind_scale;
            let around = [&self.obstacles[..], obstacles];
            if self.calm.is_asleep(&self.world, around, air) {
                self.world.stop();
                self.store_obstacles(obstacles);
                return;
            }
        }
        self.add_wind(dt, wind);
        self.pulls.clear();
        let shape = self.options.pose_stiffness.clamp(0.0, 1.0);
        if shape > 0.0 {
            // 1 follows within a tick, 0.1 within about a second.
            let rate = 0.04 * (1000.0_f32.powf(shape) - 1.0);
            self.pulls
                .extend(self.goals.iter().map(|goal| (*goal, rate)));
        }
        self.world.settling = if is_loose { self.calm.friction() } else { 0.0 };
        self.world.contacts.clear();
        if is_loose {
            self.layers.find(&mut self.world, &self.rest, dt);
        }
        let same = self.obstacles.len() == obstacles.len();
        let scene = ParticleScene {
            before: if same { &self.obstacles } else { obstacles },
            now: obstacles,
            pins: &self.pins,
            pushes: &self.pushes,
            goals: &self.pulls,
        };
        let n_steps = self.world.advance(dt, &scene);
        self.limit.apply(&mut self.world, n_steps);
        if is_loose {
            self.calm.count(&self.world, dt);
        }
        self.store_obstacles(obstacles);
    }

    /// Stores the obstacles at the end of a tick.
    fn store_obstacles(&mut self, obstacles: &[ParticleObstacle]) {
        self.obstacles.clear();
        self.obstacles.extend_from_slice(obstacles);
    }

    /// Adds the air pressure: perpendicular to cloth, across ropes.
    fn add_wind(&mut self, dt: f32, wind: &dyn Fn(Vec3) -> Vec3) {
        self.pushes.clear();
        self.pushes.resize(self.world.particles.len(), Vec3::ZERO);
        if self.options.wind_scale <= 0.0 {
            return;
        }
        for lane in 0..self.lanes.len() {
            for row in 0..self.lanes[lane].len() {
                let Some((i, across, along)) = self.neighbours(lane, row) else {
                    continue;
                };
                let p = &self.world.particles[i as usize];
                let speed = p.displacement / self.world.step;
                let air = wind(p.position) * self.options.wind_scale - speed;
                let push = if self.lanes.len() > 1 {
                    let normal = across.cross(along).normalize_or_zero();
                    normal * air.dot(normal) * (WIND_FACTOR * air.dot(normal).abs()).min(0.5 / dt)
                        + air * 0.15
                } else {
                    let side = air.reject_from(along.try_normalize().unwrap_or(Vec3::Y));
                    side * (ROPE_WIND_FACTOR * side.length()).min(0.5 / dt)
                };
                if push.is_finite() {
                    self.pushes[i as usize] = push;
                }
            }
        }
    }

    /// A particle with the directions to its neighbours across lanes and along its own lane, world space.
    fn neighbours(&self, lane: usize, row: usize) -> Option<(u32, Vec3, Vec3)> {
        let here = self.at(lane, row)?;
        let position = |i: u32| self.world.particles[i as usize].position;
        let n = self.lanes.len();
        let left = match lane.checked_sub(1) {
            Some(left) => self.at(left, row),
            None if self.options.closed && n > 2 => self.at(n - 1, row),
            None => None,
        };
        let (right, up, down) = (
            self.at(lane + 1, row),
            row.checked_sub(1).and_then(|up| self.at(lane, up)),
            self.at(lane, row + 1),
        );
        let across = position(right.unwrap_or(here)) - position(left.unwrap_or(here));
        let along = position(down.unwrap_or(here)) - position(up.unwrap_or(here));
        Some((here, across, along))
    }

    /// Calls `visit` with a frame for every particle, in order of lanes and rows: Y against the lane, X across, world space.
    /// The X axis of ropes has no reference; it rotates with the rope without twist.
    pub fn frames(&self, mut visit: impl FnMut(u32, Vec3, Quat)) {
        for lane in 0..self.lanes.len() {
            let mut side = Vec3::X;
            let mut rotation = Quat::IDENTITY;
            for row in 0..self.lanes[lane].len() {
                let Some((i, across, along)) = self.neighbours(lane, row) else {
                    continue;
                };
                let y = -along.try_normalize().unwrap_or(Vec3::NEG_Y);
                if self.lanes.len() == 1 {
                    if row == 0 {
                        side = y.cross(Vec3::Z).try_normalize().unwrap_or(Vec3::X);
                    }
                    side = side
                        .reject_from_normalized(y)
                        .try_normalize()
                        .unwrap_or(y.any_orthonormal_vector());
                } else {
                    side = across
                        .reject_from_normalized(y)
                        .try_normalize()
                        .unwrap_or_else(|| rotation * Vec3::X);
                    side = side
                        .reject_from_normalized(y)
                        .normalize_or(y.any_orthonormal_vector());
                }
                let z = side.cross(y);
                rotation = Quat::from_mat3(&Mat3::from_cols(side, y, z)).normalize();
                visit(i, self.world.particles[i as usize].position, rotation);
            }
        }
    }

    /// Initial position of a particle.
    pub fn rest_of(&self, particle: u32) -> Vec3 {
        self.rest
            .get(particle as usize)
            .copied()
            .unwrap_or(Vec3::ZERO)
    }

    /// Number of particles.
    pub fn n_particles(&self) -> usize {
        self.world.particles.len()
    }

    /// Largest extent at rest, metres.
    pub fn reach(&self) -> f32 {
        let low = self.rest.iter().fold(Vec3::INFINITY, |a, b| a.min(*b));
        let high = self.rest.iter().fold(Vec3::NEG_INFINITY, |a, b| a.max(*b));
        if low.x > high.x {
            0.0
        } else {
            low.distance(high)
        }
    }
}
