//! Smooth damping of values, independent of the tick rate.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Fraction of a distance that is left after `dt` seconds of exponential decay with a half-life.
#[inline]
pub fn left(half_life: f32, dt: f32) -> f32 {
    if half_life <= 0.0 {
        return 0.0;
    }
    (-std::f32::consts::LN_2 * dt.max(0.0) / half_life).exp()
}

/// Precomputed decay of a critically damped spring in one step, shared by all springs of the same rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DampingFactors {
    /// Decay rate, per second.
    pub rate: f32,
    /// Step, seconds.
    pub dt: f32,
    /// Fraction left after the step.
    pub left: f32,
}

impl DampingFactors {
    /// Decay with a rate per second.
    pub fn at_rate(rate: f32, dt: f32) -> Self {
        let dt = dt.max(0.0);
        Self {
            rate,
            dt,
            left: (-rate * dt).exp(),
        }
    }

    /// The pace of [`DampedSpring::advance`]: about 60 % of the distance is covered after `time` seconds. A `time` of 0
    /// jumps to the goal.
    pub fn within_time(time: f32, dt: f32) -> Self {
        if time <= 0.0 {
            return Self::default();
        }
        Self::at_rate(2.0 / time, dt)
    }
}

/// A value on a critically damped spring: from rest it reaches the goal without overshooting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DampedSpring {
    /// Current value.
    pub value: f32,
    /// Change per second.
    pub velocity: f32,
}

impl DampedSpring {
    /// A spring at rest at a value.
    pub fn at(value: f32) -> Self {
        Self {
            value,
            velocity: 0.0,
        }
    }

    /// Advances by `dt` seconds towards `goal`; about 60 % of the distance is covered after `time` seconds. Uses the exact
    /// solution, so it is stable and does not depend on the step.
    pub fn advance(&mut self, goal: f32, time: f32, dt: f32) -> f32 {
        self.go(goal, &DampingFactors::within_time(time, dt))
    }

    /// As [`advance`](Self::advance), with a precomputed pace.
    pub fn go(&mut self, goal: f32, pace: &DampingFactors) -> f32 {
        let away = self.value - goal;
        let push = self.velocity + pace.rate * away;
        self.value = goal + (away + push * pace.dt) * pace.left;
        self.velocity = (self.velocity - pace.rate * push * pace.dt) * pace.left;
        self.value
    }
}

/// Damps a unit direction towards a unit goal.
#[inline]
pub fn direction(now: Vec3, goal: Vec3, half_life: f32, dt: f32) -> Vec3 {
    turned(now, goal, left(half_life, dt))
}

/// As [`direction`], with a precomputed fraction that is left.
#[inline]
pub fn turned(now: Vec3, goal: Vec3, left: f32) -> Vec3 {
    if now == goal {
        return goal;
    }
    goal.lerp(now, left).try_normalize().unwrap_or(goal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_do_not_overshoot_at_any_tick_rate() {
        let run = |hz: usize| {
            let mut follow = DampedSpring::at(1.0);
            for _ in 0..hz {
                let value = follow.advance(0.0, 0.2, 1.0 / hz as f32);
                assert!(value >= 0.0);
            }
            follow.value
        };
        assert!((run(30) - run(240)).abs() < 1e-5);
        assert!(run(60) < 1e-3);
    }

    #[test]
    fn zero_time_jumps_to_the_goal() {
        let mut follow = DampedSpring::at(1.0);
        follow.velocity = 5.0;
        assert_eq!(follow.advance(3.0, 0.0, 0.1), 3.0);
        assert_eq!(follow, DampedSpring::at(3.0));
    }

    #[test]
    fn half_is_left_after_the_half_life() {
        assert!((left(0.3, 0.3) - 0.5).abs() < 1e-6);
        assert_eq!(left(0.0, 0.1), 0.0);
    }
}
