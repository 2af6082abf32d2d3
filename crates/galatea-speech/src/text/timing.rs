//! Durations of phones for text without a recording, after Klatt (1979), "Synthesis by rule of segmental durations in
//! English sentences": rules shorten an inherent duration, down to a minimum.

use super::SpokenWord;
use crate::phoneme::{Phoneme, TimedPhoneme};
use crate::track::{SpeechTrack, TimedWord};
use galatea_math::clamp::ClampTo as _;

/// Silence before and after a line, seconds.
const EDGE_SILENCE: [f32; 2] = [0.08, 0.25];

/// Factor for conversational speech, which is faster than Klatt's speaker, who read word lists.
const SPEED_FACTOR: f32 = 0.74;

/// Returns inherent and minimum duration of a phone, milliseconds (Klatt 1979, table).
fn inherent(phone: Phoneme) -> (f32, f32) {
    use Phoneme::*;
    match phone {
        Sil => (80.0, 20.0),
        AA | AO => (240.0, 100.0),
        AE => (230.0, 80.0),
        AH => (140.0, 60.0),
        AW => (260.0, 100.0),
        AY => (250.0, 150.0),
        EH => (150.0, 70.0),
        ER => (180.0, 80.0),
        EY => (190.0, 100.0),
        IH => (135.0, 40.0),
        IY => (155.0, 55.0),
        OW => (220.0, 80.0),
        OY => (280.0, 150.0),
        UH => (160.0, 60.0),
        UW => (210.0, 70.0),
        B => (85.0, 60.0),
        CH | JH => (70.0, 50.0),
        D | T => (75.0, 50.0),
        DH => (50.0, 30.0),
        F => (100.0, 80.0),
        G | K => (80.0, 60.0),
        HH => (80.0, 20.0),
        L | R | W | Y => (80.0, 40.0),
        M => (70.0, 60.0),
        N => (60.0, 50.0),
        NG => (95.0, 60.0),
        P => (90.0, 50.0),
        S => (105.0, 60.0),
        SH => (105.0, 80.0),
        TH => (90.0, 60.0),
        V => (60.0, 40.0),
        Z => (75.0, 40.0),
        ZH => (70.0, 40.0),
    }
}

/// Estimates when the words and phones of a text are spoken. `rate` 1 is normal, about 4.5 syllables per second.
/// `pauses` are extra pauses: the byte offset of a word, and seconds of silence before it.
pub fn estimated(words: &[SpokenWord], rate: f32, pauses: &[(usize, f32)]) -> SpeechTrack {
    let rate = if rate.is_finite() {
        rate.clamp(0.2, 5.0)
    } else {
        1.0
    };
    let mut t = EDGE_SILENCE[0];
    let (mut timed_words, mut phones) = (Vec::new(), Vec::new());
    let silence = |from: f32, to: f32, phones: &mut Vec<TimedPhoneme>| {
        if to > from {
            phones.push(TimedPhoneme {
                phoneme: Phoneme::Sil,
                start: from,
                end: to,
            });
        }
    };
    silence(0.0, t, &mut phones);
    for (i, word) in words.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| words.get(i));
        let after = before.map_or(0, |before| before.range.end);
        let own = pauses.iter().filter(|(at, _)| {
            (after..=word.range.start).contains(at) && (*at > after || i == 0 || *at == after)
        });
        let pause_before: f32 = own.map(|(_, seconds)| seconds).sum();
        if pause_before > 0.0 {
            silence(t, t + pause_before, &mut phones);
            t += pause_before;
        }
        let is_last = word.pause > 0.1 || i + 1 == words.len();
        let start = t;
        let mut stress = None;
        for (j, sound) in word.sounds.iter().enumerate() {
            let seconds = duration(word, j, is_last) / rate;
            if sound.stressed {
                stress = Some(t);
            }
            phones.push(TimedPhoneme {
                phoneme: sound.phoneme,
                start: t,
                end: t + seconds,
            });
            t += seconds;
        }
        timed_words.push(TimedWord {
            text: word.text.clone(),
            start,
            end: t,
            range: Some(word.range.clone()),
            stress,
            confidence: None,
        });
        let pause = if i + 1 == words.len() {
            0.0
        } else {
            word.pause / rate
        };
        silence(t, t + pause, &mut phones);
        t += pause;
    }
    let last = words.last().map_or(0, |word| word.range.end);
    let final_pause: f32 = pauses
        .iter()
        .filter(|(at, _)| *at >= last)
        .map(|(_, seconds)| seconds)
        .sum();
    silence(t, t + EDGE_SILENCE[1] + final_pause, &mut phones);
    SpeechTrack::from_phonemes(t + EDGE_SILENCE[1] + final_pause, timed_words, phones)
}

/// Returns the duration of a phone of a word, seconds.
fn duration(word: &SpokenWord, j: usize, is_last: bool) -> f32 {
    let Some(sound) = word.sounds.get(j) else {
        return 0.0;
    };
    let phone = sound.phoneme;
    let (whole, min_duration) = inherent(phone);
    let at = |j: Option<usize>| j.and_then(|j| word.sounds.get(j)).map(|s| s.phoneme);
    let (before, after) = (at(j.checked_sub(1)), at(Some(j + 1)));
    let n = word.n_syllables();
    let is_final = word
        .sounds
        .iter()
        .skip(j + 1)
        .all(|s| !s.phoneme.is_vowel());
    let mut factor = 1.0;
    if phone.is_vowel() {
        // Phrase-final lengthening; other syllables are shorter.
        factor *= if is_last && is_final { 1.25 } else { 0.72 };
        factor *= if sound.stressed || n == 1 { 1.0 } else { 0.7 };
        factor *= if n > 1 { 0.85 } else { 1.0 };
        // Vowels are shorter before a voiceless stop.
        factor *= match after {
            Some(Phoneme::P | Phoneme::T | Phoneme::K) => 0.75,
            Some(Phoneme::F | Phoneme::S | Phoneme::TH | Phoneme::SH | Phoneme::CH) => 0.85,
            Some(Phoneme::M | Phoneme::N | Phoneme::NG) => 0.9,
            _ => 1.0,
        };
    } else {
        let is_cluster =
            before.is_some_and(|p| !p.is_vowel()) || after.is_some_and(|p| !p.is_vowel());
        factor *= if is_cluster { 0.7 } else { 0.85 };
        factor *= if is_last && is_final { 1.2 } else { 1.0 };
    }
    SPEED_FACTOR * ((whole - min_duration) * factor + min_duration) / 1000.0
}

/// Scales a track to another length: its words lie between `from` and `to` afterwards.
pub fn fitted(track: &SpeechTrack, from: f32, to: f32, duration: f32) -> SpeechTrack {
    let (Some(first), Some(last)) = (track.words.first(), track.words.last()) else {
        return SpeechTrack {
            duration,
            ..SpeechTrack::default()
        };
    };
    let (start, length) = (first.start, (last.end - first.start).max(1e-3));
    let factor = (to - from).max(1e-3) / length;
    let map = |t: f32| (from + (t - start) * factor).clamp_to(0.0, duration);
    let mut words = track.words.clone();
    for word in &mut words {
        (word.start, word.end) = (map(word.start), map(word.end));
        word.stress = word.stress.map(map);
    }
    let mut phones = track.phonemes.clone();
    for phone in &mut phones {
        (phone.start, phone.end) = (map(phone.start), map(phone.end));
    }
    if let Some(first) = phones.first_mut() {
        first.start = 0.0;
    }
    if let Some(last) = phones.last_mut() {
        last.end = duration;
    }
    SpeechTrack::from_phonemes(duration, words, phones)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::spoken;

    #[test]
    fn a_text_is_spoken_at_a_normal_rate_with_its_pauses() {
        let text = "The birch canoe slid on the smooth planks, and glue the sheet to the dark blue background.";
        let words = spoken(text);
        let track = estimated(&words, 1.0, &[]);
        let syllables: usize = words.iter().map(|word| word.n_syllables()).sum();
        let rate = syllables as f32 / track.duration;
        assert!((3.6..5.2).contains(&rate), "{rate} syllables in a second");
        for pair in track.phonemes.windows(2) {
            assert!((pair[0].end - pair[1].start).abs() < 1e-4 && pair[0].end > pair[0].start);
        }
        let planks = track.words.iter().position(|w| w.text == "planks").unwrap();
        assert!((track.words[planks + 1].start - track.words[planks].end - 0.2).abs() < 1e-4);
        assert!(track.words.iter().filter(|w| w.stress.is_some()).count() > 8);
        let fast = estimated(&words, 2.0, &[]);
        assert!(fast.duration < 0.62 * track.duration);
        let paused = estimated(&words, 1.0, &[(text.find("canoe").unwrap(), 0.5)]);
        assert!((paused.duration - track.duration - 0.5).abs() < 1e-3);
    }

    #[test]
    fn a_track_is_scaled_to_the_length_of_a_recording() {
        let track = estimated(&spoken("one two three"), 1.0, &[]);
        let fitted = fitted(&track, 0.5, 2.5, 3.0);
        assert_eq!(fitted.duration, 3.0);
        assert!((fitted.words[0].start - 0.5).abs() < 1e-4);
        assert!((fitted.words[2].end - 2.5).abs() < 1e-4);
        assert_eq!(fitted.phonemes.last().map(|p| p.end), Some(3.0));
        assert_eq!(
            super::fitted(&SpeechTrack::default(), 0.0, 1.0, 2.0).duration,
            2.0
        );
    }
}
