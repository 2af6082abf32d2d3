//! Values that go after others smoothly, the same at any tick rate.

use glam::Vec3;

/// The share of a distance that is left after `dt` seconds when half of it is gone after `half_life`.
#[inline]
pub fn left(half_life: f32, dt: f32) -> f32 {
    if half_life <= 0.0 {
        return 0.0;
    }
    (-std::f32::consts::LN_2 * dt.max(0.0) / half_life).exp()
}

/// How a way dies away at a rate in a step; steps of one length share its exponential.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DampingPace {
    /// Per second.
    pub rate: f32,
    /// Seconds.
    pub dt: f32,
    /// The share that is left after the step.
    pub left: f32,
}

impl DampingPace {
    /// Dies away at a rate per second.
    pub fn at_rate(rate: f32, dt: f32) -> Self {
        let dt = dt.max(0.0);
        Self {
            rate,
            dt,
            left: (-rate * dt).exp(),
        }
    }

    /// That of [`DampedSpring::advance`]: about 60 % of the way is done after `time` seconds, all at once where that is 0.
    pub fn within(time: f32, dt: f32) -> Self {
        if time <= 0.0 {
            return Self::default();
        }
        Self::at_rate(2.0 / time, dt)
    }
}

/// A value on a critically damped spring: it comes to its goal without passing it when it starts at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DampedSpring {
    /// Where it is.
    pub value: f32,
    /// Per second.
    pub velocity: f32,
}

impl DampedSpring {
    /// At rest at a value.
    pub fn at(value: f32) -> Self {
        Self {
            value,
            velocity: 0.0,
        }
    }

    /// Moves on by `dt` seconds towards `goal`; about 60 % of the way is done after `time` seconds. The exact
    /// solution, so it is stable and the same for any step.
    pub fn advance(&mut self, goal: f32, time: f32, dt: f32) -> f32 {
        self.go(goal, &DampingPace::within(time, dt))
    }

    /// The same by a pace that is known.
    pub fn go(&mut self, goal: f32, pace: &DampingPace) -> f32 {
        let away = self.value - goal;
        let push = self.velocity + pace.rate * away;
        self.value = goal + (away + push * pace.dt) * pace.left;
        self.velocity = (self.velocity - pace.rate * push * pace.dt) * pace.left;
        self.value
    }
}

/// A direction that goes after another; both unit.
#[inline]
pub fn direction(now: Vec3, goal: Vec3, half_life: f32, dt: f32) -> Vec3 {
    turned(now, goal, left(half_life, dt))
}

/// The same where the share of the way that is left is known.
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
    fn what_follows_never_passes_its_goal_and_goes_alike_at_any_rate() {
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
    fn who_follows_in_no_time_is_there_at_once() {
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
