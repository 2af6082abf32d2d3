//! Step budget of scripts: the runtime counts steps and stops a script that takes too many.
//!
//! A step is a function call or a loop iteration, nominally [`STEP_NS`] nanoseconds. Slower operations count as more
//! steps: functions of the runtime by their measured cost, memory by its size. While the script holds a very large
//! string or table, every step counts as more, because one operation on it (such as a comparison of strings) takes
//! long. The count is the same on every machine, so a replay stops at the same step as the recording. The
//! [`ScriptWatchdog`] is the last resort for costs that the count misses.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use mlua::{Lua, ffi};

use super::fault::is_internal;
use super::function_times;
use super::watchdog::ScriptWatchdog;

/// Nominal duration of a step, nanoseconds.
pub const STEP_NS: f64 = 25.0;

/// Steps used by a script, and their limits.
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
    /// Largest memory blocks that the script has allocated.
    largest: Cell<Largest>,
    watchdog: ScriptWatchdog,
    /// Steps of the next tick at which the watchdog must stop a script, in descending order; and the steps at which it
    /// has stopped one.
    planned: RefCell<Vec<u64>>,
    stops: RefCell<Vec<u64>>,
}

/// Limit that stopped a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetStop {
    /// Steps of one call.
    Call,
    /// Steps of all calls of one tick. Other calls used most of them.
    Tick,
    /// Processor time of one tick.
    Watchdog,
}

/// Size of the largest string or buffer, and of the largest table block, bytes.
#[derive(Clone, Copy, Default)]
struct Largest {
    text: usize,
    table: usize,
}

impl Largest {
    /// Additional cost of every step, in steps, because the step may work on the largest block.
    fn slowness(self) -> u64 {
        (self.text / TEXT_PER_STEP + self.table / TABLE_PER_STEP) as u64
    }
}

/// Size up to which memory blocks are not counted, bytes. The steps that allocate them include their cost.
const SMALL_BLOCK: usize = 4 << 10;
/// Bytes of memory that can be allocated in the time of one step.
const TAKEN_PER_STEP: u64 = 64;
/// Bytes of a string that are compared, and bytes of an empty table that are traversed, in the maximum time of one
/// step.
const TEXT_PER_STEP: usize = 32 << 10;
const TABLE_PER_STEP: usize = 256 << 10;
/// Steps that the runtime itself needs for a call into a script.
const CALL_STEPS: u64 = 40;
/// Steps of a call that raises an error.
pub(super) const FAILURE_STEPS: u64 = 400;
/// Divisor of the tick's step limit: a call gets this part even if the steps of the tick are used up.
const GRACE: u64 = 64;
/// Divisor of the tick's step limit: if the calls exceed the limit by this part, no more calls are made in the tick.
const BEYOND: u64 = 4;

thread_local! {
    /// Bytes in blocks above [`SMALL_BLOCK`] and the largest of them, since the last count. Only the VM that runs on
    /// this thread allocates them.
    static TAKEN: Cell<(u64, Largest)> = const { Cell::new((0, Largest { text: 0, table: 0 })) };
    /// Steps of runtime functions that are not counted yet.
    static OWED: Cell<u64> = const { Cell::new(0) };
}

/// Adds steps to the running script. They are counted with its next step.
pub fn owe(steps: u64) {
    OWED.set(OWED.get().saturating_add(steps));
}

/// Makes the VM count the memory that it allocates.
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
        if puffin::are_scopes_on() {
            function_times::note_allocation(size);
        }
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
    // SAFETY: the state belongs to `lua`. Its callbacks live as long as `lua`, and mlua never sets this callback.
    unsafe {
        lua.exec_raw((), |state| {
            (*ffi::lua_callbacks(state)).onallocate = Some(taken)
        })
    }
}

/// Beginning of the error message of a script that was stopped.
pub const BUDGET_TEXT: &str = "stopped: exceeded its budget";

impl Budget {
    /// Begins a tick. All its calls together may take `allowed` steps and `watchdog_s` seconds of processor time.
    pub fn begin_tick(&self, allowed: u64, watchdog_s: f64) {
        self.tick_used.set(0);
        self.tick_allowed.set(allowed);
        self.watchdog.begin(Some(watchdog_s));
    }

    /// Makes the watchdog stop scripts in the next tick at these step counts.
    pub fn plan_stops(&self, mut steps: Vec<u64>) {
        steps.sort_unstable_by(|a, b| b.cmp(a));
        self.planned.replace(steps);
    }

    /// Returns the step counts at which the watchdog stopped scripts since the last call of this method.
    pub fn take_stops(&self) -> Vec<u64> {
        self.stops.take()
    }

    fn is_planned(&self) -> bool {
        let mut planned = self.planned.borrow_mut();
        let is_due = |steps: &mut u64| *steps <= self.tick_used.get();
        planned.pop_if(is_due).is_some()
    }

    /// Begins a call outside of any tick. It may take `allowed` steps, without a time limit.
    pub fn begin_alone(&self, allowed: u64) {
        self.tick_used.set(0);
        self.tick_allowed.set(allowed);
        self.watchdog.begin(None);
        self.begin(allowed);
    }

    /// Begins a call that may take `allowed` steps, or the steps left in the tick if they are fewer.
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

    /// Runs code that is not part of the script, such as an expression of the debugger, with `allowed` steps of its own.
    pub fn aside<R>(&self, allowed: u64, run: impl FnOnce() -> R) -> R {
        let (taken, owed) = (TAKEN.take(), OWED.take());
        let counts = [
            &self.used,
            &self.tick_used,
            &self.allowed,
            &self.tick_allowed,
        ];
        let before = counts.map(Cell::get);
        let stop = self.stop.take();
        self.used.set(0);
        self.tick_used.set(0);
        self.allowed.set(allowed);
        self.tick_allowed.set(allowed);
        let result = run();
        for (count, before) in counts.into_iter().zip(before) {
            count.set(before);
        }
        self.stop.set(stop);
        TAKEN.set(taken);
        OWED.set(owed);
        result
    }

    /// Begins the processor time of the tick again, because other code ran meanwhile.
    pub fn restart_watchdog(&self) {
        self.watchdog.restart();
        self.watchdog.enter();
    }

    /// Ends a call.
    pub fn end(&self) {
        let owed = OWED.take();
        self.tick_used
            .set(self.tick_used.get().saturating_add(owed));
        self.watchdog.leave();
    }

    /// Returns true if the calls of this tick exceed its limit so far that no more calls should be made.
    pub fn is_tick_over(&self) -> bool {
        self.tick_left() == 0
    }

    /// Steps until no more calls should be made in this tick.
    pub fn tick_left(&self) -> u64 {
        let limit = self.tick_allowed.get();
        let limit = limit.saturating_add(limit / BEYOND);
        limit.saturating_add(1).saturating_sub(self.tick_used.get())
    }

    /// Returns true if the steps of this tick are used up.
    pub fn is_tick_used_up(&self) -> bool {
        self.tick_used.get() >= self.tick_allowed.get()
    }

    /// Counts `n` steps of work for scripts between calls.
    pub fn count_between(&self, n: u64) {
        self.tick_used.set(self.tick_used.get().saturating_add(n));
    }

    /// Sets the total number of bytes that the script holds. A block cannot be larger.
    pub fn hold_at_most(&self, bytes: usize) {
        let largest = self.largest.get();
        self.largest.set(Largest {
            text: largest.text.min(bytes),
            table: largest.table.min(bytes),
        });
    }

    /// Steps used by the current call.
    pub fn used(&self) -> u64 {
        self.used.get().saturating_add(OWED.get())
    }

    /// Steps of all calls since the tick began.
    pub fn tick_used(&self) -> u64 {
        self.tick_used.get()
    }

    /// Limit that stopped the current call.
    pub fn stop(&self) -> Option<BudgetStop> {
        self.stop.get()
    }

    /// Counts a function call or a loop iteration, and the memory allocated since the last one. Returns false if the
    /// call has exceeded its limit.
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

    /// Counts `n` steps.
    ///
    /// # Errors
    /// Fails if the call has exceeded its limit.
    pub fn count(&self, lua: &Lua, n: u64) -> mlua::Result<()> {
        if self.add(n) {
            return Ok(());
        }
        self.stopped(lua).map_or(Ok(()), Err)
    }

    /// Adds `n` steps. Returns false if the call has exceeded its limit.
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
        // A script that catches this error with `pcall` is stopped again at its next step.
        self.used
            .set(used.max(self.allowed.get().saturating_add(1)));
        false
    }

    /// Error of a call that was stopped, with the file and line that runs.
    pub fn stopped(&self, lua: &Lua) -> Option<mlua::Error> {
        self.stop.get()?;
        let place = running_location(lua);
        let message = self.message();
        Some(mlua::Error::runtime(format!("{place}{message}")))
    }

    fn reason(&self) -> BudgetStop {
        if self.used.get() <= self.allowed.get() {
            // The processor time of the tick is used up, so its remaining steps are too.
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
                "stopped: all scripts together exceeded the budget of {} steps for one tick; spread the work \
                 over ticks, or raise `budget` in galatea.toml",
                self.tick_allowed.get()
            ),
            Some(BudgetStop::Watchdog) => format!(
                "{BUDGET_TEXT} of {} s of processor time for one tick; spread the work over ticks",
                self.watchdog.limit_s()
            ),
            // The main part of a script alone has the budget of its whole tick.
            _ if self.allowed.get() >= self.tick_allowed.get() => format!(
                "{BUDGET_TEXT} of {} steps, the fixed limit of the main part of a script; to wait, use task(function(t) t:wait(1) end)",
                self.allowed.get()
            ),
            _ => format!(
                "{BUDGET_TEXT} of {} steps; end the loop, add t:wait(0) to it in a task, or raise `budget` in galatea.toml",
                self.allowed.get()
            ),
        }
    }
}

/// Counts work of a runtime function, in steps.
///
/// # Errors
/// Fails if the call has exceeded its limit.
pub fn charge(lua: &Lua, n: u64) -> mlua::Result<()> {
    let budget = lua
        .app_data_ref::<Rc<Budget>>()
        .map(|budget| budget.clone());
    budget.map_or(Ok(()), |budget| budget.count(lua, n))
}

/// Steps used by the current call.
pub fn used(lua: &Lua) -> u64 {
    let budget = lua.app_data_ref::<Rc<Budget>>();
    budget.map_or(0, |budget| budget.used())
}

/// Stops a call that is about to do more work in one step than its limit allows. Counts no steps if the limit is
/// sufficient.
///
/// # Errors
/// Fails if the remaining steps are fewer than `n`.
pub fn afford(lua: &Lua, n: u64) -> mlua::Result<()> {
    if n > left(lua) {
        charge(lua, n)
    } else {
        Ok(())
    }
}

/// Steps that the current call may still take.
pub fn left(lua: &Lua) -> u64 {
    lua.app_data_ref::<Rc<Budget>>().map_or(u64::MAX, |budget| {
        budget.allowed.get().saturating_sub(budget.used())
    })
}

/// Returns true if the current call has exceeded its limit. No more functions can be called in it.
pub fn is_used_up(lua: &Lua) -> bool {
    let budget = lua.app_data_ref::<Rc<Budget>>();
    budget.is_some_and(|budget| budget.stop().is_some())
}

/// Position of the running Lua function as `file:line: `; empty if unknown.
fn running_location(lua: &Lua) -> String {
    // Functions of the VM and of the runtime may be above the script on the call stack.
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
    fn the_watchdog_stops_scripts_that_have_steps_left() {
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
