//! JSON: Galatea's format, and timed words as written by recognisers and aligners.

use serde_json::{Value, json};

use super::untimed::{FileWord, add_words};
use super::{ExchangeError, SpeechTimings, broken, phoneme, rhubarb, seconds, word};
use crate::mouth::Mouth;
use crate::phoneme::{Phoneme, TimedPhoneme};
use crate::track::{SpeechTrack, VisemeCue};
use crate::viseme::{VISEMES, Viseme};
use galatea_math::data_fault::DataFault;

const FORMAT: &str = "speech JSON";
/// Format identifier of Galatea's files.
const OWN: &str = "galatea speech 1";
/// Sample rate of the curves, Hz.
const RATE: f32 = 60.0;

pub(super) fn read(text: &str) -> Result<SpeechTimings, ExchangeError> {
    let value: Value = serde_json::from_str(text)
        .map_err(|why| broken("JSON", DataFault::of_json(&why.to_string()).to_string()))?;
    if value.get("mouthCues").is_some() {
        return rhubarb::read_json(&value);
    }
    let mut timings = SpeechTimings {
        text: ["text", "transcript"]
            .iter()
            .find_map(|key| value.get(key)?.as_str())
            .map(str::to_owned),
        duration: value.get("duration").and_then(number),
        ..SpeechTimings::default()
    };
    for (i, entry) in list(&value, "visemes").enumerate() {
        let name = entry.get("viseme").and_then(Value::as_str);
        let viseme = name.and_then(Viseme::from_name);
        let (Some(viseme), Some((start, end))) = (viseme, times(entry)) else {
            let what = format!("viseme {}: expected viseme, start and end", i + 1);
            return Err(broken(FORMAT, what));
        };
        let amount = entry.get("amount").and_then(number).unwrap_or(1.0);
        timings.cues.push(VisemeCue {
            viseme,
            start,
            end,
            amount: amount.clamp(0.0, 1.0),
        });
    }
    for entry in list(&value, "phones") {
        timings.phonemes.extend(timed_phoneme(entry));
    }
    let mut found = Vec::new();
    words(&value, None, &mut timings, &mut found, 0);
    add_words(found, &mut timings);
    Ok(timings)
}

fn list<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    let found = value.get(name).and_then(Value::as_array);
    found.into_iter().flatten()
}

fn number(value: &Value) -> Option<f32> {
    match value {
        Value::String(text) => seconds(text),
        other => other.as_f64().and_then(|t| seconds(&t.to_string())),
    }
}

fn field(entry: &Value, names: &[&str]) -> Option<f32> {
    names
        .iter()
        .find_map(|name| entry.get(name).and_then(number))
}

/// Returns start and end for the key names of WhisperX, Gentle, vosk and pocketsphinx (`b` and the duration `d`).
fn times(entry: &Value) -> Option<(f32, f32)> {
    let start = field(entry, &["start", "begin", "b", "t0"])?;
    let end =
        field(entry, &["end", "t1"]).or_else(|| Some(start + field(entry, &["duration", "d"])?))?;
    Some((start, end.max(start)))
}

fn timed_phoneme(entry: &Value) -> Option<TimedPhoneme> {
    let label = entry.get("phone").or_else(|| entry.get("t"))?.as_str()?;
    // Gentle appends the position of the phone in the word.
    let label = label.split_once('_').map_or(label, |(phone, _)| phone);
    let (start, end) = times(entry)?;
    let phone = phoneme(label)?;
    Some(TimedPhoneme {
        phoneme: phone,
        start,
        end,
    })
}

/// Collects words from all lists of them: at the top level, in segments or in alternatives. `segment`: times of the
/// innermost entry around the list.
fn words(
    value: &Value,
    segment: Option<(f32, f32)>,
    timings: &mut SpeechTimings,
    found: &mut Vec<FileWord>,
    depth: usize,
) {
    const MAX_DEPTH: usize = 4;
    if depth > MAX_DEPTH {
        return;
    }
    let lists = ["words", "w", "result", "fragments", "segments"];
    let entries = match value {
        Value::Array(all) => all.iter().collect::<Vec<_>>(),
        // Segments repeat the words of a list next to them.
        _ => {
            let mut all = lists
                .iter()
                .map(|name| list(value, name).collect::<Vec<_>>());
            all.find(|list| !list.is_empty()).unwrap_or_default()
        }
    };
    for entry in entries {
        let text = ["word", "text", "t", "alignedWord"]
            .iter()
            .find_map(|name| entry.get(name)?.as_str());
        let is_nested = ["words", "segments"]
            .iter()
            .any(|name| entry.get(name).is_some_and(Value::is_array));
        let own_times = times(entry);
        let is_word = own_times.is_some() || entry.get("word").is_some();
        if let Some(text) = text.filter(|text| is_word && !is_nested && !super::is_silence(text)) {
            let (start, end) = own_times.unwrap_or_default();
            let mut own = word(text.trim(), start, end);
            own.stress = entry.get("stress").and_then(number);
            own.confidence = field(entry, &["confidence", "conf", "probability", "p"]);
            found.push(FileWord {
                word: own,
                is_timed: own_times.is_some(),
                segment,
            });
        }
        match (text, own_times) {
            (Some(_), Some((start, _))) if !is_nested => {
                let mut at = start;
                for inner in list(entry, "phones").chain(list(entry, "w")) {
                    match timed_phoneme(inner) {
                        Some(timed) => timings.phonemes.push(timed),
                        // Gentle's phones only have durations.
                        None => {
                            let label = inner.get("phone").and_then(Value::as_str);
                            let label = label.and_then(|l| l.split('_').next());
                            let length = field(inner, &["duration"]);
                            if let (Some(label), Some(length)) = (label, length) {
                                timings.phonemes.push(TimedPhoneme {
                                    phoneme: phoneme(label).unwrap_or(Phoneme::Sil),
                                    start: at,
                                    end: at + length,
                                });
                                at += length;
                            }
                        }
                    }
                }
            }
            _ => words(entry, own_times.or(segment), timings, found, depth + 1),
        }
    }
}

/// Writes Galatea's format: timed words, phones and visemes, and the weight of each viseme 60 times a second.
pub fn write(track: &SpeechTrack, mouth: &Mouth, text: &str, sound: &str) -> String {
    let round = |t: f32| (f64::from(t) * 1000.0).round() / 1000.0;
    let words = track.words.iter().map(|word| {
        let mut entry =
            json!({ "word": word.text, "start": round(word.start), "end": round(word.end) });
        if let Some(stress) = word.stress {
            entry["stress"] = json!(round(stress));
        }
        if let Some(confidence) = word.confidence {
            entry["confidence"] = json!(round(confidence));
        }
        entry
    });
    let phones = track.phonemes.iter().map(
        |p| json!({ "phone": p.phoneme.name(), "start": round(p.start), "end": round(p.end) }),
    );
    let cues = track.cues.iter().map(|cue| {
        json!({ "viseme": cue.viseme.name(), "start": round(cue.start), "end": round(cue.end), "amount": round(cue.amount) })
    });
    let n = (track.duration * RATE).ceil() as usize + 1;
    let frames: Vec<_> = (0..n).map(|i| mouth.sample(i as f32 / RATE)).collect();
    let curves = VISEMES.iter().filter_map(|viseme| {
        let values: Vec<f64> = frames.iter().map(|f| round(f[*viseme as usize])).collect();
        let shows = values.iter().any(|value| *value > 0.0);
        shows.then(|| format!("{}: {}", json!(viseme.name()), json!(values)))
    });
    // One entry per line, so that people can read and compare the file.
    let rows = |rows: Vec<String>| {
        if rows.is_empty() {
            String::new()
        } else {
            format!("\n    {}\n  ", rows.join(",\n    "))
        }
    };
    let listed = |entries: Vec<Value>| rows(entries.iter().map(Value::to_string).collect());
    format!(
        "{{\n  \"format\": {},\n  \"sound\": {},\n  \"text\": {},\n  \"duration\": {},\n  \"words\": [{}],\n  \"phones\": [{}],\n  \"visemes\": [{}],\n  \"rate\": {RATE},\n  \"curves\": {{{}}}\n}}\n",
        json!(OWN),
        json!(sound),
        json!(text),
        json!(round(track.duration)),
        listed(words.collect()),
        listed(phones.collect()),
        listed(cues.collect()),
        rows(curves.collect()),
    )
}
