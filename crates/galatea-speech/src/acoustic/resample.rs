//! Sample rate conversion with a windowed sinc filter, for audio analysis.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{
    Async, FixedAsync, Resampler as _, SincInterpolationParameters, SincInterpolationType,
    WindowFunction,
};

/// Number of lobes of the sinc on each side.
const LOBES: f64 = 12.0;
/// Cut-off frequency, as a fraction of the lower Nyquist frequency. The network of [`super::network`] was trained on
/// recordings filtered in this way.
const CUTOFF: f32 = 0.95;
/// Number of output samples per step of a stream: 0.5 ms at 16 kHz.
const CHUNK: usize = 8;
/// Number of output samples per step for a whole sound.
const LARGE_CHUNK: usize = 1024;

/// Changes the sample rate of a mono stream.
pub(super) struct Resampler {
    /// Rate converter; `None` if both rates are equal.
    converter: Option<Async<f32>>,
    /// Input samples that are not converted yet.
    waiting: Vec<f32>,
    /// Remaining samples of the filter delay to skip.
    n_early: usize,
}

impl Resampler {
    /// Creates a converter that multiplies the sample rate by `factor`; `None` if that is not positive and finite.
    pub(super) fn new(factor: f64) -> Option<Self> {
        if !is_change(factor) {
            return Some(Self {
                converter: None,
                waiting: Vec::new(),
                n_early: 0,
            });
        }
        let converter = converter(factor, CHUNK)?;
        Some(Self {
            n_early: converter.output_delay(),
            converter: Some(converter),
            waiting: Vec::new(),
        })
    }

    /// Processes input samples and appends the available output to `out`. The result does not depend on the block size.
    pub(super) fn push(&mut self, samples: impl Iterator<Item = f32>, out: &mut Vec<f32>) {
        let Some(converter) = &mut self.converter else {
            out.extend(samples);
            return;
        };
        self.waiting.extend(samples);
        let mut n_done = 0;
        let mut chunk = [0.0; CHUNK];
        while let Some(block) = self.waiting[n_done..].get(..converter.input_frames_next())
            && convert(converter, block, &mut chunk).is_some()
        {
            n_done += block.len();
            let n_early = self.n_early.min(CHUNK);
            self.n_early -= n_early;
            out.extend_from_slice(&chunk[n_early..]);
        }
        self.waiting.drain(..n_done);
    }
}

/// Converts one block of the size that the converter requests.
fn convert(converter: &mut Async<f32>, block: &[f32], chunk: &mut [f32; CHUNK]) -> Option<()> {
    let input = InterleavedSlice::new(block, 1, block.len()).ok()?;
    let mut output = InterleavedSlice::new_mut(&mut chunk[..], 1, CHUNK).ok()?;
    converter
        .process_into_buffer(&input, &mut output, None)
        .ok()?;
    Some(())
}

/// Returns the sound with its sample rate multiplied by `factor`; empty if that is not positive and finite.
pub fn resample(samples: &[f32], factor: f64) -> Vec<f32> {
    if !is_change(factor) {
        return samples.to_vec();
    }
    let Some(mut out) = converted(samples, factor) else {
        return Vec::new();
    };
    out.truncate((samples.len() as f64 * factor) as usize);
    out
}

fn converted(samples: &[f32], factor: f64) -> Option<Vec<f32>> {
    let input = InterleavedSlice::new(samples, 1, samples.len()).ok()?;
    let output = converter(factor, LARGE_CHUNK)?.process_all(&input, samples.len(), None);
    Some(output.ok()?.take_data())
}

fn is_change(factor: f64) -> bool {
    // `converter` rejects NaN.
    factor.is_nan() || (factor - 1.0).abs() >= 1e-9
}

fn converter(factor: f64, chunk: usize) -> Option<Async<f32>> {
    if !(factor > 0.0 && factor.is_finite()) {
        return None;
    }
    let reach = LOBES / (factor.min(1.0) * f64::from(CUTOFF));
    let parameters = SincInterpolationParameters {
        sinc_len: (2.0 * reach).ceil() as usize,
        f_cutoff: Some(CUTOFF),
        oversampling_factor: 128,
        interpolation: SincInterpolationType::Linear,
        window: WindowFunction::Hann,
    };
    Async::new_sinc(factor, 1.0, &parameters, chunk, 1, FixedAsync::Output).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_equals_the_whole_sound_for_any_block_size() {
        let tone: Vec<f32> = (0..44_100)
            .map(|i| (0.05 * i as f32).sin() * (0.0011 * i as f32).cos())
            .collect();
        let factor = 16_000.0 / 44_100.0;
        let whole = resample(&tone, factor);
        for n in [7, 441, 5000] {
            let mut stream = Resampler::new(factor).unwrap();
            let mut out = Vec::new();
            for block in tone.chunks(n) {
                stream.push(block.iter().copied(), &mut out);
            }
            let late = whole.len() - out.len();
            assert!((13..=13 + CHUNK).contains(&late), "{late}");
            let errors = out.iter().zip(&whole).map(|(a, b)| (a - b).abs());
            assert!(errors.fold(0.0, f32::max) < 1e-5, "{n}");
        }
    }

    #[test]
    fn lengths_follow_the_factor_and_invalid_factors_give_nothing() {
        assert_eq!(resample(&[0.5; 1000], 2.0).len(), 2000);
        assert_eq!(resample(&[0.5; 1000], 1.0), [0.5; 1000]);
        assert!(resample(&[], 0.3).is_empty());
        for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(Resampler::new(odd).is_none());
            assert!(resample(&[0.5; 100], odd).is_empty());
        }
    }
}
