//! Ropes and cloth: lanes of particles, one beside the other. A rope is one lane; cloth has several,
//! joined across; a skirt's last lane is joined to its first.

use std::f32::consts::PI;

use glam::{Affine3A, Mat3, Quat, Vec3};

use super::calm::Calm;
use super::layers::ClothLayers;
use super::limit::StrainLimit;
use super::{
    Particle, ParticleLink, ParticleLinkKind, ParticleObstacle, ParticleScene, ParticleWorld,
};

/// What a rope or a piece of cloth is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FabricOptions {
    /// The last lane is joined to the first.
    pub closed: bool,
    /// How far it gives way when pulled, 0 not at all, 1 as rubber.
    pub stretch: f32,
    /// How hard it is to bend, 0 silk to 1 felt.
    pub stiffness: f32,
    /// Share of its speed that is lost in a second, 1/s.
    pub drag: f32,
    /// Coefficient of friction on bodies.
    pub friction: f32,
    /// Share of the wind that it feels, 0 or more.
    pub wind: f32,
    /// Distance kept from bodies, metres: half the thickness of cloth, the radius of a rope.
    pub thickness: f32,
    /// Factor on gravity.
    pub gravity: f32,
    /// How strongly it is drawn to where it was made, or where clips put its bones, 0..=1.
    pub shape: f32,
    /// How much heavier the last particle of each lane is than the others; 1 as they are.
    pub end_weight: f32,
}

impl Default for FabricOptions {
    fn default() -> Self {
        Self {
            closed: false,
            stretch: 0.0,
            stiffness: 0.2,
            drag: 0.6,
            friction: 0.4,
            wind: 1.0,
            thickness: 0.015,
            gravity: 1.0,
            shape: 0.0,
            end_weight: 1.0,
        }
    }
}

/// Kilograms of a particle; only ratios matter, and that to what is heavy at an end.
const MASS: f32 = 0.01;
/// Acceleration of cloth per squared m/s of wind straight on: half the air's density, a drag
/// coefficient of 1.2, 0.3 kg/m² of cloth.
const SAIL: f32 = 2.4;
/// Depth of the creases of cloth that is put down flat, as a fraction of its size.
const CREASE: f32 = 0.002;
/// The same for a rope, which is heavier for its width.
const LINE: f32 = 0.25;

/// Stretch from which on a fabric counts as rubber: only its threads limit its length.
const RUBBER: f32 = 0.3;

/// Compliance of threads, m/N.
fn give(stretch: f32) -> f32 {
    stretch.clamp(0.0, 1.0).powi(2) * 0.02
}

/// Constraints between a particle and the next one in its lane and in the next lane.
fn thread_kind(stretch: f32) -> ParticleLinkKind {
    ParticleLinkKind::Rod {
        compliance: give(stretch),
    }
}

/// A rope or a piece of cloth that moves.
#[derive(Clone, Debug)]
pub struct Fabric {
    /// Its particles and links.
    pub world: ParticleWorld,
    /// What it is like.
    pub options: FabricOptions,
    /// Indices of the particles of each lane, from its first on.
    pub lanes: Vec<Vec<u32>>,
    /// Where it was made.
    rest: Vec<Vec3>,
    /// Where particles are held, this tick.
    pub pins: Vec<(u32, Vec3)>,
    /// Where each particle is drawn to.
    pub goals: Vec<Vec3>,
    tethers: usize,
    limit: StrainLimit,
    layers: ClothLayers,
    calm: Calm,
    pushes: Vec<Vec3>,
    drawn: Vec<(Vec3, f32)>,
    obstacles: Vec<ParticleObstacle>,
}

impl Fabric {
    /// Lanes of world-space places, metres; a lane may be longer than its neighbour. Nothing is pinned.
    pub fn new(lanes: &[Vec<Vec3>], options: FabricOptions) -> Self {
        let mut world = ParticleWorld {
            drag: options.drag.max(0.0),
            thickness: options.thickness.max(0.0),
            gravity: Vec3::new(0.0, -9.8 * options.gravity, 0.0),
            ..ParticleWorld::default()
        };
        let mut numbers = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let last = lane.len().saturating_sub(1);
            let add = |(i, place): (usize, &Vec3)| {
                let heavy = if i == last {
                    options.end_weight.clamp(0.1, 100.0)
                } else {
                    1.0
                };
                world.add(Particle {
                    friction: options.friction.max(0.0),
                    ..Particle::new(*place, MASS * heavy)
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
            drawn: Vec::new(),
            obstacles: Vec::new(),
        };
        fabric.layers = ClothLayers::new(&fabric.lanes, &fabric.rest);
        fabric.weave();
        fabric
    }

    /// The particle of a lane and row, if there is one; of a closed fabric the lane after the last is
    /// the first.
    fn at(&self, lane: usize, row: usize) -> Option<u32> {
        let n = self.lanes.len();
        let lane = if self.options.closed && n > 2 {
            lane % n
        } else {
            lane
        };
        self.lanes.get(lane)?.get(row).copied()
    }

    /// Joins neighbours, diagonals, and those two apart against bending.
    fn weave(&mut self) {
        let hold = thread_kind(self.options.stretch);
        let shear = ParticleLinkKind::Rod {
            compliance: give(self.options.stretch) + 2e-4,
        };
        let stiff = self.options.stiffness.clamp(0.0, 1.0);
        let bend = ParticleLinkKind::Rod {
            compliance: 0.4 * (0.0015_f32).powf(stiff),
        };
        let rows = self.lanes.iter().map(Vec::len).max().unwrap_or(0);
        let n = self.lanes.len();
        // Rows from the pinned end on: what is solved first is what the rest hangs from.
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

    /// Limits the length of the threads, given the distance of each particle from what holds it; none is held
    /// without. Threads of rubber may grow.
    fn limit_strain(&mut self, depths: Vec<f32>) {
        let stretch = self.options.stretch.clamp(0.0, 1.0);
        let is_thread = |link: &&ParticleLink| link.kind == thread_kind(stretch);
        let threads = if stretch > RUBBER {
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

    /// Holds particles from now on; others are let go. Threads to the nearest held particle keep what
    /// hangs from growing longer (Kim, Chentanez, Müller, "Long Range Attachments", SCA 2012).
    pub fn hold(&mut self, particles: &[u32]) {
        for (lane, i) in self
            .lanes
            .iter()
            .flat_map(|lane| lane.iter().map(move |i| (lane, *i)))
        {
            if let Some(p) = self.world.particles.get_mut(i as usize) {
                let heavy = if lane.last() == Some(&i) {
                    self.options.end_weight.clamp(0.1, 100.0)
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
        if self.options.stretch > RUBBER {
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

    /// For each particle the nearest of some others, and the distance along the threads, not through the air, metres.
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

    /// Distance of two particles along the threads at rest, metres; infinite where none joins them.
    pub fn length_between(&self, [from, to]: [u32; 2]) -> f32 {
        let distances = self.nearest(&[from]);
        distances.get(to as usize).map_or(f32::INFINITY, |d| d.0)
    }

    /// Puts all at rest where it was made, moved by a transform.
    pub fn reset(&mut self, by: Affine3A) {
        for (p, rest) in self.world.particles.iter_mut().zip(&self.rest) {
            p.position = by.transform_point3(*rest);
            p.way = Vec3::ZERO;
        }
        self.obstacles.clear();
        self.calm.stir();
    }

    /// Puts particles at rest at these places; those without one stay.
    pub fn place(&mut self, places: impl Iterator<Item = (u32, Vec3)>) {
        for (i, place) in places {
            if let Some(p) = self.world.particles.get_mut(i as usize) {
                (p.position, p.way) = (place, Vec3::ZERO);
            }
        }
        self.obstacles.clear();
        self.calm.stir();
    }

    /// Pushes a flat piece of cloth a little out of its plane, in long waves. Exactly flat cloth that is
    /// compressed along its plane has no direction in which to fold: all forces on it lie in that plane.
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

    /// Moves all by a rigid transform, as whom it hangs on was.
    pub fn teleport(&mut self, by: Affine3A) {
        self.world.teleport(by);
        self.obstacles.clear();
        self.calm.stir();
    }

    /// Goes on from the state of a fabric of as many particles.
    pub fn continue_from(&mut self, was: &Self) {
        if was.world.particles.len() == self.world.particles.len() {
            for (p, old) in self.world.particles.iter_mut().zip(&was.world.particles) {
                (p.position, p.way) = (old.position, old.way);
            }
        }
    }

    /// Moves it on by `dt` seconds among obstacles as they are at the end of the tick; `wind` gives the
    /// air's velocity at a place, m/s.
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
            let air = |place: Vec3| wind(place) * self.options.wind;
            let around = [&self.obstacles[..], obstacles];
            if self.calm.is_asleep(&self.world, around, air) {
                self.world.stop();
                self.remember(obstacles);
                return;
            }
        }
        self.blow(dt, wind);
        self.drawn.clear();
        let shape = self.options.shape.clamp(0.0, 1.0);
        if shape > 0.0 {
            // 1 holds within a tick, 0.1 takes a second or so.
            let share = 0.04 * (1000.0_f32.powf(shape) - 1.0);
            self.drawn
                .extend(self.goals.iter().map(|goal| (*goal, share)));
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
            goals: &self.drawn,
        };
        let n_steps = self.world.advance(dt, &scene);
        self.limit.apply(&mut self.world, n_steps);
        if is_loose {
            self.calm.count(&self.world, dt);
        }
        self.remember(obstacles);
    }

    /// Remembers where obstacles were at the end of a tick.
    fn remember(&mut self, obstacles: &[ParticleObstacle]) {
        self.obstacles.clear();
        self.obstacles.extend_from_slice(obstacles);
    }

    /// Pressure of the air: straight on cloth, across ropes.
    fn blow(&mut self, dt: f32, wind: &dyn Fn(Vec3) -> Vec3) {
        self.pushes.clear();
        self.pushes.resize(self.world.particles.len(), Vec3::ZERO);
        if self.options.wind <= 0.0 {
            return;
        }
        for lane in 0..self.lanes.len() {
            for row in 0..self.lanes[lane].len() {
                let Some((i, across, along)) = self.neighbours(lane, row) else {
                    continue;
                };
                let p = &self.world.particles[i as usize];
                let speed = p.way / self.world.step;
                let air = wind(p.position) * self.options.wind - speed;
                let push = if self.lanes.len() > 1 {
                    let normal = across.cross(along).normalize_or_zero();
                    normal * air.dot(normal) * (SAIL * air.dot(normal).abs()).min(0.5 / dt)
                        + air * 0.15
                } else {
                    let side = air.reject_from(along.try_normalize().unwrap_or(Vec3::Y));
                    side * (LINE * side.length()).min(0.5 / dt)
                };
                if push.is_finite() {
                    self.pushes[i as usize] = push;
                }
            }
        }
    }

    /// A particle with the directions to its neighbours across lanes and along its own, world space.
    fn neighbours(&self, lane: usize, row: usize) -> Option<(u32, Vec3, Vec3)> {
        let here = self.at(lane, row)?;
        let place = |i: u32| self.world.particles[i as usize].position;
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
        let across = place(right.unwrap_or(here)) - place(left.unwrap_or(here));
        let along = place(down.unwrap_or(here)) - place(up.unwrap_or(here));
        Some((here, across, along))
    }

    /// A frame at every particle, in order of lanes and rows: Y against the lane, X across, world space.
    /// Ropes have no across of their own: theirs turns with the rope and no more.
    pub fn frames(&self, mut tell: impl FnMut(u32, Vec3, Quat)) {
        for lane in 0..self.lanes.len() {
            let mut side = Vec3::X;
            let mut turn = Quat::IDENTITY;
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
                        .unwrap_or_else(|| turn * Vec3::X);
                    side = side
                        .reject_from_normalized(y)
                        .normalize_or(y.any_orthonormal_vector());
                }
                let z = side.cross(y);
                turn = Quat::from_mat3(&Mat3::from_cols(side, y, z)).normalize();
                tell(i, self.world.particles[i as usize].position, turn);
            }
        }
    }

    /// Where a particle was made, as it was given.
    pub fn rest_of(&self, particle: u32) -> Vec3 {
        self.rest
            .get(particle as usize)
            .copied()
            .unwrap_or(Vec3::ZERO)
    }

    /// How many particles it has.
    pub fn n_particles(&self) -> usize {
        self.world.particles.len()
    }

    /// The longest way across it at rest, metres.
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
