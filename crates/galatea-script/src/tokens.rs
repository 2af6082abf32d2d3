//! Tokens of a Luau script and its blocks, without a syntax tree.
//!
//! The parser of full_moon would add 420 KB to the player, and it overflows a stack of 2 MB at 70 nested blocks, where
//! Luau compiles up to 1000.

use std::ops::Range;

/// A word, number, symbol or string; of a string only the first character.
pub(super) struct Token<'a> {
    pub text: &'a str,
    /// Position of the whole token, bytes.
    pub range: Range<usize>,
    /// The token is the first on the line.
    pub begins_line: bool,
}

impl Token<'_> {
    /// Returns true for a string of any kind.
    pub fn is_string(&self) -> bool {
        self.text == "\""
    }

    /// Returns true for a number.
    pub fn is_number(&self) -> bool {
        let digits = self.text.strip_prefix('.').unwrap_or(self.text);
        digits.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Returns true for a name that is not a keyword.
    pub fn is_name(&self) -> bool {
        let starts = self
            .text
            .starts_with(|c: char| is_name(c) && !c.is_ascii_digit());
        starts && !KEYWORDS.contains(&self.text)
    }
}

/// Open blocks and brackets while the tokens of a script are read in order.
#[derive(Default)]
pub(super) struct Blocks {
    open: Vec<Open>,
    /// True where a value is expected; an `if` there is an expression.
    pub wants_value: bool,
    ended_a_type: bool,
}

impl Blocks {
    /// Reads the next token; `None` if the structure is not recognized.
    pub fn step(&mut self, token: &Token<'_>) -> Option<()> {
        let mut value_next = wants_value_after(token.text);
        match token.text {
            "function" | "do" | "repeat" => self.open.push(Open::Block),
            "if" => {
                let is_value = self.wants_value && !(self.ended_a_type && token.begins_line);
                self.open
                    .push(if is_value { Open::IfValue } else { Open::Block });
            }
            "(" | "[" | "{" => self.open.push(Open::Bracket),
            ")" | "]" | "}" => (self.open.pop()? == Open::Bracket).then_some(())?,
            "end" | "until" => (self.open.pop()? != Open::Bracket).then_some(())?,
            "then" => value_next = self.open.last() == Some(&Open::IfValue),
            "else" => {
                value_next = self.open.last() == Some(&Open::IfValue);
                if value_next {
                    self.open.pop();
                }
            }
            ";" => value_next = self.open.last() == Some(&Open::Bracket),
            _ => {}
        }
        (self.wants_value, self.ended_a_type) = (value_next, token.text == ">");
        Some(())
    }

    /// Returns true outside of all blocks and brackets.
    pub fn is_top(&self) -> bool {
        self.open.is_empty()
    }

    /// Number of open blocks and brackets.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}

/// Keywords of Luau.
pub(super) const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// An open block or bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// A block up to `end` or `until`.
    Block,
    Bracket,
    /// The expression `if a then b else c`, up to its `else`. It has no `end`.
    IfValue,
}

fn wants_value_after(token: &str) -> bool {
    let words = [
        "return", "and", "or", "not", "until", "in", "if", "elseif", "while",
    ];
    let is_operator = token.ends_with([
        '=', '<', '>', '+', '-', '*', '/', '%', '^', '#', '(', '[', '{', ',', '.',
    ]);
    words.contains(&token) || is_operator && token != "..."
}

/// End of the type that begins at a token.
pub(super) fn type_end(tokens: &[Token<'_>], mut i: usize) -> usize {
    let mut wants_part = true;
    let mut before = "";
    while let Some(token) = tokens.get(i) {
        let is_part = token.text.starts_with(|c: char| is_name(c) || c == '"');
        match token.text {
            "(" | "{" if wants_part || before == "typeof" => {
                i = group_end(tokens, i);
                wants_part = false;
            }
            "<" if !wants_part => i = group_end(tokens, i),
            "?" => {}
            "|" | "&" | "->" | "." => wants_part = true,
            _ if is_part && wants_part => wants_part = false,
            _ => return i,
        }
        before = token.text;
        i += 1;
    }
    i
}

/// Index of the token that closes the bracket at `i`.
pub(super) fn group_end(tokens: &[Token<'_>], i: usize) -> usize {
    let mut depth = 0usize;
    for (k, token) in tokens.iter().enumerate().skip(i) {
        match token.text {
            "(" | "{" | "[" | "<" => depth += 1,
            ")" | "}" | "]" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return k;
        }
    }
    tokens.len()
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Tokens of a script; `None` if a string or a comment does not end.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    let mut begins_line = true;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c == '\n' {
            begins_line = true;
        }
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if let Some(comment) = rest.strip_prefix("--") {
            at += match long_bracket(comment) {
                Some(length) => 2 + length?,
                None => rest.find('\n').unwrap_or(rest.len()),
            };
            continue;
        }
        let long_text = long_bracket(rest);
        let (n, is_text) = match c {
            '"' | '\'' | '`' => (quoted(rest, c)?, true),
            _ if begins_number(rest) => (number_length(rest), false),
            _ if is_name(c) => (rest.find(|c| !is_name(c)).unwrap_or(rest.len()), false),
            _ => match long_text {
                Some(length) => (length?, true),
                None => {
                    let signs = ["...", "->", "::", ".."];
                    let sign = signs.into_iter().find(|sign| rest.starts_with(sign));
                    (sign.map_or(c.len_utf8(), str::len), false)
                }
            },
        };
        tokens.push(Token {
            text: if is_text { "\"" } else { &rest[..n] },
            range: at..at + n,
            begins_line,
        });
        begins_line = false;
        at += n;
    }
    Some(tokens)
}

fn begins_number(rest: &str) -> bool {
    let digits = rest.strip_prefix('.').unwrap_or(rest);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

/// Length of the number at the beginning of `rest`, bytes.
fn number_length(rest: &str) -> usize {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
    let digits = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let exponent = rest[digits..].strip_prefix(['e', 'E']);
    let signed = exponent.is_some_and(|after| after.starts_with(['+', '-']));
    let tail = digits + if signed { 2 } else { 0 };
    let length = rest[tail..].find(|c| !is_name(c));
    length.map_or(rest.len(), |length| tail + length)
}

/// Length of a string `[[ … ]]` or `[=[ … ]=]` at the beginning of `rest`, bytes; `None` if there is none, `Some(None)`
/// if it does not end.
fn long_bracket(rest: &str) -> Option<Option<usize>> {
    let signs = rest.strip_prefix('[')?;
    let level = signs.len() - signs.trim_start_matches('=').len();
    signs[level..].strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(level));
    Some(rest.find(&close).map(|at| at + close.len()))
}

/// Length of the quoted string at the beginning of `rest`, bytes. Braces in a string with backticks may contain
/// strings.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let mut braces = 0usize;
    let mut inner: Option<char> = None;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if let Some(open) = inner {
            if c == open {
                inner = None;
            }
        } else if quote == '`' && c == '{' {
            braces += 1;
        } else if braces > 0 {
            match c {
                '}' => braces -= 1,
                '"' | '\'' | '`' => inner = Some(c),
                _ => {}
            }
        } else if c == quote {
            return Some(at + 1);
        }
    }
    None
}
