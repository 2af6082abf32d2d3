//! Training data from speech synthesisers: generated sentences with phone times, augmented.

use std::path::Path;
use std::process::Command;

use rayon::prelude::*;

use super::bend::{SpokenRecording, bent, spectra};
use super::learn::{Sounds, TrainingExample, only};
use galatea_math::random::RandomSource;
use galatea_speech::acoustic::align::{self, AlignOptions};
use galatea_speech::acoustic::features::{normalise, to_mono};
use galatea_speech::acoustic::network::Network;
use galatea_speech::phoneme::Phoneme;
use galatea_speech::text::ipa;
use galatea_speech::text::variants::{SoundSlot, WordVariant};

/// Voices of flite: a diphone voice (male), and statistical voices from recordings of two men and a woman.
const FLITE: [&str; 4] = ["kal16", "awb", "rms", "slt"];
/// Variants of the espeak voice.
const ESPEAK: [&str; 10] = [
    "en-us+m1",
    "en-us+m3",
    "en-us+m4",
    "en-us+m7",
    "en-us+f1",
    "en-us+f2",
    "en-us+f3",
    "en-us+f5",
    "en-us",
    "en-us+klatt2",
];

/// Common words that cover all phones.
const WORDS: &str = "the be to of and a in that have I it for not on with he as you do at this but his by from they we say her \
    she or an will my one all would there their what so up out if about who get which go me when make can like time no just \
    him know take people into year your good some could them see other than then now look only come its over think also back \
    after use two how our work first well way even new want because any these give day most us man find here thing tell very \
    still may should through life child world school feel high never last let thought great where much before right too mean \
    old same ask need house big show turn begin keep hold bring write run move live believe happy night light water room \
    mother area money story fact month lot study book eye job word business issue side kind head service friend father power \
    hour game line end member law car city community name president team minute idea body information nothing ago lead social \
    understand whether watch together follow around parent stop face anything create public already speak others read level \
    allow add office spend door health person art sure such war history party within grow result open change morning walk \
    reason low win research girl guy early food moment himself air teacher force offer enough education across although \
    remember foot second boy maybe toward able age policy everything love process music consider appear actually buy probably \
    human wait serve market die send expect sense build stay fall oh nation plan cut college interest death course someone \
    experience behind reach local kill six remain effect yeah suggest class control raise care perhaps late hard field else \
    pass former sell major sometimes require along development themselves report role better effort decide rate strong \
    possible heart drug leader voice wife whole police mind finally pull return free military price less according explain \
    son hope develop view carry town road drive arm true break difference thank value building action full model join season \
    society agree especially record pick wear paper special space ground form support event whose matter everyone couple site \
    project hit base activity star table court produce eat teach oil half easy cost figure street image itself phone either \
    data cover quite picture clear practice piece land recent describe doctor wall worker news test movie north simply third \
    catch step baby computer type attention draw film tree source red nearly choose cause hair century evidence window listen \
    soon culture chance brother energy period summer realize hundred plant likely opportunity letter choice daughter south \
    husband floor campaign population call economy hospital church close thousand risk current fire future wrong increase \
    bank myself west sport board seek subject rest behavior fight throw top quickly past goal bed order author fill focus \
    drop blood push nature color store reduce sound note fine near movement page enter share common poor natural race concern \
    series similar hot language usually response rise animal decade shoot east save seven artist scene treasure beige vision \
    measure garage toy noise joy boil thick thumb tooth teeth smooth breathe bathe judge bridge edge orange vow five glove \
    shove zoo zone buzz cheese yes use wool would queen quick quiet huge young church watch";
/// Onsets, nuclei and codas of random words.
const ONSETS: [&str; 26] = [
    "b", "d", "f", "g", "h", "j", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "y", "z", "ch",
    "sh", "th", "br", "st", "pl", "tr", "fl",
];
const NUCLEI: [&str; 15] = [
    "a", "e", "i", "o", "u", "ee", "oo", "ai", "oa", "ou", "oi", "ar", "er", "or", "aw",
];
const CODAS: [&str; 19] = [
    "", "b", "d", "f", "g", "k", "l", "m", "n", "p", "s", "t", "sh", "ch", "th", "ng", "st", "nd",
    "mp",
];

/// Returns true if a program can be run.
pub fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

pub fn any<'a>(chance: &mut RandomSource, list: &[&'a str]) -> &'a str {
    let i = chance.bits() as usize % list.len().max(1);
    list.get(i).copied().unwrap_or_default()
}

/// A sentence of common words and some random ones.
pub fn sentence(chance: &mut RandomSource) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut text = String::new();
    for i in 0..3 + chance.bits() % 9 {
        if i > 0 {
            text.push_str(if chance.is(0.12) { ", " } else { " " });
        }
        if chance.is(0.15) {
            for _ in 0..1 + chance.bits() % 2 {
                for part in [&ONSETS[..], &NUCLEI, &CODAS] {
                    text.push_str(any(chance, part));
                }
            }
        } else {
            text.push_str(any(chance, &words));
        }
    }
    text + "."
}

/// Examples from the voices of flite, two of each sentence: almost unchanged, and with a smaller or larger vocal tract.
pub fn of_flite(work: &Path, n: usize) -> Vec<TrainingExample> {
    let jobs: Vec<(usize, usize)> = (0..FLITE.len())
        .flat_map(|v| (0..n).map(move |i| (v, i)))
        .collect();
    let all = jobs.par_iter().map(|&(v, i)| {
        let mut chance = RandomSource::new((v * 100_003 + i) as u64);
        let text = sentence(&mut chance);
        let spoken = FLITE.get(v).and_then(|voice| flite(work, voice, &text, i));
        bent(spoken, true, &mut chance)
    });
    all.flatten().collect()
}

/// Examples from the voices of espeak, aligned with a network.
pub fn of_espeak(work: &Path, n: usize, network: &Network) -> Vec<TrainingExample> {
    let jobs: Vec<(usize, usize)> = (0..ESPEAK.len())
        .flat_map(|v| (0..n).map(move |i| (v, i)))
        .collect();
    let all = jobs.par_iter().map(|&(v, i)| {
        let mut chance = RandomSource::new((1_000_003 + v * 100_003 + i) as u64);
        let text = sentence(&mut chance);
        let spoken = ESPEAK
            .get(v)
            .and_then(|voice| espeak(work, voice, &text, i, network));
        bent(spoken, true, &mut chance)
    });
    all.flatten().collect()
}

fn flite(work: &Path, voice: &str, text: &str, i: usize) -> Option<SpokenRecording> {
    let file = work.join(format!("{voice}_{i}.wav"));
    let mut command = Command::new("flite");
    command
        .args(["-voice", voice, "-psdur", "-t", text, "-o"])
        .arg(&file);
    let told = String::from_utf8(command.output().ok()?.stdout).ok()?;
    let sounds = told.split_whitespace().map(|word| {
        let (name, end) = word.split_once(':')?;
        Some((only(Phoneme::from_arpabet(name)?), end.parse().ok()?))
    });
    Some(SpokenRecording {
        samples: wav(&file)?,
        sounds: sounds.collect::<Option<_>>()?,
    })
}

fn espeak(
    work: &Path,
    voice: &str,
    text: &str,
    i: usize,
    network: &Network,
) -> Option<SpokenRecording> {
    let file = work.join(format!("espeak_{}_{i}.wav", voice.replace('+', "_")));
    let speed = (130 + i * 37 % 80).to_string();
    let mut command = Command::new("espeak-ng");
    command
        .args(["-v", voice, "-s", &speed, "--ipa", "--sep=_", "-w"])
        .arg(&file)
        .arg(text);
    let told = String::from_utf8(command.output().ok()?.stdout).ok()?;
    let words: Vec<Vec<WordVariant>> = told
        .split_whitespace()
        .map(|word| {
            let phones = word.split('_').filter_map(ipa::phoneme);
            let spoken = phones.filter(|phone| *phone != Phoneme::Sil);
            vec![WordVariant {
                slots: spoken.map(SoundSlot::of).collect(),
                cost: 0.0,
            }]
        })
        .collect();
    let samples = wav(&file)?;
    let mut frames = spectra(&samples);
    normalise(&mut frames);
    let likely = network.likelihoods(&frames);
    // Fixed here, so that training does not change with the defaults of the alignment.
    let options = AlignOptions {
        prior: 0.8,
        ..AlignOptions::default()
    };
    let found = align::words(network, &likely, &words, &options)?;
    let sure: f32 = found.iter().map(|word| word.confidence).sum();
    // Poorly aligned sentences would teach errors.
    if sure < 0.35 * found.len() as f32 {
        return None;
    }
    let mut sounds: Vec<(Sounds, f32)> = Vec::new();
    for timed in found.iter().flat_map(|word| &word.phonemes) {
        let end = sounds.last().map_or(0.0, |last| last.1);
        if timed.start > end + 1e-3 {
            sounds.push((only(Phoneme::Sil), timed.start));
        }
        sounds.push((only(timed.phoneme), timed.end));
    }
    Some(SpokenRecording { samples, sounds })
}

/// Reads a recording at 16 kHz.
pub fn wav(file: &Path) -> Option<Vec<f32>> {
    let bytes = std::fs::read(file).ok()?;
    let sound = galatea_audio::Sound::decode(&file.display().to_string(), &bytes).ok()?;
    let (channels, rate) = (usize::from(sound.channels()), sound.sample_rate());
    Some(to_mono(&sound.shared_samples(), channels, rate))
}
