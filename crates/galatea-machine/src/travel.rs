//! Shortest route between states along transitions that allow travel.

use super::bound::{Layer, Machine, Target};
use super::definition::MAX_STATES;

/// Returns the first transition of the route with the fewest transitions; on a tie, the one written first. `None` if
/// there is no route or the state is already the goal.
pub(super) fn next_transition(layer: &Layer, from: usize, goal: usize) -> Option<usize> {
    // Breadth-first search backwards from the goal; `distance` counts transitions to it.
    let n = layer.states.len();
    if n > MAX_STATES || from == goal {
        return None;
    }
    let mut distance = [u16::MAX; MAX_STATES];
    distance[goal] = 0;
    let mut far = 0;
    while distance[from] == u16::MAX {
        let mut grew = false;
        for (state, outgoing) in layer.outgoing.iter().enumerate() {
            if distance[state] != u16::MAX {
                continue;
            }
            let reaches = outgoing.iter().any(|&transition| {
                travel_target(layer, transition, state).is_some_and(|to| distance[to] == far)
            });
            if reaches {
                distance[state] = far + 1;
                grew = true;
            }
        }
        if !grew {
            return None;
        }
        far += 1;
    }
    layer.outgoing[from].iter().copied().find(|&transition| {
        travel_target(layer, transition, from).is_some_and(|to| distance[to] == distance[from] - 1)
    })
}

/// Target state of a transition, if travel can use it.
fn travel_target(layer: &Layer, transition: usize, from: usize) -> Option<usize> {
    let transition = &layer.transitions[transition];
    let to = match transition.to {
        Target::State(state) => state,
        Target::Group(group) => layer.groups[group].entry,
    };
    (transition.allow_travel && to != from).then_some(to)
}

/// Reason why a machine cannot travel to a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TravelError {
    /// No state of that name.
    #[error("no state {name:?}{hint}")]
    Unknown {
        /// Name of the goal.
        name: String,
        /// Suffix of the message with the nearest name.
        hint: String,
    },
    /// No route to the goal exists.
    #[error(
        "no path of transitions leads from {from:?} to {to:?}; reachable from there: {reachable}"
    )]
    Unreachable {
        /// Current state.
        from: String,
        /// Name of the goal.
        to: String,
        /// States that can be reached, as text.
        reachable: String,
    },
}

/// Returns the goal and the states of the shortest route to it, without the first; the route is empty at the goal.
///
/// # Errors
/// The state is unknown, or no route exists.
pub fn route(
    machine: &Machine,
    layer: usize,
    from: usize,
    to: &str,
) -> Result<(usize, Vec<usize>), TravelError> {
    let names = || machine.state_names(layer);
    let unknown = || TravelError::Unknown {
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
    let mut route = Vec::new();
    let mut at = from;
    while at != goal {
        let next = next_transition(layer, at, goal).and_then(|t| travel_target(layer, t, at));
        let Some(next) = next else {
            return Err(TravelError::Unreachable {
                from: layer.states[from].path.clone(),
                to: to.to_owned(),
                reachable: reachable(layer, from),
            });
        };
        route.push(next);
        at = next;
    }
    Ok((goal, route))
}

fn reachable(layer: &Layer, from: usize) -> String {
    let mut seen = vec![false; layer.states.len()];
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for &transition in &layer.outgoing[state] {
            if let Some(to) = travel_target(layer, transition, state)
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
