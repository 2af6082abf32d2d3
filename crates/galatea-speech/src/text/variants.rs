//! Pronunciation variants that dictionaries leave out. Function words have weak forms in running speech, unstressed vowels
//! merge, a t between vowels becomes a d, and the last of several consonants is dropped.

use super::SpokenWord;
use crate::phoneme::Phoneme;

/// A slot of alternative phones, which may be optional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundSlot {
    first: Phoneme,
    others: [Option<Phoneme>; 2],
    /// The slot may be left out.
    pub may_lack: bool,
    /// The slot carries the word's stress.
    pub stressed: bool,
}

impl SoundSlot {
    /// Creates a slot with one phone.
    pub fn of(phone: Phoneme) -> Self {
        Self {
            first: phone,
            others: [None; 2],
            may_lack: false,
            stressed: false,
        }
    }

    /// Adds an alternative phone, at most two.
    #[must_use]
    pub fn or(mut self, phone: Phoneme) -> Self {
        if let Some(free) = self.others.iter_mut().find(|other| other.is_none()) {
            *free = Some(phone);
        }
        self
    }

    /// Makes the slot optional.
    #[must_use]
    pub(crate) fn may_lack(self) -> Self {
        Self {
            may_lack: true,
            ..self
        }
    }

    /// Sets the stress of the slot.
    #[must_use]
    pub fn stressed(self, stressed: bool) -> Self {
        Self { stressed, ..self }
    }

    /// Returns the alternative phones, the usual one first.
    pub fn phonemes(&self) -> impl Iterator<Item = Phoneme> {
        [Some(self.first), self.others[0], self.others[1]]
            .into_iter()
            .flatten()
    }
}

/// One pronunciation of a word.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordVariant {
    /// Phones in order.
    pub slots: Vec<SoundSlot>,
    /// Penalty for choosing this variant, in log likelihood.
    pub cost: f32,
}

use Phoneme::*;

/// Weak forms of function words in running speech (Roach, English Phonetics and Phonology, chapter 12).
const WEAK: &[(&str, &[&[Phoneme]])] = &[
    ("a", &[&[AH], &[EY]]),
    ("an", &[&[AH, N], &[AE, N]]),
    ("the", &[&[DH, AH], &[DH, IY]]),
    ("to", &[&[T, AH], &[T, UW], &[T, IH]]),
    ("and", &[&[AE, N, D], &[AH, N, D], &[AH, N], &[N]]),
    ("of", &[&[AH, V], &[AH]]),
    ("for", &[&[F, AO, R], &[F, ER]]),
    ("or", &[&[AO, R], &[ER]]),
    ("are", &[&[AA, R], &[ER]]),
    ("as", &[&[AE, Z], &[AH, Z]]),
    ("at", &[&[AE, T], &[AH, T]]),
    ("but", &[&[B, AH, T]]),
    ("can", &[&[K, AE, N], &[K, AH, N]]),
    ("could", &[&[K, UH, D], &[K, AH, D]]),
    ("would", &[&[W, UH, D], &[W, AH, D], &[D]]),
    ("should", &[&[SH, UH, D], &[SH, AH, D]]),
    ("do", &[&[D, UW], &[D, AH]]),
    ("does", &[&[D, AH, Z]]),
    ("from", &[&[F, R, AH, M], &[F, ER, M]]),
    ("had", &[&[HH, AE, D], &[AE, D], &[HH, AH, D], &[D]]),
    ("has", &[&[HH, AE, Z], &[AE, Z], &[HH, AH, Z]]),
    ("have", &[&[HH, AE, V], &[AE, V], &[HH, AH, V], &[AH, V]]),
    ("he", &[&[HH, IY], &[IY], &[HH, IH]]),
    ("her", &[&[HH, ER], &[ER]]),
    ("him", &[&[HH, IH, M], &[IH, M]]),
    ("his", &[&[HH, IH, Z], &[IH, Z]]),
    ("in", &[&[IH, N], &[AH, N]]),
    ("is", &[&[IH, Z], &[Z]]),
    ("it", &[&[IH, T], &[AH, T]]),
    ("just", &[&[JH, AH, S, T], &[JH, IH, S, T], &[JH, AH, S]]),
    ("must", &[&[M, AH, S, T], &[M, AH, S]]),
    ("not", &[&[N, AA, T]]),
    ("on", &[&[AA, N], &[AO, N]]),
    ("our", &[&[AW, ER], &[AA, R]]),
    ("she", &[&[SH, IY], &[SH, IH]]),
    ("so", &[&[S, OW]]),
    ("some", &[&[S, AH, M]]),
    ("such", &[&[S, AH, CH]]),
    ("than", &[&[DH, AE, N], &[DH, AH, N]]),
    ("that", &[&[DH, AE, T], &[DH, AH, T]]),
    ("their", &[&[DH, EH, R]]),
    ("them", &[&[DH, EH, M], &[DH, AH, M], &[AH, M]]),
    ("then", &[&[DH, EH, N]]),
    ("there", &[&[DH, EH, R], &[DH, ER]]),
    ("they", &[&[DH, EY]]),
    ("us", &[&[AH, S]]),
    ("was", &[&[W, AA, Z], &[W, AH, Z]]),
    ("we", &[&[W, IY], &[W, IH]]),
    ("were", &[&[W, ER]]),
    ("what", &[&[W, AH, T], &[W, AA, T]]),
    ("will", &[&[W, IH, L], &[L]]),
    ("with", &[&[W, IH, DH], &[W, IH, TH]]),
    ("you", &[&[Y, UW], &[Y, AH]]),
    ("your", &[&[Y, AO, R], &[Y, ER], &[Y, UH, R]]),
];
/// Penalty of a weak form that differs from the dictionary.
const WEAK_COST: f32 = 2.0;

/// Returns all pronunciations of a word, its own phones first.
pub fn pronunciations(word: &SpokenWord) -> Vec<WordVariant> {
    let own = WordVariant {
        slots: slots(word),
        cost: 0.0,
    };
    let mut all = vec![own];
    let lower = word.text.to_lowercase();
    let weak = WEAK.iter().find(|(text, _)| *text == lower);
    let forms = weak.map_or(&[][..], |(_, forms)| *forms);
    // A word with other phones may belong to another language and have no weak forms.
    let own = word.phonemes();
    for phones in forms.iter().filter(|_| forms.contains(&own.as_slice())) {
        if own != *phones {
            all.push(WordVariant {
                slots: phones.iter().map(|phone| SoundSlot::of(*phone)).collect(),
                cost: WEAK_COST,
            });
        }
    }
    all
}

fn slots(word: &SpokenWord) -> Vec<SoundSlot> {
    let at = |i: Option<usize>| i.and_then(|i| word.sounds.get(i)).copied();
    let n = word.sounds.len();
    let of = |i: usize| {
        let sound = word.sounds[i];
        let (before, after) = (at(i.checked_sub(1)), at(Some(i + 1)));
        let slot = SoundSlot::of(sound.phoneme).stressed(sound.stressed);
        let is_vowel = |s: Option<super::WordPhoneme>| s.is_some_and(|s| s.phoneme.is_vowel());
        let weak = !sound.stressed && word.n_syllables() > 1;
        match sound.phoneme {
            AH if weak => slot.or(IH),
            IH if weak => slot.or(AH),
            IY if weak && i + 1 == n => slot.or(IH),
            // Flap: "better", "city".
            T if is_vowel(before) && is_vowel(after) && after.is_some_and(|s| !s.stressed) => {
                slot.or(D)
            }
            // Last of several consonants: "faced", "and".
            T | D if i + 1 == n && n > 2 && !is_vowel(before) => slot.may_lack(),
            NG if i + 1 == n && n > 3 && before.is_some_and(|s| s.phoneme == IH) => slot.or(N),
            // Dropped y: "news", "tune".
            Y if before.is_some_and(|s| matches!(s.phoneme, T | D | N | S)) => slot.may_lack(),
            _ => slot,
        }
    };
    (0..n).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::WordPhoneme;

    fn word(text: &str, phones: &[(Phoneme, bool)]) -> SpokenWord {
        SpokenWord {
            text: text.to_owned(),
            range: 0..text.len(),
            sounds: phones
                .iter()
                .map(|&(phone, stressed)| WordPhoneme {
                    phoneme: phone,
                    stressed,
                })
                .collect(),
            pause: 0.0,
            guessed: false,
        }
    }

    #[test]
    fn only_function_words_have_weak_forms() {
        let to = pronunciations(&word("To", &[(T, true), (UW, true)]));
        assert_eq!(to.len(), 3);
        assert!(to[0].cost == 0.0 && to[1].cost > 0.0);
        let cat = pronunciations(&word("cat", &[(K, false), (AE, true), (T, false)]));
        assert_eq!(cat.len(), 1);
        assert!(!cat[0].slots[2].may_lack);
    }

    #[test]
    fn vowels_merge_and_consonants_are_dropped_as_in_speech() {
        let city = pronunciations(&word(
            "city",
            &[(S, false), (IH, true), (T, false), (IY, false)],
        ));
        let phones = |slot: &SoundSlot| slot.phonemes().collect::<Vec<_>>();
        assert_eq!(phones(&city[0].slots[1]), [IH], "stressed vowels stay");
        assert_eq!(phones(&city[0].slots[2]), [T, D]);
        assert_eq!(phones(&city[0].slots[3]), [IY, IH]);
        let faced = pronunciations(&word(
            "faced",
            &[(F, false), (EY, true), (S, false), (T, false)],
        ));
        assert!(faced[0].slots[3].may_lack && !faced[0].slots[2].may_lack);
    }
}
