//! A memory limit for one input.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system allocator, which counts bytes and ends the process at a limit.
pub struct LimitedMemory;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Message of a process that ends at the memory limit.
pub const TOO_MUCH: &str = "too much memory";

/// Memory limit in bytes for an input of `n_bytes`.
pub fn limit_of(n_bytes: usize) -> usize {
    20 * n_bytes + (512 << 20)
}

/// Sets the limit to `bytes` more than the memory in use.
pub fn allow(bytes: usize) {
    LIMIT.store(
        LIVE.load(Ordering::Relaxed).saturating_add(bytes),
        Ordering::Relaxed,
    );
}

fn count(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    if live > LIMIT.load(Ordering::Relaxed) {
        LIMIT.store(usize::MAX, Ordering::Relaxed);
        // The signal also shows the reason.
        let _ = std::io::stderr().write_all(TOO_MUCH.as_bytes());
        std::process::abort();
    }
}

// SAFETY: every call is passed unchanged to the system allocator.
unsafe impl GlobalAlloc for LimitedMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            count(size - layout.size());
        } else {
            LIVE.fetch_sub(layout.size() - size, Ordering::Relaxed);
        }
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, size) }
    }
}
