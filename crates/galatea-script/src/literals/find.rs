//! Finds the literals of a script in its tokens.

use super::text::string_of_literal;
use super::{Literal, ScriptLiterals, ScriptStatement, ScriptValue, ValueKind};
use crate::tokens::{Blocks, Token, group_end, tokens, type_end};

/// Maximum length of a line of the script as a label or title, characters.
const MAX_TITLE: usize = 60;
/// Functions that make a vector from numbers.
const VECTORS: [&str; 2] = ["vec", "vector.create"];

/// Finds the values of a script that compiles. Indices such as `list[1]`, types, interpolated strings and the conditions
/// of endless loops are left out. If the structure of a script is not recognized, it has no values.
pub fn literals_of(text: &str) -> ScriptLiterals {
    let found = tokens(text).and_then(|tokens| Finder::new(text, &tokens).run());
    found.unwrap_or_default()
}

/// Brackets or the body of a function around a token.
struct Enclosing {
    kind: EnclosingKind,
    /// Number of open blocks and brackets around it.
    depth: usize,
    /// Names that lead to it.
    label: String,
    call: String,
    fields: Vec<String>,
    /// Key of the current field of a table, or the target of the current assignment.
    key: Option<String>,
    /// Number of commas so far.
    n: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EnclosingKind {
    /// The script, or a function.
    Body,
    Arguments,
    /// Parentheses in an expression.
    Group,
    Table,
    /// An index, or a key in brackets.
    Index,
}

impl Enclosing {
    fn new(kind: EnclosingKind, depth: usize) -> Self {
        Self {
            kind,
            depth,
            label: String::new(),
            call: String::new(),
            fields: Vec::new(),
            key: None,
            n: 0,
        }
    }
}

struct Finder<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    blocks: Blocks,
    frames: Vec<Enclosing>,
    /// Function of the most recently closed parentheses.
    closed: String,
    /// Position of the end of each line.
    lines: Vec<usize>,
    out: ScriptLiterals,
}

impl<'a> Finder<'a> {
    fn new(text: &'a str, tokens: &'a [Token<'a>]) -> Self {
        Self {
            text,
            tokens,
            blocks: Blocks::default(),
            frames: vec![Enclosing::new(EnclosingKind::Body, 0)],
            closed: String::new(),
            lines: text.match_indices('\n').map(|(at, _)| at).collect(),
            out: ScriptLiterals::default(),
        }
    }

    fn run(mut self) -> Option<ScriptLiterals> {
        let mut i = 0;
        while let Some(token) = self.tokens.get(i) {
            self.begin_statement(i);
            if let Some(end) = self.alias_end(i) {
                i = end;
                continue;
            }
            if let Some((literals, end)) = self.vector(i) {
                self.add(i, ValueKind::Vector(literals));
                i = end + 1;
                continue;
            }
            match token.text {
                "(" | "{" | "[" => self.open(i),
                "function" => {
                    let frame = Enclosing::new(EnclosingKind::Body, self.blocks.depth());
                    self.frames.push(frame);
                }
                "," | ";" => {
                    let frame = self.frames.last_mut()?;
                    frame.n += 1;
                    if frame.kind == EnclosingKind::Table {
                        frame.key = None;
                    }
                }
                "local" => {
                    let name = self.tokens.get(i + 1).filter(|token| token.is_name());
                    self.frames.last_mut()?.key = name.map(|name| name.text.to_owned());
                }
                "=" if self.is_assignment(i) => self.assign(i),
                _ => {
                    if let Some(kind) = self.literal(i) {
                        self.add(i, kind);
                    }
                }
            }
            self.blocks.step(token)?;
            self.close();
            i += 1;
        }
        self.blocks.is_top().then_some(self.out)
    }

    fn before(&self, i: usize) -> Option<&'a Token<'a>> {
        self.tokens.get(i.checked_sub(1)?)
    }

    fn text_before(&self, i: usize) -> &'a str {
        self.before(i).map_or("", |token| token.text)
    }

    fn text_after(&self, i: usize) -> &'a str {
        self.tokens.get(i + 1).map_or("", |token| token.text)
    }

    fn line(&self, i: usize) -> usize {
        let at = self.tokens.get(i).map_or(0, |token| token.range.start);
        self.lines.partition_point(|end| *end < at)
    }

    /// The line of a token, without spaces around it and not longer than a title.
    fn title(&self, i: usize) -> String {
        let line = self.line(i);
        let start = line
            .checked_sub(1)
            .and_then(|before| self.lines.get(before));
        let start = start.map_or(0, |end| end + 1);
        let end = self.lines.get(line).copied().unwrap_or(self.text.len());
        let line = self.text.get(start..end).unwrap_or_default().trim();
        match line.char_indices().nth(MAX_TITLE) {
            Some((end, _)) => format!("{} …", line[..end].trim_end()),
            None => line.to_owned(),
        }
    }

    /// Ends the assignment before a token that begins a statement.
    fn begin_statement(&mut self, i: usize) {
        let token = &self.tokens[i];
        let starts_with_sign = token
            .text
            .starts_with(|c: char| ".:+-*/%^=<>~,;)]}".contains(c));
        let goes_on = starts_with_sign || ["and", "or", "then", "end"].contains(&token.text);
        let begins = token.begins_line && !goes_on && !self.blocks.wants_value;
        let is_word =
            ["if", "while", "for", "return", "local", "until", "elseif"].contains(&token.text);
        if let Some(frame) = self.frames.last_mut()
            && frame.kind == EnclosingKind::Body
            && (begins || is_word && !self.blocks.wants_value)
        {
            frame.key = None;
        }
        if begins && self.blocks.is_top() && !["else", "elseif", "until"].contains(&token.text) {
            let line = self.line(i) as u32 + 1;
            let title = self.title(i);
            match self.out.statements.last_mut() {
                // The one before contains no values.
                Some(last)
                    if self
                        .out
                        .values
                        .last()
                        .is_none_or(|value| value.line < last.line) =>
                {
                    *last = ScriptStatement { line, title };
                }
                _ => self.out.statements.push(ScriptStatement { line, title }),
            }
        }
    }

    /// End of the definition `type T = …` that begins at a token.
    fn alias_end(&self, i: usize) -> Option<usize> {
        let token = &self.tokens[i];
        let starts = token.begins_line || self.text_before(i) == "export";
        let named = self.tokens.get(i + 1).is_some_and(Token::is_name);
        if token.text != "type" || !starts || !named {
            return None;
        }
        let mut at = i + 2;
        if self.text_after(i + 1) == "<" {
            at = group_end(self.tokens, at) + 1;
        }
        let is_alias = self.tokens.get(at).is_some_and(|token| token.text == "=");
        is_alias.then(|| type_end(self.tokens, at + 1))
    }

    /// Returns true for `=` and the end of `+=`, but not for a part of a comparison.
    fn is_assignment(&self, i: usize) -> bool {
        let at = self.tokens[i].range.start;
        let bytes = self.text.as_bytes();
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let is_comparison = before.is_some_and(|byte| b"=<>~".contains(byte));
        !is_comparison && bytes.get(at + 1) != Some(&b'=')
    }

    /// Notes the target of an assignment or the key of a field.
    fn assign(&mut self, i: usize) {
        let mut end = i;
        while self
            .before(end)
            .is_some_and(|token| ["+", "-", "*", "/", "%", "^", ".."].contains(&token.text))
        {
            end -= 1;
        }
        let target = match self.text_before(end) {
            "]" => {
                let is_open = |k: &usize| {
                    self.tokens[*k].text == "[" && group_end(self.tokens, *k) == end - 1
                };
                let open = (0..end).rev().find(is_open);
                open.map_or_else(String::new, |open| {
                    let range = self.tokens[open].range.start..self.tokens[end - 1].range.end;
                    let owner = self.name(open).unwrap_or_default();
                    format!("{owner}{}", &self.text[range])
                })
            }
            _ => self.name(end).unwrap_or_default(),
        };
        let is_field = self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == EnclosingKind::Table);
        if let Some(frame) = self.frames.last_mut()
            && matches!(frame.kind, EnclosingKind::Table | EnclosingKind::Body)
        {
            // After a type, the name is that of the `local`.
            let keeps = target.is_empty() && frame.key.is_some();
            frame.key = if keeps {
                frame.key.take()
            } else {
                Some(target)
            };
        }
        if is_field {
            self.note_computed(i + 1);
        }
    }

    /// Adds the value of a field if it is short, has no literal alone, and belongs to the options of a call.
    fn note_computed(&mut self, from: usize) {
        let in_call = self
            .frames
            .last()
            .is_some_and(|frame| !frame.call.is_empty());
        let mut to = from;
        while let Some(token) = self.tokens.get(to) {
            match token.text {
                "," | ";" | "}" => break,
                "(" | "[" => to = group_end(self.tokens, to),
                _ => {}
            }
            to += 1;
        }
        let Some(part) = self.tokens.get(from..to) else {
            return;
        };
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            return;
        };
        let signed = usize::from(first.text == "-");
        let is_literal = part.len() == 1 + signed && self.literal(from + signed).is_some();
        let is_vector = self.vector(from).is_some_and(|(_, end)| end + 1 == to);
        let has_inner = part
            .iter()
            .any(|token| ["{", "function"].contains(&token.text));
        let range = first.range.start..last.range.end;
        let is_short = !self.text[range.clone()].contains('\n') && range.len() <= MAX_TITLE;
        if in_call && is_short && !is_literal && !is_vector && !has_inner {
            self.add(from, ValueKind::Computed(range));
        }
    }

    /// The names before a token, such as `hero.machine`.
    fn name(&self, i: usize) -> Option<String> {
        let last = self.before(i).filter(|token| token.is_name())?;
        let mut from = i - 1;
        while [".", ":"].contains(&self.text_before(from))
            && from >= 2
            && self.tokens[from - 2].is_name()
        {
            from -= 2;
        }
        let is_definition = self.text_before(from) == "function";
        let start = self.tokens[from].range.start;
        (!is_definition).then(|| self.text[start..last.range.end].to_owned())
    }

    /// The function that is called with the brackets or the string at a token.
    fn callee(&self, i: usize) -> Option<String> {
        let before = self.before(i)?;
        if before.is_string() {
            return self.callee(i - 1);
        }
        match before.text {
            ")" if !self.tokens[i].begins_line => {
                Some(self.closed.clone()).filter(|call| !call.is_empty())
            }
            _ => self.name(i),
        }
    }

    fn open(&mut self, i: usize) {
        let callee = self.callee(i);
        let (mut label, call, fields) = self.place(i);
        if self.tokens[i].text == "{"
            && let Some(outer) = self.frames.last()
            && outer.kind == EnclosingKind::Arguments
        {
            // Options are not named by their position.
            label.clone_from(&outer.label);
        }
        let kind = match (self.tokens[i].text, &callee) {
            ("(", Some(_)) => EnclosingKind::Arguments,
            ("(", None) => EnclosingKind::Group,
            ("{", _) => EnclosingKind::Table,
            _ => EnclosingKind::Index,
        };
        let mut frame = Enclosing::new(kind, self.blocks.depth());
        (frame.label, frame.call, frame.fields) = match callee {
            Some(callee) => {
                let named = self.before(i).filter(|token| token.is_string());
                let label = match named {
                    Some(name) => format!("{callee} {}", &self.text[name.range.clone()]),
                    None => callee.clone(),
                };
                (label, callee, Vec::new())
            }
            None => (label, call, fields),
        };
        self.frames.push(frame);
    }

    /// Leaves the brackets and functions that have ended.
    fn close(&mut self) {
        let depth = self.blocks.depth();
        while self.frames.len() > 1
            && let Some(frame) = self.frames.pop_if(|frame| frame.depth >= depth)
        {
            if frame.kind == EnclosingKind::Arguments {
                self.closed = frame.call;
            } else if frame.kind == EnclosingKind::Group {
                self.closed.clear();
            }
        }
    }

    /// Label, call and fields of a value at a token.
    fn place(&self, i: usize) -> (String, String, Vec<String>) {
        let Some(frame) = self.frames.last() else {
            return Default::default();
        };
        let position = frame.n + 1;
        let mut fields = frame.fields.clone();
        let label = match (frame.kind, &frame.key) {
            (EnclosingKind::Body, None) => self.title(i),
            (EnclosingKind::Body, Some(target)) => {
                fields = target
                    .rsplit(['.', ':'])
                    .take(1)
                    .map(str::to_owned)
                    .collect();
                target.clone()
            }
            (EnclosingKind::Table, Some(key)) => {
                fields.push(key.clone());
                let label = &frame.label;
                let separator = if label.is_empty() || key.starts_with('[') {
                    ""
                } else {
                    "."
                };
                format!("{label}{separator}{key}")
            }
            (EnclosingKind::Table, None) => format!("{}[{position}]", frame.label),
            (EnclosingKind::Arguments, _) if position > 1 => {
                format!("{}, argument {position}", frame.label)
            }
            _ => frame.label.clone(),
        };
        (label, frame.call.clone(), fields)
    }

    fn add(&mut self, i: usize, kind: ValueKind) {
        let is_index = self
            .frames
            .last()
            .is_some_and(|frame| frame.kind == EnclosingKind::Index);
        if is_index {
            return;
        }
        let (mut label, mut call, mut fields) = self.place(i);
        if self.tokens[i].is_string()
            && let Some(callee) = self.callee(i)
        {
            (label, call, fields) = (callee.clone(), callee, Vec::new());
        }
        self.out.values.push(ScriptValue {
            label,
            line: self.line(i) as u32 + 1,
            statement: self.out.statements.len().saturating_sub(1),
            call,
            fields,
            kind,
        });
    }

    /// The literal at a token.
    fn literal(&self, i: usize) -> Option<ValueKind> {
        let token = self.tokens.get(i)?;
        let before = self.text_before(i);
        let is_type = [":", "|", "?", "&", "::"].contains(&before);
        if token.is_number() {
            return self.number(i).map(ValueKind::Number);
        }
        let literal = Literal {
            range: token.range.clone(),
            needs_parentheses: false,
        };
        match token.text {
            "true" | "false" => {
                let is_endless = ["while", "until"].contains(&before);
                (!is_type && !is_endless).then_some(ValueKind::Switch(literal))
            }
            "\"" if !is_type => {
                string_of_literal(&self.text[token.range.clone()])?;
                Some(ValueKind::Text(literal))
            }
            _ => None,
        }
    }

    /// The number at a token, with the sign before it.
    fn number(&self, i: usize) -> Option<Literal> {
        let token = self.tokens.get(i).filter(|token| token.is_number())?;
        let is_sign = self.text_before(i) == "-"
            && self.text_after(i) != "^"
            && !self.before(i - 1).is_some_and(ends_value);
        let first = if is_sign { i - 1 } else { i };
        Some(Literal {
            range: self.tokens[first].range.start..token.range.end,
            needs_parentheses: ["-", "^"].contains(&self.text_before(first))
                || self.text_after(i) == "^",
        })
    }

    /// The numbers of a call of `vec` or `vector.create` that begins at a token, and the closing parenthesis.
    fn vector(&self, i: usize) -> Option<(Vec<Literal>, usize)> {
        let starts = self.tokens.get(i)?.is_name() && ![".", ":"].contains(&self.text_before(i));
        let mut open = i + 1;
        while self.tokens.get(open)?.text == "." {
            open += 2;
        }
        let is_vector = starts && VECTORS.contains(&self.name(open)?.as_str());
        if !is_vector || self.tokens.get(open)?.text != "(" {
            return None;
        }
        let mut literals = Vec::new();
        let mut at = open + 1;
        loop {
            at += usize::from(self.tokens.get(at)?.text == "-");
            literals.push(self.number(at)?);
            match self.text_after(at) {
                "," => at += 2,
                ")" if (2..=3).contains(&literals.len()) => return Some((literals, at + 1)),
                _ => return None,
            }
        }
    }
}

/// Returns true if a value can end with a token, so that a minus after it subtracts.
fn ends_value(token: &Token<'_>) -> bool {
    let ends = [")", "]", "}", "end", "true", "false", "nil", "..."];
    token.is_name() || token.is_number() || token.is_string() || ends.contains(&token.text)
}
