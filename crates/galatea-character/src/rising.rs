//! Getting up: a clip of the character's own, or a way up made from what its body is.

use glam::{Affine3A, Quat, Vec3};

use super::definition::Definition;
use super::limbs::{Kept, LyingPosture};
use galatea_anim::humanoid::Role;
use galatea_anim::{Pose, local_to_model};
use galatea_math::clamp::ClampTo as _;

/// A character that gets up.
#[derive(Clone, Debug)]
pub struct Rising {
    /// Seconds since it began.
    pub since: f32,
    /// How it lay.
    pub from: LyingPosture,
    /// What it goes through, one after another: poses and the seconds that each is held on to.
    pub through: Vec<(Pose, f32)>,
    /// The pose of `through` that it is in.
    pub at: usize,
    /// Seconds after the last of them until it stands.
    pub last: f32,
    /// What a script wants of its limbs once it stands.
    pub kept: Option<Kept>,
}

impl Rising {
    /// The pose that it is to have now in place of its clips'.
    pub fn pose(&self) -> Option<&Pose> {
        self.through.get(self.at).map(|(pose, _)| pose)
    }
}

/// Poses through which a body gets up that has no clip for it: sitting or on all fours, then a crouch. The seconds
/// are those of a person who gets up quickly: nothing of it is faster than 2.5 m/s.
pub fn ways_up(definition: &Definition, lying: LyingPosture) -> Vec<(Pose, f32)> {
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
        // What has sunk down on its feet is over them already.
        LyingPosture::Upright => return vec![crouch],
    };
    vec![(posture(definition, low), 1.1), crouch]
}

/// Turns of the body's parts: pitch in degrees about the body's left, forward bends are positive.
struct Posture {
    trunk: f32,
    spine: f32,
    head: f32,
    /// Upper and lower leg, left and right; a leg lifted forward and a knee bent are positive.
    legs: [[f32; 2]; 2],
    feet: [f32; 2],
    /// Which feet stand on the ground, left and right.
    stands: [bool; 2],
    /// It sits: its hips are on the ground too.
    sits: bool,
    /// Upper arms lifted forward, and elbows.
    arms: [f32; 2],
}

const SITTING: Posture = Posture {
    trunk: -12.0,
    spine: 22.0,
    head: 12.0,
    legs: [[128.0, 88.0], [118.0, 80.0]],
    feet: [0.0, 0.0],
    stands: [true, true],
    sits: true,
    arms: [-35.0, 10.0],
};

const KNEELING: Posture = Posture {
    trunk: 42.0,
    spine: 18.0,
    head: -25.0,
    legs: [[95.0, 100.0], [30.0, 105.0]],
    feet: [0.0, -45.0],
    stands: [true, false],
    sits: false,
    arms: [70.0, 20.0],
};

const CROUCH: Posture = Posture {
    trunk: 30.0,
    spine: 22.0,
    head: -22.0,
    legs: [[88.0, 108.0], [78.0, 98.0]],
    feet: [18.0, 18.0],
    stands: [true, true],
    sits: false,
    arms: [38.0, 35.0],
};

/// The rest pose bent into a posture, standing on the ground.
fn posture(definition: &Definition, posture: &Posture) -> Pose {
    let mut pose = definition.rest.clone();
    let skeleton = definition.clips.skeleton();
    let mut matrices = Vec::new();
    local_to_model(skeleton, &pose.locals, &mut matrices);
    let rest = matrices.clone();
    let place = |matrices: &[Affine3A], role| place_of(definition, matrices, role);
    // The body's left: from the right leg to the left one.
    let legs = [Role::LeftUpperLeg, Role::RightUpperLeg].map(|role| place(&rest, role));
    let left = match legs {
        [Some(left), Some(right)] => (left - right).normalize_or(Vec3::X),
        _ => Vec3::X,
    };
    let [upper, lower] = [0, 1];
    let half = posture.spine / 2.0;
    let turns: Vec<(Role, f32)> = vec![
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
    for (role, degrees) in turns {
        turn_in_model(definition, &mut pose, &mut matrices, role, left, degrees);
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
    let ankle = place(&rest, Role::LeftFoot).map_or(0.08, |p| p.y - ground);
    lower_to_ground(definition, &mut pose, &mut matrices, posture.sits, ankle);
    let legs = [
        [Role::LeftUpperLeg, Role::LeftFoot],
        [Role::RightUpperLeg, Role::RightFoot],
    ];
    for ([upper, foot], _) in legs.into_iter().zip(posture.stands).filter(|leg| leg.1) {
        let [Some(from), Some(to)] = [upper, foot].map(|role| place(&matrices, role)) else {
            continue;
        };
        let turn = turn_to_height(from, to, ground + ankle);
        turn_by(definition, &mut pose, &mut matrices, upper, turn);
        // The foot stays as it is turned.
        turn_by(definition, &mut pose, &mut matrices, foot, turn.conjugate());
    }
    pose
}

/// Place of the bone of a role, model space, metres.
fn place_of(definition: &Definition, matrices: &[Affine3A], role: Role) -> Option<Vec3> {
    let bone = definition.clips.humanoid().bone(role)?;
    Some(Vec3::from(matrices.get(usize::from(bone))?.translation))
}

/// Lowers the hips until the lowest part of the body is as high as it stands at rest, or the seat on the ground.
/// `ankle`: height of an ankle above the soles at rest, metres.
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
        .filter_map(|(role, share)| {
            let height = place_of(definition, matrices, *role)?.y - definition.rest_box[0].y;
            Some(height - ankle * share)
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

/// Height of the hips of one who sits on the ground, in heights of an ankle.
const SEAT: f32 = 1.5;

/// The turn about `from` that brings `to` to a height, as near to it as its distance lets it.
fn turn_to_height(from: Vec3, to: Vec3, height: f32) -> Quat {
    let way = to - from;
    let length = way.length();
    if length < 1e-6 {
        return Quat::IDENTITY;
    }
    let up = (height - from.y).clamp_to(-length * 0.98, length * 0.98);
    let flat = way.with_y(0.0).normalize_or(Vec3::Z);
    let wanted = flat * (length * length - up * up).max(0.0).sqrt() + Vec3::Y * up;
    Quat::from_rotation_arc(way / length, wanted.normalize_or(Vec3::Y))
}

/// Keeps arms and legs out of the ground on the way up from how a body lay: where an end would be below it, the part
/// that ends there is turned up by as much. `matrices` are those of its pose afterwards.
/// Once it is over its feet, past the first of its poses, these stay as high as they stand.
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
        let place = definition.rest_places.get(usize::from(bone));
        place.map_or(0.0, |place| place.y - ground)
    };
    // No lower than half of what an ankle has below it, at rest.
    let foot = humanoid.bone(Role::LeftFoot).map_or(0.0, height);
    let least = ground + foot * 0.5;
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
            // Toes stand lower than ankles.
            let is_toe = ends[0] == limb[2];
            let is_foot = matches!(ends[1], Role::LeftFoot | Role::RightFoot);
            let least = match (is_toe, is_foot && rising.at > 0) {
                (true, _) => ground + foot * 0.1,
                (false, true) => ground + foot,
                (false, false) => least,
            };
            let way = to - from;
            let length = way.length();
            if to.y >= least || length < 1e-6 {
                continue;
            }
            let turn = turn_to_height(from, to, least);
            turn_by(definition, pose, matrices, ends[0], turn);
        }
    }
}

/// Turns a bone in model space about an axis, and what hangs on it.
fn turn_in_model(
    definition: &Definition,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
    role: Role,
    axis: Vec3,
    degrees: f32,
) {
    let turn = Quat::from_axis_angle(axis, degrees.to_radians());
    turn_by(definition, pose, matrices, role, turn);
}

fn turn_by(
    definition: &Definition,
    pose: &mut Pose,
    matrices: &mut Vec<Affine3A>,
    role: Role,
    turn: Quat,
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
    *local = (above.conjugate() * turn * above * *local).normalize();
    local_to_model(skeleton, &pose.locals, matrices);
}

/// Lets an arm hang from the shoulder, lifted forward by the first angle, its elbow bent by the second.
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
    let wanted = Quat::from_axis_angle(left, -lift.to_radians()) * Vec3::NEG_Y + side;
    let turn = Quat::from_rotation_arc(now, wanted.normalize_or(Vec3::NEG_Y));
    turn_by(definition, pose, matrices, upper, turn);
    turn_in_model(definition, pose, matrices, lower, left, -bend);
}
