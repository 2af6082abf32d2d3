//! Dates in a text: "2026-11-29", "11/29/2026", "Nov. 29".

use super::tokens::{Scan, Scanned, TokenReading};

/// Number of digits of a short year: "1/2/05".
const SHORT_YEAR: usize = 2;

impl Scan<'_> {
    /// Reads a numeric date. If the order is ambiguous, the month comes first if possible.
    pub(super) fn date(&self, start: usize) -> Option<Scanned> {
        if self.language.forms.months.is_empty() || !self.is_start(start) {
            return None;
        }
        let (end, first) = self.digits(start);
        let mark = self.at(end).filter(|c| matches!(c, '-' | '/' | '.'))?;
        let (end, second) = self.digits(end + 1);
        if self.at(end) != Some(mark) {
            return None;
        }
        let (end, third) = self.digits(end + 1);
        let continues = matches!(self.at(end), Some('-' | '/')) || !self.ends_word(end);
        let [a, b, c] = [&first, &second, &third].map(|part| part.parse::<u64>().ok());
        let (a, b, c) = (a?, b?, c?);
        let (year, n_digits, month, day) = match [first.len(), second.len(), third.len()] {
            [4, 1..=2, 1..=2] if mark != '.' => (a, 4, b, c),
            [1..=2, 1..=2, n @ (SHORT_YEAR | 4)] if mark == '/' && a <= 12 => (c, n, a, b),
            [1..=2, 1..=2, n @ (SHORT_YEAR | 4)] if mark != '-' => (c, n, b, a),
            _ => return None,
        };
        let is_version = mark == '.' && n_digits == SHORT_YEAR;
        if continues || is_version || !(1..=31).contains(&day) {
            return None;
        }
        let month = self.month(month)?;
        let day = self.language.numbers.ordinal?(day);
        let year = match (n_digits, year) {
            (SHORT_YEAR, 1..10) => format!("oh {}", self.language.cardinal(year)),
            (SHORT_YEAR, _) => self.language.cardinal(year),
            _ => self.year(year),
        };
        let words = format!("{month} {day} {year}");
        Some(self.token(start, end, TokenReading::Text(words)))
    }

    /// Returns the words for a day after the name of a month: "Nov. 29".
    pub(super) fn day_of_month(&self, start: usize, day: u64) -> Option<String> {
        let before = self.text_between(0, start).trim_end_matches([' ', '.']);
        let word = before.rsplit(|c: char| !c.is_alphabetic()).next()?;
        let is_behind = self.month_named(word).is_some() && self.before(start) == Some(' ');
        let ordinal = self.language.numbers.ordinal?;
        (is_behind && (1..=31).contains(&day)).then(|| ordinal(day))
    }

    /// Returns the month that a capitalised word names, in full or by three letters.
    pub(super) fn month_named(&self, word: &str) -> Option<&'static str> {
        let lower = word.to_lowercase();
        let matches = |name: &&str| {
            let is_short = lower.len() == 3 || lower == "sept";
            *name == lower || is_short && name.starts_with(&lower)
        };
        let mut months = self.language.forms.months.iter().copied();
        months
            .find(matches)
            .filter(|_| word.starts_with(char::is_uppercase))
    }

    fn month(&self, month: u64) -> Option<&'static str> {
        let months = self.language.forms.months;
        months
            .get(usize::try_from(month.checked_sub(1)?).ok()?)
            .copied()
    }

    fn year(&self, n: u64) -> String {
        let year = self.language.numbers.year.and_then(|year| year(n));
        year.unwrap_or_else(|| self.language.cardinal(n))
    }

    /// Returns true if no letter or digit follows.
    fn ends_word(&self, end: usize) -> bool {
        !self.at(end).is_some_and(char::is_alphanumeric)
    }
}
