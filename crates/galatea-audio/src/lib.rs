//! What is heard: sounds decoded to samples, cues placed in time and space, and one mixer.
//!
//! Callers: `app` (a device), `commands` (capture to a file), `stage` (hands out cues as plain
//! data). [`Audio`] is the door; behind it the same [`Mixer`] feeds a sound card, or a buffer.
//!
//! Invariants: the only user of rodio and hound; knows no GPU, no Lua and no stage. Same commands
//! at the same clock give the same bits, whatever the block sizes; a cue starts at the sample
//! `round(time * rate)` exactly. The simulation never waits for the sound card, and a machine
//! without one runs the same. Mixing neither locks a contended lock nor allocates.

mod clock;
mod cue;
mod device;
mod microphone;
mod mixer;
mod output;
mod sound;
pub mod spatial;
#[cfg(test)]
mod tests;
mod voice;
mod wav;

pub use cue::{Change, Command, Cue, CueError, Listener};
pub use microphone::{Block, Microphone};
pub use mixer::{MAX_PENDING, MAX_VOICES, Mixer};
pub use output::{Audio, Status};
pub use sound::{MAX_SECONDS, Sound, SoundError};
pub use wav::{WavError, wav_bytes, write_wav};

/// Samples per second and channel of everything this room plays and captures, unless asked
/// otherwise.
pub const SAMPLE_RATE: u32 = 48_000;
