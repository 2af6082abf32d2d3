//! The mannequin, light enough for tests and benchmarks: field → mesh → paint → weights → targets → clips.

use std::{collections::BTreeMap, sync::Arc};

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::{
    Forged,
    body::BodyField,
    clips, cut, eyes, face,
    head::{self, Head},
    paint::{self, Paint},
    pictures, rig, sdf, shapes, simplify, surface, weights,
};
use galatea_anim::Skeleton;
use galatea_asset::model::{Influences, Mesh, MorphTarget, Part, Primitive, Skin};

/// Number of triangles of the skin before it is cut along colour borders.
const TRIANGLES: usize = 16_000;

/// A porcelain mannequin of a woman: 1.70 m tall, on y = 0, facing +Z, in an A-pose, with the morph targets of [`face`]
/// and the clips of [`clips`].
pub fn mannequin() -> Forged {
    let skeleton = rig::skeleton();
    let primitives = primitives(&skeleton);
    let joints: Vec<u16> = (1..skeleton.len() as u16 - 1).collect();
    let places = rig::rest_positions(&skeleton);
    let inverse_bind = joints
        .iter()
        .map(|j| Mat4::from_translation(-places[usize::from(*j)]))
        .collect();
    let carrier = skeleton.len() as u16 - 1;
    Forged {
        name: "mannequin".into(),
        skins: vec![Skin {
            name: "mannequin".into(),
            joints,
            inverse_bind,
        }],
        meshes: vec![Mesh {
            name: "body".into(),
            primitives,
            morph_names: target_names(),
        }],
        parts: vec![Part {
            name: "body".into(),
            bone: carrier,
            mesh: 0,
            skin: Some(0),
            morph_weights: vec![0.0; face::TARGETS.len() + shapes::SHAPES.len()],
            ..Part::default()
        }],
        materials: [
            Paint::ALL.map(Paint::material),
            Paint::ALL.map(Paint::cartoon),
        ]
        .concat(),
        variants: vec!["toon".into()],
        images: [pictures::strands().to_vec(), vec![pictures::eye()]].concat(),
        clips: clips::all(&skeleton).into_iter().map(Arc::new).collect(),
        skeleton: Arc::new(skeleton),
        ..Forged::default()
    }
}

/// Names of all morph targets: facial expressions, then shapes of the face.
fn target_names() -> Vec<String> {
    let names = face::TARGETS.iter().chain(&shapes::SHAPES);
    names.map(|name| (*name).to_owned()).collect()
}

/// A vertex before it is assigned to a primitive.
#[derive(Clone, Copy)]
struct Vertex {
    position: Vec3,
    normal: Vec3,
    /// Tangent with the sign of the bitangent.
    tangent: Vec4,
    uv: Vec2,
    shade: Vec3,
    joints: [u16; 4],
    weights: [f32; 4],
    moved: [Vec3; face::TARGETS.len()],
    /// True for a vertex of an eye: it rotates with the eye, and face shapes move its bone.
    is_eye: bool,
}

fn primitives(skeleton: &Skeleton) -> Vec<Primitive> {
    let body = BodyField::default();
    let field = |p: Vec3| body.distance(p);
    let mut grid = surface::GridAxes::even(
        Vec3::new(-0.70, -0.02, -0.19),
        Vec3::new(0.70, 1.74, 0.22),
        0.0040,
    );
    // The head has half the cell size.
    grid.refine(0, -0.096, 0.096, 0.0022);
    grid.refine(1, 1.450, 1.740, 0.0022);
    grid.refine(2, -0.190, 0.130, 0.0024);
    let mut shell = surface::nets(&grid, field);
    surface::project(&mut shell, field, 0.004);
    simplify::simplify(&mut shell, TRIANGLES, importance);
    surface::project(&mut shell, field, 0.004);
    surface::relax(&mut shell, field, 3);
    cut::mirror(&mut shell);
    open_eyes(&mut shell);
    let paints = paint::paint(&mut shell, &body);
    let mut sorted: BTreeMap<Paint, Builder> = BTreeMap::new();
    let vertices: Vec<Vertex> = shell
        .positions
        .iter()
        .map(|p| skin_vertex(*p, &body, skeleton))
        .collect();
    for (t, paint) in shell.triangles.iter().zip(&paints) {
        let builder = sorted.entry(*paint).or_default();
        if *paint == Paint::Hair {
            let corners = t.map(|i| vertices[i as usize]);
            for ((i, vertex), uv) in t.iter().zip(corners).zip(hair_uv(&corners)) {
                let (_, strand) = strand(vertex.position);
                let tangent = strand
                    .cross(vertex.normal)
                    .normalize_or(Vec3::X)
                    .extend(1.0);
                // At the seam of the texture a vertex exists twice.
                let again = u32::from(uv.x > HAIR_TILES) << 31;
                builder.corner(
                    i | again,
                    &Vertex {
                        uv,
                        tangent,
                        ..vertex
                    },
                );
            }
            continue;
        }
        for i in t {
            builder.corner(*i, &vertices[*i as usize]);
        }
    }
    add_patches(&mut sorted, skeleton);
    sorted
        .into_iter()
        .map(|(paint, builder)| builder.finish(paint))
        .collect()
}

/// Removes the skin where the lids' patches are.
fn open_eyes(shell: &mut surface::Shell) {
    let opening = |p: Vec3| eyes::opening(Vec3::new(p.x.abs(), p.y, p.z));
    cut::cut_along(shell, opening);
    let positions = &shell.positions;
    shell.triangles.retain(|t| {
        let middle = t.iter().map(|i| positions[*i as usize]).sum::<Vec3>() / 3.0;
        opening(middle) > 0.0
    });
}

/// Adds eyes, lids, lashes, brows and the line between the lips.
fn add_patches(sorted: &mut BTreeMap<Paint, Builder>, skeleton: &Skeleton) {
    let head = Head::default();
    let face = |p: Vec3| head.face(Vec3::new(p.x.abs(), p.y, p.z));
    let drop = |x: f32, y: f32| {
        let mut p = Vec3::new(x, y, 0.13);
        for _ in 0..24 {
            p.z -= face(p) * 0.8;
        }
        (p, surface::normal(face, p, 0.001))
    };
    let patches = eyes::patches(face)
        .into_iter()
        .chain(eyes::bars(head::MOUTH, drop));
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
            let (position, normal) = (patch.positions[k], patch.normals[k]);
            let tint = if patch.paint == Paint::Skin {
                face::blush(position)
            } else {
                Vec3::ONE
            };
            // The texture of the right eye is mirrored; all have their top at v = 0.
            let (across, handed) = match patch.turns {
                true => (Vec3::X * patch.side, patch.side),
                false => (Vec3::Y, 1.0),
            };
            let tangent = across - normal * normal.dot(across);
            let vertex = Vertex {
                position,
                normal,
                tangent: tangent.normalize_or(Vec3::X).extend(handed),
                uv: patch.uv[k],
                shade: patch.shade[k] * tint,
                joints: [joint, 0, 0, 0],
                weights: [1.0, 0.0, 0.0, 0.0],
                moved: if patch.turns {
                    [Vec3::ZERO; face::TARGETS.len()]
                } else {
                    face::offsets(position, patch.blink[k], patch.side)
                },
                is_eye: patch.turns,
            };
            builder.corner(offset + i, &vertex);
        }
    }
}

/// Repetitions of the strand texture around the head, and from hairline to knot.
const HAIR_TILES: f32 = 9.0;
const HAIR_LENGTHS: f32 = 1.1;

/// Texture coordinates of a point of the hair, and the direction of the strand.
fn strand(p: Vec3) -> (Vec2, Vec3) {
    let tau = std::f32::consts::TAU;
    if p.distance(head::KNOT) < 0.047 && head::knot(p) < 0.003 {
        // Around the knot.
        let axis = head::to_knot();
        let r = p - head::KNOT;
        let side = axis.cross(Vec3::X);
        let turn = r.dot(side).atan2(r.x);
        let v = turn / tau * 3.0;
        return (
            Vec2::new(r.dot(axis) * 60.0, v),
            axis.cross(r).normalize_or(Vec3::X),
        );
    }
    let (around, from_knot) = head::combed(p);
    let axis = head::to_knot();
    let to = axis - (p - head::KNOT).normalize_or(axis) * 0.2;
    (
        Vec2::new((around / tau + 0.5) * HAIR_TILES, from_knot * HAIR_LENGTHS),
        to.normalize(),
    )
}

/// Texture coordinates of the corners of a triangle, without a seam between them.
fn hair_uv(corners: &[Vertex; 3]) -> [Vec2; 3] {
    let mut all = corners.map(|v| strand(v.position).0);
    let high = all.iter().fold(Vec2::MIN, |a, b| a.max(*b));
    let jump = Vec2::new(HAIR_TILES, 3.0);
    for uv in &mut all {
        let far = Vec2::select((high - *uv).cmpgt(jump * 0.5), jump, Vec2::ZERO);
        *uv += far;
    }
    all
}

/// Importance of the surface for simplification: highest on the face, then hands, then joints.
fn importance(p: Vec3) -> f32 {
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let near = |c: Vec3, r: f32| 1.0 - sdf::smoothstep(0.0, r, q.distance(c));
    let face = near(Vec3::new(0.015, 1.55, 0.09), 0.10);
    let mouth = near(Vec3::new(0.008, head::MOUTH, 0.09), 0.034);
    let nose = near(Vec3::new(0.004, 1.549, 0.10), 0.020);
    let chin = near(Vec3::new(0.0, 1.477, 0.072), 0.034);
    let ear = near(Vec3::new(0.074, 1.571, -0.014), 0.036);
    let eye = near(rig::EYE + Vec3::Z * 0.015, 0.045);
    let head = near(Vec3::new(0.0, 1.61, -0.02), 0.21);
    let hand = near(rig::SHOULDER + rig::arm_dir() * 0.60, 0.14);
    let elbow = near(rig::SHOULDER + rig::arm_dir() * rig::UPPER_ARM, 0.09);
    let shoulder = near(rig::SHOULDER, 0.11);
    let knee = near(rig::KNEE, 0.10);
    let hip = near(rig::HIP, 0.13);
    let behind = head::behind_hairline(q);
    let line = if q.y > 1.48 {
        1.0 - sdf::smoothstep(0.0, 0.016, behind.abs())
    } else {
        0.0
    };
    let foot = near(Vec3::new(0.095, 0.03, 0.08), 0.14);
    1.0 + 1.7 * face
        + 2.4 * mouth
        + 1.8 * nose
        + 0.8 * chin
        + 1.0 * eye
        + 2.0 * ear
        + 1.4 * head
        + 0.8 * line
        + 0.85 * hand
        + 0.5 * (elbow + shoulder + knee + hip)
        + 0.4 * foot
}

fn skin_vertex(p: Vec3, body: &BodyField, skeleton: &Skeleton) -> Vertex {
    let parts = body.parts(p);
    let eps = if p.y > 1.46 { 0.0012 } else { 0.0025 };
    let normal = surface::normal(|p| body.distance(p), p, eps);
    let (joints, weights) = weights::at(p, &parts, skeleton);
    Vertex {
        position: p,
        normal,
        tangent: normal.any_orthonormal_vector().extend(1.0),
        uv: Vec2::ZERO,
        shade: face::shade(p, normal, body),
        joints: joints.map(|j| j.max(1) - 1),
        weights,
        moved: face::offsets(p, Vec3::ZERO, 0.0),
        is_eye: false,
    }
}

/// Collects the vertices of one paint without duplicates.
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
        let place = Paint::ALL
            .iter()
            .position(|p| *p == paint)
            .expect("every paint is listed");
        Primitive {
            positions: v.iter().map(|v| v.position).collect(),
            normals: v.iter().map(|v| v.normal).collect(),
            tangents: v.iter().map(|v| v.tangent).collect(),
            uv0: v.iter().map(|v| v.uv).collect(),
            uv1: Vec::new(),
            ribbon: Vec::new(),
            colors: v.iter().map(|v| v.shade.extend(1.0)).collect::<Vec<Vec4>>(),
            influences: Influences {
                per_vertex: weights::PER_VERTEX,
                joints: v.iter().flat_map(|v| v.joints).collect(),
                weights: v.iter().flat_map(|v| v.weights).collect(),
            },
            targets: (0..face::TARGETS.len())
                .map(|t| MorphTarget {
                    positions: v.iter().map(|v| v.moved[t]).collect(),
                    ..MorphTarget::default()
                })
                .chain(shape_targets(paint, v))
                .collect(),
            indices: self.indices,
            variants: vec![(0, Paint::ALL.len() + place)],
            material: place,
        }
    }
}

/// Targets for the shape of the face; other parts do not move.
fn shape_targets(paint: Paint, vertices: &[Vertex]) -> Vec<MorphTarget> {
    let is_face = matches!(paint, Paint::Skin | Paint::Lips | Paint::Brow | Paint::Lash);
    let mut targets = vec![MorphTarget::default(); shapes::SHAPES.len()];
    for vertex in vertices {
        let moves = is_face && !vertex.is_eye;
        let offsets = shapes::offsets(vertex.position);
        for (i, target) in targets.iter_mut().enumerate() {
            let seen = moves && offsets[i].length() > MIN_SHAPE_OFFSET;
            let normal = vertex.normal;
            let (offset, turned) = if seen {
                (offsets[i], shapes::turned(vertex.position, normal, i))
            } else {
                (Vec3::ZERO, Vec3::ZERO)
            };
            target.positions.push(offset);
            target.normals.push(turned);
        }
    }
    targets
}

/// Minimum offset of a shape, metres; smaller ones are removed.
const MIN_SHAPE_OFFSET: f32 = 3e-5;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{glb, tests::shared};

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
        assert!((8_000..=24_000).contains(&model.n_triangles()));
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
    fn closed_lids_cover_the_eyes_and_the_head_holds_all_of_them() {
        let model = shared();
        let primitives = &model.meshes[0].primitives;
        let of = |paint: Paint| {
            let place = Paint::ALL.iter().position(|p| *p == paint);
            primitives
                .iter()
                .find(|p| Some(p.material) == place)
                .unwrap()
        };
        // Straight ahead of each iris, the lid covers the eye at full blink.
        let skin = of(Paint::Skin);
        for (side, target) in [(1.0, 2), (-1.0, 3)] {
            let eye = rig::EYE * Vec3::new(side, 1.0, 1.0);
            let before = |blink: f32| {
                let near = skin.positions.iter().zip(&skin.targets[target].positions);
                near.map(|(p, offset)| *p + *offset * blink)
                    .filter(|p| (*p - eye).truncate().length() < 0.004 && p.z > eye.z)
                    .count()
            };
            assert_eq!(before(0.0), 0, "open");
            assert!(before(1.0) > 2, "closed");
        }
        // No part of the head rotates with a shoulder.
        let bones = model.skeleton.bones();
        let joints = &model.skins[0].joints;
        for (v, p) in skin
            .positions
            .iter()
            .enumerate()
            .filter(|(_, p)| p.y > 1.50)
        {
            for k in v * 4..v * 4 + 4 {
                let joint = usize::from(skin.influences.joints[k]);
                let name = &bones[usize::from(joints[joint])].name;
                let held = skin.influences.weights[k];
                assert!(
                    held == 0.0 || !name.contains("shoulder"),
                    "{name} {held} at {p}"
                );
            }
        }
    }

    #[test]
    fn two_runs_give_the_same_bytes() {
        assert_eq!(glb::write(&mannequin()), glb::write(shared()));
    }
}
