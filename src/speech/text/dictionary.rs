//! English by the dictionary of misaki: words, numbers, abbreviations, words that are read in two ways.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use misaki_rs::{G2P, Language};

use super::{Sound, SpokenWord};
use crate::speech::phone::Phone;

/// Loaded when the first word is asked for: some 0.2 s.
fn reader() -> &'static G2P {
    static READER: OnceLock<G2P> = OnceLock::new();
    READER.get_or_init(|| G2P::new(Language::EnglishUS))
}

/// Words with the sounds that the dictionary gives them; none for those that it lacks. Nothing when it failed.
pub fn pronounced(text: &str) -> Option<Vec<SpokenWord>> {
    // Brackets have a meaning of their own there; they say nothing here.
    let plain: String = text
        .chars()
        .map(|c| if "[]()|".contains(c) { ' ' } else { c })
        .collect();
    // It is foreign code on a text from outside; what it asserts is not our contract.
    let read = catch_unwind(AssertUnwindSafe(|| reader().g2p(&plain)));
    let Ok(Ok((_, tokens))) = read else {
        return None;
    };
    let mut words: Vec<SpokenWord> = Vec::new();
    let mut at = 0;
    for token in tokens {
        let found = text.get(at..).and_then(|rest| rest.find(&token.text));
        let Some(found) = found else { continue };
        let range = at + found..at + found + token.text.len();
        at = range.end;
        if !token.text.contains(|c: char| c.is_alphanumeric()) {
            continue;
        }
        let sounds = token.phonemes.as_deref().map(sounds).unwrap_or_default();
        // A sign of money is spoken behind its sum.
        if sounds.is_empty() && token.phonemes.is_some() {
            continue;
        }
        words.push(SpokenWord {
            text: token.text,
            range,
            sounds,
            pause: 0.0,
            guessed: false,
        });
    }
    Some(words)
}

/// The sounds of misaki's letters: IPA, with capitals for diphthongs.
fn sounds(phonemes: &str) -> Vec<Sound> {
    let mut out: Vec<Sound> = Vec::new();
    let mut stress = false;
    let mut has_stress = false;
    for c in phonemes.chars() {
        let phones: &[Phone] = match c {
            'ˈ' => {
                stress = !has_stress;
                continue;
            }
            'ˌ' => {
                stress = false;
                continue;
            }
            'A' => &[Phone::EY],
            'I' => &[Phone::AY],
            'O' | 'Q' => &[Phone::OW],
            'W' => &[Phone::AW],
            'Y' => &[Phone::OY],
            'ʤ' => &[Phone::JH],
            'ʧ' => &[Phone::CH],
            'i' => &[Phone::IY],
            'ɪ' | 'ᵻ' => &[Phone::IH],
            'ɛ' => &[Phone::EH],
            'æ' | 'a' => &[Phone::AE],
            'ɑ' | 'ɒ' => &[Phone::AA],
            'ɔ' => &[Phone::AO],
            'ʊ' => &[Phone::UH],
            'u' => &[Phone::UW],
            'ʌ' | 'ə' | 'ɐ' | 'ᵊ' => &[Phone::AH],
            'ɜ' => &[Phone::ER],
            'b' => &[Phone::B],
            'd' | 'ɾ' => &[Phone::D],
            'ð' => &[Phone::DH],
            'f' => &[Phone::F],
            'ɡ' | 'g' => &[Phone::G],
            'h' => &[Phone::HH],
            'j' => &[Phone::Y],
            'k' | 'x' => &[Phone::K],
            'l' => &[Phone::L],
            'm' => &[Phone::M],
            'n' => &[Phone::N],
            'ŋ' => &[Phone::NG],
            'p' => &[Phone::P],
            'ɹ' | 'r' => &[Phone::R],
            's' => &[Phone::S],
            'ʃ' => &[Phone::SH],
            't' | 'T' => &[Phone::T],
            'θ' => &[Phone::TH],
            'v' => &[Phone::V],
            'w' => &[Phone::W],
            'z' => &[Phone::Z],
            'ʒ' => &[Phone::ZH],
            _ => continue,
        };
        for &phone in phones {
            // An r after these is one sound with them.
            if phone == Phone::R
                && let Some(last) = out.last_mut()
                && matches!(last.phone, Phone::ER | Phone::AH)
                && (last.phone == Phone::ER || !last.stressed)
            {
                last.phone = Phone::ER;
                continue;
            }
            let stressed = stress && phone.is_vowel();
            out.push(Sound { phone, stressed });
            if stressed {
                (stress, has_stress) = (false, true);
            }
        }
    }
    out
}
