//! Letter-to-phone rules, and the rule engine shared by all languages.
//!
//! A rule reads some letters between a left and a right context, as in Elovitz et al. (1976), "Letter-to-sound rules for
//! automatic translation of English text to phonetics". In contexts `_` is the edge of the word, `V` a vowel letter, `C` a
//! consonant letter, `E` a front vowel, `*` any number of consonants, `#` one or more vowels, `=` the end of the word or one
//! of the language's endings, `(abc)` one of these letters, `(!abc)` any other letter; other characters stand for
//! themselves. The first matching rule is used. A table is written as `left[letters]right phones`, one rule per line or
//! separated by `;`. Phones are ARPAbet; a vowel with 1 carries the stress of the word, one with 0 never does.

use std::collections::HashMap;

use super::WordPhoneme;
use super::arpabet::{Stress, arpabet};

/// Maximum number of letters of a word that are read.
pub const MAX_LETTERS: usize = 96;
/// Maximum length of a context, and of the letters that a rule reads.
const MAX_PATTERN: usize = 24;

/// A condition on letters in a context.
#[derive(Clone, Debug, PartialEq)]
enum Atom {
    Edge,
    Vowel,
    Consonant,
    Front,
    Consonants,
    Vowels,
    Ending,
    Letter(char),
    OneOf(Vec<char>),
    NoneOf(Vec<char>),
}

/// A letter-to-phone rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Left context, from the letters outwards.
    left: Vec<Atom>,
    letters: Vec<char>,
    right: Vec<Atom>,
    sounds: Vec<(crate::phoneme::Phoneme, Stress)>,
}

impl Rule {
    /// Creates a rule from its four parts; the module documentation describes their syntax.
    ///
    /// # Errors
    /// Returns a message if there are no letters, a context is invalid, or a phone is unknown (with the most similar one).
    pub fn new(left: &str, letters: &str, right: &str, sounds: &str) -> Result<Self, String> {
        let error =
            |reason: String| format!("rule {left:?} {letters:?} {right:?} {sounds:?}: {reason}");
        let own: Vec<char> = letters.chars().flat_map(char::to_lowercase).collect();
        if own.is_empty() {
            return Err(error("the rule has no letters".to_owned()));
        }
        if own.len() > MAX_PATTERN {
            return Err(error(format!("the limit is {MAX_PATTERN} letters")));
        }
        let mut left = pattern(left).map_err(&error)?;
        left.reverse();
        Ok(Self {
            left,
            letters: own,
            right: pattern(right).map_err(&error)?,
            sounds: arpabet(sounds).map_err(&error)?,
        })
    }

    /// Parses `left[letters]right phones`.
    fn parsed(text: &str) -> Result<Self, String> {
        let parts = text.split_once('[').and_then(|(left, rest)| {
            let (letters, rest) = rest.split_once(']')?;
            let (right, sounds) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((left, letters, right, sounds))
        });
        let (left, letters, right, sounds) = parts.ok_or_else(|| {
            format!("{text:?} is not a rule; expected left[letters]right phonemes")
        })?;
        Self::new(left, letters, right, sounds)
    }
}

/// Parses a context.
fn pattern(text: &str) -> Result<Vec<Atom>, String> {
    let mut atoms = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        atoms.push(match c {
            '_' => Atom::Edge,
            'V' => Atom::Vowel,
            'C' => Atom::Consonant,
            'E' => Atom::Front,
            '*' => Atom::Consonants,
            '#' => Atom::Vowels,
            '=' => Atom::Ending,
            '(' => {
                let set: Vec<char> = chars.by_ref().take_while(|c| *c != ')').collect();
                match set.split_first() {
                    Some(('!', others)) if !others.is_empty() => Atom::NoneOf(others.to_vec()),
                    Some((first, _)) if *first != '!' => Atom::OneOf(set),
                    _ => return Err(format!("the brackets of {text:?} contain no letters")),
                }
            }
            c if c.is_alphabetic() && c.is_uppercase() => {
                return Err(format!(
                    "unknown symbol {c} in {text:?}; use _ V C E * # =, brackets and lower-case letters"
                ));
            }
            c => Atom::Letter(c),
        });
    }
    if atoms.len() > MAX_PATTERN {
        return Err(format!(
            "the limit is {MAX_PATTERN} symbols on each side of a rule"
        ));
    }
    Ok(atoms)
}

/// Classes of letters in one language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alphabet {
    /// Vowel letters.
    pub vowels: Vec<char>,
    /// Front vowels among them.
    pub front: Vec<char>,
    /// Word endings that `=` stands for.
    pub endings: Vec<Vec<char>>,
}

impl Alphabet {
    /// Creates an alphabet from letters, and from endings separated by spaces.
    pub fn new(vowels: &str, front: &str, endings: &str) -> Self {
        let endings = endings.split_whitespace();
        Self {
            vowels: vowels.chars().collect(),
            front: front.chars().collect(),
            endings: endings.map(|ending| ending.chars().collect()).collect(),
        }
    }

    fn is_vowel(&self, c: char) -> bool {
        self.vowels.contains(&c)
    }

    fn is_consonant(&self, c: char) -> bool {
        c.is_alphabetic() && !self.is_vowel(c)
    }

    /// Matches a context from the letters outwards. `letter(i)` is the i-th letter on that side. Follows all possible
    /// matches at once, one per bit of `at`, so that the time is bounded for every pattern.
    fn fits(&self, atoms: &[Atom], len: usize, letter: impl Fn(usize) -> Option<char>) -> bool {
        let mut at: u128 = 1;
        let is_in = |list: &[char], c: char| list.contains(&c);
        for atom in atoms {
            let steps = |at: u128, matches: &dyn Fn(char) -> bool| {
                let mut next = 0_u128;
                let mut rest = at;
                while rest != 0 {
                    let i = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if letter(i).is_some_and(matches) {
                        next |= 1 << (i + 1);
                    }
                }
                next
            };
            // All positions reachable by repeating the letter class.
            let repeated = |at: u128, matches: &dyn Fn(char) -> bool| {
                let (mut all, mut new) = (at, at);
                while new != 0 {
                    new = steps(new, matches) & !all;
                    all |= new;
                }
                all
            };
            at = match atom {
                Atom::Edge => at & (1 << len),
                Atom::Vowel => steps(at, &|c| self.is_vowel(c)),
                Atom::Consonant => steps(at, &|c| self.is_consonant(c)),
                Atom::Front => steps(at, &|c| is_in(&self.front, c)),
                Atom::Letter(own) => steps(at, &|c| c == *own),
                Atom::OneOf(set) => steps(at, &|c| is_in(set, c)),
                Atom::NoneOf(set) => steps(at, &|c| !is_in(set, c)),
                Atom::Consonants => repeated(at, &|c| self.is_consonant(c)),
                Atom::Vowels => repeated(steps(at, &|c| self.is_vowel(c)), &|c| self.is_vowel(c)),
                Atom::Ending => {
                    let mut ends = at & (1 << len);
                    for ending in &self.endings {
                        let from = len.checked_sub(ending.len());
                        let Some(from) = from.filter(|from| at & (1 << from) != 0) else {
                            continue;
                        };
                        let mut all = ending.iter().enumerate();
                        if all.all(|(i, c)| letter(from + i) == Some(*c)) {
                            ends |= 1 << len;
                        }
                    }
                    ends
                }
            };
            if at == 0 {
                return false;
            }
        }
        true
    }
}

/// A rule for the stressed syllable.
#[derive(Clone, Debug)]
struct StressRule {
    /// Matches at the start of the word, otherwise at its end, from the edge inwards.
    at_start: bool,
    pattern: Vec<Atom>,
    /// Stressed syllable: 1 is the first, -1 the last; 0 is none.
    syllable: i8,
}

/// All rules of a language.
#[derive(Clone, Debug, Default)]
pub struct LetterRules {
    /// Classes of letters.
    pub alphabet: Alphabet,
    by_letter: HashMap<char, Vec<Rule>>,
    stress: Vec<StressRule>,
}

impl LetterRules {
    /// Creates rules from a rule table and a stress table. A stress rule is `pattern syllable`, separated like rules. A
    /// pattern that starts with `_` is matched at the start of the word, one that ends with it at the end; the syllable
    /// counts from there: `_ver 2; tion_ -1; -2`. The first matching rule is used; a rule without a pattern always matches.
    ///
    /// # Errors
    /// Returns a message that names the invalid rule.
    pub fn parsed(alphabet: Alphabet, table: &str, stress: &str) -> Result<Self, String> {
        let mut rules = Self {
            alphabet,
            ..Self::default()
        };
        rules.add_table(table)?;
        rules.set_stress(stress)?;
        Ok(rules)
    }

    /// Appends rules.
    ///
    /// # Errors
    /// Returns a message that names the invalid rule.
    pub(crate) fn add_table(&mut self, table: &str) -> Result<(), String> {
        for text in entries(table) {
            self.add(Rule::parsed(text)?);
        }
        Ok(())
    }

    /// Appends a rule.
    pub fn add(&mut self, rule: Rule) {
        if let Some(first) = rule.letters.first() {
            self.by_letter.entry(*first).or_default().push(rule);
        }
    }

    /// Appends the rules of another language, and its stress rules if there are none.
    pub(crate) fn add_all(&mut self, others: &Self) {
        for (letter, rules) in &others.by_letter {
            let own = self.by_letter.entry(*letter).or_default();
            own.extend(rules.iter().cloned());
        }
        if self.stress.is_empty() {
            self.stress = others.stress.clone();
        }
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.by_letter.values().map(Vec::len).sum()
    }

    /// Returns true if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.by_letter.is_empty()
    }

    /// Sets the stress rules; see [`LetterRules::parsed`].
    ///
    /// # Errors
    /// Returns a message that names the invalid rule.
    pub(crate) fn set_stress(&mut self, table: &str) -> Result<(), String> {
        self.stress.clear();
        for text in entries(table) {
            let (letters, syllable) = text.rsplit_once(' ').unwrap_or(("", text));
            let syllable = syllable.parse();
            let syllable = syllable.map_err(|_| format!("{text:?} has no syllable number"))?;
            let at_start = letters.starts_with('_');
            let mut pattern = pattern(letters.trim())?;
            if !at_start {
                pattern.reverse();
            }
            // The edge itself is implied by the side.
            if pattern.first() == Some(&Atom::Edge) {
                pattern.remove(0);
            }
            self.stress.push(StressRule {
                at_start,
                pattern,
                syllable,
            });
        }
        Ok(())
    }

    /// Returns true when a rule starts with this letter.
    pub fn reads(&self, c: char) -> bool {
        self.by_letter.contains_key(&c)
    }

    /// Returns a word as letters for the rules: lower case, without accents that no rule reads, other characters removed.
    pub fn letters(&self, word: &str) -> Vec<char> {
        let mut letters: Vec<char> = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            if letters.len() >= MAX_LETTERS {
                break;
            }
            let c = match c {
                '’' => '\'',
                // Converts katakana to hiragana, and full-width letters to normal ones.
                'ァ'..='ヴ' => shifted(c, -0x60),
                'ａ'..='ｚ' => shifted(c, 'a' as i32 - 'ａ' as i32),
                c => c,
            };
            // Merges a combining mark with its letter.
            let whole = letters.last().and_then(|last| composed(*last, c));
            if let (Some(whole), Some(last)) = (whole, letters.last_mut()) {
                *last = whole;
                continue;
            }
            letters.push(c);
        }
        let known = |c: &char| self.reads(*c) || self.alphabet.is_vowel(*c);
        let plain = letters.iter().flat_map(|c| match known(c) {
            true => vec![*c],
            false => plain(*c).chars().collect(),
        });
        plain.take(MAX_LETTERS).collect()
    }

    /// Returns true when a word has a vowel letter, so that it can be read.
    pub(crate) fn has_vowel(&self, letters: &[char]) -> bool {
        letters.iter().any(|c| self.alphabet.is_vowel(*c))
    }

    /// Returns the phones of letters, as returned by [`LetterRules::letters`].
    pub fn read(&self, letters: &[char]) -> Vec<WordPhoneme> {
        let letters = letters.get(..MAX_LETTERS).unwrap_or(letters);
        let mut sounds = Vec::new();
        let mut at = 0;
        while let Some(c) = letters.get(at) {
            let rules = self.by_letter.get(c).map(Vec::as_slice);
            let found = rules.unwrap_or_default().iter();
            match found.into_iter().find(|rule| self.fits(rule, letters, at)) {
                Some(rule) => {
                    sounds.extend_from_slice(&rule.sounds);
                    at += rule.letters.len();
                }
                None => at += 1,
            }
        }
        sounds.dedup_by(|a, b| a.0 == b.0 && !a.0.is_vowel());
        self.with_stress(letters, &sounds)
    }

    fn fits(&self, rule: &Rule, letters: &[char], at: usize) -> bool {
        let end = at + rule.letters.len();
        letters.get(at..end) == Some(rule.letters.as_slice())
            && self.alphabet.fits(&rule.right, letters.len() - end, |i| {
                letters.get(end + i).copied()
            })
            && self.alphabet.fits(&rule.left, at, |i| {
                let i = at.checked_sub(i + 1)?;
                letters.get(i).copied()
            })
    }

    fn with_stress(
        &self,
        letters: &[char],
        sounds: &[(crate::phoneme::Phoneme, Stress)],
    ) -> Vec<WordPhoneme> {
        let vowels: Vec<usize> = (0..sounds.len())
            .filter(|i| sounds.get(*i).is_some_and(|(phone, _)| phone.is_vowel()))
            .collect();
        let is = |i: &usize, kind: Stress| sounds.get(*i).is_some_and(|s| s.1 == kind);
        let marked = vowels.iter().find(|i| is(i, Stress::Main)).copied();
        let stressed = marked.or_else(|| {
            let syllable = self.stressed_syllable(letters);
            let n = vowels.len();
            let target = match syllable {
                0 => return None,
                n if n > 0 => n as usize - 1,
                back => n.saturating_sub(usize::from(back.unsigned_abs())),
            };
            let target = target.min(n.checked_sub(1)?);
            // The nearest vowel that may be stressed, preferably an earlier one.
            let free = |i: &usize| vowels.get(*i).is_some_and(|at| !is(at, Stress::Never));
            let before = (0..=target).rev().find(free);
            let at = before.or_else(|| (target..n).find(free)).unwrap_or(target);
            vowels.get(at).copied()
        });
        let all = sounds.iter().enumerate();
        all.map(|(i, (phone, _))| WordPhoneme {
            phoneme: *phone,
            stressed: Some(i) == stressed,
        })
        .collect()
    }

    fn stressed_syllable(&self, letters: &[char]) -> i8 {
        let n = letters.len();
        let found = self.stress.iter().find(|rule| {
            self.alphabet.fits(&rule.pattern, n, |i| {
                let i = if rule.at_start {
                    i
                } else {
                    n.checked_sub(i + 1)?
                };
                letters.get(i).copied()
            })
        });
        found.map_or(1, |rule| rule.syllable)
    }
}

fn entries(table: &str) -> impl Iterator<Item = &str> {
    let all = table.split(['\n', ';']).map(str::trim);
    all.filter(|text| !text.is_empty())
}

fn shifted(c: char, by: i32) -> char {
    let moved = (c as u32).checked_add_signed(by);
    moved.and_then(char::from_u32).unwrap_or(c)
}

/// Merges a letter with a following combining mark.
pub(super) fn composed(letter: char, mark: char) -> Option<char> {
    let row: &str = match mark {
        '\u{300}' => "aàeèiìoòuù",
        '\u{301}' => "aáeéiíoóuúyý",
        '\u{302}' => "aâeêiîoôuû",
        '\u{303}' => "aãnñoõ",
        '\u{308}' => "aäeëiïoöuüyÿ",
        '\u{30a}' => "aå",
        '\u{327}' => "cç",
        '\u{3099}' => {
            "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔ"
        }
        '\u{309a}' => "はぱひぴふぷへぺほぽ",
        _ => return None,
    };
    let mut pairs = row.chars();
    while let (Some(bare), Some(whole)) = (pairs.next(), pairs.next()) {
        if bare == letter {
            return Some(whole);
        }
    }
    None
}

/// Returns plain letters for a letter that the language does not have.
fn plain(c: char) -> &'static str {
    const LATIN: &str = "abcdefghijklmnopqrstuvwxyz'";
    if let Some(i) = LATIN.find(c) {
        return LATIN.get(i..i + 1).unwrap_or_default();
    }
    match c {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ä' | 'æ' => "ae",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ő' => "o",
        'ö' | 'œ' => "oe",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ñ' | 'ń' | 'ň' | 'ņ' => "n",
        'ç' | 'ś' | 'ş' | 'ß' => "s",
        'ć' | 'č' => "ch",
        'š' => "sh",
        'ž' => "zh",
        'ź' | 'ż' => "z",
        'ł' | 'ľ' | 'ĺ' => "l",
        'ř' | 'ŕ' => "r",
        'ğ' => "g",
        'ď' | 'đ' => "d",
        'ť' | 'ţ' | 'ț' => "t",
        'ð' | 'þ' => "th",
        _ => "",
    }
}
