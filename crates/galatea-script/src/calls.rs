//! Functions of scripts that are called later or no longer, and faults that are reported later.

use mlua::Function;

/// What the host calls and reports when nothing of Lua runs.
#[derive(Default)]
pub(super) struct Calls {
    /// Functions stopped for using up their budget; not called until the next load.
    pub suspended: Vec<Function>,
    /// `done` listeners of actions that ended outside the tick, and the reason.
    pub done: Vec<(Function, &'static str)>,
    /// What acts deferred and a script had no work left to call.
    pub owed: Vec<(Function, &'static str)>,
    /// Faults of what acts deferred and of `leave` of states.
    pub faults: Vec<(mlua::Error, Function)>,
}
