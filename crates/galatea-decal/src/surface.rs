//! Mesh connectivity: triangles are joined at equal positions, whatever their texture coordinates and normals, and a flood
//! fill finds the triangles around a hit.

use std::collections::HashMap;

use glam::{IVec3, Vec3};

use galatea_asset::model::Mesh;

/// Marks an edge without a neighbour.
pub const NOTHING: u32 = u32::MAX;
/// Welding distance, as a fraction of the mesh size.
const WELD_FRACTION: f32 = 2e-6;

/// A mesh as one connected surface. Computed once per mesh, in mesh space, without morphs.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Welded positions, metres, mesh space.
    pub points: Vec<Vec3>,
    /// Unit normals of the points: the area-weighted mean of the triangles around.
    pub normals: Vec<Vec3>,
    /// Point indices of each triangle, primitive after primitive.
    pub triangles: Vec<[u32; 3]>,
    /// Neighbour triangles across the edges from corner 0 to 1, 1 to 2, and 2 to 0.
    pub neighbours: Vec<[u32; 3]>,
    /// Index of the first triangle of each primitive, and at the end the number of triangles.
    pub first: Vec<u32>,
}

impl Surface {
    /// Joins the triangles of a mesh. A triangle with an index beyond the vertices becomes one without area.
    pub fn of(mesh: &Mesh) -> Self {
        let all = mesh.primitives.iter().flat_map(|p| &p.positions);
        let low = all.clone().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = all.copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let mut weld = Weld::new((high - low).max_element().max(0.0) * WELD_FRACTION);
        let mut surface = Self::default();
        for primitive in &mesh.primitives {
            surface.first.push(surface.triangles.len() as u32);
            let numbers: Vec<u32> = primitive
                .positions
                .iter()
                .map(|at| weld.number(*at, &mut surface.points))
                .collect();
            for corners in primitive.indices.chunks_exact(3) {
                let of = |k: usize| numbers.get(corners[k] as usize).copied();
                let whole = of(0).zip(of(1)).zip(of(2));
                let own = whole.map_or([0; 3], |((a, b), c)| [a, b, c]);
                surface.triangles.push(own);
            }
        }
        surface.first.push(surface.triangles.len() as u32);
        surface.neighbours = neighbours(&surface.triangles);
        surface.normals = vec![Vec3::ZERO; surface.points.len()];
        for triangle in &surface.triangles {
            let [a, b, c] = surface.corners(triangle);
            let across = (b - a).cross(c - a);
            for i in triangle {
                if let Some(normal) = surface.normals.get_mut(*i as usize) {
                    *normal += across;
                }
            }
        }
        for normal in &mut surface.normals {
            *normal = normal.normalize_or(Vec3::Y);
        }
        surface
    }

    /// Index in this surface of a primitive's triangle, if it exists.
    pub fn triangle(&self, primitive: usize, triangle: usize) -> Option<u32> {
        let (first, end) = (self.first.get(primitive)?, self.first.get(primitive + 1)?);
        let own = first + u32::try_from(triangle).ok()?;
        (own < *end).then_some(own)
    }

    /// Primitive, and triangle of that primitive, for a triangle of this surface.
    pub fn of_primitive(&self, triangle: u32) -> (usize, usize) {
        let primitive = self.first.partition_point(|first| *first <= triangle) - 1;
        (primitive, (triangle - self.first[primitive]) as usize)
    }

    /// Corner positions of a triangle.
    pub fn corners(&self, triangle: &[u32; 3]) -> [Vec3; 3] {
        triangle.map(|i| self.points.get(i as usize).copied().unwrap_or_default())
    }

    /// The triangles that a ball touches and that are connected with `start`, which is always included, in the order of
    /// discovery. Exact: tests the nearest point of each triangle.
    pub fn flood(&self, start: u32, middle: Vec3, radius: f32, scratch: &mut Flood) -> Vec<u32> {
        scratch.begin(self.triangles.len());
        let mut found = Vec::new();
        if start as usize >= self.triangles.len() {
            return found;
        }
        scratch.visit(start);
        found.push(start);
        let mut next = 0;
        while let Some(triangle) = found.get(next).copied() {
            next += 1;
            for beside in self.neighbours[triangle as usize] {
                if beside == NOTHING || !scratch.visit(beside) {
                    continue;
                }
                if self.touches(beside, middle, radius) {
                    found.push(beside);
                }
            }
        }
        found
    }

    /// All triangles that a ball touches, connected or not; the reference for tests of the flood fill.
    pub fn within(&self, middle: Vec3, radius: f32) -> Vec<u32> {
        let all = 0..self.triangles.len() as u32;
        all.filter(|i| self.touches(*i, middle, radius)).collect()
    }

    fn touches(&self, triangle: u32, middle: Vec3, radius: f32) -> bool {
        let corners = self.corners(&self.triangles[triangle as usize]);
        nearest_on(corners, middle).distance_squared(middle) <= radius * radius
    }
}

/// Scratch buffer of [`Surface::flood`].
#[derive(Clone, Debug, Default)]
pub struct Flood {
    /// For each triangle, the last call that visited it.
    visited: Vec<u32>,
    call: u32,
}

impl Flood {
    fn begin(&mut self, n: usize) {
        if self.visited.len() < n || self.call == u32::MAX {
            self.visited.clear();
            self.visited.resize(n, 0);
            self.call = 0;
        }
        self.call += 1;
    }

    /// Returns true if it was not visited before.
    fn visit(&mut self, triangle: u32) -> bool {
        let own = &mut self.visited[triangle as usize];
        let is_new = *own != self.call;
        *own = self.call;
        is_new
    }
}

/// The point of a triangle nearest to a position (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
pub fn nearest_on([a, b, c]: [Vec3; 3], p: Vec3) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (along, back) = (d4 - d3, d5 - d6);
    if va <= 0.0 && along >= 0.0 && back >= 0.0 {
        return b + (c - b) * (along / (along + back));
    }
    let sum = va + vb + vc;
    if sum.abs() < f32::MIN_POSITIVE {
        return a;
    }
    a + ab * (vb / sum) + ac * (vc / sum)
}

/// Assigns the same index to positions that are close to each other.
struct Weld {
    within: f32,
    cell: f32,
    cells: HashMap<IVec3, Vec<u32>>,
}

impl Weld {
    fn new(within: f32) -> Self {
        Self {
            within,
            cell: (within * 4.0).max(1e-12),
            cells: HashMap::new(),
        }
    }

    fn number(&mut self, at: Vec3, points: &mut Vec<Vec3>) -> u32 {
        let cell = |p: Vec3| (p / self.cell).floor().as_ivec3();
        let (low, high) = (cell(at - self.within), cell(at + self.within));
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    for i in self.cells.get(&IVec3::new(x, y, z)).into_iter().flatten() {
                        if points[*i as usize].distance_squared(at) <= self.within * self.within {
                            return *i;
                        }
                    }
                }
            }
        }
        let own = points.len() as u32;
        points.push(at);
        self.cells.entry(cell(at)).or_default().push(own);
        own
    }
}

/// Pairs the triangles at each edge. If more than two share an edge, they are paired in their order.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut all = vec![[NOTHING; 3]; triangles.len()];
    let mut open: HashMap<(u32, u32), (u32, usize)> = HashMap::new();
    for (t, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = *triangle;
        if a == b || b == c || c == a {
            continue;
        }
        for (k, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            let edge = (from.min(to), from.max(to));
            match open.remove(&edge) {
                Some((other, side)) => {
                    all[t][k] = other;
                    all[other as usize][side] = t as u32;
                }
                None => {
                    open.insert(edge, (t as u32, k));
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::tube;
    use super::*;
    use galatea_asset::model::Primitive;

    #[test]
    fn seams_and_primitives_are_joined() {
        let surface = Surface::of(&tube());
        assert_eq!(surface.points.len(), 32 * 25);
        assert_eq!(surface.triangles.len(), 32 * 24 * 2);
        let open = surface
            .neighbours
            .iter()
            .flatten()
            .filter(|n| **n == NOTHING)
            .count();
        assert_eq!(open, 2 * 32, "only the two ends are open");
        for (i, own) in surface.neighbours.iter().enumerate() {
            for beside in own.iter().filter(|n| **n != NOTHING) {
                assert!(surface.neighbours[*beside as usize].contains(&(i as u32)));
            }
        }
        assert_eq!(
            surface.of_primitive(surface.triangle(1, 5).unwrap()),
            (1, 5)
        );
        assert_eq!(surface.triangle(1, 768), None);
    }

    #[test]
    fn flood_fill_finds_only_the_connected_side() {
        let surface = Surface::of(&tube());
        let mut scratch = Flood::default();
        let start = 12 * 64 / 2;
        let corners = surface.corners(&surface.triangles[start]);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        for radius in [0.001, 0.05, 0.2, 0.45] {
            let mut found = surface.flood(start as u32, middle, radius, &mut scratch);
            assert_eq!(found[0], start as u32);
            let exact = surface.within(middle, radius);
            found.sort_unstable();
            // The tube is 0.64 m across, so the ball does not reach its other side.
            assert_eq!(found, exact, "radius {radius}");
        }
        // A larger ball does. Only the wall that was hit is found, until both walls connect around the tube.
        let near = |i: &u32| {
            let c = surface.corners(&surface.triangles[*i as usize]);
            c[0].dot(middle.with_y(0.0)) > 0.0
        };
        let thin = flat_box();
        let hit = thin.flood(0, Vec3::new(0.5, 0.5, 0.0), 0.2, &mut scratch);
        let all = thin.within(Vec3::new(0.5, 0.5, 0.0), 0.2);
        assert!(
            hit.len() < all.len()
                && hit
                    .iter()
                    .all(|i| thin.points[thin.triangles[*i as usize][0] as usize].z == 0.0)
        );
        assert!(surface.within(middle, 0.1).iter().all(near));
    }

    /// Two walls a centimetre apart that are not connected.
    fn flat_box() -> Surface {
        let wall = |z: f32| Primitive {
            positions: (0..121)
                .map(|i| Vec3::new((i % 11) as f32 * 0.1, (i / 11) as f32 * 0.1, z))
                .collect(),
            indices: (0..100)
                .flat_map(|i| {
                    let a = i / 10 * 11 + i % 10;
                    [a, a + 1, a + 11, a + 11, a + 1, a + 12]
                })
                .collect(),
            ..Primitive::default()
        };
        let mut mesh = Mesh {
            primitives: vec![wall(0.0), wall(0.01)],
            ..Mesh::default()
        };
        // Puts the hit into the middle.
        mesh.primitives[0].indices.rotate_left(300);
        Surface::of(&mesh)
    }

    #[test]
    fn the_nearest_point_of_a_triangle_is_on_face_edge_or_corner() {
        let t = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let v = Vec3::new;
        for (p, want) in [
            (v(0.2, 0.2, 3.0), v(0.2, 0.2, 0.0)),
            (v(-1.0, -2.0, 1.0), v(0.0, 0.0, 0.0)),
            (v(2.0, -1.0, 0.0), v(1.0, 0.0, 0.0)),
            (v(0.5, -1.0, 2.0), v(0.5, 0.0, 0.0)),
            (v(1.0, 1.0, -1.0), v(0.5, 0.5, 0.0)),
            (v(-3.0, 0.25, 0.0), v(0.0, 0.25, 0.0)),
        ] {
            assert!(nearest_on(t, p).distance(want) < 1e-6, "{p}");
        }
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert!(nearest_on(line, v(1.5, 1.0, 0.0)).distance(v(1.5, 0.0, 0.0)) < 1e-6);
        assert!(nearest_on([Vec3::ONE; 3], Vec3::ZERO) == Vec3::ONE);
    }

    #[test]
    fn triangles_without_area_and_bad_indices_are_harmless() {
        let mut mesh = tube();
        mesh.primitives[0].indices.extend([0, 0, 1, 9999, 1, 2, 5]);
        let surface = Surface::of(&mesh);
        let found = surface.flood(0, surface.points[0], 0.3, &mut Flood::default());
        assert!(found.len() > 10);
        assert!(
            Surface::of(&Mesh::default())
                .flood(0, Vec3::ZERO, 1.0, &mut Flood::default())
                .is_empty()
        );
    }
}
