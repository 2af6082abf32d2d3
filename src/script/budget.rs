//! The count of a script's work, by which it is stopped.

use std::cell::Cell;
use std::rc::Rc;

use mlua::Lua;

/// What a call of the script has used, and may use: calls and loop rounds, and what functions of the
/// runtime charge that do more in one call than a round does.
#[derive(Default)]
pub(super) struct Budget {
    used: Cell<u64>,
    allowed: Cell<u64>,
}

/// What a script is told that used it up.
pub(super) const BUDGET_TEXT: &str = "stopped: it ran longer than a script may";

impl Budget {
    /// Begins a call.
    pub fn begin(&self, allowed: u64) {
        self.used.set(0);
        self.allowed.set(allowed);
    }

    /// Calls and loop rounds that the call may take.
    pub fn allowed(&self) -> u64 {
        self.allowed.get()
    }

    /// The call took more than it may.
    pub fn is_used_up(&self) -> bool {
        self.used.get() > self.allowed.get()
    }

    /// Counts so many rounds.
    ///
    /// # Errors
    /// When the call has taken more than it may.
    pub fn count(&self, lua: &Lua, n: u64) -> mlua::Result<()> {
        self.used.set(self.used.get().saturating_add(n));
        if self.is_used_up() {
            let place = running_place(lua);
            return Err(mlua::Error::runtime(format!("{place}{BUDGET_TEXT}")));
        }
        Ok(())
    }
}

/// Counts work that a function of the runtime does, in rounds of a loop.
///
/// # Errors
/// When the call has taken more than it may.
pub(super) fn charge(lua: &Lua, n: u64) -> mlua::Result<()> {
    let budget = lua
        .app_data_ref::<Rc<Budget>>()
        .map(|budget| budget.clone());
    budget.map_or(Ok(()), |budget| budget.count(lua, n))
}

/// The call that runs took more than it may: nothing more can be called.
pub(super) fn is_used_up(lua: &Lua) -> bool {
    let budget = lua.app_data_ref::<Rc<Budget>>();
    budget.is_some_and(|budget| budget.is_used_up())
}

/// `file:line: ` of the Lua function that runs, if it is known.
fn running_place(lua: &Lua) -> String {
    // Called from a function of the runtime, the script stands one level up.
    let place = (0..=1).find_map(|level| {
        lua.inspect_stack(level, |debug| {
            let source = debug.source().source.map(|s| s.into_owned())?;
            let line = debug.current_line()?;
            let source = source.trim_start_matches(['@', '=']);
            Some(format!("{source}:{line}: "))
        })
        .flatten()
    });
    place.unwrap_or_default()
}
