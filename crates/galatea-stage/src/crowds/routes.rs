//! The ways of a crowd: found when somebody is sent, followed corner by corner.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::person::Person;
use super::turning::{CornerTurn, Walker};
use crate::paths::{REACH, StagePaths};
use galatea_math::lines::flat;
use galatea_navmesh::{Corner, NavMesh, NavPoint, PathField, Route, next_corner};

/// People with one goal who share the ways to it.
const SHARED: usize = 4;
/// Ways to one goal from everywhere that are kept.
const MOST_FIELDS: usize = 32;
/// Polygons that are searched for people in a tick, at most, taking each search for one of all.
const SEARCHED: usize = 60_000;
/// Of so many ticks each looks where its way turns next in one.
const LOOKS: u64 = 4;
/// Metres from a corner at which it looks for the next, and from a link at which it is taken.
const NEAR: f32 = 0.4;
const TAKEN: f32 = 0.35;

/// How somebody gets to a goal.
#[derive(Clone, Debug, Default)]
enum AgentRoute {
    /// Nobody has looked yet.
    #[default]
    Unknown,
    /// By the ways that all with this goal share.
    Shared(Arc<PathField>),
    /// By a way of its own.
    Own(Route),
    /// None leads there.
    None,
}

/// The way of one of a crowd.
#[derive(Clone, Debug, Default)]
struct AgentPath {
    /// For which goal, and which mesh, it is.
    goal: Option<Vec2>,
    version: u32,
    way: AgentRoute,
    /// Where it is on the mesh.
    spot: Option<NavPoint>,
    /// The link that it is on: where from, where to, and the share that it has gone.
    link: Option<(Vec3, Vec3, f32)>,
    turning: CornerTurn,
}

/// The ways of all of a crowd.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    own: Vec<AgentPath>,
    /// Shared ways, those used last at the end.
    fields: Vec<(u32, Arc<PathField>)>,
}

impl Routes {
    /// Somebody goes straight through the air, or down a ladder.
    pub fn is_on_link(&self, i: usize) -> bool {
        self.own.get(i).is_some_and(|own| own.link.is_some())
    }

    /// Finds ways for those who need one, and tells everybody where theirs turns next.
    pub fn lead(&mut self, people: &mut [Person], paths: Option<&StagePaths>, tick: u64) {
        let found = paths.and_then(|paths| Some((paths.mesh()?, paths.version())));
        let Some((mesh, version)) = found else {
            // Ways that are not worked out yet are waited for; without any, people go straight.
            let waits = paths.is_some_and(|paths| paths.fault().is_none());
            for (i, person) in people.iter_mut().enumerate() {
                (person.aim, person.waits) = (None, waits);
                if self.is_on_link(i) {
                    person.agent.yields = 1.0;
                }
            }
            self.own.clear();
            return;
        };
        self.own.resize_with(people.len(), AgentPath::default);
        for (own, person) in self.own.iter_mut().zip(&mut *people) {
            if own.version != version {
                (own.spot, own.way) = (None, AgentRoute::Unknown);
                own.turning = CornerTurn::default();
                own.version = version;
            }
            let is_there = |spot: &NavPoint| {
                let off = spot.at - person.position();
                off.length_squared() < REACH * REACH * 4.0
            };
            if own.link.is_none() && !own.spot.is_some_and(|spot| is_there(&spot)) {
                own.spot = mesh.nearest(person.position(), REACH);
            }
            if own.goal != person.goal {
                (own.goal, own.way) = (person.goal, AgentRoute::Unknown);
                person.aim = None;
                own.turning = CornerTurn::default();
            }
            person.waits = false;
        }
        if paths.is_some_and(StagePaths::is_due) {
            // Ways of a mesh that is gone in a moment are not looked for.
            for (own, person) in self.own.iter().zip(&mut *people) {
                person.waits = matches!(own.way, AgentRoute::Unknown);
            }
        } else {
            self.search(mesh, people, version);
        }
        let own = self.own.par_iter_mut().zip(people.par_iter_mut());
        own.enumerate()
            .with_min_len(64)
            .for_each(|(i, (own, person))| {
                let is_due = (tick + i as u64).is_multiple_of(LOOKS) || person.aim.is_none();
                let is_near = |aim: Vec2| aim.distance(person.agent.at) < NEAR;
                if person.goal.is_some() && (is_due || person.aim.is_some_and(is_near)) {
                    own.look(mesh, person);
                }
            });
    }

    /// Finds ways: for many with one goal those from everywhere, for others one each, as many as a tick can bear.
    fn search(&mut self, mesh: &NavMesh, people: &mut [Person], version: u32) {
        let mut wanted: Vec<([u32; 2], usize)> = Vec::new();
        for (i, (own, person)) in self.own.iter().zip(&*people).enumerate() {
            if let (Some(goal), AgentRoute::Unknown) = (person.goal, &own.way) {
                wanted.push((goal.to_array().map(f32::to_bits), i));
            }
        }
        if wanted.is_empty() {
            return;
        }
        wanted.sort_unstable();
        self.fields.retain(|(own, _)| *own == version);
        let (mut alone, mut left) = (Vec::new(), SEARCHED);
        let cost = mesh.n_polygons().max(1);
        for together in wanted.chunk_by(|a, b| a.0 == b.0) {
            let first = together[0].1;
            let height = people[first].height;
            let to = people[first].goal.unwrap_or_default();
            let goal = mesh.nearest(Vec3::new(to.x, height, to.y), REACH);
            let goal = goal.or_else(|| nearest_at_any_height(mesh, to));
            let Some(goal) = goal else {
                for (_, i) in together {
                    self.own[*i].way = AgentRoute::None;
                }
                continue;
            };
            // Who is sent beside the mesh goes as near as one can.
            for (_, i) in together {
                people[*i].goal = Some(flat(goal.at));
                self.own[*i].goal = people[*i].goal;
            }
            let known = self
                .fields
                .iter()
                .position(|(_, field)| field.goal() == goal);
            if known.is_none() && together.len() < SHARED {
                alone.extend(together.iter().map(|(_, i)| (*i, goal)));
                continue;
            }
            let field = match known {
                Some(at) => self.fields.remove(at).1,
                None if left < cost => {
                    for (_, i) in together {
                        people[*i].waits = true;
                    }
                    continue;
                }
                None => {
                    left -= cost;
                    Arc::new(PathField::to(mesh, goal))
                }
            };
            for (_, i) in together {
                self.own[*i].way = AgentRoute::Shared(field.clone());
            }
            if self.fields.len() >= MOST_FIELDS {
                self.fields.remove(0);
            }
            self.fields.push((version, field));
        }
        alone.sort_unstable_by_key(|(i, _)| *i);
        let now = (left / cost).max(1).min(alone.len());
        for (i, _) in &alone[now..] {
            people[*i].waits = true;
        }
        let own = &self.own;
        let find = |(i, goal): &(usize, NavPoint)| {
            let from = own[*i].spot?;
            Route::find(mesh, from, *goal)
        };
        let ways: Vec<Option<Route>> = alone[..now].par_iter().map(find).collect();
        for ((i, _), way) in alone.iter().zip(ways) {
            self.own[*i].way = way.map_or(AgentRoute::None, AgentRoute::Own);
        }
    }

    /// Keeps everybody on the mesh, whoever pushed them, and moves those on who take a link.
    pub fn keep_on(&mut self, people: &mut [Person], paths: Option<&StagePaths>, dt: f32) {
        let Some(mesh) = paths.and_then(StagePaths::mesh) else {
            return;
        };
        let own = self.own.par_iter_mut().zip(people.par_iter_mut());
        own.with_min_len(64).for_each(|(own, person)| {
            if own.link.is_some() {
                own.pass(mesh, person, dt);
                return;
            }
            let Some(from) = own.spot else {
                return;
            };
            let spot = mesh.step(from, person.agent.at);
            own.spot = Some(spot);
            let kept = flat(spot.at);
            if kept.distance_squared(person.agent.at) > 1e-6 {
                person.agent.at = kept;
            }
        });
    }
}

/// A goal is on the ground: which floor is meant is not told, the nearest above or below it is.
fn nearest_at_any_height(mesh: &NavMesh, to: Vec2) -> Option<NavPoint> {
    let heights = (1..40).flat_map(|k| [k as f32 * 2.0 * REACH, k as f32 * -2.0 * REACH]);
    heights
        .map(|height| Vec3::new(to.x, height, to.y))
        .find_map(|at| mesh.nearest(at, REACH))
}

impl AgentPath {
    /// Looks where the way turns next.
    fn look(&mut self, mesh: &NavMesh, person: &mut Person) {
        let Some(spot) = self.spot.filter(|_| self.link.is_none()) else {
            return;
        };
        let from = Vec3::new(person.agent.at.x, spot.at.y, person.agent.at.y);
        let here = NavPoint { at: from, ..spot };
        let next = match &mut self.way {
            AgentRoute::Unknown => return,
            AgentRoute::None => None,
            AgentRoute::Shared(field) => {
                let edges = field.edges(mesh, here);
                edges.and_then(|edges| next_corner(mesh, from, edges, field.goal().at))
            }
            AgentRoute::Own(route) => {
                let at = route
                    .edges
                    .iter()
                    .position(|e| mesh.owner(*e) == spot.polygon);
                let goal = route.goal;
                match at {
                    Some(at) => next_corner(mesh, from, route.edges[at..].iter().copied(), goal.at),
                    None if goal.polygon == spot.polygon => Some(Corner::end(goal.at)),
                    // Pushed off it.
                    None => {
                        self.way = AgentRoute::Unknown;
                        return;
                    }
                }
            }
        };
        let Some(corner) = next else {
            self.way = AgentRoute::None;
            (person.goal, self.goal, person.aim) = (None, None, None);
            person.is_lost = true;
            return;
        };
        let at = flat(corner.at);
        let is_goal = person.goal.is_some_and(|goal| goal.distance(at) < 0.05);
        let walker = Walker {
            at: person.agent.at,
            radius: person.agent.radius,
            share: person.share(),
        };
        let turning = &mut self.turning;
        person.aim = turning.aim(mesh, here, &walker, (!is_goal).then_some(&corner), at);
        if let Some(link) = corner.link.and_then(|link| mesh.link_of(link))
            && at.distance(person.agent.at) < TAKEN
        {
            self.link = Some((person.position(), link.to.at, 0.0));
            self.spot = Some(link.to);
            person.agent.yields = 0.0;
        }
    }

    /// Goes on along a link.
    fn pass(&mut self, mesh: &NavMesh, person: &mut Person, dt: f32) {
        let Some((from, to, share)) = self.link else {
            return;
        };
        let length = from.distance(to).max(1e-3);
        let share = (share + person.pace.max(0.1) * dt / length).min(1.0);
        let at = from.lerp(to, share);
        person.agent.at = flat(at);
        person.agent.velocity = (flat(to) - flat(from)) * (person.pace / length);
        (person.ground, person.height) = (at.y, at.y);
        if share < 1.0 {
            self.link = Some((from, to, share));
            return;
        }
        (self.link, person.aim) = (None, None);
        person.agent.yields = 1.0;
        self.spot = mesh.nearest(at, REACH).or(self.spot);
        self.look(mesh, person);
    }
}
