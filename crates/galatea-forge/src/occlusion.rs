//! Ambient occlusion of a model's vertices, by rays against all of the triangles.

use glam::{Quat, Vec3};
use parry3d::query::{Ray, RayCast as _};
use parry3d::shape::TriMesh;
use rayon::prelude::*;

use super::cage::normals;
use super::pieces::QuadMesh;

/// Rays per vertex.
const RAYS: u32 = 96;
/// Maximum distance of occluders, metres.
const REACH: f32 = 0.12;
/// Offset of a ray's start from the surface, metres.
const START_OFFSET: f32 = 0.0006;
/// Minimum light of a fully occluded vertex.
const MIN_LIGHT: f32 = 0.22;

/// Ambient light of every point of every piece, 0..=1. Cosine-weighted rays over the hemisphere; near occluders count more
/// than far ones.
pub fn open(pieces: &[QuadMesh]) -> Vec<Vec<f32>> {
    let mut points: Vec<Vec3> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for piece in pieces {
        let first = points.len() as u32;
        points.extend(&piece.positions);
        for face in &piece.faces {
            let [a, b, c, d] = face.corners.map(|i| i + first);
            triangles.push([a, b, c]);
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
    let Ok(all) = TriMesh::new(points, triangles) else {
        return pieces
            .iter()
            .map(|p| vec![1.0; p.positions.len()])
            .collect();
    };
    let of = |piece: &QuadMesh| -> Vec<f32> {
        let smooth = normals(&piece.positions, &piece.faces);
        let both = piece.positions.par_iter().zip(&smooth);
        let seen: Vec<f32> = both.map(|(at, normal)| sky(&all, *at, *normal)).collect();
        smoothed(piece, &seen)
    };
    pieces.iter().map(of).collect()
}

fn sky(all: &TriMesh, at: Vec3, normal: Vec3) -> f32 {
    let turn = Quat::from_rotation_arc(Vec3::Z, normal);
    let mut occluded = 0.0;
    for k in 0..RAYS {
        // Uniform on the disc under the hemisphere (Malley), on Vogel's spiral.
        let r = ((k as f32 + 0.5) / RAYS as f32).sqrt();
        let angle = k as f32 * 2.399_963_2;
        let flat = Vec3::new(angle.cos() * r, angle.sin() * r, (1.0 - r * r).sqrt());
        let along = turn * flat;
        let ray = Ray::new(at + normal * START_OFFSET, along);
        if let Some(far) = all.cast_local_ray(&ray, REACH, true) {
            occluded += 1.0 - (far / REACH).sqrt();
        }
    }
    let open = 1.0 - occluded / RAYS as f32;
    MIN_LIGHT + (1.0 - MIN_LIGHT) * open.clamp(0.0, 1.0).powf(1.4)
}

/// Smooths values: half from the point, half from its neighbours, to remove single dark points.
fn smoothed(piece: &QuadMesh, own: &[f32]) -> Vec<f32> {
    let mut sum = vec![(0.0, 0.0); own.len()];
    for face in &piece.faces {
        for (a, b) in face.edges() {
            for (i, k) in [(a as usize, b as usize), (b as usize, a as usize)] {
                sum[i].0 += own[k];
                sum[i].1 += 1.0;
            }
        }
    }
    let both = own.iter().zip(sum);
    both.map(|(own, (sum, n))| if n > 0.0 { 0.5 * (own + sum / n) } else { *own })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cage::CageFace;

    fn sheet(y: f32, half: f32) -> QuadMesh {
        let at = |x: f32, z: f32| Vec3::new(x * half, y, z * half);
        QuadMesh {
            positions: vec![at(-1.0, -1.0), at(-1.0, 1.0), at(1.0, 1.0), at(1.0, -1.0)],
            faces: vec![CageFace {
                corners: [0, 1, 2, 3],
                paint: 0,
                chart: 0,
            }],
            ..QuadMesh::default()
        }
    }

    #[test]
    fn covered_points_are_dark_and_uncovered_ones_are_not() {
        let [floor, roof] = [sheet(0.0, 0.02), sheet(0.004, 1.0)];
        let seen = open(&[floor, roof]);
        assert!(seen[0].iter().all(|open| *open < 0.4), "{:?}", seen[0]);
        assert!(seen[1].iter().all(|open| *open > 0.99), "{:?}", seen[1]);
    }
}
