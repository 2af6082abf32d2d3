//! A step of a playhead: its crossings in order, reported or counted.

use super::super::crossings::{Crossing, CrossingKind, EdgeAt, MarkerPhase, Markers, mirrored};
use super::{LoopTime, MAX_CROSSINGS, PlayMode, PlayheadStep, is_falling};

/// State of a step in progress.
pub(super) struct PlayheadWalk<'a, F> {
    pub mode: PlayMode,
    pub markers: &'a Markers,
    pub start: LoopTime,
    pub dt: f64,
    pub is_backwards: bool,
    /// Intervals that contain the current position of the walk.
    pub open: u64,
    /// Intervals with a reported beginning and no reported end.
    pub reported: u64,
    /// The points at the start have been reported before.
    pub reported_at_start: bool,
    pub moved: PlayheadStep,
    pub fire: F,
}

impl<F: FnMut(Crossing)> PlayheadWalk<'_, F> {
    /// Crosses the edges in one pass: from its entry or from `from` (included), to its other end or to `to` (included
    /// if its flag is true).
    pub fn pass(&mut self, pass: i64, from: Option<f64>, to: Option<(f64, bool)>) {
        let d = self.markers.duration();
        let pingpong = self.mode == PlayMode::PingPong;
        let (entry, exit) = if self.is_backwards {
            (d, 0.0)
        } else {
            (0.0, d)
        };
        let (from, to) = ((from.unwrap_or(entry), true), to.unwrap_or((exit, true)));
        let ((low, low_in), (high, high_in)) = if self.is_backwards {
            (to, from)
        } else {
            (from, to)
        };
        let is_within = |local: f64| {
            (local > low || (low_in && local == low))
                && (local < high || (high_in && local == high))
        };
        let is_reversed = is_falling(self.mode, pass, false);
        let has_turning_point = pingpong && is_within(d);
        if has_turning_point && self.is_backwards {
            self.cross_turning_point(pass, mirrored(d, d, is_reversed));
        }
        let run = self.markers.run(is_reversed, low, high);
        let inside = |edge: &&EdgeAt| {
            let local = mirrored(edge.t, d, is_reversed);
            is_within(local) && !(pingpong && (local <= 0.0 || local >= d))
        };
        if self.is_backwards != is_reversed {
            for edge in run.iter().rev().filter(inside) {
                self.cross(pass, edge, true);
            }
        } else {
            for edge in run.iter().filter(inside) {
                self.cross(pass, edge, false);
            }
        }
        if has_turning_point && !self.is_backwards {
            self.cross_turning_point(pass, mirrored(d, d, is_reversed));
        }
        self.reported_at_start = false;
    }

    /// Crosses the turning point at the end of a ping-pong pass, at clip time `t`.
    fn cross_turning_point(&mut self, pass: i64, t: f64) {
        let run = self.markers.run(false, t, t);
        for i in 0..run.len() {
            let edge = &run[if self.is_backwards {
                run.len() - 1 - i
            } else {
                i
            }];
            match edge.kind {
                CrossingKind::Point | CrossingKind::Blink => {
                    self.cross(pass, edge, self.is_backwards)
                }
                // The interval continues on both sides of the turning point.
                CrossingKind::First | CrossingKind::Last => {
                    self.enter(pass, edge, self.is_backwards)
                }
            }
        }
    }

    fn cross(&mut self, pass: i64, edge: &EdgeAt, falling: bool) {
        match (edge.kind, falling) {
            (CrossingKind::Point, _) => {
                if !self.is_reported(pass, edge) {
                    self.report(pass, edge, MarkerPhase::Point, falling);
                }
            }
            (CrossingKind::Blink, _) => {
                if !self.is_reported(pass, edge) {
                    self.report(pass, edge, MarkerPhase::Begin, falling);
                    self.report(pass, edge, MarkerPhase::End, falling);
                }
            }
            (CrossingKind::First, false) | (CrossingKind::Last, true) => {
                self.enter(pass, edge, falling)
            }
            (CrossingKind::First, true) | (CrossingKind::Last, false) => {
                let bit = 1u64 << edge.bit;
                if self.open & bit != 0 {
                    self.open &= !bit;
                    if self.report(pass, edge, MarkerPhase::End, falling) {
                        self.reported &= !bit;
                    }
                }
            }
        }
    }

    fn enter(&mut self, pass: i64, edge: &EdgeAt, falling: bool) {
        let bit = 1u64 << edge.bit;
        if self.open & bit == 0 {
            self.open |= bit;
            if self.report(pass, edge, MarkerPhase::Begin, falling) {
                self.reported |= bit;
            }
        }
    }

    fn is_reported(&self, pass: i64, edge: &EdgeAt) -> bool {
        self.reported_at_start && pass == self.start.pass && edge.t == self.start.local
    }

    /// Reports a crossing, or counts it if there are too many; returns true if it was reported.
    fn report(&mut self, pass: i64, edge: &EdgeAt, side: MarkerPhase, falling: bool) -> bool {
        if self.is_full() {
            self.count_dropped(1);
            return false;
        }
        let d = self.markers.duration();
        let local = mirrored(edge.t, d, is_falling(self.mode, pass, false));
        let passes = pass.saturating_sub(self.start.pass) as f64;
        let distance = passes * d + (local - self.start.local);
        self.moved.fired += 1;
        (self.fire)(Crossing {
            marker: edge.marker as usize,
            phase: side,
            interrupted: false,
            tick_fraction: if self.dt == 0.0 {
                0.0
            } else {
                (distance / self.dt).clamp(0.0, 1.0)
            },
            is_reversed: falling,
        });
        true
    }

    pub fn is_full(&self) -> bool {
        self.moved.dropped > 0 || self.moved.fired >= MAX_CROSSINGS
    }

    pub fn count_dropped(&mut self, n: u64) {
        self.moved.dropped = self.moved.dropped.saturating_add(n);
    }

    /// Begins the intervals around the position where playback begins.
    pub fn begin_inside(&mut self) {
        let (d, here) = (self.markers.duration(), self.start.local);
        let is_reversed = is_falling(self.mode, self.start.pass, false);
        for (bit, interval) in self.markers.intervals() {
            let ends = [interval.first, interval.last].map(|t| mirrored(t, d, is_reversed));
            let inside = (ends[0] < here) != (ends[1] < here) && !ends.contains(&here);
            if inside && self.open >> bit & 1 == 0 {
                self.open |= 1 << bit;
                self.reported |= 1 << bit;
                self.moved.fired += 1;
                (self.fire)(Crossing {
                    marker: interval.marker as usize,
                    phase: MarkerPhase::Begin,
                    interrupted: false,
                    tick_fraction: 0.0,
                    is_reversed: self.is_backwards != is_reversed,
                });
            }
        }
    }

    /// Number of crossings in any two consecutive passes.
    pub fn crossings_of_two(&self) -> u64 {
        let d = self.markers.duration();
        let pingpong = self.mode == PlayMode::PingPong;
        let inner = |t: f64| u64::from(!pingpong || (t > 0.0 && t < d));
        let of = |edge: &EdgeAt| match edge.kind {
            CrossingKind::Point => 1 + inner(edge.t),
            CrossingKind::Blink => 2 * (1 + inner(edge.t)),
            CrossingKind::First | CrossingKind::Last => 2 * inner(edge.t),
        };
        self.markers.edges().iter().map(of).sum()
    }

    /// Reconciles the reported intervals with the actual ones after too many crossings.
    pub fn reconcile(&mut self) {
        if self.moved.dropped == 0 {
            return;
        }
        for (bit, interval) in self.markers.intervals() {
            let (reported, open) = (self.reported >> bit & 1, self.open >> bit & 1);
            if reported != open {
                self.moved.fired += 1;
                (self.fire)(Crossing {
                    marker: interval.marker as usize,
                    phase: if open == 1 {
                        MarkerPhase::Begin
                    } else {
                        MarkerPhase::End
                    },
                    interrupted: open == 0,
                    tick_fraction: 1.0,
                    is_reversed: self.is_backwards,
                });
            }
        }
        self.reported = self.open;
    }
}
