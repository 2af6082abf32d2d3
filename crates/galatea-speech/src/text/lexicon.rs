//! Custom pronunciations, written as ARPAbet phones, in the International Phonetic Alphabet, or as a respelling.

use std::collections::BTreeMap;

use super::WordPhoneme;
use super::arpabet::{MAX_PHONEMES, Stress, arpabet};
use super::ipa;

/// A custom pronunciation of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Pronunciation {
    /// Phones.
    Sounds(Vec<WordPhoneme>),
    /// A respelling that is read by the rules of the language.
    Like(String),
}

impl Pronunciation {
    /// Parses `"G AE L AH T IY1 AH"` (ARPAbet, 1 after the stressed vowel), `"/ɡæləˈtiə/"` (IPA), or `"ksir"`: a respelling
    /// in lower case, of one word or several.
    ///
    /// # Errors
    /// Returns a message that names the unknown phone and the most similar valid one.
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
            return Err("the pronunciation has no phonemes".to_owned());
        }
        let vowels = || sounds.iter().filter(|(phone, _)| phone.is_vowel());
        let marked = sounds
            .iter()
            .position(|(_, stress)| *stress == Stress::Main);
        // A single vowel needs no stress mark.
        let only = || (vowels().count() == 1).then(|| sounds.iter().position(|s| s.0.is_vowel()));
        let stressed = marked.or_else(|| only().flatten());
        let all = sounds.iter().enumerate();
        let sounds = all.map(|(i, (phone, _))| WordPhoneme {
            phoneme: *phone,
            stressed: Some(i) == stressed,
        });
        Ok(Self::Sounds(sounds.collect()))
    }
}

/// IPA marks that do not change the phone here.
const IPA_DIACRITICS: &str = "ˌːˑʰʷˠʲᵝ\u{303}\u{308}\u{31d}\u{31e}\u{31f}\u{320}\u{339}\u{325}\u{329}\u{32a}\u{32f}\u{361}ʔ.|‿ :()";

/// Parses IPA; `ˈ` comes before the stressed syllable.
fn of_ipa(text: &str) -> Result<Vec<WordPhoneme>, String> {
    let mut sounds: Vec<WordPhoneme> = Vec::new();
    let plain: String = text
        .chars()
        .filter(|c| !IPA_DIACRITICS.contains(*c))
        .collect();
    let (mut rest, mut stress) = (plain.as_str(), false);
    while let Some(c) = rest.chars().next() {
        if c == 'ˈ' || c == '\'' {
            stress = !sounds.iter().any(|sound| sound.stressed);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        }
        let Some((len, phones)) = ipa::longest(rest) else {
            return Err(format!(
                "{c:?} is not a supported symbol of the International Phonetic Alphabet"
            ));
        };
        for &phone in phones {
            let stressed = stress && phone.is_vowel();
            stress &= !stressed;
            sounds.push(WordPhoneme {
                phoneme: phone,
                stressed,
            });
        }
        if sounds.len() > MAX_PHONEMES {
            return Err(format!("the limit is {MAX_PHONEMES} phonemes per word"));
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    if sounds.is_empty() {
        return Err("the pronunciation has no phonemes".to_owned());
    }
    let vowels = |sounds: &[WordPhoneme]| sounds.iter().filter(|s| s.phoneme.is_vowel()).count();
    if vowels(&sounds) == 1
        && let Some(only) = sounds.iter_mut().find(|s| s.phoneme.is_vowel())
    {
        only.stressed = true;
    }
    Ok(sounds)
}

/// Custom pronunciations, for all languages or for one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lexicon {
    /// Keys are the language code (empty for all languages) and the word in lower case.
    words: BTreeMap<(String, String), Pronunciation>,
}

impl Lexicon {
    /// Adds or replaces a word. `language` is a language code; `None` means every language.
    pub fn insert(&mut self, language: Option<&str>, word: &str, pronunciation: Pronunciation) {
        let key = (language.unwrap_or_default().to_owned(), small(word));
        self.words.insert(key, pronunciation);
    }

    /// Returns the pronunciation of a word in a language; entries for this language have priority over those for all
    /// languages.
    pub fn get(&self, language: &str, word: &str) -> Option<&Pronunciation> {
        if self.words.is_empty() {
            return None;
        }
        let word = small(word);
        let own = self.words.get(&(language.to_owned(), word.clone()));
        own.or_else(|| self.words.get(&(String::new(), word)))
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns true if there are no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Returns the lookup form of a word: lower case with plain apostrophes.
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
                    format!("{}{stress}", sound.phoneme)
                });
                names.collect::<Vec<_>>().join(" ")
            }
            Ok(Pronunciation::Like(text)) => format!("like {text}"),
            Err(why) => why,
        }
    }

    #[test]
    fn a_pronunciation_is_arpabet_ipa_or_a_respelling() {
        assert_eq!(names("G AE L AH T IY1 AH"), "G AE L AH T IY1 AH");
        assert_eq!(names("k s ih1 r"), "K S IH1 R");
        assert_eq!(names("/ɡæləˈtiə/"), "G AE L AH T IY1 AH");
        assert_eq!(names("/t͡ʃaɪ̯/"), "CH AY1");
        assert_eq!(names("/ˈtsuːk/"), "T S UW1 K");
        assert_eq!(names("ksir"), "like ksir");
        assert_eq!(names("Y AO"), "Y AO1");
    }

    #[test]
    fn unknown_phonemes_are_reported_with_the_most_similar_name() {
        assert!(names("G AEE L").contains("AE"), "{}", names("G AEE L"));
        assert!(names("").contains("no phonemes") && names("//").contains("no phonemes"));
        assert!(names("/7/").contains("'7'"));
    }

    #[test]
    fn words_of_a_language_have_priority_over_words_of_all_languages() {
        let mut lexicon = Lexicon::default();
        let like = |text: &str| Pronunciation::Like(text.to_owned());
        lexicon.insert(None, "Xyr", like("ksir"));
        lexicon.insert(Some("es"), "Xyr", like("sir"));
        assert_eq!(lexicon.get("en", "XYR"), Some(&like("ksir")));
        assert_eq!(lexicon.get("es", "xyr"), Some(&like("sir")));
        assert_eq!(lexicon.get("es", "xy"), None);
    }
}
