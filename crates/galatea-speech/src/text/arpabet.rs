//! Pronunciations written in ARPAbet.

use crate::phoneme::{PHONEMES, Phoneme};
use galatea_math::names::nearest_hint;

/// Maximum number of phones of one word.
pub const MAX_PHONEMES: usize = 200;

/// Relation of a vowel to the stress of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stress {
    /// May carry the stress.
    Free,
    /// Carries the stress.
    Main,
    /// Never carries the stress.
    Never,
}

/// Parses ARPAbet phones separated by spaces. Stress digit 1 marks the stressed vowel, 0 an unstressed one; 2 has no effect.
///
/// # Errors
/// Returns a message that names the unknown phone and the most similar valid one.
pub fn arpabet(text: &str) -> Result<Vec<(Phoneme, Stress)>, String> {
    let mut sounds = Vec::new();
    for name in text.split_whitespace() {
        let phone = Phoneme::from_arpabet(name).filter(|phone| *phone != Phoneme::Sil);
        let Some(phone) = phone else {
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let names = PHONEMES.iter().skip(1).map(|phone| phone.name());
            let hint = nearest_hint(&bare.to_uppercase(), names);
            return Err(format!("unknown phoneme {name:?}{hint}"));
        };
        let stress = match name.chars().next_back() {
            Some('1') if phone.is_vowel() => Stress::Main,
            Some('0') => Stress::Never,
            _ => Stress::Free,
        };
        if sounds.len() >= MAX_PHONEMES {
            return Err(format!("the limit is {MAX_PHONEMES} phonemes per word"));
        }
        sounds.push((phone, stress));
    }
    Ok(sounds)
}
