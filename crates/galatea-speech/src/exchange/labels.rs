//! Rows of times and labels; the labels are words, phones or mouth shapes.

use super::rhubarb::RhubarbShape;
use super::{SpeechTimings, word};
use crate::phoneme::{Phoneme, TimedPhoneme};
use crate::text::ipa;
use crate::track::VisemeCue;
use crate::viseme::Viseme;

/// Meaning of a label.
enum Label {
    Phoneme(Phoneme),
    Shape(RhubarbShape),
    Viseme(Viseme),
}

/// Notations of labels, in the order in which they are tried.
const NOTATIONS: [fn(&str) -> Option<Label>; 4] = [
    |label| Viseme::from_name(label).map(Label::Viseme),
    |label| RhubarbShape::from_letter(label).map(Label::Shape),
    |label| arpabet(label).map(Label::Phoneme),
    |label| phoneme_or_silence(label).map(Label::Phoneme),
];

/// Reads rows of start, end and label, in seconds. Labels are words, unless all of them belong to one notation.
pub(super) fn of_rows(rows: &[(f32, f32, String)]) -> SpeechTimings {
    let labels = || {
        rows.iter()
            .map(|(_, _, label)| label.trim())
            .filter(|label| !label.is_empty())
    };
    let notation = NOTATIONS
        .iter()
        .find(|notation| labels().all(|label| notation(label).is_some()));
    let mut timings = SpeechTimings::default();
    for (start, end, label) in rows {
        let (start, end, label) = (*start, end.max(*start), label.trim());
        match notation.map(|notation| notation(label)) {
            Some(Some(Label::Viseme(viseme))) => timings.cues.push(VisemeCue {
                viseme,
                start,
                end,
                amount: 1.0,
            }),
            Some(Some(Label::Shape(shape))) => timings.cues.push(shape.cue(start, end)),
            Some(Some(Label::Phoneme(phone))) => {
                timings.phonemes.push(TimedPhoneme {
                    phoneme: phone,
                    start,
                    end,
                });
            }
            None if !is_silence(label) => timings.words.push(word(label, start, end)),
            _ => {}
        }
    }
    timings
}

/// Returns an ARPAbet phone, all upper or all lower case, with at most one stress digit.
fn arpabet(label: &str) -> Option<Phoneme> {
    let name = label.strip_suffix(['0', '1', '2']).unwrap_or(label);
    let is_one_case = !name.contains(char::is_lowercase) || !name.contains(char::is_uppercase);
    let is_name = is_one_case && !name.ends_with(|c: char| c.is_ascii_digit());
    Phoneme::from_arpabet(name).filter(|_| is_name)
}

fn phoneme_or_silence(label: &str) -> Option<Phoneme> {
    if is_silence(label) {
        return Some(Phoneme::Sil);
    }
    ipa::symbol(label)
}

/// Returns true for labels of silence and noise.
pub(super) fn is_silence(label: &str) -> bool {
    let label = label.trim();
    let names = ["sil", "sp", "pau", "<eps>", "<sil>", "spn", "<unk>", "_"];
    label.is_empty() || names.contains(&label.to_lowercase().as_str())
}
