//! Combines a timing file of a recording with a text with marks: takes word times from the file and finds the words in the
//! text. Takes phones and mouth shapes from the file if it has them, otherwise recognises them within the words.

use super::acoustic::network::N_OUT;
use super::acoustic::search::FRAME;
use super::acoustic::{aligned, recognised};
use super::exchange::{ExchangeError, SpeechTimings};
use super::phoneme::{Phoneme, TimedPhoneme};
use super::text::{Pronouncer, SpokenWord, timing};
use super::track::{SpeechTrack, TimedWord};

/// Places a text and its words at the times given by a file; `words` is empty for a recording without a text. `reader`
/// pronounces words that are in the file but not in the text. `likelihoods` returns the phone likelihoods; called only if
/// the file is incomplete.
///
/// # Errors
/// Returns an error when the file belongs to another recording.
pub fn placed(
    timings: &SpeechTimings,
    (text, words): (&str, &[SpokenWord]),
    reader: &Pronouncer,
    duration: f32,
    likelihoods: impl FnOnce() -> Vec<[f32; N_OUT]>,
) -> Result<SpeechTrack, ExchangeError> {
    let has_mouth = !timings.cues.is_empty() || !timings.curves.frames.is_empty();
    let has_sounds = !timings.phonemes.is_empty();
    let curves = timings.curves.clone();
    let mut track = timings.clone().track(duration)?;
    let needs_words = track.words.is_empty() && !words.is_empty();
    if needs_words || !(has_mouth || has_sounds) {
        let likely = likelihoods();
        if needs_words {
            // The file contains only mouth shapes, but marks need word times.
            let found = aligned(&likely, words, duration).unwrap_or_else(|| {
                let estimated = timing::estimated(words, 1.0, &[]);
                timing::fitted(&estimated, 0.0, duration, duration)
            });
            track.words = found.words;
            if !has_sounds {
                track.phonemes = found.phonemes;
            }
        } else {
            track = within(&track.words, reader, &likely, duration);
        }
    }
    if !curves.frames.is_empty() {
        track.cues = curves.cues();
        track.curves = curves;
    }
    find_in(text, &mut track.words);
    stress(&mut track);
    Ok(track)
}

/// Finds the phones of words with known times, each between its start and its end.
fn within(
    words: &[TimedWord],
    reader: &Pronouncer,
    likely: &[[f32; N_OUT]],
    duration: f32,
) -> SpeechTrack {
    let frame = |t: f32| ((t / FRAME).round() as usize).min(likely.len());
    let mut phones: Vec<TimedPhoneme> = Vec::new();
    let mut timed: Vec<TimedWord> = Vec::new();
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
    for word in words {
        let (first, last) = (frame(word.start), frame(word.end));
        let own = likely.get(first..last).unwrap_or_default();
        let length = word.end - word.start;
        let sounds = reader.spoken(&word.text);
        let found = match sounds.is_empty() {
            true => recognised(own, length),
            false => aligned(own, &sounds, length).unwrap_or_else(|| {
                timing::fitted(&timing::estimated(&sounds, 1.0, &[]), 0.0, length, length)
            }),
        };
        silence(word.start, &mut phones);
        let start = word.start;
        phones.extend(found.phonemes.iter().map(|phone| TimedPhoneme {
            start: phone.start + start,
            end: phone.end + start,
            ..*phone
        }));
        let mut own = word.clone();
        let stress = found.words.iter().find_map(|word| word.stress);
        own.stress = own.stress.or(stress.map(|t| t + start));
        timed.push(own);
    }
    silence(duration, &mut phones);
    SpeechTrack::from_phonemes(duration, timed, phones)
}

/// Finds the byte ranges of words in a text, in order; a word that is not there has no range.
fn find_in(text: &str, words: &mut [TimedWord]) {
    let lower = text.to_lowercase();
    // If lower-casing changes the length, its byte positions would be wrong.
    let text = if lower.len() == text.len() {
        &lower
    } else {
        text
    };
    let mut at = 0;
    for word in words {
        let bare = word.text.to_lowercase();
        let bare = bare.trim_matches(|c: char| !c.is_alphanumeric());
        let found = text.get(at..).and_then(|rest| rest.find(bare));
        if let Some(found) = found.filter(|_| !bare.is_empty()) {
            let start = at + found;
            word.range = Some(start..start + bare.len());
            at = start + bare.len();
        }
    }
}

/// Sets the missing stress times of words to their longest vowel.
fn stress(track: &mut SpeechTrack) {
    for word in track.words.iter_mut().filter(|word| word.stress.is_none()) {
        let inside = track.phonemes.iter().filter(|phone| {
            phone.phoneme.is_vowel()
                && phone.start >= word.start - 0.01
                && phone.end <= word.end + 0.01
        });
        let longest = inside.max_by(|a, b| (a.end - a.start).total_cmp(&(b.end - b.start)));
        word.stress = longest.map(|phone| phone.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::read;
    use crate::text::spoken;
    use crate::viseme::Viseme;

    #[test]
    fn words_of_a_file_get_their_text_range_and_stress() {
        let timings = read(
            br#"{"words": [{"word": "Come", "start": 0.1, "end": 0.4, "phones": [{"phone": "K", "start": 0.1, "end": 0.2},
            {"phone": "AH", "start": 0.2, "end": 0.3}, {"phone": "M", "start": 0.3, "end": 0.4}]},
            {"word": "in.", "start": 0.5, "end": 0.7, "phones": [{"phone": "IH", "start": 0.5, "end": 0.6}, {"phone": "N", "start": 0.6, "end": 0.7}]}]}"#,
        )
        .unwrap();
        let text = "Oh, come in!";
        let track = placed(
            &timings,
            (text, &spoken(text)),
            &Pronouncer::default(),
            1.0,
            || unreachable!(),
        )
        .unwrap();
        let ranges: Vec<_> = track.words.iter().map(|w| w.range.clone()).collect();
        assert_eq!(ranges, [Some(4..8), Some(9..11)]);
        let stress: Vec<_> = track.words.iter().map(|w| w.stress).collect();
        assert_eq!(stress, [Some(0.2), Some(0.5)]);
        assert!(track.cues.iter().any(|cue| cue.viseme == Viseme::PP));
    }

    #[test]
    fn mouth_shapes_of_a_file_are_kept_and_missing_words_are_aligned() {
        let timings = read(b"0.0\tX\n0.3\tD\n0.6\tA\n1.0\tX\n").unwrap();
        let quiet = || vec![[-3.7; N_OUT]; 100];
        let (text, reader) = ("Come in", Pronouncer::default());
        let track = placed(&timings, (text, &spoken(text)), &reader, 1.0, quiet).unwrap();
        assert_eq!(track.cues.len(), 3);
        assert_eq!(track.words.len(), 2);
        let words = read(b"0.1 0.4 Come\n0.4 0.7 in\n").unwrap();
        let track = placed(&words, (text, &spoken(text)), &reader, 1.0, quiet).unwrap();
        let names: Vec<_> = track.phonemes.iter().map(|p| p.phoneme.name()).collect();
        assert_eq!(names, ["SIL", "K", "AH", "M", "IH", "N", "SIL"]);
        assert!((track.words[1].start - 0.4).abs() < 1e-6);
    }
}
