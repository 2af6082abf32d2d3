//! The recipe: field → mesh → paint → weights → targets → clips.

use std::{collections::BTreeMap, sync::Arc};

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::{
    Forged,
    body::Body,
    clips, cut, eyes,
    paint::{self, Paint},
    rig, sdf, simplify, surface, weights,
};
use crate::{
    anim::Skeleton,
    asset::model::{Influences, Material, Mesh, MorphTarget, Part, Primitive, Skin},
};

/// Triangles of the skin before it is cut along the colours' borders.
const TRIANGLES: usize = 10_900;

/// Galatea: 1.70 m tall, on y = 0, facing +Z, in an A-pose, with morph targets `blink` and `smile`
/// and the clips of [`clips`].
pub fn galatea() -> Forged {
    let skeleton = rig::skeleton();
    let primitives = primitives(&skeleton);
    let joints: Vec<u16> = (1..skeleton.len() as u16 - 1).collect();
    let places = rig::places(&skeleton);
    let inverse_bind = joints
        .iter()
        .map(|j| Mat4::from_translation(-places[usize::from(*j)]))
        .collect();
    let carrier = skeleton.len() as u16 - 1;
    Forged {
        name: "galatea".into(),
        skins: vec![Skin {
            name: "galatea".into(),
            joints,
            inverse_bind,
        }],
        meshes: vec![Mesh {
            name: "body".into(),
            primitives,
            morph_names: vec!["blink".into(), "smile".into()],
        }],
        parts: vec![Part {
            name: "body".into(),
            bone: carrier,
            mesh: 0,
            skin: Some(0),
            morph_weights: vec![0.0; 2],
            ..Part::default()
        }],
        materials: Paint::ALL
            .map(Paint::material)
            .into_iter()
            .collect::<Vec<Material>>(),
        clips: clips::all(&skeleton).into_iter().map(Arc::new).collect(),
        skeleton: Arc::new(skeleton),
        ..Forged::default()
    }
}

/// One vertex before it is sorted into its primitive.
#[derive(Clone, Copy)]
struct Vertex {
    position: Vec3,
    normal: Vec3,
    shade: Vec3,
    joints: [u16; 4],
    weights: [f32; 4],
    blink: Vec3,
    smile: Vec3,
}

fn primitives(skeleton: &Skeleton) -> Vec<Primitive> {
    let body = Body::default();
    let field = |p: Vec3| body.distance(p);
    let grid = surface::Grid {
        min: Vec3::new(-0.70, -0.02, -0.19),
        max: Vec3::new(0.70, 1.74, 0.22),
        step: 0.0040,
    };
    let mut shell = surface::nets(grid, field);
    surface::project(&mut shell, field, 0.004);
    simplify::simplify(&mut shell, TRIANGLES, dearness);
    surface::project(&mut shell, field, 0.004);
    surface::relax(&mut shell, field, 2);
    cut::mirror(&mut shell);
    let paints = paint::paint(&mut shell, &body);
    let mut sorted: BTreeMap<Paint, Builder> = BTreeMap::new();
    let vertices: Vec<Vertex> = shell
        .positions
        .iter()
        .map(|p| skin_vertex(*p, &body, skeleton))
        .collect();
    for (t, paint) in shell.triangles.iter().zip(&paints) {
        let builder = sorted.entry(*paint).or_default();
        for i in t {
            builder.corner(*i, &vertices[*i as usize]);
        }
    }
    let drop = |x: f32, y: f32| {
        let mut p = Vec3::new(x, y, 0.13);
        for _ in 0..24 {
            p.z -= field(p) * 0.8;
        }
        (p, surface::normal(field, p, 0.001))
    };
    let patches = eyes::patches().into_iter().chain(eyes::bars(drop));
    for (n, patch) in patches.enumerate() {
        let bone = match (patch.turns, patch.side > 0.0) {
            (true, true) => "left_eye",
            (true, false) => "right_eye",
            (false, _) => "head",
        };
        let joint = skeleton.find(bone).expect("the rig has eyes") - 1;
        let builder = sorted.entry(patch.paint).or_default();
        let offset = (n as u32 + 1) << 20;
        for i in patch.triangles.iter().flatten() {
            let k = *i as usize;
            let vertex = Vertex {
                position: patch.positions[k],
                normal: patch.normals[k],
                shade: patch.shade(),
                joints: [joint, 0, 0, 0],
                weights: [1.0, 0.0, 0.0, 0.0],
                blink: patch.blink[k],
                smile: smile(patch.positions[k]),
            };
            builder.corner(offset + i, &vertex);
        }
    }
    sorted
        .into_iter()
        .map(|(paint, builder)| builder.finish(paint))
        .collect()
}

/// How dear the surface is: the face most, then hands, then what bends.
fn dearness(p: Vec3) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let near = |c: Vec3, r: f32| 1.0 - sdf::smoothstep(0.0, r, q.distance(c));
    let face = near(Vec3::new(0.015, 1.55, 0.09), 0.10);
    let mouth = near(Vec3::new(0.008, 1.522, 0.09), 0.035);
    let head = near(Vec3::new(0.0, 1.61, -0.02), 0.21);
    let hand = near(rig::SHOULDER + rig::arm_dir() * 0.60, 0.14);
    let elbow = near(rig::SHOULDER + rig::arm_dir() * rig::UPPER_ARM, 0.09);
    let shoulder = near(rig::SHOULDER, 0.11);
    let knee = near(rig::KNEE, 0.10);
    let hip = near(rig::HIP, 0.13);
    let foot = near(Vec3::new(0.095, 0.03, 0.08), 0.14);
    1.0 + 1.7 * face
        + 2.2 * mouth
        + 0.9 * head
        + 0.85 * hand
        + 0.5 * (elbow + shoulder + knee + hip)
        + 0.4 * foot
}

fn skin_vertex(p: Vec3, body: &Body, skeleton: &Skeleton) -> Vertex {
    let parts = body.parts(p);
    let eps = if p.y > 1.46 { 0.0012 } else { 0.0025 };
    let normal = surface::normal(|p| body.distance(p), p, eps);
    let (joints, weights) = weights::at(p, &parts, skeleton);
    Vertex {
        position: p,
        normal,
        shade: shade(p, normal, body),
        joints: joints.map(|j| j.max(1) - 1),
        weights,
        blink: Vec3::ZERO,
        smile: smile(p),
    }
}

/// Soft hollows from the field itself, a little blush, and lips: linear factors of the base colour.
fn shade(p: Vec3, normal: Vec3, body: &Body) -> Vec3 {
    let mut open = 0.0;
    for (reach, weight) in [(0.008, 0.40), (0.020, 0.35), (0.045, 0.25)] {
        let seen = body.distance(p + normal * reach) / reach;
        open += weight * seen.clamp(0.0, 1.0);
    }
    let depth = if p.y > 1.47 && p.z > 0.0 { 0.25 } else { 0.40 };
    let grey = Vec3::splat(1.0 - depth + depth * open);
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let spot = |c: Vec3, r: Vec3| (-((q - c) / r).length_squared()).exp();
    let lips = spot(
        Vec3::new(0.0, 1.5212, 0.094),
        Vec3::new(0.0200, 0.0064, 0.02),
    );
    let cheek = spot(
        Vec3::new(0.044, 1.549, 0.070),
        Vec3::new(0.018, 0.014, 0.03),
    );
    let tint = Vec3::ONE
        .lerp(Vec3::new(0.78, 0.40, 0.38), (lips * 1.5).min(1.0))
        .lerp(Vec3::new(1.0, 0.78, 0.74), cheek * 0.6);
    grey * tint
}

/// The mouth's corners go up and out, the cheeks rise.
fn smile(p: Vec3) -> Vec3 {
    if p.y < 1.46 || p.z < 0.02 {
        return Vec3::ZERO;
    }
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let spot = |c: Vec3, r: Vec3| (-((q - c) / r).length_squared()).exp();
    let corner = spot(
        Vec3::new(0.025, 1.521, 0.080),
        Vec3::new(0.014, 0.014, 0.03),
    );
    let cheek = spot(
        Vec3::new(0.042, 1.550, 0.062),
        Vec3::new(0.018, 0.016, 0.03),
    );
    let side = p.x.signum();
    Vec3::new(0.0050 * side, 0.0072, -0.0022) * corner
        + Vec3::new(0.0008 * side, 0.0022, 0.0022) * cheek
}

/// Collects the vertices of one paint, each once.
#[derive(Default)]
struct Builder {
    names: BTreeMap<u32, u32>,
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

impl Builder {
    fn corner(&mut self, key: u32, vertex: &Vertex) {
        let next = self.vertices.len() as u32;
        let i = *self.names.entry(key).or_insert(next);
        if i == next {
            self.vertices.push(*vertex);
        }
        self.indices.push(i);
    }

    fn finish(self, paint: Paint) -> Primitive {
        let v = &self.vertices;
        Primitive {
            positions: v.iter().map(|v| v.position).collect(),
            normals: v.iter().map(|v| v.normal).collect(),
            tangents: v
                .iter()
                .map(|v| v.normal.any_orthonormal_vector().extend(1.0))
                .collect(),
            uv0: vec![Vec2::ZERO; v.len()],
            uv1: Vec::new(),
            colors: v.iter().map(|v| v.shade.extend(1.0)).collect::<Vec<Vec4>>(),
            influences: Influences {
                per_vertex: weights::PER_VERTEX,
                joints: v.iter().flat_map(|v| v.joints).collect(),
                weights: v.iter().flat_map(|v| v.weights).collect(),
            },
            targets: vec![
                MorphTarget {
                    positions: v.iter().map(|v| v.blink).collect(),
                    ..MorphTarget::default()
                },
                MorphTarget {
                    positions: v.iter().map(|v| v.smile).collect(),
                    ..MorphTarget::default()
                },
            ],
            indices: self.indices,
            variants: Vec::new(),
            material: Paint::ALL
                .iter()
                .position(|p| *p == paint)
                .expect("every paint is listed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::forge::{glb, tests::shared};

    #[test]
    fn the_figure_stands_on_the_ground_at_its_height_and_is_symmetric() {
        let model = shared();
        let all: Vec<Vec3> = model
            .primitives()
            .flat_map(|p| p.positions.clone())
            .collect();
        let low = all.iter().copied().reduce(Vec3::min).unwrap();
        let high = all.iter().copied().reduce(Vec3::max).unwrap();
        assert!(low.y.abs() < 0.002, "{}", low.y);
        assert!((high.y - rig::HEIGHT).abs() < 0.01, "{}", high.y);
        assert!((low.x + high.x).abs() < 1e-4);
        assert!((8_000..=16_000).contains(&model.n_triangles()));
    }

    #[test]
    fn weights_sum_to_one_and_no_leg_moves_the_other() {
        let model = shared();
        let skin = &model.skins[0];
        for primitive in model.primitives() {
            let influences = &primitive.influences;
            for (v, p) in primitive.positions.iter().enumerate() {
                let span = v * 4..v * 4 + 4;
                let weights = &influences.weights[span.clone()];
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                for (joint, weight) in influences.joints[span].iter().zip(weights) {
                    let bone = skin.joints[usize::from(*joint)];
                    let name = &model.skeleton.bones()[usize::from(bone)].name;
                    let wrong_side = (name.starts_with("left") && p.x < -0.02)
                        || (name.starts_with("right") && p.x > 0.02);
                    assert!(!wrong_side || *weight < 0.02, "{name} {weight} at {p}");
                }
            }
        }
    }

    #[test]
    fn the_skin_is_closed_across_its_paints_outside_the_face() {
        let model = shared();
        let mut edges: BTreeMap<([i32; 3], [i32; 3]), i32> = BTreeMap::new();
        let key = |p: Vec3| (p * 2e5).round().as_ivec3().to_array();
        let eye = |p: Vec3| p.y > 1.50 && p.z > 0.03;
        for primitive in model.primitives() {
            for t in primitive.indices.chunks(3) {
                let p: [Vec3; 3] = std::array::from_fn(|k| primitive.positions[t[k] as usize]);
                // Lids, lashes, brows and the mouth line are open patches on the face.
                if p.iter().any(|p| eye(*p)) {
                    continue;
                }
                for k in 0..3 {
                    let (a, b) = (key(p[k]), key(p[(k + 1) % 3]));
                    *edges.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { -1 };
                }
            }
        }
        let open = edges
            .iter()
            .filter(|((a, b), n)| **n != 0 && ![a, b].iter().any(|p| p[1] > 298_000 && p[2] > 0))
            .collect::<Vec<_>>();
        assert!(open.is_empty(), "{open:?} of {}", edges.len());
    }

    #[test]
    fn two_runs_give_the_same_bytes() {
        assert_eq!(glb::write(&galatea()), glb::write(shared()));
    }
}
