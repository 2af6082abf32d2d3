//! Those who have no place to go: they turn as chance has it, and along what others left on the ground (CR-02).

use glam::{Vec2, Vec3};

use super::StageCrowd;
use super::mind::{CrowdState, EventSubject, Mind, Teller};
use super::person::{Person, turn};
use crate::Arena;
use crate::trails::StageTrail;
use galatea_math::chance::Chance;
use galatea_math::clamp::ClampTo as _;
use galatea_math::lines::flat;

/// Radians a second in which one turns to a trail, for each radian that it is beside one's way.
const TURNS: f32 = 5.0;
/// Radians a second in which one turns away from where it goes no farther.
const GIVES_UP: f32 = 2.5;
/// Shares of their pace under which people go no farther, and from which on they go where they get along.
const SLOW: f32 = 0.3;
/// Radians by which one may go beside one's way: everybody makes way for others.
const ASIDE: f32 = 0.5;
/// Cells ahead in which one feels for a trail, beside one's radius.
const FEELS: f32 = 2.0;
/// Of so many ticks each looks in one for what it may find.
const LOOKS: u64 = 6;

impl StageCrowd {
    /// Has those who roam wish to go on; who comes to what it may find hears `found`.
    pub(super) fn roam(
        &mut self,
        tick: u64,
        dt: f32,
        trails: &Arena<StageTrail>,
        teller: &mut Teller<'_>,
    ) {
        let states = self.states.clone();
        for i in 0..self.people.len() {
            let person = &mut self.people[i];
            let Some(state) = state_in(&states, &person.mind) else {
                continue;
            };
            if person.is_free() && (state.roams.is_some() || state.tracks.is_some()) {
                wander(person, state, trails, &mut self.chance, dt);
            }
            if let Some((places, reach)) = &state.finds
                && (tick + i as u64).is_multiple_of(LOOKS)
            {
                let here = person.agent.at;
                let is_near = |place: &&Vec3| flat(**place).distance(here) < *reach;
                let found = places.iter().find(is_near);
                let is_new = found.is_some() && !person.mind.has_found;
                person.mind.has_found = found.is_some();
                if let Some(place) = found.filter(|_| is_new) {
                    self.hear(i, "found", EventSubject::Place(*place), teller);
                }
            }
        }
    }
}

fn state_in<'s>(states: &'s [CrowdState], mind: &Mind) -> Option<&'s CrowdState> {
    states.get(usize::from(mind.state?))
}

/// Turns somebody as chance and a trail have it.
fn wander(
    person: &mut Person,
    state: &CrowdState,
    trails: &Arena<StageTrail>,
    chance: &mut Chance,
    dt: f32,
) {
    let (velocity, at) = (person.agent.velocity, person.agent.at);
    let speed = velocity.length();
    let mut way = match person.mind.way {
        None => Vec2::new(person.heading.sin(), person.heading.cos()).to_angle(),
        // Walls and others lead elsewhere: so does one's way.
        Some(way) if speed > SLOW * person.pace => {
            let other = turn(way, velocity.to_angle());
            let by = other - other.clamp(-ASIDE, ASIDE);
            way + by.clamp_to(-GIVES_UP * dt, GIVES_UP * dt)
        }
        Some(way) if person.share() < 0.5 => way + GIVES_UP * dt,
        Some(way) => way - GIVES_UP * dt,
    };
    if let Some(own) = state.tracks.and_then(|handle| trails.get(handle)) {
        let ahead = FEELS * own.trail.cell() + person.agent.radius;
        let by = own.trail.turn(at, Vec2::from_angle(way), ahead);
        way += by * (TURNS * dt).min(1.0);
    }
    // Steps whose deviations add up to that of a second.
    let deviation = state.roams.unwrap_or_default().to_radians() * dt.sqrt();
    way += chance.about_zero() * deviation / Chance::ABOUT_ZERO;
    person.mind.way = Some(turn(0.0, way));
    person.agent.wish = Vec2::from_angle(way) * person.pace;
}
