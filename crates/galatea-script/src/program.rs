//! One loaded version of a project's scripts: what it registered and what belongs to it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use mlua::{AnyUserData, Function, Table, Value};

use super::acts::Acts;
use super::api::{Expressions, Watched, WatchedParams, Words};
use super::conversations::Talk;
use super::crowds::{CrowdCalls, FlockCalls, ObjectCalls};
use super::locals::ScriptLocals;
use super::sounds::Sounding;
use super::state_scripts::{Scripted, StateScript, Update};
use galatea_anim::Interval;
use galatea_machine::{MachineDef, ParamDef, ParamValue, SourceLocation};
use galatea_stage::Handle;

/// A listener that a script registered, on a character or on one play of a clip.
#[derive(Clone)]
pub(super) struct Handler {
    pub event: String,
    pub min_weight: f32,
    /// Hears lighter sources of a blend too.
    pub all: bool,
    pub function: Function,
    /// False once it was taken off; shared with what the script holds and with the batch on its way.
    pub alive: Rc<Cell<bool>>,
    /// Intervals whose beginning it heard, so that it hears exactly their ends.
    pub heard: Vec<Interval>,
}

impl Handler {
    pub fn new(event: String, function: Function) -> Self {
        Self {
            event,
            min_weight: 0.0,
            all: false,
            function,
            alive: Rc::new(Cell::new(true)),
            heard: Vec::new(),
        }
    }
}

/// The parameters of one character's machine: a plain table, so that reading and writing them from a
/// script costs no call.
pub(super) struct ParamTable {
    pub table: Table,
    /// What of it is watched for who sets it.
    pub watch: WatchedParams,
    /// The parameters in the machine's order, with the kinds of their values.
    pub declared: Vec<ParamDef>,
    /// Where the machine was written.
    pub at: SourceLocation,
    /// Names the character in messages.
    pub whose: String,
    /// What the main part of the script left in it, in the machine's order.
    pub written: Vec<Value>,
}

impl ParamTable {
    pub fn new(table: Table, watch: WatchedParams, def: MachineDef, whose: String) -> Self {
        let mut params = Self {
            table,
            watch,
            declared: def.params,
            at: def.at,
            whose,
            written: Vec::new(),
        };
        params.note_written();
        params
    }

    /// A parameter's value as the machine reads it.
    ///
    /// # Errors
    /// What it was set to, where that is not of its kind.
    pub fn read(&self, param: &ParamDef) -> Result<f32, Value> {
        match (param.default, self.value(&param.name)) {
            (ParamValue::Number(_), Value::Number(n)) if (n as f32).is_finite() => Ok(n as f32),
            (ParamValue::Number(_), Value::Integer(n)) => Ok(n as f32),
            (ParamValue::Bool(_), Value::Boolean(b)) => Ok(f32::from(u8::from(b))),
            (_, other) => Err(other),
        }
    }

    /// Ends the watch on a parameter, if there is one.
    pub fn unwatch(&self, name: &str) -> Option<Watched> {
        let mut watch = self.watch.borrow_mut();
        let at = watch.iter().position(|watched| watched.name == name)?;
        Some(watch.swap_remove(at))
    }

    /// What a parameter is now.
    pub fn value(&self, name: &str) -> Value {
        self.table.raw_get(name).unwrap_or(Value::Nil)
    }

    pub fn note_written(&mut self) {
        let values = self.declared.iter().map(|param| self.value(&param.name));
        self.written = values.collect();
    }
}

/// What a script knows of an action it started.
#[derive(Clone)]
pub(super) struct Play {
    /// The reason of its end; shared with what the script holds.
    pub ended: Rc<Cell<Option<&'static str>>>,
    pub character: Handle,
    pub done: Option<Function>,
    /// Listeners to the marks of this play alone.
    pub on: Vec<Handler>,
}

#[derive(Default)]
pub(super) struct Program {
    /// The script's globals.
    pub env: Option<Table>,
    pub handlers: HashMap<Handle, Vec<Handler>>,
    /// Conditions that are functions, each with the place of its transition.
    pub predicates: Vec<(Function, SourceLocation)>,
    /// What scripts do in states of machines.
    pub state_scripts: Vec<StateScript>,
    /// Characters in whose machine's states a script does something.
    pub scripted: BTreeMap<Handle, Scripted>,
    /// A machine's first states are still to be entered.
    pub has_fresh: bool,
    /// Calls of every tick to states that are entered, made up anew when that has changed.
    pub state_updates: Vec<Update>,
    pub states_changed: bool,
    pub params: HashMap<Handle, Rc<ParamTable>>,
    pub plays: HashMap<u64, Play>,
    /// Sounds that are not over.
    pub sounds: BTreeMap<u64, Sounding>,
    /// Conversations that are not over.
    pub conversations: BTreeMap<u64, Talk>,
    /// What crowds and smart objects call.
    pub crowds: HashMap<Handle, CrowdCalls>,
    /// See `crowds`.
    pub objects: HashMap<Handle, ObjectCalls>,
    /// The rules of their own that flocks have.
    pub flocks: BTreeMap<Handle, FlockCalls>,
    /// Tables made by `keep`, by name.
    pub keeps: Vec<(String, Table)>,
    /// Expressions made by `expression`.
    pub expressions: Expressions,
    /// Languages and words of its own.
    pub words: Words,
    /// One userdata per character, so that handles compare equal and make no garbage.
    pub handles: HashMap<Handle, AnyUserData>,
    /// The same for their machines.
    pub machines: HashMap<Handle, AnyUserData>,
    /// What scripts want to say before a blow does anything.
    pub reflexes: HashMap<Handle, mlua::Function>,
    /// Functions of the modifiers that scripts made, by number.
    pub modifiers: HashMap<u64, mlua::Function>,
    /// Whose function of `reflexes` runs now.
    pub asked: Vec<Handle>,
    /// Texts of the scripts that ran, by path.
    pub texts: HashMap<String, Rc<str>>,
    /// Path of the main script: the first that was compiled.
    pub main: String,
    /// The locals at the top of scripts, as far as they are handed to the console.
    pub locals: Vec<ScriptLocals>,
    /// Results of `require`, by path.
    pub modules: HashMap<String, Value>,
    /// Those of the version before, while this one begins.
    pub modules_before: HashMap<String, Value>,
    /// `done` listeners of actions that ended outside the tick, and the reason.
    pub ended: Vec<(Function, &'static str)>,
    pub acts: Acts,
    /// Faults of what acts deferred, to be told.
    pub act_faults: Vec<(mlua::Error, Function)>,
    /// What acts deferred and a script had no work left to call.
    pub owed: Vec<(Function, &'static str)>,
    /// Warnings that were told since the scripts were loaded.
    pub warned: BTreeSet<String>,
    /// Tests that a test file registered.
    pub tests: Vec<(String, Function)>,
    /// Functions stopped for using up their budget; not called until the next load.
    pub suspended: Vec<Function>,
}

impl Program {
    pub fn global_function(&self, name: &str) -> Option<Function> {
        self.env.as_ref()?.raw_get::<Option<Function>>(name).ok()?
    }
}
