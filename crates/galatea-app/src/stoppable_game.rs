//! A game that is played, with a debugger that can stop its scripts.

use std::path::{Path, PathBuf};

use corosensei::stack::DefaultStack;

use crate::debug_facts::{DebugAction, DebugFacts, ScriptStop};
use crate::script_edits::ScriptEdits;
use crate::script_fiber::{FiberStops, StoppedSession, Worked};
use crate::session::Session;
use crate::studio_facts::{StudioFacts, shown_character};
use galatea_script::{Breakpoint, Debugger, ScriptStep, StoppedScript, Variable, VariableScope};
use galatea_stage::Stage;

/// A game that is played. While one of its scripts is stopped, its session cannot be used.
pub struct StoppableGame {
    state: GameState,
    debugger: Debugger,
    facts: DebugFacts,
    /// The stage at the stop, for the panels of the studio.
    stage: Stage,
    no_edits: ScriptEdits,
    stack: Option<DefaultStack>,
    n_stops: u64,
    /// Waits for a debugger before it runs.
    is_held: bool,
    /// Folder of the project.
    folder: PathBuf,
}

enum GameState {
    Running(Box<Session>),
    Stopped(StoppedSession),
    /// Only while it changes from one of the others to the other.
    Moving,
}

impl StoppableGame {
    /// Lets the debugger stop the scripts of a session.
    pub fn new(mut session: Session) -> Self {
        let debugger = Debugger::new(FiberStops);
        session.attach(&debugger);
        Self {
            folder: absolute(&session.project.root),
            state: GameState::Running(Box::new(session)),
            debugger,
            facts: DebugFacts::default(),
            stage: Stage::default(),
            no_edits: ScriptEdits::default(),
            stack: None,
            n_stops: 0,
            is_held: false,
        }
    }

    /// The session; `None` while one of its scripts is stopped.
    pub fn session(&mut self) -> Option<&mut Session> {
        match &mut self.state {
            GameState::Running(session) => Some(session),
            GameState::Stopped(_) | GameState::Moving => None,
        }
    }

    /// Replaces the session. Breakpoints stay.
    pub fn replace(&mut self, mut session: Session) {
        self.finish();
        session.attach(&self.debugger);
        self.folder = absolute(&session.project.root);
        self.state = GameState::Running(Box::new(session));
    }

    /// Makes the game wait before it runs, or ends that.
    pub fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
        if let (true, Some(session)) = (is_held, self.session()) {
            let text = "waiting for a code editor to connect to the debugger";
            session.diagnostics.notify(text);
        }
    }

    /// Runs a part of the session, such as a tick, in which scripts can stop. Does nothing while a script is stopped, or
    /// the game is held.
    pub fn run(&mut self, work: impl FnOnce(&mut Session) + 'static) {
        if self.is_held {
            return;
        }
        let session = match std::mem::replace(&mut self.state, GameState::Moving) {
            GameState::Running(session) => session,
            other => {
                self.state = other;
                return;
            }
        };
        if !self.debugger.is_armed() || session.is_in_past() {
            let mut session = session;
            work(&mut session);
            self.state = GameState::Running(session);
            return;
        }
        match StoppedSession::run(session, self.stack.take(), work) {
            Ok(worked) => self.note(worked),
            Err(mut session) => {
                let text = "there is no memory for the debugger, so scripts cannot stop";
                session.diagnostics.notify(text);
                self.debugger.clear();
                self.state = GameState::Running(session);
            }
        }
    }

    fn note(&mut self, worked: Worked) {
        match worked {
            Worked::Done(session, stack) => {
                self.stack = stack;
                self.state = GameState::Running(session);
                self.facts.stop = None;
                self.stage = Stage::default();
            }
            Worked::Stopped(mut stopped) => {
                self.n_stops += 1;
                let (number, watches) = (self.n_stops, self.facts.watches.clone());
                let about = stopped.ask(move |script| {
                    let stop = stop_of(script, number, 0, &watches);
                    (stop, script.stage(), script.texts())
                });
                if let Some((stop, stage, texts)) = about {
                    self.facts.stop = Some(stop);
                    self.facts.texts = texts;
                    self.stage = stage.unwrap_or_default();
                }
                self.state = GameState::Stopped(stopped);
            }
        }
    }

    /// Continues a stopped script.
    pub fn step(&mut self, step: ScriptStep) {
        match std::mem::replace(&mut self.state, GameState::Moving) {
            GameState::Stopped(stopped) => self.note(stopped.resume(step)),
            other => self.state = other,
        }
    }

    /// Continues a stopped script without any more stops.
    pub fn finish(&mut self) {
        if matches!(self.state, GameState::Stopped(_)) {
            let breaks_on_errors = self.debugger.breaks_on_errors();
            let breakpoints = self.debugger.breakpoints();
            self.debugger.clear();
            self.update_breakpoints();
            self.step(ScriptStep::Continue);
            self.debugger.break_on_errors(breaks_on_errors);
            for (file, breakpoints) in breakpoints {
                self.debugger.set_breakpoints(&file, breakpoints);
            }
        }
    }

    /// Answers a question about a stopped script; `None` if none is stopped.
    pub fn ask<R: 'static>(
        &mut self,
        question: impl FnOnce(&StoppedScript) -> R + 'static,
    ) -> Option<R> {
        match &mut self.state {
            GameState::Stopped(stopped) => stopped.ask(question),
            GameState::Running(_) | GameState::Moving => None,
        }
    }

    /// Folder of the project, as an absolute path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The debugger.
    pub fn debugger(&self) -> &Debugger {
        &self.debugger
    }

    /// The stop, while a script is stopped.
    pub fn stop(&self) -> Option<&ScriptStop> {
        self.facts.stop.as_ref()
    }

    /// Replaces the breakpoints of a script.
    pub fn set_breakpoints(&mut self, file: &str, breakpoints: Vec<Breakpoint>) {
        self.debugger.set_breakpoints(file, breakpoints);
        self.update_breakpoints();
    }

    /// Sets changed breakpoints in the code of a stopped script, or of a running one before its next tick.
    fn update_breakpoints(&mut self) {
        if self.ask(Debugger::update_breakpoints).is_none()
            && let Some(session) = self.session()
        {
            session.update_breakpoints();
        }
    }

    /// Updates what the debugger shows.
    pub fn update_facts(&mut self) -> &DebugFacts {
        let all = self.debugger.breakpoints();
        let all = all.into_iter().map(|(file, own)| {
            let own = own.into_iter().map(|one| {
                let place = self.debugger.place(&file, one.line);
                (one, place)
            });
            let own = own.collect();
            (file, own)
        });
        self.facts.breakpoints = all.collect();
        self.facts.breaks_on_errors = self.debugger.breaks_on_errors();
        if let GameState::Running(session) = &self.state {
            self.facts.texts = session.script_texts();
        }
        &self.facts
    }

    /// Facts for the panels of the studio.
    pub fn studio_facts(&mut self, selected: Option<&str>) -> StudioFacts<'_> {
        self.update_facts();
        let debugging = Some(&self.facts);
        match &mut self.state {
            GameState::Running(session) => StudioFacts {
                debugging,
                ..session.studio_facts(selected)
            },
            GameState::Stopped(_) | GameState::Moving => {
                let selected = selected.and_then(|name| shown_character(&self.stage, name));
                StudioFacts {
                    stage: &self.stage,
                    selected,
                    transitions: Err("a script is stopped".to_owned()),
                    history: None,
                    log: None,
                    recorded: None,
                    past: None,
                    main_script: "",
                    edits: &self.no_edits,
                    profiler: None,
                    debugging,
                }
            }
        }
    }

    /// Does what a user wants of the debugger.
    pub fn debug(&mut self, action: &DebugAction) {
        match action {
            DebugAction::Toggle { file, line } => {
                let mut own = self.breakpoints_of(file);
                let place = |one: &Breakpoint| self.debugger.place(file, one.line);
                let n_before = own.len();
                own.retain(|one| one.line != *line && place(one) != Some(*line));
                if own.len() == n_before {
                    own.push(Breakpoint {
                        line: *line,
                        ..Breakpoint::default()
                    });
                }
                self.set_breakpoints(file, own);
            }
            DebugAction::SetCondition {
                file,
                line,
                condition,
            } => {
                let mut own = self.breakpoints_of(file);
                for one in own.iter_mut().filter(|one| one.line == *line) {
                    one.condition = (!condition.is_empty()).then(|| condition.clone());
                }
                self.set_breakpoints(file, own);
            }
            DebugAction::ClearBreakpoints => {
                for file in self.debugger.breakpoints().keys() {
                    self.set_breakpoints(file, Vec::new());
                }
            }
            DebugAction::BreakOnErrors(breaks) => self.debugger.break_on_errors(*breaks),
            DebugAction::Pause => self.debugger.pause(),
            DebugAction::Step(step) => self.step(*step),
            DebugAction::ShowFrame(frame) => self.show_frame(*frame),
            DebugAction::ToggleParts(reference) => self.toggle_parts(*reference),
            DebugAction::Watch(expression) => {
                if !self.facts.watches.contains(expression) {
                    self.facts.watches.push(expression.clone());
                }
                self.show_frame_again();
            }
            DebugAction::Unwatch(expression) => {
                self.facts.watches.retain(|one| one != expression);
                self.show_frame_again();
            }
        }
    }

    fn breakpoints_of(&self, file: &str) -> Vec<Breakpoint> {
        self.debugger.breakpoints().remove(file).unwrap_or_default()
    }

    fn show_frame_again(&mut self) {
        if let Some(stop) = &self.facts.stop {
            self.show_frame(stop.frame);
        }
    }

    fn show_frame(&mut self, frame: usize) {
        let watches = self.facts.watches.clone();
        let number = self.n_stops;
        if let Some(stop) = self.ask(move |script| stop_of(script, number, frame, &watches)) {
            self.facts.stop = Some(stop);
        }
    }

    fn toggle_parts(&mut self, reference: u32) {
        let is_open = |stop: &mut ScriptStop| stop.parts.remove(&reference).is_some();
        if self.facts.stop.as_mut().is_none_or(is_open) {
            return;
        }
        let parts = self.ask(move |script| script.parts(reference));
        if let (Some(stop), Some(parts)) = (&mut self.facts.stop, parts) {
            stop.parts.insert(reference, parts);
        }
    }
}

impl Drop for StoppableGame {
    fn drop(&mut self) {
        // A suspended stack cannot be dropped: code of the VM is on it.
        self.finish();
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Describes a stopped script with the variables of one of its functions.
fn stop_of(script: &StoppedScript, number: u64, frame: usize, watches: &[String]) -> ScriptStop {
    let scopes = [
        VariableScope::Locals,
        VariableScope::Captured,
        VariableScope::Globals,
    ];
    let watched = |text: &String| -> Result<Variable, String> { script.evaluate(frame, text) };
    ScriptStop {
        number,
        reason: script.reason().clone(),
        frames: script.frames().to_vec(),
        frame,
        scopes: scopes
            .map(|scope| (scope, script.variables(frame, scope)))
            .into(),
        parts: std::collections::HashMap::new(),
        watches: watches.iter().map(watched).collect(),
    }
}
