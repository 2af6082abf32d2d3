//! Strain limiting: no thread of a fabric is longer than a fraction over its rest length, however fast it is moved.

use super::{ParticleLink, ParticleWorld};

/// Length of a thread at most, relative to its length at rest. What is shown stays within 1.1 of it.
pub(super) const MAX_LENGTH: f32 = 1.08;
/// Passes over the threads at most.
const MAX_SWEEPS: usize = 40;

/// Threads of a fabric that must not grow longer, and how far each particle is from what holds it.
#[derive(Clone, Debug, Default)]
pub(super) struct StrainLimit {
    /// Threads, from the held particles outwards.
    threads: Vec<ParticleLink>,
    /// Distance to the nearest held particle along the threads, metres; infinite without one.
    depths: Vec<f32>,
    /// Length of each thread at most, relative to its rest length.
    max_length: f32,
    starts: Vec<glam::Vec3>,
}

impl StrainLimit {
    /// Threads between particles at these distances from what holds them. `slack` is how much longer a thread may
    /// grow than usual, as a fraction.
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

    /// True when some thread is too long.
    fn is_exceeded(&self, world: &ParticleWorld) -> bool {
        self.threads.iter().any(|link| {
            let max = link.rest * self.max_length;
            over(world, link).is_some_and(|squared| squared > max * max)
        })
    }

    /// Shortens the threads that are too long after a tick of `n_steps` steps. The particle farther from what
    /// holds both follows the nearer one (Müller, Kim, Chentanez, "Fast Simulation of Inextensible Hair and Fur",
    /// VRIPHYS 2012), so that a pass from the held particles outwards is enough along a lane.
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
            // The last word has the length: a thread that is too long is seen, a particle in a body hardly.
            if sweep + 4 < MAX_SWEEPS {
                world.push_outside();
            }
        }
        let share = 1.0 / n_steps.max(1) as f32;
        for (p, start) in world.particles.iter_mut().zip(&self.starts) {
            p.way += (p.position - *start) * share;
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

/// Squared length of a thread, metres.
fn over(world: &ParticleWorld, link: &ParticleLink) -> Option<f32> {
    let a = world.particles.get(link.a as usize)?;
    let b = world.particles.get(link.b as usize)?;
    Some(a.position.distance_squared(b.position))
}
