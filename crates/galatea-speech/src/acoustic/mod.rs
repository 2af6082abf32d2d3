//! Phone recognition: samples to phones.
//!
//! Consists of features (bands of a spectrum, 100 times a second), a small network that estimates the likelihood of each
//! phone, and searches: for any phones, or for known words. The network is part of the program; `docs/speech.md` describes
//! how it was trained.

pub mod align;
pub mod features;
pub mod live;
pub mod network;
pub mod resample;
pub mod search;

use std::sync::OnceLock;

use align::AlignOptions;
use features::{Analyser, audible, normalise, to_mono};
use network::{N_OUT, Network};
use search::SearchOptions;

use super::phoneme::{Phoneme, TimedPhoneme};
use super::text::SpokenWord;
use super::text::variants::pronunciations;
use super::track::{SpeechTrack, TimedWord};

/// Network file that is part of the program.
static SOUNDS: &[u8] = include_bytes!("../../../../assets/speech/sounds.bin");

/// Log likelihood of phones in inaudible frames.
const INAUDIBLE: f32 = -12.0;

/// Returns the network, loaded on first use. Returns an empty network if the built-in file is damaged, which a test
/// excludes.
pub fn network() -> &'static Network {
    static NETWORK: OnceLock<Network> = OnceLock::new();
    NETWORK.get_or_init(|| Network::read(SOUNDS).unwrap_or_default())
}

/// Computes the log likelihood of each phone for every 10 ms of a recording.
pub fn likelihoods(samples: &[f32], channels: usize, rate: u32) -> Vec<[f32; N_OUT]> {
    likelihoods_by(network(), &to_mono(samples, channels, rate), &mut |_| {})
}

/// The same with another network, for mono samples at [`features::RATE`]; reports the progress, 0..=1.
pub(crate) fn likelihoods_by(
    network: &Network,
    mono: &[f32],
    progress: &mut dyn FnMut(f32),
) -> Vec<[f32; N_OUT]> {
    const STEP: usize = 2000;
    let mut frames = Analyser::new().frames(mono);
    normalise(&mut frames);
    let mut likely = Vec::with_capacity(frames.len());
    while likely.len() < frames.len() {
        likely.extend(network.of(&frames, likely.len()..likely.len() + STEP));
        progress(likely.len() as f32 / frames.len() as f32);
    }
    for (frame, is_heard) in likely.iter_mut().zip(audible(mono)) {
        if !is_heard {
            frame.fill(INAUDIBLE);
            frame[Phoneme::Sil as usize] = 0.0;
        }
    }
    likely
}

/// Recognises phones from the sound alone.
pub fn recognised(likelihoods: &[[f32; N_OUT]], duration: f32) -> SpeechTrack {
    let phones = search::any(network(), likelihoods, &SearchOptions::default());
    SpeechTrack::from_phonemes(duration, Vec::new(), phones)
}

/// Aligns known words to a recording (forced alignment). Returns `None` when the words do not fit into it.
pub fn aligned(
    likelihoods: &[[f32; N_OUT]],
    words: &[SpokenWord],
    duration: f32,
) -> Option<SpeechTrack> {
    let options = AlignOptions::default();
    aligned_by(network(), likelihoods, words, duration, &options)
}

/// The same with another network and other options.
pub(crate) fn aligned_by(
    network: &Network,
    likelihoods: &[[f32; N_OUT]],
    words: &[SpokenWord],
    duration: f32,
    options: &AlignOptions,
) -> Option<SpeechTrack> {
    let pronunciations: Vec<_> = words.iter().map(pronunciations).collect();
    let found = align::words(network, likelihoods, &pronunciations, options)?;
    let (mut timed, mut phones) = (Vec::new(), Vec::<TimedPhoneme>::new());
    let silence = |to: f32, phones: &mut Vec<TimedPhoneme>| {
        let from = phones.last().map_or(0.0, |last| last.end);
        if to > from + 1e-4 {
            phones.push(TimedPhoneme {
                phoneme: Phoneme::Sil,
                start: from,
                end: to,
            });
        }
    };
    for (word, found) in words.iter().zip(found) {
        let stress = found.stressed.and_then(|i| found.phonemes.get(i));
        timed.push(TimedWord {
            text: word.text.clone(),
            start: found.start,
            end: found.end,
            range: Some(word.range.clone()),
            stress: stress.map(|phone| phone.start),
            confidence: Some(found.confidence),
        });
        silence(found.start, &mut phones);
        phones.extend(found.phonemes);
    }
    silence(duration, &mut phones);
    Some(SpeechTrack::from_phonemes(duration, timed, phones))
}
