//! Sound of a session: the mixer, and the microphone that faces follow.

use std::sync::Arc;

use super::playing::PlayingCues;
use crate::diagnostics::Diagnostics;
use crate::library::Library;
use crate::microphone::Listening;
use galatea_audio::{Audio, StageTime};
use galatea_stage::frame::MessageKind;
use galatea_stage::{SoundCue, SoundOrder, Stage};

/// Delay of the displayed frame behind the simulation, seconds: it is interpolated between the last two ticks and waits for
/// the display.
const FRAME_DELAY: f64 = 0.03;

/// Largest difference of two stage times that are the same apart from rounding, seconds.
const SAME_TIME: f64 = 1e-6;

/// Destination of sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundOutput {
    /// The sound card; silent if there is none.
    Device,
    /// Memory, for example to write a file.
    Capture,
    /// No output.
    Silent,
}

/// Mixer and microphone.
pub(super) struct SoundRoom {
    audio: Audio,
    /// There is a sound card, so there may be a microphone.
    has_devices: bool,
    /// A recording that replaces the microphone.
    microphone_file: Option<Arc<galatea_audio::Sound>>,
    listening: Option<Listening>,
    /// Stage time as the mixer last got it.
    stage_time: StageTime,
    playing: PlayingCues,
    /// Master volume factor, if the script has set it.
    volume: Option<f32>,
}

impl SoundRoom {
    pub(super) fn open(sound: SoundOutput) -> Self {
        let audio = match sound {
            SoundOutput::Device => Audio::device(),
            SoundOutput::Capture => Audio::capture(galatea_audio::SAMPLE_RATE),
            SoundOutput::Silent => Audio::null(),
        };
        let has_devices = sound == SoundOutput::Device;
        if let (true, galatea_audio::Status::Silent { reason }) = (has_devices, audio.status()) {
            tracing::info!("no sound: {reason}");
        }
        Self {
            audio,
            has_devices,
            microphone_file: None,
            listening: None,
            stage_time: StageTime::NORMAL,
            playing: PlayingCues::default(),
            volume: None,
        }
    }

    /// The order that sets the present master volume elsewhere.
    pub(super) fn volume_order(&self) -> Option<SoundOrder> {
        self.volume.map(SoundOrder::Volume)
    }

    /// Samples since the last call, stereo, interleaved. Only with [`SoundOutput::Capture`].
    pub(super) fn take_captured(&mut self) -> Vec<f32> {
        self.audio.take_captured()
    }

    /// Replaces the microphone by a recording, from when a face next follows it.
    pub(super) fn replace_microphone(&mut self, sound: Arc<galatea_audio::Sound>) {
        self.microphone_file = Some(sound);
        self.listening = None;
    }

    /// Analyses the microphone while a face follows it.
    pub(super) fn listen(&mut self, stage: &mut Stage, diagnostics: &mut Diagnostics) {
        if !stage.characters.wants_microphone() {
            stage.audio.microphone = None;
            if self.listening.take().is_some() {
                diagnostics.clear("microphone");
            }
            return;
        }
        if self.listening.is_none() {
            self.listening = match &self.microphone_file {
                Some(sound) => Some(Listening::to_recording(sound.clone())),
                None if self.has_devices => Some(Listening::to_device()),
                None => None,
            };
        }
        let dt = stage.clock.dt;
        stage.audio.microphone = match self.listening.as_mut().map(|own| own.tick(dt)) {
            Some(Ok(mouth)) => Some(mouth),
            Some(Err(why)) => {
                diagnostics.set("microphone", MessageKind::Warning, &why);
                None
            }
            None => None,
        };
    }

    /// Tells the mixer how stage time passed in the last tick, unless it passes as before.
    fn follow_stage_time(&mut self, stage: &Stage) {
        let (control, dt) = (&stage.time_control, stage.clock.dt);
        let time = stage.unscaled_time() - dt;
        let passed = control.passed();
        // Sounds continue during a hit-stop, so that its own sound is heard.
        let speed = if control.is_freezing() { 1.0 } else { passed };
        let stage_time = StageTime {
            time,
            stage_time: control.displayed_time(stage.clock) - passed * dt,
            rate: passed,
            speed,
            speed_of_speech: passed,
            keeps_pitch: control.keeps_pitch,
        };
        let known = StageTime {
            time,
            stage_time: stage_time.stage_time,
            ..self.stage_time
        };
        let is_continued = (self.stage_time.at(time) - stage_time.stage_time).abs() < SAME_TIME;
        if known != stage_time || !is_continued {
            self.stage_time = stage_time;
            self.audio.set_stage_time(stage_time);
        }
    }

    /// Pauses all sounds that follow stage time, until the next call of [`SoundRoom::play`].
    pub(super) fn pause(&mut self, stage: &Stage) {
        let time = stage.unscaled_time();
        self.stage_time = StageTime {
            time,
            stage_time: self.stage_time.at(time),
            rate: 0.0,
            speed: 0.0,
            speed_of_speech: 0.0,
            keeps_pitch: self.stage_time.keeps_pitch,
        };
        self.audio.set_stage_time(self.stage_time);
    }

    /// Starts a sound, if its file exists.
    fn start(&mut self, order: &SoundCue, library: &Library) -> Result<(), String> {
        let Some(sound) = library.sound(&order.sound)? else {
            return Ok(());
        };
        let length = sound.duration();
        let cue = galatea_audio::Cue {
            placement: order.position,
            volume: order.volume,
            pitch: order.pitch,
            looped: order.looped,
            id: order.id,
            is_speech: order.is_speech,
            duck: order.duck,
            is_unscaled: order.is_unscaled,
            ..galatea_audio::Cue::new(sound, order.time)
        };
        self.audio.play(cue).map_err(|error| error.to_string())?;
        self.playing.start(order.clone(), length);
        Ok(())
    }

    /// Passes the sounds of the last tick to the mixer. `delay` is the project's additional sound delay in seconds.
    pub(super) fn play(
        &mut self,
        stage: &mut Stage,
        library: &Library,
        delay: f32,
        diagnostics: &mut Diagnostics,
    ) {
        puffin::profile_scope!("sound");
        let now = stage.unscaled_time();
        self.follow_stage_time(stage);
        let camera = stage.camera.camera(1.0);
        let forward = (camera.target - camera.eye).normalize_or(glam::Vec3::NEG_Z);
        self.audio.set_listener(galatea_audio::AudioListener {
            position: camera.eye,
            right: forward.cross(glam::Vec3::Y).normalize_or(glam::Vec3::X),
            forward,
        });
        for order in std::mem::take(&mut stage.audio.orders) {
            match order {
                SoundOrder::Stop { id, fade } => {
                    self.playing.stop(id);
                    self.audio.stop(id, fade);
                }
                SoundOrder::Change {
                    id,
                    volume: gain,
                    pitch,
                    position,
                } => {
                    self.playing.change(id, stage, gain, pitch, position);
                    self.audio.change(
                        id,
                        galatea_audio::CueChange {
                            volume: gain,
                            pitch,
                            position,
                        },
                    );
                }
                SoundOrder::Volume(gain) => {
                    self.volume = Some(gain);
                    self.audio.set_volume(gain);
                }
                SoundOrder::StopAll => {
                    self.playing.stop_all();
                    self.audio.stop_all();
                }
                SoundOrder::Play(cue) => {
                    let subject = format!("sound {}", cue.sound);
                    if let Err(error) = self.start(&cue, library) {
                        diagnostics.set(&subject, MessageKind::Error, &error);
                    }
                }
            }
        }
        self.playing.show(stage);
        self.audio.advance_to(now);
        let setting = f64::from(delay);
        // Captured and silent sound has no delay.
        let seen = |delay: f64| match delay > 0.0 {
            true => (delay + setting - FRAME_DELAY).max(0.0),
            false => 0.0,
        };
        let [usual, in_this_tick] = self.audio.delay().map(seen);
        stage.audio.delay = usual;
        stage.audio.delay_now = in_this_tick;
    }
}
