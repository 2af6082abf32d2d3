//! A pose in the terms of an animator (positions of the feet, swing of an arm), and its conversion to bone rotations.

use glam::{EulerRot, Mat3, Quat, Vec3};

use crate::rig;
use galatea_anim::Skeleton;
use galatea_math::clamp::ClampTo as _;

/// Pose of one leg, for its own side.
#[derive(Clone, Copy, Debug)]
pub struct LegPose {
    /// Ankle in model space, metres.
    pub ankle: Vec3,
    /// Rotation of the foot in model space; pitch > 0 lifts the heel.
    pub foot: Quat,
    /// Bend of the toes relative to the foot, radians, > 0 downwards.
    pub toes: f32,
}

/// Pose of one arm in terms of the left side, mirrored for the right one. Radians.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArmPose {
    /// Forward angle from hanging down.
    pub swing: f32,
    /// Sideways angle from hanging down.
    pub out: f32,
    /// Rotation about the upper arm, > 0 turns the elbow's bend outwards.
    pub twist: f32,
    /// Bend of the elbow.
    pub elbow: f32,
    /// Bend of the wrist towards the palm.
    pub wrist: f32,
    /// Curl of the fingers.
    pub curl: f32,
    /// Upward rotation of the shoulder.
    pub lift: f32,
    /// Forward rotation of the shoulder.
    pub reach: f32,
}

/// Pose of the whole figure. Index 0 is left, 1 is right.
#[derive(Clone, Copy, Debug)]
pub struct Stance {
    /// Hips bone in model space, metres.
    pub hips: Vec3,
    /// Rotation of the pelvis and the belly in model space: (pitch forwards, yaw to the left, roll that raises the left
    /// side), radians.
    pub pelvis: Vec3,
    /// Rotation of the chest, see `pelvis`.
    pub chest: Vec3,
    /// Rotation of neck and head, see `pelvis`.
    pub head: Vec3,
    /// Backward bend of the chest by breathing, radians.
    pub breath: f32,
    /// Legs.
    pub legs: [LegPose; 2],
    /// Arms.
    pub arms: [ArmPose; 2],
}

/// Rotations by bone index and the hips' translation.
#[derive(Clone, Debug)]
pub struct StancePose {
    /// Local rotation of every bone of the skeleton.
    pub rotations: Vec<Quat>,
    /// Translation of the hips from their parent, metres.
    pub hips: Vec3,
    /// Distance by which each ankle missed its target, metres.
    pub miss: [f32; 2],
}

/// Model-space rotation from (pitch, yaw, roll).
pub fn turn(angles: Vec3) -> Quat {
    Quat::from_euler(EulerRot::YXZ, angles.y, angles.x, angles.z)
}

fn mirror(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

/// Frame of a leg bone: along its length, knee forwards.
fn frame(up: Vec3, hinge: Vec3) -> Mat3 {
    let x = hinge.reject_from_normalized(up).normalize();
    Mat3::from_cols(x, up, x.cross(up))
}

/// Computes the bone rotations of a stance.
pub fn solve(skeleton: &Skeleton, stance: &Stance) -> StancePose {
    let mut rotations = vec![Quat::IDENTITY; skeleton.len()];
    let mut set = |name: &str, q: Quat| {
        let bone = skeleton.find(name).expect("the rig has this bone");
        rotations[usize::from(bone)] = q.normalize();
    };
    let pelvis = turn(stance.pelvis);
    let chest = turn(stance.chest);
    let head = turn(stance.head);
    let bend = pelvis.inverse() * chest;
    let half = Quat::IDENTITY.slerp(bend, 0.45);
    let breath = Quat::from_rotation_x(-stance.breath);
    set("hips", pelvis);
    set("spine", half);
    set("chest", half.inverse() * bend * breath);
    let rise = (chest * breath).inverse() * head;
    let neck = Quat::IDENTITY.slerp(rise, 0.5);
    set("neck", neck);
    set("head", neck.inverse() * rise);
    let mut miss = [0.0; 2];
    for (k, side) in ["left", "right"].into_iter().enumerate() {
        let flip = |q: Quat| if k == 0 { q } else { mirror(q) };
        let arm = &stance.arms[k];
        let shoulder = Quat::from_rotation_z(arm.lift) * Quat::from_rotation_y(-arm.reach);
        let upper = Quat::from_rotation_x(-arm.swing)
            * Quat::from_rotation_z(arm.out)
            * Quat::from_rotation_y(arm.twist)
            * Quat::from_rotation_z(-rig::ARM_DROP);
        let elbow = Quat::from_axis_angle(rig::arm_hinge(), arm.elbow);
        set(&format!("{side}_shoulder"), flip(shoulder));
        set(
            &format!("{side}_upper_arm"),
            flip(shoulder.inverse() * upper),
        );
        set(&format!("{side}_lower_arm"), flip(elbow));
        set(
            &format!("{side}_hand"),
            flip(Quat::from_rotation_z(-arm.wrist)),
        );
        set(
            &format!("{side}_fingers"),
            flip(Quat::from_rotation_z(-arm.curl)),
        );

        let mirrored = Vec3::new(if k == 0 { 1.0 } else { -1.0 }, 1.0, 1.0);
        let leg = &stance.legs[k];
        let rest_hips = Vec3::new(0.0, 0.93, 0.0);
        let hip = stance.hips + pelvis * (rig::HIP * mirrored - rest_hips);
        let toward = (pelvis * Vec3::Z * 0.5 + leg.foot * Vec3::Z).normalize();
        let bent = two_bone(hip, leg.ankle, toward);
        miss[k] = bent.miss;
        let rest_thigh = frame(((rig::HIP - rig::KNEE) * mirrored).normalize(), Vec3::X);
        let rest_shin = frame(((rig::KNEE - rig::ANKLE) * mirrored).normalize(), Vec3::X);
        let thigh = Quat::from_mat3(&(frame(bent.thigh, bent.hinge) * rest_thigh.transpose()));
        let shin = Quat::from_mat3(&(frame(bent.shin, bent.hinge) * rest_shin.transpose()));
        set(&format!("{side}_upper_leg"), pelvis.inverse() * thigh);
        set(&format!("{side}_lower_leg"), thigh.inverse() * shin);
        set(&format!("{side}_foot"), shin.inverse() * leg.foot);
        set(&format!("{side}_toes"), Quat::from_rotation_x(leg.toes));
    }
    StancePose {
        rotations,
        hips: stance.hips,
        miss,
    }
}

/// Result of the leg IK: unit vectors up the thigh and up the shin, the axis of the knee, and the distance by which the
/// target was out of reach.
struct BentLeg {
    thigh: Vec3,
    shin: Vec3,
    hinge: Vec3,
    miss: f32,
}

/// Two-bone IK by the law of cosines; the knee points towards `toward`.
fn two_bone(hip: Vec3, ankle: Vec3, toward: Vec3) -> BentLeg {
    let a = rig::HIP.distance(rig::KNEE);
    let b = rig::KNEE.distance(rig::ANKLE);
    let span = ankle - hip;
    let length = span.length();
    let d = length.clamp_to(0.2, (a + b) * 0.9995);
    let down = span / length;
    let forward = toward.reject_from_normalized(down).normalize();
    let cos = (a * a + d * d - b * b) / (2.0 * a * d);
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let knee = hip + (down * cos + forward * sin) * a;
    let end = hip + down * d;
    BentLeg {
        thigh: (hip - knee).normalize(),
        shin: (knee - end).normalize(),
        hinge: (-down).cross(forward),
        miss: length - d,
    }
}
