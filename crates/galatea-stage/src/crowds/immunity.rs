//! Immunity: an agent that left a state which spreads an event ignores that event for a while when others spread it.

use serde::{Deserialize, Serialize};

/// Maximum number of events to which an agent is immune at once. One more replaces the one that ends first.
const MAX_IMMUNITIES: usize = 3;

/// Immunities of an agent: index of the state that spreads the event, and seconds left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Immunity([(u16, f32); MAX_IMMUNITIES]);

impl Immunity {
    /// Starts an immunity when an agent leaves a state that spreads an event.
    pub fn add(&mut self, state: u16, seconds: f32) {
        let own = self.0.iter().position(|own| own.0 == state && own.1 > 0.0);
        let first = || {
            let all = self.0.iter().enumerate();
            all.min_by(|a, b| a.1.1.total_cmp(&b.1.1))
                .map_or(0, |(at, _)| at)
        };
        let at = own.unwrap_or_else(first);
        self.0[at] = (state, seconds);
    }

    /// Advances the time.
    pub fn pass(&mut self, dt: f32) {
        for (_, left) in &mut self.0 {
            *left = (*left - dt).max(0.0);
        }
    }

    /// Returns true while the agent is immune to a state for which `is_it` is true.
    pub fn is_to(&self, mut is_it: impl FnMut(u16) -> bool) -> bool {
        let mut active = self.0.iter().filter(|(_, left)| *left > 0.0);
        active.any(|(state, _)| is_it(*state))
    }

    /// The immunities after a hot reload, which may renumber or remove states.
    pub fn renumbered(self, new: impl Fn(u16) -> Option<u16>) -> Self {
        let mut kept = Self::default();
        for (state, left) in self.0.into_iter().filter(|(_, left)| *left > 0.0) {
            if let Some(state) = new(state) {
                kept.add(state, left);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_immune_to_several_states_for_their_own_time() {
        let mut immunity = Immunity::default();
        immunity.add(1, 6.0);
        immunity.add(2, 20.0);
        immunity.pass(5.9);
        assert!(immunity.is_to(|state| state == 1) && immunity.is_to(|state| state == 2));
        assert!(!immunity.is_to(|state| state == 0));
        let after = immunity.renumbered(|state| (state == 1).then_some(0));
        assert!(after.is_to(|state| state == 0) && !after.is_to(|state| state == 2));
        immunity.pass(0.2);
        assert!(!immunity.is_to(|state| state == 1) && immunity.is_to(|state| state == 2));
        // One more immunity replaces the one that ends first.
        for state in 3..6 {
            immunity.add(state, 30.0);
        }
        assert!(!immunity.is_to(|state| state == 2) && immunity.is_to(|state| state == 5));
    }
}
