//! Words and numbers of a BVH text, with the lines they stand on.

use super::BvhError;

/// Numbered lines, split at whatever ends them.
type NumberedLines<'a> = std::iter::Enumerate<std::str::Split<'a, fn(char) -> bool>>;

/// Splits a text at white space and colons; braces that stick to words are words of their own.
pub(super) struct BvhTokens<'a> {
    lines: NumberedLines<'a>,
    rest: &'a str,
    /// Line of the last word given out, from 1.
    pub line: usize,
}

impl<'a> BvhTokens<'a> {
    /// Lines end in LF, CR or both; a CR LF pair gives an empty line, so CRs before LF do not count.
    pub fn new(text: &'a str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        // Files of old Macintosh programs end lines in CR alone.
        let end: fn(char) -> bool = if text.contains('\n') {
            |c| c == '\n'
        } else {
            |c| c == '\r'
        };
        Self {
            lines: text.split(end).enumerate(),
            rest: "",
            line: 1,
        }
    }

    /// An error on the present line.
    pub fn fault(&self, cause: &str) -> BvhError {
        BvhError {
            line: self.line,
            cause: cause.to_owned(),
        }
    }

    /// The next word, or `None` at the end.
    pub fn next(&mut self) -> Option<&'a str> {
        loop {
            let rest = self.rest.trim_start_matches(is_blank);
            if rest.is_empty() {
                let (i, line) = self.lines.next()?;
                self.line = i + 1;
                self.rest = line;
                continue;
            }
            let end = match rest.find(|c: char| is_blank(c) || matches!(c, '{' | '}')) {
                Some(0) => 1,
                Some(end) => end,
                None => rest.len(),
            };
            let (word, rest) = rest.split_at(end);
            self.rest = rest;
            return Some(word);
        }
    }

    /// What is left of the present line up to a brace: a name, which may hold blanks.
    pub fn name(&mut self) -> &'a str {
        let end = self.rest.find('{').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name.trim()
    }

    /// The next word, which must be `word` in any case.
    pub fn expect(&mut self, word: &str) -> Result<(), BvhError> {
        match self.next() {
            Some(found) if found.eq_ignore_ascii_case(word) => Ok(()),
            Some(found) => Err(self.fault(&format!("expected {word}, found {}", shown(found)))),
            None => Err(self.fault(&format!("the file ends where {word} should stand"))),
        }
    }

    /// The next word as a number; not necessarily a finite one.
    pub fn number(&mut self, what: &str) -> Result<f32, BvhError> {
        match self.next() {
            Some(word) => self.parse(word, what),
            None => Err(self.fault(&format!("the file ends before {what}"))),
        }
    }

    /// A word as a number; "nan(ind)" and the like of C programs are NaN.
    pub fn parse(&self, word: &str, what: &str) -> Result<f32, BvhError> {
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let lower = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
        if lower.starts_with("nan") || lower.starts_with("1.#") {
            return Ok(f32::NAN);
        }
        Err(self.fault(&format!("{what} is no number: {}", shown(word))))
    }
}

/// A colon stands only after `Frames` and `Frame Time`, with blanks around it or without.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == ':'
}

/// A word for a message, quoted and not too long.
pub(super) fn shown(word: &str) -> String {
    let mut short: String = word.chars().take(40).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    format!("{short:?}")
}
