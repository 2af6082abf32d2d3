//! Encounters of two agents, and events that spread from agent to agent.

use glam::Vec2;

use super::StageCrowd;
use super::behaviour::{CrowdEventSink, EventSubject};
use galatea_crowd::SortedRows;

/// Interval at which encounters and spreading events are evaluated, ticks.
const LOOKS: u64 = 6;
/// Distance within which two agents may meet and stop, metres, and time until an agent may meet again, seconds.
const ENCOUNTER_DISTANCE: f32 = 1.6;
const AGAIN: f32 = 20.0;
/// Time until two agents that passed each other may meet, seconds.
const PASSED: f32 = 4.0;

impl StageCrowd {
    /// Lets agents that come near each other meet at random, and spreads events to the agents around.
    pub(super) fn update_encounters(
        &mut self,
        tick: u64,
        (rows, places): (&mut SortedRows, &mut Vec<Vec2>),
        teller: &mut CrowdEventSink<'_>,
    ) {
        if !tick.is_multiple_of(LOOKS) {
            return;
        }
        let meets = self.states.iter().any(|state| {
            let mut events = state.on.iter();
            events.any(|(event, _)| event == "met")
        });
        let spreads = self
            .states
            .iter()
            .filter_map(|state| state.spread_event.as_ref());
        let reach = spreads.map(|(_, reach)| *reach).fold(0.0, f32::max);
        let reach = if meets {
            reach.max(ENCOUNTER_DISTANCE)
        } else {
            reach
        };
        if reach <= 0.0 {
            return;
        }
        places.clear();
        places.extend(self.agents.iter().map(|person| person.agent.at));
        rows.sort(places, reach);
        let (order, states) = (rows.order(), self.states.clone());
        let mut walk = rows.walk();
        for k in 0..order.len() {
            let i = order[k] as usize;
            let can_meet = meets && self.can_meet(i);
            let state = self.agents[i].behaviour.state;
            let state = state.and_then(|state| states.get(usize::from(state)));
            let spread = state.and_then(|state| state.spread_event.as_ref());
            if !can_meet && spread.is_none() {
                continue;
            }
            let about = self.agents[i]
                .behaviour
                .fear
                .map_or(EventSubject::Nothing, EventSubject::Position);
            for j in walk.around(k, reach).into_iter().flatten() {
                let j = order[j] as usize;
                let distance = places[i].distance(places[j]);
                if i == j {
                    continue;
                }
                if let Some((event, reach)) = spread
                    && distance < *reach
                    && !self.ignores(j, event)
                {
                    self.receive(j, event, about, teller);
                }
                if can_meet && distance < ENCOUNTER_DISTANCE && self.can_meet(i) && self.can_meet(j)
                {
                    self.come_together(i, j, teller);
                }
            }
        }
        for i in 0..self.agents.len() {
            let partner = self.agents[i].behaviour.partner;
            let Some(partner) = partner.and_then(|at| self.agents.get(at as usize)) else {
                continue;
            };
            let at = partner.agent.at;
            self.agents[i].behaviour.faces = Some(at);
        }
    }

    /// Returns true if an agent ignores an event that others spread: while it spreads the event itself, and for a while
    /// afterwards.
    fn ignores(&self, i: usize, event: &str) -> bool {
        let spreads = |state: u16| {
            let state = self.states.get(usize::from(state));
            state.is_some_and(|state| state.spreads_event(event))
        };
        let mind = &self.agents[i].behaviour;
        mind.state.is_some_and(spreads) || mind.immunity.is_to(spreads)
    }

    fn can_meet(&self, i: usize) -> bool {
        let mind = &self.agents[i].behaviour;
        let is_free = mind.alone <= 0.0 && mind.used_object.is_none() && mind.partner.is_none();
        is_free && self.answers(i, "met")
    }

    /// Decides whether two near agents that see each other stop and meet.
    fn come_together(&mut self, i: usize, j: usize, teller: &mut CrowdEventSink<'_>) {
        let way = (self.agents[j].agent.at - self.agents[i].agent.at).normalize_or_zero();
        let faces = |i: usize| Vec2::from(self.agents[i].heading.sin_cos());
        let sees_each_other = faces(i).dot(way) > 0.3 && faces(j).dot(way) < -0.3;
        if !sees_each_other {
            return;
        }
        if !self.random.is(self.meet_chance) {
            for one in [i, j] {
                self.agents[one].behaviour.alone = PASSED;
            }
            return;
        }
        for (one, other) in [(i, j), (j, i)] {
            self.agents[one].behaviour.alone = AGAIN;
            self.receive(one, "met", EventSubject::CrowdAgent(other as u32), teller);
        }
    }
}
