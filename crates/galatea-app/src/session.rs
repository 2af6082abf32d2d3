//! A running project.

mod debugging;
mod drawing;
mod halt;
mod input_history;
mod inputs;
mod past;
mod past_console;
mod pick;
mod playing;
mod record_test;
mod rerun;
mod saves;
mod scripts;
mod sound;
mod studio;
mod swap;
mod timeline;
mod values;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use tracing::info_span;

use super::diagnostics::Diagnostics;
use super::library::{Finished, Library};
use super::player::PlayerProfile;
use super::profile::Profiler;
use super::recording::{Recorder, TimedEvent};
pub(super) use drawing::{
    report_drawing, report_fonts, report_shader_fault, shaders_of, shaders_reloaded,
};
use galatea_asset::{Project, Watcher, vfs};
use galatea_character::Definition;
use galatea_guard::{Activity, during};
use galatea_machine::partial_states;
use galatea_math::phases::PHASE;
use galatea_render::ShaderSource;
use galatea_script::{Debugger, Fault, Host, HostOptions};
use galatea_stage::frame::MessageKind;
use galatea_stage::{Frame, InputEvent, Stage, tick};
use inputs::Inputs;
use past::Past;
use scripts::Scripts;
pub use sound::SoundOutput;
use sound::SoundRoom;
use timeline::Timeline;
use values::SessionValues;

/// Options of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Output of sound.
    pub sound: SoundOutput,
    /// Files are watched and reloaded.
    pub watch: bool,
    /// Nothing is printed on stderr; the caller reports the errors.
    pub quiet: bool,
    /// Scripts wait for their models. Otherwise models load in the background, and the script starts when they are loaded.
    pub wait: bool,
}

/// Purpose of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SessionKind {
    Usual,
    /// The console can read top-level locals of scripts by name.
    ToAsk,
    /// As `ToAsk`, and the scripts run first in the first tick.
    ToDebug,
    /// Scripts write no files.
    Dry,
}

/// A running project: stage, scripts, models, sounds and watched files.
pub struct Session {
    /// The project.
    pub project: Project,
    /// The simulation.
    pub stage: Stage,
    /// Current errors and warnings.
    pub diagnostics: Diagnostics,
    pub(super) scripts: Scripts,
    files: SessionFiles,
    sound: SoundRoom,
    inputs: Inputs,
    options: SessionOptions,
    /// The console can read top-level locals of scripts by name.
    has_locals: bool,
    halt: HaltState,
    /// Copies of the last minutes, if they are kept.
    timeline: Option<Timeline>,
    /// The past, while it is displayed: `stage` is a copy then.
    past: Option<Past>,
    /// Values of the scripts that the studio shows and changes.
    values: SessionValues,
    /// The profiler, once it was started.
    profiler: Option<Profiler>,
    /// Stops the scripts, if they are debugged.
    debugger: Option<Debugger>,
}

/// State after internal errors.
#[derive(Debug, Default)]
struct HaltState {
    survives: bool,
    is_halted: bool,
}

/// Models and other files: loading and reloading.
struct SessionFiles {
    library: Arc<Library>,
    arrivals: Receiver<Finished>,
    watcher: Option<Watcher>,
    /// Working directory at the start, if the project path is relative to it.
    started_in: Option<PathBuf>,
    shaders_changed: bool,
    holds_models: bool,
}

impl SessionFiles {
    /// Enters the start directory again if another directory has replaced it. Otherwise the process would stay in the one
    /// that was moved away.
    fn enter_folder(&self) {
        if let Some(folder) = &self.started_in
            && std::env::current_dir().ok().as_ref() != Some(folder)
        {
            // If entering fails, paths are resolved as before.
            let _ = std::env::set_current_dir(folder);
        }
    }
}

impl Session {
    /// Opens a project and runs its script. A script error becomes a message, not an error: saving a fixed script resolves
    /// it.
    ///
    /// # Errors
    /// If the script VM cannot be created.
    pub fn open(project: Project, options: SessionOptions) -> anyhow::Result<Self> {
        Self::make(
            project,
            options,
            PlayerProfile::anonymous(),
            SessionKind::Usual,
        )
    }

    /// Same as [`Session::open`], but scripts write no files.
    ///
    /// # Errors
    /// If the script VM cannot be created.
    pub fn open_dry(project: Project, options: SessionOptions) -> anyhow::Result<Self> {
        Self::make(
            project,
            options,
            PlayerProfile::anonymous(),
            SessionKind::Dry,
        )
    }

    /// Same as [`Session::open`], with a player, who may have own key bindings.
    ///
    /// # Errors
    /// If the script VM cannot be created.
    pub fn open_for(
        project: Project,
        options: SessionOptions,
        player: PlayerProfile,
    ) -> anyhow::Result<Self> {
        Self::make(project, options, player, SessionKind::Usual)
    }

    /// Same as [`Session::open_for`], and [`Session::answer`] can read top-level locals of scripts by name.
    ///
    /// # Errors
    /// If the script VM cannot be created.
    pub fn open_for_console(
        project: Project,
        options: SessionOptions,
        player: PlayerProfile,
    ) -> anyhow::Result<Self> {
        Self::make(project, options, player, SessionKind::ToAsk)
    }

    /// Same as [`Session::open_for_console`], but the scripts run first in the first tick, so that a debugger can stop them.
    ///
    /// # Errors
    /// If the script VM cannot be created.
    pub fn open_for_debugger(
        project: Project,
        options: SessionOptions,
        player: PlayerProfile,
    ) -> anyhow::Result<Self> {
        Self::make(project, options, player, SessionKind::ToDebug)
    }

    /// Ends this session and opens its project again from the start. Loaded models and other files are kept. Scripts print
    /// nothing and write no files, and of the messages only errors are printed, because the first session did the rest.
    ///
    /// # Errors
    /// If the script VM cannot be created.
    pub fn restarted_silently(self, player: PlayerProfile) -> anyhow::Result<Self> {
        let kind = if self.has_locals {
            SessionKind::ToAsk
        } else {
            SessionKind::Usual
        };
        let options = SessionOptions {
            quiet: true,
            ..self.options
        };
        let SessionFiles {
            library, arrivals, ..
        } = self.files;
        drop((self.stage, self.scripts, self.sound));
        library.mute();
        library.write_nothing();
        let mut session =
            Self::make_with(self.project, options, player, kind, (library, arrivals))?;
        session.diagnostics.print_only_errors();
        Ok(session)
    }

    fn make(
        project: Project,
        options: SessionOptions,
        player: PlayerProfile,
        kind: SessionKind,
    ) -> anyhow::Result<Self> {
        let _phase = info_span!(target: PHASE, "open the project").entered();
        let library = Library::new(project.clone(), options.wait, options.quiet);
        if kind == SessionKind::Dry {
            library.0.write_nothing();
        }
        Self::make_with(project, options, player, kind, library)
    }

    fn make_with(
        project: Project,
        options: SessionOptions,
        mut player: PlayerProfile,
        kind: SessionKind,
        (library, arrivals): (Arc<Library>, Receiver<Finished>),
    ) -> anyhow::Result<Self> {
        let has_locals = matches!(kind, SessionKind::ToAsk | SessionKind::ToDebug);
        let host = {
            let _phase = info_span!(target: PHASE, "create the Lua VM").entered();
            new_host(&project, has_locals, &library)?
        };
        let mut diagnostics = Diagnostics::default();
        if options.quiet {
            diagnostics.silence();
        }
        let watcher = options.watch.then(|| watch(&project));
        let is_relative = options.watch && project.root.is_relative();
        let started_in = is_relative.then(std::env::current_dir);
        let sound = {
            let _phase = info_span!(target: PHASE, "open the sound output").entered();
            SoundRoom::open(options.sound)
        };
        if let Some(fault) = player.take_fault() {
            let text = format!("{fault}\nthe key bindings of the scripts are used instead");
            diagnostics.set("bindings", MessageKind::Warning, &text);
        }
        let mut stage = Stage::default();
        player.sit_down(&mut stage);
        if let (Some(home), false) = (player.folder(), kind == SessionKind::Dry) {
            library.saves.use_folder(home);
        }
        let mut session = Self {
            inputs: Inputs::new(player, &project),
            project,
            stage,
            diagnostics,
            scripts: Scripts::new(host),
            files: SessionFiles {
                library,
                arrivals,
                watcher,
                started_in: started_in.and_then(Result::ok),
                shaders_changed: false,
                holds_models: false,
            },
            sound,
            options,
            has_locals,
            halt: HaltState::default(),
            timeline: None,
            past: None,
            values: SessionValues::default(),
            profiler: None,
            debugger: None,
        };
        if kind != SessionKind::ToDebug {
            let _scope = during("running the script for the first time");
            let _phase = info_span!(target: PHASE, "run the script").entered();
            session.run_script();
        }
        Ok(session)
    }

    /// Runs one tick: reloads, then the simulation, then sound. While the past is displayed, the simulation stands still.
    pub fn tick(&mut self) {
        self.apply_reloads();
        if self.is_halted() {
            return;
        }
        if self.is_in_past() {
            return self.run("displaying the past", |session| {
                session.advance_rerun();
                session.play_past_tick();
            });
        }
        let activity = Activity::Numbered("running tick", self.stage.clock.n_ticks);
        self.run(activity, Self::advance);
    }

    fn advance(&mut self) {
        let (stage, diagnostics) = (&mut self.stage, &mut self.diagnostics);
        let began = stage.unscaled_time();
        let replayed = self.inputs.play_again(stage, diagnostics);
        for line in &replayed.lines {
            self.inputs.note_console(line, stage, diagnostics);
            self.scripts.host.answer(stage, line);
        }
        self.scripts.host.plan_stops(replayed.stops);
        self.sound.listen(stage, diagnostics);
        if replayed.is_replay {
            stage.audio.microphone = replayed.microphone;
        }
        self.inputs.note_microphone(began, stage, diagnostics);
        tick(stage, &mut self.scripts.host);
        let stops = self.scripts.host.take_stops();
        self.inputs.note_stops(began, &stops, diagnostics);
        let notices = self.scripts.host.serve_requests(stage);
        self.scripts.report_faults(diagnostics);
        for text in stage.take_physics_failures() {
            diagnostics.set(&format!("physics {text}"), MessageKind::Warning, &text);
        }
        self.inputs.save_bindings(stage, diagnostics);
        self.scripts.watch(stage);
        let delay = self.project.settings.sound.output_latency;
        self.sound
            .play(stage, &self.files.library, delay, diagnostics);
        self.report_outcome();
        self.report_games(notices);
        if let Some(timeline) = &mut self.timeline {
            timeline.record(&self.stage, &mut self.scripts.host);
        }
    }

    /// Records a line that the console answers between two ticks.
    pub(super) fn note_console(&mut self, line: &str) {
        self.inputs
            .note_console(line, &self.stage, &mut self.diagnostics);
    }

    /// Returns the loaded models, by name.
    pub fn models(&self) -> Vec<Arc<Definition>> {
        self.files.library.models()
    }

    /// Returns the memory of all scripts, bytes.
    pub fn script_memory(&self) -> usize {
        self.scripts.host.memory()
    }

    /// Applies changed files and finished models. [`Session::tick`] calls this itself.
    pub fn apply_reloads(&mut self) {
        puffin::profile_scope!("reloads");
        if self.is_halted() {
            self.restart_if_due();
        } else if self.is_in_past() {
            self.apply_reloads_in_past();
        } else {
            self.run("applying changed files", Self::take_in_changes);
        }
    }

    /// Files that changed since the last call.
    fn changed_files(&mut self) -> Vec<PathBuf> {
        let Some(watcher) = &mut self.files.watcher else {
            return Vec::new();
        };
        let changed = watcher.poll();
        if let Some(notice) = watcher.take_notice() {
            let kind = MessageKind::Warning;
            self.diagnostics.set("watch", kind, &notice);
        }
        if !changed.is_empty() {
            self.files.enter_folder();
        }
        changed
    }

    /// A VM for this project, which records events if the running one does.
    fn new_host(&self) -> Result<Host, Fault> {
        let mut host = new_host(&self.project, self.has_locals, &self.files.library)?;
        if self.scripts.host.records_events() {
            host.record_events();
        }
        if let Some(debugger) = &self.debugger {
            host.attach(debugger.clone())?;
        }
        Ok(host)
    }

    /// Applies changed files in sessions that do not watch their folders.
    pub fn files_changed(&mut self, files: &[PathBuf]) {
        if self.is_halted() {
            self.scripts.is_due |= !files.is_empty();
            return;
        }
        self.at_present(|session| {
            session.run("applying changed files", |session| {
                for file in files {
                    session.file_changed(file);
                }
            });
        });
    }

    /// Number of models that are loading.
    pub fn n_loading(&self) -> usize {
        self.files.library.n_loading()
    }

    /// While `holds` is true, finished models are not applied. Simulates a slow disk.
    pub fn hold_models(&mut self, holds: bool) {
        self.files.holds_models = holds;
    }

    fn take_in_changes(&mut self) {
        self.take_in_files();
        if self.scripts.is_due {
            self.run_script();
        }
        self.answer_pending();
    }

    /// Applies changed files, apart from scripts.
    fn take_in_files(&mut self) {
        for path in self.changed_files() {
            self.file_changed(&vfs::in_project(&self.project.root, &path));
        }
        while !self.files.holds_models
            && let Ok(finished) = self.files.arrivals.try_recv()
        {
            let arrived = self.files.library.take_in(finished);
            self.model_arrived(arrived);
        }
    }

    /// Reruns the script now, even if it was not saved.
    pub fn reload(&mut self) {
        self.scripts.is_due = true;
        self.apply_reloads();
    }

    /// Processes an input event. It is ignored during a replay. While the past is displayed, only the camera moves.
    pub fn input(&mut self, event: &InputEvent) {
        if self.is_in_past() {
            return self.input_in_past(event);
        }
        self.inputs
            .input(event, &mut self.stage, &mut self.diagnostics);
    }

    /// Replays recorded events from now on, and ignores input devices until the last event. Event times are unscaled
    /// times. One warning is issued if the stage differs from the recording.
    pub fn replay(&mut self, events: Vec<TimedEvent>) {
        self.inputs.replay(events);
    }

    /// Records all input from now on. A write error is reported once, and the game continues.
    pub fn record(&mut self, recorder: Recorder) {
        self.inputs.record(recorder);
    }

    /// Replaces the microphone by a recording, which starts when a face first follows it.
    pub fn use_recording_as_microphone(&mut self, sound: Arc<galatea_audio::Sound>) {
        self.sound.replace_microphone(sound);
    }

    /// Sound samples since the last call, stereo, interleaved. Only with [`SoundOutput::Capture`].
    pub fn take_sound(&mut self) -> Vec<f32> {
        self.sound.take_captured()
    }

    /// Fills a frame with the stage and the messages. `alpha` interpolates from the previous tick (0) to the last one (1).
    /// After an internal error the frame keeps its last content.
    pub fn frame(&mut self, alpha: f32, frame: &mut Frame) {
        let alpha = if self.is_in_past() { 1.0 } else { alpha };
        if !self.is_halted() {
            self.run("taking a snapshot", |session| {
                session.stage.snapshot(alpha, frame)
            });
        }
        if self.is_halted() {
            frame.messages.clear();
        }
        if let Some(ghost) = self.ghost() {
            ghost.add_outlines(&self.stage, &mut frame.lines);
        }
        let now = self.present_time();
        self.count_faults();
        self.diagnostics.show(now, &mut frame.messages);
        frame.watches.clone_from(&self.scripts.watched);
    }

    /// Updates how often each current script error has occurred.
    pub fn count_faults(&mut self) {
        self.diagnostics
            .count(|fault| self.scripts.host.times(fault));
    }

    /// Returns true once a version of the script has run.
    pub fn is_loaded(&self) -> bool {
        self.scripts.has_run
    }

    /// Returns true while the last loaded version of the script has an error and does not run.
    pub fn script_failed(&self) -> bool {
        self.diagnostics.stands("script")
    }

    /// Returns true until the script has run for the first time.
    pub fn is_loading(&self) -> bool {
        !self.scripts.has_run && self.files.library.n_loading() > 0
    }

    /// Returns the shaders if they have changed since the last call.
    pub fn take_shader_change(&mut self) -> Option<ShaderSource> {
        std::mem::take(&mut self.files.shaders_changed).then(|| self.shaders())
    }

    /// Shaders of the project.
    pub fn shaders(&self) -> ShaderSource {
        shaders_of(&self.project)
    }

    fn report_warnings(&mut self) {
        self.diagnostics.clear("loaded ");
        for (_, character) in self.stage.characters.iter() {
            let warnings = &character.definition.model.warnings;
            let folds = &character.definition.wrinkles().problems;
            if !warnings.is_empty() || !folds.is_empty() {
                let all: Vec<&str> = warnings.iter().chain(folds).map(String::as_str).collect();
                let text = format!("{}: {}", character.source, all.join("\n"));
                let subject = format!("loaded {}", character.source);
                self.diagnostics.set(&subject, MessageKind::Warning, &text);
            }
            let machine = character.playback.machine.as_ref();
            let partial = machine.map_or_else(Vec::new, |(machine, _)| {
                partial_states(machine, &character.definition.clips)
            });
            for problem in partial {
                let text = problem.to_string();
                let subject = format!("loaded {text}");
                self.diagnostics.set(&subject, MessageKind::Warning, &text);
            }
        }
    }
}

fn new_host(project: &Project, locals: bool, library: &Arc<Library>) -> Result<Host, Fault> {
    let settings = &project.settings.script;
    let options = HostOptions {
        call_budget: settings.budget,
        memory: settings.memory_mb << 20,
        locals,
        ..HostOptions::default()
    };
    Host::new(options, library.clone())
}

fn watch(project: &Project) -> Watcher {
    let folders = match vfs::over(&project.root) {
        // Folders that do not exist yet are watched too.
        Some(over) => over,
        None => {
            let root = absolute(&project.root);
            let own = match project.viewed.is_some() {
                true => vec![root],
                false => ["scripts", vfs::ASSETS, "shaders"]
                    .map(|folder| root.join(folder))
                    .to_vec(),
            };
            let others = vfs::beside(&project.root);
            own.into_iter().chain(others).collect()
        }
    };
    Watcher::new(&folders)
}

/// Absolute path, without resolving symbolic links.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

fn short(project: &Project, path: &Path) -> String {
    let root = &project.root;
    let roots = [Some(absolute(root)), root.canonicalize().ok()];
    let mut names = roots
        .iter()
        .flatten()
        .filter_map(|root| path.strip_prefix(root).ok());
    names.next().unwrap_or(path).display().to_string()
}
