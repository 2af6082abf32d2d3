//! Conversion takes memory and work in proportion to the file: allocations of the thread are counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use galatea_asset::PictureBudget;
use galatea_asset::import::Format;

/// The system's allocator, counting what each thread asks of it.
struct CountingAllocator;

#[derive(Clone, Copy, Default)]
struct AllocationCount {
    held: isize,
    peak: isize,
    calls: usize,
}

thread_local! {
    static COUNT: Cell<AllocationCount> = const {
        Cell::new(AllocationCount { held: 0, peak: 0, calls: 0 })
    };
}

fn count(bytes: isize) {
    // A thread that ends has no count any more.
    let _ = COUNT.try_with(|all| {
        let mut now = all.get();
        now.held += bytes;
        now.peak = now.peak.max(now.held);
        now.calls += usize::from(bytes > 0);
        all.set(now);
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the conditions of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the conditions of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Converts a file and returns the allocations that it made.
fn cost(text: &str) -> AllocationCount {
    let before = AllocationCount {
        held: 0,
        peak: 0,
        calls: 0,
    };
    COUNT.with(|all| all.set(before));
    let mut none = |file: &str| Err(format!("{file}: no such file"));
    let converted = crate::convert(
        Format::X,
        "sets.x",
        text.as_bytes(),
        &mut none,
        PictureBudget::default(),
    );
    let cost = COUNT.with(Cell::get);
    assert!(converted.is_ok_and(|(bytes, _)| bytes.starts_with(b"glTF")));
    cost
}

/// Returns animation sets in which no two tracks share key times.
fn sets(n: usize) -> String {
    const FRAMES: usize = 40;
    let mut text = String::from("xof 0303txt 0032\n");
    for frame in 0..FRAMES {
        text.push_str(&format!(
            "Frame F{frame} {{ FrameTransformMatrix {{ 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1;; }} }}\n"
        ));
    }
    for set in 0..n {
        text.push_str(&format!("AnimationSet S{set} {{\n"));
        for frame in 0..FRAMES {
            let late = 160 + set * FRAMES + frame;
            text.push_str(&format!(
                "Animation {{ {{F{frame}}} \
                 AnimationKey {{ 2; 2; 0;3;0.0,0.0,0.0;;, {late};3;0.0,0.1,0.0;;; }} \
                 AnimationKey {{ 0; 2; 0;4;1.0,0.0,0.0,0.0;;, {late};4;1.0,0.0,0.0,0.0;;; }} }}\n"
            ));
        }
        text.push_str("}\n");
    }
    text
}

#[test]
fn twice_as_many_animation_sets_take_twice_the_memory_and_work() {
    let (small, large) = (sets(40), sets(80));
    let (one, two) = (cost(&small), cost(&large));
    let within = |two: f64, one: f64| two < 2.2 * one;
    assert!(
        within(two.peak as f64, one.peak as f64),
        "{} and {} bytes",
        one.peak,
        two.peak
    );
    assert!(
        within(two.calls as f64, one.calls as f64),
        "{} and {} allocations",
        one.calls,
        two.calls
    );
    assert!(
        two.peak as usize <= 20 * large.len(),
        "{} bytes for a file of {}",
        two.peak,
        large.len()
    );
}
