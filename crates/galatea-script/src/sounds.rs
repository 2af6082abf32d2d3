//! Sounds that a script began: how far each is, and its one end.
//!
//! What is heard is the sound room's affair; what a script is told follows from the lengths of the files
//! and the stage's clock, so that every run is the same, heard or not.

use std::collections::BTreeMap;

use glam::Vec3;

use super::acts::{ENDED, Ended};

/// A sound that is not over.
pub(super) struct Sounding {
    /// The reason of its end; shared with what the script holds.
    pub ended: Ended,
    /// Factor on the amplitude.
    pub gain: f32,
    /// World position; `None` is heard as recorded.
    pub position: Option<Vec3>,
    pitch: f32,
    /// Seconds of the sound, and stage seconds, from which it goes on at this pitch.
    from: (f64, f64),
    /// Seconds of the sound; 0 for one that cannot be heard.
    length: f64,
    looped: bool,
}

impl Sounding {
    /// A sound of so many seconds that begins at a stage time.
    pub fn new(begins: f64, length: f64, looped: bool, pitch: f32) -> Self {
        Self {
            ended: Ended::default(),
            gain: 1.0,
            position: None,
            pitch,
            from: (0.0, begins),
            length,
            looped,
        }
    }

    /// Factor on the speed and pitch.
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    /// Goes on at another pitch from a stage time on.
    pub fn set_pitch(&mut self, now: f64, pitch: f32) {
        self.from = (self.gone(now), self.from.1.max(now));
        self.pitch = pitch;
    }

    /// Seconds of the sound that are over at a stage time; a loop counts from its beginning anew.
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

/// Ends the sounds that are over at a stage time.
pub(super) fn end_over(sounds: &mut BTreeMap<u64, Sounding>, now: f64) {
    sounds.retain(|_, sound| {
        let is_over = sound.is_over(now);
        if is_over {
            sound.ended.set(Some(ENDED));
        }
        !is_over
    });
}
