//! Suggestions of the nearest name for messages, and escaping of names for output.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes characters that control a terminal or change the writing direction, because names in files can contain anything.
/// New lines and tabs stay; the others are written as in JSON, so that JSON stays valid.
pub fn printable(text: &str) -> Cow<'_, str> {
    let commands = |c: char| {
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        c.is_control() && c != '\n' && c != '\t' || turns
    };
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if commands(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// `; did you mean "walk"?` for the candidate nearest to `wrong`. Without a near one, lists the candidates if there are
/// few, else returns nothing.
pub fn nearest_hint<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    hint(wrong, candidates.filter(|name| !name.is_empty()).collect())
}

fn hint(wrong: &str, mut names: Vec<&str>) -> String {
    let near = || nearest(wrong, names.iter().copied());
    if let Some(name) = by_foreign_term(wrong, &names).or_else(near) {
        return format!("; did you mean {name:?}?");
    }
    names.sort_unstable();
    names.dedup();
    match names.len() {
        0 => "; there are none".into(),
        1..=32 => format!("; available: {}", names.join(", ")),
        n => match most_similar(wrong, &names).as_slice() {
            [] => String::new(),
            [near] => format!("; the nearest of {n} names is {near:?}"),
            near => format!("; the most similar of {n} names: {}", near.join(", ")),
        },
    }
}

/// The names of a long list that are worth showing, the most similar first.
fn most_similar<'a>(wrong: &str, names: &[&'a str]) -> Vec<&'a str> {
    if wrong.len() > MAX_NAME {
        return Vec::new();
    }
    let small = wrong.to_lowercase();
    let scores = names
        .iter()
        .map(|name| (similarity(&small, &name.to_lowercase()), *name));
    let mut near: Vec<(f64, &str)> = scores.filter(|(score, _)| *score > MIN_SHOWN).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.iter()
        .take(SHOWN_NEAR)
        .map(|(_, name)| *name)
        .collect()
}

/// Number of names shown of a long list.
const SHOWN_NEAR: usize = 5;
/// Similarity of a name that is worth showing.
const MIN_SHOWN: f64 = 0.4;

/// Terms of other engines for names of this one, in lower case and without separators.
const FOREIGN_TERMS: [(&str, &[&str]); 25] = [
    ("mode", &["loop", "looped", "looping", "repeat"]),
    ("restitution", &["bounce", "bounciness", "elasticity"]),
    ("intensity", &["strength", "energy", "brightness"]),
    ("lifetime", &["life", "duration", "ttl"]),
    ("ragdoll", &["fall", "collapse", "limp"]),
    ("kill", &["die", "death"]),
    (
        "remove",
        &["destroy", "delete", "free", "queuefree", "despawn"],
    ),
    (
        "position",
        &[
            "location",
            "translation",
            "transform",
            "cframe",
            "point",
            "x",
            "y",
            "z",
        ],
    ),
    ("yaw", &["rotation", "angle", "heading", "orientation"]),
    (
        "play",
        &[
            "animate",
            "animation",
            "anim",
            "loadanimation",
            "setanimation",
        ],
    ),
    ("machine", &["animationtree", "animator", "fsm"]),
    ("morph", &["blendshape", "shapekey", "setmorph"]),
    ("reach", &["ik", "inversekinematics"]),
    ("look_at", &["faceto", "gaze", "aimhead"]),
    ("mass", &["weight"]),
    ("move", &["walk", "run", "go", "moveandslide", "translate"]),
    ("count", &["n", "num", "number", "amount"]),
    ("clip_end", &["animationfinished", "animationend"]),
    ("hit", &["damage", "hurt", "takedamage"]),
    ("apply_impulse", &["impulse", "force", "push", "applyforce"]),
    (
        "task",
        &["after", "delay", "timer", "coroutine", "spawn", "every"],
    ),
    ("wait", &["sleep", "delay", "pause", "yield"]),
    ("on", &["connect", "listen", "bind", "addlistener"]),
    ("at", &["position", "pos", "location", "origin"]),
    ("now", &["time", "gettime", "clock", "elapsed", "tick"]),
];

/// The name among `names` that other engines call `wrong`.
fn by_foreign_term<'a>(wrong: &str, names: &[&'a str]) -> Option<&'a str> {
    let plain: String = wrong
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let mut found = FOREIGN_TERMS
        .iter()
        .filter(|(_, words)| words.contains(&plain.as_str()));
    found.find_map(|(ours, _)| names.iter().find(|name| *name == ours).copied())
}

/// Maximum length of compared names, bytes: the similarity costs the product of the lengths.
const MAX_NAME: usize = 1000;

/// Returns true if a name has several words, separated by `_` or a space, and all of them are words of the other name.
fn is_within(words: &str, other: &str) -> bool {
    let parts = |name| str::split(name, ['_', ' ']);
    parts(words).count() > 1 && parts(words).all(|word| parts(other).any(|known| known == word))
}

/// A name without the ending of an English plural.
fn singular(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

/// Similarity of two lower-case names, 0..=1.
fn similarity(wrong: &str, other: &str) -> f64 {
    let mut score = strsim::normalized_damerau_levenshtein(wrong, other);
    if wrong == other {
        return score;
    }
    let (short, long) = if wrong.len() < other.len() {
        (wrong, other)
    } else {
        (other, wrong)
    };
    if is_within(wrong, other) {
        let has_no_more = is_within(other, wrong);
        score = score.max(if has_no_more { 0.95 } else { 0.75 });
    }
    let short = if short == wrong {
        singular(short)
    } else {
        short
    };
    if short.len() >= 3
        && let Some(at) = long.find(short)
    {
        // A whole word, or its beginning, is more likely meant than letters inside of a word.
        let is_letter = |c: char| c.is_alphanumeric();
        let begins = !long[..at].ends_with(is_letter);
        let ends = !long[at + short.len()..].starts_with(is_letter);
        let fits = 0.05 * f64::from(u8::from(begins)) + 0.05 * f64::from(u8::from(ends));
        let part = short.len() as f64 / long.len() as f64;
        score = score.max(0.7 + fits + 0.1 * part);
    }
    // The first letter is rarely mistyped.
    if wrong.chars().next() != other.chars().next() {
        score -= 0.1;
    }
    score
}

/// The most similar candidate, the first of equal ones; `None` if all are too different.
pub fn nearest<'a>(wrong: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > MAX_NAME {
        return None;
    }
    let lower = wrong.to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    for name in candidates {
        let score = similarity(&lower, &name.to_lowercase());
        // Unrelated names reach about half.
        if score > best.map_or(0.5, |(best, _)| best) {
            best = Some((score, name));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_as_long_as_a_file_is_compared_with_none() {
        let names: Vec<String> = (0..300).map(|i| format!("name_{i}")).collect();
        let wrong = "n".repeat(100_000);
        let hint = nearest_hint(&wrong, names.iter().map(String::as_str));
        assert_eq!(hint, "");
        let hint = nearest_hint("name_x", names.iter().map(String::as_str));
        assert!(hint.starts_with("; "), "{hint}");
    }

    #[test]
    fn a_plural_finds_the_names_with_its_singular() {
        let names = ["attach", "bone_position", "bounds"];
        assert_eq!(nearest("bones", names.into_iter()), Some("bone_position"));
    }

    #[test]
    fn a_typing_error_finds_its_word_and_nonsense_lists_the_candidates() {
        let names = ["idle", "walk", "run"];
        assert_eq!(nearest("wlak", names.into_iter()), Some("walk"));
        assert_eq!(nearest("Walk", names.into_iter()), Some("walk"));
        assert_eq!(nearest("walking", names.into_iter()), Some("walk"));
        assert_eq!(nearest("zzzz", names.into_iter()), None);
        let arms = ["left_hand", "left_upper_arm", "right_upper_arm"];
        assert_eq!(
            nearest("left_arm", arms.into_iter()),
            Some("left_upper_arm")
        );
        assert_eq!(nearest("missing", ["tostring"].into_iter()), None);
        // Clip names: the same word must win over a rhyme, or a word that contains its letters.
        let clips = [
            "walking",
            "talk",
            "sit_down",
            "transition",
            "wave",
            "waverley",
        ];
        for (wrong, right) in [
            ("talking", "talk"),
            ("sit", "sit_down"),
            ("wave_left", "wave"),
        ] {
            for rotation in 0..clips.len() {
                let mut all = clips;
                all.rotate_left(rotation);
                assert_eq!(nearest(wrong, all.into_iter()), Some(right), "{all:?}");
            }
        }
        assert!(nearest_hint("zzzz", names.into_iter()).contains("idle, run, walk"));
        assert!(nearest_hint("x", std::iter::empty()).contains("none"));
    }

    #[test]
    fn terms_of_other_engines_suggest_existing_names() {
        let of_character = ["ragdoll", "play", "yaw", "position"];
        for (foreign, ours) in [
            ("fall", "ragdoll"),
            ("LoadAnimation", "play"),
            ("rotation", "yaw"),
            ("CFrame", "position"),
        ] {
            let hint = nearest_hint(foreign, of_character.into_iter());
            assert_eq!(hint, format!("; did you mean {ours:?}?"), "{foreign}");
        }
        let hint = nearest_hint("delay", ["task", "print"].into_iter());
        assert!(hint.contains("\"task\""), "{hint}");
        let hint = nearest_hint("fall", ["idle", "run"].into_iter());
        assert_eq!(hint, "; available: idle, run");
    }

    #[test]
    fn terminal_control_characters_are_escaped() {
        assert_eq!(printable("Füße\n\tok"), "Füße\n\tok");
        assert_eq!(
            printable("a\u{1b}[2Jb\r\u{9b}c\u{7f}\u{202e}"),
            "a\\u001b[2Jb\\u000d\\u009bc\\u007f\\u202e"
        );
        let json = "\"a\u{7f}b\"";
        let read: String = serde_json::from_str(&printable(json)).unwrap();
        assert_eq!(read, "a\u{7f}b");
    }
}
