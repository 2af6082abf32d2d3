//! Call stack of a Lua state: functions, lines and variables.

use std::ffi::{CStr, c_char, c_int};

use mlua::{Lua, Table, Value, ffi};

/// A Lua state that is stopped.
#[derive(Clone, Copy)]
pub struct StoppedState {
    state: *mut ffi::lua_State,
    /// Number of calls at its stop.
    depth: c_int,
}

/// Call stack of a Lua state that is stopped. Levels count from the innermost function at the stop, which is 0.
#[derive(Clone)]
pub struct RawStack {
    lua: Lua,
    stopped: StoppedState,
}

impl StoppedState {
    /// A level as the state counts it now. Code of the debugger may run above the stopped function.
    ///
    /// # Safety
    /// The state must still be stopped.
    unsafe fn level_now(self, level: c_int) -> c_int {
        // SAFETY: as required of the caller.
        level + unsafe { ffi::lua_stackdepth(self.state) } - self.depth
    }
}

/// A function on a call stack.
pub struct RawFrame {
    /// Name; empty if it has none.
    pub name: String,
    /// Name of its chunk.
    pub source: String,
    /// The current line, from 1.
    pub line: u32,
    /// Line of its definition, from 1; of a main part, 1.
    pub first_line: u32,
}

/// Kind and number of a variable of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawPlace {
    /// Local with this number, from 1.
    Local(c_int),
    /// Captured variable with this number, from 1.
    Captured(c_int),
}

impl RawStack {
    /// Reads the stack of `state`.
    ///
    /// # Safety
    /// The state must belong to `lua`, and stay stopped where it is while the result is used.
    pub unsafe fn new(lua: Lua, state: *mut ffi::lua_State) -> Self {
        // SAFETY: as required of the caller.
        let depth = unsafe { ffi::lua_stackdepth(state) };
        let stopped = StoppedState { state, depth };
        Self { lua, stopped }
    }

    /// Reads the stack of a state again.
    ///
    /// # Safety
    /// As for [`RawStack::new`].
    pub unsafe fn again(lua: Lua, stopped: StoppedState) -> Self {
        Self { lua, stopped }
    }

    /// The VM.
    pub fn lua(&self) -> &Lua {
        &self.lua
    }

    /// The stopped state.
    pub fn stopped(&self) -> StoppedState {
        self.stopped
    }

    /// Address of the state.
    pub fn address(&self) -> usize {
        self.stopped.state as usize
    }

    /// Number of calls.
    pub fn depth(&self) -> c_int {
        self.stopped.depth
    }

    /// The function at a level; `None` for functions that are not written in Lua.
    pub fn frame(&self, level: c_int) -> Option<RawFrame> {
        // SAFETY: the state is stopped. A `lua_Debug` can be zero; its texts live while the function is on the stack.
        unsafe {
            let mut about: ffi::lua_Debug = std::mem::zeroed();
            let level = self.stopped.level_now(level);
            let found =
                ffi::lua_getinfo(self.stopped.state, level, c"sln".as_ptr(), &raw mut about);
            if found == 0 || about.currentline <= 0 {
                return None;
            }
            Some(RawFrame {
                name: text(about.name),
                source: text(about.source),
                line: u32::try_from(about.currentline).ok()?,
                first_line: u32::try_from(about.linedefined).unwrap_or_default().max(1),
            })
        }
    }

    /// Runs `work` protected, with the stopped state, the current one, and the level as the stopped state counts it now.
    fn protected(
        &self,
        level: c_int,
        args: impl mlua::IntoLuaMulti,
        work: impl FnOnce(*mut ffi::lua_State, *mut ffi::lua_State, c_int),
    ) -> mlua::Result<Value> {
        let stopped = self.stopped;
        // SAFETY: `work` leaves at most one value on the current state.
        unsafe {
            self.lua.exec_raw::<Value>(args, |current| {
                ffi::lua_rawcheckstack(stopped.state, 4);
                ffi::lua_rawcheckstack(current, 4);
                work(stopped.state, current, stopped.level_now(level));
            })
        }
    }

    /// Name and value of a variable of the function at a level; `None` if there are no more variables of this kind.
    pub fn read(&self, level: c_int, place: RawPlace) -> mlua::Result<Option<(String, Value)>> {
        let mut name = None;
        let value = self.protected(level, (), |stopped, current, level| {
            // SAFETY: both states have room, and the values stay on the stopped state only inside of this block.
            unsafe {
                let found = match place {
                    RawPlace::Local(n) => ffi::lua_getlocal(stopped, level, n),
                    RawPlace::Captured(n) => {
                        if !push_function(stopped, level) {
                            return;
                        }
                        let found = ffi::lua_getupvalue(stopped, -1, n);
                        ffi::lua_remove(stopped, if found.is_null() { -1 } else { -2 });
                        found
                    }
                };
                if !found.is_null() {
                    name = Some(text(found));
                    hand_over(stopped, current);
                }
            }
        })?;
        Ok(name.map(|name| (name, value)))
    }

    /// Sets a variable of the function at a level.
    pub fn write(&self, level: c_int, place: RawPlace, value: Value) -> mlua::Result<()> {
        self.protected(level, value, |stopped, current, level| {
            // SAFETY: the value is on the current state, and both states have room.
            unsafe {
                if stopped != current {
                    ffi::lua_xmove(current, stopped, 1);
                }
                match place {
                    RawPlace::Local(n) => {
                        if ffi::lua_setlocal(stopped, level, n).is_null() {
                            // Nothing was taken from the stack.
                            ffi::lua_settop(current, 0);
                        }
                    }
                    RawPlace::Captured(n) => {
                        if push_function(stopped, level) {
                            ffi::lua_insert(stopped, -2);
                            ffi::lua_setupvalue(stopped, -2, n);
                        }
                        ffi::lua_pop(stopped, 1);
                    }
                }
            }
        })?;
        Ok(())
    }

    /// Globals of the function at a level.
    pub fn globals(&self, level: c_int) -> mlua::Result<Option<Table>> {
        let value = self.protected(level, (), |stopped, current, level| {
            // SAFETY: as in `read`.
            unsafe {
                if push_function(stopped, level) {
                    ffi::lua_getfenv(stopped, -1);
                    ffi::lua_remove(stopped, -2);
                    hand_over(stopped, current);
                }
            }
        })?;
        Ok(value.as_table().cloned())
    }
}

/// Pushes the function at a level onto its own state.
///
/// # Safety
/// The state must be stopped and have room for a value.
unsafe fn push_function(state: *mut ffi::lua_State, level: c_int) -> bool {
    // SAFETY: as required of the caller. A `lua_Debug` can be zero.
    unsafe {
        let mut about: ffi::lua_Debug = std::mem::zeroed();
        ffi::lua_getinfo(state, level, c"f".as_ptr(), &raw mut about) != 0
    }
}

/// Moves the last value of the stopped state to the current one.
///
/// # Safety
/// Both states must be of the same VM. The first must have a value, and the second room for it.
unsafe fn hand_over(stopped: *mut ffi::lua_State, current: *mut ffi::lua_State) {
    if stopped != current {
        // SAFETY: as required of the caller.
        unsafe { ffi::lua_xmove(stopped, current, 1) }
    }
}

/// A text of the VM; empty if there is none.
///
/// # Safety
/// The pointer must be null or point to a text that ends with 0.
unsafe fn text(at: *const c_char) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: as required of the caller.
    let text = unsafe { CStr::from_ptr(at) };
    text.to_string_lossy().into_owned()
}
