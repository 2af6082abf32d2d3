//! Languages: whose letters say what, which syllable carries the stress, how numbers and abbreviations are read.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::WordPhone;
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
    /// "en", "es", "es-419"; of one's own, its name.
    pub code: String,
    /// "english".
    pub name: String,
    /// Other names, in small letters.
    names: Vec<String>,
    /// Letters to sounds.
    pub rules: LetterRules,
    words: HashMap<String, Vec<WordPhone>>,
    letters: Vec<Vec<WordPhone>>,
    /// Loanwords, with or without their accents; before a dictionary.
    accented: HashMap<String, Vec<WordPhone>>,
    /// By their letters, of which no two neighbours are equal; with a dash, syllables of a laugh.
    interjections: HashMap<String, Vec<WordPhone>>,
    /// How signs, units and short forms are read.
    pub(crate) forms: &'static TextForms,
    /// Short, long.
    abbreviations: HashMap<String, String>,
    /// How numbers are read.
    pub numbers: Numbers,
    /// Words for 0 to 9; numbers are read digit by digit.
    digits: Vec<String>,
    /// Parts of a word before an apostrophe are read by themselves.
    pub elides: bool,
    /// It has rules of one's own, which go before a dictionary.
    pub is_own: bool,
}

/// What a script says of a language of its own, or of one that there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnLanguage {
    /// Left surrounding, letters, right surrounding, sounds: before the rules of the base.
    pub rules: Vec<[String; 4]>,
    /// As in [`LetterRules::parsed`], or "first", "last", "penultimate", "antepenultimate", "none".
    pub stress: Option<String>,
    /// Vowel letters; those of the base, or a, e, i, o, u.
    pub vowels: Option<String>,
    /// Words for 0 to 9.
    pub digits: Vec<String>,
}

/// All languages that come with the runtime.
pub fn languages() -> &'static [Arc<Language>] {
    static ALL: OnceLock<Vec<Arc<Language>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<Arc<Language>> = Vec::new();
        for source in SOURCES {
            let base = source.base.and_then(|code| found(&all, code)).cloned();
            match Language::of_source(source, base.as_deref()) {
                Ok(language) => all.push(Arc::new(language)),
                // A test reads every table; one that is wrong never gets here.
                Err(why) => tracing::error!("language {}: {why}", source.code),
            }
        }
        all
    })
}

/// English.
pub fn english() -> Arc<Language> {
    let all = languages();
    all.first()
        .cloned()
        .unwrap_or_else(|| Arc::new(Language::empty("en")))
}

/// A language by its code or one of its names, in any case; of `own` first.
///
/// # Errors
/// In plain words, with the nearest name.
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
    let is_it =
        |language: &&Arc<Language>| small(&language.code) == name || language.names.contains(&name);
    let exact = all.iter().find(is_it);
    // "de-AT", "fr_CA": the language is known, if not its region.
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
                    .ok_or_else(|| format!("{entry:?} has no sounds"))?;
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

    /// A language of one's own, or one that there is with rules before its own. Without a base, letters that no rule reads
    /// say nothing.
    ///
    /// # Errors
    /// In plain words, with the rule, the sound or the word that is wrong.
    pub fn own(name: &str, base: Option<&Self>, asked: &OwnLanguage) -> Result<Self, String> {
        let mut language = base.cloned().unwrap_or_else(|| Self::empty(name));
        let is_same = base.is_some_and(|base| base.code == name);
        if !is_same {
            (language.code, language.name) = (name.to_owned(), small(name));
            language.names = vec![small(name)];
        }
        let alphabet = match (&asked.vowels, base) {
            (Some(vowels), _) => Alphabet::new(&small(vowels), "eiy", ""),
            (None, Some(base)) => base.rules.alphabet.clone(),
            (None, None) => Alphabet::new("aeiou", "eiy", ""),
        };
        let stress = match asked.stress.as_deref() {
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
        for [left, letters, right, sounds] in &asked.rules {
            rules.add(Rule::new(left, letters, right, sounds)?);
        }
        if let Some(base) = base {
            rules.add_all(&base.rules);
        }
        // What rules of one's own say goes before what the base has of words.
        if !asked.rules.is_empty() && !is_same {
            language.words.clear();
        }
        language.rules = rules;
        language.is_own = !is_same;
        if !asked.digits.is_empty() {
            if asked.digits.len() != 10 {
                return Err(format!("digits are ten words, got {}", asked.digits.len()));
            }
            language.digits.clone_from(&asked.digits);
        }
        Ok(language)
    }

    /// The sounds of a word that no rule reads right.
    pub fn word(&self, word: &str) -> Option<&[WordPhone]> {
        self.words.get(&small(word)).map(Vec::as_slice)
    }

    /// The sounds of a loanword, with or without its accents.
    pub(crate) fn accented(&self, word: &str) -> Option<&[WordPhone]> {
        let composed = accents::composed(word);
        let known = |word: &str| self.accented.get(word).map(Vec::as_slice);
        known(&composed).or_else(|| known(&accents::without(&composed)?))
    }

    /// The sounds of an interjection such as "Shhh" or "brr".
    pub(crate) fn interjection(&self, word: &str) -> Option<Vec<WordPhone>> {
        let mut letters = small(word).chars().collect::<Vec<char>>();
        // "Hahaha" is its first two letters, again and again.
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
        // "M" is a letter.
        let is_long = letters.len() > 1 || word.chars().nth(1).is_some();
        let found = self.interjections.get(&letters.iter().collect::<String>());
        found.filter(|_| is_long).cloned()
    }

    /// What an abbreviation stands for.
    pub(crate) fn abbreviation(&self, word: &str) -> Option<&str> {
        self.abbreviations.get(&small(word)).map(String::as_str)
    }

    /// A whole number in words.
    pub(crate) fn cardinal(&self, n: u64) -> String {
        if self.digits.is_empty() {
            return (self.numbers.cardinal)(n);
        }
        self.digit_by_digit(&n.to_string())
    }

    /// Digits in words, one by one.
    pub(crate) fn digit_by_digit(&self, digits: &str) -> String {
        let digits = digits.chars().filter_map(|c| c.to_digit(10));
        let words = digits.map(|d| match self.digits.get(d as usize) {
            Some(word) => word.clone(),
            None => (self.numbers.cardinal)(u64::from(d)),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// A word letter by letter; by its rules, where its letters have no names.
    pub(crate) fn spelt(&self, word: &str) -> Vec<WordPhone> {
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

    /// A word by its letters; what has no vowel is spelt.
    pub fn read(&self, word: &str) -> Vec<WordPhone> {
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

/// The last of several stresses is the main one.
pub(super) fn one_stress(mut sounds: Vec<WordPhone>) -> Vec<WordPhone> {
    if let Some(last) = sounds.iter().rposition(|sound| sound.stressed) {
        for sound in sounds.iter_mut().take(last) {
            sound.stressed = false;
        }
    }
    sounds
}
