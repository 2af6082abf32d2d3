//! Voices of Festival, in English and in languages with similar sounds, for more speakers. Sounds that English lacks are
//! marked as unknown, and a foreign vowel as any of the similar English ones.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use rayon::prelude::*;

use super::bend::{SpokenRecording, bent};
use super::learn::{Sounds, TrainingExample, only};
use super::voices::{any, sentence, wav};
use galatea_math::random::RandomSource;
use galatea_speech::phoneme::Phoneme;

/// Phone set of a voice and its sentences.
enum Tongue {
    English,
    /// Syllables of the language, and its phone names.
    Other(&'static Foreign),
}

struct Foreign {
    onsets: &'static [&'static str],
    nuclei: &'static [&'static str],
    codas: &'static [&'static str],
    /// Phone names, and the English phones that they can be; all others are unknown.
    sounds: &'static [(&'static [&'static str], &'static [Phoneme])],
}

use Phoneme::*;

const ITALIAN: Foreign = Foreign {
    onsets: &[
        "b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "z", "tr", "pr", "st",
        "sp", "ch", "gh", "sc",
    ],
    nuclei: &["a", "e", "i", "o", "u", "ia", "uo"],
    codas: &["", "", "", "n", "r", "l", "m"],
    sounds: &[
        (&["a", "a1"], &[AA, AH, AE]),
        (&["e", "E", "e1", "E1"], &[EH]),
        (&["i", "i1"], &[IY]),
        (&["o", "O", "o1", "O1"], &[AO]),
        (&["u", "u1"], &[UW]),
        (&["j"], &[Y]),
        (&["w"], &[W]),
        (&["p"], &[P]),
        (&["t"], &[T]),
        (&["k"], &[K]),
        (&["b"], &[B]),
        (&["d"], &[D]),
        (&["g"], &[G]),
        (&["f"], &[F]),
        (&["s"], &[S]),
        (&["S"], &[SH]),
        (&["v"], &[V]),
        (&["z"], &[Z]),
        (&["tS"], &[CH]),
        (&["dZ"], &[JH]),
        (&["m", "nf"], &[M]),
        (&["n"], &[N]),
        (&["ng"], &[NG]),
        (&["l"], &[L]),
        (&["#"], &[Sil]),
    ],
};

const CZECH: Foreign = Foreign {
    onsets: &[
        "b", "d", "f", "h", "k", "l", "m", "n", "p", "s", "t", "v", "z", "j", "tr", "st", "pl",
        "kl",
    ],
    nuclei: &["a", "e", "i", "o", "u", "ou"],
    codas: &["", "", "", "n", "l", "m", "s", "t", "k"],
    sounds: &[
        (&["a", "a:"], &[AA, AH, AE]),
        (&["e", "e:"], &[EH]),
        (&["i", "i:"], &[IY, IH]),
        (&["o", "o:"], &[AO]),
        (&["u", "u:"], &[UW, UH]),
        (&["b"], &[B]),
        (&["c~"], &[CH]),
        (&["d"], &[D]),
        (&["f"], &[F]),
        (&["g"], &[G]),
        (&["h"], &[HH]),
        (&["j"], &[Y]),
        (&["k"], &[K]),
        (&["l"], &[L]),
        (&["m"], &[M]),
        (&["n"], &[N]),
        (&["n*"], &[NG]),
        (&["p"], &[P]),
        (&["s"], &[S]),
        (&["s~"], &[SH]),
        (&["t"], &[T]),
        (&["v"], &[V]),
        (&["z"], &[Z]),
        (&["z~"], &[ZH]),
        (&["#", "_"], &[Sil]),
    ],
};

const FINNISH: Foreign = Foreign {
    onsets: &[
        "h", "j", "k", "l", "m", "n", "p", "s", "t", "v", "d", "kk", "tt", "pp", "ss", "nn", "mm",
        "ll",
    ],
    nuclei: &["a", "e", "i", "o", "u", "aa", "ii", "uu", "ei", "ai", "ou"],
    codas: &["", "", "", "n", "s", "l", "t", "nk"],
    sounds: &[
        (&["a", "a:"], &[AA, AH]),
        (&["&", "&:"], &[AE]),
        (&["e", "e:"], &[EH]),
        (&["i", "i:"], &[IY, IH]),
        (&["o", "o:"], &[AO]),
        (&["u", "u:"], &[UW, UH]),
        (&["p", "p:"], &[P]),
        (&["t", "t:"], &[T]),
        (&["k", "k:"], &[K]),
        (&["d"], &[D]),
        (&["s", "s:"], &[S]),
        (&["h"], &[HH]),
        (&["v"], &[V]),
        (&["m", "m:"], &[M]),
        (&["n", "n:"], &[N]),
        (&["N", "N:"], &[NG]),
        (&["l", "l:"], &[L]),
        (&["j", "j:"], &[Y]),
        (&["#", "##"], &[Sil]),
    ],
};

const RUSSIAN: Foreign = Foreign {
    onsets: &[
        "б", "в", "г", "д", "з", "к", "л", "м", "н", "п", "с", "т", "ф", "ш", "ж", "ст", "пл",
    ],
    nuclei: &["а", "е", "и", "о", "у", "э"],
    codas: &["", "", "", "н", "м", "л", "с", "т", "к"],
    sounds: &[
        (&["aa", "a"], &[AA, AH]),
        (&["ee", "e"], &[EH]),
        (&["ii", "i"], &[IY, IH]),
        (&["oo"], &[AO]),
        (&["uu", "u"], &[UW, UH]),
        (&["p"], &[P]),
        (&["b"], &[B]),
        (&["t"], &[T]),
        (&["d"], &[D]),
        (&["k"], &[K]),
        (&["g"], &[G]),
        (&["f"], &[F]),
        (&["v"], &[V]),
        (&["s"], &[S]),
        (&["z"], &[Z]),
        (&["sh"], &[SH]),
        (&["zh"], &[ZH]),
        (&["h"], &[HH]),
        (&["ch"], &[CH]),
        (&["m"], &[M]),
        (&["n"], &[N]),
        (&["j"], &[Y]),
        (&["pau"], &[Sil]),
    ],
};

const CATALAN: Foreign = Foreign {
    onsets: &[
        "b", "d", "f", "g", "l", "m", "n", "p", "s", "t", "v", "x", "tr", "pl", "c",
    ],
    nuclei: &["a", "e", "i", "o", "u"],
    codas: &["", "", "", "n", "s", "l", "m"],
    sounds: &[
        (&["a", "a1"], &[AA, AH, AE]),
        (&["ax"], &[AH]),
        (&["e", "e1", "E", "E1"], &[EH]),
        (&["i", "i1"], &[IY]),
        (&["o", "o1", "O", "O1"], &[AO]),
        (&["u", "u1"], &[UW]),
        (&["b"], &[B, V]),
        (&["d"], &[D, DH]),
        (&["f"], &[F]),
        (&["g"], &[G]),
        (&["j"], &[Y]),
        (&["k"], &[K]),
        (&["l"], &[L]),
        (&["m"], &[M]),
        (&["n"], &[N]),
        (&["p"], &[P]),
        (&["s"], &[S]),
        (&["S"], &[SH]),
        (&["t"], &[T]),
        (&["w"], &[W]),
        (&["z"], &[Z]),
        (&["Z"], &[ZH]),
        (&["pau", "_", "#"], &[Sil]),
    ],
};

/// Voices and their languages.
const VOICES: [(&str, Tongue); 12] = [
    ("ked_diphone", Tongue::English),
    ("cmu_us_slt_arctic_hts", Tongue::English),
    ("lp_diphone", Tongue::Other(&ITALIAN)),
    ("pc_diphone", Tongue::Other(&ITALIAN)),
    ("czech_dita", Tongue::Other(&CZECH)),
    ("czech_krb", Tongue::Other(&CZECH)),
    ("czech_machac", Tongue::Other(&CZECH)),
    ("czech_ph", Tongue::Other(&CZECH)),
    ("suo_fi_lj_diphone", Tongue::Other(&FINNISH)),
    ("hy_fi_mv_diphone", Tongue::Other(&FINNISH)),
    ("msu_ru_nsh_clunits", Tongue::Other(&RUSSIAN)),
    ("upc_ca_ona_hts", Tongue::Other(&CATALAN)),
];

/// Examples from all installed voices, `n` sentences each.
///
/// # Errors
/// When a file cannot be written.
pub fn all(work: &Path, n: usize) -> anyhow::Result<Vec<TrainingExample>> {
    let spoken: Vec<anyhow::Result<Vec<TrainingExample>>> = VOICES
        .par_iter()
        .enumerate()
        .map(|(v, (voice, tongue))| of_voice(work, voice, tongue, n, v))
        .collect();
    let mut all = Vec::new();
    for examples in spoken {
        all.extend(examples?);
    }
    Ok(all)
}

fn of_voice(
    work: &Path,
    voice: &str,
    tongue: &Tongue,
    n: usize,
    v: usize,
) -> anyhow::Result<Vec<TrainingExample>> {
    let mut chance = RandomSource::new(2_000_003 + v as u64 * 100_003);
    let stem = |i: usize| work.join(format!("{voice}_{i}"));
    let mut scheme = format!("(voice_{voice})\n");
    for i in 0..n {
        let text = match tongue {
            Tongue::English => sentence(&mut chance),
            Tongue::Other(foreign) => babble(foreign, &mut chance),
        };
        writeln!(
            scheme,
            "(set! u (utt.synth (Utterance Text \"{text}\")))\n(utt.save.wave u \"{0}.wav\" 'riff)\n(utt.save.segs u \"{0}.lab\")",
            stem(i).display()
        )?;
    }
    let file = work.join(format!("{voice}.scm"));
    galatea_asset::write_whole(&file, scheme.as_bytes())?;
    let run = Command::new("festival").arg("-b").arg(&file).output();
    let run = run.context("festival")?;
    if !run.status.success() {
        let why = String::from_utf8_lossy(&run.stderr);
        println!(
            "{voice} is skipped: {}",
            why.lines().next().unwrap_or_default()
        );
        return Ok(Vec::new());
    }
    let counts = matches!(tongue, Tongue::English);
    let all = (0..n).flat_map(|i| {
        let spoken = read(&stem(i), tongue);
        bent(spoken, counts, &mut chance)
    });
    Ok(all.collect())
}

fn read(stem: &Path, tongue: &Tongue) -> Option<SpokenRecording> {
    let told = std::fs::read_to_string(stem.with_extension("lab")).ok()?;
    let sounds = told.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (end, name) = (words.next()?.parse().ok()?, words.nth(1)?);
        Some((sounds(name, tongue), end))
    });
    Some(SpokenRecording {
        sounds: sounds.collect(),
        samples: wav(&stem.with_extension("wav"))?,
    })
}

fn sounds(name: &str, tongue: &Tongue) -> Sounds {
    match tongue {
        Tongue::English => Phoneme::from_arpabet(name).map_or(0, only),
        Tongue::Other(foreign) => {
            let found = foreign
                .sounds
                .iter()
                .find(|(names, _)| names.contains(&name));
            let phones = found.into_iter().flat_map(|(_, phones)| *phones);
            phones.fold(0, |set, phone| set | only(*phone))
        }
    }
}

/// Random words from a language's syllables.
fn babble(foreign: &Foreign, chance: &mut RandomSource) -> String {
    let mut text = String::new();
    for i in 0..4 + chance.bits() % 5 {
        if i > 0 {
            text.push_str(if chance.is(0.12) { ", " } else { " " });
        }
        for _ in 0..1 + chance.bits() % 3 {
            text.push_str(any(chance, foreign.onsets));
            text.push_str(any(chance, foreign.nuclei));
        }
        text.push_str(any(chance, foreign.codas));
    }
    text + "."
}
