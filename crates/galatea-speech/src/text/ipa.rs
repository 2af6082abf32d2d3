//! Symbols of the International Phonetic Alphabet, mapped to the nearest English phones.

use crate::phoneme::Phoneme;

/// Symbols and their phones; two-letter symbols come before single letters.
const SOUNDS: &[(&str, Phoneme)] = &[
    ("tʃ", Phoneme::CH),
    ("ʧ", Phoneme::CH),
    ("dʒ", Phoneme::JH),
    ("ʤ", Phoneme::JH),
    ("ts", Phoneme::S),
    ("eɪ", Phoneme::EY),
    ("ej", Phoneme::EY),
    ("aɪ", Phoneme::AY),
    ("aj", Phoneme::AY),
    ("ɔɪ", Phoneme::OY),
    ("ɔj", Phoneme::OY),
    ("ɔʏ", Phoneme::OY),
    ("ɔø", Phoneme::OY),
    ("aʊ", Phoneme::AW),
    ("aw", Phoneme::AW),
    ("oʊ", Phoneme::OW),
    ("əʊ", Phoneme::OW),
    ("ow", Phoneme::OW),
    ("ɪə", Phoneme::IH),
    ("iə", Phoneme::IY),
    ("eə", Phoneme::EH),
    ("ɛə", Phoneme::EH),
    ("ʊə", Phoneme::UH),
    ("əl", Phoneme::L),
    ("p", Phoneme::P),
    ("b", Phoneme::B),
    ("t", Phoneme::T),
    ("ʈ", Phoneme::T),
    ("d", Phoneme::D),
    ("ɾ", Phoneme::D),
    ("k", Phoneme::K),
    ("c", Phoneme::K),
    ("q", Phoneme::K),
    ("ɡ", Phoneme::G),
    ("g", Phoneme::G),
    ("ɟ", Phoneme::G),
    ("f", Phoneme::F),
    ("ɸ", Phoneme::F),
    ("v", Phoneme::V),
    ("β", Phoneme::V),
    ("θ", Phoneme::TH),
    ("ð", Phoneme::DH),
    ("s", Phoneme::S),
    ("z", Phoneme::Z),
    ("ʃ", Phoneme::SH),
    ("ɕ", Phoneme::SH),
    ("ʒ", Phoneme::ZH),
    ("h", Phoneme::HH),
    ("ɦ", Phoneme::HH),
    ("ħ", Phoneme::HH),
    ("ɣ", Phoneme::G),
    ("ʝ", Phoneme::Y),
    ("ʂ", Phoneme::SH),
    ("ʐ", Phoneme::ZH),
    ("ʑ", Phoneme::ZH),
    ("ʋ", Phoneme::V),
    ("ɱ", Phoneme::M),
    ("ɻ", Phoneme::R),
    ("ʀ", Phoneme::R),
    ("ɽ", Phoneme::R),
    ("ɴ", Phoneme::N),
    ("ä", Phoneme::AA),
    ("ã", Phoneme::AA),
    ("õ", Phoneme::AO),
    ("ẽ", Phoneme::EH),
    ("ĩ", Phoneme::IY),
    ("ũ", Phoneme::UW),
    ("ɯ", Phoneme::UH),
    ("ɤ", Phoneme::AH),
    ("ɘ", Phoneme::AH),
    ("ɵ", Phoneme::UH),
    ("x", Phoneme::HH),
    ("ç", Phoneme::HH),
    ("χ", Phoneme::HH),
    ("m", Phoneme::M),
    ("n", Phoneme::N),
    ("ɲ", Phoneme::N),
    ("ŋ", Phoneme::NG),
    ("l", Phoneme::L),
    ("ɫ", Phoneme::L),
    ("ʎ", Phoneme::L),
    ("ɹ", Phoneme::R),
    ("r", Phoneme::R),
    ("ʁ", Phoneme::R),
    ("j", Phoneme::Y),
    ("ʲ", Phoneme::Y),
    ("w", Phoneme::W),
    ("ʍ", Phoneme::W),
    ("ɥ", Phoneme::W),
    ("i", Phoneme::IY),
    ("ɪ", Phoneme::IH),
    ("I", Phoneme::IH),
    ("ᵻ", Phoneme::IH),
    ("e", Phoneme::EH),
    ("ɛ", Phoneme::EH),
    ("æ", Phoneme::AE),
    ("a", Phoneme::AA),
    ("ɑ", Phoneme::AA),
    // Rounded; ARPAbet has no equally open rounded vowel.
    ("ɒ", Phoneme::AO),
    ("ɔ", Phoneme::AO),
    ("o", Phoneme::AO),
    ("ø", Phoneme::UH),
    ("œ", Phoneme::UH),
    ("ʊ", Phoneme::UH),
    ("ʏ", Phoneme::UH),
    ("ɨ", Phoneme::IH),
    ("u", Phoneme::UW),
    ("ʉ", Phoneme::UW),
    ("y", Phoneme::UW),
    ("ʌ", Phoneme::AH),
    ("ə", Phoneme::AH),
    ("ɐ", Phoneme::AH),
    ("ɜ", Phoneme::ER),
    ("ɝ", Phoneme::ER),
    ("ɚ", Phoneme::ER),
];

/// Returns the phone of one label, such as "tʃ", "ɜː" or "ˈaɪ"; ignores marks of stress, length and the like. Returns `None`
/// for an unknown label, silence for an empty one.
pub fn phoneme(label: &str) -> Option<Phoneme> {
    let label = label.trim();
    if label.is_empty() || label == "_" || label == "_:" {
        return Some(Phoneme::Sil);
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
pub fn symbol(label: &str) -> Option<Phoneme> {
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
        return label.contains('ʔ').then_some(Phoneme::Sil);
    }
    let letter = |c: char| phoneme(c.encode_utf8(&mut [0; 4]));
    let letters: Vec<Phoneme> = plain.chars().map(letter).collect::<Option<_>>()?;
    let is_pair = match *letters {
        [first, last] if first.is_vowel() => {
            last.is_vowel() || matches!(last, Phoneme::R | Phoneme::W | Phoneme::Y)
        }
        [first, middle, last] => first.is_vowel() && middle.is_vowel() && last.is_vowel(),
        [first, last] => is_stop(first) && is_fricative(last),
        _ => false,
    };
    let is_word = plain.is_ascii() && !PLAIN_PAIRS.contains(&plain.as_str());
    (is_pair && !is_word).then(|| phoneme(&plain)).flatten()
}

fn is_stop(phone: Phoneme) -> bool {
    use Phoneme::{B, D, G, K, P, T};
    matches!(phone, B | D | G | K | P | T)
}

fn is_fricative(phone: Phoneme) -> bool {
    use Phoneme::{DH, F, HH, S, SH, TH, V, Z, ZH};
    matches!(phone, DH | F | HH | S | SH | TH | V | Z | ZH)
}

/// Returns the phone with which an IPA transcription begins, and its length in bytes. Two letters that are spoken as two
/// phones in transcriptions ("ts", "iə") are returned separately. Returns `None` for an unknown symbol.
pub fn longest(text: &str) -> Option<(usize, &'static [Phoneme])> {
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
    fn every_english_ipa_symbol_is_a_phoneme() {
        let rows = "i: i ɪ e æ a: ɒ ɔ: ʊ u: ʌ ɜ: ə eɪ əʊ aɪ ɔɪ aʊ ɪə eə ʊə p b t d k g tʃ dʒ f v θ ð s z ʃ ʒ h m n ŋ l r j w";
        let phones: Vec<Phoneme> = rows
            .split(' ')
            .map(|row| phoneme(row).expect(row))
            .collect();
        assert_eq!(phones.len(), 45);
        let names: Vec<&str> = phones.iter().map(|phone| phone.name()).collect();
        assert_eq!(names[13..18], ["EY", "OW", "AY", "OY", "AW"]);
        assert_eq!(names[21..29], ["P", "B", "T", "D", "K", "G", "CH", "JH"]);
    }

    #[test]
    fn a_symbol_is_exactly_one_phoneme_and_not_a_word() {
        for (label, phone) in [
            ("ˈaɪ", Phoneme::AY),
            ("t͡ʃ", Phoneme::CH),
            ("tʂ", Phoneme::T),
            ("uː", Phoneme::UW),
            ("pʰ", Phoneme::P),
            ("ɔʏ", Phoneme::OY),
            ("oːɹ", Phoneme::AO),
            ("aɪɚ", Phoneme::AY),
            ("pf", Phoneme::P),
            ("ɛ̃", Phoneme::EH),
            ("ʔ", Phoneme::Sil),
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
        assert_eq!(phoneme("ˈoʊ"), Some(Phoneme::OW));
        assert_eq!(phoneme("tʲ"), Some(Phoneme::T));
        assert_eq!(phoneme(""), Some(Phoneme::Sil));
        assert_eq!(phoneme("7"), None);
    }
}
