//! Idle stance without a clip: lowers the arms of a T-pose or A-pose.

use glam::{Quat, Vec3};

use super::Posed;
use super::fingers::HandRig;
use super::trunk::Trunk;
use galatea_anim::humanoid::{Humanoid, Role, Side};
use galatea_anim::{Skeleton, local_to_model};
use galatea_math::Trs;

/// Arms that are at most this far from straight down in the rest pose are left unchanged, degrees.
const MAX_HANGING_ANGLE: f32 = 30.0;
/// Angles of a hanging arm away from the body and forward, degrees.
const OUTWARD: f32 = 13.0;
const FORWARD: f32 = 4.0;
/// Bend of the elbow, degrees.
const ELBOW: f32 = 14.0;
/// Curl of the joints of a finger, from the palm on, and of a thumb, degrees.
const CURL: [f32; 3] = [18.0, 24.0, 14.0];
const THUMB: [f32; 3] = [6.0, 8.0, 8.0];

/// Returns the rest pose with hanging arms, slightly bent elbows and slightly curled fingers: local transforms, one per
/// bone. `None` for a body without human-like arms, or whose arms already hang.
pub fn standing(skeleton: &Skeleton, humanoid: &Humanoid, rest: &[Trs]) -> Option<Vec<Trs>> {
    // Bodies on all fours keep their arms.
    if !humanoid.is_body() || Trunk::find(skeleton, humanoid).on_fours {
        return None;
    }
    let mut matrices = Vec::new();
    local_to_model(skeleton, rest, &mut matrices);
    let mut locals = rest.to_vec();
    let mut posed = Posed::new(skeleton, &mut locals, &matrices);
    let [left, up, ahead] = Vec3::AXES.map(|axis| humanoid.model_from_character * axis);
    for arm in &ARMS {
        let [Some(upper), Some(lower), Some(hand)] = arm.limb.map(|role| humanoid.bone(role))
        else {
            continue;
        };
        let direction = |posed: &Posed, from: u16, to: u16| {
            (posed.position(to) - posed.position(from)).normalize_or_zero()
        };
        let now = direction(&posed, upper, lower);
        if now == Vec3::ZERO || now.dot(-up) > MAX_HANGING_ANGLE.to_radians().cos() {
            continue;
        }
        let side = if arm.side == Side::Right { -left } else { left };
        let [out, to_front] = [OUTWARD, FORWARD].map(|degrees| degrees.to_radians().tan());
        let target = (side * out + ahead * to_front - up).normalize();
        let rotation = Quat::from_rotation_arc(now, target);
        posed.turn_in_model(upper, rotation);
        let forearm = direction(&posed, lower, hand);
        let straight = Quat::from_rotation_arc(forearm, direction(&posed, upper, lower));
        // The bend in the rest pose counts.
        let bent = forearm
            .angle_between(direction(&posed, upper, lower))
            .to_degrees();
        if forearm != Vec3::ZERO && bent < ELBOW {
            let bend = Quat::from_axis_angle(left, -ELBOW.to_radians());
            posed.turn_in_model(lower, bend * straight);
        }
        let Ok(hand) = HandRig::find(skeleton, humanoid, arm.side) else {
            continue;
        };
        for joint in &hand.joints {
            let curl = if joint.is_thumb { THUMB } else { CURL };
            joint.bend(&mut posed, curl[joint.index].to_radians());
        }
    }
    posed.is_changed().then_some(locals)
}

/// One arm and its bones.
struct ArmBones {
    side: Side,
    limb: [Role; 3],
}

const ARMS: [ArmBones; 2] = [
    ArmBones {
        side: Side::Left,
        limb: [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
    },
    ArmBones {
        side: Side::Right,
        limb: [Role::RightUpperArm, Role::RightLowerArm, Role::RightHand],
    },
];

#[cfg(test)]
mod tests;
