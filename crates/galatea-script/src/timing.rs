//! Timing of single calls of API functions, while a measurement runs on this thread.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use cpu_time::ThreadTime;
use mlua::Lua;

use super::budget::used;

/// Time and steps of one call.
pub(super) struct CallSample {
    pub ns: f64,
    pub steps: f64,
}

/// Name of a function: its group and its own name.
pub(super) type FunctionName = (&'static str, &'static str);

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static SAMPLES: RefCell<BTreeMap<FunctionName, Vec<CallSample>>> = const { RefCell::new(BTreeMap::new()) };
}

/// Start of a measured call.
pub(super) struct BegunCall {
    at: ThreadTime,
    used: u64,
}

/// Starts to measure a call if a measurement runs on this thread.
pub(super) fn begin(lua: &Lua) -> Option<BegunCall> {
    IS_ON.get().then(|| BegunCall {
        used: used(lua),
        at: ThreadTime::now(),
    })
}

/// Ends the measurement of a call.
pub(super) fn end(lua: &Lua, began: Option<BegunCall>, group: &'static str, name: &'static str) {
    let Some(BegunCall { at, used: before }) = began else {
        return;
    };
    let ns = at.elapsed().as_nanos() as f64;
    let steps = used(lua).saturating_sub(before);
    SAMPLES.with_borrow_mut(|samples| {
        let steps = steps as f64;
        samples
            .entry((group, name))
            .or_default()
            .push(CallSample { ns, steps });
    });
}

/// Starts to measure all calls on this thread, until [`take`].
pub(super) fn start() {
    SAMPLES.take();
    IS_ON.set(true);
}

/// Ends the measurement. Returns the samples of each function.
pub(super) fn take() -> BTreeMap<FunctionName, Vec<CallSample>> {
    IS_ON.set(false);
    SAMPLES.take()
}
