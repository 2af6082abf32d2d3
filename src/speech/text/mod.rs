//! From a text to sounds: words, their pronunciations, and how long they take.
//!
//! A word of one's own goes first. English then comes from a dictionary that a package brings (feature `dictionary`), which also
//! knows numbers, abbreviations and words that are read in two ways; what it lacks, all of it without the feature, and all
//! other languages are read by rules of our own.

#[cfg(feature = "dictionary")]
mod dictionary;
pub mod ipa;
pub mod language;
mod languages;
pub mod lexicon;
pub mod rules;
pub mod timing;
pub mod tokens;
pub mod variants;

use std::ops::Range;
use std::sync::Arc;

use language::{Language, english, one_stress};
use lexicon::{Lexicon, Pronunciation};
use tokens::{Says, Token, tokens};

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

/// Who reads a text: in which language, with which words of one's own.
#[derive(Clone, Debug)]
pub struct Reader {
    /// Whose rules.
    pub language: Arc<Language>,
    /// They go before the dictionary and the rules.
    pub lexicon: Arc<Lexicon>,
}

impl Default for Reader {
    /// English, without words of one's own.
    fn default() -> Self {
        Self {
            language: english(),
            lexicon: Arc::default(),
        }
    }
}

/// Spellings of words that stand for spellings of words.
const DEEPEST: usize = 3;

/// The words of an English text in order. Nothing of it is an error: what cannot be spoken is left out.
pub fn spoken(text: &str) -> Vec<SpokenWord> {
    Reader::default().spoken(text)
}

impl Reader {
    /// The words of a text in order. Nothing of it is an error: what cannot be spoken is left out.
    pub fn spoken(&self, text: &str) -> Vec<SpokenWord> {
        match self.by_dictionary(text) {
            Some(words) => with_pauses(text, self.with_own(text, words)),
            None => self.spoken_by_rules(text),
        }
    }

    /// The same without the dictionary, whether there is one or not.
    pub fn spoken_by_rules(&self, text: &str) -> Vec<SpokenWord> {
        let found = tokens(text, &self.language);
        let words = found.iter().map(|token| self.word(text, token));
        with_pauses(text, words.collect())
    }

    #[cfg(feature = "dictionary")]
    fn by_dictionary(&self, text: &str) -> Option<Vec<SpokenWord>> {
        let is_its = self.language.code == "en" && !self.language.is_own;
        is_its.then(|| dictionary::pronounced(text)).flatten()
    }

    #[cfg(not(feature = "dictionary"))]
    fn by_dictionary(&self, _: &str) -> Option<Vec<SpokenWord>> {
        None
    }

    /// The dictionary's words, with one's own in place of those that stand there, and others read by rules.
    fn with_own(&self, text: &str, words: Vec<SpokenWord>) -> Vec<SpokenWord> {
        let mut out: Vec<SpokenWord> = Vec::with_capacity(words.len());
        if !self.lexicon.is_empty() {
            let found = tokens(text, &self.language);
            let own = found.iter().filter(|token| token.says != Says::Letters);
            let own = own.filter_map(|token| {
                let sounds = self.own(text.get(token.range.clone())?, 0)?;
                Some(spoken_word(text, token.range.clone(), sounds, false))
            });
            out.extend(own);
        }
        let n_own = out.len();
        for mut word in words {
            let own = out.get(..n_own).unwrap_or_default();
            let is_own = |own: &SpokenWord| {
                own.range.start < word.range.end && word.range.start < own.range.end
            };
            if own.iter().any(is_own) {
                continue;
            }
            if word.sounds.is_empty() {
                word.sounds = self.parts(&word.text, 0);
                word.guessed = true;
            }
            out.push(word);
        }
        out.sort_by_key(|word| word.range.start);
        out
    }

    fn word(&self, text: &str, token: &Token) -> SpokenWord {
        let written = text.get(token.range.clone()).unwrap_or_default();
        let (sounds, guessed) = match &token.says {
            Says::Word => match self.known(written, 0) {
                Some(sounds) => (sounds, false),
                None => (self.guessed(written), true),
            },
            Says::Text(words) => (self.parts(words, 0), false),
            Says::Letters => match self.own(written, 0) {
                Some(sounds) => (sounds, false),
                None => (self.language.spelt(written), false),
            },
        };
        spoken_word(text, token.range.clone(), sounds, guessed)
    }

    /// A word of one's own; English ones also with an s that is somebody's.
    fn own(&self, word: &str, depth: usize) -> Option<Vec<Sound>> {
        let code = &self.language.code;
        let says = |word: &str| {
            Some(match self.lexicon.get(code, word)? {
                Pronunciation::Sounds(sounds) => sounds.clone(),
                Pronunciation::Like(text) if depth < DEEPEST => self.parts(text, depth + 1),
                Pronunciation::Like(_) => return None,
            })
        };
        says(word).or_else(|| {
            let mut sounds = says(self.owner(word)?)?;
            sounds.extend(possessive(sounds.last().map(|sound| sound.phone)));
            Some(sounds)
        })
    }

    /// A word that somebody has written down: one's own, or an irregular one of the language.
    fn known(&self, word: &str, depth: usize) -> Option<Vec<Sound>> {
        let irregular = || self.language.word(word).map(<[Sound]>::to_vec);
        self.own(word, depth).or_else(irregular)
    }

    fn guessed(&self, word: &str) -> Vec<Sound> {
        if self.language.elides
            && let Some(at) = word.find(['\'', '’'])
            && let (Some(before), Some(after)) = (word.get(..at), word.get(at..))
        {
            let after = after.trim_start_matches(['\'', '’']);
            let rules = &self.language.rules;
            // It is no word's end.
            let mut sounds = rules.read(&rules.letters(&format!("{before}'")));
            for sound in &mut sounds {
                sound.stressed = false;
            }
            let rest = self.known(after, DEEPEST);
            sounds.extend(rest.unwrap_or_else(|| self.language.read(after)));
            return sounds;
        }
        if let Some(bare) = self.owner(word) {
            let mut sounds = self.language.word(bare).map(<[Sound]>::to_vec);
            let sounds = sounds.get_or_insert_with(|| self.language.read(bare));
            sounds.extend(possessive(sounds.last().map(|sound| sound.phone)));
            return std::mem::take(sounds);
        }
        self.language.read(word)
    }

    /// The word before an English s that is somebody's; before one of many, where the word alone is irregular.
    fn owner<'a>(&self, word: &'a str) -> Option<&'a str> {
        let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
        let irregular = |bare: &&str| self.language.word(bare).is_some();
        let many = || word.strip_suffix('s').filter(irregular);
        let bare = bare.or_else(many);
        bare.filter(|bare| self.language.code == "en" && !bare.is_empty())
    }

    /// Several words that are spoken as one.
    fn parts(&self, text: &str, depth: usize) -> Vec<Sound> {
        let mut sounds = Vec::new();
        for token in tokens(text, &self.language).iter().take(64) {
            let word = text.get(token.range.clone()).unwrap_or_default();
            let own = match &token.says {
                Says::Word => self
                    .known(word, depth)
                    .unwrap_or_else(|| self.guessed(word)),
                Says::Letters => self.language.spelt(word),
                Says::Text(more) if depth < DEEPEST => self.parts(more, depth + 1),
                Says::Text(_) => Vec::new(),
            };
            sounds.extend(own);
        }
        one_stress(sounds)
    }
}

/// Words that can be spoken, with the silence behind each.
fn with_pauses(text: &str, mut words: Vec<SpokenWord>) -> Vec<SpokenWord> {
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

fn spoken_word(text: &str, range: Range<usize>, sounds: Vec<Sound>, guessed: bool) -> SpokenWord {
    SpokenWord {
        text: text.get(range.clone()).unwrap_or_default().to_owned(),
        range,
        sounds,
        pause: 0.0,
        guessed,
    }
}

/// What an s says behind a sound.
fn possessive(last: Option<Phone>) -> Vec<Sound> {
    use Phone::{AH, CH, F, IH, JH, K, P, S, SH, T, TH, Z, ZH};
    let phones: &[Phone] = match last.unwrap_or(AH) {
        S | Z | SH | ZH | CH | JH => &[IH, Z],
        P | T | K | F | TH => &[S],
        _ => &[Z],
    };
    let all = phones.iter();
    all.map(|phone| Sound {
        phone: *phone,
        stressed: false,
    })
    .collect()
}

/// Seconds of silence that punctuation between two words stands for.
fn pause(between: &str) -> f32 {
    let of = |c: char| match c {
        '.' | '!' | '?' | '\n' | '。' | '！' | '？' => 0.45,
        '…' => 0.6,
        ';' | ':' => 0.32,
        '—' | '–' => 0.28,
        ',' | '(' | ')' | '、' | '，' | '「' | '」' => 0.2,
        '"' | '“' | '”' | '„' | '«' | '»' | '-' => 0.04,
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
