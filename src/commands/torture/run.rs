//! One torture run: plays a copy of a project, performs the list of actions and looks for errors. It is a separate
//! process, because an error may crash it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use cpu_time::ThreadTime;
use galatea_app::control::Responder;
use galatea_app::headless::HeadlessCamera;
use galatea_app::{PlayerProfile, Session, SessionOptions, SoundOutput, crash};
use galatea_asset::Project;
use galatea_stage::Frame;
use glam::Affine3A;

use super::actions::{ActionList, TimedAction, TortureAction};
use super::folder::{ChangedFolder, ProjectFiles};
use super::outcome::{RunOutcome, TortureFault};
use super::watchdog::{TortureProgress, Watchdog};

/// Ticks after the last restored file within which the project must run without errors.
const SETTLE: u64 = 45;
/// Ticks at the end without actions, in which a character must move.
const LAST_TICKS: u64 = 240;
/// Ticks between two measurements of memory.
const MEMORY_TICKS: u64 = 30;
/// Allowed memory beyond twice the memory after the warm-up, bytes.
const MORE_MEMORY: usize = 512 << 20;
/// Ticks between two pictures.
const PICTURE_TICKS: u64 = 60;
/// Size of pictures, pixels.
const PICTURE_SIZE: (u32, u32) = (320, 180);

/// Limits and options of a run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Processor time limit of one tick, seconds.
    pub tick_limit: f64,
    /// Processor time limit without progress, seconds.
    pub hang_limit: f64,
    /// The system reports file changes, not the run itself.
    pub watch: bool,
    /// Draws pictures.
    pub pictures: bool,
}

/// Plays a copy of a project in this process.
///
/// # Errors
/// When the session cannot be opened, or a file cannot be written.
pub fn run(
    project: Project,
    list: &ActionList,
    options: &RunOptions,
) -> anyhow::Result<RunOutcome> {
    let files = ProjectFiles::read(&project)?;
    let folder = ChangedFolder::new(&project.root, files);
    let progress = TortureProgress::default();
    let watchdog = Watchdog::start(progress.clone(), options.hang_limit);
    let session_options = SessionOptions {
        sound: SoundOutput::Capture,
        watch: options.watch,
        quiet: true,
        wait: false,
    };
    let mut session =
        Session::open_for_console(project, session_options, PlayerProfile::anonymous())?;
    session.survive_errors();
    session.record_events();
    let camera = match options.pictures {
        true => Some(HeadlessCamera::new(&mut session)?),
        false => None,
    };
    let mut run = TortureRun {
        session,
        folder,
        camera,
        options: options.clone(),
        responder: Responder::default(),
        known_events: AtomicU64::new(0),
        frame: Frame::default(),
        unnoticed: Vec::new(),
        noticed_at: 0,
        loaded_at: 0,
        restored_at: 0,
        is_undone: false,
        is_restored: false,
        known_errors: None,
        memory_limit: usize::MAX,
        outcome: RunOutcome::default(),
        progress,
    };
    run.play(list)?;
    watchdog.stop();
    if let Some(error) = crash::errors().into_iter().next() {
        run.outcome.report = error.file;
    }
    Ok(run.outcome)
}

struct TortureRun {
    session: Session,
    folder: ChangedFolder,
    camera: Option<HeadlessCamera>,
    options: RunOptions,
    responder: Responder,
    known_events: AtomicU64,
    frame: Frame,
    /// Changed files that were not reported to the session.
    unnoticed: Vec<PathBuf>,
    /// Tick from which changes are reported.
    noticed_at: u64,
    /// Tick from which models are delivered.
    loaded_at: u64,
    /// Tick of the last file change.
    restored_at: u64,
    /// An undo may have restored an older version of the scripts.
    is_undone: bool,
    /// A file was restored, and the scripts have not run again.
    is_restored: bool,
    /// Errors of the project before the first action, once it happened.
    known_errors: Option<Vec<String>>,
    memory_limit: usize,
    outcome: RunOutcome,
    progress: TortureProgress,
}

impl TortureRun {
    fn fail(&mut self, kind: &str, text: String) {
        let tick = self.outcome.n_ticks;
        self.outcome.fault.get_or_insert(TortureFault {
            kind: kind.to_owned(),
            text,
            tick,
        });
    }

    fn play(&mut self, list: &ActionList) -> anyhow::Result<()> {
        let mut actions: VecDeque<&TimedAction> = list.actions.iter().collect();
        let first = actions.front().map_or(list.n_ticks, |action| action.tick);
        let mut moves_at_first = false;
        while self.outcome.n_ticks < list.n_ticks && self.outcome.fault.is_none() {
            let tick = self.outcome.n_ticks;
            if tick < first {
                moves_at_first |= self.tick_and_compare();
            } else if tick == first {
                self.end_warm_up();
            }
            while let Some(action) = actions.pop_front_if(|action| action.tick <= tick) {
                self.progress.begin(self.outcome.n_ticks);
                self.act(&action.action)?;
                self.check_panics();
            }
            if tick >= first {
                self.tick(true);
            }
        }
        self.end(moves_at_first)
    }

    /// Records errors and memory before the first action.
    fn end_warm_up(&mut self) {
        self.known_errors = Some(self.errors());
        if let Some(used) = memory() {
            self.memory_limit = 2 * used + MORE_MEMORY;
        }
    }

    /// Restores all files. Then there must be no error, and a character must move if one moved at the start.
    fn end(&mut self, must_move: bool) -> anyhow::Result<()> {
        (self.noticed_at, self.loaded_at) = (0, 0);
        for name in self.folder.changed() {
            self.act(&TortureAction::Restore(name))?;
        }
        for event in self.session.stage.input.releases() {
            self.session.input(&event);
        }
        let mut moves = false;
        for _ in 0..LAST_TICKS {
            if self.outcome.fault.is_some() {
                return Ok(());
            }
            moves |= self.tick_and_compare();
        }
        if must_move && !moves && self.outcome.fault.is_none() {
            let text = "no character moves at the end, after all files were restored";
            self.fail("stands still", text.to_owned());
        }
        Ok(())
    }

    /// Runs a tick and returns true if a pose or placement changed.
    fn tick_and_compare(&mut self) -> bool {
        let placed = |frame: &Frame| -> Vec<Affine3A> {
            let placed = frame.models.iter().map(|model| model.world_from_model);
            placed.chain(frame.palette.iter().copied()).collect()
        };
        let before = placed(&self.frame);
        self.tick(true);
        placed(&self.frame) != before
    }

    fn act(&mut self, action: &TortureAction) -> anyhow::Result<()> {
        let tick = self.outcome.n_ticks;
        match action {
            TortureAction::Input(event) => self.session.input(event),
            TortureAction::Ask(line) => {
                self.is_undone |= line == "undo";
                // Any answer is accepted.
                let _ = self.session.answer(line);
            }
            TortureAction::Request(body) => {
                let word = body.get("do").and_then(serde_json::Value::as_str);
                self.is_undone |= matches!(word, Some("undo" | "redo"));
                let answer = self
                    .responder
                    .answer(&mut self.session, body, &self.known_events);
                drop(answer);
            }
            TortureAction::Change { file, by } => {
                let told = self.folder.change(file, by)?;
                self.saved(told);
                if file == "galatea.toml" {
                    self.open_again();
                }
            }
            TortureAction::Restore(name) => {
                let told = self.folder.restore(name)?;
                self.saved(told);
                self.is_restored = true;
            }
            TortureAction::Jump(n) => {
                for _ in 0..*n {
                    self.tick(false);
                }
            }
            TortureAction::Pause(n) => {
                for i in 0..*n {
                    self.session.apply_reloads();
                    let alpha = i as f32 / *n as f32;
                    self.session.frame(alpha, &mut self.frame);
                }
            }
            TortureAction::SlowDisk(n) => self.loaded_at = tick + n,
            TortureAction::LoseWatch(n) => self.noticed_at = tick + n,
        }
        Ok(())
    }

    fn saved(&mut self, files: Vec<PathBuf>) {
        self.outcome.n_saves += 1;
        self.restored_at = self.outcome.n_ticks;
        self.unnoticed.extend(files);
    }

    /// Opens the project in a new session, because settings are read only at the start.
    fn open_again(&mut self) {
        let options = SessionOptions {
            sound: SoundOutput::Silent,
            watch: false,
            quiet: true,
            wait: false,
        };
        // Invalid settings are an error of the project.
        let project = Project::open(&self.session.project.root);
        let opened = project.map(|project| Session::open(project, options));
        drop(opened);
    }

    /// Reports changed files to the session, and waits for models unless the disk is slow.
    fn notice(&mut self) {
        let tick = self.outcome.n_ticks;
        if tick >= self.noticed_at && !self.unnoticed.is_empty() {
            let mut files = std::mem::take(&mut self.unnoticed);
            files.sort();
            files.dedup();
            match self.options.watch {
                true => self.wait_for_watch(),
                false => self.session.files_changed(&files),
            }
        }
        if self.is_restored && tick >= self.noticed_at && self.folder.is_whole() {
            self.is_restored = false;
            // A listener error stays until a script is saved; a script that failed to load must reload automatically.
            if !self.session.script_failed() {
                self.session.reload();
            }
        }
        let is_slow = tick < self.loaded_at;
        self.session.hold_models(is_slow);
        self.session.apply_reloads();
        while !is_slow && self.session.n_loading() > 0 {
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.session.apply_reloads();
        }
    }

    /// Waits until the system has reported changes.
    fn wait_for_watch(&mut self) {
        for _ in 0..60 {
            std::thread::sleep(std::time::Duration::from_millis(5));
            self.session.apply_reloads();
        }
    }

    fn tick(&mut self, shows: bool) {
        self.progress.begin(self.outcome.n_ticks);
        self.notice();
        let start = ThreadTime::now();
        self.session.tick();
        let seconds = start.elapsed().as_secs_f64();
        self.outcome.n_ticks += 1;
        self.check_panics();
        // The first ticks decode clips.
        let is_warm = self.known_errors.is_some();
        if is_warm && seconds > self.options.tick_limit {
            let text = format!(
                "a tick took {seconds:.2} s of processor time; the limit is {} s",
                self.options.tick_limit
            );
            self.fail("slow tick", text);
        }
        if shows {
            self.session.frame(1.0, &mut self.frame);
            self.check_panics();
            self.check_numbers();
        }
        if self.outcome.n_ticks.is_multiple_of(MEMORY_TICKS) {
            self.check_memory();
        }
        if self.outcome.n_ticks.is_multiple_of(PICTURE_TICKS) {
            self.draw();
        }
        self.check_errors();
    }

    fn draw(&mut self) {
        let Some(camera) = &mut self.camera else {
            return;
        };
        let time = self.session.stage.time();
        if let Err(error) = camera.picture(&mut self.session, time, PICTURE_SIZE) {
            self.fail("picture", format!("cannot draw a picture: {error:#}"));
        }
        self.check_panics();
    }

    fn check_panics(&mut self) {
        if let Some(error) = crash::errors().first() {
            let kind = format!("panic at {}", error.panic.location);
            let during = error.panic.activities.join(", ");
            let text = format!(
                "{} ({during}): {}",
                error.panic.location, error.panic.message
            );
            self.fail(&kind, text);
        }
    }

    fn check_numbers(&mut self) {
        let frame = &self.frame;
        let camera = &frame.camera;
        let is_finite = [
            (
                "camera",
                camera.eye.is_finite() && camera.target.is_finite() && camera.fov_y.is_finite(),
            ),
            ("palette", frame.palette.iter().all(|m| m.is_finite())),
            (
                "morph weights",
                frame.morph_weights.iter().all(|w| w.is_finite()),
            ),
            (
                "placement",
                frame
                    .models
                    .iter()
                    .all(|model| model.world_from_model.is_finite()),
            ),
            (
                "sound",
                self.session
                    .take_sound()
                    .iter()
                    .all(|sample| sample.is_finite()),
            ),
        ];
        for (what, is_finite) in is_finite {
            if !is_finite {
                let kind = format!("not a number: {what}");
                self.fail(&kind, format!("a value of the {what} is NaN or infinite"));
            }
        }
    }

    fn check_memory(&mut self) {
        let Some(used) = memory() else { return };
        self.outcome.peak_memory = self.outcome.peak_memory.max(used);
        if used > self.memory_limit {
            let (used, limit) = (used >> 20, self.memory_limit >> 20);
            self.fail(
                "memory",
                format!("{used} MB of memory are used; the limit is {limit} MB"),
            );
        }
    }

    /// Current errors.
    fn errors(&self) -> Vec<String> {
        self.session
            .diagnostics
            .errors()
            .map(str::to_owned)
            .collect()
    }

    /// While all files have their original content, there must be no new error.
    fn check_errors(&mut self) {
        let tick = self.outcome.n_ticks;
        let is_quiet = self.folder.is_whole()
            && self.unnoticed.is_empty()
            && tick >= self.loaded_at
            && tick >= self.restored_at + SETTLE;
        let Some(known) = self.known_errors.as_ref().filter(|_| is_quiet) else {
            return;
        };
        let errors = self.errors();
        if let Some(error) = errors.iter().find(|error| !known.contains(error)) {
            if std::mem::take(&mut self.is_undone) {
                // The running version is not that of the files.
                self.session.reload();
                self.restored_at = tick;
                return;
            }
            let text = format!("all files were restored, but there is still an error: {error}");
            self.fail("error", text);
        }
    }
}

/// Memory used by the process, bytes.
fn memory() -> Option<usize> {
    memory_stats::memory_stats().map(|stats| stats.physical_mem)
}
