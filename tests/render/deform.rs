//! GPU deformation compared with simple arithmetic.

use std::sync::Arc;

use galatea::asset::Model;
use galatea::asset::model::{Material, MaterialKind, MorphTarget, Primitive, Skin};
use galatea::asset::skinning::{Skinning, SkinningMode};
use galatea::deform::{Deformed, Deformer, Eye};
use galatea::hair::{Cap, GuideArea, StrandAppearance, grow, hair_model};
use galatea::render::{DeformedVertex, Gpu, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{FrameView, ViewKind};
use glam::{Affine3A, EulerRot, Mat3, Mat4, Quat, Vec3};

use super::shapes::{add, capsule, material, rigid, tube};
use super::{gpu, renderer};

/// A renderer that deforms all attributes, also those that plain materials do not read.
fn deforming(gpu: &Gpu) -> Renderer {
    let mut renderer = renderer(gpu);
    renderer.keep_tangents(true);
    renderer
}

/// Pseudorandom numbers from -1 to 1.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    fn affine(&mut self, mirror: bool) -> Affine3A {
        let turn = self.vec3() * 0.7;
        let mut scale = Vec3::splat(1.1) + self.vec3() * 0.6;
        if mirror {
            scale.y = -scale.y;
        }
        let rotation = Quat::from_euler(EulerRot::XYZ, turn.x, turn.y, turn.z);
        Affine3A::from_scale_rotation_translation(scale, rotation, self.vec3() * 0.4)
    }
}

/// Morphs, then skins one vertex, as glTF 2.0 specifies.
fn expected(p: &Primitive, palette: &[Affine3A], weights: &[f32], v: usize) -> DeformedVertex {
    let mut position = p.positions[v];
    let mut normal = p.normals[v];
    let mut tangent = p.tangents[v].truncate();
    for (target, weight) in p.targets.iter().zip(weights) {
        let of = |array: &[Vec3]| array.get(v).copied().unwrap_or_default() * *weight;
        position += of(&target.positions);
        normal += of(&target.normals);
        tangent += of(&target.tangents);
    }
    let n = p.influences.per_vertex;
    let mut blended = Mat4::ZERO;
    for i in v * n..(v + 1) * n {
        let joint = usize::from(p.influences.joints[i]);
        blended += Mat4::from(palette[joint]) * p.influences.weights[i];
    }
    if n == 0 {
        blended = palette[0].into();
    }
    let m = Mat3::from_mat4(blended);
    let mirror = m.determinant().signum();
    let normal = (m.inverse().transpose() * normal).normalize();
    let tangent = m * tangent;
    DeformedVertex {
        position: blended.transform_point3(position),
        normal,
        tangent: tangent
            .reject_from_normalized(normal)
            .normalize()
            .extend(p.tangents[v].w * mirror),
    }
}

fn compare(found: &[DeformedVertex], wanted: impl Fn(usize) -> DeformedVertex, size: f32) {
    for (v, found) in found.iter().enumerate() {
        let wanted = wanted(v);
        let off = (found.position - wanted.position).length();
        assert!(off < 1e-4 * size, "vertex {v} is {off} off");
        let turned = (found.normal - wanted.normal).length();
        assert!(
            turned < 1e-3,
            "normal {v} is {turned} off: {found:?} {wanted:?}"
        );
        let turned = (found.tangent - wanted.tangent).length();
        assert!(
            turned < 2e-3,
            "tangent {v} is {turned} off: {found:?} {wanted:?}"
        );
    }
}

/// A ball with 8 influences per vertex on 6 joints and 3 morph targets.
fn blob(uid: u64, numbers: &mut Numbers) -> Model {
    let mut p = capsule(Vec3::ZERO, Vec3::Y * 0.3, 0.5, 24);
    let n = p.positions.len();
    p.influences.per_vertex = 8;
    for _ in 0..n {
        let raw: Vec<f32> = (0..8).map(|_| numbers.next().abs() + 0.01).collect();
        let sum: f32 = raw.iter().sum();
        p.influences.weights.extend(raw.iter().map(|w| w / sum));
        p.influences
            .joints
            .extend((0..8).map(|_| ((numbers.next() + 1.0) * 2.99) as u16));
    }
    let mut deltas = |from: usize, to: usize, size: f32| -> Vec<Vec3> {
        (0..n)
            .map(|v| {
                if (from..to).contains(&v) {
                    numbers.vec3() * size
                } else {
                    Vec3::ZERO
                }
            })
            .collect()
    };
    p.targets = vec![
        MorphTarget {
            positions: deltas(0, n, 0.1),
            normals: deltas(0, n, 0.2),
            tangents: deltas(0, n, 0.1),
        },
        MorphTarget {
            positions: deltas(10, 40, 0.2),
            ..MorphTarget::default()
        },
        MorphTarget {
            positions: deltas(5, n, 0.1),
            normals: deltas(20, 30, 0.3),
            ..MorphTarget::default()
        },
    ];
    let mut model = rigid(uid, vec![p], vec![material(Vec3::ONE, 0.5, 0.0)]);
    model.meshes[0].morph_names = vec!["a".into(), "b".into(), "c".into()];
    model.skins = vec![Skin {
        name: String::new(),
        joints: vec![0; 6],
        inverse_bind: vec![Mat4::IDENTITY; 6],
    }];
    model.parts[0].skin = Some(0);
    model
}

#[test]
fn skinning_and_morphs_agree_with_the_processor() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let mut numbers = Numbers(7);
    let model = Arc::new(blob(1, &mut numbers));
    let mut frame = Frame::default();
    let mut poses = Vec::new();
    for (mirror, weights) in [
        (false, [0.0, 0.0, 0.0]),
        (false, [0.7, -0.4, 1.0]),
        (true, [0.0, 0.9, 1e-6]),
    ] {
        let pose: Vec<Affine3A> = (0..6).map(|_| numbers.affine(mirror)).collect();
        add(
            &mut frame,
            &model,
            Affine3A::IDENTITY,
            &[Affine3A::IDENTITY],
            &weights,
        );
        let start = frame.palette.len() - 6;
        frame.palette[start..].copy_from_slice(&pose);
        poses.push((pose, weights));
    }
    renderer
        .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
        .unwrap();
    assert_eq!(gpu.take_error(), None);
    let primitive = &model.meshes[0].primitives[0];
    for (i, (pose, weights)) in poses.iter().enumerate() {
        let found = renderer.read_deformed(&gpu, i, 0, 0).unwrap().unwrap();
        assert_eq!(found.len(), primitive.positions.len());
        compare(&found, |v| expected(primitive, pose, weights, v), 1.0);
    }
}

/// A baked face equals the result of the shader with the same morph weights.
#[test]
fn a_face_baked_by_the_processor_is_the_one_the_shader_shapes() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let mut model = blob(5, &mut Numbers(5));
    // A target is a smooth change of the whole surface, short enough to keep the directions of normals.
    for target in &mut model.meshes[0].primitives[0].targets {
        target.normals.iter_mut().for_each(|n| *n *= 0.2);
    }
    model.meshes[0].morph_names = vec!["shape.a".into(), "shape.b".into(), "c".into()];
    model.parts[0].morph_weights = vec![0.0; 3];
    model.skeleton = Arc::new(
        galatea::anim::Skeleton::new(vec![galatea::anim::Bone {
            name: "root".into(),
            parent: None,
            rest: galatea::math::Trs::IDENTITY,
            skinned: true,
        }])
        .unwrap(),
    );
    let definition = galatea::character::Definition::new(Arc::new(model));
    let mut likeness = galatea::character::FaceShapeWeights::new(&definition);
    likeness.set_weights(&definition, [(0, 0.8), (1, -0.6)]);
    let baked = Arc::new(likeness.bake(&definition).model(&definition.model, 6));
    let mut frame = Frame::default();
    let pose: Vec<Affine3A> = {
        let mut numbers = Numbers(9);
        // One pose for all six bones, without non-uniform scale, which breaks right angles between normal and tangent.
        let turn = numbers.vec3() * 0.7;
        let rotation = Quat::from_euler(EulerRot::XYZ, turn.x, turn.y, turn.z);
        let scale = Vec3::splat(1.1);
        let bone = Affine3A::from_scale_rotation_translation(scale, rotation, numbers.vec3());
        vec![bone; 6]
    };
    for (model, weights) in [(&definition.model, [0.8, -0.6, 0.0]), (&baked, [0.0; 3])] {
        add(
            &mut frame,
            model,
            Affine3A::IDENTITY,
            &[Affine3A::IDENTITY],
            &weights,
        );
        let start = frame.palette.len() - 6;
        frame.palette[start..].copy_from_slice(&pose);
    }
    renderer
        .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
        .unwrap();
    let [shaped, ordinary] =
        [0, 1].map(|i| renderer.read_deformed(&gpu, i, 0, 0).unwrap().unwrap());
    for (a, b) in shaped.iter().zip(&ordinary) {
        assert!(a.position.distance(b.position) < 1e-4, "{a:?} {b:?}");
        assert!(a.normal.distance(b.normal) < 1e-3, "{a:?} {b:?}");
        // Tangents are used perpendicular to their normals, so only that part is compared.
        let square = |v: &DeformedVertex| {
            let flat = v.tangent.truncate().reject_from(v.normal);
            flat.normalize()
        };
        assert!(square(a).distance(square(b)) < 1e-3, "{a:?} {b:?}");
        assert_eq!(a.tangent.w, b.tangent.w);
    }
}

#[test]
fn four_hundred_bones_agree_with_the_processor() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let mut numbers = Numbers(11);
    let n_bones = 400;
    let mut model = blob(1, &mut numbers);
    model.skins[0].joints = vec![0; n_bones];
    model.skins[0].inverse_bind = vec![Mat4::IDENTITY; n_bones];
    for joint in &mut model.meshes[0].primitives[0].influences.joints {
        *joint = ((numbers.next() + 1.0) * 0.5 * (n_bones - 1) as f32) as u16;
    }
    let model = Arc::new(model);
    let mut frame = Frame::default();
    let none = [0.0; 3];
    let root = [Affine3A::IDENTITY];
    add(&mut frame, &model, Affine3A::IDENTITY, &root, &none);
    let pose: Vec<Affine3A> = (0..n_bones).map(|_| numbers.affine(false)).collect();
    frame.palette.copy_from_slice(&pose);
    renderer
        .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
        .unwrap();
    let found = renderer.read_deformed(&gpu, 0, 0, 0).unwrap().unwrap();
    let primitive = &model.meshes[0].primitives[0];
    let largest = primitive.influences.joints.iter().max().unwrap();
    assert!(*largest > 256, "joints beyond a byte are used");
    compare(&found, |v| expected(primitive, &pose, &none, v), 1.0);
    let mut reference = Deformed::default();
    Deformer::default().deform(primitive, &none, &pose, Skinning::Linear, &mut reference);
    for (found, wanted) in found.iter().zip(&reference.positions) {
        assert!(found.position.distance(*wanted) < 1e-4);
    }
}

#[test]
fn a_rigid_mirrored_part_agrees_with_the_processor() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let mut numbers = Numbers(3);
    let ball = capsule(Vec3::ZERO, Vec3::Y, 0.4, 16);
    let model = Arc::new(rigid(1, vec![ball], vec![material(Vec3::ONE, 0.5, 0.0)]));
    let mut frame = Frame::default();
    let pose = [numbers.affine(true)];
    add(&mut frame, &model, Affine3A::IDENTITY, &pose, &[]);
    renderer
        .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
        .unwrap();
    let found = renderer.read_deformed(&gpu, 0, 0, 0).unwrap().unwrap();
    let primitive = &model.meshes[0].primitives[0];
    compare(&found, |v| expected(primitive, &pose, &[], v), 1.4);
}

#[test]
fn collapsed_bones_give_no_nan() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let model = Arc::new(tube(1));
    let mut frame = Frame::default();
    let flat = Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0));
    let gone = Affine3A::from_scale(Vec3::ZERO);
    add(&mut frame, &model, Affine3A::IDENTITY, &[flat, gone], &[]);
    renderer
        .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
        .unwrap();
    for vertex in renderer.read_deformed(&gpu, 0, 0, 0).unwrap().unwrap() {
        assert!(vertex.position.is_finite());
        assert!((vertex.normal.length() - 1.0).abs() < 1e-3, "{vertex:?}");
        assert!(
            (vertex.tangent.truncate().length() - 1.0).abs() < 1e-3,
            "{vertex:?}"
        );
    }
}

#[test]
fn another_model_under_the_same_instance_is_deformed_as_itself() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    for (uid, radius) in [(1, 0.3), (2, 0.6)] {
        let ball = capsule(Vec3::ZERO, Vec3::Y, radius, 8 * uid);
        let model = Arc::new(rigid(
            uid.into(),
            vec![ball],
            vec![material(Vec3::ONE, 0.5, 0.0)],
        ));
        let mut frame = Frame::default();
        add(
            &mut frame,
            &model,
            Affine3A::IDENTITY,
            &[Affine3A::IDENTITY],
            &[],
        );
        renderer
            .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
            .unwrap();
        let found = renderer.read_deformed(&gpu, 0, 0, 0).unwrap().unwrap();
        let primitive = &model.meshes[0].primitives[0];
        let pose = [Affine3A::IDENTITY];
        compare(&found, |v| expected(primitive, &pose, &[], v), 1.0);
    }
    assert_eq!(renderer.n_resident_models(), 2);
    for _ in 0..130 {
        renderer
            .draw_to_picture(&gpu, &Frame::default(), (8, 8), |_, _| {})
            .unwrap();
    }
    assert_eq!(renderer.n_resident_models(), 0, "unseen models are dropped");
}

/// Draws a blob in several poses with a technique. Returns its vertices and those of the CPU.
fn drawn_and_wanted(
    gpu: &Gpu,
    renderer: &mut Renderer,
    uid: u64,
    skinning: Skinning,
    mode: SkinningMode,
    mirror: bool,
) -> Vec<(Vec<DeformedVertex>, Deformed)> {
    let mut numbers = Numbers(23);
    let mut model = blob(uid, &mut numbers);
    let four = &mut model.meshes[0].primitives[0].influences;
    if mirror {
        // Four influences instead of eight, so that both variants of the shader are tested.
        let n = four.weights.len() / 8;
        let kept = |v: usize| v * 8..v * 8 + 4;
        four.joints = (0..n).flat_map(|v| four.joints[kept(v)].to_vec()).collect();
        four.weights = (0..n)
            .flat_map(|v| {
                let sum: f32 = four.weights[kept(v)].iter().sum();
                four.weights[kept(v)]
                    .iter()
                    .map(move |w| w / sum)
                    .collect::<Vec<_>>()
            })
            .collect();
        four.per_vertex = 4;
    }
    model.parts[0].skinning = skinning;
    model.parts[0].skinning_mode = mode;
    let model = Arc::new(model);
    let mut frame = Frame::default();
    let mut poses = Vec::new();
    for weights in [[0.0, 0.0, 0.0], [0.7, -0.4, 1.0]] {
        let pose: Vec<Affine3A> = (0..6).map(|_| numbers.affine(mirror)).collect();
        let root = [Affine3A::IDENTITY];
        add(&mut frame, &model, Affine3A::IDENTITY, &root, &weights);
        let start = frame.palette.len() - 6;
        frame.palette[start..].copy_from_slice(&pose);
        poses.push((pose, weights));
    }
    renderer
        .draw_to_picture(gpu, &frame, (64, 64), |_, _| {})
        .unwrap();
    assert_eq!(gpu.take_error(), None);
    let primitive = &model.meshes[0].primitives[0];
    let both = poses.iter().enumerate().map(|(i, (pose, weights))| {
        let found = renderer.read_deformed(gpu, i, 0, 0).unwrap().unwrap();
        let mut wanted = Deformed::default();
        Deformer::default().deform(primitive, weights, pose, skinning, &mut wanted);
        (found, wanted)
    });
    both.collect()
}

#[test]
fn every_technique_gives_the_shape_of_the_processor() {
    let modes = [
        SkinningMode::IndexedPalette,
        SkinningMode::SmallPalette(6),
        SkinningMode::SmallPalette(64),
        SkinningMode::Cpu,
    ];
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let mut uid = 0;
    for skinning in Skinning::ALL {
        for mode in modes {
            for mirror in [false, true] {
                uid += 1;
                let both = drawn_and_wanted(&gpu, &mut renderer, uid, skinning, mode, mirror);
                for (found, wanted) in both {
                    assert_eq!(found.len(), wanted.positions.len());
                    compare(
                        &found,
                        |v| DeformedVertex {
                            position: wanted.positions[v],
                            normal: wanted.normals[v],
                            tangent: wanted.tangents[v],
                        },
                        1.0,
                    );
                }
            }
        }
    }
}

#[test]
fn ribbons_turn_to_the_eye_on_the_graphics_card_as_on_the_processor() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let guides: Vec<Vec<Vec3>> = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.3), (0.0, 0.3)]
        .map(|(x, z)| (0..6).map(|k| Vec3::new(x, 0.1 * k as f32, z)).collect())
        .to_vec();
    let strands = grow(&guides, &[GuideArea::Four([0, 1, 2, 3])], 40, 1);
    let look = StrandAppearance {
        width: 0.02,
        ..StrandAppearance::default()
    };
    let plain = hair_model(
        &guides,
        &strands,
        &Cap::default(),
        &look,
        (Material::default(), None),
    )
    .unwrap();
    let mut numbers = Numbers(5);
    let pose: Vec<Affine3A> = (0..24).map(|_| numbers.affine(false)).collect();
    let world = Affine3A::from_scale_rotation_translation(
        Vec3::splat(1.5),
        Quat::from_rotation_y(0.7),
        Vec3::new(0.2, -0.1, 0.3),
    );
    let mut frame = Frame::default();
    let size = (64, 48);
    for (uid, mode) in [(41, SkinningMode::IndexedPalette), (42, SkinningMode::Cpu)] {
        let mut model = plain.clone();
        model.uid = uid;
        for part in &mut model.parts {
            part.skinning_mode = mode;
        }
        let model = Arc::new(model);
        frame.clear();
        let bones: Vec<Affine3A> = std::iter::once(Affine3A::IDENTITY)
            .chain(pose.iter().copied())
            .collect();
        add(&mut frame, &model, world, &bones, &[]);
        renderer
            .draw_to_picture(&gpu, &frame, size, |_, _| {})
            .unwrap();
        let eye = Eye {
            at: world.inverse().transform_point3(frame.camera.eye),
            pixel: 2.0 * (frame.camera.fov_y.to_radians() * 0.5).tan() / 48.0,
        };
        for part in 0..model.parts.len() {
            let primitive = &model.meshes[part].primitives[0];
            let mut wanted = Deformed::default();
            Deformer::default().deform(
                primitive,
                &[],
                &frame.palette,
                Skinning::Linear,
                &mut wanted,
            );
            let middle = wanted.positions.clone();
            eye.face(&primitive.ribbon, &mut wanted);
            let widest = middle.iter().zip(&wanted.positions);
            assert!(widest.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) > 0.009);
            let found = renderer.read_deformed(&gpu, 0, part, 0).unwrap().unwrap();
            assert_eq!(found.len(), wanted.positions.len());
            compare(
                &found,
                |v| DeformedVertex {
                    position: wanted.positions[v],
                    normal: wanted.normals[v],
                    tangent: wanted.tangents[v],
                },
                1.0,
            );
        }
    }
}

#[test]
fn previous_positions_are_kept_on_request() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = deforming(&gpu);
    let model = Arc::new(tube(1));
    let positions = |vertices: Vec<DeformedVertex>| -> Vec<Vec3> {
        vertices.into_iter().map(|vertex| vertex.position).collect()
    };
    // Instance 7 is first, then second; 8 leaves; 9 comes; 7 is absent for a picture.
    let pictures: [&[u64]; 5] = [&[7, 8], &[9, 7], &[9, 7], &[9], &[7, 9]];
    let mut last: Vec<(u64, Vec<Vec3>)> = Vec::new();
    for (i, instances) in pictures.iter().enumerate() {
        renderer.keep_previous(i > 0);
        let mut frame = Frame::default();
        for instance in *instances {
            let bend = Affine3A::from_rotation_x(0.2 * i as f32 + *instance as f32);
            let pose = [Affine3A::IDENTITY, bend];
            add(&mut frame, &model, Affine3A::IDENTITY, &pose, &[]);
            frame.models.last_mut().unwrap().instance = *instance;
        }
        renderer
            .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
            .unwrap();
        let mut now = Vec::new();
        for (k, instance) in instances.iter().enumerate() {
            let found = renderer.read_deformed(&gpu, k, 0, 0).unwrap().unwrap();
            let before = renderer.read_deformed_before(&gpu, k, 0, 0).unwrap();
            let (found, before) = (positions(found), positions(before.unwrap()));
            let known = last.iter().find(|(known, _)| known == instance);
            match known {
                // In the picture in which motion vectors are switched on, the previous picture is unknown.
                Some((_, wanted)) if i > 1 => {
                    assert_eq!(before, *wanted, "picture {i}, {instance}");
                    assert_ne!(before, found);
                }
                _ => assert_eq!(before, found, "picture {i}, {instance}"),
            }
            now.push((*instance, found));
        }
        last = now;
    }
}

#[test]
fn tangents_are_deformed_where_something_reads_them() {
    let Some(gpu) = gpu() else { return };
    let p = capsule(Vec3::ZERO, Vec3::Y, 0.3, 16);
    let turn = Affine3A::from_rotation_z(1.0);
    let wanted: Vec<_> = (0..p.positions.len())
        .map(|v| expected(&p, &[turn], &[], v))
        .collect();
    let plain = material(Vec3::splat(0.5), 0.5, 0.0);
    let strands = Material {
        kind: MaterialKind::Hair,
        ..plain.clone()
    };
    let found = |uid, material: Material, view: Option<ViewKind>, keeps| {
        let mut frame = Frame {
            view: view.map(|kind| FrameView {
                kind,
                vertex_lines: false,
                shown: vec![true],
                paints: Vec::new(),
            }),
            ..Frame::default()
        };
        let model = Arc::new(rigid(uid, vec![p.clone()], vec![material]));
        add(&mut frame, &model, Affine3A::IDENTITY, &[turn], &[]);
        let mut renderer = renderer(&gpu);
        renderer.keep_tangents(keeps);
        renderer
            .draw_to_picture(&gpu, &frame, (32, 32), |_, _| {})
            .unwrap();
        renderer.read_deformed(&gpu, 0, 0, 0).unwrap().unwrap()
    };
    let unread = found(950, plain.clone(), None, false);
    for (found, wanted) in unread.iter().zip(&wanted) {
        assert!((found.position - wanted.position).length() < 1e-4);
        assert!((found.normal - wanted.normal).length() < 1e-3);
        assert_eq!(found.tangent, glam::Vec4::ZERO);
    }
    compare(&found(951, strands, None, false), |v| wanted[v], 1.0);
    let seen = found(952, plain.clone(), Some(ViewKind::Tangents), false);
    compare(&seen, |v| wanted[v], 1.0);
    compare(&found(953, plain, None, true), |v| wanted[v], 1.0);
}
