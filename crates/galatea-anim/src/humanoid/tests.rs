//! Roles of small skeletons in every naming scheme.

use glam::{Quat, Vec3};

use super::*;
use crate::Bone;
use galatea_math::Trs;

/// A standing body: role, parent role and position in model space; the left is at +X.
pub fn body_places() -> Vec<(Role, Option<Role>, Vec3)> {
    use Role::*;
    let mut all = vec![
        (Hips, None, Vec3::new(0.0, 1.0, 0.0)),
        (Spine, Some(Hips), Vec3::new(0.0, 1.1, 0.0)),
        (Chest, Some(Spine), Vec3::new(0.0, 1.25, 0.0)),
        (Neck, Some(Chest), Vec3::new(0.0, 1.5, 0.0)),
        (Head, Some(Neck), Vec3::new(0.0, 1.6, 0.02)),
    ];
    let left = [
        (LeftShoulder, Chest, Vec3::new(0.05, 1.45, 0.0)),
        (LeftUpperArm, LeftShoulder, Vec3::new(0.18, 1.45, 0.0)),
        (LeftLowerArm, LeftUpperArm, Vec3::new(0.45, 1.45, 0.0)),
        (LeftHand, LeftLowerArm, Vec3::new(0.7, 1.45, 0.01)),
        (LeftUpperLeg, Hips, Vec3::new(0.1, 0.95, 0.0)),
        (LeftLowerLeg, LeftUpperLeg, Vec3::new(0.1, 0.5, 0.01)),
        (LeftFoot, LeftLowerLeg, Vec3::new(0.1, 0.08, 0.0)),
        (LeftToes, LeftFoot, Vec3::new(0.1, 0.02, 0.13)),
        (LeftThumbMetacarpal, LeftHand, Vec3::new(0.73, 1.44, 0.03)),
        (
            LeftThumbProximal,
            LeftThumbMetacarpal,
            Vec3::new(0.75, 1.43, 0.05),
        ),
        (
            LeftThumbDistal,
            LeftThumbProximal,
            Vec3::new(0.77, 1.42, 0.07),
        ),
        (LeftIndexProximal, LeftHand, Vec3::new(0.78, 1.45, 0.03)),
        (
            LeftIndexIntermediate,
            LeftIndexProximal,
            Vec3::new(0.81, 1.45, 0.03),
        ),
        (LeftMiddleProximal, LeftHand, Vec3::new(0.785, 1.45, 0.01)),
        (
            LeftMiddleIntermediate,
            LeftMiddleProximal,
            Vec3::new(0.82, 1.45, 0.01),
        ),
    ];
    for (role, parent, position) in left {
        all.push((role, Some(parent), position));
        all.push((
            role.opposite(),
            Some(parent.opposite()),
            position * Vec3::new(-1.0, 1.0, 1.0),
        ));
    }
    all
}

/// The body of [`body_places`] with a name for each role, rotated by `rotation`.
pub fn skeleton_named(name: impl Fn(Role) -> String, rotation: Quat) -> Skeleton {
    let positions = body_places();
    let index = |role: Role| positions.iter().position(|p| p.0 == role).unwrap();
    let bones = positions.iter().map(|(role, parent, position)| {
        let from = parent.map_or(Vec3::ZERO, |parent| positions[index(parent)].2);
        Bone {
            name: name(*role),
            parent: parent.map(|parent| index(parent) as u16),
            rest: Trs::from_translation(rotation * (*position - from)),
            skinned: true,
        }
    });
    Skeleton::new(bones.collect()).unwrap()
}

fn all_found(skeleton: &Skeleton, how: &[RoleSource]) -> Humanoid {
    let (humanoid, report) = find(skeleton, None);
    for (i, (role, ..)) in body_places().into_iter().enumerate() {
        assert_eq!(
            humanoid.bone(role),
            Some(i as u16),
            "{} ({:?})",
            role.name(),
            skeleton.bones()[i].name
        );
        let found = report
            .found
            .iter()
            .find(|found| found.role == role)
            .unwrap();
        assert!(how.contains(&found.how), "{}: {:?}", role.name(), found.how);
    }
    assert_eq!(report.missing, []);
    assert!(report.confidence() >= 0.5);
    humanoid
}

#[test]
fn role_names_are_found() {
    let skeleton = skeleton_named(|role| role.name().to_owned(), Quat::IDENTITY);
    let humanoid = all_found(&skeleton, &[RoleSource::Name]);
    assert_eq!(humanoid.model_from_character, Quat::IDENTITY);
}

#[test]
fn left_and_right_names_show_the_facing_direction() {
    for yaw in [0.0, 90.0, 180.0, -90.0f32] {
        let turn = Quat::from_rotation_y(yaw.to_radians());
        let skeleton = skeleton_named(|role| role.name().to_owned(), turn);
        let humanoid = all_found(&skeleton, &[RoleSource::Name]);
        assert!(
            humanoid.model_from_character.angle_between(turn) < 1e-3,
            "{yaw}"
        );
    }
}

#[test]
fn body_without_names_is_found_by_shape_in_any_direction() {
    for yaw in [0.0, 90.0, 180.0, -90.0f32] {
        let turn = Quat::from_rotation_y(yaw.to_radians());
        let skeleton = skeleton_named(|role| format!("node_{}", role.index()), turn);
        let humanoid = all_found(&skeleton, &[RoleSource::Shape, RoleSource::Structure]);
        assert!(
            humanoid.model_from_character.angle_between(turn) < 1e-3,
            "{yaw}"
        );
    }
}

#[test]
fn knees_show_the_facing_direction_if_feet_point_down() {
    for yaw in [0.0, 90.0, 180.0, -90.0f32] {
        let turn = Quat::from_rotation_y(yaw.to_radians());
        let skeleton = skeleton_named(|role| format!("node_{}", role.index()), turn);
        let mut bones = skeleton.bones().to_vec();
        let mut shift = |role: Role, by: Vec3| {
            let name = format!("node_{}", role.index());
            let bone = bones.iter_mut().find(|bone| bone.name == name).unwrap();
            bone.rest.translation += turn * by;
        };
        for side in [Side::Left, Side::Right] {
            shift(Role::LeftLowerLeg.on(side), Vec3::Z * 0.06);
            shift(Role::LeftFoot.on(side), Vec3::new(0.0, 0.04, -0.06));
            shift(Role::LeftToes.on(side), Vec3::new(0.0, -0.04, -0.1));
        }
        let humanoid = find(&Skeleton::new(bones).unwrap(), None).0;
        let off = humanoid.model_from_character.angle_between(turn);
        assert!(off < 1e-3, "{yaw}: {} degrees", off.to_degrees());
    }
}

#[test]
fn deep_mimic_joint_names_mean_the_bone_below_the_joint() {
    let name = |role: Role| {
        let side = match role.side() {
            Side::Middle => "",
            Side::Left => "left_",
            Side::Right => "right_",
        };
        let joint = match role.on(Side::Left) {
            Role::Hips => "root",
            Role::LeftUpperLeg => "hip",
            Role::LeftLowerLeg => "knee",
            Role::LeftFoot => "ankle",
            Role::LeftShoulder => "collar",
            Role::LeftUpperArm => "shoulder",
            Role::LeftLowerArm => "elbow",
            Role::LeftHand => "wrist",
            _ => return role.name().to_owned(),
        };
        format!("{side}{joint}")
    };
    all_found(
        &skeleton_named(name, Quat::IDENTITY),
        &[RoleSource::Name, RoleSource::Structure],
    );
}

#[test]
fn names_of_known_rigs_are_found() {
    let mixamo = |role: Role| {
        let side = match role.side() {
            Side::Middle => "",
            Side::Left => "Left",
            Side::Right => "Right",
        };
        let name = match role.on(Side::Left) {
            Role::Hips => "Hips",
            Role::Spine => "Spine",
            Role::Chest => "Spine1",
            Role::Neck => "Neck",
            Role::Head => "Head",
            Role::LeftShoulder => "Shoulder",
            Role::LeftUpperArm => "Arm",
            Role::LeftLowerArm => "ForeArm",
            Role::LeftHand => "Hand",
            Role::LeftUpperLeg => "UpLeg",
            Role::LeftLowerLeg => "Leg",
            Role::LeftFoot => "Foot",
            Role::LeftToes => "ToeBase",
            Role::LeftThumbMetacarpal => "HandThumb1",
            Role::LeftThumbProximal => "HandThumb2",
            Role::LeftThumbDistal => "HandThumb3",
            Role::LeftIndexProximal => "HandIndex1",
            Role::LeftIndexIntermediate => "HandIndex2",
            Role::LeftMiddleProximal => "HandMiddle1",
            _ => "HandMiddle2",
        };
        format!("mixamorig:{side}{name}")
    };
    let biped = |role: Role| {
        let side = match role.side() {
            Side::Middle => "",
            Side::Left => "L ",
            Side::Right => "R ",
        };
        let name = match role.on(Side::Left) {
            Role::Hips => "Pelvis",
            Role::Spine => "Spine",
            Role::Chest => "Spine1",
            Role::Neck => "Neck",
            Role::Head => "Head",
            Role::LeftShoulder => "Clavicle",
            Role::LeftUpperArm => "UpperArm",
            Role::LeftLowerArm => "Forearm",
            Role::LeftHand => "Hand",
            Role::LeftUpperLeg => "Thigh",
            Role::LeftLowerLeg => "Calf",
            Role::LeftFoot => "Foot",
            Role::LeftToes => "Toe0",
            Role::LeftThumbMetacarpal => "Finger0",
            Role::LeftThumbProximal => "Finger01",
            Role::LeftThumbDistal => "Finger02",
            Role::LeftIndexProximal => "Finger1",
            Role::LeftIndexIntermediate => "Finger11",
            Role::LeftMiddleProximal => "Finger2",
            _ => "Finger21",
        };
        format!("Bip01 {side}{name}")
    };
    let rigify = |role: Role| {
        let side = match role.side() {
            Side::Middle => "",
            Side::Left => ".L",
            Side::Right => ".R",
        };
        let name = match role.on(Side::Left) {
            Role::Hips => "DEF-spine",
            Role::Spine => "DEF-spine.001",
            Role::Chest => "DEF-spine.002",
            Role::Neck => "DEF-spine.003",
            Role::Head => "DEF-spine.004",
            Role::LeftShoulder => "DEF-shoulder",
            Role::LeftUpperArm => "DEF-upper_arm",
            Role::LeftLowerArm => "DEF-forearm",
            Role::LeftHand => "DEF-hand",
            Role::LeftUpperLeg => "DEF-thigh",
            Role::LeftLowerLeg => "DEF-shin",
            Role::LeftFoot => "DEF-foot",
            Role::LeftToes => "DEF-toe",
            Role::LeftThumbMetacarpal => "DEF-thumb.01",
            Role::LeftThumbProximal => "DEF-thumb.02",
            Role::LeftThumbDistal => "DEF-thumb.03",
            Role::LeftIndexProximal => "DEF-f_index.01",
            Role::LeftIndexIntermediate => "DEF-f_index.02",
            Role::LeftMiddleProximal => "DEF-f_middle.01",
            _ => "DEF-f_middle.02",
        };
        format!("{name}{side}")
    };
    let both = [RoleSource::Name, RoleSource::Structure];
    let manners: [&dyn Fn(Role) -> String; 3] = [&mixamo, &biped, &rigify];
    for scheme in manners {
        let skeleton = skeleton_named(scheme, Quat::IDENTITY);
        let (humanoid, report) = find(&skeleton, None);
        for (i, (role, ..)) in body_places().into_iter().enumerate() {
            assert_eq!(humanoid.bone(role), Some(i as u16), "{}", scheme(role));
        }
        assert_eq!(
            humanoid.n_found(),
            body_places().len(),
            "{}",
            scheme(Role::Hips)
        );
        assert!(report.found.iter().all(|found| both.contains(&found.how)));
    }
}

#[test]
fn foot_attached_only_by_inverse_kinematics_is_dropped_and_reported() {
    let plain = skeleton_named(|role| role.name().to_owned(), Quat::IDENTITY);
    let mut bones = plain.bones().to_vec();
    for bone in &mut bones {
        if bone.name == "left_foot" {
            bone.parent = None;
        }
    }
    let (humanoid, report) = find(&Skeleton::new(bones).unwrap(), None);
    assert_eq!(humanoid.bone(Role::LeftFoot), None);
    assert_eq!(report.missing, [Role::LeftFoot]);
    assert!(report.notes.iter().any(|note| note.contains("left_foot")));
    assert_eq!(report.confidence(), 0.0);
}

#[test]
fn declared_bones_have_priority_over_names() {
    let skeleton = skeleton_named(|role| role.name().to_owned(), Quat::IDENTITY);
    let declared = Declared {
        bones: vec![(Role::Head, 0), (Role::Hips, 4)],
        model_from_character: Quat::from_rotation_y(std::f32::consts::PI),
    };
    let (humanoid, report) = find(&skeleton, Some(&declared));
    // The head declared here is not below the hips.
    assert_eq!(humanoid.bone(Role::Hips), Some(4));
    assert_eq!(humanoid.bone(Role::Head), None);
    assert_eq!(report.found[0].how, RoleSource::Declared);
    assert_eq!(humanoid.model_from_character, declared.model_from_character);
    let nonsense = Declared {
        bones: vec![(Role::Hips, 9999)],
        ..Declared::default()
    };
    assert_eq!(find(&skeleton, Some(&nonsense)).0.missing().count(), 0);
}

#[test]
fn quadruped_is_no_human_body() {
    let plain = skeleton_named(|role| format!("node_{}", role.index()), Quat::IDENTITY);
    let positions = body_places();
    let mut bones = plain.bones().to_vec();
    for (bone, (role, ..)) in bones.iter_mut().zip(&positions) {
        // Arms straight down to the ground.
        if matches!(role.on(Side::Left), Role::LeftLowerArm | Role::LeftHand) {
            bone.rest.translation = Vec3::new(0.0, -0.7, 0.0);
        }
    }
    assert!(!find(&Skeleton::new(bones).unwrap(), None).0.is_body());
}

#[test]
fn skeleton_without_a_body_gives_no_roles() {
    let (humanoid, report) = find(&Skeleton::default(), None);
    assert_eq!(humanoid.n_found(), 0);
    assert_eq!(report.confidence(), 0.0);
    let chain = |i: u16| Bone {
        name: format!("b{i}"),
        parent: i.checked_sub(1),
        rest: Trs::from_translation(Vec3::Y),
        skinned: true,
    };
    let skeleton = Skeleton::new((0..20).map(chain).collect()).unwrap();
    assert!(!find(&skeleton, None).0.is_body());
}
