//! The lip-lag meter: by how much a mouth is behind what is heard of it, or ahead, measured on both.
//!
//! Openness of the mouth and loudness of the sound rise and fall together in speech; the shift at which they do so best is
//! the lag. People notice 45 ms of sound that is ahead and 125 ms of sound that is behind (ITU-R BT.1359).

use super::viseme::{N_VISEMES, Viseme};

/// Ticks that are looked at: two seconds at 60.
const MEMORY: usize = 128;
/// Ticks of lag that are looked for, to either side.
const FARTHEST: usize = 14;
/// How alike both must be, as a correlation, for a lag to be told.
const ALIKE: f32 = 0.35;

/// How far each viseme opens the mouth, 0..=1, as far as loudness goes with it.
fn openness(weights: &[f32; N_VISEMES]) -> f32 {
    use Viseme::*;
    let of = |viseme: Viseme| weights[viseme as usize];
    of(AA)
        + 0.8 * (of(O) + of(E))
        + 0.6 * (of(U) + of(I) + of(RR))
        + 0.35 * (of(NN) + of(KK))
        + 0.2 * (of(DD) + of(TH) + of(CH) + of(SS))
}

/// The last two seconds of a mouth and of what is heard.
#[derive(Clone, Debug, PartialEq)]
pub struct LipLag {
    mouth: [f32; MEMORY],
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
    /// Takes in one tick: what the mouth shows and how loud what is heard of it is, 0..=1.
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

    /// Seconds by which the mouth is behind the sound, less than 0 where it is ahead, for ticks of `dt` seconds; `None` while too
    /// little was spoken to tell.
    pub fn lag(&self, dt: f32) -> Option<f32> {
        if self.n < MEMORY / 2 {
            return None;
        }
        let n = self.n.min(MEMORY);
        let first = self.n - n;
        let at = |list: &[f32; MEMORY], i: usize| list[(first + i) % MEMORY];
        // The mouth `shift` ticks later than the sound.
        let alike = |shift: isize| {
            let (mut count, mut a, mut b) = (0.0_f32, 0.0_f32, 0.0_f32);
            let (mut ab, mut aa, mut bb) = (0.0_f32, 0.0_f32, 0.0_f32);
            for i in FARTHEST..n - FARTHEST {
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
        let far = FARTHEST as isize;
        let best = (-far..=far).max_by(|a, b| alike(*a).total_cmp(&alike(*b)))?;
        let top = alike(best);
        if top < ALIKE || best.abs() == far {
            return None;
        }
        // The height between ticks, by a parabola.
        let (left, right) = (alike(best - 1), alike(best + 1));
        let bend = left - 2.0 * top + right;
        let between = if bend < -1e-6 {
            (0.5 * (left - right) / bend).clamp(-0.5, 0.5)
        } else {
            0.0
        };
        Some((best as f32 + between) * dt)
    }
}

/// Loudness of a recording, a hundred times a second, 0..=1 of its loudest.
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
    fn a_mouth_that_is_late_or_early_is_measured_so() {
        for late in [-0.1, -0.04, 0.0, 0.03, 0.08, 0.12] {
            let lag = said(late).unwrap();
            assert!((lag - late).abs() < 0.008, "{late}: {lag}");
        }
    }

    #[test]
    fn silence_tells_nothing() {
        let mut meter = LipLag::default();
        assert_eq!(meter.lag(0.016), None);
        (0..200).for_each(|_| meter.take_in(&[0.0; N_VISEMES], 0.0));
        assert_eq!(meter.lag(0.016), None);
        let levels = loudness(&[0.0, 0.5, -0.5, f32::NAN], 1, 100);
        assert_eq!(levels, [0.0, 1.0, 1.0, 0.0]);
        assert!(loudness(&[], 2, 0).is_empty());
    }
}
