//! The door of the room: one value to play through, whatever is behind it.

use std::fmt;

use super::device::AudioDevice;
use super::mixer::frame_at;
use super::{AudioListener, Cue, CueChange, CueError, Mixer, MixerCommand};

/// Plays cues to a sound card, to nobody, or into memory.
///
/// Call [`Audio::advance_to`] once per tick with the stage's time; what is told in between takes
/// effect at that time, and cues at their own.
pub struct Audio {
    sink: OutputSink,
    /// Stage seconds.
    now: f64,
}

enum OutputSink {
    Device(Box<AudioDevice>),
    Null {
        reason: String,
    },
    Capture {
        mixer: Box<Mixer>,
        samples: Vec<f32>,
    },
}

/// Where the sound goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// To a sound card.
    Device {
        /// As the system calls it.
        name: String,
    },
    /// Nowhere.
    Silent {
        /// Why.
        reason: String,
    },
    /// Into memory.
    Capture {
        /// Frames per second.
        rate: u32,
    },
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device { name } => write!(f, "{name}"),
            Self::Silent { reason } => write!(f, "none: {reason}"),
            Self::Capture { rate } => write!(f, "capture at {rate} Hz"),
        }
    }
}

impl Audio {
    /// The default sound card. Without one, silent: [`Audio::status`] tells why. A card that is
    /// lost later is tried again every few seconds.
    pub fn device() -> Self {
        Self::from_sink(match AudioDevice::open() {
            Ok(device) => OutputSink::Device(Box::new(device)),
            Err(reason) => OutputSink::Null { reason },
        })
    }

    /// Plays nothing.
    pub fn null() -> Self {
        Self::from_sink(OutputSink::Null {
            reason: "sound is turned off".to_owned(),
        })
    }

    /// Keeps what a sound card would play, stereo; stage time 0 is the first frame. `rate`:
    /// frames per second, usually [`super::SAMPLE_RATE`].
    pub fn capture(rate: u32) -> Self {
        Self::from_sink(OutputSink::Capture {
            mixer: Box::new(Mixer::new(rate)),
            samples: Vec::new(),
        })
    }

    fn from_sink(sink: OutputSink) -> Self {
        Self { sink, now: 0.0 }
    }

    /// Plays a sound at its time.
    pub fn play(&mut self, cue: Cue) -> Result<(), CueError> {
        cue.check()?;
        self.tell(MixerCommand::Play(cue));
        Ok(())
    }

    /// Fades out every sound with this id within `fade` seconds (at least 5 ms), and withdraws
    /// those not yet started.
    pub fn stop(&mut self, id: u64, fade: f32) {
        let time = self.now;
        self.tell(MixerCommand::Stop { id, time, fade });
    }

    /// Changes every sound with this id, heard or still to come.
    pub fn change(&mut self, id: u64, change: CueChange) {
        let time = self.now;
        self.tell(MixerCommand::Change { id, time, change });
    }

    /// Silences everything at once and forgets what was scheduled. To be called when the stage's
    /// time starts anew.
    pub fn stop_all(&mut self) {
        self.tell(MixerCommand::StopAll);
    }

    /// Moves who hears. Ignored when not finite.
    pub fn set_listener(&mut self, listener: AudioListener) {
        let time = self.now;
        self.tell(MixerCommand::SetListener { time, listener });
    }

    /// Amplitude factor of everything, 0 to 16. Ignored when not a number.
    pub fn set_gain(&mut self, gain: f32) {
        let time = self.now;
        self.tell(MixerCommand::SetGain { time, gain });
    }

    fn tell(&mut self, command: MixerCommand) {
        match &mut self.sink {
            OutputSink::Device(device) => device.send(command),
            OutputSink::Null { .. } => {}
            OutputSink::Capture { mixer, .. } => mixer.schedule(command),
        }
    }

    /// The stage is at this time, seconds. A capture then holds everything up to
    /// `round(time * rate)`; what is captured is never taken back when time is.
    pub fn advance_to(&mut self, stage_time: f64) {
        if !stage_time.is_finite() {
            return;
        }
        self.now = stage_time;
        match &mut self.sink {
            OutputSink::Device(device) => device.advance(stage_time),
            OutputSink::Null { .. } => {}
            OutputSink::Capture { mixer, samples } => {
                let frames = frame_at(stage_time, mixer.rate()) - mixer.clock();
                let begin = samples.len();
                samples.resize(begin + 2 * usize::try_from(frames).unwrap_or(0), 0.0);
                mixer.render(&mut samples[begin..]);
            }
        }
    }

    /// Seconds from a cue's time to its sound in the air, as it usually is and in this tick, as far as that is known: 0 for
    /// what is captured or heard by nobody.
    pub fn delay(&self) -> [f64; 2] {
        match &self.sink {
            OutputSink::Device(device) => device.delay(),
            OutputSink::Null { .. } | OutputSink::Capture { .. } => [0.0; 2],
        }
    }

    /// Where the sound goes now.
    pub fn status(&self) -> Status {
        match &self.sink {
            OutputSink::Device(device) => match device.state() {
                Ok(name) => Status::Device { name },
                Err(reason) => Status::Silent { reason },
            },
            OutputSink::Null { reason } => Status::Silent {
                reason: reason.clone(),
            },
            OutputSink::Capture { mixer, .. } => Status::Capture { rate: mixer.rate() },
        }
    }

    /// What was captured since it was last taken, stereo interleaved; empty without a capture.
    pub fn captured(&self) -> &[f32] {
        match &self.sink {
            OutputSink::Capture { samples, .. } => samples,
            _ => &[],
        }
    }

    /// Takes what was captured and goes on.
    pub fn take_captured(&mut self) -> Vec<f32> {
        match &mut self.sink {
            OutputSink::Capture { samples, .. } => std::mem::take(samples),
            _ => Vec::new(),
        }
    }
}
