//! Standing agents step aside for characters, and return to their spots afterwards.
//!
//! Collision avoidance moves them aside, because a character never gives way. This module remembers where they stood.

use std::f32::consts::PI;

use super::StageCrowd;
use super::crowd_agent::{CrowdAgent, turn};
use super::formation::StandingSpot;
use galatea_crowd::Agent;

/// Interval at which agents look for characters, ticks.
const LOOK_TICKS: u64 = 6;
/// Distance from a moving character within which agents remember their spots, metres; they avoid it within 4 m.
const REMEMBER_DISTANCE: f32 = 5.0;
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
const RETURN_TIMEOUT: f32 = 8.0;

impl StageCrowd {
    /// Lets standing agents remember their spots when a character comes, and return when it has passed.
    pub(super) fn step_aside(&mut self, tick: u64, dt: f32, characters: &[Agent]) {
        if self.uses_push {
            return;
        }
        let looks = tick.is_multiple_of(LOOK_TICKS) && !characters.is_empty();
        if !looks && self.n_stepped_aside == 0 {
            return;
        }
        self.n_stepped_aside = 0;
        for person in &mut self.agents {
            if !stands(person) {
                person.behaviour.spot = None;
                continue;
            }
            let is_new = person.behaviour.spot.is_none();
            if is_new && looks && characters.iter().any(|one| comes_near(one, person)) {
                person.behaviour.spot = Some(StandingSpot {
                    at: person.agent.at,
                    heading: person.heading,
                    left: RETURN_TIMEOUT,
                });
            }
            return_to_spot(person, dt, characters);
            self.n_stepped_aside += usize::from(person.behaviour.spot.is_some());
        }
    }
}

/// Returns true for an agent that stays where it is.
fn stands(person: &CrowdAgent) -> bool {
    let mind = &person.behaviour;
    let is_free = mind.used_object.is_none() && mind.leader.is_none() && !person.leads_agent();
    // A returning agent has no goal, so it keeps its spot.
    is_free
        && !person.waits
        && (person.goal.is_none() || mind.stationary)
        && mind.wander_direction.is_none()
}

fn comes_near(character: &Agent, person: &CrowdAgent) -> bool {
    let is_near =
        character.at.distance_squared(person.agent.at) < REMEMBER_DISTANCE * REMEMBER_DISTANCE;
    is_near && is_moving(character)
}

fn is_moving(character: &Agent) -> bool {
    character.velocity.length_squared() > MOVING * MOVING
}

fn return_to_spot(person: &mut CrowdAgent, dt: f32, characters: &[Agent]) {
    let Some(spot) = &mut person.behaviour.spot else {
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
    let faces =
        person.behaviour.faces.is_some() || turn(person.heading, spot.heading).abs() < PI / 60.0;
    let is_over = is_back && faces && !characters.iter().any(|one| comes_near(one, person));
    if is_over || person.behaviour.spot.is_some_and(|spot| spot.left <= 0.0) {
        person.behaviour.spot = None;
    } else if !is_back {
        person.agent.desired_velocity = (to * SLOWS).clamp_length_max(MAX_SPEED.min(person.speed));
    }
}
