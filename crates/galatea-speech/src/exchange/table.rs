//! Rows of times and labels: Rhubarb's TSV, Audacity labels, HTK labels, and Galatea's.

use std::fmt::Write as _;

use super::rhubarb::RhubarbShape;
use super::{ExchangeError, SpeechTimings, broken, of_rows, seconds};
use crate::track::{SpeechTrack, VisemeCue};
use crate::viseme::Viseme;

const FORMAT: &str = "timing table";
/// Seconds per HTK time unit (100 ns).
const HTK_UNIT: f32 = 1e-7;

pub(super) fn read(text: &str) -> Result<SpeechTimings, ExchangeError> {
    let mut changes: Vec<(f32, RhubarbShape)> = Vec::new();
    let mut rows: Vec<(f32, f32, String)> = Vec::new();
    let mut amounts: Vec<VisemeCue> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        // The first row may contain column names.
        let is_head = i == 0 && line.starts_with(|c: char| c.is_alphabetic());
        if line.is_empty() || line.starts_with('#') || is_head {
            continue;
        }
        let mut words = line.split_whitespace();
        let first = words.next().and_then(seconds);
        let Some(first) = first else {
            // No row was valid so far, so it is another kind of file.
            return Err(match (rows.is_empty(), changes.is_empty()) {
                (true, true) => ExchangeError::Unknown,
                _ => broken(FORMAT, format!("line {}: expected a time first", i + 1)),
            });
        };
        let rest: Vec<&str> = words.collect();
        match rest.as_slice() {
            [letter] if rows.is_empty() => match RhubarbShape::from_letter(letter) {
                Some(shape) => changes.push((first, shape)),
                None => {
                    let what = format!(
                        "line {}: unknown shape {letter:?}; expected A to H, or X",
                        i + 1
                    );
                    return Err(broken(FORMAT, what));
                }
            },
            [end, label @ ..] => {
                let Some(end) = seconds(end) else {
                    let what = format!("line {}: expected an end time after the start time", i + 1);
                    return Err(broken(FORMAT, what));
                };
                if let [name, amount] = label
                    && let (Some(viseme), Some(amount)) = (Viseme::from_name(name), seconds(amount))
                {
                    amounts.push(VisemeCue {
                        viseme,
                        start: first,
                        end: end.max(first),
                        amount: amount.min(1.0),
                    });
                }
                rows.push((first, end, label_of(label)));
            }
            [] => {
                return Err(broken(
                    FORMAT,
                    format!("line {}: the label is missing", i + 1),
                ));
            }
        }
    }
    if rows.is_empty() {
        return Ok(of_changes(&changes));
    }
    if amounts.len() == rows.len() {
        return Ok(SpeechTimings {
            cues: amounts,
            ..SpeechTimings::default()
        });
    }
    let last = rows.iter().map(|row| row.1).fold(0.0, f32::max);
    // Times above two hours can only be in HTK units.
    if last > 7200.0 {
        for row in &mut rows {
            (row.0, row.1) = (row.0 * HTK_UNIT, row.1 * HTK_UNIT);
        }
    }
    Ok(of_rows(&rows))
}

/// Returns the label of a row: words, or the centre phone of an HTK full-context label (`a^b-c+d=e`).
fn label_of(words: &[&str]) -> String {
    let whole = words.join(" ");
    let middle = whole
        .split_once('^')
        .and_then(|(_, rest)| rest.split_once('-')?.1.split_once('+'));
    middle.map_or(whole.clone(), |(phone, _)| phone.to_owned())
}

/// Each shape lasts until the next one; the last row is the end.
fn of_changes(changes: &[(f32, RhubarbShape)]) -> SpeechTimings {
    let cues = changes
        .windows(2)
        .map(|pair| pair[0].1.cue(pair[0].0, pair[1].0.max(pair[0].0)));
    SpeechTimings {
        duration: changes.last().map(|change| change.0),
        cues: cues.collect(),
        ..SpeechTimings::default()
    }
}

/// Writes viseme cues as rows of start, end, viseme and amount, with a header row.
pub fn write(track: &SpeechTrack) -> String {
    let mut out = "start\tend\tviseme\tamount\n".to_owned();
    for cue in &track.cues {
        let _ = writeln!(
            out,
            "{:.3}\t{:.3}\t{}\t{:.2}",
            cue.start,
            cue.end,
            cue.viseme.name(),
            cue.amount
        );
    }
    out
}
