//! Locals declared at the top level of a script, found in its tokens without a syntax tree. The parser of full_moon
//! would add 420 KB to the player, and it overflows a stack of 2 MB at 70 nested blocks, where Luau compiles up to
//! 1000.

/// Top level of a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Top<'a> {
    /// Names of the locals in order of declaration, without duplicates.
    pub names: Vec<&'a str>,
    /// Start of the last `return`, bytes.
    pub last_return: Option<usize>,
}

/// Reads a script that compiles; `None` if its structure is not recognized.
pub(super) fn top(text: &str) -> Option<Top<'_>> {
    let tokens = tokens(text)?;
    let mut top = Top {
        names: Vec::new(),
        last_return: None,
    };
    let mut open: Vec<Open> = Vec::new();
    // True where a value is expected; an `if` there is an expression.
    let mut wants_value = false;
    let mut before = "";
    for (i, token) in tokens.iter().enumerate() {
        let mut value_next = wants_value_after(token.text);
        match token.text {
            "function" | "do" | "repeat" => open.push(Open::Block),
            "if" => {
                let ends_a_type = before == ">" && token.begins_line;
                open.push(if wants_value && !ends_a_type {
                    Open::IfValue
                } else {
                    Open::Block
                });
            }
            "(" | "[" | "{" => open.push(Open::Bracket),
            ")" | "]" | "}" => (open.pop()? == Open::Bracket).then_some(())?,
            "end" | "until" => (open.pop()? != Open::Bracket).then_some(())?,
            "then" => value_next = open.last() == Some(&Open::IfValue),
            "else" => {
                value_next = open.last() == Some(&Open::IfValue);
                if value_next {
                    open.pop();
                }
            }
            ";" => value_next = open.last() == Some(&Open::Bracket),
            "local" if open.is_empty() => {
                for name in declared(&tokens[i + 1..]) {
                    if !top.names.contains(&name) {
                        top.names.push(name);
                    }
                }
            }
            "return" if open.is_empty() => top.last_return = Some(token.at),
            _ => {}
        }
        (wants_value, before) = (value_next, token.text);
    }
    open.is_empty().then_some(top)
}

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

/// Names that a `local` declares, from the tokens that follow it.
fn declared<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text);
    if text(0) == "function" {
        return vec![text(1)];
    }
    let mut names = vec![text(0)];
    let mut i = 1;
    loop {
        if text(i) == ":" {
            i = type_end(tokens, i + 1);
        }
        if text(i) != "," {
            return names;
        }
        names.push(text(i + 1));
        i += 2;
    }
}

/// End of the type that begins at a token.
fn type_end(tokens: &[Token<'_>], mut i: usize) -> usize {
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
fn group_end(tokens: &[Token<'_>], i: usize) -> usize {
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

/// A word, number, symbol or string; of a string only the first character.
struct Token<'a> {
    text: &'a str,
    /// Start of the token, bytes.
    at: usize,
    /// The token is the first on the line.
    begins_line: bool,
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Tokens of a script; `None` if a string or a comment does not end.
fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
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
            at,
            begins_line,
        });
        begins_line = false;
        at += n;
    }
    Some(tokens)
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

#[cfg(test)]
mod tests {
    use super::top;

    fn names(text: &str) -> Vec<&str> {
        top(text).expect("it is understood").names
    }

    #[test]
    fn only_top_level_names_are_found() {
        for (text, wanted) in [
            ("local a, b = 1, 2 local c", &["a", "b", "c"][..]),
            (
                "local function f() local x end local g = function() local y end",
                &["f", "g"],
            ),
            ("if a then local x = 1 else local y = 2 end local z", &["z"]),
            (
                "local a = if b then 1 elseif c then 2 else 3\nif a then local x end\nlocal d",
                &["a", "d"],
            ),
            (
                "local a = if b then if c then 1 else 2 else if d then 3 else 4 local e",
                &["a", "e"],
            ),
            (
                "f(if a then b else c) local t = { 1; if a then b else c; 2 } local u",
                &["t", "u"],
            ),
            (
                "while x do local a end for i = 1, 2 do local b end repeat local c until x local d",
                &["d"],
            ),
            (
                "do local a end local b -- local c\n--[[ local d\n]] local e --[==[ ]] local f ]==]",
                &["b", "e"],
            ),
            (
                "local s = 'local x' local t = \"end\\\" do\" local u = [[ local y ]] local v = `{a .. \"}\"} do`",
                &["s", "t", "u", "v"],
            ),
            (
                "local a: number, b: { [string]: (x: number) -> string }? = 1\nlocal c: typeof(a)\nlocal d: A.B<C, D> | nil\nx, y = 1, 2",
                &["a", "b", "c", "d"],
            ),
            ("type T = A<B>\nif x then local a end\nlocal b", &["b"]),
            ("local a = 1 local a = 2", &["a"]),
            ("", &[]),
        ] {
            assert_eq!(names(text), wanted, "{text}");
        }
    }

    #[test]
    fn the_last_return_is_that_of_the_script_and_not_of_a_function_in_it() {
        let text = "local function f() return 1 end\nreturn f";
        assert_eq!(
            top(text).and_then(|top| top.last_return),
            text.rfind("return")
        );
        let text = "if x then return end\nlocal function f() return 1 end";
        assert_eq!(top(text).and_then(|top| top.last_return), None);
    }

    #[test]
    fn unknown_syntax_is_left_unchanged() {
        for text in ["end", "local a = (", "x = 'open", "--[[ open", "do )"] {
            assert_eq!(top(text), None, "{text}");
        }
    }
}
