//! Playing a machine by hand: a state entered, a transition taken whatever its conditions say.
//!
//! For tests of transitions and for looking ahead; the tick never takes a way that was not asked for.

use super::advance::run;
use super::bound::{Machine, NumberSource, Target};
use super::definition::{Fade, MOST_LEAVES, SourceLocation};
use super::enter;
use super::host::MachineHost;
use super::place::{clip_left, clip_phase};
use super::state::{Active, Decision, MachineState, PoseHistory};
use super::transition::{Clips, fits};
use galatea_anim::PlayMode;

/// A transition out of one state.
#[derive(Clone, Debug, PartialEq)]
pub struct OutgoingTransition {
    /// Layer number.
    pub layer: usize,
    /// Number of the transition in its layer.
    pub way: usize,
    /// State that it leaves.
    pub from: usize,
    /// State that it enters, where no nested machine remembers another.
    pub to: usize,
    /// When it can be taken at the earliest, or at all.
    pub exit: Exit,
    /// How one pose becomes the other.
    pub fade: Fade,
    /// Seconds before the clip's end at which it is taken when it waits for the end.
    pub lead: f64,
    /// Where it was written.
    pub at: SourceLocation,
}

/// When in the state that is left a transition can be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    /// At any time after so many seconds.
    After(f64),
    /// When the clip is at its end less the fade.
    Done,
    /// At a share of the clip, 0..=1.
    Share(f32),
    /// At these shares of the clip that the state begins with: where the marks stand that it waits for.
    Marks(Vec<f32>),
}

/// Number of states of a layer, nested ones included.
pub fn states_of(machine: &Machine, layer: usize) -> usize {
    machine.layers.get(layer).map_or(0, |l| l.states.len())
}

/// Every transition from every state that it leaves, layer by layer, as they are asked.
pub fn ways_of(machine: &Machine, clips: Clips<'_>) -> Vec<OutgoingTransition> {
    let mut all = Vec::new();
    for (number, layer) in machine.layers.iter().enumerate() {
        for (way, transition) in layer.transitions.iter().enumerate() {
            let to = match transition.to {
                Target::State(state) => state,
                Target::Group(group) => layer.groups[group].entry,
            };
            for from in (0..layer.states.len()).filter(|from| transition.from[*from]) {
                let exit = if transition.done {
                    Exit::Done
                } else if let Some(share) = transition.exit {
                    Exit::Share(share)
                } else if let Some((event, fields)) =
                    transition.passing.and_then(|mark| layer.awaited.get(mark))
                {
                    let clip = layer.states[from].clip_of(0, 0);
                    let marks = clip.and_then(|clip| clips.marks.get(clip));
                    let shares = marks.map_or_else(Vec::new, |marks| {
                        let fitting = marks.iter().filter(|mark| fits(mark, event, fields));
                        let seconds = marks.duration() as f32;
                        fitting.map(|mark| mark.t / seconds.max(1e-6)).collect()
                    });
                    Exit::Marks(shares)
                } else {
                    Exit::After(transition.after)
                };
                all.push(OutgoingTransition {
                    layer: number,
                    way,
                    from,
                    to,
                    exit,
                    fade: transition.fade,
                    lead: layer.lead(number, transition, from, to),
                    at: transition.at.clone(),
                });
            }
        }
    }
    all
}

/// Puts a layer into a state with its clips at their start, without a fade; the other layers stay. The
/// layer must exist.
pub fn enter_state(
    machine: &Machine,
    layer: usize,
    at: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
) {
    let (Some(bound), Some(place)) = (machine.layers.get(layer), state.layers.get_mut(layer))
    else {
        return;
    };
    if at >= bound.states.len() {
        return;
    }
    place.active.clear();
    place.active.push(Active {
        state: at,
        ..Active::default()
    });
    place.goal = None;
    if let Some(shown) = &mut place.inertia {
        **shown = PoseHistory::default();
    }
    enter::start(machine, clips, state);
}

/// Takes a transition of a layer now, whatever its conditions say and without the way out of the state
/// that is left: with its fade, entry and inertia. False when there is no such transition.
pub fn force(
    machine: &Machine,
    layer: usize,
    way: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) -> bool {
    let Some(bound) = machine.layers.get(layer) else {
        return false;
    };
    if way >= bound.transitions.len() || layer >= state.layers.len() {
        return false;
    }
    let decision = Decision {
        at: state.time,
        ..Decision::default()
    };
    enter::go(layer, bound, way, clips, state, decision, host);
    true
}

/// Moves a machine on by `dt` seconds; no transition is taken.
pub fn play_on(
    machine: &Machine,
    clips: Clips<'_>,
    state: &mut MachineState,
    dt: f64,
    host: &mut dyn MachineHost,
) {
    run(machine, clips, state, dt, false, host);
}

/// What tests of transitions ask of a state.
impl Machine {
    /// True for a state whose clip plays once.
    pub fn plays_once(&self, layer: usize, state: usize) -> bool {
        let state = self.layers.get(layer).and_then(|l| l.states.get(state));
        state.is_some_and(|state| state.mode_of(0) == PlayMode::Once && state.time.is_none())
    }

    /// The clip of a state that has only one.
    pub fn only_clip(&self, layer: usize, state: usize) -> Option<usize> {
        self.layers.get(layer)?.states.get(state)?.single_clip(0)
    }

    /// Seconds of the longest clip of a state, at the clip's own speed.
    pub fn longest_clip(&self, layer: usize, state: usize, clips: Clips<'_>) -> f32 {
        let state = self.layers.get(layer).and_then(|l| l.states.get(state));
        let seconds = |k| {
            let clip = state?.clip_of(k, 0)?;
            Some(clips.set.duration(clip))
        };
        (0..MOST_LEAVES).filter_map(seconds).fold(0.0, f32::max)
    }
}

/// Where a layer's current state is in its clip that leads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// Share of the clip, 0..=1.
    pub phase: f32,
    /// Seconds until a clip played once ends; infinite for others.
    pub left: f64,
}

/// Where a layer's current state is; zeros for a layer that plays nothing.
pub fn course(machine: &Machine, layer: usize, clips: Clips<'_>, state: &MachineState) -> Course {
    let bound = machine.layers.get(layer);
    let (Some(bound), Some(current)) = (bound, state.current(layer)) else {
        return Course::default();
    };
    let Some(played) = bound.states.get(current.state) else {
        return Course::default();
    };
    Course {
        phase: clip_phase(played, current, clips.set),
        left: clip_left(played, current, state, clips.set),
    }
}

/// Shows a layer whose weight is a parameter in full.
pub fn show_layer(machine: &Machine, layer: usize, state: &mut MachineState) {
    if let Some(NumberSource::Param(param)) = machine.layers.get(layer).map(|layer| layer.weight)
        && let Some(value) = state.params.get_mut(param)
    {
        *value = 1.0;
    }
}
