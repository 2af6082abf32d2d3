//! Goals of many agents: agents gather in a circle around the goal instead of pushing for one point.

use std::collections::HashMap;

use glam::Vec2;
use serde::{Deserialize, Serialize};

use super::StageCrowd;
use super::crowd_agent::{ARRIVED, CrowdAgent};
use crate::Arena;

/// Radius of the circle for `n` agents in radii of an agent, divided by the root of `n`: about two thirds of a square metre
/// each.
const ROOM: f32 = 1.85;
/// Ticks between two counts of the agents that are on their way.
const PERIOD: u64 = 15;

/// Numbers of agents by goal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GoalOccupancy {
    /// Agents that have arrived.
    #[serde(with = "galatea_persist::sorted")]
    occupied: HashMap<[u32; 2], u32>,
    /// Agents that are on their way.
    #[serde(with = "galatea_persist::sorted")]
    coming: HashMap<[u32; 2], u32>,
}

impl GoalOccupancy {
    /// Counts the agents that have arrived.
    pub fn count<'a>(&mut self, crowds: impl Iterator<Item = &'a StageCrowd>) {
        self.occupied.clear();
        let people = crowds.flat_map(|crowd| &crowd.agents);
        for place in people.filter_map(|person| person.reached_goal) {
            *self.occupied.entry(key(place)).or_default() += 1;
        }
    }

    /// Sets the radius of the circle for agents that walk to a goal over a navigation mesh.
    pub fn gather(&mut self, crowds: &mut Arena<StageCrowd>, tick: u64) {
        if !tick.is_multiple_of(PERIOD) {
            return;
        }
        self.coming.clear();
        let on_mesh = |crowd: &StageCrowd| crowd.navmesh.is_some();
        let own = crowds.iter().filter(|(_, crowd)| on_mesh(crowd));
        let people = own.flat_map(|(_, crowd)| &crowd.agents);
        for goal in people.filter_map(|person| person.goal) {
            *self.coming.entry(key(goal)).or_default() += 1;
        }
        let own = crowds.iter_mut().filter(|(_, crowd)| on_mesh(crowd));
        for person in own.flat_map(|(_, crowd)| &mut crowd.agents) {
            let Some(goal) = person.goal.filter(|_| !person.passes) else {
                continue;
            };
            let [coming, taken] = [&self.coming, &self.occupied].map(|all| all.get(&key(goal)));
            let n = coming.map_or(0, |n| *n) + taken.map_or(0, |n| *n);
            let roots = (n as f32).sqrt() - 1.0;
            person.gathering = ROOM * person.agent.radius * roots.max(0.0);
        }
    }

    /// Distance from its goal within which an agent has arrived, metres.
    pub fn reach(&self, person: &CrowdAgent) -> f32 {
        let there = person.goal.and_then(|goal| self.occupied.get(&key(goal)));
        ARRIVED + there.map_or(0.0, |n| ROOM * person.agent.radius * (*n as f32).sqrt())
    }
}

/// The bits of a position. Only agents with exactly the same goal gather.
fn key(place: Vec2) -> [u32; 2] {
    // Adding zero gives both zeros the same sign.
    (place + Vec2::ZERO).to_array().map(f32::to_bits)
}
