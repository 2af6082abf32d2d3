//! What of the API scripts use, while somebody counts: for tests that all of it is tested.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// A use of the API that went well: names of the group and of its function or property.
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
    /// Somebody counts on this thread: asked with every call.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
    static COUNTED: RefCell<Option<BTreeSet<Use>>> = const { RefCell::new(None) };
}

/// Notes a use, if somebody counts on this thread.
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

/// Does something and gives all uses of the API by scripts that run on this thread meanwhile.
pub fn uses_during<R>(run: impl FnOnce() -> R) -> (R, BTreeSet<Use>) {
    let before = COUNTED.replace(Some(BTreeSet::new()));
    let counts = COUNTS.replace(true);
    let result = run();
    COUNTS.set(counts);
    let counted = COUNTED.replace(before);
    (result, counted.unwrap_or_default())
}
