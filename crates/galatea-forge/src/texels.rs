//! Which place of a surface each pixel of its texture shows.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::field::DistanceField;

/// A triangle of a mesh with its corners on the texture, 0..=1, v downwards.
#[derive(Clone, Copy, Debug)]
pub struct UvTriangle {
    /// Places, metres.
    pub at: [Vec3; 3],
    /// Normals of the corners.
    pub normal: [Vec3; 3],
    /// Tangents of the corners, along growing u.
    pub tangent: [Vec3; 3],
    /// Sign of the bitangent.
    pub hand: f32,
    /// On the texture.
    pub uv: [Vec2; 3],
}

/// What a pixel shows.
#[derive(Clone, Copy, Debug)]
pub struct Texel {
    /// Place on the mesh, metres.
    pub at: Vec3,
    /// The mesh's own smooth normal.
    pub normal: Vec3,
    /// Along growing u, across the normal.
    pub tangent: Vec3,
    /// Sign of the bitangent.
    pub hand: f32,
    /// Which of the triangles it is of.
    pub triangle: u32,
    /// How near its corners are: shares that sum to 1.
    pub weights: [f32; 3],
}

/// How far from a mesh the sculpture may lie, metres.
const NEAR: f32 = 0.012;

/// The place of a pixel on what is finer than the mesh, and the normal there.
pub fn on_sculpture(sculpt: Option<&DistanceField>, texel: &Texel) -> (Vec3, Vec3) {
    let (at, normal) = (texel.at, texel.normal);
    let Some(sculpt) = sculpt else {
        return (at, normal);
    };
    let d = sculpt.at(at);
    if d.abs() >= NEAR {
        return (at, normal);
    }
    let out = sculpt.normal(at, 0.0006);
    // What only looks another way than the mesh, as inside a mouth, is not of the sculpture.
    if out.dot(normal) <= 0.4 {
        return (at, normal);
    }
    let at = at - out * d;
    (at, sculpt.normal(at, 0.0006))
}

/// For each pixel of a square texture what it shows, row by row; nothing beside charts.
pub fn texels(triangles: &[UvTriangle], side: u32) -> Vec<Option<Texel>> {
    let n = side as usize;
    // Triangles that each row of pixels crosses.
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
        // Both of two neighbours take a pixel on their edge; they say the same of it.
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

/// Fills what lies beside charts with what is nearest, so many pixels far, so that nothing else bleeds in.
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
    fn every_pixel_of_a_square_tells_its_place_and_what_is_beside_it_is_spread() {
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
        // A square of 32 with three rows around it, its corners cut.
        assert_eq!(all.iter().flatten().count(), 32 * 32 + 4 * 32 * 3 + 4 * 3);
    }
}
