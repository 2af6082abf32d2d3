//! Specular prefiltering (B. Karis, "Real shading in Unreal Engine 4", 2013): the environment blurred by the GGX lobe of
//! each roughness.

use std::f32::consts::PI;

use galatea_math::clamp::ClampTo as _;
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use super::{Cube, Environment, direction, texel_coordinates};

/// Side of the smallest mip level, pixels.
const MIN_SIZE: u32 = 4;
/// Sample directions per lobe.
const SAMPLES: u32 = 64;

/// Cube maps for the mip levels of a texture, each half as large as the level before. Level 0 is the environment itself. The
/// others are prefiltered for perceptual roughness `level / (levels - 1)`, GGX with the view direction along the normal.
/// Each is laid out as [`Environment::faces`].
pub fn lobes(environment: &Environment) -> Vec<Vec<Vec3>> {
    let mut halved = vec![Cube {
        size: environment.size,
        faces: environment.faces.clone(),
    }];
    while let Some(last) = halved.last()
        && last.size > 1
        && last.size.is_multiple_of(2)
    {
        let next = last.clone().at_most(last.size / 2);
        halved.push(next);
    }
    let n_levels = 1 + halved
        .iter()
        .filter(|cube| cube.size >= MIN_SIZE && cube.size < environment.size)
        .count();
    let mut levels = vec![environment.faces.clone()];
    for level in 1..n_levels {
        let roughness = level as f32 / (n_levels - 1) as f32;
        levels.push(blurred(&halved, halved[level].size, roughness));
    }
    levels
}

fn blurred(halved: &[Cube], size: u32, roughness: f32) -> Vec<Vec3> {
    let alpha = roughness * roughness;
    let n = 6 * size as usize * size as usize;
    let lobe = lobe(alpha, halved[0].size);
    let texel = |i: usize| {
        let (face, x, y) = texel_coordinates(i, size);
        let normal = direction(face, x as f32 + 0.5, y as f32 + 0.5, size as f32).normalize();
        let (side, up) = normal.any_orthonormal_pair();
        let (mut sum, mut all) = (Vec3::ZERO, 0.0);
        for &(l, level) in &lobe {
            let towards = side * l.x + up * l.y + normal * l.z;
            sum += sample(halved, towards, level) * l.z;
            all += l.z;
        }
        sum / all
    };
    (0..n).into_par_iter().map(texel).collect()
}

/// Sample directions about the normal +Z, each with the mip level that matches the distance between samples (J. Křivánek and
/// M. Colbert, "Real-time shading with filtered importance sampling", 2008).
fn lobe(alpha: f32, size: u32) -> Vec<(Vec3, f32)> {
    let texel = 4.0 * PI / (6.0 * (size * size) as f32);
    (0..SAMPLES)
        .filter_map(|i| {
            let u = Vec2::new(
                (i as f32 + 0.5) / SAMPLES as f32,
                i.reverse_bits() as f32 / 4_294_967_296.0,
            );
            let cos2 = (1.0 - u.x) / (1.0 + (alpha * alpha - 1.0) * u.x);
            let (cos, sin) = (cos2.sqrt(), (1.0 - cos2).max(0.0).sqrt());
            let angle = 2.0 * PI * u.y;
            let h = Vec3::new(sin * angle.cos(), sin * angle.sin(), cos);
            let l = h * (2.0 * h.z) - Vec3::Z;
            if l.z <= 0.0 {
                return None;
            }
            let k = alpha / (1.0 - cos2 + cos2 * alpha * alpha).max(1e-9);
            let density = k * k / PI * 0.25;
            let apart = 1.0 / (SAMPLES as f32 * density.max(1e-6));
            Some((l, (0.5 * (apart / texel).log2() + 0.5).max(0.0)))
        })
        .collect()
}

/// Samples radiance from a direction, interpolated between two mip levels.
fn sample(halved: &[Cube], towards: Vec3, level: f32) -> Vec3 {
    let last = halved.len() - 1;
    let low = (level as usize).min(last);
    let fraction = (level - low as f32).clamp(0.0, 1.0);
    let near = texel_at(&halved[low], towards);
    if fraction <= 0.0 || low == last {
        return near;
    }
    near.lerp(texel_at(&halved[low + 1], towards), fraction)
}

/// Interpolates between the four texels around a direction; at the edges of a face the nearest texel is used.
fn texel_at(cube: &Cube, d: Vec3) -> Vec3 {
    let a = d.abs();
    let (face, s, t, largest) = if a.x >= a.y && a.x >= a.z {
        (
            if d.x > 0.0 { 0 } else { 1 },
            -d.z * d.x.signum(),
            -d.y,
            a.x,
        )
    } else if a.y >= a.z {
        (if d.y > 0.0 { 2 } else { 3 }, d.x, d.z * d.y.signum(), a.y)
    } else {
        (if d.z > 0.0 { 4 } else { 5 }, d.x * d.z.signum(), -d.y, a.z)
    };
    let n = cube.size as usize;
    let at = |part: f32| {
        let texel = (part / largest.max(1e-12) * 0.5 + 0.5) * n as f32 - 0.5;
        let texel = texel.clamp_to(0.0, (n - 1) as f32);
        (texel as usize, texel.fract())
    };
    let ((x, u), (y, v)) = (at(s), at(t));
    let texel = |x: usize, y: usize| cube.faces[(face * n + y.min(n - 1)) * n + x.min(n - 1)];
    let upper = texel(x, y).lerp(texel(x + 1, y), u);
    let lower = texel(x, y + 1).lerp(texel(x + 1, y + 1), u);
    upper.lerp(lower, v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_on_a_face_is_found_again_by_its_direction() {
        let size = 8;
        let mut cube = Cube::new(size);
        for (i, texel) in cube.faces.iter_mut().enumerate() {
            *texel = Vec3::splat(i as f32);
        }
        for i in 0..cube.faces.len() {
            let (face, x, y) = texel_coordinates(i, size);
            let d = direction(face, x as f32 + 0.5, y as f32 + 0.5, size as f32);
            let found = texel_at(&cube, d.normalize()).x;
            assert!((found - i as f32).abs() < 1e-3, "{i}: {found}");
        }
    }

    #[test]
    fn uniform_light_stays_uniform_and_a_spot_grows_with_roughness() {
        let even = Environment::from_fn(32, |_| Vec3::new(1.0, 2.0, 3.0));
        for level in lobes(&even) {
            assert!(
                level
                    .iter()
                    .all(|c| c.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-4))
            );
        }
        let spot = Environment::from_fn(32, |d| Vec3::splat(if d.x > 0.98 { 50.0 } else { 0.0 }));
        let levels = lobes(&spot);
        assert_eq!(levels.len(), 4);
        let peak = |level: &Vec<Vec3>| level.iter().map(|c| c.x).fold(0.0, f32::max);
        let peaks: Vec<f32> = levels.iter().map(peak).collect();
        assert!(peaks.windows(2).all(|two| two[1] < two[0]), "{peaks:?}");
        // Blurring preserves energy: the mean over all directions stays the same.
        let mean = |level: &Vec<Vec3>| level.iter().map(|c| c.x).sum::<f32>() / level.len() as f32;
        let (first, last) = (mean(&levels[0]), mean(&levels[3]));
        assert!((last / first - 1.0).abs() < 0.25, "{first} {last}");
    }
}
