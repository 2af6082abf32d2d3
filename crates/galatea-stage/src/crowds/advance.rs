//! A tick of all crowds. Agents move before poses are evaluated, so that a promoted agent and its character agree.
//! Characters and the ground are sampled after the physics step, for the next tick.

use std::f32::consts::TAU;

use glam::{Affine3A, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::behaviour::CrowdEventSink;
use super::crowd_agent::CrowdAgent;
use super::following::FollowedLeader;
use super::objects;
use super::promotion;
use super::using::Using;
use super::{Crowding, StageCrowd};
use crate::nav_meshes::StageNavMesh;
use crate::physics::character_of;
use crate::{Agents, Arena, CameraRig, Characters, Clock, Handle, Ids, Physics, Speaking};
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_character::Character;
use galatea_crowd::repulsion::{self, RepulsionField};
use galatea_crowd::{Agent, AvoidOptions, Wall, Walls};
use galatea_navmesh::NavMesh;
use galatea_physics::{BodyType, Filter, Owner};

/// Interval at which each agent looks for the ground, ticks.
const LOOKS: u64 = 6;
/// Distances above and below an agent in which it looks for ground, metres.
const UP: f32 = 0.8;
const DOWN: f32 = 1.6;
/// Radius from which an obstacle is avoided as a ring of walls and not as a disc, metres, and the number of walls in the
/// ring.
const LARGE: f32 = 1.0;
const PIECES: usize = 32;
/// Distance above and below a border within which it blocks agents, metres.
const FLOOR_HEIGHT: f32 = 1.2;
/// Radius of a character without a controller, as a fraction of its body length.
const WIDTH: f32 = 0.15;

/// A character as crowds see it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct SeenCharacter {
    handle: Handle,
    /// Position and motion, for agents that follow.
    led: FollowedLeader,
    /// Obstacle for agents; `None` for props and for agents of crowds.
    body: Option<Agent>,
}

/// Advances all crowds by a tick: some agents become characters, all move, and characters go where their agents are.
pub(crate) fn advance(
    agents: &mut Agents,
    characters: &mut Characters,
    ids: &mut Ids,
    camera: &CameraRig,
    lines: &[Speaking],
    clock: Clock,
) {
    puffin::profile_scope!("crowds");
    // Objects are advanced without crowds too, so that they release the agents of removed crowds.
    if agents.crowds.is_empty() && agents.objects.is_empty() {
        return;
    }
    let (dt, tick) = (clock.dt as f32, clock.n_ticks);
    if !agents.crowding.has_seen {
        agents.crowding.see(characters, dt);
    }
    promotion::choose(agents, characters, ids, camera, lines, tick);
    decide(agents, tick, dt);
    find_preferred_velocities(agents, characters, tick, dt);
    walk(agents, dt);
    step(&mut agents.crowds, camera, dt);
    promotion::drive(agents, characters, ids);
}

/// Samples the stage at the end of this tick for the next one: characters, and the ground under agents.
pub(crate) fn observe(
    agents: &mut Agents,
    characters: &Arena<Character>,
    physics: &Physics,
    clock: Clock,
) {
    puffin::profile_scope!("crowds_observe");
    if agents.crowds.is_empty() {
        agents.crowding.has_seen = false;
        return;
    }
    agents.crowding.see(characters, clock.dt as f32);
    promotion::follow_characters(&mut agents.crowds, characters);
    find_ground(&mut agents.crowds, characters, physics, clock);
}

/// Updates the behaviour of all agents, alone and with others.
fn decide(agents: &mut Agents, tick: u64, dt: f32) {
    let Crowding {
        encounters,
        encounter_positions,
        events: told,
        ..
    } = &mut agents.crowding;
    let crowds = &mut agents.crowds;
    for (own, crowd) in crowds.iter_mut() {
        for person in &mut crowd.agents {
            person.begin();
        }
        let mut teller = CrowdEventSink {
            crowd: own,
            events: told,
        };
        crowd.think(tick, dt, &mut teller);
        crowd.update_encounters(tick, (encounters, encounter_positions), &mut teller);
    }
    objects::assign_users(&mut agents.objects, crowds, tick, dt, told);
}

/// Computes the preferred velocities of all agents.
fn find_preferred_velocities(
    agents: &mut Agents,
    characters: &Arena<Character>,
    tick: u64,
    dt: f32,
) {
    let Agents {
        crowds,
        crowding,
        nav_meshes: paths,
        objects,
        scent_fields: trails,
        ..
    } = agents;
    let crowded = crowds.iter().map(|(_, crowd)| crowd);
    crowding.places.count(crowded);
    crowding.places.gather(crowds, tick);
    crowding.characters.clear();
    let bodies = crowding.seen.iter().filter_map(|seen| seen.body);
    crowding.characters.extend(bodies);
    for (_, crowd) in crowds.iter_mut() {
        let ways = crowd.navmesh.and_then(|handle| paths.get(handle));
        crowd.flee(ways.and_then(|ways| Some(&**ways.mesh()?)), tick);
        crowd.routes.set_corners(&mut crowd.agents, ways, tick, dt);
    }
    crowding.passages.advance(crowds, paths);
    for (own, crowd) in crowds.iter_mut() {
        for person in &mut crowd.agents {
            let arrived = if crowd.uses_push {
                repulsion::NEAR_GOAL
            } else {
                crowding.places.reach(person)
            };
            person.set_desired_velocity(arrived, dt);
        }
        crowd.go_on_tours();
        let told = &mut crowding.events;
        let mut teller = CrowdEventSink {
            crowd: own,
            events: told,
        };
        crowd.wander_agents(tick, dt, trails, &mut teller);
        let seen = &crowding.seen;
        let character = |handle: Handle| {
            let at = seen.binary_search_by_key(&handle.index(), |seen| seen.handle.index());
            let found = at.ok().and_then(|at| seen.get(at));
            let found = found.filter(|found| found.handle == handle);
            // A character created in this tick is not in the list yet.
            found
                .map(|found| found.led)
                .or_else(|| as_leader(characters.get(handle)?, dt))
        };
        let ways = crowd.navmesh.and_then(|handle| paths.get(handle));
        let mesh = ways.and_then(StageNavMesh::mesh);
        crowd.follow(
            (tick, dt),
            mesh.map(|mesh| &**mesh),
            character,
            &mut crowding.followed,
        );
        crowd.step_aside(tick, dt, &crowding.characters);
        crowd.report_arrivals(&mut teller);
    }
    objects::free(objects, crowds);
    objects::push(objects, crowds);
}

/// Moves all agents around each other, obstacles and walls.
fn walk(agents: &mut Agents, dt: f32) {
    let Agents {
        crowds,
        crowding,
        nav_meshes: paths,
        objects,
        ..
    } = agents;
    crowding.agents.clear();
    for (_, crowd) in crowds.iter_mut() {
        let people = crowd.agents.iter().map(|person| person.agent);
        let first = crowding.agents.len();
        crowding.agents.extend(people);
        if crowd.uses_push {
            let goals = crowd.agents.iter().map(|person| person.goal);
            crowding.goals.clear();
            crowding.goals.extend(goals);
            let (own, goals) = (&mut crowding.agents[first..], &crowding.goals);
            repulsion::step(own, goals, &crowd.obstacles, &mut crowding.rows, dt);
            for (person, agent) in crowd.agents.iter_mut().zip(crowding.agents.drain(first..)) {
                person.agent = agent;
            }
        }
    }
    for (_, crowd) in crowds.iter().filter(|(_, crowd)| !crowd.uses_push) {
        let small = crowd.obstacles.iter().filter(|o| o.radius <= LARGE);
        crowding.agents.extend(small.map(fixed));
    }
    crowding.agents.extend(crowding.characters.iter().copied());
    crowding.gather_walls(crowds, paths);
    let Crowding {
        steering,
        agents,
        walls,
        ..
    } = crowding;
    steering.step(agents, walls, &AvoidOptions::default(), dt);
    let mut moved = agents.iter();
    for (_, crowd) in crowds.iter_mut() {
        if !crowd.uses_push {
            for (person, agent) in crowd.agents.iter_mut().zip(&mut moved) {
                person.agent = *agent;
            }
        }
        let ways = crowd.navmesh.and_then(|handle| paths.get(handle));
        crowd.routes.keep_on_mesh(&mut crowd.agents, ways, dt);
        objects::hold(objects, crowd);
    }
}

/// Advances the steps of all agents and selects what fits their apparent size.
fn step(crowds: &mut Arena<StageCrowd>, camera: &CameraRig, dt: f32) {
    let camera = camera.camera(1.0);
    // Apparent size of one metre at a distance of one metre.
    let seen = 0.5 / (camera.fov_y.to_radians() * 0.5).tan().max(1e-3);
    for (_, crowd) in crowds.iter_mut() {
        for person in &mut crowd.agents {
            if let Some(gaits) = crowd.bodies.get(usize::from(person.body)) {
                person.step(gaits, dt);
                let size = gaits.poses.bounds.1 * 2.0 * person.scale;
                let away = camera.eye.distance(person.position()).max(1e-3);
                person.show(size * seen / away);
            }
        }
    }
}

/// Lets one agent in six look for the ground per tick.
fn find_ground(
    crowds: &mut Arena<StageCrowd>,
    characters: &Arena<Character>,
    physics: &Physics,
    clock: Clock,
) {
    let (dt, tick) = (clock.dt as f32, clock.n_ticks);
    for (_, crowd) in crowds.iter_mut() {
        for (i, person) in (0..).zip(&mut crowd.agents) {
            let is_on_link = crowd.routes.is_on_link(i as usize);
            let is_held = person.behaviour.used_object.is_some_and(Using::is_on_slot);
            if (tick + i).is_multiple_of(LOOKS) && !is_on_link && !is_held {
                let soon = LOOKS as f32 * dt;
                if let Some(ground) = ground_under(physics, characters, person, soon) {
                    person.rise_to(ground, soon);
                }
            }
        }
    }
}

impl Crowding {
    /// Records all characters, in the order of their handles.
    fn see(&mut self, characters: &Arena<Character>, dt: f32) {
        self.has_seen = true;
        self.seen.clear();
        self.seen
            .extend(characters.iter().filter_map(|(handle, character)| {
                Some(SeenCharacter {
                    handle,
                    led: as_leader(character, dt)?,
                    body: as_obstacle(character, dt),
                })
            }));
    }

    fn gather_walls(&mut self, crowds: &Arena<StageCrowd>, paths: &Arena<StageNavMesh>) {
        let walk_around = || crowds.iter().filter(|(_, crowd)| !crowd.uses_push);
        let walls = || walk_around().flat_map(|(_, crowd)| &crowd.walls);
        let large = || {
            let all = walk_around().flat_map(|(_, crowd)| &crowd.obstacles);
            all.filter(|obstacle| obstacle.radius > LARGE)
        };
        let used = || {
            let is_used = |handle| {
                crowds
                    .iter()
                    .any(|(_, crowd)| crowd.navmesh == Some(handle))
            };
            let used = paths.iter().filter(move |(handle, _)| is_used(*handle));
            used.map(|(_, paths)| paths)
        };
        let versions = used().map(|paths| paths.version() + 1).sum();
        let n = (crowds.len(), walls().count() + large().count(), versions);
        if self.n_walls.replace(n) != Some(n) {
            let own = walls().copied().chain(large().flat_map(outline));
            let borders = used()
                .filter_map(StageNavMesh::mesh)
                .flat_map(|m| borders(m));
            self.walls = Walls::new(own.map(Wall::new).chain(borders));
        }
    }
}

/// Borders of a mesh, which keeps its agent radius from the walls.
fn borders(mesh: &NavMesh) -> impl Iterator<Item = Wall> + '_ {
    mesh.borders().map(|(ends, inwards)| {
        let heights = ends.map(|end| end.y);
        Wall {
            ends: ends.map(|end| Vec2::new(end.x, end.z)),
            heights: [
                heights[0].min(heights[1]) - FLOOR_HEIGHT,
                heights[0].max(heights[1]) + FLOOR_HEIGHT,
            ],
            inset: mesh.radius,
            inwards,
        }
    })
}

/// A character as a leader.
fn as_leader(character: &Character, dt: f32) -> Option<FollowedLeader> {
    let [now, before] = character.posed.world;
    let flat = |at: Affine3A| Vec2::new(at.translation.x, at.translation.z);
    let ahead = now.matrix3.z_axis;
    let velocity = (flat(now) - flat(before)) / dt.max(1e-6);
    let led = FollowedLeader {
        at: now.translation.into(),
        velocity,
        heading: ahead.x.atan2(ahead.z),
        desired_velocity: velocity,
        waypoint: None,
    };
    (led.at.is_finite() && led.velocity.is_finite() && led.heading.is_finite()).then_some(led)
}

/// Walls around an obstacle.
fn outline(obstacle: &RepulsionField) -> impl Iterator<Item = [Vec2; 2]> + use<> {
    let RepulsionField { at, radius } = *obstacle;
    let corner = move |i: usize| {
        let angle = i as f32 / PIECES as f32 * TAU;
        at + Vec2::from_angle(angle) * radius
    };
    (0..PIECES).map(move |i| [corner(i), corner(i + 1)])
}

fn fixed(obstacle: &RepulsionField) -> Agent {
    Agent {
        at: obstacle.at,
        radius: obstacle.radius,
        fastest: 0.0,
        yields: 0.0,
        height: f32::NAN,
        ..Agent::default()
    }
}

/// A character as an agent that does not give way: it moves by itself.
fn as_obstacle(character: &Character, dt: f32) -> Option<Agent> {
    let is_somebody =
        character.body.controller.is_some() || humanoid(character).bone(Role::Hips).is_some();
    // A driven character is already in the list as an agent.
    if !is_somebody || character.attachment.is_some() || character.playback.is_driven {
        return None;
    }
    let [now, before] = character.posed.world;
    let flat = |at: Affine3A| Vec2::new(at.translation.x, at.translation.z);
    let velocity = (flat(now) - flat(before)) / dt.max(1e-6);
    let radius = match &character.body.controller {
        Some(controller) => controller.options.radius,
        None => character.body_length() * WIDTH,
    };
    let place = Agent {
        at: flat(now),
        velocity,
        desired_velocity: velocity,
        radius,
        fastest: velocity.length(),
        yields: 0.0,
        height: now.translation.y,
        ..Agent::default()
    };
    (place.at.is_finite() && velocity.is_finite()).then_some(place)
}

fn humanoid(character: &Character) -> &Humanoid {
    character.definition.clips.humanoid()
}

/// Height of the ground under an agent's predicted position in `soon` seconds; `None` if it cannot step onto any.
fn ground_under(
    physics: &Physics,
    characters: &Arena<Character>,
    person: &CrowdAgent,
    soon: f32,
) -> Option<f32> {
    let from = person.position() + person.velocity() * soon + Vec3::Y * UP;
    let is_ground = |owner: Owner| {
        let body = character_of(owner).and_then(|handle| characters.get(handle));
        body.is_none_or(|body| {
            let solid = body.body.prop_body.as_ref();
            solid.is_some_and(|solid| solid.options.body_type == BodyType::Static)
        })
    };
    let hits = physics
        .world
        .ray_all(from, Vec3::NEG_Y, UP + DOWN, &Filter::default());
    // A ray that starts inside a shape hits it at distance 0; that shape is too high to step on.
    let heights = hits
        .iter()
        .filter(|hit| hit.distance > 1e-3 && is_ground(hit.owner));
    heights.map(|hit| hit.position.y).reduce(f32::max)
}
