//! Plans a line from a text, a recording or both.

use std::sync::Arc;

use super::acoustic::features::to_mono;
use super::acoustic::live::{Live, LiveMouth, LiveOptions};
use super::acoustic::{aligned, likelihoods_by, network, recognised};
use super::amplitude::{AmplitudeOptions, VisemeKey, amplitude_keys, cues_of_keys};
use super::exchange::SpeechTimings;
use super::lag::loudness;
use super::loudness::leveling;
use super::marks::Marked;
use super::placed::placed;
use super::silent;
use super::text::{Pronouncer, SpokenWord, timing};
use super::track::{Curves, SpeechTrack};

/// A decoded recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Interleaved samples, -1..1.
    pub samples: Arc<[f32]>,
    /// Sample rate, Hz.
    pub rate: u32,
    /// Number of channels, at least 1.
    pub channels: u16,
    /// Timing data from a file of the same name.
    pub timings: Option<Arc<SpeechTimings>>,
}

impl Recording {
    /// Returns the duration, seconds.
    pub fn duration(&self) -> f32 {
        let frames = self.samples.len() / usize::from(self.channels.max(1));
        frames as f32 / self.rate.max(1) as f32
    }
}

/// The lip-sync method for a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LipSync {
    /// The best method for the data at hand.
    #[default]
    Auto,
    /// Loudness only.
    Amplitude,
    /// As in live recognition, without look-ahead.
    Live,
}

/// Options of [`plan`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanOptions {
    /// Speech rate of a line without a recording; 1 is normal.
    pub rate: f32,
    /// The lip-sync method for a recording.
    pub lipsync: LipSync,
    /// Normalises the loudness of recordings.
    pub level: bool,
}

/// The result of [`plan`].
#[derive(Clone, Debug, PartialEq)]
pub struct SpeechPlan {
    /// Words, phones and visemes.
    pub track: SpeechTrack,
    /// Viseme keys from loudness, which replace the track's mouth.
    pub keys: Option<Vec<VisemeKey>>,
    /// Gain for the recording, linear.
    pub gain: f32,
    /// Loudness of the recording 100 times a second, relative to its maximum, 0..=1; empty without a recording.
    pub loudness: Vec<f32>,
    /// Warnings: parts of the text that are not pronounced, and assumptions about a timing file.
    pub warnings: Vec<String>,
}

/// Plans a line: pronounces its text, aligns it to the recording, and finds the mouth shapes. A text without anything to
/// pronounce becomes silence for its reading time, with a warning.
///
/// # Errors
/// Returns a message when there is no text, mark or recording, or when a timing file belongs to another recording.
pub fn plan(
    marked: &Marked,
    recording: Option<&Recording>,
    options: &PlanOptions,
    reader: &Pronouncer,
) -> Result<SpeechPlan, String> {
    plan_telling(marked, recording, options, reader, &mut |_| {})
}

/// Works like [`plan`], and reports the progress on a recording, 0..=1.
///
/// # Errors
/// Fails like [`plan`].
pub fn plan_telling(
    marked: &Marked,
    recording: Option<&Recording>,
    options: &PlanOptions,
    reader: &Pronouncer,
    progress: &mut dyn FnMut(f32),
) -> Result<SpeechPlan, String> {
    let words = reader.spoken(&marked.text);
    let Some(recording) = recording else {
        return without_recording(marked, &words, options, reader);
    };
    let (samples, channels) = (&recording.samples[..], usize::from(recording.channels));
    let duration = recording.duration();
    let gain = if options.level {
        leveling(samples, channels, recording.rate)
    } else {
        1.0
    };
    let by_loudness = options.lipsync == LipSync::Amplitude;
    let mut heard = || {
        let mono = to_mono(samples, channels, recording.rate);
        likelihoods_by(network(), &mono, progress)
    };
    let mut warnings = Vec::new();
    let mut track = if let (Some(told), LipSync::Auto) = (&recording.timings, options.lipsync) {
        warnings.clone_from(&told.warnings);
        placed(told, (&marked.text, &words), reader, duration, &mut heard)
            .map_err(|error| error.to_string())?
    } else if words.is_empty() && by_loudness {
        SpeechTrack::default()
    } else {
        let likely = heard();
        let found = match words.is_empty() {
            true => Some(recognised(&likely, duration)),
            false => aligned(&likely, &words, duration),
        };
        found.unwrap_or_else(|| {
            let [from, to] = voiced(samples, channels, recording.rate);
            timing::fitted(&timing::estimated(&words, 1.0, &[]), from, to, duration)
        })
    };
    track.duration = duration;
    if options.lipsync == LipSync::Live {
        track.curves = live_curves(samples, channels, recording.rate);
        track.cues = track.curves.cues();
    }
    let keys = by_loudness.then(|| {
        amplitude_keys(
            samples,
            channels,
            recording.rate,
            &AmplitudeOptions::default(),
        )
    });
    if let Some(keys) = &keys {
        track.cues = cues_of_keys(keys, duration);
    }
    Ok(SpeechPlan {
        track,
        keys,
        gain,
        loudness: loudness(samples, channels, recording.rate),
        warnings,
    })
}

fn without_recording(
    marked: &Marked,
    words: &[SpokenWord],
    options: &PlanOptions,
    reader: &Pronouncer,
) -> Result<SpeechPlan, String> {
    if marked.text.is_empty() && marked.marks.is_empty() {
        return Err("the text is empty: expected words or marks".to_owned());
    }
    let pauses = marked.pauses();
    let is_pause = marked.text.is_empty() && !pauses.is_empty();
    let track = if words.is_empty() && !is_pause {
        silent::track(marked)
    } else {
        timing::estimated(words, options.rate, &pauses)
    };
    Ok(SpeechPlan {
        track,
        keys: None,
        gain: 1.0,
        loudness: Vec::new(),
        warnings: silent::warning(marked, words, reader).into_iter().collect(),
    })
}

/// Returns the mouth curves of live recognition with full look-ahead.
fn live_curves(samples: &[f32], channels: usize, rate: u32) -> Curves {
    let mut live = Live::new(LiveOptions::KNOWN);
    let mut found = Vec::new();
    live.hear(network(), samples, channels, rate, &mut found);
    let mut mouth = LiveMouth::default();
    let frames = found.iter().map(|found| {
        mouth.take_in(found);
        mouth.weights()
    });
    // Compensates the known latency of the mouth.
    Curves {
        rate: 100.0,
        frames: frames.skip(LiveMouth::LATENCY_FRAMES).collect(),
    }
}

/// Returns start and end of the audible part, seconds.
fn voiced(samples: &[f32], channels: usize, rate: u32) -> [f32; 2] {
    let channels = channels.max(1);
    let window = (rate as usize / 50).max(1) * channels;
    let level = |window: &[f32]| {
        let sum: f32 = window.iter().filter(|s| s.is_finite()).map(|s| s * s).sum();
        (sum / window.len().max(1) as f32).sqrt()
    };
    let levels: Vec<f32> = samples.chunks(window).map(level).collect();
    let loudest = levels.iter().copied().fold(0.0, f32::max);
    let is_heard = |level: &f32| *level > 0.06 * loudest && *level > 1e-4;
    let seconds = |i: usize| (i * window / channels) as f32 / rate.max(1) as f32;
    let all = seconds(levels.len());
    match (
        levels.iter().position(is_heard),
        levels.iter().rposition(is_heard),
    ) {
        (Some(first), Some(last)) => [seconds(first), seconds(last + 1).min(all)],
        _ => [0.0, all],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::parse;
    use crate::viseme::Viseme;

    const OPTIONS: PlanOptions = PlanOptions {
        rate: 1.0,
        lipsync: LipSync::Auto,
        level: true,
    };

    fn plan(
        marked: &Marked,
        recording: Option<&Recording>,
        options: &PlanOptions,
    ) -> Result<SpeechPlan, String> {
        super::plan(marked, recording, options, &Pronouncer::default())
    }

    fn recording(parts: &[(f32, f32)]) -> Recording {
        let rate = 16_000;
        let samples = parts.iter().flat_map(|(seconds, amplitude)| {
            let n = (seconds * rate as f32) as usize;
            (0..n).map(move |i| amplitude * (i as f32 * 0.15).sin())
        });
        Recording {
            samples: samples.collect(),
            rate,
            channels: 1,
            timings: None,
        }
    }

    #[test]
    fn a_text_without_a_recording_is_timed_with_its_pauses() {
        let plain = plan(&parse("Come in.").unwrap(), None, &OPTIONS).unwrap();
        let paused = plan(&parse("Come {pause 0.7}in.").unwrap(), None, &OPTIONS).unwrap();
        let by_value = plan(&parse("Come {pause=0.7} in.").unwrap(), None, &OPTIONS).unwrap();
        assert!((paused.track.duration - plain.track.duration - 0.7).abs() < 1e-3);
        assert!((by_value.track.duration - paused.track.duration).abs() < 1e-3);
        assert_eq!(plain.track.words.len(), 2);
        assert!(plan(&parse("").unwrap(), None, &OPTIONS).is_err());
        let pause = plan(&parse("{pause 1}").unwrap(), None, &OPTIONS).unwrap();
        assert_eq!(pause.warnings, [""; 0]);
    }

    #[test]
    fn an_unpronounceable_text_is_silence_for_its_reading_time_with_a_warning() {
        for (text, seconds, words) in [
            ("…", 1.05, ["Common script", "English"]),
            ("🙂 !?", 1.4, ["Common script", "English"]),
            ("{smile}", 0.7, ["no text", "English"]),
            ("{smile}…{pause 0.5}", 1.55, ["Common script", "English"]),
            ("Как вы поживаете?", 1.75, ["Cyrillic script", "English"]),
            (
                "你好，世界，我们走吧",
                2.3,
                ["Han (Chinese, Japanese) script", "English"],
            ),
            ("مرحبا", 1.05, ["Arabic script", "English"]),
        ] {
            let silent = plan(&parse(text).unwrap(), None, &OPTIONS).unwrap();
            assert!((silent.track.duration - seconds).abs() < 1e-3, "{text}");
            assert!(silent.track.words.is_empty(), "{text}");
            assert!(
                silent
                    .track
                    .cues
                    .iter()
                    .all(|cue| cue.viseme == Viseme::Sil)
            );
            let [warning] = &silent.warnings[..] else {
                panic!("{text}: {:?}", silent.warnings)
            };
            assert!(words.iter().all(|word| warning.contains(word)), "{warning}");
        }
        let mixed = plan(&parse("Hello, мир!").unwrap(), None, &OPTIONS).unwrap();
        assert_eq!(mixed.track.words.len(), 1);
        assert_eq!(
            mixed.warnings,
            ["\"мир\" is in Cyrillic script, which English cannot pronounce; it is left out"]
        );
        let plain = plan(&parse("Café — naïve, 5 km!").unwrap(), None, &OPTIONS).unwrap();
        assert_eq!(plain.warnings, [""; 0]);
        let spanish = Pronouncer {
            language: crate::text::language::language("es", &[]).unwrap(),
            ..Pronouncer::default()
        };
        let greek = super::plan(&parse("Γεια").unwrap(), None, &OPTIONS, &spanish).unwrap();
        assert!(greek.warnings[0].contains("Greek script, which Spanish cannot pronounce"));
    }

    #[test]
    fn assumed_times_of_a_timing_file_give_warnings() {
        let file = br#"{"words": [{"word": "come", "start": 0.1, "end": 0.4}, {"word": "in"}]}"#;
        let told = crate::exchange::read(file).unwrap();
        let recording = Recording {
            timings: Some(Arc::new(told)),
            ..recording(&[(1.0, 0.3)])
        };
        let planned = plan(&parse("Come in").unwrap(), Some(&recording), &OPTIONS).unwrap();
        assert_eq!(planned.track.words.len(), 2);
        assert!(planned.warnings[0].starts_with("1 of 2 words have no times"));
    }

    #[test]
    fn words_are_aligned_to_a_recording_and_amplitude_mode_has_keys() {
        let heard = recording(&[(0.5, 0.0), (1.0, 0.4), (0.7, 0.0)]);
        let made = plan(&parse("Come in").unwrap(), Some(&heard), &OPTIONS).unwrap();
        assert!((made.track.duration - 2.2).abs() < 1e-3);
        assert!(
            made.track
                .words
                .iter()
                .all(|word| word.confidence.is_some())
        );
        assert!(made.keys.is_none() && made.gain < 1.0);
        let options = PlanOptions {
            lipsync: LipSync::Amplitude,
            ..OPTIONS
        };
        let by_loudness = plan(&parse("Come in").unwrap(), Some(&heard), &options).unwrap();
        assert_eq!(by_loudness.keys.map(|keys| keys.len()), Some(22));
        let silent = plan(
            &parse("").unwrap(),
            Some(&recording(&[(1.0, 0.0)])),
            &OPTIONS,
        )
        .unwrap();
        assert!(
            silent
                .track
                .cues
                .iter()
                .all(|cue| cue.viseme == Viseme::Sil)
        );
        assert_eq!(silent.gain, 1.0);
    }
}
