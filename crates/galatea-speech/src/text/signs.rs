//! Symbols between words and numbers that are read as words: "&", "5 + 3", "pages 3–7".

use super::tokens::{Scan, Scanned, TokenReading};

impl Scan<'_> {
    /// Reads a symbol if it has a meaning at its position. A repeated symbol is decoration.
    pub(super) fn sign(&self, i: usize) -> Option<Scanned> {
        let c = self.at(i)?;
        let (before, after) = (self.before(i), self.at(i + 1));
        let forms = self.language.forms;
        let is_behind_digit = i.checked_sub(1).is_some_and(|i| self.is_digit(i));
        let is_between_digits = is_behind_digit && self.is_digit(i + 1);
        let is_sum = |i: usize| self.money(i).is_some() && self.is_digit(i + 1);
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let next = i + 1 + self.run(i + 1, |c| c == ' ');
        let is_before_number = self.is_digit(next);
        let is_apart = before == Some(' ') && after == Some(' ');
        let words = match c {
            '-' | '–' if is_between_digits && self.is_range(i) => forms.sign('–')?,
            '-' | '–' if is_behind_digit && is_sum(i + 1) => forms.sign('–')?,
            '-' | '−' if is_apart && is_before_number && self.is_digit(i.checked_sub(2)?) => {
                self.language.numbers.minus
            }
            'x' | 'X' if is_between_digits => forms.sign('x')?,
            '-' | '–' | 'x' | 'X' => return None,
            '#' | '♯'
                if is_note(before, i.checked_sub(2).and_then(|i| self.at(i)))
                    && !is_letter(after) =>
            {
                forms.sign('♯')?
            }
            '#' | '№' | '§' | '~' | '≈' | '±' if !is_before_number => return None,
            '<' | '>' if !is_apart || i < 2 || !is_letter(self.at(next)) => return None,
            '=' if !is_letter(self.at(next)) || i == 0 => return None,
            '@' if is_letter(before) != is_letter(after) => return None,
            // "C++"
            '+' if is_letter(before) || before == Some('+') => forms.sign('+')?,
            '=' | '&' | '+' | '@' | '%' if before == Some(c) || after == Some(c) => return None,
            '=' if is_operator(before) || is_operator(after) => return None,
            c => forms.sign(c)?,
        };
        Some(self.token(i, i + 1, TokenReading::Text(words.to_owned())))
    }

    /// Returns true for a range such as "5-10", but not for "2024-01-15" or "1-02".
    fn is_range(&self, i: usize) -> bool {
        let is_dash = |i: usize| matches!(self.at(i), Some('-' | '–'));
        let next = self.run(i + 1, |c| c.is_ascii_digit());
        let chars = self.chars.get(..i).unwrap_or_default().iter().rev();
        let last = chars.take_while(|(_, c)| c.is_ascii_digit()).count();
        let before = i.checked_sub(last + 1);
        let is_chain = is_dash(i + 1 + next) || before.is_some_and(is_dash);
        !is_chain && (self.at(i + 1) != Some('0') || next == 1)
    }
}

/// Returns true for a note such as "C#", but not for "DC#".
fn is_note(letter: Option<char>, before: Option<char>) -> bool {
    letter.is_some_and(|c| ('A'..='G').contains(&c)) && !before.is_some_and(char::is_alphanumeric)
}

fn is_operator(c: Option<char>) -> bool {
    c.is_some_and(|c| "=<>!:".contains(c))
}
