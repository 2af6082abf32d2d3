//! The VM, its limits, and the calls into it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua};

use super::api::groups;
use super::budget::{Budget, BudgetStop, owe};
use super::console::state::Console;
use super::fault::{Fault, is_internal};
use super::globals;
use super::heard::{Heard, Ring};
use super::interrupts::count_steps;
use super::library;
use super::locals;
use super::program::Program;
use super::services::Services;
use super::thrown::Thrown;
use super::told::Told;
use super::vm::new_vm;
use super::world::{Reach, SharedWorld, World};
use galatea_machine::SourceLocation;
use galatea_stage::{Handle, Stage};

/// Limits of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOptions {
    /// Steps that the main part of a script may take.
    pub load_budget: u64,
    /// Steps that one update, listener or condition may take. All calls of one tick may take
    /// [`HostOptions::tick_budget`].
    pub call_budget: u64,
    /// Bytes that all scripts together may hold.
    pub memory: usize,
    /// The locals at the top of scripts can be read by name in [`Host::answer`].
    pub locals: bool,
}

impl HostOptions {
    /// Steps that all calls of one tick may take.
    pub fn tick_budget(&self) -> u64 {
        self.call_budget.saturating_mul(8) / 5
    }

    /// Seconds of processor time after which scripts are stopped in a tick although they have steps left.
    fn tick_watchdog_s(&self) -> f64 {
        let default = Self::default().call_budget as f64;
        TICK_WATCHDOG_S * (self.call_budget as f64 / default).max(1.0)
    }
}

/// Seconds of processor time that scripts may take in a tick with the default budget, and in their main part. Development builds
/// take much longer for a step.
const TICK_WATCHDOG_S: f64 = if cfg!(debug_assertions) { 4.0 } else { 0.2 };
const LOAD_WATCHDOG_S: f64 = 20.0 * TICK_WATCHDOG_S;
/// Steps that the runtime takes to give an act its turn, beyond those of a call.
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
    pub(super) told: Told,
    pub(super) console: Console,
    pub(super) heard: Option<Ring>,
}

impl Host {
    /// A VM with the API and nothing loaded.
    ///
    /// # Errors
    /// When the VM cannot be set up.
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
            told: Told::default(),
            console: Console::default(),
            heard: None,
        })
    }

    /// Has the watchdog stop scripts in the next tick after these steps of the tick, as it did in a recording.
    pub fn plan_stops(&mut self, steps: Vec<u64>) {
        self.budget.plan_stops(steps);
    }

    /// Steps of the tick after which the watchdog stopped scripts, since the last call.
    pub fn take_stops(&mut self) -> Vec<u64> {
        self.budget.take_stops()
    }

    /// Faults since the last call, each said once until the next load.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// How often a fault has happened since the last load.
    pub fn times(&self, fault: &Fault) -> u64 {
        self.told.times(fault.number)
    }

    /// Tells scripts that the models of characters were replaced, and with them these actions ended.
    pub fn models_replaced(&mut self, characters: &[Handle], ended: &[u64]) {
        self.with_program(|program| program.listeners.models_replaced(characters, ended));
    }

    /// Keeps events from now on, for [`Host::events_since`].
    pub fn keep_events(&mut self) {
        self.heard.get_or_insert_default();
    }

    /// Events after number `since`, oldest first, as far as they are kept: the last 1024.
    pub fn events_since(&self, since: u64) -> Vec<Heard> {
        let ring = self.heard.as_ref();
        ring.map_or_else(Vec::new, |ring| ring.since(since))
    }

    /// Number of the last event.
    pub fn n_events(&self) -> u64 {
        self.heard.as_ref().map_or(0, Ring::n_events)
    }

    /// Runs something in the VM with the stage in its reach and the budget of one call.
    pub(super) fn with_call_budget<R>(&self, stage: &mut Stage, run: impl FnOnce() -> R) -> R {
        self.within(stage, self.options.call_budget, run)
    }

    /// Gives a coroutine its turn, with the budget of one call.
    pub(super) fn resume(
        &self,
        stage: &mut Stage,
        thread: &mlua::Thread,
        answer: mlua::MultiValue,
    ) -> mlua::Result<mlua::MultiValue> {
        self.with_call_budget(stage, || {
            owe(TURN_STEPS);
            thread.resume(answer)
        })
    }

    pub(super) fn with_world<R>(&self, f: impl FnOnce(&mut World) -> R) -> R {
        // No borrow outlives a call of this or of `world::with_world`, which call nothing of Lua.
        f(&mut self.world.borrow_mut())
    }

    /// Runs `f` with the program. Must not call into Lua.
    pub(super) fn with_program<R>(&self, f: impl FnOnce(&mut Program) -> R) -> R {
        self.with_world(|world| f(&mut world.program))
    }

    /// Calls a function with the stage in the script's reach.
    pub(super) fn call<R: mlua::FromLuaMulti>(
        &self,
        stage: &mut Stage,
        function: &Function,
        args: impl mlua::IntoLuaMulti,
        allowed: u64,
    ) -> mlua::Result<R> {
        self.within(stage, allowed, || function.call::<R>(args))
    }

    /// Runs something in the VM with the stage in its reach and the budget of a script's main part.
    pub(super) fn with_stage<R>(&self, stage: &mut Stage, run: impl FnOnce() -> R) -> R {
        self.begin_main_part();
        self.within(stage, self.options.load_budget, run)
    }

    /// Begins a tick: its calls share one budget.
    pub(super) fn begin_tick(&self) {
        let options = &self.options;
        self.budget
            .begin_tick(options.tick_budget(), options.tick_watchdog_s());
    }

    /// Begins the main part of a script, or a test.
    pub(super) fn begin_main_part(&self) {
        self.budget
            .begin_tick(self.options.load_budget, LOAD_WATCHDOG_S);
    }

    /// Runs something in the VM with the stage in its reach and a budget of its own.
    pub(super) fn with_budget<R>(
        &self,
        stage: &mut Stage,
        most: u64,
        run: impl FnOnce() -> R,
    ) -> R {
        self.within(stage, most.min(self.options.call_budget), run)
    }

    /// What ran last took more than it may.
    pub(super) fn is_used_up(&self) -> bool {
        self.budget.stop().is_some()
    }

    /// Scripts have used up the steps of this tick.
    pub(super) fn is_tick_used_up(&self) -> bool {
        self.budget.is_tick_used_up()
    }

    fn within<R>(&self, stage: &mut Stage, allowed: u64, run: impl FnOnce() -> R) -> R {
        self.budget.begin(allowed);
        self.with_world(|world| std::mem::swap(&mut world.stage, stage));
        let reach = Reach::of(&self.world);
        let result = run();
        self.budget.end();
        drop(reach);
        self.with_world(|world| std::mem::swap(&mut world.stage, stage));
        result
    }

    /// An error of the VM in words.
    pub(super) fn fault(&self, error: &mlua::Error) -> Fault {
        let mut fault = Fault::from_lua(error);
        self.thrown.put_in_words(&mut fault);
        fault
    }

    pub(super) fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Calls a function; a fault is noted. One that used up its budget is not called again until the
    /// next load.
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
            self.push(Fault {
                text: format!(
                    "listeners and other functions were not called: the scripts used up the {} steps of one tick",
                    self.options.tick_budget()
                ),
                ..Fault::default()
            });
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

    pub(super) fn is_suspended(&self, function: &Function) -> bool {
        self.with_program(|program| {
            let suspended = &program.calls.suspended;
            !suspended.is_empty() && suspended.contains(function)
        })
    }

    /// Notes a fault of something that is not called again.
    pub(super) fn tell(&mut self, error: &mlua::Error) {
        let fault = self.fault(error);
        self.push(fault);
    }

    /// Keeps the fault of a function that was called; one that has no place gets that of the function, or
    /// for one of the runtime's own where it was given.
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
        // Only conditions have a place that was given.
        if given.is_some() && fault.text.starts_with("attempt to modify a readonly table") {
            "a condition (`when`) looks at its parameters; it cannot set anything"
                .clone_into(&mut fault.text);
        }
        match self.budget.stop() {
            Some(BudgetStop::Call | BudgetStop::Watchdog) => {
                fault.text = format!(
                    "{}; it is not called again until the script is saved",
                    self.budget.message()
                );
                self.with_program(|program| program.calls.suspended.push(function.clone()));
            }
            Some(BudgetStop::Tick) => fault.text = self.budget.message(),
            None => {}
        }
        self.push(fault);
    }

    /// Keeps a fault unless its place has told one before; texts are cut to a readable length.
    pub(super) fn push(&mut self, fault: Fault) {
        let place = match (&fault.file, fault.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => fault.text.clone(),
        };
        self.push_once(place, fault);
    }

    /// Keeps a fault unless one was kept under the same key.
    pub(super) fn push_once(&mut self, key: String, mut fault: Fault) {
        if let Some((at, _)) = fault.text.char_indices().nth(LONGEST_TEXT) {
            fault.text.truncate(at);
            fault.text.push('…');
        }
        if let Some(number) = self.told.count(key) {
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

/// Characters of a fault's text that are kept.
const LONGEST_TEXT: usize = 2000;
