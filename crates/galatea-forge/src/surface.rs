//! Converts a distance field to a closed triangle mesh: surface nets over a sparse grid (Gibson 1998). Also projects meshes
//! onto a field.

use galatea_math::clamp::ClampTo as _;
use glam::{IVec3, Vec3};

/// Triangles with shared vertices.
#[derive(Clone, Debug, Default)]
pub struct Shell {
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Grid coordinates along the three axes, metres, ascending.
#[derive(Clone, Debug)]
pub struct GridAxes {
    axes: [Vec<f32>; 3],
}

impl GridAxes {
    /// A uniform grid with cells of `step` metres that fills a box.
    pub fn even(min: Vec3, max: Vec3, step: f32) -> Self {
        let axis = |low: f32, high: f32| {
            let n = ((high - low) / step).ceil() as usize;
            (0..=n).map(|i| low + i as f32 * step).collect()
        };
        Self {
            axes: std::array::from_fn(|k| axis(min[k], max[k])),
        }
    }

    /// Refines the cells along an axis (0 to 2) from `low` to `high`.
    pub fn refine(&mut self, axis: usize, low: f32, high: f32, step: f32) {
        let mut places = Vec::new();
        for pair in self.axes[axis].windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let n = if b > low && a < high {
                ((b - a) / step).ceil().max(1.0) as usize
            } else {
                1
            };
            places.extend((0..n).map(|i| a + (b - a) * i as f32 / n as f32));
        }
        places.extend(self.axes[axis].last());
        self.axes[axis] = places;
    }

    /// Position of a grid corner; beyond the box the last cell size continues.
    fn at(&self, c: IVec3) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|k| {
            let places = &self.axes[k];
            let last = places.len() - 1;
            let i = c[k] as usize;
            match places.get(i) {
                Some(place) => *place,
                None => places[last] + (places[last] - places[last - 1]) * (i - last) as f32,
            }
        }))
    }

    /// Number of blocks of cells that cover the box.
    fn blocks(&self) -> IVec3 {
        let n = |k: usize| (self.axes[k].len() as i32 - 1 + BLOCK - 1) / BLOCK;
        IVec3::new(n(0), n(1), n(2)).max(IVec3::ONE)
    }
}

/// Cells per block edge; a block far from the surface costs one sample.
const BLOCK: i32 = 8;
const CORNERS: [IVec3; 8] = [
    IVec3::new(0, 0, 0),
    IVec3::new(1, 0, 0),
    IVec3::new(0, 1, 0),
    IVec3::new(1, 1, 0),
    IVec3::new(0, 0, 1),
    IVec3::new(1, 0, 1),
    IVec3::new(0, 1, 1),
    IVec3::new(1, 1, 1),
];
const EDGES: [(usize, usize); 12] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
];

/// All points from zero to `n`, x fastest.
fn each_below(n: IVec3) -> impl Iterator<Item = IVec3> {
    (0..n.z)
        .flat_map(move |z| (0..n.y).flat_map(move |y| (0..n.x).map(move |x| IVec3::new(x, y, z))))
}

/// Samples of a field at the corners of cells near its surface.
struct NetSamples<'a> {
    grid: &'a GridAxes,
    /// Number of corners along each axis.
    n: IVec3,
    /// Values at all corners; `f32::MAX` far from the surface.
    values: Vec<f32>,
    /// First cells of the blocks near the surface.
    blocks: Vec<IVec3>,
}

impl<'a> NetSamples<'a> {
    fn new(grid: &'a GridAxes, field: impl Fn(Vec3) -> f32) -> Self {
        let n = grid.blocks() * BLOCK + IVec3::ONE;
        let mut samples = Self {
            grid,
            n,
            values: vec![f32::MAX; (n.x * n.y * n.z) as usize],
            blocks: Vec::new(),
        };
        for block in each_below(grid.blocks()) {
            let base = block * BLOCK;
            let (low, high) = (grid.at(base), grid.at(base + IVec3::splat(BLOCK)));
            if field(low.midpoint(high)).abs() > low.distance(high) * 0.5 * 1.16 {
                continue;
            }
            samples.blocks.push(base);
            for offset in each_below(IVec3::splat(BLOCK + 1)) {
                let idx = samples.idx(base + offset);
                let value = &mut samples.values[idx];
                if *value == f32::MAX {
                    *value = field(grid.at(base + offset));
                }
            }
        }
        samples
    }

    fn idx(&self, c: IVec3) -> usize {
        ((c.z * self.n.y + c.y) * self.n.x + c.x) as usize
    }

    /// Mean of the points where the surface crosses the edges of a cell, metres; `None` if it crosses none.
    fn vertex(&self, c: IVec3) -> Option<Vec3> {
        let v = CORNERS.map(|o| self.values[self.idx(c + o)]);
        let inside = v.iter().filter(|v| **v < 0.0).count();
        if inside == 0 || inside == 8 {
            return None;
        }
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for (a, b) in EDGES {
            if (v[a] < 0.0) != (v[b] < 0.0) {
                let u = v[a] / (v[a] - v[b]);
                sum += CORNERS[a].as_vec3().lerp(CORNERS[b].as_vec3(), u);
                count += 1.0;
            }
        }
        let (low, high) = (self.grid.at(c), self.grid.at(c + IVec3::ONE));
        Some(low + sum / count * (high - low))
    }

    /// The four cells around the edge from the corner `c` along axis `k`, counter-clockwise from outside; `None` if the
    /// surface does not cross it.
    fn cells_around(&self, c: IVec3, k: usize) -> Option<[IVec3; 4]> {
        let axes = [IVec3::X, IVec3::Y, IVec3::Z];
        let (u, w) = (axes[(k + 1) % 3], axes[(k + 2) % 3]);
        let [a, b] = [c, c + axes[k]].map(|c| self.values[self.idx(c)]);
        if (a < 0.0) == (b < 0.0) || c.min_element() < 1 {
            return None;
        }
        Some(if a < 0.0 {
            [c - u - w, c - w, c, c - u]
        } else {
            [c - u, c, c - w, c - u - w]
        })
    }
}

/// Polygonises the zero surface of `field` inside the grid's box.
pub fn nets(grid: &GridAxes, field: impl Fn(Vec3) -> f32) -> Shell {
    let samples = NetSamples::new(grid, field);
    let mut shell = Shell::default();
    let mut vertex_of = vec![u32::MAX; samples.values.len()];
    let mut cells = Vec::new();
    for base in &samples.blocks {
        for offset in each_below(IVec3::splat(BLOCK)) {
            let c = *base + offset;
            if let Some(vertex) = samples.vertex(c) {
                vertex_of[samples.idx(c)] = shell.positions.len() as u32;
                shell.positions.push(vertex);
                cells.push(c);
            }
        }
    }
    for c in &cells {
        for around in (0..3).filter_map(|k| samples.cells_around(*c, k)) {
            let quad = around.map(|c| vertex_of[samples.idx(c)]);
            if !quad.contains(&u32::MAX) {
                let [p, q, r, s] = quad;
                shell.triangles.push([p, q, r]);
                shell.triangles.push([p, r, s]);
            }
        }
    }
    shell
}

/// Unit gradient of the field by central differences `eps` metres apart.
pub fn normal(field: impl Fn(Vec3) -> f32, p: Vec3, eps: f32) -> Vec3 {
    // Four samples at the corners of a tetrahedron.
    let corners = [
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(1.0, 1.0, 1.0),
    ];
    corners
        .iter()
        .map(|k| *k * field(p + *k * eps))
        .sum::<Vec3>()
        .normalize_or(Vec3::Y)
}

/// Moves every vertex along the gradient onto the zero surface, by at most `limit` metres.
pub fn project(shell: &mut Shell, field: impl Fn(Vec3) -> f32, limit: f32) {
    for p in &mut shell.positions {
        for _ in 0..2 {
            let d = field(*p);
            if d.abs() > 1e-5 {
                *p -= normal(&field, *p, 0.0008) * d.clamp_to(-limit, limit);
            }
        }
    }
}

/// Equalises triangles: every vertex moves within its tangent plane towards the centre of the neighbours, then back onto the
/// field.
pub fn relax(shell: &mut Shell, field: impl Fn(Vec3) -> f32, rounds: usize) {
    for _ in 0..rounds {
        let n = shell.positions.len();
        let (mut sum, mut count) = (vec![Vec3::ZERO; n], vec![0.0_f32; n]);
        for t in &shell.triangles {
            for k in 0..3 {
                let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
                sum[a] += shell.positions[b];
                count[a] += 1.0;
            }
        }
        for i in 0..n {
            if count[i] > 0.0 {
                let p = shell.positions[i];
                let normal = normal(&field, p, 0.001);
                let step = sum[i] / count[i] - p;
                shell.positions[i] = p + (step - normal * step.dot(normal)) * 0.4;
            }
        }
        project(shell, &field, 0.003);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sphere_comes_out_closed_round_and_facing_outwards() {
        let field = |p: Vec3| p.length() - 0.1;
        let mut grid = GridAxes::even(Vec3::splat(-0.13), Vec3::splat(0.13), 0.01);
        grid.refine(1, 0.0, 0.13, 0.006);
        let mut shell = nets(&grid, field);
        project(&mut shell, field, 0.01);
        assert!(
            shell
                .positions
                .iter()
                .all(|p| (p.length() - 0.1).abs() < 1e-4)
        );
        let volume: f32 = shell
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| shell.positions[i as usize]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        assert!((volume / (4.0 / 3.0 * std::f32::consts::PI * 1e-3) - 1.0).abs() < 0.05);
        let euler = shell.positions.len() as i64 - shell.triangles.len() as i64 / 2;
        assert_eq!(euler, 2);
    }
}
