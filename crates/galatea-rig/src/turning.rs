//! Turning on the spot: how fast a body turns towards a heading, so that it comes there and not beyond.
//!
//! Caller: `character`, which turns the root by what comes out, before the pose is made; feet step under it.

use std::f32::consts::PI;

use galatea_math::clamp::ClampTo as _;

/// How fast a body turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnPace {
    /// Radians per second at most, more than 0.
    pub speed: f32,
    /// Radians per second squared, more than 0.
    pub acceleration: f32,
}

impl Default for TurnPace {
    /// Feet that step one after the other keep up with it: half a turn in about two seconds.
    fn default() -> Self {
        Self {
            speed: 110_f32.to_radians(),
            acceleration: 300_f32.to_radians(),
        }
    }
}

/// Radians from the goal within which a turn is over.
const THERE: f32 = 0.001;
/// Beyond so many radians a goal behind the back is turned to the way that the body turns already.
const BEHIND: f32 = 2.8;

/// A body that turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turning {
    /// Radians per second about +Y.
    speed: f32,
}

impl Turning {
    /// Radians per second about +Y at which it turns.
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Radians by which to turn in a tick of `dt` seconds with `to_go` radians, -π to π, to go. It speeds up and
    /// slows down as the pace allows, so that it does not pass a goal that stays.
    pub fn advance(&mut self, to_go: f32, pace: &TurnPace, dt: f32) -> f32 {
        if !to_go.is_finite() || dt <= 0.0 {
            return 0.0;
        }
        let goes_on = to_go.abs() > BEHIND && self.speed * to_go < 0.0;
        let to_go = if goes_on {
            to_go - (2.0 * PI).copysign(to_go)
        } else {
            to_go
        };
        let a = pace.acceleration.max(1e-3);
        // What can be braked from: v·dt + v²/2a = way.
        let way = to_go.abs();
        let brakes = a * ((dt * dt + 2.0 * way / a).sqrt() - dt);
        let wish = brakes.min(pace.speed).copysign(to_go);
        let change = (wish - self.speed).clamp_to(-a * dt, a * dt);
        self.speed += change;
        let step = self.speed * dt;
        if way <= THERE || (step.abs() >= way && step * to_go > 0.0) {
            self.speed = 0.0;
            return to_go;
        }
        step
    }

    /// Slows down, as where there is nothing to turn to. Gives radians.
    pub fn rest(&mut self, pace: &TurnPace, dt: f32) -> f32 {
        let change = pace.acceleration.max(1e-3) * dt.max(0.0);
        self.speed -= self.speed.clamp_to(-change, change);
        self.speed * dt.max(0.0)
    }
}

/// Radians from one heading to another, the short way: -π to π.
pub fn short_way(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(2.0 * PI) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_comes_to_every_heading_within_its_bounds_and_never_passes_it() {
        for hz in [30.0_f32, 60.0, 144.0] {
            for degrees in (-179..180).step_by(7) {
                let goal = (degrees as f32).to_radians();
                let pace = TurnPace::default();
                let (mut turning, mut at, mut speed) = (Turning::default(), 0.0_f32, 0.0_f32);
                for _ in 0..(3.0 * hz) as u32 {
                    at += turning.advance(short_way(at, goal), &pace, 1.0 / hz);
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
    fn what_goes_round_behind_the_back_does_not_turn_it_over() {
        let pace = TurnPace::default();
        let (mut turning, mut at) = (Turning::default(), 0.0_f32);
        for _ in 0..20 {
            at += turning.advance(short_way(at, 3.1), &pace, 1.0 / 60.0);
        }
        let before = at;
        for _ in 0..20 {
            at += turning.advance(short_way(at, before - 3.0), &pace, 1.0 / 60.0);
        }
        assert!(at > before);
        let speed = turning.speed();
        turning.rest(&pace, 1.0 / 60.0);
        assert!(turning.speed().abs() < speed.abs());
    }
}
