//! Routes of a crowd over a navigation mesh: searched when an agent gets a goal, followed corner by corner.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::congestion::{Congestion, PERIOD, QueuePosition};
use super::crowd_agent::CrowdAgent;
use super::turning::{CornerTurn, Walker};
use crate::nav_meshes::{REACH, StageNavMesh};
use galatea_math::lines::flat;
use galatea_navmesh::{
    Corner, FlowField, NavLink, NavMesh, NavPoint, PreferredEdge, Route, next_corner,
};

/// Number of agents with one goal from which they share a flow field.
const SHARED: usize = 4;
/// Maximum number of flow fields.
const MAX_FIELDS: usize = 32;
/// Maximum number of polygons that are searched in a tick, as if each search visited all.
const SEARCHED: usize = 60_000;
/// Interval at which an agent looks for the next corner of its path, ticks.
const LOOKS: u64 = 4;
/// Distance from a corner at which an agent looks for the next, and from a link at which it enters the link, metres.
const NEAR: f32 = 0.4;
const TAKEN: f32 = 0.35;
/// Minimum distance between two agents on a link, metres.
const LINK_GAP: f32 = 0.8;
/// Time after which an agent that waits at a link goes before the agents that come from its other end, seconds.
const LINK_PATIENCE: f32 = 4.0;
/// Cost by which another exit must be cheaper before an agent changes to it, metres.
const INERTIA: f32 = 1.5;
/// Number of queue measurements between two decisions of an agent. If all decided at once, all would change to the shortest
/// queue.
const DECIDES: u64 = 6;
/// Queue cost from which an agent with a path of its own searches another one, metres.
const REROUTE_COST: f32 = 6.0;

/// Route of an agent to its goal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
enum AgentRoute {
    /// Not searched yet.
    #[default]
    Unknown,
    /// The flow field shared by all agents with this goal.
    Shared(#[serde(with = "galatea_persist::shared")] Arc<FlowField>),
    /// A path of its own.
    Own(Route),
    /// There is no path.
    None,
}

/// An agent on an off-mesh link.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct LinkTravel {
    link: NavLink,
    from: Vec3,
    /// Fraction of the link that it has passed.
    fraction: f32,
}

/// The route of an agent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct AgentPath {
    /// The goal and the mesh for which it was found.
    goal: Option<Vec2>,
    version: u32,
    corners: AgentRoute,
    /// Position on the mesh.
    spot: Option<NavPoint>,
    /// The link on which it is.
    link: Option<LinkTravel>,
    /// The link at which it waits, and the time waited in seconds.
    before_link: Option<(NavLink, f32)>,
    turning: CornerTurn,
    /// The exit that it takes, with a discount on the cost in its flow field because of its position in the queue.
    kept: Option<PreferredEdge>,
    /// The edge that it crosses after that.
    next: Option<u32>,
    /// Position of the agent in a queue.
    queue: Option<QueuePosition>,
    /// The agent searches a path again and follows the present one until then.
    searches_again: bool,
    /// Number of edges of its own path that it has crossed.
    n_crossed: usize,
}

/// A flow field of a version of the mesh.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SharedField {
    version: u32,
    #[serde(with = "galatea_persist::shared")]
    field: Arc<FlowField>,
    /// The queues have changed since it was computed.
    is_stale: bool,
}

/// The routes of all agents of a crowd.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Routes {
    own: Vec<AgentPath>,
    /// Flow fields, the most recently used last.
    fields: Vec<SharedField>,
    congestion: Congestion,
}

impl Routes {
    /// Returns true if an agent is on an off-mesh link.
    pub fn is_on_link(&self, i: usize) -> bool {
        self.own.get(i).is_some_and(|own| own.link.is_some())
    }

    /// The edges that an agent will cross, in order.
    pub(super) fn edges_ahead(&self, i: usize) -> impl Iterator<Item = u32> + '_ {
        let own = self
            .own
            .get(i)
            .filter(|own| own.spot.is_some() && own.link.is_none());
        let (field, route) = match own.map(|own| &own.corners) {
            Some(AgentRoute::Shared(field)) => (Some(field), None),
            Some(AgentRoute::Own(route)) => (None, Some(route)),
            _ => (None, None),
        };
        let shared = field.and_then(|field| {
            let first = own.and_then(|own| own.kept)?.edge;
            Some(field.edges_from(first))
        });
        let first = own.map_or(0, |own| own.n_crossed);
        let alone = route
            .and_then(|route| route.edges.get(first..))
            .unwrap_or(&[]);
        shared.into_iter().flatten().chain(alone.iter().copied())
    }

    /// Returns true if all exits of the polygon on which an agent is are marked.
    pub(super) fn is_between(&self, mesh: &NavMesh, i: usize, marked: &[bool]) -> bool {
        let spot = self.own.get(i).and_then(|own| own.spot);
        spot.is_some_and(|spot| {
            let mut exits = mesh.exits(spot.polygon);
            exits.all(|edge| marked.get(edge as usize) == Some(&true))
        })
    }

    /// Finds routes for agents that need one, and sets the next corner of every agent.
    pub fn set_corners(
        &mut self,
        people: &mut [CrowdAgent],
        paths: Option<&StageNavMesh>,
        tick: u64,
        dt: f32,
    ) {
        let found = paths.and_then(|paths| Some((paths.mesh()?, paths.version())));
        let Some((mesh, version)) = found else {
            // Agents wait while the mesh is baked. Without a mesh they walk straight.
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
                (own.spot, own.corners) = (None, AgentRoute::Unknown);
                (own.kept, own.next, own.queue) = (None, None, None);
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
                (own.goal, own.corners) = (person.goal, AgentRoute::Unknown);
                person.aim = None;
                own.turning = CornerTurn::default();
                own.before_link = None;
            }
            person.waits = false;
        }
        if tick.is_multiple_of(PERIOD) {
            self.measure(mesh, people, (version, tick));
        }
        if paths.is_some_and(StageNavMesh::is_due) {
            // The mesh is about to be replaced.
            for (own, person) in self.own.iter().zip(&mut *people) {
                person.waits = matches!(own.corners, AgentRoute::Unknown);
            }
        } else {
            self.search(mesh, people, version);
            self.renew(mesh);
        }
        let own = self.own.par_iter_mut().zip(people.par_iter_mut());
        own.enumerate()
            .with_min_len(64)
            .for_each(|(i, (own, person))| {
                let is_due = (tick + i as u64).is_multiple_of(LOOKS) || person.aim.is_none();
                let is_near = |aim: Vec2| aim.distance(person.agent.at) < NEAR;
                if person.goal.is_some() && (is_due || person.aim.is_some_and(is_near)) {
                    own.find_corner(mesh, person);
                }
            });
        self.take_links(people, dt);
    }

    /// Measures the queues. Some of the agents decide again which exit they take.
    fn measure(&mut self, mesh: &NavMesh, people: &[CrowdAgent], (version, tick): (u32, u64)) {
        self.congestion.begin(version);
        for (i, (own, person)) in self.own.iter_mut().zip(people).enumerate() {
            own.queue = None;
            let decides = (i as u64 + tick / PERIOD).is_multiple_of(DECIDES);
            if let Some(kept) = &mut own.kept {
                kept.discount = if decides { INERTIA } else { f32::MAX };
            }
            let Some(here) = own
                .spot
                .filter(|_| person.goal.is_some() && own.link.is_none())
            else {
                continue;
            };
            match &own.corners {
                AgentRoute::Shared(field) => {
                    if let Some(edges) = field.edges(mesh, here, own.kept) {
                        self.congestion.count(mesh, i, person, edges);
                    }
                }
                AgentRoute::Own(route) => {
                    let edges = route.edges.iter().copied();
                    let left = edges.skip_while(|edge| mesh.owner(*edge) != here.polygon);
                    self.congestion.count(mesh, i, person, left);
                }
                AgentRoute::Unknown | AgentRoute::None => {}
            }
        }
        let all = &mut self.own;
        let has_changed = self.congestion.end(mesh, |i, place| {
            let own = &mut all[i];
            own.queue = Some(place);
            if let Some(kept) = &mut own.kept {
                kept.discount += (place.whole - place.ahead).max(0.0);
            }
            let decides = (i as u64 + tick / PERIOD).is_multiple_of(DECIDES);
            let is_alone = matches!(own.corners, AgentRoute::Own(_));
            own.searches_again = decides && is_alone && place.ahead > REROUTE_COST;
        });
        if has_changed {
            for field in &mut self.fields {
                field.is_stale = true;
            }
        }
    }

    /// Recomputes the first stale flow field with the present queues.
    fn renew(&mut self, mesh: &NavMesh) {
        let Some(stale) = self.fields.iter_mut().find(|field| field.is_stale) else {
            return;
        };
        stale.is_stale = false;
        let toll = |edge: u32| self.congestion.toll(edge);
        let now = Arc::new(FlowField::to(mesh, stale.field.goal(), toll));
        let was = std::mem::replace(&mut stale.field, now.clone());
        for own in &mut self.own {
            if let AgentRoute::Shared(field) = &mut own.corners
                && Arc::ptr_eq(field, &was)
            {
                field.clone_from(&now);
            }
        }
    }

    /// Lets agents enter links: one after another, in one direction at a time, the one that waited longest first.
    fn take_links(&mut self, people: &mut [CrowdAgent], dt: f32) {
        loop {
            let waiting = self.own.iter().enumerate().filter_map(|(i, own)| {
                let (link, waited) = own.before_link?;
                self.may_enter(&link, waited).then_some((i, waited))
            });
            let Some((i, _)) = waiting.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            else {
                break;
            };
            let (own, person) = (&mut self.own[i], &mut people[i]);
            if let Some((link, _)) = own.before_link.take() {
                let from = person.position();
                own.link = Some(LinkTravel {
                    link,
                    from,
                    fraction: 0.0,
                });
                own.spot = Some(link.to);
                person.agent.yields = 0.0;
            }
        }
        for (own, person) in self.own.iter_mut().zip(people) {
            if let Some((_, waited)) = &mut own.before_link {
                *waited += dt;
                person.waits = true;
            }
        }
    }

    /// Returns true if an agent that waited for `waited` seconds may enter a link.
    fn may_enter(&self, link: &NavLink, waited: f32) -> bool {
        let is_back = |other: &NavLink| other.from == link.to && other.to == link.from;
        self.own.iter().all(|own| {
            let is_free = own.link.is_none_or(|travel| {
                let gone = travel.fraction * travel.from.distance(travel.link.to.at);
                travel.link != *link && !is_back(&travel.link)
                    || travel.link == *link && gone >= LINK_GAP
            });
            let has_precedence = own.before_link.is_some_and(|(other, since)| {
                is_back(&other) && since > LINK_PATIENCE && since > waited
            });
            is_free && !has_precedence
        })
    }

    /// Finds routes within the limit of a tick: flow fields for many agents with one goal, paths for the others.
    fn search(&mut self, mesh: &NavMesh, people: &mut [CrowdAgent], version: u32) {
        let mut wanted: Vec<([u32; 3], usize)> = Vec::new();
        for (i, (own, person)) in self.own.iter().zip(&*people).enumerate() {
            let is_unknown = matches!(own.corners, AgentRoute::Unknown);
            if let Some(goal) = person.goal.filter(|_| is_unknown || own.searches_again) {
                let height = person.goal_height.unwrap_or(person.height.round());
                wanted.push(([goal.x, height, goal.y].map(f32::to_bits), i));
            }
        }
        if wanted.is_empty() {
            return;
        }
        wanted.sort_unstable();
        self.fields.retain(|field| field.version == version);
        let (mut alone, mut left) = (Vec::new(), SEARCHED);
        let cost = mesh.n_polygons().max(1);
        for together in wanted.chunk_by(|a, b| a.0 == b.0) {
            let first = &people[together[0].1];
            let height = first.goal_height.unwrap_or(first.height);
            let to = first.goal.unwrap_or_default();
            let Some(goal) = mesh.nearest_floor(Vec3::new(to.x, height, to.y), REACH) else {
                for (_, i) in together {
                    self.own[*i].corners = AgentRoute::None;
                }
                continue;
            };
            // An agent that is sent to a position off the mesh goes as near as it can.
            for (_, i) in together {
                people[*i].goal = Some(flat(goal.at));
                people[*i].goal_floor = Some(goal.at.y);
                self.own[*i].goal = people[*i].goal;
            }
            let known = self.fields.iter().position(|own| own.field.goal() == goal);
            if known.is_none() && together.len() < SHARED {
                alone.extend(together.iter().map(|(_, i)| (*i, goal)));
                continue;
            }
            let shared = match known {
                Some(at) => self.fields.remove(at),
                None if left < cost => {
                    for (_, i) in together {
                        people[*i].waits = matches!(self.own[*i].corners, AgentRoute::Unknown);
                    }
                    continue;
                }
                None => {
                    left -= cost;
                    let toll = |edge: u32| self.congestion.toll(edge);
                    SharedField {
                        version,
                        field: Arc::new(FlowField::to(mesh, goal, toll)),
                        is_stale: false,
                    }
                }
            };
            for (_, i) in together {
                self.own[*i].corners = AgentRoute::Shared(shared.field.clone());
                self.own[*i].kept = None;
                self.own[*i].searches_again = false;
            }
            if self.fields.len() >= MAX_FIELDS {
                self.fields.remove(0);
            }
            self.fields.push(shared);
        }
        alone.sort_unstable_by_key(|(i, _)| *i);
        self.search_alone(mesh, people, (&alone, (left / cost).max(1)));
    }

    /// Finds paths for the first `n` of the agents with goals of their own.
    fn search_alone(
        &mut self,
        mesh: &NavMesh,
        people: &mut [CrowdAgent],
        (alone, n): (&[(usize, NavPoint)], usize),
    ) {
        let now = n.min(alone.len());
        for (i, _) in &alone[now..] {
            people[*i].waits = matches!(self.own[*i].corners, AgentRoute::Unknown);
        }
        let (own, congestion) = (&self.own, &self.congestion);
        let find = |(i, goal): &(usize, NavPoint)| {
            let from = own[*i].spot?;
            let queue = own[*i].queue;
            Route::find_with(mesh, from, *goal, |edge| match queue {
                Some(place) if place.edge == edge => (place.ahead - INERTIA).max(0.0),
                _ => congestion.toll(edge),
            })
        };
        let ways: Vec<Option<Route>> = alone[..now].par_iter().map(find).collect();
        for ((i, _), way) in alone.iter().zip(ways) {
            self.own[*i].corners = way.map_or(AgentRoute::None, AgentRoute::Own);
            self.own[*i].searches_again = false;
            self.own[*i].n_crossed = 0;
        }
    }

    /// Keeps all agents on the mesh, and moves agents on links.
    pub fn keep_on_mesh(
        &mut self,
        people: &mut [CrowdAgent],
        paths: Option<&StageNavMesh>,
        dt: f32,
    ) {
        let Some(mesh) = paths.and_then(StageNavMesh::mesh) else {
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

impl AgentPath {
    /// Finds the next corner of the path.
    fn find_corner(&mut self, mesh: &NavMesh, person: &mut CrowdAgent) {
        let Some(spot) = self.spot.filter(|_| self.link.is_none()) else {
            return;
        };
        let from = Vec3::new(person.agent.at.x, spot.at.y, person.agent.at.y);
        let here = NavPoint { at: from, ..spot };
        let next = match &mut self.corners {
            AgentRoute::Unknown => return,
            AgentRoute::None => None,
            AgentRoute::Shared(field) => {
                if let Some(kept) = &mut self.kept
                    && mesh.owner(kept.edge) != here.polygon
                    && let Some(next) = self.next
                {
                    kept.edge = next;
                }
                let first = field.first(mesh, here, self.kept).map(|(_, edge)| edge);
                let discount = self.kept.map_or(f32::MAX, |kept| kept.discount);
                let kept = first.filter(|edge| (*edge as usize) < mesh.n_edges());
                self.kept = kept.map(|edge| PreferredEdge { edge, discount });
                self.next = kept.and_then(|edge| field.after(edge));
                let edges = first.map(|edge| field.edges_from(edge));
                edges.and_then(|edges| next_corner(mesh, from, edges, field.goal().at))
            }
            AgentRoute::Own(route) => {
                let at = route
                    .edges
                    .iter()
                    .position(|e| mesh.owner(*e) == spot.polygon);
                let goal = route.goal;
                self.n_crossed = at.unwrap_or(route.edges.len());
                match at {
                    Some(at) => next_corner(mesh, from, route.edges[at..].iter().copied(), goal.at),
                    None if goal.polygon == spot.polygon => Some(Corner::end(goal.at)),
                    // Other agents pushed it off its path.
                    None => {
                        self.corners = AgentRoute::Unknown;
                        return;
                    }
                }
            }
        };
        let Some(corner) = next else {
            self.corners = AgentRoute::None;
            self.goal = None;
            person.drop_goal();
            return;
        };
        let at = flat(corner.at);
        let is_goal = person.goal.is_some_and(|goal| goal.distance(at) < 0.05);
        let own_position = is_goal.then(|| person.own_position(at));
        person.own_position = own_position.filter(|place| mesh.straight(here, *place) >= 1.0);
        let walker = Walker {
            at: person.agent.at,
            radius: person.agent.radius,
            random: person.own_random(),
        };
        let turning = &mut self.turning;
        person.aim = turning.aim(mesh, here, &walker, (!is_goal).then_some(&corner), at);
        let link = corner.link.and_then(|link| mesh.link_of(link));
        let reached = link.filter(|_| at.distance(person.agent.at) < TAKEN);
        self.before_link = reached.map(|link| {
            let known = self.before_link.filter(|(known, _)| known == link);
            known.unwrap_or((*link, 0.0))
        });
    }

    /// Moves an agent along its link.
    fn pass(&mut self, mesh: &NavMesh, person: &mut CrowdAgent, dt: f32) {
        let Some(LinkTravel {
            link,
            from,
            fraction: share,
        }) = self.link
        else {
            return;
        };
        let to = link.to.at;
        let length = from.distance(to).max(1e-3);
        let share = (share + person.speed.max(0.1) * dt / length).min(1.0);
        let at = from.lerp(to, share);
        person.agent.at = flat(at);
        person.agent.velocity = (flat(to) - flat(from)) * (person.speed / length);
        (person.ground, person.height) = (at.y, at.y);
        if share < 1.0 {
            self.link = Some(LinkTravel {
                link,
                from,
                fraction: share,
            });
            return;
        }
        (self.link, person.aim) = (None, None);
        person.agent.yields = 1.0;
        self.spot = mesh.nearest(at, REACH).or(self.spot);
        self.find_corner(mesh, person);
    }
}
