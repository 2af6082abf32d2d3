//! Tests of non-human and damaged skeletons and meshes.

use super::*;

/// A man with scaled bones and an unscaled mesh: the inverse scale is in the bind matrices.
fn scaled(scale: Vec3) -> Model {
    let plain = man(Stance::default());
    let mut bones = plain.skeleton.bones().to_vec();
    let root = &mut bones[0].rest;
    root.scale = scale;
    let back = 1.0 / scale;
    // All bones keep their positions.
    for bone in bones.iter_mut().filter(|bone| bone.parent.is_some()) {
        bone.rest.translation *= back;
    }
    let primitive = plain.meshes[0].primitives[0].clone();
    model(bones, primitive)
}

#[test]
fn scaled_and_mirrored_bones_get_the_shapes_of_plain_ones() {
    let plain = ragdoll(&man(Stance::default()));
    for scale in [0.01, 100.0] {
        let model = scaled(Vec3::splat(scale));
        let found = ragdoll(&model);
        check(&found, &model);
        assert_eq!(found.bodies.len(), plain.bodies.len(), "{scale}");
        let at = [0, 1].map(|i| body_of(if i == 0 { &plain } else { &found }, &model, "hips"));
        let [a, b] = [plain.bodies[at[0]].shape, found.bodies[at[1]].shape];
        let (a, b) = (a.half_extents(), b.half_extents());
        assert!(a.distance(b) < 1e-3, "{scale}: {a} {b}");
    }
    for scale in [
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(1.0, 3.0, 0.5),
        Vec3::splat(-2.0),
    ] {
        let model = scaled(scale);
        check(&ragdoll(&model), &model);
    }
    // A bone with zero scale does not affect the others.
    let mut bones = man(Stance::default()).skeleton.bones().to_vec();
    bones[4].rest.scale = Vec3::ZERO;
    let model = model(
        bones,
        man(Stance::default()).meshes[0].primitives[0].clone(),
    );
    let found = ragdoll(&model);
    assert!(
        found
            .bodies
            .iter()
            .all(|body| body.mass.is_finite() && body.mass > 0.0)
    );
}

fn chain(n: usize, step: Vec3) -> Vec<Bone> {
    (0..n)
        .map(|i| Bone {
            name: format!("bone {i}"),
            parent: i.checked_sub(1).map(|i| i as u16),
            rest: Trs::from_translation(if i == 0 { Vec3::ZERO } else { step }),
            skinned: true,
        })
        .collect()
}

#[test]
fn degenerate_meshes_give_finite_ragdolls() {
    let at = |positions: &[Vec3]| Primitive {
        positions: positions.to_vec(),
        indices: vec![0, positions.len() as u32 / 2, positions.len() as u32 - 1],
        influences: Influences {
            per_vertex: 1,
            joints: vec![1; positions.len()],
            weights: vec![1.0; positions.len()],
        },
        ..Primitive::default()
    };
    let cases = [
        vec![Vec3::ZERO],
        vec![Vec3::ONE; 9],
        vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0],
        vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z],
    ];
    for positions in cases {
        for step in [Vec3::ZERO, Vec3::Y] {
            let model = model(chain(3, step), at(&positions));
            let ragdoll = ragdoll(&model);
            check(&ragdoll, &model);
            assert_eq!(ragdoll.bodies.len(), 1, "{positions:?}");
        }
    }
}

#[test]
fn one_bone_is_one_body_and_no_bone_is_none() {
    let mut primitive = Primitive::default();
    add_box(&mut primitive, (Vec3::ZERO, Vec3::Y), [0.2, 0.2], |p| p, 0);
    let one = model(chain(1, Vec3::ZERO), primitive);
    let ragdoll_of_one = ragdoll(&one);
    check(&ragdoll_of_one, &one);
    let body = &ragdoll_of_one.bodies[0];
    assert!(
        (body.shape.half_extents().y - 0.5).abs() < 0.02,
        "{:?}",
        body.shape
    );
    assert!(body.bone_from_body.position.distance(Vec3::Y * 0.5) < 0.02);
    assert_eq!(ragdoll(&Model::default()), RagdollDefinition::default());
}

#[test]
fn without_a_mesh_sizes_come_from_the_bones() {
    let mut model = man(Stance::default());
    (model.parts, model.meshes, model.skins) = Default::default();
    let ragdoll = ragdoll(&model);
    check(&ragdoll, &model);
    assert_eq!(ragdoll.bodies.len(), 17);
    assert!(
        (30.0..110.0).contains(&ragdoll.mass()),
        "{}",
        ragdoll.mass()
    );
    let mut animal = man(Stance::default());
    animal.skeleton = Arc::new(Skeleton::new(chain(6, Vec3::Z * 0.3)).unwrap());
    (animal.parts, animal.meshes, animal.skins) = Default::default();
    let ragdoll = super::ragdoll(&animal);
    check(&ragdoll, &animal);
    assert_eq!(ragdoll.bodies.len(), 5, "the last bone has no length");
}

#[test]
fn a_far_vertex_and_a_held_sword_do_not_change_the_hand() {
    let plain = man(Stance::default());
    let expected = ragdoll(&plain).bodies[body_of(&ragdoll(&plain), &plain, "left_hand")].shape;
    let mut far = man(Stance::default());
    let hand = far.skeleton.find("left_hand").unwrap();
    let primitive = &mut far.meshes[0].primitives[0];
    let first = primitive
        .influences
        .joints
        .iter()
        .position(|joint| *joint == hand);
    // On the edge of one face, with a sliver of a triangle.
    primitive.positions[first.unwrap()] += Vec3::X * 0.02;
    let mut sword = Primitive::default();
    add_box(&mut sword, (Vec3::ZERO, Vec3::X), [0.1, 0.1], |p| p, 0);
    sword.influences = Influences::default();
    sword.normals = vec![Vec3::Y; sword.positions.len()];
    far.meshes.push(Mesh {
        primitives: vec![sword],
        ..Mesh::default()
    });
    far.parts.push(Part {
        bone: hand,
        mesh: 1,
        ..Part::default()
    });
    let found = ragdoll(&far);
    check(&found, &far);
    let found = found.bodies[body_of(&found, &far, "left_hand")].shape;
    let off = expected.half_extents().distance(found.half_extents());
    assert!(off < 0.005, "{expected:?} {found:?}");
}

#[test]
fn ik_target_feet_are_joined_to_their_shanks() {
    let mut model = man(Stance::default());
    let mut bones = model.skeleton.bones().to_vec();
    let matrices = at_rest(&model.skeleton);
    for name in ["left_foot", "right_foot"] {
        let foot = usize::from(model.skeleton.find(name).unwrap());
        bones[foot].parent = None;
        bones[foot].rest.translation = matrices[foot].translation.into();
    }
    model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let ragdoll = ragdoll(&model);
    check(&ragdoll, &model);
    assert_eq!(ragdoll.bodies.len(), 17);
    for side in ["left", "right"] {
        let link = link_of(&ragdoll, &model, &format!("{side}_foot"));
        let shank = body_of(&ragdoll, &model, &format!("{side}_lower_leg"));
        assert_eq!(usize::from(link.parent), shank);
    }
}

#[test]
fn hair_and_skirts_do_not_make_heads_and_hips_larger() {
    let plain = man(Stance::default());
    let mut bones = plain.skeleton.bones().to_vec();
    let mut primitive = plain.meshes[0].primitives[0].clone();
    let head = plain.skeleton.find("head").unwrap();
    bones.push(Bone {
        name: "braid".into(),
        parent: Some(head),
        rest: Trs::from_translation(Vec3::new(0.0, 0.1, -0.1)),
        skinned: true,
    });
    let braid = bones.len() as u16 - 1;
    let (from, to) = (Vec3::new(0.0, 1.6, -0.12), Vec3::new(0.0, 0.9, -0.5));
    add_box(&mut primitive, (from, to), [0.1, 0.1], |p| p, braid);
    let haired = model(bones, primitive);
    let (a, b) = (ragdoll(&plain), ragdoll(&haired));
    assert_eq!(a.bodies.len(), b.bodies.len());
    let shape =
        |ragdoll: &RagdollDefinition| ragdoll.bodies[body_of(ragdoll, &plain, "head")].shape;
    assert_eq!(shape(&a), shape(&b));
}
