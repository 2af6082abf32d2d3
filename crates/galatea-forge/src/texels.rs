//! Rasterises triangles in texture space: the surface point of each texel.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::field::DistanceField;

/// A triangle of a mesh with its texture coordinates, 0..=1, v downwards.
#[derive(Clone, Copy, Debug)]
pub struct UvTriangle {
    /// Positions, metres.
    pub at: [Vec3; 3],
    /// Normals of the vertices.
    pub normal: [Vec3; 3],
    /// Tangents of the vertices, along u.
    pub tangent: [Vec3; 3],
    /// Sign of the bitangent.
    pub hand: f32,
    /// Texture coordinates.
    pub uv: [Vec2; 3],
}

/// Surface point of a texel.
#[derive(Clone, Copy, Debug)]
pub struct Texel {
    /// Position on the mesh, metres.
    pub at: Vec3,
    /// Interpolated normal of the mesh.
    pub normal: Vec3,
    /// Tangent along u, perpendicular to the normal.
    pub tangent: Vec3,
    /// Sign of the bitangent.
    pub hand: f32,
    /// Index of the triangle.
    pub triangle: u32,
    /// Barycentric weights of the vertices.
    pub weights: [f32; 3],
}

/// Maximum distance of the detailed shape from the mesh, metres.
const MAX_DISTANCE: f32 = 0.012;

/// Point of a texel on the detailed shape, and the normal there.
pub fn on_sculpture(sculpt: Option<&DistanceField>, texel: &Texel) -> (Vec3, Vec3) {
    let (at, normal) = (texel.at, texel.normal);
    let Some(sculpt) = sculpt else {
        return (at, normal);
    };
    let d = sculpt.at(at);
    if d.abs() >= MAX_DISTANCE {
        return (at, normal);
    }
    let out = sculpt.normal(at, 0.0006);
    // A surface with another direction, such as the inside of a mouth, is not used.
    if out.dot(normal) <= 0.4 {
        return (at, normal);
    }
    let at = at - out * d;
    (at, sculpt.normal(at, 0.0006))
}

/// Surface point of each texel of a square texture, row by row; `None` outside charts.
pub fn texels(triangles: &[UvTriangle], side: u32) -> Vec<Option<Texel>> {
    let n = side as usize;
    // Indices of the triangles that each row of texels crosses.
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (i, triangle) in triangles.iter().enumerate() {
        let y = triangle.uv.map(|uv| uv.y * side as f32 - 0.5);
        let low = y.into_iter().fold(f32::MAX, f32::min).floor().max(0.0) as usize;
        let high = y.into_iter().fold(f32::MIN, f32::max).ceil().max(0.0) as usize;
        for row in rows.iter_mut().take(high.min(n - 1) + 1).skip(low) {
            row.push(i as u32);
        }
    }
    let lines: Vec<Vec<Option<Texel>>> = (0..n)
        .into_par_iter()
        .map(|y| {
            let mut line = vec![None; n];
            for i in &rows[y] {
                draw(triangles, *i, y, side, &mut line);
            }
            line
        })
        .collect();
    lines.into_iter().flatten().collect()
}

fn draw(triangles: &[UvTriangle], i: u32, y: usize, side: u32, line: &mut [Option<Texel>]) {
    let triangle = &triangles[i as usize];
    let [a, b, c] = triangle.uv.map(|uv| uv * side as f32 - 0.5);
    let area = (b - a).perp_dot(c - a);
    if area.abs() < 1e-9 {
        return;
    }
    let low = a.x.min(b.x).min(c.x).floor().max(0.0) as usize;
    let high = (a.x.max(b.x).max(c.x).ceil().max(0.0) as usize).min(line.len() - 1);
    for (x, slot) in line.iter_mut().enumerate().take(high + 1).skip(low) {
        let p = Vec2::new(x as f32, y as f32);
        let weights = [
            (b - p).perp_dot(c - p) / area,
            (c - p).perp_dot(a - p) / area,
            (a - p).perp_dot(b - p) / area,
        ];
        // A texel on a shared edge belongs to both triangles, with equal values.
        if weights.iter().any(|w| *w < -1e-4) {
            continue;
        }
        let mix = |of: &[Vec3; 3]| of[0] * weights[0] + of[1] * weights[1] + of[2] * weights[2];
        let normal = mix(&triangle.normal).normalize_or(Vec3::Y);
        let tangent = mix(&triangle.tangent);
        *slot = Some(Texel {
            at: mix(&triangle.at),
            normal,
            tangent: (tangent - normal * normal.dot(tangent))
                .normalize_or(normal.any_orthonormal_vector()),
            hand: triangle.hand,
            triangle: i,
            weights,
        });
    }
}

/// Fills texels outside charts with the nearest value, up to `by` texels, so that no other colour bleeds in.
pub fn spread<T: Copy + Send + Sync>(pixels: &mut Vec<Option<T>>, side: u32, by: u32) {
    let n = side as usize;
    for _ in 0..by {
        let before = &*pixels;
        let next: Vec<Option<T>> = (0..n * n)
            .into_par_iter()
            .map(|i| {
                if before[i].is_some() {
                    return before[i];
                }
                let (x, y) = (i % n, i / n);
                let around = [
                    (x > 0).then(|| i - 1),
                    (x + 1 < n).then(|| i + 1),
                    (y > 0).then(|| i - n),
                    (y + 1 < n).then(|| i + n),
                ];
                around.into_iter().flatten().find_map(|k| before[k])
            })
            .collect();
        *pixels = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_of_a_square_have_positions_and_padding_is_filled() {
        let at = [
            Vec2::new(0.25, 0.25),
            Vec2::new(0.75, 0.25),
            Vec2::new(0.75, 0.75),
            Vec2::new(0.25, 0.75),
        ];
        let triangle = |corners: [usize; 3]| UvTriangle {
            at: corners.map(|i| at[i].extend(1.0)),
            normal: [Vec3::Z; 3],
            tangent: [Vec3::X; 3],
            hand: 1.0,
            uv: corners.map(|i| at[i]),
        };
        let mut all = texels(&[triangle([0, 1, 2]), triangle([0, 2, 3])], 64);
        let n = all.iter().flatten().count();
        assert_eq!(n, 32 * 32);
        for (i, texel) in all.iter().enumerate() {
            let Some(texel) = texel else { continue };
            let uv = (Vec2::new((i % 64) as f32, (i / 64) as f32) + 0.5) / 64.0;
            assert!((texel.at - uv.extend(1.0)).length() < 1e-5);
            assert_eq!((texel.normal, texel.tangent), (Vec3::Z, Vec3::X));
        }
        spread(&mut all, 64, 3);
        // A square of 32 texels with three rows around it, without the corners.
        assert_eq!(all.iter().flatten().count(), 32 * 32 + 4 * 32 * 3 + 4 * 3);
    }
}
