//! Tests of a human's bodies, masses and joints.

use std::f32::consts::FRAC_PI_2;

use super::super::FitQuality;
use super::*;

#[test]
fn a_man_gets_the_bodies_sizes_and_masses_of_a_man() {
    let model = man(Stance::default());
    let ragdoll = ragdoll(&model);
    check(&ragdoll, &model);
    assert_eq!(ragdoll.warnings, Vec::<String>::new());
    let names: Vec<&str> = ragdoll
        .bodies
        .iter()
        .map(|body| &*model.skeleton.bones()[usize::from(body.bone)].name)
        .collect();
    assert_eq!(names.len(), 17, "{names:?}");
    assert!(
        !names.iter().any(|name| name.contains("shoulder")),
        "{names:?}"
    );
    assert!((60.0..90.0).contains(&ragdoll.mass()), "{}", ragdoll.mass());
    let shape = |bone: &str| ragdoll.bodies[body_of(&ragdoll, &model, bone)].shape;
    let BodyShape::Capsule {
        half_length,
        radius,
    } = shape("left_upper_arm")
    else {
        panic!("{:?}", shape("left_upper_arm"))
    };
    // A square limb of 10 cm: from the middle of a side to an edge it is 5 to 7.1 cm.
    assert!((0.05..0.071).contains(&radius), "{radius}");
    // 28 cm from joint to joint, with round ends beyond both.
    let length = 2.0 * (half_length + radius);
    assert!((0.28..0.38).contains(&length), "{length}");
    let BodyShape::Box { half } = shape("left_hand") else {
        panic!("{:?}", shape("left_hand"))
    };
    let near = |a: f32, b: f32| (a - b).abs() < 0.02;
    assert!(
        near(half.y * 2.0, 0.17) && near(half.x * 2.0, 0.09) && near(half.z * 2.0, 0.03),
        "{half}"
    );
    let BodyShape::Box { half } = shape("left_foot") else {
        panic!("{:?}", shape("left_foot"))
    };
    assert!(half.y > half.x && half.y > half.z, "{half}");
    for link in &ragdoll.joints {
        let [a, b] = [link.parent, link.child].map(|i| ragdoll.bodies[usize::from(i)].mass);
        assert!(a.max(b) / a.min(b) <= 10.01, "{a} {b}");
    }
    let rest: Vec<Trs> = model.skeleton.rest().collect();
    let quality = FitQuality::of(&ragdoll, &model, &humanoid(&model), &rest);
    assert!(
        quality.covered > 0.97 && quality.misfit < 0.012,
        "{quality:?}"
    );
}

/// Middle of the range of a bone's joint in the body's own directions, and the direction in which its limb bends.
fn directions(stance: Stance, bone: &str) -> [Vec3; 2] {
    let model = man(stance);
    let ragdoll = ragdoll(&model);
    check(&ragdoll, &model);
    assert_eq!(ragdoll.warnings, Vec::<String>::new(), "{stance:?}");
    let link = link_of(&ragdoll, &model, bone);
    let frames = body_frames(&ragdoll, &model);
    let parent = frames[usize::from(link.parent)].then(link.parent_from_joint);
    let child = frames[usize::from(link.child)].then(link.child_from_joint);
    let own = stance.turned.conjugate();
    match link.kind {
        // Direction in which the hinge moves the part from its current rotation.
        JointKind::Hinge { .. } => {
            let now = child.rotation * Vec3::Y;
            let further = (child.rotation * Vec3::X).cross(now);
            [own * now, own * further]
        }
        _ => [
            own * (parent.rotation * Vec3::X),
            own * (parent.rotation * Vec3::Y),
        ],
    }
}

#[test]
fn every_stance_has_the_same_anatomy() {
    let bend = 25.0;
    let lying = Quat::from_rotation_x(-FRAC_PI_2);
    let turned = Quat::from_rotation_y(2.0);
    let stances = [
        (0.0, 0.0, Quat::IDENTITY),
        (45.0, 0.0, Quat::IDENTITY),
        (80.0, 0.0, Quat::IDENTITY),
        (45.0, bend, Quat::IDENTITY),
        (0.0, bend, turned),
        (45.0, 0.0, lying),
        (80.0, bend, lying * turned),
    ];
    let stances = stances.map(|(arms, bent, turned)| Stance { arms, bent, turned });
    for bone in [
        "left_upper_arm",
        "right_upper_arm",
        "left_upper_leg",
        "right_upper_leg",
    ] {
        let expected = directions(stances[0], bone);
        for stance in stances {
            let found = directions(stance, bone);
            for (a, b) in expected.iter().zip(found) {
                assert!(a.distance(b) < 0.02, "{bone} {stance:?}: {a} {b}");
            }
        }
        let out = if bone.starts_with("left") { 1.0 } else { -1.0 };
        let middle = expected[0];
        if bone.contains("arm") {
            assert!(
                middle.x * out > 0.6 && middle.z > 0.5 && middle.y < 0.0,
                "{middle}"
            );
        } else {
            // 45 degrees of forward bend are in the middle of -30 and 120.
            assert!(
                middle.y < -0.5 && middle.z > 0.5 && middle.x * out > 0.05,
                "{middle}"
            );
        }
    }
    for stance in stances {
        let knee = directions(stance, "left_lower_leg")[1];
        assert!(knee.z < -0.85 && knee.x.abs() < 0.1, "{stance:?} {knee}");
        let [along, elbow] = directions(stance, "left_lower_arm");
        assert!(elbow.dot(along).abs() < 1e-3);
        let ahead = if stance.bent > 0.0 { 0.85 } else { 0.95 };
        assert!(elbow.z > ahead, "{stance:?} {elbow}");
    }
}

#[test]
fn ranges_match_the_norms_about_the_middle() {
    let model = man(Stance::default());
    let ragdoll = ragdoll(&model);
    let near = |a: f32, degrees: f32| (a.to_degrees() - degrees).abs() < 0.01;
    let cone = |bone: &str| match link_of(&ragdoll, &model, bone).kind {
        JointKind::TwistCone { swing, twist } => (swing, twist),
        other => panic!("{other:?}"),
    };
    let (swing, twist) = cone("left_upper_leg");
    assert!(near(swing[0], 75.0) && near(swing[1], 37.5) && near(twist[1], 45.0));
    let (swing, twist) = cone("right_upper_arm");
    assert!(near(swing[0], 87.5) && near(swing[1], 105.0) && near(twist[0], -80.0));
    let JointKind::Hinge { range } = link_of(&ragdoll, &model, "left_lower_leg").kind else {
        panic!()
    };
    assert!(near(range[0], 0.0) && near(range[1], 135.0), "{range:?}");
    // A hanging leg has no bend: 45 back from the middle, 7.5 inward.
    let (_, swung) = rest_angles(
        &ragdoll,
        &model,
        link_of(&ragdoll, &model, "left_upper_leg"),
    );
    assert!((swung[0].to_degrees() + 45.0).abs() < 1.5, "{swung:?}");
    // Bent knees are reported.
    let bent = man(Stance {
        bent: 30.0,
        ..Stance::default()
    });
    let ragdoll = super::ragdoll(&bent);
    for bone in ["left_lower_leg", "right_lower_arm"] {
        let (angle, _) = rest_angles(&ragdoll, &bent, link_of(&ragdoll, &bent, bone));
        assert!((angle.to_degrees() - 30.0).abs() < 0.5, "{bone} {angle}");
    }
}

#[test]
fn neighbours_and_thighs_do_not_collide_and_hands_hit_the_body() {
    let model = man(Stance {
        arms: 60.0,
        ..Stance::default()
    });
    let ragdoll = ragdoll(&model);
    let pair = |a: &str, b: &str| {
        let (a, b) = (body_of(&ragdoll, &model, a), body_of(&ragdoll, &model, b));
        let pair = (a.min(b) as u16, a.max(b) as u16);
        ragdoll.ignored_pairs.contains(&pair)
    };
    assert!(
        pair("left_upper_leg", "right_upper_leg"),
        "5 cm between them"
    );
    assert!(pair("left_upper_arm", "chest") && pair("head", "neck"));
    assert!(!pair("left_hand", "left_upper_leg") && !pair("left_hand", "hips"));
    assert!(
        !pair("left_lower_leg", "right_lower_leg"),
        "10 cm between them"
    );
}
