//! Tokenizer for BVH text with line numbers.

use super::BvhError;

/// Numbered lines of a text.
type NumberedLines<'a> = std::iter::Enumerate<std::str::Split<'a, fn(char) -> bool>>;

/// Splits a text at white space and colons. A brace is a token of its own even without blanks around it.
pub(super) struct BvhTokens<'a> {
    lines: NumberedLines<'a>,
    rest: &'a str,
    /// Line of the last token returned, counted from 1.
    pub line: usize,
}

impl<'a> BvhTokens<'a> {
    /// Lines end in LF, CR or both. In a text with LF, each CR counts as a blank.
    pub fn new(text: &'a str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        // Files from old Macintosh programs end lines in CR alone.
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

    /// An error at the current line.
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

    /// The rest of the current line up to a brace: a name, which may contain blanks.
    pub fn name(&mut self) -> &'a str {
        let end = self.rest.find('{').unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name.trim()
    }

    /// Reads the next word, which must be `word` in any letter case.
    pub fn expect(&mut self, word: &str) -> Result<(), BvhError> {
        match self.next() {
            Some(found) if found.eq_ignore_ascii_case(word) => Ok(()),
            Some(found) => Err(self.fault(&format!("expected {word}, found {}", shown(found)))),
            None => Err(self.fault(&format!("expected {word}, found the end of the file"))),
        }
    }

    /// Reads the next word as a number, which may be NaN or infinite.
    pub fn number(&mut self, what: &str) -> Result<f32, BvhError> {
        match self.next() {
            Some(word) => self.parse(word, what),
            None => Err(self.fault(&format!("the file ends before {what}"))),
        }
    }

    /// Parses a word as a number; "nan(ind)" and similar output of C programs become NaN.
    pub fn parse(&self, word: &str, what: &str) -> Result<f32, BvhError> {
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let lower = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
        if lower.starts_with("nan") || lower.starts_with("1.#") {
            return Ok(f32::NAN);
        }
        Err(self.fault(&format!("{what} is not a number: {}", shown(word))))
    }
}

/// Colons occur only after `Frames` and `Frame Time`, with or without blanks around them, so they count as blanks.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == ':'
}

/// A word as quoted in a message, shortened if it is long.
pub(super) fn shown(word: &str) -> String {
    let mut short: String = word.chars().take(40).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    format!("{short:?}")
}
