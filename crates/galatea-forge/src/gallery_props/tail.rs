//! A ponytail and loose locks: strips with a strand texture that thins out, in the space of the head bone.

use glam::{Vec2, Vec3, Vec4};

use super::solid::{SolidMesh, material, rigid};
use crate::{Forged, head, pictures};
use galatea_asset::model::{
    AlphaMode, Material, MaterialKind, Sampler, TextureRef, UvTransform, Wrap,
};

/// Position of the head bone in the rest pose.
const HEAD: Vec3 = Vec3::new(0.0, 1.515, -0.012);
/// Segments of a strip along its length.
const STEPS: usize = 12;
/// Number of strips of the ponytail.
const STRIPS: usize = 84;

/// A ponytail from the knot; attach it to the bone `head`.
pub fn ponytail() -> Forged {
    let mut hair = SolidMesh::default();
    let mut tangents = Vec::new();
    let knot = head::KNOT - HEAD;
    for i in 0..STRIPS {
        tail_strip(&mut hair, &mut tangents, knot, i);
    }
    for side in [1.0_f32, -1.0] {
        for i in 0..9 {
            loose_lock(&mut hair, &mut tangents, side, i);
        }
    }
    let band: Vec<Vec3> = (0..24)
        .map(|i| {
            let angle = i as f32 / 24.0 * std::f32::consts::TAU;
            knot + Vec3::new(0.030 * angle.cos(), 0.006 + 0.026 * angle.sin(), -0.040)
        })
        .collect();
    let gold = material("gold", [0.83, 0.55, 0.22], 0.85, 0.34);
    let mut model = rigid(
        "ponytail",
        vec![
            (hair, strands()),
            (SolidMesh::tube(&band, 0.0042, 8, true), gold),
        ],
    );
    model.images = vec![pictures::loose_strands()];
    model.meshes[0].primitives[0].tangents = tangents;
    model
}

/// Hair material with the strand texture.
fn strands() -> Material {
    let picture = TextureRef {
        image: 0,
        uv_set: 0,
        uv_transform: UvTransform::IDENTITY,
        sampler: Sampler {
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Clamp,
            ..Sampler::default()
        },
    };
    Material {
        kind: MaterialKind::Hair,
        base_color_texture: Some(picture),
        alpha: AlphaMode::Blend,
        double_sided: true,
        ..material("hair", [0.115, 0.040, 0.024], 0.0, 0.50)
    }
}

/// Adds strip `i` of the ponytail, hanging from the knot.
fn tail_strip(hair: &mut SolidMesh, tangents: &mut Vec<Vec4>, knot: Vec3, i: usize) {
    // Spread over the knot's lower half by the golden angle.
    let angle = i as f32 * 2.399_963;
    let share = (i as f32 + 0.5) / STRIPS as f32;
    let (sin, cos) = angle.sin_cos();
    let wide = share.sqrt();
    let root = knot + Vec3::new(0.027 * sin * wide, 0.004 + 0.022 * cos * wide, -0.020);
    let long = 0.36 + 0.10 * (1.0 - share) + 0.03 * (angle * 5.0).sin();
    let line: Vec<Vec3> = (0..=STEPS)
        .map(|k| {
            let t = k as f32 / STEPS as f32;
            // Back and out of the knot, then down in a bundle, and apart again at the ends.
            let out = 0.052 * (1.0 - (-t * 9.0).exp()) + 0.018 * t;
            let gather = 0.62 + 0.50 * (t - 0.25).abs();
            let wave = 0.007 * (t * 9.0 + angle * 2.0).sin() * t;
            Vec3::new(
                root.x * 1.45 * gather + wave + 0.012 * sin * t,
                root.y - long * t * (0.55 + 0.45 * t) + 0.014 * (t * 8.0).min(1.0) * (1.0 - t),
                root.z - out + 0.055 * t * t + 0.016 * cos * gather,
            )
        })
        .collect();
    let outward = Vec3::new(sin * 0.9, 0.0, -0.45 - 0.55 * cos.max(-0.6)).normalize();
    strip(hair, tangents, &line, outward, 0.0155, i);
}

/// Adds loose lock `i` on one side of the face.
fn loose_lock(hair: &mut SolidMesh, tangents: &mut Vec<Vec4>, side: f32, i: usize) {
    let t0 = i as f32 / 8.0;
    let root = Vec3::new(0.0610 + 0.0040 * t0, 0.106 - 0.030 * t0, 0.050 - 0.036 * t0);
    let long = 0.150 + 0.035 * (i as f32 * 2.1).sin() - 0.03 * t0;
    let line: Vec<Vec3> = (0..=STEPS)
        .map(|k| {
            let t = k as f32 / STEPS as f32;
            let bow =
                0.016 * (t * 3.0).min(1.0) - 0.010 * t + 0.004 * (t * 8.0 + i as f32).sin() * t;
            Vec3::new(
                side * (root.x + bow),
                root.y - long * t,
                root.z + 0.012 * (t * 2.6).sin() - 0.012 * t,
            )
        })
        .collect();
    let outward = Vec3::new(side, 0.0, 0.35).normalize();
    strip(hair, tangents, &line, outward, 0.0065, i);
}

/// Adds a strip along a line, facing outwards; `which` selects a part of the texture.
fn strip(
    hair: &mut SolidMesh,
    tangents: &mut Vec<Vec4>,
    line: &[Vec3],
    outward: Vec3,
    wide: f32,
    which: usize,
) {
    let first = hair.positions.len() as u32;
    let n = line.len();
    for (k, p) in line.iter().enumerate() {
        let t = k as f32 / (n - 1) as f32;
        let along =
            (line[(k + 1).min(n - 1)] - line[k.saturating_sub(1)]).normalize_or(Vec3::NEG_Y);
        let across = along.cross(outward).normalize_or(Vec3::X);
        let normal = across.cross(along).normalize_or(outward);
        let half = wide * (0.75 + 0.45 * t - 0.55 * t * t);
        for side in [-1.0_f32, 1.0] {
            // Rounded normals, so that the strips are shaded like a bundle.
            let round = (normal + across * (side * 0.55)).normalize();
            hair.positions
                .push(*p + across * (half * side) - normal * (half * 0.25));
            hair.normals.push(round);
            let u = (which % 4) as f32 * 0.25 + 0.125 * (1.0 + side);
            hair.uv.push(Vec2::new(u, t));
            // Strands run along v: across × along is the normal.
            tangents.push(along.cross(round).normalize_or(Vec3::X).extend(1.0));
        }
    }
    for k in 0..n as u32 - 1 {
        let a = first + k * 2;
        hair.indices.extend([a, a + 2, a + 3, a, a + 3, a + 1]);
    }
    let t = hair.indices.len() - 6 * (n - 1);
    let [a, b, c] = [t, t + 1, t + 2].map(|i| hair.positions[hair.indices[i] as usize]);
    if (b - a).cross(c - a).dot(hair.normals[first as usize]) < 0.0 {
        for triangle in hair.indices[t..].chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
}
