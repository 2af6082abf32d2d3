//! Finger curl of human-like hands: hinge axes, closing angles, and the grip position of a held object.
//!
//! Everything is computed from the rest pose. A hinge is an axis in the space of a joint's parent, so it follows the arm.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Posed;
use super::limit::swing_twist;
use super::trunk::Resting;
use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role, Side};
use galatea_math::clamp::ClampTo as _;

/// Angles from straight of the joints of a closed finger, degrees, from the palm on, for fingers of one, two and three
/// bones; within the ranges of AAOS, *Joint Motion*, 1965.
const CLOSED: [[f32; 3]; 3] = [[100.0, 0.0, 0.0], [85.0, 105.0, 0.0], [80.0, 100.0, 70.0]];
/// The same for a thumb: metacarpal, proximal, distal.
const CLOSED_THUMB: [f32; 3] = [25.0, 45.0, 60.0];
/// Opposition of a thumb's bones: 1 closes straight out of the palm, 0 across it. Metacarpal, proximal, distal.
const OPPOSITION: [f32; 3] = [0.8, 0.35, 0.25];
/// Largest backward bend of a joint at rest, degrees. A joint that is bent back further counts as bent by this much.
const MAX_BACKWARD_BEND: f32 = 40.0;
/// Contact point of the palm with a held object: fractions of the distance from wrist to knuckles, along the palm and out of
/// it. `GRIP_RADIUS` is the radius of an object that fits the hand, on the same scale.
const PALM_CONTACT: [f32; 2] = [0.95, 0.15];
const GRIP_RADIUS: f32 = 0.15;

/// A joint of a finger.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FingerJoint {
    /// Bone that rotates.
    pub bone: u16,
    /// Rotation at rest, parent space.
    pub rest: Quat,
    /// Unit hinge axis, parent space; a right-handed rotation closes the joint.
    pub axis: Vec3,
    /// Angle from rest to closed, radians, 0 or more.
    pub closes: f32,
    /// Angle from straight at rest, radians; negative if bent back.
    pub bent: f32,
    /// Index of the finger among the fingers of the hand; the thumb is first.
    pub finger: usize,
    /// The joint belongs to the thumb.
    pub is_thumb: bool,
    /// Index of the joint in its finger; 0 is nearest to the palm.
    pub index: usize,
}

/// A hand with fingers. Directions are in the space of the hand bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandRig {
    /// Hand bone.
    pub hand: u16,
    /// Finger joints, parents before their children.
    pub joints: Vec<FingerJoint>,
    /// Unit direction from wrist to knuckles.
    pub along: Vec3,
    /// Unit direction out of the palm.
    pub out: Vec3,
    /// Unit direction across the palm towards the thumb: the direction of a gripped bar.
    pub across: Vec3,
    /// Contact point of the palm with a held object.
    pub palm: Vec3,
    /// Radius of an object that fits the hand, in the same space.
    pub fits: f32,
}

/// Bones of one finger at rest.
struct FingerBones {
    bones: Vec<(u16, usize)>,
    is_thumb: bool,
}

/// Directions of a hand while its joints are found, model space.
struct Palm {
    out: Vec3,
    across: Vec3,
}

impl HandRig {
    /// Finds the hand of one side.
    ///
    /// # Errors
    /// Returns a message that says which bones the skeleton lacks.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid, side: Side) -> Result<Self, String> {
        let (word, sign) = if side == Side::Right {
            ("right", -1.0)
        } else {
            ("left", 1.0)
        };
        let hand = humanoid
            .bone(Role::LeftHand.on(side))
            .ok_or_else(|| format!("the model has no bone with the role {word}_hand"))?;
        let fingers = fingers(skeleton, humanoid, hand, side);
        if fingers.is_empty() {
            return Err(format!(
                "the model has no fingers: expected bones with roles such as {word}_index_proximal"
            ));
        }
        let rest = Resting::new(skeleton, humanoid.model_from_character);
        let position = |bone: u16| {
            rest.model(bone)
                .map_or(Vec3::ZERO, |m| m.translation.into())
        };
        let wrist = position(hand);
        let others = || fingers.iter().filter(|finger| !finger.is_thumb);
        let roots = others().filter_map(|finger| finger.bones.first());
        let knuckles: Vec<Vec3> = roots.map(|(bone, _)| position(*bone)).collect();
        let thumb = fingers.iter().find(|finger| finger.is_thumb);
        let middle = knuckles.iter().sum::<Vec3>() / knuckles.len().max(1) as f32;
        let length = middle.distance(wrist);
        let along = if knuckles.is_empty() {
            thumb.and_then(|thumb| Some(position(thumb.bones.last()?.0) - wrist))
        } else {
            Some(middle - wrist)
        };
        let along = along.unwrap_or(Vec3::ZERO).normalize_or_zero();
        if along == Vec3::ZERO {
            return Err(format!("the fingers of {word}_hand have length 0"));
        }
        let spread = match knuckles[..] {
            [first, .., last] => (first - last).reject_from_normalized(along),
            _ => Vec3::ZERO,
        };
        let out = if spread.length() > 0.15 * length {
            along.cross(spread) * sign
        } else {
            palm_of_arm(humanoid, &position, hand, sign)
        };
        let out = out.reject_from_normalized(along);
        let out = out.normalize_or(along.any_orthonormal_vector());
        let across = out.cross(along) * sign;
        let palm = Palm { out, across };
        let mut joints = Vec::new();
        for (nth, finger) in fingers.iter().enumerate() {
            add_joints(&rest, wrist, (nth, finger), &palm, &mut joints);
        }
        joints.sort_by_key(|joint| joint.bone);
        let back = rest.model(hand).unwrap_or_default().inverse();
        let [held, off] = PALM_CONTACT.map(|fraction| fraction * length);
        let inwards = |direction: Vec3| back.transform_vector3(direction).normalize_or_zero();
        Ok(Self {
            hand,
            joints,
            along: inwards(along),
            out: inwards(out),
            across: inwards(across),
            palm: back.transform_point3(wrist + along * held + out * off),
            fits: back.transform_vector3(out).length() * GRIP_RADIUS * length,
        })
    }

    /// Closes the fingers to at least `grip`, 0 to 1; joints that are closed further stay. `weight`, 0 to 1, is the fraction
    /// of the rotations. If either is 0, every bit of the pose stays.
    pub fn close(&self, posed: &mut Posed<'_>, grip: f32, weight: f32) {
        if grip.is_nan() || weight.is_nan() || grip <= 0.0 || weight <= 0.0 {
            return;
        }
        let grip = grip.min(1.0);
        for joint in &self.joints {
            let now = posed.local(joint.bone).rotation;
            let turned = joint.closed(now, grip);
            let turned = if weight < 1.0 {
                now.slerp(turned, weight)
            } else {
                turned
            };
            posed.set_rotation(joint.bone, turned);
        }
    }

    /// Centre of a held object of the given radius, in the space of the hand bone; without one, of an object that fits the
    /// hand.
    pub fn held(&self, radius: Option<f32>) -> Vec3 {
        self.palm + self.out * radius.unwrap_or(self.fits)
    }

    /// Rotation of a hand with knuckles that point along `along` and a palm that faces `out`; the directions are
    /// perpendicular.
    pub fn facing(&self, along: Vec3, out: Vec3) -> Quat {
        let basis = |y: Vec3, z: Vec3| {
            let y = y.normalize_or(Vec3::Y);
            let z = z.reject_from_normalized(y);
            let z = z.normalize_or(y.any_orthonormal_vector());
            Quat::from_mat3(&glam::Mat3::from_cols(y.cross(z), y, z))
        };
        (basis(along, out) * basis(self.along, self.out).conjugate()).normalize()
    }

    /// Smallest rotation that brings the gripped bar of a hand, currently rotated by `turned`, in line with `bar`; all in
    /// one space.
    pub fn about_bar(&self, turned: Quat, bar: Vec3) -> Quat {
        let across = turned * self.across;
        let bar = bar * if bar.dot(across) < 0.0 { -1.0 } else { 1.0 };
        match bar.try_normalize() {
            Some(bar) => Quat::from_rotation_arc(across, bar) * turned,
            None => turned,
        }
    }
}

impl FingerJoint {
    /// Angle, radians, by which a rotation in parent space is closed from rest.
    pub fn angle(&self, rotation: Quat) -> f32 {
        self.parts(rotation).1
    }

    /// Splits a rotation into the swing across the hinge and the angle about it, radians.
    fn parts(&self, rotation: Quat) -> (Quat, f32) {
        let (swing, twist) = swing_twist(rotation * self.rest.conjugate(), self.axis);
        let angle = 2.0 * twist.xyz().dot(self.axis).atan2(twist.w);
        (swing, angle)
    }

    /// Returns the rotation, closed to at least `grip`, 0 to 1.
    fn closed(&self, now: Quat, grip: f32) -> Quat {
        let (swing, angle) = self.parts(now);
        let missing = (grip * self.closes - angle).max(0.0);
        // A joint that is bent back closes gradually from there.
        let angle = angle + missing * (4.0 * grip).min(1.0);
        let swing = swing.slerp(Quat::IDENTITY, grip);
        (swing * Quat::from_axis_angle(self.axis, angle) * self.rest).normalize()
    }

    /// Rotates the joint about its hinge by an angle in radians, from its current pose.
    pub fn bend(&self, posed: &mut Posed<'_>, by: f32) {
        posed.turn(self.bone, Quat::from_axis_angle(self.axis, by));
    }
}

/// Collects the fingers, the thumb first. Children of the hand with "finger" in their names are used if no bone has a finger
/// role.
fn fingers(skeleton: &Skeleton, humanoid: &Humanoid, hand: u16, side: Side) -> Vec<FingerBones> {
    let first = Role::LeftThumbMetacarpal.index();
    let mut all = Vec::new();
    for finger in 0..5 {
        let roles = Role::all().skip(first + 3 * finger).take(3);
        let bones = roles.enumerate().filter_map(|(joint_idx, role)| {
            let bone = humanoid.bone(role.on(side))?;
            Some((bone, joint_idx))
        });
        let bones: Vec<(u16, usize)> = bones.collect();
        if !bones.is_empty() {
            all.push(FingerBones {
                bones,
                is_thumb: finger == 0,
            });
        }
    }
    if all.is_empty() {
        let bones = (0..).zip(skeleton.bones());
        let loose = bones.filter(|(_, bone)| {
            let name = bone.name.to_lowercase();
            bone.parent == Some(hand) && bone.skinned && name.contains("finger")
        });
        all.extend(loose.map(|(bone, _)| FingerBones {
            bones: vec![(bone, 0)],
            is_thumb: false,
        }));
    }
    all
}

/// Direction that the palm faces: down for an arm held out sideways, inwards for a hanging arm.
fn palm_of_arm(humanoid: &Humanoid, position: &impl Fn(u16) -> Vec3, hand: u16, sign: f32) -> Vec3 {
    let side = if sign < 0.0 { Side::Right } else { Side::Left };
    let [left, up, _] = Vec3::AXES.map(|axis| humanoid.model_from_character * axis);
    let upper = humanoid.bone(Role::LeftUpperArm.on(side));
    let lower = humanoid.bone(Role::LeftLowerArm.on(side));
    let (from, to) = match (upper, lower) {
        (Some(upper), Some(lower)) => (upper, lower),
        (Some(above), None) | (None, Some(above)) => (above, hand),
        (None, None) => return -up,
    };
    let now = (position(to) - position(from)).normalize_or_zero();
    if now == Vec3::ZERO {
        return -up;
    }
    Quat::from_rotation_arc(left * sign, now) * -up
}

fn add_joints(
    rest: &Resting<'_>,
    wrist: Vec3,
    (nth, finger): (usize, &FingerBones),
    palm: &Palm,
    joints: &mut Vec<FingerJoint>,
) {
    let bones = &finger.bones;
    let position = |bone: u16| {
        rest.model(bone)
            .map_or(Vec3::ZERO, |m| m.translation.into())
    };
    let n = bones.len();
    let mut before = wrist;
    for (i, &(bone, joint_idx)) in bones.iter().enumerate() {
        let own = position(bone);
        let above = (own - before).normalize_or_zero();
        before = own;
        let next = bones.get(i + 1).map(|(next, _)| *next);
        let tip = next.or_else(|| only_child(rest.skeleton(), bone));
        let direction = tip.map_or(Vec3::ZERO, |tip| (position(tip) - own).normalize_or_zero());
        let direction = if direction == Vec3::ZERO {
            above
        } else {
            direction
        };
        let (to, closed) = if finger.is_thumb {
            let opposition = OPPOSITION[joint_idx];
            let to = palm.out * opposition - palm.across * (1.0 - opposition);
            (to, CLOSED_THUMB[joint_idx])
        } else {
            (palm.out, CLOSED[n - 1][i])
        };
        let axis = direction.cross(to).normalize_or_zero();
        let (Some(own), Some(bone_rest)) = (
            rest.model(bone),
            rest.skeleton().bones().get(usize::from(bone)),
        ) else {
            continue;
        };
        let parent = rest.parent(bone).and_then(|parent| rest.model(parent));
        let inwards = parent.unwrap_or_default().matrix3.inverse();
        let axis_in_parent = super::two_bone::axis_in(inwards, axis);
        if axis == Vec3::ZERO || axis_in_parent == Vec3::ZERO || !own.is_finite() {
            continue;
        }
        // The metacarpal of a thumb has no previous bone to be straight with.
        let bent = if finger.is_thumb && i == 0 {
            0.0
        } else {
            let [a, b] = [above, direction].map(|direction| direction.reject_from_normalized(axis));
            a.cross(b).dot(axis).atan2(a.dot(b))
        };
        let closed = closed.to_radians();
        let bent = bent.clamp_to(-MAX_BACKWARD_BEND.to_radians(), closed);
        joints.push(FingerJoint {
            bone,
            rest: bone_rest.rest.rotation,
            axis: axis_in_parent,
            closes: closed - bent,
            bent,
            finger: nth,
            is_thumb: finger.is_thumb,
            index: joint_idx,
        });
    }
}

/// Single child of a finger's last bone, which marks the tip.
fn only_child(skeleton: &Skeleton, bone: u16) -> Option<u16> {
    let bones = (0..).zip(skeleton.bones());
    let mut children = bones.filter(|(_, child)| child.parent == Some(bone));
    let (only, _) = children.next()?;
    children.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests;
