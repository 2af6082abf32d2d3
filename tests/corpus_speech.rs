//! Recorded speech of real and made voices (GALATEA_CORPUS): how near what is found comes to what was marked by hand and
//! by others' aligners.

mod corpus;

use std::fs;
use std::path::Path;

use corpus::corpus;
use galatea::audio::Sound;
use galatea::speech::acoustic::{aligned, likelihoods, recognised};
use galatea::speech::amplitude::{AmplitudeOptions, amplitude_keys, cues_of_keys};
use galatea::speech::phone::{Phone, TimedPhone};
use galatea::speech::text::spoken;
use galatea::speech::track::{VisemeCue, cues_of};
use galatea::speech::viseme::Viseme;
use serde_json::Value;

fn at(cues: &[VisemeCue], t: f32) -> Viseme {
    let cue = cues.iter().find(|cue| (cue.start..cue.end).contains(&t));
    cue.map_or(Viseme::Sil, |cue| cue.viseme)
}

/// Share of frames of 10 ms with the right mouth shape.
fn right(cues: &[VisemeCue], wanted: &[VisemeCue], duration: f32) -> f32 {
    let n = (duration * 100.0) as usize;
    let times = (0..n).map(|i| (i as f32 + 0.5) * 0.01);
    times.filter(|t| at(cues, *t) == at(wanted, *t)).count() as f32 / n as f32
}

/// Mean distance of the beginnings of sounds that both have in the same order, seconds.
fn off(found: &[TimedPhone], wanted: &[TimedPhone]) -> f32 {
    let bare = |list: &[TimedPhone]| -> Vec<TimedPhone> {
        list.iter()
            .copied()
            .filter(|p| p.phone != Phone::Sil)
            .collect()
    };
    let (a, b) = (bare(found), bare(wanted));
    // The longest common order of sounds that look alike.
    let like = |x: &TimedPhone, y: &TimedPhone| {
        x.phone.visemes(Phone::Sil)[0].0 == y.phone.visemes(Phone::Sil)[0].0
    };
    let mut best = vec![vec![(0_u32, 0.0_f32); b.len() + 1]; a.len() + 1];
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let skip = if best[i - 1][j].0 >= best[i][j - 1].0 {
                best[i - 1][j]
            } else {
                best[i][j - 1]
            };
            let (n, sum) = best[i - 1][j - 1];
            let both = (n + 1, sum + (a[i - 1].start - b[j - 1].start).abs());
            let takes = like(&a[i - 1], &b[j - 1]) && both.0 > skip.0;
            best[i][j] = if takes { both } else { skip };
        }
    }
    let (n, sum) = best[a.len()][b.len()];
    assert!(
        n as usize * 10 > b.len() * 7,
        "{n} of {} sounds are the same",
        b.len()
    );
    sum / n as f32
}

struct Line {
    name: String,
    text: String,
    sound: Sound,
    phones: Vec<TimedPhone>,
}

fn sound(path: &Path) -> Sound {
    Sound::decode(&path.display().to_string(), &fs::read(path).unwrap()).unwrap()
}

/// Sentences read by a volunteer of LibriVox, aligned by pocketsphinx.
fn librivox(folder: &Path) -> Vec<Line> {
    let folder = folder.join("06_speech/pocketsphinx-tests/librivox");
    ["0870", "0880", "0920"]
        .map(|number| {
            let stem = format!("sense_and_sensibility_01_austen_64kb-{number}");
            let json = fs::read_to_string(folder.join(format!("{stem}.phone.json"))).unwrap();
            let json: Value = serde_json::from_str(&json).unwrap();
            let words = json["w"].as_array().unwrap();
            let phones = words.iter().flat_map(|word| word["w"].as_array().unwrap());
            let timed = phones.map(|phone| {
                let start = phone["b"].as_f64().unwrap() as f32;
                TimedPhone {
                    phone: Phone::from_arpabet(phone["t"].as_str().unwrap()).unwrap(),
                    start,
                    end: start + phone["d"].as_f64().unwrap() as f32,
                }
            });
            Line {
                phones: timed.collect(),
                name: number.to_owned(),
                text: fs::read_to_string(folder.join(format!("{stem}.txt"))).unwrap(),
                sound: sound(&folder.join(format!("{stem}.wav"))),
            }
        })
        .into()
}

/// Of each line: frames right by text and sound, by sound, by loudness; and how far its sounds are off, milliseconds.
fn scores(line: &Line) -> [f32; 4] {
    let samples = line.sound.shared_samples();
    let (channels, rate) = (usize::from(line.sound.channels()), line.sound.sample_rate());
    let duration = line.sound.duration() as f32;
    let likely = likelihoods(&samples, channels, rate);
    let wanted = cues_of(&line.phones);
    let with_text = aligned(&likely, &spoken(&line.text), duration).unwrap();
    let alone = recognised(&likely, duration);
    let keys = amplitude_keys(&samples, channels, rate, &AmplitudeOptions::default());
    let shares = [&with_text.cues, &alone.cues, &cues_of_keys(&keys, duration)];
    let [a, b, c] = shares.map(|cues| right(cues, &wanted, duration));
    [a, b, c, 1000.0 * off(&with_text.phones, &line.phones)]
}

#[test]
fn read_sentences_are_aligned_within_25_ms_and_recognised_far_better_than_by_loudness() {
    let Some(folder) = corpus() else { return };
    let lines = librivox(&folder);
    let all: Vec<[f32; 4]> = lines.iter().map(scores).collect();
    for (line, [with_text, alone, loudness, off]) in lines.iter().zip(&all) {
        println!(
            "{}: text {with_text:.3}, sound {alone:.3}, loudness {loudness:.3}, off {off:.1} ms",
            line.name
        );
        assert!(*off < 25.0, "{}: {off} ms", line.name);
        assert!(
            *with_text > loudness + 0.4 && *alone > loudness + 0.25,
            "{}",
            line.name
        );
    }
    let mean = |i: usize| all.iter().map(|scores| scores[i]).sum::<f32>() / all.len() as f32;
    assert!(mean(0) > 0.78, "{}", mean(0));
    assert!(mean(1) > 0.6, "{}", mean(1));
}
