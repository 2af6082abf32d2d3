//! Literals of the scripts in the repository: each one is changed, and changed back.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use galatea::script::literals::{
    LiteralEdits, ValueKind, literals_of, number_literal, number_of_literal, string_literal,
    string_of_literal,
};
use galatea::script::toolkit::compiles;

/// Scripts of the demo, the examples and the gallery.
fn scripts(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            scripts(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "lua") {
            out.push(path);
        }
    }
}

/// Another literal of the same kind.
fn another(kind: &ValueKind, before: &str, needs_parentheses: bool) -> String {
    match kind {
        ValueKind::Switch(_) => if before == "true" { "false" } else { "true" }.to_owned(),
        ValueKind::Text(_) => {
            let text = string_of_literal(before).unwrap();
            string_literal(before, &format!("{text} \"'{{]]\n"))
        }
        _ => {
            let number = number_of_literal(before).unwrap();
            number_literal(before, -number - 0.25, needs_parentheses)
        }
    }
}

/// Paths and texts of the scripts of the demo, the examples and the gallery.
fn all_scripts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["scripts", "examples"] {
        scripts(&root.join(folder), &mut all);
    }
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.display().to_string(), text)
    };
    all.into_iter().map(read).collect()
}

#[test]
fn parts_of_scripts_are_read_without_a_panic() {
    let mut n_values = 0;
    for (_, text) in all_scripts() {
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(607).collect();
        for cut in cuts {
            for part in [&text[..cut], &text[cut..]] {
                n_values += literals_of(part).values.len();
            }
        }
    }
    assert!(n_values > 0);
    for text in [
        "] = 1", "a] = 1", "- 1", "vec(", "vec(1, -", "type T<", "f(\"a\"", "= =", ")1",
    ] {
        literals_of(text);
    }
}

#[test]
fn every_literal_of_every_script_is_changed_and_changed_back() {
    let mut n_literals = 0;
    for (file, text) in all_scripts() {
        let literals = |text: &str| -> Vec<String> {
            let values = literals_of(text).values;
            let all = values.iter().flat_map(|value| value.kind.literals());
            all.map(|literal| text[literal.range.clone()].to_owned())
                .collect()
        };
        let mut all_changed = LiteralEdits::new(&text);
        let (mut wanted, mut starts) = (Vec::new(), BTreeSet::new());
        for value in literals_of(&text).values {
            for literal in value.kind.literals() {
                let old = &text[literal.range.clone()];
                let new = another(&value.kind, old, literal.needs_parentheses);
                let mut edits = LiteralEdits::new(&text);
                edits.set(literal, &new);
                all_changed.set(literal, &new);
                let changed = edits.text();
                let (start, end) = (literal.range.start, literal.range.end);
                let only_it = [&text[..start], &new, &text[end..]].concat();
                assert_eq!(changed, only_it, "{file}:{}: {old} -> {new}", value.line);
                assert_eq!(edits.inverse().text(), text, "{file}: {old} -> {new}");
                wanted.push(new.trim_matches(['(', ')']).to_owned());
                starts.insert(start);
            }
        }
        let changed = all_changed.text();
        assert!(compiles(&changed), "{file}:\n{changed}");
        assert_eq!(literals(&changed), wanted, "{file}");
        assert_eq!(all_changed.inverse().text(), text, "{file}");
        assert_eq!(starts.len(), wanted.len(), "{file}: nothing is found twice");
        n_literals += wanted.len();
    }
    assert!(n_literals > 5000, "{n_literals} literals");
}
