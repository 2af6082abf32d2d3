//! Tests of the whole crate: decode, place, mix, capture.

use std::sync::Arc;

mod decoding;
mod hearing;
mod mixing;
mod slow_motion;
mod wav_headers;

use super::*;

const RATE: u32 = SAMPLE_RATE;

/// One frame of 0.5.
fn click() -> Arc<Sound> {
    sound(1, vec![0.5])
}

fn sound(channels: u16, samples: Vec<f32>) -> Arc<Sound> {
    Arc::new(Sound::new("test", RATE, channels, samples).unwrap())
}

fn sine(frames: usize, amplitude: f32) -> Arc<Sound> {
    let wave = |i| (i as f32 * 0.05).sin() * amplitude;
    sound(1, (0..frames).map(wave).collect())
}

/// Captures the output of some cues for some seconds.
fn capture(cues: impl IntoIterator<Item = Cue>, seconds: f64) -> Vec<f32> {
    let mut audio = Audio::capture(RATE);
    for cue in cues {
        audio.play(cue).unwrap();
    }
    audio.advance_to(seconds);
    audio.take_captured()
}

fn left(samples: &[f32]) -> Vec<f32> {
    samples.iter().step_by(2).copied().collect()
}

fn last_sounding_frame(samples: &[f32]) -> usize {
    samples.iter().rposition(|&s| s != 0.0).unwrap() / 2
}
