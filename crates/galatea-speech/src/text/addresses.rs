//! Web, mail and file addresses, and tags: "www.example.com", "anna@example.com", "#hello".

use super::characters::digit;
use super::language::Language;
use super::tokens::{Scan, Scanned, TokenReading};

/// Domain and file endings. Other endings count only in an address that begins with "www." or "https://", or contains "@".
const ENDINGS: &str = " com org net edu gov io dev app biz co.uk txt lua luau json toml md rs py js ts html css xml csv pdf \
    png jpg jpeg gif svg webp wav mp3 ogg flac mp4 zip exe dll glb gltf vrm fbx obj bvh docx xls yml yaml ini cfg ";
/// Maximum number of characters of one address.
const MAX_LENGTH: usize = 256;

impl Scan<'_> {
    /// Reads an address or a tag, without trailing punctuation. Only English reads them.
    pub(super) fn address(&self, start: usize) -> Option<Scanned> {
        let dot = self.language.forms.sign('@').map(|_| "dot")?;
        let first = self.at(start)?;
        let can_begin = first.is_alphanumeric() || matches!(first, '#' | '@' | '_');
        let is_free = self
            .before(start)
            .is_none_or(|c| c.is_whitespace() || "(\"'“‘[{<".contains(c));
        if !can_begin || !is_free {
            return None;
        }
        let n = self.run(start, |c| !c.is_whitespace());
        let written = self.text_between(start, start + n.min(MAX_LENGTH));
        let written = written.trim_end_matches(|c: char| ".,;:!?)]}\"'”’>…".contains(c));
        let words = tag(written).or_else(|| address(written, dot, self.language))?;
        let end = start + written.chars().count();
        Some(self.token(start, end, TokenReading::Text(words)))
    }
}

/// Reads a tag: "#hello", "@anna".
fn tag(written: &str) -> Option<String> {
    let (word, name) = match (written.strip_prefix('#'), written.strip_prefix('@')) {
        (Some(name), _) => ("hashtag", name),
        (_, Some(name)) => ("at", name),
        _ => return None,
    };
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let has_letter = name.chars().any(char::is_alphabetic);
    (is_name && has_letter).then(|| format!("{word} {}", in_words(&name.replace('_', " "))))
}

fn address(written: &str, dot: &str, language: &Language) -> Option<String> {
    let without_scheme = ["https://", "http://", "ftp://"]
        .iter()
        .find_map(|scheme| written.strip_prefix(scheme));
    let bare = without_scheme.unwrap_or(written);
    let (user, rest) = match bare.split_once('@') {
        Some((user, rest)) => (Some(user), rest),
        None => (None, bare),
    };
    let at = rest.find(['/', '?', ':']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(at);
    let labels: Vec<&str> = host.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label
                .chars()
                .all(|c| c.is_alphanumeric() || "-_".contains(c))
    };
    let last = labels.last().copied().unwrap_or_default();
    let is_known = ENDINGS.contains(&format!(" {last} ")) || host.ends_with(".co.uk");
    let is_sure = without_scheme.is_some() || user.is_some() || host.starts_with("www.");
    let has_letter = host.chars().any(char::is_alphabetic);
    let is_long = labels.len() > 1 || without_scheme.is_some();
    let is_name = is_long && labels.iter().all(is_label) && has_letter;
    let is_user = user.is_none_or(|user| !user.is_empty() && !user.contains(['/', ':']));
    if !is_name || !is_user || !is_known && !is_sure {
        return None;
    }
    let mut words = Vec::new();
    if let Some(user) = user {
        words.push(signs(user));
        words.push("at".to_owned());
    }
    for (i, label) in labels.iter().enumerate() {
        if i > 0 {
            words.push(dot.to_owned());
        }
        // Two-letter country codes are spelt; "co" and "me" are words.
        let is_country = i > 0 && i + 1 == labels.len() && label.len() == 2;
        words.push(match is_country && language.word(label).is_none() {
            true => label.to_uppercase(),
            false => signs(label),
        });
    }
    words.push(signs(path.trim_end_matches('/')));
    Some(words.join(" ").trim_end().to_owned())
}

/// Returns a part of an address with its symbols as words.
fn signs(part: &str) -> String {
    let mut out = String::new();
    let mut name = String::new();
    for c in part.chars() {
        if c.is_alphanumeric() {
            name.push(c);
            continue;
        }
        out += &format!(" {} {}", in_words(&std::mem::take(&mut name)), sign(c));
    }
    out += &format!(" {}", in_words(&name));
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn sign(c: char) -> &'static str {
    match c {
        '.' => "dot",
        '/' => "slash",
        '-' => "dash",
        '_' => "underscore",
        ':' => "colon",
        '?' => "question mark",
        '=' => "equals",
        '&' => "and",
        '#' => "hash",
        '%' => "percent",
        '+' => "plus",
        '~' => "tilde",
        _ => "",
    }
}

/// Splits a name into words: "MeToo" to "me too", "mp3" to "mp 3".
pub(super) fn in_words(name: &str) -> String {
    let mut out = String::new();
    let mut last: Option<char> = None;
    for c in name.chars() {
        let is_edge = last.is_some_and(|last| {
            last.is_lowercase() && c.is_uppercase() || digit(last).is_some() != digit(c).is_some()
        });
        if is_edge {
            out.push(' ');
        }
        out.push(c);
        last = Some(c);
    }
    // All-capital names are spelt or read by the usual rules.
    if out.contains(char::is_lowercase) {
        out.to_lowercase()
    } else {
        out
    }
}
