//! Displaying the past of a running game: the game pauses, and the stage is replaced by a copy from its [`Timeline`].

use std::sync::Arc;

use glam::Vec3;

use super::Session;
use super::past_console::PastConsole;
use super::rerun::{ReplacedRun, Rerun};
use super::timeline::Timeline;
use crate::past_position::{PastChange, PastMove, PastPosition};
use galatea_script::{SavedGame, ScriptSource, Services};
use galatea_stage::frame::MessageKind;
use galatea_stage::{InputEvent, Stage};

/// Subject of messages about the past.
const SUBJECT: &str = "past";

/// Ticks after which a displayed moment is worth the time of loading it to explain it.
const MIN_STILL: u32 = 15;

/// The displayed past.
pub(super) struct Past {
    /// The stage of the paused game.
    pub present: Stage,
    /// The displayed copy.
    pub game: Arc<SavedGame>,
    /// Tick of the displayed copy.
    pub n_ticks: u64,
    /// Position in the timeline, ticks. While the past plays, it advances by one in each tick.
    cursor: u64,
    /// Direction in which the past plays: 1, -1, or 0 while it stands still.
    pub direction: i64,
    /// Changes of the camera by the user.
    camera: Option<UserCamera>,
    /// The replay in progress after a change.
    pub rerun: Option<Rerun>,
    /// Runs that were replaced by replays, oldest first.
    pub replaced: Vec<ReplacedRun>,
    /// The same moment of the last replaced run.
    ghost: Option<Stage>,
    /// Answers the console for the displayed moment.
    pub console: Option<PastConsole>,
    /// Ticks since the displayed moment changed.
    pub n_still: u32,
}

/// Changes of the camera by the user, as in [`galatea_stage::CameraRig`].
#[derive(Clone, Copy)]
struct UserCamera {
    turned: [f32; 2],
    zoomed: f32,
    panned: Vec3,
}

impl Session {
    /// Keeps the last `seconds` of the game from now on, for [`Session::look_back`].
    pub fn keep_past(&mut self, seconds: f64) {
        let max_ticks = (seconds / self.stage.clock.dt).round() as u64;
        match Timeline::new(max_ticks) {
            Ok(timeline) => {
                self.timeline = Some(timeline);
                self.scripts.host.record_events();
                let is_start = self.stage.time_control.n_ticks == 0;
                self.inputs.keep_history(seconds, is_start);
            }
            Err(why) => {
                let text = format!("the past cannot be recorded: {why}");
                self.diagnostics.set(SUBJECT, MessageKind::Warning, &text);
            }
        }
    }

    /// Returns the duration of the past that is kept, in seconds, or `None` if nothing is kept.
    pub fn kept_past(&self) -> Option<f64> {
        let timeline = self.timeline.as_ref()?;
        Some(timeline.max_ticks() as f64 * self.stage.clock.dt)
    }

    /// Returns the size of the compressed copies, bytes.
    pub fn past_bytes(&self) -> usize {
        self.timeline.as_ref().map_or(0, Timeline::n_bytes)
    }

    /// Returns true while the past is displayed.
    pub fn is_in_past(&self) -> bool {
        self.past.is_some()
    }

    /// Returns true if the displayed moment has not changed for a while.
    pub(super) fn is_past_still(&self) -> bool {
        let past = self.past.as_ref();
        past.is_some_and(|past| past.direction == 0 && past.n_still >= MIN_STILL)
    }

    /// Pauses the game and displays its newest copy.
    ///
    /// # Errors
    /// The reason why there is no past to display.
    pub fn look_back(&mut self) -> Result<(), String> {
        if self.is_in_past() {
            return Ok(());
        }
        if self.is_halted() {
            return Err("the project is paused after an internal error".to_owned());
        }
        let timeline = self.timeline.as_ref();
        let timeline = timeline.ok_or("the past is not recorded; start with `--rewind SECONDS`")?;
        let [_, newest] = timeline.range()?;
        let (n_ticks, game) = timeline.copy_at(newest, self.files.library.clone())?;
        if let Some(why) = timeline.failure() {
            let text = format!("the last moments are missing: the game cannot be copied: {why}");
            self.diagnostics.notify(text);
        }
        self.sound.pause(&self.stage);
        let shown = game.stage.clone();
        self.past = Some(Past {
            present: std::mem::replace(&mut self.stage, shown),
            game,
            n_ticks,
            cursor: n_ticks,
            direction: 0,
            camera: None,
            rerun: None,
            replaced: Vec::new(),
            ghost: None,
            console: None,
            n_still: 0,
        });
        self.watch_in_past();
        Ok(())
    }

    /// Continues the game where it was paused.
    pub fn return_to_present(&mut self) {
        if let Some(past) = self.past.take() {
            self.diagnostics.clear(SUBJECT);
            self.stage = past.present;
            self.scripts.watch(&mut self.stage);
        }
    }

    /// Displays another moment of the past, which then stands still.
    pub fn move_in_past(&mut self, to: PastMove) {
        let (Some(timeline), Some(past)) = (&self.timeline, &mut self.past) else {
            return;
        };
        let Ok([oldest, newest]) = timeline.range() else {
            return;
        };
        past.direction = 0;
        let dt = past.present.clock.dt;
        let cursor = match to {
            PastMove::Copies(by) => timeline.neighbour(past.n_ticks, by).unwrap_or(oldest),
            PastMove::Seconds(by) => past.cursor.saturating_add_signed((by / dt).round() as i64),
            PastMove::Fraction(at) => {
                oldest + (at.clamp(0.0, 1.0) * (newest - oldest) as f64).round() as u64
            }
            PastMove::Tick(n_ticks) => n_ticks,
            PastMove::Oldest => oldest,
            PastMove::Newest => newest,
        };
        self.show_past_at(cursor.min(newest).max(oldest));
    }

    /// Plays the past forwards (1) or backwards (-1) from now on; if it already plays in this direction, it stands still.
    pub fn play_past(&mut self, direction: i64) {
        if let Some(past) = &mut self.past {
            past.direction = match past.direction == direction {
                true => 0,
                false => direction.signum(),
            };
        }
    }

    /// Continues the game from the displayed moment, with the scripts and models as they are now. Tasks start again.
    ///
    /// # Errors
    /// If the script has an error or a model is still loading. The past is still displayed.
    pub fn continue_from_past(&mut self) -> Result<(), String> {
        let mut result = Err("the project is paused after an internal error".to_owned());
        self.run("continuing from the past", |session| {
            result = session.load_past();
        });
        result
    }

    fn load_past(&mut self) -> Result<(), String> {
        let Some(past) = self.past.take() else {
            return Err("the past is not displayed".to_owned());
        };
        let position = position(&past, self.timeline.as_ref());
        let shown = std::mem::replace(&mut self.stage, past.present);
        let source = ScriptSource::of(&self.project.settings.script.main);
        let ago = position.map_or(0.0, |position| position.seconds_ago);
        let game = SavedGame::clone(&past.game).with_rewound(ago);
        match self.scripts.host.load_game(&mut self.stage, &source, game) {
            Ok(loaded) => {
                self.diagnostics.clear(SUBJECT);
                self.diagnostics.clear("script");
                self.scripts.waits_for = loaded.loaded.models;
                let timeline = self.timeline.as_ref();
                let replaced =
                    timeline.map(|timeline| timeline.models_replaced_after(past.n_ticks));
                self.use_present_models(&replaced.unwrap_or_default());
                self.report_warnings();
                let text = format!("the game continues from {ago:.2} s ago");
                let lines = std::iter::once(text).chain(loaded.lost);
                let text = lines.collect::<Vec<_>>().join("\n");
                self.diagnostics.notify(&text);
                let t = self.stage.unscaled_time();
                self.inputs.remark(t, &text, &mut self.diagnostics);
                if let Some(timeline) = &mut self.timeline {
                    timeline.jumps.push(self.stage.time_control.n_ticks);
                }
                Ok(())
            }
            Err(error) => {
                let text = format!("the game cannot continue from here: {error}");
                self.diagnostics.set(SUBJECT, MessageKind::Error, &text);
                self.past = Some(Past {
                    present: std::mem::replace(&mut self.stage, shown),
                    ..past
                });
                Err(text)
            }
        }
    }

    /// Position of the displayed past, or `None` in the present.
    pub fn past_position(&self) -> Option<PastPosition> {
        position(self.past.as_ref()?, self.timeline.as_ref())
    }

    /// Advances the playing past by one tick in its direction. At either end it stands still.
    pub(super) fn play_past_tick(&mut self) {
        let (Some(timeline), Some(past)) = (&self.timeline, &mut self.past) else {
            return;
        };
        let Ok([oldest, newest]) = timeline.range() else {
            return;
        };
        past.n_still = past.n_still.saturating_add(1);
        let next = past.cursor.saturating_add_signed(past.direction);
        let cursor = next.min(newest).max(oldest);
        if cursor == past.cursor {
            past.direction = 0;
        } else {
            self.show_past_at(cursor);
        }
    }

    /// Displays a moment again, because the run has changed.
    pub(super) fn show_past_again(&mut self, cursor: u64) {
        if let Some(past) = &mut self.past {
            past.n_ticks = u64::MAX;
        }
        self.show_past_at(cursor);
    }

    fn show_past_at(&mut self, cursor: u64) {
        let (Some(timeline), Some(past)) = (&self.timeline, &mut self.past) else {
            return;
        };
        past.cursor = cursor;
        if timeline.neighbour(cursor, 0) == Some(past.n_ticks) {
            return;
        }
        past.ghost = ghost_at(&past.replaced, cursor, self.files.library.clone());
        past.console = None;
        past.n_still = 0;
        match timeline.copy_at(cursor, self.files.library.clone()) {
            Ok((n_ticks, game)) => {
                past.n_ticks = n_ticks;
                let shown = game.stage.clone();
                let before = std::mem::replace(&mut self.stage, shown);
                self.stage.picture.view = before.picture.view;
                self.stage.picture.show_bones = before.picture.show_bones;
                past.game = game;
                if let Some(camera) = past.camera {
                    camera.apply(&mut self.stage);
                }
                self.diagnostics.clear(SUBJECT);
                self.watch_in_past();
            }
            Err(why) => {
                past.direction = 0;
                let text = format!("this moment cannot be displayed: {why}");
                self.diagnostics.set(SUBJECT, MessageKind::Warning, &text);
            }
        }
    }

    /// The same moment in the run before the last change, while the past is displayed.
    pub(super) fn ghost(&self) -> Option<&Stage> {
        self.past.as_ref()?.ghost.as_ref()
    }

    /// The last change of the displayed past.
    pub fn past_change(&self) -> Option<Arc<PastChange>> {
        let replaced = self.past.as_ref()?.replaced.last()?;
        Some(replaced.change.clone())
    }

    /// Processes input while the past is displayed: only the camera moves.
    pub(super) fn input_in_past(&mut self, event: &InputEvent) {
        let Some(past) = &mut self.past else { return };
        if let InputEvent::Turn(..) | InputEvent::Pan(..) | InputEvent::Zoom(_) = event {
            self.stage.apply(event);
            past.camera = Some(UserCamera::of(&self.stage));
        }
    }

    /// Does work on the stage of the present, also while the past is displayed.
    pub(super) fn at_present<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let Some(mut past) = self.past.take() else {
            return work(self);
        };
        std::mem::swap(&mut self.stage, &mut past.present);
        let result = work(self);
        std::mem::swap(&mut self.stage, &mut past.present);
        self.past = Some(past);
        result
    }

    /// Seconds of unscaled time of the present.
    pub(super) fn present_time(&self) -> f64 {
        let past = self.past.as_ref();
        past.map_or(&self.stage, |past| &past.present)
            .unscaled_time()
    }
}

impl UserCamera {
    fn of(stage: &Stage) -> Self {
        Self {
            turned: stage.camera.turned,
            zoomed: stage.camera.zoomed,
            panned: stage.camera.panned,
        }
    }

    fn apply(self, stage: &mut Stage) {
        stage.camera.turned = self.turned;
        stage.camera.zoomed = self.zoomed;
        stage.camera.panned = self.panned;
    }
}

fn position(past: &Past, timeline: Option<&Timeline>) -> Option<PastPosition> {
    let [oldest, _] = timeline?.range().ok()?;
    let now = past.present.time_control.n_ticks;
    let seconds = |n: u64| n as f64 * past.present.clock.dt;
    Some(PastPosition {
        seconds_ago: seconds(now.saturating_sub(past.cursor)),
        duration: seconds(now.saturating_sub(oldest)),
        n_ticks: past.n_ticks,
        time: seconds(past.n_ticks),
        direction: past.direction,
        replayed: past.rerun.as_ref().map(Rerun::progress),
    })
}

/// The moment at tick `n_ticks` of the last replaced run, if it is after the change.
fn ghost_at(replaced: &[ReplacedRun], n_ticks: u64, services: Arc<dyn Services>) -> Option<Stage> {
    let last = replaced.last().filter(|last| n_ticks > last.from)?;
    let timeline = last.timeline()?;
    let [_, newest] = timeline.range().ok()?;
    let game = timeline.copy_at(n_ticks.min(newest), services);
    game.ok().map(|(_, game)| game.stage.clone())
}
