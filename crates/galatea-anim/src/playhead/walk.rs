//! One step of a playhead on its way: what it crosses, in order, told or counted.

use super::super::crossings::{Crossing, CrossingKind, EdgeAt, MarkEdge, Marks, mirrored};
use super::{LoopTime, MOST_CROSSINGS, PlayMode, PlayheadStep, is_falling};

/// One step on its way.
pub(super) struct PlayheadWalk<'a, F> {
    pub mode: PlayMode,
    pub marks: &'a Marks,
    pub start: LoopTime,
    pub dt: f64,
    pub back: bool,
    /// Intervals that the walk is inside of.
    pub open: u64,
    /// Intervals whose beginning was told and whose end was not.
    pub told: u64,
    /// The points at the start were told before.
    pub passed_here: bool,
    pub moved: PlayheadStep,
    pub fire: F,
}

impl<F: FnMut(Crossing)> PlayheadWalk<'_, F> {
    /// Crosses what lies in one pass: from its entry, or from `from` (included), to its other end, or
    /// to `to` (included when it says so).
    pub fn pass(&mut self, pass: i64, from: Option<f64>, to: Option<(f64, bool)>) {
        let d = self.marks.duration();
        let pingpong = self.mode == PlayMode::PingPong;
        let (entry, exit) = if self.back { (d, 0.0) } else { (0.0, d) };
        let (from, to) = ((from.unwrap_or(entry), true), to.unwrap_or((exit, true)));
        let ((low, low_in), (high, high_in)) = if self.back { (to, from) } else { (from, to) };
        let is_within = |local: f64| {
            (local > low || (low_in && local == low))
                && (local < high || (high_in && local == high))
        };
        let turned = is_falling(self.mode, pass, false);
        let turns = pingpong && is_within(d);
        if turns && self.back {
            self.turn(pass, mirrored(d, d, turned));
        }
        let run = self.marks.run(turned, low, high);
        let inside = |edge: &&EdgeAt| {
            let local = mirrored(edge.t, d, turned);
            is_within(local) && !(pingpong && (local <= 0.0 || local >= d))
        };
        if self.back != turned {
            for edge in run.iter().rev().filter(inside) {
                self.cross(pass, edge, true);
            }
        } else {
            for edge in run.iter().filter(inside) {
                self.cross(pass, edge, false);
            }
        }
        if turns && !self.back {
            self.turn(pass, mirrored(d, d, turned));
        }
        self.passed_here = false;
    }

    /// Crosses the turning point at the end of a pass of ping-pong, at `t` of the clip.
    fn turn(&mut self, pass: i64, t: f64) {
        let run = self.marks.run(false, t, t);
        for i in 0..run.len() {
            let edge = &run[if self.back { run.len() - 1 - i } else { i }];
            match edge.kind {
                CrossingKind::Point | CrossingKind::Blink => self.cross(pass, edge, self.back),
                // Inside on both sides of the turn.
                CrossingKind::First | CrossingKind::Last => self.enter(pass, edge, self.back),
            }
        }
    }

    fn cross(&mut self, pass: i64, edge: &EdgeAt, falling: bool) {
        match (edge.kind, falling) {
            (CrossingKind::Point, _) => {
                if !self.is_told(pass, edge) {
                    self.tell(pass, edge, MarkEdge::Point, falling);
                }
            }
            (CrossingKind::Blink, _) => {
                if !self.is_told(pass, edge) {
                    self.tell(pass, edge, MarkEdge::Begin, falling);
                    self.tell(pass, edge, MarkEdge::End, falling);
                }
            }
            (CrossingKind::First, false) | (CrossingKind::Last, true) => {
                self.enter(pass, edge, falling)
            }
            (CrossingKind::First, true) | (CrossingKind::Last, false) => {
                let bit = 1u64 << edge.bit;
                if self.open & bit != 0 {
                    self.open &= !bit;
                    if self.tell(pass, edge, MarkEdge::End, falling) {
                        self.told &= !bit;
                    }
                }
            }
        }
    }

    fn enter(&mut self, pass: i64, edge: &EdgeAt, falling: bool) {
        let bit = 1u64 << edge.bit;
        if self.open & bit == 0 {
            self.open |= bit;
            if self.tell(pass, edge, MarkEdge::Begin, falling) {
                self.told |= bit;
            }
        }
    }

    fn is_told(&self, pass: i64, edge: &EdgeAt) -> bool {
        self.passed_here && pass == self.start.pass && edge.t == self.start.local
    }

    /// Tells a crossing, or counts it when there were too many.
    fn tell(&mut self, pass: i64, edge: &EdgeAt, side: MarkEdge, falling: bool) -> bool {
        if self.is_full() {
            self.leave_out(1);
            return false;
        }
        let d = self.marks.duration();
        let local = mirrored(edge.t, d, is_falling(self.mode, pass, false));
        let passes = pass.saturating_sub(self.start.pass) as f64;
        let distance = passes * d + (local - self.start.local);
        self.moved.fired += 1;
        (self.fire)(Crossing {
            mark: edge.mark as usize,
            edge: side,
            cut: false,
            at: if self.dt == 0.0 {
                0.0
            } else {
                (distance / self.dt).clamp(0.0, 1.0)
            },
            reverse: falling,
        });
        true
    }

    pub fn is_full(&self) -> bool {
        self.moved.dropped > 0 || self.moved.fired >= MOST_CROSSINGS
    }

    pub fn leave_out(&mut self, n: u64) {
        self.moved.dropped = self.moved.dropped.saturating_add(n);
    }

    /// Begins the intervals that hold a place where playing begins.
    pub fn begin_inside(&mut self) {
        let (d, here) = (self.marks.duration(), self.start.local);
        let turned = is_falling(self.mode, self.start.pass, false);
        for (bit, interval) in self.marks.intervals() {
            let ends = [interval.first, interval.last].map(|t| mirrored(t, d, turned));
            let inside = (ends[0] < here) != (ends[1] < here) && !ends.contains(&here);
            if inside && self.open >> bit & 1 == 0 {
                self.open |= 1 << bit;
                self.told |= 1 << bit;
                self.moved.fired += 1;
                (self.fire)(Crossing {
                    mark: interval.mark as usize,
                    edge: MarkEdge::Begin,
                    cut: false,
                    at: 0.0,
                    reverse: self.back != turned,
                });
            }
        }
    }

    /// Crossings of any two passes one after the other.
    pub fn crossings_of_two(&self) -> u64 {
        let d = self.marks.duration();
        let pingpong = self.mode == PlayMode::PingPong;
        let inner = |t: f64| u64::from(!pingpong || (t > 0.0 && t < d));
        let of = |edge: &EdgeAt| match edge.kind {
            CrossingKind::Point => 1 + inner(edge.t),
            CrossingKind::Blink => 2 * (1 + inner(edge.t)),
            CrossingKind::First | CrossingKind::Last => 2 * inner(edge.t),
        };
        self.marks.edges().iter().map(of).sum()
    }

    /// After too many crossings: what was told and what is become one again.
    pub fn put_right(&mut self) {
        if self.moved.dropped == 0 {
            return;
        }
        for (bit, interval) in self.marks.intervals() {
            let (told, open) = (self.told >> bit & 1, self.open >> bit & 1);
            if told != open {
                self.moved.fired += 1;
                (self.fire)(Crossing {
                    mark: interval.mark as usize,
                    edge: if open == 1 {
                        MarkEdge::Begin
                    } else {
                        MarkEdge::End
                    },
                    cut: open == 0,
                    at: 1.0,
                    reverse: self.back,
                });
            }
        }
        self.told = self.open;
    }
}
