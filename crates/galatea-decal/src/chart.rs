//! Unfolds a part of a surface around a hit: the distance and direction of each point along the surface. This is the
//! discrete exponential map of Schmidt, Grimm and Wyvill ("Interactive decal compositing with discrete exponential maps",
//! 2006). Each point is the mean of what its nearer neighbours give, as far as they agree, with normals smoothed over
//! creases.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::{Quat, Vec2, Vec3};

use super::surface::Surface;

/// A point on a surface, with directions.
#[derive(Clone, Copy, Debug)]
pub struct ChartOrigin {
    /// Index of the triangle that contains it.
    pub triangle: u32,
    /// Position, mesh space.
    pub at: Vec3,
    /// Unit normal of the surface.
    pub normal: Vec3,
    /// Up direction of the decal; only its part along the surface counts.
    pub up: Vec3,
    /// Rotation of the decal about the normal, radians.
    pub roll: f32,
}

impl ChartOrigin {
    /// Unit directions to the right and up along the surface. If `up` is parallel to the normal, another axis is used.
    pub fn axes(&self) -> [Vec3; 2] {
        let flat = |v: Vec3| (v - self.normal * self.normal.dot(v)).try_normalize();
        let near =
            |v: Vec3| flat(v).filter(|_| v.normalize_or_zero().dot(self.normal).abs() < 0.999);
        let up = near(self.up)
            .or_else(|| near(Vec3::Z))
            .or_else(|| near(Vec3::X));
        let up = up.unwrap_or_else(|| self.normal.any_orthonormal_vector());
        let up = Quat::from_axis_angle(self.normal, self.roll) * up;
        [up.cross(self.normal), up]
    }
}

#[derive(Clone, Copy)]
struct UnrolledVertex {
    /// Distance from the origin along edges.
    far: f32,
    /// Index of the previous point on the path; its own index for corners of the origin's triangle.
    from: u32,
    uv: Vec2,
    /// Rotation from mesh directions at the point to those at the origin.
    turn: Quat,
    is_done: bool,
}

#[derive(PartialEq)]
struct OpenVertex(f32, u32);

impl Eq for OpenVertex {}

impl Ord for OpenVertex {
    fn cmp(&self, other: &Self) -> Ordering {
        // The nearest first; of equal ones, the lower index.
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for OpenVertex {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Smoothing passes over the normals, so that creases, such as those of eyelids, do not rotate the decal.
const SMOOTHING_PASSES: usize = 8;
/// Neighbours whose result differs by more than this fraction of the distance are ignored.
const MAX_DISAGREEMENT: f32 = 0.4;

/// The points of some triangles with local indices, neighbours and smooth normals.
struct MeshPatch {
    /// Indices in the surface, ascending.
    points: Vec<u32>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// End of each point's list in `beside`.
    ends: Vec<u32>,
    neighbours: Vec<u32>,
}

impl MeshPatch {
    fn of(surface: &Surface, triangles: &[u32]) -> Self {
        let corners = || triangles.iter().map(|t| surface.triangles[*t as usize]);
        let mut points: Vec<u32> = corners().flatten().collect();
        points.sort_unstable();
        points.dedup();
        let number = |point: &u32| points.binary_search(point).unwrap_or(0) as u32;
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(6 * triangles.len());
        for own in corners() {
            let [a, b, c] = own.each_ref().map(number);
            edges.extend([(a, b), (a, c), (b, a), (b, c), (c, a), (c, b)]);
        }
        edges.retain(|(a, b)| a != b);
        edges.sort_unstable();
        edges.dedup();
        let end = |i: usize| edges.partition_point(|(a, _)| *a as usize <= i) as u32;
        let mut patch = Self {
            positions: points.iter().map(|i| surface.points[*i as usize]).collect(),
            normals: points
                .iter()
                .map(|i| surface.normals[*i as usize])
                .collect(),
            ends: (0..points.len()).map(end).collect(),
            neighbours: edges.into_iter().map(|(_, b)| b).collect(),
            points,
        };
        for _ in 0..SMOOTHING_PASSES {
            let mean = |i: usize| {
                let around = patch.neighbours(i as u32).iter();
                let sum: Vec3 = around.map(|k| patch.normals[*k as usize]).sum();
                (patch.normals[i] + sum).normalize_or(patch.normals[i])
            };
            patch.normals = (0..patch.points.len()).map(mean).collect();
        }
        patch
    }

    /// Local index of a point of the surface.
    fn number(&self, point: u32) -> Option<u32> {
        Some(self.points.binary_search(&point).ok()? as u32)
    }

    fn position(&self, i: u32) -> Vec3 {
        self.positions[i as usize]
    }

    fn normal(&self, i: u32) -> Vec3 {
        self.normals[i as usize]
    }

    fn neighbours(&self, i: u32) -> &[u32] {
        let first = match i {
            0 => 0,
            i => self.ends[i as usize - 1],
        };
        &self.neighbours[first as usize..self.ends[i as usize] as usize]
    }
}

/// The direction between two positions, projected onto the surface at the start, with the length kept.
fn flat(from: Vec3, out: Vec3, to: Vec3) -> Vec3 {
    let path = to - from;
    let along = path - out * out.dot(path);
    along.normalize_or_zero() * path.length()
}

/// Decal positions of each triangle's corners, metres to the right and up of the origin.
pub fn unfold(surface: &Surface, triangles: &[u32], origin: &ChartOrigin) -> Vec<[Vec2; 3]> {
    let [right, up] = origin.axes();
    let patch = MeshPatch::of(surface, triangles);
    let on = |path: Vec3| Vec2::new(path.dot(right), path.dot(up));
    let mut laid: Vec<Option<UnrolledVertex>> = vec![None; patch.points.len()];
    let mut queue = BinaryHeap::new();
    let own = surface.triangles.get(origin.triangle as usize);
    let own = own.into_iter().flatten();
    for i in own.filter_map(|point| patch.number(*point)) {
        let path = flat(origin.at, origin.normal, patch.position(i));
        let far = path.length();
        laid[i as usize] = Some(UnrolledVertex {
            far,
            from: i,
            uv: on(path),
            turn: Quat::from_rotation_arc(patch.normal(i), origin.normal),
            is_done: false,
        });
        queue.push(OpenVertex(far, i));
    }
    while let Some(OpenVertex(far, point)) = queue.pop() {
        let Some(own) = laid[point as usize].filter(|own| !own.is_done && own.far >= far) else {
            continue;
        };
        let (uv, turn) = if own.from == point {
            (own.uv, own.turn)
        } else {
            averaged(&patch, &laid, (own.from, point), on)
        };
        laid[point as usize] = Some(UnrolledVertex {
            uv,
            turn,
            is_done: true,
            ..own
        });
        for &other in patch.neighbours(point) {
            let beyond = far + patch.position(point).distance(patch.position(other));
            let known = &mut laid[other as usize];
            if known.is_some_and(|known| known.far <= beyond) {
                continue;
            }
            *known = Some(UnrolledVertex {
                far: beyond,
                from: point,
                uv: Vec2::ZERO,
                turn: Quat::IDENTITY,
                is_done: false,
            });
            queue.push(OpenVertex(beyond, other));
        }
    }
    let of = |point: u32| {
        let own = patch.number(point).and_then(|i| laid[i as usize]);
        own.map_or(Vec2::splat(f32::INFINITY), |own| own.uv)
    };
    triangles
        .iter()
        .map(|triangle| surface.triangles[*triangle as usize].map(of))
        .collect()
}

/// Position of a point from the one before it, averaged with all other neighbours that are no farther and agree. Farther
/// neighbours would pull it closer.
fn averaged(
    patch: &MeshPatch,
    laid: &[Option<UnrolledVertex>],
    (nearest, point): (u32, u32),
    on: impl Fn(Vec3) -> Vec2,
) -> (Vec2, Quat) {
    let far = laid[nearest as usize].map_or(0.0, |before| before.far);
    let position = |q: u32| {
        let from = laid[q as usize].filter(|from| from.is_done && from.far <= far)?;
        let path = from.turn * flat(patch.position(q), patch.normal(q), patch.position(point));
        let length = patch.position(q).distance(patch.position(point)).max(1e-9);
        Some((from.uv + on(path), from.turn, length))
    };
    let Some((first, turn, length)) = position(nearest) else {
        return (Vec2::ZERO, Quat::IDENTITY);
    };
    let (mut uv, mut sum) = (first / length, 1.0 / length);
    for &q in patch.neighbours(point).iter().filter(|q| **q != nearest) {
        if let Some((other, _, far)) = position(q)
            && other.distance(first) < MAX_DISAGREEMENT * length
        {
            uv += other / far;
            sum += 1.0 / far;
        }
    }
    let arc = Quat::from_rotation_arc(patch.normal(point), patch.normal(nearest));
    (uv / sum, turn * arc)
}

/// Planar projection along the normal, as in the book, with a divisor that gives 1 at the far edge for every size.
pub fn project_planar(
    surface: &Surface,
    triangles: &[u32],
    origin: &ChartOrigin,
) -> Vec<[Vec2; 3]> {
    let [right, up] = origin.axes();
    let of = |i: u32| {
        let path = surface.points[i as usize] - origin.at;
        Vec2::new(path.dot(right), path.dot(up))
    };
    triangles
        .iter()
        .map(|triangle| surface.triangles[*triangle as usize].map(of))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::surface::Flood;
    use super::super::test_shapes::tube;
    use super::*;
    use galatea_asset::model::{Mesh, Primitive};

    fn each(
        surface: &Surface,
        triangles: &[u32],
        laid: &[[Vec2; 3]],
        mut f: impl FnMut(Vec3, Vec2),
    ) {
        for (triangle, uv) in triangles.iter().zip(laid) {
            for (i, uv) in surface.triangles[*triangle as usize].iter().zip(uv) {
                f(surface.points[*i as usize], *uv);
            }
        }
    }

    /// The triangle with the nearest centre.
    fn nearest(surface: &Surface, at: Vec3) -> u32 {
        let far = |t: &u32| {
            let c = surface.corners(&surface.triangles[*t as usize]);
            ((c[0] + c[1] + c[2]) / 3.0).distance_squared(at)
        };
        let all = 0..surface.triangles.len() as u32;
        all.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap()
    }

    #[test]
    fn a_tube_unrolls_across_its_seam() {
        let surface = Surface::of(&tube());
        // On the seam, at half height.
        let radius = 1.0 / std::f32::consts::PI;
        let at = Vec3::new(radius, 1.0, 0.0);
        let start = nearest(&surface, at);
        let found = surface.flood(start, at, 0.3, &mut Flood::default());
        let origin = ChartOrigin {
            triangle: start,
            at,
            normal: Vec3::X,
            up: Vec3::Y,
            roll: 0.0,
        };
        let laid = unfold(&surface, &found, &origin);
        let mut max_error: f32 = 0.0;
        each(&surface, &found, &laid, |p, uv| {
            // Expected: angle times radius to the left or right, and the height.
            let expected = Vec2::new(-p.z.atan2(p.x) * radius, p.y - 1.0);
            max_error = max_error.max(uv.distance(expected));
        });
        assert!(max_error < 0.006, "{max_error}");
        let planar = project_planar(&surface, &found, &origin);
        let (mut flat, mut far): (f32, f32) = (0.0, 0.0);
        each(&surface, &found, &planar, |p, uv| {
            let arc = p.z.atan2(p.x).abs() * radius;
            if arc > far {
                (far, flat) = (arc, uv.x.abs());
            }
        });
        assert!(
            flat < far * 0.9,
            "the plane is shorter than the way around: {flat} of {far}"
        );
    }

    #[test]
    fn a_crease_is_partly_unfolded_and_connected() {
        // A sheet with a groove across it, 2 cm deep and one vertex wide.
        const N: u32 = 40;
        let mut sheet = Primitive::default();
        for i in 0..=N {
            for k in 0..=N {
                let deep = if i == 26 { -0.02 } else { 0.0 };
                sheet
                    .positions
                    .push(Vec3::new(k as f32, i as f32, 0.0) * 0.005 + Vec3::Z * deep);
            }
        }
        for i in 0..N {
            for k in 0..N {
                let a = i * (N + 1) + k;
                let b = a + N + 1;
                sheet.indices.extend([a, a + 1, b, b, a + 1, b + 1]);
            }
        }
        let surface = Surface::of(&Mesh {
            primitives: vec![sheet],
            ..Mesh::default()
        });
        let at = Vec3::new(0.1, 0.1, 0.0);
        let start = nearest(&surface, at);
        let found = surface.flood(start, at, 0.08, &mut Flood::default());
        let origin = ChartOrigin {
            triangle: start,
            at,
            normal: Vec3::Z,
            up: Vec3::Y,
            roll: 0.0,
        };
        let laid = unfold(&surface, &found, &origin);
        // Down and up is 4.1 cm long, instead of 1 cm across.
        let longer = 2.0 * (0.02_f32.powi(2) + 0.005_f32.powi(2)).sqrt() - 0.01;
        let mut max_error: f32 = 0.0;
        let mut behind = Vec::new();
        each(&surface, &found, &laid, |p, uv| {
            let beyond = if p.y > 0.1301 { longer } else { 0.0 };
            if p.z == 0.0 {
                let straight = p.truncate() - at.truncate();
                max_error = max_error.max(uv.distance(straight + Vec2::Y * beyond));
                if beyond > 0.0 {
                    behind.push(uv - straight);
                }
            }
        });
        let mean = behind.iter().sum::<Vec2>() / behind.len() as f32;
        let apart = behind.iter().map(|shift| shift.distance(mean));
        let apart = apart.fold(0.0, f32::max);
        // Smooth normals cut the corners of the groove: the result is shorter than the surface, but longer than the view
        // from above, and continues in one piece behind it.
        assert!(max_error < 0.025, "{max_error}");
        assert!(
            (0.02..longer).contains(&mean.y) && mean.x.abs() < 0.01,
            "{mean}"
        );
        assert!(apart < 0.015, "{apart}");
    }

    #[test]
    fn distances_on_a_sphere_are_geodesic() {
        let mut ball = Primitive::default();
        const N: u32 = 40;
        for ring in 0..=N {
            for i in 0..=2 * N {
                let (a, b) = (
                    std::f32::consts::PI * ring as f32 / N as f32,
                    std::f32::consts::PI * i as f32 / N as f32,
                );
                ball.positions
                    .push(Vec3::new(a.sin() * b.cos(), a.cos(), a.sin() * b.sin()));
            }
        }
        for ring in 0..N {
            for i in 0..2 * N {
                let a = ring * (2 * N + 1) + i;
                let b = a + 2 * N + 1;
                ball.indices.extend([a, a + 1, b, b, a + 1, b + 1]);
            }
        }
        let surface = Surface::of(&Mesh {
            primitives: vec![ball],
            ..Mesh::default()
        });
        let at = Vec3::new(0.6, 0.1, 0.79).normalize();
        let start = nearest(&surface, at);
        let found = surface.flood(start, at, 0.8, &mut Flood::default());
        let origin = ChartOrigin {
            triangle: start,
            at,
            normal: at,
            up: Vec3::Y,
            roll: 0.7,
        };
        let [right, up] = origin.axes();
        assert!(right.cross(up).distance(at) < 1e-5);
        let laid = unfold(&surface, &found, &origin);
        let (mut max_error, mut turned): (f32, f32) = (0.0, 0.0);
        each(&surface, &found, &laid, |p, uv| {
            let arc = p.dot(at).clamp(-1.0, 1.0).acos();
            if arc < 0.05 {
                return;
            }
            max_error = max_error.max((uv.length() - arc).abs() / arc);
            let path = (p - at * at.dot(p)).normalize();
            let expected = Vec2::new(path.dot(right), path.dot(up));
            turned = turned.max(expected.angle_to(uv).abs());
        });
        // 2 % of the distance and five degrees, up to 46 degrees around the ball.
        assert!(max_error < 0.025 && turned < 0.09, "{max_error} {turned}");
    }

    #[test]
    fn up_is_defined_for_any_normal() {
        for normal in [
            Vec3::Y,
            Vec3::NEG_Y,
            Vec3::X,
            Vec3::Z,
            Vec3::new(1.0, 5.0, -2.0).normalize(),
        ] {
            for up in [Vec3::Y, Vec3::ZERO, normal] {
                let origin = ChartOrigin {
                    triangle: 0,
                    at: Vec3::ZERO,
                    normal,
                    up,
                    roll: 0.3,
                };
                let [right, up] = origin.axes();
                assert!((right.length() - 1.0).abs() < 1e-5 && (up.length() - 1.0).abs() < 1e-5);
                assert!(right.cross(up).distance(normal) < 1e-5, "{normal}");
            }
        }
    }
}
