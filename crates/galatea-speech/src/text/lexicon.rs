//! Words of one's own, and how they are written down: sounds of ARPAbet, of the International Phonetic Alphabet, or another
//! spelling.

use std::collections::BTreeMap;

use super::WordPhone;
use super::arpabet::{MOST_SOUNDS, Stress, arpabet};
use super::ipa;

/// How a word is spoken, as somebody wrote it down.
#[derive(Clone, Debug, PartialEq)]
pub enum Pronunciation {
    /// By its sounds.
    Sounds(Vec<WordPhone>),
    /// As this text would be, by the rules of the language.
    Like(String),
}

impl Pronunciation {
    /// `"G AE L AH T IY1 AH"` (ARPAbet, 1 behind the vowel with the stress), `"/ɡæləˈtiə/"` (IPA), or `"ksir"`: another
    /// spelling in small letters, of one word or several.
    ///
    /// # Errors
    /// In plain words, with the sound that is none and the nearest that is one.
    pub fn parsed(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix('/') {
            let inner = rest.strip_suffix('/').unwrap_or(rest);
            return of_ipa(inner).map(Self::Sounds);
        }
        let is_spelling = text.chars().any(char::is_alphabetic)
            && !text.chars().any(|c| c.is_uppercase() || c.is_ascii_digit());
        if is_spelling {
            return Ok(Self::Like(text.to_owned()));
        }
        let sounds = arpabet(text)?;
        if sounds.is_empty() {
            return Err("it has no sounds".to_owned());
        }
        let vowels = || sounds.iter().filter(|(phone, _)| phone.is_vowel());
        let marked = sounds
            .iter()
            .position(|(_, stress)| *stress == Stress::Main);
        // One vowel alone needs no mark.
        let only = || (vowels().count() == 1).then(|| sounds.iter().position(|s| s.0.is_vowel()));
        let stressed = marked.or_else(|| only().flatten());
        let all = sounds.iter().enumerate();
        let sounds = all.map(|(i, (phone, _))| WordPhone {
            phone: *phone,
            stressed: Some(i) == stressed,
        });
        Ok(Self::Sounds(sounds.collect()))
    }
}

/// Marks of the International Phonetic Alphabet that change no sound here.
const IPA_MARKS: &str = "ˌːˑʰʷˠʲᵝ\u{303}\u{308}\u{31d}\u{31e}\u{31f}\u{320}\u{339}\u{325}\u{329}\u{32a}\u{32f}\u{361}ʔ.|‿ :()";

/// The sounds of a word in the letters of the IPA; `ˈ` stands before the syllable with the stress.
fn of_ipa(text: &str) -> Result<Vec<WordPhone>, String> {
    let mut sounds: Vec<WordPhone> = Vec::new();
    let plain: String = text.chars().filter(|c| !IPA_MARKS.contains(*c)).collect();
    let (mut rest, mut stress) = (plain.as_str(), false);
    while let Some(c) = rest.chars().next() {
        if c == 'ˈ' || c == '\'' {
            stress = !sounds.iter().any(|sound| sound.stressed);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        }
        let Some((len, phones)) = ipa::longest(rest) else {
            return Err(format!(
                "{c:?} is no sound of the International Phonetic Alphabet that is known here"
            ));
        };
        for &phone in phones {
            let stressed = stress && phone.is_vowel();
            stress &= !stressed;
            sounds.push(WordPhone { phone, stressed });
        }
        if sounds.len() > MOST_SOUNDS {
            return Err(format!("a word may have {MOST_SOUNDS} sounds"));
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    if sounds.is_empty() {
        return Err("it has no sounds".to_owned());
    }
    let vowels = |sounds: &[WordPhone]| sounds.iter().filter(|s| s.phone.is_vowel()).count();
    if vowels(&sounds) == 1
        && let Some(only) = sounds.iter_mut().find(|s| s.phone.is_vowel())
    {
        only.stressed = true;
    }
    Ok(sounds)
}

/// Words of one's own, in every language or in one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lexicon {
    /// By the code of a language, or nothing for all, and the word in small letters.
    words: BTreeMap<(String, String), Pronunciation>,
}

impl Lexicon {
    /// Adds a word, or changes it. `language` is a language's code; `None` is every language.
    pub fn insert(&mut self, language: Option<&str>, word: &str, says: Pronunciation) {
        let key = (language.unwrap_or_default().to_owned(), small(word));
        self.words.insert(key, says);
    }

    /// How a word is spoken in a language; its own words go before those of all.
    pub fn get(&self, language: &str, word: &str) -> Option<&Pronunciation> {
        if self.words.is_empty() {
            return None;
        }
        let word = small(word);
        let own = self.words.get(&(language.to_owned(), word.clone()));
        own.or_else(|| self.words.get(&(String::new(), word)))
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True without any word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// A word as it is looked up.
pub(super) fn small(word: &str) -> String {
    let all = word.chars().flat_map(char::to_lowercase);
    all.map(|c| if c == '’' { '\'' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> String {
        match Pronunciation::parsed(text) {
            Ok(Pronunciation::Sounds(sounds)) => {
                let names = sounds.iter().map(|sound| {
                    let stress = if sound.stressed { "1" } else { "" };
                    format!("{}{stress}", sound.phone)
                });
                names.collect::<Vec<_>>().join(" ")
            }
            Ok(Pronunciation::Like(text)) => format!("like {text}"),
            Err(why) => why,
        }
    }

    #[test]
    fn a_word_is_written_in_arpabet_in_ipa_or_otherwise() {
        assert_eq!(names("G AE L AH T IY1 AH"), "G AE L AH T IY1 AH");
        assert_eq!(names("k s ih1 r"), "K S IH1 R");
        assert_eq!(names("/ɡæləˈtiə/"), "G AE L AH T IY1 AH");
        assert_eq!(names("/t͡ʃaɪ̯/"), "CH AY1");
        assert_eq!(names("/ˈtsuːk/"), "T S UW1 K");
        assert_eq!(names("ksir"), "like ksir");
        assert_eq!(names("Y AO"), "Y AO1");
    }

    #[test]
    fn what_is_no_sound_is_told_with_the_nearest() {
        assert!(names("G AEE L").contains("AE"), "{}", names("G AEE L"));
        assert!(names("").contains("no sounds") && names("//").contains("no sounds"));
        assert!(names("/7/").contains("'7'"));
    }

    #[test]
    fn words_of_a_language_go_before_those_of_all() {
        let mut lexicon = Lexicon::default();
        let like = |text: &str| Pronunciation::Like(text.to_owned());
        lexicon.insert(None, "Xyr", like("ksir"));
        lexicon.insert(Some("es"), "Xyr", like("sir"));
        assert_eq!(lexicon.get("en", "XYR"), Some(&like("ksir")));
        assert_eq!(lexicon.get("es", "xyr"), Some(&like("sir")));
        assert_eq!(lexicon.get("es", "xy"), None);
    }
}
