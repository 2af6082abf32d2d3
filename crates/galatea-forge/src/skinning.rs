//! Automatic skin weights: by envelopes around bones, and by heat diffusion over the surface (Baran and Popović 2007,
//! "Automatic Rigging and Animation of 3D Characters", 4.2).

use glam::Vec3;
use parry3d::query::{Ray, RayCast as _};
use parry3d::shape::TriMesh;
use rayon::prelude::*;

use super::cage::CageFace;
use super::solve::Sparse;

/// Segment of a bone, for weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneSegment {
    /// Index of the bone.
    pub bone: u16,
    /// Position of the joint, metres.
    pub from: Vec3,
    /// Position of the end, metres.
    pub to: Vec3,
    /// Radius of the envelope, metres.
    pub radius: f32,
}

impl BoneSegment {
    /// Nearest point of the segment.
    fn near(&self, p: Vec3) -> Vec3 {
        let along = self.to - self.from;
        let t = (p - self.from).dot(along) / along.length_squared().max(1e-12);
        self.from + along * t.clamp(0.0, 1.0)
    }
}

/// Falloff of an envelope: full weight up to this fraction of the radius, none from the radius on.
const CORE_FRACTION: f32 = 0.35;
/// Heat of a bone, as a factor for the inverse square of the distance.
const HEAT: f64 = 1.0;

/// Weights by envelopes: a bone's weight falls smoothly from the core to the radius of the envelope. A point outside all
/// envelopes gets the nearest bone.
pub fn envelopes(positions: &[Vec3], segments: &[BoneSegment]) -> Vec<Vec<(u16, f32)>> {
    let of = |p: &Vec3| -> Vec<(u16, f32)> {
        let share = |one: &BoneSegment| {
            let depth = p.distance(one.near(*p)) / one.radius.max(1e-6);
            let t = ((1.0 - depth) / (1.0 - CORE_FRACTION)).clamp(0.0, 1.0);
            (one.bone, t * t * (3.0 - 2.0 * t))
        };
        let mut all: Vec<(u16, f32)> = segments.iter().map(share).collect();
        all.retain(|(_, weight)| *weight > 0.0);
        if all.is_empty() {
            all.extend(nearest(*p, segments).map(|one| (one.bone, 1.0)));
        }
        all
    };
    positions.par_iter().map(of).collect()
}

fn nearest(p: Vec3, segments: &[BoneSegment]) -> Option<&BoneSegment> {
    let far = |one: &&BoneSegment| p.distance_squared(one.near(p));
    segments.iter().min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// Weights by heat diffusion: every point is heated by the nearest bone visible through the inside of the mesh, and the heat
/// spreads over the surface.
pub fn heat(
    positions: &[Vec3],
    faces: &[CageFace],
    segments: &[BoneSegment],
) -> Vec<Vec<(u16, f32)>> {
    let triangles = triangles(faces);
    let (laplacian, areas) = laplacian(positions, &triangles);
    let mesh = TriMesh::new(positions.to_vec(), triangles).ok();
    let inside: Vec<Vec3> = super::cage::normals(positions, faces);
    // Bones that heat each point (several at equal distance share it), and the strength.
    let warmed: Vec<(Vec<usize>, f64)> = positions
        .par_iter()
        .zip(&inside)
        .map(|(p, normal)| warmed(*p, *normal, segments, mesh.as_ref()))
        .collect();
    let mut matrix = laplacian;
    for (i, (_, strength)) in warmed.iter().enumerate() {
        matrix.add(i, i, strength * areas[i]);
    }
    let solved: Vec<Vec<f64>> = (0..segments.len())
        .into_par_iter()
        .map(|s| {
            let own = warmed.iter().zip(&areas).map(|((bones, strength), area)| {
                let share = bones.iter().filter(|b| **b == s).count() as f64;
                strength * area * share / bones.len().max(1) as f64
            });
            let b: Vec<f64> = own.collect();
            if b.iter().all(|own| *own == 0.0) {
                return vec![0.0; positions.len()];
            }
            let mut found = vec![0.0; positions.len()];
            matrix.solve(&b, &mut found, 1e-7, 4000);
            found
        })
        .collect();
    (0..positions.len())
        .map(|i| {
            let mut own: Vec<(u16, f32)> = Vec::new();
            for (segment, found) in segments.iter().zip(&solved) {
                let weight = found[i] as f32;
                if weight > 1e-3 {
                    match own.iter_mut().find(|(bone, _)| *bone == segment.bone) {
                        Some((_, sum)) => *sum += weight,
                        None => own.push((segment.bone, weight)),
                    }
                }
            }
            if own.is_empty() {
                own.extend(nearest(positions[i], segments).map(|one| (one.bone, 1.0)));
            }
            own
        })
        .collect()
}

/// Nearest visible bones of a point, and the strength of their heat.
fn warmed(
    p: Vec3,
    normal: Vec3,
    segments: &[BoneSegment],
    mesh: Option<&TriMesh>,
) -> (Vec<usize>, f64) {
    let mut far: Vec<(f32, usize)> = segments
        .iter()
        .enumerate()
        .map(|(s, one)| (p.distance(one.near(p)), s))
        .collect();
    far.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let sees = |s: usize| {
        let from = p - normal * 1e-4;
        let span = segments[s].near(p) - from;
        let length = span.length();
        let ray = Ray::new(from, span / length.max(1e-9));
        mesh.is_none_or(|mesh| !mesh.intersects_local_ray(&ray, length * 0.999))
    };
    // Limit the search for a visible bone farther away to the nearest few.
    let first = far.iter().take(12).find(|(_, s)| sees(*s));
    let (d, _) = match first.or(far.first()) {
        Some(first) => *first,
        None => return (Vec::new(), 0.0),
    };
    let equal = far
        .iter()
        .filter(|(own, s)| (own - d).abs() <= 1e-5 && (first.is_none() || sees(*s)));
    let d = f64::from(d.max(1e-4));
    (equal.map(|(_, s)| *s).collect(), HEAT / (d * d))
}

fn triangles(faces: &[CageFace]) -> Vec<[u32; 3]> {
    let mut all = Vec::with_capacity(2 * faces.len());
    for face in faces {
        let [a, b, c, d] = face.corners;
        all.push([a, b, c]);
        if c != d {
            all.push([a, c, d]);
        }
    }
    all
}

/// Cotangent weights between points, and the area of each point.
fn laplacian(positions: &[Vec3], triangles: &[[u32; 3]]) -> (Sparse, Vec<f64>) {
    let mut matrix = Sparse::new(positions.len());
    let mut areas = vec![1e-12; positions.len()];
    for t in triangles {
        let at = t.map(|i| positions[i as usize].as_dvec3());
        let area = 0.5 * (at[1] - at[0]).cross(at[2] - at[0]).length();
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let (a, b) = (at[i] - at[k], at[j] - at[k]);
            let cotangent = a.dot(b) / a.cross(b).length().max(1e-12);
            // Negative values could produce weights outside 0 to 1.
            let weight = 0.5 * cotangent.clamp(0.01, 20.0);
            matrix.spring(t[i] as usize, t[j] as usize, weight);
            areas[t[k] as usize] += area / 3.0;
        }
    }
    (matrix, areas)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed tube along x from 0 to 1, of radius 0.1.
    fn tube() -> (Vec<Vec3>, Vec<CageFace>) {
        let (rings, around) = (41, 12);
        let mut positions = Vec::new();
        for i in 0..rings {
            for k in 0..around {
                let a = k as f32 / around as f32 * std::f32::consts::TAU;
                let x = i as f32 / (rings - 1) as f32;
                positions.push(Vec3::new(x, 0.1 * a.cos(), 0.1 * a.sin()));
            }
        }
        let mut faces = Vec::new();
        for i in 0..rings - 1 {
            for k in 0..around {
                let m = (k + 1) % around;
                let at = |i: usize, k: usize| (i * around + k) as u32;
                faces.push(CageFace {
                    corners: [at(i, k), at(i, m), at(i + 1, m), at(i + 1, k)],
                    paint: 0,
                    chart: 0,
                });
            }
        }
        (positions, faces)
    }

    fn bones() -> [BoneSegment; 2] {
        let at = |x: f32| Vec3::new(x, 0.0, 0.0);
        let one = |bone, from, to| BoneSegment {
            bone,
            from: at(from),
            to: at(to),
            radius: 0.3,
        };
        [one(3, 0.0, 0.5), one(7, 0.5, 1.0)]
    }

    fn share(weights: &[(u16, f32)], bone: u16) -> f32 {
        let sum: f32 = weights.iter().map(|(_, w)| w).sum();
        let own = weights.iter().find(|(own, _)| *own == bone);
        own.map_or(0.0, |(_, w)| *w) / sum
    }

    #[test]
    fn both_methods_switch_bones_at_the_joint() {
        let (positions, faces) = tube();
        let all = [
            envelopes(&positions, &bones()),
            heat(&positions, &faces, &bones()),
        ];
        for (method, weights) in all.iter().enumerate() {
            let at = |ring: usize| share(&weights[ring * 12], 7);
            assert!(
                at(2) < 0.02 && at(38) > 0.98,
                "{method}: {} {}",
                at(2),
                at(38)
            );
            assert!((at(20) - 0.5).abs() < 0.02, "{method}: {}", at(20));
            assert!(
                (1..40).all(|ring| at(ring + 1) >= at(ring) - 1e-3),
                "{method}"
            );
            assert!(at(15) > 0.05 && at(15) < 0.47, "{method}: {}", at(15));
        }
    }

    #[test]
    fn heat_does_not_cross_gaps_and_envelopes_do() {
        let (mut positions, mut faces) = tube();
        let n = positions.len() as u32;
        // A second tube close to the first, with a separate bone.
        for i in 0..n as usize {
            positions.push(positions[i] + Vec3::Y * 0.22);
        }
        let beside = faces.iter().map(|face| CageFace {
            corners: face.corners.map(|i| i + n),
            ..*face
        });
        let beside: Vec<CageFace> = beside.collect();
        faces.extend(beside);
        let mut segments = bones().to_vec();
        segments.push(BoneSegment {
            bone: 9,
            from: Vec3::Y * 0.22,
            to: Vec3::new(1.0, 0.22, 0.0),
            radius: 0.3,
        });
        let warm = heat(&positions, &faces, &segments);
        assert!(warm[..n as usize].iter().all(|own| share(own, 9) < 1e-3));
        let near = envelopes(&positions, &segments);
        assert!(near[..n as usize].iter().any(|own| share(own, 9) > 0.1));
    }
}
