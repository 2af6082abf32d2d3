//! Wind: a steady part and gusts that travel with it. Deterministic: the same position and time give the same wind.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Wind of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wind {
    /// Steady velocity, m/s.
    pub velocity: Vec3,
    /// Amplitude of gusts as a fraction of the wind speed, 0 or more.
    pub gusts: f32,
    /// Distance between gusts, metres.
    pub gust_size: f32,
}

impl Default for Wind {
    fn default() -> Self {
        Self {
            velocity: Vec3::ZERO,
            gusts: 0.5,
            gust_size: 4.0,
        }
    }
}

impl Wind {
    /// Air velocity, m/s, at a position in metres and a time in seconds.
    pub fn at(&self, position: Vec3, time: f64) -> Vec3 {
        let speed = self.velocity.length();
        if speed <= 0.0 || !speed.is_finite() {
            return Vec3::ZERO;
        }
        let ahead = self.velocity / speed;
        let size = self.gust_size.max(0.05);
        // Gusts travel with the wind; small ones change faster than large ones.
        let along_wind = f64::from(position.dot(ahead)) - f64::from(speed) * time;
        let aside = position - ahead * position.dot(ahead);
        let wave = |size: f32, seed: u32| {
            let along = along_wind / f64::from(size);
            let across = f64::from((aside.x + aside.y + aside.z) / (2.0 * size));
            noise(along, across + time * 0.13, seed)
        };
        let swell = wave(size, 1) + 0.5 * wave(size * 0.37, 2);
        let side = ahead.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let veer = 0.35 * wave(size * 0.6, 3) * self.gusts;
        let rise = 0.15 * wave(size * 0.5, 4) * self.gusts;
        let strength = (1.0 + self.gusts * swell).max(0.0);
        self.velocity * strength + (side * veer + Vec3::Y * rise) * speed
    }
}

/// Smooth noise over a plane, about -1..=1.
fn noise(x: f64, y: f64, seed: u32) -> f32 {
    let (cell_x, cell_y) = (x.floor(), y.floor());
    let (u, v) = ((x - cell_x) as f32, (y - cell_y) as f32);
    let smooth = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v) = (smooth(u), smooth(v));
    let value = |dx: i64, dy: i64| hash(cell_x as i64 + dx, cell_y as i64 + dy, seed);
    let low = value(0, 0) + (value(1, 0) - value(0, 0)) * u;
    let high = value(0, 1) + (value(1, 1) - value(0, 1)) * u;
    low + (high - low) * v
}

/// Pseudorandom number in -1..=1 for a lattice corner.
fn hash(x: i64, y: i64, seed: u32) -> f32 {
    let mut z = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ u64::from(seed).wrapping_mul(0x1656_67b1_9e37_79f9);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    (z >> 40) as f32 / (1u64 << 23) as f32 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gusts_vary_about_the_steady_wind_and_are_deterministic() {
        let wind = Wind {
            velocity: Vec3::X * 4.0,
            gusts: 0.6,
            ..Wind::default()
        };
        let samples: Vec<Vec3> = (0..2000)
            .map(|i| wind.at(Vec3::new(0.3, 1.0, -2.0), f64::from(i) * 0.05))
            .collect();
        let mean = samples.iter().sum::<Vec3>() / samples.len() as f32;
        assert!((mean - wind.velocity).length() < 0.5, "{mean}");
        let high = samples.iter().map(|v| v.x).fold(f32::MIN, f32::max);
        let low = samples.iter().map(|v| v.x).fold(f32::MAX, f32::min);
        assert!(high > 5.5 && low < 2.5, "{low} {high}");
        let jump = samples.windows(2).map(|w| w[0].distance(w[1]));
        assert!(jump.fold(0.0, f32::max) < 0.8);
        assert_eq!(
            wind.at(Vec3::new(0.3, 1.0, -2.0), 0.05),
            samples[1],
            "no clock in it"
        );
    }

    #[test]
    fn still_air_has_no_wind_and_zero_gusts_are_steady() {
        assert_eq!(Wind::default().at(Vec3::ONE, 3.0), Vec3::ZERO);
        let steady = Wind {
            velocity: Vec3::Z,
            gusts: 0.0,
            ..Wind::default()
        };
        assert_eq!(steady.at(Vec3::ONE, 3.7), Vec3::Z);
    }
}
