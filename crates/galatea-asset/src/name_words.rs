//! Words in the names of materials, nodes and meshes.

/// Splits a name into lower-case words at non-letters and at a capital letter after a small one.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = !c.is_alphabetic() || c.is_uppercase() && before.is_lowercase();
        if begins {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphabetic(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Names a part of a file for messages: `mesh "Body"`, or `mesh 3` without a name.
pub(crate) fn call(kind: &str, name: Option<&str>, index: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("{kind} {name:?}"),
        _ => format!("{kind} {index}"),
    }
}
