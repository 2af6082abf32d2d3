//! Crowds on a stage: agents walk to their goals and avoid each other and the characters.

use serde::{Deserialize, Serialize};

mod advance;
mod behaviour;
mod clip_sequence;
mod congestion;
pub(super) mod continuing;
mod crowd_agent;
mod encounters;
mod following;
mod formation;
mod gaits;
mod goal_occupancy;
mod immunity;
mod leaving;
pub(super) mod objects;
mod passages;
mod promotion;
mod reaching;
mod remembered;
mod routes;
mod standing;
mod stepping_aside;
#[cfg(test)]
mod tests;
mod turning;
mod using;
mod wandering;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::frame::{DrawCrowd, Frame, Tint};
use super::{Agents, Arena, Handle, Identity, Ids};
use crate::reload::Reload;
use advance::SeenCharacter;
use following::FollowScratch;
use galatea_crowd::repulsion::RepulsionField;
use galatea_crowd::{Agent, SortedRows, Steering, Walls};
use galatea_math::random::RandomSource;
use goal_occupancy::GoalOccupancy;
use passages::PassageSides;
use routes::Routes;

pub(super) use advance::{advance, observe};
pub use behaviour::{
    CrowdEvent, CrowdEventKind, CrowdState, EventSubject, Leader, MAX_STATES, Reply, USE_EVENT,
};
pub use clip_sequence::{AgentPlayback, ClipSequence};
pub use crowd_agent::CrowdAgent;
pub use gaits::{GaitLevel, Gaits};
pub use objects::{MAX_OBJECTS, MAX_SLOTS, Slot, SlotIkTarget, SmartObject};
pub use promotion::PromotionRule;
pub use remembered::AgentMemory;

/// Maximum number of crowds on a stage.
pub const MAX_CROWDS: usize = 64;
/// Maximum number of agents in all crowds together.
pub const MAX_AGENTS: usize = 20_000;
/// Maximum number of clips that the agents of a crowd may act.
pub const MAX_CLIPS: usize = 64;

/// Reason why agents cannot act a clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipFault {
    /// No body has a clip of this name.
    Unknown(String),
    /// The body of this file has none of the clips.
    MissingClip(Arc<str>),
    /// The crowd has too many clips.
    TooMany,
}

/// A crowd: the agents created by one call of a script.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageCrowd {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Bodies of the agents.
    #[serde(with = "galatea_persist::shared")]
    pub bodies: Vec<Arc<Gaits>>,
    /// Tints of the materials of each body.
    #[serde(with = "galatea_persist::shared")]
    pub tints: Vec<Arc<[Tint]>>,
    /// The agents.
    pub agents: Vec<CrowdAgent>,
    /// Walls on the ground.
    pub walls: Vec<[Vec2; 2]>,
    /// Round obstacles on the ground.
    pub obstacles: Vec<RepulsionField>,
    /// Agents use the simple model of [`galatea_crowd::book`]: only agents of the crowd repel each other, and all walk
    /// at one speed.
    pub uses_push: bool,
    /// The navigation mesh that they use.
    pub navmesh: Option<Handle>,
    /// Paths of the agents.
    pub routes: Routes,
    /// Names of the clips that agents act; bodies use the same numbers.
    pub clips: Vec<String>,
    /// States of the agents.
    #[serde(with = "galatea_persist::shared")]
    pub states: Arc<[CrowdState]>,
    /// Index of the start state.
    pub start: u16,
    /// Probability that two agents that walk towards each other meet, 0..=1.
    pub meet_chance: f32,
    /// Random numbers for the decisions of agents.
    pub random: RandomSource,
    /// Rule by which near agents are promoted to characters.
    pub promotion: Option<PromotionRule>,
    /// Agents that stepped aside for a character or may have to soon.
    pub n_stepped_aside: usize,
    /// Characters of demoted agents.
    pub memory: AgentMemory,
    /// Requested clips that no body of the crowd has: all of them, and those not reported yet.
    pub missing_clips: [Vec<String>; 2],
    /// Positions to which an agent goes after its goal, one after another.
    pub tours: BTreeMap<u32, VecDeque<Vec3>>,
}

/// Scratch buffers of all crowds of a stage.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Crowding {
    steering: Steering,
    agents: Vec<Agent>,
    walls: Walls,
    n_walls: Option<(usize, usize, u32)>,
    rows: SortedRows,
    goals: Vec<Option<Vec2>>,
    followed: FollowScratch,
    characters: Vec<Agent>,
    /// Characters at the end of the last tick; valid only while `has_seen` is true.
    seen: Vec<SeenCharacter>,
    has_seen: bool,
    encounters: SortedRows,
    encounter_positions: Vec<Vec2>,
    places: GoalOccupancy,
    passages: PassageSides,
    /// Reports to scripts.
    pub events: Vec<CrowdEvent>,
}

impl StageCrowd {
    /// Sends agents that passed a position of their tour to the next one.
    fn go_on_tours(&mut self) {
        let people = &mut self.agents;
        self.tours.retain(|i, places| {
            let Some(person) = people.get_mut(*i as usize) else {
                return false;
            };
            if person.has_arrived()
                && person.passes
                && let Some(place) = places.pop_front()
            {
                person.send_to(place);
                person.passes = !places.is_empty();
            }
            // An agent that was sent elsewhere has left its tour.
            person.passes || person.behaviour.used_object.is_some()
        });
    }

    /// Number of a clip that agents act. Bodies add its poses at the first request. Returns `None` if no body has it or
    /// the crowd has too many clips.
    pub fn clip_number(&mut self, name: &str) -> Option<u16> {
        let has_it = |body: &Arc<Gaits>| body.definition.clips.find(name).is_some();
        if !self.bodies.iter().any(has_it) {
            return None;
        }
        let of_body = |body: &Gaits| body.definition.clips.find(name);
        self.learn(name.to_owned(), of_body)
    }

    /// Numbers of the clips in `names` from which an agent chooses, limited to those that its body has. With `first`,
    /// returns one number: for each body, the first clip that it has.
    ///
    /// # Errors
    /// When no body has one of them, a body has none of them, or there are too many clips.
    pub fn clip_numbers(&mut self, names: &[String], first: bool) -> Result<Vec<u16>, ClipFault> {
        let find = |body: &Gaits, name: &String| body.definition.clips.find(name);
        for name in names {
            if !self.bodies.iter().any(|body| find(body, name).is_some()) {
                return Err(ClipFault::Unknown(name.clone()));
            }
        }
        let owned = |body: &Gaits| {
            names
                .iter()
                .filter(|name| find(body, name).is_some())
                .count()
        };
        if let Some(body) = self.bodies.iter().find(|body| owned(body) == 0)
            && !names.is_empty()
        {
            return Err(ClipFault::MissingClip(body.source.clone()));
        }
        let most = self.bodies.iter().map(|body| owned(body)).max();
        let n = if first { 1 } else { most.unwrap_or(0) };
        let mut numbers = Vec::new();
        for k in 0..n.min(names.len()) {
            // A body with fewer of these clips repeats them.
            let of_body = |body: &Gaits| {
                let mut own = names.iter().filter(|name| find(body, name).is_some());
                own.nth(k % owned(body).max(1))
            };
            let all = self.bodies.iter();
            let all = all.filter_map(|body| Some(of_body(body)?.as_str()));
            let mut all: Vec<&str> = all.collect();
            if all.windows(2).all(|pair| pair[0] == pair[1]) {
                all.truncate(1);
            }
            let clip = |body: &Gaits| find(body, of_body(body)?);
            let number = self.learn(all.join("\n"), clip);
            numbers.push(number.ok_or(ClipFault::TooMany)?);
        }
        Ok(numbers)
    }

    /// Number of a clip for which each body acts one of its own clips.
    fn learn(&mut self, name: String, clip: impl Fn(&Gaits) -> Option<usize>) -> Option<u16> {
        if let Some(at) = self.clips.iter().position(|known| *known == name) {
            return Some(at as u16);
        }
        if self.clips.len() >= MAX_CLIPS {
            return None;
        }
        // A body that is listed twice stays shared.
        let mut made: Vec<(Arc<Gaits>, Arc<Gaits>)> = Vec::new();
        for body in &mut self.bodies {
            let known = made.iter().find(|(was, _)| Arc::ptr_eq(was, body));
            let now = match known {
                Some((_, now)) => now.clone(),
                None => {
                    let now = Arc::new(body.with_clip(clip(body)));
                    made.push((body.clone(), now.clone()));
                    now
                }
            };
            *body = now;
        }
        self.clips.push(name);
        Some(self.clips.len() as u16 - 1)
    }

    /// Notes a requested clip that no body has. Each is reported once.
    fn lack(&mut self, name: &str) {
        let [known, untold] = &mut self.missing_clips;
        if !known.iter().any(|known| known == name) {
            known.push(name.to_owned());
            untold.push(name.to_owned());
        }
    }

    /// Makes an agent act a clip, once or repeatedly; `None` stops it.
    pub fn play(&mut self, i: usize, clip: Option<u16>, repeats: bool) {
        if let Some(person) = self.agents.get_mut(i) {
            person.play(clip.map(|clip| AgentPlayback::of(clip, repeats)));
        }
    }
}

impl Agents {
    /// Has an agent of a crowd enter a state. It leaves its smart object, unless the state or `keeps_object` says
    /// otherwise.
    pub fn enter_state(
        &mut self,
        crowd: Handle,
        i: usize,
        state: u16,
        (about, keeps_object): (EventSubject, bool),
    ) {
        self.with_agent(crowd, i, |own, teller| {
            if !keeps_object {
                own.leave_for(i, state, teller);
            }
            own.enter(i, state, about, teller);
        });
    }

    /// Sends an event to an agent of a crowd.
    pub fn send_to_agent(&mut self, crowd: Handle, i: usize, event: &str, about: EventSubject) {
        self.with_agent(crowd, i, |own, teller| own.receive(i, event, about, teller));
    }

    /// Adds a crowd to the stage. `name` identifies it over reloads; without one, the order of creation in the script
    /// does. Returns `None` if there are too many crowds or agents.
    pub fn add_crowd(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        crowd: StageCrowd,
    ) -> Option<Handle> {
        let there: usize = self
            .crowds
            .iter()
            .map(|(_, crowd)| crowd.agents.len())
            .sum();
        if self.crowds.len() >= MAX_CROWDS || there + crowd.agents.len() > MAX_AGENTS {
            return None;
        }
        let identity = ids.identify(name, "crowd");
        self.crowding.n_walls = None;
        Some(self.crowds.insert(StageCrowd { identity, ..crowd }))
    }

    /// Adds all agents to a frame, interpolated by `alpha` (0..=1) from the previous tick.
    pub(super) fn add_crowds(&self, alpha: f32, frame: &mut Frame) {
        for (handle, crowd) in self.crowds.iter() {
            for (body, gaits) in (0..).zip(&crowd.bodies) {
                let first = frame.agents.len();
                let people = (0..).zip(&crowd.agents);
                let own = people.filter(|(_, one)| one.body == body && one.character.is_none());
                let shown = own.map(|(number, person)| person.shown(number, gaits, alpha));
                frame.agents.extend(shown);
                frame.crowds.push(DrawCrowd {
                    poses: gaits.poses.clone(),
                    tints: crowd.tints[usize::from(body)].clone(),
                    agents: first..frame.agents.len(),
                    instance: 1 << 63 | handle.to_u64() << 20,
                });
            }
        }
    }
}

/// Agents continue where they are, in the states of the same name. Preferred speeds, sizes and bodies are those of the
/// new version.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.agents.crowds, &mut reload.new.agents.crowds);
    new.free_old();
    for (handle, crowd) in new.iter_mut() {
        let owns = crowd
            .agents
            .iter_mut()
            .filter_map(|one| one.character.as_mut());
        owns.for_each(|own| own.by_main = true);
        let mut known = old.iter();
        let Some((before, was)) = known.find(|(_, was)| was.identity == crowd.identity) else {
            continue;
        };
        reload.crowds.insert(before, handle);
        for (person, was) in crowd.agents.iter_mut().zip(&was.agents) {
            person.continue_from(was);
            if let Some(gaits) = crowd.bodies.get(usize::from(person.body)) {
                person.find_level(gaits);
            }
        }
        crowd.routes.clone_from(&was.routes);
        let tours = was.tours.iter();
        let still = tours.filter(|(i, _)| (**i as usize) < crowd.agents.len());
        let still = still.map(|(i, places)| (*i, places.clone()));
        // Tours set by the new script take precedence.
        let mut tours: BTreeMap<u32, VecDeque<Vec3>> = still.collect();
        tours.append(&mut crowd.tours);
        crowd.tours = tours;
        crowd.continue_states_from(was);
    }
}
