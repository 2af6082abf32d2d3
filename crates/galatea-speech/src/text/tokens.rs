//! What stands in a text: words, numbers, abbreviations, letters that are spelt.

use std::ops::Range;

use super::language::Language;

/// How a part of a text is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// As the word it is.
    Word,
    /// As these words.
    Text(String),
    /// Letter by letter.
    Letters,
}

/// A part of a text that is spoken as one word.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeechToken {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// How it is read.
    pub says: Says,
}

/// Digits that are read as one number; longer ones digit by digit.
const MOST_DIGITS: usize = 12;

/// The words of a text.
pub fn tokens(text: &str, language: &Language) -> Vec<SpeechToken> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let scan = Scan {
        text,
        chars: &chars,
        language,
        // Who shouts does not spell.
        shouts: !text.contains(char::is_lowercase) && text.split_whitespace().nth(1).is_some(),
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let number = scan.number(at);
        let next = number.or_else(|| scan.dotted(at)).or_else(|| scan.word(at));
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

struct Scan<'a> {
    text: &'a str,
    /// Each with its byte.
    chars: &'a [(usize, char)],
    language: &'a Language,
    shouts: bool,
}

/// A sign of money, and its name for one and for many.
type Money = (char, &'static str, &'static str);

/// A number while it is read.
struct NumberWords {
    /// Index of the next character.
    end: usize,
    /// Digits of the whole part.
    digits: String,
    value: Option<u64>,
    /// True without groups and fraction: the number may be an ordinal.
    is_plain: bool,
    /// The sign before it, until it is in the words.
    money: Option<Money>,
    words: String,
}

impl NumberWords {
    fn add(&mut self, word: &str) {
        self.words = format!("{} {word}", self.words);
    }

    fn add_money(&mut self, (_, one, many): Money) {
        self.add(if self.value == Some(1) { one } else { many });
    }
}

impl Scan<'_> {
    fn at(&self, i: usize) -> Option<char> {
        self.chars.get(i).map(|(_, c)| *c)
    }

    fn byte(&self, i: usize) -> usize {
        self.chars.get(i).map_or(self.text.len(), |(byte, _)| *byte)
    }

    fn token(&self, from: usize, to: usize, says: Says) -> (usize, SpeechToken) {
        let range = self.byte(from)..self.byte(to);
        (to, SpeechToken { range, says })
    }

    fn text_between(&self, from: usize, to: usize) -> &str {
        let range = self.byte(from)..self.byte(to);
        self.text.get(range).unwrap_or_default()
    }

    /// Digits from here on: where they end, and what they are.
    fn digits(&self, from: usize) -> (usize, String) {
        let digits = (from..).map_while(|i| digit(self.at(i)?));
        let digits: String = digits.take(200).collect();
        (from + digits.chars().count(), digits)
    }

    /// "42", "1,984", "3.5", "$5", "10%", "2nd", "-4", "10:30".
    fn number(&self, start: usize) -> Option<(usize, SpeechToken)> {
        let before = start.checked_sub(1).and_then(|i| self.at(i));
        let is_free = before.is_none_or(|c| !c.is_alphanumeric() && !c.is_ascii_digit());
        let minus = is_free && matches!(self.at(start), Some('-' | '−'));
        let mut at = start + usize::from(minus);
        let money = self.money(at);
        at += usize::from(money.is_some());
        digit(self.at(at)?)?;
        let (end, digits, is_grouped) = self.grouped_digits(at);
        let (words, value) = self.whole(&digits, is_grouped || money.is_some());
        let mut number = NumberWords {
            end,
            digits,
            value,
            is_plain: !is_grouped,
            money,
            words,
        };
        self.add_fraction(&mut number);
        self.add_unit(&mut number);
        let NumberWords { end, mut words, .. } = number;
        let mut from = start;
        if minus {
            match self.language.numbers.minus {
                "" => from += 1,
                name => words = format!("{name} {words}"),
            }
        }
        Some(self.token(from, end, Says::Text(words)))
    }

    fn money(&self, i: usize) -> Option<Money> {
        let sign = self.at(i)?;
        let known = self.language.numbers.money.iter();
        known.copied().find(|(own, ..)| *own == sign)
    }

    /// Reads digits, also in groups of three. Returns their end, the digits, and true if they are grouped.
    fn grouped_digits(&self, from: usize) -> (usize, String, bool) {
        let (mut end, mut all) = self.digits(from);
        let bare = all.clone();
        while self.at(end) == Some(self.language.numbers.group) && all.len() <= MOST_DIGITS {
            let (next, group) = self.digits(end + 1);
            if group.len() != 3 || bare.len() > 3 || bare.starts_with('0') {
                break;
            }
            all += &group;
            end = next;
        }
        let is_grouped = all != bare;
        (end, all, is_grouped)
    }

    /// Adds decimals, cents or minutes.
    fn add_fraction(&self, number: &mut NumberWords) {
        let (language, numbers) = (self.language, &self.language.numbers);
        let mark = self.at(number.end);
        let follows = || self.digits(number.end + 1);
        if mark == Some(numbers.mark) && digit(self.at(number.end + 1).unwrap_or(' ')).is_some() {
            let (next, part) = follows();
            number.is_plain = false;
            number.end = next;
            if number.money.is_some() && part.len() == 2 {
                let cents = part.parse().ok().filter(|cents| *cents > 0);
                if let Some(money) = number.money.take() {
                    number.add_money(money);
                }
                if let Some(cents) = cents {
                    number.add(&language.cardinal(cents));
                }
            } else {
                let part = language.digit_by_digit(&part);
                let (cardinal, _) = self.whole(&number.digits, true);
                number.words = format!("{cardinal} {} {part}", numbers.point);
            }
        } else if mark == Some(':')
            && number.digits.len() <= 2
            && number.is_plain
            && number.money.is_none()
        {
            let (next, minutes) = follows();
            if let (2, Ok(minutes)) = (minutes.len(), minutes.parse::<u64>())
                && minutes < 60
            {
                number.end = next;
                number.is_plain = false;
                if minutes > 0 {
                    number.add(&language.cardinal(minutes));
                }
            }
        }
    }

    /// Adds money or percent, or makes it an ordinal number.
    fn add_unit(&self, number: &mut NumberWords) {
        if let Some(money) = number.money {
            number.add_money(money);
            return;
        }
        let blank = matches!(self.at(number.end), Some(' ' | '\u{a0}' | '\u{202f}'));
        let after = number.end + usize::from(blank);
        let percent = self.language.numbers.percent;
        if self.at(after) == Some('%') && !percent.is_empty() {
            number.add(percent);
            number.end = after + 1;
        } else if let Some(money) = self.money(after)
            && digit(self.at(after + 1).unwrap_or(' ')).is_none()
        {
            number.add_money(money);
            number.end = after + 1;
        } else if number.is_plain
            && let Some((next, ordinal)) = self.ordinal(number.end, number.value)
        {
            (number.end, number.words) = (next, ordinal);
        }
    }

    /// A whole number in words, and its value where it is one.
    fn whole(&self, digits: &str, is_counted: bool) -> (String, Option<u64>) {
        let language = self.language;
        let is_code = digits.len() > 1 && digits.starts_with('0') || digits.len() > MOST_DIGITS;
        let Some(n) = digits.parse::<u64>().ok().filter(|_| !is_code) else {
            return (language.digit_by_digit(digits), None);
        };
        let year = language
            .numbers
            .year
            .filter(|_| digits.len() == 4 && !is_counted);
        let words = year.and_then(|year| year(n));
        (words.unwrap_or_else(|| language.cardinal(n)), Some(n))
    }

    /// What makes a number the second, not two.
    fn ordinal(&self, end: usize, value: Option<u64>) -> Option<(usize, String)> {
        let numbers = &self.language.numbers;
        let letters = (end..).take_while(|i| {
            self.at(*i)
                .is_some_and(|c| c.is_alphabetic() || "ºª°".contains(c))
        });
        let after = end + letters.take(8).count();
        let mark = self.text_between(end, after).to_lowercase();
        let is_known = numbers.ordinal_marks.contains(&mark.as_str());
        let words = numbers.ordinal.filter(|_| is_known && !mark.is_empty())?;
        Some((after, words(value?)))
    }

    /// "U.S.A.", "e.g."
    fn dotted(&self, start: usize) -> Option<(usize, SpeechToken)> {
        let before = start.checked_sub(1).and_then(|i| self.at(i));
        if before.is_some_and(is_inside) {
            return None;
        }
        let mut at = start;
        let mut n = 0;
        while self.at(at).is_some_and(char::is_alphabetic) && self.at(at + 1) == Some('.') {
            (at, n) = (at + 2, n + 1);
        }
        if n < 2 {
            return None;
        }
        // A last letter may lack its dot, but is no word.
        if self.at(at).is_some_and(char::is_alphabetic) {
            if self.at(at + 1).is_some_and(is_inside) {
                return None;
            }
            at += 1;
        }
        Some(self.token(start, at, Says::Letters))
    }

    fn word(&self, start: usize) -> Option<(usize, SpeechToken)> {
        let inside = (start..).take_while(|i| {
            let c = self.at(*i);
            c.is_some_and(|c| is_inside(c) && digit(c).is_none())
        });
        let mut end = start + inside.count();
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
        if let Some(long) = self.language.abbreviation(word) {
            let has_dot = self.at(end) == Some('.');
            let before = |n: usize| from.checked_sub(n).and_then(|i| self.at(i));
            let is_digit = |c: Option<char>| c.and_then(digit).is_some();
            let is_unit = is_digit(before(1)) || before(1) == Some(' ') && is_digit(before(2));
            let is_short = !self
                .language
                .rules
                .has_vowel(&self.language.rules.letters(word));
            let capital = self.at(from).is_some_and(char::is_uppercase);
            let bare = is_short && (capital || is_unit);
            if has_dot || bare {
                let long = Says::Text(long.to_owned());
                return Some(self.token(from, end + usize::from(has_dot), long));
            }
        }
        let says = if self.is_spelt(word) {
            Says::Letters
        } else {
            Says::Word
        };
        Some(self.token(from, end, says))
    }

    /// "USA" and "FBI", but not "NASA" nor "STOP".
    fn is_spelt(&self, word: &str) -> bool {
        let letters: Vec<char> = word.chars().filter(|c| c.is_alphabetic()).collect();
        let is_capital = letters.len() >= 2 && letters.iter().all(|c| c.is_uppercase());
        if !is_capital || self.shouts || self.language.word(word).is_some() {
            return false;
        }
        let letters = self.language.rules.letters(word);
        let is_vowel = |i: usize| {
            let c = letters.get(i).copied();
            c.is_some_and(|c| self.language.rules.has_vowel(&[c]))
        };
        let vowels: Vec<bool> = (0..letters.len()).map(is_vowel).collect();
        match vowels.as_slice() {
            [false, true, false] => false,
            short if short.len() <= 3 => true,
            [false, false, false, ..] => true,
            all => !all.contains(&true),
        }
    }
}

fn digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

fn is_apostrophe(c: char) -> bool {
    c == '\'' || c == '’'
}

/// Letters, apostrophes, and marks that belong to the letter before.
fn is_inside(c: char) -> bool {
    c.is_alphanumeric()
        || is_apostrophe(c)
        || matches!(
            c,
            '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' | '\u{ad}' | 'ー'
        )
}
