//! Text to phones: words, their pronunciation, and their durations.
//!
//! A custom lexicon has priority. English uses the installed [`dictionary`] next; the sentence decides between several
//! pronunciations of a word. Rules pronounce everything else: unknown words, all words where no dictionary is installed,
//! and other languages.

mod accents;
mod addresses;
mod arpabet;
mod characters;
mod dates;
pub mod dictionary;
mod forms;
pub mod ipa;
pub mod language;
mod languages;
pub mod lexicon;
mod numbers;
pub mod rules;
pub mod scripts;
mod signs;
mod source;
pub mod timing;
pub mod tokens;
pub mod variants;

use std::ops::Range;
use std::sync::Arc;

use language::{Language, english, one_stress};
use lexicon::{Lexicon, Pronunciation};
use tokens::{SpeechToken, TokenReading, tokens};

use super::phoneme::Phoneme;

/// A phone of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordPhoneme {
    /// The phone.
    pub phoneme: Phoneme,
    /// True for the vowel with the word's main stress.
    pub stressed: bool,
}

/// A word of a text and its pronunciation.
#[derive(Clone, Debug, PartialEq)]
pub struct SpokenWord {
    /// The word as written.
    pub text: String,
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Phones of the word; empty if it cannot be spoken.
    pub sounds: Vec<WordPhoneme>,
    /// Pause after it in seconds, from the punctuation.
    pub pause: f32,
    /// True if the pronunciation was guessed from its letters.
    pub guessed: bool,
}

impl SpokenWord {
    /// Phones of the word, without stress.
    pub fn phonemes(&self) -> Vec<Phoneme> {
        self.sounds.iter().map(|sound| sound.phoneme).collect()
    }

    /// Number of the syllables.
    pub(crate) fn n_syllables(&self) -> usize {
        self.sounds
            .iter()
            .filter(|sound| sound.phoneme.is_vowel())
            .count()
    }
}

/// Settings for pronunciation: the language and a custom lexicon.
#[derive(Clone, Debug)]
pub struct Pronouncer {
    /// The language, with its rules.
    pub language: Arc<Language>,
    /// Custom pronunciations, which take priority over dictionary and rules.
    pub lexicon: Arc<Lexicon>,
}

impl Default for Pronouncer {
    /// English without a custom lexicon.
    fn default() -> Self {
        Self {
            language: english(),
            lexicon: Arc::default(),
        }
    }
}

/// Maximum depth of respellings that refer to other respellings.
const MAX_DEPTH: usize = 3;

/// Pronounces an English text. Never fails: skips what cannot be spoken.
pub fn spoken(text: &str) -> Vec<SpokenWord> {
    Pronouncer::default().spoken(text)
}

impl Pronouncer {
    /// Pronounces a text. Never fails: skips what cannot be spoken.
    pub fn spoken(&self, text: &str) -> Vec<SpokenWord> {
        let use_dictionary = self.language.code == "en" && !self.language.is_own;
        TextReading {
            pronouncer: self,
            use_dictionary,
        }
        .words(text)
    }

    /// Pronounces a text by rules only, without the dictionary.
    pub fn spoken_by_rules(&self, text: &str) -> Vec<SpokenWord> {
        let use_dictionary = false;
        TextReading {
            pronouncer: self,
            use_dictionary,
        }
        .words(text)
    }
}

/// A text being read.
#[derive(Clone, Copy)]
struct TextReading<'a> {
    pronouncer: &'a Pronouncer,
    /// Uses the dictionary.
    use_dictionary: bool,
}

impl TextReading<'_> {
    fn words(&self, text: &str) -> Vec<SpokenWord> {
        let found = tokens(text, &self.pronouncer.language);
        let words = (0..found.len()).map(|i| self.word(text, &found, i));
        with_pauses(text, words.collect())
    }

    fn word(&self, text: &str, all: &[SpeechToken], i: usize) -> SpokenWord {
        let token = &all[i];
        let written = text.get(token.range.clone()).unwrap_or_default();
        let (sounds, guessed) = match &token.reading {
            TokenReading::Word => match self.known(written, &around(text, all, i), 0) {
                Some(sounds) => (sounds, false),
                None => (self.guessed(written), true),
            },
            TokenReading::Text(words) => (self.parts(words, 0, &around(text, all, i)), false),
            TokenReading::Letters => match self.own(written, 0) {
                Some(sounds) => (sounds, false),
                None => (self.spelt(written), false),
            },
        };
        spoken_word(text, token.range.clone(), sounds, guessed)
    }

    /// Spells a word letter by letter; a lower-case s after capitals is an ending.
    fn spelt(&self, word: &str) -> Vec<WordPhoneme> {
        let capitals = tokens::capitals(word);
        let mut sounds = self.pronouncer.language.spelt(capitals);
        if capitals != word {
            sounds.extend(possessive(sounds.last().map(|sound| sound.phoneme)));
        }
        sounds
    }

    /// Looks up the custom lexicon; for English words also without a possessive s.
    fn own(&self, word: &str, depth: usize) -> Option<Vec<WordPhoneme>> {
        let code = &self.pronouncer.language.code;
        let says = |word: &str| {
            Some(match self.pronouncer.lexicon.get(code, word)? {
                Pronunciation::Sounds(sounds) => sounds.clone(),
                Pronunciation::Like(text) if depth < MAX_DEPTH => {
                    self.parts(text, depth + 1, &WordContext::default())
                }
                Pronunciation::Like(_) => return None,
            })
        };
        says(word).or_else(|| {
            let mut sounds = says(self.owner(word)?)?;
            sounds.extend(possessive(sounds.last().map(|sound| sound.phoneme)));
            Some(sounds)
        })
    }

    /// Looks up a word in the custom lexicon, the dictionary and the language's irregular words. A letter that is repeated
    /// for emphasis ("Nooo") counts once or twice.
    fn known(
        &self,
        word: &str,
        around: &WordContext<'_>,
        depth: usize,
    ) -> Option<Vec<WordPhoneme>> {
        let shorter = [2, 1].map(|n| shortened(word, n));
        let mut shorter = shorter.iter().flatten();
        let found = shorter.find_map(|word| self.listed(word, around, depth));
        found.or_else(|| self.listed(word, around, depth))
    }

    fn listed(
        &self,
        word: &str,
        around: &WordContext<'_>,
        depth: usize,
    ) -> Option<Vec<WordPhoneme>> {
        let language = &self.pronouncer.language;
        let interjection = || language.interjection(word);
        let irregular = || language.word(word).map(<[WordPhoneme]>::to_vec);
        self.own(word, depth)
            .or_else(interjection)
            .or_else(|| self.accented(word))
            .or_else(|| self.in_dictionary(word, around))
            .or_else(irregular)
    }

    /// Looks up a loanword, also with an English s.
    fn accented(&self, word: &str) -> Option<Vec<WordPhoneme>> {
        let known = |word: &str| {
            self.pronouncer
                .language
                .accented(word)
                .map(<[WordPhoneme]>::to_vec)
        };
        known(word).or_else(|| {
            let stems = ["'s", "’s", "s"].map(|end| word.strip_suffix(end));
            let mut sounds = stems.into_iter().flatten().find_map(known)?;
            sounds.extend(possessive(sounds.last().map(|sound| sound.phoneme)));
            Some(sounds)
        })
    }

    /// Looks up the dictionary, which has no accents. A word that ends with é must end with that vowel there too.
    fn in_dictionary(&self, word: &str, around: &WordContext<'_>) -> Option<Vec<WordPhoneme>> {
        if !self.use_dictionary {
            return None;
        }
        let Some(plain) = accents::without(word) else {
            return dictionary::sounds(word, around);
        };
        let sounds = dictionary::sounds(&plain, around)?;
        let composed = accents::composed(word);
        let stem = composed.strip_suffix('s').unwrap_or(&composed);
        let ends_with_e = stem.ends_with('é') || stem.ends_with("ée");
        let mut last = sounds.iter().rev().map(|sound| sound.phoneme);
        (!ends_with_e || last.find(|phone| *phone != Phoneme::Z) == Some(Phoneme::EY))
            .then_some(sounds)
    }

    fn guessed(&self, word: &str) -> Vec<WordPhoneme> {
        let shorter = shortened(word, 1);
        let word = shorter.as_deref().unwrap_or(word);
        let is_english = self.pronouncer.language.code == "en";
        // "iPhone"
        let apart = addresses::in_words(word);
        if is_english && apart.contains(' ') {
            return self.parts(&apart, MAX_DEPTH, &WordContext::default());
        }
        let plain = word
            .replace(['ä', 'Ä'], "a")
            .replace(['ö', 'Ö'], "o")
            .replace(['ü', 'Ü'], "u");
        let word = if is_english { plain.as_str() } else { word };
        if self.pronouncer.language.elides
            && let Some(at) = word.find(['\'', '’'])
            && let (Some(before), Some(after)) = (word.get(..at), word.get(at..))
        {
            let after = after.trim_start_matches(['\'', '’']);
            let rules = &self.pronouncer.language.rules;
            // The apostrophe prevents the rules for word ends.
            let mut sounds = rules.read(&rules.letters(&format!("{before}'")));
            for sound in &mut sounds {
                sound.stressed = false;
            }
            let rest = self.known(after, &WordContext::default(), MAX_DEPTH);
            sounds.extend(rest.unwrap_or_else(|| self.pronouncer.language.read(after)));
            return sounds;
        }
        if let Some(bare) = self.owner(word) {
            let mut sounds = self
                .pronouncer
                .language
                .word(bare)
                .map(<[WordPhoneme]>::to_vec);
            let sounds = sounds.get_or_insert_with(|| self.pronouncer.language.read(bare));
            sounds.extend(possessive(sounds.last().map(|sound| sound.phoneme)));
            return std::mem::take(sounds);
        }
        self.pronouncer.language.read(word)
    }

    /// Returns the word before an English possessive s, or before a plural s if the word alone is irregular.
    fn owner<'a>(&self, word: &'a str) -> Option<&'a str> {
        let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
        let irregular = |bare: &&str| self.pronouncer.language.word(bare).is_some();
        let many = || word.strip_suffix('s').filter(irregular);
        let bare = bare.or_else(many);
        bare.filter(|bare| self.pronouncer.language.code == "en" && !bare.is_empty())
    }

    /// Reads several words that are pronounced as one, between the words around them.
    fn parts(&self, text: &str, depth: usize, outer: &WordContext<'_>) -> Vec<WordPhoneme> {
        let mut sounds = Vec::new();
        let found = tokens(text, &self.pronouncer.language);
        for (i, token) in found.iter().enumerate().take(64) {
            let word = text.get(token.range.clone()).unwrap_or_default();
            let mut own_context = around(text, &found, i);
            if i == 0 {
                own_context.before = outer.before;
            }
            own_context.after = own_context.after.or(outer.after);
            let own = match &token.reading {
                TokenReading::Word => self
                    .known(word, &own_context, depth)
                    .unwrap_or_else(|| self.guessed(word)),
                TokenReading::Letters => self.spelt(word),
                TokenReading::Text(more) if depth < MAX_DEPTH => {
                    self.parts(more, depth + 1, &own_context)
                }
                TokenReading::Text(_) => Vec::new(),
            };
            sounds.extend(own);
        }
        one_stress(sounds)
    }
}

/// Context of a word.
#[derive(Clone, Copy, Debug, Default)]
struct WordContext<'a> {
    /// The previous word and the one before it; `None` across punctuation with a pause.
    before: [Option<&'a str>; 2],
    /// The next word.
    after: Option<&'a str>,
}

fn around<'a>(text: &'a str, all: &'a [SpeechToken], i: usize) -> WordContext<'a> {
    let word = |i: usize| {
        let token = all.get(i)?;
        let written = text.get(token.range.clone())?;
        Some((token, written))
    };
    let is_separated = |i: usize| {
        let ends = (
            all.get(i).map(|t| t.range.end),
            all.get(i + 1).map(|t| t.range.start),
        );
        let between = match ends {
            (Some(from), Some(to)) => text.get(from..to).unwrap_or_default(),
            _ => "",
        };
        pause(between) > 0.1
    };
    let back = |n: usize| {
        let at = i.checked_sub(n)?;
        let separated = (at..i).any(is_separated);
        let (token, written) = word(at).filter(|_| !separated)?;
        match &token.reading {
            TokenReading::Text(words) => words.split_whitespace().next_back(),
            _ => Some(written),
        }
    };
    let next = || {
        let (token, written) = word(i + 1).filter(|_| !is_separated(i))?;
        match &token.reading {
            TokenReading::Text(words) => words.split_whitespace().next(),
            // "an F": the name of the letter begins with a vowel.
            TokenReading::Letters
                if written.starts_with(['F', 'H', 'L', 'M', 'N', 'R', 'S', 'X']) =>
            {
                Some("e")
            }
            TokenReading::Letters if written.starts_with('U') => Some("you"),
            _ => Some(written),
        }
    };
    WordContext {
        before: [back(1), back(2)],
        after: next(),
    }
}

/// Shortens runs of a letter to at most `n`; `None` if no letter is repeated three times or more. A word of only one letter
/// ("www") is not shortened.
fn shortened(word: &str, n: usize) -> Option<String> {
    let is_same = |a: &char, b: &char| a.to_lowercase().eq(b.to_lowercase());
    let letters: Vec<char> = word.chars().collect();
    let runs: Vec<&[char]> = letters.chunk_by(is_same).collect();
    let is_long = |run: &&[char]| run.len() > 2 && run[0].is_alphabetic();
    if runs.len() < 2 || !runs.iter().any(is_long) {
        return None;
    }
    let short = runs.iter().flat_map(|run| {
        let n = if is_long(run) { n } else { run.len() };
        run.iter().take(n)
    });
    Some(short.collect())
}

/// Keeps the words that can be spoken, and sets the pause after each.
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

fn spoken_word(
    text: &str,
    range: Range<usize>,
    sounds: Vec<WordPhoneme>,
    guessed: bool,
) -> SpokenWord {
    SpokenWord {
        text: text.get(range.clone()).unwrap_or_default().to_owned(),
        range,
        sounds,
        pause: 0.0,
        guessed,
    }
}

/// Returns the pronunciation of a possessive or plural s after a phone.
fn possessive(last: Option<Phoneme>) -> Vec<WordPhoneme> {
    use Phoneme::{AH, CH, F, IH, JH, K, P, S, SH, T, TH, Z, ZH};
    let phones: &[Phoneme] = match last.unwrap_or(AH) {
        S | Z | SH | ZH | CH | JH => &[IH, Z],
        P | T | K | F | TH => &[S],
        _ => &[Z],
    };
    let all = phones.iter();
    all.map(|phone| WordPhoneme {
        phoneme: *phone,
        stressed: false,
    })
    .collect()
}

/// Returns the pause for the punctuation between two words, seconds.
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
    let longest = between.chars().map(of).fold(0.0, f32::max);
    if dots >= 3 { 0.6 } else { longest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let words = spoken(text);
        let phones = words.iter().map(|word| {
            let names: Vec<&str> = word.sounds.iter().map(|s| s.phoneme.name()).collect();
            names.join(" ")
        });
        phones.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn words_numbers_and_abbreviations_are_read_as_people_would() {
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
    fn words_have_correct_ranges_and_unknown_words_are_guessed() {
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
