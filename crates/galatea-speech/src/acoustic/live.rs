//! Live phone recognition, from a microphone or from a sound with a known future.
//!
//! Uses the same features and network as for whole recordings. The normalisation is not known beforehand: it starts from
//! typical speech and adapts to the input. Instead of a search, the forward pass of the forward-backward algorithm updates
//! the probabilities of all phones frame by frame, so that no result is revised later.

use super::features::{
    Analyser, FeatureFrame, HOP, MIN_DEVIATION, MIN_RATE, N_BANDS, QUIET, RATE, WINDOW,
};
use super::network::{AFTER, BEFORE, N_OUT, Network};
use super::resample::Resampler;
use crate::phoneme::{PHONEMES, Phoneme};
use crate::viseme::{N_VISEMES, Viseme};

/// Options of live recognition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveOptions {
    /// Look-ahead in frames of 10 ms, 0..=6. More look-ahead is more accurate and adds latency.
    pub look_ahead: usize,
}

impl LiveOptions {
    /// Options for a microphone: 22 ms latency.
    pub const MICROPHONE: Self = Self { look_ahead: 1 };
    /// Options for a known sound: the full context of the network.
    pub const KNOWN: Self = Self { look_ahead: AFTER };
}

/// Result for one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveFrame {
    /// Time of the frame's centre since the first sample, seconds.
    pub t: f32,
    /// Probability of each viseme; they sum to 1.
    pub visemes: [f32; N_VISEMES],
    /// Most likely phone.
    pub phoneme: Phoneme,
}

/// Running statistics of a band.
#[derive(Clone, Copy, Debug, Default)]
struct BandState {
    mean: f32,
    square: f32,
}

/// Live recognition. Uses a few kilobytes of memory, however long it runs.
pub struct Live {
    options: LiveOptions,
    analyser: Analyser,
    resampler: Option<(u32, Resampler)>,
    /// Samples at [`RATE`] that are still needed for frames.
    mono: Vec<f32>,
    /// Latest unnormalised frames; the last `AFTER` of them are look-ahead.
    frames: Vec<FeatureFrame>,
    /// For each of these frames: true if it is audible.
    heard: Vec<bool>,
    /// Index of the next frame.
    next: u64,
    /// Loudness of the loudest recent frame.
    loudest: f32,
    bands: [BandState; N_BANDS],
    /// Number of frames in the statistics, at most [`Live::MEMORY`].
    n_seen: f32,
    /// Probability of each phone in the current frame; they sum to 1.
    likely: [f32; N_OUT],
    normalised: Vec<FeatureFrame>,
}

impl Live {
    /// Weight of the typical speech statistics, in frames.
    const TYPICAL_WEIGHT: f32 = 60.0;
    /// Length of the running statistics, frames: ten seconds of speech.
    const MEMORY: f32 = 1000.0;
    /// Decay of the loudest level per frame, in natural-log energy: 6 dB in two seconds.
    const LEVEL_DECAY: f32 = 0.007;

    /// Creates a recogniser without input.
    pub fn new(options: LiveOptions) -> Self {
        let mut likely = [0.0; N_OUT];
        likely[Phoneme::Sil as usize] = 1.0;
        Self {
            options: LiveOptions {
                look_ahead: options.look_ahead.min(AFTER),
            },
            analyser: Analyser::new(),
            resampler: None,
            // The first frame is centred in its 10 ms.
            mono: vec![0.0; (WINDOW - HOP) / 2],
            frames: Vec::new(),
            heard: Vec::new(),
            next: 0,
            loudest: f32::MIN,
            bands: [BandState::default(); N_BANDS],
            n_seen: 0.0,
            likely,
            normalised: Vec::new(),
        }
    }

    /// Returns the latency, seconds, without the duration of a block of samples.
    pub fn latency(&self) -> f32 {
        let window = (WINDOW - HOP) / 2 + HOP / 2;
        self.options.look_ahead as f32 * 0.01 + window as f32 / RATE as f32
    }

    /// Processes interleaved samples in blocks of any length, and appends all frames with sufficient look-ahead to `found`.
    /// Ignores input with a sample rate below [`MIN_RATE`].
    pub fn hear(
        &mut self,
        network: &Network,
        samples: &[f32],
        channels: usize,
        rate: u32,
        found: &mut Vec<LiveFrame>,
    ) {
        if rate < MIN_RATE {
            return;
        }
        if self.resampler.as_ref().is_none_or(|(of, _)| *of != rate) {
            let factor = f64::from(RATE) / f64::from(rate);
            self.resampler = Resampler::new(factor).map(|resampler| (rate, resampler));
        }
        let channels = channels.max(1);
        if let Some((_, resampler)) = &mut self.resampler {
            let mono = samples.chunks_exact(channels).map(|frame| {
                let clean = |s: &f32| {
                    if s.is_finite() {
                        s.clamp(-8.0, 8.0)
                    } else {
                        0.0
                    }
                };
                frame.iter().map(clean).sum::<f32>() / channels as f32
            });
            resampler.push(mono, &mut self.mono);
        }
        let mut at = 0;
        while let Some(window) = self.mono.get(at..at + WINDOW) {
            let middle = &window[(WINDOW - HOP) / 2..(WINDOW + HOP) / 2];
            let energy = middle.iter().map(|s| s * s).sum::<f32>() / HOP as f32;
            let frame = self.analyser.frame(window);
            at += HOP;
            self.push_frame(frame, energy);
            found.extend(self.pop_frame(network));
        }
        self.mono.drain(..at);
    }

    fn push_frame(&mut self, frame: FeatureFrame, energy: f32) {
        let level = frame.iter().sum::<f32>() / N_BANDS as f32;
        self.loudest = (self.loudest - Self::LEVEL_DECAY).max(level);
        let is_heard = energy > 1e-9 && level > self.loudest - QUIET;
        if is_heard {
            self.n_seen = (self.n_seen + 1.0).min(Self::MEMORY);
            let weight = 1.0 / self.n_seen;
            for (band, value) in self.bands.iter_mut().zip(&frame) {
                band.mean += weight * (value - band.mean);
                band.square += weight * (value * value - band.square);
            }
        }
        self.frames.push(frame);
        self.heard
            .push(energy > 1e-9 && level > self.loudest - 1.6 * QUIET);
        let max_frames = BEFORE + 1 + AFTER;
        if self.frames.len() > max_frames {
            self.frames.remove(0);
            self.heard.remove(0);
        }
    }

    /// Returns the frame with sufficient look-ahead, if any.
    fn pop_frame(&mut self, network: &Network) -> Option<LiveFrame> {
        let i = self.frames.len().checked_sub(1 + self.options.look_ahead)?;
        self.normalised.clear();
        let level = self.bands.iter().map(|band| band.mean).sum::<f32>() / N_BANDS as f32;
        let mut scales = [(0.0, 1.0); N_BANDS];
        for (b, (slot, band)) in scales.iter_mut().zip(&self.bands).enumerate() {
            let [usual, spread] = network.usual.get(b).copied().unwrap_or([0.0, 2.0]);
            let weight = self.n_seen / (self.n_seen + Self::TYPICAL_WEIGHT);
            let own = (band.square - band.mean * band.mean).max(0.0).sqrt();
            let mean = weight * band.mean + (1.0 - weight) * (level + usual);
            let spread = weight * own + (1.0 - weight) * spread;
            *slot = (mean, 1.0 / spread.max(MIN_DEVIATION));
        }
        for frame in &self.frames {
            let mut normal = [0.0; N_BANDS];
            for ((slot, value), (mean, scale)) in normal.iter_mut().zip(frame).zip(scales) {
                *slot = ((value - mean) * scale).clamp(-6.0, 6.0);
            }
            self.normalised.push(normal);
        }
        let heard = self.heard.get(i).copied().unwrap_or(false);
        if heard {
            let own = network.of(&self.normalised, i..i + 1);
            self.update(network, own.first()?);
        } else {
            self.likely = [0.0; N_OUT];
            self.likely[Phoneme::Sil as usize] = 1.0;
        }
        let mut visemes = [0.0; N_VISEMES];
        let mut best = 0;
        for (p, weight) in self.likely.iter().enumerate() {
            if *weight > self.likely[best] {
                best = p;
            }
            let phone = Phoneme::from_index(p).unwrap_or(Phoneme::Sil);
            let shapes = phone.visemes(Phoneme::Sil);
            let shape = shapes.first().map_or(Viseme::Sil, |(viseme, _)| *viseme);
            visemes[shape as usize] += weight;
        }
        let t = (self.next as f32 + 0.5) * 0.01;
        self.next += 1;
        Some(LiveFrame {
            t,
            visemes,
            phoneme: PHONEMES.get(best).copied().unwrap_or(Phoneme::Sil),
        })
    }

    /// Updates the phone probabilities by one frame, with the usual durations and sequences of phones.
    fn update(&mut self, network: &Network, own: &[f32; N_OUT]) {
        const PRIOR_WEIGHT: f32 = 0.6;
        // Observations get more weight than history, because no future frames correct them.
        const OBSERVATION_WEIGHT: f32 = 1.5;
        const SEQUENCE_WEIGHT: f32 = 0.6;
        let mut next = [0.0_f32; N_OUT];
        for (q, weight) in self
            .likely
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > 1e-6)
        {
            let mean = network.lengths.get(q).map_or(-2.5, |[mean, _]| *mean);
            let stays = 1.0 - 1.0 / (mean.exp() / 0.01).max(2.0);
            next[q] += weight * stays;
            let follows = network.follows.get(q * N_OUT..(q + 1) * N_OUT);
            for (slot, follows) in next.iter_mut().zip(follows.unwrap_or_default()) {
                *slot += weight * (1.0 - stays) * (SEQUENCE_WEIGHT * follows).exp();
            }
        }
        let mut sum = 0.0;
        for (p, slot) in next.iter_mut().enumerate() {
            let prior = network.priors.get(p).copied().unwrap_or(0.0);
            *slot = (*slot).max(1e-7)
                * (OBSERVATION_WEIGHT * (own[p] - PRIOR_WEIGHT * prior))
                    .clamp(-20.0, 20.0)
                    .exp();
            sum += *slot;
        }
        if sum > 0.0 && sum.is_finite() {
            self.likely = next.map(|weight| weight / sum);
        }
    }
}

/// Viseme weights of a mouth that follows live recognition. The mouth changes to a viseme when it is the most likely one,
/// and holds it for a minimum time.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveMouth {
    /// Minimum time for which a viseme is held, seconds.
    pub hold: f32,
    weights: [f32; N_VISEMES],
    shown: Viseme,
    since: f32,
}

impl Default for LiveMouth {
    fn default() -> Self {
        Self {
            hold: 0.08,
            weights: [0.0; N_VISEMES],
            shown: Viseme::Sil,
            since: f32::MAX,
        }
    }
}

impl LiveMouth {
    /// Half-life of the transition to a viseme, seconds.
    const HALF_LIFE: f32 = 0.022;
    /// Minimum hold time where latency is worse than a busy mouth, seconds.
    const QUICK_HOLD: f32 = 0.04;
    /// Latency of the transition and the hold of the previous viseme, frames.
    pub(crate) const LATENCY_FRAMES: usize = 3;

    /// Creates a mouth with a hold time of only 40 ms.
    pub fn quick() -> Self {
        Self {
            hold: Self::QUICK_HOLD,
            ..Self::default()
        }
    }

    /// Processes one frame of 10 ms.
    pub fn take_in(&mut self, found: &LiveFrame) {
        const STEP: f32 = 0.01;
        self.since = (self.since + STEP).min(1e6);
        let best = (0..N_VISEMES)
            .max_by(|a, b| found.visemes[*a].total_cmp(&found.visemes[*b]))
            .unwrap_or(0);
        let viseme = crate::viseme::VISEMES[best];
        // Closing lips do not wait for the hold time.
        let closes = matches!(viseme, Viseme::PP | Viseme::FF) && found.visemes[best] > 0.5;
        if viseme != self.shown && (self.since >= self.hold || closes) {
            (self.shown, self.since) = (viseme, 0.0);
        }
        let decay = 0.5_f32.powf(STEP / Self::HALF_LIFE);
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let goal = f32::from(u8::from(i == self.shown as usize));
            *weight = goal + (*weight - goal) * decay;
        }
    }

    /// Returns the current weights of all visemes; their sum is at most 1.
    pub fn weights(&self) -> [f32; N_VISEMES] {
        self.weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acoustic::network;

    fn tone(seconds: f32, rate: u32) -> Vec<f32> {
        let n = (seconds * rate as f32) as usize;
        let wave = |i: usize| {
            let t = i as f32 / rate as f32;
            let buzz: f32 = (1..30)
                .map(|k| (760.0 * k as f32 * t).sin() / k as f32)
                .sum();
            0.1 * buzz * (0.5 + 0.5 * (18.0 * t).sin())
        };
        (0..n).map(wave).collect()
    }

    #[test]
    fn blocks_of_any_length_give_the_same_result_within_the_latency() {
        let samples = tone(1.5, 44_100);
        let run = |block: usize| {
            let mut live = Live::new(LiveOptions::MICROPHONE);
            let mut found = Vec::new();
            for block in samples.chunks(block) {
                live.hear(network(), block, 1, 44_100, &mut found);
            }
            (found, live.latency())
        };
        let (whole, latency) = run(samples.len());
        for block in [1, 480, 1001] {
            assert_eq!(run(block).0, whole, "{block}");
        }
        assert!(latency < 0.04, "{latency}");
        let last = whole.last().map_or(0.0, |found| found.t);
        assert!(last > 1.5 - latency - 0.012, "{last}");
        for found in &whole {
            let sum: f32 = found.visemes.iter().sum();
            assert!((sum - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn silence_and_invalid_samples_give_a_closed_mouth() {
        for odd in [0.0, f32::NAN, f32::INFINITY] {
            let mut live = Live::new(LiveOptions::KNOWN);
            let (mut found, mut mouth) = (Vec::new(), LiveMouth::default());
            live.hear(network(), &vec![odd; 9000], 2, 0, &mut found);
            assert!(found.is_empty());
            live.hear(network(), &vec![odd; 90_000], 2, 48_000, &mut found);
            found.iter().for_each(|found| mouth.take_in(found));
            let weights = mouth.weights();
            assert!(weights.iter().all(|w| w.is_finite()));
            assert!(found.iter().all(|f| f.phoneme == Phoneme::Sil) || odd.is_infinite());
        }
    }

    #[test]
    fn visemes_are_held_and_lips_close_at_once() {
        let of = |viseme: Viseme| {
            let mut visemes = [0.0; N_VISEMES];
            visemes[viseme as usize] = 1.0;
            LiveFrame {
                t: 0.0,
                visemes,
                phoneme: Phoneme::Sil,
            }
        };
        let mut mouth = LiveMouth::default();
        let mut changes = 0;
        let mut was = Viseme::Sil;
        for i in 0..200 {
            mouth.take_in(&of(if i % 2 == 0 { Viseme::AA } else { Viseme::I }));
            changes += usize::from(mouth.shown != was);
            was = mouth.shown;
        }
        assert!(changes <= 26, "{changes} changes in two seconds");
        mouth.take_in(&of(Viseme::AA));
        (0..4).for_each(|_| mouth.take_in(&of(Viseme::PP)));
        assert!(mouth.weights()[Viseme::PP as usize] > 0.6);
    }
}
