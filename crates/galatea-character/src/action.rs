//! A clip played on top of the animation state machine.
//!
//! An action ends exactly once, with a reason. A stopped or interrupted action ends at once: its open intervals end as cut
//! and it emits no more marks. After that only its weight fades out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use galatea_anim::{
    Crossing, Markers, Mask, PlayMode, Playhead, Reason, Seek, SuppressedIntervals,
};

/// Playback options of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActionOptions {
    /// Fade-in time, seconds.
    pub fade_in: f32,
    /// Fade-out time, seconds. A clip played once starts to fade so that the fade ends with the clip; the fade takes at most
    /// half of the clip's duration.
    pub fade_out: f32,
    /// Factor on the clip's speed; negative plays backwards, 0 pauses. Finite.
    pub speed: f32,
    /// Behaviour at the end of the clip; a loop plays until it is stopped.
    pub mode: PlayMode,
    /// Bones that the action moves; `None` means the whole body.
    #[serde(with = "galatea_persist::shared")]
    pub mask: Option<Arc<Mask>>,
    /// Maximum weight, 0..=1.
    pub weight: f32,
    /// Start time in clip seconds; `None` starts at the beginning, or at the end when `speed` is negative.
    pub start_time: Option<f64>,
    /// Adds the clip's difference from a reference pose to the layers below instead of overriding them.
    pub additive: Option<Additive>,
    /// Swaps left and right.
    pub mirror: bool,
    /// Marks are not emitted.
    pub mute_markers: bool,
    /// Leaves out the root motion of the clip; the caller applies it.
    pub in_place: bool,
}

/// Reference pose of an additive clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
            start_time: None,
            additive: None,
            mirror: false,
            mute_markers: false,
            in_place: false,
        }
    }
}

/// Reason why an action ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndReason {
    /// The clip was played to its end.
    End,
    /// Another action replaced it.
    Interrupted,
    /// The action was stopped.
    Stopped,
    /// The script or the model was reloaded.
    Reloaded,
}

impl EndReason {
    /// Returns the word that scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Interrupted => "interrupted",
            Self::Stopped => "stopped",
            Self::Reloaded => "reloaded",
        }
    }
}

/// The end of an action; reported exactly once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionEnd {
    /// Id of the action.
    pub id: u64,
    /// Reason of the end.
    pub reason: EndReason,
    /// Seconds since the start of the step.
    pub offset: f64,
}

/// A mark that an action crossed in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionCrossing {
    /// The crossing.
    pub crossing: Crossing,
    /// Weight of the action at that moment, 0..=1.
    pub weight: f32,
    /// The action had already ended and was only fading out.
    pub leaving: bool,
    /// Reason why the crossing is not emitted; `None` if it is emitted.
    pub silence: Option<Reason>,
}

/// Result of one step of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advanced {
    /// The end of the action, when it fell into this step.
    pub end: Option<ActionEnd>,
    /// Number of crossings dropped because one step had too many.
    pub dropped: u64,
}

/// A playing action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Action {
    /// Id for scripts; unique on the stage.
    pub id: u64,
    /// Clip index.
    pub clip: usize,
    /// Playback options.
    pub options: ActionOptions,
    /// Position on the clip.
    pub head: Playhead,
    /// Seconds since the action started.
    pub age: f64,
    /// Seconds since the action began to fade out, and the reason.
    pub leaving: Option<(f64, EndReason)>,
    /// Duration of the current fade-out, seconds.
    leave_fade: f32,
    end_reported: bool,
    /// Open intervals whose begin was not emitted because the action was not visible.
    suppressed: SuppressedIntervals,
    /// The action has no visible effect because the character is a ragdoll.
    pub is_hidden: bool,
}

impl Action {
    /// Starts an action on a clip of `duration` seconds.
    pub fn new(id: u64, clip: usize, duration: f32, options: ActionOptions) -> Self {
        let start = if options.speed < 0.0 {
            f64::from(duration)
        } else {
            0.0
        };
        let from = options.start_time.unwrap_or(start).min(f64::from(duration));
        Self {
            id,
            clip,
            head: Playhead::starting_at(options.mode, from),
            leave_fade: options.fade_out,
            options,
            age: 0.0,
            leaving: None,
            end_reported: false,
            suppressed: SuppressedIntervals::default(),
            is_hidden: false,
        }
    }

    /// Starts the fade-out with the action's own fade time. The first reason is kept. Does nothing when the action has
    /// already ended.
    pub fn leave(&mut self, reason: EndReason) {
        self.leave_within(self.options.fade_out, reason);
    }

    /// Returns true until the action ends or starts to fade out.
    pub fn is_on(&self) -> bool {
        !self.end_reported && self.leaving.is_none()
    }

    /// Starts a fade-out over `fade` seconds, see [`Action::leave`]. Does not change a fade-out that has already started.
    pub fn leave_within(&mut self, fade: f32, reason: EndReason) {
        if self.is_on() {
            self.leaving = Some((0.0, reason));
            self.leave_fade = fade;
        }
    }

    /// Ends the action immediately, even during its fade. Open intervals end as cut. Returns the end unless it was reported
    /// before. `marks` are the marks of the clip of `duration` seconds.
    pub fn end(
        &mut self,
        marks: &Markers,
        duration: f32,
        reason: EndReason,
        mut fire: impl FnMut(ActionCrossing),
    ) -> Option<ActionEnd> {
        let weight = self.weight(duration);
        // The action counts as playing until its end is reported.
        let leaving = self.end_reported;
        let (options, is_hidden, suppressed) =
            (&self.options, self.is_hidden, &mut self.suppressed);
        self.head.cut(marks, 0.0, |crossing| {
            fire(ActionCrossing {
                crossing,
                weight,
                leaving,
                silence: suppression_reason(options, is_hidden, suppressed, marks, &crossing),
            });
        });
        let reason = self.leaving.map_or(reason, |(_, first)| first);
        let end = ActionEnd {
            id: self.id,
            reason,
            offset: 0.0,
        };
        (!std::mem::replace(&mut self.end_reported, true)).then_some(end)
    }

    /// Returns true when this action replaces `other` on the same character: both have the same mask, and both are additive
    /// or neither is.
    pub fn replaces(&self, other: &Self) -> bool {
        let adds = |action: &Self| action.options.additive.is_some();
        self.options.mask == other.options.mask && adds(self) == adds(other)
    }

    /// Returns the current weight, 0..=1; `duration` is the clip's duration in seconds.
    pub fn weight(&self, duration: f32) -> f32 {
        let rise = ramp(self.age, self.options.fade_in);
        let fall = match self.leaving {
            Some((since, _)) => 1.0 - ramp(since, self.leave_fade),
            None => 1.0,
        };
        self.options.weight * rise * fall * self.end_fade(duration)
    }

    /// Returns the fade factor near the end of a clip that is played once. Depends only on the playback position, so a seek
    /// back or a reversal restores the weight.
    fn end_fade(&self, duration: f32) -> f32 {
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

    /// Advances the action by `dt` seconds (not negative) and emits the crossed marks. `marks` are the marks of the clip of
    /// `duration` seconds.
    pub fn advance(
        &mut self,
        marks: &Markers,
        duration: f32,
        dt: f64,
        mut fire: impl FnMut(ActionCrossing),
    ) -> Advanced {
        let before = self.weight(duration);
        let mut end = None;
        if let Some((_, reason)) = self.leaving
            && !self.end_reported
        {
            self.end_reported = true;
            let (options, is_hidden, suppressed) =
                (&self.options, self.is_hidden, &mut self.suppressed);
            self.head.cut(marks, 0.0, |crossing| {
                fire(ActionCrossing {
                    crossing,
                    weight: before,
                    leaving: false,
                    silence: suppression_reason(options, is_hidden, suppressed, marks, &crossing),
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
        // The weights are known only after the step, so the playhead runs the step twice when it crosses marks.
        let mut walked = self.head;
        let step = dt * f64::from(self.options.speed);
        let moved = walked.advance(marks, step, |_| {});
        let previous = std::mem::replace(&mut self.head, walked);
        let after = self.weight(duration);
        if moved.fired > 0 {
            let mut again = previous;
            let (options, is_hidden, suppressed) =
                (&self.options, self.is_hidden, &mut self.suppressed);
            again.advance(marks, step, |crossing| {
                let u = crossing.tick_fraction as f32;
                fire(ActionCrossing {
                    crossing,
                    weight: before + (after - before) * u,
                    leaving,
                    silence: suppression_reason(options, is_hidden, suppressed, marks, &crossing),
                });
            });
        }
        // A seek that emitted the skipped marks may already have reached the end.
        let ended = moved.ended.or_else(|| self.head.finished().then_some(0.0));
        if let (Some(at), false) = (ended, self.end_reported) {
            self.end_reported = true;
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

    /// Seeks to `t` seconds of the clip and emits the crossed marks. Each `at` is a fraction of the distance.
    pub fn seek(
        &mut self,
        marks: &Markers,
        duration: f32,
        t: f64,
        how: Seek,
        mut fire: impl FnMut(ActionCrossing),
    ) {
        if self.end_reported || self.leaving.is_some() {
            return;
        }
        let weight = self.weight(duration);
        let (options, is_hidden, suppressed) =
            (&self.options, self.is_hidden, &mut self.suppressed);
        self.head.seek(marks, t, how, |crossing| {
            fire(ActionCrossing {
                crossing,
                weight,
                leaving: false,
                silence: suppression_reason(options, is_hidden, suppressed, marks, &crossing),
            });
        });
    }

    /// Closes an interval that is about to be removed from the clip of `duration` seconds, if it is open in this action.
    pub fn close(&mut self, marks: &Markers, duration: f32, mark: usize) -> Option<ActionCrossing> {
        let crossing = self.head.close(marks, mark)?;
        Some(ActionCrossing {
            crossing,
            weight: self.weight(duration),
            leaving: self.end_reported,
            silence: suppression_reason(
                &self.options,
                self.is_hidden,
                &mut self.suppressed,
                marks,
                &crossing,
            ),
        })
    }

    /// Continues with other marks of the clip, see [`Playhead::rebind`]. `lost` receives the marks whose begin was emitted
    /// but whose end will not come.
    pub fn rebind(&mut self, old: &Markers, new: &Markers, mut lost: impl FnMut(usize)) {
        let was = self.head;
        self.head.rebind(old, new, |_| {});
        let (emits_markers, heads) = (self.emits_markers(), [&was, &self.head]);
        self.suppressed = self.suppressed.rebound([old, new], heads, |mark| {
            if emits_markers {
                lost(mark);
            }
        });
    }

    /// Returns the indices of the marks whose intervals are open and whose begin was emitted.
    pub fn open_markers(&self, marks: &Markers) -> impl Iterator<Item = usize> {
        let emits_markers = self.emits_markers();
        let open = self.head.open_markers(marks);
        open.filter(move |mark| emits_markers && !self.suppressed.has(marks, *mark))
    }

    /// Returns true while marks can be emitted.
    fn emits_markers(&self) -> bool {
        !self.options.mute_markers && !self.end_reported
    }

    /// Returns true when the end was reported; the action may still fade out.
    pub fn has_ended(&self) -> bool {
        self.end_reported
    }

    /// Returns true when the end was reported and the fade-out is complete.
    pub fn is_over(&self) -> bool {
        let faded = |(since, _): (f64, EndReason)| since >= f64::from(self.leave_fade) - 1e-9;
        self.end_reported && self.leaving.is_none_or(faded)
    }
}

/// Returns the reason why a crossing is not emitted, or `None` if it is emitted.
fn suppression_reason(
    options: &ActionOptions,
    is_hidden: bool,
    suppressed: &mut SuppressedIntervals,
    marks: &Markers,
    crossing: &Crossing,
) -> Option<Reason> {
    if options.mute_markers {
        return Some(Reason::Muted);
    }
    let is_invisible = is_hidden || options.weight <= 0.0;
    let is_suppressed = suppressed.takes(marks, crossing, is_invisible);
    is_suppressed.then_some(Reason::LayerWeightZero)
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
    use galatea_anim::{Marker, MarkerPhase};

    fn markers(times: &[(f32, f32)]) -> Markers {
        let mark = |&(t, length): &(f32, f32)| Marker {
            time: t,
            duration: length,
            event: "hit".into(),
            fields: Vec::new(),
        };
        Markers::new(times.iter().map(mark).collect(), 1.0).unwrap()
    }

    fn options() -> ActionOptions {
        ActionOptions {
            fade_in: 0.1,
            fade_out: 0.2,
            ..ActionOptions::default()
        }
    }

    fn run(
        action: &mut Action,
        marks: &Markers,
        seconds: f64,
    ) -> (Vec<ActionEnd>, Vec<ActionCrossing>) {
        let n = (seconds * 60.0).round() as usize;
        let (mut ends, mut passed) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let step = action.advance(marks, 1.0, 1.0 / 60.0, |p| passed.push(p));
            ends.extend(step.end);
        }
        (ends, passed)
    }

    #[test]
    fn an_action_seeked_to_its_end_ends_in_the_next_step_in_every_seek_mode() {
        for how in [Seek::Silent, Seek::FireSkipped] {
            let marks = markers(&[(0.5, 0.0)]);
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
        let marks = markers(&[]);
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
    fn a_stopped_loop_reports_stopped_at_once_and_then_fades() {
        let marks = markers(&[(0.5, 0.0)]);
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
    fn stopping_twice_or_near_the_end_does_not_make_the_weight_jump() {
        let marks = markers(&[]);
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
    fn end_cuts_open_intervals_and_reports_the_end_once() {
        let marks = markers(&[(0.3, 0.4)]);
        let mut action = Action::new(1, 0, 1.0, options());
        run(&mut action, &marks, 0.5);
        let mut cut = 0;
        let reason = EndReason::Interrupted;
        let end = action.end(&marks, 1.0, reason, |p| {
            cut += usize::from(p.crossing.interrupted && !p.leaving);
        });
        assert_eq!((end.map(|end| end.reason), cut), (Some(reason), 1));
        assert_eq!(action.end(&marks, 1.0, reason, |_| cut += 1), None);
        assert_eq!(cut, 1);
    }

    #[test]
    fn an_interval_that_is_open_at_an_interruption_ends_as_cut() {
        let marks = markers(&[(0.3, 0.4)]);
        let mut action = Action::new(1, 0, 1.0, options());
        run(&mut action, &marks, 0.5);
        action.leave(EndReason::Interrupted);
        let (_, passed) = run(&mut action, &marks, 1.0 / 60.0);
        let emitted: Vec<(MarkerPhase, bool)> = passed
            .iter()
            .filter(|p| !p.leaving)
            .map(|p| (p.crossing.phase, p.crossing.interrupted))
            .collect();
        assert_eq!(emitted, [(MarkerPhase::End, true)]);
    }

    #[test]
    fn a_clip_played_backwards_starts_at_its_end_and_ends_at_its_start() {
        let marks = markers(&[(0.0, 0.0), (0.75, 0.0), (1.0, 0.0)]);
        let speed = -2.0;
        let mut action = Action::new(1, 0, 1.0, ActionOptions { speed, ..options() });
        let (ends, passed) = run(&mut action, &marks, 1.0);
        assert_eq!(ends.len(), 1);
        assert_eq!(ends[0].reason, EndReason::End);
        let order: Vec<usize> = passed.iter().map(|p| p.crossing.marker).collect();
        assert_eq!(order, [2, 1, 0]);
    }

    #[test]
    fn a_seek_back_from_the_fade_restores_the_full_weight() {
        let marks = markers(&[]);
        let mut action = Action::new(1, 0, 1.0, options());
        run(&mut action, &marks, 0.95);
        assert!(action.weight(1.0) < 0.5);
        action.seek(&marks, 1.0, 0.3, Seek::Silent, |_| {});
        assert_eq!(action.weight(1.0), 1.0);
        assert!(run(&mut action, &marks, 0.6).0.is_empty());
        assert_eq!(run(&mut action, &marks, 0.2).0.len(), 1);
    }
}
