//! A type name means one thing in the whole workspace.

use std::collections::BTreeMap;

use crate::workspace::{code, each_source, is_test};

/// Names of the standard prelude, and common traits and types of the standard library.
const STANDARD: [&str; 45] = [
    "AsMut",
    "AsRef",
    "Box",
    "Cell",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deref",
    "Display",
    "Drop",
    "Duration",
    "Eq",
    "Error",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Hash",
    "Index",
    "Instant",
    "Into",
    "IntoIterator",
    "Iterator",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Path",
    "PathBuf",
    "Range",
    "Read",
    "Result",
    "Send",
    "Sized",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Vec",
    "Write",
];

/// The type that a line of code defines. An indented `type` is an associated type.
fn defined(line: &str) -> Option<&str> {
    let is_modifier =
        |word: &&str| word.starts_with("pub") || word.ends_with(')') || *word == "unsafe";
    let mut words = line.split_whitespace().skip_while(is_modifier);
    match words.next()? {
        "struct" | "enum" | "trait" | "union" => {}
        "type" if !line.starts_with(' ') => {}
        _ => return None,
    }
    let name = words
        .next()?
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    name.starts_with(|c: char| c.is_uppercase()).then_some(name)
}

#[test]
fn a_type_name_means_one_thing() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    each_source(|_, file, text| {
        for (line_number, line) in code(text) {
            if let Some(name) = defined(line).filter(|_| !is_test(file)) {
                let place = format!("{}:{line_number}", file.display());
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
    });
    places.retain(|name, places| places.len() > 1 || STANDARD.contains(&name.as_str()));
    let wrong: Vec<String> = places
        .iter()
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(
        wrong.is_empty(),
        "types of one name, or of a name of the standard library:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn definitions_of_types_are_found() {
    assert_eq!(defined("pub(super) struct Row<'a> {"), Some("Row"));
    assert_eq!(defined("pub(in crate::api) enum Kind {"), Some("Kind"));
    assert_eq!(defined("pub unsafe trait Plain: Copy {}"), Some("Plain"));
    assert_eq!(defined("    struct Inner(u8);"), Some("Inner"));
    assert_eq!(defined("type Lanes = [f32; 8];"), Some("Lanes"));
    assert_eq!(defined("    type Output = Self;"), None);
    assert_eq!(defined("use super::Row;"), None);
}
