//! Sounds found while they are heard: from a microphone, or from a sound whose next moments are known.
//!
//! The same features and network as for whole recordings. What a recording is normalised by is not known beforehand: it begins
//! as speech usually is and moves to what was heard. In place of the search, the likelihoods of all sounds go on from frame to
//! frame (the forward half of the forward-backward algorithm), so that nothing is taken back.

use super::features::{
    Analyser, FeatureFrame, HOP, LEAST_RATE, LEAST_SPREAD, N_BANDS, QUIET, RATE, WINDOW,
};
use super::network::{AFTER, BEFORE, N_OUT, Network};
use super::resample::Resampler;
use crate::phone::{PHONES, Phone};
use crate::viseme::{N_VISEMES, Viseme};

/// How one listens live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveOptions {
    /// Frames of 10 ms that are waited for behind the one that is told, 0..=6: more know better and are later.
    pub look_ahead: usize,
}

impl LiveOptions {
    /// Of a microphone: told 22 ms after it was spoken.
    pub const MICROPHONE: Self = Self { look_ahead: 1 };
    /// Of a sound that is known: told when all is heard that the network asks for.
    pub const KNOWN: Self = Self { look_ahead: AFTER };
}

/// What was found in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiveFrame {
    /// Seconds since the first sample, of the middle of the frame.
    pub t: f32,
    /// How likely each mouth shape is; they sum to 1.
    pub visemes: [f32; N_VISEMES],
    /// The most likely sound.
    pub phone: Phone,
}

/// What a band has been like so far.
#[derive(Clone, Copy, Debug, Default)]
struct BandState {
    mean: f32,
    square: f32,
}

/// Listens live. Memory: some kilobytes, however long it listens.
pub struct Live {
    options: LiveOptions,
    analyser: Analyser,
    resampler: Option<(u32, Resampler)>,
    /// Samples at [`RATE`] that frames still need.
    mono: Vec<f32>,
    /// The latest frames as they are, of which the last `AFTER` wait.
    frames: Vec<FeatureFrame>,
    /// Which of them are heard at all.
    heard: Vec<bool>,
    /// Number of the next frame.
    next: u64,
    /// How loud the loudest has been of late.
    loudest: f32,
    bands: [BandState; N_BANDS],
    /// Frames that the bands have seen, at most [`Live::MEMORY`].
    n_seen: f32,
    /// How likely each sound is now; they sum to 1.
    likely: [f32; N_OUT],
    normalised: Vec<FeatureFrame>,
}

impl Live {
    /// Frames that what speech is usually like counts as.
    const USUAL: f32 = 60.0;
    /// Frames that are remembered: ten seconds of speech.
    const MEMORY: f32 = 1000.0;
    /// The loudest falls by so much in each frame, logarithm of energy: 6 dB in two seconds.
    const FORGETS: f32 = 0.007;

    /// Nothing is heard yet.
    pub fn new(options: LiveOptions) -> Self {
        let mut likely = [0.0; N_OUT];
        likely[Phone::Sil as usize] = 1.0;
        Self {
            options: LiveOptions {
                look_ahead: options.look_ahead.min(AFTER),
            },
            analyser: Analyser::new(),
            resampler: None,
            // The first frame is in the middle of its 10 ms.
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

    /// Seconds between a sound and what is told of it, beside the time of one block of samples.
    pub fn latency(&self) -> f32 {
        let window = (WINDOW - HOP) / 2 + HOP / 2;
        self.options.look_ahead as f32 * 0.01 + window as f32 / RATE as f32
    }

    /// Hears interleaved samples, in blocks of any length, and tells all frames of which enough is known. Fewer samples a
    /// second than [`LEAST_RATE`] are nothing.
    pub fn hear(
        &mut self,
        network: &Network,
        samples: &[f32],
        channels: usize,
        rate: u32,
        found: &mut Vec<LiveFrame>,
    ) {
        if rate < LEAST_RATE {
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
            self.take_in(frame, energy);
            found.extend(self.tell(network));
        }
        self.mono.drain(..at);
    }

    fn take_in(&mut self, frame: FeatureFrame, energy: f32) {
        let level = frame.iter().sum::<f32>() / N_BANDS as f32;
        self.loudest = (self.loudest - Self::FORGETS).max(level);
        let is_heard = energy > 1e-9 && level > self.loudest - QUIET;
        if is_heard {
            self.n_seen = (self.n_seen + 1.0).min(Self::MEMORY);
            let share = 1.0 / self.n_seen;
            for (band, value) in self.bands.iter_mut().zip(&frame) {
                band.mean += share * (value - band.mean);
                band.square += share * (value * value - band.square);
            }
        }
        self.frames.push(frame);
        self.heard
            .push(energy > 1e-9 && level > self.loudest - 1.6 * QUIET);
        let most = BEFORE + 1 + AFTER;
        if self.frames.len() > most {
            self.frames.remove(0);
            self.heard.remove(0);
        }
    }

    /// The frame of which enough is known now.
    fn tell(&mut self, network: &Network) -> Option<LiveFrame> {
        let i = self.frames.len().checked_sub(1 + self.options.look_ahead)?;
        self.normalised.clear();
        let level = self.bands.iter().map(|band| band.mean).sum::<f32>() / N_BANDS as f32;
        let mut scales = [(0.0, 1.0); N_BANDS];
        for (b, (slot, band)) in scales.iter_mut().zip(&self.bands).enumerate() {
            let [usual, spread] = network.usual.get(b).copied().unwrap_or([0.0, 2.0]);
            let share = self.n_seen / (self.n_seen + Self::USUAL);
            let own = (band.square - band.mean * band.mean).max(0.0).sqrt();
            let mean = share * band.mean + (1.0 - share) * (level + usual);
            let spread = share * own + (1.0 - share) * spread;
            *slot = (mean, 1.0 / spread.max(LEAST_SPREAD));
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
            self.go_on(network, own.first()?);
        } else {
            self.likely = [0.0; N_OUT];
            self.likely[Phone::Sil as usize] = 1.0;
        }
        let mut visemes = [0.0; N_VISEMES];
        let mut best = 0;
        for (p, share) in self.likely.iter().enumerate() {
            if *share > self.likely[best] {
                best = p;
            }
            let phone = Phone::from_index(p).unwrap_or(Phone::Sil);
            let shapes = phone.visemes(Phone::Sil);
            let shape = shapes.first().map_or(Viseme::Sil, |(viseme, _)| *viseme);
            visemes[shape as usize] += share;
        }
        let t = (self.next as f32 + 0.5) * 0.01;
        self.next += 1;
        Some(LiveFrame {
            t,
            visemes,
            phone: PHONES.get(best).copied().unwrap_or(Phone::Sil),
        })
    }

    /// Goes on by a frame: sounds stay as long as they usually do, and follow each other as they do.
    fn go_on(&mut self, network: &Network, own: &[f32; N_OUT]) {
        const PRIOR: f32 = 0.6;
        // What is heard counts more than what came before: nothing is waited for.
        const HEARD: f32 = 1.5;
        const FOLLOWS: f32 = 0.6;
        let mut next = [0.0_f32; N_OUT];
        for (q, share) in self
            .likely
            .iter()
            .enumerate()
            .filter(|(_, share)| **share > 1e-6)
        {
            let mean = network.lengths.get(q).map_or(-2.5, |[mean, _]| *mean);
            let stays = 1.0 - 1.0 / (mean.exp() / 0.01).max(2.0);
            next[q] += share * stays;
            let follows = network.follows.get(q * N_OUT..(q + 1) * N_OUT);
            for (slot, follows) in next.iter_mut().zip(follows.unwrap_or_default()) {
                *slot += share * (1.0 - stays) * (FOLLOWS * follows).exp();
            }
        }
        let mut sum = 0.0;
        for (p, slot) in next.iter_mut().enumerate() {
            let prior = network.priors.get(p).copied().unwrap_or(0.0);
            *slot = (*slot).max(1e-7) * (HEARD * (own[p] - PRIOR * prior)).clamp(-20.0, 20.0).exp();
            sum += *slot;
        }
        if sum > 0.0 && sum.is_finite() {
            self.likely = next.map(|share| share / sum);
        }
    }
}

/// Weights of a mouth that goes along with what is found: a shape comes once it is the most likely one, and stays for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveMouth {
    /// Seconds for which a shape is shown at least.
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
    /// Half of the way to a shape is made in so many seconds.
    const HALF: f32 = 0.022;
    /// Seconds for which a shape is shown at least where being late is worse than a mouth that is busy.
    const QUICK: f32 = 0.04;
    /// Frames by which it is late, that way and the hold of the shape before.
    pub(crate) const LATE: usize = 3;

    /// One that holds shapes for 40 ms only.
    pub fn quick() -> Self {
        Self {
            hold: Self::QUICK,
            ..Self::default()
        }
    }

    /// Takes in one frame of 10 ms.
    pub fn take_in(&mut self, found: &LiveFrame) {
        const STEP: f32 = 0.01;
        self.since = (self.since + STEP).min(1e6);
        let best = (0..N_VISEMES)
            .max_by(|a, b| found.visemes[*a].total_cmp(&found.visemes[*b]))
            .unwrap_or(0);
        let viseme = crate::viseme::VISEMES[best];
        // Lips that touch are not waited for.
        let closes = matches!(viseme, Viseme::PP | Viseme::FF) && found.visemes[best] > 0.5;
        if viseme != self.shown && (self.since >= self.hold || closes) {
            (self.shown, self.since) = (viseme, 0.0);
        }
        let keep = 0.5_f32.powf(STEP / Self::HALF);
        for (i, weight) in self.weights.iter_mut().enumerate() {
            let goal = f32::from(u8::from(i == self.shown as usize));
            *weight = goal + (*weight - goal) * keep;
        }
    }

    /// Weights of all visemes now; they sum to 1 at most.
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
    fn blocks_of_any_length_tell_the_same_and_none_of_it_is_late() {
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
        let told = whole.last().map_or(0.0, |found| found.t);
        assert!(told > 1.5 - latency - 0.012, "{told}");
        for found in &whole {
            let sum: f32 = found.visemes.iter().sum();
            assert!((sum - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn silence_and_odd_samples_are_a_shut_mouth() {
        for odd in [0.0, f32::NAN, f32::INFINITY] {
            let mut live = Live::new(LiveOptions::KNOWN);
            let (mut found, mut mouth) = (Vec::new(), LiveMouth::default());
            live.hear(network(), &vec![odd; 9000], 2, 0, &mut found);
            assert!(found.is_empty());
            live.hear(network(), &vec![odd; 90_000], 2, 48_000, &mut found);
            found.iter().for_each(|found| mouth.take_in(found));
            let weights = mouth.weights();
            assert!(weights.iter().all(|w| w.is_finite()));
            assert!(found.iter().all(|f| f.phone == Phone::Sil) || odd.is_infinite());
        }
    }

    #[test]
    fn shapes_are_held_and_lips_close_at_once() {
        let of = |viseme: Viseme| {
            let mut visemes = [0.0; N_VISEMES];
            visemes[viseme as usize] = 1.0;
            LiveFrame {
                t: 0.0,
                visemes,
                phone: Phone::Sil,
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
