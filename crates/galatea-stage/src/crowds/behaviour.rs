//! Behaviour of agents besides walking: states with durations, events that change them, and the reports to scripts.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::clip_sequence::{AgentPlayback, ClipSequence};
use super::formation::{Formation, StandingSpot};
use super::immunity::Immunity;
use super::using::Using;
use super::{Handle, StageCrowd};
use galatea_math::lines::nearest_on;
use galatea_navmesh::NavMesh;

/// Maximum number of states of a crowd, and of events that a state may answer.
pub const MAX_STATES: usize = 256;
/// Maximum number of reports to scripts per tick.
const MAX_REPORTED: usize = 100_000;
/// Default duration of immunity: a multiple of the longest duration of the state, or seconds if the state has none.
const PER_LENGTH: f32 = 2.0;
const DEFAULT_IMMUNE_TIME: f32 = 20.0;
/// Event by which an agent comes to use a smart object.
pub const USE_EVENT: &str = "use";
/// Number of directions in which a fleeing agent looks for a target.
const FLEE_DIRECTIONS: usize = 12;
/// Maximum distance of such a target from the mesh, metres.
const ON_MESH: f32 = 1.0;

/// A state of the agents of a crowd.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CrowdState {
    /// Name of the state.
    pub name: String,
    /// Clips that an agent acts in this state.
    pub clips: ClipSequence,
    /// Agents stay where they are.
    pub stationary: bool,
    /// Walking speed in this state, drawn from this range, m/s.
    pub speed: Option<[f32; 2]>,
    /// Duration of the state, drawn from this range, seconds.
    pub duration: Option<[f32; 2]>,
    /// States that may follow when the duration is over; one is drawn at random.
    pub next: Vec<u16>,
    /// Positions; an agent walks to the nearest one.
    pub goal: Vec<Vec3>,
    /// Distance to which agents flee from the position of the event, metres.
    pub flee_distance: Option<f32>,
    /// Event that agents spread to others within this distance in metres, with the feared position as its subject.
    pub spread_event: Option<(String, f32)>,
    /// Seconds for which an agent that left it ignores that event when others spread it.
    pub immune_time: Option<f32>,
    /// Agents wander: standard deviation of the change of direction after one second, degrees.
    pub wander_turn_rate: Option<f32>,
    /// The scent field into which agents deposit, and the amount per metre.
    pub leave_scent: Option<(Handle, f32)>,
    /// The scent field that agents follow.
    pub follow_scent: Option<Handle>,
    /// Positions; an agent within this distance of one, in metres, gets the event `found`.
    pub detect: Option<(Vec<Vec3>, f32)>,
    /// Smart objects may attract its agents.
    pub use_objects: bool,
    /// Agents that enter it keep the smart object that they use or wait for.
    pub keep_object: bool,
    /// Replies to events, by event name.
    pub on: Vec<(String, Reply)>,
    /// Reports the beginning and the end of the state to the script.
    pub reports: [bool; 2],
    /// Interval at which the state is reported to the script, seconds.
    pub update_interval: Option<f32>,
}

impl CrowdState {
    /// Seconds for which agents ignore the event that it spreads after they left it.
    fn immune_time(&self) -> f32 {
        let length = self.duration.map(|[_, high]| PER_LENGTH * high);
        self.immune_time.or(length).unwrap_or(DEFAULT_IMMUNE_TIME)
    }

    /// Returns true if it spreads an event.
    pub(super) fn spreads_event(&self, event: &str) -> bool {
        self.spread_event
            .as_ref()
            .is_some_and(|(own, _)| own == event)
    }
}

/// Reply of a state to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Enters another state.
    State(u16),
    /// Calls the script.
    Call,
}

/// Subject of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum EventSubject {
    /// No subject.
    #[default]
    Nothing,
    /// An agent of the same crowd.
    CrowdAgent(u32),
    /// A position.
    Position(Vec3),
    /// A smart object.
    Object(Handle),
}

/// A report to the script.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrowdEvent {
    /// Crowd of the agent.
    pub crowd: Handle,
    /// Index of the agent.
    pub agent: u32,
    /// The report.
    pub kind: CrowdEventKind,
}

/// Kind of a [`CrowdEvent`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum CrowdEventKind {
    /// A state began.
    Enter {
        /// The new state.
        state: u16,
        /// The state before.
        from: Option<u16>,
    },
    /// A state ended.
    Exit {
        /// The state that ended.
        state: u16,
        /// The state that follows.
        to: u16,
    },
    /// A state continues; see [`CrowdState::update_interval`].
    Update {
        /// The state.
        state: u16,
        /// Seconds since the last report.
        dt: f32,
    },
    /// An event arrived for which the state's `reply` calls the script.
    Event {
        /// The agent's state.
        state: u16,
        /// Index into [`CrowdState::on`].
        reply: u16,
        /// Subject of the event.
        about: EventSubject,
    },
    /// The agent starts to use a smart object.
    Use(Handle),
    /// The agent continues to use a smart object; seconds since the last report.
    UpdateUse(Handle, f32),
    /// The agent stops using a smart object.
    UseEnd(Handle),
    /// The agent was promoted to this character.
    Promoted(Handle),
    /// The agent is a character and too far from the camera to stay one.
    Far,
}

/// The leader that an agent follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Leader {
    /// An agent of the same crowd.
    CrowdAgent(u32),
    /// A character of the stage.
    Character(Handle),
}

/// Behaviour of an agent besides walking.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentBehaviour {
    /// Index into the crowd's states.
    pub(super) state: Option<u16>,
    /// Seconds until the state ends.
    left: f32,
    /// Preferred speed in states without a speed of their own, m/s.
    pub(super) speed: f32,
    /// The agent stays where it is.
    pub(super) stationary: bool,
    /// The agent that it met.
    pub(super) partner: Option<u32>,
    /// Position from which it flees.
    pub(super) fear: Option<Vec3>,
    /// Seconds until it may meet an agent or be attracted by a smart object again.
    pub(super) alone: f32,
    /// Position that it faces while it stands.
    pub(super) faces: Option<Vec2>,
    /// The leader that it follows, and the offset from it to the left and ahead, metres.
    pub(super) leader: Option<(Leader, Vec2)>,
    /// The smart object that it uses or waits for.
    pub(super) used_object: Option<Using>,
    /// Direction in which it wanders, radians from +X to +Z.
    pub(super) wander_direction: Option<f32>,
    /// True while it is near a position for which it got the event `found`.
    pub(super) has_found: bool,
    /// Spot on which it stands, while a character is near.
    pub(super) spot: Option<StandingSpot>,
    /// Formation in which it follows its leader.
    pub(super) formation: Formation,
    /// True if there is no room to walk side by side with its leader.
    pub(super) is_narrow: bool,
    /// Seconds that it waited for followers since they were last together.
    pub(super) waited: f32,
    /// Events that it ignores when others spread them.
    pub(super) immunity: Immunity,
}

impl AgentBehaviour {
    pub(super) fn with_speed(pace: f32) -> Self {
        Self {
            state: None,
            left: f32::INFINITY,
            speed: pace,
            stationary: false,
            partner: None,
            fear: None,
            alone: 0.0,
            faces: None,
            leader: None,
            used_object: None,
            wander_direction: None,
            has_found: false,
            spot: None,
            formation: Formation::default(),
            is_narrow: false,
            waited: 0.0,
            immunity: Immunity::default(),
        }
    }

    /// Restores the state of before a reload. The preferred speed is that of the new script, and so is the leader if it
    /// names one.
    pub(super) fn continued(self, now: &Self) -> Self {
        Self {
            speed: now.speed,
            leader: now.leader.or(self.leader),
            ..self
        }
    }
}

/// Target of a crowd's reports.
pub(super) struct CrowdEventSink<'a> {
    pub crowd: Handle,
    pub events: &'a mut Vec<CrowdEvent>,
}

impl CrowdEventSink<'_> {
    pub fn report(&mut self, person: usize, what: CrowdEventKind) {
        if self.events.len() < MAX_REPORTED {
            self.events.push(CrowdEvent {
                crowd: self.crowd,
                agent: person as u32,
                kind: what,
            });
        }
    }
}

impl StageCrowd {
    /// The state of an agent.
    pub fn state_of(&self, i: usize) -> Option<&CrowdState> {
        let state = self.agents.get(i)?.behaviour.state?;
        self.states.get(usize::from(state))
    }

    /// Index of the state of this name.
    pub fn find_state(&self, name: &str) -> Option<u16> {
        let at = self.states.iter().position(|state| state.name == name);
        at.map(|at| at as u16)
    }

    /// Starts a state of an agent.
    pub(super) fn enter(
        &mut self,
        i: usize,
        number: u16,
        about: EventSubject,
        teller: &mut CrowdEventSink<'_>,
    ) {
        let states: Arc<[CrowdState]> = self.states.clone();
        let Some(state) = states.get(usize::from(number)) else {
            return;
        };
        let from = self.agents[i].behaviour.state;
        if let Some(was) = from.filter(|from| states[usize::from(*from)].reports[1]) {
            let (state, to) = (was, number);
            teller.report(i, CrowdEventKind::Exit { state, to });
        }
        let mut between = |range: [f32; 2]| self.random.between(range[0], range[1]);
        let lasts = state.duration.map_or(f32::INFINITY, &mut between);
        let pace = state.speed.map(&mut between);
        let person = &mut self.agents[i];
        let mind = &mut person.behaviour;
        if let Some(from) = from {
            let left = &states[usize::from(from)];
            if left.spread_event.is_some() {
                mind.immunity.add(from, left.immune_time());
            }
        }
        // An agent that walks to a smart object gets there first.
        let stands = state.stationary && mind.used_object.is_none();
        (mind.state, mind.left, mind.stationary) = (Some(number), lasts, stands);
        mind.partner = match about {
            EventSubject::CrowdAgent(other) => Some(other),
            _ => None,
        };
        (mind.faces, mind.wander_direction, mind.has_found) = (None, None, false);
        match about {
            EventSubject::Position(place) => mind.fear = Some(place),
            _ if state.flee_distance.is_none() && state.spread_event.is_none() => mind.fear = None,
            _ => {}
        }
        let usual = mind.speed;
        person.hurry(pace.unwrap_or(usual));
        let gaits = self.bodies.get(usize::from(person.body));
        let act = state.clips.begin(&mut self.random);
        let share = self.random.unit();
        let act = act
            .zip(gaits)
            .map(|(act, gaits)| act.begin_at(share, gaits));
        if person.behaviour.used_object.is_none() {
            person.play(act);
        }
        let here = person.position();
        let nearest = state.goal.iter().min_by(|a, b| {
            let [a, b] = [a, b].map(|place| place.distance_squared(here));
            a.total_cmp(&b)
        });
        if let Some(place) = nearest.filter(|_| person.behaviour.used_object.is_none()) {
            person.send_to(*place);
        }
        if state.reports[0] {
            let state = number;
            teller.report(i, CrowdEventKind::Enter { state, from });
        }
    }

    /// Delivers an event to an agent.
    pub(super) fn receive(
        &mut self,
        i: usize,
        event: &str,
        about: EventSubject,
        teller: &mut CrowdEventSink<'_>,
    ) {
        let Some(state) = self.state_of(i) else {
            return;
        };
        let Some(at) = state.on.iter().position(|(name, _)| name == event) else {
            return;
        };
        match state.on[at].1 {
            Reply::State(next) => {
                if event != USE_EVENT {
                    self.leave_for(i, next, teller);
                }
                self.enter(i, next, about, teller);
            }
            Reply::Call => {
                let (state, reply) = (
                    self.agents[i].behaviour.state.unwrap_or_default(),
                    at as u16,
                );
                teller.report(
                    i,
                    CrowdEventKind::Event {
                        state,
                        reply,
                        about,
                    },
                );
            }
        }
    }

    /// Continues the states of the crowd before a reload, matched by name. Reports nothing to the script.
    pub(super) fn continue_states_from(&mut self, was: &StageCrowd) {
        for i in 0..self.agents.len() {
            let before = was.state_of(i).map(|state| state.name.as_str());
            let state = before.and_then(|name| self.find_state(name));
            let person = &mut self.agents[i];
            (person.behaviour.state, person.behaviour.stationary) = (state, false);
            let renumbered = |state: u16| {
                let before = was.states.get(usize::from(state))?;
                let now = self.states.iter().position(|now| now.name == before.name);
                now.map(|at| at as u16)
            };
            person.behaviour.immunity = person.behaviour.immunity.renumbered(renumbered);
            let state = state.and_then(|at| self.states.get(usize::from(at)));
            if let Some([low, high]) = state.and_then(|state| state.speed) {
                person.hurry(self.random.between(low, high));
            }
            if person.behaviour.used_object.is_none() {
                self.resume(i);
            }
        }
    }

    /// Restores the standing and acting of an agent's state after an interruption.
    pub(super) fn resume(&mut self, i: usize) {
        let state = self.agents[i].behaviour.state;
        let Some(state) = state.and_then(|at| self.states.get(usize::from(at))) else {
            return;
        };
        let person = &mut self.agents[i];
        person.behaviour.stationary = state.stationary;
        if !state.clips.once && person.behaviour.used_object.is_none() {
            person.play(state.clips.begin(&mut self.random));
        }
    }

    /// Returns true if the agent's state answers the event.
    pub(super) fn answers(&self, i: usize, event: &str) -> bool {
        let state = self.state_of(i);
        state.is_some_and(|state| state.on.iter().any(|(name, _)| name == event))
    }

    /// Advances the states of all agents, before they walk.
    pub(super) fn think(&mut self, tick: u64, dt: f32, teller: &mut CrowdEventSink<'_>) {
        for i in 0..self.agents.len() {
            let person = &mut self.agents[i];
            person.behaviour.alone = (person.behaviour.alone - dt).max(0.0);
            self.advance_clip(i, dt, teller);
            if self.states.is_empty() {
                continue;
            }
            let Some(number) = self.agents[i].behaviour.state else {
                self.enter(i, self.start, EventSubject::Nothing, teller);
                continue;
            };
            let mind = &mut self.agents[i].behaviour;
            mind.immunity.pass(dt);
            // The duration of the state is paused while the agent uses a smart object.
            if mind.used_object.is_none() {
                mind.left -= dt;
            }
            let is_over = mind.left <= 0.0;
            let state = &self.states[usize::from(number)];
            if is_over && !state.next.is_empty() {
                let at = (self.random.unit() * state.next.len() as f32) as usize;
                let next = state.next[at.min(state.next.len() - 1)];
                self.leave_for(i, next, teller);
                self.enter(i, next, EventSubject::Nothing, teller);
                continue;
            }
            if is_over {
                self.agents[i].behaviour.left = f32::INFINITY;
                self.receive(i, "timeout", EventSubject::Nothing, teller);
                continue;
            }
            if let Some(every) = state.update_interval {
                let ticks = ((every / dt).round() as u64).max(1);
                if (tick + i as u64).is_multiple_of(ticks) {
                    let (state, dt) = (number, ticks as f32 * dt);
                    teller.report(i, CrowdEventKind::Update { state, dt });
                }
            }
        }
    }

    /// Advances the clip that an agent acts on its own or in a state. The clips of smart objects are advanced elsewhere.
    fn advance_clip(&mut self, i: usize, dt: f32, teller: &mut CrowdEventSink<'_>) {
        let person = &mut self.agents[i];
        let Some(gaits) = self.bodies.get(usize::from(person.body)) else {
            return;
        };
        if person.behaviour.used_object.is_some_and(Using::is_on_slot)
            || !person.advance_clip(gaits, dt)
        {
            return;
        }
        let before: Option<AgentPlayback> = person.playback();
        let state = person.behaviour.state;
        let state = state.and_then(|state| self.states.get(usize::from(state)));
        let acting = state.map(|state| &state.clips);
        let acting = acting.filter(|acting| !acting.is_empty());
        let next = before
            .zip(acting)
            .and_then(|(act, acting)| acting.next(act, &mut self.random));
        person.play(next);
        if next.is_none() {
            self.receive(i, "clip_end", EventSubject::Nothing, teller);
        }
    }

    /// Sends `arrived` to agents that arrived, and `lost` to agents that found no path.
    pub(super) fn report_arrivals(&mut self, teller: &mut CrowdEventSink<'_>) {
        for i in 0..self.agents.len() {
            let person = &self.agents[i];
            if person.has_no_path && person.behaviour.used_object.is_some() {
                self.end_use_now(i, teller);
            } else if person.has_arrived() {
                self.receive(i, "arrived", EventSubject::Nothing, teller);
            } else if person.has_no_path() {
                self.receive(i, "no_path", EventSubject::Nothing, teller);
            }
        }
    }

    /// Sends fleeing agents away from the position that they fear: straight over the ground, or to a target on the mesh.
    pub(super) fn flee(&mut self, mesh: Option<&NavMesh>, tick: u64) {
        if self
            .states
            .iter()
            .all(|state| state.flee_distance.is_none())
        {
            return;
        }
        let states = self.states.clone();
        for (i, person) in (0_u64..).zip(&mut self.agents) {
            let state = person
                .behaviour
                .state
                .and_then(|at| states.get(usize::from(at)));
            let flees = state
                .and_then(|state| state.flee_distance)
                .zip(person.behaviour.fear);
            let Some((far, fear)) = flees.filter(|_| person.behaviour.used_object.is_none()) else {
                continue;
            };
            let away = person.agent.at - Vec2::new(fear.x, fear.z);
            if away.length() >= far || !(person.goal.is_none() || (tick + i).is_multiple_of(30)) {
                continue;
            }
            let to = position_away(person.position(), away, far, mesh);
            // A cornered agent stays where it is.
            let is_better = |to: &Vec2| to.distance(person.agent.at) > 1.0;
            if let Some(to) = to.filter(is_better) {
                person.send(Some(to));
            }
        }
    }
}

/// A position about `far` metres away from the feared one, on the mesh if there is one.
fn position_away(here: Vec3, away: Vec2, far: f32, mesh: Option<&NavMesh>) -> Option<Vec2> {
    let at = Vec2::new(here.x, here.z);
    let ahead = away.normalize_or(Vec2::Y);
    let Some(mesh) = mesh else {
        return Some(at + ahead * far);
    };
    let fear = at - away;
    let step = std::f32::consts::TAU / FLEE_DIRECTIONS as f32;
    let ways = (0..FLEE_DIRECTIONS).map(|k| Vec2::from_angle(k as f32 * step).rotate(ahead));
    let reached = ways.flat_map(|way| [far, far * 0.5].map(|by| at + way * by));
    let on_mesh = reached.filter_map(|to| {
        let spot = mesh.nearest(Vec3::new(to.x, here.y, to.y), ON_MESH)?;
        let to = Vec2::new(spot.at.x, spot.at.z);
        // Avoids paths that lead past the feared position.
        let nearest = nearest_to(fear, at, to);
        Some((to, to.distance(fear) + nearest.min(away.length())))
    });
    let best = on_mesh.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(to, _)| to)
}

/// Distance of a point from a line segment, metres.
fn nearest_to(place: Vec2, from: Vec2, to: Vec2) -> f32 {
    nearest_on([from, to], place).distance(place)
}
