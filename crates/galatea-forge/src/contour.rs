//! Dual contouring of a distance field to quads with sharp edges (Ju, Losasso, Schaefer and Warren 2002). A cell has one
//! vertex per sheet of the surface (Nielson 2004), so that each edge has two faces.

use std::collections::{HashMap, HashSet};

use glam::{IVec3, Mat3, Vec3};

use super::field::DistanceField;

/// Quad mesh of the surface.
#[derive(Clone, Debug, Default)]
pub struct Contour {
    /// Positions of the vertices, metres.
    pub positions: Vec<Vec3>,
    /// Vertex indices, counter-clockwise from outside.
    pub quads: Vec<[u32; 4]>,
}

/// Limit of samples of a grid.
pub const MAX_SAMPLES: usize = 8_000_000;

/// Corners of a cell: bit 0 is x, bit 1 y, bit 2 z.
fn corner(i: usize) -> IVec3 {
    IVec3::new(i as i32 & 1, i as i32 >> 1 & 1, i as i32 >> 2 & 1)
}

/// Edges of a cell as pairs of corners; edge `4 · axis + k`.
const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// Faces of a cell as cycles of corners; face `2 · axis + side`.
const FACES: [[usize; 4]; 6] = [
    [0, 2, 6, 4],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 3, 7, 6],
    [0, 1, 3, 2],
    [4, 5, 7, 6],
];

fn edge_of(a: usize, b: usize) -> usize {
    let pair = [a.min(b), a.max(b)];
    EDGES.iter().position(|e| *e == pair).unwrap_or(0)
}

/// A face of the grid: the cell with the face on its low side, and the axis.
type GridFace = (IVec3, usize);

struct ContourGrid<'a> {
    field: &'a DistanceField,
    low: Vec3,
    step: f32,
    n: IVec3,
    values: Vec<f32>,
    /// Ambiguous faces (two sign changes) whose surface is connected the other way than by default.
    flipped: HashSet<GridFace>,
}

/// Edges of a cell that one sheet of the surface crosses.
type SheetEdges = Vec<usize>;

impl ContourGrid<'_> {
    fn index(&self, c: IVec3) -> usize {
        ((c.z * (self.n.y + 1) + c.y) * (self.n.x + 1) + c.x) as usize
    }

    fn place(&self, c: IVec3) -> Vec3 {
        self.low + c.as_vec3() * self.step
    }

    fn inside(&self, c: IVec3) -> bool {
        self.values[self.index(c)] < 0.0
    }

    /// Pairs of the cell's edges that the surface joins on one of the faces.
    fn links(&self, cell: IVec3, face: usize) -> Vec<[usize; 2]> {
        let cycle = FACES[face];
        let signs = cycle.map(|i| self.inside(cell + corner(i)));
        let edges: [usize; 4] = std::array::from_fn(|k| edge_of(cycle[k], cycle[(k + 1) % 4]));
        let crossed = |k: usize| signs[k] != signs[(k + 1) % 4];
        let all: Vec<usize> = (0..4).filter(|k| crossed(*k)).collect();
        match all.len() {
            2 => vec![[edges[all[0]], edges[all[1]]]],
            4 => {
                let around = self.flipped.contains(&grid_face(cell, face));
                let picked = (0..4).filter(|k| signs[*k] != around);
                picked.map(|k| [edges[(k + 3) % 4], edges[k]]).collect()
            }
            _ => Vec::new(),
        }
    }

    fn sheets(&self, cell: IVec3) -> Vec<SheetEdges> {
        let mut of: [usize; 12] = std::array::from_fn(|i| i);
        let mut crossed = [false; 12];
        for (i, [a, b]) in EDGES.iter().enumerate() {
            crossed[i] = self.inside(cell + corner(*a)) != self.inside(cell + corner(*b));
        }
        for face in 0..6 {
            for [a, b] in self.links(cell, face) {
                let (keep, drop) = (of[a].min(of[b]), of[a].max(of[b]));
                of.iter_mut()
                    .filter(|x| **x == drop)
                    .for_each(|x| *x = keep);
            }
        }
        let firsts = (0..12).filter(|i| crossed[*i] && of[*i] == *i);
        let sheet = |first| (0..12).filter(|i| crossed[*i] && of[*i] == first).collect();
        firsts.map(sheet).collect()
    }

    /// Point where an edge of the grid crosses the surface, and the outward normal there.
    fn crossing(&self, a: IVec3, b: IVec3) -> (Vec3, Vec3) {
        let (mut inside, mut outside) = (self.place(a), self.place(b));
        if !self.inside(a) {
            std::mem::swap(&mut inside, &mut outside);
        }
        for _ in 0..14 {
            let middle = inside.midpoint(outside);
            if self.field.at(middle) < 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        let at = inside.midpoint(outside);
        (at, self.field.normal(at, self.step * 0.01))
    }

    /// Point in a cell with the least squared distance to the planes of a sheet's crossings.
    fn vertex(&self, cell: IVec3, sheet: &[usize]) -> Vec3 {
        /// Weight of the centre for directions without a plane (regularisation).
        const CENTER_WEIGHT: f32 = 0.01;
        let crossings: Vec<(Vec3, Vec3)> = sheet
            .iter()
            .map(|i| self.crossing(cell + corner(EDGES[*i][0]), cell + corner(EDGES[*i][1])))
            .collect();
        let middle = crossings.iter().map(|c| c.0).sum::<Vec3>() / crossings.len() as f32;
        let mut square = Mat3::from_diagonal(Vec3::splat(CENTER_WEIGHT));
        let mut side = Vec3::ZERO;
        for (at, normal) in &crossings {
            square += Mat3::from_cols(*normal * normal.x, *normal * normal.y, *normal * normal.z);
            side += *normal * normal.dot(*at - middle);
        }
        let at = middle + square.inverse() * side;
        let (low, high) = (self.place(cell), self.place(cell + IVec3::ONE));
        at.clamp(low, high)
    }

    /// Flips ambiguous faces whose two connections belong to one sheet on both sides: an edge of the mesh would have four
    /// faces there. Returns true if any face was flipped.
    fn flip_ambiguous(&mut self, cells: &[IVec3]) -> bool {
        let mut flips = Vec::new();
        for cell in cells {
            for axis in 0..3 {
                let (face, before) = (2 * axis, *cell - IVec3::AXES[axis]);
                if before[axis] < 0 || self.links(*cell, face).len() < 2 {
                    continue;
                }
                let one = |cell: IVec3, face: usize| {
                    let links = self.links(cell, face);
                    let sheets = self.sheets(cell);
                    let all = |sheet: &SheetEdges| {
                        let mut edges = links.iter().flatten();
                        edges.all(|edge| sheet.contains(edge))
                    };
                    sheets.iter().any(all)
                };
                if one(*cell, face) && one(before, face + 1) {
                    flips.push(grid_face(*cell, face));
                }
            }
        }
        let fresh: Vec<GridFace> = flips
            .into_iter()
            .filter(|face| !self.flipped.contains(face))
            .collect();
        self.flipped.extend(&fresh);
        !fresh.is_empty()
    }
}

fn grid_face(cell: IVec3, face: usize) -> GridFace {
    let axis = face / 2;
    (cell + IVec3::AXES[axis] * (face as i32 % 2), axis)
}

/// Surface of a field within the box from `low` to `high`, on a grid with cells of `step` metres.
///
/// # Errors
/// If the grid would have more than [`MAX_SAMPLES`] samples.
pub fn contour(field: &DistanceField, low: Vec3, high: Vec3, step: f32) -> Result<Contour, String> {
    // Adds a margin of about one cell so that the surface is closed; with a fractional cell, faces of a box are not on grid
    // planes.
    let low = low - Vec3::splat(step * 1.37);
    let cells = ((high - low) / step + 1.5).ceil();
    let samples = (cells + 1.0).element_product();
    if !(samples > 0.0 && samples < MAX_SAMPLES as f32) {
        return Err(format!(
            "cells of {step} m give {:.0} × {:.0} × {:.0} cells; the limit is {MAX_SAMPLES} in total",
            cells.x, cells.y, cells.z
        ));
    }
    let mut grid = ContourGrid {
        field,
        low,
        step,
        n: cells.as_ivec3(),
        values: Vec::new(),
        flipped: HashSet::new(),
    };
    sample(&mut grid);
    let crossed: Vec<IVec3> = all_cells(grid.n)
        .filter(|cell| {
            let first = grid.inside(*cell);
            (1..8).any(|i| grid.inside(*cell + corner(i)) != first)
        })
        .collect();
    // Each pass flips faces that the previous pass made ambiguous. After the last one an edge may still have four faces; the
    // caller reports that as an error.
    for _ in 0..8 {
        if !grid.flip_ambiguous(&crossed) {
            break;
        }
    }
    let mut made = Contour::default();
    let mut points: HashMap<(IVec3, usize), u32> = HashMap::new();
    for cell in &crossed {
        for sheet in grid.sheets(*cell) {
            let i = made.positions.len() as u32;
            made.positions.push(grid.vertex(*cell, &sheet));
            points.extend(sheet.iter().map(|edge| ((*cell, *edge), i)));
        }
    }
    for cell in &crossed {
        for axis in 0..3 {
            let next = *cell + IVec3::AXES[axis];
            if grid.inside(*cell) == grid.inside(next) {
                continue;
            }
            let (b, c) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
            let around = [*cell - b - c, *cell - c, *cell, *cell - b];
            let point = |around: &IVec3| {
                let from = *cell - *around;
                let a = (from.x | from.y << 1 | from.z << 2) as usize;
                points.get(&(*around, edge_of(a, a | 1 << axis))).copied()
            };
            let corners = around.each_ref().map(point);
            if let [Some(p), Some(q), Some(r), Some(s)] = corners {
                let quad = if grid.inside(*cell) {
                    [p, q, r, s]
                } else {
                    [s, r, q, p]
                };
                made.quads.push(quad);
            }
        }
    }
    Ok(made)
}

fn all_cells(n: IVec3) -> impl Iterator<Item = IVec3> {
    (0..n.z)
        .flat_map(move |z| (0..n.y).flat_map(move |y| (0..n.x).map(move |x| IVec3::new(x, y, z))))
}

/// Samples the field at the corners of the grid. All corners of a block far from the surface get one value.
fn sample(grid: &mut ContourGrid) {
    const BLOCK: i32 = 8;
    /// Safety factor: fields may be slightly farther away than their value.
    const SAFETY: f32 = 1.3;
    let n = grid.n + IVec3::ONE;
    grid.values = vec![0.0; n.element_product() as usize];
    let half = Vec3::splat(BLOCK as f32 * 0.5 * grid.step);
    for block in all_cells((n + BLOCK - 1) / BLOCK) {
        let first = block * BLOCK;
        let middle = grid.field.at(grid.place(first) + half);
        let far = middle.abs() > half.length() * SAFETY;
        for inner in all_cells((n - first).min(IVec3::splat(BLOCK))) {
            let c = first + inner;
            let i = grid.index(c);
            grid.values[i] = if far {
                middle
            } else {
                grid.field.at(grid.place(c))
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn of(field: &DistanceField, step: f32) -> Contour {
        let (low, high) = field.extent();
        contour(field, low, high, step).unwrap()
    }

    /// Checks that every edge has two faces with opposite directions, and returns the Euler characteristic.
    fn closed(made: &Contour) -> i64 {
        let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for quad in &made.quads {
            for k in 0..4 {
                *edges.entry((quad[k], quad[(k + 1) % 4])).or_default() += 1;
            }
        }
        for ((a, b), n) in &edges {
            assert_eq!((*n, edges.get(&(*b, *a))), (1, Some(&1)), "{a} {b}");
        }
        made.positions.len() as i64 - edges.len() as i64 / 2 + made.quads.len() as i64
    }

    fn volume(made: &Contour) -> f32 {
        let at = |i: u32| made.positions[i as usize];
        let tetrahedra = made.quads.iter().flat_map(|[a, b, c, d]| {
            [[*a, *b, *c], [*a, *c, *d]].map(|[a, b, c]| at(a).dot(at(b).cross(at(c))) / 6.0)
        });
        tetrahedra.sum()
    }

    #[test]
    fn a_box_keeps_its_corners_and_edges() {
        let half = Vec3::new(0.31, 0.22, 0.17);
        let made = of(&DistanceField::slab(Vec3::ZERO, half, 0.0), 0.05);
        assert_eq!(closed(&made), 2);
        let corner = made
            .positions
            .iter()
            .filter(|p| (p.abs() - half).length() < 0.002);
        assert_eq!(corner.count(), 8);
        let true_volume = 8.0 * half.element_product();
        assert!((volume(&made) / true_volume - 1.0).abs() < 0.005);
        for p in &made.positions {
            let off = (p.abs() - half).max_element().abs();
            assert!(off < 0.0015, "{p} is {off} off a face");
        }
    }

    #[test]
    fn a_ball_and_a_ring_have_the_right_topology_and_volume() {
        let ball = of(
            &DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(0.5)),
            0.05,
        );
        assert_eq!(closed(&ball), 2);
        let far = ball.positions.iter().map(|p| (p.length() - 0.5).abs());
        assert!(far.fold(0.0, f32::max) < 0.003);
        let ring = of(&DistanceField::torus(Vec3::ZERO, Vec3::Y, 0.5, 0.13), 0.05);
        assert_eq!(closed(&ring), 0);
    }

    #[test]
    fn sheets_in_one_cell_stay_separate() {
        let plate =
            |y: f32| DistanceField::slab(Vec3::new(0.0, y, 0.0), Vec3::new(0.3, 0.03, 0.3), 0.0);
        assert_eq!(closed(&of(&plate(0.0).join(&plate(0.115), 0.0), 0.05)), 4);
        // Random balls that touch across corners and edges of cells.
        let mut seed = 1u32;
        let mut chance = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 24) as f32
        };
        for _ in 0..20 {
            let mut heap = DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(0.05));
            for _ in 0..40 {
                let at = Vec3::new(chance(), chance(), chance()) * 0.4;
                let ball = DistanceField::ellipsoid(at, Vec3::splat(0.02 + 0.04 * chance()));
                heap = heap.join(&ball, 0.0);
            }
            closed(&of(&heap, 0.05));
        }
    }

    #[test]
    fn too_fine_a_grid_gives_an_error() {
        let field = DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(10.0));
        let why = contour(&field, Vec3::splat(-10.0), Vec3::splat(10.0), 0.01).unwrap_err();
        assert!(why.contains("cells of 0.01 m"), "{why}");
    }
}
