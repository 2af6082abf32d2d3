//! Cheapest paths: from everywhere to one goal (a flow field), or from one start.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::funnel::{Corner, corners};
use super::mesh::{NONE, NavMesh, NavPoint};
use galatea_math::lines::flat;

/// The cheapest paths to a goal from everywhere, by Dijkstra's algorithm over points on the edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowField {
    goal: NavPoint,
    /// Cost from crossing each edge to the goal; infinite without a path.
    costs: Vec<f32>,
    /// The edge to cross next; [`NONE`] in the goal's polygon.
    next: Vec<u32>,
    /// Crossing point of each edge: halfway between its middle and the point nearest to the next crossing.
    gates: Vec<Vec3>,
}

/// A path from one point to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// Goal of the path.
    pub goal: NavPoint,
    /// Edges and links to cross, in order.
    pub edges: Vec<u32>,
}

/// The edge that an agent prefers to keep, with a discount.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PreferredEdge {
    /// The preferred edge.
    pub edge: u32,
    /// Cost that is subtracted from the field's for this agent.
    pub discount: f32,
}

/// An entry of the priority queue, ordered by cost, then by number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OpenEdge {
    cost: f32,
    edge: u32,
}

impl Eq for OpenEdge {}

impl Ord for OpenEdge {
    fn cmp(&self, other: &Self) -> Ordering {
        let cheaper = other.cost.total_cmp(&self.cost);
        cheaper.then(other.edge.cmp(&self.edge))
    }
}

impl PartialOrd for OpenEdge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FlowField {
    /// Finds the paths to a goal. `toll` is added to the cost of crossing an edge; it must not be negative.
    pub fn to(mesh: &NavMesh, goal: NavPoint, toll: impl Fn(u32) -> f32) -> Self {
        Self::search(mesh, goal, None, toll)
    }

    /// Dijkstra's algorithm; with a start, A* towards it, which stops there.
    fn search(
        mesh: &NavMesh,
        goal: NavPoint,
        from: Option<NavPoint>,
        toll: impl Fn(u32) -> f32,
    ) -> Self {
        let mut field = Self {
            goal,
            costs: vec![f32::INFINITY; mesh.n_edges()],
            next: vec![NONE; mesh.n_edges()],
            gates: (0..mesh.n_edges() as u32).map(|e| mesh.gate(e)).collect(),
        };
        let mut open = BinaryHeap::new();
        let least = mesh.min_cost();
        let ahead = |gate: Vec3| from.map_or(0.0, |from| least * gate.distance(from.at));
        // Minimum cost from the start over the exits visited so far.
        let mut best = f32::INFINITY;
        let own = mesh.cost(goal.polygon);
        for edge in mesh.entries(goal.polygon) {
            let (gate, behind) = crossing(mesh, edge, goal.at);
            let cost = behind.distance(goal.at) * own + mesh.toll(edge) + toll(edge);
            if cost < field.costs[edge as usize] {
                field.costs[edge as usize] = cost;
                field.gates[edge as usize] = gate;
                open.push(OpenEdge {
                    cost: cost + ahead(gate),
                    edge,
                });
            }
        }
        while let Some(OpenEdge { cost, edge }) = open.pop() {
            let known = field.costs[edge as usize];
            if cost >= best {
                break;
            }
            if cost > known + ahead(field.gates[edge as usize]) {
                continue;
            }
            let polygon = mesh.owner(edge);
            if let Some(from) = from.filter(|from| from.polygon == polygon) {
                let way = field.gates[edge as usize].distance(from.at);
                best = best.min(known + way * mesh.cost(polygon));
            }
            let (gate, metre) = (field.gates[edge as usize], mesh.cost(polygon));
            for before in mesh.entries(polygon) {
                if before == mesh.twin(edge) {
                    continue;
                }
                let (own, behind) = crossing(mesh, before, gate);
                let way = behind.distance(gate) * metre;
                let cost = known + way + mesh.toll(before) + toll(before);
                if cost < field.costs[before as usize] {
                    field.gates[before as usize] = own;
                    field.costs[before as usize] = cost;
                    field.next[before as usize] = edge;
                    open.push(OpenEdge {
                        cost: cost + ahead(own),
                        edge: before,
                    });
                }
            }
        }
        field
    }

    /// The goal of the field.
    pub fn goal(&self) -> NavPoint {
        self.goal
    }

    /// Cost from a point to the goal, and the first edge to cross: `u32::MAX` in the goal's polygon. `None` without a path.
    pub fn first(
        &self,
        mesh: &NavMesh,
        from: NavPoint,
        kept: Option<PreferredEdge>,
    ) -> Option<(f32, u32)> {
        let metre = mesh.cost(from.polygon);
        let straight = (from.polygon == self.goal.polygon)
            .then(|| (from.at.distance(self.goal.at) * metre, NONE));
        let around = mesh.exits(from.polygon).map(|edge| {
            let way = self.gates[edge as usize].distance(from.at) * metre;
            let own = kept.filter(|kept| kept.edge == edge);
            let discount = own.map_or(0.0, |kept| kept.discount);
            (self.costs[edge as usize] + way - discount, edge)
        });
        let cheapest = around.chain(straight).min_by(|a, b| a.0.total_cmp(&b.0));
        cheapest.filter(|(cost, _)| cost.is_finite())
    }

    /// Edges that are crossed from a point on, in order; empty in the goal's polygon. `None` without a path.
    pub fn edges<'a>(
        &'a self,
        mesh: &NavMesh,
        from: NavPoint,
        kept: Option<PreferredEdge>,
    ) -> Option<impl Iterator<Item = u32> + 'a> {
        let (_, first) = self.first(mesh, from, kept)?;
        Some(self.edges_from(first))
    }

    /// An edge and those that are crossed after it, in order; empty for `u32::MAX`.
    pub fn edges_from(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let first = (first != NONE).then_some(first);
        std::iter::successors(first, |edge| self.after(*edge))
    }

    /// The edge that is crossed after another. `None` if that leads into the goal's polygon.
    pub fn after(&self, edge: u32) -> Option<u32> {
        let next = self.next.get(edge as usize).copied();
        next.filter(|next| *next != NONE)
    }
}

/// The points at which a path to `to` reaches an edge or a link, and at which it enters the next polygon.
fn crossing(mesh: &NavMesh, edge: u32, to: Vec3) -> (Vec3, Vec3) {
    if mesh.link_of(edge).is_some() {
        return (mesh.gate(edge), mesh.behind(edge));
    }
    let [a, b] = mesh.ends(edge);
    let way = b - a;
    let along = (to - a).dot(way) / way.length_squared().max(1e-12);
    let at = (a + way * along.clamp(0.0, 1.0)).lerp((a + b) * 0.5, 0.5);
    (at, at)
}

impl Route {
    /// Finds the cheapest path. `None` if there is none.
    pub fn find(mesh: &NavMesh, from: NavPoint, goal: NavPoint) -> Option<Self> {
        Self::find_with(mesh, from, goal, |_| 0.0)
    }

    /// Finds the cheapest path. `toll` adds to the cost of crossing an edge, at least 0.
    pub fn find_with(
        mesh: &NavMesh,
        from: NavPoint,
        goal: NavPoint,
        toll: impl Fn(u32) -> f32,
    ) -> Option<Self> {
        if !mesh.may_reach(from.polygon, goal.polygon) {
            return None;
        }
        let field = FlowField::search(mesh, goal, Some(from), toll);
        let edges = field.edges(mesh, from, None)?.collect();
        Some(Self { goal, edges })
    }

    /// The points at which it turns, the goal last, from a position on its first polygon.
    pub fn corners(&self, mesh: &NavMesh, from: Vec3) -> Vec<Corner> {
        let mut found = Vec::new();
        let edges = self.edges.iter().copied();
        corners(mesh, from, edges, self.goal.at, usize::MAX, &mut found);
        found
    }

    /// Length on the ground from a position on its first polygon, metres.
    pub fn length(&self, mesh: &NavMesh, from: Vec3) -> f32 {
        let mut last = flat(from);
        let mut sum = 0.0;
        for corner in self.corners(mesh, from) {
            sum += flat(corner.at).distance(last);
            last = flat(corner.at);
        }
        sum
    }
}
