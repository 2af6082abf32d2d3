//! Limits of a flock that its rules cannot break: the home, and the distance to the nearest neighbour.

use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

use glam::Vec3;

use super::flock_rules::{Boid, FlockHome, FlockRules};

/// Factors on the radius of the home: birds turn inwards from the first on, turns end within the second, and the third
/// is the limit.
const OUTSIDE: f32 = 1.03;
const TURNS: f32 = 1.07;
const MAX_RADIUS: f32 = 1.1;
/// Cosine of the angle to the centre of the home at which a bird outside has turned far enough.
const INWARDS: f32 = 0.25;
/// Fractions of the maximum turn rate: for the turn back to the home, and for the rules during it.
const TURN_FRACTION: f32 = 0.9;
const RULE_FRACTION: f32 = 0.44;
/// Minimum distance of two birds as a fraction of `apart`, and the upper limit of it, metres.
const MIN_SEPARATION: f32 = 0.25;
const MAX_DISTANCE: f32 = 0.3;
/// Distance that rounding may remove, metres.
const ROUNDING: f32 = 1e-4;
/// Maximum number of close neighbours in the list; with more of them, they are searched for again.
const MAX_CLOSE: usize = 8;
/// Maximum number of times that a bird is pushed away from close neighbours in a tick.
const MAX_PUSHES: usize = 4;
/// Maximum distance that a bird moves in a tick, as a multiple of that of the fastest bird.
const MAX_STEPS: f32 = 1.5;

/// Indices of the birds that may come too close in this tick.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CloseNeighbours {
    n: u8,
    of: [u32; MAX_CLOSE],
}

impl CloseNeighbours {
    pub fn add(&mut self, neighbour: usize) {
        let n = usize::from(self.n);
        if let Some(free) = self.of.get_mut(n) {
            *free = neighbour as u32;
        }
        self.n = self.n.saturating_add(1);
    }

    /// Returns true if the list is incomplete.
    pub fn is_overflown(&self) -> bool {
        usize::from(self.n) > MAX_CLOSE
    }

    /// The neighbours; `None` if the list is incomplete.
    pub fn all(&self) -> Option<&[u32]> {
        self.of.get(..usize::from(self.n))
    }
}

/// Limits of the distances in a flock in one tick, metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// Minimum distance between two birds.
    pub min_distance: f32,
    /// Maximum distance that a bird moves.
    pub step: f32,
}

impl Spacing {
    /// The limits of a flock; `None` for the style "book".
    pub fn of(rules: &FlockRules, dt: f32) -> Option<Self> {
        (!rules.is_classic).then(|| Self {
            min_distance: (rules.separation_distance * MIN_SEPARATION).min(MAX_DISTANCE),
            step: rules.speed[1] * dt * MAX_STEPS,
        })
    }

    /// Distance below which two birds may come too close in this tick.
    pub fn reach(self) -> f32 {
        self.min_distance + 2.0 * self.step
    }
}

/// Birds of a flock in sorted order, at their present positions.
pub(crate) struct Neighbours<'a> {
    pub now: &'a [Vec3],
    pub own: usize,
    /// Indices of the close neighbours.
    pub close: &'a [u32],
}

impl Neighbours<'_> {
    fn each(&self) -> impl Iterator<Item = (usize, Vec3)> {
        let close = self.close.iter().map(|j| *j as usize);
        close.map(|j| (j, self.now[j]))
    }

    /// The position nearest to `to` that keeps the minimum distance from neighbours, as far as a few pushes can do
    /// that.
    pub fn pushed(&self, from: Vec3, to: Vec3, spacing: Spacing) -> Vec3 {
        let mut at = to;
        for _ in 0..MAX_PUSHES {
            let mut is_free = true;
            for (j, other) in self.each() {
                let gap = at - other;
                let distance2 = gap.length_squared();
                if distance2 < spacing.min_distance * spacing.min_distance {
                    is_free = false;
                    let distance = distance2.sqrt();
                    let away = gap.try_normalize().unwrap_or(if self.own < j {
                        Vec3::X
                    } else {
                        Vec3::NEG_X
                    });
                    at += away * (spacing.min_distance - distance + ROUNDING);
                }
            }
            if is_free {
                break;
            }
        }
        from + (at - from).clamp_length_max(spacing.step)
    }

    /// Returns true if no neighbour is too close to a position, or none comes closer than it was.
    pub fn is_free(&self, from: Vec3, to: Vec3, spacing: Spacing) -> bool {
        self.each().all(|(_, other)| {
            let distance = to.distance(other);
            distance >= spacing.min_distance || distance >= from.distance(other)
        })
    }
}

impl FlockHome {
    /// Adds the force that brings a bird home: a pull outside the radius, and a turn as soon as its turning circle
    /// would leave the home. During the turn, the part of `force` that acts against it is removed.
    pub(crate) fn steers(&self, boid: &Boid, force: Vec3, rules: &FlockRules) -> Vec3 {
        let most = (rules.turn_rate * rules.speed[1]).max(1e-3);
        match self.turn_side(boid, most * TURN_FRACTION) {
            Some(side) => {
                let rest = force - side * force.dot(side).min(0.0);
                side * (most * TURN_FRACTION) + rest.clamp_length_max(most * RULE_FRACTION)
            }
            None => {
                let way = self.at - boid.at;
                let off = way.length() / self.radius.max(1e-3) - 1.0;
                force + way.normalize_or_zero() * (self.weight * off.clamp(0.0, 1.0))
            }
        }
    }

    /// The side to which a bird must turn now, if it accelerates by at most `most` m/s²; `None` if it need not turn.
    fn turn_side(&self, boid: &Boid, most: f32) -> Option<Vec3> {
        let off = boid.at - self.at;
        let (distance, speed) = (off.length(), boid.velocity.length());
        let outwards = off.dot(boid.velocity) / (distance * speed).max(1e-6);
        let radius = speed * speed / most;
        let limit = self.radius * TURNS;
        let is_out = distance > self.radius * OUTSIDE;
        if outwards <= if is_out { -INWARDS } else { 0.0 } || distance + 2.0 * radius <= limit {
            return None;
        }
        let ahead = boid.velocity / speed.max(1e-6);
        let side = (ahead * off.dot(ahead) - off)
            .try_normalize()
            .unwrap_or_else(|| ahead.any_orthonormal_vector());
        let centre = off + side * radius;
        (is_out || centre.length() + radius > limit).then_some(side)
    }

    /// Keeps a bird that moved from `from` inside the limit of the home; it slides along the limit.
    pub(crate) fn hold(&self, from: Vec3, boid: &mut Boid) {
        let (was, off) = (from - self.at, boid.at - self.at);
        let limit = (self.radius * MAX_RADIUS).max(was.length());
        if off.length_squared() <= limit * limit {
            return;
        }
        let out = off.normalize_or_zero();
        boid.at = self.at + out * limit;
        let speed = boid.velocity.length();
        let along = boid.velocity - out * boid.velocity.dot(out).max(0.0);
        boid.velocity = along.normalize_or(-out) * speed;
    }

    /// Returns true if a position is inside the limit of the home, or not farther out than the one before.
    pub(crate) fn has(&self, from: Vec3, to: Vec3) -> bool {
        let limit = (self.radius * MAX_RADIUS).max(from.distance(self.at));
        to.distance(self.at) <= limit + ROUNDING
    }
}
