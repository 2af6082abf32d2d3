//! Time of each function of the scripts, for the profiler.
//!
//! The VM has an interrupt at each call, return and loop iteration. The time since the interrupt before it belongs to the
//! function that runs now, with the functions of the runtime that it has called meanwhile.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::CStr;
use std::time::Instant;

/// Time of a function of a script, without the functions of scripts that it calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionTime {
    /// Path of the script, relative to the project.
    pub file: String,
    /// Line of its definition, from 1; of the main part of a script, 1.
    pub line: u32,
    /// Name; empty if it has none.
    pub name: String,
    /// Seconds.
    pub seconds: f64,
    /// Number of calls, returns and loop iterations.
    pub n_steps: u64,
}

/// Work of the scripts of this thread while the profiler records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScriptWork {
    /// The functions, longest first.
    pub functions: Vec<FunctionTime>,
    /// Memory that was allocated, bytes. The garbage collector frees most of it again.
    pub allocated: u64,
}

/// Times by the position of the source text in memory and the line.
type FunctionTimes = HashMap<(usize, i32), FunctionTime>;

thread_local! {
    static FUNCTIONS: RefCell<FunctionTimes> = RefCell::default();
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
    static ALLOCATED: Cell<u64> = const { Cell::new(0) };
}

/// Begins a call into a script.
pub(super) fn begin() {
    if puffin::are_scopes_on() {
        LAST.set(Some(Instant::now()));
    }
}

/// Ends a call into a script.
pub(super) fn end() {
    LAST.set(None);
}

/// Notes the function that runs now.
pub(super) fn note(source: &CStr, line: i32, name: &CStr) {
    let now = Instant::now();
    let Some(last) = LAST.replace(Some(now)) else {
        return;
    };
    let seconds = now.duration_since(last).as_secs_f64();
    FUNCTIONS.with_borrow_mut(|functions| {
        let key = (source.as_ptr() as usize, line);
        let function = functions.entry(key).or_insert_with(|| FunctionTime {
            file: source
                .to_string_lossy()
                .trim_start_matches(['@', '='])
                .to_owned(),
            line: u32::try_from(line).unwrap_or_default().max(1),
            name: name.to_string_lossy().into_owned(),
            ..FunctionTime::default()
        });
        function.seconds += seconds;
        function.n_steps += 1;
    });
}

/// Notes that the VM allocates a block of this size, bytes.
pub(super) fn note_allocation(size: usize) {
    ALLOCATED.set(ALLOCATED.get().saturating_add(size as u64));
}

/// Returns and forgets the work of the scripts of this thread since the last call.
pub fn take_script_work() -> ScriptWork {
    let functions = FUNCTIONS.take().into_values();
    let mut functions: Vec<FunctionTime> = functions.collect();
    functions.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    ScriptWork {
        functions,
        allocated: ALLOCATED.replace(0),
    }
}
