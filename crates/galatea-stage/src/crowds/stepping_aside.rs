//! Standing agents step aside for characters, and return to their spots afterwards.
//!
//! Collision avoidance moves them aside, because a character never gives way. This module remembers where they stood.

use std::f32::consts::PI;

use super::StageCrowd;
use super::formation::StandingSpot;
use super::person::{Person, turn};
use galatea_crowd::Agent;

/// Interval at which agents look for characters, ticks.
const LOOK_TICKS: u64 = 6;
/// Distance from a moving character within which agents remember their spots, metres; they avoid it within 4 m.
const REMEMBERS: f32 = 5.0;
/// Speed from which a character is moving, m/s.
const MOVING: f32 = 0.2;
/// Distance between a character and a spot that lets an agent return, metres, added to both radii: for a standing character,
/// and for a moving one. The second is larger, so that returning agents do not push others into its path.
const ROOM: f32 = 0.6;
const MOVING_ROOM: f32 = 2.0;
/// Distance from its spot at which an agent is back, metres, and maximum speed on the way, m/s.
const BACK: f32 = 0.1;
const MAX_SPEED: f32 = 0.8;
/// Speed per distance to the spot, 1/s.
const SLOWS: f32 = 1.5;
/// Time after which an agent that cannot return stays where it is, seconds.
const GIVES_UP: f32 = 8.0;

impl StageCrowd {
    /// Lets standing agents remember their spots when a character comes, and return when it has passed.
    pub(super) fn step_aside(&mut self, tick: u64, dt: f32, characters: &[Agent]) {
        if self.is_book {
            return;
        }
        let looks = tick.is_multiple_of(LOOK_TICKS) && !characters.is_empty();
        if !looks && self.n_aside == 0 {
            return;
        }
        self.n_aside = 0;
        for person in &mut self.people {
            if !stands(person) {
                person.mind.spot = None;
                continue;
            }
            let is_new = person.mind.spot.is_none();
            if is_new && looks && characters.iter().any(|one| comes_near(one, person)) {
                person.mind.spot = Some(StandingSpot {
                    at: person.agent.at,
                    heading: person.heading,
                    left: GIVES_UP,
                });
            }
            return_to_spot(person, dt, characters);
            self.n_aside += usize::from(person.mind.spot.is_some());
        }
    }
}

/// Returns true for an agent that stays where it is.
fn stands(person: &Person) -> bool {
    let mind = &person.mind;
    let is_free = mind.using.is_none() && mind.leader.is_none() && !person.is_led();
    // A returning agent has no goal, so it keeps its spot.
    is_free && !person.waits && (person.goal.is_none() || mind.stands) && mind.way.is_none()
}

fn comes_near(character: &Agent, person: &Person) -> bool {
    let is_near = character.at.distance_squared(person.agent.at) < REMEMBERS * REMEMBERS;
    is_near && is_moving(character)
}

fn is_moving(character: &Agent) -> bool {
    character.velocity.length_squared() > MOVING * MOVING
}

fn return_to_spot(person: &mut Person, dt: f32, characters: &[Agent]) {
    let Some(spot) = &mut person.mind.spot else {
        return;
    };
    let reach = |one: &Agent| {
        let room = if is_moving(one) { MOVING_ROOM } else { ROOM };
        one.radius + person.agent.radius + room
    };
    // A circle around the line from the agent to its spot.
    let middle = (spot.at + person.agent.at) / 2.0;
    let half = spot.at.distance(person.agent.at) / 2.0;
    let is_near = |one: &Agent| one.at.distance(middle) < reach(one) + half;
    if characters.iter().any(is_near) {
        return;
    }
    let to = spot.at - person.agent.at;
    let is_back = to.length() < BACK;
    if !is_back {
        spot.left -= dt;
    }
    let faces = person.mind.faces.is_some() || turn(person.heading, spot.heading).abs() < PI / 60.0;
    let is_over = is_back && faces && !characters.iter().any(|one| comes_near(one, person));
    if is_over || person.mind.spot.is_some_and(|spot| spot.left <= 0.0) {
        person.mind.spot = None;
    } else if !is_back {
        person.agent.wish = (to * SLOWS).clamp_length_max(MAX_SPEED.min(person.pace));
    }
}
