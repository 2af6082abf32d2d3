//! Where a clip's frames are kept between uses, and how their memory is bounded.
//!
//! Callers: whoever holds a model's clips. A clip's frames are made when it starts to play and held
//! by an `Arc` for as long as it plays, so that the tick takes no lock and nothing vanishes under it.
//! Frames that nobody holds may be dropped at any time; since they are made again from the same clip,
//! dropping them changes times, never results.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::Frames;

/// Room for one clip's frames.
#[derive(Debug, Default)]
pub struct FrameSlot {
    frames: RwLock<Option<Arc<Frames>>>,
    used: AtomicU64,
}

impl FrameSlot {
    /// The frames, made by `make` when they are not there. `now` is any number that grows, such as
    /// the tick; [`keep_within`] drops those first whose last `now` is smallest. When several threads
    /// ask at once one of them makes the frames and the others wait.
    pub fn get(&self, now: u64, make: impl FnOnce() -> Frames) -> Arc<Frames> {
        self.used.fetch_max(now, Ordering::Relaxed);
        let kept = self.frames.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(frames) = kept.as_ref() {
            return frames.clone();
        }
        drop(kept);
        let mut kept = self.frames.write().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert_with(|| Arc::new(make())).clone()
    }

    /// Bytes kept.
    pub fn bytes(&self) -> usize {
        let kept = self.frames.read().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().map_or(0, |frames| frames.bytes())
    }

    /// Drops the frames unless somebody holds them; tells how many bytes that freed.
    pub fn drop_unused(&self) -> usize {
        let mut kept = self.frames.write().unwrap_or_else(PoisonError::into_inner);
        match kept.as_ref() {
            Some(frames) if Arc::strong_count(frames) == 1 => {
                let bytes = frames.bytes();
                *kept = None;
                bytes
            }
            _ => 0,
        }
    }
}

/// A copy of a clip starts without frames.
impl Clone for FrameSlot {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Drops frames that nobody holds, the longest unused first and of equals the first in the list,
/// until those that are left take at most `budget` bytes. Returns the bytes left, which stay above
/// the budget when more than that is playing.
pub fn keep_within(budget: usize, slots: &[&FrameSlot]) -> usize {
    let mut left: usize = slots.iter().map(|slot| slot.bytes()).sum();
    if left <= budget {
        return left;
    }
    let mut oldest: Vec<&FrameSlot> = slots.to_vec();
    oldest.sort_by_key(|slot| slot.used.load(Ordering::Relaxed));
    for slot in oldest {
        if left <= budget {
            break;
        }
        left -= slot.drop_unused();
    }
    left
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
    fn frames_are_made_once_and_shared_by_all_threads() {
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
    fn the_longest_unused_frames_go_first_and_those_that_play_stay() {
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
    fn frames_made_again_are_the_same() {
        let slot = FrameSlot::default();
        let before = Frames::clone(&slot.get(0, frames));
        assert_eq!(slot.drop_unused(), before.bytes());
        assert_eq!(*slot.get(1, frames), before);
    }
}
