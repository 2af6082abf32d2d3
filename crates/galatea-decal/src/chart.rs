//! A piece of a surface laid flat around a place: how far along the surface, and which way, each of its points lies from
//! there (DC-17). The discrete exponential map of Schmidt, Grimm and Wyvill ("Interactive decal compositing with discrete
//! exponential maps", 2006), each point as the mean of what its nearer neighbours say that agree, over normals without creases.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::{Quat, Vec2, Vec3};

use super::surface::Surface;

/// A place on a surface and the directions there.
#[derive(Clone, Copy, Debug)]
pub struct ChartOrigin {
    /// The triangle in which it lies.
    pub triangle: u32,
    /// Mesh space.
    pub at: Vec3,
    /// Unit, out of the surface.
    pub normal: Vec3,
    /// What is up on the mark; any direction, its part along the surface counts.
    pub up: Vec3,
    /// Radians by which the mark is turned about the normal.
    pub roll: f32,
}

impl ChartOrigin {
    /// Unit directions to the right and up along the surface. Where `up` is the normal another axis takes its place (DC-15).
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
    /// Along edges, from the origin.
    far: f32,
    /// The point before on the way there, by number; its own of those that the origin sees.
    from: u32,
    uv: Vec2,
    /// Turns directions of the mesh there into those of the origin.
    turn: Quat,
    is_done: bool,
}

#[derive(PartialEq)]
struct OpenVertex(f32, u32);

impl Eq for OpenVertex {}

impl Ord for OpenVertex {
    fn cmp(&self, other: &Self) -> Ordering {
        // The nearest first; of equals the lower number.
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for OpenVertex {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Times that normals are averaged with those around: creases, as those of lids, turn nothing.
const SMOOTHED: usize = 8;
/// Neighbours that say something else by more than this share of their distance are not heard.
const AGREES: f32 = 0.4;

/// The points of some triangles, by numbers of their own: which are beside each, and smooth normals.
struct MeshPatch {
    /// Their numbers in the surface, ascending.
    points: Vec<u32>,
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// Where the list of each point ends in `beside`.
    ends: Vec<u32>,
    beside: Vec<u32>,
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
            places: points.iter().map(|i| surface.points[*i as usize]).collect(),
            normals: points
                .iter()
                .map(|i| surface.normals[*i as usize])
                .collect(),
            ends: (0..points.len()).map(end).collect(),
            beside: edges.into_iter().map(|(_, b)| b).collect(),
            points,
        };
        for _ in 0..SMOOTHED {
            let mean = |i: usize| {
                let around = patch.beside(i as u32).iter();
                let sum: Vec3 = around.map(|k| patch.normals[*k as usize]).sum();
                (patch.normals[i] + sum).normalize_or(patch.normals[i])
            };
            patch.normals = (0..patch.points.len()).map(mean).collect();
        }
        patch
    }

    /// The number of a point of the surface.
    fn number(&self, point: u32) -> Option<u32> {
        Some(self.points.binary_search(&point).ok()? as u32)
    }

    fn place(&self, i: u32) -> Vec3 {
        self.places[i as usize]
    }

    fn normal(&self, i: u32) -> Vec3 {
        self.normals[i as usize]
    }

    fn beside(&self, i: u32) -> &[u32] {
        let first = match i {
            0 => 0,
            i => self.ends[i as usize - 1],
        };
        &self.beside[first as usize..self.ends[i as usize] as usize]
    }
}

/// The way between two places, as long as it is, along the surface at its start.
fn flat(from: Vec3, out: Vec3, to: Vec3) -> Vec3 {
    let way = to - from;
    let along = way - out * out.dot(way);
    along.normalize_or_zero() * way.length()
}

/// For the corners of each of the triangles their places on the mark, metres to the right and up of the origin.
pub fn lay_flat(surface: &Surface, triangles: &[u32], origin: &ChartOrigin) -> Vec<[Vec2; 3]> {
    let [right, up] = origin.axes();
    let patch = MeshPatch::of(surface, triangles);
    let on = |way: Vec3| Vec2::new(way.dot(right), way.dot(up));
    let mut laid: Vec<Option<UnrolledVertex>> = vec![None; patch.points.len()];
    let mut queue = BinaryHeap::new();
    let own = surface.triangles.get(origin.triangle as usize);
    let own = own.into_iter().flatten();
    for i in own.filter_map(|point| patch.number(*point)) {
        let way = flat(origin.at, origin.normal, patch.place(i));
        let far = way.length();
        laid[i as usize] = Some(UnrolledVertex {
            far,
            from: i,
            uv: on(way),
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
            heard(&patch, &laid, (own.from, point), on)
        };
        laid[point as usize] = Some(UnrolledVertex {
            uv,
            turn,
            is_done: true,
            ..own
        });
        for &other in patch.beside(point) {
            let beyond = far + patch.place(point).distance(patch.place(other));
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

/// Where a point lies by the one before it, and by all others beside it that are no farther than that and agree with it:
/// those that are farther would draw it nearer.
fn heard(
    patch: &MeshPatch,
    laid: &[Option<UnrolledVertex>],
    (nearest, point): (u32, u32),
    on: impl Fn(Vec3) -> Vec2,
) -> (Vec2, Quat) {
    let far = laid[nearest as usize].map_or(0.0, |before| before.far);
    let place = |q: u32| {
        let from = laid[q as usize].filter(|from| from.is_done && from.far <= far)?;
        let way = from.turn * flat(patch.place(q), patch.normal(q), patch.place(point));
        let length = patch.place(q).distance(patch.place(point)).max(1e-9);
        Some((from.uv + on(way), from.turn, length))
    };
    let Some((first, turn, length)) = place(nearest) else {
        return (Vec2::ZERO, Quat::IDENTITY);
    };
    let (mut uv, mut sum) = (first / length, 1.0 / length);
    for &q in patch.beside(point).iter().filter(|q| **q != nearest) {
        if let Some((other, _, far)) = place(q)
            && other.distance(first) < AGREES * length
        {
            uv += other / far;
            sum += 1.0 / far;
        }
    }
    let arc = Quat::from_rotation_arc(patch.normal(point), patch.normal(nearest));
    (uv / sum, turn * arc)
}

/// The book's way: a projection along the normal (DC-15, with the divisor that gives 1 at the far edge for every size).
pub fn lay_planar(surface: &Surface, triangles: &[u32], origin: &ChartOrigin) -> Vec<[Vec2; 3]> {
    let [right, up] = origin.axes();
    let of = |i: u32| {
        let way = surface.points[i as usize] - origin.at;
        Vec2::new(way.dot(right), way.dot(up))
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

    /// The triangle whose middle is nearest.
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
        // On the seam, half way up.
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
        let laid = lay_flat(&surface, &found, &origin);
        let mut worst: f32 = 0.0;
        each(&surface, &found, &laid, |p, uv| {
            // Unrolled: the angle times the radius to the left or right, as high as it is.
            let want = Vec2::new(-p.z.atan2(p.x) * radius, p.y - 1.0);
            worst = worst.max(uv.distance(want));
        });
        assert!(worst < 0.006, "{worst}");
        let planar = lay_planar(&surface, &found, &origin);
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
    fn a_crease_is_laid_out_in_part_and_in_one_piece_with_what_lies_behind_it() {
        // A sheet with a groove across, 2 cm deep and as wide as a point: down and up again.
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
        let laid = lay_flat(&surface, &found, &origin);
        // Down and up is as long as 4.1 cm, in place of the 1 cm across.
        let longer = 2.0 * (0.02_f32.powi(2) + 0.005_f32.powi(2)).sqrt() - 0.01;
        let mut worst: f32 = 0.0;
        let mut behind = Vec::new();
        each(&surface, &found, &laid, |p, uv| {
            let beyond = if p.y > 0.1301 { longer } else { 0.0 };
            if p.z == 0.0 {
                let straight = p.truncate() - at.truncate();
                worst = worst.max(uv.distance(straight + Vec2::Y * beyond));
                if beyond > 0.0 {
                    behind.push(uv - straight);
                }
            }
        });
        let mean = behind.iter().sum::<Vec2>() / behind.len() as f32;
        let apart = behind.iter().map(|shift| shift.distance(mean));
        let apart = apart.fold(0.0, f32::max);
        // Smooth normals cut the groove's corners: it is laid out shorter than it is, but longer than what is seen of
        // it from above, and what lies behind it in one piece.
        assert!(worst < 0.025, "{worst}");
        assert!(
            (0.02..longer).contains(&mean.y) && mean.x.abs() < 0.01,
            "{mean}"
        );
        assert!(apart < 0.015, "{apart}");
    }

    #[test]
    fn on_a_ball_distances_are_those_along_it() {
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
        let laid = lay_flat(&surface, &found, &origin);
        let (mut worst, mut turned): (f32, f32) = (0.0, 0.0);
        each(&surface, &found, &laid, |p, uv| {
            let arc = p.dot(at).clamp(-1.0, 1.0).acos();
            if arc < 0.05 {
                return;
            }
            worst = worst.max((uv.length() - arc).abs() / arc);
            let way = (p - at * at.dot(p)).normalize();
            let want = Vec2::new(way.dot(right), way.dot(up));
            turned = turned.max(want.angle_to(uv).abs());
        });
        // Two hundredths of the distance, and five degrees, as far as 46 degrees around the ball.
        assert!(worst < 0.025 && turned < 0.09, "{worst} {turned}");
    }

    #[test]
    fn up_has_a_meaning_wherever_the_surface_looks() {
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
