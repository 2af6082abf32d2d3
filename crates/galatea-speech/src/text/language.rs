//! Languages: letter-to-phone rules, stress, numbers and abbreviations.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::WordPhoneme;
use super::accents;
use super::forms::TextForms;
use super::languages::SOURCES;
use super::lexicon::{Pronunciation, small};
use super::rules::{Alphabet, LetterRules, Rule};
use super::source::LanguageSource;
pub use super::source::Numbers;
use galatea_math::names::nearest_hint;

/// A language that texts can be read in.
#[derive(Clone, Debug)]
pub struct Language {
    /// Code: "en", "es", "es-419"; for a script's own language, its name.
    pub code: String,
    /// Name, for example "english".
    pub name: String,
    /// Other names, in lower case.
    names: Vec<String>,
    /// Letter-to-phone rules.
    pub rules: LetterRules,
    words: HashMap<String, Vec<WordPhoneme>>,
    letters: Vec<Vec<WordPhoneme>>,
    /// Loanwords, with or without their accents; checked before a dictionary.
    accented: HashMap<String, Vec<WordPhoneme>>,
    /// Interjections by their letters without repetitions; with a dash, syllables of a laugh.
    interjections: HashMap<String, Vec<WordPhoneme>>,
    /// Tables for symbols, units and abbreviations.
    pub(crate) forms: &'static TextForms,
    /// Abbreviations and the text they stand for.
    abbreviations: HashMap<String, String>,
    /// Reading of numbers.
    pub numbers: Numbers,
    /// Words for 0 to 9; if set, numbers are read digit by digit.
    digits: Vec<String>,
    /// Parts of a word before an apostrophe are read separately.
    pub elides: bool,
    /// Defined by a script; its rules have priority over a dictionary.
    pub is_own: bool,
}

/// Definition of a language by a script, also as an extension of an existing one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnLanguage {
    /// Rules: left context, letters, right context, phones. They are checked before those of the base.
    pub rules: Vec<[String; 4]>,
    /// Stress table as in [`LetterRules::parsed`], or "first", "last", "penultimate", "antepenultimate", "none".
    pub stress: Option<String>,
    /// Vowel letters; the default is those of the base, or a, e, i, o, u.
    pub vowels: Option<String>,
    /// Words for 0 to 9.
    pub digits: Vec<String>,
}

/// Returns all built-in languages.
pub fn languages() -> &'static [Arc<Language>] {
    static ALL: OnceLock<Vec<Arc<Language>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<Arc<Language>> = Vec::new();
        for source in SOURCES {
            let base = source.base.and_then(|code| found(&all, code)).cloned();
            match Language::of_source(source, base.as_deref()) {
                Ok(language) => all.push(Arc::new(language)),
                // A test checks every table, so an invalid one never gets here.
                Err(error) => tracing::error!("language {}: {error}", source.code),
            }
        }
        all
    })
}

/// Returns English.
pub fn english() -> Arc<Language> {
    let all = languages();
    all.first()
        .cloned()
        .unwrap_or_else(|| Arc::new(Language::empty("en")))
}

/// Finds a language by its code or one of the names, in any case; `own` is searched first.
///
/// # Errors
/// Returns a message with the most similar name.
pub fn language(name: &str, own: &[Arc<Language>]) -> Result<Arc<Language>, String> {
    let known = found(own, name).or_else(|| found(languages(), name));
    known.cloned().ok_or_else(|| {
        let all = own.iter().chain(languages());
        let names = all.flat_map(|language| [language.code.as_str(), language.name.as_str()]);
        format!(
            "unknown language {name:?}{}",
            nearest_hint(&small(name), names)
        )
    })
}

fn found<'a>(all: &'a [Arc<Language>], name: &str) -> Option<&'a Arc<Language>> {
    let name = small(name.trim());
    let matches =
        |language: &&Arc<Language>| small(&language.code) == name || language.names.contains(&name);
    let exact = all.iter().find(matches);
    // "de-AT", "fr_CA": an unknown region falls back to the language.
    exact.or_else(|| {
        let (bare, _) = name.split_once(['-', '_'])?;
        all.iter().find(|language| language.code == bare)
    })
}

impl Language {
    fn empty(name: &str) -> Self {
        Self {
            code: name.to_owned(),
            name: name.to_owned(),
            names: Vec::new(),
            rules: LetterRules::default(),
            words: HashMap::new(),
            letters: Vec::new(),
            accented: HashMap::new(),
            interjections: HashMap::new(),
            forms: &TextForms::NONE,
            abbreviations: HashMap::new(),
            numbers: Numbers::NONE,
            digits: Vec::new(),
            elides: false,
            is_own: false,
        }
    }

    fn of_source(source: &LanguageSource, base: Option<&Self>) -> Result<Self, String> {
        let mut language = base.cloned().unwrap_or_else(|| Self::empty(source.code));
        language.code = source.code.to_owned();
        language.names = source.names.iter().map(|name| (*name).to_owned()).collect();
        language.name = language.names.first().cloned().unwrap_or_default();
        let alphabet = match base {
            Some(base) => base.rules.alphabet.clone(),
            None => Alphabet::new(source.vowels, source.front, source.endings),
        };
        let mut rules = LetterRules::parsed(alphabet, "", source.stress)?;
        for table in source.rules {
            rules.add_table(table)?;
        }
        if let Some(base) = base {
            rules.add_all(&base.rules);
        }
        language.rules = rules;
        let entries = |table: &'static str| {
            let all = table.split(';').map(str::trim);
            all.filter(|entry| !entry.is_empty())
        };
        for (table, words) in [
            (source.words, &mut language.words),
            (source.accented, &mut language.accented),
            (source.forms.interjections, &mut language.interjections),
        ] {
            for entry in entries(table) {
                let (word, sounds) = entry
                    .split_once(' ')
                    .ok_or_else(|| format!("{entry:?} has no phonemes"))?;
                if let Pronunciation::Sounds(sounds) = Pronunciation::parsed(sounds)? {
                    words.insert(word.to_owned(), sounds);
                }
            }
        }
        for entry in entries(source.letters) {
            let sounds = match Pronunciation::parsed(entry)? {
                Pronunciation::Sounds(sounds) => sounds,
                Pronunciation::Like(text) => {
                    let letters = language.rules.letters(&text);
                    language.rules.read(&letters)
                }
            };
            language.letters.push(sounds);
        }
        for entry in entries(source.abbreviations) {
            if let Some((short, long)) = entry.split_once(' ') {
                let (short, long) = (short.to_owned(), long.to_owned());
                language.abbreviations.insert(short, long);
            }
        }
        if base.is_none() {
            language.numbers = source.numbers;
            language.elides = source.elides;
            language.forms = source.forms;
        }
        Ok(language)
    }

    /// Creates a script's own language, or an existing one with additional rules before its own. Without a base, letters
    /// without a rule are silent.
    ///
    /// # Errors
    /// Returns a message that names the invalid rule, phone or word.
    pub fn own(name: &str, base: Option<&Self>, definition: &OwnLanguage) -> Result<Self, String> {
        let mut language = base.cloned().unwrap_or_else(|| Self::empty(name));
        let is_same = base.is_some_and(|base| base.code == name);
        if !is_same {
            (language.code, language.name) = (name.to_owned(), small(name));
            language.names = vec![small(name)];
        }
        let alphabet = match (&definition.vowels, base) {
            (Some(vowels), _) => Alphabet::new(&small(vowels), "eiy", ""),
            (None, Some(base)) => base.rules.alphabet.clone(),
            (None, None) => Alphabet::new("aeiou", "eiy", ""),
        };
        let stress = match definition.stress.as_deref() {
            None if base.is_some() => "",
            None | Some("first") => "1",
            Some("last") => "-1",
            Some("penultimate") => "-2",
            Some("antepenultimate") => "-3",
            Some("none") => "0",
            Some(table) if table.contains(|c: char| c.is_ascii_digit()) => table,
            Some(word) => {
                let words = ["first", "last", "penultimate", "antepenultimate", "none"];
                return Err(format!(
                    "unknown stress {word:?}{}",
                    nearest_hint(word, words.into_iter())
                ));
            }
        };
        let mut rules = LetterRules::parsed(alphabet, "", stress)?;
        for [left, letters, right, sounds] in &definition.rules {
            rules.add(Rule::new(left, letters, right, sounds)?);
        }
        if let Some(base) = base {
            rules.add_all(&base.rules);
        }
        // The script's rules have priority over the word list of the base.
        if !definition.rules.is_empty() && !is_same {
            language.words.clear();
        }
        language.rules = rules;
        language.is_own = !is_same;
        if !definition.digits.is_empty() {
            if definition.digits.len() != 10 {
                return Err(format!(
                    "digits must be ten words, got {}",
                    definition.digits.len()
                ));
            }
            language.digits.clone_from(&definition.digits);
        }
        Ok(language)
    }

    /// Returns the phones of a word that the rules read wrong.
    pub fn word(&self, word: &str) -> Option<&[WordPhoneme]> {
        self.words.get(&small(word)).map(Vec::as_slice)
    }

    /// Returns the phones of a loanword, with or without its accents.
    pub(crate) fn accented(&self, word: &str) -> Option<&[WordPhoneme]> {
        let composed = accents::composed(word);
        let known = |word: &str| self.accented.get(word).map(Vec::as_slice);
        known(&composed).or_else(|| known(&accents::without(&composed)?))
    }

    /// Returns the phones of an interjection such as "Shhh" or "brr".
    pub(crate) fn interjection(&self, word: &str) -> Option<Vec<WordPhoneme>> {
        let mut letters = small(word).chars().collect::<Vec<char>>();
        // "Hahaha" repeats its first two letters.
        let pair: String = letters.iter().take(2).chain(&['-']).collect();
        let is_laugh = letters.len() > 3
            && letters
                .iter()
                .enumerate()
                .all(|(i, c)| *c == letters[i % 2]);
        if let Some(laugh) = self.interjections.get(&pair).filter(|_| is_laugh) {
            return Some(laugh.repeat(letters.len() / 2));
        }
        letters.dedup();
        // A single "M" is a letter.
        let is_long = letters.len() > 1 || word.chars().nth(1).is_some();
        let found = self.interjections.get(&letters.iter().collect::<String>());
        found.filter(|_| is_long).cloned()
    }

    /// Returns the text for an abbreviation.
    pub(crate) fn abbreviation(&self, word: &str) -> Option<&str> {
        self.abbreviations.get(&small(word)).map(String::as_str)
    }

    /// Returns a whole number in words.
    pub(crate) fn cardinal(&self, n: u64) -> String {
        if self.digits.is_empty() {
            return (self.numbers.cardinal)(n);
        }
        self.digit_by_digit(&n.to_string())
    }

    /// Returns digits in words, one by one.
    pub(crate) fn digit_by_digit(&self, digits: &str) -> String {
        let digits = digits.chars().filter_map(|c| c.to_digit(10));
        let words = digits.map(|d| match self.digits.get(d as usize) {
            Some(word) => word.clone(),
            None => (self.numbers.cardinal)(u64::from(d)),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Spells a word letter by letter; uses the rules if the language has no letter names.
    pub(crate) fn spelt(&self, word: &str) -> Vec<WordPhoneme> {
        let letters = self.rules.letters(word);
        if self.letters.is_empty() {
            return self.rules.read(&letters);
        }
        let names = word.chars().flat_map(char::to_lowercase).filter_map(|c| {
            let i = (c as u32).checked_sub('a' as u32)?;
            self.letters.get(i as usize)
        });
        one_stress(names.flatten().copied().collect())
    }

    /// Reads a word by its letters; a word without vowels is spelt.
    pub fn read(&self, word: &str) -> Vec<WordPhoneme> {
        let letters = self.rules.letters(word);
        if letters.len() > 1 || self.letters.is_empty() || self.rules.has_vowel(&letters) {
            let is_spelt = !self.letters.is_empty() && !self.rules.has_vowel(&letters);
            if !is_spelt {
                return self.rules.read(&letters);
            }
        }
        self.spelt(word)
    }
}

/// Keeps only the last of several stresses.
pub(super) fn one_stress(mut sounds: Vec<WordPhoneme>) -> Vec<WordPhoneme> {
    if let Some(last) = sounds.iter().rposition(|sound| sound.stressed) {
        for sound in sounds.iter_mut().take(last) {
            sound.stressed = false;
        }
    }
    sounds
}
