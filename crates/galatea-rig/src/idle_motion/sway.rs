//! Weight shift: a standing body rests on one leg, then on the other, at irregular times.

use serde::{Deserialize, Serialize};

use galatea_math::random::{RandomSource, minimum_jerk, smooth_noise};

/// Shift of the hips to each side at size 1, metres (Duarte and Zatsiorsky 1999 find shifts of 1 to 3 cm in unconstrained
/// standing).
pub const SHIFT: f32 = 0.014;
/// Minimum and maximum time between shifts to the same side, seconds.
pub const PERIOD: [f32; 2] = [4.0, 9.0];
/// Amplitude of postural sway at size 1, metres.
const SWAY: f32 = 0.003;

/// State of the weight shift.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sway {
    random: RandomSource,
    seed: u64,
    time: f64,
    from: f32,
    to: f32,
    t: f32,
    /// Duration of the current shift, and of the shift plus the rest after it, seconds.
    moves: f32,
    lasts: f32,
}

impl Sway {
    /// Weight in the middle.
    pub fn new(seed: u64) -> Self {
        let mut chance = RandomSource::new(seed);
        let lasts = chance.between(0.5, 2.0);
        Self {
            random: chance,
            seed,
            time: 0.0,
            from: 0.0,
            to: 0.0,
            t: 0.0,
            moves: 0.5,
            lasts,
        }
    }

    /// Advances by `dt` seconds; `speed` 1 is normal.
    pub fn advance(&mut self, speed: f32, dt: f32) {
        let dt = dt * speed.clamp(0.1, 4.0);
        self.time += f64::from(dt);
        self.t += dt;
        if self.t >= self.lasts {
            let chance = &mut self.random;
            let side = if self.to > 0.0 || (self.to == 0.0 && chance.is(0.5)) {
                -1.0
            } else {
                1.0
            };
            self.from = self.to;
            self.to = side * chance.between(0.5, 1.0);
            self.t = 0.0;
            self.lasts = chance.between(PERIOD[0], PERIOD[1]) * 0.5;
            self.moves = (self.lasts * 0.8).min(chance.between(1.2, 2.2));
        }
    }

    /// Weight distribution: 1 is on the left leg, -1 on the right leg.
    pub fn side(&self) -> f32 {
        self.from + (self.to - self.from) * minimum_jerk(self.t / self.moves)
    }

    /// Displacement of the hips to the left and forward, metres, at size 1: at most 1.7 cm and 0.3 cm.
    pub fn offset(&self) -> (f32, f32) {
        let noise = |axis: u64| smooth_noise(self.time * 0.5, self.seed ^ axis) * SWAY;
        (self.side() * SHIFT + noise(1), noise(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_shifts_from_leg_to_leg_at_irregular_times() {
        let mut sway = Sway::new(11);
        let (mut changes, mut previous, mut widest, mut step) = (Vec::new(), 0.0, 0.0_f32, 0.0_f32);
        let mut last = sway.offset().0;
        for i in 0..60 * 300 {
            sway.advance(1.0, 1.0 / 60.0);
            if sway.to != previous {
                changes.push(i as f32 / 60.0);
                previous = sway.to;
            }
            let (side, ahead) = sway.offset();
            widest = widest.max(side.abs());
            step = step.max((side - last).abs());
            last = side;
            assert!(ahead.abs() <= 0.003);
        }
        assert!((0.01..0.0175).contains(&widest), "{widest}");
        assert!(step < 0.0007, "{step} m in a tick");
        let gaps: Vec<f32> = changes.windows(3).map(|w| w[2] - w[0]).collect();
        assert!(gaps.iter().all(|gap| (3.9..9.1).contains(gap)), "{gaps:?}");
        let mean = gaps.iter().sum::<f32>() / gaps.len() as f32;
        let spread = gaps.iter().map(|g| (g - mean).powi(2)).sum::<f32>() / gaps.len() as f32;
        assert!(spread.sqrt() > 0.5);
    }
}
