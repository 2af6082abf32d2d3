//! Immunity: an agent that left a state which spreads an event ignores that event for a while when others spread it.

use super::mind::CrowdState;

/// Events to which an agent is immune at once. A further one replaces that which ends first.
const MAX_IMMUNITIES: usize = 3;
/// Default time, as a multiple of the longest time that the state lasts, and seconds without such a time.
const PER_LENGTH: f32 = 2.0;
const WITHOUT_LENGTH: f32 = 20.0;

/// The events to which an agent is immune: states that spread them, and seconds that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Immunity([(u16, f32); MAX_IMMUNITIES]);

impl CrowdState {
    /// Seconds for which agents ignore the event that it spreads after they left it.
    fn immune_s(&self) -> f32 {
        let length = self.lasts.map(|[_, high]| PER_LENGTH * high);
        self.immune.or(length).unwrap_or(WITHOUT_LENGTH)
    }

    /// Returns true if it spreads an event.
    pub(super) fn spreads(&self, event: &str) -> bool {
        self.spreads.as_ref().is_some_and(|(own, _)| own == event)
    }
}

impl Immunity {
    /// Begins when an agent leaves a state of `states`.
    pub fn begin(&mut self, states: &[CrowdState], left: u16) {
        let Some(state) = states.get(usize::from(left)) else {
            return;
        };
        if state.spreads.is_some() {
            self.add(left, state.immune_s());
        }
    }

    fn add(&mut self, state: u16, seconds: f32) {
        let own = self.0.iter().position(|own| own.0 == state && own.1 > 0.0);
        let first = || {
            let all = self.0.iter().enumerate();
            all.min_by(|a, b| a.1.1.total_cmp(&b.1.1))
                .map_or(0, |(at, _)| at)
        };
        let at = own.unwrap_or_else(first);
        self.0[at] = (state, seconds);
    }

    /// Moves the time on.
    pub fn pass(&mut self, dt: f32) {
        for (_, left) in &mut self.0 {
            *left = (*left - dt).max(0.0);
        }
    }

    /// Returns true while the agent ignores an event that others spread.
    pub fn ignores(&self, states: &[CrowdState], event: &str) -> bool {
        let active = self.0.iter().filter(|(_, left)| *left > 0.0);
        let mut states = active.filter_map(|(state, _)| states.get(usize::from(*state)));
        states.any(|state| state.spreads(event))
    }

    /// The same after a hot reload, which may renumber states or remove them.
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

    fn spreads(event: &str, lasts: Option<[f32; 2]>) -> CrowdState {
        CrowdState {
            spreads: Some((event.to_owned(), 2.0)),
            lasts,
            ..CrowdState::default()
        }
    }

    #[test]
    fn immunity_lasts_twice_as_long_as_the_state_and_only_concerns_its_event() {
        let states = [
            CrowdState::default(),
            spreads("bang", Some([2.0, 3.0])),
            spreads("cheer", None),
        ];
        let mut immunity = Immunity::default();
        immunity.begin(&states, 0);
        assert!(!immunity.ignores(&states, "bang"));
        immunity.begin(&states, 1);
        immunity.begin(&states, 2);
        immunity.pass(5.9);
        assert!(immunity.ignores(&states, "bang") && immunity.ignores(&states, "cheer"));
        assert!(!immunity.ignores(&states, "rain"));
        let after = immunity.renumbered(|state| (state == 1).then_some(0));
        assert!(after.ignores(&states[1..], "bang") && !after.ignores(&states[1..], "cheer"));
        immunity.pass(0.2);
        assert!(!immunity.ignores(&states, "bang") && immunity.ignores(&states, "cheer"));
    }
}
