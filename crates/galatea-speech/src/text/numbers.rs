//! Numbers in a text: integers, fractions, money, units, times of day, decades.

use super::characters::{digit, is_apostrophe, vulgar_fraction};
use super::forms::form;
use super::tokens::{Scan, Scanned, TokenReading};

/// Maximum number of digits of a number; longer numbers are read digit by digit.
const MAX_DIGITS: usize = 12;

/// A currency symbol with its singular and plural name.
pub(super) type Money = (char, &'static str, &'static str);

/// A number being read.
struct NumberWords {
    /// Index of the next character.
    end: usize,
    /// Digits of the whole part; empty in ".5".
    digits: String,
    value: Option<u64>,
    /// True without digit groups and fraction: the number may be an hour, or the whole part of a mixed fraction.
    is_plain: bool,
    words: String,
}

impl NumberWords {
    fn add(&mut self, word: &str) {
        self.words = format!("{} {word}", self.words);
        self.words = self.words.trim_start().to_owned();
    }
}

impl Scan<'_> {
    /// Reads a number such as "42", "1,984", ".5", "½", "$5", "10%", "2nd", "-4", "10:30", "1990s" or "20°C".
    pub(super) fn number(&self, start: usize) -> Option<Scanned> {
        let is_free = self.is_start(start);
        let minus = is_free && matches!(self.at(start), Some('-' | '−'));
        let mut at = start + usize::from(minus);
        let money = self.money(at);
        at += usize::from(money.is_some());
        let is_apart = money.is_some() && self.at(at) == Some(' ') && self.is_digit(at + 1);
        at += usize::from(is_apart);
        let has_point = self.at(at) == Some('.') && self.is_digit(at + 1);
        let is_decimal = has_point && (is_free || money.is_some());
        if !is_decimal && !self.is_digit(at) && self.fraction(at, false).is_none() {
            return None;
        }
        if let Some(read) = self.date(start).or_else(|| self.telephone(start)) {
            return Some(read);
        }
        let (end, digits, is_grouped) = self.grouped_digits(at);
        let (words, value) = match digits.is_empty() {
            true => (String::new(), None),
            false => self.whole(&digits, is_grouped || money.is_some()),
        };
        let mut number = NumberWords {
            end,
            digits,
            value,
            is_plain: !is_grouped,
            words,
        };
        match money {
            Some(money) => self.add_amount(&mut number, money),
            None => {
                self.add_fraction(&mut number);
                self.add_unit(&mut number, start);
            }
        }
        let is_bare = |n: &u64| number.is_plain && number.words == self.language.cardinal(*n);
        if let Some(day) = number.value.filter(is_bare)
            && let Some(words) = self.day_of_month(start, day)
        {
            number.words = words;
        }
        let NumberWords { end, mut words, .. } = number;
        let mut from = start;
        if minus {
            match self.language.numbers.minus {
                "" => from += 1,
                name => words = format!("{name} {words}"),
            }
        }
        Some(self.token(from, end, TokenReading::Text(words)))
    }

    pub(super) fn money(&self, i: usize) -> Option<Money> {
        let sign = self.at(i)?;
        let known = self.language.numbers.money.iter();
        known.copied().find(|(own, ..)| *own == sign)
    }

    /// Reads digits from a position; returns their end and the digits.
    pub(super) fn digits(&self, from: usize) -> (usize, String) {
        let digits = (from..).map_while(|i| digit(self.at(i)?));
        let digits: String = digits.take(200).collect();
        (from + digits.chars().count(), digits)
    }

    /// Reads digits, also in groups of three. Returns their end, the digits, and true if they are grouped.
    fn grouped_digits(&self, from: usize) -> (usize, String, bool) {
        let (mut end, mut all) = self.digits(from);
        let bare = all.clone();
        while self.at(end) == Some(self.language.numbers.group) && all.len() <= MAX_DIGITS {
            let (next, group) = self.digits(end + 1);
            if group.len() != 3 || bare.len() > 3 || bare.is_empty() || bare.starts_with('0') {
                break;
            }
            all += &group;
            end = next;
        }
        let is_grouped = all != bare;
        (end, all, is_grouped)
    }

    /// Reads a phone number digit by digit: "555-1234", "555-123-4567".
    fn telephone(&self, start: usize) -> Option<Scanned> {
        if self.language.forms.signs.is_empty() || !self.is_start(start) {
            return None;
        }
        let (mut end, mut all) = self.digits(start);
        let mut lengths = vec![all.len()];
        while self.at(end) == Some('-') && self.is_digit(end + 1) && lengths.len() < 4 {
            let (next, more) = self.digits(end + 1);
            (end, all) = (next, all + &more);
            lengths.push(more.len());
        }
        let is_number = matches!(lengths.as_slice(), [3, 4] | [3, 3, 4]);
        let words = self.language.digit_by_digit(&all);
        is_number.then(|| self.token(start, end, TokenReading::Text(words)))
    }

    /// Reads the digits after the decimal mark; returns their end and the digits.
    fn decimals(&self, end: usize) -> Option<(usize, String)> {
        let is_mark = self.at(end) == Some(self.language.numbers.mark);
        (is_mark && self.is_digit(end + 1)).then(|| self.digits(end + 1))
    }

    fn add_decimals(&self, number: &mut NumberWords, decimals: &str) {
        let (language, numbers) = (self.language, &self.language.numbers);
        if !number.digits.is_empty() {
            number.words = self.whole(&number.digits, true).0;
        }
        number.add(numbers.point);
        number.add(&language.digit_by_digit(decimals));
        (number.is_plain, number.value) = (false, None);
    }

    /// Adds the part after an amount of money: cents, or a factor such as "million"; then the currency.
    fn add_amount(&self, number: &mut NumberWords, (sign, one, many): Money) {
        let decimals = self.decimals(number.end);
        let end = decimals.as_ref().map_or(number.end, |(end, _)| *end);
        let scale = self.language.forms.scales.iter().find_map(|(short, long)| {
            let at = end + usize::from(self.at(end) == Some(' '));
            // "$5 m": a single letter must directly follow its number.
            let is_near = at == end || short.len() > 2;
            let end = self.ends(at, short, true).filter(|_| is_near)?;
            Some((end, *long))
        });
        let whole = number.value;
        let mut hundredths = None;
        if let Some((end, decimals)) = decimals {
            number.end = end;
            if decimals.len() == 2 && scale.is_none() {
                hundredths = decimals.parse().ok().filter(|n| *n > 0);
            } else {
                self.add_decimals(number, &decimals);
            }
        }
        if let Some((end, long)) = scale {
            (number.end, number.value) = (end, None);
            number.add(long);
        }
        let mut cents = self.language.forms.cents.iter();
        if let (Some(n @ 1..), None | Some(0)) = (hundredths, whole)
            && let Some((_, one, many)) = cents.find(|(own, ..)| *own == sign)
        {
            number.words = self.language.cardinal(n);
            number.add(if n == 1 { one } else { many });
            return;
        }
        number.add(if number.value == Some(1) { one } else { many });
        if let Some(n) = hundredths {
            number.add(&self.language.cardinal(n));
        }
    }

    /// Adds decimals, a fraction, minutes, or the inches of a height.
    fn add_fraction(&self, number: &mut NumberWords) {
        if let Some((end, decimals)) = self.decimals(number.end) {
            number.end = end;
            if self.decimals(end).is_some() {
                self.add_version(number, &decimals);
            } else {
                self.add_decimals(number, &decimals);
            }
            return;
        }
        let follows_whole = number.is_plain && !number.digits.is_empty();
        let blank = usize::from(follows_whole && self.at(number.end) == Some(' '));
        if let Some((end, words)) = self.fraction(number.end + blank, follows_whole) {
            (number.end, number.is_plain, number.value) = (end, false, None);
            number.add(&words);
        } else if let Some((end, words)) = self.fraction_of(&number.digits, number.end, false) {
            // A unit after a fraction is singular.
            (number.end, number.is_plain, number.value) = (end, false, Some(1));
            number.words = words;
        } else if follows_whole {
            self.add_minutes(number);
            self.add_inches(number);
        }
    }

    /// Reads a version number: "2.0.1".
    fn add_version(&self, number: &mut NumberWords, decimals: &str) {
        let mut part = decimals.to_owned();
        number.words = self.whole(&number.digits, true).0;
        loop {
            number.add(self.language.numbers.point);
            number.add(&self.whole(&part, true).0);
            let Some((end, next)) = self.decimals(number.end) else {
                break;
            };
            (number.end, part) = (end, next);
        }
        (number.is_plain, number.value) = (false, None);
    }

    /// Reads "½" or "1/2"; returns its end and its words.
    fn fraction(&self, i: usize, follows_whole_number: bool) -> Option<(usize, String)> {
        if let Some((n, of)) = vulgar_fraction(self.at(i)?) {
            let read = self.language.forms.fraction?;
            return Some((i + 1, read(n, of, follows_whole_number)?));
        }
        let (end, digits) = self.digits(i);
        // Two integers next to each other are not a mixed fraction.
        if !follows_whole_number || self.is_digit(i.checked_sub(1)?) {
            return None;
        }
        self.fraction_of(&digits, end, true)
    }

    /// Reads a fraction whose numerator ends at `end`.
    fn fraction_of(
        &self,
        n: &str,
        end: usize,
        follows_whole_number: bool,
    ) -> Option<(usize, String)> {
        let read = self.language.forms.fraction?;
        let is_chain = |i: usize| self.at(i) == Some('/');
        if !is_chain(end) || is_chain(end.checked_sub(n.len() + 1).unwrap_or(end + 1)) {
            return None;
        }
        let (last, of) = self.digits(end + 1);
        if is_chain(last) || self.at(last).is_some_and(char::is_alphabetic) {
            return None;
        }
        let words = read(n.parse().ok()?, of.parse().ok()?, follows_whole_number)?;
        Some((last, words))
    }

    /// Converts an hour with minutes to a time of day.
    fn add_minutes(&self, number: &mut NumberWords) {
        let hour = number.digits.parse::<u64>().ok();
        let Some(hour) = hour.filter(|_| number.digits.len() <= 2) else {
            return;
        };
        let two_digits = |from: usize| {
            let (end, digits) = self.digits(from + 1);
            let n = digits.parse::<u64>().ok().filter(|n| *n < 60);
            n.filter(|_| self.at(from) == Some(':') && digits.len() == 2)
                .map(|n| (end, n))
        };
        let minutes = two_digits(number.end);
        let end = minutes.map_or(number.end, |(end, _)| end);
        let seconds = minutes.and_then(|_| two_digits(end));
        let half = self.half_day(end).filter(|_| (1..=12).contains(&hour));
        if let Some((end, minutes)) = minutes {
            (number.end, number.is_plain, number.value) = (end, false, None);
            match self.language.forms.clock {
                Some(clock) => {
                    number.words = clock(hour, minutes, half.is_some() || seconds.is_some())
                }
                None if minutes > 0 => number.add(&self.language.cardinal(minutes)),
                None => {}
            }
        }
        if let Some((end, seconds)) = seconds {
            number.end = end;
            number.add(&self.language.cardinal(seconds));
        }
        if let Some((end, half)) = half {
            (number.end, number.is_plain, number.value) = (end, false, None);
            number.add(half);
        }
    }

    /// Reads "pm" or "p.m."; returns its end and its words.
    fn half_day(&self, end: usize) -> Option<(usize, &'static str)> {
        let from = end + usize::from(self.at(end) == Some(' '));
        let n = self.run(from, |c| c.is_alphabetic() || c == '.').min(4);
        let written = self.text_between(from, from + n);
        let words = form(self.language.forms.half_days, &written.replace('.', ""))?;
        match written.len() {
            // "7 am." ends a sentence: the dot does not belong to it.
            3 if written.ends_with('.') => Some((from + 2, words)),
            2 | 4 => Some((from + n, words)),
            _ => None,
        }
    }

    /// Reads feet and inches: "5'11"".
    fn add_inches(&self, number: &mut NumberWords) {
        let foot = self.language.forms.foot;
        let is_mark = matches!(self.at(number.end), Some('\'' | '’' | '′'));
        let (end, inches) = self.digits(number.end + 1);
        let n = inches.parse::<u64>().ok().filter(|n| *n < 12);
        if let (Some(n), true, false) = (n, is_mark, foot.is_empty()) {
            let has_mark = matches!(self.at(end), Some('"' | '”' | '″'));
            number.end = end + usize::from(has_mark);
            (number.is_plain, number.value) = (false, None);
            number.add(foot);
            number.add(&self.language.cardinal(n));
        }
    }

    /// Adds a currency, percent or unit, or converts to a plural or an ordinal number.
    fn add_unit(&self, number: &mut NumberWords, start: usize) {
        let blank = matches!(self.at(number.end), Some(' ' | '\u{a0}' | '\u{202f}'));
        let after = number.end + usize::from(blank);
        let percent = self.language.numbers.percent;
        if self.at(after) == Some('%') && !percent.is_empty() {
            number.add(percent);
            number.end = after + 1;
        } else if let Some((_, one, many)) = self.money(after)
            && !self.is_digit(after + 1)
        {
            number.add(if number.value == Some(1) { one } else { many });
            number.end = after + 1;
        } else if let Some((end, name)) = self.unit(after, number.value == Some(1)) {
            let is_minute = self.at(after) == Some('m') && end == after + 1;
            let name = match self.minutes_after_hours(start).filter(|_| is_minute) {
                Some(minutes) => minutes,
                None => name,
            };
            number.add(name);
            number.end = end;
        } else if let Some(end) = self.plural_mark(number.end)
            && let Some(plural) = self.language.forms.plural
            && !number.digits.is_empty()
        {
            (number.end, number.words) = (end, plural(&number.words));
        } else if let Some((end, ordinal)) = self.ordinal(number.end, number.value) {
            (number.end, number.words) = (end, ordinal);
        }
    }

    /// Returns the name of minutes if the number follows hours: "1h 30m".
    fn minutes_after_hours(&self, start: usize) -> Option<&'static str> {
        let before = self.text_between(0, start).trim_end_matches(' ');
        let hours = before.strip_suffix('h')?.trim_end_matches(' ');
        let mut units = self.language.forms.units.iter();
        let minutes = units.find(|(symbol, ..)| *symbol == "min")?;
        hours
            .ends_with(|c: char| c.is_ascii_digit())
            .then_some(minutes.2)
    }

    /// Returns the end and the name of the unit at a position.
    fn unit(&self, i: usize, is_one: bool) -> Option<(usize, &'static str)> {
        // An unpaired quotation mark after a number means inches.
        let n_marks = self.text_between(0, i).matches('"').count();
        if self.at(i) == Some('"')
            && self.before(i).is_some_and(|c| digit(c).is_some())
            && n_marks.is_multiple_of(2)
        {
            let mut units = self.language.forms.units.iter();
            let inch = units.find(|(symbol, ..)| *symbol == "″")?;
            return Some((i + 1, if is_one { inch.1 } else { inch.2 }));
        }
        let all = self.language.forms.units.iter();
        let found = all.filter_map(|(symbol, one, many)| {
            let end = self.ends(i, symbol, false)?;
            Some((end, if is_one { *one } else { *many }))
        });
        found.max_by_key(|(end, _)| *end)
    }

    /// Returns the end of the s of "1990s" or "1990's".
    fn plural_mark(&self, end: usize) -> Option<usize> {
        let s = end + usize::from(self.at(end).is_some_and(is_apostrophe));
        self.ends(s, "s", false)
    }

    /// Returns a whole number in words, and its value if it is read as one number.
    fn whole(&self, digits: &str, is_counted: bool) -> (String, Option<u64>) {
        let language = self.language;
        let is_code = digits.len() > 1 && digits.starts_with('0') || digits.len() > MAX_DIGITS;
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

    /// Reads the ending of an ordinal number ("2nd").
    fn ordinal(&self, end: usize, value: Option<u64>) -> Option<(usize, String)> {
        let numbers = &self.language.numbers;
        let letters = self.run(end, |c| c.is_alphabetic() || "ºª°".contains(c));
        let after = end + letters.min(8);
        let mark = self.text_between(end, after).to_lowercase();
        let is_known = numbers.ordinal_marks.contains(&mark.as_str());
        let words = numbers.ordinal.filter(|_| is_known && !mark.is_empty())?;
        Some((after, words(value?)))
    }
}
