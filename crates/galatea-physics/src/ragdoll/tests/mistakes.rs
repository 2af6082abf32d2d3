//! Tests of invalid overrides.

use serde_json::json;

use super::*;
use galatea_asset::ragdoll::RagdollBodySpec;

fn error(bone: &str, wish: RagdollBodySpec) -> String {
    let options = RagdollChoices {
        bodies: vec![(bone.to_owned(), wish)],
        ..RagdollChoices::default()
    };
    with(&man(Stance::default()), &options)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_missing_bone_is_reported_with_the_nearest_name() {
    let found = error("left_uper_arm", RagdollBodySpec::default());
    assert_eq!(
        found,
        "ragdoll: there is no bone \"left_uper_arm\"; did you mean \"left_upper_arm\"?"
    );
}

#[test]
fn contradictions_are_reported_with_the_bone() {
    let nan = f32::NAN;
    let default = RagdollBodySpec::default;
    let cases = [
        (
            RagdollBodySpec {
                twist: Some([10.0, -10.0]),
                ..default()
            },
            "twist: the minimum must not be above the maximum, got 10 and -10 degrees",
        ),
        (
            RagdollBodySpec {
                range: Some([10.0, -10.0]),
                ..default()
            },
            "range: the minimum must not be above the maximum",
        ),
        (
            RagdollBodySpec {
                range: Some([nan, 0.0]),
                ..default()
            },
            "range must be within -180 and 180",
        ),
        (
            RagdollBodySpec {
                mass: Some(0.0),
                ..default()
            },
            "mass and density must be more than 0, got 0",
        ),
        (
            RagdollBodySpec {
                mass: Some(nan),
                ..default()
            },
            "must be more than 0, got NaN",
        ),
        (
            RagdollBodySpec {
                size: Some(Vec3::new(1.0, -1.0, 1.0)),
                ..default()
            },
            "must be more than 0, got -1",
        ),
        (
            RagdollBodySpec {
                friction: Some(-1.0),
                ..default()
            },
            "friction must be 0 to 10",
        ),
        (
            RagdollBodySpec {
                swing: Some([nan, 1.0]),
                ..default()
            },
            "swing must be 0 to 180",
        ),
        (
            RagdollBodySpec {
                axis: Some(Vec3::ZERO),
                ..default()
            },
            "axis must not be zero",
        ),
        (
            RagdollBodySpec {
                range: Some([0.0, 1.0]),
                swing: Some([1.0, 1.0]),
                ..default()
            },
            "give either a range, for a hinge joint, or swing and twist",
        ),
        (
            RagdollBodySpec {
                length: Some(0.1),
                radius: Some(0.1),
                ..default()
            },
            "length 0.1 m, thickness 0.2 m",
        ),
    ];
    for (wish, expected) in cases {
        let found = error("head", wish);
        assert!(
            found.starts_with("ragdoll, head: ") && found.contains(expected),
            "{found}"
        );
    }
    let hinge = RagdollBodySpec::read(&json!({"joint": "hinge"}), &mut |_| {});
    assert_eq!(
        error("left_upper_arm", hinge),
        "ragdoll, left_upper_arm: a hinge joint here needs a range, in degrees"
    );
    let cone = RagdollBodySpec::read(&json!({"joint": "cone"}), &mut |_| {});
    assert!(error("left_lower_arm", cone).contains("needs swing and twist"));
}

#[test]
fn numbers_of_the_whole_ragdoll_are_checked() {
    let default = RagdollChoices::default;
    let cases = [
        (
            RagdollChoices {
                mass: Some(0.0),
                ..default()
            },
            "mass: must be more than 0, got 0",
        ),
        (
            RagdollChoices {
                density: Some(f32::NAN),
                ..default()
            },
            "density: must be more than 0, got NaN",
        ),
        (
            RagdollChoices {
                friction: Some(11.0),
                ..default()
            },
            "friction: must be 0 to 10, got 11",
        ),
        (
            RagdollChoices {
                max_bodies: Some(0),
                ..default()
            },
            "max_bodies: must be 1 to 256, got 0",
        ),
    ];
    for (options, expected) in cases {
        let found = with(&man(Stance::default()), &options)
            .unwrap_err()
            .to_string();
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn invalid_overrides_of_the_file_are_skipped_and_reported() {
    let mut model = man(Stance::default());
    let arm = model.skeleton.find("left_upper_arm").unwrap();
    let head = model.skeleton.find("head").unwrap();
    let wish = |value: serde_json::Value| RagdollBodySpec::read(&value, &mut |_| {});
    model.ragdoll = vec![
        (head, wish(json!({"size": [1, 1, 1], "radius": 2}))),
        (arm, wish(json!({"joint": "hinge"}))),
    ];
    let found = ragdoll(&model);
    check(&found, &model);
    let plain = ragdoll(&man(Stance::default()));
    assert_eq!(found.bodies, plain.bodies);
    assert_eq!(found.joints, plain.joints);
    let [first, second] = &found.warnings[..] else {
        panic!("{:?}", found.warnings)
    };
    assert!(
        first.starts_with("head: the settings of the file are ignored"),
        "{first}"
    );
    assert!(
        second.starts_with("left_upper_arm: the joint of the file is ignored"),
        "{second}"
    );
}

#[test]
fn a_rest_pose_out_of_range_widens_it_and_is_reported() {
    let stance = Stance {
        bent: -20.0,
        ..Stance::default()
    };
    let model = man(stance);
    let ragdoll = ragdoll(&model);
    check(&ragdoll, &model);
    let reported = ragdoll
        .warnings
        .iter()
        .filter(|text| text.contains("20 degrees outside the range"));
    assert_eq!(reported.count(), 4, "{:?}", ragdoll.warnings);
}
