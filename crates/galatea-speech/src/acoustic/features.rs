//! Acoustic features: logarithm of the energy in mel bands, 100 times a second.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{RealFftPlanner, RealToComplex};

use super::resample::resample;

/// Sample rate of all processing, Hz.
pub const RATE: u32 = 16_000;
/// Minimum sample rate of a recording, Hz; lower rates are rejected.
pub const MIN_RATE: u32 = 1000;
/// Number of mel bands per frame.
pub const N_BANDS: usize = 26;
/// Hop size, samples: 10 ms.
pub(crate) const HOP: usize = 160;
/// Window size, samples: 25 ms.
pub const WINDOW: usize = 400;
const FFT: usize = 512;
const LOWEST: f32 = 80.0;
const HIGHEST: f32 = 7600.0;

/// Frames below the loudest one by more than this are ignored, in natural-log energy.
pub(super) const QUIET: f32 = 7.0;
/// Lower limit for the standard deviation of a band.
pub(super) const MIN_DEVIATION: f32 = 0.7;

/// Features of one frame: log energy per band.
pub type FeatureFrame = [f32; N_BANDS];

/// Computes features of frames. Holds tables and buffers; the same samples give bit-identical results.
pub struct Analyser {
    fft: Arc<dyn RealToComplex<f32>>,
    window: Vec<f32>,
    /// First bin and weights of each band.
    bands: Vec<(usize, Vec<f32>)>,
    input: Vec<f32>,
    output: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
}

impl Default for Analyser {
    fn default() -> Self {
        Self::new()
    }
}

impl Analyser {
    /// Creates the tables.
    pub fn new() -> Self {
        let fft = RealFftPlanner::new().plan_fft_forward(FFT);
        let hann = |i: usize| {
            let u = i as f32 / (WINDOW - 1) as f32;
            0.5 - 0.5 * (std::f32::consts::TAU * u).cos()
        };
        Self {
            input: fft.make_input_vec(),
            output: fft.make_output_vec(),
            scratch: fft.make_scratch_vec(),
            fft,
            window: (0..WINDOW).map(hann).collect(),
            bands: bands(),
        }
    }

    /// Returns the features of [`WINDOW`] samples. Missing, NaN and infinite samples count as silence.
    pub fn frame(&mut self, samples: &[f32]) -> FeatureFrame {
        self.input.fill(0.0);
        let mut before = 0.0;
        for ((slot, sample), weight) in self.input.iter_mut().zip(samples).zip(&self.window) {
            let sample = if sample.is_finite() {
                sample.clamp(-8.0, 8.0)
            } else {
                0.0
            };
            // Pre-emphasis, because high frequencies are weaker in speech.
            *slot = (sample - 0.97 * before) * weight;
            before = sample;
        }
        let mut frame = [0.0; N_BANDS];
        let done =
            self.fft
                .process_with_scratch(&mut self.input, &mut self.output, &mut self.scratch);
        if done.is_err() {
            return frame;
        }
        for (slot, (first, weights)) in frame.iter_mut().zip(&self.bands) {
            let bins = self.output.iter().skip(*first).zip(weights);
            let energy: f32 = bins.map(|(bin, weight)| bin.norm_sqr() * weight).sum();
            *slot = (energy + 1e-7).ln();
        }
        frame
    }

    /// Returns the features of all frames of mono samples at [`RATE`]. Frame `i` is centred in its 10 ms.
    pub fn frames(&mut self, samples: &[f32]) -> Vec<FeatureFrame> {
        let n = samples.len().div_ceil(HOP);
        let half = (WINDOW - HOP) / 2;
        let mut padded = vec![0.0; half];
        padded.extend_from_slice(samples);
        padded.resize(half + n * HOP + WINDOW, 0.0);
        (0..n)
            .map(|i| self.frame(&padded[i * HOP..i * HOP + WINDOW]))
            .collect()
    }
}

fn mel(hz: f32) -> f32 {
    1127.0 * (1.0 + hz / 700.0).ln()
}

fn hz(mel: f32) -> f32 {
    700.0 * ((mel / 1127.0).exp() - 1.0)
}

/// Returns triangular filters over the bins of the spectrum, evenly spaced in mel.
fn bands() -> Vec<(usize, Vec<f32>)> {
    let step = (mel(HIGHEST) - mel(LOWEST)) / (N_BANDS + 1) as f32;
    let edge = |i: usize| hz(mel(LOWEST) + step * i as f32);
    let bin_hz = RATE as f32 / FFT as f32;
    (0..N_BANDS)
        .map(|i| {
            let [low, middle, high] = [edge(i), edge(i + 1), edge(i + 2)];
            let first = (low / bin_hz).ceil() as usize;
            let last = (high / bin_hz).floor() as usize;
            let weight = |bin: usize| {
                let f = bin as f32 * bin_hz;
                let rise = (f - low) / (middle - low);
                let fall = (high - f) / (high - middle);
                rise.min(fall).max(0.0)
            };
            (first, (first..=last).map(weight).collect())
        })
        .collect()
}

/// Normalises frames to mean 0 and standard deviation 1 in each band over a whole recording, which reduces the influence of
/// microphones and voices. Frames far below the loudest one are ignored. Returns the original mean and deviation of each
/// band.
pub fn normalise(frames: &mut [FeatureFrame]) -> [[f32; 2]; N_BANDS] {
    let mut stats = [[0.0; 2]; N_BANDS];
    let level = |frame: &FeatureFrame| frame.iter().sum::<f32>() / N_BANDS as f32;
    let loudest = frames.iter().map(level).fold(f32::MIN, f32::max);
    let audible: Vec<FeatureFrame> = frames
        .iter()
        .copied()
        .filter(|f| level(f) > loudest - QUIET)
        .collect();
    let n = audible.len().max(1) as f32;
    for band in 0..N_BANDS {
        let mean = audible.iter().map(|f| f[band]).sum::<f32>() / n;
        let spread = audible
            .iter()
            .map(|f| (f[band] - mean).powi(2))
            .sum::<f32>()
            / n;
        stats[band] = [mean, spread.sqrt()];
        let scale = 1.0 / spread.sqrt().max(MIN_DEVIATION);
        for frame in frames.iter_mut() {
            frame[band] = ((frame[band] - mean) * scale).clamp(-6.0, 6.0);
        }
    }
    stats
}

/// Returns true for each frame that is audible: above -90 dB, and at most 50 dB below the loudest.
pub fn audible(samples: &[f32]) -> Vec<bool> {
    let level = |frame: &[f32]| {
        let sum: f32 = frame.iter().map(|s| s * s).sum();
        (sum / HOP as f32).sqrt()
    };
    let levels: Vec<f32> = samples.chunks(HOP).map(level).collect();
    let loudest = levels.iter().copied().fold(0.0, f32::max);
    let threshold = (0.003 * loudest).max(3e-5);
    levels.iter().map(|level| *level > threshold).collect()
}

/// Converts to mono at [`RATE`] with a windowed sinc filter that cuts off at the lower Nyquist frequency. Returns no samples
/// if the rate is below [`MIN_RATE`].
pub fn to_mono(samples: &[f32], channels: usize, rate: u32) -> Vec<f32> {
    if rate < MIN_RATE {
        return Vec::new();
    }
    let channels = channels.max(1);
    let clean = |s: f32| {
        if s.is_finite() {
            s.clamp(-8.0, 8.0)
        } else {
            0.0
        }
    };
    let mono: Vec<f32> = samples
        .chunks_exact(channels)
        .map(|frame| frame.iter().map(|s| clean(*s)).sum::<f32>() / channels as f32)
        .collect();
    resample(&mono, f64::from(RATE) / f64::from(rate))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(hz: f32, rate: u32, seconds: f32) -> Vec<f32> {
        let n = (seconds * rate as f32) as usize;
        (0..n)
            .map(|i| 0.5 * (std::f32::consts::TAU * hz * i as f32 / rate as f32).sin())
            .collect()
    }

    #[test]
    fn a_tone_is_in_its_band_at_any_rate_without_aliases() {
        for rate in [8_000, 22_050, 44_100, 48_000] {
            let stereo: Vec<f32> = sine(1000.0, rate, 0.5)
                .iter()
                .flat_map(|s| [*s, *s])
                .collect();
            let mono = to_mono(&stereo, 2, rate);
            assert!((mono.len() as i32 - 8000).abs() <= 2, "{}", mono.len());
            let frames = Analyser::new().frames(&mono);
            let frame = frames[25];
            let loudest = (0..N_BANDS)
                .max_by(|a, b| frame[*a].total_cmp(&frame[*b]))
                .unwrap();
            assert_eq!(loudest, 8, "{rate}");
        }
        let level =
            |samples: &[f32]| samples.iter().map(|s| s * s).sum::<f32>() / samples.len() as f32;
        let alias = to_mono(&sine(12_000.0, 48_000, 0.5), 1, 48_000);
        assert!(level(&alias) < 1e-4 * level(&sine(1000.0, 16_000, 0.5)));
    }

    #[test]
    fn normalised_features_ignore_loudness_and_colour_and_stay_finite() {
        let mut seed = 5_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let tones = (0..40).flat_map(|i| sine(200.0 + 90.0 * i as f32, 16_000, 0.05));
        let tones: Vec<f32> = tones.map(|s| s + 0.2 * noise()).collect();
        let of = |samples: &[f32]| {
            let mut frames = Analyser::new().frames(samples);
            normalise(&mut frames);
            frames
        };
        let quiet: Vec<f32> = tones.iter().map(|s| s * 0.5).collect();
        let (loud, quiet) = (of(&tones), of(&quiet));
        let pairs = loud.iter().flatten().zip(quiet.iter().flatten());
        let off: Vec<f32> = pairs.map(|(a, b)| (a - b).abs()).collect();
        let mean = off.iter().sum::<f32>() / off.len() as f32;
        assert!(mean < 0.05, "{mean}");
        for odd in [
            vec![],
            vec![0.3],
            vec![0.0; 5000],
            vec![f32::NAN; 900],
            vec![1e30; 900],
        ] {
            assert!(of(&odd).iter().flatten().all(|x| x.is_finite()));
        }
    }
}
