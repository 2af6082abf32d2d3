use glam::{Quat, Vec3};

use super::curve::{KeyEase, MonotoneCurve, drift};
use super::figure::{Figure, FigureBone};
use super::gait::Gait;
use super::keys::PoseKeys;
use super::pose::{FigurePose, FigureSide, of_side, trunk};
use super::solve::{attached_point, solve};

/// A simple human body; `scale` is relative to the reference body of 1.70 m.
fn figure(scale: f32) -> Figure {
    let rows = [
        ("root", "", [0.0, 0.0, 0.0]),
        ("hips", "root", [0.0, 0.93, 0.0]),
        ("spine", "hips", [0.0, 1.03, -0.008]),
        ("chest", "spine", [0.0, 1.165, -0.018]),
        ("neck", "chest", [0.0, 1.438, -0.03]),
        ("head", "neck", [0.0, 1.515, -0.012]),
        ("_shoulder", "chest", [0.025, 1.395, -0.015]),
        ("_upper_arm", "_shoulder", [0.158, 1.385, -0.028]),
        ("_lower_arm", "_upper_arm", [0.3525, 1.1905, -0.028]),
        ("_hand", "_lower_arm", [0.5257, 1.0173, -0.028]),
        ("_upper_leg", "hips", [0.088, 0.895, 0.0]),
        ("_lower_leg", "_upper_leg", [0.092, 0.487, 0.01]),
        ("_foot", "_lower_leg", [0.092, 0.082, -0.014]),
        ("_toes", "_foot", [0.098, 0.022, 0.112]),
    ];
    let mut joints: Vec<FigureBone> = Vec::new();
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        for (name, parent, at) in rows {
            let own = |name: &str| match name.strip_prefix('_') {
                Some(rest) => format!("{side}_{rest}"),
                None => name.to_owned(),
            };
            if joints.iter().any(|joint| joint.name == own(name)) {
                continue;
            }
            let parent = joints.iter().position(|joint| joint.name == own(parent));
            joints.push(FigureBone {
                name: own(name),
                parent,
                rest_position: Vec3::from(at) * Vec3::new(sign, 1.0, 1.0) * scale,
            });
        }
    }
    Figure::of(joints).unwrap()
}

fn bone(figure: &Figure, name: &str) -> usize {
    figure
        .joints
        .iter()
        .position(|joint| joint.name == name)
        .unwrap()
}

fn place(figure: &Figure, pose: &FigurePose, name: &str) -> Vec3 {
    let bone = bone(figure, name);
    let rest = figure.joints[bone].rest_position;
    attached_point(figure, &solve(figure, pose), bone, rest)
}

/// A pose in which every number is different.
fn pose_with_distinct_values() -> FigurePose {
    let mut pose = FigurePose::default();
    let all = trunk().chain(FigureSide::BOTH.into_iter().flat_map(of_side));
    for (i, channel) in all.enumerate() {
        let i = i as f32;
        pose.say(&channel, Vec3::new(0.1 + i * 0.01, -0.2 - i * 0.02, 0.3));
    }
    pose
}

#[test]
fn an_empty_pose_is_the_rest_pose_with_hanging_arms() {
    for scale in [1.0, 0.6] {
        let figure = figure(scale);
        let pose = FigurePose::default();
        for name in ["head", "left_lower_leg", "right_foot", "left_toes"] {
            let rest = figure.joints[bone(&figure, name)].rest_position;
            let now = place(&figure, &pose, name);
            assert!(
                now.distance(rest) < 2e-3 * scale,
                "{name}: {now} for {rest}"
            );
        }
        let upper = place(&figure, &pose, "left_upper_arm");
        let hand = place(&figure, &pose, "left_hand");
        assert!((hand - upper).normalize().dot(Vec3::NEG_Y) > 0.9999);
    }
}

#[test]
fn poses_add_and_mirroring_twice_is_the_identity() {
    let pose = pose_with_distinct_values();
    assert_eq!(pose.mirrored().mirrored(), pose);
    assert_eq!(pose.minus(&pose).plus(&pose), pose);
    assert_eq!(pose.mix(&pose.times(3.0), 0.0), pose);
    let figure = figure(1.0);
    let half = pose.times(0.3);
    for (name, twin) in [
        ("left_hand", "right_hand"),
        ("right_toes", "left_toes"),
        ("head", "head"),
    ] {
        let a = place(&figure, &half, name) * Vec3::new(-1.0, 1.0, 1.0);
        let b = place(&figure, &half.mirrored(), twin);
        assert!(a.distance(b) < 1e-4, "{name}: {a} for {b}");
    }
}

#[test]
fn a_rotated_pose_is_the_same_pose_from_another_view() {
    let figure = figure(1.0);
    let pose = pose_with_distinct_values().times(0.3);
    let moved = pose.moved(figure.rests(), 70.0, Vec3::new(0.2, 0.0, 0.1));
    let q = Quat::from_rotation_y(70.0_f32.to_radians());
    for name in [
        "head",
        "left_hand",
        "right_hand",
        "left_toes",
        "right_lower_leg",
    ] {
        let expected = q * place(&figure, &pose, name) + Vec3::new(0.2, 0.0, 0.1);
        let now = place(&figure, &moved, name);
        assert!(
            now.distance(expected) < 1e-4,
            "{name}: {now} for {expected}"
        );
    }
}

#[test]
fn a_palm_reaches_its_target_and_direction_with_a_forward_elbow() {
    let figure = figure(1.0);
    for side in FigureSide::BOTH {
        let x = side.sign();
        let mut pose = FigurePose::default();
        let at = Vec3::new(0.1 * x, 1.1, 0.3);
        pose.say_of(side, "hand", "at", at);
        pose.say_of(side, "hand", "hold", Vec3::ONE);
        pose.say_of(side, "hand", "palm", Vec3::NEG_Y);
        pose.say_of(side, "hand", "fingers", Vec3::Z);
        let solved = solve(&figure, &pose);
        assert!(
            solved.miss[2].max(solved.miss[3]) < 1e-3,
            "{:?}",
            solved.miss
        );
        let hand = bone(&figure, &format!("{}_hand", side.word()));
        let matrix = figure.matrix(&solved.rotations, solved.hips, hand);
        let arm = &figure.arms[usize::from(side == FigureSide::Right)];
        let own = Vec3::new(x, 1.0, 1.0);
        assert!(matrix.transform_vector3(arm.palm * own).dot(Vec3::NEG_Y) > 0.999);
        assert!(matrix.transform_vector3(arm.along[2] * own).dot(Vec3::Z) > 0.999);
        // If bent by its angle, a forearm comes forward without a rotation of the upper arm.
        let mut bent = FigurePose::default();
        bent.say_of(side, "arm", "elbow", Vec3::splat(80.0));
        let by_angle = solve(&figure, &bent).rotations;
        let mut held = FigurePose::default();
        held.say_of(
            side,
            "hand",
            "at",
            attached_point(&figure, &solve(&figure, &bent), hand, {
                let along = arm.along[2] * own;
                figure.joints[hand].rest_position + along * arm.lengths[2]
            }),
        );
        held.say_of(side, "hand", "hold", Vec3::ONE);
        held.say_of(side, "hand", "elbow", Vec3::new(0.0, -1.0, -0.6));
        let by_place = solve(&figure, &held).rotations;
        for name in ["upper_arm", "lower_arm"] {
            let i = bone(&figure, &format!("{}_{name}", side.word()));
            assert!(
                by_angle[i].dot(by_place[i]).abs() > 0.995,
                "{name}: {} {}",
                by_angle[i],
                by_place[i]
            );
        }
    }
}

#[test]
fn a_foot_rolls_over_its_fixed_ball_and_heel() {
    let figure = figure(1.0);
    let [.., ball, heel, _] = figure.legs[0].positions;
    for (pitch, name, rest) in [(40.0, "left_toes", ball), (-20.0, "left_foot", heel)] {
        let mut pose = FigurePose::default();
        // Low enough for the leg to reach.
        pose.set(4, -0.08);
        pose.say_of(FigureSide::Left, "foot", "pitch", Vec3::splat(pitch));
        let now = attached_point(&figure, &solve(&figure, &pose), bone(&figure, name), rest);
        assert!(now.distance(rest) < 1e-4, "{name}: {now} for {rest}");
    }
}

#[test]
fn planted_feet_of_a_gait_move_with_the_ground_in_every_direction() {
    for (speed, way) in [(1.2, 0.0), (-0.8, 0.0), (0.9, 90.0), (0.9, -40.0)] {
        let gait = Gait {
            speed,
            way,
            strike: 0.2 * f32::signum(speed),
            strike_pitch: -10.0,
            off_pitch: 30.0,
            ..Gait::default()
        };
        let at = of_side(FigureSide::Left).find(|c| c.name == "at").unwrap();
        let along = Quat::from_rotation_y(f32::to_radians(way)) * Vec3::Z * speed;
        let first = gait.at(0.0).vector(&at);
        for i in 0..60 {
            let t = i as f32 / 100.0;
            let now = gait.at(t).vector(&at) + along * t;
            assert!(now.distance(first) < 1e-5, "{now} for {first}");
        }
        // It returns to its start.
        assert!(gait.at(0.9999).vector(&at).distance(first) < 2e-3);
    }
}

#[test]
fn curves_pass_their_keys_do_not_overshoot_and_loop() {
    let keys = [
        (0.0, 0.0, KeyEase::Flow),
        (0.3, 1.0, KeyEase::Hit),
        (0.5, 0.8, KeyEase::Flow),
        (1.0, 0.0, KeyEase::Flow),
    ];
    let curve = MonotoneCurve::new(&keys, None);
    for (t, value, _) in keys {
        assert!((curve.at(t) - value).abs() < 1e-6);
    }
    for i in 0..=100 {
        assert!((-1e-6..=1.0 + 1e-6).contains(&curve.at(i as f32 / 100.0)));
    }
    // At a hit the curve is fastest before and at rest after.
    assert!(curve.at(0.3) - curve.at(0.29) > 2.0 * (curve.at(0.3) - curve.at(0.31)));
    let round = MonotoneCurve::new(
        &[
            (0.0, 0.0, KeyEase::Flow),
            (0.4, 1.0, KeyEase::Flow),
            (0.6, 0.2, KeyEase::Flow),
            (1.0, 0.0, KeyEase::Flow),
        ],
        Some(1.0),
    );
    assert!((round.at(0.999) - round.at(-0.001)).abs() < 1e-6);
    for seed in [0.0, 3.0, 7.5] {
        assert!((drift(0.2, seed) - drift(1.2, seed)).abs() < 1e-4);
    }
}

#[test]
fn delayed_parts_begin_and_end_with_the_rest() {
    let pose = |degrees: f32| {
        let mut pose = FigurePose::default();
        for name in ["chest", "head"] {
            let channel = trunk().find(|c| c.name == name).unwrap();
            pose.say(&channel, Vec3::X * degrees);
        }
        pose
    };
    let rows = [
        (0.0, pose(0.0), KeyEase::Flow),
        (0.5, pose(30.0), KeyEase::Flow),
        (1.0, pose(0.0), KeyEase::Flow),
    ];
    let keys = PoseKeys::new(&rows, &[("head".into(), 0.1)], None).unwrap();
    let of = |t: f32, name: &str| {
        keys.at(t)
            .vector(&trunk().find(|c| c.name == name).unwrap())
            .x
    };
    for t in [0.0, 1.0] {
        assert!((of(t, "head") - of(t, "chest")).abs() < 1e-4);
    }
    assert!(of(0.3, "head") < of(0.3, "chest") && of(0.7, "head") > of(0.7, "chest"));
}
