//! Which transition is taken, and what stops the others.

use std::sync::Arc;

use super::bound::{Layer, Machine, Transition, TransitionTest};
use super::condition::Builtins;
use super::definition::{Interrupt, Predicate};
use super::place::{clip_left, clip_phase, clip_time, laps, playing_duration};
use super::state::{Active, MachineState};
use galatea_anim::{ClipSet, Mark, MarkValue, Marks, PlayMode};

/// The clips of a model and their marks, which a machine plays.
#[derive(Clone, Copy, Debug)]
pub struct Clips<'a> {
    /// The clips.
    pub set: &'a ClipSet,
    /// Marks of each clip, from the file and from scripts.
    pub marks: &'a [Arc<Marks>],
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

/// Why a transition is not taken.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Blocked {
    /// The state is too young, by so many seconds.
    After(f64),
    /// Its event was not sent.
    NotSent,
    /// The clip plays on for so many seconds; infinite for one without end.
    NotDone(f64),
    /// The clip has not passed that share in the last step; where it is.
    NotExit(f32),
    /// No mark that fits was passed in the last step.
    NotPassing,
    /// Another transition still fades and may not be interrupted.
    Fading(usize),
    /// The condition does not hold.
    When,
    /// The way out of the state is being played.
    Leaving,
    /// The layer travels to a state by other ways.
    Travelling(usize),
}

/// What a way is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// All that it was given.
    All,
    /// Its times, not its condition: it is the next on the way to this state.
    Times(usize),
    /// Nothing: the layer travels to this state.
    Nothing(usize),
}

/// The place from which a transition is judged.
pub(super) struct Judge<'a> {
    pub layer: &'a Layer,
    pub clips: Clips<'a>,
    pub state: &'a MachineState,
    /// Number of the layer.
    pub number: usize,
    pub current: &'a Active,
    /// Seconds of the coming step.
    pub dt: f64,
}

impl<'a> Judge<'a> {
    /// The judge of a layer's current state; `None` for a layer that plays nothing.
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

    /// The first transition that may be taken.
    pub fn choose(&self, ask: &mut dyn FnMut(Predicate) -> bool) -> Option<usize> {
        let place = &self.state.layers[self.number];
        let ways = self.layer.ways.get(self.current.state)?;
        if let Some(goal) = place.goal {
            return self.next_on_the_way(goal, ways, ask);
        }
        // Most ways ask a condition and nothing else; nothing but it need be looked at then.
        let free = !self.is_fading() && self.current.leaving.is_none();
        ways.iter().copied().find(|&way| {
            let transition = &self.layer.transitions[way];
            match &transition.when {
                Some(when) if free && transition.plain => self.holds(when, ask),
                _ => self.verdict(transition, true, ask).is_ok(),
            }
        })
    }

    /// The transition that led here still fades.
    fn is_fading(&self) -> bool {
        self.current.transition.is_some() && self.current.age < f64::from(self.current.fade)
    }

    /// While it travels only the next transition of the way is asked, for its time and not for its
    /// condition; one of higher priority, or one that an event makes go, ends the journey.
    fn next_on_the_way(
        &self,
        goal: usize,
        ways: &[usize],
        ask: &mut dyn FnMut(Predicate) -> bool,
    ) -> Option<usize> {
        let next = super::travel::next_transition(self.layer, self.current.state, goal);
        let interrupting = ways.iter().copied().find(|&way| {
            let transition = &self.layer.transitions[way];
            Some(way) != next
                && self.may_interrupt(way, next)
                && self.verdict(transition, true, ask).is_ok()
        });
        interrupting.or(next.filter(|&way| {
            self.verdict(&self.layer.transitions[way], false, ask)
                .is_ok()
        }))
    }

    /// True for a way that may end a journey whose next way is `next`.
    fn may_interrupt(&self, way: usize, next: Option<usize>) -> bool {
        let transition = &self.layer.transitions[way];
        let level = next.map_or(i32::MIN, |way| self.layer.transitions[way].priority);
        transition.priority > level || transition.on.is_some()
    }

    /// What a way out of the current state is asked for now.
    pub fn asks(&self, way: usize) -> Asks {
        let Some(goal) = self.state.layers[self.number].goal else {
            return Asks::All;
        };
        let next = super::travel::next_transition(self.layer, self.current.state, goal);
        if next == Some(way) {
            Asks::Times(goal)
        } else if self.may_interrupt(way, next) {
            Asks::All
        } else {
            Asks::Nothing(goal)
        }
    }

    /// The verdict on a way out of the current state, as [`Judge::choose`] comes to it.
    pub fn verdict_of(
        &self,
        way: usize,
        ask: &mut dyn FnMut(Predicate) -> bool,
    ) -> Result<(), Blocked> {
        let transition = &self.layer.transitions[way];
        match self.asks(way) {
            Asks::All => self.verdict(transition, true, ask),
            Asks::Times(_) => self.verdict(transition, false, ask),
            Asks::Nothing(goal) => Err(Blocked::Travelling(goal)),
        }
    }

    /// Whether a transition that leaves the current state may be taken now. Without `conditions`
    /// only its times are judged.
    pub fn verdict(
        &self,
        transition: &Transition,
        conditions: bool,
        ask: &mut dyn FnMut(Predicate) -> bool,
    ) -> Result<(), Blocked> {
        let current = self.current;
        if current.state_age < transition.after {
            return Err(Blocked::After(transition.after - current.state_age));
        }
        if conditions && let Some(event) = &transition.on {
            let sent = &self.state.sent;
            if !sent.iter().any(|sent| sent.event == *event) {
                return Err(Blocked::NotSent);
            }
        }
        if current.leaving.is_some() && !transition.skip_outro {
            return Err(Blocked::Leaving);
        }
        self.interrupts(transition)?;
        if transition.done {
            self.is_done(transition)?;
        }
        if let Some(share) = transition.exit {
            self.passes(share)?;
        }
        if let Some(mark) = transition.passing
            && !self.has_passed(mark)
        {
            return Err(Blocked::NotPassing);
        }
        match &transition.when {
            Some(when) if conditions && !self.holds(when, ask) => Err(Blocked::When),
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

    /// Seconds before the clip's end at which a way that waits for the end is taken.
    pub fn lead(&self, transition: &Transition) -> f64 {
        let remembered = &self.state.layers[self.number].remembered;
        let to = self.layer.entry(transition.to, remembered);
        let from = self.current.state;
        self.layer.lead(self.number, transition, from, to)
    }

    fn is_done(&self, transition: &Transition) -> Result<(), Blocked> {
        let state = &self.layer.states[self.current.state];
        let left = clip_left(state, self.current, self.state, self.clips.set);
        if self.current.ended || left <= self.lead(transition) {
            Ok(())
        } else {
            Err(Blocked::NotDone(left))
        }
    }

    /// The clip's share was passed in the last step, or the clip that plays once is beyond it.
    fn passes(&self, share: f32) -> Result<(), Blocked> {
        let state = &self.layer.states[self.current.state];
        let phase = clip_phase(state, self.current, self.clips.set);
        let mode = state.mode_of(self.current.item);
        let beyond = match mode {
            PlayMode::Once => phase >= share,
            _ => {
                // As it was played, which a shared cycle or a matched speed may have changed.
                let playing = self.current.clips.get(self.current.lead);
                let rate = playing.map_or(0.0, |playing| f64::from(playing.rate));
                let duration = playing_duration(state, self.current, self.clips.set).max(1e-6);
                let step = (self.dt * rate.abs() / duration) as f32;
                let since = if rate < 0.0 {
                    (share - phase).rem_euclid(1.0)
                } else {
                    (phase - share).rem_euclid(1.0)
                };
                since < step && self.current.state_age > 0.0
            }
        };
        if beyond {
            Ok(())
        } else {
            Err(Blocked::NotExit(phase))
        }
    }

    /// The last step passed a mark that the layer awaits, by its number.
    fn has_passed(&self, awaited: usize) -> bool {
        let passed = &self.state.layers[self.number].passed;
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

    /// What conditions may read beside the parameters.
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

/// True for a mark of this name with at least these fields.
pub(super) fn fits(mark: &Mark, event: &str, fields: &[(String, MarkValue)]) -> bool {
    mark.event == event && fields.iter().all(|field| mark.fields.contains(field))
}
