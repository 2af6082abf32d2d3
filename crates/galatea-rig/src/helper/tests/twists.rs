//! Tests of half twists and fans.

use super::super::turn;
use super::*;

/// An arm along X: the forearm has a middle bone as a sibling of its hand, the upper arm one as its child.
fn arm() -> Rig {
    rig(&[
        ("shoulder", None, at(0., 1.4, 0.)),
        (
            "upper",
            Some(0),
            turned(at(0.2, 0., 0.), degrees(Vec3::Y, 20.0)),
        ),
        (
            "upper_twist",
            Some(1),
            turned(at(0.15, 0., 0.), degrees(Vec3::X, 7.0)),
        ),
        (
            "lower",
            Some(1),
            turned(at(0.3, 0., 0.), degrees(Vec3::Z, 10.0)),
        ),
        (
            "lower_twist",
            Some(3),
            turned(at(0.13, 0., 0.), degrees(Vec3::Y, 5.0)),
        ),
        (
            "hand",
            Some(3),
            turned(at(0.26, 0., 0.), degrees(Vec3::Z, -15.0)),
        ),
    ])
}

fn twist(bone: &str, of: &str) -> HelperSpec {
    spec(HelperKind::Twist, bone, of)
}

#[test]
fn half_of_170_degrees_is_85_and_nothing_flips_on_the_way() {
    let mut last = Quat::IDENTITY;
    for angle in -1790..=1790 {
        let angle = angle as f32 / 10.0;
        let mut arm = arm();
        // The wrist is bent as well, which must not affect the forearm.
        arm.turn("hand", degrees(Vec3::X, angle) * degrees(Vec3::Z, 25.0));
        arm.apply(&[twist("lower_twist", "hand")]);
        let found = arm.local("lower_twist").rotation;
        let want = degrees(Vec3::X, angle * 0.5) * degrees(Vec3::Y, 5.0);
        same(found, want, 2e-3);
        if angle > -179.0 {
            same(found, last, 0.06);
        }
        last = found;
    }
}

#[test]
fn the_cut_is_at_180_degrees_and_can_be_moved() {
    let half = |angle: f32, middle: f32| {
        let mut arm = arm();
        arm.turn("hand", degrees(Vec3::X, angle));
        arm.apply(&[HelperSpec {
            middle,
            ..twist("lower_twist", "hand")
        }]);
        arm.local("lower_twist").rotation * degrees(Vec3::Y, -5.0)
    };
    same(half(179.0, 0.0), degrees(Vec3::X, 89.5), 2e-3);
    same(half(181.0, 0.0), degrees(Vec3::X, -89.5), 2e-3);
    same(half(181.0, 60.0), degrees(Vec3::X, 90.5), 2e-3);
    same(half(239.0, 60.0), degrees(Vec3::X, 119.5), 2e-3);
}

#[test]
fn a_twist_bone_of_the_upper_arm_undoes_its_fraction_and_follows_the_swing() {
    for fraction in [0.0, 0.25, 0.5, 1.0] {
        let mut arm = arm();
        let rest = arm.rotation("upper").conjugate() * arm.rotation("upper_twist");
        // In the shoulder's space: a rotation about its own length first, then it is raised and moved forward.
        let length = degrees(Vec3::Y, 20.0) * Vec3::X;
        let across = length.cross(Vec3::new(0.3, 1.0, 0.0)).normalize();
        let swing = degrees(across, 70.0);
        arm.turn("upper", swing * degrees(length, 120.0));
        arm.apply(&[HelperSpec {
            weights: vec![fraction],
            ..twist("upper_twist", "upper")
        }]);
        let want = swing * degrees(length, 120.0 * fraction) * degrees(Vec3::Y, 20.0) * rest;
        same(arm.rotation("upper_twist"), want, 2e-3);
    }
}

#[test]
fn several_bones_split_the_twist_by_their_order() {
    let mut rig = rig(&[
        ("lower", None, at(0., 0., 0.)),
        ("t1", Some(0), at(0.1, 0., 0.)),
        ("t2", Some(0), at(0.2, 0., 0.)),
        ("hand", Some(0), at(0.3, 0., 0.)),
    ]);
    rig.turn("hand", degrees(Vec3::X, 150.0));
    let two = HelperSpec {
        bones: vec!["t1".into(), "t2".into()],
        ..twist("", "hand")
    };
    rig.apply(std::slice::from_ref(&two));
    same(rig.local("t1").rotation, degrees(Vec3::X, 50.0), 1e-3);
    same(rig.local("t2").rotation, degrees(Vec3::X, 100.0), 1e-3);
    let result = HelperSpec {
        weights: vec![0.2, 0.9],
        ..two.clone()
    };
    rig.apply(&[result]);
    same(rig.local("t1").rotation, degrees(Vec3::X, 30.0), 1e-3);
    same(rig.local("t2").rotation, degrees(Vec3::X, 135.0), 1e-3);
    let wrong = HelperSpec {
        weights: vec![0.2, 0.9, 1.0],
        ..two
    };
    let error = rig.bind(&[wrong]).unwrap_err().to_string();
    assert_eq!(error, "twist of \"t1\": 3 values in \"weight\" for 2 bones");
}

#[test]
fn bones_between_elbow_and_hand_twist_and_the_hand_stays() {
    let mut rig = rig(&[
        (
            "lower",
            None,
            turned(at(0., 0., 0.), degrees(Vec3::Y, 30.0)),
        ),
        (
            "t1",
            Some(0),
            turned(at(0.1, 0., 0.), degrees(Vec3::X, 4.0)),
        ),
        ("t2", Some(1), at(0.1, 0., 0.)),
        ("hand", Some(2), at(0.1, 0., 0.)),
    ]);
    rig.turn("hand", degrees(Vec3::X, 120.0) * degrees(Vec3::Y, 20.0));
    let (hand, position) = (rig.rotation("hand"), rig.place("hand"));
    let two = HelperSpec {
        bones: vec!["t1".into(), "t2".into()],
        ..twist("", "hand")
    };
    rig.apply(std::slice::from_ref(&two));
    let lower = degrees(Vec3::Y, 30.0);
    for _ in 0..2 {
        same(rig.rotation("hand"), hand, 2e-3);
        assert!(rig.place("hand").distance(position) < 1e-6);
        same(rig.rotation("t1"), lower * degrees(Vec3::X, 44.0), 2e-3);
        same(rig.rotation("t2"), lower * degrees(Vec3::X, 84.0), 2e-3);
        // Applying again changes nothing.
        rig.apply(std::slice::from_ref(&two));
    }
}

#[test]
fn a_child_of_an_upper_arm_twist_bone_can_be_held() {
    let mut rig = rig(&[
        ("collar", None, at(0., 0., 0.)),
        ("bend", Some(0), at(0.1, 0., 0.)),
        ("twist", Some(1), at(0.1, 0., 0.)),
        ("lower", Some(2), at(0.2, 0., 0.)),
    ]);
    rig.turn("bend", degrees(Vec3::Z, 40.0) * degrees(Vec3::X, 90.0));
    let lower = rig.rotation("lower");
    rig.apply(&[HelperSpec {
        hold: Some("lower".into()),
        ..twist("twist", "bend")
    }]);
    let want = degrees(Vec3::Z, 40.0) * degrees(Vec3::X, 45.0);
    same(rig.rotation("twist"), want, 2e-3);
    same(rig.rotation("lower"), lower, 2e-3);
}

#[test]
fn a_bone_elsewhere_rotates_about_the_same_axis_in_model_space() {
    let mut rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        (
            "lower",
            Some(0),
            turned(at(0., 0., 0.), degrees(Vec3::Z, 90.0)),
        ),
        ("hand", Some(1), at(0.3, 0., 0.)),
        (
            "cuff",
            Some(0),
            turned(at(1., 0., 0.), degrees(Vec3::X, 30.0)),
        ),
        ("ring", Some(3), at(0., 0.1, 0.)),
    ]);
    rig.turn("hand", degrees(Vec3::X, 80.0));
    rig.apply(&[twist("ring", "hand")]);
    // The forearm points up.
    same(
        rig.rotation("ring"),
        degrees(Vec3::Y, 40.0) * degrees(Vec3::X, 30.0),
        2e-3,
    );
}

#[test]
fn scaled_and_mirrored_parents_do_not_change_the_twist() {
    for scale in [
        Vec3::splat(0.01),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(2.0, 0.5, 3.0),
    ] {
        let mut arm = arm();
        arm.locals[0].scale = scale;
        arm.locals[3].scale = Vec3::splat(100.0);
        arm.turn("hand", degrees(Vec3::X, 140.0));
        arm.apply(&[twist("lower_twist", "hand")]);
        let want = degrees(Vec3::X, 70.0) * degrees(Vec3::Y, 5.0);
        same(arm.local("lower_twist").rotation, want, 2e-3);
        assert_eq!(arm.local("lower_twist").translation.x, 0.13);
    }
}

#[test]
fn a_bone_without_length_needs_an_axis() {
    let mut rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        ("t", Some(0), at(0., 0., 0.)),
        ("end", Some(0), at(0., 0., 0.)),
    ]);
    let spec = twist("t", "end");
    let error = rig
        .bind(std::slice::from_ref(&spec))
        .unwrap_err()
        .to_string();
    assert!(error.contains("the bone has length 0"), "{error}");
    rig.turn("end", degrees(Vec3::Z, 60.0));
    rig.apply(&[HelperSpec {
        axis: Some(Vec3::Z * 3.0),
        ..spec
    }]);
    same(rig.local("t").rotation, degrees(Vec3::Z, 30.0), 1e-3);
}

#[test]
fn a_fan_takes_half_of_the_bend_and_no_twist() {
    // One is a sibling of the forearm, the other a child of it.
    let mut rig = rig(&[
        ("upper", None, at(0., 0., 0.)),
        (
            "fan",
            Some(0),
            turned(at(0.3, 0., 0.), degrees(Vec3::X, 12.0)),
        ),
        (
            "lower",
            Some(0),
            turned(at(0.3, 0., 0.), degrees(Vec3::Y, 8.0)),
        ),
        ("inner", Some(2), at(0., 0., 0.)),
        ("hand", Some(2), at(0.3, 0., 0.)),
    ]);
    let length = degrees(Vec3::Y, 8.0) * Vec3::X;
    let inner = rig.rotation("inner");
    rig.turn("lower", degrees(Vec3::Z, 130.0) * degrees(length, 50.0));
    rig.apply(&[
        spec(HelperKind::Fan, "fan", "lower"),
        HelperSpec {
            weights: vec![0.25],
            ..spec(HelperKind::Fan, "inner", "lower")
        },
    ]);
    let bend = degrees(Vec3::Z, 130.0) * degrees(length, 50.0);
    let swing = turn::without(bend, length);
    same(
        rig.local("fan").rotation,
        turn::power(swing, 0.5) * degrees(Vec3::X, 12.0),
        2e-3,
    );
    same(
        rig.rotation("inner"),
        turn::power(swing, 0.25) * inner,
        2e-3,
    );
    // With an axis it is half of the angle about that axis, however skewed the bone is.
    rig.locals[2].rotation = degrees(Vec3::Z, 130.0) * degrees(Vec3::Y, 8.0);
    rig.apply(&[HelperSpec {
        axis: Some(degrees(Vec3::Y, -8.0) * Vec3::Z),
        ..spec(HelperKind::Fan, "fan", "lower")
    }]);
    let want = degrees(Vec3::Z, 65.0) * degrees(Vec3::X, 12.0);
    same(rig.local("fan").rotation, want, 2e-3);
}
