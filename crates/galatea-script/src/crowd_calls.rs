//! Functions that crowds, flocks and smart objects call.

use std::collections::{BTreeMap, HashMap};

use mlua::{AnyUserData, Function};

use galatea_stage::Handle;

/// What a state of a crowd calls.
#[derive(Clone, Default)]
pub(super) struct StateCalls {
    pub enter: Option<Function>,
    pub update: Option<Function>,
    pub leave: Option<Function>,
    /// For each of the events that it answers; nothing where that is a state.
    pub on: Vec<Option<Function>>,
}

/// What a script has of a crowd.
pub(super) struct CrowdCalls {
    /// What it holds.
    pub hold: AnyUserData,
    /// For each state.
    pub states: Vec<StateCalls>,
    /// Somebody became a character.
    pub promoted: Option<Function>,
}

/// What a script has of a smart object.
pub(super) struct ObjectCalls {
    /// What it holds.
    pub hold: AnyUserData,
    pub enter: Option<Function>,
    pub update: Option<Function>,
    pub leave: Option<Function>,
}

/// What a script has of a flock with a rule of its own.
#[derive(Clone)]
pub(super) struct FlockCalls {
    /// What it holds.
    pub hold: AnyUserData,
    pub force: Function,
}

/// Functions of all crowds, flocks and smart objects of a program.
#[derive(Default)]
pub(super) struct CrowdScripts {
    pub crowds: HashMap<Handle, CrowdCalls>,
    pub objects: HashMap<Handle, ObjectCalls>,
    /// Flocks with a rule of their own.
    pub flocks: BTreeMap<Handle, FlockCalls>,
}
