//! Script functions of crowds, flocks and smart objects.

use std::collections::{BTreeMap, HashMap};

use mlua::{AnyUserData, Function};

use galatea_stage::Handle;

/// Script functions of one state of a crowd.
#[derive(Clone, Default)]
pub(super) struct StateCalls {
    pub enter: Option<Function>,
    pub update: Option<Function>,
    pub leave: Option<Function>,
    /// Listener of each event that the state answers; `None` if the answer is a fixed state.
    pub on: Vec<Option<Function>>,
}

/// Script data of a crowd.
pub(super) struct CrowdCalls {
    /// Handle in the script.
    pub hold: AnyUserData,
    /// Functions of each state.
    pub states: Vec<StateCalls>,
    /// Called when an agent became a character.
    pub promoted: Option<Function>,
}

/// Script data of a smart object.
pub(super) struct ObjectCalls {
    /// Handle in the script.
    pub hold: AnyUserData,
    pub enter: Option<Function>,
    pub update: Option<Function>,
    pub leave: Option<Function>,
}

/// Script data of a flock with its own rule.
#[derive(Clone)]
pub(super) struct FlockCalls {
    /// Handle in the script.
    pub hold: AnyUserData,
    pub force: Function,
}

/// Functions of all crowds, flocks and smart objects of a program.
#[derive(Default)]
pub(super) struct CrowdScripts {
    pub crowds: HashMap<Handle, CrowdCalls>,
    pub objects: HashMap<Handle, ObjectCalls>,
    /// Flocks with their own rules.
    pub flocks: BTreeMap<Handle, FlockCalls>,
}
