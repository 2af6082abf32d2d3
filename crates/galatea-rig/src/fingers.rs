//! Fingers of human-like hands: about which axes they close, how far, and where what they hold lies.
//!
//! All of it is found from the rest pose. A hinge is an axis in the space of a joint's parent, so it goes along with
//! whatever the arm does.

use glam::{Quat, Vec3};

use super::Posed;
use super::limit::swing_twist;
use super::trunk::Resting;
use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role, Side};
use galatea_math::clamp::ClampTo as _;

/// Degrees from straight of a finger's joints when it is closed, from the palm on, for fingers of one, two and three
/// bones; within the ranges of AAOS, *Joint Motion*, 1965.
const CLOSED: [[f32; 3]; 3] = [[100.0, 0.0, 0.0], [85.0, 105.0, 0.0], [80.0, 100.0, 70.0]];
/// The same of a thumb: metacarpal, proximal, distal.
const CLOSED_THUMB: [f32; 3] = [25.0, 45.0, 60.0];
/// How far a thumb's bones close out of the palm rather than across it: metacarpal, proximal, distal.
const OPPOSES: [f32; 3] = [0.8, 0.35, 0.25];
/// Degrees by which a joint may be bent back at rest and still be told from one that is bent the other way.
const BENT_BACK: f32 = 40.0;
/// Where the skin of the palm touches what is held, as shares of the way from wrist to knuckles: along it, and out of
/// the palm; and the radius of what fits the hand.
const TOUCHES: [f32; 2] = [0.95, 0.15];
const FITS: f32 = 0.15;

/// A joint of a finger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FingerJoint {
    /// The bone that turns.
    pub bone: u16,
    /// Its rotation at rest, parent space.
    pub rest: Quat,
    /// Unit axis about which it closes, parent space, by the right hand.
    pub axis: Vec3,
    /// Radians from rest to closed, 0 or more.
    pub closes: f32,
    /// Radians from straight at rest; below 0 it is bent back.
    pub bent: f32,
    /// Which finger of its hand it is of, counted over those there are, the thumb first.
    pub finger: usize,
    /// It is of the thumb.
    pub is_thumb: bool,
    /// Which joint of its finger it is, 0 nearest the palm.
    pub place: usize,
}

/// A hand with fingers. Directions are in the space of the hand's bone.
#[derive(Clone, Debug, PartialEq)]
pub struct HandRig {
    /// The hand.
    pub hand: u16,
    /// Parents before their children.
    pub joints: Vec<FingerJoint>,
    /// Unit direction from wrist to knuckles.
    pub along: Vec3,
    /// Unit direction out of the palm.
    pub out: Vec3,
    /// Unit direction across the palm to the thumb: that of a bar that is held.
    pub across: Vec3,
    /// Where the palm touches what is held.
    pub palm: Vec3,
    /// Radius of what fits the hand, in that space as well.
    pub fits: f32,
}

/// Bones of one finger at rest.
struct FingerBones {
    bones: Vec<(u16, usize)>,
    is_thumb: bool,
}

/// What is known of a hand while its joints are found, model space.
struct Palm {
    out: Vec3,
    across: Vec3,
}

impl HandRig {
    /// The hand of one side.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid, side: Side) -> Result<Self, String> {
        let (word, sign) = if side == Side::Right {
            ("right", -1.0)
        } else {
            ("left", 1.0)
        };
        let hand = humanoid
            .bone(Role::LeftHand.on(side))
            .ok_or_else(|| format!("it needs a bone with the role {word}_hand"))?;
        let fingers = fingers(skeleton, humanoid, hand, side);
        if fingers.is_empty() {
            return Err(format!(
                "it needs fingers: bones with roles like {word}_index_proximal"
            ));
        }
        let rest = Resting::new(skeleton, humanoid.model_from_character);
        let place = |bone: u16| {
            rest.model(bone)
                .map_or(Vec3::ZERO, |m| m.translation.into())
        };
        let wrist = place(hand);
        let others = || fingers.iter().filter(|finger| !finger.is_thumb);
        let roots = others().filter_map(|finger| finger.bones.first());
        let knuckles: Vec<Vec3> = roots.map(|(bone, _)| place(*bone)).collect();
        let thumb = fingers.iter().find(|finger| finger.is_thumb);
        let middle = knuckles.iter().sum::<Vec3>() / knuckles.len().max(1) as f32;
        let length = middle.distance(wrist);
        let along = if knuckles.is_empty() {
            thumb.and_then(|thumb| Some(place(thumb.bones.last()?.0) - wrist))
        } else {
            Some(middle - wrist)
        };
        let along = along.unwrap_or(Vec3::ZERO).normalize_or_zero();
        if along == Vec3::ZERO {
            return Err(format!("the fingers of its {word}_hand have no length"));
        }
        let spread = match knuckles[..] {
            [first, .., last] => (first - last).reject_from_normalized(along),
            _ => Vec3::ZERO,
        };
        let out = if spread.length() > 0.15 * length {
            along.cross(spread) * sign
        } else {
            palm_of_arm(humanoid, &place, hand, sign)
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
        let [held, off] = TOUCHES.map(|share| share * length);
        let inwards = |way: Vec3| back.transform_vector3(way).normalize_or_zero();
        Ok(Self {
            hand,
            joints,
            along: inwards(along),
            out: inwards(out),
            across: inwards(across),
            palm: back.transform_point3(wrist + along * held + out * off),
            fits: back.transform_vector3(out).length() * FITS * length,
        })
    }

    /// Closes the fingers so far, 0 to 1, at least; those that are closed farther stay. `weight` is the share of the
    /// turns, 0 to 1. At 0 of either, every bit of the pose stays.
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

    /// The middle of what is held of some radius, all of it in the space of the hand's bone; without one, of what fits.
    pub fn held(&self, radius: Option<f32>) -> Vec3 {
        self.palm + self.out * radius.unwrap_or(self.fits)
    }

    /// How a hand is turned whose knuckles and palm point to two directions across each other.
    pub fn facing(&self, along: Vec3, out: Vec3) -> Quat {
        let basis = |y: Vec3, z: Vec3| {
            let y = y.normalize_or(Vec3::Y);
            let z = z.reject_from_normalized(y);
            let z = z.normalize_or(y.any_orthonormal_vector());
            Quat::from_mat3(&glam::Mat3::from_cols(y.cross(z), y, z))
        };
        (basis(along, out) * basis(self.along, self.out).conjugate()).normalize()
    }

    /// The least turn that brings a bar across the palm of a hand, of which `turned` is the rotation; all of it in
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
    /// Radians by which a rotation in parent space is closed from rest.
    pub fn angle(&self, rotation: Quat) -> f32 {
        self.parts(rotation).1
    }

    /// What is across the hinge, and radians about it.
    fn parts(&self, rotation: Quat) -> (Quat, f32) {
        let (swing, twist) = swing_twist(rotation * self.rest.conjugate(), self.axis);
        let angle = 2.0 * twist.xyz().dot(self.axis).atan2(twist.w);
        (swing, angle)
    }

    /// A rotation closed so far at least, 0 to 1.
    fn closed(&self, now: Quat, grip: f32) -> Quat {
        let (swing, angle) = self.parts(now);
        let lacks = (grip * self.closes - angle).max(0.0);
        // One that is bent back comes gently from there.
        let angle = angle + lacks * (4.0 * grip).min(1.0);
        let swing = swing.slerp(Quat::IDENTITY, grip);
        (swing * Quat::from_axis_angle(self.axis, angle) * self.rest).normalize()
    }

    /// Turns it by so many radians from where it is.
    pub fn bend(&self, posed: &mut Posed<'_>, by: f32) {
        posed.turn(self.bone, Quat::from_axis_angle(self.axis, by));
    }
}

/// The thumb first. A hand whose fingers are one bone without a role has that.
fn fingers(skeleton: &Skeleton, humanoid: &Humanoid, hand: u16, side: Side) -> Vec<FingerBones> {
    let first = Role::LeftThumbMetacarpal.index();
    let mut all = Vec::new();
    for finger in 0..5 {
        let roles = Role::all().skip(first + 3 * finger).take(3);
        let bones = roles.enumerate().filter_map(|(place, role)| {
            let bone = humanoid.bone(role.on(side))?;
            Some((bone, place))
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

/// Where the palm of an arm faces that is held out to the side palm down, or hangs palm inwards.
fn palm_of_arm(humanoid: &Humanoid, place: &impl Fn(u16) -> Vec3, hand: u16, sign: f32) -> Vec3 {
    let side = if sign < 0.0 { Side::Right } else { Side::Left };
    let [left, up, _] = Vec3::AXES.map(|axis| humanoid.model_from_character * axis);
    let upper = humanoid.bone(Role::LeftUpperArm.on(side));
    let lower = humanoid.bone(Role::LeftLowerArm.on(side));
    let (from, to) = match (upper, lower) {
        (Some(upper), Some(lower)) => (upper, lower),
        (Some(above), None) | (None, Some(above)) => (above, hand),
        (None, None) => return -up,
    };
    let now = (place(to) - place(from)).normalize_or_zero();
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
    let place = |bone: u16| {
        rest.model(bone)
            .map_or(Vec3::ZERO, |m| m.translation.into())
    };
    let n = bones.len();
    let mut before = wrist;
    for (i, &(bone, place_in_finger)) in bones.iter().enumerate() {
        let own = place(bone);
        let above = (own - before).normalize_or_zero();
        before = own;
        let next = bones.get(i + 1).map(|(next, _)| *next);
        let tip = next.or_else(|| only_child(rest.skeleton(), bone));
        let way = tip.map_or(Vec3::ZERO, |tip| (place(tip) - own).normalize_or_zero());
        let way = if way == Vec3::ZERO { above } else { way };
        let (to, closed) = if finger.is_thumb {
            let opposes = OPPOSES[place_in_finger];
            let to = palm.out * opposes - palm.across * (1.0 - opposes);
            (to, CLOSED_THUMB[place_in_finger])
        } else {
            (palm.out, CLOSED[n - 1][i])
        };
        let axis = way.cross(to).normalize_or_zero();
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
        // The bone in the palm has nothing to be straight with.
        let bent = if finger.is_thumb && i == 0 {
            0.0
        } else {
            let [a, b] = [above, way].map(|way| way.reject_from_normalized(axis));
            a.cross(b).dot(axis).atan2(a.dot(b))
        };
        let closed = closed.to_radians();
        let bent = bent.clamp_to(-BENT_BACK.to_radians(), closed);
        joints.push(FingerJoint {
            bone,
            rest: bone_rest.rest.rotation,
            axis: axis_in_parent,
            closes: closed - bent,
            bent,
            finger: nth,
            is_thumb: finger.is_thumb,
            place: place_in_finger,
        });
    }
}

/// What a finger's last bone ends in, where the skeleton says so.
fn only_child(skeleton: &Skeleton, bone: u16) -> Option<u16> {
    let bones = (0..).zip(skeleton.bones());
    let mut children = bones.filter(|(_, child)| child.parent == Some(bone));
    let (only, _) = children.next()?;
    children.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests;
