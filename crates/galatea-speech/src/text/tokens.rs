//! Splits a text into tokens: words, numbers, abbreviations, spelt letters.

use std::ops::Range;

use super::characters::{digit, is_apostrophe, is_inside};
use super::forms::form;
use super::language::Language;

/// Reading of a token.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenReading {
    /// Read as a word.
    Word,
    /// Read as these words.
    Text(String),
    /// Spelt letter by letter.
    Letters,
}

/// A part of a text that is pronounced as one word.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeechToken {
    /// Byte range in the text.
    pub range: Range<usize>,
    /// Reading.
    pub reading: TokenReading,
}

/// Index of the character after a token, and the token.
pub(super) type Scanned = (usize, SpeechToken);

/// Splits a text into tokens.
pub fn tokens(text: &str, language: &Language) -> Vec<SpeechToken> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let scan = Scan {
        text,
        chars: &chars,
        language,
        // In text that is all capitals, capitals do not mean spelling.
        all_capitals: !text.contains(char::is_lowercase)
            && text.split_whitespace().nth(1).is_some(),
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let next = scan
            .phrase(at)
            .or_else(|| scan.address(at))
            .or_else(|| scan.number(at))
            .or_else(|| scan.dotted(at))
            .or_else(|| scan.sign(at))
            .or_else(|| scan.word(at));
        match next {
            Some((end, token)) if end > at => {
                found.push(token);
                at = end;
            }
            _ => at += 1,
        }
    }
    found
}

/// Returns the part of a word in capitals, without an s after at least two of them: "TVs", "FBI's".
pub(super) fn capitals(word: &str) -> &str {
    let stem = word.strip_suffix('s').unwrap_or(word);
    let stem = stem.strip_suffix(is_apostrophe).unwrap_or(stem);
    let is_plural = stem.chars().nth(1).is_some() && stem.chars().all(char::is_uppercase);
    if is_plural { stem } else { word }
}

/// Maximum number of dotted letters read as one initialism.
const MAX_DOTTED: usize = 16;

/// A text being scanned from left to right. Positions are character indices.
pub(super) struct Scan<'a> {
    pub text: &'a str,
    /// Characters with their byte offsets.
    pub chars: &'a [(usize, char)],
    pub language: &'a Language,
    all_capitals: bool,
}

impl Scan<'_> {
    pub fn at(&self, i: usize) -> Option<char> {
        self.chars.get(i).map(|(_, c)| *c)
    }

    /// Returns the character before a position.
    pub fn before(&self, i: usize) -> Option<char> {
        self.at(i.checked_sub(1)?)
    }

    pub fn is_digit(&self, i: usize) -> bool {
        self.at(i).is_some_and(|c| digit(c).is_some())
    }

    /// Returns true where a word, a number or an address can begin.
    pub fn is_start(&self, i: usize) -> bool {
        !self.before(i).is_some_and(char::is_alphanumeric)
    }

    fn byte(&self, i: usize) -> usize {
        self.chars.get(i).map_or(self.text.len(), |(byte, _)| *byte)
    }

    pub fn token(&self, from: usize, to: usize, says: TokenReading) -> Scanned {
        let range = self.byte(from)..self.byte(to);
        (
            to,
            SpeechToken {
                range,
                reading: says,
            },
        )
    }

    pub fn text_between(&self, from: usize, to: usize) -> &str {
        let range = self.byte(from)..self.byte(to);
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the number of consecutive characters from a position that a test accepts.
    pub fn run(&self, from: usize, is_in: impl Fn(char) -> bool) -> usize {
        let rest = self.chars.get(from..).unwrap_or_default();
        rest.iter().take_while(|(_, c)| is_in(*c)).count()
    }

    /// Returns the end of a written form that appears here as a whole, with exactly these letters or in any case.
    pub fn ends(&self, from: usize, written: &str, any_case: bool) -> Option<usize> {
        let end = from + written.chars().count();
        let own = self.text_between(from, end);
        let is_same = own == written || any_case && own.to_lowercase() == written;
        let is_letter = |i: usize| self.at(i).is_some_and(char::is_alphanumeric);
        let continues = is_letter(end) && end.checked_sub(1).is_some_and(is_letter);
        (is_same && !continues).then_some(end)
    }

    /// Reads a whole phrase of the language, such as "w/o".
    fn phrase(&self, start: usize) -> Option<Scanned> {
        let first = self.at(start)?.to_ascii_lowercase();
        let mut phrases = self.language.forms.phrases.iter();
        phrases.find_map(|(written, words)| {
            let matches = written.starts_with(first) && self.is_start(start);
            let end = matches.then(|| self.ends(start, written, true))??;
            Some(self.token(start, end, TokenReading::Text((*words).to_owned())))
        })
    }

    /// Reads dotted initials: "U.S.A."
    fn dotted(&self, start: usize) -> Option<Scanned> {
        if self.before(start).is_some_and(is_inside) {
            return None;
        }
        let mut at = start;
        let mut n = 0;
        while self.at(at).is_some_and(char::is_alphabetic)
            && self.at(at + 1) == Some('.')
            && n < MAX_DOTTED
        {
            (at, n) = (at + 2, n + 1);
        }
        if n < 2 {
            return None;
        }
        // The last letter may lack its dot, but must not start a word.
        if self.at(at).is_some_and(char::is_alphabetic) {
            if self.at(at + 1).is_some_and(is_inside) {
                return None;
            }
            at += 1;
        }
        Some(self.token(start, at, TokenReading::Letters))
    }

    fn word(&self, start: usize) -> Option<Scanned> {
        let mut end = start + self.run(start, |c| is_inside(c) && digit(c).is_none());
        let mut from = start;
        while from < end && self.at(from).is_some_and(is_apostrophe) {
            from += 1;
        }
        while end > from && self.at(end - 1).is_some_and(is_apostrophe) {
            end -= 1;
        }
        if from == end {
            return None;
        }
        let word = self.text_between(from, end);
        if let Some((end, long)) = self.abbreviated(word, from, end) {
            return Some(self.token(from, end, TokenReading::Text(long.to_owned())));
        }
        if let Some(number) = self.roman(word, from, end) {
            return Some(self.token(from, end, TokenReading::Text(number)));
        }
        let says = if self.is_spelt(word, from, end) {
            TokenReading::Letters
        } else {
            TokenReading::Word
        };
        Some(self.token(from, end, says))
    }

    /// Returns the end of an abbreviation and the text it stands for.
    fn abbreviated(&self, word: &str, from: usize, end: usize) -> Option<(usize, &str)> {
        let forms = self.language.forms;
        let has_dot = self.at(end) == Some('.');
        let after = end + usize::from(has_dot);
        let is_number = self.is_digit(after) || self.number_follows_space(after);
        let is_version = !has_dot && word == "v" && self.is_digit(after);
        if let Some(long) = form(forms.before_numbers, word)
            && (has_dot && is_number || is_version)
        {
            return Some((after, long));
        }
        if let Some(month) = self.month_named(word).filter(|_| is_number) {
            return Some((after, month));
        }
        let is_name = |word: &str| word.chars().count() > 1 && starts_large(word);
        if let Some(long) = form(forms.after_names, word)
            && starts_large(word)
            && is_name(self.word_before(from))
            && !starts_large(self.word_after(after))
        {
            return Some((after, long));
        }
        let next = self.at(after + self.run(after, |c| c == ' '));
        let is_alone = from == 0 && next.is_none();
        let is_inner = next.is_some_and(|c| c.is_lowercase() || c == ',' || digit(c).is_some());
        if let Some(long) = form(forms.before_small, word)
            && starts_large(word)
            && has_dot
            && (is_alone || is_inner)
        {
            return Some((after, long));
        }
        let long = self.language.abbreviation(word)?;
        let is_digit = |i: Option<usize>| i.is_some_and(|i| self.is_digit(i));
        let is_unit = is_digit(from.checked_sub(1))
            || self.before(from) == Some(' ') && is_digit(from.checked_sub(2));
        let rules = &self.language.rules;
        let is_short = !rules.has_vowel(&rules.letters(word));
        let bare = is_short && (starts_large(word) || is_unit);
        (has_dot || bare).then_some((after, long))
    }

    fn number_follows_space(&self, i: usize) -> bool {
        matches!(self.at(i), Some(' ' | '\u{a0}')) && self.is_digit(i + 1)
    }

    /// Returns the word before a position, with only spaces between.
    fn word_before(&self, i: usize) -> &str {
        let chars = self.chars.get(..i).unwrap_or_default().iter().rev();
        let blanks = chars.clone().take_while(|(_, c)| *c == ' ').count();
        let word = chars.skip(blanks).take_while(|(_, c)| is_inside(*c));
        let end = i - blanks;
        self.text_between(end - word.count(), end)
    }

    /// Returns the word after a position, with only spaces between.
    fn word_after(&self, i: usize) -> &str {
        let from = i + self.run(i, |c| c == ' ');
        self.text_between(from, from + self.run(from, is_inside))
    }

    /// Reads a Roman numeral.
    fn roman(&self, word: &str, from: usize, end: usize) -> Option<String> {
        let read = self.language.forms.roman?;
        let numeral = capitals(word);
        let n = roman_value(numeral)?;
        let words = read(n, numeral, self.word_before(from), self.word_after(end))?;
        let ending = word.get(numeral.len()..).unwrap_or_default();
        Some(words + ending)
    }

    /// Returns true for words that are spelt: "USA" and "FBI", but not "NASA" or "STOP".
    fn is_spelt(&self, word: &str, from: usize, end: usize) -> bool {
        let word = capitals(word);
        let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
        let is_capital = letters.len() >= 2 && letters.iter().all(|c| c.is_uppercase());
        let language = self.language;
        let is_interjection = letters.len() > 2 && language.interjection(word).is_some();
        if !is_capital || is_interjection {
            return false;
        }
        // "AT&T"
        if self.at(end) == Some('&') || self.before(from) == Some('&') {
            return true;
        }
        let (small, forms) = (word.to_lowercase(), language.forms);
        let has = |list: &str, word: &str| list.split(' ').any(|own| own == word);
        let is_behind_the = self.word_before(from).eq_ignore_ascii_case("the");
        if !self.all_capitals
            && (has(forms.initialisms, &small) || is_behind_the && has(forms.behind_the, &small))
        {
            return true;
        }
        let is_long = letters
            .windows(3)
            .any(|run| run.iter().all(|c| *c == run[0]))
            && letters.iter().any(|c| *c != letters[0]);
        let is_word = language.word(word).is_some() || has(forms.capital_words, &small);
        if self.all_capitals || is_long || is_word {
            return false;
        }
        let vowels = language.rules.letters(word);
        let vowels: Vec<bool> = vowels
            .iter()
            .map(|c| language.rules.has_vowel(&[*c]))
            .collect();
        match vowels.as_slice() {
            [false, true, false] => false,
            short if short.len() <= 3 => true,
            [false, false, false, ..] => {
                let cluster: String = small.chars().take(3).collect();
                !has(forms.clusters, &cluster) || !vowels.contains(&true)
            }
            all => !all.contains(&true),
        }
    }
}

fn starts_large(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Returns the value of a well-formed Roman numeral in capitals.
fn roman_value(word: &str) -> Option<u64> {
    const PARTS: [(&str, u64); 9] = [
        ("C", 100),
        ("XC", 90),
        ("L", 50),
        ("XL", 40),
        ("X", 10),
        ("IX", 9),
        ("V", 5),
        ("IV", 4),
        ("I", 1),
    ];
    let (mut rest, mut n) = (word, 0);
    for (letters, value) in PARTS {
        let mut times = 0;
        while let Some(after) = rest.strip_prefix(letters) {
            (rest, n, times) = (after, n + value, times + 1);
        }
        let max_repeats = if matches!(letters, "C" | "X" | "I") {
            3
        } else {
            1
        };
        if times > max_repeats {
            return None;
        }
    }
    (rest.is_empty() && n > 0).then_some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_roman_numerals_have_a_value() {
        for (word, n) in [
            ("I", 1),
            ("XIV", 14),
            ("XLIX", 49),
            ("LXXXVIII", 88),
            ("CXC", 190),
        ] {
            assert_eq!(roman_value(word), Some(n), "{word}");
        }
        for word in ["", "IIII", "VX", "IC", "MIX", "vi", "XIIX", "LL"] {
            assert_eq!(roman_value(word), None, "{word}");
        }
    }
}
