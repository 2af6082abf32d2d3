//! Behaviour of agents besides walking: states with durations, events that change them, and the reports to scripts.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::acting::{Acting, AgentAct};
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
const WITHOUT_LENGTH: f32 = 20.0;
/// Event by which an agent comes to use a smart object.
pub const USING_EVENT: &str = "use";
/// Number of directions in which a fleeing agent looks for a target.
const WAYS: usize = 12;
/// Maximum distance of such a target from the mesh, metres.
const ON_MESH: f32 = 1.0;

/// A state of the agents of a crowd.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdState {
    /// Name of the state.
    pub name: String,
    /// Clips that an agent acts in this state.
    pub acting: Acting,
    /// Agents stay where they are.
    pub stands: bool,
    /// Walking speed in this state, drawn from this range, m/s.
    pub pace: Option<[f32; 2]>,
    /// Duration of the state, drawn from this range, seconds.
    pub lasts: Option<[f32; 2]>,
    /// States that may follow when the duration is over; one is drawn at random.
    pub next: Vec<u16>,
    /// Positions; an agent walks to the nearest one.
    pub goes: Vec<Vec3>,
    /// Distance to which agents flee from the position of the event, metres.
    pub flees: Option<f32>,
    /// Event that agents spread to others within this distance in metres, with the feared position as its subject.
    pub spreads: Option<(String, f32)>,
    /// Seconds for which an agent that left it ignores that event when others spread it.
    pub immune: Option<f32>,
    /// Agents wander: standard deviation of the change of direction after one second, degrees.
    pub roams: Option<f32>,
    /// The scent field into which agents deposit, and the amount per metre.
    pub lays: Option<(Handle, f32)>,
    /// The scent field that agents follow.
    pub tracks: Option<Handle>,
    /// Positions; an agent within this distance of one, in metres, gets the event `found`.
    pub finds: Option<(Vec<Vec3>, f32)>,
    /// Smart objects may attract its agents.
    pub uses: bool,
    /// Agents that enter it keep the smart object that they use or wait for.
    pub keeps_object: bool,
    /// Replies to events, by event name.
    pub on: Vec<(String, Reply)>,
    /// Reports the beginning and the end of the state to the script.
    pub tells: [bool; 2],
    /// Interval at which the state is reported to the script, seconds.
    pub every: Option<f32>,
}

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

/// Reply of a state to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Enters another state.
    State(u16),
    /// Calls the script.
    Ask,
}

/// Subject of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EventSubject {
    /// No subject.
    #[default]
    Nothing,
    /// An agent of the same crowd.
    Person(u32),
    /// A position.
    Place(Vec3),
    /// A smart object.
    Object(Handle),
}

/// A report to the script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdEvent {
    /// Crowd of the agent.
    pub crowd: Handle,
    /// Index of the agent.
    pub person: u32,
    /// The report.
    pub what: Tale,
}

/// Kind of a [`CrowdEvent`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tale {
    /// A state began.
    Enter {
        /// The new state.
        state: u16,
        /// The state before.
        from: Option<u16>,
    },
    /// A state ended.
    Leave {
        /// The state that ended.
        state: u16,
        /// The state that follows.
        to: u16,
    },
    /// A state continues; see [`CrowdState::every`].
    Update {
        /// The state.
        state: u16,
        /// Seconds since the last report.
        dt: f32,
    },
    /// An event arrived for which the state's `reply` calls the script.
    Heard {
        /// The agent's state.
        state: u16,
        /// Index into [`CrowdState::on`].
        reply: u16,
        /// Subject of the event.
        about: EventSubject,
    },
    /// The agent starts to use a smart object.
    Uses(Handle),
    /// The agent continues to use a smart object; seconds since the last report.
    GoesOn(Handle, f32),
    /// The agent stops using a smart object.
    Leaves(Handle),
    /// The agent was promoted to this character.
    Promoted(Handle),
    /// The agent is a character and too far from the camera to stay one.
    Far,
}

/// The leader that an agent follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leader {
    /// An agent of the same crowd.
    Person(u32),
    /// A character of the stage.
    Character(Handle),
}

/// Behaviour of an agent besides walking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mind {
    /// Index into the crowd's states.
    pub(super) state: Option<u16>,
    /// Seconds until the state ends.
    left: f32,
    /// Preferred speed in states without a speed of their own, m/s.
    pub(super) pace: f32,
    /// The agent stays where it is.
    pub(super) stands: bool,
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
    pub(super) using: Option<Using>,
    /// Direction in which it wanders, radians from +X to +Z.
    pub(super) way: Option<f32>,
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

impl Mind {
    pub(super) fn of_pace(pace: f32) -> Self {
        Self {
            state: None,
            left: f32::INFINITY,
            pace,
            stands: false,
            partner: None,
            fear: None,
            alone: 0.0,
            faces: None,
            leader: None,
            using: None,
            way: None,
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
    pub(super) fn of_now(self, now: &Self) -> Self {
        Self {
            pace: now.pace,
            leader: now.leader.or(self.leader),
            ..self
        }
    }
}

/// Target of a crowd's reports.
pub(super) struct Teller<'a> {
    pub crowd: Handle,
    pub told: &'a mut Vec<CrowdEvent>,
}

impl Teller<'_> {
    pub fn tell(&mut self, person: usize, what: Tale) {
        if self.told.len() < MAX_REPORTED {
            self.told.push(CrowdEvent {
                crowd: self.crowd,
                person: person as u32,
                what,
            });
        }
    }
}

impl StageCrowd {
    /// The state of an agent.
    pub fn state_of(&self, i: usize) -> Option<&CrowdState> {
        let state = self.people.get(i)?.mind.state?;
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
        teller: &mut Teller<'_>,
    ) {
        let states: Arc<[CrowdState]> = self.states.clone();
        let Some(state) = states.get(usize::from(number)) else {
            return;
        };
        let from = self.people[i].mind.state;
        if let Some(was) = from.filter(|from| states[usize::from(*from)].tells[1]) {
            let (state, to) = (was, number);
            teller.tell(i, Tale::Leave { state, to });
        }
        let mut between = |range: [f32; 2]| self.chance.between(range[0], range[1]);
        let lasts = state.lasts.map_or(f32::INFINITY, &mut between);
        let pace = state.pace.map(&mut between);
        let person = &mut self.people[i];
        let mind = &mut person.mind;
        if let Some(from) = from {
            let left = &states[usize::from(from)];
            if left.spreads.is_some() {
                mind.immunity.add(from, left.immune_s());
            }
        }
        // An agent that walks to a smart object gets there first.
        let stands = state.stands && mind.using.is_none();
        (mind.state, mind.left, mind.stands) = (Some(number), lasts, stands);
        mind.partner = match about {
            EventSubject::Person(other) => Some(other),
            _ => None,
        };
        (mind.faces, mind.way, mind.has_found) = (None, None, false);
        match about {
            EventSubject::Place(place) => mind.fear = Some(place),
            _ if state.flees.is_none() && state.spreads.is_none() => mind.fear = None,
            _ => {}
        }
        let usual = mind.pace;
        person.hurry(pace.unwrap_or(usual));
        let gaits = self.bodies.get(usize::from(person.body));
        let act = state.acting.begin(&mut self.chance);
        let share = self.chance.unit();
        let act = act
            .zip(gaits)
            .map(|(act, gaits)| act.begin_at(share, gaits));
        if person.mind.using.is_none() {
            person.act(act);
        }
        let here = person.position();
        let nearest = state.goes.iter().min_by(|a, b| {
            let [a, b] = [a, b].map(|place| place.distance_squared(here));
            a.total_cmp(&b)
        });
        if let Some(place) = nearest.filter(|_| person.mind.using.is_none()) {
            person.send_to(*place);
        }
        if state.tells[0] {
            let state = number;
            teller.tell(i, Tale::Enter { state, from });
        }
    }

    /// Delivers an event to an agent.
    pub(super) fn hear(
        &mut self,
        i: usize,
        event: &str,
        about: EventSubject,
        teller: &mut Teller<'_>,
    ) {
        let Some(state) = self.state_of(i) else {
            return;
        };
        let Some(at) = state.on.iter().position(|(name, _)| name == event) else {
            return;
        };
        match state.on[at].1 {
            Reply::State(next) => {
                if event != USING_EVENT {
                    self.leave_for(i, next, teller);
                }
                self.enter(i, next, about, teller);
            }
            Reply::Ask => {
                let (state, reply) = (self.people[i].mind.state.unwrap_or_default(), at as u16);
                teller.tell(
                    i,
                    Tale::Heard {
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
        for i in 0..self.people.len() {
            let before = was.state_of(i).map(|state| state.name.as_str());
            let state = before.and_then(|name| self.find_state(name));
            let person = &mut self.people[i];
            (person.mind.state, person.mind.stands) = (state, false);
            let renumbered = |state: u16| {
                let before = was.states.get(usize::from(state))?;
                let now = self.states.iter().position(|now| now.name == before.name);
                now.map(|at| at as u16)
            };
            person.mind.immunity = person.mind.immunity.renumbered(renumbered);
            let state = state.and_then(|at| self.states.get(usize::from(at)));
            if let Some([low, high]) = state.and_then(|state| state.pace) {
                person.hurry(self.chance.between(low, high));
            }
            if person.mind.using.is_none() {
                self.resume(i);
            }
        }
    }

    /// Restores the standing and acting of an agent's state after an interruption.
    pub(super) fn resume(&mut self, i: usize) {
        let state = self.people[i].mind.state;
        let Some(state) = state.and_then(|at| self.states.get(usize::from(at))) else {
            return;
        };
        let person = &mut self.people[i];
        person.mind.stands = state.stands;
        if !state.acting.once && person.mind.using.is_none() {
            person.act(state.acting.begin(&mut self.chance));
        }
    }

    /// Returns true if the agent's state answers the event.
    pub(super) fn answers(&self, i: usize, event: &str) -> bool {
        let state = self.state_of(i);
        state.is_some_and(|state| state.on.iter().any(|(name, _)| name == event))
    }

    /// Advances the states of all agents, before they walk.
    pub(super) fn think(&mut self, tick: u64, dt: f32, teller: &mut Teller<'_>) {
        for i in 0..self.people.len() {
            let person = &mut self.people[i];
            person.mind.alone = (person.mind.alone - dt).max(0.0);
            self.act_on(i, dt, teller);
            if self.states.is_empty() {
                continue;
            }
            let Some(number) = self.people[i].mind.state else {
                self.enter(i, self.start, EventSubject::Nothing, teller);
                continue;
            };
            let mind = &mut self.people[i].mind;
            mind.immunity.pass(dt);
            // The duration of the state is paused while the agent uses a smart object.
            if mind.using.is_none() {
                mind.left -= dt;
            }
            let is_over = mind.left <= 0.0;
            let state = &self.states[usize::from(number)];
            if is_over && !state.next.is_empty() {
                let at = (self.chance.unit() * state.next.len() as f32) as usize;
                let next = state.next[at.min(state.next.len() - 1)];
                self.leave_for(i, next, teller);
                self.enter(i, next, EventSubject::Nothing, teller);
                continue;
            }
            if is_over {
                self.people[i].mind.left = f32::INFINITY;
                self.hear(i, "timeout", EventSubject::Nothing, teller);
                continue;
            }
            if let Some(every) = state.every {
                let ticks = ((every / dt).round() as u64).max(1);
                if (tick + i as u64).is_multiple_of(ticks) {
                    let (state, dt) = (number, ticks as f32 * dt);
                    teller.tell(i, Tale::Update { state, dt });
                }
            }
        }
    }

    /// Advances the clip that an agent acts on its own or in a state. The clips of smart objects are advanced elsewhere.
    fn act_on(&mut self, i: usize, dt: f32, teller: &mut Teller<'_>) {
        let person = &mut self.people[i];
        let Some(gaits) = self.bodies.get(usize::from(person.body)) else {
            return;
        };
        if person.mind.using.is_some_and(Using::is_there) || !person.advance_act(gaits, dt) {
            return;
        }
        let before: Option<AgentAct> = person.acts();
        let state = person.mind.state;
        let state = state.and_then(|state| self.states.get(usize::from(state)));
        let acting = state.map(|state| &state.acting);
        let acting = acting.filter(|acting| !acting.is_empty());
        let next = before
            .zip(acting)
            .and_then(|(act, acting)| acting.next(act, &mut self.chance));
        person.act(next);
        if next.is_none() {
            self.hear(i, "clip_end", EventSubject::Nothing, teller);
        }
    }

    /// Sends `arrived` to agents that arrived, and `lost` to agents that found no path.
    pub(super) fn tell_arrivals(&mut self, teller: &mut Teller<'_>) {
        for i in 0..self.people.len() {
            let person = &self.people[i];
            if person.is_lost && person.mind.using.is_some() {
                self.let_go(i, teller);
            } else if person.has_arrived() {
                self.hear(i, "arrived", EventSubject::Nothing, teller);
            } else if person.is_lost() {
                self.hear(i, "no_path", EventSubject::Nothing, teller);
            }
        }
    }

    /// Sends fleeing agents away from the position that they fear: straight over the ground, or to a target on the mesh.
    pub(super) fn flee(&mut self, mesh: Option<&NavMesh>, tick: u64) {
        if self.states.iter().all(|state| state.flees.is_none()) {
            return;
        }
        let states = self.states.clone();
        for (i, person) in (0_u64..).zip(&mut self.people) {
            let state = person.mind.state.and_then(|at| states.get(usize::from(at)));
            let flees = state.and_then(|state| state.flees).zip(person.mind.fear);
            let Some((far, fear)) = flees.filter(|_| person.mind.using.is_none()) else {
                continue;
            };
            let away = person.agent.at - Vec2::new(fear.x, fear.z);
            if away.length() >= far || !(person.goal.is_none() || (tick + i).is_multiple_of(30)) {
                continue;
            }
            let to = place_away(person.position(), away, far, mesh);
            // A cornered agent stays where it is.
            let is_better = |to: &Vec2| to.distance(person.agent.at) > 1.0;
            if let Some(to) = to.filter(is_better) {
                person.send(Some(to));
            }
        }
    }
}

/// A position about `far` metres away from the feared one, on the mesh if there is one.
fn place_away(here: Vec3, away: Vec2, far: f32, mesh: Option<&NavMesh>) -> Option<Vec2> {
    let at = Vec2::new(here.x, here.z);
    let ahead = away.normalize_or(Vec2::Y);
    let Some(mesh) = mesh else {
        return Some(at + ahead * far);
    };
    let fear = at - away;
    let step = std::f32::consts::TAU / WAYS as f32;
    let ways = (0..WAYS).map(|k| Vec2::from_angle(k as f32 * step).rotate(ahead));
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
