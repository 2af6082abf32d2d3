//! The sound device: a thread that opens and reopens it, and the source that it reads from.
//!
//! The device's own thread renders; commands are sent to it through a channel. The mixer outlives the device: while there is
//! none, it continues silently, so that music has the right position afterwards.

use std::error::Error;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rodio::cpal::ErrorKind;
use rodio::cpal::traits::HostTrait;
use rodio::{DeviceSinkBuilder, DeviceTrait, MixerDeviceSink, Source};

use super::clock::StageClock;
use super::mixer::frame_at;
use super::{Mixer, MixerCommand, SAMPLE_RATE};

/// Time between placing a cue at the present stage time and its output to the device, seconds. Must be longer than a burst
/// (43 ms with rodio), so that no cue is late.
const LATENCY: f64 = 0.06;
/// Duration of a burst requested by the device with rodio's defaults, seconds. While one burst plays the next one waits, so
/// the output is audible one and a half bursts later on average.
const BURST: f64 = 0.043;
/// Maximum wait for the device when the program starts.
const OPEN_TIMEOUT: Duration = Duration::from_secs(3);
/// First wait before a lost device is opened again; doubled after every failure up to the last value.
const RETRY_FIRST: Duration = Duration::from_secs(2);
const RETRY_LAST: Duration = Duration::from_secs(32);
/// A device that requests no audio for this time is considered lost.
const STALL: Duration = Duration::from_secs(3);
/// Number of frames rendered at a time.
const BLOCK: usize = 128;

/// A sound device, present or lost.
pub(super) struct AudioDevice {
    shared: Arc<DeviceShared>,
    messages: Sender<DeviceMessage>,
    events: Sender<DeviceEvent>,
    clock: StageClock,
    /// Stage frame of the last tick.
    stage: i64,
    /// Last known frame of the device, and the time when it last changed.
    moved: (i64, Instant),
}

struct DeviceShared {
    engine: Mutex<Engine>,
    /// Clock of the mixer, in frames.
    rendered: AtomicI64,
    state: Mutex<CardState>,
}

/// The mixer with its incoming messages. Locked by the device's thread while there is a device, otherwise by
/// [`AudioDevice::advance`].
struct Engine {
    mixer: Mixer,
    inbox: Receiver<DeviceMessage>,
}

/// Name of the device, or the reason why there is none.
pub(super) type CardState = Result<String, String>;

enum DeviceMessage {
    Do(MixerCommand),
    Offset(i64),
}

enum DeviceEvent {
    /// The device with this generation was lost.
    Lost(u64, String),
    Stalled,
    Quit,
}

impl AudioDevice {
    /// Opens the default device, or returns the reason why there is none.
    pub(super) fn open() -> Result<Self, String> {
        if !may_have_device(|name| std::env::var_os(name), Path::exists) {
            return Err("this machine has no sound card".to_owned());
        }
        let (device, device_keeper) = Self::without_card();
        let (opened, first) = channel();
        std::thread::Builder::new()
            .name("sound card".to_owned())
            .spawn(move || device_keeper.run(&opened))
            .map_err(|error| format!("cannot start the thread of the sound card: {error}"))?;
        match first.recv_timeout(OPEN_TIMEOUT) {
            Ok(Ok(())) => Ok(device),
            Ok(Err(reason)) => Err(reason),
            Err(_) => Err("the sound card does not respond".to_owned()),
        }
    }

    fn without_card() -> (Self, DeviceKeeper) {
        let (messages, inbox) = channel();
        let (events, device_events) = channel();
        let shared = Arc::new(DeviceShared {
            engine: Mutex::new(Engine {
                mixer: Mixer::new(SAMPLE_RATE),
                inbox,
            }),
            rendered: AtomicI64::new(0),
            state: Mutex::new(Err("the sound card is being opened".to_owned())),
        });
        let device_keeper = DeviceKeeper {
            shared: shared.clone(),
            events: events.clone(),
            device_events,
        };
        let device = Self {
            shared,
            messages,
            events,
            clock: StageClock::new(frame_at(LATENCY, SAMPLE_RATE)),
            stage: 0,
            moved: (0, Instant::now()),
        };
        (device, device_keeper)
    }

    pub(super) fn state(&self) -> CardState {
        lock(&self.shared.state).clone()
    }

    pub(super) fn send(&self, command: MixerCommand) {
        self.send_message(DeviceMessage::Do(command));
    }

    fn send_message(&self, message: DeviceMessage) {
        // The receiver lives in `shared`, so this cannot fail.
        let _ = self.messages.send(message);
    }

    /// Returns the delays of [`super::Audio::delay`].
    pub(super) fn delay(&self) -> [f64; 2] {
        if lock(&self.shared.state).is_err() {
            return [0.0; 2];
        }
        let leads = self.clock.leads(self.stage, self.moved.0);
        leads.map(|frames| frames / f64::from(SAMPLE_RATE) + 1.5 * BURST)
    }

    /// Synchronises the two clocks; called every tick.
    pub(super) fn advance(&mut self, stage_time: f64) {
        let stage = frame_at(stage_time, SAMPLE_RATE);
        self.stage = stage;
        let rendered = self.shared.rendered.load(Ordering::Acquire);
        if let Some(offset) = self.clock.sync(stage, rendered) {
            self.send_message(DeviceMessage::Offset(offset));
        }
        if lock(&self.shared.state).is_err() {
            let mut engine = lock(&self.shared.engine);
            engine.read_messages();
            let behind = self.clock.expected(stage) - engine.mixer.clock();
            engine.mixer.skip(u64::try_from(behind).unwrap_or(0));
            let rendered = engine.mixer.clock();
            self.shared.rendered.store(rendered, Ordering::Release);
            self.moved = (rendered, Instant::now());
        } else if rendered != self.moved.0 {
            self.moved = (rendered, Instant::now());
        } else if self.moved.1.elapsed() > STALL {
            self.moved.1 = Instant::now();
            let _ = self.events.send(DeviceEvent::Stalled);
        }
    }
}

impl Drop for AudioDevice {
    fn drop(&mut self) {
        // The thread is not joined, because a hanging device must not hang the program.
        let _ = self.events.send(DeviceEvent::Quit);
    }
}

impl Engine {
    fn read_messages(&mut self) {
        while let Ok(message) = self.inbox.try_recv() {
            match message {
                DeviceMessage::Do(command) => self.mixer.schedule(command),
                DeviceMessage::Offset(offset) => self.mixer.set_offset(offset),
            }
        }
    }
}

/// Owns the device on a thread of its own, because opening a device may take long.
struct DeviceKeeper {
    shared: Arc<DeviceShared>,
    events: Sender<DeviceEvent>,
    device_events: Receiver<DeviceEvent>,
}

impl DeviceKeeper {
    /// Sends the result of the first attempt to `opened`. Ends if it failed, otherwise at [`DeviceEvent::Quit`].
    fn run(self, opened: &Sender<Result<(), String>>) {
        let mut wait = RETRY_FIRST;
        for generation in 0.. {
            match self.open(generation) {
                Ok((sink, name)) => {
                    wait = RETRY_FIRST;
                    *lock(&self.shared.state) = Ok(name);
                    let _ = opened.send(Ok(()));
                    let Some(reason) = self.until_lost(generation) else {
                        return;
                    };
                    *lock(&self.shared.state) = Err(reason);
                    drop(sink);
                }
                Err(reason) if generation == 0 => {
                    let _ = opened.send(Err(reason));
                    return;
                }
                Err(_) => wait = (wait * 2).min(RETRY_LAST),
            }
            if self.quit_requested_within(wait) {
                return;
            }
        }
    }

    /// Waits until the device is lost and returns the reason; `None` to quit.
    fn until_lost(&self, generation: u64) -> Option<String> {
        loop {
            match self.device_events.recv() {
                Ok(DeviceEvent::Lost(which, reason)) if which == generation => return Some(reason),
                Ok(DeviceEvent::Lost(..)) => {}
                Ok(DeviceEvent::Stalled) => return Some("the sound card has stopped".to_owned()),
                Ok(DeviceEvent::Quit) | Err(_) => return None,
            }
        }
    }

    fn quit_requested_within(&self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.device_events.recv_timeout(left) {
                Ok(DeviceEvent::Lost(..) | DeviceEvent::Stalled) => {}
                Err(RecvTimeoutError::Timeout) => return false,
                Ok(DeviceEvent::Quit) | Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    }

    /// Opens the device at our own sample rate if possible, so that it plays the same samples as a capture. Otherwise uses
    /// the device's rate, and rodio converts.
    fn open(&self, generation: u64) -> Result<(MixerDeviceSink, String), String> {
        let card = rodio::cpal::default_host()
            .default_output_device()
            .ok_or("no default sound card")?;
        let name = card
            .description()
            .map_or_else(|_| "unnamed".to_owned(), |about| about.name().to_owned());
        let builder = || -> Result<_, String> {
            let events = self.events.clone();
            // Only errors that end the stream for good count, because some servers report hundreds of transient errors. A
            // device that stops for any other reason is detected by the stall timeout.
            let on_error = move |error: rodio::cpal::Error| match error.kind() {
                ErrorKind::DeviceNotAvailable
                | ErrorKind::HostUnavailable
                | ErrorKind::StreamInvalidated => {
                    let _ = events.send(DeviceEvent::Lost(generation, error.to_string()));
                }
                _ => {}
            };
            Ok(DeviceSinkBuilder::from_device(card.clone())
                .map_err(|error| chain(&error))?
                .with_error_callback(on_error))
        };
        let mut sink = builder()?
            .with_sample_rate(RATE)
            .with_channels(STEREO)
            .open_stream()
            .or_else(|_| builder()?.open_stream().map_err(|error| chain(&error)))?;
        sink.log_on_drop(false);
        sink.mixer().add(EngineSource::new(self.shared.clone()));
        Ok((sink, name))
    }
}

const RATE: NonZero<u32> = NonZero::new(SAMPLE_RATE).expect("not 0");
const STEREO: NonZero<u16> = NonZero::new(2).expect("not 0");

/// Formats an error and its causes in one line.
fn chain(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// The source that the device reads from; never ends.
struct EngineSource {
    shared: Arc<DeviceShared>,
    block: [f32; 2 * BLOCK],
    at: usize,
}

impl EngineSource {
    fn new(shared: Arc<DeviceShared>) -> Self {
        Self {
            shared,
            block: [0.0; 2 * BLOCK],
            at: 2 * BLOCK,
        }
    }
}

impl Iterator for EngineSource {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.at == self.block.len() {
            let mut engine = lock(&self.shared.engine);
            engine.read_messages();
            engine.mixer.render(&mut self.block);
            let clock = engine.mixer.clock();
            self.shared.rendered.store(clock, Ordering::Release);
            self.at = 0;
        }
        self.at += 1;
        Some(self.block[self.at - 1])
    }
}

impl Source for EngineSource {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> NonZero<u16> {
        STEREO
    }

    fn sample_rate(&self) -> NonZero<u32> {
        RATE
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}

/// A thread that panicked while holding the lock leaves plain data, which is still usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns false on a Linux machine without any sign of a sound device or sound server. Querying libasound there would print
/// error messages to standard error.
fn may_have_device(
    variable: impl Fn(&str) -> Option<OsString>,
    exists: impl Fn(&Path) -> bool,
) -> bool {
    /// Variables of PulseAudio and of a custom ALSA configuration.
    const VARIABLES: [&str; 2] = ["PULSE_SERVER", "ALSA_CONFIG_PATH"];
    const FILES_IN: [(&str, &str); 3] = [
        ("HOME", ".asoundrc"),
        ("XDG_RUNTIME_DIR", "pulse/native"),
        ("XDG_RUNTIME_DIR", "pipewire-0"),
    ];
    let in_folder = |(folder, file)| Some(Path::new(&variable(folder)?).join(file));
    !cfg!(target_os = "linux")
        || VARIABLES.iter().any(|name| variable(name).is_some())
        || exists(Path::new("/etc/asound.conf"))
        || (0..32).any(|i| exists(Path::new(&format!("/dev/snd/controlC{i}"))))
        || FILES_IN
            .into_iter()
            .filter_map(in_folder)
            .any(|path| exists(&path))
}

#[cfg(test)]
mod tests;
