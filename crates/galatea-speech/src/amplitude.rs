//! Lip sync from loudness alone, and playback of viseme keys.

use serde::{Deserialize, Serialize};

use super::track::VisemeCue;
use super::viseme::{N_VISEMES, Viseme};

/// A viseme at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VisemeKey {
    /// Viseme.
    pub viseme: Viseme,
    /// Weight, 0..=1.
    pub amount: f32,
    /// Time, seconds.
    pub time: f32,
}

/// One band of loudness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoudnessBand {
    /// Lower limit, as a fraction of the loudest level, 0..=1.
    pub from: f32,
    /// Viseme for this band.
    pub viseme: Viseme,
    /// Minimum weight. The weight is the position of the loudness within the band; `None` gives weight 0.
    pub least: Option<f32>,
}

/// Options for converting loudness to mouth shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct AmplitudeOptions {
    /// Window length, seconds; a key is at the start of the window.
    pub window: f32,
    /// Fraction of the largest sample that counts as the loudest level.
    pub level: f32,
    /// Bands by lower limit, ascending.
    pub bands: Vec<LoudnessBand>,
    /// Uses the root mean square instead of the mean absolute value.
    pub rms: bool,
}

impl Default for AmplitudeOptions {
    /// Returns the settings of *Character Animation with Direct3D* (Granberg 2009, chapter 10): windows of 100 ms, 0.3
    /// of the largest sample, bands at 0.2, 0.4 and 0.7. The visemes of the bands are not from the book: a closed, a
    /// narrow, a half-open and an open mouth.
    fn default() -> Self {
        let band = |from, viseme, least| LoudnessBand {
            from,
            viseme,
            least,
        };
        Self {
            window: 0.1,
            level: 0.3,
            bands: vec![
                band(0.0, Viseme::Sil, None),
                band(0.2, Viseme::I, Some(0.3)),
                band(0.4, Viseme::E, Some(0.3)),
                band(0.7, Viseme::AA, Some(0.3)),
            ],
            rms: false,
        }
    }
}

/// Returns the mean absolute value of interleaved samples from second `from` to `to`; 0 without samples. The divisor is
/// the whole window, even if the file ends within it.
pub(crate) fn average_amplitude(
    samples: &[f32],
    channels: usize,
    rate: u32,
    from: f32,
    to: f32,
) -> f32 {
    let channels = channels.max(1);
    let at = |t: f32| (f64::from(rate) * f64::from(t.max(0.0))) as usize * channels;
    let (start, end) = (at(from), at(to));
    if end <= start {
        return 0.0;
    }
    let window = samples
        .get(start..end.min(samples.len()))
        .unwrap_or_default();
    let sum: f64 = window
        .iter()
        .map(|s| f64::from(s.abs()))
        .filter(|s| s.is_finite())
        .sum();
    ((sum / (end - start) as f64) as f32).clamp(0.0, 1.0)
}

/// Returns one key per window. Silence gives a closed mouth, without a division by zero.
pub fn amplitude_keys(
    samples: &[f32],
    channels: usize,
    rate: u32,
    options: &AmplitudeOptions,
) -> Vec<VisemeKey> {
    let loudest = samples
        .iter()
        .map(|s| s.abs())
        .filter(|s| s.is_finite())
        .fold(0.0, f32::max);
    let loudest = loudest * options.level;
    let seconds = samples.len() as f32 / channels.max(1) as f32 / rate.max(1) as f32;
    let window = options.window.max(0.005);
    let n = (seconds / window).ceil() as usize;
    let key = |i: usize| {
        let (from, to) = (i as f32 * window, (i + 1) as f32 * window);
        let amount = if options.rms {
            root_mean_square(samples, channels, rate, from, to)
        } else {
            average_amplitude(samples, channels, rate, from, to)
        };
        let p = if loudest > 0.0 {
            (amount / loudest).min(1.0)
        } else {
            0.0
        };
        let at = options.bands.iter().rposition(|band| p >= band.from);
        let (viseme, amount) = match at.and_then(|at| Some((at, options.bands.get(at)?))) {
            Some((at, band)) => {
                let to = options.bands.get(at + 1).map_or(1.0, |next| next.from);
                let into = (p - band.from) / (to - band.from).max(1e-6);
                (band.viseme, band.least.map_or(0.0, |least| into.max(least)))
            }
            None => (Viseme::Sil, 0.0),
        };
        VisemeKey {
            viseme,
            amount,
            time: from,
        }
    };
    (0..n).map(key).collect()
}

fn root_mean_square(samples: &[f32], channels: usize, rate: u32, from: f32, to: f32) -> f32 {
    let squares: Vec<f32> = samples.iter().map(|s| s * s).collect();
    average_amplitude(&squares, channels, rate, from, to).sqrt()
}

/// Returns the weights at a time, linearly interpolated between two keys. They depend only on the time, so there is no
/// lag and no overshoot. After the last key the mouth is closed.
pub fn sample_keys(keys: &[VisemeKey], t: f32) -> [f32; N_VISEMES] {
    let mut weights = [0.0; N_VISEMES];
    let next = keys.partition_point(|key| key.time <= t);
    let (Some(a), Some(b)) = (
        next.checked_sub(1).and_then(|i| keys.get(i)),
        keys.get(next),
    ) else {
        return weights;
    };
    let p = ((t - a.time) / (b.time - a.time).max(1e-6)).clamp(0.0, 1.0);
    weights[a.viseme as usize] += (1.0 - p) * a.amount;
    weights[b.viseme as usize] += p * b.amount;
    weights
}

/// Converts keys to cues, each until the next key.
pub fn cues_of_keys(keys: &[VisemeKey], duration: f32) -> Vec<VisemeCue> {
    let ends = keys.iter().skip(1).map(|key| key.time).chain([duration]);
    let pairs = keys.iter().zip(ends);
    let cues = pairs.map(|(key, end)| VisemeCue {
        viseme: if key.amount > 0.0 {
            key.viseme
        } else {
            Viseme::Sil
        },
        start: key.time,
        end,
        amount: if key.amount > 0.0 { key.amount } else { 1.0 },
    });
    cues.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(levels: &[f32], rate: u32) -> Vec<f32> {
        let each = rate as usize / 10;
        levels
            .iter()
            .flat_map(|level| std::iter::repeat_n(*level, each))
            .collect()
    }

    #[test]
    fn bands_map_loudness_to_visemes() {
        // The largest sample is 1, so 0.3 is the loudest level.
        let levels = [0.0, 0.05, 0.075, 0.09, 0.13, 0.2, 0.22, 0.29, 1.0];
        let keys = amplitude_keys(
            &steps(&levels, 16_000),
            1,
            16_000,
            &AmplitudeOptions::default(),
        );
        let expected = [
            (Viseme::Sil, 0.0),
            (Viseme::Sil, 0.0),
            (Viseme::I, 0.3),
            (Viseme::I, 0.5),
            (Viseme::E, 0.3),
            (Viseme::E, 0.888_9),
            (Viseme::AA, 0.3),
            (Viseme::AA, 0.888_9),
            (Viseme::AA, 1.0),
        ];
        assert_eq!(keys.len(), expected.len());
        for (i, (key, (viseme, amount))) in keys.iter().zip(expected).enumerate() {
            assert_eq!(key.viseme, viseme, "{i}");
            assert!((key.amount - amount).abs() < 0.01, "{i}: {}", key.amount);
            assert!((key.time - 0.1 * i as f32).abs() < 1e-5);
        }
    }

    #[test]
    fn silence_one_sample_and_invalid_samples_give_a_closed_mouth() {
        let options = AmplitudeOptions::default();
        assert!(amplitude_keys(&[], 1, 44_100, &options).is_empty());
        for samples in [vec![0.0; 9000], vec![0.0], vec![f32::NAN; 500]] {
            let keys = amplitude_keys(&samples, 2, 44_100, &options);
            assert!(
                keys.iter()
                    .all(|key| key.amount == 0.0 && key.viseme == Viseme::Sil)
            );
        }
        let keys = amplitude_keys(&[0.5], 1, 0, &options);
        assert!(keys.iter().all(|key| key.amount.is_finite()));
        // The divisor is the window length even if the file ends within it.
        assert!((average_amplitude(&[1.0; 50], 1, 1000, 0.0, 0.1) - 0.5).abs() < 1e-6);
        assert!((average_amplitude(&[-1.0; 200], 2, 1000, 0.0, 0.1) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn keys_are_played_by_time_without_lag_or_overshoot() {
        let key = |viseme, amount, time| VisemeKey {
            viseme,
            amount,
            time,
        };
        let keys = [
            key(Viseme::O, 0.0, 0.0),
            key(Viseme::RR, 1.0, 0.25),
            key(Viseme::SS, 0.5, 0.25),
            key(Viseme::SS, 0.0, 0.5),
        ];
        assert_eq!(sample_keys(&keys, -1.0), [0.0; N_VISEMES]);
        assert!((sample_keys(&keys, 0.125)[Viseme::RR as usize] - 0.5).abs() < 1e-6);
        assert!((sample_keys(&keys, 0.25)[Viseme::SS as usize] - 0.5).abs() < 1e-6);
        assert_eq!(sample_keys(&keys, 9.0), [0.0; N_VISEMES]);
        for i in 0..600 {
            let weights = sample_keys(&keys, i as f32 * 0.001);
            assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)));
        }
    }
}
