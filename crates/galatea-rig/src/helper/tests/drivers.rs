//! Tests of pushes, drivers, copies and limits.

use super::super::{DriverTarget, Example, Measured};
use super::*;

fn knee() -> Rig {
    rig(&[
        ("hips", None, at(0., 1., 0.)),
        ("upper", Some(0), at(0.1, 0., 0.)),
        (
            "lower",
            Some(1),
            turned(at(0., -0.4, 0.), degrees(Vec3::X, 10.0)),
        ),
        (
            "cap",
            Some(1),
            turned(at(0., -0.4, 0.05), degrees(Vec3::Y, 90.0)),
        ),
        ("foot", Some(2), at(0., -0.4, 0.)),
    ])
}

fn driver(bone: &str, of: &str) -> HelperSpec {
    HelperSpec {
        measure: Some(Measured::Bend),
        axis: Some(Vec3::X),
        direction: Some(Vec3::X),
        curve: vec![[0.0, 0.0], [100.0, 1.0]],
        ..spec(HelperKind::Driver, bone, of)
    }
}

#[test]
fn a_push_moves_with_the_bend_up_to_its_amount() {
    for (bend, metres) in [
        (0.0, 0.0),
        (30.0, 0.01),
        (-60.0, 0.02),
        (90.0, 0.03),
        (150.0, 0.03),
    ] {
        let mut knee = knee();
        knee.turn("lower", degrees(Vec3::X, bend));
        knee.apply(&[HelperSpec {
            direction: Some(Vec3::Z * 5.0),
            amount: Some(0.03),
            ..spec(HelperKind::Push, "cap", "lower")
        }]);
        // The cap's own z axis is the x axis of the thigh.
        let want = Vec3::new(metres, -0.4, 0.05);
        assert!(
            knee.local("cap").translation.distance(want) < 1e-6,
            "{bend}"
        );
    }
    let mut signed = knee();
    signed.turn("lower", degrees(Vec3::X, -60.0));
    signed.apply(&[HelperSpec {
        direction: Some(Vec3::Z),
        axis: Some(Vec3::X),
        amount: Some(0.03),
        ..spec(HelperKind::Push, "cap", "lower")
    }]);
    assert_eq!(
        signed.local("cap").translation.x,
        0.0,
        "the other way it stays"
    );
}

#[test]
fn drivers_of_one_bone_add_up_on_every_channel() {
    let mut knee = knee();
    knee.turn("lower", degrees(Vec3::X, 50.0));
    let to = |to: DriverTarget, value: f32| HelperSpec {
        output: Some(to),
        curve: vec![[0.0, 0.0], [100.0, value]],
        ..driver("cap", "lower")
    };
    knee.apply(&[
        to(DriverTarget::Rotate, 40.0),
        to(DriverTarget::Rotate, 20.0),
        to(DriverTarget::Move, 0.1),
        HelperSpec {
            curve: vec![[0.0, 1.0], [100.0, 3.0]],
            ..to(DriverTarget::Scale, 0.0)
        },
        HelperSpec {
            curve: vec![[0.0, 1.0], [50.0, 0.5]],
            direction: None,
            ..to(DriverTarget::Scale, 0.0)
        },
    ]);
    let cap = knee.local("cap");
    same(
        cap.rotation,
        degrees(Vec3::Y, 90.0) * degrees(Vec3::X, 30.0),
        1e-3,
    );
    let moved = degrees(Vec3::Y, 90.0) * (Vec3::X * 0.05);
    assert!(cap.translation.distance(Vec3::new(0., -0.4, 0.05) + moved) < 1e-6);
    assert!(
        cap.scale.abs_diff_eq(Vec3::new(1.0, 0.5, 0.5), 1e-6),
        "{}",
        cap.scale
    );
}

#[test]
fn morph_targets_get_the_sum_of_their_drivers() {
    let mut knee = knee();
    knee.turn("lower", degrees(Vec3::X, 25.0));
    let morph = |name: &str, by: Measured, points: [[f32; 2]; 2]| HelperSpec {
        morph: Some(name.into()),
        bones: Vec::new(),
        measure: Some(by),
        axis: Some(Vec3::X),
        curve: points.to_vec(),
        ..spec(HelperKind::Driver, "", "lower")
    };
    let weights = knee.apply(&[
        morph("bent", Measured::Bend, [[0.0, 0.0], [100.0, 1.0]]),
        morph("other", Measured::Twist, [[0.0, 0.0], [100.0, 1.0]]),
        morph("bent", Measured::Bend, [[20.0, 0.5], [30.0, 0.0]]),
    ]);
    assert_eq!(weights[0].0, "bent");
    assert!((weights[0].1 - 0.5).abs() < 1e-5);
    assert_eq!(weights[1].0, "other");
}

#[test]
fn swing_twist_and_distance_are_measured_correctly() {
    let measured = |by: Measured, turn: Quat| {
        let mut knee = knee();
        knee.turn("lower", turn);
        let weights = knee.apply(&[HelperSpec {
            morph: Some("m".into()),
            bones: Vec::new(),
            from: Some("hips".into()),
            measure: Some(by),
            curve: vec![[-400.0, -400.0], [400.0, 400.0]],
            ..spec(
                HelperKind::Driver,
                "",
                if by == Measured::Distance {
                    "foot"
                } else {
                    "lower"
                },
            )
        }]);
        weights[0].1
    };
    let length = degrees(Vec3::X, 10.0) * Vec3::NEG_Y;
    let across = length.cross(Vec3::Z).normalize();
    let both = degrees(across, 77.0) * degrees(length, -33.0);
    assert!((measured(Measured::Twist, both) + 33.0).abs() < 1e-3);
    assert!((measured(Measured::Swing, both) - 77.0).abs() < 1e-3);
    assert!((measured(Measured::Swing, degrees(across, 200.0)) - 160.0).abs() < 1e-3);
    // The lower leg is straight when its rest rotation is undone.
    let straight = measured(Measured::Distance, degrees(Vec3::X, -10.0));
    assert!((straight - 0.1_f32.hypot(0.8)).abs() < 1e-4, "{straight}");
}

#[test]
fn a_cone_is_one_at_its_example_and_zero_at_its_radius() {
    let weight = |rotation: Quat, example: Example| {
        let mut knee = knee();
        knee.turn("lower", rotation);
        let weights = knee.apply(&[HelperSpec {
            morph: Some("raised".into()),
            bones: Vec::new(),
            measure: Some(Measured::Cone),
            example: Some(example),
            radius: Some(40.0),
            ..spec(HelperKind::Driver, "", "lower")
        }]);
        weights[0].1
    };
    let rest = degrees(Vec3::X, 10.0);
    let local = Example::Local(degrees(Vec3::Z, 60.0) * rest);
    assert!((weight(degrees(Vec3::Z, 60.0), local) - 1.0).abs() < 1e-4);
    assert!((weight(degrees(Vec3::Z, 80.0), local) - 0.5).abs() < 1e-4);
    assert!((weight(degrees(Vec3::Z, 70.0), local) - 0.84375).abs() < 1e-4);
    assert_eq!(weight(degrees(Vec3::Z, 110.0), local), 0.0);
    // From rest: about x first, then y, then z, of the bone's own axes.
    let rotation = degrees(Vec3::Z, 30.0) * degrees(Vec3::Y, 50.0) * degrees(Vec3::X, 20.0);
    let from_rest = Example::FromRest(Vec3::new(20.0, 50.0, 30.0));
    assert!((weight(rest * rotation * rest.conjugate(), from_rest) - 1.0).abs() < 1e-4);
}

#[test]
fn shoulder_pads_stay_with_the_chest_when_the_arm_moves() {
    let mut rig = rig(&[
        (
            "chest",
            None,
            turned(at(0., 1.3, 0.), degrees(Vec3::X, 5.0)),
        ),
        ("clavicle", Some(0), at(0.05, 0.1, 0.)),
        (
            "upper",
            Some(1),
            turned(at(0.15, 0., 0.), degrees(Vec3::Z, -20.0)),
        ),
        (
            "pad",
            Some(2),
            turned(at(0.02, 0.05, 0.), degrees(Vec3::Y, 15.0)),
        ),
    ]);
    let rest = rig.rotation("chest").conjugate() * rig.rotation("pad");
    rig.turn("chest", degrees(Vec3::Y, 40.0));
    rig.turn("clavicle", degrees(Vec3::Z, 10.0));
    rig.turn("upper", degrees(Vec3::Z, 80.0));
    let moved = rig.rotation("chest").conjugate() * rig.rotation("pad");
    same(moved, degrees(Vec3::Z, 90.0) * rest, 1e-3);
    rig.apply(&[HelperSpec {
        weights: vec![0.8],
        ..spec(HelperKind::Copy, "pad", "chest")
    }]);
    let relative = rig.rotation("chest").conjugate() * rig.rotation("pad");
    same(relative, degrees(Vec3::Z, 18.0) * rest, 2e-3);
    // Without a source bone it keeps to the axes of the model.
    rig.apply(&[HelperSpec {
        source: None,
        ..spec(HelperKind::Copy, "pad", "")
    }]);
    same(rig.rotation("pad"), degrees(Vec3::X, 5.0) * rest, 2e-3);
    let error = rig.bind(&[spec(HelperKind::Copy, "clavicle", "pad")]);
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "copy of \"clavicle\": the source bone is below this bone"
    );
}

#[test]
fn a_parent_helper_follows_its_other_parent() {
    let mut rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        (
            "hand",
            Some(0),
            turned(at(1., 1., 0.), degrees(Vec3::Z, 30.0)),
        ),
        (
            "belt",
            Some(0),
            turned(at(0., 1., 0.), degrees(Vec3::X, 50.0)),
        ),
        (
            "sword",
            Some(2),
            turned(at(0.2, 0., 0.1), degrees(Vec3::Y, 70.0)),
        ),
    ]);
    rig.locals[1].scale = Vec3::splat(2.0);
    let mut bones = rig.skeleton.bones().to_vec();
    bones[1].rest = rig.locals[1];
    rig.skeleton = Skeleton::new(bones).unwrap();
    let rest = rig.models()[1].inverse() * rig.models()[3];
    rig.turn("hand", degrees(Vec3::new(1., 2., 3.), 100.0));
    rig.locals[1].translation += Vec3::new(0.5, -0.2, 0.3);
    rig.turn("belt", degrees(Vec3::Y, -60.0));
    rig.apply(&[spec(HelperKind::Parent, "sword", "hand")]);
    let found = rig.models()[1].inverse() * rig.models()[3];
    assert!(found.abs_diff_eq(rest, 1e-5), "{found} {rest}");
}

#[test]
fn limits_clamp_each_angle_and_change_nothing_within() {
    let mut rig = rig(&[("head", None, turned(at(0., 0., 0.), degrees(Vec3::Y, 30.0)))]);
    let limit = HelperSpec {
        min: Some(Vec3::new(-20.0, -45.0, 0.0)),
        max: Some(Vec3::new(40.0, 45.0, 0.0)),
        ..spec(HelperKind::Limit, "head", "head")
    };
    let rest = degrees(Vec3::Y, 30.0);
    let from_rest = |x: f32, y: f32, z: f32| {
        rest * degrees(Vec3::Z, z) * degrees(Vec3::Y, y) * degrees(Vec3::X, x)
    };
    for ([x, y, z], [a, b, c]) in [
        ([30.0, 10.0, 0.0], [30.0, 10.0, 0.0]),
        ([60.0, -70.0, 5.0], [40.0, -45.0, 0.0]),
        ([-80.0, 0.0, -30.0], [-20.0, 0.0, 0.0]),
    ] {
        rig.locals[0].rotation = from_rest(x, y, z);
        rig.apply(std::slice::from_ref(&limit));
        same(rig.local("head").rotation, from_rest(a, b, c), 2e-3);
    }
    let half = HelperSpec {
        weights: vec![0.5],
        ..limit.clone()
    };
    rig.locals[0].rotation = from_rest(80.0, 0.0, 0.0);
    rig.apply(&[half]);
    same(rig.local("head").rotation, from_rest(60.0, 0.0, 0.0), 2e-3);
    let wrong = HelperSpec {
        min: limit.max,
        max: limit.min,
        ..limit
    };
    let error = rig.bind(&[wrong]).unwrap_err().to_string();
    assert_eq!(error, "limit of \"head\": \"min\" is above \"max\"");
}

#[test]
fn missing_required_fields_are_errors() {
    let knee = knee();
    let none = HelperSpec::new(HelperKind::Driver);
    let cases = [
        (
            HelperSpec {
                measure: None,
                ..driver("cap", "lower")
            },
            "field \"measure\" is missing",
        ),
        (
            HelperSpec {
                output: None,
                ..driver("cap", "lower")
            },
            "field \"output\" is missing",
        ),
        (
            HelperSpec {
                axis: None,
                output: Some(DriverTarget::Rotate),
                ..driver("cap", "lower")
            },
            "field \"axis\" is missing",
        ),
        (
            HelperSpec {
                direction: None,
                output: Some(DriverTarget::Rotate),
                ..driver("cap", "lower")
            },
            "field \"direction\" is missing",
        ),
        (
            HelperSpec {
                curve: Vec::new(),
                output: Some(DriverTarget::Rotate),
                ..driver("cap", "lower")
            },
            "field \"curve\" is missing",
        ),
        (
            HelperSpec {
                curve: vec![[1.0, 0.0], [0.0, 0.0]],
                output: Some(DriverTarget::Rotate),
                ..driver("cap", "lower")
            },
            "are not ascending",
        ),
        (
            HelperSpec {
                output: Some(DriverTarget::Morph),
                ..driver("cap", "lower")
            },
            "field \"morph\" is missing",
        ),
        (
            HelperSpec {
                output: Some(DriverTarget::Rotate),
                ..driver("lower", "lower")
            },
            "it depends on itself",
        ),
        (
            HelperSpec {
                measure: Some(Measured::Distance),
                output: Some(DriverTarget::Move),
                ..driver("cap", "lower")
            },
            "field \"from\" is missing",
        ),
        (
            HelperSpec {
                measure: Some(Measured::Cone),
                output: Some(DriverTarget::Move),
                ..driver("cap", "lower")
            },
            "field \"example\" is missing",
        ),
        (
            HelperSpec {
                axis: Some(Vec3::ZERO),
                output: Some(DriverTarget::Rotate),
                ..driver("cap", "lower")
            },
            "has length 0",
        ),
        (none, "field \"source\" is missing"),
        (
            HelperSpec {
                direction: Some(Vec3::Z),
                ..spec(HelperKind::Push, "cap", "lower")
            },
            "field \"amount\" is missing",
        ),
        (
            HelperSpec {
                bones: vec!["cap".into(), "foot".into()],
                ..spec(HelperKind::Fan, "", "lower")
            },
            "it supports only one bone",
        ),
        (
            spec(HelperKind::Roll, "cap", "lower"),
            "field \"axis\" is missing",
        ),
        (
            spec(HelperKind::Aim, "upper", "foot"),
            "field \"axis\" is missing",
        ),
        (
            HelperSpec {
                axis: Some(Vec3::Y),
                ..spec(HelperKind::Aim, "upper", "foot")
            },
            "is below this bone",
        ),
    ];
    for (spec, expected) in cases {
        let error = knee
            .bind(std::slice::from_ref(&spec))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}: {expected}");
    }
}
