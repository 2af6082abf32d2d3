//! Script functions that are called later or no longer, and faults that are reported later.

use mlua::Function;

/// Calls and reports that the host makes while no Lua code runs.
#[derive(Default)]
pub(super) struct Calls {
    /// Functions that were stopped because they used up their budget. They are not called until the next load.
    pub suspended: Vec<Function>,
    /// `done` listeners of actions that ended outside of the tick, with the end reason.
    pub done: Vec<(Function, &'static str)>,
    /// Deferred functions of tasks that were not called because the script's budget was used up, with the end reason.
    pub owed: Vec<(Function, &'static str)>,
    /// Faults of deferred functions of tasks and of `leave` functions of states.
    pub faults: Vec<(mlua::Error, Function)>,
}
