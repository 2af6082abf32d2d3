//! Lua source text: expressions for characters, and string literals.

use galatea_stage::{Handle, Stage};

/// A Lua expression for a character: by its name if it has one, otherwise by its position in the list of all.
pub fn lua_expression(stage: &Stage, handle: Handle) -> Option<String> {
    let mut all = stage.characters.iter();
    let position = all.position(|(known, _)| known == handle)?;
    let character = stage.characters.get(handle)?;
    let is_unique = |name: &&str| stage.characters.named(name) == Some(handle);
    let name = character.identity.name().filter(is_unique);
    Some(match name {
        Some(name) => format!("find_character({})", lua_string(name)),
        None => format!("characters()[{}]", position + 1),
    })
}

/// A Lua string literal.
pub fn lua_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lua_strings_are_quoted() {
        assert_eq!(lua_string("hero"), "\"hero\"");
        assert_eq!(lua_string("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
    }
}
