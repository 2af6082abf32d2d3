//! Input of a session: from devices or a replay, with recording.

use super::input_history::InputHistory;
use crate::crash::FlightRecorder;
use crate::diagnostics::Diagnostics;
use crate::player::PlayerProfile;
use crate::recording::{RecordedEvent, Recorder, Replay, TimedEvent, remark_line};
use galatea_asset::Project;
use galatea_speech::viseme::N_VISEMES;
use galatea_stage::frame::MessageKind;
use galatea_stage::{InputEvent, Stage};

/// Ticks between two checksums of a recording.
const TICKS_PER_CHECKSUM: u64 = 60;

/// The player, and recordings of input.
pub(super) struct Inputs {
    player: PlayerProfile,
    recorder: Option<Recorder>,
    /// Keeps the input for crash reports.
    flight: Option<FlightRecorder>,
    replay: Option<Replay>,
    /// A finished replay may have left keys pressed.
    was_replayed: bool,
    /// Weights of the microphone as last recorded.
    microphone: Option<[f32; N_VISEMES]>,
    /// The input of the last minutes, if the past is kept.
    history: Option<InputHistory>,
}

/// Actions of a replay in the coming tick, apart from input events.
#[derive(Default)]
pub(super) struct ReplayedTick {
    /// Steps at which the watchdog stopped scripts.
    pub stops: Vec<u64>,
    /// Lines of the console, which the session answers before the tick.
    pub lines: Vec<String>,
    /// Weights of the recorded microphone, or `None` while it was off; used during a replay only.
    pub microphone: Option<[f32; N_VISEMES]>,
    /// A replay was in progress.
    pub is_replay: bool,
}

impl Inputs {
    pub(super) fn new(player: PlayerProfile, project: &Project) -> Self {
        let flight = FlightRecorder::begin(project, player.header(project));
        Self {
            player,
            recorder: None,
            flight,
            replay: None,
            was_replayed: false,
            microphone: None,
            history: None,
        }
    }

    /// Input that replays these events and records nothing outside of this process.
    pub(super) fn of_replay(events: Vec<TimedEvent>) -> Self {
        Self {
            player: PlayerProfile::anonymous(),
            recorder: None,
            flight: None,
            replay: Some(Replay::new(events)),
            was_replayed: false,
            microphone: None,
            history: None,
        }
    }

    /// Keeps the input of the last `seconds` from now on. `is_start`: the game has not begun yet.
    pub(super) fn keep_history(&mut self, seconds: f64, is_start: bool) {
        self.history = Some(InputHistory::new(seconds, is_start));
    }

    /// The input of the last minutes, if it is kept.
    pub(super) fn history(&self) -> Option<&InputHistory> {
        self.history.as_ref()
    }

    /// Notes that a saved game was loaded, so that the input does not lead to it.
    pub(super) fn note_loaded(&mut self) {
        if let Some(history) = &mut self.history {
            history.lose_start();
        }
    }

    /// Exchanges the kept input with that of another run.
    pub(super) fn exchange_history(&mut self, other: &mut Option<InputHistory>) {
        std::mem::swap(&mut self.history, other);
    }

    /// Restarts on an empty stage. A recording ends, because the time restarts.
    pub(super) fn begin_again(&mut self, project: &Project, stage: &mut Stage) {
        self.player.sit_down(stage);
        let player = std::mem::take(&mut self.player);
        let seconds = self.history.as_ref().map(InputHistory::duration);
        *self = Self::new(player, project);
        self.history = seconds.map(|seconds| InputHistory::new(seconds, true));
    }

    /// Processes an input event. It is ignored during a replay.
    pub(super) fn input(
        &mut self,
        event: &InputEvent,
        stage: &mut Stage,
        diagnostics: &mut Diagnostics,
    ) {
        if self.replay.is_some() {
            return;
        }
        // A recording may end with keys pressed. They stay pressed until the player presses a key.
        let takes_over = matches!(event, InputEvent::Down(_));
        if takes_over && std::mem::take(&mut self.was_replayed) {
            for release in stage.input.releases() {
                self.take_in(&release, stage, diagnostics);
            }
        }
        if !stage.input.changes(event) {
            return;
        }
        self.take_in(event, stage, diagnostics);
    }

    /// Replays recorded events from now on, and ignores input devices until the last event.
    pub(super) fn replay(&mut self, events: Vec<TimedEvent>) {
        self.replay = Some(Replay::new(events));
    }

    /// Records all input from now on.
    pub(super) fn record(&mut self, recorder: Recorder) {
        self.recorder = Some(recorder);
    }

    /// Replays the recorded events that are due.
    pub(super) fn play_again(
        &mut self,
        stage: &mut Stage,
        diagnostics: &mut Diagnostics,
    ) -> ReplayedTick {
        let (time, dt) = (stage.unscaled_time(), stage.clock.dt);
        let mut replayed = ReplayedTick::default();
        while let Some(event) = self.replay.as_mut().and_then(|r| r.next_due(time, dt)) {
            match event {
                RecordedEvent::Input(event) => self.take_in(&event, stage, diagnostics),
                RecordedEvent::Stopped(steps) => replayed.stops.push(steps),
                RecordedEvent::Console(line) => replayed.lines.push(line),
                RecordedEvent::Microphone(weights) => {
                    if let Some(replay) = &mut self.replay {
                        replay.microphone = weights;
                    }
                }
                RecordedEvent::Checksum(recorded) => {
                    let both = [recorded, stage.checksum()];
                    let error = self.replay.as_mut().and_then(|r| r.compare(time, both));
                    if let Some(text) = error {
                        diagnostics.set("replay", MessageKind::Warning, &text);
                    }
                }
            }
        }
        if let Some(replay) = &self.replay {
            replayed.microphone = replay.microphone;
            replayed.is_replay = true;
        }
        self.record_checksum(stage, diagnostics);
        if self.replay.as_mut().is_some_and(Replay::is_over) {
            self.replay = None;
            self.was_replayed = true;
            if diagnostics.shows_news {
                diagnostics.notify("the recorded input has ended; your input is used now");
            }
        }
        replayed
    }

    /// Records the weights of the microphone when they change. `t`: unscaled time, seconds.
    pub(super) fn note_microphone(&mut self, t: f64, stage: &Stage, diagnostics: &mut Diagnostics) {
        let weights = stage.audio.microphone;
        if std::mem::replace(&mut self.microphone, weights) != weights {
            self.keep(t, &RecordedEvent::Microphone(weights), diagnostics);
        }
    }

    /// Records a line that the console answers.
    pub(super) fn note_console(
        &mut self,
        line: &str,
        stage: &Stage,
        diagnostics: &mut Diagnostics,
    ) {
        let line = RecordedEvent::Console(line.to_owned());
        self.keep(stage.unscaled_time(), &line, diagnostics);
    }

    /// Records the checksum of the stage, once per second.
    fn record_checksum(&mut self, stage: &Stage, diagnostics: &mut Diagnostics) {
        if self.flight.is_none() && self.recorder.is_none() {
            return;
        }
        if stage
            .time_control
            .n_ticks
            .is_multiple_of(TICKS_PER_CHECKSUM)
        {
            let checksum = RecordedEvent::Checksum(stage.checksum());
            self.keep(stage.unscaled_time(), &checksum, diagnostics);
        }
    }

    /// Records that the watchdog stopped scripts after these steps in the tick that began at `t`, seconds of unscaled
    /// time.
    pub(super) fn note_stops(&mut self, t: f64, stops: &[u64], diagnostics: &mut Diagnostics) {
        for steps in stops {
            self.keep(t, &RecordedEvent::Stopped(*steps), diagnostics);
        }
    }

    /// Saves the key bindings if the script requested it in the last tick.
    pub(super) fn save_bindings(&mut self, stage: &mut Stage, diagnostics: &mut Diagnostics) {
        match self.player.save(stage) {
            Ok(false) => {}
            Ok(true) => {
                diagnostics.clear("bindings");
            }
            Err(why) => diagnostics.set("bindings", MessageKind::Error, &why),
        }
    }

    /// Adds a comment to the recording at `t`, seconds of unscaled time.
    pub(super) fn remark(&mut self, t: f64, text: &str, diagnostics: &mut Diagnostics) {
        if let Some(flight) = &self.flight {
            flight.remark(&remark_line(t, text));
        }
        self.write_down(diagnostics, |recorder| recorder.remark(t, text));
    }

    fn take_in(&mut self, event: &InputEvent, stage: &mut Stage, diagnostics: &mut Diagnostics) {
        let recorded = RecordedEvent::Input(event.clone());
        self.keep(stage.unscaled_time(), &recorded, diagnostics);
        stage.apply(event);
    }

    fn keep(&mut self, t: f64, event: &RecordedEvent, diagnostics: &mut Diagnostics) {
        if let Some(flight) = &self.flight {
            flight.event(t, event);
        }
        if let Some(history) = &mut self.history {
            history.keep(t, event);
        }
        self.write_down(diagnostics, |recorder| recorder.event(t, event));
    }

    /// Reports a failure once; the game continues without a recording.
    fn write_down(
        &mut self,
        diagnostics: &mut Diagnostics,
        write: impl FnOnce(&mut Recorder) -> std::io::Result<()>,
    ) {
        if let Some(recorder) = &mut self.recorder
            && let Err(error) = write(recorder)
        {
            self.recorder = None;
            let text = format!("the input recording stopped: {error}");
            diagnostics.set("recording", MessageKind::Warning, &text);
        }
    }
}
