//! Words of the project's former private language do not return (CONTRIBUTING.md, "Plain words").

use std::fs;
use std::path::Path;

/// Phrases that the field would say differently, and what to write.
const BANNED: [(&str, &str); 16] = [
    ("is told", "is reported, is emitted, gets"),
    ("are told", "are reported, are emitted, get"),
    ("is asked", "is evaluated, is queried"),
    ("are asked", "are evaluated, are queried"),
    ("is let go", "is released, is dropped"),
    ("made anew", "rebuilt, recreated"),
    ("numbers that are none", "NaN or infinite values"),
    ("that is none", "is not a number, is not one"),
    ("told to nobody", "suppressed"),
    ("those who", "characters that, agents that"),
    ("goes on drawing", "continues to draw"),
    ("the version before", "the previous version"),
    ("memory of theirs", "scratch buffers"),
    ("what is kept", "cached data, stored state"),
    ("blow strikes", "hit"),
    ("a way between states", "a transition"),
];

/// Beginnings of names of limits; the field says MAX and MIN.
const BANNED_NAMES: [&str; 2] = ["MOST_", "LEAST_"];

/// Files that quote these words on purpose.
const EXEMPT: [&str; 2] = ["tests/house/words.rs", "CONTRIBUTING.md"];

/// Folders with text that people read.
const FOLDERS: [&str; 7] = [
    "crates", "docs", "examples", "scripts", "shaders", "src", "tests",
];

/// Text files of a folder and of those in it, relative to the repository.
fn texts_in(folder: &Path, found: &mut Vec<(String, String)>) {
    const KINDS: [&str; 6] = ["rs", "md", "lua", "luau", "wgsl", "toml"];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts_in(&path, found);
            continue;
        }
        let kind = path.extension().and_then(|kind| kind.to_str());
        let is_text = kind.is_some_and(|kind| KINDS.contains(&kind));
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR"));
        let (true, Ok(name), Ok(text)) = (is_text, name, fs::read_to_string(&path)) else {
            continue;
        };
        let name = name.to_string_lossy().replace('\\', "/");
        if !EXEMPT.contains(&name.as_str()) {
            found.push((name, text));
        }
    }
}

fn texts() -> Vec<(String, String)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in FOLDERS {
        texts_in(&home.join(folder), &mut found);
    }
    for page in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ] {
        if !EXEMPT.contains(&page) {
            found.push((
                page.to_owned(),
                fs::read_to_string(home.join(page)).unwrap(),
            ));
        }
    }
    found
}

/// Returns true if a phrase stands in a line as whole words.
fn has_words(line: &str, phrase: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(phrase).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + phrase.len()..].chars().next();
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    })
}

/// Returns true if a name in the line begins with a prefix.
fn has_name(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[test]
fn private_words_do_not_return() {
    let texts = texts();
    assert!(texts.len() > 500, "only {} files were read", texts.len());
    let mut found = Vec::new();
    for (name, text) in &texts {
        for (i, line) in text.lines().enumerate() {
            let small = line.to_lowercase();
            for (phrase, instead) in BANNED {
                if has_words(&small, phrase) {
                    found.push(format!("{name}:{}: {phrase:?}; write: {instead}", i + 1));
                }
            }
            for prefix in BANNED_NAMES {
                if has_name(line, prefix) {
                    found.push(format!("{name}:{}: {prefix}…; write MAX_ or MIN_", i + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn whole_words_are_found_and_parts_of_words_are_not() {
    assert!(has_words("the event is told here", "is told"));
    assert!(!has_words("this toldstool", "is told"));
    assert!(has_name("const MOST_BONES: usize", "MOST_"));
    assert!(!has_name("ALMOST_ONE and TOPMOST_", "MOST_"));
}
