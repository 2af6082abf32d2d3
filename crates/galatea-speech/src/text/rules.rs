//! Rules that read letters, and the engine that all languages share.
//!
//! A rule reads some letters between a left and a right surrounding, as in Elovitz et al. (1976), "Letter-to-sound rules for
//! automatic translation of English text to phonetics". In surroundings `_` is the edge of the word, `V` a vowel letter, `C` a
//! consonant letter, `E` a front vowel, `*` any number of consonants, `#` one vowel or more, `=` the end of the word or one of
//! the language's endings, `(abc)` one of these letters, `(!abc)` a letter that is none of these; other characters are
//! themselves. The first rule that fits is taken. A table is written `left[letters]right sounds`, one rule to a line or parted
//! by `;`. Sounds are ARPAbet's; a vowel with 1 carries the stress of the word, one with 0 never does.

use std::collections::HashMap;

use super::WordPhone;
use super::arpabet::{Stress, arpabet};

/// Letters of one word that are read; others behind them are not.
pub const LONGEST: usize = 96;
/// Letters and signs of one surrounding, and letters that one rule reads.
const LONGEST_PATTERN: usize = 24;

/// What is asked of a letter beside the one that is read.
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

/// Some letters in their surroundings, and what they say.
#[derive(Clone, Debug)]
pub struct Rule {
    /// From the letters outward.
    left: Vec<Atom>,
    letters: Vec<char>,
    right: Vec<Atom>,
    sounds: Vec<(crate::phone::Phone, Stress)>,
}

impl Rule {
    /// Of its four parts; see the head of this file for what may stand in them.
    ///
    /// # Errors
    /// In plain words: no letters, a surrounding that cannot be read, an unknown sound (with the nearest right one).
    pub fn new(left: &str, letters: &str, right: &str, sounds: &str) -> Result<Self, String> {
        let wrong = |why: String| format!("rule {left:?} {letters:?} {right:?} {sounds:?}: {why}");
        let own: Vec<char> = letters.chars().flat_map(char::to_lowercase).collect();
        if own.is_empty() {
            return Err(wrong("it reads no letters".to_owned()));
        }
        if own.len() > LONGEST_PATTERN {
            return Err(wrong(format!("it may read {LONGEST_PATTERN} letters")));
        }
        let mut left = pattern(left).map_err(&wrong)?;
        left.reverse();
        Ok(Self {
            left,
            letters: own,
            right: pattern(right).map_err(&wrong)?,
            sounds: arpabet(sounds).map_err(&wrong)?,
        })
    }

    /// Written `left[letters]right sounds`.
    fn parsed(text: &str) -> Result<Self, String> {
        let parts = text.split_once('[').and_then(|(left, rest)| {
            let (letters, rest) = rest.split_once(']')?;
            let (right, sounds) = rest.split_once(' ').unwrap_or((rest, ""));
            Some((left, letters, right, sounds))
        });
        let (left, letters, right, sounds) =
            parts.ok_or_else(|| format!("{text:?} is no rule: left[letters]right sounds"))?;
        Self::new(left, letters, right, sounds)
    }
}

/// The surrounding that a text stands for.
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
                    _ => return Err(format!("no letters in the brackets of {text:?}")),
                }
            }
            c if c.is_alphabetic() && c.is_uppercase() => {
                return Err(format!(
                    "{c} means nothing in {text:?}; signs are _ V C E * # = and brackets, letters are small"
                ));
            }
            c => Atom::Letter(c),
        });
    }
    if atoms.len() > LONGEST_PATTERN {
        return Err(format!("a surrounding may have {LONGEST_PATTERN} signs"));
    }
    Ok(atoms)
}

/// Which letters are what, in one language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alphabet {
    /// Vowel letters.
    pub vowels: Vec<char>,
    /// Front vowels among them.
    pub front: Vec<char>,
    /// Endings of words that `=` stands for.
    pub endings: Vec<Vec<char>>,
}

impl Alphabet {
    /// Of letters in a row, and of endings with blanks between them.
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

    /// A surrounding, looked at from the letters outward. `letter(i)` is the i-th letter on that side. All ways to match
    /// are followed at once, each bit of `at` being one, so that no pattern takes long.
    fn fits(&self, atoms: &[Atom], len: usize, letter: impl Fn(usize) -> Option<char>) -> bool {
        let mut at: u128 = 1;
        let is_in = |list: &[char], c: char| list.contains(&c);
        for atom in atoms {
            let steps = |at: u128, is_it: &dyn Fn(char) -> bool| {
                let mut next = 0_u128;
                let mut rest = at;
                while rest != 0 {
                    let i = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if letter(i).is_some_and(is_it) {
                        next |= 1 << (i + 1);
                    }
                }
                next
            };
            // All that comes of taking letters again and again.
            let many = |at: u128, is_it: &dyn Fn(char) -> bool| {
                let (mut all, mut new) = (at, at);
                while new != 0 {
                    new = steps(new, is_it) & !all;
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
                Atom::Consonants => many(at, &|c| self.is_consonant(c)),
                Atom::Vowels => many(steps(at, &|c| self.is_vowel(c)), &|c| self.is_vowel(c)),
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

/// Which syllable carries the stress.
#[derive(Clone, Debug)]
struct StressRule {
    /// Looked for at the beginning of the word, else at its end, from the edge inward.
    at_start: bool,
    pattern: Vec<Atom>,
    /// Which syllable: 1 is the first, -1 the last; 0 is none.
    syllable: i8,
}

/// All rules of a language.
#[derive(Clone, Debug, Default)]
pub struct LetterRules {
    /// Which letters are what.
    pub alphabet: Alphabet,
    by_letter: HashMap<char, Vec<Rule>>,
    stress: Vec<StressRule>,
}

impl LetterRules {
    /// Of a table of rules and one of stress: `pattern syllable`, parted as rules are; a pattern that begins with `_` is
    /// looked for where the word begins, one that ends with it where the word ends, and the syllable counts from there on
    /// or back: `_ver 2; tion_ -1; -2`. The first that fits is taken; one without a pattern fits always.
    ///
    /// # Errors
    /// In plain words, with the rule that is wrong.
    pub fn parsed(alphabet: Alphabet, table: &str, stress: &str) -> Result<Self, String> {
        let mut rules = Self {
            alphabet,
            ..Self::default()
        };
        rules.add_table(table)?;
        rules.set_stress(stress)?;
        Ok(rules)
    }

    /// Adds rules behind those there are.
    ///
    /// # Errors
    /// In plain words, with the rule that is wrong.
    pub(crate) fn add_table(&mut self, table: &str) -> Result<(), String> {
        for text in parted(table) {
            self.add(Rule::parsed(text)?);
        }
        Ok(())
    }

    /// Adds a rule behind those there are.
    pub fn add(&mut self, rule: Rule) {
        if let Some(first) = rule.letters.first() {
            self.by_letter.entry(*first).or_default().push(rule);
        }
    }

    /// Adds the rules of another language behind those there are, and its stress, where there is none.
    pub(crate) fn add_all(&mut self, others: &Self) {
        for (letter, rules) in &others.by_letter {
            let own = self.by_letter.entry(*letter).or_default();
            own.extend(rules.iter().cloned());
        }
        if self.stress.is_empty() {
            self.stress = others.stress.clone();
        }
    }

    /// Number of rules.
    pub fn len(&self) -> usize {
        self.by_letter.values().map(Vec::len).sum()
    }

    /// True without any rule.
    pub fn is_empty(&self) -> bool {
        self.by_letter.is_empty()
    }

    /// Sets which syllable carries the stress; see [`LetterRules::parsed`].
    ///
    /// # Errors
    /// In plain words, with the rule that is wrong.
    pub(crate) fn set_stress(&mut self, table: &str) -> Result<(), String> {
        self.stress.clear();
        for text in parted(table) {
            let (letters, syllable) = text.rsplit_once(' ').unwrap_or(("", text));
            let syllable = syllable.parse();
            let syllable = syllable.map_err(|_| format!("{text:?} says no syllable"))?;
            let at_start = letters.starts_with('_');
            let mut pattern = pattern(letters.trim())?;
            if !at_start {
                pattern.reverse();
            }
            // The edge itself is where it is looked for.
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

    /// True when a rule begins with this letter.
    pub fn reads(&self, c: char) -> bool {
        self.by_letter.contains_key(&c)
    }

    /// A word as the rules see it: small letters, those that no rule reads without their accents, others left out.
    pub fn letters(&self, word: &str) -> Vec<char> {
        let mut letters: Vec<char> = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            if letters.len() >= LONGEST {
                break;
            }
            let c = match c {
                '’' => '\'',
                // Katakana as hiragana, letters of full width as others.
                'ァ'..='ヴ' => shifted(c, -0x60),
                'ａ'..='ｚ' => shifted(c, 'a' as i32 - 'ａ' as i32),
                c => c,
            };
            // A mark that stands behind its letter as a character of its own.
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
        plain.take(LONGEST).collect()
    }

    /// True when a word has a vowel letter, so that it can be read.
    pub(crate) fn has_vowel(&self, letters: &[char]) -> bool {
        letters.iter().any(|c| self.alphabet.is_vowel(*c))
    }

    /// What letters say: those of [`LetterRules::letters`].
    pub fn read(&self, letters: &[char]) -> Vec<WordPhone> {
        let letters = letters.get(..LONGEST).unwrap_or(letters);
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
        sounds: &[(crate::phone::Phone, Stress)],
    ) -> Vec<WordPhone> {
        let vowels: Vec<usize> = (0..sounds.len())
            .filter(|i| sounds.get(*i).is_some_and(|(phone, _)| phone.is_vowel()))
            .collect();
        let is = |i: &usize, wanted: Stress| sounds.get(*i).is_some_and(|s| s.1 == wanted);
        let marked = vowels.iter().find(|i| is(i, Stress::Main)).copied();
        let stressed = marked.or_else(|| {
            let syllable = self.stressed_syllable(letters);
            let n = vowels.len();
            let wanted = match syllable {
                0 => return None,
                n if n > 0 => n as usize - 1,
                back => n.saturating_sub(usize::from(back.unsigned_abs())),
            };
            let wanted = wanted.min(n.checked_sub(1)?);
            // The nearest that may carry it, rather before than behind.
            let free = |i: &usize| vowels.get(*i).is_some_and(|at| !is(at, Stress::Never));
            let before = (0..=wanted).rev().find(free);
            let at = before.or_else(|| (wanted..n).find(free)).unwrap_or(wanted);
            vowels.get(at).copied()
        });
        let all = sounds.iter().enumerate();
        all.map(|(i, (phone, _))| WordPhone {
            phone: *phone,
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

fn parted(table: &str) -> impl Iterator<Item = &str> {
    let all = table.split(['\n', ';']).map(str::trim);
    all.filter(|text| !text.is_empty())
}

fn shifted(c: char, by: i32) -> char {
    let moved = (c as u32).checked_add_signed(by);
    moved.and_then(char::from_u32).unwrap_or(c)
}

/// A letter with the mark that follows it, as one character.
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

/// Letters that stand for one that a language has not.
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
