//! Sounds that a script started: playback position and end of each.
//!
//! The audio backend plays the sounds. Scripts get results that follow only from the durations of the files and the
//! stage's clock, so every run is the same, with or without audio.

use std::collections::BTreeMap;

use glam::Vec3;

use super::tasks::{ENDED, Ended};

/// A sound that has not ended.
pub(super) struct Sounding {
    /// End reason, `None` while the sound plays; shared with the script's handle.
    pub ended: Ended,
    /// Amplitude factor.
    pub volume: f32,
    /// World position; `None` plays the sound as recorded, without spatial audio.
    pub position: Option<Vec3>,
    /// The times of the sound are unscaled.
    pub is_unscaled: bool,
    pitch: f32,
    /// Playback position, seconds, and the stage time, seconds, at which it was measured. From there the sound plays at
    /// the current pitch.
    from: (f64, f64),
    /// Duration, seconds; 0 for a sound that cannot be played.
    length: f64,
    looped: bool,
}

impl Sounding {
    /// Creates a sound of `length` seconds that begins at a stage time. The times of an unscaled sound are unscaled.
    pub fn new(begins: f64, length: f64, looped: bool, pitch: f32) -> Self {
        Self {
            ended: Ended::default(),
            volume: 1.0,
            position: None,
            is_unscaled: false,
            pitch,
            from: (0.0, begins),
            length,
            looped,
        }
    }

    /// Factor on playback speed and pitch.
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    /// Changes the pitch from a stage time on.
    pub fn set_pitch(&mut self, now: f64, pitch: f32) {
        self.from = (self.gone(now), self.from.1.max(now));
        self.pitch = pitch;
    }

    /// Playback position at a stage time, seconds; a loop restarts at 0.
    pub fn time(&self, now: f64) -> f64 {
        let gone = self.gone(now);
        if self.looped && self.length > 0.0 {
            gone % self.length
        } else {
            gone.min(self.length)
        }
    }

    fn gone(&self, now: f64) -> f64 {
        let (place, since) = self.from;
        place + (now - since).max(0.0) * f64::from(self.pitch)
    }

    fn is_over(&self, now: f64) -> bool {
        let has_begun = now >= self.from.1;
        has_begun && !self.looped && self.gone(now) >= self.length
    }
}

/// Ends the sounds of stage time, or the unscaled ones, that have finished by that time.
pub(super) fn end_over(sounds: &mut BTreeMap<u64, Sounding>, now: f64, is_unscaled: bool) {
    sounds.retain(|_, sound| {
        let is_over = sound.is_unscaled == is_unscaled && sound.is_over(now);
        if is_over {
            sound.ended.set(Some(ENDED));
        }
        !is_over
    });
}
