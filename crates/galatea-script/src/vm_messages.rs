//! Plain words for the messages of the Luau VM, which name no variables.
//!
//! The VM says "attempt to index nil with 'x'". The source line shows which expression was nil, so the message can name it.

use super::api::renamed::roblox_task;

/// Rewrites a message of the VM with the source line on which it occurred; `None` for all other messages.
pub(super) fn explained(message: &str, line: &str) -> Option<String> {
    let code = without_comment(line);
    if let Some(rest) = message.strip_prefix("attempt to index ") {
        return Some(indexed(rest, code));
    }
    if let Some(rest) = message.strip_prefix("attempt to call a ") {
        let kind = rest.strip_suffix(" value")?;
        return Some(called(kind, code));
    }
    if let Some(rest) = message.strip_prefix("attempt to perform arithmetic (") {
        let (operation, operands) = rest.split_once(") on ")?;
        return Some(arithmetic(operation, operands));
    }
    if let Some(rest) = message.strip_prefix("attempt to compare ") {
        return compared(rest);
    }
    if let Some(rest) = message.strip_prefix("attempt to concatenate ") {
        let (a, b) = rest.split_once(" with ")?;
        return Some(format!(
            "cannot join {} and {} with `..`; convert other values with tostring(…)",
            a_kind(a),
            a_kind(b)
        ));
    }
    if let Some(rest) = message.strip_prefix("attempt to get length of a ") {
        let kind = rest.strip_suffix(" value")?;
        return Some(format!(
            "# expects a table or a string, got {}",
            a_kind(kind)
        ));
    }
    missing_word(message)
}

/// Rewrites the compiler's message about a missing word.
fn missing_word(message: &str) -> Option<String> {
    let rest = message.strip_prefix("Expected '")?;
    let (word, rest) = rest.split_once('\'')?;
    let (place, got) = rest.rsplit_once(", got ")?;
    let found = match got {
        "<eof>" => "but the file ends here".to_owned(),
        got => format!("before {got}"),
    };
    let opened = place.strip_prefix(" (to close ").and_then(|place| {
        let (opener, line) = place.trim_end_matches(')').split_once(" at line ")?;
        Some(format!(" for the {opener} of line {line}"))
    });
    let after = place.strip_prefix(" when parsing ");
    let after = after.map(|what| format!(" in the {}", what.trim_end_matches(" statement")));
    let of = opened
        .or(after)
        .or_else(|| place.is_empty().then(String::new))?;
    let comma = if got == "<eof>" { "," } else { "" };
    Some(format!("{word:?} is missing{of}{comma} {found}"))
}

/// Text of a line before its comment.
fn without_comment(line: &str) -> &str {
    line.split("--").next().unwrap_or_default()
}

/// `nil`, or the kind of a value with its article.
fn a_kind(kind: &str) -> String {
    match kind {
        "nil" => "nil".to_owned(),
        "boolean" => "true or false".to_owned(),
        "string" => "a string".to_owned(),
        other => format!("a {other}"),
    }
}

/// Rest of `attempt to index nil with 'x'`.
fn indexed(rest: &str, code: &str) -> String {
    let (kind, key) = match rest.split_once(" with '") {
        Some((kind, key)) => (kind, key.trim_end_matches('\'')),
        None => return format!("cannot read a field of {}", a_kind(rest)),
    };
    if kind == "vector" {
        return vector_written(key, code);
    }
    if kind == "function" && (code.contains("task.") || code.contains("task:")) {
        return roblox_task(key);
    }
    let owners = owners(code, key);
    match &owners[..] {
        [owner] if kind == "nil" => format!("{owner} is nil, so it has no {key:?}"),
        [owner] => format!("{owner} is {}, which has no {key:?}", a_kind(kind)),
        _ if kind == "nil" => format!("cannot read {key:?} of nil: the value before it is missing"),
        _ => format!("cannot read {key:?} of {}", a_kind(kind)),
    }
}

/// Message for a component that a script reads or writes but that vectors do not have, or cannot change.
fn vector_written(key: &str, code: &str) -> String {
    let component = matches!(key, "x" | "y" | "z");
    let owners = owners(code, key);
    match &owners[..] {
        [owner] if component => {
            let value = |name: &str| {
                if name == key {
                    "…".to_owned()
                } else {
                    format!("{owner}.{name}")
                }
            };
            let [x, y, z] = ["x", "y", "z"].map(value);
            format!("a vector cannot be changed; assign a new one: {owner} = vec({x}, {y}, {z})")
        }
        _ if component => {
            "a vector cannot be changed; assign a new one: hero.position = vec(…, …, …)".to_owned()
        }
        _ => format!("a vector has x, y and z, but no {key:?}"),
    }
}

/// Rest of `attempt to call a nil value`.
fn called(kind: &str, code: &str) -> String {
    let callees = callees(code);
    match &callees[..] {
        [callee] => format!(
            "{callee} is {}, so it cannot be called; check its name",
            a_kind(kind)
        ),
        [] => format!("{} cannot be called", a_kind(kind)),
        several => format!(
            "one of the functions called here ({}) is {}",
            several.join(", "),
            a_kind(kind)
        ),
    }
}

fn arithmetic(operation: &str, operands: &str) -> String {
    let verb = match operation {
        "add" => "add",
        "sub" => "subtract",
        "mul" => "multiply",
        "div" | "idiv" => "divide",
        "mod" => "take the remainder of",
        "pow" => "raise to a power",
        "unm" => "negate",
        other => other,
    };
    match operands.split_once(" and ") {
        Some((a, b)) => format!("cannot {verb} {} and {}", a_kind(a), a_kind(b)),
        None => format!("cannot {verb} {}", a_kind(operands)),
    }
}

/// Rest of `attempt to compare nil < number`.
fn compared(rest: &str) -> Option<String> {
    for operator in [" <= ", " < ", " == "] {
        if let Some((a, b)) = rest.split_once(operator) {
            return Some(format!("cannot compare {} with {}", a_kind(a), a_kind(b)));
        }
    }
    None
}

/// Expressions before `.key` or `:key` in a line of code, without repetitions.
fn owners(code: &str, key: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, _) in code.match_indices(key) {
        let after = code[at + key.len()..].chars().next();
        let before = code[..at].chars().next_back();
        if !matches!(before, Some('.' | ':')) || after.is_some_and(is_word) {
            continue;
        }
        let owner = path_before(&code[..at - 1]);
        if !owner.is_empty() && !found.iter().any(|known| known == owner) {
            found.push(owner.to_owned());
        }
    }
    found
}

/// Names of the functions that a line of code calls, without repetitions.
fn callees(code: &str) -> Vec<String> {
    const KEYWORDS: [&str; 9] = [
        "if", "while", "and", "or", "not", "function", "return", "elseif", "until",
    ];
    let mut found: Vec<String> = Vec::new();
    for (at, bracket) in code.match_indices(['(', '{', '"', '\'']) {
        let head = code[..at].trim_end();
        // Brackets, strings and tables call something only directly behind a name.
        if bracket != "(" && head.len() + 1 < at {
            continue;
        }
        let callee = path_before(head);
        let is_call = !callee.is_empty()
            && !KEYWORDS.contains(&callee)
            && !head[..head.len() - callee.len()]
                .trim_end()
                .ends_with("function");
        if is_call && !found.iter().any(|known| known == callee) {
            found.push(callee.to_owned());
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Names joined by dots and colons at the end of a text; empty if there are none, or if they follow a bracket.
fn path_before(text: &str) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c) || matches!(c, '.' | ':'))
        .last()
        .map_or(text.len(), |(at, _)| at);
    let path = &text[start..];
    let begins_well = path.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if begins_well { path } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_expression_of_the_line() {
        for (message, line, expected) in [
            (
                "attempt to index nil with 'x'",
                "print(hero.target.x + 1) -- old.x",
                "hero.target is nil, so it has no \"x\"",
            ),
            (
                "attempt to index number with 'name'",
                "print(speed.name)",
                "speed is a number, which has no \"name\"",
            ),
            (
                "attempt to index vector with 'x'",
                "hero.position.x = 3",
                "a vector cannot be changed; assign a new one: hero.position = vec(…, hero.position.y, hero.position.z)",
            ),
            (
                "attempt to index vector with 'w'",
                "print(v.w)",
                "a vector has x, y and z, but no \"w\"",
            ),
            (
                "attempt to index function with 'wait'",
                "task.wait(2)",
                "task.wait is from Roblox; write task(function(t) t:wait(1) end), and t:wait(1) inside of a task",
            ),
            (
                "attempt to call a nil value",
                "\tgame.begin(now())",
                "one of the functions called here (game.begin, now) is nil",
            ),
            (
                "attempt to call a nil value",
                "\tif ready then game.begin() end",
                "game.begin is nil, so it cannot be called; check its name",
            ),
            (
                "attempt to call a table value",
                "settings {}",
                "settings is a table, so it cannot be called; check its name",
            ),
            (
                "attempt to perform arithmetic (add) on nil and number",
                "score = score + 1",
                "cannot add nil and a number",
            ),
            (
                "attempt to compare nil < number",
                "if a < 3 then end",
                "cannot compare nil with a number",
            ),
            (
                "attempt to concatenate nil with string",
                "print(a .. 'x')",
                "cannot join nil and a string with `..`; convert other values with tostring(…)",
            ),
            (
                "attempt to get length of a nil value",
                "print(#a)",
                "# expects a table or a string, got nil",
            ),
        ] {
            assert_eq!(
                explained(message, line).as_deref(),
                Some(expected),
                "{line}"
            );
        }
        assert_eq!(explained("something else", "a.b()"), None);
    }

    #[test]
    fn a_missing_word_is_named_with_what_it_closes() {
        for (message, expected) in [
            (
                "Expected 'end' (to close 'then' at line 2), got <eof>",
                "\"end\" is missing for the 'then' of line 2, but the file ends here",
            ),
            (
                "Expected ')' (to close '(' at line 3), got 'print'",
                "\")\" is missing for the '(' of line 3 before 'print'",
            ),
            (
                "Expected 'do' when parsing for loop, got 'print'",
                "\"do\" is missing in the for loop before 'print'",
            ),
            ("Expected '=', got 'x'", "\"=\" is missing before 'x'"),
        ] {
            assert_eq!(explained(message, "").as_deref(), Some(expected));
        }
        let other = "Expected identifier when parsing expression, got <eof>";
        assert_eq!(explained(other, ""), None);
    }

    #[test]
    fn odd_lines_are_no_problem() {
        for line in ["", "((", ".x", "x", "'é'.é", "f'", "🙂.x()"] {
            for message in [
                "attempt to index nil with 'x'",
                "attempt to index nil with ''",
                "attempt to index nil",
                "attempt to call a nil value",
                "attempt to perform arithmetic (add) on nil",
            ] {
                assert!(explained(message, line).is_some(), "{message}: {line}");
            }
        }
    }
}
