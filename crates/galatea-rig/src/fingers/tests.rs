use glam::{Affine3A, Quat, Vec3};

use super::*;
use crate::posed::tests::named_body;
use galatea_anim::local_to_model;
use galatea_math::Trs;

/// Names of the joints of a finger.
const PARTS: [&str; 3] = ["Proximal", "Intermediate", "Distal"];
/// Distance from wrist to knuckles, and lengths of the bones of a finger, metres.
const PALM: f32 = 0.09;
const LENGTHS: [f32; 3] = [0.045, 0.025, 0.02];

/// Builds a body whose left arm points along `arm`, with the named fingers, each bent at rest by `bent` degrees in every
/// joint, in a model that is rotated by `rotation`.
fn person(fingers: &[&str], arm: Vec3, bent: f32, rotation: Quat) -> (Skeleton, Humanoid) {
    let mut bones: Vec<(String, Option<u16>, Vec3)> = vec![
        ("Hips".into(), None, Vec3::Y),
        ("Spine".into(), Some(0), Vec3::Y * 1.1),
        ("Head".into(), Some(1), Vec3::Y * 1.6),
    ];
    for (side, mirror) in [("Left", Vec3::ONE), ("Right", Vec3::new(-1.0, 1.0, 1.0))] {
        let shoulder = Vec3::new(0.2, 1.45, 0.0);
        let from_t_pose = Quat::from_rotation_arc(Vec3::X, arm);
        let mut add = |name: &str, parent: Option<u16>, at: Vec3| {
            bones.push((format!("{side}{name}"), parent, at * mirror));
            Some(bones.len() as u16 - 1)
        };
        let at = |moved: Vec3| shoulder + from_t_pose * moved;
        let upper = add("UpperArm", Some(1), shoulder);
        let lower = add("LowerArm", upper, at(Vec3::X * 0.26));
        let hand = add("Hand", lower, at(Vec3::X * 0.5));
        for name in fingers {
            let aside = ["Index", "Middle", "Ring", "Little"]
                .iter()
                .position(|known| known == name);
            let Some(aside) = aside else {
                let mut above = hand;
                let thumb = [("Metacarpal", 0.02), ("Proximal", 0.06), ("Distal", 0.09)];
                for (part, far) in thumb {
                    let direction = Vec3::new(0.7, -0.2, 0.7) * far;
                    above = add(
                        &format!("{name}{part}"),
                        above,
                        at(Vec3::X * 0.5 + direction),
                    );
                }
                continue;
            };
            let knuckle = Vec3::new(0.5 + PALM, 0.0, 0.03 - 0.02 * aside as f32);
            let (mut above, mut position, mut angle) = (hand, knuckle, 0.0_f32);
            for (part, length) in PARTS.iter().zip(LENGTHS) {
                above = add(&format!("{name}{part}"), above, at(position));
                angle -= bent.to_radians();
                position += Quat::from_rotation_z(angle) * Vec3::X * length;
            }
            add(&format!("{name}End"), above, at(position));
        }
        let leg = |y: f32, z: f32| Vec3::new(0.1, y, z);
        let upper = add("UpperLeg", Some(0), leg(0.95, 0.0));
        let lower = add("LowerLeg", upper, leg(0.5, 0.02));
        add("Foot", lower, leg(0.08, 0.0));
    }
    named_body(&bones, rotation)
}

const ALL: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];

/// Returns the bone matrices after a hand has closed to `grip`.
fn closed(skeleton: &Skeleton, rig: &HandRig, grip: f32, weight: f32) -> Vec<Affine3A> {
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    let mut matrices = Vec::new();
    local_to_model(skeleton, &locals, &mut matrices);
    rig.close(
        &mut Posed::new(skeleton, &mut locals, &matrices),
        grip,
        weight,
    );
    local_to_model(skeleton, &locals, &mut matrices);
    matrices
}

fn position(skeleton: &Skeleton, matrices: &[Affine3A], name: &str) -> Vec3 {
    let bone = skeleton.find(name).unwrap();
    matrices[usize::from(bone)].translation.into()
}

#[test]
fn a_closed_hand_is_a_fist_with_its_tips_in_front_of_the_palm() {
    for arm in [
        Vec3::X,
        Vec3::new(0.6, -0.8, 0.0),
        Vec3::new(0.05, -1.0, 0.1),
    ] {
        for (bent, rotation) in [(0.0, 0.0), (12.0, 2.0), (-8.0, 0.0)] {
            let rotation = Quat::from_rotation_y(rotation);
            let (skeleton, humanoid) = person(&ALL, arm.normalize(), bent, rotation);
            for (side, word) in [(Side::Left, "Left"), (Side::Right, "Right")] {
                let rig = HandRig::find(&skeleton, &humanoid, side).unwrap();
                assert_eq!(rig.joints.len(), 15);
                let matrices = closed(&skeleton, &rig, 1.0, 1.0);
                let hand = matrices[usize::from(rig.hand)];
                let out = hand.transform_vector3(rig.out);
                let palm = hand.transform_point3(rig.palm);
                for finger in &ALL[1..] {
                    let tip = position(&skeleton, &matrices, &format!("{word}{finger}End"));
                    let wrist = Vec3::from(hand.translation);
                    let off = (tip - wrist).dot(out);
                    // Bones of 45, 25 and 20 mm, bent by 80, 100 and 70 degrees.
                    assert!((0.02..0.03).contains(&off), "{word} {finger}: {off} m");
                    assert!(tip.distance(palm) < 0.05, "{word} {finger}: {tip} {palm}");
                }
                let thumb = position(&skeleton, &matrices, &format!("{word}ThumbDistal"));
                let off = (thumb - Vec3::from(hand.translation)).dot(out);
                assert!((0.01..0.06).contains(&off), "{word} thumb: {off} m");
                for joint in &rig.joints {
                    let end = joint.bent + joint.closes;
                    assert!(joint.closes > 0.0 && end < 1.75, "{joint:?}");
                }
            }
        }
    }
}

#[test]
fn joints_close_in_proportion_and_joints_closed_further_stay() {
    let (skeleton, humanoid) = person(&ALL, Vec3::X, 10.0, Quat::IDENTITY);
    let rig = HandRig::find(&skeleton, &humanoid, Side::Right).unwrap();
    for grip in [0.25_f32, 0.5, 1.0] {
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let mut matrices = Vec::new();
        local_to_model(&skeleton, &locals, &mut matrices);
        let mut posed = Posed::new(&skeleton, &mut locals, &matrices);
        // One joint is already closed by 60 degrees.
        let pre_closed = rig.joints.iter().find(|joint| joint.index == 1).unwrap();
        pre_closed.bend(&mut posed, 1.05);
        rig.close(&mut posed, grip, 1.0);
        for joint in &rig.joints {
            let angle = joint.angle(posed.local(joint.bone).rotation);
            let mut expected = grip * joint.closes;
            if joint.bone == pre_closed.bone {
                expected = expected.max(1.05);
            }
            assert!(
                (angle - expected).abs() < 1e-4,
                "{grip}: {angle} {expected}"
            );
        }
        let fingers = rig.joints.iter().filter(|joint| !joint.is_thumb);
        for joint in fingers {
            let limit: f32 = [80.0, 100.0, 70.0][joint.index];
            let end = (joint.bent + joint.closes).to_degrees();
            assert!((end - limit).abs() < 0.1, "{joint:?} {end}");
            assert!((joint.bent.to_degrees() - 10.0).abs() < 0.1, "{joint:?}");
        }
    }
}

#[test]
fn zero_weight_or_grip_changes_no_bit_and_half_is_in_between() {
    let (skeleton, humanoid) = person(&ALL, Vec3::X, 10.0, Quat::IDENTITY);
    let rig = HandRig::find(&skeleton, &humanoid, Side::Left).unwrap();
    let still = closed(&skeleton, &rig, 0.0, 0.0);
    for (grip, weight) in [
        (0.0, 1.0),
        (1.0, 0.0),
        (f32::NAN, 1.0),
        (1.0, f32::NAN),
        (-1.0, 1.0),
    ] {
        let now = closed(&skeleton, &rig, grip, weight);
        assert!(now == still, "{grip} {weight}");
    }
    // No finger jumps between neighbouring grip values.
    let tip = |grip| {
        position(
            &skeleton,
            &closed(&skeleton, &rig, grip, 1.0),
            "LeftIndexEnd",
        )
    };
    for i in 0..100 {
        let moved = tip(i as f32 * 0.01).distance(tip((i + 1) as f32 * 0.01));
        assert!((1e-5..0.005).contains(&moved), "{i}: {moved}");
    }
}

#[test]
fn some_fingers_are_enough_and_none_is_an_error_that_names_the_bones() {
    for fingers in [&ALL[1..2], &ALL[..1], &ALL[2..4]] {
        let (skeleton, humanoid) = person(fingers, Vec3::X, 0.0, Quat::IDENTITY);
        let rig = HandRig::find(&skeleton, &humanoid, Side::Left).unwrap();
        assert_eq!(rig.joints.len(), 3 * fingers.len());
        assert!((rig.along.length() - 1.0).abs() < 1e-5 && rig.out.dot(rig.along).abs() < 1e-5);
        assert!(rig.out.y < -0.6, "palm down: {}", rig.out);
    }
    let (skeleton, humanoid) = person(&[], Vec3::X, 0.0, Quat::IDENTITY);
    let why = HandRig::find(&skeleton, &humanoid, Side::Right).unwrap_err();
    assert!(why.contains("right_index_proximal"), "{why}");
    let why = HandRig::find(&skeleton, &Humanoid::default(), Side::Left).unwrap_err();
    assert!(why.contains("left_hand"), "{why}");
}

#[test]
fn a_hand_rotates_to_a_bar_and_to_its_facing_directions() {
    let (skeleton, humanoid) = person(&ALL, Vec3::X, 0.0, Quat::IDENTITY);
    for side in [Side::Left, Side::Right] {
        let rig = HandRig::find(&skeleton, &humanoid, side).unwrap();
        let own = Quat::from_euler(glam::EulerRot::YXZ, 0.4, -0.3, 0.2);
        for bar in [Vec3::Y, -Vec3::Y, Vec3::new(0.3, -1.0, 2.0)] {
            let turned = rig.about_bar(own, bar);
            let angle = (turned * rig.across).angle_between(bar);
            assert!(angle.min(std::f32::consts::PI - angle) < 1e-3, "{angle}");
            // By a quarter turn at most.
            assert!(turned.angle_between(own) < 1.5709);
        }
        assert_eq!(rig.about_bar(own, Vec3::ZERO), own);
        let turned = rig.facing(Vec3::Y, Vec3::Z);
        assert!((turned * rig.along).distance(Vec3::Y) < 1e-5);
        assert!((turned * rig.out).distance(Vec3::Z) < 1e-5);
        let held = rig.held(None) - rig.palm;
        assert!((held.length() - GRIP_RADIUS * PALM).abs() < 1e-3, "{held}");
    }
}
