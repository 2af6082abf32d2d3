//! The count of a script's work, by which it is stopped.
//!
//! A round is a call or a round of a loop. What takes longer than that counts for more: what functions
//! of the runtime charge, memory by its size, and every round once there is something so large that a
//! single step over it, such as the comparison of two texts, takes long.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use mlua::{Lua, ffi};

use super::fault::is_internal;

/// What a call of the script has used, and may use, in rounds.
#[derive(Default)]
pub struct Budget {
    used: Cell<u64>,
    allowed: Cell<u64>,
    /// The largest blocks of memory that the script ever took.
    largest: Cell<Largest>,
}

/// Bytes of the largest text or buffer, and of the largest block of tables.
#[derive(Clone, Copy, Default)]
struct Largest {
    text: usize,
    table: usize,
}

impl Largest {
    /// How many more rounds each counts for, a step over the largest being as long.
    fn slowness(self) -> u64 {
        (self.text / TEXT_PER_ROUND + self.table / TABLE_PER_ROUND) as u64
    }
}

/// Blocks of memory below this are counted by the rounds that ask for them.
const SMALL_BLOCK: usize = 4 << 10;
/// Bytes of memory that are taken in the time of a round.
const TAKEN_PER_ROUND: u64 = 256;
/// Bytes of a text that are compared, and of an empty table that are passed over, in the time that a
/// round may take at most.
const TEXT_PER_ROUND: usize = 32 << 10;
const TABLE_PER_ROUND: usize = 256 << 10;

thread_local! {
    /// Bytes in blocks that are not small, and the largest of them, since they were last counted: the VM
    /// that runs is the only one of its thread that takes any.
    static TAKEN: Cell<(u64, Largest)> = const { Cell::new((0, Largest { text: 0, table: 0 })) };
}

/// Has the VM tell what memory it takes.
pub fn count_memory(lua: &Lua) -> mlua::Result<()> {
    unsafe extern "C-unwind" fn taken(
        _: *mut ffi::lua_State,
        _: *mut c_void,
        _: usize,
        size: usize,
        _: u8,
        kind: c_int,
        _: c_int,
    ) {
        if size > SMALL_BLOCK {
            let (bytes, mut largest) = TAKEN.get();
            if kind == ffi::LUA_TSTRING || kind == ffi::LUA_TBUFFER {
                largest.text = largest.text.max(size);
            } else {
                largest.table = largest.table.max(size);
            }
            TAKEN.set((bytes.saturating_add(size as u64), largest));
        }
    }
    // SAFETY: the state is that of `lua`, whose callbacks live as long as it does, and the binding library
    // sets this one nowhere.
    unsafe {
        lua.exec_raw((), |state| {
            (*ffi::lua_callbacks(state)).onallocate = Some(taken)
        })
    }
}

/// What a script is told that used it up.
pub const BUDGET_TEXT: &str = "stopped: it ran longer than a script may";

impl Budget {
    /// Begins a call.
    pub fn begin(&self, allowed: u64) {
        TAKEN.take();
        self.used.set(0);
        self.allowed.set(allowed);
    }

    /// All that the script holds are so many bytes.
    pub fn hold_at_most(&self, bytes: usize) {
        let largest = self.largest.get();
        self.largest.set(Largest {
            text: largest.text.min(bytes),
            table: largest.table.min(bytes),
        });
    }

    /// Calls and loop rounds that the call may take.
    pub fn allowed(&self) -> u64 {
        self.allowed.get()
    }

    /// The call took more than it may.
    pub fn is_used_up(&self) -> bool {
        self.used.get() > self.allowed.get()
    }

    /// Counts a call or a round of a loop, with what memory was taken since the one before.
    ///
    /// # Errors
    /// When the call has taken more than it may.
    pub fn round(&self, lua: &Lua) -> mlua::Result<()> {
        let (bytes, taken) = TAKEN.take();
        if bytes > 0 {
            let largest = self.largest.get();
            self.largest.set(Largest {
                text: largest.text.max(taken.text),
                table: largest.table.max(taken.table),
            });
        }
        let slowness = self.largest.get().slowness();
        self.count(lua, 1 + slowness + bytes / TAKEN_PER_ROUND)
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
pub fn charge(lua: &Lua, n: u64) -> mlua::Result<()> {
    let budget = lua
        .app_data_ref::<Rc<Budget>>()
        .map(|budget| budget.clone());
    budget.map_or(Ok(()), |budget| budget.count(lua, n))
}

/// Stops a call that is about to do more in one step than it has left; one that can afford it is charged
/// nothing.
///
/// # Errors
/// When it cannot.
pub fn afford(lua: &Lua, n: u64) -> mlua::Result<()> {
    let left = lua.app_data_ref::<Rc<Budget>>().map_or(u64::MAX, |budget| {
        budget.allowed.get().saturating_sub(budget.used.get())
    });
    if n > left { charge(lua, n) } else { Ok(()) }
}

/// The call that runs took more than it may: nothing more can be called.
pub fn is_used_up(lua: &Lua) -> bool {
    let budget = lua.app_data_ref::<Rc<Budget>>();
    budget.is_some_and(|budget| budget.is_used_up())
}

/// `file:line: ` of the Lua function that runs, if it is known.
fn running_place(lua: &Lua) -> String {
    // Functions of the VM and of the runtime may stand above the script.
    let place = (0..=3).find_map(|level| {
        lua.inspect_stack(level, |debug| {
            let source = debug.source().source.map(|s| s.into_owned())?;
            let line = debug.current_line().filter(|line| *line > 0)?;
            let source = source.trim_start_matches(['@', '=']);
            if is_internal(source) {
                return None;
            }
            Some(format!("{source}:{line}: "))
        })
        .flatten()
    });
    place.unwrap_or_default()
}
