//! One step of a machine: evaluates transitions, advances clips, emits the events crossed.

use super::bound::{Layer, LoopPhase, Machine, StateMotion};
use super::enter;
use super::host::MachineHost;
use super::orient::turn_legs;
use super::state::{Decision, MachineState};
use super::step::step;
use super::transition::{Clips, Judge};
use galatea_anim::PlayMode;

/// Seconds of cross-fade from an intro to its loop and on to the outro.
const PHASE_FADE: f32 = 0.12;

/// Advances a machine by `dt` seconds (not negative).
///
/// Takes at most one transition per layer: the first one with all conditions true.
pub fn advance(
    machine: &Machine,
    clips: Clips<'_>,
    state: &mut MachineState,
    dt: f64,
    host: &mut dyn MachineHost,
) {
    run(machine, clips, state, dt, true, host);
}

/// Advances a machine as [`advance`] does. Takes transitions only with `take_transitions`.
pub(super) fn run(
    machine: &Machine,
    clips: Clips<'_>,
    state: &mut MachineState,
    dt: f64,
    take_transitions: bool,
    host: &mut dyn MachineHost,
) {
    state.root_translation = Default::default();
    if state.time == 0.0 {
        enter::start(machine, clips, state);
    }
    for (i, layer) in machine.layers.iter().enumerate() {
        if take_transitions {
            take_transition(machine, i, clips, state, dt, host);
        }
        play_next_clip(layer, i, clips, state, host);
        if i == 0 {
            turn_legs(layer, state, dt);
        }
        step(i, layer, clips, state, dt, host);
        drop_faded(i, layer, clips, state, host);
        if let Some(shown) = &mut state.layers[i].inertia {
            shown.poses.rotate_right(1);
            shown.n_steps = shown.n_steps.saturating_add(1);
            shown.age = shown
                .age
                .map(|age| age + dt)
                .filter(|age| *age < f64::from(shown.inertia.seconds()));
        }
    }
    state.time += dt;
    // An event is valid in the step after it was sent, and until its waiting time is over.
    state.sent.retain_mut(|sent| {
        sent.left -= dt;
        sent.left > 0.0
    });
}

fn take_transition(
    machine: &Machine,
    i: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
    dt: f64,
    host: &mut dyn MachineHost,
) {
    if let Some(jump) = state.layers[i].jump.take() {
        return enter::jump(i, &machine.layers[i], jump, clips, state, host);
    }
    let Some(judge) = Judge::new(machine, i, clips, state, dt) else {
        return;
    };
    let leaving = judge.current.leaving;
    let chosen = judge.choose(&mut |predicate| host.evaluate(predicate));
    let chosen = chosen.or_else(|| leaving.filter(|_| judge.outro_is_over()));
    let Some(index) = chosen else {
        return;
    };
    let decision = Decision {
        at: state.time,
        builtins: judge.builtins(),
        ..Decision::default()
    };
    let layer = &machine.layers[i];
    if let Some(event) = &layer.transitions[index].on
        && let Some(sent) = state.sent.iter_mut().find(|sent| sent.event == *event)
    {
        // The event is consumed: no second transition of this layer uses it, but other layers see it in this step.
        sent.left = 0.0;
    }
    enter::take(i, layer, index, clips, state, decision, host);
}

/// Starts the next clip of a list or the next phase when the current one ends.
fn play_next_clip(
    layer: &Layer,
    i: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) {
    let Some(current) = state.layers[i].active.last() else {
        return;
    };
    let played = &layer.states[current.state];
    let late = current.since_end;
    let (item, fade, late) = match &played.motion {
        StateMotion::List(list) => {
            let n = list.clips.len() as u32;
            let is_last = played.mode == PlayMode::Once && (list.random || current.item + 1 >= n);
            if is_last || n == 0 {
                return;
            }
            let remaining = item_left(layer, state, i, clips);
            if remaining > f64::from(list.fade) && !current.ended {
                return;
            }
            let before = Some(current.item);
            let next = if list.random {
                enter::pick(list, before, host)
            } else {
                (current.item + 1) % n
            };
            let late = if current.ended { late } else { 0.0 };
            (next, list.fade, late)
        }
        StateMotion::Phases { .. } => match (LoopPhase::of(current.item), current.leaving) {
            (LoopPhase::Intro, Some(_)) if current.ended => {
                (LoopPhase::Outro.item(), PHASE_FADE, 0.0)
            }
            (LoopPhase::Intro, None) if current.ended => {
                (LoopPhase::Looped.item(), PHASE_FADE, late)
            }
            (LoopPhase::Looped, Some(_)) => (LoopPhase::Outro.item(), PHASE_FADE, 0.0),
            _ => return,
        },
        _ => return,
    };
    let next = enter::NextClip { item, fade, late };
    enter::follow(i, layer, next, clips, state, host);
}

/// Seconds until the playing clip of a list ends.
fn item_left(layer: &Layer, state: &MachineState, i: usize, clips: Clips<'_>) -> f64 {
    state.layers[i].active.last().map_or(0.0, |current| {
        super::clip_weights::item_left(&layer.states[current.state], current, state, clips.set)
    })
}

impl Judge<'_> {
    /// Returns true if the outro has played up to the fade of the transition that waits for it.
    fn outro_is_over(&self) -> bool {
        let current = self.current;
        let Some(transition) = current
            .leaving
            .and_then(|index| self.layer.transitions.get(index))
        else {
            return false;
        };
        let played = &self.layer.states[current.state];
        LoopPhase::of(current.item) == LoopPhase::Outro
            && super::clip_weights::item_left(played, current, self.state, self.clips.set)
                <= self.lead(transition)
    }
}

/// Drops the states below a state with full weight.
fn drop_faded(
    number: usize,
    layer: &Layer,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) {
    let full = state.layers[number]
        .active
        .iter()
        .rposition(|active| active.weight() >= 1.0);
    for _ in 0..full.unwrap_or(0) {
        let faded = state.layers[number].active.remove(0);
        enter::leave(number, layer, clips, state, faded, host);
    }
}
