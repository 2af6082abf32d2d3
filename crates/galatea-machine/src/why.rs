//! Explanations for debugging: transitions that were taken, and why others are not.

use super::bound::{Layer, Machine, Target, TransitionTest};
use super::definition::{Predicate, SourceLocation};
use super::state::{Decision, LayerState, MOST_DECISIONS, MachineState};
use super::transition::{Asks, Blocked, Clips, Judge};

/// Remembers a decision; the oldest gives up its memory.
pub(super) fn remember(place: &mut LayerState, decision: Decision, params: &[f32]) {
    let decisions = &mut place.decisions;
    let mut memory = if decisions.len() >= MOST_DECISIONS {
        decisions.remove(0).params
    } else {
        place.spare_params.pop().unwrap_or_default()
    };
    memory.clear();
    memory.extend_from_slice(params);
    decisions.push(Decision {
        params: memory,
        ..decision
    });
}

/// An explanation of one transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// Seconds ago that it was taken; 0 for one that is judged now.
    pub ago: f64,
    /// State that it leaves.
    pub from: String,
    /// State that it leads to.
    pub to: String,
    /// Where it was written.
    pub at: SourceLocation,
    /// Taken, or open now.
    pub open: bool,
    /// The reason, with the values that were read.
    pub reason: String,
}

/// Evaluates a script's condition and tells the values that it read.
pub type Trace<'a> = dyn FnMut(Predicate) -> (bool, String) + 'a;

/// Returns the transitions that a layer took lately, oldest first.
pub fn taken(machine: &Machine, layer: usize, state: &MachineState) -> Vec<Why> {
    let (Some(bound), Some(place)) = (machine.layers.get(layer), state.layers.get(layer)) else {
        return Vec::new();
    };
    let decisions = place.decisions.iter();
    decisions
        .filter_map(|decision| {
            let transition = bound.transitions.get(decision.transition)?;
            let reason = match decision.travelling {
                Some(goal) => on_the_way(bound, goal),
                None => match &transition.when {
                    Some(TransitionTest::Condition(condition)) => {
                        condition.explain(&decision.params, &decision.builtins)
                    }
                    Some(TransitionTest::Predicate(_)) => {
                        format!("when({}): true", params_in_words(machine, &decision.params))
                    }
                    None => rule(bound, decision.transition),
                },
            };
            Some(Why {
                ago: state.time - decision.at,
                from: path(bound, decision.from).to_owned(),
                to: path(bound, decision.to).to_owned(),
                at: transition.at.clone(),
                open: true,
                reason,
            })
        })
        .collect()
}

/// Explains every transition out of a layer's current state, in evaluation order, as of now.
pub fn ways(
    machine: &Machine,
    layer: usize,
    clips: Clips<'_>,
    state: &MachineState,
    dt: f64,
    trace: &mut Trace<'_>,
) -> Vec<Why> {
    let Some(judge) = Judge::new(machine, layer, clips, state, dt) else {
        return Vec::new();
    };
    let bound = judge.layer;
    let ways = bound.ways[judge.current.state].iter();
    ways.map(|&way| {
        let transition = &bound.transitions[way];
        let mut read = String::new();
        let asked = judge.asks(way);
        let verdict = judge.verdict_of(way, &mut |predicate| {
            let (holds, values) = trace(predicate);
            read = values;
            holds
        });
        let reason = match &verdict {
            Ok(()) if let Asks::Times(goal) = asked => on_the_way(bound, goal),
            Err(Blocked::When) | Ok(()) => match &transition.when {
                Some(TransitionTest::Condition(condition)) => {
                    condition.explain(&state.params, &judge.builtins())
                }
                Some(TransitionTest::Predicate(_)) => format!("when({read}): {}", verdict.is_ok()),
                None => rule(bound, way),
            },
            Err(blocked) => in_words(bound, transition_event(bound, way), blocked),
        };
        Why {
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

fn on_the_way(layer: &Layer, goal: usize) -> String {
    format!("on the way to {:?}", path(layer, goal))
}

/// Path of the state or nested machine that a target means.
pub(super) fn target(layer: &Layer, target: Target) -> &str {
    match target {
        Target::State(state) => path(layer, state),
        Target::Group(group) => &layer.groups[group].path,
    }
}

fn transition_event(layer: &Layer, way: usize) -> &str {
    layer.transitions[way].on.as_deref().unwrap_or_default()
}

/// Parameters and their values, in words.
pub fn params_in_words(machine: &Machine, params: &[f32]) -> String {
    let named = machine.def.params.iter().zip(params);
    let texts: Vec<String> = named
        .map(|(param, value)| match param.default {
            super::ParamValue::Bool(_) => format!("{} = {}", param.name, *value != 0.0),
            super::ParamValue::Number(_) => format!("{} = {value}", param.name),
        })
        .collect();
    texts.join(", ")
}

/// What a transition without a condition waits for, in words.
fn rule(layer: &Layer, way: usize) -> String {
    let transition = &layer.transitions[way];
    let mut parts = Vec::new();
    if let Some(event) = &transition.on {
        parts.push(format!("{event:?} was sent"));
    }
    if transition.done {
        parts.push("the clip is done".to_owned());
    }
    if let Some(share) = transition.exit {
        parts.push(format!("the clip passed {:.0} %", share * 100.0));
    }
    if let Some((mark, _)) = transition.passing.and_then(|mark| layer.awaited.get(mark)) {
        parts.push(format!("the mark {mark:?} was passed"));
    }
    if transition.after > 0.0 {
        parts.push(format!("{} s have passed", transition.after));
    }
    parts.join(" and ")
}

fn in_words(layer: &Layer, event: &str, blocked: &Blocked) -> String {
    match blocked {
        Blocked::After(left) => format!("waits {left:.2} s more"),
        Blocked::NotSent => format!("{event:?} was not sent"),
        Blocked::NotDone(left) if left.is_infinite() => {
            "the clip has no end; give the state mode = \"once\"".into()
        }
        Blocked::NotDone(left) => format!("the clip plays {left:.2} s more"),
        Blocked::NotExit(phase) => format!("the clip is at {:.0} %", phase * 100.0),
        Blocked::NotPassing => "no such mark was passed".into(),
        Blocked::Fading(way) => {
            let running = &layer.transitions[*way];
            let to = target(layer, running.to);
            format!("the fade to {to:?} ({}) may not be interrupted", running.at)
        }
        Blocked::When => "its condition is false".into(),
        Blocked::Leaving => "the way out is being played".into(),
        Blocked::Travelling(goal) => format!(
            "it travels to {:?}: only the next way there is asked, and those with an event or a higher priority",
            path(layer, *goal)
        ),
    }
}
