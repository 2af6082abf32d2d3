//! The Lua VM, its limits, and calls into it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua};

use super::api::groups;
use super::budget::{Budget, BudgetStop, owe};
use super::console::state::Console;
use super::debugger::{Debugger, apply, attach, call_ended, caught, stop_at_failed_task};
use super::fault::{Fault, is_internal};
use super::function_times;
use super::globals;
use super::history::History;
use super::interrupts::count_steps;
use super::library;
use super::locals;
use super::program::Program;
use super::recent_events::{RecordedScriptEvent, Ring, SuppressedEvent};
use super::reported_faults::ReportedFaults;
use super::saved_game::Begun;
use super::services::Services;
use super::sources::Texts;
use super::thrown::Thrown;
use super::vm::new_vm;
use super::world::{Reach, SharedWorld, World};
use galatea_machine::SourceLocation;
use galatea_stage::{Handle, Stage};

/// Limits of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOptions {
    /// Maximum number of steps of the main part of a script.
    pub load_budget: u64,
    /// Maximum number of steps of one update, listener or condition. The limit for all calls of one tick is
    /// [`HostOptions::tick_budget`].
    pub call_budget: u64,
    /// Maximum memory of all scripts together, bytes.
    pub memory: usize,
    /// The console can read the top-level locals of scripts by name in [`Host::answer`].
    pub locals: bool,
}

impl HostOptions {
    /// Maximum number of steps of all calls of one tick.
    pub fn tick_budget(&self) -> u64 {
        self.call_budget.saturating_mul(8) / 5
    }

    /// Processor time, seconds, after which scripts are stopped in a tick even if steps are left.
    fn tick_watchdog_s(&self) -> f64 {
        let default = Self::default().call_budget as f64;
        TICK_WATCHDOG_S * (self.call_budget as f64 / default).max(1.0)
    }
}

/// Maximum processor time of scripts in a tick with the default budget, and in their main part, seconds. Steps take
/// much longer in development builds.
const TICK_WATCHDOG_S: f64 = if cfg!(debug_assertions) { 4.0 } else { 0.2 };
const LOAD_WATCHDOG_S: f64 = 20.0 * TICK_WATCHDOG_S;
/// Steps that the runtime needs to resume a task, in addition to those of a call.
const TURN_STEPS: u64 = 260;

impl Default for HostOptions {
    fn default() -> Self {
        Self {
            load_budget: 60_000_000,
            call_budget: 5_000_000,
            memory: 256 << 20,
            locals: false,
        }
    }
}

/// Owns the VM and the program that runs in it.
pub struct Host {
    pub(super) lua: Lua,
    world: SharedWorld,
    pub(super) budget: Rc<Budget>,
    thrown: Rc<Thrown>,
    pub(super) options: HostOptions,
    pub(super) faults: Vec<Fault>,
    pub(super) reported_faults: ReportedFaults,
    pub(super) console: Console,
    pub(super) recent_events: Option<Ring>,
    /// A simulated tick has begun since the last part of the script that follows unscaled time.
    pub(super) has_begun_tick: bool,
    /// Start of the running version, for saved games.
    pub(super) begun: Begun,
    /// The last seconds of the game.
    pub(super) history: History,
    /// Debugger of its scripts.
    debugger: Option<Debugger>,
    /// Version of the breakpoints that are set in the code.
    breakpoints_version: Cell<u64>,
}

impl Host {
    /// Creates a VM with the API and without a script.
    ///
    /// # Errors
    /// Fails if the VM cannot be set up.
    pub fn new(options: HostOptions, services: Arc<dyn Services>) -> Result<Self, Fault> {
        let make = || -> mlua::Result<_> {
            let lua = new_vm()?;
            groups::register(&lua)?;
            library::register(&lua)?;
            let thrown = Thrown::register(&lua)?;
            if options.locals {
                locals::register(&lua)?;
            }
            globals::restrict(&lua)?;
            lua.sandbox(true)?;
            lua.set_memory_limit(options.memory)?;
            let budget = Rc::new(Budget::default());
            count_steps(&lua, budget.clone())?;
            let world = World::new(services, options.locals);
            let world = SharedWorld::new(RefCell::new(world));
            lua.set_app_data(world.clone());
            Ok((lua, world, budget, thrown))
        };
        let (lua, world, budget, thrown) = make().map_err(|error| Fault::from_lua(&error))?;
        Ok(Self {
            lua,
            world,
            budget,
            thrown,
            options,
            faults: Vec::new(),
            reported_faults: ReportedFaults::default(),
            console: Console::default(),
            recent_events: None,
            has_begun_tick: false,
            begun: Begun::default(),
            history: History::default(),
            debugger: None,
            breakpoints_version: Cell::new(0),
        })
    }

    /// Lets a debugger stop the scripts of this host.
    ///
    /// # Errors
    /// Fails if the VM runs out of memory.
    pub fn attach(&mut self, debugger: Debugger) -> Result<(), Fault> {
        let attach = || attach(&self.lua, debugger.clone());
        let attached = self.budget.aside(self.options.call_budget, attach);
        attached.map_err(|error| Fault::from_lua(&error))?;
        self.debugger = Some(debugger);
        Ok(())
    }

    /// Sets the breakpoints of the debugger in the code again after they have changed. Otherwise the next tick does it.
    pub fn update_breakpoints(&self) {
        if let Some(debugger) = &self.debugger
            && self.breakpoints_version.replace(debugger.version()) != debugger.version()
        {
            // If memory is short, the breakpoints stay as they are until the next change.
            let _ = apply(&self.lua);
        }
    }

    /// Texts of the loaded scripts, by path.
    pub fn texts(&self) -> Texts {
        self.with_program(|program| program.sources.texts.clone())
    }

    /// Makes the watchdog stop scripts in the next tick at these step counts, as it did in a recording.
    pub fn plan_stops(&mut self, steps: Vec<u64>) {
        self.budget.plan_stops(steps);
    }

    /// Returns the step counts at which the watchdog stopped scripts since the last call of this method.
    pub fn take_stops(&mut self) -> Vec<u64> {
        self.budget.take_stops()
    }

    /// Returns the faults since the last call of this method. A fault that repeats is returned once until the next
    /// load.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// Number of times that a fault has occurred since the last load.
    pub fn times(&self, fault: &Fault) -> u64 {
        self.reported_faults.times(fault.number)
    }

    /// Informs scripts that the models of these characters were replaced, which ended these actions.
    pub fn models_replaced(&mut self, characters: &[Handle], ended: &[u64]) {
        self.with_program(|program| program.listeners.models_replaced(characters, ended));
    }

    /// Starts to record events for [`Host::events_since`].
    pub fn record_events(&mut self) {
        self.recent_events.get_or_insert_default();
    }

    /// Returns true if events are recorded.
    pub fn records_events(&self) -> bool {
        self.recent_events.is_some()
    }

    /// Recorded events with a number above `since`, oldest first. The last 1024 events are stored.
    pub fn events_since(&self, since: u64) -> Vec<RecordedScriptEvent> {
        let ring = self.recent_events.as_ref();
        ring.map_or_else(Vec::new, |ring| ring.since(since))
    }

    /// Returns and removes the markers that were suppressed since the last call. They are recorded with the events.
    pub fn take_suppressed_events(&mut self) -> Vec<SuppressedEvent> {
        let ring = self.recent_events.as_mut();
        ring.map_or_else(Vec::new, Ring::take_suppressed)
    }

    /// Number of the last event.
    pub fn n_events(&self) -> u64 {
        self.recent_events.as_ref().map_or(0, Ring::n_events)
    }

    /// Memory of all scripts, bytes.
    pub fn memory(&self) -> usize {
        self.lua.used_memory()
    }

    /// Runs `run` in the VM with access to the stage and the budget of one call.
    pub(super) fn with_call_budget<R>(&self, stage: &mut Stage, run: impl FnOnce() -> R) -> R {
        self.within(stage, self.options.call_budget, run)
    }

    /// Resumes a coroutine with the budget of one call.
    pub(super) fn resume(
        &self,
        stage: &mut Stage,
        thread: &mlua::Thread,
        answer: mlua::MultiValue,
    ) -> mlua::Result<mlua::MultiValue> {
        self.with_call_budget(stage, || {
            owe(TURN_STEPS);
            let resumed = thread.resume(answer);
            if let (Err(error), Some(_)) = (&resumed, &self.debugger) {
                stop_at_failed_task(&self.lua, thread, error);
            }
            resumed
        })
    }

    pub(super) fn with_world<R>(&self, f: impl FnOnce(&mut World) -> R) -> R {
        // No borrow outlives a call of this method or of `world::with_world`. Neither calls into Lua.
        f(&mut self.world.borrow_mut())
    }

    /// Runs `f` with the program. Must not call into Lua.
    pub(super) fn with_program<R>(&self, f: impl FnOnce(&mut Program) -> R) -> R {
        self.with_world(|world| f(&mut world.program))
    }

    /// Calls a function with access to the stage and a limit of `allowed` steps.
    pub(super) fn call<R: mlua::FromLuaMulti>(
        &self,
        stage: &mut Stage,
        function: &Function,
        args: impl mlua::IntoLuaMulti,
        allowed: u64,
    ) -> mlua::Result<R> {
        let Some(debugger) = self.debugger.as_ref().filter(|one| one.is_armed()) else {
            return self.within(stage, allowed, || function.call::<R>(args));
        };
        let args = args.into_lua_multi(&self.lua)?;
        let result = self.within(stage, allowed, || caught(&self.lua, function, args));
        call_ended(&self.lua, debugger);
        R::from_lua_multi(result?, &self.lua)
    }

    /// Runs `run` in the VM with access to the stage and the budget of a script's main part.
    pub(super) fn with_stage<R>(&self, stage: &mut Stage, run: impl FnOnce() -> R) -> R {
        self.begin_main_part();
        self.within(stage, self.options.load_budget, run)
    }

    /// Begins a tick. Its calls share one budget.
    pub(super) fn begin_tick(&self) {
        self.update_breakpoints();
        let options = &self.options;
        self.budget
            .begin_tick(options.tick_budget(), options.tick_watchdog_s());
    }

    /// Begins the main part of a script, or a test.
    pub(super) fn begin_main_part(&self) {
        self.budget
            .begin_tick(self.options.load_budget, LOAD_WATCHDOG_S);
    }

    /// Runs `run` in the VM with access to the stage and a separate budget of at most `most` steps.
    pub(super) fn with_budget<R>(
        &self,
        stage: &mut Stage,
        most: u64,
        run: impl FnOnce() -> R,
    ) -> R {
        self.within(stage, most.min(self.options.call_budget), run)
    }

    /// Returns true if the last call exceeded its limit.
    pub(super) fn is_used_up(&self) -> bool {
        self.budget.stop().is_some()
    }

    /// Returns true if scripts have used up the steps of this tick.
    pub(super) fn is_tick_used_up(&self) -> bool {
        self.budget.is_tick_used_up()
    }

    /// Returns true if scripts have exceeded the steps of this tick so far that no more functions are called.
    pub(super) fn is_tick_over(&self) -> bool {
        self.budget.is_tick_over()
    }

    /// Steps that calls can still take in this tick.
    pub(super) fn steps_left(&self) -> u64 {
        self.budget.tick_left()
    }

    /// Counts work for scripts between their calls, in steps.
    pub(super) fn count_between(&self, steps: u64) {
        self.budget.count_between(steps);
    }

    fn within<R>(&self, stage: &mut Stage, allowed: u64, run: impl FnOnce() -> R) -> R {
        puffin::profile_scope!("lua");
        function_times::begin();
        self.budget.begin(allowed);
        self.with_world(|world| std::mem::swap(&mut world.stage, stage));
        let reach = Reach::of(&self.world);
        let result = run();
        self.budget.end();
        function_times::end();
        drop(reach);
        self.with_world(|world| std::mem::swap(&mut world.stage, stage));
        result
    }

    /// Converts an error of the VM to a fault with a message for the user.
    pub(super) fn fault(&self, error: &mlua::Error) -> Fault {
        let mut fault = Fault::from_lua(error);
        self.thrown.put_in_words(&mut fault);
        fault
    }

    pub(super) fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Calls a function and records its fault. A function that used up its budget is not called again until the next
    /// load.
    pub(super) fn call_guarded<R: mlua::FromLuaMulti>(
        &mut self,
        stage: &mut Stage,
        function: &Function,
        args: impl mlua::IntoLuaMulti,
    ) -> Option<R> {
        if self.is_suspended(function) {
            return None;
        }
        if self.budget.is_tick_over() {
            self.report_skipped_calls();
            return None;
        }
        match self.call(stage, function, args, self.options.call_budget) {
            Ok(value) => Some(value),
            Err(error) => {
                self.note(&error, function, None);
                None
            }
        }
    }

    /// Reports that functions are not called for the rest of the tick.
    pub(super) fn report_skipped_calls(&mut self) {
        self.push(Fault {
            text: format!(
                "some functions were not called, because all scripts together exceeded the budget of {} steps for one \
                 tick",
                self.options.tick_budget()
            ),
            ..Fault::default()
        });
    }

    pub(super) fn is_suspended(&self, function: &Function) -> bool {
        self.with_program(|program| {
            let suspended = &program.calls.suspended;
            !suspended.is_empty() && suspended.contains(function)
        })
    }

    /// Records a fault of code that is not called again.
    pub(super) fn report(&mut self, error: &mlua::Error) {
        let fault = self.fault(error);
        self.push(fault);
    }

    /// Records the fault of a function that was called. A fault without a position gets the position of the function;
    /// for a function of the runtime, `given` is used.
    pub(super) fn note(
        &mut self,
        error: &mlua::Error,
        function: &Function,
        given: Option<&SourceLocation>,
    ) {
        let mut fault = self.fault(error);
        if fault.file.is_none() {
            let info = function.info();
            let own = info
                .source
                .zip(info.line_defined)
                .map(|(source, line)| SourceLocation {
                    file: source.trim_start_matches(['@', '=']).to_owned(),
                    line: line as u32,
                });
            let written = |place: &SourceLocation| {
                place.line > 0 && !place.file.starts_with('[') && !is_internal(&place.file)
            };
            if let Some(place) = own.filter(written).as_ref().or(given) {
                (fault.file, fault.line) = (Some(place.file.clone()), Some(place.line));
            }
        }
        // Only conditions are called with `given`.
        if given.is_some() && fault.text.starts_with("attempt to modify a readonly table") {
            "a condition (`when`) can only read its parameters; it cannot set anything"
                .clone_into(&mut fault.text);
        }
        match self.budget.stop() {
            Some(BudgetStop::Call | BudgetStop::Watchdog) => {
                fault.text = format!(
                    "{}; the function is not called again until you save the script",
                    self.budget.message()
                );
                self.with_program(|program| program.calls.suspended.push(function.clone()));
            }
            Some(BudgetStop::Tick) => fault.text = self.budget.message(),
            None => {}
        }
        self.push(fault);
    }

    /// Runs functions of the version that a reload ends. Its faults are marked, and do not count as repetitions of those
    /// of the new version.
    pub(super) fn run_ended_version(&mut self, run: impl FnOnce(&mut Self)) {
        let told = std::mem::take(&mut self.reported_faults);
        let n_before = self.faults.len();
        run(self);
        for fault in &mut self.faults[n_before..] {
            fault.is_from_ended_version = true;
            fault.number = 0;
        }
        self.reported_faults = told;
    }

    /// Records a fault unless one was already reported for its position. Long messages are shortened.
    pub(super) fn push(&mut self, fault: Fault) {
        let place = match (&fault.file, fault.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => fault.text.clone(),
        };
        self.push_once(place, fault);
    }

    /// Records a fault unless one was already recorded under this key.
    pub(super) fn push_once(&mut self, key: String, mut fault: Fault) {
        if let Some((at, _)) = fault.text.char_indices().nth(MAX_TEXT) {
            fault.text.truncate(at);
            fault.text.push('…');
        }
        if let Some(number) = self.reported_faults.count(key) {
            fault.number = number;
            let fault = self.with_source(fault);
            self.faults.push(fault);
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Ok(mut world) = self.world.try_borrow_mut()
            && let Some(report) = world.print_limit.report()
        {
            world.services.print(&report);
        }
    }
}

/// Maximum number of characters of a fault's message.
const MAX_TEXT: usize = 2000;
