//! The budget of scripts: steps are counted, and a script that takes too many is stopped.
//!
//! A step is a call or an iteration of a loop, nominally [`STEP_NS`] nanoseconds. Slower operations count as more steps: functions
//! of the runtime by their measured cost, memory by its size. Every step counts as more while the script holds
//! something so large that one operation on it, such as the comparison of two strings, takes long. The count is the same on every
//! machine, so that a replay stops where the recording did. The [`ScriptWatchdog`] is the last resort for what the count misses.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use mlua::{Lua, ffi};

use super::fault::is_internal;
use super::watchdog::ScriptWatchdog;

/// Nominal duration of a step, nanoseconds.
pub const STEP_NS: f64 = 25.0;

/// Steps that a script has used and may use.
#[derive(Default)]
pub struct Budget {
    /// Steps of the current call, and its limit.
    used: Cell<u64>,
    allowed: Cell<u64>,
    /// Steps of all calls since the tick began, and their limit.
    tick_used: Cell<u64>,
    tick_allowed: Cell<u64>,
    /// Limit that stopped the current call.
    stop: Cell<Option<BudgetStop>>,
    /// The largest blocks of memory that the script ever allocated.
    largest: Cell<Largest>,
    watchdog: ScriptWatchdog,
    /// Steps of the coming tick at which the watchdog stops a script, the first last, and where it stopped one.
    planned: RefCell<Vec<u64>>,
    stops: RefCell<Vec<u64>>,
}

/// Which limit stopped a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetStop {
    /// Steps of one call.
    Call,
    /// Steps of all calls of one tick: others had used most of them.
    Tick,
    /// Processor time of one tick.
    Watchdog,
}

/// Bytes of the largest text or buffer, and of the largest block of tables.
#[derive(Clone, Copy, Default)]
struct Largest {
    text: usize,
    table: usize,
}

impl Largest {
    /// Steps that every step counts as in addition, because it may work on the largest block.
    fn slowness(self) -> u64 {
        (self.text / TEXT_PER_STEP + self.table / TABLE_PER_STEP) as u64
    }
}

/// Blocks of memory below this are counted by the steps that ask for them.
const SMALL_BLOCK: usize = 4 << 10;
/// Bytes of memory that are allocated in the time of a step.
const TAKEN_PER_STEP: u64 = 64;
/// Bytes of a text that are compared, and of an empty table that are passed over, in the time that a
/// step may take at most.
const TEXT_PER_STEP: usize = 32 << 10;
const TABLE_PER_STEP: usize = 256 << 10;
/// Steps that the runtime itself takes for a call of a script.
const CALL_STEPS: u64 = 40;
/// Steps of a call that fails.
pub(super) const FAILURE_STEPS: u64 = 400;
/// Fraction of a tick's steps that a call still gets when they are used up.
const GRACE: u64 = 64;
/// When calls have taken this fraction of a tick's steps beyond its limit, no more are made in it.
const BEYOND: u64 = 4;

thread_local! {
    /// Bytes in blocks that are not small, and the largest of them, since they were last counted: the VM
    /// that runs is the only one of its thread that takes any.
    static TAKEN: Cell<(u64, Largest)> = const { Cell::new((0, Largest { text: 0, table: 0 })) };
    /// Steps of functions of the runtime that are not counted yet.
    static OWED: Cell<u64> = const { Cell::new(0) };
}

/// Adds steps to those of the script that runs; they are counted with its next one.
pub fn owe(steps: u64) {
    OWED.set(OWED.get().saturating_add(steps));
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

/// Beginning of the message about a script that was stopped.
pub const BUDGET_TEXT: &str = "stopped: it ran longer than a script may";

impl Budget {
    /// Begins a tick, in which all calls together may take `allowed` steps and `watchdog_s` seconds of processor time.
    pub fn begin_tick(&self, allowed: u64, watchdog_s: f64) {
        self.tick_used.set(0);
        self.tick_allowed.set(allowed);
        self.watchdog.begin(Some(watchdog_s));
    }

    /// Has the watchdog stop scripts in the next tick after these steps of the tick.
    pub fn plan_stops(&self, mut steps: Vec<u64>) {
        steps.sort_unstable_by(|a, b| b.cmp(a));
        self.planned.replace(steps);
    }

    /// Steps after which the watchdog stopped scripts, since the last call.
    pub fn take_stops(&self) -> Vec<u64> {
        self.stops.take()
    }

    fn is_planned(&self) -> bool {
        let mut planned = self.planned.borrow_mut();
        let is_due = |steps: &mut u64| *steps <= self.tick_used.get();
        planned.pop_if(is_due).is_some()
    }

    /// Begins a call that belongs to no tick and may take `allowed` steps, however long they take.
    pub fn begin_alone(&self, allowed: u64) {
        self.tick_used.set(0);
        self.tick_allowed.set(allowed);
        self.watchdog.begin(None);
        self.begin(allowed);
    }

    /// Begins a call that may take `allowed` steps, or what the tick has left.
    pub fn begin(&self, allowed: u64) {
        TAKEN.take();
        OWED.set(CALL_STEPS);
        self.used.set(0);
        self.stop.set(None);
        let left = self.tick_allowed.get().saturating_sub(self.tick_used.get());
        self.allowed
            .set(allowed.min(left.max(self.tick_allowed.get() / GRACE)));
        self.watchdog.enter();
    }

    /// Ends a call.
    pub fn end(&self) {
        let owed = OWED.take();
        self.tick_used
            .set(self.tick_used.get().saturating_add(owed));
        self.watchdog.leave();
    }

    /// Calls of this tick have taken so much beyond its limit that no more should be made.
    pub fn is_tick_over(&self) -> bool {
        let limit = self.tick_allowed.get();
        self.tick_used.get() > limit.saturating_add(limit / BEYOND)
    }

    /// The steps of this tick are used up.
    pub fn is_tick_used_up(&self) -> bool {
        self.tick_used.get() >= self.tick_allowed.get()
    }

    /// Sets the bytes that the script holds in all.
    pub fn hold_at_most(&self, bytes: usize) {
        let largest = self.largest.get();
        self.largest.set(Largest {
            text: largest.text.min(bytes),
            table: largest.table.min(bytes),
        });
    }

    /// Steps that the call has taken.
    pub fn used(&self) -> u64 {
        self.used.get().saturating_add(OWED.get())
    }

    /// Steps of all calls since the tick began.
    pub fn tick_used(&self) -> u64 {
        self.tick_used.get()
    }

    /// Limit that stopped the call.
    pub fn stop(&self) -> Option<BudgetStop> {
        self.stop.get()
    }

    /// Counts a call or an iteration of a loop, with the memory that was allocated since the last one. `false` if the call has taken
    /// more than it may.
    pub fn step(&self) -> bool {
        let (bytes, taken) = TAKEN.take();
        if bytes > 0 {
            let largest = self.largest.get();
            self.largest.set(Largest {
                text: largest.text.max(taken.text),
                table: largest.table.max(taken.table),
            });
        }
        let slowness = self.largest.get().slowness();
        let owed = OWED.take();
        self.add(owed.saturating_add(1 + slowness + bytes / TAKEN_PER_STEP))
    }

    /// Counts so many steps.
    ///
    /// # Errors
    /// When the call has taken more than it may.
    pub fn count(&self, lua: &Lua, n: u64) -> mlua::Result<()> {
        if self.add(n) {
            return Ok(());
        }
        self.stopped(lua).map_or(Ok(()), Err)
    }

    /// Adds steps. `false` if the call has taken more than it may.
    fn add(&self, n: u64) -> bool {
        let used = self.used.get().saturating_add(n);
        self.used.set(used);
        self.tick_used.set(self.tick_used.get().saturating_add(n));
        let is_within = used <= self.allowed.get();
        if is_within && !self.is_planned() && !self.watchdog.is_due(n) {
            return true;
        }
        if is_within {
            self.stops.borrow_mut().push(self.tick_used.get());
        }
        if self.stop.get().is_none() {
            self.stop.set(Some(self.reason()));
        }
        // Whoever catches this error is stopped again with the next step.
        self.used
            .set(used.max(self.allowed.get().saturating_add(1)));
        false
    }

    /// The error of a call that was stopped, at the line that runs.
    pub fn stopped(&self, lua: &Lua) -> Option<mlua::Error> {
        self.stop.get()?;
        let place = running_place(lua);
        let message = self.message();
        Some(mlua::Error::runtime(format!("{place}{message}")))
    }

    fn reason(&self) -> BudgetStop {
        if self.used.get() <= self.allowed.get() {
            // The tick has no time left either.
            self.tick_used
                .set(self.tick_used.get().max(self.tick_allowed.get()));
            BudgetStop::Watchdog
        } else if self.is_tick_used_up() && self.used.get() < self.tick_allowed.get() / 2 {
            BudgetStop::Tick
        } else {
            BudgetStop::Call
        }
    }

    /// Message about the limit that stopped the script.
    pub fn message(&self) -> String {
        match self.stop.get() {
            Some(BudgetStop::Tick) => format!(
                "stopped: the scripts used up the {} steps of one tick; spread the work over ticks, or raise `budget` in galatea.toml",
                self.tick_allowed.get()
            ),
            Some(BudgetStop::Watchdog) => format!(
                "{BUDGET_TEXT}: {} s of processor time in one tick; spread the work over ticks",
                self.watchdog.limit_s()
            ),
            _ => format!(
                "{BUDGET_TEXT} ({} steps); end the loop, spread it over ticks with act:sleep, or raise `budget` in galatea.toml",
                self.allowed.get()
            ),
        }
    }
}

/// Counts work that a function of the runtime does, in steps.
///
/// # Errors
/// When the call has taken more than it may.
pub fn charge(lua: &Lua, n: u64) -> mlua::Result<()> {
    let budget = lua
        .app_data_ref::<Rc<Budget>>()
        .map(|budget| budget.clone());
    budget.map_or(Ok(()), |budget| budget.count(lua, n))
}

/// Steps that the call has taken.
pub fn used(lua: &Lua) -> u64 {
    let budget = lua.app_data_ref::<Rc<Budget>>();
    budget.map_or(0, |budget| budget.used())
}

/// Stops a call that is about to do more in one step than it has left; one that can afford it is charged
/// nothing.
///
/// # Errors
/// When it cannot.
pub fn afford(lua: &Lua, n: u64) -> mlua::Result<()> {
    if n > left(lua) {
        charge(lua, n)
    } else {
        Ok(())
    }
}

/// Steps that the call may still take.
pub fn left(lua: &Lua) -> u64 {
    lua.app_data_ref::<Rc<Budget>>().map_or(u64::MAX, |budget| {
        budget.allowed.get().saturating_sub(budget.used())
    })
}

/// The call that runs took more than it may: nothing more can be called.
pub fn is_used_up(lua: &Lua) -> bool {
    let budget = lua.app_data_ref::<Rc<Budget>>();
    budget.is_some_and(|budget| budget.stop().is_some())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watchdog_stops_what_has_steps_left() {
        let lua = Lua::new();
        let budget = Budget::default();
        budget.begin_tick(u64::MAX, 0.0);
        budget.begin(1 << 60);
        let stopped = (0..100_000).find(|_| budget.count(&lua, 100).is_err());
        assert!(stopped.is_some());
        assert_eq!(budget.stop(), Some(BudgetStop::Watchdog));
        assert!(budget.message().contains("processor time"));
        assert!(budget.count(&lua, 1).is_err(), "it stays stopped");
        let stops = budget.take_stops();
        assert_eq!(stops.len(), 1);
        budget.plan_stops(stops);
        budget.begin_tick(u64::MAX, 60.0);
        budget.begin(1 << 60);
        let stopped_again = (0..100_000).find(|_| budget.count(&lua, 100).is_err());
        assert_eq!(stopped_again, stopped, "a replay stops at the same step");
        budget.begin_tick(u64::MAX, 60.0);
        budget.begin(1 << 60);
        assert!(budget.count(&lua, 100_000).is_ok());
    }

    #[test]
    fn calls_of_a_tick_share_its_steps() {
        let lua = Lua::new();
        let budget = Budget::default();
        budget.begin_tick(6400, 60.0);
        let call = |steps: u64| {
            budget.begin(5000);
            let result = budget.count(&lua, steps);
            budget.end();
            (result.is_ok(), budget.stop())
        };
        assert_eq!(call(4000), (true, None));
        assert_eq!(call(3000), (false, Some(BudgetStop::Tick)));
        assert_eq!(call(90), (true, None), "each still gets a little");
        assert_eq!(call(1000), (false, Some(BudgetStop::Tick)));
        assert!(budget.is_tick_used_up());
        assert_eq!(call(6000).1, Some(BudgetStop::Call));
        assert!(budget.is_tick_over());
    }
}
