//! English pronunciation by dictionary: the words of the installed dictionary, and the part of speech of words with several
//! pronunciations.

use std::sync::OnceLock;

use super::{WordContext, WordPhoneme, possessive};
use crate::phoneme::Phoneme;

static INSTALLED: OnceLock<&'static [u8]> = OnceLock::new();
/// Maximum uncompressed size of the dictionary, bytes.
const MAX_SIZE: usize = 32 << 20;

/// Installs the dictionary of this process, compressed with zstd: sorted lines of a word, a tab and its phones (see the
/// crate `galatea-english`). Call it before the first text is spoken; later calls have no effect.
pub fn install(packed: &'static [u8]) {
    // Every caller installs the same dictionary, so the first call wins.
    let _ = INSTALLED.set(packed);
}

/// Lines of all words, sorted by bytes.
struct WordLines {
    text: String,
    /// Byte offset of each line.
    starts: Vec<u32>,
}

/// Returns the dictionary, decompressed on first use (about 20 ms).
fn words() -> &'static WordLines {
    static WORDS: OnceLock<WordLines> = OnceLock::new();
    WORDS.get_or_init(|| {
        #[cfg(test)]
        install(galatea_english::PACKED);
        let packed = INSTALLED.get().copied().unwrap_or_default();
        let bytes = zstd::bulk::decompress(packed, MAX_SIZE).unwrap_or_default();
        let text = String::from_utf8(bytes).unwrap_or_default();
        let breaks = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let mut starts: Vec<u32> = [0].into_iter().chain(breaks).collect();
        starts.pop();
        WordLines { text, starts }
    })
}

impl WordLines {
    fn line(&self, i: usize) -> (&str, &str) {
        let from = self.starts.get(i).map_or(0, |at| *at as usize);
        let rest = self.text.get(from..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        line.split_once('\t').unwrap_or_default()
    }

    /// Returns the pronunciation of a word, as written in its line.
    fn entry(&self, word: &str) -> Option<&str> {
        let found = self.starts.partition_point(|at| {
            let rest = self.text.get(*at as usize..).unwrap_or_default();
            rest.split('\t').next().unwrap_or_default() < word
        });
        let (own, entry) = self.line(found);
        (own == word).then_some(entry)
    }
}

/// Returns the phones of a written word; `None` if the dictionary lacks it.
pub(super) fn sounds(word: &str, around: &WordContext<'_>) -> Option<Vec<WordPhoneme>> {
    let word = word.replace('’', "'");
    if let Some(reduced) = reduced(&word, around) {
        return Some(phonemes_of(reduced));
    }
    whole(&word, around).or_else(|| derived(&word.to_lowercase(), around))
}

/// Beginnings of words that are written with a vowel but spoken with a consonant, and vice versa.
const CONSONANT_STARTS: [&str; 11] = [
    "one", "once", "unit", "univ", "uniq", "unif", "unio", "use", "usu", "euro", "uk",
];
const VOWEL_STARTS: [&str; 4] = ["hour", "honest", "hono", "heir"];

/// Returns the pronunciation of words whose vowel depends on the next word.
fn reduced(word: &str, around: &WordContext<'_>) -> Option<&'static str> {
    let next = around.after?.to_lowercase();
    let begins = |list: &[&str]| list.iter().any(|start| next.starts_with(start));
    let before_vowel = next.starts_with(['a', 'e', 'i', 'o', 'u']) && !begins(&CONSONANT_STARTS)
        || begins(&VOWEL_STARTS);
    match (word.to_lowercase().as_str(), before_vowel) {
        ("the", true) => Some("ði"),
        ("the", false) => Some("ðə"),
        ("to", true) => Some("tʊ"),
        ("to", false) => Some("tə"),
        // "A+" is a grade, so its "A" is not reduced.
        ("a", _) if next != "plus" => Some("ɐ"),
        _ => None,
    }
}

/// Looks up a word as written, capitalised, or in lower case.
fn whole(word: &str, around: &WordContext<'_>) -> Option<Vec<WordPhoneme>> {
    let small = word.to_lowercase();
    let mut large = String::new();
    let mut letters = small.chars();
    large.extend(letters.next().into_iter().flat_map(char::to_uppercase));
    large.extend(letters);
    let is_one = word.chars().nth(1).is_none();
    let variants = [word, &small, &large];
    let mut variants = variants
        .iter()
        .filter(|variant| !is_one || **variant == word);
    let entry = variants.find_map(|variant| words().entry(variant))?;
    Some(phonemes_of(select_pronunciation(entry, around)))
}

/// Derives the pronunciation of a word with an ending from its stem.
fn derived(word: &str, around: &WordContext<'_>) -> Option<Vec<WordPhoneme>> {
    let stem = |stem: &str| whole(stem, around).filter(|_| stem.len() > 1);
    let cut = |end: &str, with: &str| stem(&format!("{}{with}", word.strip_suffix(end)?));
    let with = |sounds: Option<Vec<WordPhoneme>>,
                end: &dyn Fn(Option<Phoneme>) -> Vec<WordPhoneme>| {
        let mut sounds = sounds?;
        sounds.extend(end(sounds.last().map(|sound| sound.phoneme)));
        Some(sounds)
    };
    // "robots'", "runnin'"
    if let Some(bare) = word.strip_suffix('\'') {
        return stem(bare).or_else(|| derived(bare, around));
    }
    if word.ends_with('s') && !word.ends_with("ss") {
        let one = cut("'s", "").or_else(|| cut("s", ""));
        let one = one.or_else(|| cut("es", "")).or_else(|| cut("ies", "y"));
        return with(one, &|last| possessive(last));
    }
    if word.ends_with("ed") {
        let now = cut("d", "")
            .or_else(|| cut("ed", ""))
            .or_else(|| cut("ied", "y"));
        return with(now.or_else(|| doubled(word, "ed", &stem)), &|last| {
            past(last)
        });
    }
    if word.ends_with("ing") {
        let now = cut("ing", "").or_else(|| cut("ing", "e"));
        let ing = [Phoneme::IH, Phoneme::NG].map(unstressed);
        return with(now.or_else(|| doubled(word, "ing", &stem)), &|_| {
            ing.to_vec()
        });
    }
    None
}

/// Finds the stem of a word whose last consonant is doubled before an ending.
fn doubled(
    word: &str,
    end: &str,
    stem: &dyn Fn(&str) -> Option<Vec<WordPhoneme>>,
) -> Option<Vec<WordPhoneme>> {
    let bare = word.strip_suffix(end)?;
    let mut letters = bare.chars().rev();
    let is_double = letters.next()? == letters.next()?;
    stem(bare.get(..bare.len() - 1).filter(|_| is_double)?)
}

fn unstressed(phone: Phoneme) -> WordPhoneme {
    WordPhoneme {
        phoneme: phone,
        stressed: false,
    }
}

/// Returns the pronunciation of -ed after a phone.
fn past(last: Option<Phoneme>) -> Vec<WordPhoneme> {
    use Phoneme::{CH, D, F, IH, K, P, S, SH, T, TH};
    let phones: &[Phoneme] = match last {
        Some(T | D) => &[IH, D],
        Some(P | K | F | TH | SH | S | CH) => &[T],
        _ => &[D],
    };
    phones.iter().copied().map(unstressed).collect()
}

/// Part of speech of a word in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartOfSpeech {
    Noun,
    /// After "to", "will", "they".
    Verb,
    /// Past tense after "I", "he", if its pronunciation differs.
    Past,
    /// After "have", "was".
    Participle,
    Unknown,
}

const BEFORE_VERBS: &str = " to will would can could shall should may might must do does did don't doesn't didn't won't can't \
    cannot couldn't wouldn't shouldn't mustn't let's please i'll you'll he'll she'll we'll they'll it'll i'd you'd he'd she'd \
    we'd they'd let ";
const BEFORE_PAST: &str = " i you he she it we they who never always often then ";
const BEFORE_PARTICIPLES: &str = " have has had having i've you've we've they've be been being is are was were am isn't \
    aren't wasn't weren't hasn't haven't hadn't i'm you're he's she's it's we're they're get got ";
const BEFORE_NOUNS: &str = " the a an my your his her its our their this that these those some any no every each another \
    of in on at for with from by into without under over about two three four five six seven eight nine ten many few several \
    what which whose ";
const ADJECTIVES: &str = " first last next good bad new old great own other same little big small long short only best worst more most \
    such whole right wrong real true late early high low young clear hard easy strong close full ";

/// Returns true if a word is in a list.
fn is_in_list(list: &str, word: &str) -> bool {
    let mut all = list.split_whitespace();
    all.any(|known| known.eq_ignore_ascii_case(word))
}

fn part(around: &WordContext<'_>) -> PartOfSpeech {
    let [Some(before), further] = around.before else {
        return PartOfSpeech::Unknown;
    };
    let is_adjective = |word: &str| {
        let ends = [
            "al", "ive", "ous", "ful", "less", "ic", "able", "ible", "ary",
        ];
        is_in_list(ADJECTIVES, word) || word.len() > 4 && ends.iter().any(|end| word.ends_with(end))
    };
    if is_in_list(BEFORE_VERBS, before) {
        PartOfSpeech::Verb
    } else if is_in_list(BEFORE_PARTICIPLES, before) {
        PartOfSpeech::Participle
    } else if is_in_list(BEFORE_PAST, before) {
        PartOfSpeech::Past
    } else if is_in_list(BEFORE_NOUNS, before)
        || is_adjective(before) && further.is_some_and(|word| is_in_list(BEFORE_NOUNS, word))
    {
        PartOfSpeech::Noun
    } else {
        PartOfSpeech::Unknown
    }
}

/// Selects one of the pronunciations of an entry.
fn select_pronunciation<'a>(entry: &'a str, around: &WordContext<'_>) -> &'a str {
    let mut variants = entry.split('|');
    let plain = variants.next().unwrap_or_default();
    let tagged: Vec<(&str, &str)> = variants
        .filter_map(|variant| variant.split_once('='))
        .collect();
    if tagged.is_empty() {
        return plain;
    }
    let of = |tag: &str| {
        tagged
            .iter()
            .find(|(own, _)| *own == tag)
            .map(|(_, variant)| *variant)
    };
    let to_do = || {
        let after = around.after;
        after.is_some_and(|word| word.eq_ignore_ascii_case("to"))
    };
    // Without a participle entry, the past form applies only to "used to".
    let past = of("VBD").filter(|_| of("VBN").is_some() || to_do());
    let found = match part(around) {
        PartOfSpeech::Noun => of("NOUN"),
        PartOfSpeech::Verb => of("VERB"),
        PartOfSpeech::Past => past.or_else(|| of("VERB")),
        PartOfSpeech::Participle => of("VBN").or(past).or_else(|| of("ADJ")),
        PartOfSpeech::Unknown => None,
    };
    found.unwrap_or(plain)
}

/// Converts misaki's phonemes to phones: IPA, with capitals for diphthongs.
fn phonemes_of(phonemes: &str) -> Vec<WordPhoneme> {
    let mut out: Vec<WordPhoneme> = Vec::new();
    let mut stress = false;
    let mut has_stress = false;
    for c in phonemes.chars() {
        let phones: &[Phoneme] = match c {
            'ˈ' => {
                stress = !has_stress;
                continue;
            }
            'ˌ' => {
                stress = false;
                continue;
            }
            'A' => &[Phoneme::EY],
            'I' => &[Phoneme::AY],
            'O' | 'Q' => &[Phoneme::OW],
            'W' => &[Phoneme::AW],
            'Y' => &[Phoneme::OY],
            'ʤ' => &[Phoneme::JH],
            'ʧ' => &[Phoneme::CH],
            'i' => &[Phoneme::IY],
            'ɪ' | 'ᵻ' => &[Phoneme::IH],
            'ɛ' => &[Phoneme::EH],
            'æ' | 'a' => &[Phoneme::AE],
            'ɑ' | 'ɒ' => &[Phoneme::AA],
            'ɔ' => &[Phoneme::AO],
            'ʊ' => &[Phoneme::UH],
            'u' => &[Phoneme::UW],
            'ʌ' | 'ə' | 'ɐ' | 'ᵊ' => &[Phoneme::AH],
            'ɜ' => &[Phoneme::ER],
            'b' => &[Phoneme::B],
            'd' => &[Phoneme::D],
            'ð' => &[Phoneme::DH],
            'f' => &[Phoneme::F],
            'ɡ' | 'g' => &[Phoneme::G],
            'h' => &[Phoneme::HH],
            'j' => &[Phoneme::Y],
            'k' | 'x' => &[Phoneme::K],
            'l' => &[Phoneme::L],
            'm' => &[Phoneme::M],
            'n' => &[Phoneme::N],
            'ŋ' => &[Phoneme::NG],
            'p' => &[Phoneme::P],
            'ɹ' | 'r' => &[Phoneme::R],
            's' => &[Phoneme::S],
            'ʃ' => &[Phoneme::SH],
            // Between vowels it is a flap; at the end of some words an unreleased stop.
            't' | 'T' | 'ɾ' | 'ʔ' => &[Phoneme::T],
            'θ' => &[Phoneme::TH],
            'v' => &[Phoneme::V],
            'w' => &[Phoneme::W],
            'z' => &[Phoneme::Z],
            'ʒ' => &[Phoneme::ZH],
            _ => continue,
        };
        for &phone in phones {
            // A following r merges with these vowels into one phone.
            if phone == Phoneme::R
                && let Some(last) = out.last_mut()
                && matches!(last.phoneme, Phoneme::ER | Phoneme::AH)
                && (last.phoneme == Phoneme::ER || !last.stressed)
            {
                last.phoneme = Phoneme::ER;
                continue;
            }
            let stressed = stress && phone.is_vowel();
            out.push(WordPhoneme {
                phoneme: phone,
                stressed,
            });
            if stressed {
                (stress, has_stress) = (false, true);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {

    use misaki_rs::{G2P, Language};

    use super::super::spoken as read;
    use super::*;

    fn phonemes(sounds: &[WordPhoneme]) -> Vec<Phoneme> {
        sounds.iter().map(|sound| sound.phoneme).collect()
    }

    #[test]
    fn words_with_endings_are_derived_from_their_stems() {
        let of = |word: &str| {
            let sounds = sounds(word, &WordContext::default())?;
            let names: Vec<&str> = sounds.iter().map(|s| s.phoneme.name()).collect();
            Some(names.join(" "))
        };
        for (word, expected) in [
            ("galaxy", "G AE L AH K S IY"),
            ("Paris", "P EH R AH S"),
            ("LOUDLY", "L AW D L IY"),
            ("robot's", "R OW B AA T S"),
            ("robots’", "R OW B AA T S"),
            ("zorbixed", "none"),
        ] {
            assert_eq!(of(word).as_deref().unwrap_or("none"), expected, "{word}");
        }
        assert!(words().starts.len() > 150_000);
    }

    #[test]
    fn homographs_are_read_by_their_part_of_speech() {
        let expected = |text: &str, word: &str| {
            let words = read(text);
            let found = words.iter().find(|own| own.text == word).unwrap();
            let names: Vec<&str> = found.sounds.iter().map(|s| s.phoneme.name()).collect();
            names.join(" ")
        };
        for (text, word, sounds) in [
            ("I want to read it.", "read", "R IY D"),
            ("I have read it.", "read", "R EH D"),
            ("He used to live here.", "used", "Y UW S T"),
            ("He used a knife.", "used", "Y UW Z D"),
            ("I am used to it.", "used", "Y UW S T"),
            ("It is of no use.", "use", "Y UW S"),
            ("You can use it.", "use", "Y UW Z"),
            ("They refuse.", "refuse", "R AH F Y UW Z"),
            ("Put out the refuse.", "refuse", "R EH F Y UW S"),
            ("A strong wind blows.", "wind", "W IH N D"),
            ("Wait, I'll wind it up.", "wind", "W AY N D"),
            ("Please close the door.", "close", "K L OW Z"),
            ("That was close.", "close", "K L OW S"),
            ("the apple", "the", "DH IY"),
            ("the pear", "the", "DH AH"),
        ] {
            assert_eq!(expected(text, word), sounds, "{text}");
        }
    }

    /// Compares the readings of a story with misaki, which parses sentences.
    #[test]
    fn running_text_matches_a_parsing_reader() {
        let parsing = G2P::new(Language::EnglishUS);
        let (mut n, mut same, mut differences) = (0, 0, Vec::new());
        for sentence in include_str!("passage.txt").split(['.', '\n']) {
            let Ok((_, tokens)) = parsing.g2p(sentence) else {
                continue;
            };
            let own = read(sentence);
            let mut own = own.iter();
            for token in tokens {
                let mut rest = own.clone();
                let Some(word) = rest.find(|word| word.text == token.text) else {
                    continue;
                };
                own = rest;
                let Some(parsed) = token.phonemes.as_deref().map(phonemes_of) else {
                    continue;
                };
                n += 1;
                if phonemes(&parsed) == phonemes(&word.sounds) {
                    same += 1;
                } else {
                    differences.push(format!(
                        "{} in {sentence:?}: {:?} {:?}",
                        token.text,
                        phonemes(&parsed),
                        phonemes(&word.sounds)
                    ));
                }
            }
        }
        println!("{same} of {n}\n{}", differences.join("\n"));
        assert!(
            n > 1900 && same * 100 > n * 98,
            "{same} of {n}:\n{}",
            differences.join("\n")
        );
    }
}
