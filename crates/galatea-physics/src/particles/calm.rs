//! Sleeping of loose cloth: after it has been still for a while, it sleeps until something moves it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Particle, ParticleObstacle, ParticleWorld};

/// Distance that particles may move while the cloth counts as still, metres.
const STILL_DISTANCE: f32 = 0.01;
/// Time of being still after which it sleeps, seconds.
const SLEEP_DELAY_S: f32 = 0.5;
/// Time of slow motion after which it sleeps anyway, seconds: a few particles of a pile may never come to rest.
const MAX_SLOW_S: f32 = 3.0;
/// Deceleration by dry friction, m/s²: of moving cloth, and of cloth that has been slow for seconds.
const FRICTION: f32 = 0.5;
const MAX_FRICTION: f32 = 50.0;
/// Root mean square speed of the particles below which the cloth is slow, m/s.
const SLOW_SPEED: f32 = 0.3;
/// Air speed that keeps it awake, m/s.
const WAKE_AIR_SPEED: f32 = 0.3;
/// Distance within which a moving obstacle wakes it, metres.
const WAKE_DISTANCE: f32 = 0.1;

/// Time for which a piece of cloth has been still.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Calm {
    /// Position of each particle when it became still.
    still_positions: Vec<Vec3>,
    /// Position of each particle in the last tick.
    last: Vec<Vec3>,
    seconds: f32,
    /// Time for which it has been slow, seconds.
    slow: f32,
}

impl Calm {
    /// Restarts the timers because the cloth was moved.
    pub(super) fn disturb(&mut self) {
        self.still_positions.clear();
        self.last.clear();
        (self.seconds, self.slow) = (0.0, 0.0);
    }

    /// Returns true while the cloth sleeps. Air and moving obstacles wake it.
    pub(super) fn is_asleep(
        &mut self,
        world: &ParticleWorld,
        [before, now]: [&[ParticleObstacle]; 2],
        air: impl Fn(Vec3) -> Vec3,
    ) -> bool {
        if self.seconds < SLEEP_DELAY_S && self.slow < MAX_SLOW_S {
            return false;
        }
        let middle = self.still_positions.get(self.still_positions.len() / 2);
        let is_blown = middle.is_some_and(|position| air(*position).length() > WAKE_AIR_SPEED);
        if is_blown || is_touched(world, before, now) {
            self.disturb();
            return false;
        }
        true
    }

    /// Deceleration of the particles relative to their mean motion, m/s²: dry friction between the fibres. It grows while
    /// the cloth is slow, so that layers on top of each other come to rest.
    pub(super) fn friction(&self) -> f32 {
        (FRICTION * (1.0 + self.slow * self.slow)).min(MAX_FRICTION)
    }

    /// Adds a tick of `dt` seconds to the timers.
    pub(super) fn count(&mut self, world: &ParticleWorld, dt: f32) {
        let particles = &world.particles;
        // Compares positions between ticks, not velocities within a step: in a pile those cancel out.
        let moved = |(p, before): (&Particle, &Vec3)| p.position.distance_squared(*before);
        let squared: f32 = particles.iter().zip(&self.last).map(moved).sum();
        let farthest = SLOW_SPEED * dt;
        let is_slow = self.last.len() == particles.len()
            && squared < farthest * farthest * particles.len() as f32;
        self.last.clear();
        self.last.extend(particles.iter().map(|p| p.position));
        self.slow = if is_slow { self.slow + dt } else { 0.0 };
        let is_near = particles.len() == self.still_positions.len()
            && particles
                .iter()
                .zip(&self.still_positions)
                .all(|(p, position)| {
                    p.position.distance_squared(*position) < STILL_DISTANCE * STILL_DISTANCE
                });
        if is_near {
            self.seconds += dt;
        } else {
            self.seconds = 0.0;
            self.still_positions.clear();
            self.still_positions
                .extend(particles.iter().map(|p| p.position));
        }
    }
}

/// Returns true if an obstacle near the particles appeared, disappeared or moved.
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
    let low = at().fold(Vec3::INFINITY, Vec3::min) - Vec3::splat(WAKE_DISTANCE + world.thickness);
    let high =
        at().fold(Vec3::NEG_INFINITY, Vec3::max) + Vec3::splat(WAKE_DISTANCE + world.thickness);
    let moved = before
        .iter()
        .zip(now)
        .filter(|(before, after)| before != after);
    moved
        .flat_map(|(before, after)| [before, after])
        .any(|obstacle| {
            let [from, to] = obstacle.bounds();
            (from.cmple(high) & to.cmpge(low)).all()
        })
}
