//! The cheapest ways: to one place from everywhere (a flow field), or from one place.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::Vec3;

use super::funnel::{Corner, corners};
use super::mesh::{NONE, NavMesh, NavPoint};
use galatea_math::lines::flat;

/// The cheapest ways to a goal, by Dijkstra's algorithm from the goal on, over the middles of edges.
#[derive(Clone, Debug, PartialEq)]
pub struct PathField {
    goal: NavPoint,
    /// Cost from the middle of each edge, left, to the goal; infinite where no way leads.
    costs: Vec<f32>,
    /// The edge that is left next; none in the goal's polygon.
    next: Vec<u32>,
    /// Where each edge is crossed: a compromise between straight on from the next crossing and its middle.
    gates: Vec<Vec3>,
}

/// A way from one place to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Where it leads.
    pub goal: NavPoint,
    /// Edges that are left, in order.
    pub edges: Vec<u32>,
}

/// What is looked at next: the cheapest first, of those that cost the same the edge of the lower number.
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

impl PathField {
    /// The ways to a goal from everywhere.
    pub fn to(mesh: &NavMesh, goal: NavPoint) -> Self {
        Self::search(mesh, goal, None)
    }

    /// Dijkstra's algorithm; with a place to come from only as far as there, and straight towards it first (A*).
    fn search(mesh: &NavMesh, goal: NavPoint, from: Option<NavPoint>) -> Self {
        let mut field = Self {
            goal,
            costs: vec![f32::INFINITY; mesh.n_edges()],
            next: vec![NONE; mesh.n_edges()],
            gates: (0..mesh.n_edges() as u32).map(|e| mesh.gate(e)).collect(),
        };
        let mut open = BinaryHeap::new();
        let least = mesh.least_cost();
        let ahead = |gate: Vec3| from.map_or(0.0, |from| least * gate.distance(from.at));
        // From the place to come from, by the best of its exits.
        let mut best = f32::INFINITY;
        let own = mesh.cost(goal.polygon);
        for edge in mesh.entries(goal.polygon) {
            let (gate, behind) = crossing(mesh, edge, goal.at);
            let cost = behind.distance(goal.at) * own + mesh.toll(edge);
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
                let cost = known + way + mesh.toll(before);
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

    /// Where it leads.
    pub fn goal(&self) -> NavPoint {
        self.goal
    }

    /// Cost from a place to the goal, and the edge that is left first: none in the goal's polygon. Nothing where no way
    /// leads there.
    pub fn first(&self, mesh: &NavMesh, from: NavPoint) -> Option<(f32, u32)> {
        let metre = mesh.cost(from.polygon);
        let straight = (from.polygon == self.goal.polygon)
            .then(|| (from.at.distance(self.goal.at) * metre, NONE));
        let around = mesh.exits(from.polygon).map(|edge| {
            let way = self.gates[edge as usize].distance(from.at) * metre;
            (self.costs[edge as usize] + way, edge)
        });
        let cheapest = around.chain(straight).min_by(|a, b| a.0.total_cmp(&b.0));
        cheapest.filter(|(cost, _)| cost.is_finite())
    }

    /// Edges that are left from a place on, in order; empty in the goal's polygon. Nothing where no way leads there.
    pub fn edges<'a>(
        &'a self,
        mesh: &NavMesh,
        from: NavPoint,
    ) -> Option<impl Iterator<Item = u32> + 'a> {
        let (_, first) = self.first(mesh, from)?;
        let mut at = first;
        Some(std::iter::from_fn(move || {
            let edge = (at != NONE).then_some(at)?;
            at = self.next[edge as usize];
            Some(edge)
        }))
    }
}

/// Where an edge or a link is left on the way to a place, and where one is then.
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
    /// The cheapest way from one place to another; nothing where none leads there.
    pub fn find(mesh: &NavMesh, from: NavPoint, goal: NavPoint) -> Option<Self> {
        if !mesh.may_reach(from.polygon, goal.polygon) {
            return None;
        }
        let field = PathField::search(mesh, goal, Some(from));
        let edges = field.edges(mesh, from)?.collect();
        Some(Self { goal, edges })
    }

    /// Places at which it turns, the goal last, from a place on its first polygon on.
    pub fn corners(&self, mesh: &NavMesh, from: Vec3) -> Vec<Corner> {
        let mut found = Vec::new();
        let edges = self.edges.iter().copied();
        corners(mesh, from, edges, self.goal.at, usize::MAX, &mut found);
        found
    }

    /// Metres from a place on its first polygon to its goal.
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
