//! Phones: the 39 of ARPAbet and silence, with names in ARPAbet and IPA.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::viseme::{N_VISEMES, VISEMES, Viseme};

/// A phone, named as in ARPAbet (CMU Pronouncing Dictionary); `Sil` is silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are ARPAbet's")]
pub enum Phoneme {
    Sil,
    AA,
    AE,
    AH,
    AO,
    AW,
    AY,
    EH,
    ER,
    EY,
    IH,
    IY,
    OW,
    OY,
    UH,
    UW,
    B,
    CH,
    D,
    DH,
    F,
    G,
    HH,
    JH,
    K,
    L,
    M,
    N,
    NG,
    P,
    R,
    S,
    SH,
    T,
    TH,
    V,
    W,
    Y,
    Z,
    ZH,
}

/// All phones in index order; silence is the first.
pub(crate) const PHONEMES: [Phoneme; 40] = {
    use Phoneme::*;
    [
        Sil, AA, AE, AH, AO, AW, AY, EH, ER, EY, IH, IY, OW, OY, UH, UW, B, CH, D, DH, F, G, HH,
        JH, K, L, M, N, NG, P, R, S, SH, T, TH, V, W, Y, Z, ZH,
    ]
};

const NAMES: [&str; 40] = [
    "SIL", "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH",
    "UW", "B", "CH", "D", "DH", "F", "G", "HH", "JH", "K", "L", "M", "N", "NG", "P", "R", "S",
    "SH", "T", "TH", "V", "W", "Y", "Z", "ZH",
];

impl Phoneme {
    /// Returns the phone with this index, below 40.
    pub fn from_index(i: usize) -> Option<Self> {
        PHONEMES.get(i).copied()
    }

    /// Returns the phone with this ARPAbet name, in any case, with or without a stress digit ("AH0"). Common names of
    /// silence and noise ("sil", "sp", "pau", "spn", "SIL", "+NSN+", "") are `Sil`. Variants map to the nearest phone: AX is
    /// AH, AXR is ER, IX is IH, UX is UW, EN is N, EM is M, EL is L, DX is D, NX is N, HV is HH, ENG is NG and glottal Q is
    /// `Sil`.
    pub fn from_arpabet(name: &str) -> Option<Self> {
        let bare = name.trim().trim_end_matches(|c: char| c.is_ascii_digit());
        let upper = bare.to_ascii_uppercase();
        if let Some(i) = NAMES.iter().position(|known| *known == upper) {
            return Self::from_index(i);
        }
        Some(match upper.as_str() {
            "" | "SP" | "PAU" | "SPN" | "NSN" | "H#" | "EPI" | "+NSN+" | "+SPN+" | "<S>"
            | "</S>" | "<SIL>" | "SSIL" | "BRTH" | "Q" => Self::Sil,
            "AX" | "AX-H" => Self::AH,
            "AXR" => Self::ER,
            "IX" => Self::IH,
            "UX" => Self::UW,
            "EN" | "NX" => Self::N,
            "EM" => Self::M,
            "EL" => Self::L,
            "DX" => Self::D,
            "HV" => Self::HH,
            "ENG" => Self::NG,
            _ => return None,
        })
    }

    /// Returns the ARPAbet name in capitals, without stress; "SIL" for silence.
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns true for vowels, including diphthongs.
    pub fn is_vowel(self) -> bool {
        (Self::AA as u8..=Self::UW as u8).contains(&(self as u8))
    }

    /// Returns the visemes of the phone in order, each with its fraction of the duration; they sum to 1. A diphthong has
    /// two. `HH` has no shape of its own and uses that of the `next` phone.
    pub fn visemes(self, next: Self) -> &'static [(Viseme, f32)] {
        use Viseme::*;
        match self {
            Self::Sil => &[(Sil, 1.0)],
            Self::P | Self::B | Self::M => &[(PP, 1.0)],
            Self::F | Self::V => &[(FF, 1.0)],
            Self::TH | Self::DH => &[(TH, 1.0)],
            Self::T | Self::D => &[(DD, 1.0)],
            Self::K | Self::G => &[(KK, 1.0)],
            Self::CH | Self::JH | Self::SH | Self::ZH => &[(CH, 1.0)],
            Self::S | Self::Z => &[(SS, 1.0)],
            Self::N | Self::NG | Self::L => &[(NN, 1.0)],
            Self::R | Self::ER => &[(RR, 1.0)],
            Self::AA | Self::AE | Self::AH => &[(AA, 1.0)],
            Self::EH => &[(E, 1.0)],
            Self::IH | Self::IY | Self::Y => &[(I, 1.0)],
            Self::AO => &[(O, 1.0)],
            Self::UH | Self::UW | Self::W => &[(U, 1.0)],
            Self::AY => &[(AA, 0.6), (I, 0.4)],
            Self::AW => &[(AA, 0.6), (U, 0.4)],
            Self::OY => &[(O, 0.6), (I, 0.4)],
            Self::EY => &[(E, 0.6), (I, 0.4)],
            Self::OW => &[(O, 0.6), (U, 0.4)],
            Self::HH if matches!(next, Self::Sil | Self::HH) => &[(AA, 1.0)],
            Self::HH => {
                let first = next
                    .visemes(Self::Sil)
                    .first()
                    .map_or(AA, |(viseme, _)| *viseme);
                &SINGLE[first as usize]
            }
        }
    }
}

/// Each viseme alone, with fraction 1.
static SINGLE: [[(Viseme, f32); 1]; N_VISEMES] = {
    let mut whole = [[(Viseme::Sil, 1.0)]; N_VISEMES];
    let mut i = 0;
    while i < N_VISEMES {
        whole[i][0].0 = VISEMES[i];
        i += 1;
    }
    whole
};

impl fmt::Display for Phoneme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A phone with its times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedPhoneme {
    /// The phone.
    pub phoneme: Phoneme,
    /// Start, seconds from the start of the recording.
    pub start: f32,
    /// End, seconds; not before `start`.
    pub end: f32,
}
