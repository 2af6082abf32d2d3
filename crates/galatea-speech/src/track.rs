//! Timed words, phones and visemes of a spoken line.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::phoneme::TimedPhoneme;
use super::viseme::{N_VISEMES, VISEMES, Viseme};

/// A word with its times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedWord {
    /// The word as written.
    pub text: String,
    /// Seconds from the start of the recording.
    pub start: f32,
    /// Seconds; not before `start`.
    pub end: f32,
    /// Byte range in the text.
    pub range: Option<Range<usize>>,
    /// Start of the stressed vowel in seconds, if known.
    pub stress: Option<f32>,
    /// Confidence of the times, 0..=1; `None` if not measured.
    pub confidence: Option<f32>,
}

/// A viseme with its times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct VisemeCue {
    /// The viseme.
    pub viseme: Viseme,
    /// Seconds from the start of the recording.
    pub start: f32,
    /// Seconds; not before `start`.
    pub end: f32,
    /// Weight, 0..=1.
    pub amount: f32,
}

/// Viseme weights sampled at a fixed rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// Sample rate, Hz.
    pub rate: f32,
    /// Weights of all visemes from second 0 on; empty if the mouth follows cues.
    pub frames: Vec<[f32; N_VISEMES]>,
}

impl Curves {
    /// Returns the weights at a time, linearly interpolated; zero outside of the curves.
    pub fn sample(&self, t: f32) -> [f32; N_VISEMES] {
        let at = t * self.rate;
        if !at.is_finite() || at < 0.0 {
            return [0.0; N_VISEMES];
        }
        let u = at.fract();
        match (
            self.frames.get(at as usize),
            self.frames.get(at as usize + 1),
        ) {
            (Some(a), Some(b)) => std::array::from_fn(|i| a[i] + (b[i] - a[i]) * u),
            (Some(last), None) => last.map(|weight| weight * (1.0 - u)),
            _ => [0.0; N_VISEMES],
        }
    }

    /// Converts the curves to cues of the dominant viseme.
    pub fn cues(&self) -> Vec<VisemeCue> {
        let shown = |frame: &[f32; N_VISEMES]| {
            let best = (0..N_VISEMES).max_by(|a, b| frame[*a].total_cmp(&frame[*b]));
            let best = best.unwrap_or(0);
            if frame[best] < 0.1 {
                Viseme::Sil
            } else {
                VISEMES[best]
            }
        };
        let rate = self.rate.max(1.0);
        let mut cues = Vec::new();
        let mut first = 0;
        for run in self.frames.chunk_by(|a, b| shown(a) == shown(b)) {
            let viseme = shown(&run[0]);
            let peak = run
                .iter()
                .map(|frame| frame[viseme as usize])
                .fold(0.0, f32::max);
            cues.push(VisemeCue {
                viseme,
                start: first as f32 / rate,
                end: (first + run.len()) as f32 / rate,
                amount: if viseme == Viseme::Sil {
                    1.0
                } else {
                    peak.clamp(0.0, 1.0)
                },
            });
            first += run.len();
        }
        cues
    }
}

/// The timing of one spoken line: words, phones and visemes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpeechTrack {
    /// Duration, seconds.
    pub duration: f32,
    /// Words in order of time; may be empty.
    pub words: Vec<TimedWord>,
    /// Phones in order of time, without gaps if known; may be empty.
    pub phonemes: Vec<TimedPhoneme>,
    /// Visemes in order of time.
    pub cues: Vec<VisemeCue>,
    /// Viseme weights, if a file or a live recogniser gives those instead of cues.
    pub curves: Curves,
}

impl SpeechTrack {
    /// Creates a track from phones, with their visemes as cues.
    pub fn from_phonemes(duration: f32, words: Vec<TimedWord>, phones: Vec<TimedPhoneme>) -> Self {
        let cues = cues_of(&phones);
        Self {
            duration,
            words,
            phonemes: phones,
            cues,
            curves: Curves::default(),
        }
    }

    /// Index of the word that is spoken at `t` seconds.
    pub(crate) fn word_at(&self, t: f32) -> Option<usize> {
        self.words
            .iter()
            .position(|word| (word.start..word.end).contains(&t))
    }
}

/// Returns the viseme cues of phones: diphthongs have two, and `h` uses the shape of the next phone.
pub fn cues_of(phones: &[TimedPhoneme]) -> Vec<VisemeCue> {
    let mut cues: Vec<VisemeCue> = Vec::new();
    for (i, timed) in phones.iter().enumerate() {
        let next = phones
            .get(i + 1)
            .map_or(super::phoneme::Phoneme::Sil, |next| next.phoneme);
        let length = (timed.end - timed.start).max(0.0);
        let mut start = timed.start;
        for &(viseme, fraction) in timed.phoneme.visemes(next) {
            let end = start + length * fraction;
            match cues.last_mut() {
                Some(last) if last.viseme == viseme && (last.end - start).abs() < 1e-4 => {
                    last.end = end
                }
                _ => cues.push(VisemeCue {
                    viseme,
                    start,
                    end,
                    amount: 1.0,
                }),
            }
            start = end;
        }
    }
    cues
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phoneme::Phoneme;

    #[test]
    fn curves_are_interpolated_linearly_and_converted_to_cues() {
        let mut open = [0.0; N_VISEMES];
        open[Viseme::AA as usize] = 0.8;
        let curves = Curves {
            rate: 10.0,
            frames: vec![[0.0; N_VISEMES], open, open, [0.0; N_VISEMES]],
        };
        let at = |t: f32| curves.sample(t)[Viseme::AA as usize];
        assert!((at(0.05) - 0.4).abs() < 1e-6 && (at(0.15) - 0.8).abs() < 1e-6);
        assert_eq!([at(-1.0), at(9.0), at(f32::NAN)], [0.0; 3]);
        let cues = curves.cues();
        assert_eq!(cues.len(), 3);
        assert_eq!((cues[1].viseme, cues[1].amount), (Viseme::AA, 0.8));
        assert!((cues[1].start - 0.1).abs() < 1e-6 && (cues[1].end - 0.3).abs() < 1e-6);
    }

    #[test]
    fn diphthongs_have_two_visemes_and_h_uses_that_of_its_vowel() {
        let timed = |phone, start, end| TimedPhoneme {
            phoneme: phone,
            start,
            end,
        };
        let phones = [
            timed(Phoneme::HH, 0.0, 0.1),
            timed(Phoneme::AY, 0.1, 0.4),
            timed(Phoneme::IY, 0.4, 0.5),
        ];
        let cues = cues_of(&phones);
        let seen: Vec<_> = cues
            .iter()
            .map(|c| (c.viseme, (c.end * 100.0).round()))
            .collect();
        assert_eq!(seen, [(Viseme::AA, 28.0), (Viseme::I, 50.0)]);
    }
}
