//! Text of literals: reading and writing numbers and strings as Luau does.

/// Largest number of decimals that a changed number is written with.
const MAX_DECIMALS: i32 = 6;

/// Reads the number of a literal, such as `-0.5`, `1_000`, `0xff` or `(-2)`.
pub fn number_of_literal(literal: &str) -> Option<f64> {
    let literal = literal.trim();
    if let Some(inner) = literal.strip_prefix('(') {
        return number_of_literal(inner.strip_suffix(')')?);
    }
    if let Some(positive) = literal.strip_prefix('-') {
        return number_of_literal(positive).map(|number| -number);
    }
    let digits = literal.replace('_', "").to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0b", 2)] {
        if let Some(digits) = digits.strip_prefix(prefix) {
            return u64::from_str_radix(digits, radix).ok().map(|n| n as f64);
        }
    }
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    digits.parse().ok().filter(|_| is_number)
}

/// A literal for a number, in the style of the literal that it replaces. It is rounded to six decimals. Luau has no
/// literal for infinity and NaN; for these, the result is the literal before.
pub fn number_literal(before: &str, number: f64, needs_parentheses: bool) -> String {
    if !number.is_finite() || number_of_literal(before) == Some(number) {
        return before.to_owned();
    }
    let is_whole = number >= 0.0 && number.fract() == 0.0 && number < 1e15;
    let prefix = before.get(..2).unwrap_or_default();
    if is_whole && prefix.eq_ignore_ascii_case("0x") {
        let width = before.len() - 2;
        let is_upper = before[2..].contains(|c: char| c.is_ascii_uppercase());
        let number = number as u64;
        return match is_upper {
            true => format!("{prefix}{number:0width$X}"),
            false => format!("{prefix}{number:0width$x}"),
        };
    }
    let scale = 10_f64.powi(MAX_DECIMALS);
    let rounded = (number * scale).round() / scale;
    // Small numbers keep their digits.
    let rounded = if rounded == 0.0 || rounded.abs() < 1e-3 {
        number
    } else {
        rounded
    };
    let text = match rounded.abs() {
        size if size != 0.0 && !(1e-9..1e15).contains(&size) => format!("{rounded:e}"),
        _ => format!("{}", rounded + 0.0),
    };
    match needs_parentheses && text.starts_with('-') {
        true => format!("({text})"),
        false => text,
    }
}

/// Reads the text of a string literal; `None` for an interpolated string and for bytes that are not UTF-8.
pub fn string_of_literal(literal: &str) -> Option<String> {
    let quote = literal.chars().next()?;
    if quote == '[' {
        let level = literal[1..].find('[')?;
        let inner = literal.get(level + 2..literal.len().checked_sub(level + 2)?)?;
        let inner = inner
            .strip_prefix("\r\n")
            .or_else(|| inner.strip_prefix('\n'))
            .unwrap_or(inner);
        return Some(inner.replace("\r\n", "\n"));
    }
    let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c == '\\' {
            rest = read_escape(rest, &mut bytes)?;
        } else if quote == '`' && c == '{' {
            return None;
        } else {
            bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    String::from_utf8(bytes).ok()
}

/// Reads what follows a backslash. Returns the rest.
fn read_escape<'a>(rest: &'a str, bytes: &mut Vec<u8>) -> Option<&'a str> {
    let c = rest.chars().next()?;
    let after = &rest[c.len_utf8()..];
    let plain = match c {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' | '\n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        'z' => return Some(after.trim_start()),
        'x' => {
            bytes.push(u8::from_str_radix(after.get(..2)?, 16).ok()?);
            return after.get(2..);
        }
        'u' => {
            let (digits, after) = after.strip_prefix('{')?.split_once('}')?;
            let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(after);
        }
        '0'..='9' => {
            let n = rest
                .chars()
                .take(3)
                .take_while(char::is_ascii_digit)
                .count();
            bytes.push(rest[..n].parse().ok()?);
            return rest.get(n..);
        }
        other => {
            bytes.extend(other.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(after);
        }
    };
    bytes.push(plain);
    Some(after)
}

/// A literal for a text, with the quotes of the literal that it replaces.
pub fn string_literal(before: &str, text: &str) -> String {
    if string_of_literal(before).as_deref() == Some(text) {
        return before.to_owned();
    }
    let is_long = before.starts_with('[');
    if is_long && let Some(level) = before[1..].find('[') {
        let (open, close) = (&before[..level + 2], format!("]{}]", "=".repeat(level)));
        let begins_line = before[level + 2..].starts_with(['\r', '\n']) || text.starts_with('\n');
        let ends_early = text.contains(&close) || text.ends_with(']') || text.contains('\r');
        if !ends_early {
            return format!("{open}{}{text}{close}", if begins_line { "\n" } else { "" });
        }
    }
    let quote = before.chars().next().filter(|_| !is_long).unwrap_or('"');
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\000"),
            '{' if quote == '`' => out.push_str("\\{"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_luau_reads_them() {
        for (literal, number) in [
            ("1", 1.0),
            ("-0.5", -0.5),
            ("- 2", -2.0),
            (".5", 0.5),
            ("1_000", 1000.0),
            ("1e-3", 0.001),
            ("0xFF", 255.0),
            ("0b101", 5.0),
            ("(-2)", -2.0),
        ] {
            assert_eq!(number_of_literal(literal), Some(number), "{literal}");
        }
        assert_eq!(number_of_literal("x"), None);
        assert_eq!(number_of_literal("inf"), None);
    }

    #[test]
    fn numbers_keep_the_style_of_the_literal() {
        for (before, number, after) in [
            ("1.50", 1.5, "1.50"),
            ("1.50", 1.25, "1.25"),
            ("0x0F", 255.0, "0xFF"),
            ("0x0f", 16.0, "0x10"),
            ("0xff", -1.0, "-1"),
            ("1", 0.1 + 0.2, "0.3"),
            ("1", 1e-7, "0.0000001"),
            ("1", 1e-12, "1e-12"),
            ("1", 1e300, "1e300"),
            ("1", -0.0, "0"),
            ("1", f64::INFINITY, "1"),
            ("1", f64::NAN, "1"),
        ] {
            assert_eq!(number_literal(before, number, false), after);
        }
        assert_eq!(number_literal("1", -2.0, true), "(-2)");
    }

    #[test]
    fn strings_are_read_and_written_again() {
        for (literal, text) in [
            ("\"a\"", "a"),
            ("'it\\'s'", "it's"),
            ("\"\\65\\x42\\u{43}\\z  \n D\"", "ABCD"),
            ("[[\none\ntwo]]", "one\ntwo"),
            ("[==[ a ]] b ]==]", " a ]] b "),
            ("`plain`", "plain"),
        ] {
            assert_eq!(
                string_of_literal(literal).as_deref(),
                Some(text),
                "{literal}"
            );
            assert_eq!(string_literal(literal, text), literal);
            for other in ["", "x", "\"'`", "]]", "a]", "{n}", "\\n\n\tü\0"] {
                let written = string_literal(literal, other);
                assert_eq!(
                    string_of_literal(&written).as_deref(),
                    Some(other),
                    "{written}"
                );
            }
        }
        assert_eq!(string_of_literal("`a {b}`"), None);
        assert_eq!(string_literal("'a'", "it's"), "'it\\'s'");
    }
}
