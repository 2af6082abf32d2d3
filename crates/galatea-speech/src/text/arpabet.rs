//! Sounds written in ARPAbet.

use crate::phone::{PHONES, Phone};
use galatea_math::names::nearest_hint;

/// Sounds of one word.
pub const MOST_SOUNDS: usize = 200;

/// How a vowel stands to the stress of its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stress {
    /// It may carry it.
    Free,
    /// It carries it.
    Main,
    /// It never does.
    Never,
}

/// Sounds of ARPAbet with blanks between them; a vowel with 1 carries the stress, one with 0 never does, 2 says nothing.
///
/// # Errors
/// In plain words, with the sound that is none and the nearest that is one.
pub fn arpabet(text: &str) -> Result<Vec<(Phone, Stress)>, String> {
    let mut sounds = Vec::new();
    for name in text.split_whitespace() {
        let phone = Phone::from_arpabet(name).filter(|phone| *phone != Phone::Sil);
        let Some(phone) = phone else {
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let names = PHONES.iter().skip(1).map(|phone| phone.name());
            let hint = nearest_hint(&bare.to_uppercase(), names);
            return Err(format!("unknown sound {name:?}{hint}"));
        };
        let stress = match name.chars().next_back() {
            Some('1') if phone.is_vowel() => Stress::Main,
            Some('0') => Stress::Never,
            _ => Stress::Free,
        };
        if sounds.len() >= MOST_SOUNDS {
            return Err(format!("a word may have {MOST_SOUNDS} sounds"));
        }
        sounds.push((phone, stress));
    }
    Ok(sounds)
}
