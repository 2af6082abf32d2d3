//! Import and export of lip-sync data: words, phones and mouth shapes with times, in the formats of other programs.
//!
//! | file | contents |
//! |---|---|
//! | `.json` | Galatea's; Rhubarb's `mouthCues`; words with `start` and `end` (Whisper, Gentle, WhisperX, vosk), pocketsphinx's `w` |
//! | `.tsv`, `.txt`, `.lab` | Rhubarb's `time shape`; `start end label` (Audacity's labels, HTK's in units of 100 ns, Galatea's) |
//! | `.xml` | Rhubarb's |
//! | `.TextGrid` | Praat's, long and short, also of the Montreal Forced Aligner |
//!
//! Times are seconds. Data that does not fit the sound's duration, such as times in milliseconds, is rejected.

mod json;
mod labels;
mod rhubarb;
mod table;
mod textgrid;
mod untimed;

pub use json::write as write_json;
pub use rhubarb::{RhubarbShape, SHAPES, shape_of};
pub use table::write as write_tsv;
pub use textgrid::write as write_textgrid;

use super::phoneme::{Phoneme, TimedPhoneme};
use super::text::ipa;
use super::track::{Curves, SpeechTrack, TimedWord, VisemeCue};
use labels::{is_silence, of_rows};

/// Data read from a file; any of it can be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeechTimings {
    /// Spoken text.
    pub text: Option<String>,
    /// Duration of the sound, seconds, if the file gives it.
    pub duration: Option<f32>,
    /// Words in order of time.
    pub words: Vec<TimedWord>,
    /// Phones in order of time.
    pub phonemes: Vec<TimedPhoneme>,
    /// Viseme cues in order of time.
    pub cues: Vec<VisemeCue>,
    /// Viseme weights over time, from a file that contains them.
    pub curves: Curves,
    /// Assumptions made about the file, as messages.
    pub warnings: Vec<String>,
}

/// An error in a lip-sync file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExchangeError {
    /// Unknown format.
    #[error(
        "the file has no speech timing; use Rhubarb (JSON, TSV or XML), TextGrid, timed words in JSON, a label file, \
         or Galatea's own JSON"
    )]
    Unknown,
    /// Known format, but invalid contents.
    #[error("{format}: {what}")]
    Broken {
        /// Name of the format.
        format: &'static str,
        /// Message, with the line number if there is one.
        what: String,
    },
    /// The data is much longer than the sound.
    #[error(
        "the timing ends at {last:.1} s, but the sound is {sound:.1} s long; check that the times are seconds and \
         belong to this recording"
    )]
    TooLong {
        /// Time of the last entry, seconds.
        last: f32,
        /// Duration of the sound, seconds.
        sound: f32,
    },
}

fn broken(format: &'static str, what: impl Into<String>) -> ExchangeError {
    ExchangeError::Broken {
        format,
        what: what.into(),
    }
}

/// Reads a file and detects its format from the contents.
///
/// # Errors
/// Returns an error if the format is unknown or the contents are invalid.
pub fn read(bytes: &[u8]) -> Result<SpeechTimings, ExchangeError> {
    let text = decoded(bytes);
    let start = text.trim_start();
    let mut timings = if start.starts_with(['{', '[']) {
        json::read(start)?
    } else if start.starts_with('<') {
        rhubarb::read_xml(start)?
    } else if start.contains("ooTextFile") {
        textgrid::read(start)?
    } else {
        table::read(start)?
    };
    timings.words.sort_by(|a, b| a.start.total_cmp(&b.start));
    timings.phonemes.sort_by(|a, b| a.start.total_cmp(&b.start));
    timings.cues.sort_by(|a, b| a.start.total_cmp(&b.start));
    if timings.words.is_empty() && timings.phonemes.is_empty() && timings.cues.is_empty() {
        return Err(ExchangeError::Unknown);
    }
    timings.order_ends();
    Ok(timings)
}

impl SpeechTimings {
    /// Moves ends that are before their starts to the starts, and adds a warning.
    fn order_ends(&mut self) {
        let words = self
            .words
            .iter_mut()
            .map(|word| (word.start, &mut word.end));
        let phones = self
            .phonemes
            .iter_mut()
            .map(|phone| (phone.start, &mut phone.end));
        let cues = self.cues.iter_mut().map(|cue| (cue.start, &mut cue.end));
        let mut n_moved = 0;
        for (start, end) in words.chain(phones).chain(cues) {
            if *end < start {
                *end = start;
                n_moved += 1;
            }
        }
        if n_moved > 0 {
            let entries = if n_moved == 1 { "entry" } else { "entries" };
            let text = format!(
                "{n_moved} {entries} with an end before the start; the duration is set to 0"
            );
            self.warnings.push(text);
        }
    }
}

impl SpeechTimings {
    /// Returns the end of the last entry, seconds.
    pub fn last(&self) -> f32 {
        let words = self.words.iter().map(|word| word.end);
        let phones = self.phonemes.iter().map(|phone| phone.end);
        let cues = self.cues.iter().map(|cue| cue.end);
        let curves = self.curves.frames.len() as f32 / self.curves.rate.max(1.0);
        words.chain(phones).chain(cues).fold(curves, f32::max)
    }

    /// Converts to a track for a sound of the given duration, seconds. The mouth uses the cues if there are any, else
    /// the phones.
    ///
    /// # Errors
    /// Returns an error when the data is more than twice as long as the sound.
    pub fn track(self, duration: f32) -> Result<SpeechTrack, ExchangeError> {
        let last = self.last();
        if last > 2.0 * duration + 0.5 {
            let sound = duration;
            return Err(ExchangeError::TooLong { last, sound });
        }
        let cues = self.cues;
        let mut track = SpeechTrack::from_phonemes(duration, self.words, self.phonemes);
        if !cues.is_empty() {
            track.cues = cues;
        }
        Ok(track)
    }
}

/// Decodes UTF-8, or UTF-16 with a byte order mark; Praat writes both.
fn decoded(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Parses a time in seconds or in HTK units.
fn seconds(text: &str) -> Option<f32> {
    let t: f32 = text.trim().parse().ok()?;
    (t.is_finite() && (0.0..1e12).contains(&t)).then_some(t)
}

/// Parses a phone label in ARPAbet or IPA.
fn phoneme(label: &str) -> Option<Phoneme> {
    Phoneme::from_arpabet(label).or_else(|| ipa::phoneme(label))
}

fn word(text: &str, start: f32, end: f32) -> TimedWord {
    TimedWord {
        text: text.to_owned(),
        start,
        end: end.max(start),
        range: None,
        stress: None,
        confidence: None,
    }
}

#[cfg(test)]
mod tests;
