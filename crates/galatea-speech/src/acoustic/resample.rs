//! Sample rate conversion by a windowed sinc, for recordings that are analysed.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{
    Async, FixedAsync, Resampler as _, SincInterpolationParameters, SincInterpolationType,
    WindowFunction,
};

/// Lobes of the sinc on each side.
const LOBES: f64 = 12.0;
/// Cut-off frequency, as a fraction of the lower of both Nyquist frequencies. The network of [`super::network`] was trained on
/// recordings that were filtered so.
const CUTOFF: f32 = 0.95;
/// Samples that a stream gives out at once: 0.5 ms at 16 kHz.
const CHUNK: usize = 8;
/// Samples of a whole sound that are converted at once.
const LARGE_CHUNK: usize = 1024;

/// Changes the rate of a mono sound that comes in blocks.
pub(super) struct Resampler {
    /// `None` where both rates are the same.
    converter: Option<Async<f32>>,
    /// Samples that came in and were not converted yet.
    waiting: Vec<f32>,
    /// Samples of the filter's delay that are still to be left out.
    n_early: usize,
}

impl Resampler {
    /// To `factor` times as many samples; `None` if that is no positive number.
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

    /// Takes samples in and appends those that are known by now to `out`. The same samples give the same result, in blocks
    /// of any length.
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

/// Converts one block of as many samples as the converter needs next.
fn convert(converter: &mut Async<f32>, block: &[f32], chunk: &mut [f32; CHUNK]) -> Option<()> {
    let input = InterleavedSlice::new(block, 1, block.len()).ok()?;
    let mut output = InterleavedSlice::new_mut(&mut chunk[..], 1, CHUNK).ok()?;
    converter
        .process_into_buffer(&input, &mut output, None)
        .ok()?;
    Some(())
}

/// The same sound with `factor` times as many samples; nothing if `factor` is no positive number.
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
    // `converter` refuses NaN.
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
    fn a_stream_is_the_whole_sound_whatever_its_blocks() {
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
            let most = out.iter().zip(&whole).map(|(a, b)| (a - b).abs());
            assert!(most.fold(0.0, f32::max) < 1e-5, "{n}");
        }
    }

    #[test]
    fn lengths_follow_the_factor_and_odd_factors_give_nothing() {
        assert_eq!(resample(&[0.5; 1000], 2.0).len(), 2000);
        assert_eq!(resample(&[0.5; 1000], 1.0), [0.5; 1000]);
        assert!(resample(&[], 0.3).is_empty());
        for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            assert!(Resampler::new(odd).is_none());
            assert!(resample(&[0.5; 100], odd).is_empty());
        }
    }
}
