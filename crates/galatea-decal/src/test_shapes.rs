//! Meshes for tests.

use glam::Vec3;

use galatea_asset::model::{Mesh, Primitive};

/// A closed tube along y with a circumference of 2 m. The first and the last column coincide as a seam. Every other ring
/// belongs to a second primitive.
pub fn tube() -> Mesh {
    const AROUND: u32 = 32;
    const RINGS: u32 = 24;
    let radius = 1.0 / std::f32::consts::PI;
    let mut primitives = vec![Primitive::default(), Primitive::default()];
    for ring in 0..RINGS {
        let p = &mut primitives[ring as usize % 2];
        let first = p.positions.len() as u32;
        for level in [ring, ring + 1] {
            for i in 0..=AROUND {
                let (sin, cos) = (i as f32 / AROUND as f32 * std::f32::consts::TAU).sin_cos();
                p.positions
                    .push(Vec3::new(cos * radius, level as f32 / 12.0, sin * radius));
            }
        }
        for i in 0..AROUND {
            let (a, b) = (first + i, first + AROUND + 1 + i);
            p.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    Mesh {
        primitives,
        ..Mesh::default()
    }
}
