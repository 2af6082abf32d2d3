//! What to play, as plain data.

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Vec3;

use super::Sound;

/// Gains a cue may have.
const GAINS: RangeInclusive<f32> = 0.0..=16.0;
/// Pitches a cue may have: four octaves down and up.
const PITCHES: RangeInclusive<f32> = 0.0625..=16.0;
/// Longest stage time, seconds: 30 years.
const LAST_TIME: f64 = 1e9;

/// One sound to be heard once or over and over.
#[derive(Clone, Debug)]
pub struct Cue {
    /// What is heard.
    pub sound: Arc<Sound>,
    /// When it starts, stage seconds; exact to the sample. A cue in the past joins in where it
    /// would be by now; one that would be over is not heard.
    pub time: f64,
    /// World position, metres; stereo is mixed to mono there. `None` is heard as recorded.
    pub placement: Option<Vec3>,
    /// Amplitude factor, 0 to 16.
    pub gain: f32,
    /// Speed and pitch factor, 1/16 to 16; 2 is an octave up and half as long.
    pub pitch: f32,
    /// Starts over at its end until stopped.
    pub looped: bool,
    /// Names it for [`MixerCommand::Stop`] and [`MixerCommand::CueChange`]; several cues may share one.
    pub id: u64,
    /// Somebody speaks: others may be quieter meanwhile.
    pub is_speech: bool,
    /// Factor on the amplitude while somebody speaks, 0 to 1.
    pub duck: f32,
}

impl Cue {
    /// A sound as recorded, once, at a stage time in seconds.
    pub fn new(sound: Arc<Sound>, time: f64) -> Self {
        Self {
            sound,
            time,
            placement: None,
            gain: 1.0,
            pitch: 1.0,
            looped: false,
            id: 0,
            is_speech: false,
            duck: 1.0,
        }
    }

    /// Fails unless every number is finite and within its range.
    pub fn check(&self) -> Result<(), CueError> {
        let wrong = |what, range, value: String| {
            Err(CueError {
                sound: self.sound.name().to_owned(),
                what,
                range,
                value,
            })
        };
        if self.time.is_nan() || self.time.abs() > LAST_TIME {
            return wrong("time", "a stage time in seconds", self.time.to_string());
        }
        if !GAINS.contains(&self.gain) {
            return wrong("gain", "from 0 to 16", self.gain.to_string());
        }
        if !PITCHES.contains(&self.pitch) {
            return wrong("pitch", "from 1/16 to 16", self.pitch.to_string());
        }
        if !(0.0..=1.0).contains(&self.duck) {
            return wrong("duck", "from 0 to 1", self.duck.to_string());
        }
        match self.placement {
            Some(at) if !at.is_finite() => wrong("position", "finite", at.to_string()),
            _ => Ok(()),
        }
    }
}

/// A cue with a number that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sound `{sound}`: {what} must be {range}, not {value}")]
pub struct CueError {
    sound: String,
    what: &'static str,
    range: &'static str,
    value: String,
}

/// Who hears. Right-handed, +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AudioListener {
    /// World position, metres.
    pub position: Vec3,
    /// Unit vector out of the right ear.
    pub right: Vec3,
    /// Unit vector out of the nose.
    pub forward: Vec3,
}

impl Default for AudioListener {
    fn default() -> Self {
        Self {
            position: Vec3::ZERO,
            right: Vec3::X,
            forward: Vec3::NEG_Z,
        }
    }
}

impl AudioListener {
    /// With unit vectors of length 1; `None` when a number is not finite or a vector is zero.
    pub(super) fn checked(self) -> Option<Self> {
        Some(Self {
            position: self.position.is_finite().then_some(self.position)?,
            right: self.right.try_normalize()?,
            forward: self.forward.try_normalize()?,
        })
    }
}

/// New values for a sound that is heard; what is not given stays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CueChange {
    /// Amplitude factor, 0 to 16.
    pub gain: Option<f32>,
    /// Speed and pitch factor, 1/16 to 16.
    pub pitch: Option<f32>,
    /// World position, metres; a sound that is heard as recorded stays so.
    pub position: Option<Vec3>,
}

impl CueChange {
    /// Puts the new values into a cue.
    pub(super) fn put_into(self, cue: &mut Cue) {
        cue.gain = self
            .gain
            .filter(|gain| GAINS.contains(gain))
            .unwrap_or(cue.gain);
        let pitch = self.pitch.filter(|pitch| PITCHES.contains(pitch));
        cue.pitch = pitch.unwrap_or(cue.pitch);
        if let (Some(at), Some(to)) = (
            &mut cue.placement,
            self.position.filter(|at| at.is_finite()),
        ) {
            *at = to;
        }
    }
}

/// What a [`super::Mixer`] is told. Times are stage seconds.
#[derive(Clone, Debug)]
pub enum MixerCommand {
    /// Start a sound at its own time.
    Play(Cue),
    /// Fade out every sound with this id and withdraw those not yet started.
    Stop {
        /// Of the cues.
        id: u64,
        /// When the fade begins.
        time: f64,
        /// Its length in seconds; at least 5 ms, so that it does not click.
        fade: f32,
    },
    /// Change every sound with this id, heard or still to come. What is beyond its range is left as it is.
    Change {
        /// Of the cues.
        id: u64,
        /// When.
        time: f64,
        /// What.
        change: CueChange,
    },
    /// At once: fade everything out and forget what was scheduled, whenever that was.
    StopAll,
    /// Move the listener. Ignored when not finite.
    SetListener {
        /// When.
        time: f64,
        /// Where to.
        listener: AudioListener,
    },
    /// Set the gain of everything, 0 to 16. Ignored when not a number.
    SetGain {
        /// When.
        time: f64,
        /// Amplitude factor.
        gain: f32,
    },
}
