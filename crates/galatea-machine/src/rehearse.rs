//! Manual control of a machine: enters states and takes transitions regardless of their conditions.
//!
//! Used by tests of transitions and to predict poses. The normal tick never takes a transition with false conditions.

use super::advance::run;
use super::bound::{Machine, NumberSource, Target};
use super::clip_weights::{clip_left, clip_phase};
use super::definition::{Fade, MAX_BLEND_CLIPS, SourceLocation};
use super::enter;
use super::host::MachineHost;
use super::state::{Active, Decision, MachineState, PoseHistory};
use super::transition::{Clips, fits};
use galatea_anim::PlayMode;

/// A transition out of one state.
#[derive(Clone, Debug, PartialEq)]
pub struct OutgoingTransition {
    /// Layer number.
    pub layer: usize,
    /// Index of the transition in its layer.
    pub transition: usize,
    /// Source state.
    pub from: usize,
    /// Target state, unless a nested machine with history resumes another one.
    pub to: usize,
    /// Earliest time at which it can be taken.
    pub exit: Exit,
    /// Cross-fade or inertial blend.
    pub fade: Fade,
    /// For a `done` transition: seconds before the clip's end at which it is taken.
    pub end_lead: f64,
    /// Position in the script.
    pub at: SourceLocation,
}

/// Time in the source state at which a transition can be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    /// Any time after this many seconds.
    After(f64),
    /// The end of the clip, minus the fade.
    Done,
    /// A fraction of the clip, 0..=1.
    Fraction(f32),
    /// The marks that it waits for, as fractions of the state's first clip.
    Markers(Vec<f32>),
}

/// Returns the number of states of a layer, nested ones included.
pub fn states_of(machine: &Machine, layer: usize) -> usize {
    machine.layers.get(layer).map_or(0, |l| l.states.len())
}

/// Returns every transition once per source state, layer by layer, in evaluation order.
pub fn transitions_of(machine: &Machine, clips: Clips<'_>) -> Vec<OutgoingTransition> {
    let mut all = Vec::new();
    for (number, layer) in machine.layers.iter().enumerate() {
        for (index, transition) in layer.transitions.iter().enumerate() {
            let to = match transition.to {
                Target::State(state) => state,
                Target::Group(group) => layer.groups[group].entry,
            };
            for from in (0..layer.states.len()).filter(|from| transition.from[*from]) {
                let exit = if transition.at_end {
                    Exit::Done
                } else if let Some(fraction) = transition.exit {
                    Exit::Fraction(fraction)
                } else if let Some((event, fields)) = transition
                    .awaited_marker
                    .and_then(|mark| layer.awaited.get(mark))
                {
                    let clip = layer.states[from].clip_of(0, 0);
                    let marks = clip.and_then(|clip| clips.markers.get(clip));
                    let fractions = marks.map_or_else(Vec::new, |marks| {
                        let fitting = marks.iter().filter(|mark| fits(mark, event, fields));
                        let seconds = marks.duration() as f32;
                        fitting.map(|mark| mark.time / seconds.max(1e-6)).collect()
                    });
                    Exit::Markers(fractions)
                } else {
                    Exit::After(transition.after)
                };
                all.push(OutgoingTransition {
                    layer: number,
                    transition: index,
                    from,
                    to,
                    exit,
                    fade: transition.fade,
                    end_lead: layer.end_lead(number, transition, from, to),
                    at: transition.at.clone(),
                });
            }
        }
    }
    all
}

/// Puts a layer into a state with its clips at their start, without a fade. Other layers are unchanged. Does nothing
/// for a layer or state that does not exist.
pub fn enter_state(
    machine: &Machine,
    layer: usize,
    at: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
) {
    let (Some(bound), Some(layer_state)) = (machine.layers.get(layer), state.layers.get_mut(layer))
    else {
        return;
    };
    if at >= bound.states.len() {
        return;
    }
    layer_state.active.clear();
    layer_state.active.push(Active {
        state: at,
        ..Active::default()
    });
    layer_state.goal = None;
    if let Some(shown) = &mut layer_state.inertia {
        **shown = PoseHistory::default();
    }
    enter::start(machine, clips, state);
}

/// Takes a transition of a layer now, with its fade, start position and inertia. Ignores its conditions and skips the
/// outro of the current state. Returns false if there is no such transition.
pub fn force(
    machine: &Machine,
    layer: usize,
    index: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) -> bool {
    let Some(bound) = machine.layers.get(layer) else {
        return false;
    };
    if index >= bound.transitions.len() || layer >= state.layers.len() {
        return false;
    }
    let decision = Decision {
        at: state.time,
        ..Decision::default()
    };
    enter::take_now(layer, bound, index, clips, state, decision, host);
    true
}

/// Advances a machine by `dt` seconds without taking transitions.
pub fn play_on(
    machine: &Machine,
    clips: Clips<'_>,
    state: &mut MachineState,
    dt: f64,
    host: &mut dyn MachineHost,
) {
    run(machine, clips, state, dt, false, host);
}

/// Queries for tests of transitions.
impl Machine {
    /// Returns true for a state with a clip that plays once.
    pub fn plays_once(&self, layer: usize, state: usize) -> bool {
        let state = self.layers.get(layer).and_then(|l| l.states.get(state));
        state.is_some_and(|state| state.mode_of(0) == PlayMode::Once && state.time.is_none())
    }

    /// Returns the clip of a state that has only one.
    pub fn only_clip(&self, layer: usize, state: usize) -> Option<usize> {
        self.layers.get(layer)?.states.get(state)?.single_clip(0)
    }

    /// Returns the duration of a state's longest clip at its own speed, seconds.
    pub fn longest_clip(&self, layer: usize, state: usize, clips: Clips<'_>) -> f32 {
        let state = self.layers.get(layer).and_then(|l| l.states.get(state));
        let seconds = |k| {
            let clip = state?.clip_of(k, 0)?;
            Some(clips.set.duration(clip))
        };
        (0..MAX_BLEND_CLIPS).filter_map(seconds).fold(0.0, f32::max)
    }
}

/// Progress of a layer's current state in its leading clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// Phase of the clip, 0..=1.
    pub phase: f32,
    /// Seconds until a clip that plays once ends; infinite for others.
    pub left: f64,
}

/// Returns the progress of a layer's current state; zeros for a layer that plays nothing.
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

/// Sets the weight of a layer to 1 if it is a parameter.
pub fn show_layer(machine: &Machine, layer: usize, state: &mut MachineState) {
    if let Some(NumberSource::Param(param)) = machine.layers.get(layer).map(|layer| layer.weight)
        && let Some(value) = state.params.get_mut(param)
    {
        *value = 1.0;
    }
}
