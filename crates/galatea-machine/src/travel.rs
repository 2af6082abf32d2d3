//! The shortest way from state to state along transitions that allow it (PT-07).

use super::bound::{Layer, Machine, Target};
use super::definition::MOST_STATES;

/// The first transition of a shortest way, fewest transitions first, among equals the one written
/// first. `None` when there is no way or the state is already there.
pub(super) fn next_transition(layer: &Layer, from: usize, goal: usize) -> Option<usize> {
    // Backwards from the goal: how many transitions each state is away from it.
    let n = layer.states.len();
    if n > MOST_STATES || from == goal {
        return None;
    }
    let mut distance = [u16::MAX; MOST_STATES];
    distance[goal] = 0;
    let mut far = 0;
    while distance[from] == u16::MAX {
        let mut grew = false;
        for (state, ways) in layer.ways.iter().enumerate() {
            if distance[state] != u16::MAX {
                continue;
            }
            let leads = ways
                .iter()
                .any(|&way| leads_to(layer, way, state).is_some_and(|to| distance[to] == far));
            if leads {
                distance[state] = far + 1;
                grew = true;
            }
        }
        if !grew {
            return None;
        }
        far += 1;
    }
    layer.ways[from].iter().copied().find(|&way| {
        leads_to(layer, way, from).is_some_and(|to| distance[to] == distance[from] - 1)
    })
}

/// Where a transition leads that may be travelled.
fn leads_to(layer: &Layer, way: usize, from: usize) -> Option<usize> {
    let transition = &layer.transitions[way];
    let to = match transition.to {
        Target::State(state) => state,
        Target::Group(group) => layer.groups[group].entry,
    };
    (transition.travel && to != from).then_some(to)
}

/// Why a machine cannot travel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoWay {
    /// No state of that name.
    #[error("no state {name:?}{hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The nearest name, as an ending of the sentence.
        hint: String,
    },
    /// No way leads there.
    #[error("no way leads from {from:?} to {to:?}; from there one gets to {reachable}")]
    Unreachable {
        /// Where it is.
        from: String,
        /// Where it was to go.
        to: String,
        /// States that can be reached, in words.
        reachable: String,
    },
}

/// The states on the shortest way, without the first; empty when already there.
///
/// # Errors
/// An unknown state, or no way.
pub fn route(
    machine: &Machine,
    layer: usize,
    from: usize,
    to: &str,
) -> Result<(usize, Vec<usize>), NoWay> {
    let names = || machine.state_names(layer);
    let unknown = || NoWay::Unknown {
        name: to.to_owned(),
        hint: galatea_math::names::nearest_hint(to, names()),
    };
    let Some(layer) = machine.layers.get(layer) else {
        return Err(unknown());
    };
    let number = names().position(|name| name == to).ok_or_else(unknown)?;
    let goal = match number.checked_sub(layer.states.len()) {
        Some(group) => layer.groups[group].entry,
        None => number,
    };
    let mut way = Vec::new();
    let mut at = from;
    while at != goal {
        let next = next_transition(layer, at, goal).and_then(|t| leads_to(layer, t, at));
        let Some(next) = next else {
            return Err(NoWay::Unreachable {
                from: layer.states[from].path.clone(),
                to: to.to_owned(),
                reachable: reachable(layer, from),
            });
        };
        way.push(next);
        at = next;
    }
    Ok((goal, way))
}

fn reachable(layer: &Layer, from: usize) -> String {
    let mut seen = vec![false; layer.states.len()];
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for &way in &layer.ways[state] {
            if let Some(to) = leads_to(layer, way, state)
                && !std::mem::replace(&mut seen[to], true)
            {
                open.push(to);
            }
        }
    }
    let names: Vec<&str> = layer
        .states
        .iter()
        .zip(seen)
        .filter(|(_, seen)| *seen)
        .map(|(state, _)| state.path.as_str())
        .collect();
    if names.is_empty() {
        "nothing".into()
    } else {
        names.join(", ")
    }
}
