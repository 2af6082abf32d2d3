//! Random numbers and smooth noise from a seed, without a clock or global state.

use serde::{Deserialize, Serialize};

/// A random number generator (SplitMix64: Steele, Lea and Flood 2014).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomSource(u64);

impl RandomSource {
    /// Standard deviation of [`about_zero`](Self::about_zero): 6^-½.
    pub const ABOUT_ZERO: f32 = 0.408_248_3;

    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns the next number in 0..1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns the next number between two bounds.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns the next number in -1..1 with a triangular distribution about 0, standard deviation 0.41.
    pub fn about_zero(&mut self) -> f32 {
        self.unit() - self.unit()
    }

    /// Returns true with a probability.
    pub fn is(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }
}

/// Smooth noise over time, -1..=1: two bands with one and 2.3 changes per unit of `t`. The first and second derivatives are
/// continuous, the slope is less than 5.2 per unit. It does not repeat.
pub fn smooth_noise(t: f64, seed: u64) -> f32 {
    (lattice(t, seed) + 0.4 * lattice(t * 2.3 + 17.0, seed ^ 0x5bd1_e995)) / 1.4
}

fn lattice(t: f64, seed: u64) -> f32 {
    let cell = t.floor();
    let u = (t - cell) as f32;
    let corner = |at: i64| {
        let bits = mixed((at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mixed(seed));
        (bits >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    let (a, b) = (corner(cell as i64), corner(cell as i64 + 1));
    a + (b - a) * minimum_jerk(u)
}

fn mixed(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Minimum-jerk position (Flash and Hogan 1985) at fraction `u` of the time, 0..=1. It starts and ends without speed and
/// acceleration; the peak speed is 1.875 times the mean.
pub fn minimum_jerk(u: f32) -> f32 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (u * (u * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_all_and_numbers_fill_their_range() {
        let draw = |seed| {
            let mut chance = RandomSource::new(seed);
            (0..1000).map(|_| chance.unit()).collect::<Vec<f32>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        let mean = draw(7).iter().sum::<f32>() / 1000.0;
        assert!((mean - 0.5).abs() < 0.03, "{mean}");
        assert!(draw(7).iter().all(|x| (0.0..1.0).contains(x)));
    }

    #[test]
    fn noise_is_smooth_bounded_and_about_zero() {
        let at: Vec<f32> = (0..60_000)
            .map(|i| smooth_noise(f64::from(i) * 0.01, 3))
            .collect();
        assert!(at.iter().all(|x| x.abs() <= 1.0));
        let mean = at.iter().sum::<f32>() / at.len() as f32;
        assert!(mean.abs() < 0.06, "{mean}");
        let step = at.windows(2).map(|w| (w[1] - w[0]).abs());
        assert!(step.fold(0.0, f32::max) < 0.052);
        assert!(at.iter().copied().fold(0.0, f32::max) > 0.7);
    }
}
