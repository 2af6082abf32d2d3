//! Audio playback: sounds, spatial cues and a deterministic mixer that feeds a sound card or a buffer.
//!
//! A [`Sound`] is decoded samples (WAV, Ogg Vorbis, MP3 or FLAC). A [`Cue`] plays one at an exact time, with gain,
//! pitch, looping and, if wanted, a position in the world. The [`Mixer`] renders [`MixerCommand`]s to stereo samples.
//! [`Audio`] puts a mixer behind the default sound card, behind nothing, or behind a capture buffer; most callers need
//! only this type. [`wav_bytes`] encodes samples as a WAV file, and [`Microphone`] records.
//!
//! ```
//! use galatea_audio::{Audio, Cue, SAMPLE_RATE, Sound};
//! use std::sync::Arc;
//!
//! // A click of ten milliseconds, played half a second into the scene.
//! let click = Arc::new(Sound::new("click", SAMPLE_RATE, 1, vec![0.5; 480])?);
//! let mut audio = Audio::capture(SAMPLE_RATE);
//! audio.play(Cue::new(click, 0.5))?;
//! audio.advance_to(1.0);
//!
//! let stereo = audio.take_captured();
//! assert_eq!(stereo.len(), 2 * SAMPLE_RATE as usize);
//! let first = stereo.chunks(2).position(|frame| frame[0] != 0.0);
//! assert_eq!(first, Some(SAMPLE_RATE as usize / 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dependencies
//!
//! Depends on no other Galatea crate, and is the only one that uses rodio and hound. Uses no GPU, Lua or stage; the stage
//! passes its cues as plain data. The same commands at the same clock give bit-identical output, for any block sizes: a cue
//! starts exactly at the sample `round(time * rate)`. Mixing neither allocates nor waits for a lock. The simulation never
//! waits for the sound card and runs the same without one.

mod clock;
mod cue;
mod device;
mod microphone;
mod mixer;
mod output;
mod sound;
mod spatial;
mod stretch;
mod tags;
#[cfg(test)]
mod tests;
mod voice;
mod wav;
mod wav_reader;

pub use cue::{AudioListener, Cue, CueChange, CueError, MixerCommand, StageTime};
pub use microphone::{AudioBlock, Microphone};
pub use mixer::Mixer;
pub use output::{Audio, Status};
pub use sound::{MAX_SECONDS, Sound, SoundError};
pub use wav::{WavError, WavStream, wav_bytes};

/// Default sample rate of playback and capture, frames per second.
pub const SAMPLE_RATE: u32 = 48_000;
