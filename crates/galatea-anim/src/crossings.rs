//! Marks of a clip, prepared for playback: their edges sorted by time, and the crossings of these edges.
//! [`Playhead`](super::Playhead) crosses them; its file defines the rules.
//!
//! Used by `machine` and `character` (through the playhead) and by `stage` (crossings as events).

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::Marker;
use galatea_math::clamp::ClampTo as _;

/// Maximum number of interval marks on a clip; a playhead keeps one bit for each.
pub const MAX_INTERVALS: usize = 64;

/// Kind of edge that was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MarkerPhase {
    /// A mark without length.
    Point,
    /// Start of an interval, entered from either end.
    Begin,
    /// End of an interval.
    End,
}

impl MarkerPhase {
    /// Name in scripts.
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
    pub marker: usize,
    /// Kind of edge.
    pub phase: MarkerPhase,
    /// True for an interval end that playback did not reach: the clip ended early, a seek left the interval, or the
    /// step had too many crossings.
    pub interrupted: bool,
    /// Time within the step, as a fraction 0..=1.
    pub tick_fraction: f64,
    /// The clip played backwards.
    pub is_reversed: bool,
}

/// The marks of one clip, indexed so that a playhead finds those it crosses fast. Dereferences to a slice of
/// [`Marker`]s, ascending in time; marks at the same time keep their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Markers {
    list: Vec<Marker>,
    duration: f64,
    edges: Vec<EdgeAt>,
    /// Indexed by bit; `None` for a removed interval. An interval keeps its bit, so that playheads stay valid when
    /// marks are added or removed.
    intervals: Vec<Option<MarkerInterval>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct EdgeAt {
    /// Clip time in seconds, 0..=duration.
    pub t: f64,
    pub marker: u32,
    pub kind: CrossingKind,
    /// Bit of the interval; 0 and unused for other kinds.
    pub bit: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum CrossingKind {
    /// Later end of an interval.
    Last,
    /// Earlier end of an interval.
    First,
    Point,
    /// An interval that is outside the clip except for one moment: it begins and ends at once.
    Blink,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MarkerInterval {
    /// Clip time in seconds, `first < last`.
    pub first: f64,
    pub last: f64,
    pub marker: u32,
}

/// Error: too many intervals on a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the limit is {MAX_INTERVALS} markers with a length per clip")]
pub struct TooManyIntervals;

impl Markers {
    /// Indexes the marks of a clip of `duration` seconds. Times are clamped to the clip, intervals are clipped
    /// to it, and marks at NaN are dropped.
    ///
    /// # Errors
    /// If there are more than [`MAX_INTERVALS`] marks with a length.
    pub fn new(marks: Vec<Marker>, duration: f32) -> Result<Self, TooManyIntervals> {
        let mut list = marks;
        list.retain(|mark| mark.time.is_finite());
        list.sort_by(|a, b| a.time.total_cmp(&b.time));
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

    /// Adds a mark after those of the same time and returns its index; the marks after it move by one. Playheads on
    /// the clip stay valid. A mark with a time that is not finite is not added: `None`.
    ///
    /// # Errors
    /// If it has a length and there are already [`MAX_INTERVALS`] such marks.
    pub fn insert(&mut self, mark: Marker) -> Result<Option<usize>, TooManyIntervals> {
        if !mark.time.is_finite() {
            return Ok(None);
        }
        if self.span(&mark).is_some() && self.free_bit().is_none() {
            return Err(TooManyIntervals);
        }
        let at = self.list.partition_point(|other| other.time <= mark.time);
        self.list.insert(at, mark);
        for interval in self.intervals.iter_mut().flatten() {
            interval.marker += u32::from(interval.marker as usize >= at);
        }
        self.give_bit(at)?;
        self.order();
        Ok(Some(at))
    }

    /// Removes a mark; the marks after it move by one. Playheads stay valid if each called
    /// [`close`](super::Playhead::close) for this mark before.
    pub fn remove(&mut self, mark: usize) -> Option<Marker> {
        if mark >= self.list.len() {
            return None;
        }
        let removed = self.list.remove(mark);
        for slot in &mut self.intervals {
            match slot {
                Some(interval) if interval.marker as usize == mark => *slot = None,
                Some(interval) => interval.marker -= u32::from(interval.marker as usize > mark),
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

    /// Start and end of an interval in the clip, seconds. `None` for points and for intervals that clip to a single
    /// moment.
    fn span(&self, mark: &Marker) -> Option<(f64, f64)> {
        let t = f64::from(mark.time);
        let (first, last) = (
            self.inside(t),
            self.inside(t + f64::from(mark.duration.max(0.0))),
        );
        (last > first).then_some((first, last))
    }

    /// Clamps a time to the clip. Times so near to 0 that `duration - t` rounds to `duration` become 0, because
    /// backward passes cannot tell them from the start.
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
        free.or((self.intervals.len() < MAX_INTERVALS).then_some(self.intervals.len()))
    }

    fn give_bit(&mut self, i: usize) -> Result<(), TooManyIntervals> {
        let Some((first, last)) = self.list.get(i).and_then(|mark| self.span(mark)) else {
            return Ok(());
        };
        let bit = self.free_bit().ok_or(TooManyIntervals)?;
        let interval = Some(MarkerInterval {
            first,
            last,
            marker: i as u32,
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
                    t: self.inside(f64::from(mark.time)),
                    marker: i as u32,
                    kind: if mark.duration > 0.0 {
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
                    marker: interval.marker,
                    kind,
                    bit: bit as u8,
                });
            }
        }
        self.edges.sort_by(|a, b| {
            let rank = |edge: &EdgeAt| (edge.kind != CrossingKind::Last, edge.marker);
            a.t.total_cmp(&b.t).then(rank(a).cmp(&rank(b)))
        });
    }

    pub(super) fn edges(&self) -> &[EdgeAt] {
        &self.edges
    }

    /// Intervals with their bits.
    pub(super) fn intervals(&self) -> impl Iterator<Item = (usize, &MarkerInterval)> {
        let slots = self.intervals.iter().enumerate();
        slots.filter_map(|(bit, slot)| Some((bit, slot.as_ref()?)))
    }

    /// Bit of a mark in playheads; `None` for points and for intervals that clip to a single moment.
    pub fn bit_of(&self, mark: usize) -> Option<usize> {
        let found = self.intervals().find(|(_, i)| i.marker as usize == mark);
        found.map(|(bit, _)| bit)
    }

    /// Edges from `low` to `high`, both included, in order of clip time. `low` and `high` are positions in a pass,
    /// which plays the clip backwards if `is_reversed`.
    #[inline]
    pub(super) fn run(&self, is_reversed: bool, low: f64, high: f64) -> &[EdgeAt] {
        // Edges are always compared as positions in the pass, so that rounding hides no edge between two steps.
        let d = self.duration;
        let begin = self.edges.partition_point(|edge| {
            if is_reversed {
                d - edge.t > high
            } else {
                edge.t < low
            }
        });
        let rest = &self.edges[begin..];
        let n = rest.partition_point(|edge| {
            if is_reversed {
                d - edge.t >= low
            } else {
                edge.t <= high
            }
        });
        &rest[..n]
    }

    /// Returns true if a step from `from` to `to` within a pass crosses nothing.
    #[inline]
    pub(super) fn is_quiet(&self, is_reversed: bool, from: f64, to: f64) -> bool {
        let d = self.duration;
        let edges = &self.edges;
        let position = |edge: &EdgeAt| mirrored(edge.t, d, is_reversed);
        let next = |past: &dyn Fn(&EdgeAt) -> bool| edges.get(edges.partition_point(past));
        match (is_reversed, from <= to) {
            (false, true) => next(&|edge| edge.t < from).is_none_or(|edge| edge.t >= to),
            (false, false) => next(&|edge| edge.t <= to).is_none_or(|edge| edge.t > from),
            (true, true) => {
                next(&|edge| position(edge) >= to).is_none_or(|edge| position(edge) < from)
            }
            (true, false) => {
                next(&|edge| position(edge) > from).is_none_or(|edge| position(edge) <= to)
            }
        }
    }
}

/// Converts a clip time to a position in a pass, or a position to a clip time.
pub(super) fn mirrored(t: f64, duration: f64, is_reversed: bool) -> f64 {
    if is_reversed { duration - t } else { t }
}

impl Deref for Markers {
    type Target = [Marker];

    fn deref(&self) -> &[Marker] {
        &self.list
    }
}
