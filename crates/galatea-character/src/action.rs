//! A clip played over whatever the machine does.
//!
//! An action ends exactly once, with a reason. Stopped or interrupted, it is over at once: its open
//! intervals end, cut, it passes no more marks, and what is left of it only fades out.

use std::sync::Arc;

use galatea_anim::{Crossing, Hushed, Marks, Mask, PlayMode, Playhead, Reason, Seek};

/// How an action is played.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionOptions {
    /// Seconds to fade in.
    pub fade_in: f32,
    /// Seconds to fade out; a clip played once begins so that it ends with the clip, and takes at most
    /// half of the clip's time for it.
    pub fade_out: f32,
    /// Factor on the clip's speed; negative plays back, 0 holds. Finite.
    pub speed: f32,
    /// What happens at the end; a loop plays until it is stopped.
    pub mode: PlayMode,
    /// Bones it moves; `None` the whole body.
    pub mask: Option<Arc<Mask>>,
    /// How much of it shows at most, 0..=1.
    pub weight: f32,
    /// Clip seconds where it begins; `None` the start, played back the end.
    pub from: Option<f64>,
    /// Its difference from something is added to what lies below, in place of covering it.
    pub additive: Option<Additive>,
    /// Left and right exchanged.
    pub mirror: bool,
    /// True when its marks are passed without being told.
    pub muted: bool,
    /// Without its root's travel, which is somebody else's to apply.
    pub in_place: bool,
}

/// What an added clip is the difference from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Additive {
    /// The clip's first frame.
    First,
    /// The rest pose.
    Rest,
}

impl Default for ActionOptions {
    fn default() -> Self {
        Self {
            fade_in: 0.15,
            fade_out: 0.15,
            speed: 1.0,
            mode: PlayMode::Once,
            mask: None,
            weight: 1.0,
            from: None,
            additive: None,
            mirror: false,
            muted: false,
            in_place: false,
        }
    }
}

/// Why an action is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// It was played to its end.
    End,
    /// Another action took its place.
    Interrupted,
    /// It was told to stop.
    Stopped,
    /// The script or the model was reloaded.
    Reloaded,
}

impl EndReason {
    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Interrupted => "interrupted",
            Self::Stopped => "stopped",
            Self::Reloaded => "reloaded",
        }
    }
}

/// The end of an action; told exactly once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionEnd {
    /// Which action.
    pub id: u64,
    /// Why.
    pub reason: EndReason,
    /// Seconds after the step's start.
    pub offset: f64,
}

/// A crossing in a step of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passed {
    /// What was crossed.
    pub crossing: Crossing,
    /// How much of the action showed at that moment, 0..=1.
    pub weight: f32,
    /// True when the action was over before and only fades out.
    pub leaving: bool,
    /// Why it is told to nobody, if it is not.
    pub silence: Option<Reason>,
}

/// What a step of an action came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advanced {
    /// Its end, when that fell into this step.
    pub end: Option<ActionEnd>,
    /// Crossings that were too many for one step.
    pub dropped: u64,
}

/// A playing action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Names it to the script; unique on the stage.
    pub id: u64,
    /// Clip index.
    pub clip: usize,
    /// How it is played.
    pub options: ActionOptions,
    /// Where it is on the clip.
    pub head: Playhead,
    /// Seconds since it began.
    pub age: f64,
    /// Seconds since it was told to fade out, and why.
    pub leaving: Option<(f64, EndReason)>,
    /// Seconds of the fade that it was told to leave with.
    leave_fade: f32,
    told: bool,
    /// Intervals that were begun while nothing of it showed.
    hushed: Hushed,
    /// Nothing of it shows whatever its weight: the character lies as a ragdoll.
    pub is_hidden: bool,
}

impl Action {
    /// Begins an action on a clip of `duration` seconds.
    pub fn new(id: u64, clip: usize, duration: f32, options: ActionOptions) -> Self {
        let start = if options.speed < 0.0 {
            f64::from(duration)
        } else {
            0.0
        };
        let from = options.from.unwrap_or(start).min(f64::from(duration));
        Self {
            id,
            clip,
            head: Playhead::starting_at(options.mode, from),
            leave_fade: options.fade_out,
            options,
            age: 0.0,
            leaving: None,
            told: false,
            hushed: Hushed::default(),
            is_hidden: false,
        }
    }

    /// Tells it to fade out, over its own time; the first reason stays. Nothing comes of it when it has
    /// ended already.
    pub fn leave(&mut self, reason: EndReason) {
        self.leave_within(self.options.fade_out, reason);
    }

    /// Tells it to fade out over `fade` seconds, see [`Action::leave`]. One that fades out already goes on
    /// as it does.
    pub fn leave_within(&mut self, fade: f32, reason: EndReason) {
        if !self.told && self.leaving.is_none() {
            self.leaving = Some((0.0, reason));
            self.leave_fade = fade;
        }
    }

    /// Ends it for good, whatever is left of its fade: its open intervals end, cut, and its end is told
    /// unless it was. `marks` are those of its clip, of `duration` seconds.
    pub fn end(
        &mut self,
        marks: &Marks,
        duration: f32,
        reason: EndReason,
        mut fire: impl FnMut(Passed),
    ) -> Option<ActionEnd> {
        let weight = self.weight(duration);
        // One whose end is still to be told counts as playing until it is.
        let leaving = self.told;
        let (options, is_hidden, hushed) = (&self.options, self.is_hidden, &mut self.hushed);
        self.head.cut(marks, 0.0, |crossing| {
            fire(Passed {
                crossing,
                weight,
                leaving,
                silence: silence(options, is_hidden, hushed, marks, &crossing),
            });
        });
        let reason = self.leaving.map_or(reason, |(_, first)| first);
        let end = ActionEnd {
            id: self.id,
            reason,
            offset: 0.0,
        };
        (!std::mem::replace(&mut self.told, true)).then_some(end)
    }

    /// True when it takes the place of another action of its character: one of the same bones that, as
    /// it does, covers what lies below or is added to it.
    pub fn replaces(&self, other: &Self) -> bool {
        let adds = |action: &Self| action.options.additive.is_some();
        self.options.mask == other.options.mask && adds(self) == adds(other)
    }

    /// How much of it shows now, 0..=1; `duration` is the clip's.
    pub fn weight(&self, duration: f32) -> f32 {
        let rise = ramp(self.age, self.options.fade_in);
        let fall = match self.leaving {
            Some((since, _)) => 1.0 - ramp(since, self.leave_fade),
            None => 1.0,
        };
        self.options.weight * rise * fall * self.towards_end(duration)
    }

    /// What the nearing end of a clip played once leaves of it. Depends on nothing but where it is, so
    /// that a seek back or a turn brings it back.
    fn towards_end(&self, duration: f32) -> f32 {
        let speed = f64::from(self.options.speed).abs();
        if self.options.mode != PlayMode::Once || speed == 0.0 {
            return 1.0;
        }
        let (d, t) = (
            f64::from(duration),
            f64::from(self.head.clip_time(duration)),
        );
        let left = if self.options.speed < 0.0 { t } else { d - t } / speed;
        let fade = f64::from(self.options.fade_out).min(d / speed / 2.0) as f32;
        if fade <= 0.0 {
            return 1.0;
        }
        1.0 - ramp(f64::from(fade) - left, fade)
    }

    /// Moves it on by `dt` seconds (not negative) and tells what was crossed. `marks` are those of its
    /// clip, of `duration` seconds.
    pub fn advance(
        &mut self,
        marks: &Marks,
        duration: f32,
        dt: f64,
        mut fire: impl FnMut(Passed),
    ) -> Advanced {
        let before = self.weight(duration);
        let mut end = None;
        if let Some((_, reason)) = self.leaving
            && !self.told
        {
            self.told = true;
            let (options, is_hidden, hushed) = (&self.options, self.is_hidden, &mut self.hushed);
            self.head.cut(marks, 0.0, |crossing| {
                fire(Passed {
                    crossing,
                    weight: before,
                    leaving: false,
                    silence: silence(options, is_hidden, hushed, marks, &crossing),
                });
            });
            end = Some(ActionEnd {
                id: self.id,
                reason,
                offset: 0.0,
            });
        }
        self.age += dt;
        if let Some((since, _)) = &mut self.leaving {
            *since += dt;
        }
        let leaving = self.leaving.is_some();
        // Weights are known only when the step is done; the playhead walks it twice where that matters.
        let mut walked = self.head;
        let step = dt * f64::from(self.options.speed);
        let moved = walked.advance(marks, step, |_| {});
        let told = std::mem::replace(&mut self.head, walked);
        let after = self.weight(duration);
        if moved.fired > 0 {
            let mut again = told;
            let (options, is_hidden, hushed) = (&self.options, self.is_hidden, &mut self.hushed);
            again.advance(marks, step, |crossing| {
                let u = crossing.at as f32;
                fire(Passed {
                    crossing,
                    weight: before + (after - before) * u,
                    leaving,
                    silence: silence(options, is_hidden, hushed, marks, &crossing),
                });
            });
        }
        // A seek that told what it skipped may have brought it to its end before.
        let ended = moved.ended.or_else(|| self.head.finished().then_some(0.0));
        if let (Some(at), false) = (ended, self.told) {
            self.told = true;
            end = Some(ActionEnd {
                id: self.id,
                reason: EndReason::End,
                offset: at * dt,
            });
        }
        Advanced {
            end,
            dropped: moved.dropped,
        }
    }

    /// Goes to `t` seconds of the clip and tells what that crosses, each `at` the share of the way.
    pub fn seek(
        &mut self,
        marks: &Marks,
        duration: f32,
        t: f64,
        how: Seek,
        mut fire: impl FnMut(Passed),
    ) {
        if self.told || self.leaving.is_some() {
            return;
        }
        let weight = self.weight(duration);
        let (options, is_hidden, hushed) = (&self.options, self.is_hidden, &mut self.hushed);
        self.head.seek(marks, t, how, |crossing| {
            fire(Passed {
                crossing,
                weight,
                leaving: false,
                silence: silence(options, is_hidden, hushed, marks, &crossing),
            });
        });
    }

    /// Ends an interval that is to be taken off its clip, of `duration` seconds, if it is open here.
    pub fn close(&mut self, marks: &Marks, duration: f32, mark: usize) -> Option<Passed> {
        let crossing = self.head.close(marks, mark)?;
        Some(Passed {
            crossing,
            weight: self.weight(duration),
            leaving: self.told,
            silence: silence(
                &self.options,
                self.is_hidden,
                &mut self.hushed,
                marks,
                &crossing,
            ),
        })
    }

    /// Goes on with other marks of its clip, see [`Playhead::rebind`]. `lost` hears those whose ends will
    /// not come and whose beginnings were told.
    pub fn rebind(&mut self, old: &Marks, new: &Marks, mut lost: impl FnMut(usize)) {
        let was = self.head;
        self.head.rebind(old, new, |_| {});
        let (hears, heads) = (self.hears(), [&was, &self.head]);
        self.hushed = self.hushed.carried([old, new], heads, |mark| {
            if hears {
                lost(mark);
            }
        });
    }

    /// The intervals that are open and were told to begin, by their marks' indices.
    pub fn open_marks(&self, marks: &Marks) -> impl Iterator<Item = usize> {
        let hears = self.hears();
        let open = self.head.open_marks(marks);
        open.filter(move |mark| hears && !self.hushed.has(marks, *mark))
    }

    /// Its marks are told, now or later.
    fn hears(&self) -> bool {
        !self.options.muted && !self.told
    }

    /// True when its end was told; it may still fade out.
    pub fn has_ended(&self) -> bool {
        self.told
    }

    /// True when it shows nothing any more and its end was told.
    pub fn is_over(&self) -> bool {
        let faded = |(since, _): (f64, EndReason)| since >= f64::from(self.leave_fade) - 1e-9;
        self.told && self.leaving.is_none_or(faded)
    }
}

/// Why a crossing is told to nobody, if it is not.
fn silence(
    options: &ActionOptions,
    is_hidden: bool,
    hushed: &mut Hushed,
    marks: &Marks,
    crossing: &Crossing,
) -> Option<Reason> {
    if options.muted {
        return Some(Reason::Muted);
    }
    let shows_nothing = is_hidden || options.weight <= 0.0;
    let is_hushed = hushed.takes(marks, crossing, shows_nothing);
    is_hushed.then_some(Reason::LayerWeightZero)
}

fn ramp(t: f64, fade: f32) -> f32 {
    if fade <= 0.0 {
        return 1.0;
    }
    let u = (t as f32 / fade).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_anim::{Mark, MarkEdge};

    fn marks(times: &[(f32, f32)]) -> Marks {
        let mark = |&(t, length): &(f32, f32)| Mark {
            t,
            length,
            event: "hit".into(),
            fields: Vec::new(),
        };
        Marks::new(times.iter().map(mark).collect(), 1.0).unwrap()
    }

    fn options() -> ActionOptions {
        ActionOptions {
            fade_in: 0.1,
            fade_out: 0.2,
            ..ActionOptions::default()
        }
    }

    fn run(action: &mut Action, marks: &Marks, seconds: f64) -> (Vec<ActionEnd>, Vec<Passed>) {
        let n = (seconds * 60.0).round() as usize;
        let (mut ends, mut passed) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let step = action.advance(marks, 1.0, 1.0 / 60.0, |p| passed.push(p));
            ends.extend(step.end);
        }
        (ends, passed)
    }

    #[test]
    fn an_action_sought_to_its_end_ends_in_the_next_step_whatever_the_seek_told() {
        for how in [Seek::Silent, Seek::FireSkipped] {
            let marks = marks(&[(0.5, 0.0)]);
            let mut action = Action::new(7, 0, 1.0, options());
            run(&mut action, &marks, 0.1);
            action.seek(&marks, 1.0, 99.0, how, |_| {});
            let (ends, _) = run(&mut action, &marks, 1.0);
            let reasons: Vec<EndReason> = ends.iter().map(|end| end.reason).collect();
            assert_eq!(reasons, [EndReason::End], "{how:?}");
            assert!(action.is_over());
        }
    }

    #[test]
    fn an_action_ends_exactly_once_at_the_clips_end_and_has_faded_by_then() {
        let marks = marks(&[]);
        let mut action = Action::new(7, 0, 1.0, options());
        assert!(run(&mut action, &marks, 0.98).0.is_empty());
        assert!(action.weight(1.0) < 0.1, "{}", action.weight(1.0));
        let (ends, _) = run(&mut action, &marks, 2.0);
        assert_eq!(ends.len(), 1);
        assert_eq!((ends[0].id, ends[0].reason), (7, EndReason::End));
        assert!(action.is_over());
        assert_eq!(action.weight(1.0), 0.0);
    }

    #[test]
    fn a_stopped_loop_says_stopped_at_once_and_then_fades() {
        let marks = marks(&[(0.5, 0.0)]);
        let mode = PlayMode::Loop;
        let mut action = Action::new(1, 0, 1.0, ActionOptions { mode, ..options() });
        assert!(run(&mut action, &marks, 3.4).0.is_empty());
        assert_eq!(action.weight(1.0), 1.0);
        action.leave(EndReason::Stopped);
        action.leave(EndReason::Interrupted);
        let (ends, passed) = run(&mut action, &marks, 1.0 / 60.0);
        assert_eq!((ends[0].reason, ends[0].offset), (EndReason::Stopped, 0.0));
        assert!(passed.is_empty() && !action.is_over() && action.weight(1.0) > 0.5);
        let (ends, passed) = run(&mut action, &marks, 1.0);
        assert!(ends.is_empty() && action.is_over());
        assert!(passed.iter().all(|p| p.leaving));
    }

    #[test]
    fn told_to_stop_again_or_near_its_end_it_does_not_jump() {
        let marks = marks(&[]);
        let dt = 1.0 / 60.0;
        for (until, second) in [(0.5, 0.0), (0.5, 2.0), (0.93, 0.02), (0.93, 5.0)] {
            let mut action = Action::new(1, 0, 1.0, options());
            run(&mut action, &marks, until);
            let before = action.weight(1.0);
            action.leave_within(0.3, EndReason::Stopped);
            assert_eq!(action.weight(1.0), before, "{until}");
            run(&mut action, &marks, 3.0 * dt);
            let before = action.weight(1.0);
            action.leave_within(second, EndReason::Stopped);
            assert_eq!(action.weight(1.0), before, "{until} {second}");
            assert!(!action.is_over());
        }
    }

    #[test]
    fn one_that_is_ended_for_good_ends_its_intervals_and_tells_its_end_once() {
        let marks = marks(&[(0.3, 0.4)]);
        let mut action = Action::new(1, 0, 1.0, options());
        run(&mut action, &marks, 0.5);
        let mut cut = 0;
        let why = EndReason::Interrupted;
        let end = action.end(&marks, 1.0, why, |p| {
            cut += usize::from(p.crossing.cut && !p.leaving);
        });
        assert_eq!((end.map(|end| end.reason), cut), (Some(why), 1));
        assert_eq!(action.end(&marks, 1.0, why, |_| cut += 1), None);
        assert_eq!(cut, 1);
    }

    #[test]
    fn an_interval_open_when_it_is_interrupted_ends_cut() {
        let marks = marks(&[(0.3, 0.4)]);
        let mut action = Action::new(1, 0, 1.0, options());
        run(&mut action, &marks, 0.5);
        action.leave(EndReason::Interrupted);
        let (_, passed) = run(&mut action, &marks, 1.0 / 60.0);
        let told: Vec<(MarkEdge, bool)> = passed
            .iter()
            .filter(|p| !p.leaving)
            .map(|p| (p.crossing.edge, p.crossing.cut))
            .collect();
        assert_eq!(told, [(MarkEdge::End, true)]);
    }

    #[test]
    fn played_back_it_begins_at_the_end_and_ends_at_the_start() {
        let marks = marks(&[(0.0, 0.0), (0.75, 0.0), (1.0, 0.0)]);
        let speed = -2.0;
        let mut action = Action::new(1, 0, 1.0, ActionOptions { speed, ..options() });
        let (ends, passed) = run(&mut action, &marks, 1.0);
        assert_eq!(ends.len(), 1);
        assert_eq!(ends[0].reason, EndReason::End);
        let order: Vec<usize> = passed.iter().map(|p| p.crossing.mark).collect();
        assert_eq!(order, [2, 1, 0]);
    }

    #[test]
    fn a_seek_back_from_the_fade_shows_it_fully_again() {
        let marks = marks(&[]);
        let mut action = Action::new(1, 0, 1.0, options());
        run(&mut action, &marks, 0.95);
        assert!(action.weight(1.0) < 0.5);
        action.seek(&marks, 1.0, 0.3, Seek::Silent, |_| {});
        assert_eq!(action.weight(1.0), 1.0);
        assert!(run(&mut action, &marks, 0.6).0.is_empty());
        assert_eq!(run(&mut action, &marks, 0.2).0.len(), 1);
    }
}
