//! Playback position on a clip, and the marks that each step crosses: each exactly once.
//!
//! Used by `machine` (states) and `character` (actions). Plain data, no allocation; a step without a mark in it takes
//! a few nanoseconds.
//!
//! # The line
//! Playback is a walk on a line of *passes*, each as long as the clip. A loop walks pass after pass. In ping-pong,
//! every other pass plays the clip backwards. A clip played once has one pass and stops at its ends. Steps can have
//! any length and sign, so the walk can reverse anywhere.
//!
//! # The rules
//! | case | rule |
//! |---|---|
//! | a step from a to b | crosses the marks in `[a, b)`, in either direction: one at a is crossed, one at b is not yet |
//! | a reversal | a mark that was reached but not crossed is crossed once, when the walk leaves it |
//! | start of playback, or continuation after a seek | a mark exactly there is crossed by the first step |
//! | a step of zero or non-finite length | crosses nothing, moves nothing |
//! | the ends of a clip played once | crossed on arrival, once; not again if the walk reverses there or stays |
//! | the seam of a loop | marks at the clip's end, then marks at its start (backwards: the opposite order); a walk that reverses on the seam crosses only the side it came from |
//! | turning points of ping-pong | crossed once |
//! | several marks at one time | ends of intervals first, then the others in the order written; if the clip plays backwards, exactly the opposite order |
//! | an interval | begins when the walk enters it from either end, and ends when the walk leaves it; a walk that reverses inside or on its edge does neither |
//! | a loop's seam in an interval | ends the interval; an interval at a turning point of ping-pong continues through it |
//! | start of playback inside an interval, also after a silent seek | begins the interval with the first step |
//! | a seek | crosses nothing or, on request, all marks between; intervals that do not contain the new position end as cut |
//! | playback that ends early | [`Playhead::cut`] ends open intervals as cut; a later step begins those at its position again |
//! | an interval that is clipped to a single moment | begins and ends at once, like a point |
//! | a clip of zero length | the first step crosses all its marks, later ones none |
//! | a step with more than [`MAX_CROSSINGS`] crossings | the first ones are reported, the others counted in [`PlayheadStep::dropped`]; then intervals are reconciled: those left ends as cut, and those at the new position begin |

mod walk;

use serde::{Deserialize, Serialize};

use super::crossings::{Crossing, MarkerPhase, Markers, mirrored};
use galatea_math::clamp::ClampTo as _;
use walk::PlayheadWalk;

/// Behaviour at the end of a clip: loop, once or ping-pong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlayMode {
    /// Restarts at the beginning.
    #[default]
    Loop,
    /// Holds the last pose.
    Once,
    /// Plays back and forth.
    PingPong,
}

impl PlayMode {
    /// Converts `elapsed` seconds of playback to a clip time; both can be negative for backward playback.
    pub fn clip_time(self, elapsed: f64, duration: f32) -> f32 {
        let d = f64::from(duration);
        if d <= 0.0 {
            return 0.0;
        }
        let t = match self {
            Self::Loop => elapsed.rem_euclid(d),
            Self::Once => elapsed.clamp_to(0.0, d),
            Self::PingPong => {
                let t = elapsed.rem_euclid(2.0 * d);
                if t > d { 2.0 * d - t } else { t }
            }
        };
        t as f32
    }

    /// Returns true if a clip played for `elapsed` seconds has reached its end and will not move again.
    pub fn finished(self, elapsed: f64, duration: f32) -> bool {
        self == Self::Once && elapsed >= f64::from(duration)
    }
}

/// Maximum factor on a clip's speed.
pub const MAX_SPEED: f32 = 1000.0;

/// Maximum number of crossings that one step reports.
pub const MAX_CROSSINGS: u32 = 4096;

/// Maximum number of passes of one step that are walked one by one; the crossings of further passes are computed.
const MAX_PASSES: u32 = 2 * MAX_CROSSINGS;

/// Treatment of the marks that a seek skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// Emits none.
    Silent,
    /// Emits all, as if playback had reached the new position in one step.
    FireSkipped,
}

/// The playback position on one clip. `Default` is a loop at its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Playhead {
    /// Play mode. Set on creation.
    mode: PlayMode,
    /// Index of the pass; 0 is the first. Negative before the start.
    pass: i64,
    /// Seconds since the start of the pass, `0..=duration`. Both ends are distinct positions: the end of a pass is not
    /// the start of the next. In ping-pong the two are one position, represented as the end.
    local: f64,
    /// Bit i: the walk is inside interval i and its beginning was reported.
    open: u64,
    /// The marks exactly at this position have been reported.
    reported_here: bool,
    /// The playhead was placed here and has not moved since.
    was_placed: bool,
}

/// The result of a step of a [`Playhead`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayheadStep {
    /// Completed passes, minus those undone by walking back.
    pub passes: i64,
    /// Fraction of the step, 0..=1, at which a clip that plays once reached its end.
    pub ended: Option<f64>,
    /// Number of reported crossings.
    pub fired: u32,
    /// Number of crossings beyond [`MAX_CROSSINGS`], which are not reported.
    pub dropped: u64,
}

impl Playhead {
    /// Creates a playhead at the clip's start.
    pub fn new(mode: PlayMode) -> Self {
        Self::starting_at(mode, 0.0)
    }

    /// Creates a playhead at `t` seconds, clamped to the clip.
    pub fn starting_at(mode: PlayMode, t: f64) -> Self {
        Self {
            mode,
            local: if t > 0.0 && t.is_finite() { t } else { 0.0 },
            was_placed: true,
            ..Self::default()
        }
    }

    /// Play mode.
    pub fn mode(&self) -> PlayMode {
        self.mode
    }

    /// Clip time in seconds, `0..=duration`, at which to sample the clip.
    pub fn clip_time(&self, duration: f32) -> f32 {
        let d = f64::from(duration.max(0.0));
        let is_reversed = is_falling(self.mode, self.pass, false);
        mirrored(self.local.min(d), d, is_reversed) as f32
    }

    /// Seconds since the start of the pass, exact.
    pub fn local(&self) -> f64 {
        self.local
    }

    /// Position as a fraction of the clip, 0..=1; 0 for a clip without length.
    pub fn phase(&self, duration: f32) -> f32 {
        if duration > 0.0 {
            self.clip_time(duration) / duration
        } else {
            0.0
        }
    }

    /// Passes since the start, with the fraction of the current one; the unit of [`Playhead::advance_to`].
    pub fn cycles(&self, duration: f32) -> f64 {
        let d = f64::from(duration);
        let fraction = if d > 0.0 { self.local.min(d) / d } else { 0.0 };
        self.pass as f64 + fraction
    }

    /// Number of times it has reached the end of a pass: a loop's restart or a turning point of ping-pong. Negative
    /// before the start.
    pub fn passes(&self, duration: f32) -> i64 {
        self.completed(f64::from(duration))
    }

    /// Returns true if a clip played once has reached the end in its direction: its end, or its start if played
    /// backwards. False again as soon as it leaves.
    pub fn finished(&self) -> bool {
        self.mode == PlayMode::Once && self.reported_here
    }

    /// Bit i: interval i (in the order given to [`Markers`]) is open.
    pub fn open(&self) -> u64 {
        self.open
    }

    /// Returns the mark indices of the open intervals.
    pub fn open_markers(&self, marks: &Markers) -> impl Iterator<Item = usize> {
        let open = self.open;
        let open = marks
            .intervals()
            .filter(move |(bit, _)| open >> bit & 1 == 1);
        open.map(|(_, interval)| interval.marker as usize)
    }

    /// Advances by `dt` seconds of clip time (already multiplied by the speed; negative plays backwards) and
    /// calls `fire` for each crossing, in order.
    #[inline]
    pub fn advance(
        &mut self,
        marks: &Markers,
        dt: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        let d = marks.duration();
        let to = self.local + dt;
        if !self.was_placed && self.local > 0.0 && self.local < d && to > 0.0 && to < d {
            let is_reversed = is_falling(self.mode, self.pass, false);
            if !self.reported_here && marks.is_quiet(is_reversed, self.local, to) {
                self.local = to;
                return PlayheadStep::default();
            }
        }
        self.advance_full(marks, dt, fire)
    }

    fn advance_full(
        &mut self,
        marks: &Markers,
        dt: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        if !dt.is_finite() || dt == 0.0 {
            return PlayheadStep::default();
        }
        self.normalise(marks.duration());
        let target = self.target_after(dt, marks.duration());
        self.walk(marks, target, dt, fire)
    }

    /// Moves to a position on the line, `cycles` passes (with a fraction) from the start of the first, and reports
    /// the crossings on the way. For clips that follow the phase of another.
    pub fn advance_to(
        &mut self,
        marks: &Markers,
        cycles: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        if !cycles.is_finite() {
            return PlayheadStep::default();
        }
        let d = marks.duration();
        self.normalise(d);
        let whole = cycles.floor().clamp(-MAX_EXACT_PASS, MAX_EXACT_PASS);
        let mut target = LoopTime {
            pass: whole as i64,
            local: ((cycles - whole) * d).clamp_to(0.0, d),
        };
        if self.mode == PlayMode::Once {
            let local = if cycles >= 1.0 { d } else { target.local };
            target = LoopTime {
                pass: 0,
                local: if cycles > 0.0 { local } else { 0.0 },
            };
        }
        let is_backwards = !target.is_after(self.position());
        self.resolve_seam(&mut target, is_backwards, d);
        let dt = (target.pass.saturating_sub(self.pass)) as f64 * d + (target.local - self.local);
        if dt == 0.0 && d > 0.0 {
            return PlayheadStep::default();
        }
        self.walk(marks, target, dt, fire)
    }

    /// Moves to `t` seconds of the clip in the current pass. Times outside the clip are clamped; a time that is not
    /// finite changes nothing. A backward seek with [`Seek::FireSkipped`] crosses the marks between in reverse.
    pub fn seek(
        &mut self,
        marks: &Markers,
        t: f64,
        how: Seek,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        if !t.is_finite() {
            return PlayheadStep::default();
        }
        let d = marks.duration();
        self.normalise(d);
        let t = t.clamp_to(0.0, d);
        let local = mirrored(t, d, is_falling(self.mode, self.pass, false));
        if how == Seek::FireSkipped {
            let target = LoopTime {
                pass: self.pass,
                local,
            };
            let dt = local - self.local;
            if dt == 0.0 {
                return PlayheadStep::default();
            }
            let moved = self.walk(marks, target, dt, fire);
            self.normalise(d);
            return moved;
        }
        let before = self.completed(d);
        self.local = local;
        self.reported_here = false;
        self.was_placed = true;
        self.normalise(d);
        let fired = self.end_left_intervals(marks, t, fire);
        PlayheadStep {
            passes: self.completed(d).saturating_sub(before),
            fired,
            ..PlayheadStep::default()
        }
    }

    /// Places the playhead at a position on the line, `cycles` passes (with a fraction) from the start of the first,
    /// like a silent seek in that pass. A position that is not finite changes nothing.
    pub fn put_at(&mut self, marks: &Markers, cycles: f64, fire: impl FnMut(Crossing)) {
        if !cycles.is_finite() {
            return;
        }
        let d = marks.duration();
        let whole = cycles.floor().clamp(-MAX_EXACT_PASS, MAX_EXACT_PASS);
        self.pass = whole as i64;
        self.local = ((cycles - whole) * d).clamp_to(0.0, d);
        self.reported_here = false;
        self.was_placed = true;
        self.normalise(d);
        let is_reversed = is_falling(self.mode, self.pass, false);
        self.end_left_intervals(marks, mirrored(self.local, d, is_reversed), fire);
    }

    /// Ends the open intervals that do not contain the clip time `t`, as cut; returns their number.
    fn end_left_intervals(
        &mut self,
        marks: &Markers,
        t: f64,
        mut fire: impl FnMut(Crossing),
    ) -> u32 {
        let mut fired = 0;
        for (bit, interval) in marks.intervals() {
            if self.open >> bit & 1 == 1 && !(interval.first..=interval.last).contains(&t) {
                self.open &= !(1 << bit);
                fired += 1;
                fire(cut_end(interval.marker, 0.0));
            }
        }
        fired
    }

    /// Ends one interval, as cut, if it is open, before its mark is removed from the clip.
    pub fn close(&mut self, marks: &Markers, mark: usize) -> Option<Crossing> {
        let bit = 1u64 << marks.bit_of(mark)?;
        let was_open = self.open & bit != 0;
        self.open &= !bit;
        was_open.then(|| cut_end(mark as u32, 0.0))
    }

    /// Ends every open interval, as cut, at the fraction `at` of the step: playback ends or the clip changes.
    pub fn cut(&mut self, marks: &Markers, at: f64, mut fire: impl FnMut(Crossing)) {
        for (bit, interval) in marks.intervals() {
            if self.open >> bit & 1 == 1 {
                fire(cut_end(interval.marker, at));
            }
        }
        self.open = 0;
        self.was_placed = true;
    }

    /// Continues with changed marks of the clip, for example after a reload. An open interval stays open if the new
    /// marks have one of the same event at the current position. `lost` receives the old index of each other
    /// interval; its end will not be reported.
    pub fn rebind(&mut self, old: &Markers, new: &Markers, mut lost: impl FnMut(usize)) {
        let is_reversed = is_falling(self.mode, self.pass, false);
        let (was_open, d) = (std::mem::take(&mut self.open), new.duration());
        self.local = self.local.min(d);
        let t = mirrored(self.local, d, is_reversed);
        for (bit, interval) in old.intervals() {
            if was_open >> bit & 1 == 0 {
                continue;
            }
            let mark = interval.marker as usize;
            let event = old.get(mark).map(|mark| &mark.event);
            let same = new.intervals().find(|(i, other)| {
                self.open >> i & 1 == 0
                    && (other.first..=other.last).contains(&t)
                    && new.get(other.marker as usize).map(|mark| &mark.event) == event
            });
            match same {
                Some((bit, _)) => self.open |= 1 << bit,
                None => lost(mark),
            }
        }
        self.was_placed = true;
    }

    fn completed(&self, d: f64) -> i64 {
        self.pass
            .saturating_add(i64::from(d > 0.0 && self.local >= d))
    }

    fn position(&self) -> LoopTime {
        LoopTime {
            pass: self.pass,
            local: self.local,
        }
    }

    /// Normalises the position: inside the clip, and turning points at the end of their pass.
    fn normalise(&mut self, d: f64) {
        self.local = self.local.min(d);
        if self.mode == PlayMode::PingPong {
            let mut position = self.position();
            self.resolve_seam(&mut position, true, d);
            (self.pass, self.local) = (position.pass, position.local);
        }
    }

    /// At the border of two passes, a walk arrives on the side it comes from. Of the two sides of a turning point,
    /// only the end of a pass is used.
    fn resolve_seam(&self, position: &mut LoopTime, is_backwards: bool, d: f64) {
        let end_counts = match self.mode {
            PlayMode::Once => false,
            PlayMode::Loop => !is_backwards,
            PlayMode::PingPong => true,
        };
        if end_counts && d > 0.0 && position.local <= 0.0 {
            *position = LoopTime {
                pass: position.pass.saturating_sub(1),
                local: d,
            };
        }
    }

    /// Position after `dt` seconds.
    fn target_after(&self, dt: f64, d: f64) -> LoopTime {
        let to = self.local + dt;
        if self.mode == PlayMode::Once || d <= 0.0 {
            return LoopTime {
                pass: self.pass,
                local: to.clamp_to(0.0, d),
            };
        }
        let mut position = if (0.0..=d).contains(&to) {
            LoopTime {
                pass: self.pass,
                local: to,
            }
        } else {
            let whole = (to / d).floor().clamp(-MAX_EXACT_PASS, MAX_EXACT_PASS);
            let (mut whole, mut local) = (whole, to - whole * d);
            // Rounding of the quotient can cross an integer.
            if local < 0.0 {
                (whole, local) = (whole - 1.0, local + d);
            }
            if dt < 0.0 && local >= d {
                (whole, local) = (whole + 1.0, 0.0);
            }
            LoopTime {
                pass: self.pass.saturating_add(whole as i64),
                local: local.clamp_to(0.0, d),
            }
        };
        self.resolve_seam(&mut position, dt < 0.0, d);
        position
    }

    /// Walks to `target`, which is in the direction of `dt`, and reports the crossings. `dt` is the full length of
    /// the step, even if a clip played once stops before.
    fn walk(
        &mut self,
        marks: &Markers,
        target: LoopTime,
        dt: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        let d = marks.duration();
        let is_backwards = dt < 0.0;
        let start = self.position();
        // Only a clip played once or a clip of zero length can arrive at an end of the line.
        let bounded = self.mode == PlayMode::Once || d <= 0.0;
        let arrives = bounded && target.local == if is_backwards { 0.0 } else { d };
        let stays = start == target;
        if stays && (!arrives || self.reported_here) {
            return PlayheadStep::default();
        }
        let mut walk = PlayheadWalk {
            mode: self.mode,
            markers: marks,
            start,
            dt,
            is_backwards,
            open: self.open,
            reported: self.open,
            reported_at_start: self.reported_here,
            moved: PlayheadStep::default(),
            fire,
        };
        if self.was_placed {
            walk.begin_inside();
        }
        let mut pass = start.pass;
        let mut n_walked = 0;
        loop {
            let last = pass == target.pass;
            walk.pass(
                pass,
                (pass == start.pass).then_some(start.local),
                last.then_some((target.local, arrives)),
            );
            if last {
                break;
            }
            n_walked += 1;
            let remaining = target.pass.abs_diff(pass).saturating_sub(1);
            let skips_ahead = n_walked >= MAX_PASSES || walk.is_full() || marks.is_empty();
            if skips_ahead && remaining >= 2 {
                // Any two consecutive passes have the same crossings in every mode.
                let pairs = remaining / 2;
                let dropped = pairs.saturating_mul(walk.crossings_of_two());
                walk.count_dropped(dropped);
                let skipped = (pairs * 2) as i64;
                pass = if is_backwards {
                    pass - skipped
                } else {
                    pass + skipped
                };
            }
            pass = if is_backwards { pass - 1 } else { pass + 1 };
        }
        walk.reconcile();
        let before = self.completed(d);
        self.open = walk.reported;
        let mut moved = walk.moved;
        (self.pass, self.local) = (target.pass, target.local);
        moved.passes = self.completed(d).saturating_sub(before);
        if arrives && self.mode == PlayMode::Once {
            moved.ended = Some(((target.local - start.local) / dt).clamp(0.0, 1.0));
        }
        self.reported_here = arrives;
        self.was_placed = false;
        moved
    }
}

/// Creates the early end of an interval.
fn cut_end(mark: u32, at: f64) -> Crossing {
    Crossing {
        marker: mark as usize,
        phase: MarkerPhase::End,
        interrupted: true,
        tick_fraction: at,
        is_reversed: false,
    }
}

/// Pass index beyond which positions are no longer exact.
const MAX_EXACT_PASS: f64 = 9e15;

/// Returns true if the clip time decreases on a walk through a pass.
fn is_falling(mode: PlayMode, pass: i64, is_backwards: bool) -> bool {
    is_backwards != (mode == PlayMode::PingPong && pass & 1 == 1)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct LoopTime {
    pass: i64,
    local: f64,
}

impl LoopTime {
    fn is_after(self, other: Self) -> bool {
        (self.pass, self.local) > (other.pass, other.local)
    }
}

#[cfg(test)]
mod tests;
