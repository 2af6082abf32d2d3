//! Data augmentation for training: other vocal tracts, rooms, telephone lines and noise.

use super::learn::{Sounds, TrainingExample, only};
use galatea_math::random::RandomSource;
use galatea_speech::acoustic::features::{Analyser, FeatureFrame, normalise};
use galatea_speech::acoustic::resample::resample;
use galatea_speech::acoustic::search::FRAME;
use galatea_speech::phoneme::Phoneme;

/// A recording and its phones.
pub struct SpokenRecording {
    /// Samples at 16 kHz.
    pub samples: Vec<f32>,
    /// Phones, each with its end time in seconds.
    pub sounds: Vec<(Sounds, f32)>,
}

/// Spectra of a recording at 16 kHz, without normalisation.
pub fn spectra(samples: &[f32]) -> Vec<FeatureFrame> {
    Analyser::new().frames(samples)
}

/// Training examples of one recording: once almost unchanged, once with a smaller or larger vocal tract. Both are cut into
/// pieces from single words to the whole recording, because normalisation depends on the length. `counts` is true for
/// English.
pub fn bent(
    spoken: Option<SpokenRecording>,
    counts: bool,
    chance: &mut RandomSource,
) -> Vec<TrainingExample> {
    let Some(SpokenRecording { samples, sounds }) = spoken else {
        return Vec::new();
    };
    let factors = [chance.between(0.94, 1.06), chance.between(0.8, 1.3)];
    let mut examples = Vec::new();
    for factor in factors {
        let frames = spectra(&in_a_room(&samples, f64::from(factor), chance));
        let mut labels = Vec::with_capacity(frames.len());
        let mut at = 0;
        for i in 0..frames.len() {
            let t = (i as f32 + 0.5) * FRAME * factor;
            while sounds.get(at).is_some_and(|(_, end)| t >= *end) {
                at += 1;
            }
            labels.push(sounds.get(at).map_or(only(Phoneme::Sil), |(set, _)| *set));
        }
        let mut first = 0;
        while first < frames.len() {
            let rest = frames.len() - first;
            let wanted = (chance.between(0.9, 7.0) / FRAME) as usize;
            // No piece is shorter than most words.
            let n = if rest < wanted + 90 { rest } else { wanted };
            let mut frames = frames[first..first + n].to_vec();
            let had = normalise(&mut frames);
            examples.push(TrainingExample {
                frames,
                labels: labels[first..first + n].to_vec(),
                had: counts.then_some(had),
            });
            first += n;
        }
    }
    examples
}

/// Changes speed and pitch by a factor, and adds colour, a room, a band limit and noise.
fn in_a_room(samples: &[f32], factor: f64, chance: &mut RandomSource) -> Vec<f32> {
    let mut out = resample(samples, 1.0 / factor);
    let (tilt, mut before) = (chance.between(-0.3, 0.3), 0.0);
    for sample in &mut out {
        let now = *sample;
        *sample += tilt * before;
        before = now;
    }
    if chance.is(0.5) {
        let dry = out.clone();
        for _ in 0..12 {
            let delay = 80 + (chance.bits() % 2400) as usize;
            let gain = chance.between(-0.25, 0.25) * (-(delay as f32) / 1600.0).exp();
            for (wet, dry) in out.iter_mut().skip(delay).zip(&dry) {
                *wet += gain * dry;
            }
        }
    }
    if chance.is(0.3) {
        let share = f64::from(chance.between(0.5, 0.8));
        let n = out.len();
        out = resample(&resample(&out, share), 1.0 / share);
        out.resize(n, 0.0);
    }
    let peak = out.iter().map(|s| s.abs()).fold(1e-6, f32::max);
    let level = peak * 10_f32.powf(-chance.between(1.3, 3.3));
    let (color, mut last) = (chance.between(0.0, 0.95), 0.0);
    for sample in &mut out {
        let white: f32 = (0..4).map(|_| chance.between(-1.0, 1.0)).sum();
        last = color * last + (1.0 - color) * white;
        *sample += level * last;
    }
    out
}
