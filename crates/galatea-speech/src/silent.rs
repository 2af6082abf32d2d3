//! Lines without anything to pronounce: they are shown for their reading time, with a closed mouth.

use super::marks::Marked;
use super::phoneme::{Phoneme, TimedPhoneme};
use super::text::scripts::{script_of, titled as titled_script};
use super::text::{Pronouncer, SpokenWord};
use super::track::SpeechTrack;

/// Time to find a text on the screen, time per word between spaces, and time per character of scripts without spaces,
/// seconds. Words are timed as in subtitles (BBC Subtitle Guidelines, 160 to 180 words a minute).
const FIND_S: f32 = 0.7;
const WORD_S: f32 = 0.35;
const CHARACTER_S: f32 = 0.2;
/// Maximum number of characters of a text that a warning quotes.
const MAX_QUOTED: usize = 40;

/// Returns the reading time of a text, seconds.
pub fn reading_time(text: &str) -> f32 {
    let has_no_blanks = |c: &char| {
        matches!(
            script_of(*c),
            Some("Han" | "Hiragana" | "Katakana" | "Thai")
        )
    };
    let n_words = text.split_whitespace().count() as f32;
    let n_characters = text.chars().filter(has_no_blanks).count() as f32;
    FIND_S + (WORD_S * n_words).max(CHARACTER_S * n_characters)
}

/// Returns a silent track for the reading time of a line plus its pauses.
pub(crate) fn track(marked: &Marked) -> SpeechTrack {
    let pauses: f32 = marked.pauses().iter().map(|(_, seconds)| seconds).sum();
    let end = reading_time(&marked.text) + pauses;
    let silence = TimedPhoneme {
        phoneme: Phoneme::Sil,
        start: 0.0,
        end,
    };
    SpeechTrack::from_phonemes(end, Vec::new(), vec![silence])
}

/// Returns the time at which a byte of the text is read, after the pauses of the first `n_marks` marks, seconds.
pub(crate) fn time_of(marked: &Marked, byte: usize, n_marks: usize, duration: f32) -> f32 {
    let all: f32 = marked.pauses().iter().map(|(_, seconds)| seconds).sum();
    let first = Marked {
        marks: marked.marks.iter().take(n_marks).cloned().collect(),
        ..Marked::default()
    };
    let before: f32 = first.pauses().iter().map(|(_, seconds)| seconds).sum();
    let u = byte as f32 / marked.text.len().max(1) as f32;
    (u * (duration - all).max(0.0) + before).min(duration)
}

/// Returns a warning that names the part of a text that is not pronounced, its script and the language. `None` if all of it
/// is pronounced, or it is silent on purpose.
pub(crate) fn warning(
    marked: &Marked,
    words: &[SpokenWord],
    reader: &Pronouncer,
) -> Option<String> {
    let text = marked.text.as_str();
    // The words are in text order.
    let mut next = words.iter().peekable();
    let unread = text.char_indices().find(|(at, c)| {
        while next.next_if(|word| word.range.end <= *at).is_some() {}
        let is_read = next.peek().is_some_and(|word| word.range.contains(at));
        c.is_alphabetic() && !is_read
    });
    let language = titled(&reader.language.name);
    let mut quoted: String = text.chars().take(MAX_QUOTED).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    let script = unread.map(|(_, c)| script_of(c).map_or("an unknown".into(), titled_script));
    Some(match (script, words.is_empty()) {
        (Some(script), true) => format!(
            "{quoted:?} is in {script} script, which {language} cannot pronounce: the caption is shown and the mouth \
             stays closed; set `language`, or add a recording"
        ),
        (Some(script), false) => {
            let from = unread.map_or(0, |(at, _)| at);
            let word = text.get(from..).unwrap_or_default();
            let word: String = word.chars().take_while(|c| c.is_alphanumeric()).collect();
            format!(
                "{word:?} is in {script} script, which {language} cannot pronounce; it is left out"
            )
        }
        (None, false) => return None,
        (None, true) if !text.is_empty() => format!(
            "{quoted:?} has only symbols (Common script), which {language} cannot pronounce: the caption is shown and \
             the mouth stays closed"
        ),
        (None, true) if marked.pauses().is_empty() => format!(
            "the line has marks but no text, so {language} has nothing to pronounce: the marks are played and the \
             mouth stays closed"
        ),
        (None, true) => return None,
    })
}

fn titled(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
