use glam::{Quat, Vec3};

use super::*;
use crate::posed::tests::named_body;

/// Position of the head of an upright person.
const UP: Vec3 = Vec3::new(0.0, 1.6, 0.0);

/// Builds bones by name, parent and position in the character's own space, in a model that is rotated by `rotation`.
fn person(arm: Vec3, head: Vec3, rotation: Quat) -> (Skeleton, Humanoid) {
    let shoulder = Vec3::new(0.2, 1.45, 0.0);
    let mut bones: Vec<(String, Option<u16>, Vec3)> = vec![
        ("Hips".into(), None, Vec3::Y),
        ("Spine".into(), Some(0), Vec3::Y * 1.1),
        ("Head".into(), Some(1), head),
    ];
    for (side, mirror) in [("Left", Vec3::ONE), ("Right", Vec3::new(-1.0, 1.0, 1.0))] {
        let first = bones.len() as u16;
        let chain = |names: &[(&str, Vec3)], parent: u16, bones: &mut Vec<_>| {
            for (i, (name, at)) in names.iter().enumerate() {
                let above = if i == 0 {
                    parent
                } else {
                    bones.len() as u16 - 1
                };
                bones.push((format!("{side}{name}"), Some(above), *at * mirror));
            }
        };
        let along = |offset: f32| shoulder + arm * offset;
        chain(
            &[
                ("UpperArm", shoulder),
                ("LowerArm", along(0.26)),
                ("Hand", along(0.5)),
                ("IndexProximal", along(0.58)),
                ("IndexIntermediate", along(0.62)),
                ("IndexDistal", along(0.645)),
            ],
            1,
            &mut bones,
        );
        chain(
            &[
                ("UpperLeg", Vec3::new(0.1, 0.95, 0.0)),
                ("LowerLeg", Vec3::new(0.1, 0.5, 0.02)),
                ("Foot", Vec3::new(0.1, 0.08, 0.0)),
                ("Toes", Vec3::new(0.1, 0.02, 0.12)),
            ],
            0,
            &mut bones,
        );
        assert!(bones.len() as u16 > first);
    }
    named_body(&bones, rotation)
}

/// Directions of upper arm, forearm and the last joint of the index finger, in the character's own space.
fn directions(
    skeleton: &Skeleton,
    humanoid: &Humanoid,
    locals: &[Trs],
    roles: [Role; 5],
) -> [Vec3; 3] {
    let mut matrices = Vec::new();
    local_to_model(skeleton, locals, &mut matrices);
    let [shoulder, elbow, wrist, joint, tip] = roles.map(|role| {
        let bone = humanoid.bone(role).unwrap();
        Vec3::from(matrices[usize::from(bone)].translation)
    });
    let rotation = humanoid.model_from_character.conjugate();
    [elbow - shoulder, wrist - elbow, tip - joint].map(|direction| rotation * direction.normalize())
}

const LEFT: [Role; 5] = [
    Role::LeftUpperArm,
    Role::LeftLowerArm,
    Role::LeftHand,
    Role::LeftIndexIntermediate,
    Role::LeftIndexDistal,
];
const RIGHT: [Role; 5] = [
    Role::RightUpperArm,
    Role::RightLowerArm,
    Role::RightHand,
    Role::RightIndexIntermediate,
    Role::RightIndexDistal,
];

#[test]
fn arms_held_out_hang_with_a_little_bend_and_fingers_curl_inward() {
    for arm in [Vec3::X, Vec3::new(1.0, -0.6, 0.1), Vec3::new(1.0, 0.3, 0.0)] {
        for rotation in [Quat::IDENTITY, Quat::from_rotation_y(std::f32::consts::PI)] {
            let (skeleton, humanoid) = person(arm.normalize(), UP, rotation);
            let rest: Vec<Trs> = skeleton.rest().collect();
            let locals = standing(&skeleton, &humanoid, &rest).unwrap();
            let [left, right] =
                [LEFT, RIGHT].map(|roles| directions(&skeleton, &humanoid, &locals, roles));
            let [upper, fore, finger] = left;
            let down = upper.angle_between(Vec3::NEG_Y).to_degrees();
            assert!((12.0..15.0).contains(&down) && upper.x > 0.2, "{upper}");
            let bend = fore.angle_between(upper).to_degrees();
            assert!(
                (bend - ELBOW).abs() < 1.0 && fore.z > upper.z,
                "{bend} {fore}"
            );
            // Fingers point down and towards the thigh, never outwards or backwards.
            assert!(
                finger.y < -0.5 && finger.x < upper.x - 0.3,
                "{arm} {finger}"
            );
            // The other side is its mirror image.
            for (a, b) in left.iter().zip(right) {
                let mirrored = Vec3::new(-b.x, b.y, b.z);
                assert!(a.distance(mirrored) < 1e-4, "{a} {mirrored}");
            }
        }
    }
}

#[test]
fn hanging_arms_and_bodies_without_arms_are_unchanged() {
    let (skeleton, humanoid) = person(Vec3::new(0.3, -1.0, 0.05).normalize(), UP, Quat::IDENTITY);
    let rest: Vec<Trs> = skeleton.rest().collect();
    assert_eq!(standing(&skeleton, &humanoid, &rest), None);
    assert_eq!(standing(&skeleton, &Humanoid::default(), &rest), None);
    // An animal's forelegs, bent forward.
    let (skeleton, humanoid) = person(
        Vec3::new(0.0, -2.2, 1.4),
        Vec3::new(0.0, 1.2, 0.9),
        Quat::IDENTITY,
    );
    let rest: Vec<Trs> = skeleton.rest().collect();
    assert_eq!(standing(&skeleton, &humanoid, &rest), None);
}
