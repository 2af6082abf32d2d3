//! Critically damped spring with limited speed and acceleration, used for head and chest.

use glam::Vec2;
use serde::{Deserialize, Serialize};

/// Duration of a substep, seconds.
const STEP: f32 = 1.0 / 240.0;

/// Speed of following.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GazeSpeed {
    /// Natural frequency, radians per second, more than 0; the goal is nearly reached after five times its inverse.
    pub omega: f32,
    /// Maximum speed, radians per second, more than 0.
    pub speed: f32,
    /// Maximum acceleration, radians per second squared, more than 0. A spring arriving at full speed brakes with `omega *
    /// speed / e`; if the limit is lower, the spring is made softer, so that it never overshoots.
    pub acceleration: f32,
}

/// Two angles (yaw to the left, pitch up), radians, and their rates of change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DampedAngles {
    /// Current angles, radians.
    pub at: Vec2,
    /// Angular velocity, radians per second.
    pub velocity: Vec2,
}

impl DampedAngles {
    /// Advances by `dt` seconds.
    pub fn advance(&mut self, goal: Vec2, pace: &GazeSpeed, dt: f32) {
        if !goal.is_finite() || dt <= 0.0 {
            return;
        }
        let speed = pace.speed.max(1e-3);
        let acceleration = pace.acceleration.max(1e-3);
        let omega = pace.omega.clamp(0.01, 60.0).min(2.0 * acceleration / speed);
        let n = (dt / STEP).ceil().clamp(1.0, 240.0);
        let h = dt / n;
        for _ in 0..n as u32 {
            let pull = (goal - self.at) * (omega * omega) - self.velocity * (2.0 * omega);
            self.velocity += pull.clamp_length_max(acceleration) * h;
            self.velocity = self.velocity.clamp_length_max(speed);
            self.at += self.velocity * h;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_goal_is_reached_without_overshoot_within_limits_at_any_tick_rate() {
        for hz in [30.0_f32, 60.0, 240.0] {
            for degrees in [5.0_f32, 20.0, 60.0, 120.0, 170.0] {
                for omega in [4.0, 10.0, 40.0] {
                    let pace = GazeSpeed {
                        omega,
                        speed: 4.0,
                        acceleration: 25.0,
                    };
                    let goal = Vec2::new(degrees.to_radians(), 0.2);
                    let (mut paced, mut max, mut last) =
                        (DampedAngles::default(), 0.0_f32, Vec2::ZERO);
                    for _ in 0..(4.0 * hz) as u32 {
                        paced.advance(goal, &pace, 1.0 / hz);
                        max = max.max(paced.at.dot(goal) / goal.length());
                        assert!(paced.velocity.length() <= 4.0001);
                        let change = (paced.velocity - last).length() * hz;
                        assert!(change <= 25.01, "{change}");
                        last = paced.velocity;
                    }
                    let over = (max - goal.length()).to_degrees();
                    assert!(over < 0.05, "{hz} {degrees} {omega}: {over}");
                    assert!(paced.at.distance(goal) < 2e-3);
                }
            }
        }
    }
}
