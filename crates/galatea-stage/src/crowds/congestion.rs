//! Queues at the bottlenecks of a navigation mesh, as costs of edges: agents far back in a queue take another exit if that
//! is faster.
//!
//! An agent with `n` others ahead passes an opening after `n / (flow × width)` seconds, but not before it has walked there;
//! it waits for the difference. The flow is that of openings measured by Seyfried et al. (2009, "New insights into
//! pedestrian flow through bottlenecks").

use serde::{Deserialize, Serialize};

use super::crowd_agent::CrowdAgent;
use galatea_navmesh::NavMesh;

/// Ticks between two measurements.
pub(super) const PERIOD: u64 = 60;
/// Flow of agents through an opening, per metre and second.
const FLOW: f32 = 1.6;
/// Distance along a path within which its narrowest edge is the bottleneck, metres, and how many edges are followed.
const AHEAD: f32 = 30.0;
const MAX_EDGES: usize = 24;
/// An edge replaces a nearer one as the bottleneck if its width is less than this fraction of the other's.
const NARROWER: f32 = 0.9;
/// Width from which an edge is no bottleneck, metres.
const WIDE: f32 = 8.0;
/// Weight of a new measurement.
const SMOOTHING: f32 = 0.5;
/// Cost below which a queue is gone, metres.
const NEGLIGIBLE: f32 = 0.1;
/// Change of a cost from which paths are searched again, metres.
const CHANGE: f32 = 2.0;

/// An agent that walks to a bottleneck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct QueuedAgent {
    edge: u32,
    /// Distance to the edge along the path, metres.
    distance: f32,
    agent: usize,
    speed: f32,
}

/// Position of an agent in a queue. Costs are the distances that it could walk while it waits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct QueuePosition {
    /// The edge of the bottleneck.
    pub(super) edge: u32,
    /// Cost of waiting for the agents ahead, metres.
    pub(super) ahead: f32,
    /// Cost of waiting for the whole queue, metres, smoothed.
    pub(super) whole: f32,
}

/// Queues of a crowd.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Congestion {
    /// Cost of crossing each edge, metres; empty while there are no queues.
    tolls: Vec<f32>,
    /// Costs at the last change of the paths.
    searched: Vec<f32>,
    coming: Vec<QueuedAgent>,
    version: u32,
}

impl Congestion {
    /// Cost of the queue before an edge, metres.
    pub(super) fn toll(&self, edge: u32) -> f32 {
        self.tolls.get(edge as usize).copied().unwrap_or(0.0)
    }

    /// Starts a measurement.
    pub(super) fn begin(&mut self, version: u32) {
        if self.version != version {
            self.version = version;
            self.tolls.clear();
            self.searched.clear();
        }
        self.coming.clear();
    }

    /// Counts an agent with a path over `edges`.
    pub(super) fn count(
        &mut self,
        mesh: &NavMesh,
        agent: usize,
        person: &CrowdAgent,
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
                speed: person.speed,
            });
        }
    }

    /// Ends a measurement. Calls `f` with each agent in a queue and its position there. Returns true if flow fields are
    /// stale.
    pub(super) fn end(&mut self, mesh: &NavMesh, mut f: impl FnMut(usize, QueuePosition)) -> bool {
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
                let place = QueuePosition {
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

/// Width of the opening at an edge, between the walls at its ends, metres.
fn width_of(mesh: &NavMesh, edge: u32) -> f32 {
    if mesh.link_of(edge).is_some() {
        return 2.0 * mesh.radius;
    }
    let [a, b] = mesh.ends(edge);
    a.distance(b) + 2.0 * mesh.radius
}
