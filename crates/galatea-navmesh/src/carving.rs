//! Carving: floors inside closed solids are not walkable.
//!
//! Recast voxelises surfaces only, so a floor that continues below a large box would stay walkable inside it. This module
//! finds the closed surfaces of a level. The winding number of a floor (the signed number of surfaces above it) shows if it
//! is inside.

use glam::{DVec3, Vec3};
use rerecast::{AreaType, Heightfield};

use super::ground::GroundTriangles;

/// Fraction of a cell's height by which a surface must be above a floor to count.
const TOLERANCE: f64 = 0.25;

/// A side of a triangle: its lower and higher vertex, true if it goes from the lower to the higher one, and the triangle.
type TriangleSide = ([usize; 2], bool, usize);

/// A surface of a solid in a column of the height field.
#[derive(Clone, Copy)]
struct SurfaceCrossing {
    column: usize,
    y: f64,
    /// 1 where the surface faces up, −1 where it faces down.
    sign: i32,
}

/// Marks floors inside closed solids as not walkable.
pub(super) fn carve(field: &mut Heightfield, ground: &GroundTriangles) {
    let mut crossings = Vec::new();
    for triangle in closed_triangles(ground) {
        let corners = ground.triangles[triangle].map(|corner| ground.vertices[corner as usize]);
        cross(field, corners.map(|at| at.as_dvec3()), &mut crossings);
    }
    crossings.sort_unstable_by_key(|crossing| crossing.column);
    let low = f64::from(field.aabb.min.y);
    let cell_height = f64::from(field.cell_height);
    for column in crossings.chunk_by(|a, b| a.column == b.column) {
        let mut next = field.spans[column[0].column];
        while let Some(span) = next.and_then(|key| field.allocated_spans.get_mut(key)) {
            let floor = low + (f64::from(span.max) + TOLERANCE) * cell_height;
            let above = column.iter().filter(|crossing| crossing.y > floor);
            if above.map(|crossing| crossing.sign).sum::<i32>() > 0 {
                span.area = AreaType::NOT_WALKABLE;
            }
            next = span.next;
        }
    }
}

/// Numbers of the triangles of closed surfaces, ascending. In a closed surface, every side is used equally often in both
/// directions.
fn closed_triangles(ground: &GroundTriangles) -> Vec<usize> {
    let welded = weld(ground);
    let mut sides: Vec<TriangleSide> = Vec::new();
    let mut is_flat = vec![false; ground.triangles.len()];
    for (triangle, corners) in ground.triangles.iter().enumerate() {
        let ids = corners.map(|corner| welded.get(corner as usize).copied().flatten());
        let [Some(a), Some(b), Some(c)] = ids else {
            is_flat[triangle] = true;
            continue;
        };
        is_flat[triangle] = a == b || b == c || c == a;
        if !is_flat[triangle] {
            let of = |from: usize, to: usize| ([from.min(to), from.max(to)], from < to, triangle);
            sides.extend([of(a, b), of(b, c), of(c, a)]);
        }
    }
    sides.sort_unstable();
    let mut roots: Vec<usize> = (0..ground.triangles.len()).collect();
    for side in sides.chunk_by(|a, b| a.0 == b.0) {
        for (_, _, triangle) in &side[1..] {
            let [a, b] = [side[0].2, *triangle].map(|own| root(&mut roots, own));
            roots[a.max(b)] = a.min(b);
        }
    }
    let mut is_open = vec![false; ground.triangles.len()];
    for side in sides.chunk_by(|a, b| a.0 == b.0) {
        let n_up = side.iter().filter(|(_, is_up, _)| *is_up).count();
        if 2 * n_up != side.len() {
            is_open[root(&mut roots, side[0].2)] = true;
        }
    }
    let all = (0..ground.triangles.len()).filter(|triangle| !is_flat[*triangle]);
    all.filter(|triangle| !is_open[root(&mut roots, *triangle)])
        .collect()
}

/// A number for each vertex, equal for vertices of one body at the same position. `None` for NaN or infinite positions.
fn weld(ground: &GroundTriangles) -> Vec<Option<usize>> {
    let mut bodies = vec![0; ground.vertices.len()];
    for (corners, body) in ground.triangles.iter().zip(&ground.bodies) {
        for corner in corners {
            if let Some(of_vertex) = bodies.get_mut(*corner as usize) {
                *of_vertex = *body;
            }
        }
    }
    // Adding zero gives both zeros the same bits.
    let bits = |at: Vec3| (at + Vec3::ZERO).to_array().map(f32::to_bits);
    let all = ground.vertices.iter().zip(bodies).enumerate();
    let finite = all.filter(|(_, (at, _))| at.is_finite());
    let mut keys: Vec<_> = finite
        .map(|(i, (at, body))| ((body, bits(*at)), i))
        .collect();
    keys.sort_unstable();
    let mut welded = vec![None; ground.vertices.len()];
    for same in keys.chunk_by(|a, b| a.0 == b.0) {
        for (_, vertex) in same {
            welded[*vertex] = Some(same[0].1);
        }
    }
    welded
}

/// The representative of a triangle's surface (union-find with path halving).
fn root(roots: &mut [usize], mut at: usize) -> usize {
    while roots[at] != at {
        roots[at] = roots[roots[at]];
        at = roots[at];
    }
    at
}

/// Adds the columns whose centre line crosses a triangle. Two triangles compute a shared side with the same bits, so each
/// line crosses exactly one of them.
fn cross(field: &Heightfield, corners: [DVec3; 3], out: &mut Vec<SurfaceCrossing>) {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    if normal.y == 0.0 || !normal.is_finite() {
        return;
    }
    let (cell, low) = (f64::from(field.cell_size), field.aabb.min.as_dvec3());
    let (first, last) = (a.z.min(b.z).min(c.z), a.z.max(b.z).max(c.z));
    let row_at = |z: f64| ((z - low.z) / cell - 0.5).ceil().max(0.0) as usize;
    for row in row_at(first)..row_at(last).min(usize::from(field.height)) {
        let z = low.z + (row as f64 + 0.5) * cell;
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let [from, to] = if from.z <= to.z {
                [from, to]
            } else {
                [to, from]
            };
            if from.z <= z && z < to.z {
                let x = from.x + (to.x - from.x) * ((z - from.z) / (to.z - from.z));
                ends = [ends[0].min(x), ends[1].max(x)];
            }
        }
        if !ends[0].is_finite() {
            continue;
        }
        let column_at = |x: f64| ((x - low.x) / cell - 0.5).ceil().max(0.0) as usize;
        for column in column_at(ends[0])..column_at(ends[1]).min(usize::from(field.width)) {
            let x = low.x + (column as f64 + 0.5) * cell;
            let off = normal.x * (x - a.x) + normal.z * (z - a.z);
            out.push(SurfaceCrossing {
                column: column + row * usize::from(field.width),
                y: a.y - off / normal.y,
                sign: if normal.y > 0.0 { 1 } else { -1 },
            });
        }
    }
}

#[cfg(test)]
mod tests;
