//! UV unwrapping of quad meshes: charts along seams, with low distortion and without overlap.
//!
//! A chart is first flattened conformally (least squares conformal maps, Lévy et al. 2002), then with preserved lengths
//! (as-rigid-as-possible: the local and global steps of Liu et al. 2008).

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat2, DVec2, Vec2, Vec3};

use super::cage::{CageFace, edge};
use super::charts::cones;
use super::solve::Sparse;

/// A flattened chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Face indices, and for each the indices of the corners in `uv`.
    pub faces: Vec<(u32, [u32; 4])>,
    /// Positions in the chart, metres.
    pub uv: Vec<Vec2>,
    /// Lower bound of the stretch of the worst tenth of the edges: length in the chart divided by length on the mesh.
    pub stretch: f32,
    /// Fraction of the triangles that are flipped.
    pub turned: f32,
}

/// Limits of the stretch and of the fraction of flipped triangles; a chart above them is split.
const MAX_STRETCH: f32 = 1.9;
const MAX_FLIPPED: f32 = 0.02;

/// Flattens all charts of a mesh. Faces of one chart that are separated by seams become separate charts. Charts that do not
/// flatten, because they are closed or have too few seams, are split by the directions of their faces.
pub fn flatten(positions: &[Vec3], faces: &[CageFace], seams: &BTreeSet<(u32, u32)>) -> Vec<Chart> {
    let mut all = Vec::new();
    for piece in pieces(faces, seams) {
        let chart = flat(positions, faces, seams, &piece);
        if chart.stretch <= MAX_STRETCH && chart.turned <= MAX_FLIPPED {
            all.push(chart);
            continue;
        }
        for part in cones(positions, faces, seams, &piece) {
            all.push(flat(positions, faces, seams, &part));
        }
    }
    all
}

/// Connected components of faces.
fn pieces(faces: &[CageFace], seams: &BTreeSet<(u32, u32)>) -> Vec<Vec<u32>> {
    let mut of_edge: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for (f, face) in faces.iter().enumerate() {
        for (a, b) in face.edges() {
            of_edge.entry(edge(a, b)).or_default().push(f as u32);
        }
    }
    let mut seen = vec![false; faces.len()];
    let mut all = Vec::new();
    for start in 0..faces.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let (mut piece, mut at) = (vec![start as u32], 0);
        while at < piece.len() {
            let own = &faces[piece[at] as usize];
            for (a, b) in own.edges() {
                let key = edge(a, b);
                if seams.contains(&key) {
                    continue;
                }
                for f in &of_edge[&key] {
                    let other = &faces[*f as usize];
                    if !seen[*f as usize] && other.chart == own.chart {
                        seen[*f as usize] = true;
                        piece.push(*f);
                    }
                }
            }
            at += 1;
        }
        piece.sort_unstable();
        all.push(piece);
    }
    all
}

/// Corner indices of a piece: corners at one point are merged if faces connect them without a seam.
fn corners(
    faces: &[CageFace],
    seams: &BTreeSet<(u32, u32)>,
    piece: &[u32],
) -> (Vec<[u32; 4]>, Vec<u32>) {
    let mut parent: Vec<u32> = (0..4 * piece.len() as u32).collect();
    fn root(parent: &mut [u32], i: u32) -> u32 {
        let mut i = i;
        while parent[i as usize] != i {
            parent[i as usize] = parent[parent[i as usize] as usize];
            i = parent[i as usize];
        }
        i
    }
    let slot = |n: usize, point: u32| -> Option<u32> {
        let face = &faces[piece[n] as usize];
        let k = face.corners().iter().position(|own| *own == point)?;
        Some((4 * n + k) as u32)
    };
    let mut of_edge: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (n, f) in piece.iter().enumerate() {
        for (a, b) in faces[*f as usize].edges() {
            let key = edge(a, b);
            if seams.contains(&key) {
                continue;
            }
            let Some(other) = of_edge.insert(key, n) else {
                continue;
            };
            for point in [a, b] {
                if let (Some(x), Some(y)) = (slot(n, point), slot(other, point)) {
                    let (x, y) = (root(&mut parent, x), root(&mut parent, y));
                    parent[x.max(y) as usize] = x.min(y);
                }
            }
        }
    }
    let mut number: BTreeMap<u32, u32> = BTreeMap::new();
    let mut points = Vec::new();
    let mut all = Vec::with_capacity(piece.len());
    for (n, f) in piece.iter().enumerate() {
        let face = &faces[*f as usize];
        let own = face.corners();
        let mut out = [0; 4];
        for (k, point) in own.iter().enumerate() {
            let key = root(&mut parent, (4 * n + k) as u32);
            out[k] = *number.entry(key).or_insert_with(|| {
                points.push(*point);
                points.len() as u32 - 1
            });
        }
        if own.len() == 3 {
            out[3] = out[2];
        }
        all.push(out);
    }
    (all, points)
}

/// A triangle of a chart: its corners, and their positions when it is flattened alone.
struct FlatTriangle {
    corners: [usize; 3],
    rest: [DVec2; 3],
    /// Half cotangents of the angles opposite to the edges.
    weights: [f64; 3],
}

fn flat(
    positions: &[Vec3],
    faces: &[CageFace],
    seams: &BTreeSet<(u32, u32)>,
    piece: &[u32],
) -> Chart {
    let (numbers, points) = corners(faces, seams, piece);
    let mut triangles = Vec::new();
    for c in &numbers {
        let quad = c[2] != c[3];
        for t in [[c[0], c[1], c[2]], [c[0], c[2], c[3]]]
            .into_iter()
            .take(1 + usize::from(quad))
        {
            let at = t.map(|i| positions[points[i as usize] as usize].as_dvec3());
            let along = at[1] - at[0];
            let x = along.length().max(1e-9);
            let across = at[2] - at[0];
            let u = across.dot(along) / x;
            let w = (across.length_squared() - u * u).max(1e-14).sqrt();
            let rest = [DVec2::ZERO, DVec2::new(x, 0.0), DVec2::new(u, w)];
            let cotangent = |k: usize| {
                let (a, b) = (rest[(k + 1) % 3] - rest[k], rest[(k + 2) % 3] - rest[k]);
                (a.dot(b) / a.perp_dot(b).abs().max(1e-14)).clamp(0.05, 20.0)
            };
            triangles.push(FlatTriangle {
                corners: t.map(|i| i as usize),
                rest,
                weights: std::array::from_fn(cotangent),
            });
        }
    }
    let mut uv = conformal(points.len(), &triangles);
    rigid(&mut uv, &triangles);
    let stretch = stretch(&uv, &triangles);
    let over = triangles.iter().filter(|triangle| {
        let [a, b, c] = triangle.corners.map(|i| uv[i]);
        (b - a).perp_dot(c - a) < 0.0
    });
    let turned = over.count() as f32 / triangles.len().max(1) as f32;
    Chart {
        faces: piece.iter().copied().zip(numbers).collect(),
        uv: uv.into_iter().map(DVec2::as_vec2).collect(),
        stretch,
        turned,
    }
}

/// Conformal map: solves for u and v as one vector of twice the length, with two distant points fixed.
fn conformal(n: usize, triangles: &[FlatTriangle]) -> Vec<DVec2> {
    let mut matrix = Sparse::new(2 * n);
    let mut used = vec![false; n];
    for triangle in triangles {
        let [a, b, c] = triangle.rest;
        let area = (b - a).perp_dot(c - a).max(1e-12);
        // The three sides as complex numbers; a conformal map makes their sum with the positions 0.
        let sides = [c - b, a - c, b - a].map(|side| side / area.sqrt());
        for i in 0..3 {
            used[triangle.corners[i]] = true;
            for k in 0..3 {
                let (p, q) = (triangle.corners[i], triangle.corners[k]);
                let (s, t) = (sides[i], sides[k]);
                let same = s.dot(t);
                let turned = s.perp_dot(t);
                matrix.add(2 * p, 2 * q, same);
                matrix.add(2 * p + 1, 2 * q + 1, same);
                matrix.add(2 * p, 2 * q + 1, -turned);
                matrix.add(2 * p + 1, 2 * q, turned);
            }
        }
    }
    // The initial guess is the position between the two most distant points, which are fixed.
    let far = |from: usize| {
        let distances = path_lengths(n, triangles, from);
        let best = (0..n)
            .filter(|i| used[*i])
            .max_by(|a, b| distances[*a].total_cmp(&distances[*b]));
        (best.unwrap_or(0), distances)
    };
    let (first, _) = far(triangles.first().map_or(0, |t| t.corners[0]));
    let (second, distances) = far(first);
    let length = distances[second].max(1e-6);
    let stiff = 1.0;
    let mut b = vec![0.0; 2 * n];
    for (end, u) in [(first, 0.0), (second, length)] {
        for k in 0..2 {
            matrix.add(2 * end + k, 2 * end + k, stiff);
        }
        b[2 * end] = stiff * u;
    }
    let mut guess: Vec<f64> = (0..n)
        .flat_map(|i| {
            [
                distances[i].min(1e6),
                if i % 2 == 0 { 1e-4 } else { -1e-4 } * length,
            ]
        })
        .collect();
    matrix.solve(&b, &mut guess, 1e-12, 20 * n + 2000);
    (0..n)
        .map(|i| DVec2::new(guess[2 * i], guess[2 * i + 1]))
        .collect()
}

/// Shortest path lengths along edges from one point.
fn path_lengths(n: usize, triangles: &[FlatTriangle], from: usize) -> Vec<f64> {
    let mut edges: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    for triangle in triangles {
        for k in 0..3 {
            let m = (k + 1) % 3;
            let length = triangle.rest[k].distance(triangle.rest[m]);
            edges[triangle.corners[k]].push((triangle.corners[m], length));
            edges[triangle.corners[m]].push((triangle.corners[k], length));
        }
    }
    let mut distances = vec![f64::MAX; n];
    distances[from] = 0.0;
    let mut open = BTreeSet::from([(0_u64, from)]);
    // Distances in nanometres as integers, so that they can be ordered.
    let key = |d: f64| (d * 1e9) as u64;
    while let Some((_, i)) = open.pop_first() {
        for (k, length) in &edges[i] {
            let d = distances[i] + length;
            if d < distances[*k] {
                open.remove(&(key(distances[*k].min(1e9)), *k));
                distances[*k] = d;
                open.insert((key(d), *k));
            }
        }
    }
    distances
}

/// As-rigid-as-possible: rotates each triangle to its current orientation, then solves for positions that fit all.
fn rigid(uv: &mut [DVec2], triangles: &[FlatTriangle]) {
    const ROUNDS: usize = 30;
    let n = uv.len();
    let (mut flat, mut real) = (0.0, 0.0);
    for triangle in triangles {
        let [a, b, c] = triangle.corners.map(|i| uv[i]);
        flat += (b - a).perp_dot(c - a).abs();
        real += (triangle.rest[1] - triangle.rest[0]).perp_dot(triangle.rest[2] - triangle.rest[0]);
    }
    let scale = (real / flat.max(1e-12)).sqrt();
    uv.iter_mut().for_each(|p| *p *= scale);
    let mut matrix = Sparse::new(n);
    for triangle in triangles {
        for k in 0..3 {
            let (i, j) = (triangle.corners[(k + 1) % 3], triangle.corners[(k + 2) % 3]);
            matrix.spring(i, j, triangle.weights[k]);
        }
    }
    if n > 0 {
        matrix.add(0, 0, 1.0);
    }
    for _ in 0..ROUNDS {
        let mut b = vec![DVec2::ZERO; n];
        for triangle in triangles {
            let mut sum = DMat2::ZERO;
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let now = uv[triangle.corners[i]] - uv[triangle.corners[j]];
                let rest = triangle.rest[i] - triangle.rest[j];
                sum += triangle.weights[k] * DMat2::from_cols(now * rest.x, now * rest.y);
            }
            // Rotation nearest to the summed matrix.
            let (cos, sin) = (sum.x_axis.x + sum.y_axis.y, sum.x_axis.y - sum.y_axis.x);
            let turn = DVec2::new(cos, sin).normalize_or(DVec2::X);
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                let rest = turn.rotate(triangle.rest[i] - triangle.rest[j]) * triangle.weights[k];
                b[triangle.corners[i]] += rest;
                b[triangle.corners[j]] -= rest;
            }
        }
        if let (Some(first), Some(at)) = (b.first_mut(), uv.first()) {
            *first += *at;
        }
        for axis in 0..2 {
            let wanted: Vec<f64> = b.iter().map(|p| p[axis]).collect();
            let mut found: Vec<f64> = uv.iter().map(|p| p[axis]).collect();
            matrix.solve(&wanted, &mut found, 1e-6, 200);
            for (p, x) in uv.iter_mut().zip(found) {
                p[axis] = x;
            }
        }
    }
}

fn stretch(uv: &[DVec2], triangles: &[FlatTriangle]) -> f32 {
    let mut all: Vec<f64> = Vec::new();
    for triangle in triangles {
        for k in 0..3 {
            let m = (k + 1) % 3;
            let rest = triangle.rest[k].distance(triangle.rest[m]).max(1e-9);
            let now = uv[triangle.corners[k]].distance(uv[triangle.corners[m]]);
            all.push((now / rest).max(rest / now.max(1e-9)));
        }
    }
    all.sort_by(f64::total_cmp);
    let worst = all.get(all.len() * 9 / 10).copied().unwrap_or(1.0);
    worst as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tube(seam: bool) -> (Vec<Vec3>, Vec<CageFace>, BTreeSet<(u32, u32)>) {
        let (around, along) = (16_u32, 10_u32);
        let mut positions = Vec::new();
        for j in 0..=along {
            for i in 0..around {
                let a = i as f32 / around as f32 * std::f32::consts::TAU;
                positions.push(Vec3::new(0.1 * a.cos(), 0.05 * j as f32, 0.1 * a.sin()));
            }
        }
        let mut faces = Vec::new();
        for j in 0..along {
            for i in 0..around {
                let k = (i + 1) % around;
                let corners = [
                    j * around + i,
                    j * around + k,
                    (j + 1) * around + k,
                    (j + 1) * around + i,
                ];
                faces.push(CageFace {
                    corners,
                    paint: 0,
                    chart: 3,
                });
            }
        }
        let cut = (0..along).map(|j| edge(j * around, (j + 1) * around));
        (
            positions,
            faces,
            if seam { cut.collect() } else { BTreeSet::new() },
        )
    }

    #[test]
    fn a_tube_with_a_seam_is_a_rectangle() {
        let (positions, faces, seams) = tube(true);
        let charts = flatten(&positions, &faces, &seams);
        assert_eq!(charts.len(), 1);
        let chart = &charts[0];
        assert_eq!((chart.faces.len(), chart.uv.len()), (160, 17 * 11));
        assert!(chart.stretch < 1.01, "{}", chart.stretch);
        let far = chart
            .uv
            .iter()
            .flat_map(|a| chart.uv.iter().map(|b| a.distance(*b)));
        let wanted = Vec2::new(16.0 * 0.2 * (std::f32::consts::PI / 16.0).sin(), 0.5).length();
        assert!((far.fold(0.0, f32::max) / wanted - 1.0).abs() < 0.01);
        // No face is flipped.
        for (_, c) in &chart.faces {
            let [a, b, d] = [c[0], c[1], c[3]].map(|i| chart.uv[i as usize]);
            assert!((b - a).perp_dot(d - a) > 0.0);
        }
    }

    #[test]
    fn charts_end_at_seams_and_where_the_chart_index_changes() {
        let (positions, mut faces, seams) = tube(true);
        for face in faces.iter_mut().skip(80) {
            face.chart = 4;
        }
        let charts = flatten(&positions, &faces, &seams);
        let all: Vec<_> = charts
            .iter()
            .map(|chart| (faces[chart.faces[0].0 as usize].chart, chart.faces.len()))
            .collect();
        assert_eq!(all, [(3, 80), (4, 80)]);
    }

    #[test]
    fn a_spherical_cap_unwraps_with_little_stretch_and_no_flips() {
        use super::super::cage::{Cage, wrap};
        use super::super::field::DistanceField;
        let ball = DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(0.12));
        for side in [1.0, -1.0] {
            let mut cage = Cage::default();
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                cage.point(Vec3::new(x * side, y, side) * 0.1, 0.0);
            }
            let corners = [0, 1, 2, 3];
            cage.faces.push(CageFace {
                corners,
                paint: 0,
                chart: 0,
            });
            let fine = wrap(&cage, 3, Some(&ball)).cage;
            let positions: Vec<Vec3> = fine.points.iter().map(|p| p.at).collect();
            let charts = flatten(&positions, &fine.faces, &BTreeSet::new());
            assert!(charts[0].stretch < 1.06, "{}", charts[0].stretch);
            for (_, c) in &charts[0].faces {
                let [a, b, d] = [c[0], c[1], c[3]].map(|i| charts[0].uv[i as usize]);
                assert!((b - a).perp_dot(d - a) > 0.0);
            }
        }
    }

    #[test]
    fn a_closed_cube_without_seams_is_split_and_unwrapped() {
        let mut cube = crate::cage::Cage::default();
        for i in 0..8 {
            let at = |bit: i32| if i & bit == 0 { -1.0 } else { 1.0 };
            cube.point(Vec3::new(at(1), at(2), at(4)), 1.0);
        }
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let side = |corners| CageFace {
            corners,
            paint: 0,
            chart: 0,
        };
        cube.faces = sides.map(side).to_vec();
        let wrapped = crate::cage::wrap(&cube, 2, None);
        let positions: Vec<Vec3> = wrapped.cage.points.iter().map(|p| p.at).collect();
        let charts = flatten(&positions, &wrapped.cage.faces, &BTreeSet::new());
        assert!(charts.len() > 1);
        let n: usize = charts.iter().map(|chart| chart.faces.len()).sum();
        assert_eq!(n, wrapped.cage.faces.len());
        for chart in charts {
            assert!(
                chart.stretch < 1.5 && chart.turned == 0.0,
                "{} {}",
                chart.stretch,
                chart.turned
            );
        }
    }
}
