//! Getting up: by a clip of the character, or through procedural poses.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::limbs::{LyingPosture, SavedLimbControls};
use galatea_anim::humanoid::Role;
use galatea_anim::{Pose, local_to_model};
use galatea_math::clamp::ClampTo as _;

/// State of a character that gets up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rising {
    /// Seconds since it began.
    pub since: f32,
    /// Lying posture at the start.
    pub from: LyingPosture,
    /// Intermediate poses in order, and the time for which each is the target, seconds.
    pub through: Vec<(Pose, f32)>,
    /// Index of the current pose in `through`.
    pub at: usize,
    /// Time after the last pose until the character stands, seconds.
    pub last: f32,
    /// Limb controls to restore once it stands.
    pub saved_controls: Option<SavedLimbControls>,
}

impl Rising {
    /// Returns the pose that currently overrides the clips.
    pub fn pose(&self) -> Option<&Pose> {
        self.through.get(self.at).map(|(pose, _)| pose)
    }
}

/// Returns the poses through which a body without a get-up clip gets up: sitting or on all fours, then a crouch. The times
/// are typical of getting up quickly; no body part moves faster than 2.5 m/s.
pub fn get_up_poses(definition: &Definition, lying: LyingPosture) -> Vec<(Pose, f32)> {
    let humanoid = definition.clips.humanoid();
    let has_legs = [
        Role::Hips,
        Role::LeftUpperLeg,
        Role::LeftLowerLeg,
        Role::RightUpperLeg,
    ];
    if !has_legs.iter().all(|role| humanoid.bone(*role).is_some()) {
        return Vec::new();
    }
    let crouch = (posture(definition, &CROUCH), 0.6);
    let low = match lying {
        LyingPosture::FaceUp => &SITTING,
        LyingPosture::FaceDown | LyingPosture::OnSide => &KNEELING,
        // An upright character is already over its feet.
        LyingPosture::Upright => return vec![crouch],
    };
    vec![(posture(definition, low), 1.1), crouch]
}

/// Rotations of the body parts: pitch about the body's left axis, degrees; bending forwards is positive.
struct Posture {
    trunk: f32,
    spine: f32,
    head: f32,
    /// Upper and lower leg, left and right; a leg raised forwards and a bent knee are positive.
    legs: [[f32; 2]; 2],
    feet: [f32; 2],
    /// True for each foot, left and right, that is on the ground.
    on_ground: [bool; 2],
    /// The body sits: its hips are on the ground too.
    sits: bool,
    /// Pitch of the upper arms, and bend of the elbows.
    arms: [f32; 2],
}

const SITTING: Posture = Posture {
    trunk: -12.0,
    spine: 22.0,
    head: 12.0,
    legs: [[128.0, 88.0], [118.0, 80.0]],
    feet: [0.0, 0.0],
    on_ground: [true, true],
    sits: true,
    arms: [-35.0, 10.0],
};

const KNEELING: Posture = Posture {
    trunk: 42.0,
    spine: 18.0,
    head: -25.0,
    legs: [[95.0, 100.0], [30.0, 105.0]],
    feet: [0.0, -45.0],
    on_ground: [true, false],
    sits: false,
    arms: [70.0, 20.0],
};

const CROUCH: Posture = Posture {
    trunk: 30.0,
    spine: 22.0,
    head: -22.0,
    legs: [[88.0, 108.0], [78.0, 98.0]],
    feet: [18.0, 18.0],
    on_ground: [true, true],
    sits: false,
    arms: [38.0, 35.0],
};

/// Returns the rest pose bent into a posture, on the ground.
fn posture(definition: &Definition, posture: &Posture) -> Pose {
    let mut pose = definition.rest.clone();
    let skeleton = definition.clips.skeleton();
    let mut matrices = Vec::new();
    local_to_model(skeleton, &pose.locals, &mut matrices);
    let rest = matrices.clone();
    let position = |matrices: &[Affine3A], role| role_position(definition, matrices, role);
    // Axis to the body's left: from the right leg to the left one.
    let legs = [Role::LeftUpperLeg, Role::RightUpperLeg].map(|role| position(&rest, role));
    let left = match legs {
        [Some(left), Some(right)] => (left - right).normalize_or(Vec3::X),
        _ => Vec3::X,
    };
    let [upper, lower] = [0, 1];
    let half = posture.spine / 2.0;
    let rotations: Vec<(Role, f32)> = vec![
        (Role::Hips, posture.trunk),
        (Role::Spine, half),
        (Role::Chest, half),
        (Role::Head, posture.head),
        (Role::LeftUpperLeg, -posture.legs[0][upper] - posture.trunk),
        (Role::LeftLowerLeg, posture.legs[0][lower]),
        (Role::RightUpperLeg, -posture.legs[1][upper] - posture.trunk),
        (Role::RightLowerLeg, posture.legs[1][lower]),
        (Role::LeftFoot, -posture.feet[0]),
        (Role::RightFoot, -posture.feet[1]),
    ];
    for (role, degrees) in rotations {
        rotate_about_axis(definition, &mut pose, &mut matrices, role, left, degrees);
    }
    for (role, lower) in [
        (Role::LeftUpperArm, Role::LeftLowerArm),
        (Role::RightUpperArm, Role::RightLowerArm),
    ] {
        hang(
            definition,
            &mut pose,
            &mut matrices,
            role,
            lower,
            left,
            posture.arms,
        );
    }
    let ground = definition.rest_box[0].y;
    let ankle = position(&rest, Role::LeftFoot).map_or(0.08, |p| p.y - ground);
    lower_to_ground(definition, &mut pose, &mut matrices, posture.sits, ankle);
    let legs = [
        [Role::LeftUpperLeg, Role::LeftFoot],
        [Role::RightUpperLeg, Role::RightFoot],
    ];
    for ([upper, foot], _) in legs.into_iter().zip(posture.on_ground).filter(|leg| leg.1) {
        let [Some(from), Some(to)] = [upper, foot].map(|role| position(&matrices, role)) else {
            continue;
        };
        let rotation = rotation_to_height(from, to, ground + ankle);
        rotate_bone(definition, &mut pose, &mut matrices, upper, rotation);
        // The foot keeps its rotation.
        rotate_bone(
            definition,
            &mut pose,
            &mut matrices,
            foot,
            rotation.conjugate(),
        );
    }
    pose
}

/// Returns the position of a role's bone, model space, metres.
fn role_position(definition: &Definition, matrices: &[Affine3A], role: Role) -> Option<Vec3> {
    let bone = definition.clips.humanoid().bone(role)?;
    Some(Vec3::from(matrices.get(usize::from(bone))?.translation))
}

/// Lowers the hips until the lowest body part is as high as at rest, or until the seat is on the ground. `ankle`: height of
/// an ankle above the soles at rest, metres.
fn lower_to_ground(
    definition: &Definition,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
    sits: bool,
    ankle: f32,
) {
    let skeleton = definition.clips.skeleton();
    let parts: &[(Role, f32)] = if sits {
        &[(Role::Hips, SEAT)]
    } else {
        &[
            (Role::LeftFoot, 1.0),
            (Role::RightFoot, 1.0),
            (Role::LeftLowerLeg, 0.6),
            (Role::RightLowerLeg, 0.6),
            (Role::Hips, 1.1),
        ]
    };
    let drop = parts
        .iter()
        .filter_map(|(role, factor)| {
            let height = role_position(definition, matrices, *role)?.y - definition.rest_box[0].y;
            Some(height - ankle * factor)
        })
        .fold(f32::MAX, f32::min);
    if let Some(hips) = definition.clips.humanoid().bone(Role::Hips) {
        let at = usize::from(hips);
        let parent = skeleton.parents()[at];
        let above = matrices
            .get(usize::from(parent))
            .copied()
            .unwrap_or_default();
        let down = above.inverse().transform_vector3(Vec3::NEG_Y * drop);
        pose.locals[at].translation += down;
        local_to_model(skeleton, &pose.locals, matrices);
    }
}

/// Height of the hips when sitting on the ground, in ankle heights.
const SEAT: f32 = 1.5;

/// Returns the rotation about `from` that brings `to` to a height, or as near to it as possible.
fn rotation_to_height(from: Vec3, to: Vec3, height: f32) -> Quat {
    let offset = to - from;
    let length = offset.length();
    if length < 1e-6 {
        return Quat::IDENTITY;
    }
    let up = (height - from.y).clamp_to(-length * 0.98, length * 0.98);
    let flat = offset.with_y(0.0).normalize_or(Vec3::Z);
    let target = flat * (length * length - up * up).max(0.0).sqrt() + Vec3::Y * up;
    Quat::from_rotation_arc(offset / length, target.normalize_or(Vec3::Y))
}

/// Keeps arms and legs above the ground while a body gets up: rotates a limb segment upwards if its end would be below the
/// ground. `matrices` are updated to the new pose. Once the body is over its feet, after the first pose, the feet
/// keep their standing height.
pub fn keep_above(
    definition: &Definition,
    rising: &Rising,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
) {
    local_to_model(definition.clips.skeleton(), &pose.locals, matrices);
    let humanoid = definition.clips.humanoid();
    let ground = definition.rest_box[0].y;
    let height = |bone: u16| {
        let position = definition.rest_positions.get(usize::from(bone));
        position.map_or(0.0, |position| position.y - ground)
    };
    // The minimum is half of an ankle's height at rest.
    let foot = humanoid.bone(Role::LeftFoot).map_or(0.0, height);
    let min_height = ground + foot * 0.5;
    for limb in [
        [
            Role::LeftUpperLeg,
            Role::LeftLowerLeg,
            Role::LeftFoot,
            Role::LeftToes,
        ],
        [
            Role::RightUpperLeg,
            Role::RightLowerLeg,
            Role::RightFoot,
            Role::RightToes,
        ],
        [
            Role::LeftUpperArm,
            Role::LeftLowerArm,
            Role::LeftHand,
            Role::LeftHand,
        ],
        [
            Role::RightUpperArm,
            Role::RightLowerArm,
            Role::RightHand,
            Role::RightHand,
        ],
    ] {
        for ends in limb.windows(2) {
            let [Some(from), Some(to)] = [ends[0], ends[1]].map(|role| {
                let bone = usize::from(humanoid.bone(role)?);
                Some(Vec3::from(matrices.get(bone)?.translation))
            }) else {
                continue;
            };
            // Toes are lower than ankles.
            let is_toe = ends[0] == limb[2];
            let is_foot = matches!(ends[1], Role::LeftFoot | Role::RightFoot);
            let min_height = match (is_toe, is_foot && rising.at > 0) {
                (true, _) => ground + foot * 0.1,
                (false, true) => ground + foot,
                (false, false) => min_height,
            };
            let offset = to - from;
            let length = offset.length();
            if to.y >= min_height || length < 1e-6 {
                continue;
            }
            let rotation = rotation_to_height(from, to, min_height);
            rotate_bone(definition, pose, matrices, ends[0], rotation);
        }
    }
}

/// Rotates a bone and its children about an axis in model space.
fn rotate_about_axis(
    definition: &Definition,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
    role: Role,
    axis: Vec3,
    degrees: f32,
) {
    let rotation = Quat::from_axis_angle(axis, degrees.to_radians());
    rotate_bone(definition, pose, matrices, role, rotation);
}

fn rotate_bone(
    definition: &Definition,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
    role: Role,
    rotation: Quat,
) {
    let Some(bone) = definition.clips.humanoid().bone(role) else {
        return;
    };
    let at = usize::from(bone);
    let skeleton = definition.clips.skeleton();
    let parent = usize::from(skeleton.parents()[at]);
    let above = matrices.get(parent).copied().unwrap_or_default();
    let above = galatea_physics::RigidFrame::of_bone(above).rotation;
    let local = &mut pose.locals[at].rotation;
    *local = (above.conjugate() * rotation * above * *local).normalize();
    local_to_model(skeleton, &pose.locals, matrices);
}

/// Lets an arm hang from the shoulder, raised forwards by the first angle, with the elbow bent by the second.
fn hang(
    definition: &Definition,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
    upper: Role,
    lower: Role,
    left: Vec3,
    [lift, bend]: [f32; 2],
) {
    let humanoid = definition.clips.humanoid();
    let ends = [upper, lower].map(|role| {
        let bone = humanoid.bone(role)?;
        Some(Vec3::from(matrices.get(usize::from(bone))?.translation))
    });
    let [Some(shoulder), Some(elbow)] = ends else {
        return;
    };
    let now = (elbow - shoulder).normalize_or(Vec3::NEG_Y);
    let side = left * left.dot(now).signum() * 0.18;
    let target = Quat::from_axis_angle(left, -lift.to_radians()) * Vec3::NEG_Y + side;
    let rotation = Quat::from_rotation_arc(now, target.normalize_or(Vec3::NEG_Y));
    rotate_bone(definition, pose, matrices, upper, rotation);
    rotate_about_axis(definition, pose, matrices, lower, left, -bend);
}
