//! Visemes: the fifteen mouth shapes of Oculus, which most speech rigs have.

use serde::{Deserialize, Serialize};

/// A viseme: a mouth shape, named after its sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Viseme {
    /// Silence.
    Sil,
    /// p, b, m: lips closed.
    PP,
    /// f, v: lower lip at the teeth.
    FF,
    /// th: tongue between the teeth.
    TH,
    /// t, d.
    DD,
    /// k, g.
    KK,
    /// ch, j, sh, zh: lips forward.
    CH,
    /// s, z: teeth together.
    SS,
    /// n, l, ng.
    NN,
    /// r, er.
    RR,
    /// ah, wide open.
    AA,
    /// eh.
    E,
    /// ih, ee.
    I,
    /// oh.
    O,
    /// oo, w.
    U,
}

/// Number of visemes.
pub const N_VISEMES: usize = 15;

/// All visemes in index order.
pub const VISEMES: [Viseme; N_VISEMES] = {
    use Viseme::*;
    [Sil, PP, FF, TH, DD, KK, CH, SS, NN, RR, AA, E, I, O, U]
};

const NAMES: [&str; N_VISEMES] = [
    "sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U",
];

impl Viseme {
    /// Returns the Oculus name: "sil", "PP", …, "U".
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns the viseme with this name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let i = NAMES
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))?;
        VISEMES.get(i).copied()
    }
}
