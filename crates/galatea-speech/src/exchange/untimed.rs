//! Words of a file without times: recognisers omit the times of words that they did not find in the sound.

use super::SpeechTimings;
use crate::track::TimedWord;

/// Duration of a letter, seconds, for words at the edges of a file.
const LETTER_S: f32 = 0.07;
/// Maximum number of words named in a warning.
const MAX_NAMED: usize = 5;

/// A word of a file.
pub(super) struct FileWord {
    /// The word; `start` and `end` are 0 if it has no times.
    pub word: TimedWord,
    /// The file has times for the word.
    pub is_timed: bool,
    /// Start and end of the segment that contains the word, seconds.
    pub segment: Option<(f32, f32)>,
}

/// Adds the words of a file in order. Words without times split the time between their neighbours in proportion to their
/// lengths, and a warning is added.
pub(super) fn add_words(words: Vec<FileWord>, timings: &mut SpeechTimings) {
    // No information about the position of any word.
    if words
        .iter()
        .all(|word| !word.is_timed && word.segment.is_none())
    {
        return;
    }
    let placed: Vec<&str> = words
        .iter()
        .filter(|word| !word.is_timed)
        .map(|word| word.word.text.as_str())
        .collect();
    if !placed.is_empty() {
        let named = placed.iter().take(MAX_NAMED).copied().collect::<Vec<_>>();
        let more = if placed.len() > MAX_NAMED {
            ", …"
        } else {
            ""
        };
        timings.warnings.push(format!(
            "{} of {} words have no times and were placed between their neighbours: {}{more}",
            placed.len(),
            words.len(),
            named.join(", ")
        ));
    }
    // Start of the next timed word, for each word.
    let mut next_start = vec![None; words.len() + 1];
    for (i, word) in words.iter().enumerate().rev() {
        next_start[i] = if word.is_timed {
            Some(word.word.start)
        } else {
            next_start[i + 1]
        };
    }
    let mut rest = words.as_slice();
    while let Some(first) = rest.first() {
        if first.is_timed {
            timings.words.push(first.word.clone());
            rest = &rest[1..];
            continue;
        }
        let in_run = |word: &&FileWord| !word.is_timed && word.segment == first.segment;
        let (run, after) = rest.split_at(rest.iter().take_while(in_run).count());
        let next = next_start[words.len() - after.len()];
        let (start, end) = room(run, timings, next);
        distribute(run, start, end, &mut timings.words);
        rest = after;
    }
}

/// Returns the time range for a run of words without times, seconds.
fn room(run: &[FileWord], timings: &SpeechTimings, next: Option<f32>) -> (f32, f32) {
    let segment = run.first().and_then(|word| word.segment);
    let length = LETTER_S * run.iter().map(n_letters).sum::<f32>();
    let before = timings.words.last().map(|word| word.end);
    let start = match (before, segment) {
        (Some(before), Some((start, _))) => before.max(start),
        (Some(before), None) => before,
        (None, Some((start, _))) => start,
        (None, None) => next.map_or(0.0, |next| (next - length).max(0.0)),
    };
    let end = match (next, segment) {
        (Some(next), Some((_, end))) => next.min(end),
        (Some(next), None) => next,
        (None, Some((_, end))) => end,
        (None, None) => (start + length).min(timings.duration.unwrap_or(f32::MAX)),
    };
    (start, end.max(start))
}

fn n_letters(word: &FileWord) -> f32 {
    word.word.text.chars().count().max(1) as f32
}

fn distribute(run: &[FileWord], start: f32, end: f32, words: &mut Vec<TimedWord>) {
    let all: f32 = run.iter().map(n_letters).sum();
    let mut n_before = 0.0;
    let at = |n: f32| start + (end - start) * n / all;
    for word in run {
        let n_after = n_before + n_letters(word);
        words.push(TimedWord {
            start: at(n_before),
            end: at(n_after),
            ..word.word.clone()
        });
        n_before = n_after;
    }
}
