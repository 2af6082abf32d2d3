//! Crowds on a stage: people who want to go somewhere, and get there around each other and around characters.

mod acting;
mod gaits;
mod mind;
pub(super) mod objects;
mod person;
mod places;
pub(super) mod promotion;
mod routes;
mod together;

use std::collections::{BTreeMap, VecDeque};
use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};

use super::frame::{DrawCrowd, Frame, Tint};
use super::paths::StagePaths;
use super::physics::character_of;
use super::{Arena, Handle, Physics, Stage, StageCharacter};
use crate::anim::humanoid::{Humanoid, Role};
use crate::body::{Filter, Motion, Owner};
use crate::crowd::book::{self, Obstacle};
use crate::crowd::{Agent, AvoidOptions, Rows, Steering, Wall, Walls};
use crate::paths::NavMesh;
use crate::rig::chance::Chance;
use mind::Teller;
use places::Places;
use routes::Routes;
use together::Led;

pub use acting::{Act, Acting};
pub use gaits::{Gaits, Level};
pub use mind::{About, CrowdState, Leader, MOST_STATES, Reply, Tale, Told};
pub use objects::{MOST_OBJECTS, MOST_SLOTS, Slot, SmartObject};
pub use person::{Person, level_of_detail, most_of_level};
pub use promotion::Near;

/// Crowds that there may be on a stage.
pub const MOST_CROWDS: usize = 64;
/// People in all of them.
pub const MOST_PEOPLE: usize = 20_000;
/// Clips that those of a crowd may act.
pub const MOST_CLIPS: usize = 64;
/// Of so many ticks each looks for the ground in one.
const LOOKS: u64 = 6;
/// Metres above and below where they are that people look for ground.
const UP: f32 = 0.8;
const DOWN: f32 = 1.6;
/// Metres of radius above which an obstacle is a wall around, seen from near and not from its middle, and how many pieces
/// that has.
const LARGE: f32 = 1.0;
const PIECES: usize = 32;
/// Metres above and below a border at which people still meet it.
const STORY: f32 = 1.2;
/// Shares of a character's size that people keep from one without a controller.
const WIDTH: f32 = 0.15;

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
    /// Ways that they take.
    pub paths: Option<Handle>,
    /// The way of each.
    pub routes: Routes,
    /// Clips that they act, as their bodies know them.
    pub clips: Vec<String>,
    /// States that they may be in.
    pub states: Arc<[CrowdState]>,
    /// The one in which they begin.
    pub start: u16,
    /// How likely two who come towards each other meet, 0..=1.
    pub meets: f32,
    /// Decides for them.
    pub chance: Chance,
    /// Those who are characters by themselves.
    pub near: Option<Near>,
    /// Clips that it was told to act and that none of its bodies has, and those of them that were not told yet.
    pub lacks: [Vec<String>; 2],
    /// Places to which somebody goes after their goal, one after another (CR-12).
    pub tours: BTreeMap<u32, VecDeque<Vec2>>,
}

/// Memory of all crowds of a stage from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct Crowding {
    steering: Steering,
    agents: Vec<Agent>,
    walls: Walls,
    n_walls: Option<(usize, usize, u32)>,
    rows: Rows,
    goals: Vec<Option<Vec2>>,
    led: Vec<Led>,
    meetings: Rows,
    places: Places,
    /// What scripts are to be told.
    pub told: Vec<Told>,
}

/// Moves all crowds on by a tick.
pub(super) fn advance(stage: &mut Stage) {
    // Things are let go of when those who used them are gone.
    if stage.crowds.is_empty() && stage.objects.is_empty() {
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
        paths,
        objects,
        ..
    } = stage;
    crowding.agents.clear();
    for (_, crowd) in crowds.iter_mut() {
        for person in &mut crowd.people {
            person.begin();
        }
    }
    let told = &mut crowding.told;
    for (own, crowd) in crowds.iter_mut() {
        let mut teller = Teller { crowd: own, told };
        crowd.think(tick, dt, &mut teller);
        crowd.meet(tick, &mut crowding.meetings, &mut teller);
    }
    objects::lead(objects, crowds, tick, dt, told);
    crowding.places.count(crowds.iter().map(|(_, crowd)| crowd));
    for (own, crowd) in crowds.iter_mut() {
        let ways = crowd.paths.and_then(|handle| paths.get(handle));
        crowd.flee(ways.and_then(|ways| Some(&**ways.mesh()?)), tick);
        crowd.routes.lead(&mut crowd.people, ways, tick);
        for person in &mut crowd.people {
            let arrived = if crowd.is_book {
                book::NEAR_GOAL
            } else {
                crowding.places.reach(person)
            };
            person.wish(arrived);
        }
        crowd.go_on_tours();
        let character = |handle| led_by(characters.get(handle)?, dt);
        crowd.follow(tick, character, &mut crowding.led);
        let mut teller = Teller { crowd: own, told };
        crowd.tell_arrivals(&mut teller);
    }
    objects::push(objects, crowds);
    for (_, crowd) in crowds.iter_mut() {
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
    crowding.gather_walls(crowds, paths);
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
        let ways = crowd.paths.and_then(|handle| paths.get(handle));
        crowd.routes.keep_on(&mut crowd.people, ways, dt);
        objects::hold(objects, crowd);
        for (i, person) in (0..).zip(&mut crowd.people) {
            let is_on_link = crowd.routes.is_on_link(i as usize);
            let is_held = person.mind.using.is_some_and(objects::Using::is_there);
            if (tick + i).is_multiple_of(LOOKS) && !is_on_link && !is_held {
                let soon = LOOKS as f32 * dt;
                if let Some(ground) = ground_under(physics, characters, person, soon) {
                    person.rise_to(ground, soon);
                }
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
    fn gather_walls(&mut self, crowds: &Arena<StageCrowd>, paths: &Arena<StagePaths>) {
        let walk_around = || crowds.iter().filter(|(_, crowd)| !crowd.is_book);
        let walls = || walk_around().flat_map(|(_, crowd)| &crowd.walls);
        let large = || {
            let all = walk_around().flat_map(|(_, crowd)| &crowd.obstacles);
            all.filter(|obstacle| obstacle.radius > LARGE)
        };
        let used = || {
            let is_used = |handle| crowds.iter().any(|(_, crowd)| crowd.paths == Some(handle));
            let used = paths.iter().filter(move |(handle, _)| is_used(*handle));
            used.map(|(_, paths)| paths)
        };
        let versions = used().map(|paths| paths.version() + 1).sum();
        let n = (crowds.len(), walls().count() + large().count(), versions);
        if self.n_walls.replace(n) != Some(n) {
            let own = walls().copied().chain(large().flat_map(outline));
            let borders = used().filter_map(StagePaths::mesh).flat_map(|m| borders(m));
            self.walls = Walls::new(own.map(Wall::new).chain(borders));
        }
    }
}

/// The borders of a mesh, which are its radius away from what stands there.
fn borders(mesh: &NavMesh) -> impl Iterator<Item = Wall> + '_ {
    mesh.borders().map(|(ends, inwards)| {
        let heights = ends.map(|end| end.y);
        Wall {
            ends: ends.map(|end| Vec2::new(end.x, end.z)),
            heights: [
                heights[0].min(heights[1]) - STORY,
                heights[0].max(heights[1]) + STORY,
            ],
            inset: mesh.radius,
            inwards,
        }
    })
}

/// A character that is followed.
fn led_by(character: &StageCharacter, dt: f32) -> Option<Led> {
    let [now, before] = character.world;
    let flat = |at: Affine3A| Vec2::new(at.translation.x, at.translation.z);
    let ahead = now.matrix3.z_axis;
    let led = Led {
        at: flat(now),
        velocity: (flat(now) - flat(before)) / dt.max(1e-6),
        heading: ahead.x.atan2(ahead.z),
    };
    (led.at.is_finite() && led.velocity.is_finite() && led.heading.is_finite()).then_some(led)
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
        // Who is driven is one of a crowd already.
        if !is_somebody || character.attachment.is_some() || !character.driven.is_empty() {
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
            height: now.translation.y,
        };
        (place.at.is_finite() && velocity.is_finite()).then_some(place)
    })
}

fn humanoid(character: &StageCharacter) -> &Humanoid {
    character.definition.clips.humanoid()
}

/// The height of what somebody stands on or could step on so many seconds from now; nothing where there is none.
fn ground_under(
    physics: &Physics,
    characters: &Arena<StageCharacter>,
    person: &Person,
    soon: f32,
) -> Option<f32> {
    let from = person.position() + person.velocity() * soon + Vec3::Y * UP;
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

impl StageCrowd {
    /// Sends somebody to places, one after another; to none stays where it is.
    pub fn send(&mut self, i: usize, places: impl IntoIterator<Item = Vec2>) {
        let Some(person) = self.people.get_mut(i) else {
            return;
        };
        let mut places: VecDeque<Vec2> = places.into_iter().collect();
        person.send(places.pop_front());
        person.passes = !places.is_empty();
        if places.is_empty() {
            self.tours.remove(&(i as u32));
        } else {
            self.tours.insert(i as u32, places);
        }
    }

    /// Those who passed a place go on to the next.
    fn go_on_tours(&mut self) {
        let people = &mut self.people;
        self.tours.retain(|i, places| {
            let Some(person) = people.get_mut(*i as usize) else {
                return false;
            };
            if person.has_arrived() && person.passes {
                person.send(places.pop_front());
                person.passes = !places.is_empty();
            }
            // Who was sent elsewhere since goes there alone.
            person.passes || person.mind.using.is_some()
        });
    }

    /// The number of a clip that they act, which their bodies learn when it is asked for first. `None` when no body has it,
    /// or they know too many.
    pub fn clip_number(&mut self, name: &str) -> Option<u16> {
        if let Some(at) = self.clips.iter().position(|known| known == name) {
            return Some(at as u16);
        }
        let clip = |body: &Gaits| body.definition.clips.find(name);
        let has_it = self.bodies.iter().any(|body| clip(body).is_some());
        if !has_it || self.clips.len() >= MOST_CLIPS {
            return None;
        }
        // Bodies that are listed twice stay one.
        let mut made: Vec<(Arc<Gaits>, Arc<Gaits>)> = Vec::new();
        for body in &mut self.bodies {
            let known = made.iter().find(|(was, _)| Arc::ptr_eq(was, body));
            let now = match known {
                Some((_, now)) => now.clone(),
                None => {
                    let now = Arc::new(body.with_act(clip(body)));
                    made.push((body.clone(), now.clone()));
                    now
                }
            };
            *body = now;
        }
        self.clips.push(name.to_owned());
        Some(self.clips.len() as u16 - 1)
    }

    /// A clip is asked for that no body has: it is told once.
    fn lack(&mut self, name: &str) {
        let [known, untold] = &mut self.lacks;
        if !known.iter().any(|known| known == name) {
            known.push(name.to_owned());
            untold.push(name.to_owned());
        }
    }

    /// Has somebody act a clip, once or again and again; none from now on.
    pub fn act(&mut self, i: usize, clip: Option<u16>, repeats: bool) {
        if let Some(person) = self.people.get_mut(i) {
            person.act(clip.map(|clip| Act::of(clip, repeats)));
        }
    }
}

impl Stage {
    /// Has somebody of a crowd begin a state.
    pub fn enter_state(&mut self, crowd: Handle, i: usize, state: u16, about: About) {
        if let Some(own) = self.crowds.get_mut(crowd)
            && i < own.people.len()
        {
            let told = &mut self.crowding.told;
            own.enter(i, state, about, &mut Teller { crowd, told });
        }
    }

    /// Lets somebody of a crowd hear of something.
    pub fn tell_person(&mut self, crowd: Handle, i: usize, event: &str, about: About) {
        if let Some(own) = self.crowds.get_mut(crowd)
            && i < own.people.len()
        {
            let told = &mut self.crowding.told;
            own.hear(i, event, about, &mut Teller { crowd, told });
        }
    }

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

    /// People of crowds that the stage before had, known by their keys, go on where they are, in the states of the same
    /// name; how fast they like to go, their sizes and bodies are those of now. Gives the handles of before and now.
    pub(super) fn take_over_crowds(&mut self, old: &Arena<StageCrowd>) -> Vec<(Handle, Handle)> {
        self.crowds.free_old();
        let mut taken = Vec::new();
        for (handle, crowd) in self.crowds.iter_mut() {
            let mut known = old.iter();
            let Some((before, was)) = known.find(|(_, was)| was.key == crowd.key) else {
                continue;
            };
            taken.push((before, handle));
            for (person, was) in crowd.people.iter_mut().zip(&was.people) {
                person.go_on_as(was);
            }
            crowd.routes.clone_from(&was.routes);
            let tours = was.tours.iter();
            let still = tours.filter(|(i, _)| (**i as usize) < crowd.people.len());
            let still = still.map(|(i, places)| (*i, places.clone()));
            // What the new script says at once counts more.
            let mut tours: BTreeMap<u32, VecDeque<Vec2>> = still.collect();
            tours.append(&mut crowd.tours);
            crowd.tours = tours;
            crowd.go_on_in_states(was);
        }
        taken
    }

    /// Puts everybody into a frame, `alpha` (0..=1) of the way from the tick before to the last one.
    pub(super) fn add_crowds(&self, alpha: f32, frame: &mut Frame) {
        for (handle, crowd) in self.crowds.iter() {
            for (body, gaits) in (0..).zip(&crowd.bodies) {
                let first = frame.people.len();
                let people = (0..).zip(&crowd.people);
                let own = people.filter(|(_, one)| one.body == body && one.own.is_none());
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
