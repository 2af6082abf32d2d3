//! Parser from text to typed postfix ops.

use super::{ConditionError, MAX_STACK, NamedSource, Op, Outcomes, ParamType, Test, ValueSource};
use galatea_math::names::nearest_hint;

/// Result of parsing.
pub(super) struct ParsedCondition {
    /// Ops in postfix order.
    pub ops: Vec<Op>,
    /// For each op, the byte range in the trimmed text of the op with its operands.
    pub spans: Vec<(u16, u16)>,
    /// Values that are read, each once, in the order written.
    pub reads: Vec<NamedSource>,
}

/// Parses a condition and checks its types; the module documentation has the grammar.
pub(super) fn parse(
    text: &str,
    params: &[(&str, ParamType)],
) -> Result<ParsedCondition, ConditionError> {
    let skipped = text.len() - text.trim_start().len();
    let error = |(at, message): (usize, String)| ConditionError {
        column: text
            .char_indices()
            .take_while(|(i, _)| *i < at + skipped)
            .count()
            + 1,
        text: message,
    };
    let trimmed = text.trim();
    if trimmed.len() > MAX_BYTES {
        return Err(error((
            MAX_BYTES,
            format!("the condition is longer than {MAX_BYTES} bytes"),
        )));
    }
    let mut parser = ConditionParser {
        tokens: tokens(trimmed).map_err(error)?,
        next: 0,
        params,
        ops: Vec::new(),
        spans: Vec::new(),
        reads: Vec::new(),
        n_stacked: 0,
        nesting: 0,
    };
    let whole = parser.any().map_err(error)?;
    let token = parser.peek();
    if token.kind != TokenKind::End {
        return Err(error((
            token.start,
            format!("unexpected {}; is `and` or `or` missing?", token.display()),
        )));
    }
    parser
        .expect_type(&whole, ParamType::Bool, "a condition")
        .map_err(error)?;
    Ok(ParsedCondition {
        ops: parser.ops,
        spans: parser.spans,
        reads: parser.reads,
    })
}

/// Maximum length of a text; keeps byte offsets within 16 bits.
const MAX_BYTES: usize = 2000;
/// Maximum nesting of parentheses, calls and signs.
const MAX_NESTING: usize = 48;
const FUNCTIONS: [&str; 4] = ["abs", "min", "max", "clamp"];
const COMPARISONS: [&str; 7] = ["<=", ">=", "==", "~=", "!=", "<", ">"];
const WORDS: [&str; 5] = ["and", "or", "not", "true", "false"];

/// Byte offset in the trimmed text, and the message.
type ParseFault = (usize, String);

#[derive(Clone, Copy, Debug, PartialEq)]
enum TokenKind {
    Number(f32),
    Name,
    Symbol,
    End,
}

#[derive(Clone, Copy, Debug)]
struct ConditionToken<'a> {
    kind: TokenKind,
    text: &'a str,
    start: usize,
}

impl ConditionToken<'_> {
    fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Name | TokenKind::Symbol) && self.text == text
    }

    fn display(&self) -> String {
        match self.kind {
            TokenKind::End => "the end".into(),
            _ => format!("`{}`", self.text),
        }
    }
}

fn tokens(text: &str) -> Result<Vec<ConditionToken<'_>>, ParseFault> {
    const SYMBOLS: [&str; 16] = [
        "<=", ">=", "==", "~=", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "(", ")", ",",
    ];
    let mut out = Vec::new();
    let mut start = 0;
    while let Some(c) = text[start..].chars().next() {
        let rest = &text[start..];
        let end_of = |f: &dyn Fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
        let (kind, len) = if c.is_whitespace() {
            start += c.len_utf8();
            continue;
        } else if c.is_ascii_digit() || c == '.' {
            let len = number_len(rest);
            let number = rest[..len].parse::<f32>().ok().filter(|n| n.is_finite());
            let number = number
                .ok_or_else(|| (start, format!("`{}` is not a valid number", &rest[..len])))?;
            (TokenKind::Number(number), len)
        } else if c.is_alphabetic() || c == '_' {
            let len = end_of(&|c| c.is_alphanumeric() || c == '_');
            (TokenKind::Name, len)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (TokenKind::Symbol, symbol.len())
        } else {
            let hint = match c {
                '=' => "; to compare, write `==`",
                '!' => "; write `not`",
                _ => "",
            };
            return Err((start, format!("unexpected `{c}`{hint}")));
        };
        let text = &rest[..len];
        match text {
            "&&" => return Err((start, "unexpected `&&`; write `and`".into())),
            "||" => return Err((start, "unexpected `||`; write `or`".into())),
            _ => out.push(ConditionToken { kind, text, start }),
        }
        start += len;
    }
    out.push(ConditionToken {
        kind: TokenKind::End,
        text: "",
        start,
    });
    Ok(out)
}

/// Bytes of the number at the start of `text`, including letters directly after it, so that `3m` is one error and not
/// two words.
fn number_len(text: &str) -> usize {
    let mut before = ' ';
    text.find(|c: char| {
        let sign_of_exponent = matches!(c, '+' | '-') && matches!(before, 'e' | 'E');
        before = c;
        !(c.is_alphanumeric() || c == '.' || c == '_' || sign_of_exponent)
    })
    .unwrap_or(text.len())
}

/// A parsed term: its type and byte range.
struct TypedTerm {
    kind: ParamType,
    start: usize,
    end: usize,
}

struct ConditionParser<'a> {
    tokens: Vec<ConditionToken<'a>>,
    next: usize,
    params: &'a [(&'a str, ParamType)],
    ops: Vec<Op>,
    spans: Vec<(u16, u16)>,
    reads: Vec<NamedSource>,
    /// Number of values on the stack at this point.
    n_stacked: usize,
    nesting: usize,
}

impl<'a> ConditionParser<'a> {
    fn peek(&self) -> ConditionToken<'a> {
        let last = self.tokens.len() - 1;
        self.tokens[self.next.min(last)]
    }

    fn take(&mut self) -> ConditionToken<'a> {
        let token = self.peek();
        self.next += 1;
        token
    }

    /// Takes the next token if it is one of `texts`.
    fn take_one_of(&mut self, texts: &[&str]) -> Option<ConditionToken<'a>> {
        let token = self.peek();
        let found = texts.iter().any(|text| token.is(text));
        found.then(|| self.take())
    }

    /// End of the last token that was taken.
    fn end(&self) -> usize {
        match self.next.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(token) => token.start + token.text.len(),
            None => 0,
        }
    }

    fn any(&mut self) -> Result<TypedTerm, ParseFault> {
        self.chain(&["or"], Self::all)
    }

    fn all(&mut self) -> Result<TypedTerm, ParseFault> {
        self.chain(&["and"], Self::comparison)
    }

    fn comparison(&mut self) -> Result<TypedTerm, ParseFault> {
        let left = self.sum()?;
        let Some(symbol) = self.take_one_of(&COMPARISONS) else {
            return Ok(left);
        };
        let right = self.sum()?;
        if left.kind != right.kind {
            let type_name = |kind| match kind {
                ParamType::Number => "a number",
                ParamType::Bool => "a boolean",
            };
            return Err((
                symbol.start,
                format!(
                    "`{}` cannot compare {} with {}",
                    symbol.text,
                    type_name(left.kind),
                    type_name(right.kind)
                ),
            ));
        }
        let outcomes = Outcomes(match symbol.text {
            "<" => Outcomes::LESS,
            "<=" => Outcomes::LESS | Outcomes::EQUAL,
            ">" => Outcomes::GREATER,
            ">=" => Outcomes::GREATER | Outcomes::EQUAL,
            "==" => Outcomes::EQUAL,
            _ => Outcomes::LESS | Outcomes::GREATER,
        });
        if left.kind == ParamType::Bool && !matches!(symbol.text, "==" | "~=" | "!=") {
            return Err((
                symbol.start,
                format!(
                    "`{}` compares only numbers; compare booleans with `==` or `~=`",
                    symbol.text
                ),
            ));
        }
        if let Some(next) = self.take_one_of(&COMPARISONS) {
            return Err((
                next.start,
                "comparisons cannot be chained; join two of them with `and`".into(),
            ));
        }
        let end = self.end();
        self.emit_compare(outcomes, (left.start, end))?;
        Ok(TypedTerm {
            kind: ParamType::Bool,
            start: left.start,
            end,
        })
    }

    fn sum(&mut self) -> Result<TypedTerm, ParseFault> {
        self.chain(&["+", "-"], Self::product)
    }

    fn product(&mut self) -> Result<TypedTerm, ParseFault> {
        self.chain(&["*", "/"], Self::signed)
    }

    /// Parses terms joined by any of these operators, from left to right.
    fn chain(
        &mut self,
        operators: &[&str],
        piece: fn(&mut Self) -> Result<TypedTerm, ParseFault>,
    ) -> Result<TypedTerm, ParseFault> {
        let mut left = piece(self)?;
        while let Some(operator) = self.take_one_of(operators) {
            let (op, kind) = match operator.text {
                "and" => (Op::And, ParamType::Bool),
                "or" => (Op::Or, ParamType::Bool),
                "+" => (Op::Add, ParamType::Number),
                "-" => (Op::Subtract, ParamType::Number),
                "*" => (Op::Multiply, ParamType::Number),
                _ => (Op::Divide, ParamType::Number),
            };
            let context = format!("`{}`", operator.text);
            self.expect_type(&left, kind, &context)?;
            let right = piece(self)?;
            self.expect_type(&right, kind, &context)?;
            left = TypedTerm {
                kind,
                start: left.start,
                end: right.end,
            };
            self.emit(op, (left.start, left.end))?;
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<TypedTerm, ParseFault> {
        let Some(sign) = self.take_one_of(&["not", "-"]) else {
            return self.atom();
        };
        let (op, kind) = match sign.text {
            "not" => (Op::Not, ParamType::Bool),
            _ => (Op::Negate, ParamType::Number),
        };
        let inner = self.nested(sign.start, Self::signed)?;
        if kind == ParamType::Bool && inner.kind == ParamType::Number && is_comparison(&self.peek())
        {
            return Err((
                sign.start,
                "`not` applies only to the next value; put the comparison in parentheses".into(),
            ));
        }
        self.expect_type(&inner, kind, &format!("`{}`", sign.text))?;
        self.emit(op, (sign.start, inner.end))?;
        Ok(TypedTerm {
            kind,
            start: sign.start,
            end: inner.end,
        })
    }

    fn atom(&mut self) -> Result<TypedTerm, ParseFault> {
        let token = self.take();
        let mut piece = TypedTerm {
            kind: ParamType::Number,
            start: token.start,
            end: token.start + token.text.len(),
        };
        let span = (piece.start, piece.end);
        match token.kind {
            TokenKind::Number(n) => self.emit(Op::Push(n), span)?,
            TokenKind::Name if matches!(token.text, "true" | "false") => {
                let value = f32::from(u8::from(token.text == "true"));
                self.emit(Op::Push(value), span)?;
                piece.kind = ParamType::Bool;
            }
            TokenKind::Name if self.peek().is("(") => {
                self.call(&token)?;
                piece.end = self.end();
            }
            TokenKind::Name if !WORDS.contains(&token.text) => {
                piece.kind = self.read(&token, span)?;
            }
            TokenKind::Symbol if token.text == "(" => {
                let inner = self.nested(token.start, Self::any)?;
                self.close(&token)?;
                piece.kind = inner.kind;
                piece.end = self.end();
            }
            _ => {
                return Err((
                    token.start,
                    format!(
                        "expected a number, a name or `(` before {}",
                        token.display()
                    ),
                ));
            }
        }
        Ok(piece)
    }

    fn call(&mut self, name: &ConditionToken<'a>) -> Result<(), ParseFault> {
        let (op, min_args, max_args) = match name.text {
            "abs" => (Op::Abs, 1, 1),
            "min" => (Op::Min, 2, usize::MAX),
            "max" => (Op::Max, 2, usize::MAX),
            "clamp" => (Op::Clamp, 3, 3),
            _ => {
                let hint = nearest_hint(name.text, FUNCTIONS.into_iter());
                return Err((
                    name.start,
                    format!("unknown function {:?}{hint}", name.text),
                ));
            }
        };
        let open = self.take();
        let mut n = 0;
        loop {
            let argument = self.nested(open.start, Self::any)?;
            self.expect_type(&argument, ParamType::Number, &format!("`{}`", name.text))?;
            n += 1;
            // Each pair is folded at once, so that a long list needs no more stack than a short one.
            if n >= 2 && max_args == usize::MAX {
                self.emit(op, (name.start, argument.end))?;
            }
            if self.take_one_of(&[","]).is_none() {
                break;
            }
        }
        self.close(&open)?;
        if n < min_args || n > max_args {
            let expected = match (min_args, max_args) {
                (1, _) => "one number",
                (3, _) => "three numbers (value, minimum, maximum)",
                _ => "two or more numbers",
            };
            return Err((
                name.start,
                format!("`{}` needs {expected}, got {n}", name.text),
            ));
        }
        let span = (name.start, self.end());
        if max_args == usize::MAX {
            self.set_last_span(span);
            return Ok(());
        }
        self.emit(op, span)
    }

    fn read(
        &mut self,
        token: &ConditionToken<'a>,
        span: (usize, usize),
    ) -> Result<ParamType, ParseFault> {
        let param = self.params.iter().position(|(name, _)| *name == token.text);
        let builtin = ValueSource::BUILTINS
            .iter()
            .find(|(name, _)| *name == token.text);
        let (source, kind) = match (param, builtin) {
            (Some(_), Some(_)) => {
                return Err((
                    token.start,
                    format!(
                        "parameter {:?} has the name of a built-in value; rename the parameter",
                        token.text
                    ),
                ));
            }
            (None, Some((_, source))) => (*source, ParamType::Number),
            (Some(i), None) => match u16::try_from(i) {
                Ok(index) => (ValueSource::Param(index), self.params[i].1),
                Err(_) => {
                    return Err((
                        token.start,
                        "the machine has more than 65 536 parameters".into(),
                    ));
                }
            },
            (None, None) => {
                let known = self.params.iter().map(|(name, _)| *name);
                let hint = if FUNCTIONS.contains(&token.text) {
                    format!("; a function is called as `{}(...)`", token.text)
                } else {
                    let builtins = ValueSource::BUILTINS.iter().map(|(name, _)| *name);
                    nearest_hint(token.text, known.chain(builtins))
                };
                return Err((token.start, format!("unknown name {:?}{hint}", token.text)));
            }
        };
        if !self.reads.iter().any(|read| read.source == source) {
            self.reads.push(NamedSource {
                source,
                kind,
                name: token.text.into(),
            });
        }
        match kind {
            ParamType::Number => self.emit(Op::Read(source), span)?,
            ParamType::Bool => self.emit(
                Op::Test(Test {
                    source,
                    constant: 0.0,
                    outcomes: Outcomes::TRUTH,
                }),
                span,
            )?,
        }
        Ok(kind)
    }

    fn close(&mut self, open: &ConditionToken<'a>) -> Result<(), ParseFault> {
        if self.take_one_of(&[")"]).is_some() {
            return Ok(());
        }
        let token = self.peek();
        match token.kind {
            TokenKind::End => Err((open.start, "this `(` is never closed".into())),
            _ => Err((
                token.start,
                format!("expected `)` before {}", token.display()),
            )),
        }
    }

    fn nested(
        &mut self,
        at: usize,
        piece: fn(&mut Self) -> Result<TypedTerm, ParseFault>,
    ) -> Result<TypedTerm, ParseFault> {
        if self.nesting >= MAX_NESTING {
            return Err((at, "the condition is nested too deeply".into()));
        }
        self.nesting += 1;
        let inner = piece(self);
        self.nesting -= 1;
        inner
    }

    fn expect_type(
        &self,
        piece: &TypedTerm,
        kind: ParamType,
        context: &str,
    ) -> Result<(), ParseFault> {
        if piece.kind == kind {
            return Ok(());
        }
        Err((
            piece.start,
            match kind {
                ParamType::Bool => {
                    format!("{context} needs a boolean, got a number; compare it, as in `> 0`")
                }
                ParamType::Number => format!("{context} needs a number, got a boolean"),
            },
        ))
    }

    fn set_last_span(&mut self, (start, end): (usize, usize)) {
        if let Some(last) = self.spans.last_mut() {
            *last = (start as u16, end as u16);
        }
    }

    /// Appends an op. Folds arithmetic on constants, and applies `not` to a test by inverting the test.
    fn emit(&mut self, op: Op, span: (usize, usize)) -> Result<(), ParseFault> {
        let arithmetic = !matches!(op, Op::Not | Op::And | Op::Or | Op::Compare(_));
        let n = op.arity();
        let operands = self.ops.len().saturating_sub(n);
        self.n_stacked = (self.n_stacked + 1).saturating_sub(n);
        if self.n_stacked > MAX_STACK {
            return Err((span.0, "the condition is nested too deeply".into()));
        }
        if let (Op::Not, Some(Op::Test(test))) = (op, self.ops.last_mut()) {
            test.outcomes = test.outcomes.opposite();
            self.set_last_span(span);
            return Ok(());
        }
        let constants: Vec<f32> = self.ops[operands..]
            .iter()
            .filter_map(|op| match op {
                Op::Push(constant) => Some(*constant),
                _ => None,
            })
            .collect();
        let op = if arithmetic && n > 0 && constants.len() == n {
            self.ops.truncate(operands);
            self.spans.truncate(operands);
            let mut values = [0.0; 3];
            values[..n].copy_from_slice(&constants);
            Op::Push(op.value(values, &[], &super::Builtins::default()))
        } else {
            op
        };
        self.ops.push(op);
        self.spans.push((span.0 as u16, span.1 as u16));
        Ok(())
    }

    /// Appends a comparison, as one test if it compares a value with a constant.
    fn emit_compare(&mut self, outcomes: Outcomes, span: (usize, usize)) -> Result<(), ParseFault> {
        let test = match self.ops[..] {
            [.., Op::Read(source), Op::Push(constant)] => Test {
                source,
                constant,
                outcomes,
            },
            [.., Op::Push(constant), Op::Read(source)] => Test {
                source,
                constant,
                outcomes: outcomes.exchanged(),
            },
            _ => return self.emit(Op::Compare(outcomes), span),
        };
        self.ops.truncate(self.ops.len() - 2);
        self.spans.truncate(self.spans.len() - 2);
        self.n_stacked -= 2;
        self.emit(Op::Test(test), span)
    }
}

fn is_comparison(token: &ConditionToken<'_>) -> bool {
    COMPARISONS.iter().any(|text| token.is(text))
}
