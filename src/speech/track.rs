//! What is spoken when: words, sounds, mouth shapes.

use std::ops::Range;

use super::phone::TimedPhone;
use super::viseme::Viseme;

/// A word and when it is spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedWord {
    /// The word as it is written.
    pub text: String,
    /// Seconds from the start of the recording.
    pub start: f32,
    /// Seconds; not before `start`.
    pub end: f32,
    /// Where it stands in the text, bytes.
    pub range: Option<Range<usize>>,
    /// Seconds at which its stressed vowel begins, where that is known.
    pub stress: Option<f32>,
    /// How sure its times are, 0..=1; `None` where nobody asked.
    pub confidence: Option<f32>,
}

/// A mouth shape and when it is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisemeCue {
    /// Which.
    pub viseme: Viseme,
    /// Seconds from the start of the recording.
    pub start: f32,
    /// Seconds; not before `start`.
    pub end: f32,
    /// How much of it, 0..=1.
    pub amount: f32,
}

/// One spoken line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Seconds.
    pub duration: f32,
    /// In order of time; may be none.
    pub words: Vec<TimedWord>,
    /// In order of time, without gaps where they are known; may be none.
    pub phones: Vec<TimedPhone>,
    /// In order of time.
    pub cues: Vec<VisemeCue>,
}

impl Track {
    /// Of sounds: their mouth shapes one after the other.
    pub fn of_phones(duration: f32, words: Vec<TimedWord>, phones: Vec<TimedPhone>) -> Self {
        let cues = cues_of(&phones);
        Self {
            duration,
            words,
            phones,
            cues,
        }
    }

    /// The word that is spoken at a time.
    pub fn word_at(&self, t: f32) -> Option<usize> {
        self.words
            .iter()
            .position(|word| (word.start..word.end).contains(&t))
    }
}

/// The mouth shapes of sounds: diphthongs are two, and `h` is spoken with the shape of what comes next.
pub fn cues_of(phones: &[TimedPhone]) -> Vec<VisemeCue> {
    let mut cues: Vec<VisemeCue> = Vec::new();
    for (i, timed) in phones.iter().enumerate() {
        let next = phones
            .get(i + 1)
            .map_or(super::phone::Phone::Sil, |next| next.phone);
        let length = (timed.end - timed.start).max(0.0);
        let mut start = timed.start;
        for &(viseme, share) in timed.phone.visemes(next) {
            let end = start + length * share;
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
    use crate::speech::phone::Phone;

    #[test]
    fn diphthongs_are_two_shapes_and_h_is_that_of_its_vowel() {
        let timed = |phone, start, end| TimedPhone { phone, start, end };
        let phones = [
            timed(Phone::HH, 0.0, 0.1),
            timed(Phone::AY, 0.1, 0.4),
            timed(Phone::IY, 0.4, 0.5),
        ];
        let cues = cues_of(&phones);
        let seen: Vec<_> = cues
            .iter()
            .map(|c| (c.viseme, (c.end * 100.0).round()))
            .collect();
        assert_eq!(seen, [(Viseme::AA, 28.0), (Viseme::I, 50.0)]);
    }
}
