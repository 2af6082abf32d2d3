//! Records which API functions and properties scripts use, for tests of API coverage.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// A successful use of the API, with the names of the group and of its function or property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A function was called.
    Called(&'static str, &'static str),
    /// A property was read.
    Read(&'static str, &'static str),
    /// A property was written.
    Written(&'static str, &'static str),
}

thread_local! {
    /// True while uses are recorded on this thread. Every call checks it.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
    static COUNTED: RefCell<Option<BTreeSet<Use>>> = const { RefCell::new(None) };
}

/// Records a use, if recording is on for this thread.
pub(super) fn note(used: Use) {
    if !COUNTS.get() {
        return;
    }
    COUNTED.with_borrow_mut(|counted| {
        if let Some(counted) = counted {
            counted.insert(used);
        }
    });
}

/// Runs a function and returns its result with all API uses by scripts on this thread meanwhile.
pub fn uses_during<R>(run: impl FnOnce() -> R) -> (R, BTreeSet<Use>) {
    let before = COUNTED.replace(Some(BTreeSet::new()));
    let counts = COUNTS.replace(true);
    let result = run();
    COUNTS.set(counts);
    let counted = COUNTED.replace(before);
    (result, counted.unwrap_or_default())
}
