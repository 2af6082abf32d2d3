//! Symbols of the International Phonetic Alphabet, mapped to the nearest English phones.

use crate::phone::Phone;

/// Symbols and their phones; two-letter symbols come before single letters.
const SOUNDS: &[(&str, Phone)] = &[
    ("tʃ", Phone::CH),
    ("ʧ", Phone::CH),
    ("dʒ", Phone::JH),
    ("ʤ", Phone::JH),
    ("ts", Phone::S),
    ("eɪ", Phone::EY),
    ("ej", Phone::EY),
    ("aɪ", Phone::AY),
    ("aj", Phone::AY),
    ("ɔɪ", Phone::OY),
    ("ɔj", Phone::OY),
    ("ɔʏ", Phone::OY),
    ("ɔø", Phone::OY),
    ("aʊ", Phone::AW),
    ("aw", Phone::AW),
    ("oʊ", Phone::OW),
    ("əʊ", Phone::OW),
    ("ow", Phone::OW),
    ("ɪə", Phone::IH),
    ("iə", Phone::IY),
    ("eə", Phone::EH),
    ("ɛə", Phone::EH),
    ("ʊə", Phone::UH),
    ("əl", Phone::L),
    ("p", Phone::P),
    ("b", Phone::B),
    ("t", Phone::T),
    ("ʈ", Phone::T),
    ("d", Phone::D),
    ("ɾ", Phone::D),
    ("k", Phone::K),
    ("c", Phone::K),
    ("q", Phone::K),
    ("ɡ", Phone::G),
    ("g", Phone::G),
    ("ɟ", Phone::G),
    ("f", Phone::F),
    ("ɸ", Phone::F),
    ("v", Phone::V),
    ("β", Phone::V),
    ("θ", Phone::TH),
    ("ð", Phone::DH),
    ("s", Phone::S),
    ("z", Phone::Z),
    ("ʃ", Phone::SH),
    ("ɕ", Phone::SH),
    ("ʒ", Phone::ZH),
    ("h", Phone::HH),
    ("ɦ", Phone::HH),
    ("ħ", Phone::HH),
    ("ɣ", Phone::G),
    ("ʝ", Phone::Y),
    ("ʂ", Phone::SH),
    ("ʐ", Phone::ZH),
    ("ʑ", Phone::ZH),
    ("ʋ", Phone::V),
    ("ɱ", Phone::M),
    ("ɻ", Phone::R),
    ("ʀ", Phone::R),
    ("ɽ", Phone::R),
    ("ɴ", Phone::N),
    ("ä", Phone::AA),
    ("ã", Phone::AA),
    ("õ", Phone::AO),
    ("ẽ", Phone::EH),
    ("ĩ", Phone::IY),
    ("ũ", Phone::UW),
    ("ɯ", Phone::UH),
    ("ɤ", Phone::AH),
    ("ɘ", Phone::AH),
    ("ɵ", Phone::UH),
    ("x", Phone::HH),
    ("ç", Phone::HH),
    ("χ", Phone::HH),
    ("m", Phone::M),
    ("n", Phone::N),
    ("ɲ", Phone::N),
    ("ŋ", Phone::NG),
    ("l", Phone::L),
    ("ɫ", Phone::L),
    ("ʎ", Phone::L),
    ("ɹ", Phone::R),
    ("r", Phone::R),
    ("ʁ", Phone::R),
    ("j", Phone::Y),
    ("ʲ", Phone::Y),
    ("w", Phone::W),
    ("ʍ", Phone::W),
    ("ɥ", Phone::W),
    ("i", Phone::IY),
    ("ɪ", Phone::IH),
    ("I", Phone::IH),
    ("ᵻ", Phone::IH),
    ("e", Phone::EH),
    ("ɛ", Phone::EH),
    ("æ", Phone::AE),
    ("a", Phone::AA),
    ("ɑ", Phone::AA),
    // Rounded; ARPAbet has no equally open rounded vowel.
    ("ɒ", Phone::AO),
    ("ɔ", Phone::AO),
    ("o", Phone::AO),
    ("ø", Phone::UH),
    ("œ", Phone::UH),
    ("ʊ", Phone::UH),
    ("ʏ", Phone::UH),
    ("ɨ", Phone::IH),
    ("u", Phone::UW),
    ("ʉ", Phone::UW),
    ("y", Phone::UW),
    ("ʌ", Phone::AH),
    ("ə", Phone::AH),
    ("ɐ", Phone::AH),
    ("ɜ", Phone::ER),
    ("ɝ", Phone::ER),
    ("ɚ", Phone::ER),
];

/// Returns the phone of one label, such as "tʃ", "ɜː" or "ˈaɪ"; ignores marks of stress, length and the like. Returns `None`
/// for an unknown label, silence for an empty one.
pub fn phone(label: &str) -> Option<Phone> {
    let label = label.trim();
    if label.is_empty() || label == "_" || label == "_:" {
        return Some(Phone::Sil);
    }
    let plain: String = label
        .chars()
        .filter(|c| !"ˈˌːˑ'ʰʷˠ̩̃̚ʔ̪:".contains(*c))
        .collect();
    let found = SOUNDS
        .iter()
        .find(|(letters, _)| plain.starts_with(letters));
    found.map(|(_, phone)| *phone)
}

/// Diphthongs and affricates in plain letters that are not in the table.
const PLAIN_PAIRS: [&str; 8] = ["ai", "au", "ei", "eu", "oi", "ou", "dz", "pf"];

/// Returns the phone of a label that is exactly one phone: a letter, a diphthong or an affricate, with marks of stress,
/// length and the like. Returns `None` for words, even if all of their letters are in the alphabet ("to", "fox").
pub fn symbol(label: &str) -> Option<Phone> {
    let label = label.trim();
    let is_mark = |c: &char| {
        matches!(c, '\u{300}'..='\u{36f}' | '˥'..='˩' | '\'' | ':') || "ˈˌːˑʰʱʷʲˠˤⁿˡ˞ʔ".contains(*c)
    };
    let plain: String = label.chars().filter(|c| !is_mark(c)).collect();
    let exact = SOUNDS.iter().find(|(letters, _)| *letters == plain);
    if let Some((_, phone)) = exact {
        return Some(*phone);
    }
    if plain.is_empty() {
        return label.contains('ʔ').then_some(Phone::Sil);
    }
    let letter = |c: char| phone(c.encode_utf8(&mut [0; 4]));
    let letters: Vec<Phone> = plain.chars().map(letter).collect::<Option<_>>()?;
    let is_pair = match *letters {
        [first, last] if first.is_vowel() => {
            last.is_vowel() || matches!(last, Phone::R | Phone::W | Phone::Y)
        }
        [first, middle, last] => first.is_vowel() && middle.is_vowel() && last.is_vowel(),
        [first, last] => is_stop(first) && is_fricative(last),
        _ => false,
    };
    let is_word = plain.is_ascii() && !PLAIN_PAIRS.contains(&plain.as_str());
    (is_pair && !is_word).then(|| phone(&plain)).flatten()
}

fn is_stop(phone: Phone) -> bool {
    use Phone::{B, D, G, K, P, T};
    matches!(phone, B | D | G | K | P | T)
}

fn is_fricative(phone: Phone) -> bool {
    use Phone::{DH, F, HH, S, SH, TH, V, Z, ZH};
    matches!(phone, DH | F | HH | S | SH | TH | V | Z | ZH)
}

/// Returns the phone with which an IPA transcription begins, and its length in bytes. Two letters that are spoken as two
/// phones in transcriptions ("ts", "iə") are returned separately. Returns `None` for an unknown symbol.
pub fn longest(text: &str) -> Option<(usize, &'static [Phone])> {
    let two_sounds = |letters: &str| {
        matches!(letters, "ts" | "əl") || letters.len() > 2 && letters.ends_with('ə')
    };
    let found = SOUNDS.iter().find(|(letters, _)| {
        text.starts_with(letters) && (letters.chars().count() < 2 || !two_sounds(letters))
    });
    found.map(|(letters, phone)| (letters.len(), std::slice::from_ref(phone)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_english_ipa_symbol_is_a_phone() {
        let rows = "i: i ɪ e æ a: ɒ ɔ: ʊ u: ʌ ɜ: ə eɪ əʊ aɪ ɔɪ aʊ ɪə eə ʊə p b t d k g tʃ dʒ f v θ ð s z ʃ ʒ h m n ŋ l r j w";
        let phones: Vec<Phone> = rows.split(' ').map(|row| phone(row).expect(row)).collect();
        assert_eq!(phones.len(), 45);
        let names: Vec<&str> = phones.iter().map(|phone| phone.name()).collect();
        assert_eq!(names[13..18], ["EY", "OW", "AY", "OY", "AW"]);
        assert_eq!(names[21..29], ["P", "B", "T", "D", "K", "G", "CH", "JH"]);
    }

    #[test]
    fn a_symbol_is_exactly_one_phone_and_not_a_word() {
        for (label, phone) in [
            ("ˈaɪ", Phone::AY),
            ("t͡ʃ", Phone::CH),
            ("tʂ", Phone::T),
            ("uː", Phone::UW),
            ("pʰ", Phone::P),
            ("ɔʏ", Phone::OY),
            ("oːɹ", Phone::AO),
            ("aɪɚ", Phone::AY),
            ("pf", Phone::P),
            ("ɛ̃", Phone::EH),
            ("ʔ", Phone::Sil),
        ] {
            assert_eq!(symbol(label), Some(phone), "{label}");
        }
        for word in [
            "quick", "to", "go", "we", "fox", "øl", "für", "don't", "7", "", "'",
        ] {
            assert_eq!(symbol(word), None, "{word}");
        }
    }

    #[test]
    fn marks_are_ignored_and_unknown_labels_give_none() {
        assert_eq!(phone("ˈoʊ"), Some(Phone::OW));
        assert_eq!(phone("tʲ"), Some(Phone::T));
        assert_eq!(phone(""), Some(Phone::Sil));
        assert_eq!(phone("7"), None);
    }
}
