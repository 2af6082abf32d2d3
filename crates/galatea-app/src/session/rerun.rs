//! Changing the past: a changed script or model is applied at the displayed moment, and the recorded input is replayed from
//! there to the present. The run before stays for comparison, and can be restored.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Session;
use super::input_history::InputHistory;
use super::inputs::Inputs;
use super::scripts::Scripts;
use super::sound::{SoundOutput, SoundRoom};
use super::timeline::Timeline;
use crate::past_position::PastChange;
use crate::run_diff::{add_final_poses, compare_logs};
use galatea_guard::contained;
use galatea_script::{LoadError, ScriptSource};
use galatea_stage::Stage;
use galatea_stage::frame::MessageKind;

/// Maximum duration of the part of a replay in one tick of the window.
const SLICE: Duration = Duration::from_millis(40);
/// Distance up to which positions count as equal, metres.
const TOLERANCE: f32 = 0.01;
/// Maximum number of runs that can be restored.
const MAX_KEPT: usize = 4;
/// Subject of messages about a replay.
const SUBJECT: &str = "changed past";

/// A run of the game: its present, its scripts, its past and its input.
pub(super) struct GameRun {
    stage: Stage,
    scripts: Scripts,
    timeline: Option<Timeline>,
    history: Option<InputHistory>,
}

/// A replay in progress.
pub(super) struct Rerun {
    run: GameRun,
    inputs: Inputs,
    sound: SoundRoom,
    /// First and last tick of unscaled time.
    ticks: [u64; 2],
}

impl Rerun {
    /// Progress from 0 to 1.
    pub fn progress(&self) -> f32 {
        let [from, to] = self.ticks;
        let done = self.run.stage.time_control.n_ticks.saturating_sub(from);
        done as f32 / (to - from).max(1) as f32
    }
}

/// A run that was replaced by a replay, and how the replay differs.
pub(super) struct ReplacedRun {
    run: GameRun,
    /// First tick of unscaled time that was played again.
    pub from: u64,
    pub change: Arc<PastChange>,
}

impl ReplacedRun {
    /// The past of the run.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.run.timeline.as_ref()
    }
}

impl Session {
    /// Exchanges the run of this session with another one.
    fn exchange(&mut self, run: &mut GameRun) {
        std::mem::swap(&mut self.stage, &mut run.stage);
        std::mem::swap(&mut self.scripts, &mut run.scripts);
        std::mem::swap(&mut self.timeline, &mut run.timeline);
        self.inputs.exchange_history(&mut run.history);
    }

    /// Exchanges the input devices and the sound output with those of a replay.
    fn exchange_devices(&mut self, rerun: &mut Rerun) {
        std::mem::swap(&mut self.inputs, &mut rerun.inputs);
        std::mem::swap(&mut self.sound, &mut rerun.sound);
    }

    /// Applies changed files while the past is displayed, and starts a replay if they change the game.
    pub(super) fn apply_reloads_in_past(&mut self) {
        let n_replaced = |session: &Self| {
            let timeline = session.timeline.as_ref();
            timeline.map_or(0, |timeline| timeline.replaced_models.len())
        };
        let before = n_replaced(self);
        self.at_present(|session| session.run("applying changed files", Self::take_in_files));
        let is_due = std::mem::take(&mut self.scripts.is_due) || n_replaced(self) > before;
        if is_due && !self.is_halted() {
            self.run("applying a change in the past", |session| {
                if let Err(error) = session.begin_rerun() {
                    session.report_refusal(error);
                }
            });
        }
    }

    /// Applies the present scripts and models at the displayed moment, in a VM of their own.
    fn begin_rerun(&mut self) -> Result<(), LoadError> {
        let is_draft = self.rebase_values();
        let (Some(past), Some(timeline)) = (&mut self.past, &self.timeline) else {
            return Ok(());
        };
        past.rerun = None;
        let saved = past.game.stage.clone();
        let dt = saved.clock.dt;
        let from = past.n_ticks;
        let present = past.present.time_control.n_ticks;
        let to = timeline.jump_after(from).unwrap_or(present).min(present);
        let seconds = |n_ticks: u64| n_ticks as f64 * dt;
        let replaced = timeline.models_replaced_after(from);
        // Input of the displayed tick was applied before it.
        let half = 0.5 * dt;
        let interval = [seconds(from) - half, seconds(to) - half];
        let history = self.inputs.history().cloned();
        let events = history.as_ref().map(|history| history.within(interval));
        let fork = match timeline.fork(from, to, dt) {
            Ok(mut fork) => {
                fork.history.note_reload(from, "changed past");
                fork
            }
            Err(why) => {
                self.diagnostics.set(SUBJECT, MessageKind::Error, &why);
                return Ok(());
            }
        };
        let game = past
            .game
            .as_ref()
            .clone()
            .with_rewound(seconds(present - from));
        let host = self.new_host();
        let mut host = host.map_err(|fault| LoadError::Fault {
            fault,
            models: Vec::new(),
        })?;
        let mut stage = saved.clone();
        let source = ScriptSource::of(&self.project.settings.script.main);
        self.files.library.hold_writes(true);
        let loaded = host.load_game(&mut stage, &source, game);
        self.files.library.hold_writes(false);
        let loaded = loaded?;
        stage.time_control = saved.time_control;
        for expression in self.scripts.host.watched_expressions() {
            host.answer(&mut stage, &format!("watch {expression}"));
        }
        self.diagnostics.clear(SUBJECT);
        self.diagnostics.clear("script");
        self.scripts.waits_for.clear();
        let lost = loaded.lost.join("\n");
        if !lost.is_empty() {
            self.diagnostics.set(SUBJECT, MessageKind::Warning, &lost);
        }
        let mut rerun = Rerun {
            run: GameRun {
                stage,
                scripts: self.scripts.with_host(host, loaded.loaded, is_draft),
                timeline: Some(fork),
                history: history.map(|history| history.until(interval[1])),
            },
            inputs: Inputs::of_replay(events.unwrap_or_default()),
            sound: SoundRoom::open(SoundOutput::Silent),
            ticks: [from, to],
        };
        self.exchange(&mut rerun.run);
        self.use_present_models(&replaced);
        self.scripts.report_faults(&mut self.diagnostics);
        self.exchange(&mut rerun.run);
        if let Some(past) = &mut self.past {
            past.direction = 0;
            past.rerun = Some(rerun);
        }
        Ok(())
    }

    /// Replaces models that were reloaded after a copy of the game was made.
    pub(super) fn use_present_models(&mut self, keys: &[String]) {
        for key in keys {
            if let Some(now) = self.files.library.definition(key) {
                self.swap_model(key, &now);
            }
        }
    }

    fn report_refusal(&mut self, error: LoadError) {
        match error {
            LoadError::Pending(models) => self.scripts.waits_for = models,
            LoadError::Fault { fault, models } => {
                self.scripts.waits_for = models;
                let note = "the displayed past is unchanged";
                self.diagnostics.set_fault("script", fault, note);
            }
        }
    }

    /// Continues a replay for a short time.
    pub(super) fn advance_rerun(&mut self) {
        let Some(mut past) = self.past.take() else {
            return;
        };
        let Some(mut rerun) = past.rerun.take() else {
            self.past = Some(past);
            return;
        };
        let [_, to] = rerun.ticks;
        let survives = self.halt.survives;
        self.exchange(&mut rerun.run);
        self.exchange_devices(&mut rerun);
        self.files.library.hold_writes(true);
        let mut work = || {
            let began = Instant::now();
            while self.stage.time_control.n_ticks < to && began.elapsed() < SLICE {
                self.advance();
            }
            self.stage.time_control.n_ticks >= to
        };
        let result = match survives {
            true => contained("replaying the past", work),
            false => Ok(work()),
        };
        self.files.library.hold_writes(false);
        self.exchange_devices(&mut rerun);
        self.exchange(&mut rerun.run);
        match result {
            Err(caught) => {
                let text = format!("{}\nthe past is unchanged", caught.notice);
                self.diagnostics.set(SUBJECT, MessageKind::Error, &text);
                self.past = Some(past);
            }
            Ok(false) => {
                past.rerun = Some(rerun);
                self.past = Some(past);
            }
            Ok(true) => {
                self.past = Some(past);
                self.finish_rerun(rerun);
            }
        }
    }

    /// Makes a finished replay the game, and plays it from where it began.
    fn finish_rerun(&mut self, rerun: Rerun) {
        let Rerun {
            mut run,
            ticks,
            sound,
            ..
        } = rerun;
        if let Some(timeline) = &mut run.timeline {
            timeline.end_replay();
        }
        run.stage.start_sounds_again();
        run.stage.audio.orders.extend(sound.volume_order());
        self.at_present(|session| session.exchange(&mut run));
        let Some(past) = &mut self.past else { return };
        let logs = run.timeline.as_ref().zip(self.timeline.as_ref());
        let Some((before, now)) = logs else { return };
        let dt = past.present.clock.dt;
        let mut report = compare_logs([&before.log, &now.log], ticks, dt, TOLERANCE);
        add_final_poses(&mut report, [&run.stage, &past.present]);
        let change = Arc::new(PastChange {
            report,
            seconds: ticks.map(|n_ticks| n_ticks as f64 * dt),
        });
        let [from, _] = ticks;
        past.replaced.push(ReplacedRun { run, from, change });
        let n = past.replaced.len();
        past.replaced.drain(..n.saturating_sub(MAX_KEPT));
        self.show_past_again(from);
        self.play_past(1);
    }

    /// Restores the run before the last replay. Returns false if there is none. Files are unchanged.
    pub(super) fn restore_replaced_run(&mut self) -> bool {
        let Some(past) = &mut self.past else {
            return false;
        };
        if past.rerun.take().is_some() {
            return true;
        }
        let Some(ReplacedRun { mut run, from, .. }) = past.replaced.pop() else {
            return false;
        };
        past.direction = 0;
        self.at_present(|session| session.exchange(&mut run));
        self.diagnostics.clear("script");
        self.diagnostics.clear(SUBJECT);
        self.show_past_again(from);
        true
    }
}
