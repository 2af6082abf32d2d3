//! Cues: descriptions of sounds to play, as plain data.

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Vec3;

use super::Sound;

/// Valid gains.
const GAINS: RangeInclusive<f32> = 0.0..=16.0;
/// Valid pitches: four octaves down and up.
const PITCHES: RangeInclusive<f32> = 0.0625..=16.0;
/// Maximum stage time, seconds: 30 years.
const MAX_TIME: f64 = 1e9;

/// A sound to play once or in a loop.
#[derive(Clone, Debug)]
pub struct Cue {
    /// Sound to play.
    pub sound: Arc<Sound>,
    /// Start time, stage seconds, or unscaled seconds for an unscaled cue; exact to the sample. A cue in the past starts at its current position; if it would already
    /// be over, it is not played.
    pub time: f64,
    /// World position, metres; stereo is mixed to mono. `None` plays the sound as recorded.
    pub placement: Option<Vec3>,
    /// Amplitude factor, 0 to 16.
    pub volume: f32,
    /// Factor on speed and pitch, 1/16 to 16; 2 is an octave higher and half as long.
    pub pitch: f32,
    /// Repeats the sound until it is stopped.
    pub looped: bool,
    /// Id for [`MixerCommand::Stop`] and [`MixerCommand::CueChange`]; several cues may share one.
    pub id: u64,
    /// The cue is speech, which ducks other cues.
    pub is_speech: bool,
    /// Amplitude factor of this cue during speech, 0 to 1.
    pub duck: f32,
    /// The cue ignores pauses and slow motion; see [`StageTime`].
    pub is_unscaled: bool,
}

impl Cue {
    /// Creates a cue that plays a sound once, as recorded, at a stage time in seconds.
    pub fn new(sound: Arc<Sound>, time: f64) -> Self {
        Self {
            sound,
            time,
            placement: None,
            volume: 1.0,
            pitch: 1.0,
            looped: false,
            id: 0,
            is_speech: false,
            duck: 1.0,
            is_unscaled: false,
        }
    }

    /// Returns an error unless all numbers are finite and within their ranges.
    pub fn check(&self) -> Result<(), CueError> {
        let error = |what, range, value: String| {
            Err(CueError {
                sound: self.sound.name().to_owned(),
                what,
                range,
                value,
            })
        };
        if self.time.is_nan() || self.time.abs() > MAX_TIME {
            return error("time", "a time in seconds", self.time.to_string());
        }
        if !GAINS.contains(&self.volume) {
            return error("gain", "from 0 to 16", self.volume.to_string());
        }
        if !PITCHES.contains(&self.pitch) {
            return error("pitch", "from 1/16 to 16", self.pitch.to_string());
        }
        if !(0.0..=1.0).contains(&self.duck) {
            return error("duck", "from 0 to 1", self.duck.to_string());
        }
        match self.placement {
            Some(at) if !at.is_finite() => error("position", "finite", at.to_string()),
            _ => Ok(()),
        }
    }
}

/// A cue with a number outside its range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("sound `{sound}`: {what} must be {range}, got {value}")]
pub struct CueError {
    sound: String,
    what: &'static str,
    range: &'static str,
    value: String,
}

/// The listener. Right-handed axes, +Y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AudioListener {
    /// World position, metres.
    pub position: Vec3,
    /// Unit vector to the right.
    pub right: Vec3,
    /// Unit vector forwards.
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
    /// Returns the listener with normalised vectors; `None` when a number is not finite or a vector is zero.
    pub(super) fn checked(self) -> Option<Self> {
        Some(Self {
            position: self.position.is_finite().then_some(self.position)?,
            right: self.right.try_normalize()?,
            forward: self.forward.try_normalize()?,
        })
    }
}

/// New values for a playing sound; `None` leaves a value unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CueChange {
    /// Amplitude factor, 0 to 16.
    pub volume: Option<f32>,
    /// Speed and pitch factor, 1/16 to 16.
    pub pitch: Option<f32>,
    /// World position, metres; ignored for a sound that is played as recorded.
    pub position: Option<Vec3>,
}

impl CueChange {
    /// Applies the new values to a cue.
    pub(super) fn apply_to(self, cue: &mut Cue) {
        cue.volume = self
            .volume
            .filter(|gain| GAINS.contains(gain))
            .unwrap_or(cue.volume);
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

/// Relation of stage time to unscaled time in the mixer, from a time on. Without this command both are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageTime {
    /// Unscaled time from which this holds, seconds.
    pub time: f64,
    /// Stage time then, seconds.
    pub stage_time: f64,
    /// Seconds of stage time per second of unscaled time, 0 to 16.
    pub rate: f64,
    /// Factor on the speed of playing sounds, 0 to 16; 0 silences them until it rises again.
    pub speed: f64,
    /// Factor on the speed of playing speech. It differs from `speed` while faces stand still and other sounds do not.
    pub speed_of_speech: f64,
    /// Sounds keep their pitch at another speed.
    pub keeps_pitch: bool,
}

impl StageTime {
    /// Stage time and unscaled time are the same.
    pub const NORMAL: Self = Self {
        time: 0.0,
        stage_time: 0.0,
        rate: 1.0,
        speed: 1.0,
        speed_of_speech: 1.0,
        keeps_pitch: false,
    };

    /// Returns true if all numbers are finite and within their ranges.
    pub(super) fn is_valid(&self) -> bool {
        let rates = [self.rate, self.speed, self.speed_of_speech];
        let are_rates = rates.iter().all(|rate| (0.0..=16.0).contains(rate));
        are_rates && self.time.abs() <= MAX_TIME && self.stage_time.abs() <= MAX_TIME
    }

    /// Unscaled time at a stage time, seconds; infinite if stage time stands still before.
    pub(super) fn unscaled(&self, stage_time: f64) -> f64 {
        let further = stage_time - self.stage_time;
        match further > 0.0 && self.rate != 1.0 {
            true => self.time + further / self.rate,
            false => self.time + further,
        }
    }

    /// Stage time at an unscaled time, seconds.
    pub fn at(&self, time: f64) -> f64 {
        self.stage_time + (time - self.time) * self.rate
    }
}

/// A command for a [`super::Mixer`]. Times are unscaled seconds, except those of cues.
#[derive(Clone, Debug)]
pub enum MixerCommand {
    /// Starts a sound at its own time.
    Play(Cue),
    /// Fades out every sound with this id, and cancels those not yet started.
    Stop {
        /// Id of the cues.
        id: u64,
        /// Start of the fade.
        time: f64,
        /// Duration of the fade, seconds; at least 5 ms, to avoid a click.
        fade: f32,
    },
    /// Changes every sound with this id, playing or scheduled. Values outside their ranges are ignored.
    Change {
        /// Id of the cues.
        id: u64,
        /// Time of the change.
        time: f64,
        /// New values.
        change: CueChange,
    },
    /// Changes how stage time passes. Ignored when a number is out of range.
    SetStageTime(StageTime),
    /// Immediately fades out everything and clears the schedule.
    StopAll,
    /// Moves the listener. Ignored when not finite.
    SetListener {
        /// Time of the change.
        time: f64,
        /// New listener.
        listener: AudioListener,
    },
    /// Sets the master gain, 0 to 16. NaN is ignored.
    SetVolume {
        /// Time of the change.
        time: f64,
        /// Amplitude factor.
        volume: f32,
    },
}
