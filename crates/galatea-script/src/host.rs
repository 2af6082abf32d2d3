//! The VM: its limits, the program it runs, and the way from one version to the next.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Function, Lua, Value, VmState};

use super::api::{self, Watched};
use super::budget::{BUDGET_TEXT, Budget, count_memory};
use super::console::Console;
use super::delivery;
use super::fault::{Fault, is_internal};
use super::globals;
use super::heard::Ring;
use super::library;
use super::locals;
use super::program::{ParamTable, Program};
use super::thrown::Thrown;
use super::told::Told;
use super::vm::new_vm;
use super::world::{Reach, Services, SharedWorld, World};
use galatea_character::HitReaction;
use galatea_machine::{ParamDef, ParamValue, Predicate, SourceLocation};
use galatea_stage::{Event, Handle, Hit, Script, Stage};

/// Limits of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOptions {
    /// Calls and loop rounds that the main part of a script may take.
    pub load_budget: u64,
    /// Calls and loop rounds that one update, listener or condition may take.
    pub call_budget: u64,
    /// Bytes that all scripts together may hold.
    pub memory: usize,
    /// The locals at the top of scripts can be read by name in [`Host::answer`].
    pub locals: bool,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self {
            load_budget: 20_000_000,
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
        let make = || -> mlua::Result<(Lua, SharedWorld, Rc<Budget>, Rc<Thrown>)> {
            let lua = new_vm()?;
            api::register(&lua)?;
            library::register(&lua)?;
            let thrown = Thrown::register(&lua)?;
            if options.locals {
                locals::register(&lua)?;
            }
            globals::restrict(&lua)?;
            lua.sandbox(true)?;
            lua.set_memory_limit(options.memory)?;
            let budget = Rc::new(Budget::default());
            let counted = budget.clone();
            lua.set_interrupt(move |lua| counted.round(lua).map(|()| VmState::Continue));
            count_memory(&lua)?;
            lua.set_app_data(budget.clone());
            let world = SharedWorld::new(RefCell::new(World {
                stage: Stage::default(),
                program: Program::default(),
                services,
                is_loading: false,
                waits_for: Vec::new(),
                scripts_read: Vec::new(),
                version: None,
                event_time: None,
                cut_pictures: Vec::new(),
                modifying: None,
                in_condition: false,
                log: None,
                hands_over_locals: options.locals,
                echo: None,
            }));
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

    /// Faults since the last call, each said once until the next load.
    pub fn take_faults(&mut self) -> Vec<Fault> {
        std::mem::take(&mut self.faults)
    }

    /// How often a fault has happened since the last load.
    pub fn times(&self, fault: &Fault) -> u64 {
        self.told.times(fault.number)
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
        self.with_call_budget(stage, || thread.resume(answer))
    }

    pub(super) fn with_world<R>(&self, f: impl FnOnce(&mut World) -> R) -> R {
        // No borrow outlives a call of this or of `world::with_world`, which call nothing of Lua.
        f(&mut self.world.borrow_mut())
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
        self.within(stage, self.options.load_budget, run)
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
        self.budget.is_used_up()
    }

    fn within<R>(&self, stage: &mut Stage, allowed: u64, run: impl FnOnce() -> R) -> R {
        self.budget.begin(allowed);
        self.with_world(|world| std::mem::swap(&mut world.stage, stage));
        let reach = Reach::of(&self.world);
        let result = run();
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

    /// Turns on what tests need: the function `test` and a log of all events.
    pub(super) fn with_tests(&self, on: bool) {
        self.with_world(|world| world.log = on.then(Vec::new));
    }

    pub(super) fn test_names(&self) -> Vec<String> {
        self.with_world(|world| {
            let tests = world.program.tests.iter();
            tests.map(|(name, _)| name.clone()).collect()
        })
    }

    pub(super) fn test_function(&self, index: usize) -> Option<Function> {
        self.with_world(|world| Some(world.program.tests.get(index)?.1.clone()))
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
        match self.call(stage, function, args, self.options.call_budget) {
            Ok(value) => Some(value),
            Err(error) => {
                self.note(&error, function, None);
                None
            }
        }
    }

    /// A parameter was set to what it cannot be. The table is a plain one, so that who set it is known
    /// only when it is set again within a tick; else its place is that of the machine.
    fn wrong_param(&mut self, params: &ParamTable, param: &ParamDef, given: Value, kept: Value) {
        let name = param.name.as_str();
        let value = match params.unwatch(name) {
            None if !self.told.knows(&param_key(params, param)) => {
                params.watch.borrow_mut().push(Watched {
                    name: name.to_owned(),
                    given,
                    kept,
                    set: None,
                });
                Value::Nil
            }
            found => {
                if let Some(found) = found {
                    self.tell_wrong_param(params, param, found);
                } else {
                    self.told.count(param_key(params, param));
                }
                kept
            }
        };
        // Conditions that are functions see what those that are texts see.
        let _ = params.table.raw_set(name, value);
    }

    /// Says that a parameter was set to what it cannot be.
    fn tell_wrong_param(&mut self, params: &ParamTable, param: &ParamDef, found: Watched) {
        let wanted = match param.default {
            ParamValue::Number(_) => "a number",
            ParamValue::Bool(_) => "true or false",
        };
        let (given, at) = found.set.unwrap_or((found.given, params.at.clone()));
        let fault = Fault {
            file: Some(at.file).filter(|file| !file.is_empty()),
            line: Some(at.line).filter(|line| *line > 0),
            text: format!(
                "parameter {:?} of {} is {wanted} and was set to {}; it keeps {}",
                param.name,
                params.whose,
                api::describe(&given),
                found.kept.to_string().unwrap_or_default()
            ),
            ..Fault::default()
        };
        self.push_once(param_key(params, param), fault);
    }

    fn is_suspended(&self, function: &Function) -> bool {
        self.with_world(|world| {
            let suspended = &world.program.suspended;
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
        if self.budget.is_used_up() {
            fault.text = format!(
                "{BUDGET_TEXT} ({} calls and loop rounds); it is not called again until the script is saved",
                self.budget.allowed()
            );
            self.with_world(|world| world.program.suspended.push(function.clone()));
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
    fn push_once(&mut self, key: String, mut fault: Fault) {
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

/// Under which a wrong value of a parameter is told once.
fn param_key(params: &ParamTable, param: &ParamDef) -> String {
    format!("{} {} {}", params.at, params.whose, param.name)
}

/// Characters of a fault's text that are kept.
const LONGEST_TEXT: usize = 2000;

impl Script for Host {
    fn update(&mut self, stage: &mut Stage, dt: f64) {
        self.end_sounds(stage.time());
        self.go_on_with_conversations(stage);
        self.begin_acts(stage);
        let update = self.with_world(|world| world.program.global_function("update"));
        if let Some(update) = update {
            self.call_guarded::<()>(stage, &update, dt);
        }
        self.run_acts(stage);
        self.update_states(stage, dt);
        self.run_acts(stage);
        self.force_flocks(stage);
    }

    fn params(&mut self, character: Handle, values: &mut [f32]) {
        let table = self.with_world(|world| world.program.params.get(&character).cloned());
        let Some(params) = table else { return };
        for (param, value) in params.declared.iter().zip(values) {
            match params.read(param) {
                Ok(given) => {
                    *value = given;
                    if let Some(found) = params.unwatch(&param.name) {
                        let found = Watched { set: None, ..found };
                        self.tell_wrong_param(&params, param, found);
                    }
                }
                Err(other) => {
                    let kept = match param.default {
                        ParamValue::Number(_) => Value::Number(f64::from(*value)),
                        ParamValue::Bool(_) => Value::Boolean(*value != 0.0),
                    };
                    self.wrong_param(&params, param, other, kept);
                }
            }
        }
    }

    fn reflex(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        hit: &Hit,
        reaction: HitReaction,
    ) -> Option<HitReaction> {
        let asks = self.with_world(|world| world.program.reflexes.get(&character).cloned());
        let Some(function) = asks else {
            return Some(reaction);
        };
        let table = api::blow_table(self.lua(), stage, character, hit, reaction).ok()?;
        self.with_world(|world| world.program.asked.push(character));
        let given = self.call_guarded::<Value>(stage, &function, table);
        self.with_world(|world| world.program.asked.pop());
        match api::answer(&given.unwrap_or(Value::Nil), reaction) {
            Ok(answer) => answer,
            Err(error) => {
                self.note(&error, &function, None);
                Some(reaction)
            }
        }
    }

    fn modify(&mut self, stage: &mut Stage, character: Handle, function: u64, dt: f64) {
        let known = self.with_world(|world| world.program.modifiers.get(&function).cloned());
        let Some(function) = known else { return };
        let Ok(pose) = self.lua().create_userdata(api::PoseRef(character)) else {
            return;
        };
        self.with_world(|world| world.modifying = Some(character));
        self.call_guarded::<()>(stage, &function, (pose, dt));
        self.with_world(|world| world.modifying = None);
    }

    fn ask(&mut self, character: Handle, predicate: Predicate) -> bool {
        let (function, params) = self.with_world(|world| {
            (
                world.program.predicates.get(predicate.0 as usize).cloned(),
                world
                    .program
                    .params
                    .get(&character)
                    .map(|params| params.table.clone()),
            )
        });
        let (Some((function, at)), Some(params)) = (function, params) else {
            return false;
        };
        self.budget.begin(self.options.call_budget);
        if self.is_suspended(&function) {
            return false;
        }
        self.with_world(|world| world.begin_condition(&params));
        let result = function.call::<Value>(&params);
        self.with_world(|world| world.end_condition(&params));
        match result {
            Ok(value) => !matches!(value, Value::Nil | Value::Boolean(false)),
            Err(error) => {
                self.note(&error, &function, Some(&at));
                false
            }
        }
    }

    fn deliver(&mut self, stage: &mut Stage, events: &[Event]) {
        self.hear(stage, events);
        delivery::deliver(self, stage, events);
        self.tell_crowds(stage);
    }
}
