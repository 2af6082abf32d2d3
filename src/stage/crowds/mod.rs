//! Crowds on a stage: people who want to go somewhere, and get there around each other and around characters.

mod gaits;

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};

use super::frame::{DrawCrowd, Frame, ShownPerson, Tint};
use super::physics::character_of;
use super::{Arena, Handle, Physics, Stage, StageCharacter};
use crate::anim::humanoid::{Humanoid, Role};
use crate::asset::Lods;
use crate::body::{Filter, Motion, Owner};
use crate::crowd::book::{self, Obstacle};
use crate::crowd::{Agent, AvoidOptions, Rows, Steering, Walls};

pub use gaits::{Gaits, Level};

/// Crowds that there may be on a stage.
pub const MOST_CROWDS: usize = 64;
/// People in all of them.
pub const MOST_PEOPLE: usize = 20_000;
/// Metres from a goal at which somebody has arrived, and within which they slow down.
const ARRIVED: f32 = 0.3;
const SLOWS: f32 = 0.8;
/// Times faster than they like to that people may go to give way.
const HURRY: f32 = 1.3;
/// Metres a second under which somebody keeps facing where they faced, and radians a second in which they turn.
const FACES: f32 = 0.25;
const TURNS: f32 = 5.0;
/// Of so many ticks each looks for the ground in one.
const LOOKS: u64 = 6;
/// Metres above and below where they are that people look for ground, and metres a second in which they come to it.
const UP: f32 = 0.8;
const DOWN: f32 = 1.6;
const RISES: f32 = 3.0;
/// Shares of the picture's height that somebody has at least on each level of detail, and by how much more to come back
/// to a finer one.
const DETAILS: [f32; Lods::LEVELS - 1] = [0.25, 0.1, 0.04];
const HYSTERESIS: f32 = 1.15;
/// Levels of detail on which somebody is between two poses; on coarser ones in the nearer.
const BLENDED: u8 = 2;
/// Metres of radius above which an obstacle is a wall around, seen from near and not from its middle, and how many pieces
/// that has.
const LARGE: f32 = 1.0;
const PIECES: usize = 32;
/// Shares of a character's size that people keep from one without a controller.
const WIDTH: f32 = 0.15;

/// One of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// How it walks.
    pub agent: Agent,
    /// Where it wants to be, on the ground.
    pub goal: Option<Vec2>,
    /// Metres a second that it likes to go.
    pub pace: f32,
    /// Of its body.
    pub scale: f32,
    /// How wide its body is, of what it would be at its scale.
    pub girth: f32,
    /// Its own number: what it wears.
    pub seed: u32,
    /// Which of the crowd's bodies.
    pub body: u16,
    /// How it faces, radians about +Y from +Z.
    pub heading: f32,
    /// Metres, of the ground under it.
    pub height: f32,
    /// Share of its lap, 0..1, and which of its gaits' levels is shown.
    lap: f32,
    level: usize,
    /// Coarser triangles of its body: the level.
    lod: u8,
    /// Height that it comes to.
    ground: f32,
    /// It came to its goal in this tick.
    has_arrived: bool,
    /// Place and heading in the tick before.
    before: (Vec3, f32),
}

impl Person {
    /// One who stands somewhere.
    pub fn new(at: Vec3, heading: f32, pace: f32) -> Self {
        Self {
            agent: Agent {
                at: Vec2::new(at.x, at.z),
                fastest: pace * HURRY,
                ..Agent::default()
            },
            goal: None,
            pace,
            scale: 1.0,
            girth: 1.0,
            seed: 0,
            body: 0,
            heading,
            height: at.y,
            lap: 0.0,
            level: 0,
            lod: 0,
            ground: at.y,
            has_arrived: false,
            before: (at, heading),
        }
    }

    /// World place of its soles.
    pub fn position(&self) -> Vec3 {
        Vec3::new(self.agent.at.x, self.height, self.agent.at.y)
    }

    /// Metres a second.
    pub fn velocity(&self) -> Vec3 {
        Vec3::new(self.agent.velocity.x, 0.0, self.agent.velocity.y)
    }

    /// It came to its goal in the last tick.
    pub fn has_arrived(&self) -> bool {
        self.has_arrived
    }

    /// Begins its laps at another moment than others.
    pub fn begin_lap(&mut self, share: f32) {
        self.lap = share;
    }

    /// Goes somewhere else from now on; `None` stays.
    pub fn send(&mut self, goal: Option<Vec2>) {
        (self.goal, self.has_arrived) = (goal, false);
    }

    /// Changes how fast it likes to go.
    pub fn set_pace(&mut self, pace: f32) {
        (self.pace, self.agent.fastest) = (pace, pace * HURRY);
    }

    fn wish(&mut self, arrived: f32) {
        self.has_arrived = false;
        self.agent.wish = Vec2::ZERO;
        let Some(goal) = self.goal else {
            return;
        };
        let way = goal - self.agent.at;
        let distance = way.length();
        if distance < arrived {
            (self.goal, self.has_arrived) = (None, true);
            return;
        }
        let speed = self.pace * (distance / SLOWS).clamp(0.25, 1.0);
        self.agent.wish = way * (speed / distance);
    }

    /// Takes the level of detail that fits how large it is seen, a share of the picture's height.
    fn show(&mut self, seen: f32) {
        let (finest, coarsest) = (level_of_detail(seen), level_of_detail(seen / HYSTERESIS));
        self.lod = self.lod.clamp(finest, coarsest);
    }

    /// As it is seen, `alpha` of the way from the tick before. Only from near it is between two of its poses.
    fn shown(&self, number: u32, gaits: &Gaits, alpha: f32) -> ShownPerson {
        let (from, facing) = self.before;
        let turned = turn(facing, self.heading);
        let (sin, cos) = (facing + turned * alpha).sin_cos();
        let (poses, share) = gaits.poses(self.level, self.lap);
        ShownPerson {
            number,
            at: from.lerp(self.position(), alpha),
            turn: Vec2::new(cos, sin),
            scale: [self.scale * self.girth, self.scale],
            poses,
            share: if self.lod < BLENDED {
                share
            } else {
                share.round()
            },
            level: self.lod,
            seed: self.seed,
        }
    }

    /// Turns, and moves its steps on.
    fn step(&mut self, gaits: &Gaits, dt: f32) {
        let velocity = self.agent.velocity;
        let speed = velocity.length();
        if speed > FACES {
            let to = velocity.x.atan2(velocity.y);
            let by = turn(self.heading, to);
            self.heading += by.clamp(-TURNS * dt, TURNS * dt);
        }
        let own = speed / self.scale.max(1e-3);
        self.level = gaits.level(own, self.level);
        let level = &gaits.levels[self.level];
        let rate = if level.speed > 0.0 {
            (own / level.speed).clamp(0.5, 1.6)
        } else {
            1.0
        };
        self.lap = (self.lap + rate * dt / level.seconds).fract();
        let rise = RISES * dt;
        self.height += (self.ground - self.height).clamp(-rise, rise);
    }
}

/// People of the same script's call.
#[derive(Clone, Debug)]
pub struct StageCrowd {
    /// Names it over reloads.
    pub key: String,
    /// Bodies that they have.
    pub bodies: Vec<Arc<Gaits>>,
    /// Colours over the materials of each of them.
    pub tints: Vec<Arc<[Tint]>>,
    /// Everybody.
    pub people: Vec<Person>,
    /// What they do not walk through, on the ground.
    pub walls: Vec<[Vec2; 2]>,
    /// What they walk around.
    pub obstacles: Vec<Obstacle>,
    /// They walk as in the book: pushed by each other, by nobody else, at one pace.
    pub is_book: bool,
}

/// Memory of all crowds of a stage from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct Crowding {
    steering: Steering,
    agents: Vec<Agent>,
    walls: Walls,
    n_walls: Option<(usize, usize)>,
    rows: Rows,
    goals: Vec<Option<Vec2>>,
}

/// Moves all crowds on by a tick.
pub(super) fn advance(stage: &mut Stage) {
    if stage.crowds.is_empty() {
        return;
    }
    let (dt, tick) = (stage.dt as f32, stage.n_ticks);
    let camera = stage.camera.camera(1.0);
    // At a metre, for each of its size.
    let seen = 0.5 / (camera.fov_y.to_radians() * 0.5).tan().max(1e-3);
    let Stage {
        crowds,
        crowding,
        characters,
        physics,
        ..
    } = stage;
    crowding.agents.clear();
    for (_, crowd) in crowds.iter_mut() {
        for person in &mut crowd.people {
            person.before = (person.position(), person.heading);
            person.wish(if crowd.is_book {
                book::NEAR_GOAL
            } else {
                ARRIVED
            });
        }
        let people = crowd.people.iter().map(|person| person.agent);
        let first = crowding.agents.len();
        crowding.agents.extend(people);
        if crowd.is_book {
            let goals = crowd.people.iter().map(|person| person.goal);
            crowding.goals.clear();
            crowding.goals.extend(goals);
            let (own, goals) = (&mut crowding.agents[first..], &crowding.goals);
            book::step(own, goals, &crowd.obstacles, &mut crowding.rows, dt);
            for (person, agent) in crowd.people.iter_mut().zip(crowding.agents.drain(first..)) {
                person.agent = agent;
            }
        }
    }
    for (_, crowd) in crowds.iter().filter(|(_, crowd)| !crowd.is_book) {
        let small = crowd.obstacles.iter().filter(|o| o.radius <= LARGE);
        crowding.agents.extend(small.map(fixed));
    }
    crowding.agents.extend(in_the_way(characters, dt));
    crowding.gather_walls(crowds);
    let Crowding {
        steering,
        agents,
        walls,
        ..
    } = crowding;
    steering.step(agents, walls, &AvoidOptions::default(), dt);
    let mut moved = crowding.agents.iter();
    for (_, crowd) in crowds.iter_mut() {
        if !crowd.is_book {
            for (person, agent) in crowd.people.iter_mut().zip(&mut moved) {
                person.agent = *agent;
            }
        }
        for (i, person) in (0..).zip(&mut crowd.people) {
            if (tick + i).is_multiple_of(LOOKS) {
                person.ground = ground_under(physics, characters, person).unwrap_or(person.ground);
            }
            if let Some(gaits) = crowd.bodies.get(usize::from(person.body)) {
                person.step(gaits, dt);
                let size = gaits.book.bounds.1 * 2.0 * person.scale;
                let away = camera.eye.distance(person.position()).max(1e-3);
                person.show(size * seen / away);
            }
        }
    }
}

impl Crowding {
    fn gather_walls(&mut self, crowds: &Arena<StageCrowd>) {
        let walk_around = || crowds.iter().filter(|(_, crowd)| !crowd.is_book);
        let walls = || walk_around().flat_map(|(_, crowd)| &crowd.walls);
        let large = || {
            let all = walk_around().flat_map(|(_, crowd)| &crowd.obstacles);
            all.filter(|obstacle| obstacle.radius > LARGE)
        };
        let n = (crowds.len(), walls().count() + large().count());
        if self.n_walls.replace(n) != Some(n) {
            self.walls = Walls::new(walls().copied().chain(large().flat_map(outline)));
        }
    }
}

/// Walls around an obstacle.
fn outline(obstacle: &Obstacle) -> impl Iterator<Item = [Vec2; 2]> + use<> {
    let Obstacle { at, radius } = *obstacle;
    let corner = move |i: usize| {
        let angle = i as f32 / PIECES as f32 * TAU;
        at + Vec2::from_angle(angle) * radius
    };
    (0..PIECES).map(move |i| [corner(i), corner(i + 1)])
}

fn fixed(obstacle: &Obstacle) -> Agent {
    Agent {
        at: obstacle.at,
        radius: obstacle.radius,
        fastest: 0.0,
        yields: 0.0,
        ..Agent::default()
    }
}

/// Characters as those who do not give way: they walk by themselves.
fn in_the_way(characters: &Arena<StageCharacter>, dt: f32) -> impl Iterator<Item = Agent> + '_ {
    characters.iter().filter_map(move |(_, character)| {
        let is_somebody =
            character.controller.is_some() || humanoid(character).bone(Role::Hips).is_some();
        if !is_somebody || character.attachment.is_some() {
            return None;
        }
        let [now, before] = character.world;
        let flat = |at: Affine3A| Vec2::new(at.translation.x, at.translation.z);
        let velocity = (flat(now) - flat(before)) / dt.max(1e-6);
        let radius = match &character.controller {
            Some(controller) => controller.options.radius,
            None => character.body_length() * WIDTH,
        };
        let place = Agent {
            at: flat(now),
            velocity,
            wish: velocity,
            radius,
            fastest: velocity.length(),
            yields: 0.0,
        };
        (place.at.is_finite() && velocity.is_finite()).then_some(place)
    })
}

fn humanoid(character: &StageCharacter) -> &Humanoid {
    character.definition.clips.humanoid()
}

/// The height of what somebody stands on or could step on; nothing where there is none.
fn ground_under(
    physics: &Physics,
    characters: &Arena<StageCharacter>,
    person: &Person,
) -> Option<f32> {
    let from = person.position() + Vec3::Y * UP;
    let is_ground = |owner: Owner| {
        let body = character_of(owner).and_then(|handle| characters.get(handle));
        body.is_none_or(|body| {
            let solid = body.solid.as_ref();
            solid.is_some_and(|solid| solid.options.motion == Motion::Static)
        })
    };
    let hits = physics
        .world
        .ray_all(from, Vec3::NEG_Y, UP + DOWN, &Filter::default());
    let heights = hits.iter().filter(|hit| is_ground(hit.owner));
    heights.map(|hit| hit.position.y).reduce(f32::max)
}

impl Stage {
    /// Puts a crowd on the stage. `name` makes it known over reloads; without one it is known by the order in which a
    /// script makes them. `None` when there are too many, or too many people.
    pub fn add_crowd(&mut self, name: Option<&str>, crowd: StageCrowd) -> Option<Handle> {
        let there: usize = self
            .crowds
            .iter()
            .map(|(_, crowd)| crowd.people.len())
            .sum();
        if self.crowds.len() >= MOST_CROWDS || there + crowd.people.len() > MOST_PEOPLE {
            return None;
        }
        let key = match name {
            Some(name) => format!("={name}"),
            None => format!("#{}", self.number_of("crowd")),
        };
        self.crowding.n_walls = None;
        Some(self.crowds.insert(StageCrowd { key, ..crowd }))
    }

    /// People of crowds that the stage before had, known by their keys, go on where they are; how fast they like to go,
    /// their sizes and bodies are those of now.
    pub(super) fn take_over_crowds(&mut self, old: &Arena<StageCrowd>) {
        self.crowds.free_old();
        for (_, crowd) in self.crowds.iter_mut() {
            let mut known = old.iter();
            let Some((_, was)) = known.find(|(_, was)| was.key == crowd.key) else {
                continue;
            };
            for (person, was) in crowd.people.iter_mut().zip(&was.people) {
                let own = *person;
                *person = Person {
                    pace: own.pace,
                    scale: own.scale,
                    girth: own.girth,
                    seed: own.seed,
                    body: own.body,
                    level: 0,
                    goal: own.goal.or(was.goal),
                    agent: Agent {
                        at: was.agent.at,
                        velocity: was.agent.velocity,
                        ..own.agent
                    },
                    ..*was
                };
            }
        }
    }

    /// Puts everybody into a frame, `alpha` (0..=1) of the way from the tick before to the last one.
    pub(super) fn add_crowds(&self, alpha: f32, frame: &mut Frame) {
        for (handle, crowd) in self.crowds.iter() {
            for (body, gaits) in (0..).zip(&crowd.bodies) {
                let first = frame.people.len();
                let people = (0..).zip(&crowd.people);
                let own = people.filter(|(_, person)| person.body == body);
                let shown = own.map(|(number, person)| person.shown(number, gaits, alpha));
                frame.people.extend(shown);
                frame.crowds.push(DrawCrowd {
                    book: gaits.book.clone(),
                    tints: crowd.tints[usize::from(body)].clone(),
                    people: first..frame.people.len(),
                    instance: 1 << 63 | handle.to_u64() << 20,
                });
            }
        }
    }
}

/// The level of detail of somebody who is so large a share of the picture's height; 0 is the finest.
pub fn level_of_detail(seen: f32) -> u8 {
    DETAILS.iter().filter(|least| seen < **least).count() as u8
}

/// The shorter way from one heading to another, radians.
fn turn(from: f32, to: f32) -> f32 {
    (to - from + PI).rem_euclid(TAU) - PI
}
