//! Turning on the spot: angular speed towards a heading, without overshoot.
//!
//! Caller: `character`, which rotates the root by the result before the pose is computed; the feet step under it.

use std::f32::consts::PI;

use serde::{Deserialize, Serialize};

use galatea_math::clamp::ClampTo as _;

/// Limits of turning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnLimits {
    /// Maximum angular speed, radians per second, more than 0.
    pub speed: f32,
    /// Maximum angular acceleration, radians per second squared, more than 0.
    pub acceleration: f32,
}

impl Default for TurnLimits {
    /// Feet that step one after the other can follow this: half a turn in about two seconds.
    fn default() -> Self {
        Self {
            speed: 110_f32.to_radians(),
            acceleration: 300_f32.to_radians(),
        }
    }
}

/// Angle from the goal, radians, within which a turn is finished.
const ARRIVED: f32 = 0.001;
/// Beyond this angle to the goal, radians, the body keeps its current direction of rotation.
const KEEP_DIRECTION_ANGLE: f32 = 2.8;

/// State of a turning body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Turning {
    /// Angular speed about +Y, radians per second.
    speed: f32,
}

impl Turning {
    /// Current angular speed about +Y, radians per second.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Returns the rotation, radians, in a tick of `dt` seconds with the angle `to_go`, -π to π, left to the goal. It
    /// accelerates and brakes within the limits, so that it does not overshoot a fixed goal.
    pub fn advance(&mut self, to_go: f32, pace: &TurnLimits, dt: f32) -> f32 {
        if !to_go.is_finite() || dt <= 0.0 {
            return 0.0;
        }
        let goes_on = to_go.abs() > KEEP_DIRECTION_ANGLE && self.speed * to_go < 0.0;
        let to_go = if goes_on {
            to_go - (2.0 * PI).copysign(to_go)
        } else {
            to_go
        };
        let a = pace.acceleration.max(1e-3);
        // Speed from which the body can still brake: v·dt + v²/2a = angle.
        let angle = to_go.abs();
        let braking_speed = a * ((dt * dt + 2.0 * angle / a).sqrt() - dt);
        let target_speed = braking_speed.min(pace.speed).copysign(to_go);
        let change = (target_speed - self.speed).clamp_to(-a * dt, a * dt);
        self.speed += change;
        let step = self.speed * dt;
        if angle <= ARRIVED || (step.abs() >= angle && step * to_go > 0.0) {
            self.speed = 0.0;
            return to_go;
        }
        step
    }

    /// Slows down when there is no goal. Returns the rotation in radians.
    pub fn rest(&mut self, pace: &TurnLimits, dt: f32) -> f32 {
        let change = pace.acceleration.max(1e-3) * dt.max(0.0);
        self.speed -= self.speed.clamp_to(-change, change);
        self.speed * dt.max(0.0)
    }
}

/// Shortest rotation from one heading to another, radians, -π to π.
pub fn shortest_rotation(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(2.0 * PI) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_is_reached_within_limits_and_without_overshoot() {
        for hz in [30.0_f32, 60.0, 144.0] {
            for degrees in (-179..180).step_by(7) {
                let goal = (degrees as f32).to_radians();
                let pace = TurnLimits::default();
                let (mut turning, mut at, mut speed) = (Turning::default(), 0.0_f32, 0.0_f32);
                for _ in 0..(3.0 * hz) as u32 {
                    at += turning.advance(shortest_rotation(at, goal), &pace, 1.0 / hz);
                    assert!(turning.speed().abs() <= pace.speed + 1e-5);
                    let change = (turning.speed() - speed).abs() * hz;
                    let is_over = turning.speed() == 0.0;
                    assert!(is_over || change <= pace.acceleration * 1.001, "{change}");
                    speed = turning.speed();
                    assert!(
                        (at - goal) * goal.signum() < 1e-3,
                        "{degrees} at {hz}: {at}"
                    );
                }
                assert!((at - goal).abs() < 1e-3, "{degrees} at {hz}: {at}");
            }
        }
    }

    #[test]
    fn a_goal_crossing_behind_the_back_does_not_reverse_the_turn() {
        let pace = TurnLimits::default();
        let (mut turning, mut at) = (Turning::default(), 0.0_f32);
        for _ in 0..20 {
            at += turning.advance(shortest_rotation(at, 3.1), &pace, 1.0 / 60.0);
        }
        let before = at;
        for _ in 0..20 {
            at += turning.advance(shortest_rotation(at, before - 3.0), &pace, 1.0 / 60.0);
        }
        assert!(at > before);
        let speed = turning.speed();
        turning.rest(&pace, 1.0 / 60.0);
        assert!(turning.speed().abs() < speed.abs());
    }
}
