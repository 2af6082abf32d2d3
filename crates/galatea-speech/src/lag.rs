//! The lip-lag meter: measures how much the mouth lags behind the audible speech, or leads it.
//!
//! Mouth openness and loudness rise and fall together in speech; the shift with the best correlation is the lag. People
//! notice sound that is 45 ms ahead or 125 ms behind (ITU-R BT.1359).

use serde::{Deserialize, Serialize};

use super::viseme::{N_VISEMES, Viseme};

/// Length of the history, ticks: two seconds at 60 Hz.
const MEMORY: usize = 128;
/// Maximum lag that is searched in both directions, ticks.
const MAX_LAG: usize = 14;
/// Minimum correlation at which a lag is reported.
const MIN_CORRELATION: f32 = 0.35;

/// Returns the openness of the mouth, 0..=1, as far as it correlates with loudness.
fn openness(weights: &[f32; N_VISEMES]) -> f32 {
    use Viseme::*;
    let of = |viseme: Viseme| weights[viseme as usize];
    of(AA)
        + 0.8 * (of(O) + of(E))
        + 0.6 * (of(U) + of(I) + of(RR))
        + 0.35 * (of(NN) + of(KK))
        + 0.2 * (of(DD) + of(TH) + of(CH) + of(SS))
}

/// History of mouth openness and loudness over the last two seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LipLag {
    #[serde(with = "galatea_persist::array")]
    mouth: [f32; MEMORY],
    #[serde(with = "galatea_persist::array")]
    loudness: [f32; MEMORY],
    n: usize,
}

impl Default for LipLag {
    fn default() -> Self {
        Self {
            mouth: [0.0; MEMORY],
            loudness: [0.0; MEMORY],
            n: 0,
        }
    }
}

impl LipLag {
    /// Adds one tick: viseme weights, and loudness of the audible speech, 0..=1.
    pub fn take_in(&mut self, weights: &[f32; N_VISEMES], loudness: f32) {
        let slot = self.n % MEMORY;
        self.mouth[slot] = openness(weights);
        self.loudness[slot] = if loudness.is_finite() {
            loudness.max(0.0).sqrt()
        } else {
            0.0
        };
        self.n += 1;
    }

    /// Returns the lag of the mouth behind the sound, seconds; negative if the mouth is ahead. Ticks are `dt` seconds long.
    /// Returns `None` while there was not enough speech.
    pub fn lag(&self, dt: f32) -> Option<f32> {
        if self.n < MEMORY / 2 {
            return None;
        }
        let n = self.n.min(MEMORY);
        let first = self.n - n;
        let at = |list: &[f32; MEMORY], i: usize| list[(first + i) % MEMORY];
        // Correlation with the mouth `shift` ticks later than the sound.
        let correlation = |shift: isize| {
            let (mut count, mut a, mut b) = (0.0_f32, 0.0_f32, 0.0_f32);
            let (mut ab, mut aa, mut bb) = (0.0_f32, 0.0_f32, 0.0_f32);
            for i in MAX_LAG..n - MAX_LAG {
                let Some(j) = i.checked_add_signed(-shift) else {
                    continue;
                };
                let (x, y) = (at(&self.mouth, i), at(&self.loudness, j));
                (count, a, b) = (count + 1.0, a + x, b + y);
                (ab, aa, bb) = (ab + x * y, aa + x * x, bb + y * y);
            }
            let both = ab * count - a * b;
            let (aa, bb) = (aa * count - a * a, bb * count - b * b);
            if aa < 1.0 || bb < 1.0 {
                0.0
            } else {
                both / (aa * bb).sqrt()
            }
        };
        let far = MAX_LAG as isize;
        let best = (-far..=far).max_by(|a, b| correlation(*a).total_cmp(&correlation(*b)))?;
        let top = correlation(best);
        if top < MIN_CORRELATION || best.abs() == far {
            return None;
        }
        // Parabolic interpolation of the maximum between ticks.
        let (left, right) = (correlation(best - 1), correlation(best + 1));
        let bend = left - 2.0 * top + right;
        let between = if bend < -1e-6 {
            (0.5 * (left - right) / bend).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        Some((best as f32 + between) * dt)
    }
}

/// Returns the loudness of a recording 100 times a second, relative to its maximum, 0..=1.
pub fn loudness(samples: &[f32], channels: usize, rate: u32) -> Vec<f32> {
    let channels = channels.max(1);
    let hop = (rate as usize / 100).max(1) * channels;
    let level = |window: &[f32]| {
        let sum: f32 = window.iter().filter(|s| s.is_finite()).map(|s| s * s).sum();
        (sum / window.len().max(1) as f32).sqrt()
    };
    let levels: Vec<f32> = samples.chunks(hop).map(level).collect();
    let loudest = levels.iter().copied().fold(1e-6, f32::max);
    levels.iter().map(|level| level / loudest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(late: f32) -> Option<f32> {
        let mut meter = LipLag::default();
        // Syllables of uneven length and strength.
        let loud = |t: f32| {
            let u = 4.3 * t + 0.6 * (1.7 * t).sin();
            (0.5 - 0.5 * (std::f32::consts::TAU * u).cos()) * (0.6 + 0.4 * (2.9 * t).sin())
        };
        for i in 0..150 {
            let t = i as f32 / 60.0;
            let mut weights = [0.0; N_VISEMES];
            weights[Viseme::AA as usize] = loud(t - late).max(0.0).sqrt();
            meter.take_in(&weights, loud(t));
        }
        meter.lag(1.0 / 60.0)
    }

    #[test]
    fn the_lag_of_a_late_or_early_mouth_is_measured() {
        for late in [-0.1, -0.04, 0.0, 0.03, 0.08, 0.12] {
            let lag = said(late).unwrap();
            assert!((lag - late).abs() < 0.008, "{late}: {lag}");
        }
    }

    #[test]
    fn silence_gives_no_lag() {
        let mut meter = LipLag::default();
        assert_eq!(meter.lag(0.016), None);
        (0..200).for_each(|_| meter.take_in(&[0.0; N_VISEMES], 0.0));
        assert_eq!(meter.lag(0.016), None);
        let levels = loudness(&[0.0, 0.5, -0.5, f32::NAN], 1, 100);
        assert_eq!(levels, [0.0, 1.0, 1.0, 0.0]);
        assert!(loudness(&[], 2, 0).is_empty());
    }
}
