//! Rest of loose cloth: once it has lain still for a while it sleeps until something moves it.

use glam::Vec3;

use super::{Particle, ParticleObstacle, ParticleWorld};

/// Distance that no particle may leave while it lies still, metres.
const NEAR: f32 = 0.01;
/// Seconds of lying still after which it sleeps.
const PATIENCE: f32 = 0.5;
/// Seconds of stirring after which it sleeps all the same: a few particles of a pile may never come to rest.
const LATEST: f32 = 3.0;
/// Deceleration by dry friction, m/s²: that of cloth that moves, and that of cloth that has only stirred for seconds.
const FRICTION: f32 = 0.5;
const MAX_FRICTION: f32 = 50.0;
/// Root mean square of the particles' speeds below which the cloth only stirs, m/s.
const SLOW: f32 = 0.3;
/// Speed of the air that keeps it awake, m/s.
const BREEZE: f32 = 0.3;
/// Distance within which a moving obstacle wakes it, metres.
const REACH: f32 = 0.1;

/// Time for which a piece of cloth has been still.
#[derive(Clone, Debug, Default)]
pub(super) struct Calm {
    /// Position of each particle when it became still.
    places: Vec<Vec3>,
    /// Position of each particle a tick ago.
    last: Vec<Vec3>,
    seconds: f32,
    /// Seconds for which it has only stirred.
    slow: f32,
}

impl Calm {
    /// Begins again: the cloth was moved.
    pub(super) fn stir(&mut self) {
        self.places.clear();
        self.last.clear();
        (self.seconds, self.slow) = (0.0, 0.0);
    }

    /// True while the cloth sleeps. Air and moving obstacles wake it.
    pub(super) fn is_asleep(
        &mut self,
        world: &ParticleWorld,
        [before, now]: [&[ParticleObstacle]; 2],
        air: impl Fn(Vec3) -> Vec3,
    ) -> bool {
        if self.seconds < PATIENCE && self.slow < LATEST {
            return false;
        }
        let middle = self.places.get(self.places.len() / 2);
        let is_blown = middle.is_some_and(|place| air(*place).length() > BREEZE);
        if is_blown || is_touched(world, before, now) {
            self.stir();
            return false;
        }
        true
    }

    /// Deceleration of the particles against their mean motion, m/s²: the dry friction between the fibres. It grows
    /// while the cloth only stirs, so that layers on each other come to rest.
    pub(super) fn friction(&self) -> f32 {
        (FRICTION * (1.0 + self.slow * self.slow)).min(MAX_FRICTION)
    }

    /// Counts a tick of `dt` seconds.
    pub(super) fn count(&mut self, world: &ParticleWorld, dt: f32) {
        let particles = &world.particles;
        // Where particles get to, not the speeds that they have within a step: in a pile those cancel each other.
        let moved = |(p, was): (&Particle, &Vec3)| p.position.distance_squared(*was);
        let squared: f32 = particles.iter().zip(&self.last).map(moved).sum();
        let farthest = SLOW * dt;
        let is_slow = self.last.len() == particles.len()
            && squared < farthest * farthest * particles.len() as f32;
        self.last.clear();
        self.last.extend(particles.iter().map(|p| p.position));
        self.slow = if is_slow { self.slow + dt } else { 0.0 };
        let is_near = particles.len() == self.places.len()
            && particles
                .iter()
                .zip(&self.places)
                .all(|(p, place)| p.position.distance_squared(*place) < NEAR * NEAR);
        if is_near {
            self.seconds += dt;
        } else {
            self.seconds = 0.0;
            self.places.clear();
            self.places.extend(particles.iter().map(|p| p.position));
        }
    }
}

/// True when an obstacle near the particles came, went or moved.
fn is_touched(
    world: &ParticleWorld,
    before: &[ParticleObstacle],
    now: &[ParticleObstacle],
) -> bool {
    if before == now {
        return false;
    }
    if before.len() != now.len() {
        return true;
    }
    let at = || world.particles.iter().map(|p| p.position);
    let low = at().fold(Vec3::INFINITY, Vec3::min) - Vec3::splat(REACH + world.thickness);
    let high = at().fold(Vec3::NEG_INFINITY, Vec3::max) + Vec3::splat(REACH + world.thickness);
    let moved = before.iter().zip(now).filter(|(was, is)| was != is);
    moved.flat_map(|(was, is)| [was, is]).any(|obstacle| {
        let [from, to] = obstacle.bounds();
        (from.cmple(high) & to.cmpge(low)).all()
    })
}
