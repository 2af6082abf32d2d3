//! The same rig in another file, and unrelated skeletons.

use super::*;

#[test]
fn same_names_and_axes_are_matched_by_name_for_any_rest_pose() {
    let source = posed(
        &body(""),
        &[
            ("left_upper_arm", Quat::from_rotation_z(1.0)),
            ("hips", Quat::from_rotation_y(0.3)),
        ],
    );
    let mut bones = body("").bones().to_vec();
    let extra = Bone {
        name: "tail".into(),
        parent: Some(0),
        rest: Trs::IDENTITY,
        skinned: true,
    };
    bones.push(extra);
    // The upper arm is longer, so the forearm must keep its own offset.
    let lower = bones
        .iter()
        .position(|bone| bone.name == "left_lower_arm")
        .unwrap();
    bones[lower].rest.translation.x *= 1.5;
    let target = Skeleton::new(bones).unwrap();
    let mut clip = dance(
        &source,
        &[Quat::from_rotation_x(0.5), Quat::from_rotation_z(0.5)],
    );
    for (tracks, bone) in clip.bones.iter_mut().zip(source.bones()) {
        tracks
            .translation
            .get_or_insert(linear(vec![0.0], vec![bone.rest.translation]));
    }
    let (retarget, report) = map_rigs(&source, &target, None);
    assert_eq!(report.manner, RetargetMode::Names);
    assert_eq!(report.unmatched_target, ["tail"]);
    let out = retarget.clip(&clip, &source, &target);
    for (a, b) in clip.bones.iter().zip(&out.bones) {
        assert_eq!(a.rotation, b.rotation);
        assert_eq!(b.translation.is_some(), usize::from(a.bone) != lower);
    }
    let arm = report
        .bones
        .iter()
        .find(|bone| bone.source == "left_upper_arm")
        .unwrap();
    assert!((arm.rest_difference.unwrap() - 57.3).abs() < 0.1);
}

#[test]
fn scale_tracks_are_kept_only_on_an_identical_rig() {
    let source = body("");
    let mut clip = dance(&source, &[Quat::IDENTITY]);
    clip.bones[5].scale = Some(linear(vec![0.0, 1.0], vec![Vec3::ONE, Vec3::splat(2.0)]));
    let (same, _) = map_rigs(&source, &source, None);
    assert_eq!(same.clip(&clip, &source, &source), clip);
    assert_eq!(same.left_out(&clip, &source), Vec::<String>::new());
    let other = scaled(&source, 1.5);
    let (names, report) = map_rigs(&source, &other, None);
    assert_eq!(report.manner, RetargetMode::Names);
    let out = names.clip(&clip, &source, &other);
    assert!(out.bones.iter().all(|tracks| tracks.scale.is_none()));
    let text = names.left_out(&clip, &source).join("; ");
    assert!(
        text.contains("scale tracks without effect: left_shoulder"),
        "{text}"
    );
    // The hips travel farther on longer legs.
    let hips = out.bones[0].translation.as_ref().unwrap();
    assert!(hips.values[1].abs_diff_eq(Vec3::new(0.45, 1.35, 1.8), 1e-4));
}

#[test]
fn unrelated_skeletons_are_an_error_with_the_common_counts() {
    let chair = Skeleton::new(vec![Bone {
        name: "seat".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    }])
    .unwrap();
    let person = body("");
    let nobody = Humanoid::default();
    let (somebody, _) = humanoid::find(&person, None);
    let result = Retarget::new(
        Rig {
            skeleton: &chair,
            humanoid: &nobody,
        },
        Rig {
            skeleton: &person,
            humanoid: &somebody,
        },
        RetargetOptions::default(),
    );
    let error = result.err().unwrap();
    assert_eq!(error, RetargetError::Strangers { names: 0, roles: 0 });
    assert!(error.to_string().contains("0 bone names and 0 body roles"));
}

/// The same body with a rotated root, as one program exports it, below a node that undoes the rotation.
fn with_turned_root(skeleton: &Skeleton, turn: Quat) -> Skeleton {
    let mut bones = vec![Bone {
        name: "armature".into(),
        parent: None,
        rest: Trs {
            rotation: turn,
            ..Trs::IDENTITY
        },
        skinned: false,
    }];
    for bone in skeleton.bones() {
        let mut bone = bone.clone();
        if bone.parent.is_none() {
            let back = turn.inverse();
            bone.rest.rotation = back * bone.rest.rotation;
            bone.rest.translation = back * bone.rest.translation;
        }
        bone.parent = Some(bone.parent.map_or(0, |parent| parent + 1));
        bones.push(bone);
    }
    Skeleton::new(bones).unwrap()
}

#[test]
fn roots_with_rotated_parents_keep_their_world_direction() {
    let plain = body("");
    let turns = [Quat::from_rotation_y(0.7), Quat::from_rotation_x(0.4)];
    let clip = dance(&plain, &turns);
    for angle in [-0.5 * std::f32::consts::PI, 0.73] {
        let turned = with_turned_root(&plain, Quat::from_rotation_x(angle));
        let (there, report) = map_rigs(&plain, &turned, None);
        assert_eq!(report.manner, RetargetMode::Names);
        let out = there.clip(&clip, &plain, &turned);
        let (back, report) = map_rigs(&turned, &plain, None);
        assert_eq!(report.manner, RetargetMode::Names);
        let again = back.clip(&out, &turned, &plain);
        for t in [0.0, 0.3, 0.5, 1.0] {
            let right = positions(&plain, &clip, t);
            let got = positions(&turned, &out, t);
            let again = positions(&plain, &again, t);
            for (i, right) in right.iter().enumerate() {
                assert!(
                    right.distance(got[i + 1]) < 1e-4,
                    "{angle} {t}: {right} {}",
                    got[i + 1]
                );
                assert!(
                    right.distance(again[i]) < 1e-4,
                    "{angle} {t}: {right} {}",
                    again[i]
                );
            }
        }
    }
}

#[test]
fn bones_rolled_about_their_length_are_matched_by_body() {
    let source = body("");
    let roll = Quat::from_rotation_y(0.5 * std::f32::consts::PI);
    let rolled = with_axes(&source, |_| roll);
    let (retarget, report) = map_rigs(&source, &rolled, None);
    assert_eq!(report.manner, RetargetMode::Body);
    let clip = dance(
        &source,
        &[Quat::from_rotation_x(0.5), Quat::from_rotation_z(0.5)],
    );
    let out = retarget.clip(&clip, &source, &rolled);
    same_directions((&source, &clip), (&rolled, &out), &[0.0, 0.5, 1.0]);
}
