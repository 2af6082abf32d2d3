//! Scripts: the Unicode property Script (Standard Annex 24), for warnings and reading times.

use unicode_script::{Script, UnicodeScript};

/// Languages of scripts whose names do not indicate them.
const LANGUAGES: [(&str, &str); 10] = [
    ("Bengali", "Bengali, Assamese"),
    ("Devanagari", "Hindi, Marathi, Nepali"),
    ("Ethiopic", "Amharic"),
    ("Gurmukhi", "Punjabi"),
    ("Han", "Chinese, Japanese"),
    ("Hangul", "Korean"),
    ("Hiragana", "Japanese"),
    ("Katakana", "Japanese"),
    ("Myanmar", "Burmese"),
    ("Oriya", "Odia"),
];

/// Returns the names of the scripts of a character: one for most letters, several for shared marks such as "ー" or "。", none
/// for symbols, digits and emoji.
pub fn scripts_of(c: char) -> impl Iterator<Item = &'static str> {
    c.script_extension()
        .iter()
        .filter(|script| is_writing(*script))
        .map(Script::full_name)
}

/// Returns the script of a letter; `None` for symbols, digits and unassigned characters.
pub fn script_of(c: char) -> Option<&'static str> {
    let own = c.is_alphabetic().then(|| c.script())?;
    if is_writing(own) {
        return Some(own.full_name());
    }
    scripts_of(c).next()
}

/// Returns the display name of a script: without underscores, with its languages if the name does not indicate them, as in
/// "Hangul (Korean)".
pub fn titled(script: &str) -> String {
    let name = script.replace('_', " ");
    match LANGUAGES.iter().find(|(known, _)| *known == script) {
        Some((_, languages)) => format!("{name} ({languages})"),
        None => name,
    }
}

fn is_writing(script: Script) -> bool {
    !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_a_script_and_symbols_have_none() {
        for (c, script) in [
            ('é', "Latin"),
            ('Ж', "Cyrillic"),
            ('日', "Han"),
            ('々', "Han"),
            ('か', "Hiragana"),
            ('カ', "Katakana"),
            ('ｶ', "Katakana"),
            ('한', "Hangul"),
            ('ع', "Arabic"),
            ('ﷲ', "Arabic"),
            ('ש', "Hebrew"),
            ('ก', "Thai"),
            ('ᐃ', "Canadian_Aboriginal"),
            ('𐎠', "Old_Persian"),
        ] {
            assert_eq!(script_of(c), Some(script), "{c}");
            assert!(scripts_of(c).any(|found| found == script), "{c}");
        }
        for c in ['1', '。', '!', '🙂', '\u{e000}', '\u{fe0f}'] {
            assert_eq!(script_of(c), None, "{c:?}");
        }
    }

    #[test]
    fn shared_marks_belong_to_all_of_their_scripts() {
        for c in ['ー', '。'] {
            let scripts: Vec<_> = scripts_of(c).collect();
            assert!(scripts.contains(&"Hiragana") && scripts.contains(&"Katakana"));
        }
        assert_eq!(scripts_of('1').next(), None);
        assert_eq!(scripts_of('🙂').next(), None);
    }

    #[test]
    fn display_names_add_the_languages_if_needed() {
        assert_eq!(titled("Hangul"), "Hangul (Korean)");
        assert_eq!(titled("Thai"), "Thai");
        assert_eq!(titled("Canadian_Aboriginal"), "Canadian Aboriginal");
        for (script, _) in LANGUAGES {
            assert!(Script::from_full_name(script).is_some(), "{script}");
        }
    }
}
