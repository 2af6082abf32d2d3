//! Errors in TOML files, with their position in the text.

use toml::de::Error;

use galatea_math::data_fault::{DataFault, TextPosition};

/// Converts an error of the reader of `text` to plain words.
pub fn toml_fault(error: &Error, text: &str) -> DataFault {
    let offset = error.span().map(|span| span.start);
    DataFault::of_toml(error.message(), text, offset)
}

/// Position of the key `section.key` in a text; `None` if the key is not at the beginning of a line.
pub(super) fn key_position(text: &str, section: &str, key: &str) -> Option<TextPosition> {
    let mut current = "";
    for (i, line) in text.lines().enumerate() {
        let written = line.trim();
        if let Some(header) = written.strip_prefix('[') {
            current = header.split(']').next().unwrap_or_default().trim();
        }
        let name = written.split('=').next().unwrap_or_default().trim();
        let is_dotted = || {
            let parts = name.split_once('.');
            parts.is_some_and(|(first, rest)| first.trim() == section && rest.trim() == key)
        };
        if (current == section && name == key) || (current.is_empty() && is_dotted()) {
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            return Some(TextPosition {
                line: i + 1,
                column: indent + 1,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        let error = text.parse::<toml::Table>().unwrap_err();
        toml_fault(&error, text).in_file("a.toml")
    }

    #[test]
    fn errors_of_the_syntax_have_a_position_and_say_what_to_write() {
        for (text, expected) in [
            ("a = 1\nb =", "expected a value: a number"),
            ("a = 1\nb = walk", "expected a value: a number"),
            ("a = 1\nb = neon", "expected a value: a number"),
            ("a = 1\nb = -", "expected a value: a number"),
            ("a = 1\nb", "a name has no value"),
            ("a = 1\na = 2", "this name is there twice"),
            ("a = 1\nb = [1", "expected \"]\" at the end of a list"),
            ("a = 1\nb = ['x' 'y']", "expected \",\" between two values"),
            (
                "a = 1\nb = '2' c = 3",
                "expected a new line after the value",
            ),
            ("a = 1\n[b", "expected \"]\" after the name of a section"),
        ] {
            let told = fault(text);
            assert!(told.starts_with("a.toml:2:"), "{text}: {told}");
            assert!(told.contains(expected), "{text}: {told}");
        }
    }

    #[test]
    fn keys_are_found_in_their_section_and_with_a_dot() {
        let text = "window.width = 1\n[script]\nmain = \"a\"\n  budget = 5\n[window]\nbudget = 6\n";
        let at = |section: &str, key: &str| {
            let found = key_position(text, section, key);
            found.map(|position| (position.line, position.column))
        };
        assert_eq!(at("script", "budget"), Some((4, 3)));
        assert_eq!(at("window", "budget"), Some((6, 1)));
        assert_eq!(at("window", "width"), Some((1, 1)));
        assert_eq!(at("window", "height"), None);
    }
}
