//! Platform-independent noise: values on a lattice with smooth interpolation.

use glam::{IVec3, Vec3};

/// Random number in -1..=1 for a lattice cell.
fn cell(c: IVec3, seed: u32) -> f32 {
    let mut h = seed.wrapping_mul(0x9e37_79b9) ^ 0x85eb_ca6b;
    for k in [c.x, c.y, c.z] {
        h = (h ^ k as u32).wrapping_mul(0xcc9e_2d51);
        h = (h ^ (h >> 15)).wrapping_mul(0x1b87_3593);
    }
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    h ^= h >> 16;
    h as f32 / u32::MAX as f32 * 2.0 - 1.0
}

/// Value noise, -1..=1, cell size 1, with continuous slopes.
pub fn noise(p: Vec3, seed: u32) -> f32 {
    let base = p.floor();
    let f = p - base;
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let base = base.as_ivec3();
    let at = |x: i32, y: i32, z: i32| cell(base + IVec3::new(x, y, z), seed);
    let lerp = |a: f32, b: f32, u: f32| a + (b - a) * u;
    let plane = |z: i32| {
        let low = lerp(at(0, 0, z), at(1, 0, z), u.x);
        let high = lerp(at(0, 1, z), at(1, 1, z), u.x);
        lerp(low, high, u.y)
    };
    lerp(plane(0), plane(1), u.z)
}

/// Fractal noise: octaves with half the size and half the strength each; -1..=1.
pub fn layered(p: Vec3, seed: u32, octaves: u32) -> f32 {
    let (mut sum, mut all, mut size, mut weight) = (0.0, 0.0, 1.0, 1.0);
    for octave in 0..octaves.clamp(1, 12) {
        sum += weight * noise(p * size, seed.wrapping_add(octave));
        all += weight;
        size *= 2.03;
        weight *= 0.5;
    }
    sum / all
}

/// Cellular noise (Worley 1996): distances to the nearest and the second nearest feature point, cell size 1.
pub fn cells(p: Vec3, seed: u32) -> [f32; 2] {
    let base = p.floor().as_ivec3();
    let mut best = [f32::MAX; 2];
    for z in -1..=1 {
        for y in -1..=1 {
            for x in -1..=1 {
                let c = base + IVec3::new(x, y, z);
                let jitter = |k: u32| 0.5 + 0.5 * cell(c, seed.wrapping_add(k));
                let at = c.as_vec3() + Vec3::new(jitter(1), jitter(2), jitter(3));
                let d = p.distance(at);
                if d < best[0] {
                    best = [d, best[0]];
                } else if d < best[1] {
                    best[1] = d;
                }
            }
        }
    }
    best
}
