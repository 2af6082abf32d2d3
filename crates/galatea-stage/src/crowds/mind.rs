//! What people do beside walking: states with times, events that change them, and what scripts are told of it.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::acting::{Acting, AgentAct};
use super::formation::{Formation, StandingSpot};
use super::immunity::Immunity;
use super::using::Using;
use super::{Handle, StageCrowd};
use galatea_math::lines::nearest_on;
use galatea_navmesh::NavMesh;

/// States that a crowd may have, and events that one may answer.
pub const MOST_STATES: usize = 256;
/// What scripts are told in a tick, at most.
const MAX_REPORTED: usize = 100_000;
/// Default time of immunity, as a multiple of the longest time that the state lasts, and seconds without such a time.
const PER_LENGTH: f32 = 2.0;
const WITHOUT_LENGTH: f32 = 20.0;
/// Event by which an agent comes to use a smart object.
pub const USING_EVENT: &str = "using";
/// Directions in which who flees looks for a place to go.
const WAYS: usize = 12;
/// Metres from a mesh within which such a place is on it.
const ON_MESH: f32 = 1.0;

/// A state that people of a crowd may be in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrowdState {
    /// Names it.
    pub name: String,
    /// What they act in it.
    pub acting: Acting,
    /// They stay where they are.
    pub stands: bool,
    /// Metres a second at which they go in it, between two by chance.
    pub pace: Option<[f32; 2]>,
    /// Seconds after which it is over, between two by chance.
    pub lasts: Option<[f32; 2]>,
    /// The states of which one follows then, by chance.
    pub next: Vec<u16>,
    /// Places; they go to the nearest.
    pub goes: Vec<Vec3>,
    /// Metres that they get away from what they heard of.
    pub flees: Option<f32>,
    /// What they make others within so many metres hear, of what they heard of.
    pub spreads: Option<(String, f32)>,
    /// Seconds for which an agent that left it ignores that event when others spread it.
    pub immune: Option<f32>,
    /// They walk where chance leads them: degrees by which their way turns in a second.
    pub roams: Option<f32>,
    /// The trail that they leave, and how much of it on a metre.
    pub lays: Option<(Handle, f32)>,
    /// The trail that they follow.
    pub tracks: Option<Handle>,
    /// Places of which they hear when they are within so many metres.
    pub finds: Option<(Vec<Vec3>, f32)>,
    /// Smart objects may attract its agents.
    pub uses: bool,
    /// Agents that enter it keep the smart object that they use or wait for.
    pub keeps_object: bool,
    /// What becomes of events.
    pub on: Vec<(String, Reply)>,
    /// A script is told when it begins and when it ends.
    pub tells: [bool; 2],
    /// A script is told of it every so many seconds.
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

/// What becomes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Another state.
    State(u16),
    /// A script is asked.
    Ask,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EventSubject {
    /// Nothing else.
    #[default]
    Nothing,
    /// One of the same crowd.
    Person(u32),
    /// A place.
    Place(Vec3),
    /// Something that is used.
    Object(Handle),
}

/// Something that a script is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdEvent {
    /// Whose.
    pub crowd: Handle,
    /// Who.
    pub person: u32,
    /// What.
    pub what: Tale,
}

/// See [`CrowdEvent`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tale {
    /// A state began.
    Enter {
        /// Which.
        state: u16,
        /// The one before.
        from: Option<u16>,
    },
    /// A state is over.
    Leave {
        /// Which.
        state: u16,
        /// The one that follows.
        to: u16,
    },
    /// A state goes on.
    Update {
        /// Which.
        state: u16,
        /// Seconds since it was last told.
        dt: f32,
    },
    /// An event; `reply` is the one of its state that asks.
    Heard {
        /// Which state it is in.
        state: u16,
        /// Index into [`CrowdState::on`].
        reply: u16,
        /// What it is about.
        about: EventSubject,
    },
    /// Something begins to be used by it.
    Uses(Handle),
    /// Something goes on being used by it: seconds since that was last told.
    GoesOn(Handle, f32),
    /// Something is used no more by it.
    Leaves(Handle),
    /// It became this character.
    Promoted(Handle),
    /// It is a character, and too far from the camera to be one.
    Far,
}

/// Whom somebody follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leader {
    /// One of the same crowd.
    Person(u32),
    /// A character of the stage.
    Character(Handle),
}

/// What one does beside walking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mind {
    /// Of the crowd's states.
    pub(super) state: Option<u16>,
    /// Seconds that are left of it.
    left: f32,
    /// Metres a second that it likes to go in states that do not say.
    pub(super) pace: f32,
    /// It stays where it is.
    pub(super) stands: bool,
    /// Whom it met.
    pub(super) partner: Option<u32>,
    /// What it is afraid of.
    pub(super) fear: Option<Vec3>,
    /// Seconds until it may meet somebody, or be drawn to something, again.
    pub(super) alone: f32,
    /// A place that it faces while it stands.
    pub(super) faces: Option<Vec2>,
    /// Whom it follows, and where beside: to the left and ahead, metres.
    pub(super) leader: Option<(Leader, Vec2)>,
    /// What it uses.
    pub(super) using: Option<Using>,
    /// Where it goes when it roams, radians from +X to +Z.
    pub(super) way: Option<f32>,
    /// It heard of a place that it found, and is still there.
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

    /// The same after a save: how fast it likes to go is that of now, and so is whom it follows where that is said.
    pub(super) fn of_now(self, now: &Self) -> Self {
        Self {
            pace: now.pace,
            leader: now.leader.or(self.leader),
            ..self
        }
    }
}

/// To what is told, and whose it is.
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
    /// The state that somebody is in.
    pub fn state_of(&self, i: usize) -> Option<&CrowdState> {
        let state = self.people.get(i)?.mind.state?;
        self.states.get(usize::from(state))
    }

    /// The number of a state.
    pub fn find_state(&self, name: &str) -> Option<u16> {
        let at = self.states.iter().position(|state| state.name == name);
        at.map(|at| at as u16)
    }

    /// Has somebody begin a state.
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
        // Who is on the way to something gets there first.
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

    /// Lets somebody hear of something.
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

    /// Goes on in the states that a crowd before was in, where there are still such: nobody is told.
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

    /// Somebody stands and acts as its state says, after it did something else.
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

    /// Somebody answers an event of a name.
    pub(super) fn answers(&self, i: usize, event: &str) -> bool {
        let state = self.state_of(i);
        state.is_some_and(|state| state.on.iter().any(|(name, _)| name == event))
    }

    /// Moves everybody's states on, before they walk.
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
            // What it does waits while it uses something.
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
                self.hear(i, "over", EventSubject::Nothing, teller);
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

    /// Moves on what somebody acts by themselves or in a state; what is used has its own.
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
            self.hear(i, "done", EventSubject::Nothing, teller);
        }
    }

    /// What happened to those who walk: they arrived, or found no way.
    pub(super) fn tell_arrivals(&mut self, teller: &mut Teller<'_>) {
        for i in 0..self.people.len() {
            let person = &self.people[i];
            if person.is_lost && person.mind.using.is_some() {
                self.let_go(i, teller);
            } else if person.has_arrived() {
                self.hear(i, "arrived", EventSubject::Nothing, teller);
            } else if person.is_lost() {
                self.hear(i, "lost", EventSubject::Nothing, teller);
            }
        }
    }

    /// Those who flee get away from what they are afraid of: over the ground, or to where a mesh lets them.
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
            // Who is at the end of all ways stays there.
            let is_better = |to: &Vec2| to.distance(person.agent.at) > 1.0;
            if let Some(to) = to.filter(is_better) {
                person.send(Some(to));
            }
        }
    }
}

/// A place that is away from something, by about as much as `far` metres: on a mesh where there is one.
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
        // Not past what they flee from.
        let nearest = nearest_to(fear, at, to);
        Some((to, to.distance(fear) + nearest.min(away.length())))
    });
    let best = on_mesh.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(to, _)| to)
}

/// How near a way from one place to another comes to a third.
fn nearest_to(place: Vec2, from: Vec2, to: Vec2) -> f32 {
    nearest_on([from, to], place).distance(place)
}
