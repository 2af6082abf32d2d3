//! Queues at the bottlenecks of a navigation mesh, as costs of its edges: agents far back in a queue take another exit when
//! that is faster.
//!
//! An agent with `n` others ahead of it passes an opening after `n / (flow × width)` seconds or after the time in which it
//! walks there, whichever is longer: it waits for the difference. The flow is that of openings measured by Seyfried et al.
//! (2009, "New insights into pedestrian flow through bottlenecks").

use super::person::Person;
use galatea_navmesh::NavMesh;

/// Ticks between two measurements.
pub(super) const PERIOD: u64 = 60;
/// Agents that pass a metre of an opening in a second.
const FLOW: f32 = 1.6;
/// Distance along a path within which its narrowest edge is the bottleneck, metres, and how many edges are followed.
const AHEAD: f32 = 30.0;
const MAX_EDGES: usize = 24;
/// Fraction of the width of the narrowest edge so far below which an edge is narrower.
const NARROWER: f32 = 0.9;
/// Width from which an edge is no bottleneck, metres.
const WIDE: f32 = 8.0;
/// Fraction of a new measurement that is taken over.
const SMOOTHING: f32 = 0.5;
/// Cost below which a queue is gone, metres.
const NEGLIGIBLE: f32 = 0.1;
/// Change of a cost from which paths are searched again, metres.
const CHANGE: f32 = 2.0;

/// An agent on its way to a bottleneck.
#[derive(Clone, Copy, Debug, PartialEq)]
struct QueuedAgent {
    edge: u32,
    /// Distance to the edge along the path, metres.
    distance: f32,
    agent: usize,
    speed: f32,
}

/// The place of an agent in a queue. Costs are distances in which it could walk while it waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct QueuePlace {
    /// The edge at which the queue ends.
    pub(super) edge: u32,
    /// Cost of waiting for the agents ahead, metres.
    pub(super) ahead: f32,
    /// Cost at the end of the queue.
    pub(super) whole: f32,
}

/// Queues of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Congestion {
    /// Cost of crossing each edge, metres; empty while nobody queues.
    tolls: Vec<f32>,
    /// Costs at the last search.
    searched: Vec<f32>,
    coming: Vec<QueuedAgent>,
    version: u32,
}

impl Congestion {
    /// Cost of crossing an edge because of its queue, metres.
    pub(super) fn toll(&self, edge: u32) -> f32 {
        self.tolls.get(edge as usize).copied().unwrap_or(0.0)
    }

    /// Begins a measurement.
    pub(super) fn begin(&mut self, version: u32) {
        if self.version != version {
            self.version = version;
            self.tolls.clear();
            self.searched.clear();
        }
        self.coming.clear();
    }

    /// Counts an agent whose path crosses `edges`.
    pub(super) fn count(
        &mut self,
        mesh: &NavMesh,
        agent: usize,
        person: &Person,
        edges: impl Iterator<Item = u32>,
    ) {
        let mut at = person.position();
        let (mut distance, mut narrowest) = (0.0, None);
        for edge in edges.take(MAX_EDGES) {
            let gate = mesh.gate(edge);
            distance += at.distance(gate);
            at = mesh.behind(edge);
            if distance > AHEAD {
                break;
            }
            let width = width_of(mesh, edge);
            if narrowest.is_none_or(|(_, _, known)| width < NARROWER * known) {
                narrowest = Some((edge, distance, width));
            }
        }
        if let Some((edge, distance, _)) = narrowest.filter(|(_, _, width)| *width < WIDE) {
            self.coming.push(QueuedAgent {
                edge,
                distance,
                agent,
                speed: person.pace,
            });
        }
    }

    /// Ends a measurement. Calls `f` with each agent in a queue and its place. Returns whether flow fields are stale.
    pub(super) fn end(&mut self, mesh: &NavMesh, mut f: impl FnMut(usize, QueuePlace)) -> bool {
        if self.coming.is_empty() && self.tolls.is_empty() {
            return false;
        }
        self.tolls.resize(mesh.n_edges(), 0.0);
        self.searched.resize(mesh.n_edges(), 0.0);
        for toll in &mut self.tolls {
            *toll *= 1.0 - SMOOTHING;
            if *toll < NEGLIGIBLE {
                *toll = 0.0;
            }
        }
        self.coming.sort_unstable_by(|a, b| {
            let by_edge = a.edge.cmp(&b.edge);
            let by_distance = by_edge.then(a.distance.total_cmp(&b.distance));
            by_distance.then(a.agent.cmp(&b.agent))
        });
        for queue in self.coming.chunk_by(|a, b| a.edge == b.edge) {
            let edge = queue[0].edge;
            let speed = queue.iter().map(|one| one.speed).sum::<f32>() / queue.len() as f32;
            let each = speed / (FLOW * width_of(mesh, edge));
            let wait =
                |place: usize, one: &QueuedAgent| (each * place as f32 - one.distance).max(0.0);
            let waits = queue.iter().enumerate().map(|(k, one)| wait(k, one));
            self.tolls[edge as usize] += SMOOTHING * waits.fold(0.0, f32::max);
            for (place, one) in queue.iter().enumerate() {
                let place = QueuePlace {
                    edge,
                    ahead: wait(place, one),
                    whole: self.tolls[edge as usize],
                };
                f(one.agent, place);
            }
        }
        let mut pairs = self.tolls.iter().zip(&self.searched);
        let has_changed = pairs.any(|(now, then)| (now - then).abs() > CHANGE);
        if has_changed {
            self.searched.clone_from(&self.tolls);
        }
        has_changed
    }
}

/// Width of an opening between the walls at both ends of an edge, metres.
fn width_of(mesh: &NavMesh, edge: u32) -> f32 {
    if mesh.link_of(edge).is_some() {
        return 2.0 * mesh.radius;
    }
    let [a, b] = mesh.ends(edge);
    a.distance(b) + 2.0 * mesh.radius
}
