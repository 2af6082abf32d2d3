//! Decodes sound files to samples.

use std::io::Cursor;
use std::sync::Arc;

use rodio::{Decoder, Source};

use super::tags;
use super::wav_reader;

/// Maximum duration of a sound, seconds.
pub const MAX_SECONDS: f64 = 600.0;
/// Valid sample rates, Hz.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=192_000;
/// Samples of float files are clamped to this amplitude.
const MAX_SAMPLE: f32 = 64.0;

/// Decoded samples, shared by everything that plays them.
///
/// Invariants: 1 or 2 channels, 4 to 192 kHz, at least one frame, every sample finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    name: String,
    sample_rate: u32,
    channels: u16,
    samples: Arc<[f32]>,
}

/// Reason why a sound cannot be created. The message names the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SoundError {
    /// No header of a known format.
    #[error("`{0}` is not a sound file; use wav, ogg (Vorbis), mp3 or flac")]
    NotASound(String),
    /// Known header, but the rest cannot be read.
    #[error("`{name}` is a damaged or unsupported {format} file: {cause}")]
    Damaged {
        /// Name of the file.
        name: String,
        /// Format, from the header.
        format: &'static str,
        /// Message with the cause.
        cause: String,
    },
    /// Longer than [`MAX_SECONDS`].
    #[error("`{0}` is longer than the limit of 10 minutes")]
    TooLong(String),
    /// More than two channels, or an unsupported sample rate.
    #[error("`{name}` has {what}; use mono or stereo with 4000 to 192000 Hz")]
    Unplayable {
        /// Name of the file.
        name: String,
        /// Unsupported property.
        what: String,
    },
}

impl Sound {
    /// Creates a sound from samples in -1..1, interleaved for stereo. NaN samples become silence, and an incomplete last
    /// frame is left out.
    pub fn new(
        name: impl Into<String>,
        sample_rate: u32,
        channels: u16,
        mut samples: Vec<f32>,
    ) -> Result<Self, SoundError> {
        let name = name.into();
        let unplayable = |name, what| Err(SoundError::Unplayable { name, what });
        if !RATES.contains(&sample_rate) {
            return unplayable(name, format!("{sample_rate} samples per second"));
        }
        if !(1..=2).contains(&channels) {
            return unplayable(name, format!("{channels} channels"));
        }
        samples.truncate(samples.len() - samples.len() % usize::from(channels));
        if samples.is_empty() {
            return unplayable(name, "no samples".to_owned());
        }
        if samples.len() as f64 > MAX_SECONDS * f64::from(sample_rate) * f64::from(channels) {
            return Err(SoundError::TooLong(name));
        }
        for sample in &mut samples {
            *sample = match *sample {
                s if s.is_nan() => 0.0,
                s => s.clamp(-MAX_SAMPLE, MAX_SAMPLE),
            };
        }
        Ok(Self {
            name,
            sample_rate,
            channels,
            samples: samples.into(),
        })
    }

    /// Decodes the bytes of a wav, ogg (Vorbis), mp3 or flac file. Wav files may be PCM, float, A-law or µ-law, including
    /// streamed files without a data size. 8 to 24 bit integers and 32 bit floats are decoded exactly: an integer sample `i`
    /// of `n` bits becomes `i / 2^(n-1)`. `name` is used in errors and lists.
    pub fn decode(name: &str, bytes: &[u8]) -> Result<Self, SoundError> {
        let Some(format) = sniff(bytes) else {
            return Err(SoundError::NotASound(name.to_owned()));
        };
        let damaged = |cause: String| SoundError::Damaged {
            name: name.to_owned(),
            format,
            cause,
        };
        if format == "wav" {
            let wav = wav_reader::read(bytes).map_err(damaged)?;
            return Self::new(name, wav.rate, wav.channels, wav.samples);
        }
        if format == "ogg" && !ogg_is_complete(bytes) {
            return Err(damaged("the file was cut off".to_owned()));
        }
        if format == "ogg" && !tags::ogg_tags_fit(bytes) {
            return Err(damaged("its text tags are longer than the file".to_owned()));
        }
        let plain;
        let bytes = if format == "flac" {
            let found = tags::without_tags(bytes);
            plain = found.ok_or_else(|| damaged("the file was cut off".to_owned()))?;
            &plain
        } else {
            bytes
        };
        // The decoder is third-party code on untrusted input, so its panics are caught.
        let decoded = galatea_guard::guarded("decoding a sound", || read(name, format, bytes));
        match decoded {
            Ok(Ok(Decoded {
                rate,
                channels,
                samples,
            })) => Self::new(name, rate, channels, samples),
            Ok(Err(Failure::Damaged(cause))) => Err(damaged(cause)),
            Ok(Err(Failure::Refused(error))) => Err(error),
            Err(_) => Err(damaged("the decoder failed".to_owned())),
        }
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the samples, -1..1, interleaved for stereo.
    pub fn shared_samples(&self) -> Arc<[f32]> {
        self.samples.clone()
    }

    /// Returns the sample rate, frames per second.
    pub fn sample_rate(&self) -> u32 {
        self.sample_rate
    }

    /// Returns the number of channels, 1 or 2.
    pub fn channels(&self) -> u16 {
        self.channels
    }

    /// Returns the samples, interleaved for stereo, mostly in -1..1.
    pub fn samples(&self) -> &[f32] {
        &self.samples
    }

    /// Returns the number of frames (one sample per channel), at least 1.
    pub fn frames(&self) -> usize {
        self.samples.len() / usize::from(self.channels)
    }

    /// Returns the duration at pitch 1, seconds.
    pub fn duration(&self) -> f64 {
        self.frames() as f64 / f64::from(self.sample_rate)
    }

    /// Returns the left and right sample of frame `i`; a mono sample is returned for both. Panics beyond the end.
    pub(super) fn frame(&self, i: usize) -> [f32; 2] {
        if self.channels == 1 {
            [self.samples[i]; 2]
        } else {
            [self.samples[2 * i], self.samples[2 * i + 1]]
        }
    }
}

struct Decoded {
    rate: u32,
    channels: u16,
    samples: Vec<f32>,
}

enum Failure {
    Damaged(String),
    Refused(SoundError),
}

fn read(name: &str, format: &'static str, bytes: &[u8]) -> Result<Decoded, Failure> {
    // The decoder's source must be `'static`, so it gets its own copy.
    let mut decoder = Decoder::builder()
        .with_data(Cursor::new(bytes.to_vec()))
        .with_byte_len(bytes.len() as u64)
        .with_hint(format)
        .build()
        .map_err(|error| Failure::Damaged(error.to_string()))?;
    let (rate, channels) = (decoder.sample_rate(), decoder.channels());
    let promised = decoder.total_duration().map(|d| d.as_secs_f64());
    let too_long = || Failure::Refused(SoundError::TooLong(name.to_owned()));
    if format != "mp3" && promised.is_some_and(|seconds| seconds > MAX_SECONDS + 1.0) {
        return Err(too_long());
    }
    let limit = (MAX_SECONDS * f64::from(rate.get()) * f64::from(channels.get())) as usize;
    let mut samples = Vec::new();
    let mut left_of_span = 0;
    while let Some(sample) = decoder.next() {
        if left_of_span == 0 {
            if (decoder.sample_rate(), decoder.channels()) != (rate, channels) {
                return Err(Failure::Damaged(
                    "the sample rate or the number of channels changes inside the file".to_owned(),
                ));
            }
            left_of_span = decoder.current_span_len().unwrap_or(usize::MAX);
        }
        left_of_span = left_of_span.saturating_sub(1);
        if samples.len() >= limit {
            return Err(too_long());
        }
        samples.push(sample);
    }
    let seconds = samples.len() as f64 / (f64::from(rate.get()) * f64::from(channels.get()));
    if format == "flac" && promised.is_some_and(|promised| seconds < promised - 1e-3) {
        return Err(Failure::Damaged("the file was cut off".to_owned()));
    }
    if let ("ogg", Some(promised)) = (format, promised) {
        // The last block is padded; for a file of one page the decoder keeps that padding.
        let frames = (promised * f64::from(rate.get())).round() as usize;
        samples.truncate(frames * usize::from(channels.get()));
    }
    if samples.is_empty() {
        return Err(Failure::Damaged("it contains no samples".to_owned()));
    }
    Ok(Decoded {
        rate: rate.get(),
        channels: channels.get(),
        samples,
    })
}

/// Detects the format from the first bytes; returns the file extension.
fn sniff(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        _ if wav_reader::is_wav(bytes) => Some("wav"),
        [b'O', b'g', b'g', b'S', ..] => Some("ogg"),
        [b'f', b'L', b'a', b'C', ..] => Some("flac"),
        [b'I', b'D', b'3', ..] => Some("mp3"),
        [0xff, second, ..] if second & 0xe6 == 0xe2 => Some("mp3"),
        _ => None,
    }
}

/// Returns false when the last page is truncated.
fn ogg_is_complete(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while rest.starts_with(b"OggS") {
        let Some((_, next)) = tags::page(rest) else {
            return false;
        };
        rest = next;
    }
    true
}
