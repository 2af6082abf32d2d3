//! How a body stands that no clip moves: out of the T- or A-pose in which it was made, its arms hang.

use glam::{Quat, Vec3};

use super::Posed;
use super::fingers::HandRig;
use super::trunk::Trunk;
use galatea_anim::humanoid::{Humanoid, Role, Side};
use galatea_anim::{Skeleton, local_to_model};
use galatea_math::Trs;

/// Arms that point down to this many degrees in the rest pose are left as they are.
const HANGS: f32 = 30.0;
/// Degrees by which a hanging arm points away from the body, and ahead.
const OUT: f32 = 13.0;
const AHEAD: f32 = 4.0;
/// Degrees by which the elbow is bent.
const ELBOW: f32 = 14.0;
/// Degrees by which each joint of a finger is curled, from the palm on, and of a thumb.
const CURL: [f32; 3] = [18.0, 24.0, 14.0];
const THUMB: [f32; 3] = [6.0, 8.0, 8.0];

/// The rest pose with hanging arms, elbows a little bent and fingers a little curled: local transforms, one per bone.
/// `None` for what is not a human-like body with arms, and for one whose arms hang already.
pub fn standing(skeleton: &Skeleton, humanoid: &Humanoid, rest: &[Trs]) -> Option<Vec<Trs>> {
    // Who stands on its arms keeps them.
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
        let way = |posed: &Posed, from: u16, to: u16| {
            (posed.position(to) - posed.position(from)).normalize_or_zero()
        };
        let now = way(&posed, upper, lower);
        if now == Vec3::ZERO || now.dot(-up) > HANGS.to_radians().cos() {
            continue;
        }
        let side = if arm.side == Side::Right { -left } else { left };
        let [out, to_front] = [OUT, AHEAD].map(|degrees| degrees.to_radians().tan());
        let wanted = (side * out + ahead * to_front - up).normalize();
        let turn = Quat::from_rotation_arc(now, wanted);
        posed.turn_in_model(upper, turn);
        let forearm = way(&posed, lower, hand);
        let straight = Quat::from_rotation_arc(forearm, way(&posed, upper, lower));
        // What the rest pose has bent counts.
        let bent = forearm
            .angle_between(way(&posed, upper, lower))
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
            joint.bend(&mut posed, curl[joint.place].to_radians());
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
