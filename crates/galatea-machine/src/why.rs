//! Explanations for debugging: transitions that were taken, and why others are not.

use super::bound::{Layer, Machine, Target, TransitionTest};
use super::condition::rounded;
use super::definition::{Predicate, SourceLocation};
use super::state::{Decision, LayerState, MAX_DECISIONS, MachineState};
use super::transition::{Blocked, Clips, EvaluatedConditions, Judge};

/// Records a decision. When the list is full, the buffer of the oldest is reused.
pub(super) fn remember(layer_state: &mut LayerState, decision: Decision, params: &[f32]) {
    let decisions = &mut layer_state.decisions;
    let mut buffer = if decisions.len() >= MAX_DECISIONS {
        decisions.remove(0).params
    } else {
        layer_state.spare_params.pop().unwrap_or_default()
    };
    buffer.clear();
    buffer.extend_from_slice(params);
    decisions.push(Decision {
        params: buffer,
        ..decision
    });
}

/// An explanation of one transition.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionExplanation {
    /// Seconds since it was taken; 0 for a transition that is evaluated now.
    pub ago: f64,
    /// Source state.
    pub from: String,
    /// Target state.
    pub to: String,
    /// Position in the script.
    pub at: SourceLocation,
    /// True if it was taken, or can be taken now.
    pub open: bool,
    /// The reason, with the values that were read.
    pub reason: String,
}

/// Evaluates a script's condition and describes the values that it read.
pub type Trace<'a> = dyn FnMut(Predicate) -> (bool, String) + 'a;

/// Returns the transitions that a layer took recently, oldest first.
pub fn taken(machine: &Machine, layer: usize, state: &MachineState) -> Vec<TransitionExplanation> {
    let (Some(bound), Some(layer_state)) = (machine.layers.get(layer), state.layers.get(layer))
    else {
        return Vec::new();
    };
    let decisions = layer_state.decisions.iter();
    decisions
        .filter_map(|decision| {
            let (reason, at) = match decision.transition {
                Some(index) => {
                    let transition = bound.transitions.get(index)?;
                    (
                        taken_reason(machine, bound, decision, index),
                        transition.at.clone(),
                    )
                }
                None => ("jump_to was called".to_owned(), SourceLocation::default()),
            };
            Some(TransitionExplanation {
                ago: state.time - decision.at,
                from: path(bound, decision.from).to_owned(),
                to: path(bound, decision.to).to_owned(),
                at,
                open: true,
                reason,
            })
        })
        .collect()
}

/// The reason why a transition was taken.
fn taken_reason(machine: &Machine, layer: &Layer, decision: &Decision, index: usize) -> String {
    if let Some(goal) = decision.travelling {
        return travel_reason(layer, goal);
    }
    match &layer.transitions[index].when {
        Some(TransitionTest::Condition(condition)) => {
            condition.explain(&decision.params, &decision.builtins)
        }
        Some(TransitionTest::Predicate(_)) => {
            format!("when({}): true", params_in_words(machine, &decision.params))
        }
        None => rule(layer, index),
    }
}

/// Explains every transition out of a layer's current state, in evaluation order, as of now.
pub fn explain(
    machine: &Machine,
    layer: usize,
    clips: Clips<'_>,
    state: &MachineState,
    dt: f64,
    trace: &mut Trace<'_>,
) -> Vec<TransitionExplanation> {
    let Some(judge) = Judge::new(machine, layer, clips, state, dt) else {
        return Vec::new();
    };
    let bound = judge.layer;
    let ways = bound.outgoing[judge.current.state].iter();
    ways.map(|&index| {
        let transition = &bound.transitions[index];
        let mut read = String::new();
        let checks = judge.evaluated_conditions(index);
        let verdict = judge.verdict_of(index, &mut |predicate| {
            let (holds, values) = trace(predicate);
            read = values;
            holds
        });
        let reason = match &verdict {
            Ok(()) if let EvaluatedConditions::Times(goal) = checks => travel_reason(bound, goal),
            Err(Blocked::When) | Ok(()) => match &transition.when {
                Some(TransitionTest::Condition(condition)) => {
                    condition.explain(&state.params, &judge.builtins())
                }
                Some(TransitionTest::Predicate(_)) => format!("when({read}): {}", verdict.is_ok()),
                None => rule(bound, index),
            },
            Err(blocked) => in_words(bound, transition_event(bound, index), blocked),
        };
        TransitionExplanation {
            ago: 0.0,
            from: path(bound, judge.current.state).to_owned(),
            to: target(bound, transition.to).to_owned(),
            at: transition.at.clone(),
            open: verdict.is_ok(),
            reason,
        }
    })
    .collect()
}

fn path(layer: &Layer, state: usize) -> &str {
    layer.states.get(state).map_or("", |state| &state.path)
}

fn travel_reason(layer: &Layer, goal: usize) -> String {
    format!("traveling to {:?}", path(layer, goal))
}

/// Path of the state or nested machine of a target.
pub(super) fn target(layer: &Layer, target: Target) -> &str {
    match target {
        Target::State(state) => path(layer, state),
        Target::Group(group) => &layer.groups[group].path,
    }
}

fn transition_event(layer: &Layer, index: usize) -> &str {
    layer.transitions[index].on.as_deref().unwrap_or_default()
}

/// Formats the parameters and their values as text.
pub fn params_in_words(machine: &Machine, params: &[f32]) -> String {
    let named = machine.def.params.iter().zip(params);
    let texts: Vec<String> = named
        .map(|(param, value)| match param.default {
            super::ParamValue::Bool(_) => format!("{} = {}", param.name, *value != 0.0),
            super::ParamValue::Number(_) => format!("{} = {}", param.name, rounded(*value)),
        })
        .collect();
    texts.join(", ")
}

/// Describes the conditions of a transition that has no `when` condition.
fn rule(layer: &Layer, index: usize) -> String {
    let transition = &layer.transitions[index];
    let mut parts = Vec::new();
    if let Some(event) = &transition.on {
        parts.push(format!("event {event:?} was sent"));
    }
    if transition.at_end {
        parts.push("the clip has ended".to_owned());
    }
    if let Some(fraction) = transition.exit {
        parts.push(format!(
            "the clip passed {:.0} % of its length",
            fraction * 100.0
        ));
    }
    if let Some((mark, _)) = transition
        .awaited_marker
        .and_then(|mark| layer.awaited.get(mark))
    {
        parts.push(format!("the marker {mark:?} was passed"));
    }
    if transition.after > 0.0 {
        parts.push(format!("{} s have passed", transition.after));
    }
    parts.join(" and ")
}

fn in_words(layer: &Layer, event: &str, blocked: &Blocked) -> String {
    match blocked {
        Blocked::After(remaining) => format!("min_time ends in {remaining:.2} s"),
        Blocked::NotSent => format!("event {event:?} was not sent"),
        Blocked::ClipNotEnded(remaining) if remaining.is_infinite() => {
            "the clip loops, so it has no end; set mode = \"once\" in the state".into()
        }
        Blocked::ClipNotEnded(remaining) => format!("the clip ends in {remaining:.2} s"),
        Blocked::NotExit(phase) => {
            format!("the clip is only at {:.0} % of its length", phase * 100.0)
        }
        Blocked::MarkerNotCrossed => "its marker was not passed".into(),
        Blocked::Fading(index) => {
            let running = &layer.transitions[*index];
            let to = target(layer, running.to);
            format!("the fade to {to:?} ({}) cannot be interrupted", running.at)
        }
        Blocked::When => "its condition is false".into(),
        Blocked::Leaving => "the outro is still playing".into(),
        Blocked::Travelling(goal) => format!(
            "the layer is traveling to {:?}; it checks only the next transition of that path, and transitions \
             with an event or a higher priority",
            path(layer, *goal)
        ),
    }
}
