//! Wandering: agents without a goal change direction at random and follow scent fields.

use glam::{Vec2, Vec3};

use super::StageCrowd;
use super::behaviour::{AgentBehaviour, CrowdEventSink, CrowdState, EventSubject};
use super::crowd_agent::{CrowdAgent, turn};
use crate::Arena;
use crate::scent_fields::StageScentField;
use galatea_math::clamp::ClampTo as _;
use galatea_math::lines::flat;
use galatea_math::random::RandomSource;

/// Turning speed towards scent, rad/s for each radian between its direction and the agent's.
const TURNS: f32 = 5.0;
/// Speed at which an agent turns away when it is blocked, rad/s.
const BLOCKED_TURN_RATE: f32 = 2.5;
/// Fraction of its pace below which an agent is blocked; above it, its direction follows its motion.
const SLOW: f32 = 0.3;
/// Angle between motion and direction that is ignored, radians, because agents avoid each other.
const ASIDE: f32 = 0.5;
/// Distance ahead at which an agent samples the scent, in cells, added to its radius.
const FEELS: f32 = 2.0;
/// Interval at which an agent looks for positions that it may find, ticks.
const LOOKS: u64 = 6;

impl StageCrowd {
    /// Sets the preferred velocities of wandering agents. Agents that come near a position in `finds` get the event `found`.
    pub(super) fn wander_agents(
        &mut self,
        tick: u64,
        dt: f32,
        trails: &Arena<StageScentField>,
        teller: &mut CrowdEventSink<'_>,
    ) {
        let states = self.states.clone();
        for i in 0..self.agents.len() {
            let person = &mut self.agents[i];
            let Some(state) = state_in(&states, &person.behaviour) else {
                continue;
            };
            if person.is_free()
                && (state.wander_turn_rate.is_some() || state.follow_scent.is_some())
            {
                wander(person, state, trails, &mut self.random, dt);
            }
            if let Some((places, reach)) = &state.detect
                && (tick + i as u64).is_multiple_of(LOOKS)
            {
                let here = person.agent.at;
                let is_near = |place: &&Vec3| flat(**place).distance(here) < *reach;
                let found = places.iter().find(is_near);
                let is_new = found.is_some() && !person.behaviour.has_found;
                person.behaviour.has_found = found.is_some();
                if let Some(place) = found.filter(|_| is_new) {
                    self.receive(i, "found", EventSubject::Position(*place), teller);
                }
            }
        }
    }
}

fn state_in<'s>(states: &'s [CrowdState], mind: &AgentBehaviour) -> Option<&'s CrowdState> {
    states.get(usize::from(mind.state?))
}

/// Turns an agent at random and towards scent.
fn wander(
    person: &mut CrowdAgent,
    state: &CrowdState,
    trails: &Arena<StageScentField>,
    chance: &mut RandomSource,
    dt: f32,
) {
    let (velocity, at) = (person.agent.velocity, person.agent.at);
    let speed = velocity.length();
    let mut way = match person.behaviour.wander_direction {
        None => Vec2::new(person.heading.sin(), person.heading.cos()).to_angle(),
        // Where walls and other agents lead it elsewhere, its direction follows.
        Some(way) if speed > SLOW * person.speed => {
            let other = turn(way, velocity.to_angle());
            let by = other - other.clamp(-ASIDE, ASIDE);
            way + by.clamp_to(-BLOCKED_TURN_RATE * dt, BLOCKED_TURN_RATE * dt)
        }
        Some(way) if person.own_random() < 0.5 => way + BLOCKED_TURN_RATE * dt,
        Some(way) => way - BLOCKED_TURN_RATE * dt,
    };
    if let Some(own) = state.follow_scent.and_then(|handle| trails.get(handle)) {
        let ahead = FEELS * own.field.cell() + person.agent.radius;
        let by = own.field.turn_to_follow(at, Vec2::from_angle(way), ahead);
        way += by * (TURNS * dt).min(1.0);
    }
    // Scaled by the root of the time step, so that the deviations of a second add up to the given one.
    let deviation = state.wander_turn_rate.unwrap_or_default().to_radians() * dt.sqrt();
    way += chance.about_zero() * deviation / RandomSource::ABOUT_ZERO;
    person.behaviour.wander_direction = Some(turn(0.0, way));
    person.agent.desired_velocity = Vec2::from_angle(way) * person.speed;
}
