//! English by its letters, for words that no dictionary has: rules of our own.
//!
//! A rule reads some letters between a left and a right surrounding. In surroundings `_` is the edge of the word, `V` a vowel
//! letter (with y), `C` a consonant letter, `*` any number of consonants, `E` one of e, i, y; small letters are themselves, and
//! `=` is the end of the word or one of its endings (e, es, ed, er, ing, ly). The first rule that fits is taken.

use super::Sound;
use crate::speech::phone::Phone;

/// Left surrounding, letters, right surrounding, sounds.
type Rule = (&'static str, &'static str, &'static str, &'static [Phone]);

use Phone::*;

const A_RULES: &[Rule] = &[
    ("_", "a", "_", &[AH]),
    ("_", "are", "_", &[AA, R]),
    ("", "augh", "", &[AO]),
    ("", "au", "", &[AO]),
    ("", "aw", "", &[AO]),
    ("", "air", "", &[EH, R]),
    ("", "ai", "", &[EY]),
    ("", "ay", "", &[EY]),
    ("", "age", "_", &[IH, JH]),
    ("V*", "able", "_", &[AH, B, AH, L]),
    ("", "arr", "", &[EH, R]),
    ("w", "ar", "", &[AO, R]),
    ("", "are", "_", &[EH, R]),
    ("", "ar", "", &[AA, R]),
    ("", "all", "_", &[AO, L]),
    ("", "alk", "", &[AO, K]),
    ("", "al", "_", &[AH, L]),
    ("", "aste", "_", &[EY, S, T]),
    ("", "ange", "", &[EY, N, JH]),
    ("w", "a", "sh", &[AA]),
    ("qu", "a", "C", &[AA]),
    ("w", "a", "t", &[AA]),
    ("", "a", "x", &[AE]),
    ("", "a", "tion", &[EY]),
    ("", "a", "Ce_", &[EY]),
    ("", "a", "Ces_", &[EY]),
    ("", "a", "Ced_", &[EY]),
    ("", "a", "Cing_", &[EY]),
    ("", "a", "Cer_", &[EY]),
    ("", "a", "CV_", &[EY]),
    ("V*", "a", "_", &[AH]),
    ("", "a", "_", &[AH]),
    ("_", "a", "CV", &[AH]),
    ("", "a", "", &[AE]),
];
const E_RULES: &[Rule] = &[
    ("_C", "e", "_", &[IY]),
    ("_CC", "e", "_", &[IY]),
    ("t", "ed", "_", &[IH, D]),
    ("d", "ed", "_", &[IH, D]),
    ("V*", "ed", "_", &[D]),
    ("s", "es", "_", &[IH, Z]),
    ("z", "es", "_", &[IH, Z]),
    ("x", "es", "_", &[IH, Z]),
    ("ch", "es", "_", &[IH, Z]),
    ("sh", "es", "_", &[IH, Z]),
    ("c", "es", "_", &[IH, Z]),
    ("g", "es", "_", &[IH, Z]),
    ("V*", "es", "_", &[Z]),
    ("V*", "e", "_", &[]),
    ("V*", "e", "ly_", &[]),
    ("V*", "e", "ment", &[]),
    ("V*", "e", "ful", &[]),
    ("V*", "e", "less", &[]),
    ("", "eer", "", &[IH, R]),
    ("", "ee", "", &[IY]),
    ("", "earth", "", &[ER, TH]),
    ("", "ear", "C", &[ER]),
    ("", "ear", "", &[IH, R]),
    ("", "ead", "_", &[EH, D]),
    ("", "ealth", "", &[EH, L, TH]),
    ("", "ea", "th", &[EH]),
    ("", "ea", "", &[IY]),
    ("", "eigh", "", &[EY]),
    ("c", "ei", "", &[IY]),
    ("", "ei", "", &[EY]),
    ("", "eau", "", &[OW]),
    ("r", "ew", "", &[UW]),
    ("l", "ew", "", &[UW]),
    ("", "ew", "", &[Y, UW]),
    ("", "eu", "", &[Y, UW]),
    ("", "ey", "_", &[IY]),
    ("", "ey", "", &[EY]),
    ("", "ere", "_", &[IH, R]),
    ("", "err", "", &[EH, R]),
    ("", "er", "V", &[EH, R]),
    ("", "er", "", &[ER]),
    ("", "e", "Ce_", &[IY]),
    ("V*", "el", "_", &[AH, L]),
    ("V*", "en", "_", &[AH, N]),
    ("V*", "ent", "_", &[AH, N, T]),
    ("V*", "ence", "_", &[AH, N, S]),
    ("V*", "ess", "_", &[AH, S]),
    ("_r", "e", "C", &[IH]),
    ("_d", "e", "CV", &[IH]),
    ("_b", "e", "CV", &[IH]),
    ("", "e", "o", &[IY]),
    ("", "e", "", &[EH]),
];
const I_RULES: &[Rule] = &[
    ("_", "i", "_", &[AY]),
    ("", "igh", "", &[AY]),
    ("", "ign", "_", &[AY, N]),
    ("", "ild", "_", &[AY, L, D]),
    ("", "ind", "_", &[AY, N, D]),
    ("_C", "ie", "_", &[AY]),
    ("", "ier", "_", &[IY, ER]),
    ("", "ies", "_", &[IY, Z]),
    ("", "ied", "_", &[IY, D]),
    ("", "ie", "", &[IY]),
    ("", "ique", "_", &[IY, K]),
    ("", "irr", "", &[IH, R]),
    ("", "ire", "", &[AY, ER]),
    ("", "ir", "", &[ER]),
    ("", "ity", "_", &[IH, T, IY]),
    ("", "ism", "_", &[IH, Z, AH, M]),
    ("", "ise", "_", &[AY, Z]),
    ("", "ize", "_", &[AY, Z]),
    ("", "ine", "_", &[IY, N]),
    ("V*", "ive", "_", &[IH, V]),
    ("", "ia", "_", &[IY, AH]),
    ("", "i", "x", &[IH]),
    ("", "i", "Ce_", &[AY]),
    ("", "i", "Ces_", &[AY]),
    ("", "i", "Ced_", &[AY]),
    ("", "i", "Cer_", &[AY]),
    ("", "i", "Cing_", &[AY]),
    ("", "io", "", &[IY, OW]),
    ("", "i", "a", &[IY]),
    ("", "i", "_", &[IY]),
    ("", "i", "", &[IH]),
];
const O_RULES: &[Rule] = &[
    ("", "ough", "t", &[AO]),
    ("", "ough", "_", &[OW]),
    ("", "oor", "", &[AO, R]),
    ("", "ook", "", &[UH, K]),
    ("", "oo", "", &[UW]),
    ("", "oar", "", &[AO, R]),
    ("", "oa", "", &[OW]),
    ("", "oe", "_", &[OW]),
    ("", "oi", "", &[OY]),
    ("", "oy", "", &[OY]),
    ("", "ould", "_", &[UH, D]),
    ("", "ounce", "", &[AW, N, S]),
    ("", "ous", "_", &[AH, S]),
    ("", "our", "_", &[AW, ER]),
    ("", "our", "", &[AO, R]),
    ("", "ou", "", &[AW]),
    ("", "own", "_", &[AW, N]),
    ("", "ow", "_", &[OW]),
    ("", "ow", "", &[AW]),
    ("", "old", "", &[OW, L, D]),
    ("", "oll", "_", &[OW, L]),
    ("", "olk", "", &[OW, K]),
    ("", "ost", "_", &[OW, S, T]),
    ("w", "or", "C", &[ER]),
    ("V*", "or", "_", &[ER]),
    ("", "ore", "_", &[AO, R]),
    ("", "or", "", &[AO, R]),
    ("V*", "on", "_", &[AH, N]),
    ("V*", "ol", "_", &[AH, L]),
    ("", "o", "x", &[AA]),
    ("", "o", "_", &[OW]),
    ("", "o", "Ce_", &[OW]),
    ("", "o", "Ces_", &[OW]),
    ("", "o", "Ced_", &[OW]),
    ("", "o", "Cer_", &[OW]),
    ("", "o", "Cing_", &[OW]),
    ("", "o", "CV_", &[OW]),
    ("", "o", "V", &[OW]),
    ("", "o", "ng", &[AO]),
    ("", "o", "", &[AA]),
];
const U_RULES: &[Rule] = &[
    ("q", "u", "", &[W]),
    ("g", "u", "E", &[]),
    ("", "ui", "", &[UW]),
    ("", "ue", "_", &[UW]),
    ("", "uy", "_", &[AY]),
    ("", "ure", "_", &[Y, ER]),
    ("", "urr", "", &[ER]),
    ("", "ur", "", &[ER]),
    ("f", "ull", "_", &[UH, L]),
    ("p", "u", "ll", &[UH]),
    ("b", "u", "ll", &[UH]),
    ("V*f", "ul", "_", &[AH, L]),
    ("V*", "um", "_", &[AH, M]),
    ("V*", "us", "_", &[AH, S]),
    ("r", "u", "CV", &[UW]),
    ("l", "u", "CV", &[UW]),
    ("j", "u", "CV", &[UW]),
    ("s", "u", "CV", &[UW]),
    ("t", "u", "CV", &[UW]),
    ("d", "u", "CV", &[UW]),
    ("n", "u", "CV", &[UW]),
    ("", "u", "CV", &[Y, UW]),
    ("", "u", "_", &[UW]),
    ("", "u", "", &[AH]),
];
const Y_RULES: &[Rule] = &[
    ("_", "y", "V", &[Y]),
    ("V", "y", "V", &[Y]),
    ("_C", "y", "_", &[AY]),
    ("_CC", "y", "_", &[AY]),
    ("f", "y", "_", &[AY]),
    ("", "y", "_", &[IY]),
    ("", "y", "Ce_", &[AY]),
    ("", "y", "V", &[AY]),
    ("", "y", "", &[IH]),
];
const CONSONANTS: &[Rule] = &[
    ("", "bb", "", &[B]),
    ("m", "b", "_", &[]),
    ("", "b", "t_", &[]),
    ("", "b", "", &[B]),
    ("s", "ch", "oo", &[K]),
    ("", "chr", "", &[K, R]),
    ("t", "ch", "", &[CH]),
    ("", "ch", "", &[CH]),
    ("", "ck", "", &[K]),
    ("s", "c", "E", &[]),
    ("", "cc", "E", &[K, S]),
    ("", "cc", "", &[K]),
    ("", "cial", "", &[SH, AH, L]),
    ("", "cian", "", &[SH, AH, N]),
    ("", "cious", "", &[SH, AH, S]),
    ("", "c", "E", &[S]),
    ("", "c", "", &[K]),
    ("", "dg", "E", &[JH]),
    ("", "dd", "", &[D]),
    ("", "d", "", &[D]),
    ("", "ff", "", &[F]),
    ("", "f", "", &[F]),
    ("", "gg", "", &[G]),
    ("_", "gh", "", &[G]),
    ("", "gh", "", &[]),
    ("_", "gn", "", &[N]),
    ("", "gn", "_", &[N]),
    ("", "g", "E", &[JH]),
    ("", "g", "", &[G]),
    ("_", "h", "", &[HH]),
    ("V", "h", "V", &[HH]),
    ("", "h", "V", &[HH]),
    ("", "h", "", &[]),
    ("", "j", "", &[JH]),
    ("_", "kn", "", &[N]),
    ("", "kh", "", &[K]),
    ("", "k", "", &[K]),
    ("C", "le", "_", &[AH, L]),
    ("C", "les", "_", &[AH, L, Z]),
    ("C", "led", "_", &[AH, L, D]),
    ("", "ll", "", &[L]),
    ("", "l", "", &[L]),
    ("", "mm", "", &[M]),
    ("", "mn", "_", &[M]),
    ("", "m", "", &[M]),
    ("", "nn", "", &[N]),
    ("", "nge", "", &[N, JH]),
    ("", "ng", "V", &[NG, G]),
    ("", "ng", "", &[NG]),
    ("", "nk", "", &[NG, K]),
    ("", "n", "", &[N]),
    ("", "ph", "", &[F]),
    ("_", "ps", "", &[S]),
    ("_", "pn", "", &[N]),
    ("", "pp", "", &[P]),
    ("", "p", "", &[P]),
    ("", "que", "_", &[K]),
    ("", "q", "", &[K]),
    ("", "rrh", "", &[R]),
    ("", "rh", "", &[R]),
    ("", "rr", "", &[R]),
    ("", "r", "", &[R]),
    ("", "ssion", "", &[SH, AH, N]),
    ("V", "sion", "", &[ZH, AH, N]),
    ("", "sion", "", &[SH, AH, N]),
    ("", "sure", "_", &[ZH, ER]),
    ("", "sch", "", &[S, K]),
    ("", "sh", "", &[SH]),
    ("", "ss", "", &[S]),
    ("V", "s", "V", &[Z]),
    ("b", "s", "_", &[Z]),
    ("d", "s", "_", &[Z]),
    ("g", "s", "_", &[Z]),
    ("l", "s", "_", &[Z]),
    ("m", "s", "_", &[Z]),
    ("n", "s", "_", &[Z]),
    ("r", "s", "_", &[Z]),
    ("v", "s", "_", &[Z]),
    ("w", "s", "_", &[Z]),
    ("y", "s", "_", &[Z]),
    ("i", "s", "_", &[S]),
    ("u", "s", "_", &[S]),
    ("V", "s", "_", &[Z]),
    ("", "s", "", &[S]),
    ("", "tch", "", &[CH]),
    ("s", "tion", "", &[CH, AH, N]),
    ("", "tion", "", &[SH, AH, N]),
    ("", "tial", "", &[SH, AH, L]),
    ("", "tious", "", &[SH, AH, S]),
    ("", "ture", "_", &[CH, ER]),
    ("s", "t", "le_", &[]),
    ("s", "t", "en_", &[]),
    ("_", "the", "_", &[DH, AH]),
    ("", "ther", "", &[DH, ER]),
    ("", "th", "", &[TH]),
    ("", "tt", "", &[T]),
    ("", "t", "", &[T]),
    ("", "vv", "", &[V]),
    ("", "v", "", &[V]),
    ("_", "wr", "", &[R]),
    ("", "wh", "o", &[HH]),
    ("", "wh", "", &[W]),
    ("V", "w", "", &[]),
    ("", "w", "", &[W]),
    ("_", "x", "", &[Z]),
    ("", "x", "V", &[K, S]),
    ("", "x", "", &[K, S]),
    ("", "zz", "", &[Z]),
    ("", "z", "", &[Z]),
];

/// Names of letters, for what is spelt.
const NAMES: [&[Phone]; 26] = [
    &[EY],
    &[B, IY],
    &[S, IY],
    &[D, IY],
    &[IY],
    &[EH, F],
    &[JH, IY],
    &[EY, CH],
    &[AY],
    &[JH, EY],
    &[K, EY],
    &[EH, L],
    &[EH, M],
    &[EH, N],
    &[OW],
    &[P, IY],
    &[K, Y, UW],
    &[AA, R],
    &[EH, S],
    &[T, IY],
    &[Y, UW],
    &[V, IY],
    &[D, AH, B, AH, L, Y, UW],
    &[EH, K, S],
    &[W, AY],
    &[Z, IY],
];

/// Letters of one word that are read.
const LONGEST: usize = 64;

/// A word by its letters; what has no vowel is spelt. Letters of other scripts and digits say nothing, accents are left off.
pub fn spell_or_read(word: &str) -> Vec<Sound> {
    let plain: String = word
        .chars()
        .flat_map(char::to_lowercase)
        .filter_map(plain)
        .take(LONGEST)
        .collect();
    let letters = plain.as_bytes();
    let is_spelt = !letters.iter().any(|c| is_vowel(*c));
    let phones: Vec<Phone> = if is_spelt {
        let names = letters
            .iter()
            .filter_map(|c| NAMES.get(usize::from(c.wrapping_sub(b'a'))));
        names.copied().flatten().copied().collect()
    } else {
        read(letters)
    };
    with_stress(phones)
}

/// A letter of the English alphabet that stands for one with an accent.
fn plain(c: char) -> Option<char> {
    Some(match c {
        'a'..='z' => c,
        'à' | 'á' | 'â' | 'ä' | 'ã' | 'å' | 'æ' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'ö' | 'õ' | 'ø' | 'œ' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ý' | 'ÿ' => 'y',
        'ñ' => 'n',
        'ç' | 'ß' => 's',
        _ => return None,
    })
}

fn is_vowel(c: u8) -> bool {
    b"aeiouy".contains(&c)
}

fn read(letters: &[u8]) -> Vec<Phone> {
    let mut phones: Vec<Phone> = Vec::new();
    let mut at = 0;
    while let Some(&c) = letters.get(at) {
        let rules = match c {
            b'a' => A_RULES,
            b'e' => E_RULES,
            b'i' => I_RULES,
            b'o' => O_RULES,
            b'u' => U_RULES,
            b'y' => Y_RULES,
            _ => CONSONANTS,
        };
        let fits = |rule: &&Rule| {
            let (left, own, right, _) = rule;
            let rest = letters.get(at..).unwrap_or_default();
            rest.starts_with(own.as_bytes())
                && fits_left(letters.get(..at).unwrap_or_default(), left.as_bytes())
                && fits_right(rest.get(own.len()..).unwrap_or_default(), right.as_bytes())
        };
        match rules.iter().find(fits) {
            Some((_, own, _, sounds)) => {
                phones.extend_from_slice(sounds);
                at += own.len();
            }
            None => at += 1,
        }
    }
    phones.dedup_by(|a, b| a == b && !a.is_vowel());
    phones
}

/// A pattern before what is read, looked at from its end.
fn fits_left(before: &[u8], pattern: &[u8]) -> bool {
    let Some((last, pattern)) = pattern.split_last() else {
        return true;
    };
    let rest = || before.split_last().map(|(c, rest)| (*c, rest));
    match last {
        b'_' => before.is_empty(),
        b'*' => {
            if fits_left(before, pattern) {
                return true;
            }
            rest().is_some_and(|(c, before)| {
                !is_vowel(c) && fits_left(before, &[pattern, b"*"].concat())
            })
        }
        wanted => rest().is_some_and(|(c, before)| is_it(c, *wanted) && fits_left(before, pattern)),
    }
}

fn fits_right(after: &[u8], pattern: &[u8]) -> bool {
    let Some((first, pattern)) = pattern.split_first() else {
        return true;
    };
    match first {
        b'_' => after.is_empty(),
        b'=' => [&b""[..], b"e", b"es", b"ed", b"er", b"ing", b"ly"].contains(&after),
        wanted => {
            let Some((c, after)) = after.split_first() else {
                return false;
            };
            is_it(*c, *wanted) && fits_right(after, pattern)
        }
    }
}

fn is_it(c: u8, wanted: u8) -> bool {
    match wanted {
        b'V' => is_vowel(c),
        b'C' => !is_vowel(c),
        b'E' => b"eiy".contains(&c),
        own => c == own,
    }
}

/// The first syllable has the stress, or the one before an ending that draws it (-tion, -ity, -ic are so).
fn with_stress(phones: Vec<Phone>) -> Vec<Sound> {
    let vowels: Vec<usize> = (0..phones.len())
        .filter(|i| phones.get(*i).is_some_and(|p| p.is_vowel()))
        .collect();
    let ends = |tail: &[Phone]| phones.ends_with(tail);
    let from_end = if ends(&[SH, AH, N]) || ends(&[ZH, AH, N]) || ends(&[IH, K]) {
        Some(2)
    } else if ends(&[IH, T, IY]) {
        Some(3)
    } else {
        None
    };
    let at = from_end
        .and_then(|n| vowels.len().checked_sub(n))
        .unwrap_or(0);
    let stressed = vowels.get(at).or(vowels.first()).copied();
    let sounds = phones.into_iter().enumerate();
    sounds
        .map(|(i, phone)| Sound {
            phone,
            stressed: Some(i) == stressed,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(word: &str) -> String {
        let sounds = spell_or_read(word);
        let names: Vec<&str> = sounds.iter().map(|sound| sound.phone.name()).collect();
        names.join(" ")
    }

    #[test]
    fn words_are_read_by_their_letters() {
        for (word, wanted) in [
            ("make", "M EY K"),
            ("night", "N AY T"),
            ("nation", "N EY SH AH N"),
            ("phone", "F OW N"),
            ("knee", "N IY"),
            ("cheese", "CH IY Z"),
            ("little", "L IH T AH L"),
            ("wanted", "W AE N T IH D"),
            ("queen", "K W IY N"),
            ("thing", "TH IH NG"),
            ("boxes", "B AA K S IH Z"),
            ("happy", "HH AE P IY"),
            ("station", "S T EY SH AH N"),
            ("rhythm", "R IH TH M"),
            ("my", "M AY"),
            ("badger", "B AE JH ER"),
        ] {
            assert_eq!(says(word), wanted, "{word}");
        }
        assert_eq!(says("XML"), "EH K S EH M EH L");
        assert_eq!(says("été"), says("ete"));
        assert_eq!(says("日本"), "");
        assert_eq!(says("42"), "");
    }

    #[test]
    fn one_syllable_has_the_stress() {
        for word in ["nation", "activity", "electric", "banana", "a"] {
            let sounds = spell_or_read(word);
            assert_eq!(sounds.iter().filter(|s| s.stressed).count(), 1, "{word}");
        }
        let stressed = |word: &str| spell_or_read(word).iter().position(|s| s.stressed).unwrap();
        assert!(stressed("electric") > 1 && stressed("activity") > 1);
    }
}
