//! Strain limiting: no thread of a fabric gets longer than a fraction over its rest length, however fast the fabric moves.

use serde::{Deserialize, Serialize};

use super::{ParticleLink, ParticleWorld};

/// Maximum length of a thread relative to its rest length. The result stays within 1.1 of it.
pub(super) const MAX_LENGTH: f32 = 1.08;
/// Maximum number of passes over the threads.
const MAX_SWEEPS: usize = 40;

/// Threads with limited length, and the distance of each particle from its nearest pin.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct StrainLimit {
    /// Threads, from the pinned particles outwards.
    threads: Vec<ParticleLink>,
    /// Distance to the nearest pinned particle along the threads, metres; infinite without one.
    depths: Vec<f32>,
    /// Maximum length of each thread, relative to its rest length.
    max_length: f32,
    starts: Vec<glam::Vec3>,
}

impl StrainLimit {
    /// Threads between particles with these distances from their nearest pins. `slack` is the additional strain allowed, as
    /// a fraction.
    pub(super) fn new(mut threads: Vec<ParticleLink>, depths: Vec<f32>, slack: f32) -> Self {
        let depth = |i: u32| depths.get(i as usize).copied().unwrap_or(f32::INFINITY);
        threads.sort_by(|one, other| {
            let [one, other] = [one, other].map(|link| depth(link.a).max(depth(link.b)));
            one.total_cmp(&other)
        });
        Self {
            threads,
            depths,
            max_length: MAX_LENGTH * (1.0 + slack),
            starts: Vec::new(),
        }
    }

    /// Returns true if some thread is too long.
    fn is_exceeded(&self, world: &ParticleWorld) -> bool {
        self.threads.iter().any(|link| {
            let max = link.rest * self.max_length;
            over(world, link).is_some_and(|squared| squared > max * max)
        })
    }

    /// Shortens the threads that are too long after a tick of `n_steps` steps. Of two particles, the one farther from the
    /// pins follows the nearer one (Müller, Kim, Chentanez, "Fast Simulation of Inextensible Hair and Fur", VRIPHYS 2012),
    /// so one pass outwards from the pins is enough along a lane.
    pub(super) fn apply(&mut self, world: &mut ParticleWorld, n_steps: usize) {
        if !self.is_exceeded(world) {
            return;
        }
        self.starts.clear();
        self.starts
            .extend(world.particles.iter().map(|p| p.position));
        for sweep in 0..MAX_SWEEPS {
            let mut is_exceeded = false;
            for link in &self.threads {
                is_exceeded |= self.shorten(world, link);
            }
            if !is_exceeded {
                break;
            }
            // Length has priority in the last passes: a thread that is too long is visible, a particle inside of a body
            // hardly is.
            if sweep + 4 < MAX_SWEEPS {
                world.push_outside();
            }
        }
        let fraction = 1.0 / n_steps.max(1) as f32;
        for (p, start) in world.particles.iter_mut().zip(&self.starts) {
            p.displacement += (p.position - *start) * fraction;
        }
    }

    fn shorten(&self, world: &mut ParticleWorld, link: &ParticleLink) -> bool {
        let max = link.rest * self.max_length;
        let Some(squared) = over(world, link).filter(|squared| *squared > max * max) else {
            return false;
        };
        let at = |i: u32| world.particles.get(i as usize).copied();
        let (Some(a), Some(b)) = (at(link.a), at(link.b)) else {
            return false;
        };
        let depth = |i: u32| {
            self.depths
                .get(i as usize)
                .copied()
                .unwrap_or(f32::INFINITY)
        };
        let (near, far) = (depth(link.a), depth(link.b));
        let (mut w_a, mut w_b) = (a.inverse_mass, b.inverse_mass);
        if (near - far).abs() > 0.5 * link.rest {
            let leads = if near < far { &mut w_a } else { &mut w_b };
            *leads = 0.0;
        }
        if w_a + w_b <= 0.0 {
            return false;
        }
        let length = squared.sqrt();
        let correction =
            (b.position - a.position) * ((length - max * 0.999) / (length * (w_a + w_b)));
        if let Some(p) = world.particles.get_mut(link.a as usize) {
            p.position += correction * w_a;
        }
        if let Some(p) = world.particles.get_mut(link.b as usize) {
            p.position -= correction * w_b;
        }
        true
    }
}

/// Squared length of a thread, square metres.
fn over(world: &ParticleWorld, link: &ParticleLink) -> Option<f32> {
    let a = world.particles.get(link.a as usize)?;
    let b = world.particles.get(link.b as usize)?;
    Some(a.position.distance_squared(b.position))
}
