//! Places to which many are sent: those who come after others stop around them, and do not push for one point.

use std::collections::HashMap;

use glam::Vec2;

use super::StageCrowd;
use super::person::{ARRIVED, Person};

/// Radii by which a place for one more grows with the root of how many are there: two thirds of a square metre for each.
const ROOM: f32 = 1.85;

/// How many have come to each place to which anybody was sent, and stand there.
#[derive(Clone, Debug, Default)]
pub struct Places {
    taken: HashMap<[u32; 2], u32>,
}

impl Places {
    /// Counts all again.
    pub fn count<'a>(&mut self, crowds: impl Iterator<Item = &'a StageCrowd>) {
        self.taken.clear();
        let people = crowds.flat_map(|crowd| &crowd.people);
        for place in people.filter_map(|person| person.came) {
            *self.taken.entry(key(place)).or_default() += 1;
        }
    }

    /// Metres from its goal within which somebody has arrived.
    pub fn reach(&self, person: &Person) -> f32 {
        let there = person.goal.and_then(|goal| self.taken.get(&key(goal)));
        ARRIVED + there.map_or(0.0, |n| ROOM * person.agent.radius * (*n as f32).sqrt())
    }
}

/// The bits of a place: only who is sent to the very same wants to stand there too.
fn key(place: Vec2) -> [u32; 2] {
    // Of one sign for both zeros.
    (place + Vec2::ZERO).to_array().map(f32::to_bits)
}
