//! Cache of a clip's frames between uses, with a memory limit.
//!
//! Used by owners of a model's clips. The frames of a clip are created when it starts to play. An `Arc` holds them
//! while it plays, so that the tick takes no lock and the frames cannot be dropped under it. Frames without other
//! holders can be dropped at any time. They are rebuilt from the same clip, so dropping them affects timing, never
//! results.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::Frames;

/// Slot for the frames of one clip.
#[derive(Debug, Default)]
pub struct FrameSlot {
    frames: RwLock<Option<Arc<Frames>>>,
    used: AtomicU64,
}

impl FrameSlot {
    /// Returns the frames, created by `make` if necessary. `now` is any increasing number, such as the tick;
    /// [`keep_within`] drops those with the smallest last `now` first. If several threads call at once, one of them
    /// creates the frames and the others wait.
    pub fn get(&self, now: u64, make: impl FnOnce() -> Frames) -> Arc<Frames> {
        self.used.fetch_max(now, Ordering::Relaxed);
        let stored = self.frames.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(frames) = stored.as_ref() {
            return frames.clone();
        }
        drop(stored);
        let mut stored = self.frames.write().unwrap_or_else(PoisonError::into_inner);
        stored.get_or_insert_with(|| Arc::new(make())).clone()
    }

    /// Bytes of the stored frames.
    pub fn bytes(&self) -> usize {
        let stored = self.frames.read().unwrap_or_else(PoisonError::into_inner);
        stored.as_ref().map_or(0, |frames| frames.bytes())
    }

    /// Drops the frames unless they are in use; returns the number of bytes freed.
    pub fn drop_unused(&self) -> usize {
        let mut stored = self.frames.write().unwrap_or_else(PoisonError::into_inner);
        match stored.as_ref() {
            Some(frames) if Arc::strong_count(frames) == 1 => {
                let bytes = frames.bytes();
                *stored = None;
                bytes
            }
            _ => 0,
        }
    }
}

/// The copy of a slot starts without frames.
impl Clone for FrameSlot {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Drops unused frames until the others take at most `budget` bytes: the longest unused first, on a tie the first in
/// the list. Returns the remaining bytes, which exceed the budget if playing clips need more.
pub fn keep_within(budget: usize, slots: &[&FrameSlot]) -> usize {
    let mut remaining: usize = slots.iter().map(|slot| slot.bytes()).sum();
    if remaining <= budget {
        return remaining;
    }
    let mut oldest: Vec<&FrameSlot> = slots.to_vec();
    oldest.sort_by_key(|slot| slot.used.load(Ordering::Relaxed));
    for slot in oldest {
        if remaining <= budget {
            break;
        }
        remaining -= slot.drop_unused();
    }
    remaining
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FrameGrid, Pose};
    use galatea_math::Trs;

    fn frames() -> Frames {
        let rest = Pose {
            locals: vec![Trs::IDENTITY; 3],
            ..Pose::default()
        };
        let grid = FrameGrid {
            start: 0.0,
            rate: 30.0,
            duration: 1.0,
        };
        Frames::new(grid, &rest, |t, pose| {
            pose.locals[0].translation.x = t;
        })
    }

    #[test]
    fn frames_are_created_once_and_shared_by_threads() {
        let slot = FrameSlot::default();
        let made = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    slot.get(0, || {
                        made.fetch_add(1, Ordering::Relaxed);
                        frames()
                    })
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn least_recently_used_frames_go_first_and_playing_ones_stay() {
        let slots: [FrameSlot; 3] = Default::default();
        let one = frames().bytes();
        let playing = slots[0].get(1, frames);
        slots[1].get(3, frames);
        slots[2].get(2, frames);
        let all: Vec<&FrameSlot> = slots.iter().collect();
        assert_eq!(keep_within(3 * one, &all), 3 * one);
        assert_eq!(keep_within(2 * one, &all), 2 * one);
        assert_eq!(slots.each_ref().map(FrameSlot::bytes), [one, one, 0]);
        assert_eq!(keep_within(0, &all), one);
        assert_eq!(slots[0].bytes(), one);
        drop(playing);
        assert_eq!(keep_within(0, &all), 0);
    }

    #[test]
    fn recreated_frames_are_equal() {
        let slot = FrameSlot::default();
        let before = Frames::clone(&slot.get(0, frames));
        assert_eq!(slot.drop_unused(), before.bytes());
        assert_eq!(*slot.get(1, frames), before);
    }
}
