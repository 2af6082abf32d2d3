//! The playback position on a clip, and the marks that each step crosses: each exactly once.
//!
//! Callers: `machine` (states), `character` (actions). Plain data, no allocation; one step without a
//! mark in it costs a few nanoseconds.
//!
//! # The line
//! Playing is a walk on a line of *passes*, each as long as the clip. A loop walks pass after pass; in
//! ping-pong every other pass shows the clip backwards; a clip played once has one pass and stops at
//! its ends. Steps may be of any length and sign, so the walk may turn anywhere.
//!
//! # The rules (5.32)
//! | case | rule |
//! |---|---|
//! | a step from a to b | marks in `[a, b)` are passed, in either direction: one at a is, one at b is not yet |
//! | a turn | a mark that was reached but not passed is passed once, when the walk leaves it |
//! | where playing begins, or goes on after a seek | a mark exactly there is passed by the first step |
//! | a step of no length, or of a length that is no number | passes nothing, moves nothing |
//! | the ends of a clip played once | passed on arrival, once; not again when the walk turns there or stays |
//! | the seam of a loop | marks at the clip's end, then marks at its start (falling: the other way round); a walk that turns on the seam passes only the side it came from |
//! | turning points of ping-pong | passed once |
//! | several marks at one time | ends of intervals first, then the others as written; with the clip's time falling, exactly the other way round |
//! | an interval | begins when the walk enters it, by whichever end, and ends when the walk leaves it; a walk that turns inside or on its edge does neither |
//! | a loop's seam in an interval | ends it; one that touches a turning point of ping-pong goes on through it |
//! | playing that begins inside an interval, also after a silent seek | begins it with the first step |
//! | a seek | passes nothing, or, when asked, all that lies between; intervals that do not hold the new place end, cut |
//! | playing that ends early | [`Playhead::cut`] ends what is open, cut; a step after it begins again where it stands |
//! | an interval of which the clip leaves nothing | begins and ends at once, as a point does |
//! | a clip without length | the first step passes all its marks, later ones none |
//! | a step of more than [`MOST_CROSSINGS`] crossings | the first are told, the others counted in [`PlayheadStep::dropped`]; then intervals are put right: what is left open ends, cut, and what holds the new place begins |

mod walk;

use super::crossings::{Crossing, MarkEdge, Marks, mirrored};
use galatea_math::clamp::ClampTo as _;
use walk::PlayheadWalk;

/// Behaviour at the end of a clip: loop, once or ping-pong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// The clip time for `elapsed` seconds of playing; both may be negative for reversed play.
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

    /// True when a clip played for `elapsed` seconds has reached its end and will not move again.
    pub fn finished(self, elapsed: f64, duration: f32) -> bool {
        self == Self::Once && elapsed >= f64::from(duration)
    }
}

/// The largest factor on a clip's speed.
pub const MOST_SPEED: f32 = 1000.0;

/// Maximum number of crossings that one step reports.
pub const MOST_CROSSINGS: u32 = 4096;

/// Passes in one step that are walked one by one; more are reckoned.
const MOST_PASSES: u32 = 2 * MOST_CROSSINGS;

/// Treatment of the marks that a seek skips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seek {
    /// Emits none.
    Silent,
    /// Emits all, as if playback had reached the new position in one step.
    FireSkipped,
}

/// The playback position on one clip. `Default` is a loop at its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playhead {
    /// What happens at the clip's ends. Set when made.
    mode: PlayMode,
    /// Which pass; 0 the first. Negative before the start.
    pass: i64,
    /// Seconds since the start of the pass, `0..=duration`. Both ends are places of their own: the end
    /// of a pass is not the start of the next. In ping-pong the two are one, told as the end.
    local: f64,
    /// Bit i: the walk is inside interval i and its beginning was told.
    open: u64,
    /// The marks exactly here have been told.
    told_here: bool,
    /// It was put here and has not moved since.
    put: bool,
}

/// The result of a step of a [`Playhead`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayheadStep {
    /// Whole passes completed, less those undone by walking back.
    pub passes: i64,
    /// Fraction of the step, 0..=1, at which a clip that plays once reached its end.
    pub ended: Option<f64>,
    /// Number of reported crossings.
    pub fired: u32,
    /// Number of crossings beyond [`MOST_CROSSINGS`], which are not reported.
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
            put: true,
            ..Self::default()
        }
    }

    /// What happens at the clip's ends.
    pub fn mode(&self) -> PlayMode {
        self.mode
    }

    /// Seconds on the clip, `0..=duration`: the time to sample it at.
    pub fn clip_time(&self, duration: f32) -> f32 {
        let d = f64::from(duration.max(0.0));
        let turned = is_falling(self.mode, self.pass, false);
        mirrored(self.local.min(d), d, turned) as f32
    }

    /// Seconds since the start of the pass, exactly.
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

    /// Passes walked since the start, whole and share: what [`Playhead::advance_to`] takes.
    pub fn cycles(&self, duration: f32) -> f64 {
        let d = f64::from(duration);
        let share = if d > 0.0 { self.local.min(d) / d } else { 0.0 };
        self.pass as f64 + share
    }

    /// How often it has come to the end of a pass: turns of a loop, turning points of ping-pong.
    /// Negative before the start.
    pub fn passes(&self, duration: f32) -> i64 {
        self.completed(f64::from(duration))
    }

    /// True when a clip played once has arrived at the end it walked to: its end, or walking back its
    /// start. False again as soon as it leaves.
    pub fn finished(&self) -> bool {
        self.mode == PlayMode::Once && self.told_here
    }

    /// Bit i: interval i (in the order it was given to [`Marks`]) is open.
    pub fn open(&self) -> u64 {
        self.open
    }

    /// The marks, by their index, whose intervals are open.
    pub fn open_marks(&self, marks: &Marks) -> impl Iterator<Item = usize> {
        let open = self.open;
        let open = marks
            .intervals()
            .filter(move |(bit, _)| open >> bit & 1 == 1);
        open.map(|(_, interval)| interval.mark as usize)
    }

    /// Advances by `dt` seconds of clip time (already multiplied by the speed; negative plays backwards) and
    /// calls `fire` for each crossing, in order.
    #[inline]
    pub fn advance(&mut self, marks: &Marks, dt: f64, fire: impl FnMut(Crossing)) -> PlayheadStep {
        let d = marks.duration();
        let to = self.local + dt;
        if !self.put && self.local > 0.0 && self.local < d && to > 0.0 && to < d {
            let turned = is_falling(self.mode, self.pass, false);
            if !self.told_here && marks.is_quiet(turned, self.local, to) {
                self.local = to;
                return PlayheadStep::default();
            }
        }
        self.advance_slowly(marks, dt, fire)
    }

    fn advance_slowly(
        &mut self,
        marks: &Marks,
        dt: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        if !dt.is_finite() || dt == 0.0 {
            return PlayheadStep::default();
        }
        self.settle(marks.duration());
        let target = self.after(dt, marks.duration());
        self.walk(marks, target, dt, fire)
    }

    /// Moves to a place on the line, `cycles` whole and shared passes from the start of the first, and
    /// tells what was crossed on the way. For clips that follow another's phase.
    pub fn advance_to(
        &mut self,
        marks: &Marks,
        cycles: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        if !cycles.is_finite() {
            return PlayheadStep::default();
        }
        let d = marks.duration();
        self.settle(d);
        let whole = cycles.floor().clamp(-FARTHEST, FARTHEST);
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
        let back = !target.is_after(self.place());
        self.tidy(&mut target, back, d);
        let dt = (target.pass.saturating_sub(self.pass)) as f64 * d + (target.local - self.local);
        if dt == 0.0 && d > 0.0 {
            return PlayheadStep::default();
        }
        self.walk(marks, target, dt, fire)
    }

    /// Goes to `t` seconds of the clip, in the pass where it is. Times outside the clip are moved to its
    /// nearer end; one that is no number changes nothing. Sought back with [`Seek::FireSkipped`] it
    /// passes what lies between in reverse.
    pub fn seek(
        &mut self,
        marks: &Marks,
        t: f64,
        how: Seek,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        if !t.is_finite() {
            return PlayheadStep::default();
        }
        let d = marks.duration();
        self.settle(d);
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
            self.settle(d);
            return moved;
        }
        let before = self.completed(d);
        self.local = local;
        self.told_here = false;
        self.put = true;
        self.settle(d);
        let fired = self.leave_behind(marks, t, fire);
        PlayheadStep {
            passes: self.completed(d).saturating_sub(before),
            fired,
            ..PlayheadStep::default()
        }
    }

    /// Puts it at a place on the line, `cycles` whole and shared passes from the start of the first, as a
    /// silent seek does within its pass. One that is no number changes nothing.
    pub fn put_at(&mut self, marks: &Marks, cycles: f64, fire: impl FnMut(Crossing)) {
        if !cycles.is_finite() {
            return;
        }
        let d = marks.duration();
        let whole = cycles.floor().clamp(-FARTHEST, FARTHEST);
        self.pass = whole as i64;
        self.local = ((cycles - whole) * d).clamp_to(0.0, d);
        self.told_here = false;
        self.put = true;
        self.settle(d);
        let turned = is_falling(self.mode, self.pass, false);
        self.leave_behind(marks, mirrored(self.local, d, turned), fire);
    }

    /// Ends the open intervals that do not hold the clip's time `t`, cut; how many.
    fn leave_behind(&mut self, marks: &Marks, t: f64, mut fire: impl FnMut(Crossing)) -> u32 {
        let mut fired = 0;
        for (bit, interval) in marks.intervals() {
            if self.open >> bit & 1 == 1 && !(interval.first..=interval.last).contains(&t) {
                self.open &= !(1 << bit);
                fired += 1;
                fire(cut_end(interval.mark, 0.0));
            }
        }
        fired
    }

    /// Ends one interval, cut, if it is open: its mark is to be taken off the clip.
    pub fn close(&mut self, marks: &Marks, mark: usize) -> Option<Crossing> {
        let bit = 1u64 << marks.bit_of(mark)?;
        let was_open = self.open & bit != 0;
        self.open &= !bit;
        was_open.then(|| cut_end(mark as u32, 0.0))
    }

    /// Ends every open interval, cut, `at` this share of the step: playing ends or changes the clip.
    pub fn cut(&mut self, marks: &Marks, at: f64, mut fire: impl FnMut(Crossing)) {
        for (bit, interval) in marks.intervals() {
            if self.open >> bit & 1 == 1 {
                fire(cut_end(interval.mark, at));
            }
        }
        self.open = 0;
        self.put = true;
    }

    /// Goes on with other marks of the clip, as after a reload: an interval that is open stays so when
    /// the new marks have one of the same event around the same place. `lost` hears the old index of
    /// each that they have not; its end will not come.
    pub fn rebind(&mut self, old: &Marks, new: &Marks, mut lost: impl FnMut(usize)) {
        let turned = is_falling(self.mode, self.pass, false);
        let (was_open, d) = (std::mem::take(&mut self.open), new.duration());
        self.local = self.local.min(d);
        let t = mirrored(self.local, d, turned);
        for (bit, interval) in old.intervals() {
            if was_open >> bit & 1 == 0 {
                continue;
            }
            let mark = interval.mark as usize;
            let event = old.get(mark).map(|mark| &mark.event);
            let same = new.intervals().find(|(i, other)| {
                self.open >> i & 1 == 0
                    && (other.first..=other.last).contains(&t)
                    && new.get(other.mark as usize).map(|mark| &mark.event) == event
            });
            match same {
                Some((bit, _)) => self.open |= 1 << bit,
                None => lost(mark),
            }
        }
        self.put = true;
    }

    fn completed(&self, d: f64) -> i64 {
        self.pass
            .saturating_add(i64::from(d > 0.0 && self.local >= d))
    }

    fn place(&self) -> LoopTime {
        LoopTime {
            pass: self.pass,
            local: self.local,
        }
    }

    /// Puts the place on the line: inside the clip, turning points at the end of their pass.
    fn settle(&mut self, d: f64) {
        self.local = self.local.min(d);
        if self.mode == PlayMode::PingPong {
            let mut place = self.place();
            self.tidy(&mut place, true, d);
            (self.pass, self.local) = (place.pass, place.local);
        }
    }

    /// Where two passes meet, a walk arrives at the side it comes from; of the two sides of a turning
    /// point only the end of a pass counts.
    fn tidy(&self, place: &mut LoopTime, back: bool, d: f64) {
        let end_counts = match self.mode {
            PlayMode::Once => false,
            PlayMode::Loop => !back,
            PlayMode::PingPong => true,
        };
        if end_counts && d > 0.0 && place.local <= 0.0 {
            *place = LoopTime {
                pass: place.pass.saturating_sub(1),
                local: d,
            };
        }
    }

    /// The place `dt` seconds on.
    fn after(&self, dt: f64, d: f64) -> LoopTime {
        let to = self.local + dt;
        if self.mode == PlayMode::Once || d <= 0.0 {
            return LoopTime {
                pass: self.pass,
                local: to.clamp_to(0.0, d),
            };
        }
        let mut place = if (0.0..=d).contains(&to) {
            LoopTime {
                pass: self.pass,
                local: to,
            }
        } else {
            let whole = (to / d).floor().clamp(-FARTHEST, FARTHEST);
            let (mut whole, mut local) = (whole, to - whole * d);
            // The quotient may have been rounded over a whole number.
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
        self.tidy(&mut place, dt < 0.0, d);
        place
    }

    /// Walks to `target`, which lies in the direction of `dt`, telling what is crossed. `dt` is the
    /// step's whole length, also where a clip played once stops before.
    fn walk(
        &mut self,
        marks: &Marks,
        target: LoopTime,
        dt: f64,
        fire: impl FnMut(Crossing),
    ) -> PlayheadStep {
        let d = marks.duration();
        let back = dt < 0.0;
        let start = self.place();
        // Only a clip played once, or one without length, can arrive at an end of the line.
        let bounded = self.mode == PlayMode::Once || d <= 0.0;
        let arrives = bounded && target.local == if back { 0.0 } else { d };
        let still = start == target;
        if still && (!arrives || self.told_here) {
            return PlayheadStep::default();
        }
        let mut walk = PlayheadWalk {
            mode: self.mode,
            marks,
            start,
            dt,
            back,
            open: self.open,
            told: self.open,
            passed_here: self.told_here,
            moved: PlayheadStep::default(),
            fire,
        };
        if self.put {
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
            let left = target.pass.abs_diff(pass).saturating_sub(1);
            let enough = n_walked >= MOST_PASSES || walk.is_full() || marks.is_empty();
            if enough && left >= 2 {
                // Two passes are alike in every mode.
                let pairs = left / 2;
                let dropped = pairs.saturating_mul(walk.crossings_of_two());
                walk.leave_out(dropped);
                let skipped = (pairs * 2) as i64;
                pass = if back { pass - skipped } else { pass + skipped };
            }
            pass = if back { pass - 1 } else { pass + 1 };
        }
        walk.put_right();
        let before = self.completed(d);
        self.open = walk.told;
        let mut moved = walk.moved;
        (self.pass, self.local) = (target.pass, target.local);
        moved.passes = self.completed(d).saturating_sub(before);
        if arrives && self.mode == PlayMode::Once {
            moved.ended = Some(((target.local - start.local) / dt).clamp(0.0, 1.0));
        }
        self.told_here = arrives;
        self.put = false;
        moved
    }
}

/// The end of an interval before its time.
fn cut_end(mark: u32, at: f64) -> Crossing {
    Crossing {
        mark: mark as usize,
        edge: MarkEdge::End,
        cut: true,
        at,
        reverse: false,
    }
}

/// Passes beyond which the place is no longer exact.
const FARTHEST: f64 = 9e15;

/// Whether the clip's time falls on a walk through a pass.
fn is_falling(mode: PlayMode, pass: i64, back: bool) -> bool {
    back != (mode == PlayMode::PingPong && pass & 1 == 1)
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
