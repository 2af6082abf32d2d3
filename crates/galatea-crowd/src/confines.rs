//! Limits that the rules of a flock cannot break: the home, and the distance to the nearest neighbour.

#[cfg(test)]
mod tests;

use std::ops::Range;

use glam::Vec3;

use super::flock_rules::{Boid, FlockHome, FlockRules};

/// Factors on the radius of the home: from the first on birds turn inwards, turns end within the second, the third is the
/// limit.
const OUTSIDE: f32 = 1.03;
const TURNS: f32 = 1.07;
const MAX_RADIUS: f32 = 1.1;
/// Cosine to the centre of the home at which a bird outside has turned far enough.
const INWARDS: f32 = 0.25;
/// Fractions of the fastest turn, back to the home and by the rules.
const TURN_SHARE: f32 = 0.9;
const RULE_SHARE: f32 = 0.44;
/// Fraction of `apart` that is the least distance of two birds, and metres that it is at most.
const MIN_APART: f32 = 0.25;
const MAX_DISTANCE: f32 = 0.3;
/// Metres by which rounding may make a distance smaller.
const ROUNDING: f32 = 1e-4;
/// Neighbours that are remembered as close; with more of them all neighbours are checked.
const MAX_CLOSE: usize = 8;
/// Times that a bird is moved away from its close neighbours in a tick, at most.
const MAX_PUSHES: usize = 4;
/// Times the distance of the fastest bird in a tick that a bird moves in it, at most.
const MAX_STEPS: f32 = 1.5;

/// Numbers of those that may come too close in this tick.
#[derive(Clone, Copy, Debug, Default)]
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

    /// Has more neighbours than are remembered, or not all were looked at.
    pub fn overflow(&mut self) {
        self.n = u8::MAX;
    }

    /// Not all neighbours are remembered.
    pub fn is_overflown(&self) -> bool {
        usize::from(self.n) > MAX_CLOSE
    }

    fn each(&self) -> Option<&[u32]> {
        self.of.get(..usize::from(self.n))
    }
}

/// Distances that the members of a flock keep in a tick, metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spacing {
    /// Nobody comes nearer to another.
    pub least: f32,
    /// Nobody moves farther.
    pub step: f32,
}

impl Spacing {
    /// Without limits for the book's flock.
    pub fn of(rules: &FlockRules, dt: f32) -> Option<Self> {
        (!rules.is_book).then(|| Self {
            least: (rules.apart * MIN_APART).min(MAX_DISTANCE),
            step: rules.speed[1] * dt * MAX_STEPS,
        })
    }

    /// Distance below which two may come too close in this tick.
    pub fn reach(self) -> f32 {
        self.least + 2.0 * self.step
    }
}

/// Birds of a flock in sorted order, each where it is by now.
pub(crate) struct Neighbours<'a> {
    pub now: &'a [Vec3],
    pub own: usize,
    pub close: &'a CloseNeighbours,
    /// Stretches of the sorted in which all that may be close lie; needed only where not all of them are remembered.
    pub around: [Range<usize>; 3],
}

impl Neighbours<'_> {
    fn each(&self, mut one: impl FnMut(usize, Vec3)) {
        match self.close.each() {
            Some(close) => {
                for j in close {
                    one(*j as usize, self.now[*j as usize]);
                }
            }
            None => {
                for j in self.around.iter().flat_map(Clone::clone) {
                    if j != self.own {
                        one(j, self.now[j]);
                    }
                }
            }
        }
    }

    /// A position as near as possible to one that a bird wants to be at, as far from its neighbours as it must be.
    pub fn pushed(&self, from: Vec3, to: Vec3, spacing: Spacing) -> Vec3 {
        let mut at = to;
        for _ in 0..MAX_PUSHES {
            let mut is_free = true;
            self.each(|j, other| {
                let gap = at - other;
                let distance2 = gap.length_squared();
                if distance2 < spacing.least * spacing.least {
                    is_free = false;
                    let distance = distance2.sqrt();
                    let away = gap.try_normalize().unwrap_or(if self.own < j {
                        Vec3::X
                    } else {
                        Vec3::NEG_X
                    });
                    at += away * (spacing.least - distance + ROUNDING);
                }
            });
            if is_free {
                break;
            }
        }
        from + (at - from).clamp_length_max(spacing.step)
    }

    /// No neighbour is too close to a position, or at least not closer than it is to the position before.
    pub fn is_free(&self, from: Vec3, to: Vec3, spacing: Spacing) -> bool {
        let mut is_free = true;
        self.each(|_, other| {
            let distance = to.distance(other);
            is_free &= distance >= spacing.least || distance >= from.distance(other);
        });
        is_free
    }
}

impl FlockHome {
    /// A force with what brings a bird home: a pull outside of the radius, and a turn as soon as its turning circle would
    /// leave the home. Of the rest of the force nothing is left then that is against that turn.
    pub(crate) fn steers(&self, boid: &Boid, force: Vec3, rules: &FlockRules) -> Vec3 {
        let most = (rules.turn * rules.speed[1]).max(1e-3);
        match self.turn_side(boid, most * TURN_SHARE) {
            Some(side) => {
                let rest = force - side * force.dot(side).min(0.0);
                side * (most * TURN_SHARE) + rest.clamp_length_max(most * RULE_SHARE)
            }
            None => {
                let way = self.at - boid.at;
                let off = way.length() / self.radius.max(1e-3) - 1.0;
                force + way.normalize_or_zero() * (self.weight * off.clamp(0.0, 1.0))
            }
        }
    }

    /// The side to which a bird must turn now, if it turns by at most so many metres per second in a second.
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

    /// Keeps a bird that moved from a position within the limit of the home: it slides along it.
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

    /// A position is within the limit of the home, or not farther out than the one before.
    pub(crate) fn has(&self, from: Vec3, to: Vec3) -> bool {
        let limit = (self.radius * MAX_RADIUS).max(from.distance(self.at));
        to.distance(self.at) <= limit + ROUNDING
    }
}
