//! Errors of JSON and TOML readers in plain words, with their position in the file.
//!
//! Callers: all crates that read such files. The readers (`serde_json`, `toml`) describe errors with Rust types, such as
//! `invalid type: string "x", expected u64`. [`DataFault`] converts the text of their errors to words for users. It needs
//! only the text, so this crate depends on none of the readers. A text that it does not know stays as it is.

use std::fmt;

use super::names::nearest_hint;

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

impl TextPosition {
    /// Position of a byte offset in a text; `None` if the offset is inside of a character.
    pub fn of(text: &str, offset: usize) -> Option<Self> {
        let before = text.get(..offset.min(text.len()))?;
        let last_line = before.rsplit('\n').next().unwrap_or(before);
        Some(Self {
            line: 1 + before.matches('\n').count(),
            column: 1 + last_line.chars().count(),
        })
    }
}

/// An error in a JSON or TOML file. Its text is `line 2, column 5: ` and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFault {
    /// Position of the error; `None` if the reader does not report it.
    pub position: Option<TextPosition>,
    /// The problem in plain words.
    pub problem: String,
}

impl DataFault {
    /// Converts the text of an error of `serde_json`.
    pub fn of_json(error: &str) -> Self {
        let (problem, position) = match position_at_end(error) {
            Some((problem, position)) => (problem, Some(position)),
            None => (error, None),
        };
        Self {
            position,
            problem: plain(problem, "an object"),
        }
    }

    /// Converts the message of an error of `toml` that begins at the byte `offset` of `text`. A problem with a value
    /// begins with its key.
    pub fn of_toml(message: &str, text: &str, offset: Option<usize>) -> Self {
        let problem = plain(message, "a table");
        Self {
            position: offset.and_then(|offset| TextPosition::of(text, offset)),
            problem: match offset.and_then(|offset| key_before(text, offset)) {
                Some(key) => format!("{key}: {problem}"),
                None => problem,
            },
        }
    }

    /// The error with the number of a line that was read alone.
    pub fn on_line(mut self, line: usize) -> Self {
        let column = self.position.map_or(1, |position| position.column);
        self.position = Some(TextPosition { line, column });
        self
    }

    /// Text with the name of the file: `file:2:5: problem`.
    pub fn in_file(&self, file: &str) -> String {
        let problem = &self.problem;
        match self.position {
            Some(TextPosition { line, column }) => format!("{file}:{line}:{column}: {problem}"),
            None => format!("{file}: {problem}"),
        }
    }
}

impl fmt::Display for DataFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(TextPosition { line, column }) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for DataFault {}

/// Splits `problem at line 2 column 5`, as `serde_json` writes it.
fn position_at_end(error: &str) -> Option<(&str, TextPosition)> {
    let (problem, place) = error.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    let column: usize = column.parse().ok()?;
    let position = TextPosition {
        line: line.parse().ok()?,
        // The column before the first character of a line is 0.
        column: column.max(1),
    };
    Some((problem, position))
}

/// The key of a TOML value that begins at `offset`, if both are on the same line.
fn key_before(text: &str, offset: usize) -> Option<&str> {
    let line = text.get(..offset)?.rsplit('\n').next()?;
    let before_equals = line.trim_end().strip_suffix('=')?;
    let key = before_equals.rsplit(['{', ',']).next()?.trim();
    (!key.is_empty()).then_some(key)
}

/// The message in plain words. `group` is the format's word for named values.
fn plain(message: &str, group: &str) -> String {
    type_fault(message, group)
        .or_else(|| name_fault(message))
        .or_else(|| syntax_fault(message).map(str::to_owned))
        .unwrap_or_else(|| message.to_owned())
}

/// Converts `invalid type: A, expected B`, `invalid value: A, expected B` and `invalid length N, expected B`.
fn type_fault(message: &str, group: &str) -> Option<String> {
    if let Some(rest) = message.strip_prefix("invalid length ") {
        let (n, expected) = rest.split_once(", expected ")?;
        let values = if n == "1" { "value" } else { "values" };
        let expected = expectation(expected, group, false);
        return Some(format!("expected {expected}, got {n} {values}"));
    }
    let (rest, is_number) = match message.strip_prefix("invalid value: ") {
        Some(rest) => (rest, true),
        None => (message.strip_prefix("invalid type: ")?, false),
    };
    let (found, expected) = split_found(rest)?;
    let expected = expectation(expected, group, is_number);
    Some(format!("expected {expected}, got {}", value(found, group)))
}

/// Splits `A, expected B`. A quoted text in `A` may contain anything.
fn split_found(text: &str) -> Option<(&str, &str)> {
    const SEPARATOR: &str = ", expected ";
    let start = match text.strip_prefix("string \"") {
        Some(quoted) => text.len() - quoted.len() + quote_end(quoted)?,
        None => 0,
    };
    let at = start + text.get(start..)?.find(SEPARATOR)?;
    Some((text.get(..at)?, text.get(at + SEPARATOR.len()..)?))
}

/// Byte offset after the closing quote of an escaped text.
fn quote_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (i, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(i + 1),
            _ => {}
        }
    }
    None
}

/// The name between backticks after `start`.
fn quoted<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.strip_prefix(start)?
        .strip_prefix('`')?
        .strip_suffix('`')
}

/// Limit of the quoted part of a text in a message, characters.
const MAX_QUOTED: usize = 60;

/// The value that a reader found.
fn value(found: &str, group: &str) -> String {
    for kind in ["boolean ", "integer ", "floating point ", "character "] {
        if let Some(value) = quoted(found, kind) {
            return value.to_owned();
        }
    }
    if let Some(text) = found.strip_prefix("string ") {
        return match text.char_indices().nth(MAX_QUOTED) {
            Some((end, _)) => format!("the text {}…\"", text.get(..end).unwrap_or_default()),
            None => format!("the text {text}"),
        };
    }
    match found {
        "map" => group.to_owned(),
        "sequence" => "a list".to_owned(),
        "unit value" => "null".to_owned(),
        "byte array" => "binary data".to_owned(),
        other => other.to_owned(),
    }
}

/// Types of whole numbers with their ranges.
const WHOLE_NUMBERS: [(&str, &str); 12] = [
    ("u8", "from 0 to 255"),
    ("u16", "from 0 to 65535"),
    ("u32", "from 0 to 4294967295"),
    ("u64", "from 0"),
    ("u128", "from 0"),
    ("usize", "from 0"),
    ("i8", "from -128 to 127"),
    ("i16", "from -32768 to 32767"),
    ("i32", "from -2147483648 to 2147483647"),
    ("i64", ""),
    ("i128", ""),
    ("isize", ""),
];

/// The value that a reader expected. If it found a number, `is_number`, the upper limit of a whole number matters too.
fn expectation(expected: &str, group: &str, is_number: bool) -> String {
    if let Some((ty, range)) = WHOLE_NUMBERS.iter().find(|(ty, _)| *ty == expected) {
        let range = match is_number {
            true => *range,
            false if ty.starts_with('u') => "from 0",
            false => "",
        };
        return format!("a whole number {range}").trim_end().to_owned();
    }
    let listed = expected.strip_prefix("any of: [");
    if let Some(list) = listed.and_then(|list| list.strip_suffix(']')) {
        return format!("one of {list}");
    }
    if let Some(n) = count(expected) {
        return match n {
            "1" => "a list of 1 value".to_owned(),
            n => format!("a list of {n} values"),
        };
    }
    let kind = expected.split(' ').next().unwrap_or_default();
    match (kind, expected) {
        ("f32" | "f64", _) => "a number",
        ("tuple", _) | (_, "a sequence") => "a list",
        ("struct", _) | (_, "a map") => group,
        ("enum" | "variant" | "field" | "semantic", _) | (_, "string or map") => "a name",
        (_, "map with a single key") => return format!("{group} with exactly one entry"),
        (_, "index into child of root") => "an index, a whole number from 0",
        (_, "fewer elements in array" | "fewer elements in map") => "fewer values",
        (_, "a boolean") => "true or false",
        (_, "a character") => "a text of one character",
        (_, "a string" | "a borrowed string" | "path string") => "a text in double quotes",
        (_, other) => other,
    }
    .to_owned()
}

/// Number of values of an expected list.
fn count(expected: &str) -> Option<&str> {
    let fixed = expected.strip_prefix("an array of length ");
    let fixed = fixed.or_else(|| expected.strip_prefix("a tuple of size "));
    fixed.or_else(|| {
        let (_, counted) = expected.rsplit_once(" with ")?;
        let n = counted.strip_suffix(" elements");
        n.or_else(|| counted.strip_suffix(" element"))
    })
}

/// Converts errors about names of fields and values.
fn name_fault(message: &str) -> Option<String> {
    for (start, what) in [("unknown field `", "field"), ("unknown variant `", "value")] {
        if let Some(rest) = message.strip_prefix(start) {
            let (name, known) = rest.split_once('`')?;
            // Known names are every second part between backticks.
            let known = known.split('`').skip(1).step_by(2);
            return Some(format!(
                "unknown {what} {name:?}{}",
                nearest_hint(name, known)
            ));
        }
    }
    if let Some(name) = quoted(message, "missing field ") {
        return Some(format!("field {name:?} is missing"));
    }
    if let Some(name) = quoted(message, "duplicate field ") {
        return Some(format!("field {name:?} is there twice; delete one"));
    }
    if message.starts_with("no variant of enum") {
        return Some("no field has one of the expected names".to_owned());
    }
    let is_untagged = message.starts_with("data did not match any variant");
    is_untagged.then(|| "this value has none of the expected types".to_owned())
}

/// Text for a missing value.
const NO_VALUE: &str =
    "expected a value: a number, true or false, a list in [ ], or a text in double quotes";
/// Text for a TOML key without a value.
const NO_KEY_VALUE: &str = "a name has no value; write it as name = value";
/// Text for an invalid TOML key.
const BAD_KEY: &str =
    "expected a name of letters, digits, \"_\" and \"-\"; put other names in double quotes";
/// Text for an invalid number.
const BAD_NUMBER: &str = "this is not a valid number; write it as 12, 0.5 or -2";
/// Text for an invalid quoted text.
const BAD_TEXT: &str = "the text in quotes is not valid; its closing quote may be missing, or it contains a control character";
/// Text for content after a value.
const EXCESS: &str = "there is more text after the end of the value; delete it";
/// Text for an unknown escape sequence.
const BAD_ESCAPE: &str = "unknown escape in a text; write a backslash as \\\\";
/// Text for a comma without a value.
const EXTRA_COMMA: &str = "there is one comma too many; delete it";

/// Beginnings of syntax errors, and what to report instead. The first group is of JSON, the second of TOML.
const SYNTAX: [(&str, &str); 53] = [
    (
        "EOF while parsing a list",
        "the text ends inside of a list; add \"]\" or restore the missing part",
    ),
    (
        "EOF while parsing an object",
        "the text ends inside of an object; add \"}\" or restore the missing part",
    ),
    (
        "EOF while parsing a string",
        "the text ends inside of a quoted text; add the closing quote or restore the missing part",
    ),
    (
        "EOF while parsing a value",
        "the text ends where a value is expected",
    ),
    (
        "expected `:`",
        "expected \":\" between a name and its value",
    ),
    (
        "expected `,` or `]`",
        "expected \",\" or \"]\" after a value of a list",
    ),
    (
        "expected `,` or `}`",
        "expected \",\" or \"}\" after a value of an object",
    ),
    ("expected ident", NO_VALUE),
    ("expected value", NO_VALUE),
    ("expected `\"`", "expected a name in double quotes"),
    ("invalid escape", BAD_ESCAPE),
    ("unexpected end of hex escape", BAD_ESCAPE),
    ("lone leading surrogate in hex escape", BAD_ESCAPE),
    (
        "invalid unicode code point",
        "the text is not valid UTF-8; save it as UTF-8",
    ),
    ("invalid number", BAD_NUMBER),
    ("number out of range", "the number is too large"),
    (
        "control character",
        "a text contains a line break or another control character; write a line break as \\n",
    ),
    ("key must be a string", "expected a name in double quotes"),
    (
        "invalid value: expected key to be a number",
        "expected a number in double quotes as the name",
    ),
    ("trailing comma", EXTRA_COMMA),
    ("trailing characters", EXCESS),
    (
        "recursion limit exceeded",
        "lists and objects are nested too deeply; the limit is 127 levels",
    ),
    ("string values must be quoted", NO_VALUE),
    ("missing value", NO_KEY_VALUE),
    ("key with no value", NO_KEY_VALUE),
    ("extra `=`", "there is one \"=\" too many; delete it"),
    ("extra assignment", "there is one \"=\" too many; delete it"),
    (
        "missing assignment",
        "expected \"=\" between a name and its value",
    ),
    (
        "missing opening quote",
        "the opening quote of a text is missing",
    ),
    ("invalid basic string", BAD_TEXT),
    ("invalid literal string", BAD_TEXT),
    ("invalid multi-line", BAD_TEXT),
    ("missing escaped value", BAD_ESCAPE),
    (
        "unclosed array table",
        "expected \"]]\" after the name of a section",
    ),
    ("unclosed array", "expected \"]\" at the end of a list"),
    (
        "unclosed table",
        "expected \"]\" after the name of a section",
    ),
    (
        "unclosed inline table",
        "expected \"}\" at the end of a table",
    ),
    ("missing comma", "expected \",\" between two values"),
    ("extra comma", EXTRA_COMMA),
    (
        "unexpected key or value",
        "expected a new line after the value",
    ),
    ("unexpected content", "expected a new line after the value"),
    (
        "duplicate key",
        "this name is there twice in its table; delete one",
    ),
    (
        "cannot extend value",
        "this name already has a value, so it cannot be a section too",
    ),
    ("recursion limit", "lists and tables are nested too deeply"),
    ("cannot recurse", "lists and tables are nested too deeply"),
    ("unquoted keys cannot be empty", BAD_KEY),
    ("invalid unquoted key", BAD_KEY),
    ("invalid key", BAD_KEY),
    ("invalid integer number", BAD_NUMBER),
    // Unquoted texts that begin like `nan`, `inf`, `true` or `false`.
    ("invalid float, expected `", NO_VALUE),
    ("invalid boolean", NO_VALUE),
    ("invalid float", BAD_NUMBER),
    ("integer number overflowed", "the number is too large"),
];

/// Converts errors of the syntax.
fn syntax_fault(message: &str) -> Option<&'static str> {
    let found = SYNTAX.iter().find(|(start, _)| message.starts_with(start));
    found.map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::from_str;

    /// The fault of an error of the JSON reader itself.
    fn json<T: std::fmt::Debug>(read: serde_json::Result<T>) -> String {
        DataFault::of_json(&read.unwrap_err().to_string()).to_string()
    }

    #[test]
    fn types_are_described_without_words_of_rust() {
        for (told, expected) in [
            (
                json(from_str::<Vec<u64>>("[1, \"x\"]")),
                "expected a whole number from 0, got the text \"x\"",
            ),
            (
                json(from_str::<u8>("-1")),
                "expected a whole number from 0 to 255, got -1",
            ),
            (
                json(from_str::<u64>("1.5")),
                "expected a whole number from 0, got 1.5",
            ),
            (
                json(from_str::<[f32; 3]>("[1, 2]")),
                "expected a list of 3 values, got 2 values",
            ),
            (
                json(from_str::<Vec<bool>>("{}")),
                "expected a list, got an object",
            ),
            (
                json(from_str::<Vec<bool>>("[null]")),
                "expected true or false, got null",
            ),
            (
                json(from_str::<String>("[]")),
                "expected a text in double quotes, got a list",
            ),
        ] {
            let problem = told.split_once(": ").map(|(_, problem)| problem);
            assert_eq!(problem, Some(expected), "{told}");
            assert!(told.starts_with("line 1, column "), "{told}");
        }
    }

    #[test]
    fn types_of_other_crates_are_described_too() {
        let plain = |text: &str| DataFault::of_json(text).problem;
        for (error, expected) in [
            (
                "invalid type: sequence, expected struct Primitive",
                "expected an object, got a list",
            ),
            (
                "invalid type: string \"a, expected b\", expected index into child of root",
                "expected an index, a whole number from 0, got the text \"a, expected b\"",
            ),
            (
                "invalid type: integer `0`, expected any of: [\"LINEAR\", \"STEP\"]",
                "expected one of \"LINEAR\", \"STEP\", got 0",
            ),
            (
                "invalid length 1, expected tuple variant InputEvent::Axis with 2 elements",
                "expected a list of 2 values, got 1 value",
            ),
            (
                "data did not match any variant of untagged enum Texture",
                "this value has none of the expected types",
            ),
            (
                "expected a texture index, or the name of an image",
                "expected a texture index, or the name of an image",
            ),
        ] {
            assert_eq!(plain(error), expected);
        }
        let long = format!("invalid type: string {:?}, expected f32", "a".repeat(500));
        assert!(plain(&long).len() < 120, "{}", plain(&long));
    }

    #[test]
    fn names_are_quoted_and_the_nearest_one_is_suggested() {
        let plain = |text: &str| DataFault::of_json(text).problem;
        for (error, expected) in [
            (
                "unknown field `widht`, expected one of `width`, `height`, `icon`",
                "unknown field \"widht\"; did you mean \"width\"?",
            ),
            (
                "unknown field `zzz`, expected `b` or `a`",
                "unknown field \"zzz\"; available: a, b",
            ),
            (
                "unknown variant `bok`, expected `maps` or `book`",
                "unknown value \"bok\"; did you mean \"book\"?",
            ),
            ("missing field `seed`", "field \"seed\" is missing"),
            (
                "duplicate field `seed`",
                "field \"seed\" is there twice; delete one",
            ),
        ] {
            assert_eq!(plain(error), expected);
        }
    }

    #[test]
    fn errors_of_the_syntax_say_what_to_write() {
        for (text, expected) in [
            ("[1", "the text ends inside of a list"),
            ("{\"a\": 1", "the text ends inside of an object"),
            ("\"a", "the text ends inside of a quoted text"),
            ("", "the text ends where a value is expected"),
            ("galatea", "expected a value: a number"),
            ("[name]", "expected a value: a number"),
            ("[1 2]", "expected \",\" or \"]\""),
            ("{a: 1}", "expected a name in double quotes"),
            ("{\"a\" 1}", "expected \":\""),
            ("[1,]", "one comma too many"),
            ("1 2", "more text after the end"),
            ("1e999", "the number is too large"),
            ("\"\\q\"", "unknown escape"),
        ] {
            let told = json(from_str::<serde_json::Value>(text));
            assert!(told.contains(expected), "{text}: {told}");
            assert!(told.starts_with("line 1, column "), "{text}: {told}");
        }
        let deep = "[".repeat(200);
        let told = json(from_str::<serde_json::Value>(&deep));
        assert!(told.contains("the limit is 127 levels"), "{told}");
    }

    #[test]
    fn toml_errors_have_a_position_and_the_key_of_the_value() {
        let text = "[script]\nbudget = \"a lot\"\nuse = { x = 1 }\n";
        let at = text.find("\"a lot\"");
        let error = "invalid type: string \"a lot\", expected u64";
        let fault = DataFault::of_toml(error, text, at);
        assert_eq!(
            fault.in_file("galatea.toml"),
            "galatea.toml:2:10: budget: expected a whole number from 0, got the text \"a lot\""
        );
        let error = "invalid type: integer `1`, expected a map";
        let fault = DataFault::of_toml(error, text, text.find('1'));
        assert_eq!(fault.problem, "x: expected a table, got 1");
        let error = "unknown field `scirpt`, expected `script` or `window`";
        let fault = DataFault::of_toml(error, text, Some(1));
        assert_eq!(
            fault.to_string(),
            "line 1, column 2: unknown field \"scirpt\"; did you mean \"script\"?"
        );
        let fault = DataFault::of_toml("duplicate key", text, None);
        assert_eq!(
            fault.in_file("a.toml"),
            "a.toml: this name is there twice in its table; delete one"
        );
        // An offset inside of a character has no position.
        assert_eq!(DataFault::of_toml("extra `=`", "ä", Some(1)).position, None);
    }

    #[test]
    fn a_line_that_was_read_alone_keeps_its_column() {
        let fault = DataFault::of_json("expected value at line 1 column 7");
        assert!(fault.on_line(12).in_file("a").starts_with("a:12:7: "));
        let fault = DataFault::of_json("missing field `t`").on_line(3);
        assert_eq!(
            fault.to_string(),
            "line 3, column 1: field \"t\" is missing"
        );
    }
}
