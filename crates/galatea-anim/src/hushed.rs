//! Intervals that were begun while nothing of their clip showed: nobody was told, so nobody is told of
//! their ends.
//!
//! Callers: `machine` (clips of states), `character` (actions).

use super::{Crossing, MarkEdge, Marks, Playhead};

/// The open intervals of a playhead whose beginning was told to nobody. Bit i stands for interval i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hushed(u64);

impl Hushed {
    /// Whether a crossing is told to nobody, `silent` saying whether nothing shows now: an interval ends
    /// as it began, for those who heard it and for those who did not.
    pub fn takes(&mut self, marks: &Marks, crossing: &Crossing, silent: bool) -> bool {
        if crossing.edge == MarkEdge::Point {
            return silent;
        }
        let Some(bit) = marks.bit_of(crossing.mark) else {
            return silent;
        };
        let was = self.0 >> bit & 1 == 1;
        self.0 &= !(1 << bit);
        if crossing.edge == MarkEdge::End {
            return was;
        }
        self.0 |= u64::from(silent) << bit;
        silent
    }

    /// Nobody was told that this interval began.
    pub fn has(self, marks: &Marks, mark: usize) -> bool {
        let bit = marks.bit_of(mark);
        bit.is_some_and(|bit| self.0 >> bit & 1 == 1)
    }

    /// The same of a clip that goes on with other marks: of the intervals that were open those that still
    /// are end as they were begun. `lost` hears the old index of each that is not open any more and whose
    /// beginning was told.
    pub fn carried(
        self,
        [old, new]: [&Marks; 2],
        [was, now]: [&Playhead; 2],
        mut lost: impl FnMut(usize),
    ) -> Self {
        let mut open: Vec<usize> = now.open_marks(new).collect();
        let mut carried = Self::default();
        for mark in was.open_marks(old) {
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
