//! Intervals that began while their clip was not visible. Their beginnings were suppressed, so their ends are
//! suppressed too.
//!
//! Used by `machine` (clips of states) and `character` (actions).

use serde::{Deserialize, Serialize};

use super::{Crossing, MarkerPhase, Markers, Playhead};

/// Open intervals of a playhead with a suppressed beginning, one bit per interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressedIntervals(u64);

impl SuppressedIntervals {
    /// Returns true if a crossing is suppressed; `silent` is true while the clip is not visible. The end of an
    /// interval is reported exactly if its beginning was.
    pub fn takes(&mut self, marks: &Markers, crossing: &Crossing, silent: bool) -> bool {
        if crossing.phase == MarkerPhase::Point {
            return silent;
        }
        let Some(bit) = marks.bit_of(crossing.marker) else {
            return silent;
        };
        let was = self.0 >> bit & 1 == 1;
        self.0 &= !(1 << bit);
        if crossing.phase == MarkerPhase::End {
            return was;
        }
        self.0 |= u64::from(silent) << bit;
        silent
    }

    /// Returns true if the beginning of this interval was suppressed.
    pub fn has(self, marks: &Markers, mark: usize) -> bool {
        let bit = marks.bit_of(mark);
        bit.is_some_and(|bit| self.0 >> bit & 1 == 1)
    }

    /// Converts the set for a clip that continues with other marks: intervals that are still open keep their state.
    /// `lost` receives the old index of each interval that is no longer open although its beginning was reported.
    pub fn rebound(
        self,
        [old, new]: [&Markers; 2],
        [was, now]: [&Playhead; 2],
        mut lost: impl FnMut(usize),
    ) -> Self {
        let mut open: Vec<usize> = now.open_markers(new).collect();
        let mut carried = Self::default();
        for mark in was.open_markers(old) {
            let is_hushed = self.has(old, mark);
            let event = old.get(mark).map(|mark| &mark.event);
            let same = open.iter().position(|i| new.get(*i) == old.get(mark));
            let like = || {
                let mut open = open.iter();
                open.position(|i| new.get(*i).map(|mark| &mark.event) == event)
            };
            match same.or_else(like).map(|at| open.remove(at)) {
                Some(still) if is_hushed => {
                    carried.0 |= new.bit_of(still).map_or(0, |bit| 1 << bit);
                }
                Some(_) => {}
                None if is_hushed => {}
                None => lost(mark),
            }
        }
        carried
    }
}
