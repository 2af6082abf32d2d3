//! A playing mixer allocates no memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use galatea::audio::{AudioListener, Cue, Mixer, MixerCommand, Sound};
use glam::Vec3;

/// Counts the allocations of this thread.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller upholds the conditions of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the conditions of `GlobalAlloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn scheduling_and_rendering_allocate_nothing() {
    let sound = Sound::new("hum", 44_100, 1, vec![0.1; 20_000]).unwrap();
    let sound = Arc::new(sound);
    let mut mixer = Mixer::new(48_000);
    let mut out = vec![0.0; 2 * 800];
    let before = ASKED.get();
    for tick in 0..300 {
        let time = f64::from(tick) / 60.0;
        for i in 0..10_u64 {
            mixer.schedule(MixerCommand::Play(Cue {
                placement: Some(Vec3::new(i as f32, 0.0, 0.0)),
                pitch: 1.0 + i as f32 * 0.1,
                looped: i == 0,
                id: i,
                ..Cue::new(sound.clone(), time + i as f64 * 0.003)
            }));
        }
        let listener = AudioListener::default();
        mixer.schedule(MixerCommand::SetListener { time, listener });
        mixer.schedule(MixerCommand::Stop {
            id: 3,
            time,
            fade: 0.1,
        });
        mixer.render(&mut out);
    }
    assert_eq!(ASKED.get(), before);
    assert!(mixer.voices() > 32);
}
