//! Removes accents from letters, for words that a dictionary contains only in plain letters.

use super::rules;

/// Returns a word in lower case, with combining accents merged into their letters.
pub(super) fn composed(word: &str) -> String {
    let mut letters = String::new();
    for c in word.chars().flat_map(char::to_lowercase) {
        let last = letters.chars().next_back();
        match last.and_then(|last| rules::composed(last, c)) {
            Some(whole) => {
                letters.pop();
                letters.push(whole);
            }
            None => letters.push(c),
        }
    }
    letters
}

/// Returns a word in plain letters; `None` if it has no accents.
pub(super) fn without(word: &str) -> Option<String> {
    let mut plain = String::new();
    for c in word.chars() {
        match base(c) {
            Some(letters) if c.is_uppercase() => plain.push_str(&letters.to_uppercase()),
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    (plain != word).then_some(plain)
}

/// Returns the plain letters of an accented letter; empty for a combining accent.
fn base(c: char) -> Option<&'static str> {
    let small = c.to_lowercase().next().unwrap_or(c);
    Some(match small {
        '\u{300}'..='\u{36f}' => "",
        'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ì'..='ï' | 'ī' | 'į' => "i",
        'ñ' | 'ń' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
        'œ' => "oe",
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ś' | 'š' | 'ş' => "s",
        'ź' | 'ż' | 'ž' => "z",
        'ł' => "l",
        'ř' => "r",
        'ğ' => "g",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composed_and_combining_accents_are_removed() {
        for (word, plain) in [
            ("café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("NAÏVE", "NAIVE"),
            ("Ærø", "AEro"),
            ("smörgåsbord", "smorgasbord"),
        ] {
            assert_eq!(without(word).as_deref(), Some(plain), "{word}");
        }
        assert_eq!(without("plain"), None);
        assert_eq!(composed("Re\u{301}sume\u{301}"), "résumé");
    }
}
