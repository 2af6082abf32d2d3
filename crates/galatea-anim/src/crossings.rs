//! The marks of a clip, ready to be crossed: their edges in order of time, and what crossing one is
//! called. [`Playhead`](super::Playhead) walks over them; its file holds the rules.
//!
//! Callers: `machine` and `character` (through the playhead), `stage` (what was crossed, as events).

use std::ops::Deref;

use super::Mark;
use galatea_math::clamp::ClampTo as _;

/// Maximum number of interval marks on a clip; a playhead keeps one bit for each.
pub const MOST_INTERVALS: usize = 64;

/// Which side of a mark was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkEdge {
    /// A mark without length was passed.
    Point,
    /// An interval was entered, at whichever of its ends.
    Begin,
    /// An interval was left.
    End,
}

impl MarkEdge {
    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Begin => "begin",
            Self::End => "end",
        }
    }
}

/// One crossing of one mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Index among the clip's marks.
    pub mark: usize,
    /// Which side of it.
    pub edge: MarkEdge,
    /// True for the end of an interval that was not reached by playing: the clip ended early, was
    /// sought elsewhere, or the step held too many crossings.
    pub cut: bool,
    /// When within the step, 0..=1 of it.
    pub at: f64,
    /// True when the clip's own time was falling.
    pub reverse: bool,
}

/// The marks of one clip, indexed so that a playhead finds those it crosses fast. Dereferences to a slice of
/// [`Mark`]s, ascending in time; marks at the same time keep their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    list: Vec<Mark>,
    duration: f64,
    edges: Vec<EdgeAt>,
    /// By bit; `None` where one was taken off. A bit is never moved to another interval, so that playing
    /// goes on when marks are added and taken off.
    intervals: Vec<Option<MarkInterval>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeAt {
    /// Clip seconds, 0..=duration.
    pub t: f64,
    pub mark: u32,
    pub kind: CrossingKind,
    /// Of the interval; 0 and unused for the others.
    pub bit: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CrossingKind {
    /// The later end of an interval.
    Last,
    /// The earlier end of an interval.
    First,
    Point,
    /// An interval of which the clip leaves nothing: it begins and ends at once.
    Blink,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MarkInterval {
    /// Clip seconds, `first < last`.
    pub first: f64,
    pub last: f64,
    pub mark: u32,
}

/// An interval too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a clip may have at most {MOST_INTERVALS} marks with a length")]
pub struct TooManyIntervals;

impl Marks {
    /// Indexes the marks of a clip of `duration` seconds. Times are clamped to the clip, intervals are clipped
    /// to it, and marks at NaN are dropped.
    ///
    /// # Errors
    /// When there are more than [`MOST_INTERVALS`] marks with a length.
    pub fn new(marks: Vec<Mark>, duration: f32) -> Result<Self, TooManyIntervals> {
        let mut list = marks;
        list.retain(|mark| mark.t.is_finite());
        list.sort_by(|a, b| a.t.total_cmp(&b.t));
        let mut marks = Self {
            list,
            duration: f64::from(if duration > 0.0 && duration.is_finite() {
                duration
            } else {
                0.0
            }),
            ..Self::default()
        };
        for i in 0..marks.list.len() {
            marks.give_bit(i)?;
        }
        marks.order();
        Ok(marks)
    }

    /// Adds a mark after those of the same time and tells its place among them; those from there on
    /// move by one. Playheads on the clip go on with these marks. A mark whose time is no number is not
    /// added: `None`.
    ///
    /// # Errors
    /// When it has a length and there are [`MOST_INTERVALS`] of them already.
    pub fn insert(&mut self, mark: Mark) -> Result<Option<usize>, TooManyIntervals> {
        if !mark.t.is_finite() {
            return Ok(None);
        }
        if self.span(&mark).is_some() && self.free_bit().is_none() {
            return Err(TooManyIntervals);
        }
        let at = self.list.partition_point(|other| other.t <= mark.t);
        self.list.insert(at, mark);
        for interval in self.intervals.iter_mut().flatten() {
            interval.mark += u32::from(interval.mark as usize >= at);
        }
        self.give_bit(at)?;
        self.order();
        Ok(Some(at))
    }

    /// Takes a mark off; those behind it move by one. Playheads on the clip go on with these marks, once
    /// each has been told to [`close`](super::Playhead::close) it.
    pub fn remove(&mut self, mark: usize) -> Option<Mark> {
        if mark >= self.list.len() {
            return None;
        }
        let removed = self.list.remove(mark);
        for slot in &mut self.intervals {
            match slot {
                Some(interval) if interval.mark as usize == mark => *slot = None,
                Some(interval) => interval.mark -= u32::from(interval.mark as usize > mark),
                None => {}
            }
        }
        self.order();
        Some(removed)
    }

    /// Length of the clip, seconds; 0 for a single pose.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Where an interval lies in the clip, seconds; `None` for points, and for intervals of which the
    /// clip leaves nothing.
    fn span(&self, mark: &Mark) -> Option<(f64, f64)> {
        let t = f64::from(mark.t);
        let (first, last) = (
            self.inside(t),
            self.inside(t + f64::from(mark.length.max(0.0))),
        );
        (last > first).then_some((first, last))
    }

    /// A time moved into the clip. One too near the start to be told from it in a pass that shows the
    /// clip backwards is the start.
    fn inside(&self, t: f64) -> f64 {
        let t = t.clamp_to(0.0, self.duration);
        if self.duration - t == self.duration {
            0.0
        } else {
            t
        }
    }

    fn free_bit(&self) -> Option<usize> {
        let free = self.intervals.iter().position(Option::is_none);
        free.or((self.intervals.len() < MOST_INTERVALS).then_some(self.intervals.len()))
    }

    fn give_bit(&mut self, i: usize) -> Result<(), TooManyIntervals> {
        let Some((first, last)) = self.list.get(i).and_then(|mark| self.span(mark)) else {
            return Ok(());
        };
        let bit = self.free_bit().ok_or(TooManyIntervals)?;
        let interval = Some(MarkInterval {
            first,
            last,
            mark: i as u32,
        });
        match self.intervals.get_mut(bit) {
            Some(slot) => *slot = interval,
            None => self.intervals.push(interval),
        }
        Ok(())
    }

    fn order(&mut self) {
        self.edges.clear();
        for (i, mark) in self.list.iter().enumerate() {
            if self.span(mark).is_none() {
                self.edges.push(EdgeAt {
                    t: self.inside(f64::from(mark.t)),
                    mark: i as u32,
                    kind: if mark.length > 0.0 {
                        CrossingKind::Blink
                    } else {
                        CrossingKind::Point
                    },
                    bit: 0,
                });
            }
        }
        let intervals = self.intervals.iter().enumerate();
        for (bit, interval) in intervals.filter_map(|(bit, slot)| Some((bit, slot.as_ref()?))) {
            for (t, kind) in [
                (interval.first, CrossingKind::First),
                (interval.last, CrossingKind::Last),
            ] {
                self.edges.push(EdgeAt {
                    t,
                    mark: interval.mark,
                    kind,
                    bit: bit as u8,
                });
            }
        }
        self.edges.sort_by(|a, b| {
            let rank = |edge: &EdgeAt| (edge.kind != CrossingKind::Last, edge.mark);
            a.t.total_cmp(&b.t).then(rank(a).cmp(&rank(b)))
        });
    }

    pub(super) fn edges(&self) -> &[EdgeAt] {
        &self.edges
    }

    /// The intervals, each with its bit.
    pub(super) fn intervals(&self) -> impl Iterator<Item = (usize, &MarkInterval)> {
        let slots = self.intervals.iter().enumerate();
        slots.filter_map(|(bit, slot)| Some((bit, slot.as_ref()?)))
    }

    /// The bit that playheads keep for a mark; `None` for points, and for intervals of which the clip
    /// leaves nothing.
    pub fn bit_of(&self, mark: usize) -> Option<usize> {
        let found = self.intervals().find(|(_, i)| i.mark as usize == mark);
        found.map(|(bit, _)| bit)
    }

    /// The edges from `low` to `high`, both included, in order of the clip's time. `low` and `high` are
    /// places in a pass, which shows the clip backwards when `turned`.
    #[inline]
    pub(super) fn run(&self, turned: bool, low: f64, high: f64) -> &[EdgeAt] {
        // Always compared as places in the pass, so that rounding hides no edge between two steps.
        let d = self.duration;
        let begin = self.edges.partition_point(|edge| {
            if turned {
                d - edge.t > high
            } else {
                edge.t < low
            }
        });
        let rest = &self.edges[begin..];
        let n = rest.partition_point(|edge| {
            if turned {
                d - edge.t >= low
            } else {
                edge.t <= high
            }
        });
        &rest[..n]
    }

    /// True when a step within a pass, from place `from` to place `to`, crosses nothing.
    #[inline]
    pub(super) fn is_quiet(&self, turned: bool, from: f64, to: f64) -> bool {
        let d = self.duration;
        let edges = &self.edges;
        let place = |edge: &EdgeAt| mirrored(edge.t, d, turned);
        let next = |past: &dyn Fn(&EdgeAt) -> bool| edges.get(edges.partition_point(past));
        match (turned, from <= to) {
            (false, true) => next(&|edge| edge.t < from).is_none_or(|edge| edge.t >= to),
            (false, false) => next(&|edge| edge.t <= to).is_none_or(|edge| edge.t > from),
            (true, true) => next(&|edge| place(edge) >= to).is_none_or(|edge| place(edge) < from),
            (true, false) => next(&|edge| place(edge) > from).is_none_or(|edge| place(edge) <= to),
        }
    }
}

/// Converts a clip time to a position in a pass, or a position to a clip time.
pub(super) fn mirrored(t: f64, duration: f64, turned: bool) -> f64 {
    if turned { duration - t } else { t }
}

impl Deref for Marks {
    type Target = [Mark];

    fn deref(&self) -> &[Mark] {
        &self.list
    }
}
