//! From a text to sounds: words, their pronunciations, and how long they take.
//!
//! English comes from a dictionary that a package brings (feature `dictionary`), which also knows numbers, abbreviations and
//! words that are read in two ways; what it lacks, and all of it without the feature, is read by rules of our own.

#[cfg(feature = "dictionary")]
mod dictionary;
pub mod ipa;
pub mod letters;
pub mod timing;
pub mod variants;

use std::ops::Range;

use super::phone::Phone;

/// A sound of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sound {
    /// Which.
    pub phone: Phone,
    /// It carries the main stress of its word.
    pub stressed: bool,
}

/// A word of a text, and how it is spoken.
#[derive(Clone, Debug, PartialEq)]
pub struct SpokenWord {
    /// As it is written.
    pub text: String,
    /// Where it stands in the text, bytes.
    pub range: Range<usize>,
    /// Its sounds; none for what cannot be spoken.
    pub sounds: Vec<Sound>,
    /// Seconds of silence behind it, by the punctuation there.
    pub pause: f32,
    /// Its sounds are guessed from its letters.
    pub guessed: bool,
}

impl SpokenWord {
    /// Its sounds without their stress.
    pub fn phones(&self) -> Vec<Phone> {
        self.sounds.iter().map(|sound| sound.phone).collect()
    }

    /// Number of its syllables.
    pub fn n_syllables(&self) -> usize {
        self.sounds
            .iter()
            .filter(|sound| sound.phone.is_vowel())
            .count()
    }
}

/// The words of a text in order. Nothing of it is an error: what cannot be spoken is left out.
pub fn spoken(text: &str) -> Vec<SpokenWord> {
    let mut words = pronounced(text);
    for word in &mut words {
        if word.sounds.is_empty() {
            word.sounds = letters::spell_or_read(&word.text);
            word.guessed = true;
        }
    }
    words.retain(|word| !word.sounds.is_empty());
    let ends: Vec<usize> = words
        .iter()
        .skip(1)
        .map(|word| word.range.start)
        .chain([text.len()])
        .collect();
    for (word, end) in words.iter_mut().zip(ends) {
        word.pause = pause(text.get(word.range.end..end).unwrap_or_default());
    }
    words
}

#[cfg(feature = "dictionary")]
fn pronounced(text: &str) -> Vec<SpokenWord> {
    dictionary::pronounced(text)
}

#[cfg(not(feature = "dictionary"))]
fn pronounced(text: &str) -> Vec<SpokenWord> {
    split(text)
}

/// Words by blanks and punctuation, without their sounds.
pub fn split(text: &str) -> Vec<SpokenWord> {
    let mut words = Vec::new();
    let mut start = None;
    let is_inside = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_inside(c)) {
            (None, true) => start = Some(i),
            (Some(from), false) => {
                if let Some(word) = text.get(from..i) {
                    let bare = word.trim_matches(['\'', '’']);
                    let skipped = word.len() - word.trim_start_matches(['\'', '’']).len();
                    let from = from + skipped;
                    if !bare.is_empty() {
                        words.push(SpokenWord {
                            text: bare.to_owned(),
                            range: from..from + bare.len(),
                            sounds: Vec::new(),
                            pause: 0.0,
                            guessed: false,
                        });
                    }
                }
                start = None;
            }
            _ => {}
        }
    }
    words
}

/// Seconds of silence that punctuation between two words stands for.
fn pause(between: &str) -> f32 {
    let of = |c: char| match c {
        '.' | '!' | '?' | '\n' => 0.45,
        '…' => 0.6,
        ';' | ':' => 0.32,
        '—' | '–' => 0.28,
        ',' | '(' | ')' => 0.2,
        '"' | '“' | '”' | '-' => 0.04,
        _ => 0.0,
    };
    let dots = between.matches('.').count();
    let most = between.chars().map(of).fold(0.0, f32::max);
    if dots >= 3 { 0.6 } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let words = spoken(text);
        let phones = words.iter().map(|word| {
            let names: Vec<&str> = word.sounds.iter().map(|s| s.phone.name()).collect();
            names.join(" ")
        });
        phones.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    #[cfg(feature = "dictionary")]
    fn words_numbers_and_abbreviations_are_read_as_people_do() {
        assert_eq!(read("Oh, it is you."), "OW | IH T | IH Z | Y UW");
        assert_eq!(read("Dr. Smith"), "D AA K T ER | S M IH TH");
        assert_eq!(read("I read 3 books"), "AY | R EH D | TH R IY | B UH K S");
        assert!(
            read("in 1984").ends_with("N AY N T IY N EY T IY F AO R"),
            "{}",
            read("in 1984")
        );
        assert!(!read("well-kept").is_empty());
        let words = spoken("Oh, don't you think, Galatea?");
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["Oh", "don't", "you", "think", "Galatea"]);
        assert!(words.iter().all(|word| !word.guessed));
        let pauses: Vec<f32> = words.iter().map(|word| word.pause).collect();
        assert_eq!(pauses, [0.2, 0.0, 0.0, 0.2, 0.45]);
    }

    #[test]
    fn words_stand_where_they_are_written_and_unknown_ones_are_guessed() {
        let text = "Zorbix, the “grelfing” 'tis 😀 été!";
        let words = spoken(text);
        for word in &words {
            assert_eq!(text.get(word.range.clone()), Some(word.text.as_str()));
            assert!(
                word.sounds.iter().filter(|s| s.stressed).count() <= 1,
                "{word:?}"
            );
        }
        assert!(words[0].guessed && words.len() >= 4);
        assert_eq!(words.first().map(|w| w.pause), Some(0.2));
        assert!(spoken("").is_empty() && spoken("…!?").is_empty());
        assert_eq!(pause("... "), 0.6);
    }
}
