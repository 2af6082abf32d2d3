//! Audio output: plays to a sound device, silently, or into memory.

use std::fmt;

use super::device::AudioDevice;
use super::mixer::frame_at;
use super::{AudioListener, Cue, CueChange, CueError, Mixer, MixerCommand, StageTime};

/// Plays cues to a sound device, silently, or into memory.
///
/// Call [`Audio::advance_to`] once per tick with the unscaled time. Commands given in between take effect at that time, and
/// cues at their own times.
pub struct Audio {
    sink: OutputSink,
    /// Current unscaled time, seconds.
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

/// Destination of the sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// A sound device.
    Device {
        /// Name of the device in the system.
        name: String,
    },
    /// No output.
    Silent {
        /// Reason.
        reason: String,
    },
    /// Memory.
    Capture {
        /// Sample rate, frames per second.
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
    /// Opens the default sound device. Without one the output is silent, and [`Audio::status`] gives the reason. A device
    /// that is lost later is opened again after a few seconds.
    pub fn device() -> Self {
        Self::from_sink(match AudioDevice::open() {
            Ok(device) => OutputSink::Device(Box::new(device)),
            Err(reason) => OutputSink::Null { reason },
        })
    }

    /// Creates a silent output.
    pub fn null() -> Self {
        Self::from_sink(OutputSink::Null {
            reason: "sound is turned off".to_owned(),
        })
    }

    /// Creates an output that records into memory, stereo; time 0 is the first frame. `rate`: frames per second,
    /// usually [`super::SAMPLE_RATE`].
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
        self.send(MixerCommand::Play(cue));
        Ok(())
    }

    /// Fades out every sound with this id within `fade` seconds (at least 5 ms), and cancels those not yet started.
    pub fn stop(&mut self, id: u64, fade: f32) {
        let time = self.now;
        self.send(MixerCommand::Stop { id, time, fade });
    }

    /// Changes every sound with this id, playing or scheduled.
    pub fn change(&mut self, id: u64, change: CueChange) {
        let time = self.now;
        self.send(MixerCommand::Change { id, time, change });
    }

    /// Changes how stage time passes; [`StageTime::time`] may be in the past or in the future.
    pub fn set_stage_time(&mut self, stage_time: StageTime) {
        self.send(MixerCommand::SetStageTime(stage_time));
    }

    /// Unscaled time of the last [`Audio::advance_to`], seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Silences everything immediately and clears the schedule. Call it when the stage's time restarts.
    pub fn stop_all(&mut self) {
        self.send(MixerCommand::StopAll);
    }

    /// Moves the listener. Ignored when not finite.
    pub fn set_listener(&mut self, listener: AudioListener) {
        let time = self.now;
        self.send(MixerCommand::SetListener { time, listener });
    }

    /// Sets the master gain, 0 to 16. NaN is ignored.
    pub fn set_volume(&mut self, gain: f32) {
        let time = self.now;
        self.send(MixerCommand::SetVolume { time, volume: gain });
    }

    fn send(&mut self, command: MixerCommand) {
        match &mut self.sink {
            OutputSink::Device(device) => device.send(command),
            OutputSink::Null { .. } => {}
            OutputSink::Capture { mixer, .. } => mixer.schedule(command),
        }
    }

    /// Advances to an unscaled time, seconds. A capture then contains everything up to `round(time * rate)`. Captured samples
    /// are kept even if the time goes back.
    pub fn advance_to(&mut self, time: f64) {
        if !time.is_finite() {
            return;
        }
        self.now = time;
        match &mut self.sink {
            OutputSink::Device(device) => device.advance(time),
            OutputSink::Null { .. } => {}
            OutputSink::Capture { mixer, samples } => {
                let frames = frame_at(time, mixer.rate()) - mixer.clock();
                let begin = samples.len();
                samples.resize(begin + 2 * usize::try_from(frames).unwrap_or(0), 0.0);
                mixer.render(&mut samples[begin..]);
            }
        }
    }

    /// Returns the delay from a cue's time to its audible output, seconds: on average, and in this tick, as far as it is
    /// known. 0 for captured or silent output.
    pub fn delay(&self) -> [f64; 2] {
        match &self.sink {
            OutputSink::Device(device) => device.delay(),
            OutputSink::Null { .. } | OutputSink::Capture { .. } => [0.0; 2],
        }
    }

    /// Returns the current destination of the sound.
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

    /// Returns the samples captured since the last [`Audio::take_captured`], interleaved stereo; empty without a capture.
    pub fn captured(&self) -> &[f32] {
        match &self.sink {
            OutputSink::Capture { samples, .. } => samples,
            _ => &[],
        }
    }

    /// Takes the captured samples; the capture continues.
    pub fn take_captured(&mut self) -> Vec<f32> {
        match &mut self.sink {
            OutputSink::Capture { samples, .. } => std::mem::take(samples),
            _ => Vec::new(),
        }
    }
}
