//! Tests of overrides from options and files.

use std::f32::consts::PI;

use serde_json::json;

use super::super::options::DENSITY;
use super::*;
use galatea_asset::ragdoll::{JointSpec, RagdollBodySpec, ShapeKind};

fn bone_override(value: serde_json::Value) -> RagdollBodySpec {
    RagdollBodySpec::read(&value, &mut |text| panic!("{text}"))
}

fn options(bodies: &[(&str, RagdollBodySpec)]) -> RagdollChoices {
    let bodies = bodies
        .iter()
        .map(|(name, wish)| ((*name).to_owned(), wish.clone()));
    RagdollChoices {
        bodies: bodies.collect(),
        ..RagdollChoices::default()
    }
}

/// Boxes of 0.3 × 0.12 × 0.12, a twist cone of 0.6 π with 0.05 of twist, a hinge from -2 to 0.
#[test]
fn an_arm_of_boxes_can_be_built_with_given_numbers() {
    let model = man(Stance::default());
    let degrees = |radians: f32| radians.to_degrees();
    let size = Some(Vec3::new(0.3, 0.12, 0.12));
    let cone = degrees(0.6 * PI);
    let options = options(&[
        (
            "right_upper_arm",
            RagdollBodySpec {
                size,
                joint: Some(JointSpec::Cone),
                swing: Some([cone, cone]),
                twist: Some([-degrees(0.05), degrees(0.05)]),
                from_rest: Some(true),
                ..RagdollBodySpec::default()
            },
        ),
        (
            "right_lower_arm",
            RagdollBodySpec {
                size,
                joint: Some(JointSpec::Hinge),
                range: Some([degrees(-2.0), 0.0]),
                ..RagdollBodySpec::default()
            },
        ),
    ]);
    let ragdoll = with(&model, &options).unwrap();
    check(&ragdoll, &model);
    assert_eq!(ragdoll.warnings, Vec::<String>::new());
    let frames = body_frames(&ragdoll, &model);
    for (bone, from, to) in [
        ("right_upper_arm", -0.18, -0.46),
        ("right_lower_arm", -0.46, -0.71),
    ] {
        let i = body_of(&ragdoll, &model, bone);
        assert_eq!(
            ragdoll.bodies[i].shape,
            BodyShape::Box {
                half: Vec3::new(0.06, 0.15, 0.06)
            }
        );
        // The body is in the middle between the bone's two joints, along the bone.
        let middle = Vec3::new((from + to) * 0.5, 1.42, 0.0);
        assert!(
            frames[i].position.distance(middle) < 1e-4,
            "{:?}",
            frames[i]
        );
        assert!((frames[i].rotation * Vec3::Y).distance(-Vec3::X) < 1e-4);
        // The joint is at the bone's joint, in each body's own space.
        let link = link_of(&ragdoll, &model, bone);
        let at = frames[i].then(link.child_from_joint).position;
        assert!(at.distance(Vec3::new(from, 1.42, 0.0)) < 1e-4, "{at}");
    }
    let JointKind::TwistCone { swing, twist } = link_of(&ragdoll, &model, "right_upper_arm").kind
    else {
        panic!()
    };
    for (found, expected) in [
        (swing[0], 0.6 * PI),
        (swing[1], 0.6 * PI),
        (twist[0], -0.05),
        (twist[1], 0.05),
    ] {
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
    }
    let JointKind::Hinge { range } = link_of(&ragdoll, &model, "right_lower_arm").kind else {
        panic!()
    };
    assert!(
        (range[0] + 2.0).abs() < 1e-5 && range[1].abs() < 1e-5,
        "{range:?}"
    );
}

#[test]
fn every_number_of_a_body_can_be_set() {
    let model = man(Stance::default());
    let options = options(&[
        (
            "head",
            bone_override(json!({"shape": "sphere", "radius": 0.2, "mass": 7, "friction": 0.1})),
        ),
        ("left_hand", bone_override(json!(false))),
        ("left_shoulder", bone_override(json!(true))),
        (
            "right_hand",
            bone_override(
                json!({"shape": "capsule", "length": 0.2, "radius": 0.03, "density": 500}),
            ),
        ),
        ("spine", bone_override(json!({"joint": "fixed"}))),
        (
            "left_foot",
            bone_override(json!({"range": [-20, 30], "axis": [1, 0, 0]})),
        ),
        (
            "right_foot",
            bone_override(json!({"swing": [12, 34], "twist": [-5, 6], "from_rest": true})),
        ),
    ]);
    let ragdoll = with(&model, &options).unwrap();
    check(&ragdoll, &model);
    let head = &ragdoll.bodies[body_of(&ragdoll, &model, "head")];
    assert_eq!(head.shape, BodyShape::Sphere { radius: 0.2 });
    assert_eq!((head.mass, head.friction), (7.0, 0.1));
    let hand = model.skeleton.find("left_hand").unwrap();
    assert!(ragdoll.bodies.iter().all(|body| body.bone != hand));
    body_of(&ragdoll, &model, "left_shoulder");
    let hand = &ragdoll.bodies[body_of(&ragdoll, &model, "right_hand")];
    let BodyShape::Capsule {
        half_length,
        radius,
    } = hand.shape
    else {
        panic!("{:?}", hand.shape)
    };
    assert!((half_length - 0.07).abs() < 1e-6 && (radius - 0.03).abs() < 1e-6);
    assert!(
        (hand.mass - hand.shape.volume() * 500.0).abs() < 1e-4,
        "{}",
        hand.mass
    );
    assert_eq!(link_of(&ragdoll, &model, "spine").kind, JointKind::Fixed);
    let foot = link_of(&ragdoll, &model, "left_foot");
    assert!(matches!(foot.kind, JointKind::Hinge { .. }));
    let frames = body_frames(&ragdoll, &model);
    let axis = frames[usize::from(foot.parent)]
        .then(foot.parent_from_joint)
        .rotation
        * Vec3::X;
    assert!(axis.distance(Vec3::X) < 1e-4, "{axis}");
    let JointKind::TwistCone { swing, twist } = link_of(&ragdoll, &model, "right_foot").kind else {
        panic!()
    };
    let near = |a: f32, degrees: f32| (a.to_degrees() - degrees).abs() < 1e-3;
    assert!(
        near(swing[0], 12.0) && near(swing[1], 34.0) && near(twist[0], -5.0) && near(twist[1], 6.0)
    );
}

#[test]
fn numbers_of_the_whole_ragdoll_apply_to_all_bodies() {
    let model = man(Stance::default());
    let plain = ragdoll(&model);
    let heavy = RagdollChoices {
        mass: Some(100.0),
        friction: Some(0.25),
        ..options(&[("head", bone_override(json!({"mass": 10})))])
    };
    let heavy = with(&model, &heavy).unwrap();
    assert!((heavy.mass() - 100.0).abs() < 1e-3, "{}", heavy.mass());
    assert_eq!(heavy.bodies[body_of(&heavy, &model, "head")].mass, 10.0);
    assert!(heavy.bodies.iter().all(|body| body.friction == 0.25));
    let dense = RagdollChoices {
        density: Some(DENSITY * 2.0),
        ..RagdollChoices::default()
    };
    let dense = with(&model, &dense).unwrap();
    assert!((dense.mass() / plain.mass() - 2.0).abs() < 1e-3);
    let few = RagdollChoices {
        max_bodies: Some(9),
        ..RagdollChoices::default()
    };
    let few = with(&model, &few).unwrap();
    check(&few, &model);
    assert!((7..=9).contains(&few.bodies.len()), "{}", few.bodies.len());
    for bone in ["hips", "chest", "left_upper_leg"] {
        body_of(&few, &model, bone);
    }
    for max in [1, 2, 5, 9, 26] {
        let few = RagdollChoices {
            max_bodies: Some(max),
            ..RagdollChoices::default()
        };
        let mass = with(&model, &few).unwrap().mass();
        assert!(
            (mass / plain.mass() - 1.0).abs() < 1e-4,
            "{mass} of {max} bodies"
        );
    }
}

#[test]
fn a_drawn_figure_weighs_no_more_than_a_stout_person_of_its_height() {
    let mut model = man(Stance::default());
    let head = model.skeleton.find("head").unwrap();
    let own = ragdoll(&model).mass();
    let primitive = &mut model.meshes[0].primitives[0];
    let joints = primitive.influences.joints.iter();
    for (position, _) in primitive
        .positions
        .iter_mut()
        .zip(joints)
        .filter(|(_, joint)| **joint == head)
    {
        *position *= Vec3::new(8.0, 1.0, 8.0);
    }
    let drawn = ragdoll(&model);
    // 18 kg per cubic metre of a height of 1.76 m.
    assert!(
        own < 90.0 && (drawn.mass() - 98.1).abs() < 0.5,
        "{own} {}",
        drawn.mass()
    );
    let heavy = RagdollChoices {
        density: Some(DENSITY),
        ..RagdollChoices::default()
    };
    let heavy = with(&model, &heavy).unwrap().mass();
    assert!(heavy > 200.0, "a given density counts: {heavy}");
    let requested = bone_override(json!({"mass": 150}));
    let mass = with(&model, &options(&[("head", requested)]))
        .unwrap()
        .mass();
    assert!(mass > 200.0, "and a mass: {mass}");
}

#[test]
fn options_override_the_file() {
    let mut model = man(Stance::default());
    let head = model.skeleton.find("head").unwrap();
    let hand = model.skeleton.find("left_hand").unwrap();
    model.ragdoll = vec![
        (hand, bone_override(json!(false))),
        (
            head,
            bone_override(json!({"mass": 3, "friction": 0.5, "shape": "sphere", "radius": 0.3})),
        ),
    ];
    let options = options(&[(
        "head",
        bone_override(json!({"mass": 5, "size": [0.2, 0.2, 0.2]})),
    )]);
    let ragdoll = with(&model, &options).unwrap();
    assert!(ragdoll.bodies.iter().all(|body| body.bone != hand));
    let head = &ragdoll.bodies[body_of(&ragdoll, &model, "head")];
    assert_eq!((head.mass, head.friction), (5.0, 0.5));
    assert_eq!(
        head.shape,
        BodyShape::Box {
            half: Vec3::splat(0.1)
        }
    );
    assert_eq!(
        bone_override(json!({"shape": "box"})).shape,
        Some(ShapeKind::Box)
    );
}
