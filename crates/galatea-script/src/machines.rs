//! Parameters, conditions and state scripts of machines.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use mlua::Function;

use super::params::ParamTable;
use super::states::StateScripts;
use galatea_machine::SourceLocation;
use galatea_stage::Handle;

/// Parameters, conditions and states of the machines of a program.
#[derive(Default)]
pub(super) struct Machines {
    pub params: HashMap<Handle, Rc<ParamTable>>,
    /// Conditions that are functions, with the source locations of the transitions.
    pub predicates: Vec<(Function, SourceLocation)>,
    pub states: StateScripts,
    /// Characters of a loaded game with machines that lack their functions.
    pub without_functions: BTreeSet<Handle>,
}
