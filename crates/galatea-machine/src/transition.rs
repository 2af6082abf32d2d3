//! Choice of the transition to take, and the reasons that block the others.

use std::sync::Arc;

use super::bound::{Layer, Machine, Transition, TransitionTest};
use super::clip_weights::{clip_left, clip_phase, clip_time, laps, playing_duration};
use super::condition::Builtins;
use super::definition::{Interrupt, Predicate};
use super::state::{Active, MachineState};
use galatea_anim::{ClipSet, Marker, MarkerValue, Markers, PlayMode};

/// The clips of a model and their marks, which a machine plays.
#[derive(Clone, Copy, Debug)]
pub struct Clips<'a> {
    /// The clips.
    pub set: &'a ClipSet,
    /// Marks of each clip, from the file and from scripts.
    pub markers: &'a [Arc<Markers>],
}

/// Returns the index of the transition that a layer would take in a step of `dt` seconds. Changes nothing.
pub fn choose(
    machine: &Machine,
    layer: usize,
    clips: Clips<'_>,
    state: &MachineState,
    dt: f64,
    ask: &mut dyn FnMut(Predicate) -> bool,
) -> Option<usize> {
    Judge::new(machine, layer, clips, state, dt)?.choose(ask)
}

/// Reason why a transition is not taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Blocked {
    /// Minimum time in the state has not passed; the seconds that remain.
    After(f64),
    /// The event was not sent.
    NotSent,
    /// The clip has not ended; the seconds that remain, infinite for a clip without end.
    ClipNotEnded(f64),
    /// The clip did not pass the exit time in the last step; its phase, 0..=1.
    NotExit(f32),
    /// No matching mark was crossed in the last step.
    MarkerNotCrossed,
    /// The transition with this index still fades and cannot be interrupted.
    Fading(usize),
    /// The condition is false.
    When,
    /// The outro of the state is playing.
    Leaving,
    /// The layer travels to this state by other transitions.
    Travelling(usize),
}

/// Conditions of a transition that are evaluated now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvaluatedConditions {
    /// All conditions.
    All,
    /// Times only, because it is the next transition of the travel to this state.
    Times(usize),
    /// None, because the layer travels to this state by another transition.
    Nothing(usize),
}

/// Evaluates the transitions out of a layer's current state.
pub(super) struct Judge<'a> {
    pub layer: &'a Layer,
    pub clips: Clips<'a>,
    pub state: &'a MachineState,
    /// Index of the layer.
    pub number: usize,
    pub current: &'a Active,
    /// Length of the coming step, seconds.
    pub dt: f64,
}

impl<'a> Judge<'a> {
    /// Creates the evaluator of a layer's current state; `None` for a layer that plays nothing.
    pub fn new(
        machine: &'a Machine,
        number: usize,
        clips: Clips<'a>,
        state: &'a MachineState,
        dt: f64,
    ) -> Option<Self> {
        Some(Self {
            layer: machine.layers.get(number)?,
            clips,
            state,
            number,
            current: state.current(number)?,
            dt,
        })
    }

    /// Returns the first transition that can be taken.
    pub fn choose(&self, ask: &mut dyn FnMut(Predicate) -> bool) -> Option<usize> {
        let layer_state = &self.state.layers[self.number];
        let outgoing = self.layer.outgoing.get(self.current.state)?;
        if let Some(goal) = layer_state.goal {
            return self.next_travel_transition(goal, outgoing, ask);
        }
        // Most transitions have only a condition; for those, evaluating the condition alone is faster.
        let free = !self.is_fading() && self.current.leaving.is_none();
        outgoing.iter().copied().find(|&index| {
            let transition = &self.layer.transitions[index];
            match &transition.when {
                Some(when) if free && transition.plain => self.holds(when, ask),
                _ => self.verdict(transition, true, ask).is_ok(),
            }
        })
    }

    /// Returns true while the transition that entered the state still fades.
    fn is_fading(&self) -> bool {
        self.current.transition.is_some() && self.current.age < f64::from(self.current.fade)
    }

    /// Returns the transition to take while the layer travels. For the next transition of the route only the times
    /// count, not the condition. A transition with a higher priority or with an event ends the travel.
    fn next_travel_transition(
        &self,
        goal: usize,
        outgoing: &[usize],
        ask: &mut dyn FnMut(Predicate) -> bool,
    ) -> Option<usize> {
        let next = super::travel::next_transition(self.layer, self.current.state, goal);
        let interrupting = outgoing.iter().copied().find(|&index| {
            let transition = &self.layer.transitions[index];
            Some(index) != next
                && self.may_interrupt(index, next)
                && self.verdict(transition, true, ask).is_ok()
        });
        interrupting.or(next.filter(|&index| {
            self.verdict(&self.layer.transitions[index], false, ask)
                .is_ok()
        }))
    }

    /// Returns true for a transition that can end a travel; `next` is the next transition on the route.
    fn may_interrupt(&self, index: usize, next: Option<usize>) -> bool {
        let transition = &self.layer.transitions[index];
        let level = next.map_or(i32::MIN, |index| self.layer.transitions[index].priority);
        transition.priority > level || transition.on.is_some()
    }

    /// Returns the conditions that are evaluated now for a transition out of the current state.
    pub fn evaluated_conditions(&self, index: usize) -> EvaluatedConditions {
        let Some(goal) = self.state.layers[self.number].goal else {
            return EvaluatedConditions::All;
        };
        let next = super::travel::next_transition(self.layer, self.current.state, goal);
        if next == Some(index) {
            EvaluatedConditions::Times(goal)
        } else if self.may_interrupt(index, next) {
            EvaluatedConditions::All
        } else {
            EvaluatedConditions::Nothing(goal)
        }
    }

    /// Evaluates a transition out of the current state as [`Judge::choose`] does.
    pub fn verdict_of(
        &self,
        index: usize,
        ask: &mut dyn FnMut(Predicate) -> bool,
    ) -> Result<(), Blocked> {
        let transition = &self.layer.transitions[index];
        match self.evaluated_conditions(index) {
            EvaluatedConditions::All => self.verdict(transition, true, ask),
            EvaluatedConditions::Times(_) => self.verdict(transition, false, ask),
            EvaluatedConditions::Nothing(goal) => Err(Blocked::Travelling(goal)),
        }
    }

    /// Evaluates a transition out of the current state. Without `check_conditions`, only its times count.
    pub fn verdict(
        &self,
        transition: &Transition,
        check_conditions: bool,
        ask: &mut dyn FnMut(Predicate) -> bool,
    ) -> Result<(), Blocked> {
        let current = self.current;
        if current.state_age < transition.after {
            return Err(Blocked::After(transition.after - current.state_age));
        }
        if check_conditions && let Some(event) = &transition.on {
            let sent = &self.state.sent;
            if !sent.iter().any(|sent| sent.event == *event) {
                return Err(Blocked::NotSent);
            }
        }
        if current.leaving.is_some() && !transition.skip_outro {
            return Err(Blocked::Leaving);
        }
        self.interrupts(transition)?;
        if transition.at_end {
            self.is_done(transition)?;
        }
        if let Some(fraction) = transition.exit {
            self.passes(fraction)?;
        }
        if let Some(mark) = transition.awaited_marker
            && !self.has_crossed(mark)
        {
            return Err(Blocked::MarkerNotCrossed);
        }
        match &transition.when {
            Some(when) if check_conditions && !self.holds(when, ask) => Err(Blocked::When),
            _ => Ok(()),
        }
    }

    fn interrupts(&self, transition: &Transition) -> Result<(), Blocked> {
        let current = self.current;
        let Some(fading) = current.transition else {
            return Ok(());
        };
        if current.age >= f64::from(current.fade) {
            return Ok(());
        }
        let Some(running) = self.layer.transitions.get(fading) else {
            return Ok(());
        };
        match running.interrupt {
            Interrupt::Always => Ok(()),
            Interrupt::Higher if transition.priority > running.priority => Ok(()),
            Interrupt::Higher | Interrupt::Never => Err(Blocked::Fading(fading)),
        }
    }

    /// Seconds before the clip's end at which a `done` transition is taken.
    pub fn lead(&self, transition: &Transition) -> f64 {
        let remembered = &self.state.layers[self.number].remembered;
        let to = self.layer.entry(transition.to, remembered);
        let from = self.current.state;
        self.layer.end_lead(self.number, transition, from, to)
    }

    fn is_done(&self, transition: &Transition) -> Result<(), Blocked> {
        let state = &self.layer.states[self.current.state];
        let left = clip_left(state, self.current, self.state, self.clips.set);
        if self.current.ended || left <= self.lead(transition) {
            Ok(())
        } else {
            Err(Blocked::ClipNotEnded(left))
        }
    }

    /// Succeeds if the last step passed this fraction of the clip, or if a clip that plays once is beyond it.
    fn passes(&self, fraction: f32) -> Result<(), Blocked> {
        let state = &self.layer.states[self.current.state];
        let phase = clip_phase(state, self.current, self.clips.set);
        let mode = state.mode_of(self.current.item);
        let has_passed_exit = match mode {
            PlayMode::Once => phase >= fraction,
            _ => {
                // The actual rate, because a shared cycle or a matched speed may have changed it.
                let playing = self.current.clips.get(self.current.lead_clip);
                let rate = playing.map_or(0.0, |playing| f64::from(playing.rate));
                let duration = playing_duration(state, self.current, self.clips.set).max(1e-6);
                let step = (self.dt * rate.abs() / duration) as f32;
                let since = if rate < 0.0 {
                    (fraction - phase).rem_euclid(1.0)
                } else {
                    (phase - fraction).rem_euclid(1.0)
                };
                since < step && self.current.state_age > 0.0
            }
        };
        if has_passed_exit {
            Ok(())
        } else {
            Err(Blocked::NotExit(phase))
        }
    }

    /// Returns true if the last step crossed the awaited mark with this index.
    fn has_crossed(&self, awaited: usize) -> bool {
        let passed = &self.state.layers[self.number].crossed_markers;
        passed.get(awaited).is_some_and(|passed| *passed)
    }

    fn holds(&self, when: &TransitionTest, ask: &mut dyn FnMut(Predicate) -> bool) -> bool {
        match when {
            TransitionTest::Predicate(predicate) => ask(*predicate),
            TransitionTest::Condition(condition) => {
                if condition.reads_time() {
                    condition.holds(&self.state.params, &self.builtins())
                } else {
                    condition.holds(&self.state.params, &Builtins::default())
                }
            }
        }
    }

    /// Returns the built-in values that conditions can read besides the parameters.
    pub fn builtins(&self) -> Builtins {
        let state = &self.layer.states[self.current.state];
        let set = self.clips.set;
        Builtins {
            state_time: self.current.state_age as f32,
            clip_time: clip_time(state, self.current, set),
            clip_left: clip_left(state, self.current, self.state, set) as f32,
            phase: clip_phase(state, self.current, set),
            loops: laps(state, self.current, set) as f32,
        }
    }
}

/// Returns true for a mark of this name with at least these fields.
pub(super) fn fits(mark: &Marker, event: &str, fields: &[(String, MarkerValue)]) -> bool {
    mark.event == event && fields.iter().all(|field| mark.fields.contains(field))
}
