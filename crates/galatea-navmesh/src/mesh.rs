//! Walkable convex polygons and their neighbours.

use glam::{IVec2, Vec2, Vec3};
use rerecast::PolygonNavmesh;
use serde::{Deserialize, Serialize};

use super::ground::NavVolume;
use galatea_math::lines::{flat, nearest_on};

/// No polygon, edge, corner or door.
pub const NONE: u32 = u32::MAX;
/// Side of a cell of the grid in which polygons are searched, metres, and the maximum number of cells along an axis.
const CELL: f32 = 4.0;
const MAX_CELLS: f32 = 512.0;
/// Maximum number of corners along a border that are followed.
const MAX_ALONG: usize = 16;
/// Weight of horizontal distance relative to height in the search for the floor of a goal.
const ASIDE: f32 = 3.0;

/// A position on a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NavPoint {
    /// The polygon that contains it.
    pub polygon: u32,
    /// Position, metres.
    pub at: Vec3,
}

/// An off-mesh link: a ladder, a jump, a lift.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NavLink {
    /// Start.
    pub from: NavPoint,
    /// End.
    pub to: NavPoint,
    /// Cost, in metres of plain ground.
    pub cost: f32,
}

/// A navigation mesh. An edge has the number of its first corner; the numbers of links follow those of the edges.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct NavMesh {
    vertices: Vec<Vec3>,
    /// Index of the first corner of each polygon, and the total at the end.
    firsts: Vec<u32>,
    corners: Vec<u32>,
    /// The opposite edge of each; [`NONE`] at borders and at closed doors.
    pub(super) twins: Vec<u32>,
    /// The polygon of each edge.
    pub(super) owners: Vec<u32>,
    /// The corners before and after each corner along its border; [`NONE`] for corners inside the mesh.
    along: Vec<[u32; 2]>,
    costs: Vec<f32>,
    links: Vec<NavLink>,
    /// Connected component of each polygon, without links.
    islands: Vec<u32>,
    low: Vec2,
    cell: f32,
    size: IVec2,
    cells: Vec<Vec<u32>>,
    /// Door of each polygon; [`NONE`] for others.
    pub(super) doors: Vec<u32>,
    /// True for each closed door.
    pub(super) closed: Vec<bool>,
    /// The opposite edges while all doors are open.
    pub(super) open_twins: Vec<u32>,
    /// Mean distance of borders from walls, metres.
    pub radius: f32,
}

impl NavMesh {
    pub(super) fn new(
        baked: &PolygonNavmesh,
        radius: f32,
        costs: &[f32],
        doors: &[NavVolume],
    ) -> Self {
        let low = baked.aabb.min;
        let place = |v: &glam::U16Vec3| {
            let cells = Vec3::new(baked.cell_size, baked.cell_height, baked.cell_size);
            low + v.as_vec3() * cells
        };
        let mut mesh = Self {
            vertices: baked.vertices.iter().map(place).collect(),
            radius,
            ..Self::default()
        };
        let wide = usize::from(baked.max_vertices_per_polygon);
        let polygons = baked.polygons.chunks_exact(wide.max(1));
        for (i, corners) in polygons.enumerate().take(baked.polygon_count()) {
            let n = corners
                .iter()
                .take_while(|corner| **corner != PolygonNavmesh::NO_INDEX)
                .count();
            let owner = mesh.firsts.len() as u32;
            mesh.firsts.push(mesh.corners.len() as u32);
            mesh.corners
                .extend(corners[..n].iter().map(|corner| u32::from(*corner)));
            mesh.owners.extend(std::iter::repeat_n(owner, n));
            let area = usize::from(*baked.areas[i]);
            let cost = costs.get(area.wrapping_sub(1));
            mesh.costs.push(cost.copied().unwrap_or(1.0).max(0.01));
        }
        mesh.firsts.push(mesh.corners.len() as u32);
        mesh.pair();
        mesh.find_doors(&baked.areas, doors);
        mesh.connect();
        mesh.sort_into_cells();
        mesh
    }

    /// Finds the opposite of each edge: the edge between the same corners in the other direction.
    fn pair(&mut self) {
        let mut known = std::collections::BTreeMap::new();
        for edge in 0..self.corners.len() as u32 {
            let [a, b] = self.corners_of(edge);
            known.insert((a, b), edge);
        }
        let twin = |edge: u32| {
            let [a, b] = self.corners_of(edge);
            known.get(&(b, a)).copied().unwrap_or(NONE)
        };
        self.open_twins = (0..self.corners.len() as u32).map(twin).collect();
    }

    /// Connects polygons over shared edges; the edges of closed doors stay unconnected.
    pub(super) fn connect(&mut self) {
        let twin = |edge: usize| match self.open_twins[edge] {
            twin if twin == NONE || self.is_closed(self.owners[edge]) => NONE,
            twin if self.is_closed(self.owners[twin as usize]) => NONE,
            twin => twin,
        };
        self.twins = (0..self.open_twins.len()).map(twin).collect();
        self.find_borders();
        self.find_islands();
    }

    fn find_borders(&mut self) {
        self.along = vec![[NONE; 2]; self.vertices.len()];
        for edge in 0..self.twins.len() {
            if self.twins[edge] != NONE || self.is_closed(self.owners[edge]) {
                continue;
            }
            let [a, b] = self.corners_of(edge as u32);
            self.along[a as usize][1] = b;
            self.along[b as usize][0] = a;
        }
    }

    fn find_islands(&mut self) {
        self.islands = vec![NONE; self.n_polygons()];
        let mut open = Vec::new();
        let mut island = 0;
        for first in 0..self.n_polygons() as u32 {
            if self.islands[first as usize] != NONE {
                continue;
            }
            open.push(first);
            self.islands[first as usize] = island;
            while let Some(polygon) = open.pop() {
                for edge in self.edges(polygon) {
                    let next = self.beyond(edge);
                    if next != NONE && self.islands[next as usize] == NONE {
                        self.islands[next as usize] = island;
                        open.push(next);
                    }
                }
            }
            island += 1;
        }
    }

    fn sort_into_cells(&mut self) {
        let flat = || self.vertices.iter().map(|at| Vec2::new(at.x, at.z));
        let low = flat().fold(Vec2::INFINITY, Vec2::min);
        let high = flat().fold(Vec2::NEG_INFINITY, Vec2::max);
        if self.n_polygons() == 0 {
            return;
        }
        let cell = ((high - low).max_element() / MAX_CELLS).max(CELL);
        (self.low, self.cell) = (low, cell);
        self.size = ((high - low) / cell).as_ivec2() + 1;
        self.cells = vec![Vec::new(); (self.size.x * self.size.y) as usize];
        for polygon in 0..self.n_polygons() as u32 {
            let around = || self.around(polygon).map(|at| Vec2::new(at.x, at.z));
            let from = self.cell_of(around().fold(Vec2::INFINITY, Vec2::min));
            let to = self.cell_of(around().fold(Vec2::NEG_INFINITY, Vec2::max));
            for y in from.y..=to.y {
                for x in from.x..=to.x {
                    self.cells[(y * self.size.x + x) as usize].push(polygon);
                }
            }
        }
    }

    fn cell_of(&self, at: Vec2) -> IVec2 {
        let cell = ((at - self.low) / self.cell).floor().as_ivec2();
        cell.clamp(IVec2::ZERO, self.size - 1)
    }

    /// Adds an off-mesh link in one direction. Returns `None` if an end is farther than `reach` metres from the mesh.
    pub fn add_link(&mut self, from: Vec3, to: Vec3, cost: f32, reach: f32) -> Option<()> {
        let (from, to) = (self.nearest(from, reach)?, self.nearest(to, reach)?);
        self.links.push(NavLink { from, to, cost });
        Some(())
    }

    /// All off-mesh links.
    pub fn links(&self) -> &[NavLink] {
        &self.links
    }

    /// The link with this edge number, if it is a link.
    pub fn link_of(&self, edge: u32) -> Option<&NavLink> {
        self.links
            .get(edge.checked_sub(self.corners.len() as u32)? as usize)
    }

    /// Number of polygons.
    pub fn n_polygons(&self) -> usize {
        self.firsts.len().saturating_sub(1)
    }

    /// Number of edges and links.
    pub fn n_edges(&self) -> usize {
        self.corners.len() + self.links.len()
    }

    /// Edges of a polygon.
    pub fn edges(&self, polygon: u32) -> std::ops::Range<u32> {
        self.firsts[polygon as usize]..self.firsts[polygon as usize + 1]
    }

    /// Edges and links that lead out of a polygon.
    pub fn exits(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        let n = self.corners.len() as u32;
        let links = (n..).zip(&self.links);
        let own =
            links.filter(move |(_, link)| link.from.polygon == polygon && self.is_passable(link));
        let edges = self.edges(polygon);
        let edges = edges.filter(|edge| self.twins[*edge as usize] != NONE);
        edges.chain(own.map(|(edge, _)| edge))
    }

    /// Edges and links that lead into a polygon.
    pub fn entries(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        let n = self.corners.len() as u32;
        let links = (n..).zip(&self.links);
        let own =
            links.filter(move |(_, link)| link.to.polygon == polygon && self.is_passable(link));
        let edges = self.edges(polygon).map(|edge| self.twins[edge as usize]);
        let edges = edges.filter(|edge| *edge != NONE);
        edges.chain(own.map(|(edge, _)| edge))
    }

    /// The polygon of an edge or a link.
    pub fn owner(&self, edge: u32) -> u32 {
        match self.link_of(edge) {
            Some(link) => link.from.polygon,
            None => self.owners[edge as usize],
        }
    }

    /// The polygon on the other side; `u32::MAX` at borders.
    pub fn beyond(&self, edge: u32) -> u32 {
        match self.link_of(edge) {
            Some(link) => link.to.polygon,
            None => match self.twins[edge as usize] {
                NONE => NONE,
                twin => self.owners[twin as usize],
            },
        }
    }

    /// The opposite of an edge; `u32::MAX` at borders and for links.
    pub fn twin(&self, edge: u32) -> u32 {
        self.twins.get(edge as usize).copied().unwrap_or(NONE)
    }

    /// Corners at both ends of an edge that is not a link.
    pub(super) fn corners_of(&self, edge: u32) -> [u32; 2] {
        let range = self.edges(self.owners[edge as usize]);
        let next = if edge + 1 == range.end {
            range.start
        } else {
            edge + 1
        };
        [self.corners[edge as usize], self.corners[next as usize]]
    }

    /// Both ends of an edge that is not a link.
    pub fn ends(&self, edge: u32) -> [Vec3; 2] {
        self.corners_of(edge)
            .map(|corner| self.vertices[corner as usize])
    }

    /// Unit directions on the ground of the two borders at a corner, measured over `reach` metres; `None` for corners inside
    /// the mesh.
    pub fn walls_at(&self, corner: u32, reach: f32) -> Option<[Vec2; 2]> {
        let from = flat(*self.vertices.get(corner as usize)?);
        let along = |side: usize| {
            let mut at = corner;
            for _ in 0..MAX_ALONG {
                at = *self.along.get(at as usize)?.get(side)?;
                let off = flat(*self.vertices.get(at as usize)?) - from;
                if off.length_squared() >= reach * reach {
                    return off.try_normalize();
                }
            }
            None
        };
        Some([along(0)?, along(1)?])
    }

    /// Middle of an edge; start of a link.
    pub fn gate(&self, edge: u32) -> Vec3 {
        match self.link_of(edge) {
            Some(link) => link.from.at,
            None => {
                let [a, b] = self.ends(edge);
                (a + b) * 0.5
            }
        }
    }

    /// Middle of an edge; end of a link.
    pub fn behind(&self, edge: u32) -> Vec3 {
        self.link_of(edge)
            .map_or_else(|| self.gate(edge), |link| link.to.at)
    }

    /// Additional cost of a link; 0 for edges.
    pub fn toll(&self, edge: u32) -> f32 {
        self.link_of(edge).map_or(0.0, |link| link.cost)
    }

    /// Cost per metre in a polygon.
    pub fn cost(&self, polygon: u32) -> f32 {
        self.costs[polygon as usize]
    }

    /// Minimum cost per metre over all polygons and links.
    pub fn min_cost(&self) -> f32 {
        let toll = |link: &NavLink| link.cost / link.from.at.distance(link.to.at).max(1e-3);
        let all = self
            .costs
            .iter()
            .copied()
            .chain(self.links.iter().map(toll));
        all.fold(1.0, f32::min)
    }

    /// Returns false if there is certainly no path from one polygon to another.
    pub fn may_reach(&self, from: u32, to: u32) -> bool {
        // With links, only a search can decide.
        !self.links.is_empty() || self.islands[from as usize] == self.islands[to as usize]
    }

    /// Corners of a polygon.
    pub fn around(&self, polygon: u32) -> impl Iterator<Item = Vec3> + '_ {
        let corners =
            &self.corners[self.edges(polygon).start as usize..self.edges(polygon).end as usize];
        corners.iter().map(|corner| self.vertices[*corner as usize])
    }

    /// Edges at which the mesh ends, each with the unit direction on the ground to its inside.
    pub fn borders(&self) -> impl Iterator<Item = ([Vec3; 2], Vec2)> + '_ {
        let all = (0..).zip(&self.twins);
        let borders = all.filter(|(_, twin)| **twin == NONE);
        let open = borders.filter(|(edge, _)| !self.is_closed(self.owners[*edge as usize]));
        open.map(move |(edge, _)| {
            let ends = self.ends(edge);
            let polygon = self.owner(edge);
            let n = self.edges(polygon).len().max(1) as f32;
            let middle: Vec2 = self.around(polygon).map(flat).sum::<Vec2>() / n;
            let across = (flat(ends[1]) - flat(ends[0])).perp().normalize_or_zero();
            let side = across.dot(middle - flat(ends[0])).signum();
            (ends, across * side)
        })
    }

    /// Returns true if a polygon contains a position on the ground; edges belong to it.
    pub fn holds(&self, polygon: u32, at: Vec2) -> bool {
        let mut sides = (false, false);
        for edge in self.edges(polygon) {
            let [a, b] = self.ends(edge).map(|end| Vec2::new(end.x, end.z));
            let side = (b - a).perp_dot(at - a);
            sides.0 |= side > 1e-5;
            sides.1 |= side < -1e-5;
        }
        !(sides.0 && sides.1)
    }

    /// Height of a polygon at a position, metres.
    pub fn height(&self, polygon: u32, at: Vec2) -> f32 {
        let mut corners = self.around(polygon);
        let Some(first) = corners.next() else {
            return 0.0;
        };
        let rest: Vec<Vec3> = corners.collect();
        let mut nearest = (f32::INFINITY, first.y);
        for two in rest.windows(2) {
            let (a, b, c) = (flat(first), flat(two[0]), flat(two[1]));
            let whole = (b - a).perp_dot(c - a);
            if whole.abs() < 1e-9 {
                continue;
            }
            let v = (at - a).perp_dot(c - a) / whole;
            let w = (b - a).perp_dot(at - a) / whole;
            let off = -(v.min(w).min(1.0 - v - w)).min(0.0);
            if off < nearest.0 {
                let height = first.y + (two[0].y - first.y) * v + (two[1].y - first.y) * w;
                nearest = (off, height);
            }
        }
        nearest.1
    }

    /// The point of the mesh nearest to a position, within `reach` metres on the ground and twice that in height. `None` if
    /// there is none.
    pub fn nearest(&self, at: Vec3, reach: f32) -> Option<NavPoint> {
        self.nearest_by(at, reach, |off, up| (up <= 2.0 * reach).then_some(off + up))
    }

    /// The point of the mesh on the floor nearest in height, within `reach` metres on the ground. `None` if there is none.
    pub fn nearest_floor(&self, at: Vec3, reach: f32) -> Option<NavPoint> {
        self.nearest_by(at, reach, |off, up| Some(ASIDE * off + up))
    }

    /// The point of the mesh with the lowest score, computed from the distances on the ground and in height.
    fn nearest_by(
        &self,
        at: Vec3,
        reach: f32,
        score: impl Fn(f32, f32) -> Option<f32>,
    ) -> Option<NavPoint> {
        if self.cells.is_empty() || !at.is_finite() {
            return None;
        }
        let flat = flat(at);
        let high = self.low + self.size.as_vec2() * self.cell;
        if (flat + reach).cmplt(self.low).any() || (flat - reach).cmpgt(high).any() {
            return None;
        }
        let (from, to) = (self.cell_of(flat - reach), self.cell_of(flat + reach));
        let mut found: Option<(f32, NavPoint)> = None;
        for y in from.y..=to.y {
            for x in from.x..=to.x {
                let polygons = &self.cells[(y * self.size.x + x) as usize];
                for polygon in polygons.iter().filter(|own| !self.is_closed(**own)) {
                    let near = self.nearest_in(*polygon, flat);
                    let off = near.distance(flat);
                    if off > reach {
                        continue;
                    }
                    let at_height = self.height(*polygon, near);
                    let Some(far) = score(off, (at_height - at.y).abs()) else {
                        continue;
                    };
                    if found.is_none_or(|(known, _)| far < known) {
                        let point = NavPoint {
                            polygon: *polygon,
                            at: Vec3::new(near.x, at_height, near.y),
                        };
                        found = Some((far, point));
                    }
                }
            }
        }
        found.map(|(_, point)| point)
    }

    /// The position of a polygon nearest to another, on the ground.
    pub fn nearest_in(&self, polygon: u32, at: Vec2) -> Vec2 {
        if self.holds(polygon, at) {
            return at;
        }
        let on_edges = self.edges(polygon).map(|edge| {
            let [a, b] = self.ends(edge).map(|end| Vec2::new(end.x, end.z));
            nearest_on([a, b], at)
        });
        let nearer = |a: &Vec2, b: &Vec2| {
            let far = |place: &Vec2| place.distance_squared(at);
            far(a).total_cmp(&far(b))
        };
        on_edges.min_by(nearer).unwrap_or(at)
    }
}
