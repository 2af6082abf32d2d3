//! Praat TextGrid: tiers of intervals, in the long and the short form. One tier contains words, one phones, recognised by
//! name or by contents.

use std::fmt::Write as _;

use super::{ExchangeError, SpeechTimings, broken, of_rows, seconds};
use crate::track::SpeechTrack;

const FORMAT: &str = "TextGrid";
/// Maximum number of tiers in a file.
const MAX_TIERS: usize = 64;

struct Tier {
    name: String,
    rows: Vec<(f32, f32, String)>,
}

/// A value in a TextGrid: text, number or flag. Keys are skipped.
enum TextGridToken {
    Text(String),
    Number(f32),
    Flag,
}

pub(super) fn read(text: &str) -> Result<SpeechTimings, ExchangeError> {
    let tokens = tokens(text)?;
    let mut at = 0;
    let mut next = || {
        at += 1;
        tokens.get(at - 1)
    };
    let cut = |line: usize| broken(FORMAT, format!("line {line}: unexpected end of the file"));
    let last_line = text.lines().count();
    // The header contains the file type, the object class, the times, the tier flag, and the number of tiers.
    let mut tiers: Vec<Tier> = Vec::new();
    let mut skipped = 0;
    while let Some((token, line)) = next() {
        let TextGridToken::Text(class) = token else {
            continue;
        };
        let is_intervals = class == "IntervalTier";
        if !is_intervals && class != "TextTier" {
            skipped += 1;
            if skipped > MAX_TIERS {
                return Err(broken(FORMAT, format!("line {line}: expected a tier")));
            }
            continue;
        }
        let Some((TextGridToken::Text(name), _)) = next() else {
            return Err(broken(FORMAT, format!("line {line}: the tier has no name")));
        };
        let mut number = || match next() {
            Some((TextGridToken::Number(n), _)) => Ok(*n),
            Some((_, line)) => Err(broken(FORMAT, format!("line {line}: expected a number"))),
            None => Err(cut(last_line)),
        };
        let (_, _, n) = (number()?, number()?, number()?);
        let mut tier = Tier {
            name: name.clone(),
            rows: Vec::new(),
        };
        for _ in 0..n as usize {
            let mut number = || match next() {
                Some((TextGridToken::Number(n), _)) => Ok(*n),
                Some((_, line)) => Err(broken(FORMAT, format!("line {line}: expected a number"))),
                None => Err(cut(last_line)),
            };
            let start = number()?;
            let end = if is_intervals { number()? } else { start };
            let Some((TextGridToken::Text(label), _)) = next() else {
                return Err(cut(last_line));
            };
            tier.rows.push((start, end, label.clone()));
        }
        if is_intervals && tiers.len() < MAX_TIERS {
            tiers.push(tier);
        }
    }
    Ok(of_tiers(&tiers))
}

/// Takes words and phones from the tiers with these names; the first matching tier counts, so one speaker is read.
fn of_tiers(tiers: &[Tier]) -> SpeechTimings {
    let tier_named = |names: &[&str]| {
        tiers.iter().find(|tier| {
            let name = tier.name.to_lowercase();
            names.iter().any(|own| name.contains(own))
        })
    };
    let mut timings = SpeechTimings::default();
    if let Some(tier) = tier_named(&["word"]) {
        for (start, end, label) in &tier.rows {
            if !super::is_silence(label) {
                timings.words.push(super::word(label.trim(), *start, *end));
            }
        }
    }
    if let Some(tier) = tier_named(&["phone", "phoneme", "segment"]) {
        for (start, end, label) in &tier.rows {
            // An unknown label is noise, which counts as silence.
            let phone = super::phoneme(label).unwrap_or(crate::phoneme::Phoneme::Sil);
            timings.phonemes.push(crate::phoneme::TimedPhoneme {
                phoneme: phone,
                start: *start,
                end: end.max(*start),
            });
        }
    }
    if timings.words.is_empty() && timings.phonemes.is_empty() {
        for tier in tiers {
            let other = of_rows(&tier.rows);
            if timings.words.is_empty() {
                timings.words = other.words;
            }
            if timings.phonemes.is_empty() {
                timings.phonemes = other.phonemes;
            }
            if timings.cues.is_empty() {
                timings.cues = other.cues;
            }
        }
    }
    timings.duration = tiers
        .iter()
        .filter_map(|tier| tier.rows.last())
        .map(|row| row.1)
        .reduce(f32::max);
    timings
}

fn tokens(text: &str) -> Result<Vec<(TextGridToken, usize)>, ExchangeError> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    let mut line = 1;
    let mut word = String::new();
    let mut in_brackets = false;
    let finish = |word: &mut String, line: usize, out: &mut Vec<(TextGridToken, usize)>| {
        if word.starts_with('<') {
            out.push((TextGridToken::Flag, line));
        } else if let Some(n) = seconds(word) {
            out.push((TextGridToken::Number(n), line));
        }
        word.clear();
    };
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                let mut inside = String::new();
                let begun = line;
                loop {
                    match chars.next() {
                        Some('"') if chars.peek() == Some(&'"') => {
                            chars.next();
                            inside.push('"');
                        }
                        Some('"') => break,
                        Some(c) => {
                            line += usize::from(c == '\n');
                            inside.push(if c == '\n' { ' ' } else { c });
                        }
                        None => {
                            let what = format!("line {begun}: the string has no end");
                            return Err(broken(FORMAT, what));
                        }
                    }
                }
                out.push((TextGridToken::Text(inside), begun));
                word.clear();
            }
            // `intervals [3]:` and `item []:` are keys.
            '[' => in_brackets = true,
            ']' => {
                in_brackets = false;
                word.clear();
            }
            c if c.is_whitespace() || c == '=' || c == ':' => {
                finish(&mut word, line, &mut out);
                line += usize::from(c == '\n');
            }
            c if !in_brackets => word.push(c),
            _ => {}
        }
    }
    finish(&mut word, line, &mut out);
    Ok(out)
}

/// Writes words and phones as two tiers, in the long form.
pub fn write(track: &SpeechTrack) -> String {
    let duration = track.duration;
    let words = track
        .words
        .iter()
        .map(|word| (word.start, word.end, word.text.as_str()));
    let phones = track
        .phonemes
        .iter()
        .map(|phone| (phone.start, phone.end, phone.phoneme.name()));
    let tiers = [
        ("words", filled(words, duration)),
        ("phones", filled(phones, duration)),
    ];
    let mut out = "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\n".to_owned();
    let _ = write!(
        out,
        "xmin = 0\nxmax = {duration}\ntiers? <exists>\nsize = {}\nitem []:\n",
        tiers.len()
    );
    for (i, (name, rows)) in tiers.iter().enumerate() {
        let _ = write!(
            out,
            "    item [{}]:\n        class = \"IntervalTier\"\n        name = \"{name}\"\n        xmin = 0\n        xmax = {duration}\n        intervals: size = {}\n",
            i + 1,
            rows.len()
        );
        for (j, (start, end, label)) in rows.iter().enumerate() {
            let _ = write!(
                out,
                "        intervals [{}]:\n            xmin = {start}\n            xmax = {end}\n            text = \"{}\"\n",
                j + 1,
                label.replace('"', "\"\"")
            );
        }
    }
    out
}

/// Fills gaps with empty intervals, because Praat's tiers have no gaps.
fn filled<'a>(
    rows: impl Iterator<Item = (f32, f32, &'a str)>,
    duration: f32,
) -> Vec<(f32, f32, String)> {
    let mut out: Vec<(f32, f32, String)> = Vec::new();
    let mut at = 0.0;
    for (start, end, label) in rows {
        let start = start.max(at);
        if end <= start {
            continue;
        }
        if start > at {
            out.push((at, start, String::new()));
        }
        let label = if label == "SIL" { "" } else { label };
        out.push((start, end, label.to_owned()));
        at = end;
    }
    if at < duration {
        out.push((at, duration, String::new()));
    }
    out
}
